#!/usr/bin/env python3
"""Runs a program that takes records out of images of trace buffers over corpus/buffers.json: level
salvage of schema/buffers.md.

usage: buffers_run.py [-v] [--seconds=N] 'PROGRAM {file}' [KNOWN]

N: the time that a program has, 60 unless given. KNOWN: a list of vectors that have to fail

{file} is the image. FXT is expected on standard output. The last line is the count. The exit code
is 1 if a vector failed. Example: buffers_run.py 'fxt salvage {file} -o -'
"""
import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import manager_json
import model

AT_ONCE = 4  # programs


def load():
    path = os.path.join(manager_json.HERE, "corpus", "buffers.json")
    with open(path, encoding="utf-8") as f:
        return [vector for vector in json.load(f) if vector["level"] == "salvage"]


def load_known(path):
    with open(path, encoding="utf-8") as f:
        return {line.split("\t")[0] for line in f if line.strip()}


def records_of(trace):
    """(hex of the records that are not metadata, whether the trace can be framed)"""
    records = []
    for item in model.read(trace):
        if isinstance(item, tuple):
            return records, False
        if item.type != 0:
            records.append(item.raw.hex())
    return records, True


def run(command, data, seconds):
    """(exit code or None, output)"""
    with tempfile.NamedTemporaryFile(suffix=".buffer") as f:
        f.write(data)
        f.flush()
        words = [word.replace("{file}", f.name) for word in shlex.split(command)]
        try:
            result = subprocess.run(words, capture_output=True, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            return None, b""
        return result.returncode, result.stdout


def judge(vector, code, output):
    """What is wrong; None when nothing is. The first word is `crash` where no grade excuses it."""
    if code is None or code < 0:
        return "crash: " + ("no end in time" if code is None else "signal %d" % -code)
    wanted = vector["expected"]["trace"]
    records, framed = records_of(output)
    if not framed:
        return "crash: what it writes is no trace"
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
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("command")
    parser.add_argument("known", nargs="?")
    return parser.parse_args()


def main():
    given = arguments()
    known = load_known(given.known) if given.known else set()
    counts = {"passed": 0, "failed": 0, "differ": 0, "known": 0}
    vectors = load()
    images = [manager_json.expand(vector["size"], vector["pieces"]) for vector in vectors]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        results = list(pool.map(lambda image: run(given.command, image, given.seconds), images))
    for vector, (code, output) in zip(vectors, results):
        wrong = judge(vector, code, output)
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


if __name__ == "__main__":
    sys.exit(main())
