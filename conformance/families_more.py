"""Families about what many readers have a short way for, sizes of large payloads, descriptions of
objects, and scheduling."""
from families_base import MAX, NAME, around, vector

INSTANT = "event instant timestamp=%d thread=@1 category=@1 name=@2"
HEAD = "word event.header size=%d event_type=%d arg_count=%d thread=1 category=1 name=2"

# An event in the usual form, all refs indexed, between two like it; each breaks one rule.
USUAL = [
    ("reserved-null", [HEAD % (3, 0, 1), "u64 10",
                       "word arg_plain.header type=0 size=1 name=3 bits=0x100000000"], "REC-04"),
    ("reserved-string", [HEAD % (3, 0, 1), "u64 10",
                         "word arg_string.header size=1 name=3 value=2 bits=0x8000000000000000"],
     "REC-04"),
    ("padding", [HEAD % (4, 0, 1), "u64 10", "word arg_string.header size=2 name=3 value=0x8003",
                 'stream "abc" pad=x"0000000001"'], "REC-05"),
    ("not-utf8", [HEAD % (4, 0, 1), "u64 10", "word arg_string.header size=2 name=3 value=0x8003",
                  'stream x"61ff62"'], "STR-05"),
    ("argument-tail", [HEAD % (4, 0, 1), "u64 10", "word arg.header type=2 size=2 name=3 data=1",
                       "u64 0"], "REC-08"),
    ("tail", [HEAD % (4, 2, 0), "u64 10", "u64 0 0", INSTANT % 10,
              "event duration_end timestamp=10 thread=@1 category=@1 name=@2"], "REC-08"),
    ("argument-missing", [HEAD % (2, 0, 1), "u64 10"], "ARG-01"),
    ("argument-size-0", [HEAD % (3, 0, 1), "u64 10", "word arg.header type=2 size=0 name=3"],
     "ARG-02"),
    ("argument-too-long", [HEAD % (3, 0, 1), "u64 10", "word arg.header type=2 size=2 name=3"],
     "ARG-03"),
    ("argument-value-missing", [HEAD % (3, 0, 1), "u64 10",
                                "word arg_plain.header type=4 size=1 name=3"], "ARG-05"),
    ("word-missing", [HEAD % (2, 1, 0), "u64 10"], "EVT-03"),
    ("backwards", [INSTANT % 2], "EVT-08"),
    ("end-without-begin", ["event duration_end timestamp=10 thread=@1 category=@1 name=@2"],
     "EVT-04"),
    ("complete-backwards", ["event duration_complete timestamp=10 thread=@1 category=@1 name=@2 "
                            "end=9"], "EVT-05"),
    ("counter-of-nothing", ["event counter timestamp=10 thread=@1 category=@1 name=@2 id=1"],
     "EVT-09"),
    ("counter-of-text", ["event counter timestamp=10 thread=@1 category=@1 name=@2 id=1 "
                         "{ @3 string @2 }"], "EVT-09"),
    ("equal-names", [INSTANT % 10 + " { @3 uint32 1, @4 uint32 2 }"], "ARG-06"),
    ("equal-refs", [INSTANT % 10 + " { @3 uint32 1, @3 uint32 2 }"], "ARG-06"),
    ("empty-name-by-index", [INSTANT % 10 + " { @5 uint32 1 }"], "ARG-07"),
    ("argument-name-unregistered", [INSTANT % 10 + " { @9 uint32 1 }"], "STR-02"),
    ("value-unregistered", [INSTANT % 10 + " { @3 string @9 }"], "STR-02"),
    ("category-unregistered", ["event instant timestamp=10 thread=@1 category=@9 name=@2"],
     "STR-02"),
    ("name-unregistered", ["event instant timestamp=10 thread=@1 category=@1 name=@9"], "STR-02"),
]
OF_OURS = ("STR-02", "ARG-06", "ARG-07", "EVT-05", "EVT-08")


def usual(out):
    for label, lines, rule in USUAL:
        before = [NAME]
        if label == "equal-names":
            before.append('string index=4 value="argument"')
        if label == "empty-name-by-index":
            before.append('string index=5 value=""')
        out(vector("event/usual-%s" % label,
                   "Between two events in the usual form, with all refs indexed and short "
                   "arguments, one that breaks %s." % rule,
                   "Has a short way for usual events that does not look at all that it has to.",
                   around(before + [INSTANT % 5] + lines), rule,
                   grade="unspecified" if rule in OF_OURS else None))


def large_payloads(out):
    cut = "Compares a size of 64 bits after cutting it to 32, or not at all."
    adds = "Adds the padding before it compares: the sum overflows, and 2^64 - 1 bytes are accepted."
    sizes = [(9, "by-a-byte", cut), (16, "by-a-word", cut), (1 << 32, "2-32", cut),
             (1 << 63, "2-63", cut), (MAX - 6, "rounds-to-0", adds),
             (MAX - 7, "largest-words", adds), (MAX, "largest", adds),
             ((1 << 16) + 5, "65541", "Keeps 16 bits of the size, and delivers 5 bytes."),
             ((1 << 31) + 5, "2-31-and-5", "Keeps 31 bits of the size, and delivers 5 bytes.")]
    for size, label, mistake in sizes:
        for format, lines in ((0, ["word large_blob.header size=5 blob_format=0",
                                   "word large_blob.metadata category=1 name=2 thread=1",
                                   "u64 10"]),
                              (1, ["word large_blob.header size=4 blob_format=1",
                                   "word large_blob.no_metadata category=1 name=2"])):
            out(vector("large/payload-%s-format-%d" % (label, format),
                       "The payload size of a large blob (format %d) is %d; the record holds 8 "
                       "bytes."
                       % (format, size), mistake, around(lines + ["u64 %d" % size, "u64 5"]),
                       "LRG-04", edition="current"))
    for format, lines in ((0, ["word large_blob.header size=%d blob_format=0",
                               "word large_blob.metadata category=1 name=2 thread=1", "u64 10"]),
                          (1, ["word large_blob.header size=%d blob_format=1",
                               "word large_blob.no_metadata category=1 name=2"])):
        size = len(lines) + 4095
        out(vector("large/longer-than-12-bits-format-%d" % format,
                   "A large blob (format %d) of %d words: only 32 bits can say that."
                   % (format, size),
                   "Reads 12 bits of size in a large record: it swallows what follows, or takes "
                   "the payload for records.",
                   around([lines[0] % size] + lines[1:] + ["u64 %d" % (8 * 4094)] +
                          ["repeat 4094 u64 0"]), "REC-02", edition="current", grade="valid"))


def objects(out):
    args = "event instant timestamp=10 thread=@1 category=@1 name=@2 { %s }"
    thread = 'kernel_object object_type=thread koid=102 name="the name" { %s }'
    high = (1 << 63) + 102
    rows = [
        ("kernel_object/process", "KOB-01", "A process gets a name, and an event an argument with "
         "its koid.", "Puts the name into the place of the koid.",
         ['kernel_object object_type=process koid=100 name="program."', args % "@3 koid 100"]),
        ("kernel_object/thread", "KOB-01", "A thread gets a name; its argument says of which "
         "process it is.", "Does not read the arguments of objects.",
         ['string index=4 value="process"', thread % "@4 koid 100"]),
        ("kernel_object/thread-without-process", "KOB-01", "A thread whose process is not said.",
         "Asks for the argument, which is a convention.",
         ['kernel_object object_type=thread koid=102 name="the name"']),
        ("kernel_object/thread-bit-63", "KOB-01", "A thread with a koid of bit 63, as of a virtual "
         "thread.", "Keeps 32 or 63 bits of the koid.",
         ['kernel_object object_type=thread koid=%d name="virtual." { "process" koid 100 }'
          % high]),
        ("kernel_object/again", "KOB-01", "A koid is described again: the second name holds.",
         "Keeps the first name.",
         ['kernel_object object_type=thread koid=102 name="first..."',
          'kernel_object object_type=thread koid=102 name="second.."']),
        ("kernel_object/two-types", "KOB-01", "A process and its main thread have one koid, as on "
         "Linux: two objects.", "Gives a thread the name of its process.",
         ['kernel_object object_type=process koid=100 name="program."',
          'kernel_object object_type=thread koid=100 name="main...." { "process" koid 100 }']),
        ("userspace_object/pointer-argument", "UOB-01", "A pointer is described, and an event has "
         "it as an argument.", "Puts the name into the place of the pointer.",
         ['userspace_object pointer=0x7000 process=@1 name="an objct"',
          args % "@3 pointer 0x7000"]),
        ("userspace_object/two-processes", "UOB-01", "One pointer in two processes is two objects.",
         "Has one table of pointers for all processes.",
         ["thread index=8 process=100 thread=101", "thread index=9 process=200 thread=201",
          'userspace_object pointer=0x7000 process=@8 name="of 100.."',
          'userspace_object pointer=0x7000 process=@9 name="of 200.."']),
        ("blob/two-names", "BLB-01", "Chunks of two names take turns: two blobs.",
         "Joins the chunks of all names.",
         ['blob blob_type=data name="name one" payload=x"0101010101010101"',
          'blob blob_type=data name="name two" payload=x"0202020202020202"',
          'blob blob_type=data name="name one" payload=x"0303030303030303"']),
        ("log/two-threads", "LOG-01", "Lines of two threads, one of them inline.",
         "Ignores log records.",
         ['log timestamp=10 thread=@1 message="of 101.."',
          'log timestamp=11 thread=100/102 message="of 102.."']),
    ]
    for id, rule, why, mistake, lines in rows:
        out(vector(id, why, mistake, around([NAME] + lines), rule, grade="valid"))


def scheduling(out):
    threads = ["thread index=4 process=100 thread=104", "thread index=5 process=200 thread=205"]
    legacy = "legacy_switch timestamp=%d cpu=%d outgoing_state=%s outgoing_thread=@%d " \
        "incoming_thread=@%d outgoing_priority=%d incoming_priority=%d"
    switch = "context_switch timestamp=%d cpu=%d outgoing_state=%s outgoing_thread=%d " \
        "incoming_thread=%d"
    rows = [
        ("legacy-chain", "SCH-07", "Three threads take turns on one processor (legacy records).",
         "Takes the priorities for thread refs.",
         threads + [legacy % (10, 1, "blocked", 1, 4, 3, 200),
                    legacy % (11, 1, "suspended", 4, 5, 9, 1),
                    legacy % (12, 1, "dead", 5, 1, 0, 255)]),
        ("chain", "SCH-07", "Three threads take turns on one processor.",
         "Takes the koids for refs.",
         [switch % (10, 1, "blocked", 101, 104), switch % (11, 1, "suspended", 104, 205),
          switch % (12, 1, "dead", 205, 101)]),
        ("legacy-and-current", "SCH-07", "A legacy record and one of edition current of one "
         "processor follow on each other.", "Keeps the two kinds of records apart.",
         threads + [legacy % (10, 1, "blocked", 1, 4, 3, 200),
                    switch % (11, 1, "blocked", 104, 101)]),
        ("two-processors", "SCH-06", "Two processors; each has an order of its own.",
         "Asks for one order of all processors.",
         [switch % (20, 0, "blocked", 101, 104), switch % (10, 1, "blocked", 205, 206),
          switch % (21, 0, "blocked", 104, 101), switch % (11, 1, "blocked", 206, 205)]),
        ("wakeup-then-switch", "SCH-05", "A thread is woken, and comes in.",
         "Reads a wakeup with the words of a switch.",
         ["thread_wakeup timestamp=10 cpu=1 waking_thread=104",
          switch % (11, 1, "blocked", 101, 104)]),
        ("wakeup-with-waker", "SCH-05", "A wakeup with the arguments of the convention.",
         "Skips too few words behind the thread, and loses the arguments.",
         ['thread_wakeup timestamp=10 cpu=1 waking_thread=104 '
          '{ "weight" int32 100, "waker" koid 101 }']),
        ("switch-with-weights", "SCH-04", "A switch with the arguments of the convention.",
         "Does not read the arguments of a switch.",
         [switch % (10, 1, "blocked", 101, 104) +
          ' { "incoming_weight" int32 100, "outgoing_weight" int32 50 }']),
        ("idle", "SCH-08", "Koid 0 is the idle thread, and may follow on itself.",
         "Takes koid 0 for a thread that was not named.",
         [switch % (10, 1, "blocked", 101, 0), switch % (11, 1, "new", 0, 0),
          switch % (12, 1, "new", 0, 101)]),
        ("to-itself", "SCH-08", "The incoming thread is the outgoing one.",
         "Draws a span of no length.", [switch % (10, 1, "suspended", 101, 101)]),
        ("of-another", "SCH-07", "The outgoing thread is not the one that came in before.",
         "Ends the span of a thread that did not run.",
         [switch % (10, 1, "blocked", 101, 104), switch % (11, 1, "blocked", 205, 101)]),
        ("backwards", "SCH-06", "The second switch of a processor is earlier than the first.",
         "Makes a span of negative length.",
         [switch % (20, 1, "blocked", 101, 104), switch % (10, 1, "blocked", 104, 101)]),
    ]
    for label, rule, why, mistake, lines in rows:
        out(vector("scheduling/switches-" + label, why, mistake, around(lines), rule,
                   grade="valid"))
    for state in ("new", "suspended", "blocked", "dying", "dead"):
        out(vector("scheduling/state-%s" % state, "A thread is switched out, %s." % state,
                   "Has the states in another order.",
                   around([switch % (10, 1, state, 101, 104)]), "SCH-03", grade="valid"))
        out(vector("scheduling/legacy-state-%s" % state,
                   "A thread is switched out, %s (legacy record)." % state,
                   "Has the states in another order.",
                   around(threads + [legacy % (10, 1, state, 1, 4, 3, 3)]), "SCH-03",
                   grade="valid"))


def chains(out):
    """Durations, flows and async operations in time and by thread."""
    threads = ["thread index=4 process=100 thread=104", "thread index=5 process=200 thread=205"]
    e = "event %s timestamp=%d thread=@%d category=@1 name=@2"
    depth = 20
    rows = [
        ("event/durations-deep", "EVT-04", "%d durations, one in the other." % depth,
         "Has a stack of a fixed depth.",
         [e % ("duration_begin", i, 1) for i in range(depth)] +
         [e % ("duration_end", depth + i, 1) for i in range(depth)]),
        ("event/duration-end-with-another-name", "EVT-04", "A duration end bears another category "
         "and name than its begin. They are not compared.",
         "Looks for a begin of the same name, and closes none.",
         ["event duration_begin timestamp=10 thread=@1 category=@1 name=@2",
          "event duration_end timestamp=11 thread=@1 category=@2 name=@1"]),
        ("event/duration-end-with-an-argument", "EVT-04",
         "A duration end has arguments of its own.",
         "Drops the arguments of an end.",
         [e % ("duration_begin", 10, 1) + " { @3 uint32 1 }",
          e % ("duration_end", 11, 1) + ' { "result.." uint32 2 }']),
        ("event/durations-of-two-threads", "EVT-04", "Durations of two threads that overlap.",
         "Has one stack for all threads of a process.",
         threads + [e % ("duration_begin", 10, 1), e % ("duration_begin", 11, 4),
                    e % ("duration_end", 12, 1), e % ("duration_end", 13, 4)]),
        ("event/durations-at-once", "EVT-04", "A duration of no length, inside of another that "
         "begins at the same tick.",
         "Sorts events of one tick in another order than they stand in.",
         [e % ("duration_begin", 10, 1), e % ("duration_begin", 10, 1), e % ("duration_end", 10, 1),
          e % ("duration_end", 10, 1)]),
        ("event/complete-of-no-length", "EVT-05", "A duration complete that ends when it begins.",
         "Drops it, or takes its end for a damage.",
         [e % ("duration_complete", 10, 1) + " end=10"]),
        ("event/complete-inside-first", "EVT-12", "The inner duration complete stands before the "
         "outer one, because it ended first.", "Nests durations by the order of the file.",
         [e % ("duration_complete", 11, 1) + " end=12",
          e % ("duration_complete", 10, 1) + " end=20"]),
        ("event/complete-ends-after-later-events", "EVT-08", "A duration complete is written at "
         "its end and bears the time of its begin.", "Takes that for time that runs backwards.",
         [e % ("instant", 15, 1), e % ("duration_complete", 10, 1) + " end=20"]),
        ("event/async-same-id-in-two-processes", "EVT-06", "Two processes use one async id at the "
         "same time: two operations.", "Matches async events by id alone.",
         threads + [e % ("async_begin", 10, 1) + " id=7", e % ("async_begin", 11, 5) + " id=7",
                    e % ("async_end", 12, 1) + " id=7", e % ("async_end", 13, 5) + " id=7"]),
        ("event/async-moves-between-threads", "EVT-06", "An async operation begins on one thread "
         "and ends on another.", "Matches async events on one thread only.",
         threads + [e % ("async_begin", 10, 1) + " id=7", e % ("async_end", 12, 4) + " id=7"]),
        ("event/async-of-two-names", "EVT-06", "Category and name are no part of an async id.",
         "Matches async events by name and id.",
         ["event async_begin timestamp=10 thread=@1 category=@1 name=@2 id=7",
          "event async_end timestamp=11 thread=@1 category=@2 name=@1 id=7"]),
        ("event/async-id-again", "EVT-06", "An async id is used again after its end.",
         "Takes the second operation for a part of the first.",
         [e % (type, 10 + i, 1) + " id=7" for i, type in enumerate(
             ["async_begin", "async_end", "async_begin", "async_instant", "async_end"])]),
        ("event/flow-between-processes", "EVT-07", "A flow goes from one process to another.",
         "Keeps the ids of flows by process, and draws no arrow.",
         threads + [e % ("flow_begin", 10, 1) + " id=7", e % ("flow_end", 12, 5) + " id=7",
                    e % ("duration_complete", 9, 1) + " end=20",
                    e % ("duration_complete", 9, 5) + " end=20"]),
        ("event/flow-and-async-of-one-id", "EVT-07", "A flow and an async operation have one id, "
         "and nothing in common.", "Has one table of ids for both.",
         [e % ("duration_complete", 9, 1) + " end=20", e % ("flow_begin", 10, 1) + " id=7",
          e % ("async_begin", 10, 1) + " id=7", e % ("flow_end", 12, 1) + " id=7",
          e % ("async_end", 12, 1) + " id=7"]),
        ("event/flow-of-two-names", "EVT-07", "Category and name are no part of a flow id.",
         "Matches flow events by name and id.",
         [e % ("duration_complete", 9, 1) + " end=20",
          "event flow_begin timestamp=10 thread=@1 category=@1 name=@2 id=7",
          "event flow_end timestamp=11 thread=@1 category=@2 name=@1 id=7"]),
        ("event/flow-id-again", "EVT-13", "A flow id is used again after its end.",
         "Takes the second flow for a step of the first.",
         [e % ("duration_complete", 9, 1) + " end=30"] +
         [e % (type, 10 + i, 1) + " id=7" for i, type in enumerate(
             ["flow_begin", "flow_end", "flow_begin", "flow_step", "flow_end"])]),
        ("event/flow-outside", "EVT-11",
         "A flow event on a thread without a duration is delivered.",
         "Drops a flow event that has no duration around it.",
         [e % ("flow_begin", 10, 1) + " id=7", e % ("flow_end", 11, 1) + " id=7"]),
        ("event/threads-of-two-processes", "THR-01", "Threads of one koid in two processes are two "
         "threads.", "Keeps threads by their own koid alone.",
         ["thread index=6 process=200 thread=101", e % ("duration_begin", 10, 1),
          e % ("duration_begin", 11, 6), e % ("duration_end", 12, 1), e % ("duration_end", 13, 6)]),
        ("event/not-in-order", "EVT-08", "The records of two threads are in no order of time.",
         "Drops an event that is earlier than the one before it.",
         threads + [e % ("instant", 50, 1), e % ("instant", 10, 4), e % ("instant", 60, 1),
                    e % ("instant", 20, 4)]),
    ]
    for id, rule, why, mistake, lines in rows:
        out(vector(id, why, mistake, around([NAME] + lines), rule, grade="valid"))


def families(out):
    usual(out)
    large_payloads(out)
    objects(out)
    scheduling(out)
    chains(out)
