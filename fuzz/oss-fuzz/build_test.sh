#!/bin/bash
# Runs build.sh as OSS-Fuzz does, then what it left behind, as its check_build does: elsewhere, with
# nothing but $OUT. For each SANITIZER-ENGINE that is named.
set -eu
top=$PWD
export SRC WORK OUT CC CXX CFLAGS CXXFLAGS LIB_FUZZING_ENGINE SANITIZER FUZZING_ENGINE

flags_of() {
    case $1 in
    address) echo -fsanitize=address -fsanitize-address-use-after-scope ;;
    undefined)
        echo -fsanitize=bool,bounds,null,object-size,pointer-overflow,shift \
            -fsanitize=signed-integer-overflow -fno-sanitize-recover=all
        ;;
    memory) echo -fsanitize=memory -fsanitize-memory-track-origins ;;
    coverage) echo -fprofile-instr-generate -fcoverage-mapping ;;
    esac
}

build() { # SANITIZER ENGINE
    SANITIZER=$1 FUZZING_ENGINE=$2
    base=${TEST_TMPDIR:-$(mktemp -d)}/$1-$2
    SRC=$base/src WORK=$base/work OUT=$base/out
    mkdir -p "$SRC" "$WORK" "$OUT"
    ln -s "$top" "$SRC/fxt"
    CFLAGS="-O1 -fno-omit-frame-pointer -gline-tables-only $(flags_of "$1")"
    case $2 in
    libfuzzer) CC=clang CXX=clang++ CFLAGS="$CFLAGS -fsanitize=fuzzer-no-link" ;;
    afl) CC=afl-clang-fast CXX=afl-clang-fast++ ;;
    esac
    CXXFLAGS=$CFLAGS LIB_FUZZING_ENGINE=-fsanitize=fuzzer
    AFL_QUIET=1 bash -eu "$SRC/fxt/fuzz/oss-fuzz/build.sh"
}

fuzz_libfuzzer() { # PROGRAM
    "$1" -seed=1337 -runs=4 >log 2>&1 && grep -q "Done 4 runs" log &&
        "$1" -seed=1337 -max_total_time=2 -dict="$1.dict" corpus >log 2>&1 &&
        ! grep -q "no interesting inputs" log # it would not be instrumented
}

fuzz_afl() { # PROGRAM
    AFL_CUSTOM_MUTATOR_LIBRARY=$OUT/fxt_afl.so timeout 90 afl-fuzz -V 2 -t 5000 -m none \
        -i corpus -o afl -x "$1.dict" -- "$1" >log 2>&1 &&
        grep -q "^saved_crashes *: 0$" afl/default/fuzzer_stats &&
        grep -q "^saved_hangs *: 0$" afl/default/fuzzer_stats
}

# At run time there is no other. Clang's own run-time library is in C++: there, libc++ is an archive.
check_libraries() { # PROGRAM
    ldd "$1" >libraries || return 1
    more=$(grep -vE "linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc\+\+)\.so" libraries) ||
        return 0
    echo "$1 needs a library that is not there: $more" >&2
    return 1
}

# About 50 of the inputs: other tests run them all, and a fuzzer does so before it begins.
leave_some() {
    ls corpus/* | awk -v each=$(($(ls corpus | wc -l) / 50 + 1)) 'NR % each' | xargs -r rm --
}

check_target() { # PROGRAM
    mkdir corpus && python3 -m zipfile -e "$1_seed_corpus.zip" corpus &&
        [ "$(ls corpus | wc -l)" -ge 20 ] && grep -q LLVMFuzzerTestOneInput "$1" &&
        leave_some && "fuzz_$FUZZING_ENGINE" "$1"
}

# One sanitizer, in all of the code: check_build counts the calls.
check_mix() { # PROGRAM
    objdump -d "$1" | grep -oE "call.*<__(asan|msan|ubsan_handle)" >calls || true
    asan=$(grep -c asan calls || true) msan=$(grep -c msan calls || true)
    ubsan=$(grep -c ubsan calls || true)
    case $SANITIZER in
    address) [ "$asan" -ge 1000 ] && [ "$ubsan" -le 200 ] ;;
    memory) [ "$msan" -ge 1000 ] && [ "$ubsan" -le 200 ] ;;
    undefined) [ "$asan" -lt 1000 ] && [ "$ubsan" -ge 168 ] ;;
    esac || { echo "$1: $asan calls of ASan, $msan of MSan, $ubsan of UBSan" >&2; return 1; }
}

export AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_SKIP_CPUFREQ=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1
for each; do
    build "${each%-*}" "${each#*-}"
    for target in $(python3 fuzz/programs.py targets "$SANITIZER"); do
        program=$OUT/${target}_fuzzer
        mkdir "$WORK/run"
        cd "$WORK/run"
        check_target "$program" || { tail -20 log; echo "$each: $program failed" >&2; exit 1; }
        check_mix "$program"
        check_libraries "$program"
        cd "$top"
        rm -r "$WORK/run"
        echo "$each $(basename "$program") passed"
    done
done
