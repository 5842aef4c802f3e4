#!/usr/bin/env python3
"""fxt fmt: traces rewritten in canonical form, and what becomes of large records."""

import gzip
import json
import random
import sys

sys.dont_write_bytecode = True
import testing
from testing import EVENT, GOOD, HEAD, assemble, equal, fxt, word, write

PAYLOAD = random.Random(1).randbytes(100000)
LARGE = ('large_blob blob_format=0 category=@1 name="file" timestamp=35 thread=@1 payload=x"%s" '
         '{ "n" int32 7 }\n' % PAYLOAD.hex())
BARE = 'large_blob blob_format=1 category=@1 name="file" payload=x"%s"\n' % PAYLOAD[:50000].hex()


def records(trace):
    return [json.loads(line) for line in fxt("dump", "--json", data=trace).lines()]


def sizes(trace):
    """(type, words) of each record, as a reader of 2020 frames them: by 12 bits."""
    found, at = [], 0
    while at < len(trace):
        header = int.from_bytes(trace[at:at + 8], "little")
        found.append((header & 15, header >> 4 & 4095))
        at += 8 * (header >> 4 & 4095)
        assert header >> 4 & 4095 > 0, at
    equal(at, len(trace))
    return found


def test_a_canonical_trace_stays_as_it_is():
    trace = assemble(GOOD + LARGE)
    result = fxt("fmt", data=trace)
    equal((result.code, result.err), (0, ""))
    equal(result.out, trace)
    equal(fxt("fmt", data=gzip.compress(trace)).out, trace)
    equal(fxt("fmt", "--large=keep", data=trace).out, trace)


def test_a_trace_becomes_canonical():
    trace = bytearray(assemble(GOOD))
    at = trace.index(b"name")
    trace[at + 5] = 1  # padding
    trace[8 + 7] = 0x80  # reserved bits
    equal(fxt("check", "--rule=CAN-01", data=bytes(trace)).code, 1)
    result = fxt("fmt", data=bytes(trace))
    equal((result.code, result.err), (0, ""))
    equal(result.out, assemble(GOOD))


def test_unknown_records_are_copied():
    trace = assemble(GOOD) + word(0x2E) + word(77)
    result = fxt("fmt", data=trace)
    equal((result.code, result.out), (0, trace))
    assert ": 1 records copied unchanged" in result.err, result


def test_what_is_malformed_is_left_out_and_reported():
    trace = assemble(HEAD) + word(0x14) + word(0) + assemble(EVENT % 7)
    result = fxt("fmt", data=trace)
    equal((result.code, result.out), (1, assemble(HEAD + EVENT % 7)))
    equal([line.split(": ")[2] for line in result.err.splitlines()], ["EVT-01", "REC-09"])
    result = fxt("fmt", data=assemble(HEAD) + bytes(80) + assemble(EVENT % 7) + bytes(8))
    equal((result.code, result.out), (1, assemble(HEAD + EVENT % 7)))
    equal(len(result.err.splitlines()), 2, "a hole is one finding")
    result = fxt("fmt", data=assemble(GOOD)[:-8])
    equal(result.code, 1)
    assert "REC-03" in result.err, result
    write("out.fxt", b"as before")
    equal(fxt("fmt", "missing.fxt", "-o", "out.fxt").code, 3)
    equal(open("out.fxt", "rb").read(), b"as before")
    equal(fxt("fmt", "--large=cut").code, 2)


def test_large_records_are_left_out():
    result = fxt("fmt", "--large=drop", data=assemble(GOOD + LARGE + BARE))
    equal((result.code, result.out), (0, assemble(GOOD)))
    equal(result.err, "<stdin>: 2 large records left out\n")
    result = fxt("fmt", "--large=drop", "--max-record=32K", data=assemble(GOOD + LARGE + BARE))
    equal((result.code, result.out), (0, assemble(GOOD)), "also those that are not kept in memory")
    result = fxt("fmt", "--max-record=32K", data=assemble(GOOD + LARGE))
    equal((result.code, result.out), (1, assemble(GOOD)))
    assert "LIM-02" in result.err, result


def test_large_blobs_become_blob_records_that_every_reader_can_skip():
    trace = assemble(GOOD + LARGE + BARE + EVENT % 40)
    result = fxt("fmt", "--large=blobs", data=trace)
    equal(result.code, 0)
    equal(result.err, "<stdin>: 2 large blobs cut into 6 blob records\n")
    assert all(kind != 15 for kind, _ in sizes(result.out)), "no large record is left"
    checked = fxt("check", "--canonical", "--edition=2020", data=result.out)
    equal((checked.code, checked.text), (0, ""))
    payloads = {}
    for record in records(result.out):
        if record["record"] == "blob":
            payload = payloads.setdefault(record["name"]["value"], bytearray())
            payload.extend(bytes.fromhex(record["payload"]))
    equal({name: bytes(payload) for name, payload in payloads.items()},
          {"category/file#1": PAYLOAD, "category/file#2": PAYLOAD[:50000]})
    text = fxt("dump", data=result.out).text
    event = [line for line in text.splitlines() if "timestamp=35" in line]
    equal(len(event), 1)
    for part in ("event instant", 'category="category"', 'name="file"', "thread=100/200",
                 '{blob: string "category/file#1", n: int32 7}'):
        assert part in event[0], (part, event)


def test_events_of_large_blobs_keep_what_an_event_can_have():
    """An argument of a type that no writer knows; 15 arguments; names that fill a record."""
    head = 'magic\nprovider_info provider_id=1 name="p"\n'
    unknown = head + """\
word large_blob.header size=15
word large_blob.metadata category=0x8001 name=0x8001 arg_count=3
stream "c"
stream "n"
u64 7 1 2
word arg.header type=1 size=2 name=0x8001 data=5
stream "a"
word arg.header type=12 size=2 name=0x8001 data=5
stream "b"
word arg.header type=1 size=2 name=0x8001 data=6
stream "d"
u64 5
stream "hello"
"""
    full = head + ('large_blob blob_format=0 category="c" name="n" timestamp=7 thread=1/2 payload="x" {%s}\n' %
                   ", ".join('"a%d" int32 %d' % (n, n) for n in range(15)))
    long = head + ('large_blob blob_format=0 category="%s" name="%s" timestamp=7 thread=1/2 payload="x" '
                   '{ "a" int32 1 }\n' % ("c" * 32000, "n" * 32000))
    cut = "<stdin>: 1 large blobs cut into 1 blob records\n"
    for source, args, said in (
            (unknown, '{blob: string "c/n#1", a: int32 5, d: int32 6}',
             "<stdin>: 1 arguments of large blobs left out: an event has no room for them, or their type "
             "is unknown\n"),
            (full, "{" + ", ".join("a%d: int32 %d" % (n, n) for n in range(15)) + "}", ""),
            (long, None,
             "<stdin>: 1 events of large blobs left out: a record has no room for their category and "
             "name\n")):
        result = fxt("fmt", "--large=blobs", data=assemble(source))
        equal((result.code, result.err), (0, cut + said))
        events = [line for line in fxt("dump", data=result.out).text.splitlines() if " event " in line]
        equal([line.endswith(args) for line in events] if args else events, [True] if args else [])


def test_memory_grows_with_the_record_that_is_rewritten():
    trace = bytearray(assemble(GOOD + LARGE))
    at = trace.index(b"file")
    trace[at + 5] = 1  # padding
    result = fxt("fmt", data=bytes(trace))
    equal((result.code, result.out), (0, assemble(GOOD + LARGE)))


testing.main(globals())
