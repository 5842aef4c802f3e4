#!/bin/bash -eu
# Builds the fuzz targets for OSS-Fuzz and ClusterFuzzLite, which set CC, CXX, CFLAGS, CXXFLAGS,
# LIB_FUZZING_ENGINE, SRC, WORK and OUT. It adds no sanitizer: they refuse a build that mixes ASan
# and UBSan. kernel_fuzzer, options_fuzzer, save_fuzzer and session_fuzzer are left out: the
# image has none of their libraries at run time. So is engine_fuzzer, which replaces a header.
cd "$SRC/fxt"

compile() { # SOURCE OBJECT
    $CC $CFLAGS -std=c11 -D_GNU_SOURCE -Isrc/include -I. -c "$1" -o "$2"
}

mkdir -p "$WORK/library"
for source in src/{base,read,write,buffer,check,chunk,terminal,control,convert}/*.c fuzz/lib/*.c \
    fuzz/kit/fxt_{fuzz,libfuzzer}.c; do
    # Files of several folders have the same name.
    case $source in *_test.c) ;; *) compile "$source" "$WORK/library/${source//\//_}.o" ;; esac
done

for target in asm check intern packet read roundtrip salvage; do
    name=${target}_fuzzer
    compile fuzz/$name.c "$WORK/$name.o"
    $CXX $CXXFLAGS "$WORK/$name.o" "$WORK"/library/*.o $LIB_FUZZING_ENGINE -o "$OUT/$name"
    case $target in
    asm | intern | packet) kind=$target ;;
    salvage) kind=buffer ;;
    *) kind=fxt ;;
    esac
    python3 -m zipfile -c "$OUT/${name}_seed_corpus.zip" \
        fuzz/seeds/*.$kind fuzz/regress/*.{fxt,buffer}
    cp fuzz/dict "$OUT/$name.dict"
done

# The driver of AFL++ calls no mutator of libFuzzer's. It gets the kit as a library of its own, for
# AFL_CUSTOM_MUTATOR_LIBRARY, without instrumentation, because afl-fuzz itself loads it.
if [ "${FUZZING_ENGINE:-}" = afl ]; then
    AFL_NOOPT=1 $CC -O2 -shared -fPIC -o "$OUT/fxt_afl.so" fuzz/kit/fxt_{afl,fuzz}.c
fi
