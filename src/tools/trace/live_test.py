#!/usr/bin/env python3
"""The line on the terminal while trace record runs: how full the buffers are, and how it shares the terminal."""

import os
import pty
import re
import select
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, "src/tools/trace")
import tracing
from tracing import PATIENCE, TRACE, TRACED, Running, daemon, equal, fxt

LINE = re.compile(rb"(\d+\.\d) s, (\d+) providers?, ([\d.]+ \w+) (recorded|written) \(([\d.]+ \w+)/s\)"
                  rb"(?:, buffers (\d+) % full)?, (\d+) dropped")


class Terminal:
    """Where stdout and stderr go to."""

    def __init__(self):
        self.master, self.end = pty.openpty()
        self.shown = b""

    def read(self, seconds):
        """Whether something came."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        self.shown += os.read(self.master, 10000)
        return True

    def await_match(self, condition):
        end = time.monotonic() + PATIENCE
        while not condition(self.shown):
            assert time.monotonic() < end and self.read(PATIENCE), self.shown
        return self.shown

    def __enter__(self):
        return self

    def __exit__(self, *why):
        os.close(self.end)
        os.close(self.master)


def fills(shown):
    return [int(it[6]) for it in LINE.finditer(shown) if it[6]]


def has_all(line):
    return re.fullmatch(rb"6\d\d\.\d kB", line[3]) and not line[5].startswith(b"0 ")


def shown_while(mode, *work):
    """What the line shows while this happens in a program that is recorded without being the command."""
    with Terminal() as terminal, \
            Running(TRACE, "record", "-b1", "-m" + mode, stderr=terminal.end) as process:
        tracing.await_state("started")
        with Running(TRACED, *work, "wait=30"):
            terminal.await_match(lambda shown: any(map(has_all, LINE.finditer(shown))))
        process.send_signal(2)
        equal(process.wait(PATIENCE), 0)
        while terminal.read(0.1):
            pass
        return terminal.shown


def test_the_fill_of_the_buffers_and_the_rate():
    """16,000 events of 40 bytes are 0.64 MB, of which nothing is written before the end."""
    for mode in ("oneshot", "circular"):
        shown = shown_while(mode, "events=16000")
        lines = list(LINE.finditer(shown))
        equal({it[4] for it in lines}, {b"recorded"})
        assert 20 < max(fills(shown)) < 70, shown
        assert b"\r\x1b[K" in shown and b"written" not in LINE.search(shown)[0], shown


def test_a_full_buffer():
    with Terminal() as terminal, Running(TRACE, "record", "-b1", stderr=terminal.end) as process:
        tracing.await_state("started")
        with Running(TRACED, "events=100000", "wait=30"):
            terminal.await_match(lambda shown: max(fills(shown), default=0) > 95)
        process.send_signal(2)
        equal(process.wait(PATIENCE), 0)


def test_streaming_counts_what_is_written_too():
    with Terminal() as terminal, Running(TRACE, "record", "-b1", "-s", stderr=terminal.end) as process:
        tracing.await_state("started")
        with Running(TRACED, *["events=10000", "wait=0.1"] * 20, "wait=30"):
            terminal.await_match(lambda shown: any(float(it[3].split()[0]) > 2 and it[3].endswith(b" MB")
                                                   for it in LINE.finditer(shown)))
        process.send_signal(2)
        equal(process.wait(PATIENCE), 0)
        assert max(fills(terminal.shown)) <= 100, terminal.shown


def test_a_manager_of_another_process_tells_what_is_written():
    with daemon(), Terminal() as terminal, Running(TRACE, "record", "--allow-empty", stderr=terminal.end) as process:
        shown = terminal.await_match(LINE.search)
        process.send_signal(2)
        equal(process.wait(PATIENCE), 0)
    equal(LINE.search(shown)[4], b"written")
    equal(fills(shown), [])


def test_a_command_has_lines_of_its_own():
    """Each line is ended: no output of the command stands behind it, and none is erased."""
    with Terminal() as terminal, \
            Running(TRACE, "record", "--", TRACED, "events=10", *["print=hello", "wait=0.3"] * 10,
                    stderr=terminal.end) as process:
        out = b""
        while piece := os.read(process.stdout.fileno(), 1000):
            out += piece
        equal(process.wait(PATIENCE), 0)
        while terminal.read(0.1):
            pass
    equal(out, b"hello\n" * 10)
    before = terminal.shown[:terminal.shown.index(b"provider  ")]
    assert LINE.fullmatch(before.split(b"\r\n")[0]), before
    assert before.replace(b"\r\x1b[Kthe trace is being written\r\x1b[K", b"").endswith(b"\r\n"), before


def test_a_short_command_is_undisturbed():
    with Terminal() as terminal:
        with Running(TRACE, "record", "--", TRACED, "events=10", "wait=0.6", stderr=terminal.end) as process:
            equal(process.wait(PATIENCE), 0)
        while terminal.read(0.1):
            pass
        assert not LINE.search(terminal.shown), terminal.shown


ROW = re.compile(rb"\r?\n *(\d+) +([\d.]+ (?:ns|us|ms|s)|-)  (\w[^\r\n]*)")


def counts(shown):
    return [int(it[1]) for it in ROW.finditer(shown)]


def test_live_shows_names_while_it_records():
    with Terminal() as terminal, \
            Running(TRACE, "record", "--live", "-o", "t.fxt", stderr=terminal.end) as process:
        tracing.await_state("started")
        with Running(TRACED, *["events=10000", "wait=0.1"] * 20, "wait=30"):
            shown = terminal.await_match(lambda shown: max(counts(shown), default=0) > 100000)
        process.send_signal(2)
        equal(process.wait(PATIENCE), 0)
        while terminal.read(0.1):
            pass
    assert re.search(rb"\d+ events \(\d+/s\)\r\n +count +self  name\r\n", shown), shown
    assert re.search(rb"\r\x1b\[\d+A\x1b\[J", shown), "a table takes the place of the one before"
    equal(fxt("check", "-q", "t.fxt").code, 0)


def test_what_does_not_go_with_live():
    for args, why in (([], "needs a terminal"), (["--quiet"], "--quiet"), (["--defer-transfer"], "--defer-transfer"),
                      (["-mcircular"], "requires streaming mode")):
        with Running(TRACE, "record", "--live", *args, "-o", "t.fxt") as process:
            said = process.stderr.read().decode()
            equal(process.wait(PATIENCE), 2)
            assert why in said, (args, said)


tracing.main(globals(), jobs=3)
