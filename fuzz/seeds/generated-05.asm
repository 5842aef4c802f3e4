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
provider_info provider_id=2 name="v}\x84\x8b\x92\x99\xa0\xa7\xae\xb5\xbc\xc3\xca\xd1\xd8\xdf\xe6"
userspace_object pointer=0x6d process=@1 name=@32767 { @7 uint32 4294967295, "\xe9" int64 0, @3 blob x"ac20f09f9880207370c3a474657220227122205c200a092f6465762f6e756c6c20e282ac20f09f9880207370c3a474657220227122205c200a092f6465762f", "\xc0\xc7\xce\xd5\xdc\xe3\xea\xf1\xf8\xff\x06\r\x14\x1b\")07>ELSZahov}\x84\x8b\x92\x99\xa0\xa7\xae\xb5\xbc\xc3\xca\xd1\xd8\xdf\xe6\xed\xf4\xfb\x02\t\x10\x17\x1e%,3:AHOV]dkry\x80\x87\x8e\x95\x9c\xa3\xaa\xb1\xb8\xbf\xc6\xcd\xd4\xdb\xe2\xe9\xf0\xf7\xfe\x05\x0c\x13\x1a!(/6=DKRY`gnu|\x83\x8a\x91\x98\x9f\xa6\xad\xb4\xbb\xc2\xc9\xd0\xd7\xde\xe5\xec\xf3\xfa\x01\x08\x0f\x16\x1d$+29@GNU\\" bool false, @5 blob x"dbe2e9f0f7fe050c131a21282f363d44", @1 string @32767, @6 uint32 0, "" double 0xffffffffffffffff }
module timestamp=902208262136939891 thread=@2 module_id=26075 name=" \"q\" \\ \n\t" build_id=x"d2"
provider_section provider_id=1
thread_wakeup timestamp=70368744177663 cpu=44346 waking_thread=18 { @5 string @2, @6 pointer 0x0, @7 int32 511 }
mmap timestamp=0 thread=6971253490422838516/17537245949895461915 module_id=44175 flags=3 start_address=0x0 address_range=0x800000000 vaddr=0x1000
provider_info provider_id=3 name="\xd4\xdb\xe2\xe9\xf0\xf7\xfe\x05"
kernel_object object_type=234 koid=33554432 name=@32767

