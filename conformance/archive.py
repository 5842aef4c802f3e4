#!/usr/bin/env python3
"""Packs the suite for those who have no checkout. The same files give the same bytes.

usage: archive.py OUT.tar.gz NAME FILE...   FILE as in the repository; all lie below NAME/ in OUT,
                                            those of conformance/ at its top
"""
import gzip
import os
import sys
import tarfile
import tempfile

import extract


def place(path):
    """Where a file of the repository lies in the archive."""
    parts = path.split(os.sep)
    for top in ("conformance", "spec"):
        if top in parts:
            rest = parts[parts.index(top):]
            return "/".join(rest if top == "spec" else rest[1:])
    return parts[-1]


def files_of(folder):
    for directory, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(directory, name)
            yield path, "vectors/" + os.path.relpath(path, folder).replace(os.sep, "/")


def add(archive, path, name):
    with open(path, "rb") as f:
        entry = tarfile.TarInfo(name)
        entry.size = os.path.getsize(path)
        entry.mode = 0o755 if f.read(2) == b"#!" else 0o644
        f.seek(0)
        archive.addfile(entry, f)


def main(out, top, *paths):
    with tempfile.TemporaryDirectory() as folder, open(out, "wb") as raw:
        sums, = (path for path in paths if place(path) == "corpus/SHA256SUMS")
        extract.extract(folder, os.path.dirname(sums))
        files = [(path, place(path)) for path in paths] + list(files_of(folder))
        with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
            with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
                for path, name in sorted(files, key=lambda file: file[1]):
                    add(archive, path, top + "/" + name)


if __name__ == "__main__":
    main(*sys.argv[1:])
