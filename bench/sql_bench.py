#!/usr/bin/env python3
"""How fast `fxt sql` and Perfetto's trace processor import the same trace, in one run.

  bench/sql_bench.py FXT [--events=N] [--only-fxt] [--keep=FILE]

Makes a trace of N events (2 million by default) of eight threads: begins and ends with two arguments,
complete durations with one, instants, counters. Both read it three times; the least processor time
counts. Perfetto's runs in Node.js (conformance/readers install), and its start is not counted.
"""
import argparse
import json
import os
import struct
import subprocess
import sys
import tempfile

IMPORT = os.path.join(os.path.dirname(os.path.realpath(__file__)),
                      "../conformance/perfetto/import.js")
NAMES = ["cat", "frame", "draw", "load", "bytes", "id", "ratio", "queue"]
RUNS = 3


def words(*numbers):
    return struct.pack("<%dQ" % len(numbers), *numbers)


def event(kind, args, size, thread, name):
    return 4 | size << 4 | kind << 16 | args << 20 | thread << 24 | 1 << 32 | name << 48


def head():
    yield words(0x0016547846040010, 1 | 2 << 4, 1000000000)
    for index, name in enumerate(NAMES, 1):
        text = name.encode().ljust(8, b"\0")
        yield words(2 | 2 << 4 | index << 16 | len(name) << 32) + text
    for index in range(1, 9):
        yield words(3 | 3 << 4 | index << 16, 100 + index // 4, 200 + index)


def events(count):
    for i in range(count):
        thread, name, at, kind = 1 + i % 8, 2 + i % 3, 1000 + 37 * i, i % 10
        if kind < 4:
            yield words(event(2, 2, 6, thread, name), at, 3 | 2 << 4 | 5 << 16, i,
                        5 | 2 << 4 | 7 << 16, 0x3ff8000000000000,
                        event(3, 0, 2, thread, name), at + 30)
        elif kind < 8:
            yield words(event(4, 1, 4, thread, name), at,
                        1 | 1 << 4 | 6 << 16 | (i & 0x7fffffff) << 32, at + 25)
        elif kind == 8:
            yield words(event(0, 0, 2, thread, name), at)
        else:
            yield words(event(1, 1, 5, thread, 8), at, 3 | 2 << 4 | 5 << 16, i, 1)


def ours(fxt, path):
    """Processor time in ms, number of slices, peak memory in KiB."""
    process = subprocess.Popen([fxt, "sql", "--csv", path, "select count(*) from slice"],
                               stdout=subprocess.PIPE)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, status
    return (usage.ru_utime + usage.ru_stime) * 1000, int(out.split()[1]), usage.ru_maxrss


def perfetto(path):
    out = subprocess.run(["node", IMPORT, path], stdout=subprocess.PIPE, check=True).stdout
    answer = json.loads(out)
    return answer["cpu_ms"], answer["slices"], answer["peak_kib"]


def measure(name, size, read, *args):
    ms, slices, kib = min(read(*args) for _ in range(RUNS))
    print("%-8s  %8.0f ms  %6.1f MB/s  %9d slices  %7.0f MiB" %
          (name, ms, size / ms / 1000, slices, kib / 1024))
    return ms


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fxt")
    parser.add_argument("--events", type=int, default=2000000)
    parser.add_argument("--only-fxt", action="store_true")
    parser.add_argument("--keep")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        path = options.keep or os.path.join(work, "bench.fxt")
        with open(path, "wb", 1 << 20) as file:
            file.writelines(head())
            file.writelines(events(options.events))
        size = os.path.getsize(path)
        print("%d bytes" % size)
        least = measure("fxt", size, ours, options.fxt, path)
        if not options.only_fxt:
            print("ratio %.1f" % (measure("Perfetto", size, perfetto, path) / least))


if __name__ == "__main__":
    sys.exit(main())
