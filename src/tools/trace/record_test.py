#!/usr/bin/env python3
"""trace record: what is in the trace, when it ends, and the exit code."""

import os
import re
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import tracing
from tracing import (Running, TRACED, await_state, counted, daemon, equal, events, expect_clean,
                     fxt, record, recorder, state_of, status, trace, wait_until)


LOST = "trace: the recording ended: lost the connection to the trace manager"
ENDED = ("trace: the recording ended: the trace manager ended it", LOST)


def test_a_command():
    result = record("--", TRACED, "await", "events=1000", "print=out")
    equal((result.code, result.text), (0, "out\n"))
    equal(counted("trace.fxt"), list(range(1000)))
    expect_clean("trace.fxt")
    head, row, last = result.err.splitlines()
    equal(head.split(), ["provider", "process", "bytes", "dropped", "refused", "durable"])
    assert re.match(r"traced +\d+ +\d+ +0 +0 +0 %", row), result
    size = os.path.getsize("trace.fxt")
    assert row.split()[2] == str(size - 8), result
    count = len(tracing.records("trace.fxt"))
    equal(last, f"trace.fxt: {size / 1000:.1f} kB, {count} records, all conform")


def test_exit_code_is_passed_on():
    for action, code in (("exit=0", 0), ("exit=7", 7), ("exit=255", 255), ("signal=9", 137),
                         ("signal=15", 143), ("signal=6", 134)):
        equal(record("--", TRACED, "await", "events=1", action).code, code, action)
        expect_clean("trace.fxt")
    equal(record("--return-child-result=false", "--", TRACED, "await", "events=1", "exit=7").code, 0)
    equal(record("--return-child-result=true", "--", TRACED, "await", "exit=7").code, 7)


def test_what_a_killed_command_had_written_is_there():
    equal(record("--", TRACED, "await", "events=500", "signal=9").code, 137)
    equal(counted("trace.fxt"), list(range(500)))
    result = record("--", TRACED, "await", "events=1", "signal=6")
    assert f"trace: {TRACED}: killed by signal 6 (Aborted)\n" in result.err, result
    assert "killed by" not in record("--", TRACED, "await", "events=1", "signal=13").err
    assert "killed by" not in record("--", TRACED, "await", "events=1", "exit=134").err


def test_a_command_that_traces_nothing():
    result = record("sh", "-c", "cat; echo $0 $1", "a", "-q")
    equal((result.code, result.text), (1, "a -q\n"))
    assert "trace: nothing was recorded: the command did not register as a trace provider" in result.err, result
    result = record("-q", "--allow-empty", "--", "true")
    equal((result.code, result.text, result.err), (0, "", ""))
    equal(record("--append-args=b,c", "--append-args", "-d", "echo", "a").text, "a b c -d\n")


def test_no_such_command():
    with open("trace.fxt", "w", encoding="utf-8") as file:
        file.write("old")
    for command, code, why in (("nonesuch", 127, "No such file or directory"),
                               ("./nonesuch", 127, "No such file or directory"),
                               ("/etc/passwd", 126, "Permission denied")):
        for output in ("trace.fxt", "new.fxt"):
            result = record("-o", output, "--", command)
            equal((result.code, result.err), (code, f"trace: {command}: {why}\n"))
    result = record("--", "")
    equal((result.code, result.err), (127, "trace: the command has no name\n"))
    equal(open("trace.fxt", encoding="utf-8").read(), "old")
    assert not os.path.exists("new.fxt")


def test_a_script_that_cannot_run_says_why():
    for first, why in (("#!/bin/sh\r\n", "the interpreter or loader that it names does not exist; a "
                                         "script's lines may not end with CR LF"),
                       ("exit 0\n", "Exec format error; a script begins with #! and its interpreter")):
        with open("script", "w", encoding="utf-8", newline="") as file:
            file.write(first)
        os.chmod("script", 0o755)
        result = record("--", "./script")
        equal((result.code, result.err), (126, f"trace: ./script: {why}\n"))
        assert not os.path.exists("trace.fxt")


def test_a_deferred_trace_without_room_names_the_directory():
    def defer(directory):
        result = record("--defer-transfer", "--", TRACED, "await", "events=10",
                        env={**os.environ, "TMPDIR": directory})
        return result.code, result.err
    tail = ("; --defer-transfer keeps the trace in {} until the end: set TMPDIR to a directory with "
            "room for it\n")
    missing = os.path.abspath("missing")
    equal(defer(missing), (1, "trace manager: no archive in $TMPDIR, or /var/tmp: No such file or "
                              "directory\n"
                              "trace: cannot start recording: the manager is out of memory or "
                              "descriptors" + tail.format(missing)))


def test_blocked_signals_are_those_of_the_command_alone():
    block = lambda: signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD, signal.SIGUSR1])
    result = record("--allow-empty", "--", "grep", "SigBlk", "/proc/self/status", preexec_fn=block)
    equal((result.code, int(result.text.split()[1], 16)), (0, 1 << signal.SIGCHLD - 1 | 1 << signal.SIGUSR1 - 1))


def test_two_programs_that_write_one_file():
    equal(record("-o", "mine.fxt", "--", TRACED, "await", "events=9").code, 0)
    script = f'"{TRACED}" await events=10; cat mine.fxt >trace.fxt'
    result = record("--", "sh", "-c", script)
    equal(result.code, 1, result)
    assert ("trace: trace.fxt: another program wrote this file, too, and one has overwritten the other; "
            "record into another file with --output-file\n") in result.err, result
    script = f'"{TRACED}" await events=10; cat trace.fxt >/dev/null; cp trace.fxt copy'
    equal(record("--", "sh", "-c", script).code, 0, "a reader is welcome")


def test_the_table_says_when_definitions_were_inlined():
    result = record("-b1", "-s", "--", TRACED, "await", "events=1", "names=20000", "events=1")
    equal(result.code, 0, result)
    assert re.match(r"traced .* %  inlined$", result.err.splitlines()[1]), result
    result = record("-b1", "-s", "--", TRACED, "await", "events=1", "names=100")
    assert re.match(r"traced .* %$", result.err.splitlines()[1]), result


def test_duration():
    begin = time.monotonic()
    result = record("-d", "0.5", "--", TRACED, "await", "events=10", "wait=50")
    equal(result.code, 0, result)
    assert 0.5 <= time.monotonic() - begin < 20
    equal(counted("trace.fxt"), list(range(10)))
    begin = time.monotonic()
    equal(record("--duration=.2", "--allow-empty").code, 0)
    assert time.monotonic() - begin >= 0.2


def test_the_command_is_ended_unless_detached():
    script = "echo $$; exec sleep 50"
    result = record("-d", "0.3", "sh", "-c", script)
    assert state_of(int(result.text)) in (None, "Z"), result
    result = record("-d", "0.3", "sh", "-c", "trap '' TERM; " + script)
    assert state_of(int(result.text)) in (None, "Z"), result
    with open("out", "wb") as out:
        with Running(tracing.TRACE, "record", "--allow-empty", "--detach", "-d", "0.3", "sh", "-c",
                     "exec >out 2>&1; " + script) as process:
            result = process.end()
    del out
    equal(result.code, 0)
    left = int(open("out", encoding="utf-8").read())
    assert state_of(left) in ("R", "S")
    os.kill(left, signal.SIGKILL)


def test_decoupled():
    begin = time.monotonic()
    result = record("--decouple", "-d", "3", "--", TRACED, "await", "events=10", "exit=3")
    equal(result.code, 3)
    assert time.monotonic() - begin >= 3
    equal(counted("trace.fxt"), list(range(10)))


def test_two_providers():
    script = f'"{TRACED}" name=a await events=100 & "{TRACED}" name=b await events=200 & wait'
    result = record("--", "sh", "-c", script)
    equal(result.code, 0)
    equal(counted("trace.fxt", "a"), list(range(100)))
    equal(counted("trace.fxt", "b"), list(range(200)))
    equal(sorted(line.split()[0] for line in result.err.splitlines()[1:3]), ["a", "b"])
    expect_clean("trace.fxt")


def categories(*args):
    equal(record(*args, "--allow-empty", "--", TRACED, "name=a", "await", "events=3", "other=4").code, 0)
    found = [event.category for event in events("trace.fxt")]
    return found.count("test"), found.count("other")


def test_categories():
    equal(categories(), (3, 4))
    equal(categories("-c", "test"), (3, 0))
    equal(categories("--categories=nothing,test,oth*"), (3, 4))
    equal(categories("-c", "nothing", "-c", "te*"), (3, 0))
    equal(categories("-c", "test", "--provider-categories=a:other,more"), (3, 4))
    equal(categories("-c", "test", "--provider-categories=b:other"), (3, 0))
    with open("config", "w", encoding="utf-8") as file:
        file.write('{"groups": {"mine": ["nothing", "test"]}}')
    equal(categories("--config=config", "-c", "#mine"), (3, 0))


def fill(*args):
    """Which of 60,000 events are there, and how many are said to be dropped."""
    result = record(*args, "-t", "full:stop", "--", TRACED, "await", "events=60000", "alert=full",
                    "wait=50")
    equal(result.code, 0, result)
    expect_clean("trace.fxt")
    row = next(line for line in result.err.splitlines() if line.startswith("traced "))
    return counted("trace.fxt"), int(row.split()[3])


def test_modes():
    for args in (["-b", "1"], ["-b1", "--buffering-mode=o"]):
        numbers, dropped = fill(*args)
        equal(numbers, list(range(len(numbers))))
        assert dropped > 0 and len(numbers) + dropped == 60000, (len(numbers), dropped)
    numbers, _ = fill("-b1", "--buffering-mode", "circular")
    assert 1000 < len(numbers) < 60000
    equal(numbers, list(range(60000 - len(numbers), 60000)))
    for args in (["-b1", "-m", "s"], ["--stream", "-b", "1"], ["--defer-transfer", "-b1"]):
        numbers, dropped = fill(*args)
        equal(len(numbers) + dropped, 60000)
        equal(numbers, sorted(numbers))


ADVICE = re.compile(r"trace: (\d+) records found no room; next time record with a larger --buffer-size, or with "
                    r"--buffering-mode=streaming ")


def test_dropped_records_bring_advice():
    full = ["-b", "1", "--", TRACED, "await", "events=60000"]
    for args in ([], ["-q"], ["--no-verify"], ["-o", "a.json"], ["-o", "-"], ["-o", "-", "-q"]):
        result = record(*args, *full)
        equal(result.code, 0, args)
        found = ADVICE.match(result.err.splitlines()[-1])
        assert found and int(found[1]) > 0, (args, result.err)
    result = record("-b", "1", "--", TRACED, "await", "events=10")
    equal("found no room" in result.err, False, result)


def test_buffer_sizes():
    small, _ = fill("--buffer-size=1")
    large, _ = fill("--buffer-size=1", "--provider-buffer-size=traced:2")
    other, _ = fill("--buffer-size=1", "--provider-buffer-size=a:b:2")
    assert len(large) > 1.9 * len(small), (len(small), len(large))
    equal(len(other), len(small))


def test_streaming_writes_while_it_records():
    command = [TRACED, "await", "events=60000", "wait=50"]
    with recorder("-s", "-b1", "--", *command) as process:
        wait_until(lambda: os.path.getsize("trace.fxt") > 100000)
        process.send_signal(signal.SIGTERM)
        equal(process.end().code, 0)
    expect_clean("trace.fxt")


def test_trigger():
    command = [TRACED, "await", "events=10", "alert=one", "alert=two", "wait=50"]
    equal(record("--trigger=two:stop", "--", *command).code, 0)
    equal(counted("trace.fxt"), list(range(10)))
    result = record("-v", "-t", "three:stop", "-t", "two:terminate", "--", *command)
    equal(result.code, 0)
    assert "trace: alert: one\n" in result.err and "trace: alert: two\n" in result.err, result
    result = record("-v", "-d", "1", "-t", "three:stop", "--", *command)
    assert "trace: alert: two\n" in result.err, result


def test_alerts_of_a_command_that_ends_are_printed():
    for _ in range(10):
        result = record("-v", "--", TRACED, "await", "events=1", "alert=one", "alert=two")
        equal(result.code, 0)
        assert "trace: alert: one\n" in result.err and "trace: alert: two\n" in result.err, result
    begin = time.monotonic()
    flood = " ".join(["alert=x wait=0.005"] * 600)  # by a program that goes on, for longer than 3 seconds
    result = record("-v", "--", "sh", "-c", f'"{TRACED}" await {flood} >/dev/null 2>&1 & echo $! >pid; sleep 0.3')
    with open("pid") as file:
        os.kill(int(file.read()), signal.SIGKILL)
    assert time.monotonic() - begin < 3 and "alert: x" in result.err, result
    result = record("-t", "x" * 15 + ":stop")
    equal(result.code, 2)
    assert "an alert has at most 14 bytes" in result.err, result


def test_signals_end_it_well():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with recorder("--", TRACED, "await", "events=10", "print=ready", "wait=50") as process:
            equal(process.stdout.readline(), b"ready\n")
            process.send_signal(number)
            equal(process.end().code, 0)
        equal(counted("trace.fxt"), list(range(10)))
        expect_clean("trace.fxt")


def test_an_interrupt_from_the_terminal_ends_it_well():
    """It comes to the command as well, which dies of it."""
    for _ in range(5):
        with recorder("--", TRACED, "await", "events=10", "print=ready", "wait=50",
                      start_new_session=True) as process:
            equal(process.stdout.readline(), b"ready\n")
            os.killpg(process.pid, signal.SIGINT)
            equal(process.end().code, 0)
        equal(counted("trace.fxt"), list(range(10)))


def test_a_signal_that_is_sent_twice_is_one():
    """As timeout(1) and a terminal that closes send them."""
    for number, pause in ((signal.SIGINT, 0), (signal.SIGTERM, 0.005), (signal.SIGHUP, 0), (signal.SIGHUP, 0.3)):
        with recorder("--", TRACED, "await", "events=10", "print=ready", "wait=50") as process:
            equal(process.stdout.readline(), b"ready\n")
            process.send_signal(number)
            time.sleep(pause)
            process.send_signal(number)
            equal(process.end().code, 0)
        equal(counted("trace.fxt"), list(range(10)))
    for _ in range(3):
        ended = subprocess.run(["timeout", "0.5", tracing.TRACE, "record", "-q", "-o", "timed.fxt", "--", TRACED,
                                "await", "events=10", "wait=50"])
        equal((ended.returncode, counted("timed.fxt")), (124, list(range(10))))


def test_a_second_signal_kills():
    """A provider that stands still keeps the session from ending."""
    script = f'echo $$; exec "{TRACED}" await events=1 signal=19'
    with recorder("--", "sh", "-c", script) as process:
        command = int(process.stdout.readline())
        wait_until(lambda: state_of(command) == "T")
        process.send_signal(signal.SIGTERM)
        await_state("stopping", "terminating")
        time.sleep(0.25)
        process.send_signal(signal.SIGTERM)
        equal(process.wait(timeout=60), -signal.SIGTERM)
        os.kill(command, signal.SIGKILL)


SECOND = "trace: ends at once, by a second signal; what was not written yet is lost\n"


def test_a_second_signal_kills_whatever_the_manager_does():
    with daemon() as manager, recorder() as process:
        manager.send_signal(signal.SIGSTOP)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        result = process.end()
        equal((result.code, result.err), (-signal.SIGINT, SECOND))
        manager.kill()


def test_the_command_inherits_nothing_unasked():
    script = "ls /proc/self/fd; grep -E 'SigBlk|SigIgn|SigCgt' /proc/self/status"
    alone = subprocess.run(["sh", "-c", script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           check=True).stdout.decode()
    # posix_spawn() of glibc leaves its own two signals ignored.
    equal(record("-q", "--", "sh", "-c", script).text.replace("0000000180000000", "0" * 16),
          alone.replace("0000000180000000", "0" * 16))


def test_an_ignored_signal_is_ignored():
    with recorder("--allow-empty", "-d", "1", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) \
            as process:
        process.send_signal(signal.SIGHUP)
        time.sleep(0.2)
        assert process.poll() is None
        equal(process.end().code, 0)


def test_by_a_daemon():
    with daemon() as manager:
        with Running(TRACED, "name=first", "print=ready", "await", "events=5", "wait=50") as first:
            equal(first.stdout.readline(), b"ready\n")
            result = record("--", TRACED, "name=second", "await", "events=7")
            equal(result.code, 0, result)
            equal(counted("trace.fxt", "first"), list(range(5)))
            equal(counted("trace.fxt", "second"), list(range(7)))
        manager.send_signal(signal.SIGTERM)
        equal(manager.end().code, 0)


def test_a_command_keeps_the_signals_that_were_ignored():
    for ways in ("", "trap '' PIPE; "):
        result = subprocess.run(["sh", "-c", ways + 'exec "$0" record -q --allow-empty -- grep SigIgn /proc/self/status',
                                 tracing.TRACE], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        mask = int(result.stdout.split()[1], 16)
        equal((bool(mask >> (signal.SIGPIPE - 1) & 1), bool(mask >> (signal.SIGXFSZ - 1) & 1)), (ways != "", False))


def test_a_recording_begun_while_a_command_is_slow_to_end_is_left_alone():
    with Running(tracing.TRACE, "record", "--allow-empty", "-q", "-d1", "-o", "first.fxt", "--", "sh", "-c",
                 "trap '' TERM; sleep 100") as first:
        wait_until(lambda: os.path.exists("first.fxt") and status().get("state") == "started")
        wait_until(lambda: trace("status").code != 0)
        with recorder("--allow-empty", "-d", "7", "-o", "second.fxt") as second:
            result = second.end()
            equal((result.code, "ended" in result.err), (0, False), result)
        first.kill()


def test_a_daemon_that_dies():
    with daemon() as manager, recorder("--", TRACED, "await", "print=ready", "wait=50") as process:
        equal(process.stdout.readline(), b"ready\n")
        manager.kill()
        result = process.end()
    equal(result.code, 1)
    assert LOST in result.err, result
    expect_clean("trace.fxt")


def test_a_daemon_that_ends():
    """It ends the session first, with its results."""
    with daemon() as manager:
        command = [TRACED, "await", "events=9", "print=ready", "wait=50"]
        with recorder("--", *command) as process:
            equal(process.stdout.readline(), b"ready\n")
            manager.send_signal(signal.SIGTERM)
            result = process.end()
    equal(result.code, 1)
    told = [line for line in result.err.splitlines() if line.startswith("trace: ")]
    assert len(told) == 1 and told[0] in ENDED, result
    equal(counted("trace.fxt"), list(range(9)))


def test_a_recorder_that_dies():
    """The daemon ends its session and is ready for the next."""
    with daemon() as manager, Running(TRACED, "await", "events=5", "wait=50"):
        with recorder() as process:
            process.kill()
            process.wait()
        wait_until(lambda: tracing.status().get("state") == "none")
        equal(record("--allow-empty", "-d", "0.2").code, 0)
        assert manager.poll() is None


def test_one_recording_at_a_time():
    with recorder("--allow-empty", "-o", "first.fxt") as process:
        result = record("-o", "second.fxt", "-d", "1")
        equal((result.code, result.err), (1, "trace: cannot start recording: another recording is running; "
                                             "'trace status' shows it\n"))
        equal(record("-o", "first.fxt", "-d", "1").code, 3)
        assert not os.path.exists("second.fxt")
        process.send_signal(signal.SIGINT)
        equal(process.end().code, 0)
    expect_clean("first.fxt")


def test_a_directory_that_is_no_good():
    os.mkdir("manager")
    os.chmod("manager", 0o755)
    result = record("-d", "1")
    equal(result.code, 1)
    path = os.path.join(os.getcwd(), "manager")
    why = "it is not this user's alone (owner, mode 0700)\n"
    equal(result.err, f"trace: cannot connect to the trace manager at {path}: {why}")
    for command in ("status", "snapshot"):
        equal(trace(command).err, result.err)
    equal(trace("stop").err, f"trace: cannot use the directory of the trace manager, {path}: {why}")
    assert not os.path.exists("trace.fxt")


def test_a_directory_that_is_relative():
    for command, code in ((["record", "-d", "1"], 1), (["status"], 1), (["start"], 1), (["stop"], 3)):
        result = trace(*command, env={**os.environ, "FXT_TRACE_DIR": "here"})
        equal(result.code, code)
        assert "here: $FXT_TRACE_DIR must be an absolute path\n" in result.err, result
    assert not os.path.exists("here") and not os.path.exists("trace.fxt")


def test_a_name_that_cannot_be():
    long = "x" * 101
    for args, name in ((["-c", "good," + long], long), (["-c", b"\xff"], r"\xff"),
                       (["--provider-categories=a:good," + long], long),
                       ([f"--provider-categories={long}:good"], long),
                       ([f"--provider-buffer-size={long}:4"], long)):
        result = record("-d", "1", *args)
        equal(result.code, 2)
        assert f"a name is UTF-8 of at most 100 bytes, which '{name}' is not" in result.err, result
    assert not os.path.exists("trace.fxt")


def test_a_group_that_is_not_there():
    with open("config", "w", encoding="utf-8") as file:
        file.write('{"groups": {"mine": ["test"], "many": [%s]}}' % ",".join(f'"{i}"' for i in range(101)))
    for groups in ("#nosuch", "#mine, #nosuch", "#many"):
        result = record("--config=config", "-c", groups.replace(", ", ",test,"), "-d", "1")
        equal(result.code, 1)
        assert f"configuration has no such group ({groups}), or more than 100" in result.err, result
    for own in ("it:#nosuch", "it:#many", "it:#mine,#nosuch"):
        result = record("--config=config", "-c", "test", "--provider-categories", own, "-d", "1")
        equal(result.code, 1)
        groups = own[3:].replace(",", ", ")
        assert f"configuration has no such group ({groups}), or more than 100" in result.err, result
    assert not os.path.exists("trace.fxt")


@tracing.testing.not_under("asan", "tsan")
def test_a_provider_without_a_buffer():
    """The manager's limit, then the provider's."""
    limited = subprocess.run(["sh", "-c", 'ulimit -f 1000; exec "$@"', "sh", tracing.TRACE, "record",
                              "-d1", "--", TRACED],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    equal(limited.returncode, 1)
    assert re.search(r"^trace manager: traced \(process \d+\): no buffer: File too large$",
                     limited.stderr, re.M), limited.stderr
    assert limited.stderr.endswith("trace: nothing was recorded: no provider took part; the trace manager "
                                   "says above what went wrong\n"), limited.stderr
    for options, steps in (["-d1"], ""), ([], "hasty wait=0.5"):  # the program goes on, or has ended
        result = record("-b64", *options, "--", "sh", "-c", f'ulimit -v 60000; exec "{TRACED}" {steps}')
        equal(result.code, 1)
        assert re.search(r"^trace: traced \(process \d+\) did not take part: it has no memory for its buffer, or "
                         r"traces into a file with fxt_trace_start\(\)$", result.err, re.M), result
        assert result.err.endswith("trace: nothing was recorded: no provider started to trace; the lines above "
                                   "say why\n"), result


def test_config_that_is_broken():
    for content in ("{", "[]", '{"groups": 1}'):
        with open("config", "w", encoding="utf-8") as file:
            file.write(content)
        result = record("--config=config", "-d", "1")
        equal(result.code, 1)
        assert "config" in result.err, result
    assert not os.path.exists("trace.fxt")
    with daemon():
        result = record("--config=config", "--allow-empty", "-q", "--", "true")
        equal((result.code, result.err),
              (0, "trace: --config has no effect: a trace manager with its own configuration is running\n"))


def test_a_program_without_standard_descriptors():
    """As a daemon: it is recorded, lives on, and what it prints goes nowhere."""
    closed = ["sh", "-c", '"$@" <&- >&- 2>&-', "sh", TRACED, "await", "events=10", "print=out"]
    for home in (lambda: None, lambda: os.closerange(0, 3)):
        result = record("--", *closed, preexec_fn=home)
        equal(result.code, 0, result)
        equal(counted("trace.fxt"), list(range(10)))


def buffers_of(process):
    """The files of /proc that are trace buffers of that process, for those who may read them."""
    folder = f"/proc/{process}/map_files/"
    try:
        return [folder + name for name in os.listdir(folder)
                if os.readlink(folder + name).startswith("/memfd:fxt-trace")]
    except PermissionError:
        return []


def test_root_can_salvage_the_buffer_of_a_provider_that_runs():
    with recorder() as process, Running(TRACED, "await", "events=10", "print=ready", "wait=50") as traced:
        equal(traced.stdout.readline(), b"ready\n")
        for path in buffers_of(traced.pid):
            equal(fxt("salvage", path, "-o", "live.fxt").code, 0)
            equal(counted("live.fxt"), list(range(10)))
        process.send_signal(signal.SIGINT)
        equal(process.end().code, 0)


def test_a_program_that_registers_synchronously():
    """It waits until it is traced: nothing that it traces is missing."""
    for _ in range(5):
        equal(record("--", TRACED, "events=10").code, 0)
        equal(counted("trace.fxt"), list(range(10)))


def test_a_program_of_another_pid_namespace_is_told():
    """As of a container: in the trace, its process is 1."""
    inside = ["unshare", "--pid", "--fork"]
    if subprocess.run([*inside, "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        print("SKIP: no PID namespace can be made here")
        return
    result = record("--", *inside, TRACED, "name=\x1binner", "await", "events=3")
    equal(result.code, 0, result)
    told = re.search(r"^trace manager: (.*) \(process (\d+)\): it is process 1 in its own PID namespace; in the "
                     "trace it may be taken for another program$", result.err, re.M)
    assert told is not None and "\x1b" not in result.err, result
    table = re.search(r"^(\S+) +(\d+) ", result.err.split("durable\n")[1])
    equal(told.groups(), table.groups())
    result = record("-q", "--", TRACED, "await", "events=3")
    equal((result.code, result.err), (0, ""))


def test_the_report_has_colours_if_they_are_asked_for():
    for options, expected in (([], False), (["--color=never"], False), (["--color=always"], True)):
        result = record("--report", *options, "--", TRACED, "await", "events=3")
        equal((result.code, "\033[1m" in result.text), (0, expected), result)


tracing.main(globals(), jobs=3)
