"""Families about the frame of records: cut off, too short, too long, of no size, of unknown "
"type."""
import re

from families_base import BEFORE, PREAMBLE, SENTINEL, a, around, templates, vector

CUT = "Reads past the end of the file, or delivers the half record with whatever lies behind it."


def cuts(out):
    for name, t in templates().items():
        for count in range(1, t.size()):
            out(vector("%s/cut-%s-%d" % (t.area, name, count),
                       "The trace ends after %d of the %d words of %s record. What stands before "
                       "it is delivered." % (count, t.size(), a(name)), CUT,
                       PREAMBLE + [BEFORE] + t.lines(count), "REC-03", edition=t.edition))


def cut_bytes(out):
    """One small trace, cut at every byte."""
    words = ["10 00 04 46 78 54 16 00", "33 00 01 00 00 00 00 00", "64 00 00 00 00 00 00 00",
             "65 00 00 00 00 00 00 00", "22 00 01 00 03 00 00 00", "61 62 63 00 00 00 00 00",
             "24 00 00 01 01 00 01 00", "07 00 00 00 00 00 00 00"]
    whole = bytes.fromhex("".join(words).replace(" ", ""))
    starts = [0, 8, 32, 48, 64]
    for count in range(1, len(whole)):
        if count in (3, 8):
            continue  # three-bytes, magic-alone
        lines = ['bytes x"%s"' % whole[i:min(i + 8, count)].hex(" ") for i in range(0, count, 8)]
        left = count - max(start for start in starts if start <= count)
        why = "The first %d of the 64 bytes of a trace: the magic number, a thread, a string and " \
            "an instant event." % count
        if left == 0:
            out(vector("framing/first-%02d-bytes" % count, why + " They end with a record.",
                       "Takes the end of a file for a damage.", lines, "REC-03", edition="2020",
                       grade="valid"))
        else:
            out(vector("framing/first-%02d-bytes" % count, why,
                       "Waits for more without end, loses the records before, or delivers a half "
                       "one.",
                       lines, "REC-01" if left < 8 else "REC-03"))


def shorts(out):
    for name, t in templates().items():
        for count in range(1, t.size()):
            less = t.copy()
            less.header.fields["size"] = count
            out(vector("%s/short-%s-%d" % (t.area, name, count),
                       "%s record whose size is %d of the %d words that its fields take. It is "
                       "refused alone." % (a(name).capitalize(), count, t.size()),
                       "Decodes fields without looking at the size, and takes the words of the "
                       "next record for its own.", around(less.lines(count)), edition=t.edition))


def exact(out):
    """As few words as a record can have."""
    smallest = {
        "provider_info": ["word provider_info.header size=1 provider_id=0 name_length=0"],
        "string": ["word string.header size=1 index=4 length=0"],
        "blob": ["word blob.header size=1 name=1 payload_size=0 blob_type=1"],
        "userspace_object": ["word userspace_object.header size=2 process=1 name=1", "u64 0x7000"],
        "kernel_object": ["word kernel_object.header size=2 object_type=2 name=1", "u64 102"],
        "legacy_switch": ["word legacy_switch.header size=2 cpu=1 outgoing_state=3 "
                          "outgoing_thread=1 incoming_thread=4", "u64 10"],
        "context_switch": ["word context_switch.header size=4 cpu=1 outgoing_state=3",
                           "u64 10 101 102"],
        "thread_wakeup": ["word thread_wakeup.header size=3 cpu=1", "u64 10 101"],
        "log": ["word log.header size=2 length=0 thread=1", "u64 10"],
        "module": ["word module.header size=2 thread=1 module_id=1", "u64 10"],
        "mmap": ["word mmap.header size=5 thread=1 module_id=1", "u64 10 0x1000 0x2000 0x300"],
        "backtrace": ["word backtrace.header size=2 thread=1 frame_count=0", "u64 10"],
        "large_blob-0": ["word large_blob.header size=4 blob_format=0",
                         "word large_blob.metadata category=1 name=2 thread=1", "u64 10", "u64 0"],
        "large_blob-1": ["word large_blob.header size=3 blob_format=1",
                         "word large_blob.no_metadata category=1 name=2", "u64 0"],
    }
    for name, lines in smallest.items():
        t = templates()[name]
        more = ["thread index=4 process=100 thread=104"] if name == "legacy_switch" else []
        out(vector("%s/smallest-%s" % (t.area, name),
                   "%s record of as few words as it can have." % a(name).capitalize(),
                   "Asks for more words than the record needs.", around(more + lines), "REC-02",
                   edition=t.edition, grade="valid"))


def tails(out):
    for name, t in templates().items():
        plain = t.plain()
        for more in (1, 2):
            longer = plain.copy()
            longer.header.fields["size"] += more
            tail = ["u64 0x1234", "u64 0"][:more]
            out(vector("%s/tail-%s-%d" % (t.area, name, more),
                       "%s record with %d more %s than its fields take."
                       % (a(name).capitalize(), more, "word" if more == 1 else "words"),
                       "Refuses a record that is longer than it knows, or goes on with the next "
                       "record behind its last known field instead of behind its size.",
                       around(longer.lines() + tail), "REC-08", edition=t.edition))


TYPES = dict(enumerate(["metadata", "initialization", "string", "thread", "event", "blob",
                        "userspace object", "kernel object", "scheduling", "log", "profiler",
                        "unknown (11)", "unknown (12)", "unknown (13)", "unknown (14)", "large"]))


def no_size(out):
    """Size 0, and sizes that are too large, for every type of record."""
    for type, name in TYPES.items():
        grow = "bits=0x%x" % (1 << (36 if type == 15 else 16))
        out(vector("framing/size-0-type-%d" % type,
                   "A header of type %d (%s) with size 0. Nothing says where the next record "
                   "begins, so that reading stops." % (type, name),
                   "Goes on at the same place without end, or searches for what looks like a "
                   "header.",
                   PREAMBLE + [BEFORE, "word record.header type=%d size=0 %s" % (type, grow),
                               SENTINEL], "REC-02"))
        size = "word large.header size=%d" if type == 15 else \
            "word record.header type=" + str(type) + " size=%d"
        most = 0xffffffff if type == 15 else 4095
        out(vector("framing/past-end-type-%d" % type,
                   "The largest size of a record of type %d (%s), and one word behind the header. "
                   "It is not there, so that nothing of it is delivered." % (type, name),
                   "Allocates or reads as much as the header says.",
                   PREAMBLE + [BEFORE, size % most, "u64 1"], "REC-03",
                   edition="current" if type in (10, 15) else "2020"))
        out(vector("framing/past-end-by-one-type-%d" % type,
                   "A record of type %d (%s) that is one word longer than the rest of the trace."
                   % (type, name), "Compares with < where <= is meant.",
                   PREAMBLE + [BEFORE, size % 3, "u64 1"], "REC-03",
                   edition="current" if type in (10, 15) else "2020"))


def unknown_types(out):
    mistake = "Gives up at a type that it does not know, instead of skipping it by its size."
    for type in (11, 12, 13, 14):
        for size in (1, 2, 300):
            body = ["repeat %d u64 0xffffffffffffffff" % (size - 1)] if size > 1 else []
            out(vector("framing/unknown-type-%d-size-%d" % (type, size),
                       "A record of type %d, which is not defined, of %d words." % (type, size),
                       mistake, around(["word record.header type=%d size=%d bits=0xffff000000000000"
                                        % (type, size)] + body), "REC-06"))
        out(vector("framing/unknown-type-%d-like-a-header" % type,
                   "A record of type %d whose contents look like records." % type,
                   "Skips only the header of a record that it does not know.",
                   around(["word record.header type=%d size=3" % type, SENTINEL]), "REC-06"))
        out(vector("framing/unknown-type-%d-has-12-bits" % type,
                   "Only type 15 has a size of 32 bits. In type %d bit 16 is no part of it." % type,
                   "Reads 32 bits of size in every type that it does not know.",
                   around(["word record.header type=%d size=2 bits=0x10000" % type, "u64 5"]),
                   "REC-06"))


SUBTYPES = [
    # name, area, rule, first unknown, line of the header, words behind it
    ("metadata", "metadata", "MET-01", 5, "word metadata.header size=2 metadata_type=%d",
     "u64 0x1234"),
    ("trace-info", "metadata", "MET-05", 1, "word trace_info.header size=2 trace_info_type=%d",
     "u64 0x1234"),
    ("scheduling", "scheduling", "SCH-02", 3, "word scheduling.header size=2 scheduling_type=%d",
     "u64 0x1234"),
    ("profiler", "profiler", "PRF-01", 3, "word profiler.header size=2 profiler_type=%d",
     "u64 0x1234"),
    ("large", "large", "LRG-01", 1, "word large.header size=2 large_type=%d", "u64 0x1234"),
    ("blob-format", "large", "LRG-02", 2,
     "word large_blob.header size=4 blob_format=%d", "u64 0x1234 0 0"),
]


def trace_info_first(out):
    """Each bit of the type tells a trace info record from the magic number."""
    for bit in range(4):
        out(vector("metadata/trace-info-first-%d" % (1 << bit),
                   "The first record is a trace info record of type %d, so it is not the magic "
                   "number." % (1 << bit),
                   "Looks at fewer than the 4 bits of the type, and takes the record for a "
                   "defective magic number.",
                   ["word trace_info.header size=1 trace_info_type=%d" % (1 << bit)] +
                   PREAMBLE[1:] + [SENTINEL], "MET-07", touches=["MET-05"]))


def unknown_subtypes(out):
    mistake = "Takes an unknown subtype for the last one that it knows, or gives up."
    for name, area, rule, first, line, rest in SUBTYPES:
        for value in (first, 15):
            out(vector("%s/unknown-%s-%d" % (area, name, value),
                       "The %s type %d is not defined: the record is delivered as unknown."
                       % (name.replace("-", " "), value), mistake,
                       around([line % value, rest]), rule))
        lines = [each for value in range(first + 1, 15) for each in (line % value, rest)]
        out(vector("%s/unknown-%s-others" % (area, name),
                   "The %s types %d to 14 are not defined." % (name.replace("-", " "), first + 1),
                   mistake, around(lines), rule))
        out(vector("%s/unknown-%s-one-word" % (area, name),
                   "A record of %s type %d, which is not defined, that is nothing but its header. "
                   "What the types that are defined need does not hold for it."
                   % (name.replace("-", " "), first),
                   "Asks for the words of the types that it knows, and refuses the record.",
                   around([re.sub(r"size=\d+", "size=1", line) % first]), rule))
    out(vector("metadata/unknown-metadata-0", "The metadata type 0 is not defined.", mistake,
               around(["word metadata.header size=2 metadata_type=0", "u64 0x1234"]), "MET-01"))
    out(vector("large/unknown-large-long", "A record of an unknown large type, longer than 12 "
               "bits can say. It is skipped by its size of 32 bits.",
               "Reads 12 bits of size in a large record, and takes its contents for records.",
               around(["word large.header size=4097 large_type=5", "repeat 2048 " + BEFORE]),
               "LRG-01"))


def zero_words(out):
    mistake = "Stops at a zero word, reads it as a record of size 0, or hangs."
    rows = [("one", 1, "A"), ("two", 2, "Two"), ("many", 40, "40")]
    for name, count, prose in rows:
        more = ["repeat %d u64 0" % count]
        noun = "zero word" if count == 1 else "zero words"
        out(vector("framing/zero-words-" + name,
                   "%s %s between two records: refused, and reading goes on behind." % (prose,
                                                                                        noun),
                   mistake, PREAMBLE + [BEFORE] + more + [SENTINEL], "REC-09",
                   grade="unspecified"))
        out(vector("framing/zero-words-at-end-" + name,
                   "%s %s at the end of the trace, as a buffer leaves that was not filled."
                   % (prose, noun), mistake, PREAMBLE + [BEFORE] + more, "REC-09",
                   grade="unspecified"))
    out(vector("framing/zero-words-two-runs", "Two runs of zero words with a record between: a "
               "checker reports two.", mistake, around([BEFORE, "repeat 2 u64 0", BEFORE,
                                                        "repeat 2 u64 0"]),
               "REC-09", grade="unspecified"))


def families(out):
    cuts(out)
    cut_bytes(out)
    shorts(out)
    exact(out)
    tails(out)
    no_size(out)
    unknown_types(out)
    unknown_subtypes(out)
    trace_info_first(out)
    zero_words(out)
