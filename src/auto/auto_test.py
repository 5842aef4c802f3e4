#!/usr/bin/env python3
"""Programs without macros are recorded by libfxtref-auto.so.

usage: auto_test.py CALLED CALLED_CC LIBRARIES FXT TRACE
"""
import collections
import json
import os
import subprocess
import sys
import tempfile

CALLED, CALLED_CC, FXT, TRACE = (os.path.abspath(path) for path in sys.argv[1:3] + sys.argv[-2:])
AUTO = next(os.path.abspath(path) for path in sys.argv[3:-2] if "auto" in os.path.basename(path))
ROOM = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
os.chdir(ROOM)


def run(*command, code=0, preload=AUTO, **variables):
    done = subprocess.run(command, env={**os.environ, "LD_PRELOAD": preload,
                                        "FXT_TRACE_FILE": "out.fxt", **variables},
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == code, done
    return done


def sql(query, trace="out.fxt", codes=(0,)):
    done = subprocess.run([FXT, "sql", "--json", trace, query], stdout=subprocess.PIPE, timeout=60)
    assert done.returncode in codes, done
    return [list(json.loads(line).values()) for line in done.stdout.splitlines()]


def slices(trace="out.fxt", **how):
    """Pairs of a name and that of the slice around it, with how often they are."""
    rows = sql("select a.name, b.name as around from slice a left join slice b on a.parent_id = b.id", trace, **how)
    return collections.Counter(map(tuple, rows))


def test_functions_nest_as_they_called_each_other():
    run(CALLED, "recurses", "slow")
    found = slices()
    assert found == {("main", None): 1, ("recurses", "main"): 1, ("recursive", "recurses"): 1,
                     ("recursive", "recursive"): 100, ("slow", "main"): 1,
                     ("pause_for", "slow"): 1}, found
    (duration,), = sql("select dur from slice where name = 'slow'")
    assert duration >= 20e6, duration
    assert sql("select distinct category from slice") == [["function"]]


def test_names_of_c_plus_plus_are_demangled():
    run(CALLED_CC)
    found = slices()
    assert found["shop::Basket::add(int)", "main"] == 2, found
    assert found["long shop::Basket::total<long>(long) const", "main"] == 1, found
    assert found["shop::thrower(int)", "shop::thrower(int)"] == 2, "an exception leaves them"


def test_a_stripped_program_has_addresses():
    subprocess.run(["strip", CALLED, "-o", "bare"], check=True)
    run("./bare", "slow")
    names = [name for name, _ in slices()]
    assert len(names) == 3 and all(name.startswith("bare+0x") for name in names), names


def test_threads_have_their_own_stacks():
    run(CALLED, "threads")
    found = slices()
    assert found["quick", "threaded"] == 400 and found["threaded", None] == 4, found
    assert sql("select count(distinct track_id) from slice where name = 'threaded'") == [[4]]


def test_a_jump_leaves_what_it_jumped_over():
    run(CALLED, "jumps")
    found = slices()
    assert found == {("main", None): 1, ("jumps", "main"): 1, ("quick", "jumps"): 1}, found
    run(CALLED, "jumps", FXT_AUTO_OPEN="1")
    assert ("jumper", "jumps") in slices(), "it began"


def test_a_signal_handler_is_inside_of_what_it_interrupted():
    run(CALLED, "signal")
    found = slices()
    assert found["handler", "signalled"] == 1 and found["quick", "handler"] == 1, found


def test_a_forked_child_has_a_file_of_its_own():
    run(CALLED, "fork", FXT_TRACE_FILE="fork-%p.fxt")
    files = sorted(name for name in os.listdir() if name.startswith("fork-"))
    assert len(files) == 2, files
    found = [slices(name) for name in files]
    assert sum(("child", "forks") in each for each in found) == 1, found


def test_a_program_that_is_killed_has_what_ended_and_what_is_open():
    for how, code in (("_exit", 0), ("kill", -9)):
        run(CALLED, how, code=code)
        assert [name for name, _ in slices()] == ["quick"], slices()
        run(CALLED, how, code=code, FXT_AUTO_OPEN="1")
        names = {name for name, _ in slices()}
        assert names == {"main", "quick", "leaves" if how == "_exit" else "killed"}, names


def test_exit_ends_what_is_open():
    run(CALLED, "fork", FXT_TRACE_FILE="e-%p.fxt")
    (child,) = [name for name in os.listdir() if name.startswith("e-") and ("child", "forks") in slices(name)]
    assert ("main", None) in slices(child), slices(child)


def test_filters_and_a_least_duration():
    run(CALLED, "slow", "threads", "recurses", FXT_AUTO_FILTER="slow,rec*,-recurses")
    assert {name for name, _ in slices()} == {"slow", "recursive"}
    run(CALLED, "slow", "threads", "recurses", FXT_AUTO_MIN_US="19000")
    assert {name for name, _ in slices()} == {"main", "slow", "pause_for"}, slices()


def test_waits_for_a_mutex():
    run(CALLED, "locks", "threads", FXT_AUTO="locks")
    rows = sql("select category, name, dur from slice")
    (category, name, duration), = rows
    assert (category, name) == ("lock", "pthread_mutex_lock") and duration >= 10e6, rows
    run(CALLED, "locks", FXT_AUTO="functions,locks")
    assert slices()["pthread_mutex_lock", "waits"] == 1, slices()


def test_a_manager_records_it():
    command = [TRACE, "record", "-o", "managed.fxt", "--", "env", "LD_PRELOAD=" + AUTO,
               "FXT_AUTO_PROVIDER=mine", CALLED, "slow", "threads"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 0, done
    found = slices("managed.fxt")
    assert found["slow", "main"] == 1 and found["quick", "threaded"] == 400, (found, done)


def test_what_is_wrong_is_one_line():
    for variable, value, words in (("FXT_AUTO", "all", "FXT_AUTO is not functions, locks"),
                                   ("FXT_AUTO_MIN_US", "1ms", "FXT_AUTO_MIN_US is no number of microseconds")):
        done = run(CALLED, "slow", **{variable: value})
        assert done.stderr == f"called: libfxtref-auto: {words}" + done.stderr.split(words)[1], done
        assert done.stderr.count("\n") == 1, done


def test_nothing_is_recorded_unless_asked():
    os.remove("out.fxt")
    run(CALLED, "slow", "threads", FXT_TRACE_FILE="")
    assert not os.path.exists("out.fxt")


def main():
    with open(CALLED, "rb") as file:
        program = file.read()
    if b"__asan_init" in program or b"__tsan_init" in program or b"__msan_init" in program:
        print("SKIP: a sanitizer must be loaded first")
        return
    tests = [(name, test) for name, test in globals().items() if name.startswith("test_")]
    for name, test in tests:
        test()
        print("ok", name)


if __name__ == "__main__":
    main()
