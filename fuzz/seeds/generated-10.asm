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
magic
legacy_switch timestamp=8192 cpu=178 outgoing_state=blocked outgoing_thread=@3 incoming_thread=@2 outgoing_priority=216 incoming_priority=108
mmap timestamp=0 thread=@3 module_id=43578 flags=7 start_address=0x8000000000 address_range=0x0 vaddr=0x20000
event duration_begin timestamp=2 thread=@3 category=@3 name=@7 { @7 bool false, @5 pointer 0x0 }
thread_wakeup timestamp=18446744073709551615 cpu=28657 waking_thread=144115188075855871 { @6 bool true, @2 blob x"5c200a092f6465762f", @4 uint64 18446744073709551615, @4 uint32 2186197621, @3 int64 -6880121844156626371, @5 double 0x0000000000001fff, @6 uint64 7373036008027912971, @3 int64 140737488355328, @7 string @3, @5 pointer 0x56, @7 null, @6 bool true, @2 koid 5011376292330290509, @1 bool true, @3 bool true }
provider_event provider_id=1 event_id=12
provider_event provider_id=3 event_id=9
event async_instant timestamp=63 thread=536870911/227 category=@6 name=@5 id=2 { "" pointer 0x84, @32767 bool false, @1 null, "äter \"q\" \\ \n\t/d" double 0x4d3e2945bbc995e9 }
blob blob_type=10 name=@5 payload=x""
event async_instant timestamp=5 thread=@1 category=@5 name=@3 id=3 { @1 blob x"6c737a81888f969d", @5 int32 512, @5 uint64 18446744073709551615, @6 double 0xffffffffffffffff, @6 double 0xffffffffffffffff, @7 blob x"74657220227122205c", @7 double 0xffffffffffffffff, @4 blob x"dee5ecf3fa0108" }
thread index=1 process=3699046868415185787 thread=0
blob blob_type=195 name="/dev/nul" payload=x"d3dae1e8eff6fd040b121920272e353c"
legacy_switch timestamp=137438953472 cpu=241 outgoing_state=blocked outgoing_thread=@2 incoming_thread=@1 outgoing_priority=234 incoming_priority=117
