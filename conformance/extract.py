#!/usr/bin/env python3
"""Writes the corpus as files.

usage: extract.py DIR          each vector as AREA/y_NAME.fxt if a program must take it, n_NAME.fxt if it must
                               complain, i_NAME.fxt if it may; .fxta, .records.jsonl and .events.jsonl. Those
                               of level timeline as AREA/NAME.fxt, .fxta and .timeline.jsonl. manifest.json
                               has their other keys, `needs`, `class`, and `files`
       extract.py --pack FILE [CORPUS]
                               all of them in one file, for vectors_test.c, which describes it
"""
import json
import os
import sys
import tempfile

import model
import vectors
from runner.files import write_file
from runner.grades import class_of, letter
from runner.needs import needs_of
from runner.plain import Unwritten, Usage, printable, why
from runner.running import main

LINES = ("records", "events", "timeline")  # of which a vector has some


def contents(vector):
    """{ending of a file: its bytes}"""
    source = "".join(line + "\n" for line in vector["source"]).encode("utf-8")
    return {".fxt": bytes.fromhex(vector["bytes"]), ".fxta": source,
            **{".%s.jsonl" % key: model.json_lines(vector[key]) for key in LINES if key in vector}}


def entry(vector):
    keep = {key: value for key, value in vector.items() if key not in ("bytes", "source") + LINES}
    keep["needs"] = needs_of(vector)
    keep["class"] = class_of(vector, vector.get("level"))
    keep["files"] = [stem(vector) + ending for ending in contents(vector)]
    return keep


def stem(vector):
    """The path of its files, without their endings."""
    if "level" in vector:
        return vector["id"]
    area, name = vector["id"].split("/")
    return "%s/%s_%s" % (area, letter(vector, vectors.RULES), name)


def extract(directory, corpus=None):
    """Into a folder of its own first, so that a full disk leaves no part."""
    try:
        os.makedirs(directory, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="new-", dir=directory) as folder:
            files = write_all(folder, corpus)
            for name in files:
                os.makedirs(os.path.dirname(os.path.join(directory, name)), exist_ok=True)
                os.replace(os.path.join(folder, name), os.path.join(directory, name))
    except OSError as error:
        raise Unwritten("cannot write %s: %s" % (printable(directory, 400), why(error)))


def write_all(folder, corpus):
    """The names of the files."""
    entries = []
    for vector in vectors.load(corpus) + vectors.load_timeline(corpus):
        entries.append(entry(vector))
        for name, data in zip(entries[-1]["files"], contents(vector).values()):
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as f:
                f.write(data)
    with open(os.path.join(folder, "manifest.json"), "w", encoding="utf-8") as f:
        f.write("[\n" + ",\n".join(map(model.json_line, entries)) + "\n]\n")
    return [name for each in entries for name in each["files"]] + ["manifest.json"]


def pack(path, corpus):
    parts = []
    for vector in vectors.load(corpus):
        trace, source, records, _ = contents(vector).values()
        findings = [(edition, finding) for edition in vectors.EDITIONS
                    for finding in vector["findings"][edition]]
        parts.append(b"%s %d %d %d %d %d\n" % (vector["id"].encode(), vector["canonical"],
                                               len(findings), len(trace), len(source), len(records)))
        for edition, finding in findings:
            parts.append(("%s %s %d\n" % (edition, finding["rule"], finding["offset"])).encode())
        parts += [trace, source, records]
    write_file(path, path, b"".join(parts))


def do(words):
    if words in (["-h"], ["--help"]):
        print(__doc__.strip())
    elif len(words) in (2, 3) and words[0] == "--pack":
        pack(*(words[1:] + [None])[:2])
    elif len(words) == 1 and words[0] and not words[0].startswith("-"):
        extract(words[0])
    else:
        raise Usage("DIR or --pack FILE is needed; see extract.py --help")
    return 0


if __name__ == "__main__":
    sys.exit(main("extract.py", do, sys.argv[1:]))
