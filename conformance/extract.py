#!/usr/bin/env python3
"""Writes the corpus as files.

usage: extract.py DIR          each vector as AREA/NAME.fxt, .fxta, .records.jsonl, .events.jsonl,
                               and all of them in manifest.json: their other keys, and `files`
       extract.py --pack FILE  all of them in one file, for vectors_test.c, which describes it
"""
import json
import os
import sys

import model
import vectors

ENDINGS = (".fxt", ".fxta", ".records.jsonl", ".events.jsonl")


def contents(vector):
    """The bytes of each file, in the order of ENDINGS."""
    source = "".join(line + "\n" for line in vector["source"]).encode("utf-8")
    return (bytes.fromhex(vector["bytes"]), source, model.json_lines(vector["records"]),
            model.json_lines(vector["events"]))


def entry(vector):
    keep = {key: value for key, value in vector.items()
            if key not in ("bytes", "source", "records", "events")}
    keep["files"] = [vector["id"] + ending for ending in ENDINGS]
    return keep


def extract(directory):
    everything = vectors.load()
    for vector in everything:
        stem = os.path.join(directory, vector["id"])
        os.makedirs(os.path.dirname(stem), exist_ok=True)
        for ending, data in zip(ENDINGS, contents(vector)):
            with open(stem + ending, "wb") as f:
                f.write(data)
    with open(os.path.join(directory, "manifest.json"), "w", encoding="utf-8") as f:
        lines = [model.json_line(entry(vector)) for vector in everything]
        f.write("[\n" + ",\n".join(lines) + "\n]\n")


def pack(path):
    with open(path, "wb") as f:
        for vector in vectors.load():
            trace, source, records, _ = contents(vector)
            findings = [(edition, finding) for edition in vectors.EDITIONS
                        for finding in vector["findings"][edition]]
            f.write(b"%s %d %d %d %d %d\n" % (vector["id"].encode(), vector["canonical"],
                                              len(findings), len(trace), len(source), len(records)))
            for edition, finding in findings:
                f.write(("%s %s %d\n" % (edition, finding["rule"], finding["offset"])).encode())
            f.write(trace + source + records)


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--pack":
        pack(sys.argv[2])
    elif len(sys.argv) == 2 and not sys.argv[1].startswith("-"):
        extract(sys.argv[1])
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
