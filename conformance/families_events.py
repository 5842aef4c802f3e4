"""Families about events: each type with what it needs, its own word, unknown types; and time."""
from families_base import MAX, NAME, PREAMBLE, a, around, templates, vector
import model

EVENT = "event %s timestamp=%d thread=@1 category=@1 name=@2"
WORDS = {"counter": "counter id", "duration_complete": "end time", "async_begin": "async id",
         "async_instant": "async id", "async_end": "async id", "flow_begin": "flow id",
         "flow_step": "flow id", "flow_end": "flow id"}
ENCLOSING = EVENT % ("duration_complete", 0) + " end=90"
CHAINS = {"duration": ("duration_begin", "duration_end"),
          "async": ("async_begin", "async_instant", "async_end"),
          "flow": ("flow_begin", "flow_step", "flow_end")}


def in_chain(type, line):
    """The line as one of a chain that nothing is wrong with."""
    chain = CHAINS.get(type.split("_")[0], ())
    if type not in chain:
        return [line]
    id = "" if type.startswith("duration") else " id=7"
    ends = [EVENT % (chain[0], 9) + id, EVENT % (chain[-1], 11) + id]
    if type == chain[0]:
        ends = [None, ends[1]]
    if type == chain[-1]:
        ends = [ends[0], None]
    lines = [ends[0], line, ends[1]]
    if type.startswith("flow"):
        lines.insert(0, ENCLOSING)
    return [each for each in lines if each]


def own(type):
    """The field of the type, in the assembler language."""
    return " end=20" if type == "duration_complete" else " id=7" if type in WORDS else ""


def raw(type, size, words=(), refs="thread=1 category=1 name=2", count=0):
    return ["word event.header size=%d event_type=%d arg_count=%d %s" % (
        size, model.EVENTS.index(type), count, refs), "u64 10"] + list(words)


def each_type(out):
    for type in model.EVENTS:
        title = type.replace("_", " ")
        line = EVENT % (type, 10) + own(type)
        one = ' { @3 uint32 5 }'
        usual = line + (one if type == "counter" else "")
        out(vector("event/type-%s" % type, "A %s event in its usual form." % title,
                   "Does not know the type.", around([NAME] + in_chain(type, usual)), "EVT-02",
                   grade="valid"))
        out(vector("event/%s-with-arguments" % type,
                   "A %s event with two arguments%s." % (
                       title, " before its %s" % WORDS[type] if type in WORDS else ""),
                   "Reads the %s before the arguments." % WORDS[type] if type in WORDS else
                   "Reads a word behind the arguments that the type does not have.",
                   around([NAME] + in_chain(type, line + " { @3 uint32 5, @2 uint64 6 }")),
                   "EVT-03" if type in WORDS else "ARG-01", grade="valid"))
        inline = line.replace("thread=@1 category=@1 name=@2",
                              'thread=100/101 category="cat" name="inline"')
        out(vector("event/%s-inline" % type,
                   "A %s event with everything inline: thread, category, name, the name of an "
                   "argument." % title, "Takes the parts in another order than that of the format.",
                   around(in_chain(type, inline + ' { "arg" uint32 5 }')), "STR-03", grade="valid"))
        if type in WORDS:
            out(vector("event/%s-without-its-word" % type,
                       "A %s event without its %s." % (title, WORDS[type]),
                       "Takes the header of the next record for the %s." % WORDS[type],
                       around(raw(type, 2)), "EVT-03"))
            # Its arguments take all that there is.
            out(vector("event/%s-arguments-then-nothing" % type,
                       "A %s event that ends with its argument." % title,
                       "Takes the last argument for the %s." % WORDS[type],
                       around([NAME] + raw(type, 3, ["word arg.header type=2 size=1 name=3 data=5"],
                                           count=1)), "EVT-03"))
        if "id" in own(type):
            for value, label in ((0, "0"), (1 << 32, "2-32"), (1 << 63, "2-63"), (MAX, "largest")):
                lines = [part.replace("id=7", "id=%d" % value)
                         for part in in_chain(type, usual)]
                out(vector("event/%s-id-%s" % (type, label),
                           "The id of a %s event is %d." % (title, value),
                           "Keeps 32 bits of an id, or takes it for a number with a sign, or 0 for "
                           "none.", around([NAME] + lines), "EVT-03", grade="valid"))
        if type != "instant":
            word = ["u64 20"] if type == "duration_complete" else ["u64 7"] if type in WORDS else []
            count = 1 if type == "counter" else 0
            args = ["word arg.header type=2 size=1 name=3 data=5"] * count
            lines = raw(type, 3 + len(word) + count, args + word + ["u64 0x1234"], count=count)
            chain = in_chain(type, "*")
            at = chain.index("*")
            out(vector("event/%s-tail" % type, "A %s event with a word more." % title,
                       "Takes the word for a part of the event, or refuses it.",
                       around([NAME] + chain[:at] + lines + chain[at + 1:]), "REC-08"))


def unknown(out):
    for type in range(11, 16):
        head = "word event.header size=%d event_type=" + str(type) + \
            " arg_count=%d thread=1 category=1 name=2"
        for label, lines, what in (
                ("bare", [head % (2, 0), "u64 10"], "nothing behind its names"),
                ("argument", [head % (3, 1), "u64 10",
                              "word arg.header type=2 size=1 name=3 data=5"],
                 "an argument"),
                ("words", [head % (4, 0), "u64 10", "u64 7 8"], "two words behind its arguments")):
            out(vector("event/unknown-type-%d-%s" % (type, label),
                       "An event of type %d, which is not defined, with %s." % (type, what),
                       "Stops at the event, or delivers it as one of another type.",
                       around([NAME] + lines), "EVT-02"))
        if type != 12:  # vectors/event.fxta has that
            out(vector("event/unknown-type-%d-in-time" % type,
                       "Events of type %d, which is not defined, one earlier and one later than "
                       "the events around them. Nothing is known of their timestamps." % type,
                       "Takes the timestamp of an event of this type for a time of its thread.",
                       around([EVENT % ("instant", 10), head % (2, 0), "u64 3", head % (2, 0),
                               "u64 20", EVENT % ("instant", 11)]), "EVT-08",
                       touches=["EVT-02"]))
    for label, lines, rule in (
            ("no-timestamp", ["word event.header size=1 event_type=15 thread=1"], "EVT-01"),
            ("half-a-thread", ["word event.header size=3 event_type=15 thread=0", "u64 10 100"],
             "THR-03"),
            ("no-argument", ["word event.header size=2 event_type=15 thread=1 arg_count=1",
                             "u64 10"],
             "ARG-01"),
            ("no-name", ["word event.header size=2 event_type=15 thread=1 name=0x8008", "u64 10"],
             "STR-03")):
        out(vector("event/unknown-type-%s" % label,
                   "What all events have in common has to be there in an event of unknown type "
                   "too.",
                   "Looks at nothing but the size of an event that it does not know.",
                   around(lines), rule))


def scopes(out):
    instant = EVENT % ("instant", 10)
    for scope in ("thread", "process", "global"):
        out(vector("event/instant-scope-%s" % scope, "An instant event with the scope %s, as the "
                   "original engine writes it." % scope,
                   "Takes the scope word for the next record, or refuses the event.",
                   around([instant + " scope=" + scope]), "EVT-10", grade="unspecified"))
        out(vector("event/instant-scope-%s-behind-arguments" % scope,
                   "The scope %s stands behind the arguments." % scope,
                   "Looks for the scope behind the names.",
                   around([NAME, instant + " scope=" + scope + " { @3 uint32 5 }"]), "EVT-10",
                   grade="unspecified"))
    index = "Uses the word as an index into three names."
    for value, label, mistake in (
            (3, "3", index), (1 << 32, "2-32", index), (MAX, "largest", index),
            (1 << 48, "2-48", "Keeps 48 bits of the word, and takes it for thread."),
            (1 << 63, "2-63", "Keeps 63 bits of the word, and takes it for thread."),
            ((1 << 8) + 1, "257", "Keeps 8 bits of the word, and takes it for process."),
            ((1 << 16) + 1, "65537", "Keeps 16 bits of the word, and takes it for process."),
            ((1 << 32) + 1, "2-32-and-1", "Keeps 32 bits of the word, and takes it for process.")):
        out(vector("event/instant-scope-%s" % label,
                   "The scope is %d, which is not defined: it is read as thread. Edition 2020 "
                   "sees a tail." % value, mistake,
                   around(raw("instant", 3, ["u64 %d" % value])), "EVT-10", touches=["REC-08"],
                   grade="unspecified"))
    for words, label in (("1 8", "and-tail"), ("3 8", "3-and-tail")):
        out(vector("event/instant-scope-%s" % label, "A word behind the scope.",
                   "Takes the last word of the record for the scope.",
                   around(raw("instant", 4, ["u64 " + words])),
                   "REC-08" if words[0] == "1" else "EVT-10", grade="unspecified"))


RATES = [1, 3, 7, 1000, 32768, 10**6, 19200000, 24 * 10**6, 10**9 - 1, 10**9, 10**9 + 1,
         2400000000, 3 * 10**9, 1 << 32, 10**12, 1 << 63, MAX]


def times(out):
    """Ticks to nanoseconds, exact and rounded down."""
    for rate in RATES:
        small = [0, 1, 2, 3, 999, 1001]
        large = [(1 << 32) - 1, 1 << 32, 10**15 + 7, (1 << 53) + 1, (1 << 63) + 1, MAX - 1]
        for label, ticks in (("small", small), ("large", large)):
            lines = ["initialization ticks_per_second=%d" % rate] + \
                [EVENT % ("instant", tick) for tick in ticks]
            frame = [line for line in PREAMBLE if not line.startswith("initialization")] + lines
            if rate == 10**9:
                frame = PREAMBLE + lines[1:]
            out(vector("initialization/rate-%d-%s" % (rate, label),
                       "%s timestamps at %d ticks a second: floor(ticks * 10^9 / rate), at most "
                       "2^64 - 1." % (label.capitalize(), rate),
                       "Multiplies in 64 bits and wraps, or divides first, or uses doubles.",
                       frame, "INI-01", grade="valid"))
    single = [
        ("wraps-above-18-seconds", 24 * 10**6, 442721857770,
         "Multiplies ticks by 10^9 in 64 bits: the product wraps after 18 seconds."),
        ("one-day", 19200000, 19200000 * 86400 + 1,
         "Multiplies in 64 bits, or loses the last microseconds in a division that comes first."),
        ("floor-per-2-32", 24 * 10**6, 21374400 * 10**6 + 13,
         "Converts the upper and the lower 32 bits each by itself, and rounds twice."),
        ("more-than-53-bits", 10**9, (1 << 60) + 1, "Keeps times in doubles."),
        ("rounded-down", 3, 2, "Rounds to the nearest nanosecond."),
        ("does-not-fit", 1, 18446744074, "Wraps where the time does not fit into 64 bits."),
        ("fits-just", 1, 18446744073, "Saturates too early."),
    ]
    frame = [line for line in PREAMBLE if not line.startswith("initialization")]
    for label, rate, ticks, mistake in single:
        out(vector("initialization/time-%s" % label,
                   "%d ticks at %d a second." % (ticks, rate), mistake,
                   frame + ["initialization ticks_per_second=%d" % rate,
                            EVENT % ("instant", ticks)],
                   "INI-01", grade="valid"))
        out(vector("initialization/end-%s" % label,
                   "A duration complete that ends after %d ticks, at %d a second. Its end is "
                   "converted like its begin." % (ticks, rate), "Takes the last word for a "
                   "length, or converts the difference.",
                   frame + ["initialization ticks_per_second=%d" % rate,
                            EVENT % ("duration_complete", 1) + " end=%d" % ticks],
                   "EVT-03", grade="valid"))


def clocks(out):
    no_clock = [line for line in PREAMBLE if not line.startswith("initialization")]
    e = lambda ticks: EVENT % ("instant", ticks)
    rows = [
        ("default", "INI-04", None, "Without an initialization record a tick is a nanosecond.",
         "Divides by zero, or takes a tick for a second.", no_clock + [e(1500)]),
        ("late", "INI-03", None, "The initialization record comes after an event: that one was in "
         "nanoseconds.", "Converts all times with the rate that it saw last.",
         no_clock + [e(3000), "initialization ticks_per_second=1000", e(3000)]),
        ("late-same", "INI-03", None, "The record comes after an event and states one tick a "
         "nanosecond: nothing changes.", "Reports a change where there is none.",
         no_clock + [e(3000), "initialization ticks_per_second=1000000000", e(3000)]),
        ("changed", "INI-03", None, "The rate changes: the new one holds for what follows.",
         "Keeps the first rate, or converts all times with the last.",
         no_clock + ["initialization ticks_per_second=1000", e(3000),
                     "initialization ticks_per_second=2000", e(3000)]),
        ("changed-unused", "INI-03", None, "The rate changes before any event used it.",
         "Keeps the first rate.",
         no_clock + ["initialization ticks_per_second=1000", "initialization ticks_per_second=2000",
                     e(3000)]),
        ("same-twice", "INI-03", None, "The same rate twice is no change.",
         "Refuses a second initialization record.",
         no_clock + ["initialization ticks_per_second=1000"] * 2 + [e(3000)]),
        ("zero-first", "INI-02", "unspecified", "A rate of 0 is ignored: the default stays.",
         "Divides by zero.",
         no_clock + ["word initialization.header size=2", "u64 0", e(3000)]),
        ("zero-later", "INI-02", "unspecified", "A rate of 0 is ignored: the rate before it stays.",
         "Divides by zero, or falls back to the default.",
         no_clock + ["initialization ticks_per_second=1000", "word initialization.header size=2",
                     "u64 0", e(3000)]),
        ("zero-unused", "INI-02", None, "A rate of 0, before any event used it, and then another.",
         "Divides by zero, or gives up.",
         no_clock + ["word initialization.header size=2", "u64 0",
                     "initialization ticks_per_second=1000", e(3000)]),
        ("zero-between", "INI-03", None, "A rate of 0 between two different ones is ignored: the "
         "second changes the first.", "Forgets the rate at a rate of 0, and sees no change.",
         no_clock + ["initialization ticks_per_second=1000", "word initialization.header size=2",
                     "u64 0", "initialization ticks_per_second=2000", e(3000)]),
        ("zero-between-same", "INI-03", None, "A rate of 0 between two equal ones is ignored: "
         "nothing changes.", "Takes 0 for the rate that the next one changes.",
         no_clock + ["initialization ticks_per_second=1000", "word initialization.header size=2",
                     "u64 0", "initialization ticks_per_second=1000", e(3000)]),
        ("late-behind-objects", "INI-03", None, "The record comes after records without a "
         "timestamp: no time was said in other ticks.", "Takes any record for one with a "
         "timestamp.",
         no_clock + ['blob blob_type=data name=@2 payload=x"01"',
                     "userspace_object pointer=0x7000 process=@1 name=@2",
                     "kernel_object object_type=process koid=100 name=@2",
                     "initialization ticks_per_second=1000", e(3000)]),
        ("late-behind-unknown", "INI-03", None, "The record comes after records of unknown types. "
         "Nothing is known of their words: none is a timestamp.",
         "Looks at the type and not at the subtype.",
         no_clock + ["word scheduling.header size=2 scheduling_type=3", "u64 10",
                     "word profiler.header size=2 profiler_type=3", "u64 10",
                     "word large.header size=4 large_type=1", "u64 0 10 0",
                     "word large_blob.header size=4 blob_format=2", "u64 0 10 0",
                     "initialization ticks_per_second=1000", e(3000)]),
        ("four-words", "REC-08", "unspecified", "Some writers append a tick and a wall-clock "
         "time; no text defines them.",
         "Takes the words behind for the rate, or refuses the record.",
         no_clock + ["word initialization.header size=4", "u64 1000 5 1700000000000000000",
                     e(3000)]),
        ("refused", "INI-01", None,
         "A record without its word is refused: the rate before it stays.",
         "Takes the header of the next record for the rate.",
         no_clock + ["initialization ticks_per_second=1000", "word initialization.header size=1",
                     e(3000)]),
    ]
    for label, rule, grade, why, mistake, lines in rows:
        keeps = ["INI-02"] if label == "same-twice" else []
        out(vector("initialization/clock-" + label, why, mistake, lines, rule, touches=keeps,
                   grade=grade))
    for name, t in templates().items():
        if t.has("timestamp") and name != "event":
            out(vector("initialization/clock-late-%s" % name.replace("_", "-"),
                       "The initialization record comes after %s record, which has a timestamp: "
                       "that one was in nanoseconds." % a(name),
                       "Looks at the timestamps of events only.",
                       no_clock + t.plain().lines() +
                       ["initialization ticks_per_second=1000", e(3000)],
                       "INI-03", edition=t.edition))


def families(out):
    each_type(out)
    unknown(out)
    scopes(out)
    times(out)
    clocks(out)
