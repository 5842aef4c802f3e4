#!/usr/bin/env python3
"""Runs a program that takes records out of images of trace buffers over corpus/buffers.json: level
salvage of schema/buffers.md.

usage: buffers_run.py [-v] [--seconds=N] 'PROGRAM {file}' [KNOWN]

N: the time that a program has, 60 unless given. KNOWN: a list of vectors that have to fail

{file} is the image. FXT is expected on standard output. The last line is the count. The exit code
is 1 if a vector failed, 2 if the command line is wrong. Example: buffers_run.py 'fxt salvage {file} -o -'
"""
import argparse
import os
import shlex
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

import manager_json
import model
from runner import corpus
from runner.children import PerFile, look_for
from runner.plain import Trouble, Usage, look_at_seconds, printable, why

AT_ONCE = 4         # programs
OUT_BASE = 1 << 20  # bytes of output, and 2 for each one of the image


def load():
    return [vector for vector in corpus.load(os.path.join(manager_json.HERE, "corpus"), own=False)
            if vector.get("level") == "salvage"]


def load_known(path, vectors):
    try:
        with open(path, encoding="utf-8") as f:
            known = {line.split("\t")[0].strip() for line in f if line.strip()}
    except (OSError, ValueError) as error:
        raise Usage("cannot read %s: %s" % (printable(path, 400), why(error)))
    for name in known - {vector["id"] for vector in vectors}:
        raise Usage("%s: there is no vector %s" % (printable(path, 400), printable(name)))
    return known


def records_of(trace):
    """(hex of the records that are not metadata, whether the trace can be framed)"""
    records = []
    for item in model.read(trace):
        if isinstance(item, tuple):
            return records, False
        if item.type != 0:
            records.append(item.raw.hex())
    return records, True


def run(program, number, image):
    """Its answer, or the Trouble with it."""
    try:
        return program.ask("%d.buffer" % number, image, OUT_BASE + 2 * len(image))
    except Trouble as trouble:
        return trouble


def judge(vector, answer):
    """What is wrong; None when nothing is. The first word is `crash` where no grade excuses it."""
    if isinstance(answer, Trouble):
        return "crash: %s" % answer
    code = answer.code
    records, framed = records_of(answer.out)
    if not framed:
        return "crash: what it writes is no trace"
    wanted = vector["expected"]["trace"]
    if wanted is None:
        if records:
            return "takes %d records of a buffer that is invalid" % len(records)
        return None if code else "exit code 0 for a buffer that is invalid"
    if records == wanted:
        return None if code == 0 else "exit code %d" % code
    same = 0
    while same < min(len(records), len(wanted)) and records[same] == wanted[same]:
        same += 1
    return "%d records, %d expected; they differ from number %d on" % (
        len(records), len(wanted), same)


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0])
    parser.add_argument("-v", action="store_true", dest="all")
    parser.add_argument("--seconds", type=float, default=60, dest="timeout")
    parser.add_argument("program")
    parser.add_argument("known", nargs="?")
    given = parser.parse_args()
    look_at_seconds("--seconds", given.timeout)
    try:
        given.command = shlex.split(given.program)
    except ValueError as error:
        raise Usage("%s: %s" % (printable(given.program), error))
    if not any("{file}" in word for word in given.command):
        raise Usage("%s has no {file}: put it where the path of the image belongs" % printable(given.program))
    look_for("the program", given.command[0])
    given.stop = threading.Event()
    return given


def run_all(given, vectors):
    images = [manager_json.expand(vector["size"], vector["pieces"]) for vector in vectors]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(AT_ONCE) as pool:
        program = PerFile(given, folder)
        try:
            return list(pool.map(run, [program] * len(images), range(len(images)), images))
        except KeyboardInterrupt:
            given.stop.set()
            raise


def score():
    given = arguments()
    vectors = load()
    known = load_known(given.known, vectors) if given.known else set()
    counts = {"passed": 0, "failed": 0, "differ": 0, "known": 0}
    for vector, answer in zip(vectors, run_all(given, vectors)):
        wrong = judge(vector, answer)
        outcome = "failed" if wrong else "passed"
        if vector["id"] in known:
            outcome = "known" if wrong else "failed"
            wrong = wrong or "passes, and is listed as known"
        elif wrong and vector["grade"] == "unspecified" and not wrong.startswith("crash"):
            outcome = "differ"
        counts[outcome] += 1
        if wrong or given.all:
            print("%s: %s%s" % (vector["id"], outcome, ": " + wrong if wrong else ""))
        if outcome == "failed" and wrong:
            print("  %s: %s\n  typical mistake: %s"
                  % (vector["tests"], vector["why"], vector["mistake"]))
    print(", ".join("%d %s" % (count, name) for name, count in counts.items()))
    return 1 if counts["failed"] else 0


def main():
    try:
        return score()
    except Usage as error:
        print("buffers_run.py: %s" % error, file=sys.stderr)
    except KeyboardInterrupt:
        print("buffers_run.py: interrupted", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
