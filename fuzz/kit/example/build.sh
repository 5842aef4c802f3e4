#!/bin/sh -eu
# build.sh DIRECTORY KIT FXTREF [MISTAKE]: the fuzz targets of the readers beside this file, with clang
# and, if it is there, rustc. They go into the directory. KIT is this project's fuzz/kit, FXTREF is
# its top, for the reader of libfxt. MISTAKE is the number of one that the readers then make.
if [ $# -lt 3 ] || [ $# -gt 4 ]; then
    echo "usage: build.sh DIRECTORY KIT FXTREF [MISTAKE]; the head of the file says more" >&2
    exit 2
fi
out=$1 kit=$2 fxtref=$3 mistake=${4-0}
here=$(dirname "$0")
mkdir -p "$out"
flags="-g -O1 -fsanitize=address"
coverage="-fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp" # of the readers, not of the kit

# compile OBJECT COMPILER FLAG... SOURCE
compile() {
    object=$1
    shift
    "$@" $flags "-I$kit" "-I$fxtref/src/include" "-I$fxtref" -c -o "$out/$object"
}

# link TARGET OBJECT...: with the mutator
link() {
    target=$1
    shift
    (cd "$out" && clang++ -fsanitize=fuzzer,address "$@" kit_fxt_fuzz.o kit_fxt_libfuzzer.o \
        -lpthread -ldl -o "$target")
}

# rust ARCHIVE SOURCE: rustc measures the coverage in the way that libFuzzer reads
rust() {
    rustc --edition=2021 --crate-type=staticlib -g -O -Cdebug-assertions -Cpanic=abort \
        -Ccodegen-units=1 -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 \
        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
        --cfg="mistake_$mistake" -o "$out/$1" "$here/$2"
}

# is_new OBJECT: nothing that it may be made of has changed since
is_new() {
    [ -f "$out/$1" ] && [ -z "$(find -L "$kit" "$fxtref"/src/base "$fxtref"/src/wire "$fxtref"/src/read \
        "$fxtref"/src/check "$fxtref"/src/include -name '*.[ch]' -newer "$out/$1")" ]
}

expected= # the objects of what is expected: libfxt's reader
tables=$fxtref/src/check # with the rest of the checker, which is not needed
for source in "$kit/fxt_fuzz.c" "$kit/fxt_libfuzzer.c" "$kit/fxt_expected.c" "$fxtref"/src/base/*.c \
    "$fxtref"/src/read/*.c "$tables/apply.c" "$tables/arena.c" "$tables/object.c" "$tables/tables.c" \
    "$tables/ticks.c"; do
    object=$(basename "$(dirname "$source")")_$(basename "$source" .c).o
    more=
    case $source in
    *_test.c) continue ;;
    "$kit/fxt_expected.c") expected="$expected $object" ;;
    "$kit"/*) ;;
    *) expected="$expected $object" more=$coverage ;;
    esac
    is_new "$object" || compile "$object" clang -std=c11 $more "$source"
done

for source in memory_target diff_target lines; do
    compile $source.o clang++ -std=c++17 $coverage "-DMISTAKE=$mistake" "$here/$source.cpp"
done
link memory_target memory_target.o
link diff_target diff_target.o lines.o $expected

if command -v rustc >/dev/null; then
    rust memory_rust.a memory_target.rs
    rust lines_rust.a lines.rs
    link memory_target_rust memory_rust.a
    link diff_target_rust diff_target.o $expected lines_rust.a
else
    echo "rustc is not installed: the targets in Rust are left out" >&2
fi
