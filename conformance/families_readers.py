"""Families of what readers had wrong although they delivered every other vector: fields that are cut,
tables of a fixed size, texts that a NUL ends, and registrations that nothing used."""
import model
from families_base import MAX, PREAMBLE, SENTINEL, around, vector
from families_events import EVENT, in_chain, own
from families_tables import CLOCK, INLINE, P, USE, at_home

NUL = "Takes a NUL for the end of a text, as C does."
CUT = "Keeps the text in a field of 256 or 4096 bytes."


def events_and(out, id, why, mistake, lines, tests=None, **more):
    out(vector(id, why, mistake, around(lines), tests, **more))


def wide_koids(out):
    for label, koid in (("2-32", (1 << 32) + 54), ("2-48", (1 << 48) + 54), ("2-63", (1 << 63) + 54),
                        ("largest", MAX)):
        events_and(out, "userspace_object/process-koid-%s" % label, "The object of a process of koid %d." % koid,
                   "Reads the koid as a number of 32 or 48 bits, with a sign, or as a double.",
                   ["thread index=9 process=%d thread=7" % koid,
                    'userspace_object pointer=1 process=@9 name="object"'], "UOB-01")


def nuls(out):
    hexes = {"behind": "6162" + "00", "inside": "610062", "alone": "00"}
    for label, data in hexes.items():
        text = 'x"%s"' % data
        rows = [("blob/payload-nul-", "blob blob_type=1 name=@2 payload=" + text, "BLB-01", {}),
                ("blob/name-nul-", 'blob blob_type=1 name=%s payload=x"01"' % text, "BLB-01", {}),
                ("profiler/module-name-nul-", "module timestamp=10 thread=@1 module_id=1 name=%s build_id=x\"01\"" %
                 text, "PRF-01", dict(edition="current")),
                ("profiler/build-id-nul-", 'module timestamp=10 thread=@1 module_id=1 name="libc.so" build_id=%s' %
                 text, "PRF-01", dict(edition="current")),
                ("log/message-nul-", "log timestamp=10 thread=@1 message=" + text, "LOG-01", {}),
                ("event/category-nul-", "event instant timestamp=10 thread=@1 category=%s name=@2" % text,
                 "STR-05", {}),
                ("event/name-nul-", "event instant timestamp=10 thread=@1 category=@1 name=" + text, "STR-05", {}),
                ("userspace_object/name-nul-", "userspace_object pointer=1 process=@1 name=" + text, "UOB-01", {}),
                ("large/category-nul-", 'large_blob blob_format=1 category=%s name=@2 payload=x"01"' % text,
                 "STR-05", dict(edition="current")),
                ("large/name-nul-", 'large_blob blob_format=1 category=@1 name=%s payload=x"01"' % text,
                 "STR-05", dict(edition="current")),
                ("large/payload-nul-", "large_blob blob_format=1 category=@1 name=@2 payload=" + text,
                 "LRG-04", dict(edition="current")),
                ("argument/string-value-nul-",
                 'event instant timestamp=10 thread=@1 category=@1 name=@2 { "argument" string %s }' % text,
                 "STR-05", {}),
                ("argument/blob-value-nul-",
                 'event instant timestamp=10 thread=@1 category=@1 name=@2 { "argument" blob %s }' % text,
                 "ARG-05", dict(edition="current")),
                ("argument/name-nul-",
                 "event instant timestamp=10 thread=@1 category=@1 name=@2 { %s uint32 5 }" % text, "STR-05", {})]
        for id, line, rule, more in rows:
            out(vector(id + label, "A NUL %s: it ends nothing." % (
                "alone" if label == "alone" else label + " the other bytes"), NUL, around([line]), rule,
                       grade="valid", **more))
        out(vector("metadata/provider-name-nul-" + label, "A NUL in the name of a provider ends nothing.", NUL,
                   at_home("provider_info provider_id=1 name=" + text, CLOCK % 10**9, INLINE % (1, "of one")),
                   "MET-02", grade="valid"))


def provider_ids(out):
    for label, other in (("8", 5 + (1 << 8)), ("16", 5 + (1 << 16)), ("20", 5 + (1 << 20)), ("31", 5 + (1 << 31))):
        lines = [P % (5, "five"), CLOCK % 10**9, 'string index=1 value="category"',
                 'string index=2 value="of five"', "thread index=1 process=100 thread=101", USE % (1, 1, 2),
                 P % (other, "other"), CLOCK % 10**9, 'string index=1 value="category"',
                 'string index=2 value="of other"', "thread index=1 process=200 thread=201", USE % (2, 1, 2),
                 "provider_section provider_id=5", USE % (3, 1, 2)]
        out(vector("trace/providers-equal-in-%s-bits" % label, "Two providers whose ids are equal in their low %s "
                   "bits." % label, "Keeps only so many bits of an id to find the tables.", at_home(*lines),
                   "MET-08", grade="valid"))
    lines, last = [], []
    for i in range(1, 13):
        lines += [P % (i, "p%d" % i), CLOCK % 10**9, 'string index=1 value="category"',
                  'string index=2 value="of %d"' % i, "thread index=1 process=%d thread=%d" % (100 * i, 100 * i + 1)]
        last += ["provider_section provider_id=%d" % i, USE % (i, 1, 2)]
    out(vector("trace/providers-twelve", "Twelve providers, each with tables of its own.",
               "Has room for a few providers, and takes one more for one of them.", at_home(*(lines + last)),
               "MET-08", grade="valid"))


def tables(out):
    strings = ['string index=%d value="string %d"' % (i, i) for i in range(3, 523)]
    out(vector("string_table/many-520", "520 strings are registered; the first and the last are used.",
               "Has a table of 256 or 512 places, whatever the index.",
               around(strings + [USE % (10, 1, 3), USE % (11, 1, 522)]), "STT-01", grade="valid"))
    pairs = [(5, 5 + step) for step in (251, 256, 509, 512, 1021, 1024, 2048, 4093, 4096, 8191, 8192, 16384)]
    lines = ['string index=5 value="first"'] + ['string index=%d value="not first"' % other for _, other in pairs]
    out(vector("string_table/indices-that-collide", "Strings at an index and at those that are equal to it modulo "
               "powers of 2 and the primes below them.", "Finds a string by the index modulo the size of its table.",
               around(lines + [USE % (10, 1, 5)] + [USE % (11 + i, 1, other) for i, (_, other) in enumerate(pairs)]),
               "STT-01", grade="valid"))


def large_sizes(out):
    for bits in (16, 20, 24, 28, 29, 30, 31):
        size = (1 << bits) + 4
        lines = PREAMBLE + [SENTINEL, "word large_blob.header size=%d blob_format=1" % size,
                            "word large_blob.no_metadata category=1 name=2", "u64 8", "u64 5", SENTINEL]
        out(vector("large/size-of-2-%d-words" % bits, "A large record of 2^%d + 4 words, of which few are there: "
                   "nothing follows." % bits, "Keeps fewer bits of the size, or multiplies it by 8 in 32 bits.",
                   lines, "REC-03", edition="current"))


def magics(out):
    table = ['string index=5 value="old"', "thread index=5 process=500 thread=505"]
    use = "event instant timestamp=10 thread=@5 category=@5 name=@5"
    out(vector("trace/concatenated-behind-none", "A magic number begins a new trace, also behind records that no magic "
               "number was in front of.", "Forgets the tables only if there was a magic number before.",
               table + [use, "magic", use], "MET-10", grade="unspecified"))
    out(vector("trace/concatenated-three", "Three traces in one file: of each, the strings and the threads are "
               "forgotten.", "Forgets the tables at the second magic number only.",
               ["magic"] + table + [use, "magic"] + table + [use, "magic", use], "MET-10", grade="unspecified"))


def unknown_metadata(out):
    info = [P % (5, "five"), CLOCK % 10**9, INLINE % (1, "of five")]
    for label, line, rule in (
            ("of-unknown-type", "word metadata.header size=1 metadata_type=9 bits=0x600000", "MET-01"),
            ("of-trace-info", "word trace_info.header size=1 trace_info_type=1", "MET-05")):
        out(vector("metadata/record-%s-selects-nobody" % label, "A metadata record that names no provider selects "
                   "none.", "Takes bits of every metadata record for the id of a provider.",
                   at_home(*(info + [line, INLINE % (2, "of five")])), rule))


def long_texts(out):
    for size in (256, 4097):
        text = '"%s"' % ("0123456789abcdef" * 300)[:size]
        rows = [("argument/name", "event instant timestamp=10 thread=@1 category=@1 name=@2 { %s uint32 5 }", {}),
                ("event/category", "event instant timestamp=10 thread=@1 category=%s name=@2", {}),
                ("blob/name", 'blob blob_type=1 name=%s payload=x"01"', {}),
                ("userspace_object/name", "userspace_object pointer=1 process=@1 name=%s", {}),
                ("kernel_object/name", "kernel_object object_type=process koid=100 name=%s", {}),
                ("large/category", 'large_blob blob_format=1 category=%s name=@2 payload=x"01"',
                 dict(edition="current"))]
        for id, line, more in rows:
            out(vector("%s-of-%d-bytes" % (id, size), "A text of %d bytes." % size, CUT, around([line % text]),
                       "STR-04", grade="valid", **more))
    text = '"%s"' % ("0123456789abcdef" * 100)[:1501]
    for type in model.EVENTS:
        value = ' { "value" uint32 5 }' if type == "counter" else ""
        lines = [line.replace("name=@2", "name=" + text) if line.startswith("event %s " % type) else line
                 for line in in_chain(type, EVENT % (type, 10) + own(type) + value)]
        out(vector("event/name-of-1501-bytes-%s" % type.replace("_", "-"), "A name of 1501 bytes.",
                   "Keeps the name in a field of 1024 bytes.", around(lines), "STR-04", grade="valid"))


def clocks(out):
    out(vector("initialization/rate-above-2-53", "A rate that no double holds.", "Keeps the rate in a double.",
               at_home(P % (0, "provider"), CLOCK % (2**53 + 1), INLINE % (2**53, "late")), "INI-01", grade="valid"))


def registrations(out):
    """What registers, selects or sets is longer than it is known to be, or has reserved bits: it holds."""
    rows = [("string_table", "string", "word string.header size=%d index=5 length=8%s",
             ['stream "replaced"'], 'string index=5 value="old"', "REC-04",
             USE % (10, 1, 5), "0x1000000000000000"),
            ("thread_table", "thread", "word thread.header size=%d index=5%s", ["u64 500", "u64 505"],
             "thread index=5 process=100 thread=105", "REC-04", USE % (10, 5, 2), "0x1000000000000000"),
            ("initialization", "initialization", "word initialization.header size=%d%s", ["u64 1000"], None,
             "REC-04", INLINE % (10, "slow"), "0x1000000000000000")]
    for area, name, header, body, before, rule, use, bits in rows:
        start = [before] if before else []
        size = 1 + len(body)
        for label, lines, tests in (
                ("tail", [header % (size + 1, "")] + body + ["u64 0x1234"], "REC-08"),
                ("reserved", [header % (size, " bits=" + bits)] + body, rule)):
            out(vector("%s/%s-%s-holds" % (area, name, label), "A %s record with %s is read: what it says holds." % (
                name, "a word behind it" if label == "tail" else "reserved bits"),
                       "Refuses the record, so that what follows has an old meaning.",
                       PREAMBLE + start + lines + [use], tests))
    for name, record, body in (("provider_info", "word provider_info.header size=%d provider_id=9 name_length=8%s",
                                ['stream "provider"']),
                               ("provider_section", "word provider_section.header size=%d provider_id=9%s", [])):
        for label in ("tail", "reserved"):
            if label == "reserved" and name == "provider_info":
                continue  # it has one bit of the kind, which other vectors have
            size = 1 + len(body)
            lines = [record % (size + (label == "tail"), " bits=0x1000000000000000" if label == "reserved" else "")]
            lines += body + (["u64 0x1234"] if label == "tail" else [])
            nine = [P % (9, "nine"), CLOCK % 1000, P % (1, "one"), CLOCK % 10**9]
            out(vector("metadata/%s-%s-holds" % (name.replace("_", "-"), label), "A %s record with %s is read: it "
                       "selects the provider." % (name.replace("_", " "), "a word behind it" if label == "tail"
                                                  else "reserved bits"),
                       "Refuses the record, so that what follows is of the provider before.",
                       at_home(*((nine if name == "provider_section" else []) + lines + [INLINE % (10, "of nine")])),
                       "MET-08"))


def cut_tails(out):
    """All that a decoder needs is there, but not all that the size counts."""
    rows = [("event", ["word event.header size=3 event_type=0 thread=1 category=1 name=2", "u64 10"], {}),
            ("userspace-object", ["word userspace_object.header size=3 process=1 name=2", "u64 1"], {}),
            ("kernel-object", ["word kernel_object.header size=3 object_type=1 name=2", "u64 1"], {}),
            ("thread-wakeup", ["word thread_wakeup.header size=4 cpu=1", "u64 10", "u64 101"],
             dict(edition="current")),
            ("log", ["word log.header size=4 length=8 thread=1", "u64 10", 'stream "log line"'], {}),
            ("backtrace", ["word backtrace.header size=3 thread=1 frame_count=0", "u64 10"], dict(edition="current")),
            ("large-blob", ["word large_blob.header size=5 blob_format=1",
                            "word large_blob.no_metadata category=1 name=2", "u64 8", "u64 5"],
             dict(edition="current"))]
    for name, lines, more in rows:
        out(vector("framing/cut-behind-the-fields-of-%s" % name, "The trace ends in front of a word that the size "
                   "counts, behind all fields: the record is not whole.", "Delivers a record as soon as its fields are "
                   "there.", PREAMBLE + [SENTINEL] + lines, "REC-03", **more))


def scopes(out):
    for scope in ("process", "global"):
        events_and(out, "event/scope-%s" % scope, "An instant event with the scope %s of edition current." % scope,
                   "Leaves the scope out, or takes one for the other.",
                   ["event instant timestamp=10 thread=@1 category=@1 name=@2 scope=" + scope], "EVT-10",
                   edition="current", grade="unspecified")


def families(out):
    for family in (wide_koids, nuls, provider_ids, tables, large_sizes, magics, unknown_metadata, long_texts, clocks,
                   registrations, cut_tails, scopes):
        family(out)
