"""Families of which fields_test.py says that a reader fails them if it ignores one bit of a field: refs that use
each bit, lengths and sizes that are too large by one bit, and unknown types that are one bit away from a known one."""
from families_base import PREAMBLE, SENTINEL, around, vector

NARROW = "Keeps the field in fewer bits."
INSTANT = "event instant timestamp=10 thread=@1 category=@1 name=@2 { %s }"
PLAIN = ["word event.header size=%d event_type=0 arg_count=1 thread=1 category=1 name=2", "u64 10"]
ONE = 'stream "x"'

# Records whose name or category is of one byte, in a word: rule, area, name, lines.
TEXTS = [
    ("event", "category", ["word event.header size=3 event_type=0 thread=1 category=0x%x name=2", "u64 10", ONE]),
    ("event", "name", ["word event.header size=3 event_type=0 thread=1 category=1 name=0x%x", "u64 10", ONE]),
    ("argument", "name", [PLAIN[0] % 4, PLAIN[1], "word arg.header type=2 size=2 name=0x%x data=5", ONE]),
    ("argument", "string-value", [PLAIN[0] % 4, PLAIN[1], "word arg_string.header type=6 size=2 name=1 value=0x%x", ONE]),
    ("blob", "name", ["word blob.header size=2 name=0x%x payload_size=0 blob_type=1", ONE]),
    ("kernel_object", "name", ["word kernel_object.header size=3 object_type=1 name=0x%x arg_count=0", "u64 5", ONE]),
    ("userspace_object", "name", ["word userspace_object.header size=3 process=1 name=0x%x arg_count=0", "u64 5", ONE]),
    ("large", "category-format-0", ["word large_blob.header size=5 blob_format=0",
                                    "word large_blob.metadata category=0x%x name=2 arg_count=0 thread=1", ONE,
                                    "u64 10", "u64 0"]),
    ("large", "name-format-0", ["word large_blob.header size=5 blob_format=0",
                                "word large_blob.metadata category=1 name=0x%x arg_count=0 thread=1", ONE, "u64 10",
                                "u64 0"]),
    ("large", "category-format-1", ["word large_blob.header size=4 blob_format=1",
                                    "word large_blob.no_metadata category=0x%x name=2", ONE, "u64 0"]),
    ("large", "name-format-1", ["word large_blob.header size=4 blob_format=1",
                                "word large_blob.no_metadata category=1 name=0x%x", ONE, "u64 0"])]


def indices(out):
    """Index 4, 8 and so on up to 16384. A reader that drops a bit finds the empty string."""
    bits = range(2, 15)
    strings = ['string index=%d value="text-%d"' % (1 << bit, bit) for bit in bits]
    for name, args in (("argument/names-of-each-bit-of-an-index", "@%d uint32 %d"),
                       ("argument/string-values-of-each-bit-of-an-index", '"argument-%d" string @%d')):
        args = [args % ((1 << bit, bit) if args[0] == "@" else (bit, 1 << bit)) for bit in bits]
        out(vector(name, "Each index has one bit, from bit 2 to bit 14.", NARROW,
                   around(strings + [INSTANT % ", ".join(args)]), "STR-02"))


def lengths(out):
    for area, name, lines in TEXTS:
        refused = [line % (0x8001 + (1 << bit)) if "0x%x" in line else line for bit in range(5, 15) for line in lines]
        out(vector("%s/inline-%s-too-long-by-one-bit" % (area, name), "Inline strings in a record that has a word for each: "
                   "their lengths are 1 and one bit more, from bit 5 to bit 14.", NARROW, around(refused), "STR-03"))
    text = '"%s"' % "abcdefghijklmnopqrstuvwxyz12345"
    for what, words, category in (("texts", "A category and a name", text), ("name", "A name", "@1")):
        out(vector("large/%s-of-31-bytes-format-0" % what, "%s of 31 bytes, whose length has 5 bits." % words, NARROW, around([
                "large_blob blob_format=0 category=%s name=%s timestamp=10 thread=@1 payload=x\"01\"" % (category, text)]),
                   "STR-03", edition="current"))
    sizes = [line for bit in range(5, 32) for line in (
        PLAIN[0] % 4, PLAIN[1], "word arg_blob.header type=10 size=2 name=1 payload_size=%d" % (1 + (1 << bit)), ONE)]
    out(vector("argument/blob-payload-too-long-by-one-bit", "Blobs in an argument that has a word for each: their payload "
               "sizes are 1 and one bit more, from bit 5 to bit 31.", NARROW, around(sizes), "ARG-08", edition="current"))
    infos = [line for bit in (0, 1, 2, 4, 5, 6, 7) for line in (
        "word provider_info.header size=2 provider_id=%d name_length=%d" % (bit + 1, 8 + (1 << bit)), 'stream "provider"')]
    out(vector("metadata/provider-name-too-long-by-one-bit", "Provider info records that hold 8 bytes of name: the lengths "
               "are 8 and one bit more. No provider is selected by them.", NARROW, around(infos), "MET-02"))


def sizes(out):
    for bit in [6, 10, 11] + list(range(14, 32)):
        out(vector("large/size-too-large-by-bit-%d" % bit, "A large record of 4 words whose size is 4 and 2^%d: the trace "
                   "ends before the record does." % bit, NARROW,
                   PREAMBLE + [SENTINEL, "word large_blob.header size=%d blob_format=1" % (4 + (1 << bit)),
                               "word large_blob.no_metadata category=1 name=2", "u64 8", "u64 5"],
                   "REC-03", edition="current"))


def types(out):
    """Unknown types with the words of a known one."""
    info = [2 << 4 | 5 << 16 | 7 << 20 | 8 << 52, '"provider"']
    rows = [("metadata/unknown-metadata-like-a-provider-info", "MET-01", "2020", [info])]
    mmap = lambda kind: [5 << 4 | 10 | kind << 16 | 1 << 20, 10, 1, 2, 3]
    rows.append(("profiler/unknown-profiler-like-a-mmap", "PRF-01", "current", [mmap(5), mmap(9)]))
    switch = lambda kind: [4 << 4 | 8 | 1 << 20 | kind << 60, 10, 1, 2]
    rows.append(("scheduling/unknown-scheduling-like-a-switch", "SCH-02", "current", [switch(5), switch(9)]))
    blob = lambda kind, form: [4 << 4 | 15 | kind << 36 | form << 40, 1 | 2 << 16, 8, 5]
    rows.append(("large/unknown-format-like-format-1", "LRG-02", "current", [blob(0, form) for form in (3, 5, 9)]))
    rows.append(("large/unknown-large-like-a-blob", "LRG-01", "current", [blob(kind, 1) for kind in (1, 2, 4, 8)]))
    for name, rule, edition, records in rows:
        lines = ["stream " + word if isinstance(word, str) else "u64 0x%x" % word for record in records for word in record]
        out(vector(name, "A type that is not defined, one bit away from the type whose words the record has.",
                   "Looks at some bits of the type.", around(lines), rule, edition=edition))


def families(out):
    for family in (indices, lengths, sizes, types):
        family(out)
