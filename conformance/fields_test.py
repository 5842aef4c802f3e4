#!/usr/bin/env python3
"""Readers that ignore one bit of one field fail a vector. Each field of spec/layout.tbl, bit by bit, is cleared in the
traces before toy.py, which is right, reads them: so it is a reader whose field is too narrow. A field of a ref is two
fields: the index of what is registered, and the length of what is inline."""
import collections
import itertools
import struct
import sys
import unittest

import model
import toy
import vectors
from runner import levels

# Words whose fields several kinds of records have, or of arguments.
SHARED = ("type", "size")
FAMILIES = {0: "metadata.header", 8: "scheduling.header", 10: "profiler.header", 15: "large.header"}
OF_ALL_ARGS = ("type", "size", "name")

# What level events does not deliver.
NOT_DELIVERED = ("legacy_switch.header outgoing_priority", "legacy_switch.header incoming_priority",
                 "provider_event.header", "trace_info.header", "magic.header")

INLINE = 0x8000
INDEX, LENGTH = "index", "length"


def fields_of(word):
    """The fields of its own, but those of one value."""
    left_out = SHARED if not word.startswith("arg") else OF_ALL_ARGS if word != "arg.header" else ()
    return [field for field, (_, _, _, _, constant) in model.LAYOUT[word].items()
            if not constant and field not in left_out]


def header_of(data, offset):
    """(offset, word of the layout, its fields) of any header, also of a record that is cut off."""
    header, = struct.unpack_from("<Q", data, offset)
    family = FAMILIES.get(header & 15)
    yield offset, "large.header" if family == "large.header" else "record.header", SHARED
    if family:
        yield offset, family, fields_of(family)
    if family == "large.header" and header >> 36 & 15 == 0:
        yield offset, "large_blob.header", fields_of("large_blob.header")


def words_of(record):
    """The same of the other words of a record, and of its arguments."""
    if record.kind and record.kind != "large_blob":
        yield record.offset, record.kind + ".header", fields_of(record.kind + ".header")
    if record.kind == "large_blob" and len(record.words) > 1:
        name = "metadata" if record.words[0] >> 40 & 15 == 0 else "no_metadata"
        yield record.offset + 8, "large_blob." + name, fields_of("large_blob." + name)
    for at, header in record.begun:
        yield record.offset + 8 * at, "arg.header", OF_ALL_ARGS
        kind = model.ARGS[header & 15] if header & 15 < len(model.ARGS) else None
        word = "arg_%s.header" % kind
        if word in model.LAYOUT:
            yield record.offset + 8 * at, word, fields_of(word)
        elif kind in ("int32", "uint32"):
            yield record.offset + 8 * at, "arg.header", ("data",)


def is_ref(word, field):
    return model.LAYOUT[word][field][1] == 16 and (field in ("category", "name") or word == "arg_string.header")


def bits_of(data):
    """{(word, field, form, bit): offsets of the words that have the bit}"""
    found = collections.defaultdict(list)
    for item in model.read(data):
        if isinstance(item, model.Record):
            words = itertools.chain(header_of(data, item.offset), words_of(item))
        else:
            words = header_of(data, item[0]) if item[1] == "REC-03" else ()
        for offset, word, fields in words:
            number, = struct.unpack_from("<Q", data, offset)
            for field in fields:
                low, width = model.LAYOUT[word][field][:2]
                value = number >> low & (1 << width) - 1
                form = (LENGTH if value & INLINE else INDEX) if is_ref(word, field) else ""
                for bit in range(15 if form else width):
                    if value >> bit & 1:
                        found[word, field, form, bit].append((offset, 1 << low + bit))
    return found


def mutants():
    """All of them."""
    for word in model.LAYOUT:
        fields = fields_of(word) + (list(SHARED) if word in ("record.header", "large.header") else [])
        for field in fields:
            for form in (INDEX, LENGTH) if is_ref(word, field) else ("",):
                for bit in range(15 if form else model.LAYOUT[word][field][1]):
                    if not "%s %s" % (word, field) in NOT_DELIVERED and not word in NOT_DELIVERED:
                        yield word, field, form, bit


def without(data, places):
    data = bytearray(data)
    for offset, mask in places:
        number, = struct.unpack_from("<Q", data, offset)
        struct.pack_into("<Q", data, offset, number & ~mask)
    return bytes(data)


def is_killed(vector, data, places):
    reader = toy.Reader()
    reader.read(without(data, places))
    return levels.compare_lines(levels.delivered(vector), reader.lines, "event", levels.difference) is not None


def survivors():
    """Those that no vector tells from the toy, however one may read what is unspecified."""
    left = set(mutants())
    for vector in vectors.load():
        data = bytes.fromhex(vector["bytes"])
        if vector["grade"] == "unspecified" or not left:
            continue
        left -= {mutant for mutant, places in bits_of(data).items()
                 if mutant in left and is_killed(vector, data, places)}
    return sorted(left)


class Fields(unittest.TestCase):
    maxDiff = None

    def test_there_are_mutants(self):
        self.assertGreater(len(set(mutants())), 500)

    def test_a_reader_that_ignores_a_bit_of_a_field_fails(self):
        self.assertEqual(["%s %s %s bit %d" % mutant for mutant in survivors()], [])


if __name__ == "__main__":
    sys.exit(unittest.main())
