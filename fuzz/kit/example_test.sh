#!/bin/bash
# A C++ reader that has nothing to do with this project is fuzzed with the kit. The mistakes that
# are planted in it are found, and without them nothing is.
set -eu
top=$PWD
work=${TEST_TMPDIR:-$(mktemp -d)}/example
mkdir -p "$work/theirs" "$work/build"
cp -L fuzz/kit/example/* "$work/theirs"
cd "$work"

fuzz() { # TARGET SECONDS
    "build/$1_target" -seed=1 -max_total_time="$2" -max_len=2048 -artifact_prefix="$work/" >log 2>&1
}

found() { # TARGET MISTAKE WHAT
    theirs/build.sh build "$top/fuzz/kit" "$top" -DMISTAKE="$2"
    if fuzz "$1" 90; then
        tail -3 log
        echo "mistake $2 was not found" >&2
        exit 1
    fi
    grep -m 1 "$3" log
}

theirs/build.sh build "$top/fuzz/kit" "$top"
for target in memory diff; do
    fuzz $target 4 || { cat log; exit 1; }
    tail -1 log
done
found memory 1 heap-buffer-overflow
found diff 2 "the readers differ"
