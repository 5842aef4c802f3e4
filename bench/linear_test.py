#!/usr/bin/env python3
"""fxt report, sql, html and json take time that is linear in the size of a trace: of three sizes, each twice
the one before, an event more costs about the same number of instructions at the larger ones.

Usage: linear_test.py FXT MAKE_TRACE [SHAPE...]

Valgrind counts the instructions, so that other work on the machine does not matter. What a command does
once cancels out. `typical` is the shape of the benchmarks. The others are hard on the timeline: all of them
are tested if none is named."""
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

COMMANDS = {"report": [], "sql": ["select count(*) from slice"], "html": ["-o", "/dev/null"], "json": []}
MOST = 1.4  # n log n takes 1.1, a quadratic step 2
BEGIN, END, COMPLETE, ASYNC_BEGIN, ASYNC_END, FLOW_BEGIN, FLOW_END = 2, 3, 4, 5, 7, 8, 10


def words(*numbers):
    return struct.pack("<%dQ" % len(numbers), *numbers)


def event(kind, time, *value):
    """Of thread 1, with string 1 as category and name."""
    return words(4 | 2 + len(value) << 4 | kind << 16 | 1 << 24 | 1 << 32 | 1 << 48, time, *value)


def trace(events):
    head = words(0x0016547846040010, 1 | 2 << 4, 10**9, 2 | 2 << 4 | 1 << 16 | 1 << 32) + b"name\0\0\0\0"
    return head + words(3 | 3 << 4 | 1 << 16, 1, 2) + b"".join(events)


def nested(count):
    return [event(BEGIN, i) for i in range(count)] + [event(END, count + i) for i in range(count)]


def one_time(count):
    return [event(COMPLETE, 5, 5 + i % 7) for i in range(2 * count)]


def overlaps(count):
    at = random.Random(1)
    begins = [at.randrange(count * 10) for _ in range(2 * count)]
    return [event(COMPLETE, begin, begin + at.randrange(1000)) for begin in begins]


def late(count):
    return [event(BEGIN + i % 2, (count - i // 2) * 10 + i % 2) for i in range(2 * count)]


def one_async(count):
    return [event(ASYNC_BEGIN, i, 7) for i in range(count)] + \
        [event(ASYNC_END, count + i, 7) for i in range(count)]


def flows(count):
    return [event(BEGIN, 0)] + \
        [event(FLOW_END if i % 2 else FLOW_BEGIN, i, i // 2) for i in range(2 * count)]


def instructions(fxt, path, command):
    run = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
                          fxt, command, path, *COMMANDS[command]], stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, text=True)
    found = re.search(r"I +refs: +([\d,]+)", run.stderr)
    assert found is not None, run.stderr
    return int(found.group(1).replace(",", ""))


def check(fxt, path, name, traces):
    failed = False
    for command in COMMANDS:
        points = []
        for bytes_ in traces:
            with open(path, "wb") as f:
                f.write(bytes_)
            points.append((len(bytes_), instructions(fxt, path, command)))
        small, large = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in zip(points, points[1:])]
        print("%-10s %-7s %6.1f, then %6.1f instructions a byte" % (name, command, small, large))
        failed |= large > MOST * small
    return failed


def main():
    fxt, make_trace, *wanted = sys.argv[1:]
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.fxt")
        if not wanted or "typical" in wanted:
            made = [subprocess.run([make_trace, "typical", size], stdout=subprocess.PIPE, check=True).stdout
                    for size in ("1", "2", "4")]
            failed |= check(fxt, path, "typical", made)
        for shape in (nested, one_time, overlaps, late, one_async, flows):
            if not wanted or shape.__name__ in wanted:
                failed |= check(fxt, path, shape.__name__, [trace(shape(8192 << n)) for n in range(3)])
    return failed


sys.exit(main())
