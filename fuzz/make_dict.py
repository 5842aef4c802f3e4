#!/usr/bin/env python3
"""Makes fuzz/dict from spec/layout.tbl: the headers of the shortest records and arguments of each
kind, and values at which things change. dict_test compares the file with what this prints.

usage: make_dict.py LAYOUT > fuzz/dict
"""
import os
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import command  # noqa: E402

# What the table cannot say: the words of other sizes that kinds need, and bytes of streams.
VALUES = [
    ("magic_swapped", struct.pack(">Q", 0x0016547846040010)),
    ("one", struct.pack("<Q", 1)),
    ("all", b"\xff" * 8),
    ("top", struct.pack("<Q", 1 << 63)),
    ("nan", struct.pack("<Q", 0x7ff8 << 48)),
    ("ref_inline_8", struct.pack("<H", 0x8008)),
    ("ref_empty", struct.pack("<H", 0x8000)),
    ("ref_last", struct.pack("<H", 0x7fff)),
    ("utf8", b"\xf0\x9f\x98\x80"),
    ("surrogate", b"\xed\xa0\x80"),
    ("overlong", b"\xc0\x80"),
]

# Fields that select what follows: one word for each value.
SELECT = ("metadata_type", "event_type", "scheduling_type", "profiler_type", "large_type",
          "blob_format", "trace_info_type")
COMMON = ("record", "metadata", "trace_info", "scheduling", "profiler", "large")  # of several kinds
REFS = ("thread", "category", "name", "process", "index", "outgoing_thread", "incoming_thread")
STREAMS = ("length", "name_length", "payload_size", "frame_count")
ARG_WORDS = {"arg": (1, 2), "arg_plain": (0, 3, 4, 5, 7, 8)}  # types of a table of several


def load(path):
    """{word: [(field, lo, least, most)]}, in the order of the table."""
    words = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            cells = line.split("#")[0].split()
            if cells:
                least, _, most = cells[4].lstrip("=").partition("..")
                words.setdefault(cells[0], []).append(
                    (cells[3], int(cells[1]), int(least), int(most or least)))
    return words


def header(fields, **given):
    """Registered refs, least sizes, zeros, but for what is given."""
    word = 0
    for field, lo, least, most in fields:
        word |= given.get(field, max(least, 1 if field in REFS else 0)) << lo
    return struct.pack("<Q", word)


def variants(name, fields):
    """(name, word) of each value of the fields that select."""
    for field, _, least, most in fields:
        if field in SELECT and least != most:
            for value in range(least, most + 1):
                yield "%s_%d" % (name, value), {field: value}
            return
        if field == "type" and name in ARG_WORDS:
            for value in ARG_WORDS[name]:
                yield "%s_%d" % (name, value), {field: value}
            return
    yield name, {}


def entries(words):
    for word, fields in words.items():
        kind = word.partition(".")[0]
        if not word.endswith(".header") or kind in COMMON:
            continue
        size = [least for field, _, least, _ in fields if field == "size"][0]
        most = [most for field, _, _, most in fields if field == "size"][0]
        streams = {field: 1 for field, *_ in fields if field in STREAMS}
        counted = [field for field, *_ in fields if field == "arg_count"]
        for name, given in variants(kind, fields):
            yield name, header(fields, **given)
            if most > size:
                yield name + "_longer", header(fields, size=size + 1, **given)
            if streams:
                yield name + "_stream", header(fields, size=size + len(streams), **streams, **given)
            if counted:
                yield name + "_arg", header(fields, size=size + 1, arg_count=1, **given)
            if most > size and "thread" in [field for field, *_ in fields]:
                yield name + "_inline", header(fields, size=size + 2, thread=0, **given)
    large = words["large.header"]
    yield "large_huge", header(large, type=15, size=(1 << 32) - 1)
    yield "unknown", header(words["record.header"], type=11)
    yield "arg_unknown", header(words["arg.header"], type=11)


def main(layout):
    try:
        words = list(entries(load(layout))) + VALUES  # before anything is printed
    except (LookupError, ValueError):
        raise ValueError("%s: this is no table of bit fields" % layout)
    print("# Made by make_dict.py from spec/layout.tbl.")
    print("# libFuzzer: -dict=fuzz/dict; AFL++: -x fuzz/dict")
    seen = set()
    for name, word in words:
        if word not in seen:
            print('%s="%s"' % (name, "".join("\\x%02x" % byte for byte in word)))
        seen.add(word)


if __name__ == "__main__":
    sys.exit(command.run(__doc__, main, [1]))
