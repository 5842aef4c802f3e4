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
event flow_begin timestamp=18446744073709551615 thread=159/83 category="\\ \n\t/dev/null \xe2" name=@32767 id=2 { @1 pointer 0x8c938435b60cb3a2 }
provider_section provider_id=51
userspace_object pointer=0xf5 process=9007199254740992 name=@32767 { "" blob x"949ba2a9b0b7bec5ccd3dae1e8eff6fd040b121920272e353c434a51585f666d747b828990979ea5acb3bac1c8cfd6dde4ebf2f900070e151c232a31383f464d545b626970777e858c939aa1a8afb6bdc4cbd2d9e0e7eef5fc030a11181f262d343b424950575e656c737a81888f969da4abb2b9c0c7ced5dce3eaf1f8ff060d141b222930373e454c535a61686f767d848b9299a0a7aeb5bcc3cad1d8dfe6edf4fb020910171e252c333a41484f565d646b727980878e959ca3aab1b8bfc6cdd4dbe2e9f0f7fe050c131a21282f363d444b525960676e757c838a91989fa6adb4bbc2c9d0d7dee5ecf3fa01080f161d242b323940474e555c636a71787f86" }

