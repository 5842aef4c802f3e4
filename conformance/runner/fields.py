"""The fields of spec/layout.tbl in a trace, bit by bit. A field of a ref is two fields: the index of what is registered,
and the length of what is inline."""
import collections
import itertools
import struct

import model

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
                low, bits = model.LAYOUT[word][field][:2]
                value = number >> low & (1 << bits) - 1
                form = (LENGTH if value & INLINE else INDEX) if is_ref(word, field) else ""
                for bit in range(15 if form else bits):
                    if value >> bit & 1:
                        found[word, field, form, bit].append((offset, 1 << low + bit))
    return found


def mutants():
    """All of them."""
    for word in model.LAYOUT:
        fields = fields_of(word) + (list(SHARED) if word in ("record.header", "large.header") else [])
        for field in fields:
            for form in (INDEX, LENGTH) if is_ref(word, field) else ("",):
                for bit in range(width(word, field, form)):
                    if not "%s %s" % (word, field) in NOT_DELIVERED and not word in NOT_DELIVERED:
                        yield word, field, form, bit


def without(data, places):
    data = bytearray(data)
    for offset, mask in places:
        number, = struct.unpack_from("<Q", data, offset)
        struct.pack_into("<Q", data, offset, number & ~mask)
    return bytes(data)


def width(word, field, form):
    return 15 if form else model.LAYOUT[word][field][1]
