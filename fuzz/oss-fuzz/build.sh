#!/bin/bash -eu
# Builds the fuzz targets for OSS-Fuzz and ClusterFuzzLite, which set CC, CXX, CFLAGS, CXXFLAGS,
# LIB_FUZZING_ENGINE, SANITIZER, SRC, WORK and OUT. It adds no sanitizer: they refuse a build that mixes
# ASan and UBSan. At run time there is nothing but $OUT, so the libraries that the Dockerfile installs
# are linked as archives.
shopt -s extglob nullglob
cd "$SRC/fxt"

# Coverage of the oracles leads nowhere, and the mutator knows what comparisons would tell. Both cost more
# than half of the time. CFLAGS has them for libFuzzer.
less= oracle=
if [ "${FUZZING_ENGINE:-}" = libfuzzer ]; then
    less=-fno-sanitize-coverage=trace-cmp oracle=-fno-sanitize=fuzzer-no-link
fi

compile() { # FOLDER FLAGS SOURCE...; files of several folders have the same name
    mkdir -p "$WORK/$1"
    for source in "${@:3}"; do
        case $source in
        src/* | *_fuzzer.c) without=$less ;; # without its own, a target that refuses an input looks dead
        *) without=$oracle ;;
        esac
        echo "$CC $CFLAGS $without -std=c11 -D_GNU_SOURCE $2 -Isrc/include -I. -c $source -o $WORK/$1/${source//\//_}.o"
    done | xargs -P "$(nproc)" -I{} sh -c {}
}

# The part of the room that reads no file of trace-cmd and asks no kernel.
kernel=(src/kernel/{calls,clock,field,incoming,record,threads,tracepoint,translate,translate_!(test)}.c fuzz/kernel/*.c)
# The shipped engine under the explorer.
engine=(src/engine/!(*_test|os).c proofs/interleave/{explore,host,os}.c fuzz/engine/model.c)
# The same with all that a session needs. Headers of fuzz/joint take the place of the manager's.
joint=(src/{engine,manager,provider,client,socket}/!(*_test|os|main|secret).c proofs/interleave/{explore,os}.c fuzz/joint/{law,world}.c)
# The commands of fxt but for the one that needs SQLite.
tools=(fuzz/tools/*.c src/{cli,timeline}/!(*_test).c src/tools/fxt/!(fxt|cmd_sql).c
    src/tools/fxt/{edit,html,import,report,tables}/!(*_test).c)
libraries=(/usr/lib/*-linux-gnu/lib@(jansson|traceevent|z|zstd).a)

targets=$(python3 fuzz/programs.py targets "$SANITIZER")
if [[ ${libraries[*]} != *traceevent* ]]; then
    echo "build.sh: kernel_fuzzer is left out, because there is no libtraceevent.a"
    targets=${targets/kernel/}
fi

# An archive: each target takes out what it needs. Of the clocks of loops it has that of fuzz/session.
compile library "" \
    src/{base,wire,read,write,buffer,check,protocol,convert,events}/!(*_test).c \
    src/{cli,socket,manager,engine,recorder,loop}/!(*_test|main|now).c \
    fuzz/{lib,options,session}/!(*_test).c fuzz/kit/fxt_fuzz.c
${AR:-ar} rcs "$WORK/library.a" "$WORK"/library/*.o

for target in $targets; do
    name=${target}_fuzzer
    # libFuzzer refers to the mutator weakly, which takes nothing out of an archive.
    own=(fuzz/$name.c fuzz/kit/fxt_libfuzzer.c)
    options=
    case $target in
    contracts) # take the place of the functions
        made=$WORK/made/fuzz/contracts
        mkdir -p "$made"
        python3 fuzz/contracts/translate.py "$made"
        compile contracts "-I$WORK/made" "${own[@]}" fuzz/contracts/acsl.c "$made/contracts.c"
        options=@$made/wrap.txt
        ;;
    engine) compile engine -Ifuzz/engine "${own[@]}" "${engine[@]}" ;;
    joint) compile joint "-Ifuzz/joint -Ifuzz/engine" "${own[@]}" "${joint[@]}" ;;
    kernel) compile kernel "" "${own[@]}" "${kernel[@]}" ;;
    tools)
        python3 src/tools/fxt/html/page.py "$WORK/made/src/tools/fxt/html"
        compile tools "-DTOOL_SIZE_SHIFT=5 -I$WORK/made" "${own[@]}" "${tools[@]}"
        ;;
    *) compile "$target" "" "${own[@]}" ;;
    esac
    $CXX $CXXFLAGS $options "$WORK/$target"/*.o "$WORK/library.a" $LIB_FUZZING_ENGINE "${libraries[@]}" \
        -lpthread -ldl -o "$OUT/$name"
    python3 fuzz/programs.py inputs "$target" "$WORK/$target/inputs"
    python3 -m zipfile -c "$OUT/${name}_seed_corpus.zip" "$WORK/$target"/inputs/*
    cp fuzz/dict "$OUT/$name.dict"
done

# The driver of AFL++ calls no mutator of libFuzzer's. It gets the kit as a library of its own, for
# AFL_CUSTOM_MUTATOR_LIBRARY, without instrumentation, because afl-fuzz itself loads it.
if [ "${FUZZING_ENGINE:-}" = afl ]; then
    AFL_NOOPT=1 $CC -O2 -shared -fPIC -o "$OUT/fxt_afl.so" fuzz/kit/fxt_{afl,fuzz}.c
fi
