"""Families about arguments: each type at each place where arguments stand, their values, names,
sizes, counts and reserved bits."""
from families_base import NAME, a, around, templates, vector
from families_fields import field_below, runs
import model

# type: the argument in the assembler language, without its name; the words as raw lines; edition
TYPES = {
    "null": ("null", "arg_plain.header type=0", [], "2020"),
    "int32": ("int32 5", "arg.header type=1 data=5", [], "2020"),
    "uint32": ("uint32 5", "arg.header type=2 data=5", [], "2020"),
    "int64": ("int64 5", "arg_plain.header type=3", ["u64 5"], "2020"),
    "uint64": ("uint64 5", "arg_plain.header type=4", ["u64 5"], "2020"),
    "double": ("double 1.5", "arg_plain.header type=5", ["u64 0x3ff8000000000000"], "2020"),
    "string": ('string "a string"', "arg_string.header value=0x8008", ['stream "a string"'],
               "2020"),
    "pointer": ("pointer 0x7000", "arg_plain.header type=7", ["u64 0x7000"], "2020"),
    "koid": ("koid 100", "arg_plain.header type=8", ["u64 100"], "2020"),
    "bool": ("bool true", "arg_bool.header value=1", [], "current"),
    "blob": ('blob x"0102030405060708"', "arg_blob.header payload_size=8",
             ["u64 0x0807060504030201"], "current"),
}
AFTER = "word arg.header type=2 size=1 name=3 data=6"
PLACES = ["event", "userspace_object", "kernel_object", "context_switch", "thread_wakeup",
          "large_blob-0"]
INSTANT = "event instant timestamp=10 thread=@1 category=@1 name=@2 { %s }"


def sized(word, size, name=3):
    """The header line of an argument with its size and its name."""
    head, _, fields = word.partition(" ")
    return "word %s size=%d name=%s%s" % (head, size, hex(name) if name > 9 else name,
                                          " " + fields if fields else "")


def later(one, other):
    return "current" if "current" in (one, other) else "2020"


def ready(place):
    """The record, with indexed refs, and its one argument to be replaced."""
    return templates()[place].plain(args=True)


def event_with(words, count=1, header=""):
    """An instant event with these words as its arguments."""
    total = sum(int(line.split()[1]) if line.startswith("repeat") else 1 for line in words)
    return ["word event.header size=%d event_type=0 arg_count=%d thread=1 category=1 name=2"
            % (2 + total, count), "u64 10"] + words


def types_at_places(out):
    for place in PLACES:
        for type, (_, word, rest, edition) in TYPES.items():
            t = ready(place)
            if place == "event":
                continue
            lines = [sized(word, 1 + len(rest))] + rest
            out(vector("%s/argument-%s-%s" % (t.area, place, type),
                       "An argument of type %s in %s record." % (type, a(place)),
                       "Decodes the arguments of events only, or has a second decoder for them "
                       "that knows fewer types.", around([NAME] + t.with_args(1, lines).lines()),
                       "ARG-05" if rest or type in ("int32", "uint32", "bool") else "ARG-01",
                       edition=later(t.edition, edition), grade="valid"))
        t = ready(place)
        lines = ["word arg.header type=12 size=2 name=3 data=9", "u64 5",
                 "word arg.header type=2 size=1 name=2 data=6"]
        out(vector("%s/argument-%s-unknown" % (t.area, place),
                   "An argument of type 12, which is not defined, before one of type uint32, in %s "
                   "record." % a(place),
                   "Drops the record, or all arguments behind the unknown one.",
                   around([NAME] + t.with_args(2, lines).lines()), "ARG-04", edition=t.edition))
        counts(out, place)


def counts(out, place):
    lines = ['string index=%d value="name-%03d"' % (10 + i, i) for i in range(15)]
    fifteen = ["word arg.header type=2 size=1 name=%d data=%d" % (10 + i, i) for i in range(15)]
    for count in (2, 15) if place != "event" else range(16):
        t = ready(place)
        t.with_args(count, fifteen[:count])
        out(vector("%s/%s-%d-arguments" % (t.area, place, count),
                   "%s record with %d arguments." % (a(place).capitalize(), count),
                   "Has room for fewer than 15 arguments, or reads the count with fewer than 4 "
                   "bits.",
                   around(lines[:count] + t.lines()), "ARG-01", edition=t.edition, grade="valid"))
    for label, counted, there in (("one-too-many", 2, 1), ("15-of-14", 15, 14),
                                  ("none-there", 1, 0)):
        t = ready(place).with_args(1, fifteen[:there] or ["u64 0"])
        last = max(i for i, (tag, _) in enumerate(t.body) if tag == "arg")
        t.resized(t.body[:last + (there > 0)])  # the last argument ends the record
        t.holder("arg_count").fields["arg_count"] = counted
        out(vector("%s/%s-arguments-%s" % (t.area, place, label),
                   "%s record counts %d arguments and has %d." % (
                       a(place).capitalize(), counted, there),
                   "Trusts the count, and takes the next record for an argument.",
                   around(lines[:max(there, 1)] + t.lines()), "ARG-01", edition=t.edition))


def in_events(out):
    """Each type, with each kind of name."""
    for type, (_, word, rest, edition) in TYPES.items():
        names = [("indexed", 3, [], None, "Knows the type not, or not its size.", "an indexed"),
                 ("inline", 0x8008, ['stream "arg-name"'], None,
                  "Looks for the value before the stream of the name.", "an inline"),
                 ("inline-odd", 0x8003, ['stream "arg"'], None,
                  "Rounds the length of the name wrongly, and misses the value.",
                  "an inline name of 3 bytes as its")]
        for label, name, before, grade, mistake, what in names:
            body = [sized(word, 1 + len(before) + len(rest), name)] + before + rest
            out(vector("argument/%s-name-%s" % (type, label),
                       "An argument of type %s with %s name." % (type, what), mistake,
                       around([NAME] + event_with(body)),
                       "STR-03" if before else "ARG-05" if rest else "ARG-01", edition=edition,
                       grade="valid"))
        body = [sized(word, 1 + len(rest), 9)] + rest
        out(vector("argument/%s-name-unregistered" % type,
                   "An argument of type %s with an index as its name that was not registered. "
                   "Level events leaves it out." % type,
                   "Drops the whole event, or makes up a name.",
                   around([NAME] + event_with(body + [AFTER], 2)),
                   "STR-02", edition=edition, grade="unspecified"))


def sizes(out):
    """Sizes of an argument that are too small, too large, and lead out of the record."""
    for type, (_, word, rest, edition) in TYPES.items():
        head = "arg_blob" if type == "blob" else "arg"
        full = 2 + len(rest)
        stream = ['stream "arg-name"']
        more = ["word arg.header type=2 size=1 name=3 data=6"]
        for size in range(full):
            rule = "ARG-02" if size == 0 else "STR-03" if size == 1 else None
            words = [sized(word, size, 0x8008)] + stream + rest + more
            out(vector("argument/%s-size-%d" % (type, size),
                       "An argument of type %s and %d words that says it has %d. The record is "
                       "refused." % (type, full, size),
                       "Loops without end at an argument of size 0." if size == 0 else
                       "Reads the value behind the end that the size says.",
                       around([NAME] + event_with(words, 2)), rule, edition=edition))
        for size, label in ((full + 2, "by-one"), (4095, "4095")):
            words = [sized(word, size, 0x8008)] + stream + rest + more
            out(vector("argument/%s-past-record-%s" % (type, label),
                       "An argument of type %s whose size leads out of the record." % type,
                       "Compares the size of an argument with the trace, not with its record.",
                       around([NAME] + event_with(words, 1)), "ARG-03", edition=edition))
        for more_words in (1, 2):
            words = [sized(word, 1 + len(rest) + more_words)] + rest + ["u64 0x1234", "u64 0"][
                :more_words] + ["word arg.header type=2 size=1 name=2 data=6"]
            out(vector("argument/%s-tail-%d" % (type, more_words),
                       "An argument of type %s with %d %s more than its value takes, before "
                       "another argument." % (type, more_words,
                                              "word" if more_words == 1 else "words"),
                       "Goes on behind the value, not behind the size of the argument.",
                       around([NAME] + event_with(words, 2)), "REC-08", edition=edition))


def unknown_types(out):
    mistake = "Gives the event up, or steps over the unknown argument by one word."
    for type in range(11, 16):
        for name, before, label in ((3, [], "indexed"), (0x8008, ['stream "arg-name"'], "inline")):
            words = ["word arg.header type=%d size=%d name=%s data=0xffffffff" % (
                type, 2 + len(before), hex(name) if name > 9 else name)] + before + [
                    "u64 0x1234", "word arg.header type=2 size=1 name=2 data=6"]
            out(vector("argument/unknown-type-%d-%s" % (type, label),
                       "An argument of type %d, which is not defined, with an %s name. It is "
                       "delivered as unknown, and the next one as usual." % (type, label), mistake,
                       around([NAME] + event_with(words, 2)), "ARG-04"))
    for size, name, rule in ((0, 3, "ARG-02"), (3, 3, "ARG-03"), (1, 0x8001, "STR-03")):
        words = ["word arg.header type=13 size=%d name=%s" % (size, hex(name)), "u64 0x1234"]
        out(vector("argument/unknown-type-breaks-%s" % rule.lower(),
                   "An argument of unknown type is held to the rules of all arguments, here %s."
                   % rule,
                   "Looks at the size and the name only in the types that it knows.",
                   around([NAME] + event_with(words)), rule))


VALUES = {
    "int32": [("-1", "the sign"), ("-2147483648", "the smallest"), ("2147483647", "the largest")],
    "uint32": [("4294967295", "the largest"), ("2147483648", "bit 31"), ("0", "the smallest")],
    "int64": [("-1", "the sign"), ("-9223372036854775808", "the smallest"),
              ("9223372036854775807", "the largest"), ("9007199254740993", "2^53 + 1")],
    "uint64": [("18446744073709551615", "the largest"), ("9223372036854775808", "bit 63"),
               ("9007199254740993", "2^53 + 1")],
    "pointer": [("0xffffffffffffffff", "the largest"), ("0x8000000000000000", "bit 63"),
                ("0x0", "the smallest")],
    "koid": [("18446744073709551615", "the largest"), ("9223372036854775909", "bit 63"),
             ("4294967396", "above 2^32"), ("0", "the smallest")],
    "bool": [("false", "false")],
    "double": [("0x0000000000000000", "0"), ("0x8000000000000000", "minus 0"),
               ("0x7ff0000000000000", "infinity"), ("0xfff0000000000000", "minus infinity"),
               ("0x7ff8000000000000", "a quiet NaN"), ("0x7ff0000000000001", "a signalling NaN"),
               ("0xfff8000000000001", "a NaN with a sign and a payload"),
               ("0x0000000000000001", "the smallest number"),
               ("0x7fefffffffffffff", "the largest number"),
               ("0x3fb999999999999a", "0.1"), ("0x4340000000000001", "2^53 + 2"),
               ("0xc3e0000000000000", "-2^63")],
}
MISTAKES = {
    "int32": "Reads the value without its sign, or with 64 bits.",
    "uint32": "Reads the value as a signed number.",
    "int64": "Reads the value without its sign, or as a double.",
    "uint64": "Reads the value as a signed number, or as a double.",
    "pointer": "Keeps 32 bits of a pointer, or reads it as a signed number.",
    "koid": "Keeps 32 bits of a koid, or takes bit 63 for a sign.",
    "bool": "Takes every bool for true, or the whole upper half of the header for the value.",
    "double": "Prints the number with too few digits, or as text that is no number.",
}


def values(out):
    for type, rows in VALUES.items():
        for number, (value, what) in enumerate(rows):
            out(vector("argument/%s-value-%d" % (type, number),
                       "An argument of type %s: %s." % (type, what), MISTAKES[type],
                       around([NAME, INSTANT % ("@3 %s %s" % (type, value))]), "ARG-05",
                       edition=TYPES[type][3], grade="valid"))
    for label, ref, more, grade, what, rule in (
            ("empty", '""', [], "valid", "the empty string", "STR-01"),
            ("indexed", "@1", [], "valid", "an indexed string", "STR-02"),
            ("unregistered", "@9", [], "unspecified", "an index that was not registered",
             "STR-02")):
        out(vector("argument/string-value-%s" % label,
                   "A string argument whose value is %s." % what,
                   "Delivers the text of another string, or drops the event.",
                   around(more + [NAME, INSTANT % ("@3 string " + ref)]), rule, grade=grade))
    out(vector("argument/string-value-inline-of-0", "A string argument whose value is an inline "
               "string of 0 bytes.", "Takes 0x8000 for an index.",
               around([NAME] + event_with(["word arg_string.header size=1 name=3 value=0x8000"])),
               "STR-06", grade="unspecified"))
    out(vector("argument/string-both-inline",
               "The name and the value are inline: the name comes first.",
               "Reads the value before the name.",
               around([INSTANT % '"arg-name" string "of value"']), "STR-03", grade="valid"))


def names(out):
    rows = [
        ("equal-inline", '"arg-name" uint32 1, "arg-name" uint32 2', "ARG-06",
         "Two arguments of one name, both inline."),
        ("equal-indexed", "@3 uint32 1, @3 uint32 2", "ARG-06",
         "Two arguments of one index as name."),
        ("equal-mixed", '@3 uint32 1, "argument" uint32 2', "ARG-06",
         "Two arguments of one name, one indexed and one inline."),
        ("equal-types-differ", '@3 uint32 1, @3 string "a string"', "ARG-06",
         "Two arguments of one name and two types."),
        ("equal-three", "@3 uint32 1, @2 uint32 2, @3 uint32 3", "ARG-06",
         "Two arguments of one name, and another between them."),
        ("empty", '"" uint32 1, @3 uint32 2', "ARG-07", "An argument whose name is empty."),
    ]
    for label, args, rule, why in rows:
        out(vector("argument/names-" + label, why + " All are delivered, in order; by name the "
                   "last counts." if rule == "ARG-06" else why,
                   "Keeps the arguments by name, so that the first one or the order is lost.",
                   around([NAME, INSTANT % args]), rule, grade="unspecified"))
    out(vector("argument/names-empty-inline",
               "An argument whose name is an inline string of 0 bytes.",
               "Takes 0x8000 for an index.",
               around(event_with(["word arg.header type=2 size=1 name=0x8000 data=1"])),
               "STR-06", grade="unspecified"))
    # Every other argument has a name of its own.
    fifteen = ['string index=%d value="name-%03d"' % (10 + i, i) for i in range(15)]
    for first, second, label in ((0, 14, "first-and-15th"), (13, 14, "14th-and-15th")):
        indices = [10 + i for i in range(15)]
        indices[second] = indices[first]
        args = ", ".join("@%d uint32 %d" % (index, i) for i, index in enumerate(indices))
        out(vector("argument/names-equal-%s" % label,
                   "Of 15 arguments, the %s have one name." % label.replace("-", " "),
                   "Compares fewer than 15 names.", around(fifteen + [INSTANT % args]), "ARG-06",
                   grade="unspecified"))
    for label, one, two in (("case", "argument", "Argument"), ("length", "argument", "arguments"),
                            ("nul", "argument", "argument\\x00")):
        out(vector("argument/names-differ-by-" + label,
                   "Two arguments whose names differ only by their %s." % label,
                   "Compares names up to a NUL, or without case.",
                   around([INSTANT % ('"%s" uint32 1, "%s" uint32 2' % (one, two))]), "ARG-06",
                   grade="valid"))


def reserved(out):
    for type, (_, word, rest, edition) in TYPES.items():
        layout = word.split()[0]
        for low, high in runs(layout):
            for label, bits in ((str(low), [low]), (str(high), [high])):
                words = [sized(word, 1 + len(rest)) + " bits=0x%x" % (1 << bits[0])] + rest
                out(vector("argument/reserved-%s-%s" % (type, label),
                           "Bit %d of the header of an argument of type %s is set, which is "
                           "reserved."
                           % (bits[0], type),
                           "Reads the %s with the bits that are left, or refuses the argument."
                           % field_below(layout, low),
                           around([NAME] + event_with(words)), "REC-04", edition=edition))


def blobs(out):
    adds = "Adds 7 to the size before it compares, and overflows; or compares with the record."
    for size, label, mistake in (
            (9, "by-one-byte", adds), (17, "by-a-word", adds), (0xffffffff, "largest", adds),
            (0xfffffff8, "largest-in-words", adds),
            ((1 << 16) + 5, "65541", "Keeps 16 bits of the size, and delivers 5 bytes."),
            ((1 << 31) + 5, "2-31-and-5", "Keeps 31 bits of the size, and delivers 5 bytes.")):
        words = ["word arg_blob.header size=2 name=3 payload_size=%d" % size, "u64 5",
                 "word arg.header type=2 size=1 name=2 data=6"]
        out(vector("argument/blob-payload-%s" % label,
                   "The payload size of a blob argument is %d; the argument holds 8 bytes." % size,
                   mistake, around([NAME] + event_with(words, 2)), "ARG-08", edition="current"))


def families(out):
    types_at_places(out)
    in_events(out)
    sizes(out)
    unknown_types(out)
    values(out)
    names(out)
    reserved(out)
    blobs(out)
