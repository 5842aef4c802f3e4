#!/usr/bin/env python3
"""Perfetto makes the same slices, counters, flows and threads of a trace as FXT and as the Chrome
JSON of `fxt json`: of the demo's trace and of all valid vectors, but for what departures.tsv lists.

Usage: agreement_test.py [--short] FACTS FXT DEMO DEPARTURES CORPUS_FILE...
  --short   the first vector of each line of departures.tsv, without the demo's trace
"""
import fnmatch
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

import agreement


def skipped(facts):
    """Why the test cannot run, or None. Node.js looks for the engine beside the real file."""
    engine = os.path.join(os.path.dirname(os.path.realpath(facts)), "engine/trace_processor.wasm")
    if not shutil.which("node"):
        return "there is no node"
    if not os.path.exists(engine):
        return "conformance/readers install has not been run"
    return None


def demo_trace(demo, fxt):
    """With a tick of 1 ns: Perfetto applies another rate by a quotient that is not exact."""
    with tempfile.TemporaryDirectory() as work:
        environment = dict(os.environ, FXT_TRACE_DIR=os.path.join(work, "sockets"))
        path = os.path.join(work, "demo.fxt")
        tree = os.path.join(work, "tree")
        os.makedirs(tree)
        for i in range(20):
            with open(os.path.join(tree, "f%d" % i), "wb") as f:
                f.write(b"text that compresses well\n" * (i * i))
        subprocess.run([demo, "-o", path, tree], env=environment, check=True,
                       stdout=subprocess.DEVNULL)
        text = subprocess.run([fxt, "dump", "--asm", path], stdout=subprocess.PIPE, check=True).stdout
    text = re.sub(rb"ticks_per_second=\d+", b"ticks_per_second=1000000000", text)
    return subprocess.run([fxt, "asm", "-"], input=text, stdout=subprocess.PIPE, check=True).stdout


def valid_vectors(corpus):
    for path in corpus:
        with open(path, encoding="utf-8") as f:
            for vector in json.load(f):
                if vector["grade"] == "valid" and "events" in vector:
                    yield vector["id"], bytes.fromhex(vector["bytes"])


def ask(facts, pieces):
    """The answers of one process, which takes a moment to start."""
    fed = b"".join(struct.pack("<I", len(piece)) + piece for piece in pieces)
    out = subprocess.run(["node", facts, "--pipe"], input=fed, stdout=subprocess.PIPE,
                         check=True).stdout
    at = 0
    for _ in pieces:
        length = struct.unpack_from("<I", out, at + 4)[0]
        yield json.loads(out[at + 8:at + 8 + length].decode("utf-8"))
        at += 8 + length


def departures(path):
    """[(pattern of vectors, part)]"""
    with open(path, encoding="utf-8") as f:
        return [tuple(line.split("\t")[:2]) for line in f if not line.startswith("#")]


def first_of_each(known, vectors):
    """The vectors that the patterns match first."""
    firsts = {next((name for name, _ in vectors if fnmatch.fnmatchcase(name, pattern)), None)
              for pattern, _ in known}
    return [vector for vector in vectors if vector[0] in firsts]


def show(name, part, sides):
    print("%s: %s differ, and departures.tsv does not say so" % (name, part))
    for what, items in zip(("FXT", "JSON"), sides):
        for item in items if isinstance(items, list) else [items]:
            print("    only of %s: %.300s" % (what, item))


def main(short, facts, fxt, demo, listed, *corpus):
    reason = skipped(facts)
    if reason:
        print("SKIP: " + reason)
        return 0
    known = departures(listed)
    vectors = list(valid_vectors(corpus))
    traces = first_of_each(known, vectors) if short else [("demo", demo_trace(demo, fxt))] + vectors
    pieces = []
    for _, trace in traces:
        # Suspicious is not damaged: the exit code is that of other things.
        chrome = subprocess.run([fxt, "json", "--absolute-times", "-"], input=trace,
                                stdout=subprocess.PIPE).stdout
        pieces += [trace, chrome]
    answers = list(ask(facts, pieces))
    found = {}
    for (name, _), of_fxt, of_json in zip(traces, answers[::2], answers[1::2]):
        for part, sides in agreement.differences(of_fxt, of_json).items():
            found[name, part] = sides
    wrong = 0
    for name, part in found:
        if not any(part == which and fnmatch.fnmatchcase(name, pattern)
                   for pattern, which in known):
            show(name, part, found[name, part])
            wrong += 1
    for pattern, part in known:
        if not any(part == other and fnmatch.fnmatchcase(name, pattern) for name, other in found):
            print("%s: %s agree: remove the line of departures.tsv" % (pattern, part))
            wrong += 1
    print("%d traces, %d departures" % (len(traces), len(found)))
    return wrong > 0 or not answers[0]["slices"]


if __name__ == "__main__":
    SHORT = "--short" in sys.argv
    sys.exit(main(SHORT, *(os.path.abspath(path) for path in sys.argv[1 + SHORT:])))
