"""Families about tables and providers: indices, registering again, state of each provider,
editions, what a refused record changes."""
from families_base import BEFORE, PREAMBLE, SENTINEL, around, templates, vector

USE = "event instant timestamp=%d thread=@%d category=@1 name=@%d"


def indices(out):
    for index in (1, 2, 127, 128, 255, 256, 4095, 4096, 16384, 32766, 32767):
        out(vector("string_table/index-%d" % index, "A string is registered at index %d and used."
                   % index, "Has a table with fewer places, or an index with fewer than 15 bits.",
                   around(['string index=%d value="at the index"' % index, USE % (10, 1, index)])
                   if index > 2 else
                   PREAMBLE + ['string index=%d value="at the index"' % index,
                               USE % (10, 1, index)],
                   "STT-03" if index <= 2 else "STR-02", touches=["STT-02"], grade="valid"))
    for index in (1, 2, 127, 128, 129, 254, 255):
        out(vector("thread_table/index-%d" % index, "A thread is registered at index %d and used."
                   % index, "Has a table with fewer places, or an index with fewer than 8 bits.",
                   around(["thread index=%d process=100 thread=150" % index, USE % (10, index, 2)]),
                   "THT-03" if index == 1 else "THR-02", touches=["THT-02"], grade="valid"))
    out(vector("string_table/index-0", "A string is registered at index 0. It is ignored: ref 0 "
               "stays the empty string.", "Registers the string, so that every empty name gets it.",
               around(["word string.header size=2 index=0 length=8", 'stream "not here"',
                       "event instant timestamp=10 thread=@1 category=@1 name=@0"]), "STT-02"))
    out(vector("thread_table/index-0", "A thread is registered at index 0. It is ignored: ref 0 "
               "stays inline.", "Registers the thread, and takes inline koids for something else.",
               around(["word thread.header size=3 index=0", "u64 7 8",
                       "event instant timestamp=10 thread=100/150 category=@1 name=@2"]), "THT-02"))
    out(vector("string_table/index-0-first", "A writer counts its strings from 0: its first "
               "category is lost.", "Gives the string to every ref of 0.",
               around(["word string.header size=2 index=0 length=8", 'stream "category"',
                       'string index=7 value="the name"',
                       "event instant timestamp=10 thread=@1 category=@0 name=@7"]), "STT-02"))


def again(out):
    rows = [
        ("string_table/again", "A string index is registered again: the new string holds for what "
         "follows.", "Keeps the first registration of an index.", "STT-03",
         ['string index=5 value="first"', USE % (10, 1, 5), 'string index=5 value="second"',
          USE % (11, 1, 5)]),
        ("string_table/again-shorter", "A long string is replaced by a short one.",
         "Overwrites the bytes of the old string and keeps its length.", "STT-03",
         ['string index=5 value="a long string, much longer"', USE % (10, 1, 5),
          'string index=5 value="s"', USE % (11, 1, 5)]),
        ("string_table/again-longer", "A short string is replaced by a long one.",
         "Overwrites the bytes of the old string, and those behind it.", "STT-03",
         ['string index=5 value="s"', 'string index=6 value="neighbour"', USE % (10, 1, 5),
          'string index=5 value="a long string, much longer"', USE % (11, 1, 5), USE % (12, 1, 6)]),
        ("string_table/again-empty", "A string is replaced by the empty one.",
         "Ignores the registration of an empty string.", "STT-04",
         ['string index=5 value="first"', USE % (10, 1, 5), 'string index=5 value=""',
          USE % (11, 1, 5)]),
        ("string_table/again-same", "The same string is registered twice.",
         "Refuses an index that is taken.", "STT-03",
         ['string index=5 value="first"', 'string index=5 value="first"', USE % (10, 1, 5)]),
        ("string_table/again-in-argument", "A name of an argument is registered again between two "
         "events.", "Resolves refs when it prints, not when it reads.", "STT-03",
         ['string index=5 value="first"',
          "event instant timestamp=10 thread=@1 category=@1 name=@2 { @5 uint32 1 }",
          'string index=5 value="second"',
          "event instant timestamp=11 thread=@1 category=@1 name=@2 { @5 uint32 1 }"]),
        ("string_table/round-about", "Four strings go round about two indices, as a writer does "
         "whose table is full.",
         "Keeps the first registration of an index: names go wrong without a word.",
         "STT-03",
         [line for i in range(4) for line in ('string index=%d value="string %d"' % (5 + i % 2, i),
                                              USE % (10 + i, 1, 5 + i % 2))]),
        ("thread_table/again", "A thread index is registered again.",
         "Keeps the first registration of an index: events go to the wrong thread.", "THT-03",
         ["thread index=5 process=100 thread=105", USE % (10, 5, 2),
          "thread index=5 process=200 thread=205", USE % (11, 5, 2)]),
        ("thread_table/again-and-back", "A thread index is registered again, and again with the "
         "first thread.", "Keeps what it found for an index before.", "THT-03",
         ["thread index=5 process=100 thread=105", USE % (10, 5, 2),
          "thread index=5 process=200 thread=205", USE % (11, 5, 2),
          "thread index=5 process=100 thread=105", USE % (12, 5, 2)]),
        ("thread_table/two-indices", "One thread at two indices is one thread.",
         "Takes the index for the thread.", "THT-01",
         ["thread index=5 process=100 thread=105", "thread index=6 process=100 thread=105",
          "event duration_begin timestamp=10 thread=@5 category=@1 name=@2",
          "event duration_end timestamp=11 thread=@6 category=@1 name=@2"]),
        ("thread_table/inline-and-indexed", "A thread inline and by its index is one thread.",
         "Keeps inline threads in another place than those of the table.", "THR-01",
         ["event duration_begin timestamp=10 thread=100/101 category=@1 name=@2",
          "event duration_end timestamp=11 thread=@1 category=@1 name=@2"]),
        ("thread_table/full", "All 255 indices are taken, then used backwards.",
         "Has a table with fewer places.", "THT-01",
         ["thread index=%d process=100 thread=%d" % (i, 1000 + i) for i in range(1, 256)] +
         [USE % (10, i, 2) for i in (255, 254, 129, 128, 127, 2)]),
        ("thread_table/round-about", "300 threads go round about the 255 indices, as a writer does whose "
         "table is full.", "Has no place for a thread behind the 255th; of a writer: gives it index 0, "
         "or an index of 9 bits.", "THT-03",
         [line for i in range(300) for line in ("thread index=%d process=100 thread=%d" % (1 + i % 255, 1000 + i),
                                                USE % (10 + i, 1 + i % 255, 2))]),
        ("string_table/many", "300 strings are registered and some of them used.",
         "Has a table with fewer places, or one that is slow to find things in.", "STR-02",
         ['string index=%d value="string %d"' % (i, i) for i in range(5, 305)] +
         [USE % (10, 1, i) for i in (304, 260, 255, 256, 257, 5)]),
    ]
    for id, why, mistake, rule, lines in rows:
        frame = around(lines)
        if id in ("thread_table/full", "thread_table/round-about"):
            frame = PREAMBLE + lines
        keeps = ["STT-04"] if id == "string_table/again-same" else []
        out(vector(id, why, mistake, frame, rule, touches=keeps, grade="valid"))


def before_registration(out):
    for id, why, rule, lines in (
            ("string_table/used-before", "A string is used, then registered, then used.", "STR-02",
             [USE % (10, 1, 5), 'string index=5 value="late"', USE % (11, 1, 5)]),
            ("thread_table/used-before", "A thread is used, then registered, then used.", "THR-02",
             [USE % (10, 5, 2), "thread index=5 process=100 thread=105", USE % (11, 5, 2)]),
            ("event/all-unregistered", "Thread, category and name are not registered; the event is "
             "delivered.", "STR-02",
             ["event instant timestamp=10 thread=@9 category=@8 name=@7"])):
        out(vector(id, why + " A registration holds for what follows only.",
                   "Drops the event, or resolves refs at the end of the file.", around(lines), rule,
                   grade="unspecified"))


P = 'provider_info provider_id=%d name="%s"'
CLOCK = "initialization ticks_per_second=%d"
INLINE = 'event instant timestamp=%d thread=100/101 category="category" name="%s"'


def at_home(*lines):
    """Lines of several providers. Each has a clock and tables of its own."""
    return ["magic"] + list(lines)


def providers(out):
    one = [P % (1, "one"), CLOCK % 10**9, 'string index=1 value="category"',
           'string index=2 value="of one"', "thread index=1 process=100 thread=101"]
    two = [P % (2, "two"), CLOCK % 10**9, 'string index=1 value="category"',
           'string index=2 value="of two"', "thread index=1 process=200 thread=201"]
    e = lambda ts: USE % (ts, 1, 2)
    s = "provider_section provider_id=%d"
    rows = [
        ("strings", "MET-08", "Two providers have a string at one index.",
         "Has one string table for all providers.",
         one + [e(1)] + two + [e(2), s % 1, e(3), s % 2, e(4)]),
        ("threads", "MET-08", "Two providers have a thread at one index.",
         "Has one thread table for all providers.",
         one[:4] + ["thread index=1 process=100 thread=101", e(1), P % (2, "two"), CLOCK % 10**9,
                    'string index=1 value="category"', 'string index=2 value="of one"',
                    "thread index=1 process=200 thread=201", e(2), s % 1, e(3), s % 2, e(4)]),
        ("strings-missing", "STR-02", "A string of one provider is used by another, which has "
         "none at the index.", "Looks into the tables of all providers.",
         one + two[:2] + ["thread index=1 process=200 thread=201", e(1)]),
        ("threads-missing", "THR-02", "A thread of one provider is used by another, which has "
         "none at the index.", "Looks into the tables of all providers.", one + two[:4] + [e(1)]),
        ("clocks", "MET-08", "Two providers have clocks of different rates.",
         "Has one clock for all providers.",
         [P % (1, "one"), CLOCK % 1000, INLINE % (5, "of one"), P % (2, "two"), CLOCK % 2000,
          INLINE % (5, "of two"), s % 1, INLINE % (6, "of one")]),
        ("clock-of-none", "INI-04", "The second provider has no initialization record: its ticks "
         "are nanoseconds, not those of the first.", "Takes the clock of the provider before.",
         [P % (1, "one"), CLOCK % 1000, INLINE % (5, "of one"), P % (2, "two"),
          INLINE % (5, "of two")]),
        ("interleaved", "MET-08", "Sections of three providers follow on each other; each finds "
         "its tables as it left them.", "Clears the tables of a provider when it comes back.",
         one + two + [P % (3, "three"), CLOCK % 10**9, 'string index=1 value="category"',
                      'string index=2 value="of three"', "thread index=1 process=300 thread=301"] +
         [line for i in range(3) for p in (2, 1, 3) for line in (s % p, e(10 * i + p))]),
        ("registered-later", "MET-08", "A provider registers more strings when it comes back.",
         "Registers strings with the provider that was introduced last.",
         one + two + [s % 1, 'string index=3 value="later"', USE % (5, 1, 3), s % 2, e(6)]),
        ("section-of-itself", "MET-08",
         "A section of the provider that is selected changes nothing.",
         "Clears the tables at each section.", one + [s % 1, e(1)]),
        ("renamed", "MET-08", "A second provider info for a provider gives it another name; its "
         "tables stay.", "Clears the tables of a provider that is introduced again.",
         one + [e(1), P % (1, "renamed"), e(2)]),
        ("renamed-clock", "MET-08", "A second provider info for a provider leaves its ticks per "
         "second as they are.", "Takes a provider that is introduced again for one without a "
         "clock.",
         [P % (1, "one"), CLOCK % 1000, INLINE % (5, "of one"), P % (1, "renamed"),
          INLINE % (6, "of one")]),
        ("event-does-not-select", "MET-08", "A provider event names another provider than the "
         "selected one, which stays selected.", "Selects the provider that a provider event names.",
         one + two + ["provider_event provider_id=1 event_id=buffer_full", e(1)]),
        ("largest-id", "MET-08", "A provider with the largest id of 32 bits.",
         "Keeps fewer than 32 bits of the id, or takes it for a number with a sign.",
         [P % (4294967295, "largest"), CLOCK % 10**9, INLINE % (1, "largest"),
          P % (2147483648, "bit 31"), CLOCK % 10**9, INLINE % (2, "bit 31"),
          s % 4294967295, INLINE % (3, "largest")]),
        ("unnamed", "MET-02", "A provider without a name.", "Waits for a name.",
         [P % (1, ""), CLOCK % 10**9, INLINE % (1, "unnamed")]),
        ("durations", "MET-08", "One thread in two providers has a stack of durations in each.",
         "Matches a duration end with the begin of another provider.",
         [P % (1, "one"), CLOCK % 10**9,
          'event duration_begin timestamp=1 thread=100/101 category="c" name="of one"',
          P % (2, "two"), CLOCK % 10**9,
          'event duration_begin timestamp=2 thread=100/101 category="c" name="of two"',
          s % 1, 'event duration_end timestamp=3 thread=100/101 category="c" name="of one"', s % 2,
          'event duration_end timestamp=4 thread=100/101 category="c" name="of two"']),
    ]
    touched = {"durations": ["EVT-04"], "strings": ["STT-03"], "threads": ["THT-03"], "clocks": ["INI-03"]}
    for label, rule, why, mistake, lines in rows:
        open_question = label in ("strings-missing", "threads-missing", "renamed",
                                   "renamed-clock")
        grade = "unspecified" if open_question else "valid"
        out(vector("trace/providers-" + label, why, mistake, at_home(*lines), rule, grade=grade,
                   touches=touched.get(label, ())))
    out(vector("trace/before-any-provider",
               "Records before any provider record belong to provider 0.",
               "Has no provider yet, and crashes or drops the records.",
               ["magic", 'string index=1 value="category"', 'string index=2 value="sentinel"',
                "thread index=1 process=100 thread=101", SENTINEL], "MET-09", grade="unspecified"))
    out(vector("trace/back-to-provider-0", "What provider 0 registered before any provider record "
               "is there when a section comes back to it.", "Makes provider 0 anew.",
               ["magic", 'string index=1 value="category"', 'string index=2 value="of zero"',
                "thread index=1 process=100 thread=101", P % (1, "one"), CLOCK % 10**9,
                INLINE % (1, "of one"), P % (0, "zero"), e(2)], "MET-09", grade="unspecified"))
    out(vector("trace/section-of-nobody",
               "A section for a provider that nobody introduced creates it.",
               "Drops everything up to the next section.",
               ["magic", s % 9, CLOCK % 10**9, INLINE % (1, "of nine")], "MET-08",
               grade="unspecified"))
    out(vector("trace/provider-event-of-nobody", "A provider event for a provider that nobody "
               "introduced creates nothing.", "Creates the provider, and selects it.",
               around(["provider_event provider_id=9 event_id=buffer_full"]), "MET-03",
               grade="unspecified"))


def concatenated(out):
    """The magic number in the middle [MET-10]."""
    rows = [
        ("strings", ["magic"] + PREAMBLE[1:4] + [SENTINEL], "the string table of the first one"),
        ("threads", ["magic"] + PREAMBLE[1:3] + PREAMBLE[4:] + [SENTINEL],
         "the thread table of the first one"),
        ("clock", ["magic", PREAMBLE[1], INLINE % (5, "of two")], "the clock of the first one"),
        ("provider", ["magic", INLINE % (5, "of two")], "the selection of the first one"),
    ]
    for label, second, what in rows:
        first = PREAMBLE + [BEFORE]
        if label == "clock":
            first = ["magic", PREAMBLE[1], CLOCK % 1000, INLINE % (5, "of one")]
        if label == "provider":
            first = ["magic", P % (7, "seven"), CLOCK % 10**9, INLINE % (5, "of seven")]
        out(vector("trace/concatenated-%s" % label, "A magic number in the middle begins a new "
                   "trace: %s no longer holds." % what,
                   "Goes on with the tables of the file before, so that names are wrong and look "
                   "right.", first + second, "MET-10", grade="unspecified"))
    seven = [P % (7, "seven"), CLOCK % 10**9]
    tables = ["thread index=1 process=100 thread=101", 'string index=1 value="category"',
              'string index=2 value="of seven"']
    zero = PREAMBLE[1:] + [SENTINEL, "magic"]
    for label, first, second, what in (
            ("strings", seven + tables + [USE % (5, 1, 2)], seven + tables[:1] + [USE % (5, 1, 2)],
             "strings"),
            ("threads", seven + tables + [USE % (5, 1, 2)], seven + tables[1:] + [USE % (5, 1, 2)],
             "threads"),
            ("clock", [P % (7, "seven"), CLOCK % 1000, INLINE % (5, "of seven")],
             [P % (7, "seven"), INLINE % (5, "of seven")], "clock")):
        out(vector("trace/concatenated-%s-of-seven" % label, "A magic number in the middle begins "
                   "a new trace: the %s of provider 7 %s forgotten, too." % (
                       what, "is" if what == "clock" else "are"),
                   "Forgets what belongs to provider 0, or to the selected provider, and keeps the "
                   "others.", ["magic"] + first + zero + second, "MET-10", grade="unspecified"))
    out(vector("trace/concatenated-whole", "Two whole traces in one file.",
               "Stops at the second magic number.", PREAMBLE + [SENTINEL] + PREAMBLE + [SENTINEL],
               "MET-10", grade="unspecified"))
    out(vector("trace/concatenated-durations", "A duration begins in the first trace and ends in "
               "the second: they do not match.", "Keeps what is open across a magic number.",
               PREAMBLE + ["event duration_begin timestamp=1 thread=@1 category=@1 name=@2"] +
               PREAMBLE + ["event duration_end timestamp=2 thread=@1 category=@1 name=@2"],
               "MET-10", grade="unspecified"))
    out(vector("trace/broken-magic-in-the-middle", "A magic number record with another number "
               "begins no new trace.", "Compares only the type of the record.",
               around([BEFORE,
                       "word trace_info.header size=1 trace_info_type=0 bits=0x16547847000000"]),
               "MET-06"))


REFUSED = [
    ("string", "STT-01", ['string index=5 value="kept"',
                          "word string.header size=1 index=5 length=8", USE % (10, 1, 5)],
     "registers nothing"),
    ("thread", "THT-01", ["thread index=5 process=100 thread=105",
                          "word thread.header size=2 index=5", "u64 7", USE % (10, 5, 2)],
     "registers nothing"),
    ("provider", "MET-02", ["word provider_info.header size=1 provider_id=5 name_length=8"],
     "selects nothing"),
]


def refused(out):
    for label, rule, lines, what in REFUSED:
        out(vector("framing/refused-%s-changes-nothing" % label,
                   "A %s record that is refused %s: what was there before stays." % (label, what),
                   "Changes its tables before it knows that the record is whole.",
                   around(lines), rule))


def editions(out):
    """What came later is read in any case; a check against edition 2020 reports it."""
    for name, t in templates().items():
        if t.edition == "2020":
            continue
        out(vector("trace/edition-%s" % name.replace("_", "-"),
                   "%s is of edition current: a check against edition 2020 reports it, a reader of "
                   "that edition skips it." % name.replace("_", " ").capitalize(),
                   "Gives up at a record that came later.", around([BEFORE] + t.plain().lines()),
                   "EDN-01",
                   edition="current"))
        if name == "large_blob-1":
            continue  # its header is that of format 0, but for the format
        short = [BEFORE, "word %s size=1" % t.header.word]
        out(vector("trace/edition-%s-refused" % name.replace("_", "-"),
                   "A %s record without its contents: refused in both editions, and reported for "
                   "its type in edition 2020." % name.replace("_", " "),
                   "Looks at the edition only when the record is whole.", around(short), None,
                   touches=["EDN-01"], edition="current"))
    for label, line in (
            ("bool-argument", 'event instant timestamp=10 thread=@1 category=@1 name=@2 '
                              '{ "argument" bool true }'),
            ("blob-argument", 'event instant timestamp=10 thread=@1 category=@1 name=@2 '
                              '{ "argument" blob x"0102030405060708" }'),
            ("blob-type-3", 'blob blob_type=perfetto name=@2 payload=x"0102030405060708"')):
        out(vector("trace/edition-%s" % label,
                   "A %s is of edition current." % label.replace("-", " "),
                   "Gives up at what came later.", around([line]), "EDN-01", edition="current"))


def families(out):
    indices(out)
    again(out)
    before_registration(out)
    providers(out)
    concatenated(out)
    refused(out)
    editions(out)
