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
event duration_begin timestamp=1 thread=@1 category=@2 name=@2 { @4 double 0x00003fffffffffff, @2 uint64 16494675388829756419 }
event async_begin timestamp=1 thread=@3 category=@6 name=@5 id=549755813888
event async_begin timestamp=4 thread=@3 category=@7 name=@6 id=94 { @1 null, @6 string @7, @7 uint64 562949953421312, @3 uint64 512, @6 koid 144115188075855871, @2 uint64 18446744073709551615, @4 int64 -8659209226288090009, @1 double 0xffffffffffffffff, @3 int64 2147483648, @2 double 0x0000000000000fff, @5 bool false, @2 null, @7 int64 9223372036854775807, @7 null, @5 uint32 0 }
string index=1 value=""
event async_end timestamp=5 thread=@3 category=@3 name=@1 id=1528533197662069968 { @3 int32 -1, @7 koid 2147483647, @4 uint64 7736961557226341970, @2 null }
event counter timestamp=18446744073709551615 thread=@1 category="v/null " name="" id=1 { @4 int64 2048 }
event flow_end timestamp=8 thread=@2 category=@1 name=@2 id=0

