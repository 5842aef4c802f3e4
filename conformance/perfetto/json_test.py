#!/usr/bin/env python3
"""Perfetto makes of `fxt json` the slices that spec/meaning.md says, where events of a thread have one
time. Its times may be later by the nanoseconds that the JSON needs to keep events in their order.

Usage: json_test.py QUERIES FXT
"""
import json
import os
import random
import subprocess
import sys

from agreement_test import skipped
from sql_test import perfetto

HEAD = """magic
initialization ticks_per_second=%d
kernel_object object_type=process koid=100 name="p"
kernel_object object_type=thread koid=101 name="t" { "process" koid 100 }
thread index=1 process=100 thread=101
event duration_complete timestamp=%d thread=100/7 category="c" name="other" end=%d
"""
QUERY = """select s.ts, s.dur, s.name, p.name as parent from slice s
left join slice p on p.id = s.parent_id where s.name <> 'other'"""
DAY = 86400 * 10**9
WALL = 1790000000123456789


def begin(time, name):
    return f'event duration_begin timestamp={time} thread=@1 category="c" name="{name}"\n'


def end(time):
    return f'event duration_end timestamp={time} thread=@1 category="c" name=""\n'


def complete(time, name, last):
    return f'event duration_complete timestamp={time} thread=@1 category="c" name="{name}" end={last}\n'


# What is recorded, and (begin, duration, name, parent) of each slice.
CASES = [
    (begin(5, "a") + end(5) + begin(7, "b") + end(9), [(5, 1, "a", None), (7, 2, "b", None)]),
    (begin(5, "frame") + complete(7, "lock", 7) + complete(9, "lock", 9) + end(9) + begin(12, "next") + end(15),
     [(5, 5, "frame", None), (7, 0, "lock", "frame"), (9, 0, "lock", "frame"), (12, 3, "next", None)]),
    (complete(1, "P", 9) + begin(5, "C") + complete(5, "zero", 5) + end(5),
     [(1, 8, "P", None), (5, 1, "C", "P"), (5, 0, "zero", "C")]),
    (begin(5, "a") + complete(5, "x", 7) + end(20), [(5, 15, "a", None), (6, 1, "x", "a")]),
    (begin(5, "a") + end(9) + complete(9, "x", 9) + begin(9, "b") + end(11),
     [(5, 4, "a", None), (9, 0, "x", None), (9, 2, "b", None)]),
    (complete(5, "in", 9) + complete(5, "out", 9), [(5, 4, "in", "out"), (5, 5, "out", None)]),
    (begin(1, "a") + complete(5, "x", 5) + end(5) + begin(6, "y") + end(7) + complete(5, "late", 9),
     [(1, 5, "a", None), (5, 0, "x", "a"), (6, 1, "y", "late"), (6, 3, "late", None)]),
    (begin(WALL, "a") + end(WALL + 7) + complete(WALL - DAY, "b", WALL - DAY + 7),
     [(WALL, 7, "a", None), (WALL - DAY, 7, "b", None)]),
]


def drawn(rng):
    """What a thread records that writes some scopes as begin and end and some when they end."""
    time, lines, stack, count = 5, [], [], rng.randrange(6, 16)
    while count > 0 or stack:
        count -= 1
        time += rng.choice([0, 0, 0, 1, 1, 2, 40])
        if count > 0 and len(stack) < 6 and rng.random() < 0.5:
            is_complete, name = rng.random() < 0.5, "s%d" % len(lines)
            lines.append("" if is_complete else begin(time, name))
            stack.append((is_complete, name, time))
        elif stack:
            is_complete, name, since = stack.pop()
            lines.append(complete(since, name, time) if is_complete else end(time))
    return "".join(lines)


def assemble(fxt, text, ticks=10**9):
    first = WALL if str(WALL) in text else 0
    text = HEAD % (ticks, first, first + 1) + text
    return subprocess.run([fxt, "asm", "-"], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout


def converted(fxt, trace):
    return subprocess.run([fxt, "json", "-"], input=trace, stdout=subprocess.PIPE, check=True,
                          stderr=subprocess.DEVNULL).stdout


def wrong_cases(queries, fxt):
    pieces = [converted(fxt, assemble(fxt, text)) for text, _ in CASES]
    for (text, expected), piece, (rows,) in zip(CASES, pieces, perfetto(queries, [("", QUERY)], pieces)):
        base = int(json.loads(piece)["otherData"]["base_ns"])
        found = [(base + row["ts"], row["dur"], row["name"], row["parent"]) for row in rows]
        if sorted(found, key=str) != sorted(expected, key=str):
            yield "%s   expected %s\n   found    %s" % (text, expected, found)


def wrong_draws(queries, fxt):
    rng = random.Random(11)
    traces = [assemble(fxt, drawn(rng)) for _ in range(100)]
    answers = perfetto(queries, [("", QUERY)], [converted(fxt, trace) for trace in traces])
    slices = others = 0
    for trace, (rows,) in zip(traces, answers):
        text = subprocess.run([fxt, "sql", "--json", "-", QUERY], input=trace, stdout=subprocess.PIPE, check=True).stdout
        expected = {row["name"]: row for row in map(json.loads, text.splitlines())}
        found = {row["name"]: row for row in rows}
        slices += len(expected)
        others += sum(row["parent"] != expected[name]["parent"] for name, row in found.items() if name in expected)
        if set(found) != set(expected):
            yield "missing: %s" % (set(found) ^ set(expected))
        for name in set(found) & set(expected):
            if not abs(found[name]["dur"] - expected[name]["dur"]) <= len(expected) or found[name]["dur"] < 0:
                yield "%s lasts %d ns, not %d" % (name, found[name]["dur"], expected[name]["dur"])
    print("%d slices, of which %d have another parent" % (slices, others))
    if others > slices / 10:
        yield "too many slices have another parent"


def main(queries, fxt):
    reason = skipped(queries)
    if reason:
        print("SKIP: " + reason)
        return 0
    wrong = list(wrong_cases(queries, fxt)) + list(wrong_draws(queries, fxt))
    print("\n".join(wrong))
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main(*(os.path.abspath(path) for path in sys.argv[1:])))
