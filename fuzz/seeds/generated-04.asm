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
blob blob_type=172 name="" payload=x"20"
event async_instant timestamp=0 thread=@1 category=@3 name=@4 id=18446744073709551615 { @7 null }
initialization ticks_per_second=12173050917545277548
event duration_begin timestamp=1 thread=@3 category=@1 name=@7 { @1 int64 4664366867276001556, @1 pointer 0x0, @3 pointer 0x9e, @5 uint64 1023, @2 string @5, @3 koid 12113845728857384998, @2 bool false, @2 null }
mmap timestamp=32768 thread=@1 module_id=40066 flags=2 start_address=0x72 address_range=0x3752d6a4519d4e76 vaddr=0xffffffffffffffff
legacy_switch timestamp=6 cpu=22 outgoing_state=running outgoing_thread=@2 incoming_thread=@3 outgoing_priority=199 incoming_priority=152
large_blob blob_format=1 category="\\ \n\t/dev/null € 😀 später \"q\" \\ \n\t/dev/null € 😀 spät" name="ev/null € 😀" payload=x""
event async_end timestamp=3 thread=@1 category=@7 name=@6 id=201 { @6 uint64 4294967295 }
context_switch timestamp=17179869184 cpu=28960 outgoing_state=suspended outgoing_thread=0 incoming_thread=18446744073709551615 { @7 uint32 3, @2 null, @7 null, @5 blob x"8a91989fa6adb4", @5 uint32 4294967295, @5 blob x"6c20e282ac20f09f9880207370c3a4", @1 double 0.0, @5 koid 0, @1 pointer 0xffff, @6 int64 33554431, @5 int32 1665478018, @2 bool true, @5 double 0xffffffffffffffff, @5 double 0x0000200000000000, @5 pointer 0x4d }
blob blob_type=6 name=@2 payload=x"d4"
context_switch timestamp=18446744073709551615 cpu=26249 outgoing_state=blocked outgoing_thread=4294967296 incoming_thread=18446744073709551615

