#!/usr/bin/env python3
"""Calls that an event loop makes fail, one by one, in trace, the traced program and trace-manager: nothing
dies by a signal or hangs, the program goes on, and no socket is left. strace injects the errors."""

import os
import shutil
import signal
import sys
import time

sys.dont_write_bytecode = True
import tracing
from tracing import MANAGER, TRACE, TRACED, Running, wait_until

FAULTS = [("epoll_ctl", "ENOSPC"), ("epoll_create1", "EMFILE"), ("eventfd2", "EMFILE"), ("ppoll", "ENOMEM"),
          ("ppoll", "EINTR")]
CALLS_MAX = 40


def strace(fault, nth, *command):
    call, error = fault
    return Running("strace", "-f", "-o", "calls", "-e", "trace=" + call, "-e",
                   f"inject={call}:error={error}:when={nth}", *command)


def children(process):
    """Of strace, which may have ended: what it traces."""
    if process.poll() is not None:
        return []
    with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def injected():
    with open("calls", encoding="utf-8", errors="replace") as file:
        return "INJECTED" in file.read()


def expect_no_sockets(what):
    directory = os.environ["FXT_TRACE_DIR"]
    left = {"registry", "controller"} & set(os.listdir(directory) if os.path.exists(directory) else [])
    assert not left, (what, left)


def each_fault(run):
    for fault in FAULTS:
        for nth in range(1, CALLS_MAX):
            run(fault, nth)
            if not injected():
                break


def test_recording():
    def run(fault, nth):
        with strace(fault, nth, TRACE, "record", "-o", "out.fxt", "--", TRACED, "events=10",
                    "print=went on") as process:
            result = process.end()
        what = (fault, nth, result)
        assert result.code in (0, 1, 3), what
        assert result.code != 0 or b"went on" in result.out, what
        assert result.code == 0 or result.err.startswith("trace: "), what
        expect_no_sockets(what)
    each_fault(run)


def test_traced_program():
    def run(fault, nth):
        with strace(fault, nth, TRACED, "events=10", "print=went on") as process:
            result = process.end()
        assert result.code == 0 and b"went on" in result.out, (fault, nth, result)
    each_fault(run)


def test_manager():
    def run(fault, nth):
        registry = os.path.join(os.environ["FXT_TRACE_DIR"], "registry")
        with strace(fault, nth, MANAGER) as process:
            wait_until(lambda: process.poll() is not None or os.path.exists(registry))
            time.sleep(0.1)  # until it catches signals
            for child in children(process):
                os.kill(child, signal.SIGTERM)
            result = process.end()
        assert result.code in (0, 1), (fault, nth, result)
        assert result.code == 0 or result.err.startswith("trace-manager: "), (fault, nth, result)
        expect_no_sockets((fault, nth, result))
    each_fault(run)


if shutil.which("strace") is None:
    print("skipped: there is no strace")
else:
    tracing.main(globals())
