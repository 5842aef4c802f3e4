#!/usr/bin/env python3
"""The generated parser of spec/fxt.ksy and libfxtref print the same lines at level records. The
traces are those that nobody wrote by hand: the fuzz seeds, inputs that once broke something,
generated traces, valid ones and such as break a rule, and damaged copies of all of these.

Usage: differential_test.py ADAPTER NATIVE FXT_GEN FILE...    FILE: one of fuzz/
"""
import json
import random
import subprocess
import sys

from kaitai_test import SHOWN, answers, first_difference, plain, skipped

GENERATED = 24
DAMAGED = 2  # copies of each trace
SIZE_MAX = 16384


def generated(fxt_gen):
    """(name, bytes): valid traces of several seeds, and some that break a rule."""
    def run(*options):
        return subprocess.run([fxt_gen, *options], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=True).stdout

    for seed in range(GENERATED):
        yield "generated %d" % seed, run("--seed=%d" % seed, "--records=40")
    for seed in range(GENERATED, 4 * GENERATED):
        yield "invalid %d" % seed, run("--seed=%d" % seed, "--records=12", "--invalid=any")


def damaged(name, trace, chance):
    """Some bytes are other ones, and the end may be missing."""
    copy = bytearray(trace)
    for _ in range(1 + chance.randrange(4)):
        copy[chance.randrange(len(copy))] = chance.randrange(256)
    return "damaged " + name, bytes(copy[:len(copy) - chance.choice((0, 0, 8, 3))])


def traces_of(fxt_gen, paths):
    found = list(generated(fxt_gen))
    for path in paths:
        if path.endswith(".fxt"):
            with open(path, "rb") as f:
                found.append((path, f.read()))
    found = [(name, trace) for name, trace in found if 0 < len(trace) <= SIZE_MAX]
    chance = random.Random(7)
    return found + [damaged(*one, chance) for one in found for _ in range(DAMAGED)]


def same_line(got, want):
    return plain(json.loads(got)) == plain(json.loads(want))


def main(adapter, native, fxt_gen, *paths):
    reason = skipped(adapter)
    if reason:
        print("SKIP: " + reason)
        return 0
    traces = traces_of(fxt_gen, paths)
    vectors = [{"bytes": trace.hex()} for _, trace in traces]
    both = zip(answers(["node", adapter, "--level=records", "--pipe"], vectors),
               answers([native, "records", "--pipe"], vectors))
    different, lines = 0, 0
    for (name, _), (got, want) in zip(traces, both):
        lines += len(want)
        difference = first_difference(got, want, same_line)
        if difference:
            different += 1
            if different <= SHOWN:
                print("%s: %s" % (name, difference))
    print("%d traces, %d lines, %d differences" % (len(traces), lines, different))
    return different > 0 or lines < len(traces)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
