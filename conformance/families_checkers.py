"""Families of what checkers had wrong although they found everything else: findings in arguments of
records that are no events, and findings of a rule after the first one."""
from families_args import PLACES, ready
from families_base import NAME, a, around, vector

EVENT = "event %s timestamp=%d thread=@1 category=@1 name=@2"
HEAD = "word event.header size=%d event_type=%d arg_count=%d thread=1 category=1 name=2"
UINT32 = "word arg.header type=2 size=1 name=%d data=%d"
PLAIN = "word arg.header type=2 size=1 name=3 data=1"


def in_arguments(out):
    """Each rule that looks into an argument, at each place where arguments stand."""
    rows = [  # label, rule, grade, what the second argument has, the arguments
        ("equal-names", "ARG-06", "unspecified", "the name of the first one",
         [PLAIN, UINT32 % (3, 2)]),
        ("empty-name", "ARG-07", "unspecified", "an empty name", [PLAIN, UINT32 % (0, 2)]),
        ("unregistered-name", "STR-02", "unspecified", "an index as its name that was not "
         "registered", [PLAIN, UINT32 % (9, 2)]),
        ("unregistered-value", "STR-02", "unspecified", "an index as its value that was not "
         "registered", [PLAIN, "word arg_string.header size=1 name=2 value=9"]),
        ("inline-of-0", "STR-06", "unspecified", "an inline string of 0 bytes as its value",
         [PLAIN, "word arg_string.header size=1 name=2 value=0x8000"]),
        ("not-utf8", "STR-05", None, "a value that is not UTF-8",
         [PLAIN, "word arg_string.header size=2 name=2 value=0x8003", 'stream x"61ff62"']),
        ("reserved", "REC-04", None, "a reserved bit",
         [PLAIN, "word arg_string.header size=1 name=2 value=1 bits=0x1000000000000"]),
        ("padding", "REC-05", None, "padding that is not zero",
         [PLAIN, "word arg_string.header size=3 name=2 value=0x8009",
          'stream "of words"', 'stream "." pad=x"00000000000001"']),
        ("tail", "REC-08", None, "a tail", [PLAIN, "word arg.header type=2 size=2 name=2 data=2",
                                           "u64 0"]),
    ]
    for place in PLACES:
        if place == "event":
            continue  # the other families
        for label, rule, grade, what, lines in rows:
            t = ready(place).with_args(2, lines)
            out(vector("%s/argument-%s-%s" % (t.area, place, label),
                       "The second argument of %s record has %s." % (a(place), what),
                       "Checks the arguments of events only.", around([NAME] + t.lines()), rule,
                       edition=t.edition, grade=grade))


# area, rule, grade, edition, lines that break the rule once. For a rule that another vector breaks
# twice there is no row; neither is there for those that a trace can break only once.
ONCE = [
    ("string_table", "REC-05", None, "2020", [
        "word string.header size=2 index=5 length=3", 'stream "abc" pad=x"0000000001"']),
    ("framing", "REC-06", None, "2020", ["word record.header type=11 size=1"]),
    ("thread_table", "REC-08", None, "2020", ["word thread.header size=4 index=5",
                                              "u64 100 105 5"]),
    ("event", "STR-03", None, "2020", [
        "word event.header size=2 event_type=0 thread=1 category=1 name=0x8008", "u64 10"]),
    ("blob", "STR-06", "unspecified", "2020", [
        "word blob.header size=1 name=0x8000 payload_size=0 blob_type=1"]),
    ("event", "THR-03", None, "2020", [
        "word event.header size=3 event_type=0 thread=0 category=1 name=2", "u64 10 100"]),
    ("metadata", "MET-02", None, "2020", [
        "word provider_info.header size=1 provider_id=5 name_length=8"]),
    ("metadata", "MET-04", None, "2020", [
        "word provider_event.header size=1 provider_id=0 event_id=1"]),
    ("initialization", "INI-01", None, "2020", ["word initialization.header size=1"]),
    ("initialization", "INI-02", "unspecified", "2020", [
        "word initialization.header size=2", "u64 0"]),
    ("string_table", "STT-01", None, "2020", ["word string.header size=1 index=5 length=8"]),
    ("string_table", "STT-02", None, "2020", ["word string.header size=2 index=0 length=8",
                                              'stream "no index"']),
    ("string_table", "STT-04", None, "2020", ["word string.header size=1 index=5 length=0"]),
    ("thread_table", "THT-01", None, "2020", ["word thread.header size=2 index=5", "u64 100"]),
    ("thread_table", "THT-02", None, "2020", ["word thread.header size=3 index=0", "u64 100 105"]),
    ("event", "EVT-01", None, "2020", [
        "word event.header size=1 event_type=0 thread=1 category=1 name=2"]),
    ("event", "EVT-03", None, "2020", [HEAD % (2, 4, 0), "u64 10"]),
    ("event", "EVT-10", "unspecified", "2020", [HEAD % (3, 0, 0), "u64 10 3"]),
    ("argument", "ARG-01", None, "2020", [HEAD % (2, 0, 1), "u64 10"]),
    ("argument", "ARG-03", None, "2020", [
        HEAD % (3, 0, 1), "u64 10", "word arg.header type=2 size=2 name=3 data=5"]),
    ("argument", "ARG-04", None, "2020", [
        HEAD % (3, 0, 1), "u64 10", "word arg.header type=12 size=1 name=3"]),
    ("argument", "ARG-05", None, "2020", [
        HEAD % (3, 0, 1), "u64 10", "word arg_plain.header type=4 size=1 name=3"]),
    ("argument", "ARG-06", "unspecified", "2020", [
        HEAD % (4, 0, 2), "u64 10", PLAIN, UINT32 % (3, 2)]),
    ("argument", "ARG-07", "unspecified", "2020", [HEAD % (3, 0, 1), "u64 10", UINT32 % (0, 1)]),
    ("argument", "ARG-08", None, "current", [
        HEAD % (3, 0, 1), "u64 10", "word arg_blob.header size=1 name=3 payload_size=8"]),
    ("blob", "BLB-01", None, "2020", [
        "word blob.header size=1 name=2 payload_size=8 blob_type=1"]),
    ("blob", "BLB-02", None, "2020", [
        "word blob.header size=1 name=2 payload_size=0 blob_type=4"]),
    ("userspace_object", "UOB-01", None, "2020", [
        "word userspace_object.header size=1 process=1 name=2"]),
    ("kernel_object", "KOB-01", None, "2020", [
        "word kernel_object.header size=1 object_type=1 name=2"]),
    ("scheduling", "SCH-01", None, "2020", [
        "word legacy_switch.header size=1 cpu=1 outgoing_state=3 outgoing_thread=1 "
        "incoming_thread=1"]),
    ("scheduling", "SCH-03", None, "2020", ["word legacy_switch.header size=6 cpu=1 "
                                            "outgoing_state=6 outgoing_thread=0 incoming_thread=0",
                                            "u64 10 100 101 100 102"]),
    ("scheduling", "SCH-04", None, "current", [
        "word context_switch.header size=1 cpu=1 outgoing_state=3"]),
    ("scheduling", "SCH-05", None, "current", ["word thread_wakeup.header size=1 cpu=1"]),
    ("scheduling", "SCH-08", None, "2020", [
        "legacy_switch timestamp=10 cpu=1 outgoing_state=blocked outgoing_thread=@1 "
        "incoming_thread=@1 outgoing_priority=1 incoming_priority=1"]),
    ("log", "LOG-01", None, "2020", ["word log.header size=2 length=8 thread=1", "u64 10"]),
    ("profiler", "PRF-02", None, "current", ["word module.header size=1 thread=1 module_id=1"]),
    ("profiler", "PRF-03", None, "current", ["word mmap.header size=1 thread=1 module_id=1"]),
    ("profiler", "PRF-04", None, "current", [
        "word backtrace.header size=2 thread=1 frame_count=1", "u64 10"]),
    ("large", "LRG-03", None, "current", ["word large_blob.header size=1 blob_format=1"]),
    ("large", "LRG-04", None, "current", [
        "word large_blob.header size=3 blob_format=1",
        "word large_blob.no_metadata category=1 name=2", "u64 8"]),
]
SWITCH = "legacy_switch timestamp=%d cpu=1 outgoing_state=blocked outgoing_thread=100/%d " \
    "incoming_thread=100/%d outgoing_priority=1 incoming_priority=1"
# What breaks the rule twice in another way than by the same lines again.
TWICE = [
    ("initialization", "INI-03", None, ["initialization ticks_per_second=1000",
                                        "initialization ticks_per_second=2000"]),
    ("event", "EVT-13", None, [EVENT % ("duration_begin", 5)] + [
        EVENT % ("flow_" + type, 6 + id + i) + " id=%d" % id for id in (4, 8)
        for i, type in enumerate(("begin", "begin", "end", "end"))] + [
            EVENT % ("duration_end", 20)]),
    ("scheduling", "SCH-06", None, [SWITCH % (30, 1, 2), SWITCH % (20, 2, 3), SWITCH % (10, 3, 4)]),
    ("scheduling", "SCH-07", None, [SWITCH % (10, 1, 2), SWITCH % (20, 3, 4), SWITCH % (30, 5, 6)]),
]


def twice(out):
    """Each rule, broken more than once."""
    rows = [(area, rule, grade, edition, lines * 2) for area, rule, grade, edition, lines in ONCE]
    rows += [(area, rule, grade, "2020", lines) for area, rule, grade, lines in TWICE]
    for area, rule, grade, edition, lines in rows:
        names = [NAME] if "name=3 " in " ".join(lines) else []
        touches = ["REC-08"] if rule == "EVT-10" else []
        out(vector("%s/breaks-%s-twice" % (area, rule.lower()),
                   "%s is broken twice, and reported twice." % rule,
                   "Reports a rule only where it is broken first.", around(names + lines), rule,
                   edition=edition, grade=grade, touches=touches))


def in_one_record(out):
    """Two findings of one rule in one record."""
    rows = [
        ("argument/names-equal-thrice", "ARG-06", "unspecified", "2020", "Three arguments of one "
         "name: the second and the third are reported.", "Reports a record once.",
         [NAME, EVENT % ("instant", 10) + " { @3 uint32 1, @3 uint32 2, @3 uint32 3 }"]),
        ("argument/names-empty-twice", "ARG-07", "unspecified", "2020", "Two arguments with empty "
         "names, which are equal, too.", "Takes empty names for different ones.",
         [EVENT % ("instant", 10) + ' { "" uint32 1, "" uint32 2 }']),
        ("argument/unknown-type-twice-in-a-record", "ARG-04", None, "2020", "Two arguments of "
         "types that are not defined.", "Reports a record once.",
         [NAME, HEAD % (4, 0, 2), "u64 10", "word arg.header type=11 size=1 name=3",
          "word arg.header type=15 size=1 name=2"]),
        ("argument/padding-of-name-and-value", "REC-05", None, "2020", "The padding of a name and "
         "of a value in one argument is not zero.", "Reports a record once, or looks at the "
         "padding of one stream.",
         [HEAD % (7, 0, 1), "u64 10", "word arg_string.header size=5 name=0x8009 value=0x8009",
          'stream "nine byte" pad=x"01000000000000"', 'stream "also nine" pad=x"00000000000001"']),
        ("argument/tails-and-tail", "REC-08", None, "2020", "Two arguments with tails, in an event "
         "with one.", "Reports a record once.",
         [NAME, EVENT % ("duration_begin", 9), HEAD % (7, 3, 2), "u64 10",
          "word arg.header type=2 size=2 name=3 data=1", "u64 5",
          "word arg.header type=2 size=2 name=2 data=2", "u64 6", "u64 7"]),
        ("kernel_object/reserved-of-record-and-argument", "REC-04", None, "2020", "Reserved bits "
         "of a record and of its argument are set.", "Reports a record once.",
         [NAME, "word kernel_object.header size=3 object_type=1 name=2 arg_count=1 "
          "bits=0x100000000000", "u64 100",
          "word arg_plain.header type=0 size=1 name=3 bits=0x100000000"]),
        ("event/padding-of-category-and-name", "REC-05", None, "2020", "The padding of the "
         "category and of the name of one event is not zero.", "Reports a record once, or looks at "
         "the padding of one stream.",
         ["word event.header size=6 event_type=0 thread=1 category=0x8009 name=0x8009", "u64 10",
          'stream "nine byte" pad=x"01000000000000"', 'stream "also nine" pad=x"00000000000001"']),
        ("event/inline-of-0-twice", "STR-06", "unspecified", "2020", "Category and name are both "
         "inline strings of 0 bytes: two findings at the header.", "Reports a word once.",
         ["word event.header size=2 event_type=0 thread=1 category=0x8000 name=0x8000", "u64 10"]),
        ("scheduling/threads-both-unregistered", "THR-02", "unspecified", "2020", "Neither thread "
         "of a legacy switch is registered: two findings at the header.", "Reports a word once.",
         ["legacy_switch timestamp=10 cpu=1 outgoing_state=blocked outgoing_thread=@8 "
          "incoming_thread=@9 outgoing_priority=1 incoming_priority=1"]),
        ("profiler/padding-of-name-and-build-id", "REC-05", None, "current", "The padding of the "
         "name and of the build id of one module is not zero.", "Reports a record once, or looks "
         "for the build id at a wrong place.",
         ["word module.header size=6 thread=1 module_id=1 name_length=9 build_id_length=9",
          "u64 10", 'stream "nine byte" pad=x"01000000000000"',
          'stream x"112233445566778899" pad=x"00000000000001"']),
        ("large/padding-of-category-name-and-payload", "REC-05", None, "current", "The padding of "
         "the category, the name and the payload of one large blob is not zero.", "Reports a "
         "record once, or looks at the padding of one stream.",
         ["word large_blob.header size=9 blob_format=1",
          "word large_blob.no_metadata category=0x8009 name=0x8009",
          'stream "nine byte" pad=x"01000000000000"', 'stream "also nine" pad=x"00000000000001"',
          "u64 9", 'stream x"112233445566778899" pad=x"00000000000001"']),
    ]
    for id, rule, grade, edition, why, mistake, lines in rows:
        out(vector(id, why, mistake, around(lines), rule, edition=edition, grade=grade))


def families(out):
    in_arguments(out)
    twice(out)
    in_one_record(out)
