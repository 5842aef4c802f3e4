"""Families about strings, refs and streams: each kind of ref, lengths around whole words, padding,
text that is not UTF-8, lengths that lie."""
from families_base import (STRING_REFS, THREAD_REFS, a, around, templates, vector)

TABLES = ['string index=5 value="word"', 'string index=32767 value="the last string"']
THREADS = ["thread index=5 process=100 thread=105", "thread index=255 process=200 thread=255"]


def string_refs(out):
    rows = [
        ("empty", 0, (), "STR-01", "ref 0, the empty string",
         "Looks ref 0 up in the table, or waits for a stream.", None),
        ("indexed", 5, (), "STR-02", "an index",
         "Takes the length of the string from elsewhere than its registration.", None),
        ("largest-index", 32767, (), "STR-02", "the largest index",
         "Has a table of fewer than 32767 places, or keeps fewer than 15 bits of the index.", None),
        ("inline", 0x8003, ('stream "abc"',), "STR-03", "an inline string of 3 bytes",
         "Delivers the padding as a part of the string, or stops at a NUL.", None),
        ("unregistered", 6, (), "STR-02", "an index that was not registered",
         "Drops the record, or invents a text for the string.", "unspecified"),
        ("inline-of-0", 0x8000, (), "STR-06", "an inline string of 0 bytes",
         "Takes 0x8000 for an index.", "unspecified"),
    ]
    for name, t in templates().items():
        for field in STRING_REFS:
            if not t.has(field):
                continue
            for label, value, streams, rule, what, mistake, grade in rows:
                other = t.plain(field).set_ref(field, value, *streams)
                out(vector("%s/ref-%s-%s-%s" % (t.area, name, field, label),
                           "The %s of %s record is %s." % (field, a(name), what), mistake,
                           around(TABLES + other.lines()), rule, edition=t.edition, grade=grade))


def thread_refs(out):
    rows = [
        ("indexed", 5, "an index", "THR-02", "Takes the index for a koid.", None),
        ("largest-index", 255, "the largest index", "THR-02",
         "Has a table of fewer than 255 threads, or keeps fewer than 8 bits of the index.", None),
        ("unregistered", 6, "an index that was not registered", "THR-02",
         "Drops the record, or gives it to a thread that nobody named.", "unspecified"),
    ]
    for name, t in templates().items():
        for field in THREAD_REFS:
            if not t.has(field):
                continue
            what = field.replace("_", " ")
            for label, value, prose, rule, mistake, grade in rows:
                other = t.plain(field).set_ref(field, value)
                out(vector("%s/ref-%s-%s-%s" % (t.area, name, field.replace("_", "-"), label),
                           "The %s of %s record is %s." % (what, a(name), prose), mistake,
                           around(THREADS + other.lines()), rule, edition=t.edition, grade=grade))
            koids = ["u64 100"] if field == "process" else ["u64 100", "u64 150"]
            other = t.plain(field).set_ref(field, 0, *koids)
            rule = "UOB-02" if field == "process" else "THR-01"
            out(vector("%s/ref-%s-%s-inline" % (t.area, name, field.replace("_", "-")),
                       "The %s of %s record is inline: %s." % (
                           what, a(name), "one koid follows" if field == "process" else
                           "the process koid and the thread koid follow"),
                       "Reads a thread koid behind the process koid." if field == "process" else
                       "Knows indexed threads only, and reads the koids as something else.",
                       around(other.lines()), rule, edition=t.edition,
                       grade="unspecified" if field == "process" else "valid"))  # R48
    for value in (0x7f, 0x80, 0x83):
        out(vector("event/ref-thread-0x%x" % value,
                   "The thread ref of an event is 0x%x: it has no bit for inline." % value,
                   "Takes bit 7 of a thread ref for an inline bit, as in a string ref.",
                   around(["thread index=%d process=100 thread=110" % value,
                           "event instant timestamp=10 thread=@%d category=@1 name=@2" % value]),
                   "THR-01", grade="valid"))


def blocks(data):
    return (len(data) + 7) // 8


def stream(data, pad=None):
    """Lines for a stream. Long ones are of equal words, all but the last."""
    if not data:
        return []
    words = len(data) // 8
    if words > 16 and data[:8 * words] == data[:8] * words:
        rest = data[8 * words:]
        return ["repeat %d %s" % (words, stream(data[:8])[0])] + stream(rest, pad)
    text = 'stream x"%s"' % data.hex()
    if all(0x20 <= byte < 0x7f and byte not in b'"\\' for byte in data):
        text = 'stream "%s"' % data.decode()
    return [text + (' pad=x"%s"' % pad.hex() if pad is not None else "")]


def inline(data):
    return 0x8000 + len(data) if data else 0


def streams(pad=None):
    """{name: (area, edition, rule, is text, lines of its bytes)}"""
    def put(data):
        return stream(data, pad)
    event = "word event.header size=%d event_type=0 arg_count=%d thread=1 category=0x%x name=0x%x"
    large = "word large_blob.header size=%d blob_format=1"
    return {
        "provider-name": ("metadata", "2020", "MET-02", True, lambda d: [
            "word provider_info.header size=%d provider_id=0 name_length=%d" % (
                1 + blocks(d), len(d)), *put(d)]),
        "string": ("string_table", "2020", "STT-01", True, lambda d: [
            "word string.header size=%d index=5 length=%d" % (1 + blocks(d), len(d)), *put(d),
            "event instant timestamp=10 thread=@1 category=@1 name=@5"]),
        "category": ("event", "2020", "STR-03", True, lambda d: [
            event % (2 + blocks(d), 0, inline(d), 2), "u64 10", *put(d)]),
        "name": ("event", "2020", "STR-03", True, lambda d: [
            event % (2 + blocks(d), 0, 1, inline(d)), "u64 10", *put(d)]),
        "argument-name": ("argument", "2020", "STR-03", True, lambda d: [
            event % (3 + blocks(d), 1, 1, 2), "u64 10", "word arg.header type=2 size=%d name=0x%x "
            "data=7" % (1 + blocks(d), inline(d)), *put(d)]),
        "argument-string": ("argument", "2020", "STR-03", True, lambda d: [
            'string index=3 value="argument"', event % (3 + blocks(d), 1, 1, 2), "u64 10",
            "word arg_string.header size=%d name=3 value=0x%x" % (1 + blocks(d), inline(d)),
            *put(d)]),
        "argument-blob": ("argument", "current", "ARG-08", False, lambda d: [
            'string index=3 value="argument"', event % (3 + blocks(d), 1, 1, 2), "u64 10",
            "word arg_blob.header size=%d name=3 payload_size=%d" % (1 + blocks(d), len(d)),
            *put(d)]),
        "blob-name": ("blob", "2020", "STR-03", True, lambda d: [
            "word blob.header size=%d name=0x%x payload_size=0 blob_type=1" % (
                1 + blocks(d), inline(d)), *put(d)]),
        "blob": ("blob", "2020", "BLB-01", False, lambda d: [
            "word blob.header size=%d name=2 payload_size=%d blob_type=1" % (
                1 + blocks(d), len(d)), *put(d)]),
        "userspace-object-name": ("userspace_object", "2020", "STR-03", True, lambda d: [
            "word userspace_object.header size=%d process=1 name=0x%x" % (
                2 + blocks(d), inline(d)), "u64 0x7000", *put(d)]),
        "kernel-object-name": ("kernel_object", "2020", "STR-03", False, lambda d: [
            "word kernel_object.header size=%d object_type=1 name=0x%x" % (
                2 + blocks(d), inline(d)), "u64 100", *put(d)]),
        "message": ("log", "2020", "LOG-01", True, lambda d: [
            "word log.header size=%d length=%d thread=1" % (2 + blocks(d), len(d)), "u64 10",
            *put(d)]),
        "module-name": ("profiler", "current", "PRF-02", True, lambda d: [
            "word module.header size=%d thread=1 module_id=1 name_length=%d" % (
                2 + blocks(d), len(d)), "u64 10", *put(d)]),
        "build-id": ("profiler", "current", "PRF-02", False, lambda d: [
            "word module.header size=%d thread=1 module_id=1 build_id_length=%d" % (
                2 + blocks(d), len(d)), "u64 10", *put(d)]),
        "large-category": ("large", "current", "STR-03", True, lambda d: [
            large % (3 + blocks(d)), "word large_blob.no_metadata category=0x%x name=2" % inline(d),
            *put(d), "u64 0"]),
        "large-name": ("large", "current", "STR-03", True, lambda d: [
            large % (3 + blocks(d)), "word large_blob.no_metadata category=1 name=0x%x" % inline(d),
            *put(d), "u64 0"]),
        "large-payload": ("large", "current", "LRG-04", False, lambda d: [
            large % (3 + blocks(d)), "word large_blob.no_metadata category=1 name=2",
            "u64 %d" % len(d), *put(d)]),
    }


def in_words(name):
    return name.replace("-", " ")


def lengths(out):
    text = b"a text of 17 byte"
    for name, (area, edition, rule, _, lines) in streams().items():
        for length in (0, 1, 7, 8, 9, 16):
            if length == 0 and name not in ("argument-blob", "blob"):
                continue  # those of refs, and of the smallest records
            out(vector("%s/length-%s-%d" % (area, name, length),
                       "A stream (%s) of %d bytes, in %d words." % (
                           in_words(name), length, (length + 7) // 8),
                       "Rounds the length wrongly up to words, or delivers the padding with it.",
                       around(lines(text[:length])), rule, edition=edition, grade="valid"))


LONG = [  # name, lengths: the longest that a rule or the record allows, and one more
    ("string", (32000, 32001, 32752)), ("name", (32000, 32001)), ("argument-string",
                                                                  (32000, 32001)),
    ("message", (32744,)), ("blob", (32752,)), ("argument-blob", (32704,)), ("large-name",
                                                                             (32767,)),
    ("provider-name", (255,)), ("module-name", (255,)), ("build-id", (255,)),
]


def long_strings(out):
    for name, all_lengths in LONG:
        area, edition, rule, _, lines = streams()[name]
        for length in all_lengths:
            over = length > 32000 and name in ("string", "name", "argument-string", "large-name")
            data = (b"12345678" * (length // 8 + 1))[:length]
            out(vector("%s/length-%s-%d" % (area, name, length),
                       "A stream (%s) of %d bytes, %s." % (
                           in_words(name), length, "more than the 32000 of a string; it is "
                           "delivered whole" if over else "as many as there may be"),
                       "Truncates or refuses the string, or has a buffer of a fixed size for it.",
                       around(lines(data)), "STR-04" if over or length == 32000 else rule,
                       edition=edition, grade="unspecified" if over and name != "string" else None))  # R14


def paddings(out):
    for pad, label, what in (("0100000000", "first", "first"), ("0000000080", "last", "last")):
        for name, (area, edition, _, _, lines) in streams(bytes.fromhex(pad)).items():
            out(vector("%s/padding-%s-%s" % (area, name, label),
                       "The %s byte of the padding behind a stream (%s) is not zero. A reader "
                       "ignores it." % (what, in_words(name)),
                       "Takes the length of the stream in whole words, and delivers its padding.",
                       around(lines(b"abc")), "REC-05", edition=edition))
    for name, (area, edition, _, _, lines) in streams(bytes.fromhex("0000000001")).items():
        out(vector("%s/padding-%s-third-word" % (area, name),
                   "The last byte of the padding behind a stream of three words (%s) is not zero. "
                   "The finding is at the word that has the padding." % in_words(name),
                   "Reports padding at the first word of the stream.",
                   around(lines(b"a text of 19 bytes.")), "REC-05", edition=edition))


NOT_UTF8 = [
    ("overlong-2", "c080", "an overlong form of 2 bytes"),
    ("overlong-3", "e09fbf", "an overlong form of 3 bytes"),
    ("overlong-4", "f08fbfbf", "an overlong form of 4 bytes"),
    ("surrogate-first", "eda080", "the first surrogate"),
    ("surrogate-last", "edbfbf", "the last surrogate"),
    ("too-large", "f4908080", "a character above U+10FFFF"),
    ("cut", "61e282", "a character that is cut off"),
    ("lone", "8061", "a byte that continues nothing"),
    ("never", "61ff62", "a byte that UTF-8 never has"),
    ("five-bytes", "f888808080", "a form of 5 bytes"),
]
UTF8 = [
    ("one-byte", "017f", "The ends of the characters of one byte"),
    ("two-bytes", "c280dfbf", "The ends of the characters of 2 bytes"),
    ("three-bytes", "e0a080efbfbf", "The ends of the characters of 3 bytes"),
    ("four-bytes", "f0908080f48fbfbf", "The ends of the characters of 4 bytes"),
    ("near-surrogates", "ed9fbfee8080", "The characters before and behind the surrogates"),
    ("nul", "61006200", "A string with NUL within and at its end"),
    ("controls", "090a0d1b225c2f", "Control characters, a quote, both slashes"),
]


AS_IT_IS = [
    ("white-space", "with white space around it, and an end of line inside", "\t a\r\nb \n",
     "Strips the text, or makes one end of line of the other."),
    ("decomposed", "of a letter and an accent, which have one character, too", "e\u0301",
     "Normalises the text (NFC)."),
]


def utf8(out):
    for name, (area, edition, _, text, lines) in streams().items():
        if text and name != "string":
            out(vector("%s/not-utf8-%s" % (area, name),
                       "A text (%s) with the byte 0xff, which UTF-8 never has. It is delivered as "
                       "it is." % in_words(name), "Refuses the record, or fails later, when it "
                       "prints the text.", around(lines(bytes.fromhex("61ff62"))), "STR-05",
                       edition=edition))
        if text:
            out(vector("%s/byte-order-mark-%s" % (area, name),
                       "A text (%s) that begins with U+FEFF. The character is a part of it."
                       % in_words(name), "Takes the character for a byte order mark and drops it, "
                       "as decoders of text do unless they are told.",
                       around(lines("\ufefftext".encode("utf-8"))), "STR-05", edition=edition,
                       grade="valid"))
            for label, what, value, mistake in AS_IT_IS:
                out(vector("%s/%s-%s" % (area, label, name), "A text (%s) %s. It is delivered as it is." % (
                    in_words(name), what), mistake, around(lines(value.encode("utf-8"))), "STR-05", edition=edition,
                           grade="valid"))
    area, _, _, _, lines = streams()["string"]
    for label, data, what in NOT_UTF8:
        out(vector("string_table/not-utf8-%s" % label, "A string with %s." % what,
                   "Has a check of UTF-8 that lets it pass, or refuses the record.",
                   around(lines(bytes.fromhex(data))), "STR-05"))
    for label, data, what in UTF8:
        out(vector("string_table/utf8-%s" % label, what + ".",
                   {"nul": "Stops at a NUL.",
                    "controls": "Prints the character raw where it has to be escaped."}.get(
                       label, "Has a check of UTF-8 that is too narrow."),
                   around(lines(bytes.fromhex(data))), "STR-05", grade="valid"))


# Fields that count: template, field, by what they are too large or too small.
LENGTHS = {"provider_info": ["name_length"], "string": ["length"], "blob": ["name", "payload_size"],
           "event": ["category", "name"], "userspace_object": ["name"], "kernel_object": ["name"],
           "log": ["length"], "module": ["name_length", "build_id_length"],
           "backtrace": ["frame_count"], "large_blob-0": ["category", "name"],
           "large_blob-1": ["category", "name"]}
LARGEST = {"name_length": 255, "build_id_length": 255, "frame_count": 255, "category": 0xffff,
           "name": 0xffff}


def lying_lengths(out):
    for name, t in templates().items():
        for field in LENGTHS.get(name, []):
            other = t.without_args() if t.has("arg") else t
            count = other.holder(field).fields[field]
            for label, value in (("more", count + 1), ("largest", LARGEST.get(field, 32767))):
                longer = other.copy()
                longer.holder(field).fields[field] = value
                out(vector("%s/counts-%s-%s-%s" % (t.area, name, field.replace("_", "-"), label),
                           "The %s of %s record says more than the record holds." % (
                               field.replace("_", " "), a(name)),
                           "Trusts the length and reads behind the record.",
                           around(longer.lines()), edition=t.edition))


def families(out):
    string_refs(out)
    thread_refs(out)
    lengths(out)
    long_strings(out)
    paddings(out)
    utf8(out)
    lying_lengths(out)
