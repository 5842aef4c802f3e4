#!/bin/bash
# Runs one fuzz program for a test.
#   replay PROGRAM     on all seeds and regressions, without a fuzzer
#   libfuzzer PROGRAM  for 5 seconds, and 50 new inputs at least; fails when it finds something
#   afl PROGRAM KIT    replays some of them, then runs AFL++ with the mutator of the library KIT for 5
#                      seconds; fails when it finds something
#   planted PROGRAM    fails when the fuzzer does not find the planted mistake
# The fuzzers begin with the same random number in each run. How far they get depends on the machine.
set -u
engine=$1
program=$PWD/$2
inputs=$PWD/fuzz
work=${TEST_TMPDIR:-$(mktemp -d)}/run
out=${TEST_UNDECLARED_OUTPUTS_DIR:-$work}
mkdir -p "$work/corpus" "$out"

name=$(basename "$program")
python3 "$inputs/programs.py" inputs "${name%%_*}" "$work/seeds" || exit 1
[ "$(ls "$work/seeds" | wc -l)" -ge 10 ] || { echo "where are the seeds?" >&2; exit 1; }

export ASAN_OPTIONS=abort_on_error=1:symbolize=1:detect_leaks=${LEAKS:-1}
export UBSAN_OPTIONS=print_stacktrace=1

libfuzzer() {
    "$program" -rss_limit_mb=2048 -max_len=4096 -dict="$inputs/dict" -artifact_prefix="$out/" "$@"
}

# Leaves about so many of the seeds. The replay runs them all, and a fuzzer must have time for others.
leave() {
    local seeds=("$work"/seeds/*) i
    for ((i = 0; i < ${#seeds[@]}; i++)); do
        ((i % (${#seeds[@]} / $1 + 1))) && rm -- "${seeds[i]}"
    done
}

# Sets `ran` to the number of inputs that it ran.
fuzz_for_a_while() {
    libfuzzer -seed=1 "$@" -timeout=10 -print_final_stats=1 "$work/corpus" "$work/seeds" 2>&1 | tee "$work/log"
    [ "${PIPESTATUS[0]}" = 0 ] || exit 1
    grep -q "found LLVMFuzzerCustomMutator" "$work/log" || exit 1
    ran=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
}

case $engine in
replay)
    exec "$program" "$work/seeds"
    ;;
libfuzzer)
    leave 40
    fuzz_for_a_while -max_total_time=5
    seeds=$(ls "$work/seeds" | wc -l)
    # A slow machine may have had time for the seeds only.
    ((ran >= seeds + 50)) || fuzz_for_a_while -runs=$((seeds + 50))
    ((ran >= seeds + 50))
    ;;
planted)
    # Without the seeds, and until it is found.
    if libfuzzer -max_total_time=90 "$work/corpus" >"$work/log" 2>&1; then
        tail -5 "$work/log"
        echo "the planted mistake was not found" >&2
        exit 1
    fi
    grep -E "heap-buffer-overflow|SUMMARY" "$work/log"
    grep -q "heap-buffer-overflow" "$work/log"
    ;;
afl)
    # AFL++ wants these; it does its own symbolizing of nothing.
    export ASAN_OPTIONS=abort_on_error=1:symbolize=0:detect_leaks=${LEAKS:-1}:leak_check_at_exit=0
    leave 20 # each of which AFL++ runs many times before it begins
    # All in one process; if one of them fails, which.
    "$program" "$work"/seeds/* >"$work/log" 2>&1 || {
        tail -30 "$work/log"
        for seed in "$work"/seeds/*; do
            "$program" "$seed" >"$work/log" 2>&1 || { cat "$work/log"; echo "$seed" >&2; break; }
        done
        exit 1
    }
    export AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_SKIP_CPUFREQ=1 AFL_NO_UI=1
    export AFL_NO_AFFINITY=1 AFL_QUIET=1 AFL_CUSTOM_MUTATOR_LIBRARY=$PWD/$3
    afl-fuzz -m none -t 10000 -s 1 -V 5 -i "$work/seeds" -o "$work/afl" -- "$program" >"$work/log" 2>&1 ||
        { tail -30 "$work/log"; exit 1; }
    stats=$work/afl/default/fuzzer_stats
    grep -E "execs_done|saved_crashes|saved_hangs|edges_found" "$stats"
    cp "$work"/afl/default/{crashes,hangs}/id* "$out" 2>/dev/null
    grep -qE "^saved_crashes *: 0$" "$stats" && grep -qE "^saved_hangs *: 0$" "$stats" && ! grep -qE "^execs_done *: 0$" "$stats"
    ;;
*)
    echo "unknown engine $engine" >&2
    exit 2
    ;;
esac
