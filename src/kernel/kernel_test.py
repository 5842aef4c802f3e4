#!/usr/bin/env python3
"""The program and the kernel of this machine. Skips, with a reason, where the kernel refuses."""

import os
import re
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import testing
from testing import Skip, equal, live_records, of_kind, rate, run, ticks

# In a name space of mounts of its own.
WITH_TRACEFS = ["unshare", "--mount", "sh", "-c",
                "mount -t tracefs nodev /sys/kernel/tracing && exec \"$0\" \"$@\""]


def need_rights():
    code, _, messages = run("--output=/dev/null", "--duration=0.01")
    if code == 1:
        raise Skip(messages.strip())


def need_tracefs():
    need_rights()
    done = subprocess.run([*WITH_TRACEFS, "true"], stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise Skip("no tracefs: " + done.stderr.decode().strip())


def patiently(test):
    """A test that may fail some times: some virtual machines now and then record nothing of a
    thread."""
    def attempts():
        for last in (False, False, False, False, True):
            try:
                return test()
            except AssertionError:
                if last:
                    raise
                print("     once more:", test.__name__)
                os.unlink("t.fxt")
    return attempts


def start(*args, before=()):
    """Starts it; returns when it has begun to write."""
    process = subprocess.Popen([*before, testing.PROGRAM, "--output=t.fxt", *args],
                               stderr=subprocess.PIPE)
    for _ in range(600):
        if os.path.exists("t.fxt") and os.path.getsize("t.fxt") > 0:
            break
        time.sleep(0.05)
    time.sleep(1)  # the names of all threads are read first
    equal(process.poll(), None)
    return process


def stop(process, how=signal.SIGTERM):
    process.send_signal(how)
    return end(process)


def end(process):
    _, messages = process.communicate(timeout=60)
    equal(process.returncode, 0, messages)
    return messages.decode()


def child(seconds):
    """A process that sleeps. Returns its number."""
    done = subprocess.Popen(["sh", "-c", f"sleep {seconds}; :"])
    done.wait()
    return done.pid


def expect_child(lines, pid):
    switches = of_kind(lines, "context_switch")
    assert any(f"incoming_thread={pid}" in line for line in switches), "it is never switched to"
    assert any(f"outgoing_thread={pid} " in line and "blocked" in line for line in switches)
    assert any(f"outgoing_thread={pid} " in line and "dead" in line for line in switches)
    named = [line for line in of_kind(lines, "kernel_object") if f"koid={pid} " in line]
    assert any("object_type=process" in line for line in named), named
    assert any("object_type=thread" in line and f"process: koid {pid}" in line for line in named)


@patiently
def test_switches_of_a_process():
    need_rights()
    process = start()
    pid = child(0.05)
    stop(process)
    expect_child(live_records("t.fxt"), pid)


def test_interrupt_ends_it_too():
    need_rights()
    process = start("--categories=kernel:sched")
    stop(process, signal.SIGINT)
    live_records("t.fxt")


@patiently
def test_everything_with_tracefs():
    need_tracefs()
    process = start(before=WITH_TRACEFS)
    pid = child(0.05)
    messages = stop(process)
    lines = live_records("t.fxt")
    expect_child(lines, pid)
    assert any(f"waking_thread={pid} " in line for line in of_kind(lines, "thread_wakeup"))
    calls = [line for line in of_kind(lines, "event") if f"thread={pid}/{pid} " in line]
    assert any('name="wait4"' in line or 'name="clone' in line for line in calls), calls
    assert "tracefs" not in messages, messages


@patiently
def test_sleep_takes_its_time():
    need_tracefs()
    process = start("--categories=kernel:syscall", before=WITH_TRACEFS)
    sleepers = []
    for _ in range(10):  # of which some may not be recorded
        sleepers.append(subprocess.Popen(["sleep", "0.1"]))
        sleepers[-1].wait()
    stop(process)
    lines = live_records("t.fxt")
    each = [[line for line in of_kind(lines, "event")
             if f"thread={sleeper.pid}/" in line and "nanosleep" in line] for sleeper in sleepers]
    assert any(each) and all(len(sleeps) <= 1 for sleeps in each), each
    for sleep in (line for sleeps in each for line in sleeps):
        seconds = (ticks(sleep, "end") - ticks(sleep)) / rate(lines)
        assert 0.1 <= seconds < 5, seconds


def test_only_what_is_enabled_is_collected():
    need_tracefs()
    process = start("--categories=kernel:syscall", before=WITH_TRACEFS)
    child(0.05)
    stop(process)
    lines = live_records("t.fxt")
    equal(of_kind(lines, "context_switch", "thread_wakeup"), [])
    assert of_kind(lines, "event")


def overrun():
    """The program stands still while this one makes more system calls than it has room for."""
    process = start("--categories=kernel:syscall", before=WITH_TRACEFS)
    process.send_signal(signal.SIGSTOP)
    until = time.monotonic() + 2
    while time.monotonic() < until:
        os.getppid()
    return process


def number_lost(messages):
    match = re.search(r"(\d+) events of the kernel were lost", messages)
    assert match, messages
    return int(match.group(1))


def test_loss_is_told():
    need_tracefs()
    process = overrun()
    process.send_signal(signal.SIGCONT)
    time.sleep(1)
    lost = number_lost(stop(process))
    assert lost > 0
    told = [int(re.search(r'message="(\d+) events', line).group(1))
            for line in of_kind(live_records("t.fxt"), "log")]
    equal(sum(told), lost)


def test_loss_at_the_end_is_told():
    need_tracefs()
    if tuple(int(part) for part in re.findall(r"\d+", os.uname().release)[:2]) < (6, 0):
        raise testing.Skip("before Linux 6.0 the kernel does not count it")
    process = overrun()
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGCONT)
    assert number_lost(end(process)) > 100000


def test_message_where_there_is_no_tracefs():
    need_rights()
    code, _, messages = run("--output=t.fxt", "--duration=0.2")
    equal(code, 0)
    if not os.path.exists("/sys/kernel/tracing/events"):
        assert "kernel:syscall, kernel:irq, kernel:freq: not without tracefs" in messages, messages


testing.main(globals())
