#!/usr/bin/env python3
"""The program as a provider of a real manager, from registration to archive."""

import os
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
TRACE, MANAGER = (os.path.abspath(sys.argv.pop(3)) for _ in range(2))

import testing
from capture import Capture
from testing import Skip, equal, live_records, of_kind, records, run

SWITCHES = 30000


class System:
    """A manager and the provider; both end with the block."""

    def __init__(self, *args):
        os.environ["FXT_TRACE_DIR"] = os.path.join(os.getcwd(), "sockets")
        self.manager = subprocess.Popen([MANAGER])
        self.provider = subprocess.Popen([testing.PROGRAM, *args], stderr=subprocess.PIPE)

    def __enter__(self):
        for _ in range(600):
            if f" {self.provider.pid} " in self.providers():
                return self
            time.sleep(0.1)
        raise AssertionError("it does not register")

    def __exit__(self, *why):
        for process in (self.provider, self.manager):
            process.send_signal(signal.SIGTERM)
            process.wait(60)
        self.messages = self.provider.stderr.read().decode()

    @staticmethod
    def providers():
        done = subprocess.run([TRACE, "list-providers"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False, timeout=60)
        return done.stdout.decode()

    @staticmethod
    def record(*args):
        """Records into t.fxt."""
        done = subprocess.run([TRACE, "record", "--allow-empty", "-o", "t.fxt", *args], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False, timeout=60)
        equal(done.returncode, 0, done.stdout.decode())

    def open_events(self):
        """How many perf events it has open."""
        directory = f"/proc/{self.provider.pid}/fd"
        links = []
        for name in os.listdir(directory):
            try:
                links.append(os.readlink(os.path.join(directory, name)))
            except FileNotFoundError:
                pass
        return sum("perf_event" in link for link in links)

    def events_left(self):
        """How many it keeps open: a trace may end before it has closed them."""
        end = time.monotonic() + 10
        while self.open_events() > 0 and time.monotonic() < end:
            time.sleep(0.01)
        return self.open_events()


def a_capture():
    capture = Capture()
    for i in range(SWITCHES):
        capture.switch(0, 1000 + i * 1000, out=("a", 10 + i % 2), into=("a", 11 - i % 2))
    return testing.write_capture(capture)


def test_replay_is_recorded_each_time():
    with System("--replay", a_capture(), "--name=recorded before") as system:
        assert "recorded before" in system.providers()
        for mode in ("streaming", "oneshot"):
            system.record("--categories=kernel:*", "--duration=2", "-m", mode)
            lines = records("t.fxt")
            equal(len(of_kind(lines, "context_switch")), SWITCHES, mode)
            assert any('name="recorded before"' in line for line in lines)
        system.record("--categories=kernel:freq", "--duration=0.5")
        equal(of_kind(records("t.fxt"), "context_switch", "event"), [])
    equal(system.provider.returncode, 0)
    equal(system.messages, "")


def test_categories_are_known():
    with System("--replay", a_capture()) as system:
        done = subprocess.run([TRACE, "list-categories"], stdout=subprocess.PIPE, check=True)
        for name in ("sched", "syscall", "irq", "freq", "meta"):
            assert f"kernel:{name}: " in done.stdout.decode(), done.stdout
    equal(system.provider.returncode, 0)


def record_a_switch(categories):
    """The exit status: 1 if nothing counts as recorded of one of them."""
    recorder = [TRACE, "record", "-q", "-o", "t.fxt", "--categories=" + categories]
    with subprocess.Popen(recorder, stderr=subprocess.PIPE) as process:
        for _ in range(600):
            done = subprocess.run([TRACE, "snapshot", "-q", "-o", "now.fxt"], stderr=subprocess.PIPE, check=False)
            if done.returncode == 0 and of_kind(records("now.fxt"), "context_switch"):
                process.send_signal(signal.SIGINT)
                return process.wait(60)
            time.sleep(0.1)
        process.kill()
    raise AssertionError(f"no switch is recorded of {categories}")


def test_categories_without_their_records_are_missed():
    with System("--replay", a_capture()):
        for categories, missed in (("kernel:meta", None), ("kernel:sched", None), ("kernel:sched,kernel:meta", None),
                                   ("kernel:sched,kernel:freq", "kernel:freq"),
                                   ("kernel:sched,kernel:nonsense", "kernel:nonsense")):
            done = subprocess.run([TRACE, "record", "-q", "-o", "t.fxt", "-d1", "--categories=" + categories],
                                  stderr=subprocess.PIPE, check=False, timeout=60)
            told = f"nothing was recorded of category '{missed}'" in done.stderr.decode()
            equal((done.returncode, told), (0 if missed is None else 1, missed is not None), (categories, done.stderr))


def test_patterns_that_mean_its_categories_are_found():
    """Its records have no category."""
    with System("--replay", a_capture()):
        for categories in ("kernel:sched", "kernel:*", "kernel*", "k*", "*", "ktrace_provider/kernel:sched"):
            equal(record_a_switch(categories), 0, categories)
        for categories in ("kernel:sched,net*", "kernel:sched,other/kernel:sched", "kernel:*,kernels*"):
            equal(record_a_switch(categories), 1, categories)


def test_damaged_capture_does_not_end_it():
    testing.write_capture(b"\x17\x08\x44tracing, and nothing of the kind", "capture.dat")
    with System("--replay=capture.dat") as system:
        system.record("--duration=0.5")
        system.record("--duration=0.5")
        equal(system.provider.poll(), None)
    equal(len(system.messages.splitlines()), 2, system.messages)


def test_kernel_is_left_alone_between_traces():
    code, _, messages = run("--output=/dev/null", "--duration=0.01")
    if code == 1:
        raise Skip(messages.strip())
    with System() as system:
        for _ in range(2):
            equal(system.events_left(), 0)
            system.record("--categories=kernel:sched", "sh", "-c",
                          "ls -l /proc/%d/fd | grep -c perf_event > count; sleep 0.1"
                          % system.provider.pid)
            with open("count", encoding="ascii") as file:
                assert int(file.read()) > 0
            assert of_kind(live_records("t.fxt"), "context_switch")
        equal(system.events_left(), 0)


testing.main(globals())
