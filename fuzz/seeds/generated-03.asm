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
context_switch timestamp=274877906944 cpu=42771 outgoing_state=new outgoing_thread=137438953471 incoming_thread=72 { "" uint32 3 }
event async_end timestamp=1 thread=@3 category=@3 name=@4 id=1 { @1 blob x"6c6c20e282ac20f09f9880207370c3a474657220227122205c200a092f6465762f6e756c6c20e282ac20f09f9880207370c3a474657220227122205c200a092f6465762f6e756c6c20e282ac20f09f9880207370c3a474657220227122205c200a092f6465762f6e756c6c20e282ac20f09f9880207370c3a474657220227122205c200a092f6465762f6e756c6c20e282ac20f09f9880207370c3a474657220227122205c200a092f6465762f6e756c6c20e282ac20f09f9880207370c3a474657220227122205c200a092f6465762f6e756c6c20e282ac20f09f9880207370c3a474657220227122205c200a092f6465762f6e756c6c20e282ac20f09f98", @1 blob x"6e756c6c20e282ac", @4 pointer 0xffffffffffffffff, @7 int64 268435456, @6 koid 0, @6 koid 220, @3 string @6, @7 int32 0, @7 bool false, @4 int64 0, @3 int64 228, @3 int32 -1, @7 pointer 0x0, @1 uint32 16, @7 double 0x0000000000000027 }
provider_section provider_id=2
userspace_object pointer=0x3da3a01bbcf6adfc process=@2 name=@2 { @4 uint64 0 }

