#!/usr/bin/env python3
"""Ids that were chosen to collide in a hash without a key: no command is slow or leaves anything out."""

import json
import resource
import sys

sys.dont_write_bytecode = True
import testing
from testing import assemble, equal, fxt, word, write

MASK = (1 << 64) - 1
FACTORS = 0x9e3779b97f4a7c15, 0xff51afd7ed558ccd  # of names_hash
BITS = 18
HEAD = """\
magic
initialization ticks_per_second=1000000000
string index=1 value="name"
"""
ASYNC_BEGIN, ASYNC_END, COUNTER, FLOW_BEGIN, FLOW_END = 5, 7, 1, 8, 10


def hash_of(a, b):
    mixed = ((a ^ b >> 32) * FACTORS[0] + b) & MASK
    mixed = ((mixed ^ mixed >> 32) * FACTORS[1]) & MASK
    return mixed ^ mixed >> 29


def colliding(a, count):
    """Values of b for which the low bits of hash_of(a, b) are 0. The high half of b gives the high half of
    what is multiplied last; then the low half of b can have any effect."""
    known = 29 + BITS
    bases = {}
    for high in range(1, 1 << known - 30):
        base = ((a ^ high) * FACTORS[0] + (high << 32)) & MASK
        bases.setdefault(base >> 32 & (1 << known - 32) - 1, (high, base))
    found, i = [], 0
    while len(found) < count:
        i += 1
        product = i * FACTORS[0] >> 20 << BITS & (1 << known) - 1
        product |= product >> 29 & (1 << BITS) - 1
        mixed = product * pow(FACTORS[1], -1, 1 << 64) & MASK
        high, base = bases.get(mixed >> 32 & (1 << known - 32) - 1, (0, 0))
        b = high << 32 | ((mixed ^ base >> 32) - base) & 0xffffffff
        if high and hash_of(a, b) & (1 << BITS) - 1 == 0:
            found.append(b)
    return found


def colliding_first(b, count):
    """Values of a, at most 65536."""
    found = []
    for i in range(1, count + 1):
        mixed = (i << 29 + BITS) * pow(FACTORS[1], -1, 1 << 64) & MASK
        found.append(((mixed ^ mixed >> 32) - b) * pow(FACTORS[0], -1, 1 << 64) & MASK)
    return found


def event(kind, at, process, ident):
    return (word(4 | 5 << 4 | kind << 16 | 1 << 32 | 1 << 48) + word(at) + word(process) + word(1) + word(ident))


def operations(kind_of_track):
    """Async operations of four processes, all of which are open at once; fewer in each than a page has rows."""
    ids = [(process, ident) for process in range(1, 5) for ident in colliding(process | kind_of_track, 200)]
    begins = [event(ASYNC_BEGIN, at, 100 + process, ident) for at, (process, ident) in enumerate(ids)]
    ends = [event(ASYNC_END, 1000 + at, 100 + process, ident) for at, (process, ident) in enumerate(ids)]
    return assemble(HEAD) + b"".join(begins + ends)


def test_async_operations_of_chosen_ids_are_matched():
    result = fxt("report", "--json", data=operations(0))
    equal((result.code, result.err), (0, ""))
    row, = json.loads(result.text)["durations"]
    equal((row["count"], row["min_ns"], row["max_ns"]), (800, 1000, 1000))
    result = fxt("html", data=operations(1 << 28))
    equal((result.code, result.err), (0, ""))


def trace_of(idents):
    """The ids of async operations, flows, counters and threads."""
    size = len(idents)
    data = [assemble(HEAD), word(4 | 4 << 4 | 2 << 16 | 1 << 32 | 1 << 48), word(0), word(100), word(1)]
    for at, ident in enumerate(idents):
        data += [event(ASYNC_BEGIN, at, 100, ident), event(FLOW_BEGIN, at, 100, ident)]
        data += [word(4 | 7 << 4 | COUNTER << 16 | 1 << 20 | 1 << 32 | 1 << 48), word(at), word(100), word(1),
                 word(3 | 2 << 4 | 1 << 16), word(at), word(ident)]
        data += [word(4 | 4 << 4 | 1 << 32 | 1 << 48), word(at), word(100), word(ident)]
    for at, ident in enumerate(idents, size):
        data += [event(ASYNC_END, at, 100, ident), event(FLOW_END, at, 100, ident)]
    data += [word(4 | 4 << 4 | 3 << 16 | 1 << 32 | 1 << 48), word(2 * size), word(100), word(1)]
    return b"".join(data)


COMMANDS = [
    ["check"], ["stat"], ["report"], ["report", "--folded"], ["report", "--flamegraph"], ["html"], ["json"],
    ["dump"], ["sql", "FILE", "select count(*) from slice"], ["filter", "--name=name"], ["cut", "--from=1"],
    ["merge", "FILE", "FILE"], ["diff", "FILE", "FILE"], ["export", "--output=tables", "FILE"],
    ["export", "--format=folded"], ["export", "--format=speedscope"],
]


def seconds(command, file):
    """Of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [file if word == "FILE" else word for word in command]
    result = fxt(*words, *([] if "FILE" in command else [file]))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    equal(result.code, int(command == ["html"]), (words, result))  # a track has no rows for all of them
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_chosen_ids_are_as_fast_as_others():
    """Before an id, a process is a number, which is another one in html; behind it, it is a koid."""
    chosen = colliding(1, 20000) + colliding(1 | 1 << 28, 20000) + colliding_first(100, 16000)
    write("chosen.fxt", trace_of(chosen))
    write("others.fxt", trace_of(range(1, len(chosen) + 1)))
    for command in COMMANDS:
        others, chosen = seconds(command, "others.fxt"), seconds(command, "chosen.fxt")
        assert chosen < 2 * others + 0.5, (command, others, chosen)


testing.main(globals())
