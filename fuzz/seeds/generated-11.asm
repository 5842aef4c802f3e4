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
backtrace timestamp=18446744073709551615 thread=@1 frames=[0xf020ac82e2206c6c]
event flow_end timestamp=4611686018427387904 thread=3610265183398965116/18446744073709551615 category=@32767 name="\xb5\xbc\xc3\xca\xd1\xd8\xdf\xe6\xed\xf4\xfb\x02\t\x10\x17\x1e%" id=3
magic
event counter timestamp=64 thread=@1 category=@1 name="\n\t/dev/null €" id=0 { @3 uint32 165, @32766 string @1, @2 uint64 18446744073709551615, " 😀 später \"q\" \\ \n\t/dev/null € 😀 später \"q\" \\ \n\t/dev/null € 😀 später \"q\" \\ \n\t/dev/null € 😀 später \"q\" \\ \n\t/dev/null € 😀 später \"q\" \\ \n\t/dev/null € 😀 später \"q\" \\ \n\t/dev/null € 😀 später \"q\" \\ \n\t/dev/null € 😀 spä" uint64 211 }
large_blob blob_format=0 category=@1 name=@6 timestamp=18446744073709551615 thread=@2 payload=x"7220227122205c" { @7 int64 -1 }
magic
magic
event counter timestamp=1 thread=@3 category=@1 name=@7 id=1
large_blob blob_format=1 category=" € \xf0\x9f\x98" name=@32766 payload=x"1b222930373e454c535a61686f767d848b"
event flow_end timestamp=1 thread=@2 category=@3 name=@1 id=0
module timestamp=18446744073709551615 thread=@3 module_id=36841 name="" build_id=x"6465762f6e756c6c"
event duration_complete timestamp=90 thread=@2 category=@4 name="\x9f\x98\x80 spä" end=0 { @5 double 0x00000001ffffffff, @2 bool true }
event flow_step timestamp=536870912 thread=@3 category=@3 name=@32767 id=1 { @2 pointer 0xa, @3 blob x"a9b0b7bec5ccd3dae1e8eff6fd040b1219", @2 double 0x00000000000000aa, "x\x7f\x86\x8d\x94\x9b\xa2\xa9\xb0\xb7\xbe\xc5\xcc\xd3\xda" pointer 0xb1, @2 blob x"9f9880207370c3a474657220227122205c200a092f6465762f6e756c6c20e282ac20f09f9880207370c3a474657220227122205c200a092f6465762f6e756c6c20e282ac20f09f9880207370c3a474657220227122205c200a092f6465762f6e756c6c20e282ac20f09f9880207370c3a474657220227122205c200a092f6465762f6e756c6c20e282ac20f09f9880207370c3a474657220227122205c200a092f6465762f6e756c6c20e282ac20f09f9880207370c3a474657220227122205c200a092f6465762f6e756c6c20e282ac20f09f9880207370c3a474657220227122205c200a092f6465762f6e756c6c20e282ac20f09f9880207370c3a47465", "BIPW^elsz\x81\x88\x8f\x96\x9d\xa4\xab\xb2\xb9\xc0\xc7\xce\xd5\xdc\xe3\xea\xf1\xf8\xff\x06\r\x14\x1b\")07>ELSZahov}\x84\x8b\x92\x99\xa0\xa7\xae\xb5\xbc\xc3\xca\xd1\xd8\xdf\xe6\xed\xf4" koid 524288, "\xc6\xcd\xd4\xdb\xe2\xe9\xf0" bool true, @5 koid 247 }
