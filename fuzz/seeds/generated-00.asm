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
backtrace timestamp=2305843009213693951 thread=@2 frames=[0x82e2206c6c756e2f]

