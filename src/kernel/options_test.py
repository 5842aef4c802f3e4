#!/usr/bin/env python3
"""The command line, and what is said where the kernel refuses."""

import os
import pty
import re
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import testing
from capture import Capture
from testing import Skip, equal, run


def test_a_namespace_of_its_own_is_told():
    if run("-o", "host.fxt", "--duration=0.01")[0] != 0:
        raise Skip("the kernel refuses to be traced")
    is_inside = os.stat("/proc/self/ns/pid").st_ino != 4026531836
    equal("PID namespace" in run("-o", "host.fxt", "--duration=0.01")[2], is_inside)
    inside = ["--pid", "--fork", "--mount-proc"]
    if run(*inside, "true", program="unshare")[0] != 0:
        raise Skip("no new namespaces")
    code, out, messages = run(*inside, testing.PROGRAM, "-o", "inside.fxt", "--duration=0.01", program="unshare")
    equal((code, out), (0, ""), messages)
    assert "in a PID namespace, as of a container, other threads" in messages, messages


def expect_message(messages):
    """One line, and behind a wrong value the option's line of the help."""
    first, *rest = messages.splitlines()
    assert first.startswith("ktrace_provider: ") and len(rest) <= 1, messages
    assert all(line in run("--help")[1].splitlines() for line in rest), messages


def test_help_that_cannot_be_printed_is_an_error():
    for option in ("--help", "--version"):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([testing.PROGRAM, option], stdout=full, stderr=subprocess.PIPE,
                                  check=False)
        equal((done.returncode, done.stderr),
              (1, b"ktrace_provider: write error: No space left on device\n"))


def test_wrong_usage():
    for args in (["--nothing"], ["argument"], ["--replay"], ["--duration=0"], ["--duration=-1"],
                 ["--duration=x"], ["--duration="], ["--duration=1e99"], ["--duration=nan"],
                 ["--name="], ["--name=" + "x" * 101], ["--name=\udcff"],
                 ["--categories=kernel:irq"]):
        code, out, messages = run(*args)
        equal((code, out), (2, ""), str(args))
        expect_message(messages)


def test_unknown_category_is_named():
    for names, said in (("kernel:shed", "'kernel:shed' is unknown; did you mean 'kernel:sched'?"),
                        ("kernel:irq,kernel:iqr", "did you mean 'kernel:irq'?"),
                        ("kernel:irq,", "'' is unknown; see --help"),
                        ("", "'' is unknown; see --help"),
                        ("kernel:*", "'kernel:*' is unknown"),
                        ("\x1b", r"'\x1b' is unknown")):
        code, out, messages = run("--output=t.fxt", "--categories=" + names,
                                  "--replay=" + testing.write_capture(Capture()))
        equal((code, out), (2, ""), names)
        assert said in messages, messages
        expect_message(messages)
        assert not os.path.exists("t.fxt")


def test_messages_escape_what_they_quote():
    evil = "\x1b[31m\nFORGED\x9b\u202e\udcff"
    for args in (["--replay=" + evil], ["--" + evil], ["--duration=" + evil], ["-\x1b"],
                 ["--output=missing/" + evil, "--replay=missing/" + evil],
                 ["--output=missing/" + evil, "--replay=" + testing.write_capture(Capture())]):
        code, out, messages = run(*args)
        assert code != 0 and out == "" and "\\x1b" in messages, messages
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\udcff\ufffd]", messages), messages
        expect_message(messages)


def waiting(**kwargs):
    """One that waits for a manager that there is not."""
    name = testing.write_capture(Capture())
    environment = dict(os.environ, XDG_RUNTIME_DIR=os.getcwd())
    process = subprocess.Popen([testing.PROGRAM, f"--replay={name}"], env=environment,
                               stderr=subprocess.PIPE, **kwargs)
    time.sleep(0.5)
    equal(process.poll(), None)
    return process


def ends(process, signal_number):
    process.send_signal(signal_number)
    _, messages = process.communicate(timeout=60)
    equal((process.returncode, messages), (0, b""))


def test_it_ends_when_it_is_told():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        ends(waiting(), number)


def test_a_hangup_that_nohup_ignores_does_not_end_it():
    process = waiting(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    process.send_signal(signal.SIGHUP)
    time.sleep(0.5)
    equal(process.poll(), None)
    ends(process, signal.SIGTERM)


def said_at_a_terminal(*args):
    """The first message. Ctrl-C ends the program in order."""
    environment = dict(os.environ, XDG_RUNTIME_DIR=os.getcwd())
    ours, its = pty.openpty()
    process = subprocess.Popen([testing.PROGRAM, *args], env=environment, stderr=its)
    line = os.read(ours, 1000).decode()
    if "CAP_PERFMON" in line or "perf events" in line:
        raise Skip("this kernel does not tell its events")
    process.send_signal(signal.SIGINT)
    equal(process.wait(60), 0)
    os.close(ours)
    os.close(its)
    return line


def test_at_a_terminal_it_says_what_it_waits_for():
    name = testing.write_capture(Capture())
    environment = dict(os.environ, XDG_RUNTIME_DIR=os.getcwd())
    line = said_at_a_terminal(f"--replay={name}")
    assert "waits for `trace record`" in line and "Ctrl-C ends it" in line, line
    assert "writes t.fxt until Ctrl-C" in said_at_a_terminal("--output=t.fxt")
    equal(run(f"--replay={name}", "--duration=0.1", env=environment), (0, "", ""))


def test_it_ends_after_the_duration():
    name = testing.write_capture(Capture())
    environment = dict(os.environ, XDG_RUNTIME_DIR=os.getcwd())
    start = time.monotonic()
    equal(run(f"--replay={name}", "--duration=0.3", env=environment), (0, "", ""))
    assert time.monotonic() - start >= 0.3


def test_refusal_says_what_helps():
    if not os.path.exists("/proc/sys/kernel/perf_event_paranoid"):
        raise Skip("this kernel has no perf events")
    with open("/proc/sys/kernel/perf_event_paranoid", encoding="ascii") as file:
        if int(file.read()) < 1:
            raise Skip("this kernel tells its events to everybody")
    who = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    code, out, messages = run("--output=t.fxt", program=testing.readable_copy(), **who)
    equal((code, out), (1, ""))
    equal(len(messages.splitlines()), 1, messages)
    assert "--replay" in messages, messages
    assert "CAP_PERFMON" in messages or "perf events" in messages, messages
    assert not os.path.exists("t.fxt")


testing.main(globals())
