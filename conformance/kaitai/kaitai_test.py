#!/usr/bin/env python3
"""What the generated parser of spec/fxt.ksy delivers is what the corpus says: level events of every
vector, and level records, which has the rule and the offset of all that is refused.

Usage: kaitai_test.py ADAPTER CORPUS_FILE...
"""
import json
import os
import shutil
import struct
import subprocess
import sys

SHOWN = 10


def skipped(adapter):
    """Why the test cannot run, or None. Node.js looks for packages beside the real file."""
    packages = os.path.join(os.path.dirname(os.path.realpath(adapter)), "../node_modules")
    if not shutil.which("node"):
        return "there is no node"
    if not os.path.isdir(os.path.join(packages, "kaitai-struct-compiler")):
        return "conformance/readers install has not been run"
    return None


def answers(command, vectors):
    """What one process of that command prints for each of the vectors."""
    traces = [bytes.fromhex(vector["bytes"]) for vector in vectors]
    fed = b"".join(struct.pack("<I", len(trace)) + trace for trace in traces)
    out = subprocess.run(command, input=fed, stdout=subprocess.PIPE, check=True).stdout
    at = 0
    for _ in vectors:
        length = struct.unpack_from("<I", out, at + 4)[0]
        yield out[at + 8:at + 8 + length].decode("utf-8").split("\n")[:-1]
        at += 8 + length
    assert at == len(out)


def plain(value):
    """A value that equals another only if type and bits do."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, float):
        return ("double", struct.pack("<d", value))
    return (type(value).__name__, value)


def same_event(got, want):
    """More keys than expected are no difference, except in args. A double that is a whole number
    may look like an integer."""
    if set(want) - set(got):
        return False
    got = {key: got[key] for key in want}
    if set(got.get("args", {})) != set(want.get("args", {})):
        return False
    for name, value in want.get("args", {}).items():
        if isinstance(value, float) and isinstance(got["args"][name], int):
            got["args"][name] = float(got["args"][name])
    return plain(got) == plain(want)


def first_difference(got, want, same):
    for i in range(max(len(got), len(want))):
        if i >= min(len(got), len(want)) or not same(got[i], want[i]):
            pair = [lines[i] if i < len(lines) else "nothing" for lines in (got, want)]
            return "line %d: %.300s\n    expected: %.300s" % (i + 1, *pair)
    return None


def same_line(got, want):
    return got == json.dumps(want, separators=(",", ":"), ensure_ascii=False)


def check(adapter, vectors):
    different = 0
    for level, same in (("records", same_line), ("events", same_event)):
        command = ["node", adapter, "--level=" + level, "--pipe"]
        for vector, lines in zip(vectors, answers(command, vectors)):
            got = lines if level == "records" else [json.loads(line) for line in lines]
            difference = first_difference(got, vector[level], same)
            if difference:
                different += 1
                if different <= SHOWN:
                    print("%s: %s: %s" % (vector["id"], level, difference))
    return different


def main(adapter, *corpus):
    reason = skipped(adapter)
    if reason:
        print("SKIP: " + reason)
        return 0
    vectors = []
    for path in corpus:
        with open(path, encoding="utf-8") as f:
            vectors += [vector for vector in json.load(f) if "records" in vector]
    different = check(adapter, vectors)
    print("%d vectors, %d differences" % (len(vectors), different))
    return different > 0 or not vectors


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
