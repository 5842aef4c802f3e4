#!/usr/bin/env python3
"""trace record that records nothing, or less than was asked for, says so on its last line."""

import contextlib
import signal
import sys

sys.dont_write_bytecode = True
import tracing
from tracing import TRACED, counted, daemon, equal, expect_clean, record, trace

NOTHING = "trace: nothing was recorded: "


def expect_empty(words, *args):
    """Exit code 1 and a last line; 0 if it may be so."""
    for more in ([], ["-q"], ["--format=json"], ["--compress"], ["-s"], ["--defer-transfer"]):
        result = record("-o", "out", *more, *args)
        equal(result.code, 1, result)
        last = result.err.splitlines()[-1]
        assert last.startswith("trace: nothing was recorded") and words in last, result
    result = record("--allow-empty", *args)
    equal(result.code, 0, result)
    assert words in result.err.splitlines()[-1], result
    equal(record("-q", "--allow-empty", *args).err, "")


def test_a_recording_of_nothing_leaves_a_file_as_it_was():
    for more in ([], ["-q"], ["--format=json"], ["--compress"], ["-s"], ["--defer-transfer"], ["--report"]):
        with open("out", "wb") as file:
            file.write(b"the last recording")
        result = record("-o", "out", *more, "--", TRACED, "await")
        equal(result.code, 1, result)
        assert "trace: out: left as it was\n" in result.err, result
        assert result.err.splitlines()[-1].startswith(NOTHING), result
        with open("out", "rb") as file:
            equal(file.read(), b"the last recording")
    equal(record("-o", "out", "--allow-empty", "--", TRACED, "await").code, 0)
    expect_clean("out")
    equal(record("-o", "out", "--", TRACED, "await", "events=1").code, 0)
    equal(counted("out"), [0])
    result = record("-o", "new", "--", TRACED, "await")
    equal(result.code, 1, result)
    assert "left as it was" not in result.err, result
    expect_clean("new")


def test_many_definitions_without_events_leave_a_file_as_it_was():
    with open("out", "wb") as file:
        file.write(b"the last recording")
    result = record("-o", "out", "-s", "-b16", "--", TRACED, "await", "names=60000")
    equal(result.code, 1, result)
    assert "trace: out: left as it was\n" in result.err, result
    with open("out", "rb") as file:
        equal(file.read(), b"the last recording")


def test_a_command_that_has_not_registered_yet():
    result = record("-o", "out", "-d0.3", "--", "sh", "-c", "sleep 20")
    equal(result.code, 1, result)
    assert NOTHING + "the command had not registered as a trace provider" in result.err, result


def test_no_provider():
    expect_empty("start a program of this user", "-d0.1")
    expect_empty("the command did not register as a trace provider of this user", "--", "true")


def expect_unstarted(row, why, *command):
    """The outcome of a provider that never started is told by its name, with its own manager and with a daemon."""
    for home in contextlib.nullcontext, daemon:
        with home():
            result = record("-o", "out", *command)
        equal(result.code, 1, result)
        head, found, told, _, last = [it for it in result.err.splitlines() if not it.startswith("trace manager: ")]
        process = found.split()[1]
        equal((head.split()[0], found.split()[0], found.split("%")[1].strip()), ("provider", "traced", row), result)
        equal(told, f"trace: traced (process {process}) {why}")
        equal(last, NOTHING + "no provider started to trace; the lines above say why")
        assert "all conform" not in result.err, result


def test_a_program_that_exits_before_it_started():
    why = ("exited before it had started to trace; a short program waits for TRACE_ENABLED() after "
           "trace_provider_create_synchronously(), and a daemon makes its provider after daemon()")
    for end in ["exit=0"], []:  # without a word, and in order
        expect_unstarted("exited before it started", why, "--", TRACED, "deaf", "hasty", "events=10", *end)


def test_many_programs_that_exit_before_they_started_are_told_in_one_line():
    result = record("-o", "out", "--", "sh", "-c", f'for i in 1 2 3; do "{TRACED}" deaf hasty; done')
    equal(result.code, 1, result)
    equal(result.err.count("exited before it started"), 3, result)
    equal(result.err.count("exited before it had started to trace;"), 1, result)
    assert "; the same is true of 2 more\n" in result.err, result


def test_a_program_whose_loop_does_not_run():
    why = ("registered and never answered: its program is suspended, or nothing runs the async loop of its provider "
           "(async_loop_start_thread, async_loop_run)")
    expect_unstarted("did not answer", why, "--", TRACED, "deaf", "wait=1.2", "exit=0")
    expect_unstarted("did not answer", why, "-d1", "--timeout=0.5", "--", TRACED, "deaf", "wait=20")


def test_providers_that_trace_nothing():
    expect_empty("no provider traced anything", "--", TRACED, "await")


def test_a_daemon_that_made_its_provider_too_early():
    expect_empty("of a program that forks, as by daemon(), only the process that made the provider is recorded", "--",
                 TRACED, "await", "daemon", "events=10")


def test_categories_of_no_event():
    expect_empty("no event matched --categories", "-ctest:*,other", "--", TRACED, "wait=0.2", "events=10")


def test_one_category_of_no_event():
    steps = ["--", TRACED, "await", "events=10"]
    expect_empty(" of category 'nothing';", "-ctest,nothing", *steps)
    expect_empty(" of category 'tests*' and 1 more;", "-ctest,tests*,no", *steps)
    expect_empty(" of category 'nobody/test': no provider of that name took part;", "-ctest,nobody/test", *steps)
    expect_empty(" of category 'kernel:sched';", "-ctest,kernel:sched", *steps)
    expect_empty(" of category 'traced/kernel:x';", "-ctest,traced/kernel:x", *steps)
    expect_empty(" of category 'traced/more';", "-ctest", "--provider-categories=traced:more", *steps)
    expect_empty(" of category 'nobody/test': no provider", "-ctest", "--provider-categories=nobody:test", *steps)
    equal(counted("trace.fxt"), list(range(10)))


def test_provider_that_is_not_there():
    steps = ["--", TRACED, "await", "events=10"]
    result = record("--provider-buffer-size=traced:1", "--provider-buffer-size=nobody:1", *steps)
    equal(result.code, 0, result)
    assert "no provider called 'nobody' took part" in result.err.splitlines()[-1], result
    assert "no provider called 'traced'" not in result.err, result


def test_categories_that_are_found():
    steps = ["--", TRACED, "await", "events=10", "other=1"]
    for args in (["-ctest"], ["-ctest,other"], ["-cte*,test,ot*"], ["-c*"], ["-ctraced/test"], [],
                 ["-ctest", "--provider-categories=traced:other"]):
        for mode in ("-mo", "-mc", "-ms"):
            result = record(mode, *args, *steps)
            equal(result.code, 0, result)
            assert "nothing was recorded" not in result.err, result


def test_categories_of_large_blobs():
    for blob in ("blob=8", "blob=100000", "attachment=8", "attachment=100000"):
        for names in ("names=0", "names=40000"):  # so many that the category is written in the record
            steps = ["--", TRACED, "await", names, blob]
            for category, missing in (("test", None), ("tes*,traced/test", None), ("test,other", "other"),
                                      ("test,te,nobody/test", "te' and 1 more")):
                result = record("-c", category, *steps)
                equal(result.code, 0 if missing is None else 1, (category, steps, result))
                assert missing is None or f"category '{missing}" in result.err.splitlines()[-1], result


def test_the_code_of_the_command_comes_first():
    equal(record("--", "sh", "-c", "exit 7").code, 7)
    equal(record("--return-child-result=false", "--", "sh", "-c", "exit 7").code, 1)


def test_in_the_background():
    equal(trace("start").code, 0)
    result = trace("stop")
    equal(result.code, 1, result)
    assert "no provider took part" in result.err.splitlines()[-1], result
    equal(trace("start", "--allow-empty").code, 0)
    equal(trace("stop").code, 0)


def test_an_interrupted_one():
    with daemon(), tracing.recorder() as process:
        process.send_signal(signal.SIGINT)
        result = process.end()
    equal(result.code, 1, result)
    assert result.err.splitlines()[-1].startswith(NOTHING + "no provider took part"), result


def test_many_providers_have_each_their_own_strings():
    """The index of a category's name is another one in each of them."""
    both = ["--", "sh", "-c", f'"{TRACED}" name=a await other=5 & "{TRACED}" name=b await events=5; wait']
    for args, missing in (("test,other", None), ("test,a/other", None), ("test,b/other", "b/other"),
                          ("b/test,other,a/te*", "a/te*")):
        result = record("-c", args, *both)
        equal(result.code, 0 if missing is None else 1, (args, result))
        assert missing is None or f"category '{missing}'" in result.err.splitlines()[-1], result


tracing.main(globals(), jobs=3)
