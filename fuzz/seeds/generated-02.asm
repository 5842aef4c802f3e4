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
mmap timestamp=281474976710655 thread=@2 module_id=10272 flags=3 start_address=0xa0 address_range=0x2000000000000 vaddr=0x4eee524f6ed46d5
event counter timestamp=3 thread=@1 category=@7 name=@5 id=1 { @7 int64 -1, @3 int32 92 }
event instant timestamp=202 thread=@1 category=@32766 name=@1 scope=thread
blob blob_type=209 name=@32766 payload=x"7f868d949ba2a9b0b7"

