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
event async_instant timestamp=3 thread=@3 category=@1 name=@7 id=1
magic
log timestamp=66 thread=4194304/18014398509481983 message="/null € 😀 später \"q\" \\ \n\t/dev/null € 😀 später \"q\" \\ \n\t/dev/null € 😀 später \"q\" \\ \n\t/dev/null € 😀 später \"q\" \\ \n\t/dev/null € 😀 später \"q\" \\ \n\t/dev/null € 😀 später \"q\" \\ \n\t/dev/null € 😀 später \"q\" \\ \n\t/dev/null € "

