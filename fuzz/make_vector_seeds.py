#!/usr/bin/python3
"""Writes seeds from the vectors of conformance/corpus into the directory that is named: a trace
(vector-*.fxt) for each rule, kept and broken; and buffers (*.buffer), in the form of lib/image.h.

usage: make_vector_seeds.py DIRECTORY
"""
import json
import os
import struct
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
SUITE = os.path.join(os.path.dirname(HERE), "conformance")
sys.path[:0] = [HERE, SUITE]
import command  # noqa: E402
from runner import corpus  # noqa: E402

TRACE_MAX = 320
EVERY = ("STR-05",)  # rules of which each vector breaks something else
HEADER = 128
NEXT_PART, NEXT_CHUNK = b"\x10\0\x0d\0\0\0\0\0", b"\x10\0\x0c\0\0\0\0\0"
RAW, KEPT = 4, 8
STOPPED, DIED, ASKS, FLUSH, ALIVE = 1, 2, 4, 8, 16
STATES = {"stopped": STOPPED, "died": DIED, "running": ALIVE | FLUSH}


def image_of(vector):
    image = bytearray(vector["size"])
    for offset, text in vector["pieces"]:
        piece = bytes.fromhex(text)
        image[offset:offset + len(piece)] = piece
    return bytes(image)


def chunk_bytes(room):
    size = 4096
    while size > 64 and room // size < 8:
        size //= 2
    return size


def stream_of(part, chunk):
    """The words of a part, without zeros at its end and those in front of a chunk."""
    end = (len(part.rstrip(b"\0")) + 7) // 8 * 8
    out, at = b"", 0
    while at < end:
        border = (at // chunk + 1) * chunk if chunk else end + 8
        if border < end and not any(part[at:border]):
            out += NEXT_CHUNK
            at = border
        else:
            out += part[at:at + 8]
            at += 8
    return out


def seed_of(vector):
    image = image_of(vector)
    version, mode, flags, wrapped, _, durable, rolling, *ends = struct.unpack_from(
        "<HBBIQQQQQQ", image, 8)
    dropped, inlined = struct.unpack_from("<QQ", image, 64)
    turn, durable_end = (vector.get("asked") or [(0, 0)])[0]
    state = STATES[vector["provider"]] | (ASKS if "asked" in vector else 0)
    target = bytes([state, vector.get("saved", 0) & 255, 0, turn & 255, durable_end // 8 & 255, 0])
    head = struct.pack("<Q", 0x30)
    if vector["grade"] == "invalid":
        return head + bytes([mode % 3 | RAW]) + bytes(9) + target + image.rstrip(b"\0")
    head += struct.pack("<BBHHHBB", mode | (KEPT if flags & 1 else 0), wrapped & 255,
                        *(end // 8 for end in ends), min(dropped, 255), min(inlined, 255))
    chunk = chunk_bytes(rolling)
    at = HEADER + durable
    parts = [stream_of(image[HEADER:at], 0)] if mode else []
    for _ in range(2 if mode else 1):
        parts.append(stream_of(image[at:at + rolling], chunk))
        at += rolling
    return head + target + NEXT_PART.join(parts)


def write(directory, name, data):
    with open(os.path.join(directory, name), "wb") as f:
        f.write(data)


def write_buffers(directory, vectors):
    seen, rules = set(), set()
    for vector in vectors:
        if vector["level"] == "sizes" or vector["size"] != 4096:
            continue
        if vector["grade"] != "invalid" and image_of(vector)[13:16] != bytes(3):
            continue  # the head of a seed has one byte for the wrapped count
        if vector["grade"] == "invalid":  # one of each rule
            if vector["tests"] in rules:
                continue
            rules.add(vector["tests"])
        seed = seed_of(vector)
        if seed not in seen:
            seen.add(seed)
            write(directory, vector["id"].replace("/", "-") + ".buffer", seed)


def write_traces(directory, vectors, seen):
    for vector in vectors:
        data = bytes.fromhex(vector["bytes"])
        broken = any(f["rule"] == vector["tests"] for f in vector["findings"]["current"])
        key = vector["tests"], broken, vector["id"] if vector["tests"] in EVERY else None
        if len(data) <= TRACE_MAX and key not in seen:
            seen.add(key)
            name = "vector-%s-%s-%s.fxt" % (vector["tests"], "broken" if broken else "kept",
                                            vector["id"].replace("/", "-"))
            write(directory, name, data)


def main(directory):
    seen = set()
    for path in corpus.files_of(corpus.of_suite(SUITE)):
        with open(path) as f:
            vectors = json.load(f)
        if path.endswith("buffers.json"):
            write_buffers(directory, vectors)
        elif not path.endswith("packets.json"):
            write_traces(directory, vectors, seen)


if __name__ == "__main__":
    sys.exit(command.run(__doc__, main, [1]))
