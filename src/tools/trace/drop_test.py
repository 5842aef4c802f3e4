#!/usr/bin/env python3
"""A user learns at once that a buffer is full, and a script by the exit status."""

import contextlib
import re
import signal
import sys

sys.dont_write_bytecode = True
import tracing
from tracing import TRACED, daemon, equal, record, trace, wait_until

FULL = ["await", "events=60000"]  # more than a buffer of 1 MiB holds
FILLS = r"^trace: {} \(process (\d+)\): its buffer is full, and drops records from now on$"


def told(text, name="traced"):
    return re.findall(FILLS.format(name), text, re.M)


def read(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


def test_a_full_buffer_is_told_while_the_program_runs():
    for home in contextlib.nullcontext, daemon:
        with home(), open("err", "wb") as err:
            with tracing.recorder("-q", "-b1", "--", TRACED, *FULL, "wait=50", stderr=err) as process:
                wait_until(lambda: told(read("err")), "the warning")
                process.send_signal(signal.SIGINT)
                equal(process.wait(tracing.PATIENCE), 0)
        equal(len(told(read("err"))), 1)


def test_each_provider_is_told_once():
    both = f'"{TRACED}" name=a {" ".join(FULL)} wait=0.6 events=9 & "{TRACED}" name=b {" ".join(FULL)} wait=0.6; wait'
    result = record("-b1", "--", "sh", "-c", both)
    equal(result.code, 0, result)
    for name in "ab":
        equal(len(told(result.err, name)), 1, result)


def test_what_streams_is_not_told_to_be_full():
    result = record("-s", "-b1", "--", TRACED, *FULL, "wait=0.6")
    equal((result.code, told(result.err)), (0, []), result)


def test_a_script_may_ask_to_fail():
    equal(record("-b1", "--", TRACED, *FULL).code, 0)
    for quiet in [], ["-q"]:
        result = record("--fail-on-drop", *quiet, "-b1", "--", TRACED, *FULL)
        equal(result.code, 1, result)
        assert " records found no room; next time record with a larger --buffer-size" in result.err, result
    equal(record("--fail-on-drop", "--", TRACED, *FULL).code, 0)
    equal(record("--fail-on-drop", "-mc", "-b1", "--", TRACED, *FULL).code, 0)
    equal(record("--fail-on-drop", "-b1", "--", TRACED, *FULL, "exit=7").code, 7)
    equal(record("--fail-on-drop", "--return-child-result=false", "-b1", "--", TRACED, *FULL, "exit=7").code, 1)


def test_stop_and_snapshot_fail_too():
    equal(trace("start", "--fail-on-drop", "-b1").code, 0)
    with tracing.Running(TRACED, *FULL, "print=ready", "wait=50") as traced:
        equal(traced.stdout.readline(), b"ready\n")
        equal(trace("snapshot", "-o", "one").code, 0)
        equal(trace("snapshot", "--fail-on-drop", "-o", "two").code, 1)
        result = trace("stop")
    equal(result.code, 1, result)
    equal(len(told(result.err)), 1, result)


tracing.main(globals(), jobs=2)
