#!/bin/sh -eu
# build.sh DIRECTORY KIT FXTREF [-DMISTAKE=N]: the two fuzz targets, with clang, in the directory.
# KIT is this project's fuzz/kit; FXTREF is its top, for the reader of libfxt.
out=$1 kit=$2 fxtref=$3
shift 3
flags="-g -O1 -fsanitize=fuzzer-no-link,address -I$kit"
objects=
for source in "$kit/fxt_fuzz.c" "$kit/fxt_libfuzzer.c" "$fxtref"/src/base/*.c "$fxtref"/src/read/*.c; do
    case $source in *_test.c) continue ;; esac
    object=$out/$(basename "$(dirname "$source")")_$(basename "$source" .c).o
    [ -f "$object" ] || clang $flags -std=c11 "-I$fxtref/src/include" "-I$fxtref" -c "$source" -o "$object"
    objects="$objects $object"
done
for target in memory diff; do
    clang++ $flags -std=c++17 "-I$fxtref/src/include" "$@" -fsanitize=fuzzer \
        "$(dirname "$0")/${target}_target.cpp" $objects -o "$out/${target}_target"
done
