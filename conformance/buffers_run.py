#!/usr/bin/env python3
"""Runs a program that takes records out of images of trace buffers over corpus/buffers.json: level
salvage of schema/buffers.md.

usage: buffers_run.py [-v] [--seconds=N] [--keep-going] 'PROGRAM {file}' [KNOWN]

N: the time that a program has, 60 unless given. --keep-going: run all even if the first 20 vectors
crash or hang. KNOWN: a list of vectors that have to fail

{file} is the image. FXT is expected on standard output. The last line is the count. The exit code
is 1 if a vector failed or the run was interrupted, 2 if the command line is wrong, 3 if the output
cannot be written. Example: buffers_run.py 'fxt salvage {file} -o -'
"""
import os
import shlex
import sys

import manager_json
import model
from runner import corpus
from runner.children import look_for, said
from runner.plain import (DIFFERS, FAILED, GARBAGE, PASSED, STATUSES, UNSUPPORTED, Trouble, Usage,
                          look_at_seconds, printable, why)
from runner.results import Expectation, Result, counted
from runner.running import Parser, begin, exit_code, main, run_all, tell_interrupt

MUST_FAIL = "|".join(status for status in STATUSES if status not in (PASSED, UNSUPPORTED))
AT_ONCE = 4         # programs
OUT_BASE = 1 << 20  # bytes of output, and 2 for each one of the image


def load():
    return [vector for vector in corpus.load(corpus.of_suite(manager_json.HERE), own=False)
            if vector.get("level") == "salvage"]


def load_known(path, vectors):
    """A list such as buffers_known.tsv: vectors that have to fail, and why."""
    try:
        with open(path, encoding="utf-8") as f:
            lines = [line.strip().split("\t") for line in f if line.strip()]
    except (OSError, ValueError) as error:
        raise Usage("cannot read %s: %s" % (printable(path, 400), why(error)))
    ids = {vector["id"] for vector in vectors}
    for name, *_ in lines:
        if name not in ids:
            raise Usage("%s: there is no vector %s" % (printable(path, 400), printable(name)))
    return {name: Expectation(printable(path, 400), " ".join([name, MUST_FAIL] + (reason or ["known"])))
            for name, *reason in lines}


def records_of(trace):
    """(hex of the records that are not metadata, whether the trace can be framed)"""
    records = []
    for item in model.read(trace):
        if isinstance(item, tuple):
            return records, False
        if item.type != 0:
            records.append(item.raw.hex())
    return records, True


def run_one(result, transport, _):
    vector = result.vector
    image = manager_json.expand(vector["size"], vector["pieces"])
    try:
        answer = transport.ask(vector["id"] + ".buffer", image, OUT_BASE + 2 * len(image))
        result.text = compare(vector, answer) or ""
    except Trouble as trouble:
        result.status, result.text = trouble.status, str(trouble)
        return
    unspecified = vector["grade"] == "unspecified"
    result.status = PASSED if not result.text else DIFFERS if unspecified else FAILED
    if result.text and not answer.out:
        result.silent = result.text + said(answer.err)


def compare(vector, answer):
    """What is wrong; None when nothing is. Trouble where no grade excuses it."""
    code = answer.code
    records, framed = records_of(answer.out)
    if not framed:
        raise Trouble(GARBAGE, "what it writes is no trace")
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


def arguments(words):
    parser = Parser(prog="buffers_run.py", usage=__doc__.split("usage: ")[1].split("\n")[0])
    parser.add_argument("-v", action="store_true", dest="all")
    parser.add_argument("--seconds", type=float, default=60, dest="timeout")
    parser.add_argument("--keep-going", action="store_true")
    parser.add_argument("program")
    parser.add_argument("known", nargs="?")
    options = parser.parse_args(words)
    look_at_seconds("--seconds", options.timeout)
    try:
        options.command = shlex.split(options.program)
    except ValueError as error:
        raise Usage("%s: %s" % (printable(options.program), error))
    if not any("{file}" in word for word in options.command):
        raise Usage("%s has no {file}: put it where the path of the image belongs" % printable(
            options.program))
    look_for("the program", options.command[0])
    options.pipe, options.prefork, options.jobs = False, False, AT_ONCE
    begin(options)
    return options


def score(words):
    options = arguments(words)
    vectors = load()
    known = load_known(options.known, vectors) if options.known else {}
    results = [Result(vector) for vector in vectors]
    for result in results:
        result.expectation = known.get(result.vector["id"])
    run_all(results, run_one, options)
    for result in results:
        vector = result.vector
        if result.status and (options.all or result.status != PASSED or not result.as_expected()):
            print("%s: %s%s" % (vector["id"], result.what(), " (known)" if result.is_known() else ""))
        if not result.as_expected():
            print("  %s: %s\n  typical mistake: %s" % (
                vector["tests"], vector["why"], vector["mistake"]))
    tell_interrupt(results, options)
    print(counted(results))
    return exit_code(results, options)


if __name__ == "__main__":
    sys.exit(main("buffers_run.py", score, sys.argv[1:]))
