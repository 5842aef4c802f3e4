magic
string index=1 value="a"
string index=2 value="b"
string index=3 value="c"
string index=4 value="d"
string index=5 value="e"
string index=6 value="f"
string index=7 value="g"
thread index=1 process=1 thread=8
thread index=2 process=1 thread=9
thread index=3 process=1 thread=10
module timestamp=18446744073709551615 thread=@1 module_id=15525 name="\xab\xb2\xb9\xc0\xc7\xce\xd5\xdc\xe3\xea\xf1\xf8\xff\x06\r\x14\x1b\")07>ELSZahov}\x84\x8b\x92\x99\xa0\xa7\xae\xb5\xbc\xc3\xca\xd1\xd8\xdf\xe6\xed\xf4\xfb\x02\t\x10\x17\x1e%,3:AHOV]dkry\x80\x87\x8e\x95\x9c\xa3\xaa\xb1\xb8\xbf\xc6\xcd\xd4\xdb\xe2\xe9\xf0\xf7\xfe\x05\x0c\x13\x1a!(/6=DKRY`gnu|\x83\x8a\x91\x98\x9f\xa6\xad\xb4\xbb\xc2\xc9\xd0\xd7\xde\xe5\xec\xf3\xfa\x01\x08\x0f\x16\x1d$+29@GNU\\cjqx\x7f\x86\x8d\x94\x9b\xa2\xa9\xb0\xb7\xbe\xc5\xcc\xd3\xda\xe1\xe8\xef\xf6\xfd\x04\x0b\x12\x19 '.5<CJQX_fmt{\x82\x89\x90\x97\x9e\xa5\xac\xb3\xba\xc1\xc8\xcf\xd6\xdd\xe4\xeb\xf2\xf9\x00\x07\x0e\x15\x1c#*18?FMT[bipw~\x85\x8c\x93\x9a\xa1\xa8\xaf\xb6\xbd\xc4\xcb\xd2\xd9\xe0\xe7\xee\xf5\xfc\x03\n\x11\x18\x1f&-4;BIPW^elsz\x81\x88\x8f\x96\x9d" build_id=x"c3a4746572202271"
event async_begin timestamp=1 thread=@3 category=@4 name=@7 id=153 { @5 bool false, @6 string @2 }
blob blob_type=214 name=@2 payload=x"787f868d949ba2a9b0"
mmap timestamp=154 thread=@255 module_id=41907 flags=6 start_address=0x7f address_range=0x5120f98273dbf283 vaddr=0x5a3b9e8479c1b36a
provider_info provider_id=2310288717 name="\\ \n\t/dev/null € 😀 später \"q\" \\ \n\t/dev/null € 😀 spät"
event instant timestamp=2 thread=@2 category=@1 name=@7 { @4 null }
mmap timestamp=8776713220916971144 thread=@1 module_id=2869 flags=7 start_address=0xa3 address_range=0x763ec9187f2e4270 vaddr=0xdf
userspace_object pointer=0xffffffffffffffff process=@1 name=@1 { "" bool true, @1 koid 35184372088831 }
kernel_object object_type=136 koid=87 name=@5 { @7 double 0x00000000003fffff, @7 double 0x0000000000000040, @1 null, @7 pointer 0x1fffffffff }
blob blob_type=31 name=@3 payload=x"756c6c20e282ac20f09f9880207370c3a4"
userspace_object pointer=0xf4 process=@1 name=@5 { @4 uint32 1024 }
event duration_complete timestamp=2 thread=@3 category=@3 name=@6 end=2 { @3 int64 100 }
initialization ticks_per_second=29
