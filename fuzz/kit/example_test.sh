#!/bin/bash
# Readers in C++ and Rust that have nothing to do with this project are fuzzed with the kit. The
# mistakes that are planted in them are found, and without them nothing is.
set -eu
top=$PWD
work=${TEST_TMPDIR:-$(mktemp -d)}/example
mkdir -p "$work/theirs" "$work/build"
cp -L fuzz/kit/example/* "$work/theirs"
cd "$work"
rust=$(command -v rustc) || true

fuzz() { # TARGET SECONDS
    "build/$1" -seed=1 -max_total_time="$2" -max_len=2048 -artifact_prefix="$work/" >log 2>&1
}

found() { # TARGET MISTAKE WHAT
    theirs/build.sh build "$top/fuzz/kit" "$top" "$2"
    if fuzz "$1" 90; then
        tail -3 log
        echo "$1: mistake $2 was not found" >&2
        exit 1
    fi
    grep -m 1 "$3" log
}

code=0
theirs/build.sh build 2>log || code=$?
[ $code = 2 ] && grep -q "^usage: build.sh DIRECTORY KIT FXTREF \[MISTAKE\]" log
theirs/build.sh build "$top/fuzz/kit" "$top"
mkdir newer # a kit that has changed is compiled again
cp -rL "$top/fuzz/kit" newer/kit
chmod +w newer/kit/fxt_fuzz.c
echo "#error changed" >>newer/kit/fxt_fuzz.c
if theirs/build.sh build "$PWD/newer/kit" "$top" 2>/dev/null; then
    echo "the objects of an earlier kit were taken" >&2
    exit 1
fi
for target in memory_target diff_target ${rust:+memory_target_rust diff_target_rust}; do
    fuzz $target 4 || { cat log; exit 1; }
    tail -1 log
done
found memory_target 1 heap-buffer-overflow
found diff_target 2 "the readers differ"
found diff_target 3 "the readers differ"
if [ "$rust" ]; then
    found memory_target_rust 1 "panicked at"
    found diff_target_rust 2 "the readers differ"
else
    echo "rustc is not installed: the reader in Rust is skipped"
fi
