"""Families of checkers that look at too little: at some bits of a time or of an id, at some types of
events and of arguments, or not at the last argument."""
import model
from families_args import TYPES, event_with, sized
from families_base import NAME, PREAMBLE, SENTINEL, around, vector
from families_events import ENCLOSING, EVENT, in_chain, own

BITS = (8, 16, 20, 31, 32, 48, 63)
# Each is later than the one before it, but earlier when only 31, 32, 48 or 63 bits are compared, or
# when bit 63 is a sign.
TIMES = [5, (1 << 31) + 4, (1 << 32) + 3, (1 << 48) + 2, (1 << 63) + 1]
TOP = 1 << 63
ON = "event %s timestamp=%d thread=%d/%d category=@1 name=@2"
LEGACY = "legacy_switch timestamp=%d cpu=1 outgoing_state=blocked outgoing_thread=100/%d " \
    "incoming_thread=100/%d outgoing_priority=1 incoming_priority=1"


def times(out):
    """Times that only 64 bits without a sign tell apart."""
    def on(type, time, thread=102, more=""):
        return ON % (type, time, 100, thread) + more
    flow = lambda type, time, id=7: on("flow_" + type, time, 102, " id=%d" % id)
    pair = lambda kind, middle: [
        on(kind + "_begin", 5, 102, " id=7"), on(kind + "_" + middle, TOP + 1, 102, " id=7"),
        on(kind + "_end", TOP + 2, 102, " id=7"), on(kind + "_begin", TOP + 2, 102, " id=8"),
        on(kind + "_end", TOP + 3, 102, " id=8"), on(kind + "_" + middle, TOP + 4, 102, " id=8")]
    inside = lambda lines: [on("duration_begin", 0)] + lines + [on("duration_end", TOP + 9)]
    rows = [
        ("event/backwards-wide", "EVT-08", "unspecified",
         [on("instant", time) for time in TIMES] +
         [on("instant", TOP + 2, 103), on("instant", TOP + 1, 103)]),
        ("event/complete-backwards-wide", "EVT-05", "unspecified",
         [on("duration_complete", one, 102, " end=%d" % two)
          for one, two in zip(TIMES, TIMES[1:])] +
         [on("duration_complete", TOP + 2, 103, " end=%d" % (TOP + 1))]),
        ("event/durations-overlapping-wide", "EVT-12", None,
         [on("duration_complete", 3, 102, " end=%d" % (TOP + 1)),
          on("duration_complete", 4, 102, " end=%d" % (TOP + 2))]),
        ("event/flow-outside-wide", "EVT-11", None,
         [on("duration_complete", 3, thread, " end=%d" % (TOP + 1)) for thread in (102, 103)] +
         [on("flow_begin", TOP + 1, 102, " id=7"), on("flow_end", TOP + 2, 103, " id=7")]),
        ("event/async-wide-times", "EVT-06", None, pair("async", "instant")),
        ("event/flow-wide-times", "EVT-07", None, inside(pair("flow", "step"))),
        ("event/flow-open-twice-wide", "EVT-13", None, inside(
            [flow("begin", 5), flow("end", TOP + 1), flow("begin", TOP + 2), flow("end", TOP + 3),
             flow("begin", TOP + 3, 8), flow("begin", TOP + 4, 8), flow("end", TOP + 5, 8),
             flow("end", TOP + 6, 8)])),
        ("scheduling/switch-backwards-wide", "SCH-06", None,
         [LEGACY % (time, 200 + i, 201 + i) for i, time in enumerate(TIMES)] +
         [(LEGACY % (time, one, one + 1)).replace("cpu=1", "cpu=2")
          for one, time in ((300, TOP + 2), (301, TOP + 1))]),
    ]
    for id, rule, grade, lines in rows:
        out(vector(id, "Times that only numbers of 64 bits without a sign tell apart.",
                   "Compares times with a sign, with fewer bits, or as doubles.", around(lines),
                   rule, grade=grade))


def ids(out):
    """Ids that are equal in their low bits are different ones: there is a finding for each."""
    many = lambda number: [number] + [number + (1 << bit) for bit in BITS]
    providers = [5] + [5 + (1 << bit) for bit in BITS if bit < 32]
    provider = lambda id: 'provider_info provider_id=%d name="provider"' % id
    inline = 'event duration_begin timestamp=10 thread=100/101 category="category" name="sentinel"'
    cut = "Keeps so few bits of it that two become one."
    rows = [
        ("event/async-ids-equal-in-low-bits", "EVT-06", "Async ids",
         [EVENT % ("async_begin", 10) + " id=%d" % id for id in many(7)]),
        ("event/async-processes-equal-in-low-bits", "EVT-06", "Processes of async operations",
         [ON % ("async_begin", 10, koid, 101) + " id=7" for koid in many(100)]),
        ("event/flow-ids-equal-in-low-bits", "EVT-07", "Flow ids",
         [ENCLOSING] + [EVENT % ("flow_begin", 10) + " id=%d" % id for id in many(7)]),
        ("event/duration-threads-equal-in-low-bits", "EVT-04", "Threads",
         [ON % ("duration_begin", 10, 100, koid) for koid in many(102)]),
        ("event/duration-processes-equal-in-low-bits", "EVT-04", "Processes of threads",
         [ON % ("duration_begin", 10, koid, 102) for koid in many(100)]),
    ]
    for id, rule, what, lines in rows:
        out(vector(id, "%s that are equal in their low bits are different ones: there is a finding "
                   "for each." % what, cut, around(lines), rule))
    out(vector("event/duration-providers-equal-in-low-bits",
               "A duration begins on the same thread in providers whose ids are equal in their low "
               "bits: there is a finding for each.", cut,
               PREAMBLE + [SENTINEL] + [line for id in providers for line in (
                   provider(id), inline)], "EVT-04"))
    out(vector("scheduling/switch-providers-equal-in-low-bits",
               "Switches of one processor in providers whose ids are equal in their low bits: each "
               "provider has an order of its own.", cut,
               PREAMBLE + [SENTINEL] + [line for i, id in enumerate(providers) for line in (
                   provider(id), LEGACY % (50 - i, 200 + i, 300 + i))], "SCH-06"))
    chain = [101 + (1 << bit) for bit in BITS]
    out(vector("scheduling/switch-of-another-equal-in-low-bits",
               "The outgoing thread is another one than came in before, although the koids are "
               "equal in their low bits.", cut,
               around([LEGACY % (10 + i, koid, 101) for i, koid in enumerate(chain)]), "SCH-07"))
    out(vector("scheduling/switch-to-itself-equal-in-low-bits",
               "The incoming thread has a koid that is equal to that of the outgoing one in its "
               "low bits: it is another thread.", cut,
               around([(LEGACY % (10, 101, koid)).replace("cpu=1", "cpu=%d" % i)
                       for i, koid in enumerate(chain)]), "SCH-08"))
    out(vector("scheduling/switch-to-itself-low-bits-0",
               "A thread follows on itself. The low bits of its koid are 0, but it is not koid 0.",
               "Takes the thread for the idle one.",
               around([(LEGACY % (10, 1 << bit, 1 << bit)).replace("cpu=1", "cpu=%d" % bit)
                       for bit in BITS]), "SCH-08"))
    no_clock = [line for line in PREAMBLE if not line.startswith("initialization")]
    out(vector("initialization/clock-changed-above-low-bits",
               "Rates that are equal in their low bits: each is a change.",
               "Compares so few bits of the rates that two become one.",
               no_clock + ["initialization ticks_per_second=%d" % rate for bit in BITS
                           for rate in (1000, 1000 + (1 << bit))] + [SENTINEL], "INI-03"))


def every_type(out):
    """Rules that hold for every type of event, and of argument."""
    no_clock = [line for line in PREAMBLE if not line.startswith("initialization")]
    for type in model.EVENTS:
        one = " { @3 uint32 5 }" if type == "counter" else ""
        if type != "duration_complete":
            chain = in_chain(type, "*")
            at = chain.index("*")
            lines = [line.replace("timestamp=9 ", "timestamp=5 ").replace(
                "timestamp=11 ", "timestamp=30 ") for line in chain]
            # The event is the only one that is earlier than the one before it.
            lines[at:at + 1] = [EVENT % ("instant", 20), EVENT % (type, 10) + own(type) + one]
            out(vector("event/backwards-%s" % type.replace("_", "-"),
                       "The timestamps of a thread run backwards at a %s event." % (
                           type.replace("_", " ")),
                       "Looks at the times of some types of events only.",
                       around([NAME] + lines), "EVT-08", grade="unspecified"))
        if type != "instant":
            chain = in_chain(type, EVENT % (type, 10) + own(type) + one)
            # The event stands alone before the rate; the rest of its chain comes after it.
            at = next(i for i, line in enumerate(chain) if line.startswith("event %s " % type)
                      and line != ENCLOSING)
            rate = "initialization ticks_per_second=1000"
            if type in ("duration_end", "async_instant", "async_end", "flow_begin", "flow_step",
                        "flow_end"):
                lines = [chain[at], rate]
            else:
                lines = [chain[at], rate] + chain[at + 1:]
            out(vector("initialization/clock-late-%s" % type.replace("_", "-"),
                       "The initialization record comes after a %s event: that one was in "
                       "nanoseconds." % type.replace("_", " "),
                       "Looks at the timestamps of some types of events only.",
                       no_clock + [NAME] + lines + [SENTINEL], "INI-03"))
    for type in (11, 15):
        out(vector("initialization/clock-late-unknown-event-%d" % type,
                   "The initialization record comes after an event of type %d, which is not "
                   "defined. It has a timestamp all the same." % type,
                   "Looks at the timestamps of the events that it knows.",
                   no_clock + ["word event.header size=2 event_type=%d thread=1 category=1 name=2"
                               % type, "u64 10", "initialization ticks_per_second=1000", SENTINEL],
                   "INI-03", touches=["EVT-02"]))
    out(vector("initialization/clock-late-behind-large-blob",
               "The record comes after a large blob of format 1, which has no timestamp: no time "
               "was said in other ticks.", "Takes every large blob for one with a timestamp.",
               no_clock + ['large_blob blob_format=1 category=@1 name=@2 payload=x"01"',
                           "initialization ticks_per_second=1000", SENTINEL], "INI-03",
               edition="current", grade="valid"))
    for type in (11, 15):
        out(vector("argument/unknown-type-%d-equal-name" % type,
                   "An argument of type %d, which is not defined, has the name of another." % type,
                   "Looks at the names of the arguments that it knows.",
                   around([NAME] + event_with(
                       ["word arg.header type=2 size=1 name=3 data=6",
                        "word arg.header type=%d size=1 name=3" % type], 2)), "ARG-06",
                   touches=["ARG-04"]))
    for type, (_, word, rest, edition) in TYPES.items():
        for label, name, rule, what in (("equal-name", 3, "ARG-06", "has the name of another"),
                                        ("empty-name", 0, "ARG-07", "has an empty name")):
            out(vector("argument/%s-%s" % (type, label), "An argument of type %s %s."
                       % (type, what),
                       "Looks at the names of some types of arguments only.",
                       around([NAME] + event_with(
                           ["word arg.header type=2 size=1 name=3 data=6",
                            sized(word, 1 + len(rest), name)] + rest, 2)), rule, edition=edition,
                       grade="unspecified"))


def last_arguments(out):
    """What is to be seen in the last argument, or in the last byte."""
    fifteen = ", ".join("@3 uint32 %d" % i for i in range(15))
    out(vector("argument/names-equal-15",
               "Fifteen arguments of one name: all but the first are reported.",
               "Compares the names of some arguments only.",
               around([NAME, EVENT % ("instant", 10) + " { %s }" % fifteen]), "ARG-06",
               grade="unspecified"))
    names = ["n" * 299 + end for end in "ab"]
    out(vector("argument/names-differ-by-last-byte",
               "Two arguments whose names of 300 bytes differ only in the last one.",
               "Compares the first bytes of the names, or a part of them.",
               around([EVENT % ("instant", 10) +
                       ' { "%s" uint32 1, "%s" uint32 2 }' % tuple(names)]),
               "ARG-06", grade="valid"))
    args = ", ".join(["@%d uint32 5" % (10 + i) for i in range(14)] + ['@24 string "no number"'])
    out(vector("event/counter-15th-not-numeric",
               "A counter of 14 numbers and a text: the text is the last argument.",
               "Looks at the types of some arguments only.",
               around(['string index=%d value="name-%03d"' % (10 + i, i) for i in range(15)] +
                      [EVENT % ("counter", 10) + " id=7 { %s }" % args]), "EVT-09"))
    out(vector("metadata/unknown-metadata-12-first",
               "The first record is a metadata record of type 12, which is not defined. Its bits "
               "20 to 23 are 0, as in the magic number.",
               "Looks at 3 bits of the type, and takes the record for a defective magic number.",
               ["word metadata.header size=1 metadata_type=12"] + PREAMBLE[1:] + [SENTINEL],
               "MET-07", touches=["MET-01"]))


def families(out):
    times(out)
    ids(out)
    every_type(out)
    last_arguments(out)
