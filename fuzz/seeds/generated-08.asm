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
log timestamp=175 thread=@3 message="\xc1\xc8\xcf\xd6\xdd\xe4\xeb\xf2\xf9"
string index=2 value="\xc6\xcd\xd4\xdb\xe2\xe9\xf0\xf7\xfe"
string index=6 value="dev/nul"
provider_section provider_id=1
thread index=3 process=0 thread=0
kernel_object object_type=95 koid=70368744177664 name=@2
backtrace timestamp=18446744073709551615 thread=@1 frames=[0x726574a4c3707320,0xa205c2022712220,0x756e2f7665642f09,0xf020ac82e2206c6c,0xa4c370732080989f,0x2022712220726574,0x7665642f090a205c,0x82e2206c6c756e2f,0x732080989ff020ac,0x2220726574a4c370,0x2f090a205c202271,0x6c6c756e2f766564,0x989ff020ac82e220,0x6574a4c370732080,0x205c202271222072,0x6e2f7665642f090a,0x20ac82e2206c6c75,0xc370732080989ff0,0x22712220726574a4,0x65642f090a205c20,0xe2206c6c756e2f76,0x2080989ff020ac82,0x20726574a4c37073,0x90a205c20227122,0x6c756e2f7665642f,0x9ff020ac82e2206c,0x74a4c37073208098,0x5c20227122207265,0x2f7665642f090a20,0xac82e2206c6c756e,0x70732080989ff020,0x712220726574a4c3,0x642f090a205c2022,0x206c6c756e2f7665,0x80989ff020ac82e2,0x726574a4c3707320,0xa205c2022712220,0x756e2f7665642f09,0xf020ac82e2206c6c,0xa4c370732080989f,0x2022712220726574,0x7665642f090a205c,0x82e2206c6c756e2f,0x732080989ff020ac,0x2220726574a4c370,0x2f090a205c202271,0x6c6c756e2f766564,0x989ff020ac82e220,0x6574a4c370732080,0x205c202271222072,0x6e2f7665642f090a,0x20ac82e2206c6c75,0xc370732080989ff0,0x22712220726574a4,0x65642f090a205c20,0xe2206c6c756e2f76,0x2080989ff020ac82,0x20726574a4c37073,0x90a205c20227122,0x6c756e2f7665642f,0x9ff020ac82e2206c,0x74a4c37073208098,0x5c20227122207265]
event async_begin timestamp=18446744073709551615 thread=@1 category=@7 name=@7 id=18446744073709551615 { @32767 null, "\x94\x9b\xa2\xa9\xb0\xb7\xbe\xc5\xcc\xd3\xda\xe1\xe8\xef\xf6\xfd" koid 99, "äter \"q\" \\ \n\t/dev/null € 😀 später \"q\" \\ \n\t/dev/null € 😀 später \"q\" \\ \n\t/dev/null € 😀 später \"q\" \\ \n\t/dev/null € 😀 später \"q\" \\ \n\t/dev/null € 😀 später \"q\" \\ \n\t/dev/null € 😀 später \"q\" \\ \n\t/dev/null € 😀 später \"q\" " int64 -6631787021793290979, "l € \xf0" double 0xcc4e3b2f6c598884, @7 string "er \"q\" ", "\x9f\x98\x80 spä" pointer 0x7a, @4 string "\x04\x0b\x12\x19 '.5", @32767 int32 -1 }

