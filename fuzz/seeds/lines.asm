; nothing

repeat 3 string index=5 value="a"
repeat 0x2 u64 1
string index=1 value="\x41\"" ; end
string index=99999 value="a"
no such thing
u32 1
	 
repeat 4294967295 u64 7
repeat 1100 u64 7
thread index=1 process=1
repeat 0 magic
