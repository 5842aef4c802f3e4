#!/usr/bin/env python3
"""Packs inputs for fuzzers into one archive. Each is a file: raw/NAME has the bytes, go/NAME has
them in the form of `go test -fuzz`. Of equal inputs only one is packed. Equal inputs give equal
bytes.

usage: make_corpus.py OUT.tar.gz FILE...    FILE: an input, JSON of conformance/corpus, or an archive
                                            of fuzz/kept; .md and .fxta are left out
"""
import gzip
import io
import itertools
import json
import os
import sys
import tarfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import command  # noqa: E402
import kept  # noqa: E402


def vectors(path):
    try:
        with open(path, encoding="utf-8") as f:
            return [(vector["id"].replace("/", "-") + ".fxt", bytes.fromhex(vector["bytes"]))
                    for vector in json.load(f) if "events" in vector]
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise kept.Error("%s: no vectors: %s" % (path, error))


def inputs(paths):
    """Names and bytes: the shortest name of each; with a number, if others have that name."""
    found = {}
    for path in paths:
        base = os.path.basename(path)
        if path.endswith((".md", ".fxta")):
            named = []
        elif path.endswith(".json"):
            named = vectors(path)
        elif path.endswith(".zip"):
            suffix = "." + base[:-len(".zip")]
            named = [(kept.name_of(data) + suffix, data) for data in kept.read(path)]
        else:
            with open(path, "rb") as f:
                named = [(base, f.read())]
        for name, data in named:
            found[data] = min(found.get(data, name), name, key=lambda name: (len(name), name))
    if not found:
        raise kept.Error("there is no input to pack")
    unique = {}
    for name, data in sorted((name, data) for data, name in found.items()):
        stem, dot, end = name.rpartition(".")
        numbered = itertools.chain([name], ("%s-%d%s" % (stem or end, i, dot + end if stem else "")
                                            for i in itertools.count(2)))
        unique[next(name for name in numbered if name not in unique)] = data
    return sorted(unique.items())


def for_go(data):
    literal = b"".join(b"\\x%02x" % byte for byte in data)
    return b'go test fuzz v1\n[]byte("' + literal + b'")\n'


def main(out, *paths):
    packed_inputs = inputs(paths)
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for folder, form in (("raw", bytes), ("go", for_go)):
            for name, data in packed_inputs:
                info = tarfile.TarInfo("fxt-corpus/%s/%s" % (folder, name))
                info.size = len(form(data))
                info.mode = 0o644
                try:
                    archive.addfile(info, io.BytesIO(form(data)))
                except ValueError as error:
                    raise kept.Error("%s: %s" % (name, error))
    with kept.replacing(out) as f, gzip.GzipFile("", "wb", 9, f, mtime=0) as packed:
        packed.write(raw.getvalue())


if __name__ == "__main__":
    sys.exit(command.run(__doc__, main, range(2, sys.maxsize)))
