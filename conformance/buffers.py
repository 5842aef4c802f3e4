"""The vectors of corpus/buffers.json: images of trace buffers, and what a manager takes of them. What is expected comes
from buffer_model.py. schema/buffers.md describes the form."""
import struct

import assemble
import buffer_model as model
import manager_json
from buffer_model import CIRCULAR, ENDS_KEPT, HEADER, ONESHOT, STREAMING

U64 = (1 << 64) - 1
SECTION_1_3 = "system.md 1.3"
SECTION_6 = "system.md 6"


def asm(*lines):
    return assemble.assemble("".join(line + "\n" for line in lines).encode())


def event(number, thread=1, category=1, name=2):
    """24 bytes; the number is its timestamp."""
    return asm("event instant timestamp=%d thread=@%d category=@%d name=@%d scope=thread"
               % (number, thread, category, name))


def events(first, count):
    return [event(first + i) for i in range(count)]


RATE = asm("initialization ticks_per_second=1000000000")
CATEGORY = asm('string index=1 value="category"')
NAME = asm('string index=2 value="name"')
THREAD = asm("thread index=1 process=100 thread=101")
DEFINITIONS = [RATE, CATEGORY, NAME, THREAD]  # 72 bytes


def word(number):
    return struct.pack("<Q", number)


def metadata(kind, words=1):
    """A metadata record of that metadata type; what follows its header looks like two events."""
    return (word(words << 4 | kind << 16) + event(666) * 2 + bytes(8 * words))[:8 * words]


def filler(size):
    return metadata(15, size // 8)


def large_filler(words, data=b""):
    return word(15 | words << 4 | 15 << 36) + data


def head(turn=0, chunks=1):
    return word(1 << 4 | 14 << 16 | (chunks - 1) << 20 | (turn & 0xFFFFFF) << 40)


def lease(records, size, turn=0, chunks=1):
    """Chunks that were taken and written to: the head, the records, a filler for the rest."""
    records = [head(turn, chunks)] + records
    rest = size - len(b"".join(records))
    return records + ([filler(rest)] if rest else [])


class Image:
    """A buffer that is being made: a header, and pieces behind it."""
    def __init__(self, mode=ONESHOT, size=4096, wrapped=0, flags=ENDS_KEPT, dropped=0, inlined=0,
                 durable=None, rolling=None, ends=None):
        self.size = size
        self.mode = mode
        self.wrapped = wrapped
        self.flags = flags
        self.told = [dropped, inlined]
        sizes = model.sizes(size, mode) or (0, max(size - HEADER, 0))
        self.durable = sizes[0] if durable is None else durable
        self.rolling = sizes[1] if rolling is None else rolling
        self.ends = [0, 0, 0] if ends is None else ends
        self.body = []
        self.patches = []

    def start(self, part):
        """Of the durable part, 0, or of half 0 or 1: 1 and 2."""
        return HEADER + (0 if part == 0 else self.durable + (part - 1) * self.rolling)

    def put(self, part, records, at=0, end=True):
        """Records, one behind the other, at that offset of a part; the data end is behind them."""
        for record in records:
            used = len(record.rstrip(b"\0")) + 7 & -8  # the rest is zero anyhow
            self.body.append([self.start(part) + at, record[:used or 8].hex()])
            at += len(record)
        if end:
            self.ends[part] = at
        return self

    def end(self, part, size):
        self.ends[part] = size
        return self

    def patch(self, at, data):
        """Overwrites bytes, of the header as a rule."""
        self.patches.append([at, data.hex()])
        return self

    def header(self):
        h = struct.pack("<QHBBIQQQQQQQQ", model.MAGIC, 0, self.mode, self.flags, self.wrapped,
                        self.size, self.durable, self.rolling, *self.ends, *self.told)
        return [[at, h[at:at + 8].hex()] for at in range(0, len(h), 8) if any(h[at:at + 8])]

    def pieces(self):
        """As they are written: the words of the header, the records, the patches."""
        pieces = self.header() + self.body + self.patches
        room = [[at, text[:2 * max(self.size - at, 0)]] for at, text in pieces]
        return [[at, text] for at, text in room if text]


def defined(mode=CIRCULAR, **more):
    """An image that has the definitions in its durable part."""
    return Image(mode, **more).put(0, DEFINITIONS)


# ---- vectors

STATES = {"stopped": True, "died": False, "running": False}


class Corpus:
    def __init__(self):
        self.vectors = []

    def add(self, name, grade, tests, why, mistake, image, touches=(), level="salvage",
            provider="stopped", saved=0, mode=None, then=None, asked=(), must=None):
        """must: the rules that have to be found."""
        vector = {"id": "buffer/" + name, "level": level, "grade": grade, "tests": tests,
                  "touches": list(touches), "why": why, "mistake": mistake, "provider": provider}
        if saved:
            vector["saved"] = saved
        if asked:
            vector["asked"] = list(asked)
        if mode is not None:
            vector["mode"] = model.MODES[mode]
        vector["size"] = image.size
        vector["pieces"] = image.pieces()
        if then is not None:
            vector["then"] = then
        vector["expected"] = expected = self.expect(vector)
        found = [finding["rule"] for finding in expected["findings"]]
        wanted = must or ([tests] if grade == "invalid" and level == "salvage" else [])
        assert found == wanted, (name, found, wanted)
        fates = {record[2] for record in expected.get("records", [])}
        assert level != "salvage" or "refused" not in fates, name
        self.vectors.append(vector)

    def expect(self, vector):
        data = manager_json.expand(vector["size"], vector["pieces"])
        copy = None
        if "then" in vector:
            copy = manager_json.expand(vector["size"], vector["pieces"] + vector["then"])
        mode = model.MODES.index(vector["mode"]) if "mode" in vector else None
        knowledge = model.Knowledge(STATES[vector["provider"]], vector.get("saved", 0), mode)
        result = model.save(data, knowledge, copy, vector.get("asked", ()))
        expected = {"findings": [{"rule": rule, "offset": at} for rule, at in result.findings]}
        if "asked" in vector:
            expected["refused"] = result.refused
        if result.trace is not None:
            expected["dropped"] = result.dropped > 0 or result.overtaken
            expected["inlined"] = str(result.inlined)
            expected["parts"] = [list(part) for part in result.parts]
            expected["records"] = [list(record) for record in result.records]
            trace = result.trace
        else:
            trace = None
        expected["trace"] = None if trace is None else [record.hex() for record in trace]
        return expected

    def sizes(self, total, mode, why, mistake):
        sizes = model.sizes(total, mode)
        self.vectors.append({
            "id": "buffer/sizes-%s-%d" % ((model.MODES + ("mode-3",))[mode], total),
            "level": "sizes", "grade": size_grade(sizes), "tests": "BUF-08",
            "touches": [], "why": why, "mistake": mistake, "total": str(total), "mode": mode,
            "expected": sizes and {"durable": str(sizes[0]), "rolling": str(sizes[1])}})


def size_grade(sizes):
    """How much of a buffer is durable is our ruling, R71."""
    if sizes is None:
        return "invalid"
    return "valid" if sizes[0] == 0 else "unspecified"


def header_valid(corpus):
    add = corpus.add
    for mode, name in enumerate(model.MODES):
        add("header-%s-empty" % name, "valid", "BUF-04", "A buffer in which nobody wrote: mode %s."
            % name, "The mode of a packet (1 to 3) is taken for the mode of a header (0 to 2).",
            Image(mode))
        add("header-%s-full" % name, "valid", "BUF-07",
            "Each data end is the size of its part: the largest that it may be. A filler covers "
            "it.",
            "A data end has to be smaller than its part.", full(mode, ENDS_KEPT), ["BUF-09"])
    add("header-flags-unknown", "valid", "BUF-07",
        "Flags that have no meaning are set, and bit 0 is not: they are not looked at.",
        "Any flag is taken for the one of bit 0.", defined(flags=0xFE).put(1, events(1, 2)))
    add("header-flags-all", "valid", "BUF-07", "All flags are set: only bit 0 is looked at.",
        "A header with unknown flags is refused.", defined(flags=0xFF).put(1, events(1, 2)))
    add("header-reserved-bytes", "unspecified", "BUF-01",
        "The reserved bytes of the header are not zero; no rule speaks of them. A manager takes "
        "what is there.", "A header is refused for what a later edition may use.",
        defined().put(1, events(1, 2)).patch(80, b"\xff").patch(127, b"\x80"))
    add("header-counters-max", "valid", "BUF-01",
        "The numbers of dropped records and of inlined definitions are as large as they can be.",
        "The count is kept in 32 bits, or as a signed number.",
        defined(dropped=U64, inlined=U64).put(1, events(1, 1)))


def full(mode, flags):
    image = Image(mode, flags=flags)
    if mode != ONESHOT:
        image.put(0, [filler(image.durable)])
        image.put(2, [filler(image.rolling)])
    return image.put(1, [filler(image.rolling)])


def header_invalid(corpus):
    def bad(name, rule, why, mistake, image=None, must=None, grade="invalid"):
        image = image if image is not None else defined().put(1, events(1, 2))
        corpus.add("header-" + name, grade, rule, why, mistake, image, must=must)

    def patched(at, data, mode=CIRCULAR):
        image = defined(mode) if mode != ONESHOT else Image(mode)
        return image.put(1, events(1, 2)).patch(at, data)
    for size in (0, 1, 8, 127):
        bad("cut-%d" % size, "BUF-01", "The buffer has %d bytes: less than a header." % size,
            "A header is read beyond the end of the buffer.", Image(size=size))
    for name, magic in (("low-bit", model.MAGIC ^ 1), ("high-bit", model.MAGIC ^ 1 << 63),
                        ("zero", 0), ("trace", 0x0016547846040010),
                        ("byte-order", int.from_bytes(word(model.MAGIC), "big"))):
        bad("magic-" + name, "BUF-02", "The magic number is 0x%016x." % magic,
            "Only a part of the magic number is compared.", patched(0, word(magic)))
    for version in (1, 0x100, 0x8000, 0xFFFF):
        bad("version-%d" % version, "BUF-03", "The version is %d." % version,
            "One byte of the version is looked at, or none.",
            patched(8, struct.pack("<H", version)))
    for mode in (3, 4, 255):
        for at, name in ((ONESHOT, "one-part"), (CIRCULAR, "three-parts")):
            bad("mode-%d-%s" % (mode, name), "BUF-04",
                "The buffering mode is %d; the sizes are those of %s." % (mode, name),
                "A mode that is not known is taken for another one.", patched(10, bytes([mode]),
                at))
    header_total(bad, patched)
    header_tiles(bad)
    header_ends(bad)
    bad("mode-and-total", "BUF-04", "Two rules are broken; the sizes behind them are not judged.",
        "Sizes are used before they are validated.",
        patched(10, b"\x03").patch(16, word(4088)), ["BUF-04", "BUF-05"])


def header_total(bad, patched):
    rule = "BUF-05"
    for total in (0, 8, 128, 4088, 4095, 4097, 4104, 8192, 1 << 32, 4096 + (1 << 32), 1 << 63,
                  U64 - 7, U64):
        bad("total-%x" % total, rule, "The total size is 0x%x, and there are 0x1000 bytes." % total,
            "The total size is believed, or compared in 32 bits.", patched(16, word(total)))
    for size in (128, 2048, 4088, 4104, 8192):
        image = defined().put(1, events(1, 2))
        image.patch(16, word(4096))
        image.durable, image.rolling, image.size = 512, 1728, size
        bad("bytes-%d" % size, rule,
            "The total size is 4096; there are %d bytes." % size,
            "The buffer is read up to its total size, whatever it has.", image)
    for size in (4095, 4097, 4100):
        image = Image(size=size, rolling=size - HEADER).put(1, events(1, 2))
        bad("odd-%d" % size, rule, "The buffer has %d bytes, which is no multiple of 8, and says "
            "so."
            % size, "The size is compared, and not looked at.", image)


def header_tiles(bad):
    rule = "BUF-06"

    def sized(name, mode, durable, rolling, why, mistake, size=4096, grade="invalid"):
        image = Image(mode, size=size, durable=durable, rolling=rolling)
        bad("tiles-" + name, rule, why, mistake, image, grade=grade)
    overrun = "The sum is taken in 64 bits, and wraps around."
    for name, durable, rolling in (
            ("durable", 8, 3960), ("durable-more", 8, 3968), ("less", 0, 3960), ("more", 0, 3976),
            ("zero", 0, 0), ("max", 0, U64 - 7), ("sign", 0, 1 << 63), ("odd", 0, 3964)):
        sized("oneshot-" + name, ONESHOT, durable, rolling,
              "Oneshot: the durable size is 0x%x, the rolling size 0x%x." % (durable, rolling),
              "The rolling part is believed to end where the buffer does.")
    for name, durable, rolling in (
            ("durable-less", 504, 1728), ("durable-more", 520, 1728), ("rolling-less", 512, 1720),
            ("rolling-more", 512, 1736), ("one-part", 0, 3968), ("zero", 0, 0),
            ("durable-only", 3968, 0), ("rolling-unaligned", 520, 1724),
            ("both-unaligned", 516, 1726)):
        for mode in (CIRCULAR, STREAMING):
            sized("%s-%s" % (model.MODES[mode], name), mode, durable, rolling,
                  "The durable size is %d, the rolling size %d." % (durable, rolling),
                  "A part may reach beyond the buffer, or an address is not aligned.")
    for name, durable, rolling in (
            ("twice", 3968, 1 << 63), ("negative-half", 3984, U64 - 7),
            ("negative-durable", U64 - 8191 + 16, 6064), ("sign", 1 << 63, 1984 + (3 << 62))):
        sized("wraps-" + name, CIRCULAR, durable, rolling & U64,
              "128, the durable size 0x%x and twice the rolling size 0x%x make 4096 modulo 2^64."
              % (durable, rolling & U64), overrun)
    for name, durable, rolling in (("as-large", 2688, 2688), ("larger", 2704, 2680)):
        sized("durable-" + name, CIRCULAR, durable, rolling, "The durable part is as large as a "
              "half, or larger: it has to be smaller.", "The sizes are compared by <=.", 8192)
    for name, mode, size, durable, rolling in (
            ("durable-smaller", CIRCULAR, 8192, 2672, 2696), ("no-durable", CIRCULAR, 4096, 0,
            1984),
            ("one-word-halves", STREAMING, 144, 0, 8), ("three-words", CIRCULAR, 168, 8, 16),
            ("header-only", ONESHOT, 128, 0, 0), ("one-word", ONESHOT, 136, 0, 8)):
        sized(name, mode, durable, rolling, "A buffer that BUF-08 does not make, but its parts "
            "tile it: durable %d, rolling %d of %d bytes." % (durable, rolling, size),
              "Sizes are computed and not read.", size, "unspecified")


def header_ends(bad):
    rule = "BUF-07"
    names = ("durable", "half-0", "half-1")
    for part, room in enumerate((512, 1728, 1728)):
        for name, end in (("over", room + 8), ("odd", room - 1), ("half-word", 4), ("one", 1),
                          ("max", U64), ("last-word", U64 - 7), ("sign", 1 << 63),
                          ("32-bit", 1 << 32), ("total", 4096)):
            for mode in (CIRCULAR, STREAMING) if name == "over" else (CIRCULAR,):
                image = defined(mode).put(1, events(1, 2)).end(part, end)
                bad("end-%s-%s%s" % (names[part], name, "-streaming" if mode == STREAMING else ""),
                    rule, "The data end of %s is 0x%x; it has room for %d bytes."
                    % (names[part], end, room), "A data end is believed, or compared as signed.",
                    image)
    for name, part, end in (("durable", 0, 8), ("over", 1, 3976), ("odd", 1, 3964)):
        bad("end-oneshot-" + name, rule, "Oneshot: a data end of %d." % end,
            "In oneshot mode the durable part, which has no room, is not looked at.",
            Image().put(1, events(1, 2)).end(part, end))
    bad("end-oneshot-half-1", rule, "Oneshot has no half 1; its data end is held against the "
        "rolling size all the same.", "What a mode does not have is not validated.",
        Image().put(1, events(1, 2)).end(2, 3976), ["BUF-07"], "unspecified")
    bad("end-all-over", rule, "All three data ends lie beyond their parts.",
        "Only the current half is validated.",
        defined().end(0, 520).end(1, 1736).end(2, 1736), ["BUF-07"] * 3)


def order(corpus):
    """Section 1.3: which parts, and in what order."""
    def add(name, why, mistake, image, **more):
        corpus.add("order-" + name, more.pop("grade", "valid"), SECTION_1_3, why, mistake, image,
                   ["BUF-09"], **more)

    def ring(mode, wrapped, current=5, older=3, **more):
        """The older half holds 100 …, the current one 200 …; the other half is not empty."""
        image = defined(mode, wrapped=wrapped, **more)
        now = 1 + wrapped % 2
        return image.put(3 - now, events(100, older)).put(now, events(200, current))
    add("oneshot", "All records lie in the one part.", "A durable part is looked for.",
        Image().put(1, DEFINITIONS + events(1, 4)))
    add("oneshot-wrapped", "Oneshot: an odd wrapped count says nothing, there is one part.",
        "The half is chosen by the wrapped count in every mode.",
        Image(wrapped=1).put(1, DEFINITIONS + events(1, 4)).end(2, 24), grade="unspecified")
    for mode in (CIRCULAR, STREAMING):
        name = model.MODES[mode]
        add(name + "-not-wrapped", "The wrapped count is 0: half 1 is not read, whatever is in it.",
            "The half that was never current is read.", ring(mode, 0))
        add(name + "-not-wrapped-empty", "Nothing but definitions.", "An empty half is an error.",
            defined(mode))
        for wrapped in (1, 2, 3, 4, 255, 256, 65535, 65536, 1 << 24, (1 << 24) + 1, (1 << 31) - 1,
                        1 << 31, (1 << 32) - 2, (1 << 32) - 1):
            which = wrapped % 2
            add("%s-wrapped-%d" % (name, wrapped), "The wrapped count is %d: half %d is the older "
                "one and is read first." % (wrapped, 1 - which),
                "Half 0 is always read first, or only some bits of the count are used.",
                ring(mode, wrapped))
    for wrapped in (6, 7):
        which = wrapped % 2
        add("current-empty-%d" % which, "The provider has just gone to half %d: its data end is 0, "
            "what stands in it is old." % which, "A data end of 0 is taken for an unknown one.",
            ring(CIRCULAR, wrapped, 4, 4).end(1 + which, 0), provider="died")
        add("older-empty-%d" % (1 - which), "The data end of the older half is 0: it is saved, or "
            "about to be used again.", "The older half is taken to be full.",
            ring(STREAMING, wrapped, 4, 4).end(2 - which, 0))
    add("durable-empty", "There was no room in the durable part, or no need of it: records are "
        "whole in themselves.", "A buffer without definitions is refused.",
        Image(CIRCULAR, wrapped=1).put(1, [inline(1), inline(2)]).put(2, [inline(3)]))
    add("durable-first", "The durable part is read first, though its definitions may be younger "
        "than the records of the older half.", "Parts are read by their age.",
        ring(CIRCULAR, 9).put(1, [event(300, name=3)], at=200).put(
            1, events(300, 2)).put(0, DEFINITIONS + [asm('string index=3 value="late"')]))
    add("data-behind-the-end", "What lies behind the data ends is old.",
        "A part is read to its end.", ring(CIRCULAR, 2, 2, 2).end(1, 24).end(2, 24).end(0, 72))
    add("old-engine-stopped", "The ends are not kept (bit 0 of the flags), but the provider has "
        "stopped: they are right.", "Ends that are not kept are never used.",
        ring(CIRCULAR, 2, flags=0).put(2, events(666, 1), at=72, end=False))
    add("old-engine-stopped-end-0", "The ends are not kept, and the one of the current half is 0 "
        "though the provider has stopped: records are found by their sizes.",
        "A data end of 0 is always an empty part.", ring(CIRCULAR, 2, flags=0).end(1, 0), )
    add("old-engine-live-ends", "The ends are not kept and the provider died: they are 0, or old. "
        "Records are found by their sizes, up to the end of each part.",
        "An old data end is believed.",
        defined(wrapped=2, flags=0).put(2, events(100, 4)).put(1, events(200, 4)).end(0, 16).end(
            1, 24).end(2, 48), provider="died", level="save")
    for saved, what in ((1, "the older half is saved and not read again"),
                        (0, "no half is saved, both are read")):
        add("streaming-saved-%d" % saved, "A stream, wrapped count 1: %s." % what,
            "A half is archived twice, or never.", ring(STREAMING, 1), level="save", saved=saved)
    add("streaming-saved-5", "A stream, wrapped count 6: five halves are saved, the older one "
        "(turn 5) is not.", "Halves are told apart by their number and not by their turn.",
        ring(STREAMING, 6), level="save", saved=5)
    add("streaming-saved-6", "A stream, wrapped count 6: six halves are saved.",
        "A half is archived twice.", ring(STREAMING, 6), level="save", saved=6)
    add("streaming-saved-old-engine", "A stream of the original engine: the older half is saved, "
        "its data end is 0 and not kept.", "A saved half is searched for records.",
        ring(STREAMING, 3, flags=0).end(1, 0), level="save", saved=3)


def inline(number):
    """An instant that needs no definition."""
    return asm('event instant timestamp=%d thread=1/2 category="c" name="n" scope=thread' % number)


def fillers(corpus):
    def add(name, why, mistake, records, tests="BUF-09", touches=(), **more):
        corpus.add("filler-" + name, "valid", tests, why, mistake,
                   Image().put(1, DEFINITIONS + records), touches, **more)
    e, f = events(1, 2)
    add("one-word", "A filler of one word.", "A filler has a payload.", [e, filler(8), f])
    add("payload", "A filler of 5 words; what it covers looks like events.",
        "A filler is passed over as one word.", [e, filler(40), f])
    add("large", "A large record of large type 15 is a filler, too.",
        "Large fillers reach the archive.", [e, large_filler(4, event(666)), f])
    add("large-one-word", "A large filler of one word.", "A large record has a payload.",
        [e, large_filler(1), f])
    add("only", "Nothing but fillers: an empty trace.", "A trace without records is an error.",
        [filler(64), large_filler(3, word(1) * 2)])
    add("head", "The head of a lease is no record of the trace, wherever it stands.",
        "Heads reach the archive as metadata.", [head(), e, head(0xFFFFFF, 1 << 20), f], "BUF-10")
    for kind in (0, 5, 13):
        add("metadata-%d" % kind, "A metadata record of a type that nobody knows is the manager's "
            "to write, and left out.", "Metadata that is not known is copied.",
            [e, metadata(kind, 2), f], SECTION_6)
    add("metadata-of-the-manager", "A provider must not write the metadata of an archive: magic "
        "number, provider info, section and event are left out.",
        "A provider passes itself off as another one.",
        [e, asm("magic"), asm('provider_info provider_id=9 name="other"'),
         asm("provider_section provider_id=9"),
         asm("provider_event provider_id=9 event_id=buffer_full"), f], SECTION_6)
    image = Image(size=36864)
    at = DEFINITIONS + [large_filler(4097)]
    image.put(1, at)
    image.put(1, [event(7)], at=72 + 8 * 4097)
    corpus.add("filler-large-32-bit", "valid", "BUF-09", "A large filler of 4097 words: its size "
        "has 32 bits.", "The size of a large record is taken from 12 bits.", image, ["BUF-11"])


def chunks(corpus):
    """BUF-10, BUF-11: records that are found by their sizes."""
    def add(name, why, mistake, image, **more):
        corpus.add("chunks-" + name, more.pop("grade", "valid"), more.pop("tests", "BUF-11"), why,
                   mistake, image, more.pop("touches", ["BUF-10"]), provider="died", **more)

    def rows(*leases, flags=ENDS_KEPT, wrapped=0):
        """Circular: chunks of 128 bytes, 13 of them, the last one of 192. (offset, records) …"""
        image = defined(wrapped=wrapped, flags=flags)
        for at, records in leases:
            image.put(1 + wrapped % 2, records, at=at, end=False)
        return image.end(1 + wrapped % 2, 1728)
    e = events(1, 20)
    add("all-written", "Three chunks, each taken alone and filled up.", "Heads are records.",
        rows((0, lease(e[:2], 128)), (128, lease(e[2:6], 128)), (256, lease(e[6:7], 128))))
    add("not-taken", "Chunk 1 was never taken: its first word is 0.",
        "Reading ends at the first zero word.",
        rows((0, lease(e[:4], 128)), (256, lease(e[4:6], 128)), (1152, lease(e[6:8], 128))))
    add("taken-not-written", "Chunk 1 was taken, its head is not written yet; behind it stands "
        "what was there before.", "What stood there before is found.",
        rows((0, lease(e[:4], 128)), (136, [event(666), event(667)]), (256, lease(e[4:6], 128))))
    add("killed-in-a-record", "The provider died within a record: its first word, which is written "
        "last, is 0.", "A torn record is found, or what follows it in the chunk.",
        rows((0, [head()] + e[:2]), (64, event(666)[8:] and [event(666)[8:]]),
             (88, [event(667)]), (128, lease(e[2:4], 128))))
    add("head-only", "A thread took a chunk, wrote its head and died.",
        "An empty chunk ends the part.", rows((0, [head()]), (128, [head()]),
                                              (256, lease(e[:2], 128))))
    add("lease-of-three", "A lease of three chunks: records lie across their borders.",
        "A record that goes from one chunk into the next is refused.",
        rows((0, lease(e[:15], 384, 0, 3)), (384, lease(e[15:17], 128))))
    add("lease-of-three-torn", "A lease of three chunks, torn in the second one: reading goes on "
        "with the third, which is inside the lease.", "Reading goes on behind the lease.",
        rows((0, [head(0, 3)] + e[:8]), (256, [event(30), event(31)]), (384, lease(e[9:11], 128))))
    add("across-a-border-then-zero", "A record goes over a border of chunks by a word, and a zero "
        "word follows: reading goes on with the next border.",
        "The next chunk is counted from where the record began.",
        rows((0, [head(0, 2), filler(104), e[0]]), (144, [event(666)]), (256, lease(e[1:3], 128))))
    add("last-is-larger", "The last chunk takes what is left over: 192 bytes. Behind a zero word "
        "in it nothing is found, though a chunk of 128 bytes would begin there.",
        "The last chunk is cut in two.",
        rows((1536, [head()] + e[:2]), (1664, [event(666), event(667)])), tests="BUF-10")
    add("last-is-found", "The last chunk is the only one that was written; records go to its end.",
        "The last chunk is forgotten, or its excess.",
        rows((1536, [head(0, 1)] + e[:7] + [filler(16)])), tests="BUF-10")
    add("last-begins-with-zero", "The last chunk begins with a zero word: nothing in it is found.",
        "A chunk that does not exist is read.",
        rows((0, lease(e[:2], 128)), (1600, [event(666)]), (1664, [event(667)])), tests="BUF-10")
    add("exactly-to-the-end", "The last record ends where the part does.",
        "A record must end in front of the end.", rows((1704, [e[1]]), (1536, [filler(168)])))
    add("word-too-long", "The last record is a word longer than what is left of the part.",
        "A record is read beyond its part.", rows(
            (0, lease(e[:2], 128)), (1536, [filler(168)]), (1704, [word(4 << 4 | 4) + e[1][8:]])))
    add("longest", "A record of 4095 words, which does not fit, ends its chunk; the next one is "
        "read.",
        "A record that does not fit ends the part.",
        rows((0, [head(), e[0], word(4095 << 4 | 4)]), (128, lease(e[1:3], 128))))
    add("large-too-long", "A large record of 2^32 - 1 words does not fit.",
        "The size in bytes is computed in 32 bits.",
        rows((0, [head(), e[0], word(15 | 0xFFFFFFFF << 4)]), (128, lease(e[1:3], 128))))
    add("large-wraps-32-bits", "A large record of 2^29 + 3 words: its size in bytes is 24 modulo "
        "2^32.", "The size in bytes is computed in 32 bits.",
        rows((0, [head(), e[0], word(15 | (1 << 29) + 3 << 4), word(7), word(7), e[3]]),
             (128, lease(e[1:3], 128))))
    add("size-0", "A first word that is not 0, of a record of size 0: it ends its chunk as one "
        "that does not fit.", "Reading never ends.",
        rows((0, [head(), e[0], word(4), e[1]]), (128, lease(e[2:4], 128))), grade="unspecified")
    blob = asm('large_blob blob_format=1 category=@1 name=@2 payload=x"%s"'
               % (event(666) * 10).hex())
    add("large-across", "A large record over three chunks; its payload looks like records at every "
        "border.", "Records are looked for at each border.",
        rows((0, lease([e[0], blob, e[1]], 384, 0, 3))))
    chunk_parts(add, e)


def chunk_parts(add, e):
    def one(*leases, size=4096, **more):
        image = Image(size=size, **more)
        for at, records in leases:
            image.put(1, records, at=at, end=False)
        return image.end(1, image.rolling)
    add("oneshot", "The chunks of oneshot mode: 256 bytes, the last one of 384.",
        "Chunks are of one size in all buffers.",
        one((0, lease(DEFINITIONS + e[:5], 256)), (512, lease(e[5:7], 256)), (896, [event(666)]),
            (3584, lease(e[7:9], 384))), tests="BUF-10")
    add("oneshot-last", "Behind a zero word in the last chunk nothing is found: 384 bytes.",
        "The last chunk is cut in two.",
        one((0, lease(DEFINITIONS, 256)), (3584, [head(), e[0]]), (3840, [event(666)])),
        tests="BUF-10")
    # up to 1016 bytes: chunks of 64; from 1024 on of 128
    for rolling, size in ((1016, 64), (1024, 128), (2040, 128), (2048, 256), (8184, 512),
                          (8192, 1024)):
        image = one((0, [head(), RATE]), (32, [RATE]), (size // 2 & -64 or 40, [RATE]),
                    (size, [head(), RATE]), (size + 32, [RATE]), (2 * size, [head(), RATE]),
                    size=HEADER + rolling, rolling=rolling)
        add("size-%d" % rolling, "A part of %d bytes has chunks of %d: what lies behind a zero "
            "word in the middle of one is not found." % (rolling, size),
            "The size of a chunk is off by one step.", image, tests="BUF-10", grade="unspecified")
    small = Image(size=HEADER + 56, rolling=56, flags=0).put(1, [head()], end=False)
    small.put(1, [inline(666)], at=16, end=False)
    add("smaller-than-a-chunk", "A part of 56 bytes is one chunk.", "There is no chunk.", small,
        tests="BUF-10", grade="unspecified")
    for wrapped in (2, 3):
        image = defined(wrapped=wrapped)
        for half in (1, 2):
            now = half == 1 + wrapped % 2
            image.put(half, lease(events(200 if now else 100, 3), 128, wrapped if now else
                                  wrapped - 1), end=False)
            image.put(half, lease(events(210 if now else 110, 3), 128, wrapped if now else
                                  wrapped - 1), at=256, end=False)
            image.end(half, 384 if now else 1728)
        add("both-halves-%d" % wrapped, "Wrapped count %d: both halves have a gap." % wrapped,
            "What is behind a gap in the older half is lost.", image)
    image = defined(wrapped=1).put(1, lease(events(100, 4), 128)).put(
        1, [event(666)], at=512, end=False).end(1, 256)
    image.put(2, lease(events(200, 2), 128, 1))
    add("end-kept-is-the-limit", "The provider died; behind the data end, which is kept, stands "
        "what was there before, at the start of a chunk.", "A part of a dead provider is read to "
        "its end.",
        image)
    image = defined(wrapped=1, flags=0).put(1, events(100, 2)).put(2, events(200, 2))
    image.end(0, 0).end(1, 0).end(2, 0)
    add("old-engine", "The ends are 0 and not kept: records are found by their sizes, up to the "
        "first word that is 0 or the end of each part.", "Nothing is found where the data ends are 0.",
        image)
    image = defined(wrapped=1, flags=0).put(1, events(100, 2)).put(2, events(200, 2))
    payload = b"".join(events(600, 40))
    image.put(1, [asm('blob blob_type=data name=@2 payload=x"%s"' % payload.hex())], at=128)
    image.end(0, 0).end(1, 0).end(2, 0)
    add("old-engine-payload", "The ends are not kept: the provider takes no chunks. Behind the "
        "first zero word stands a blob, whose payload looks like events where a chunk would begin.",
        "A payload is read as records.", image)
    add("end-within-a-record", "The data end cuts a record: it does not fit.",
        "The record is read beyond the data end.",
        Image().put(1, DEFINITIONS + e[:2]).put(1, [e[2]], at=120, end=False).end(1, 128))
    add("end-within-a-chunk", "A data end within chunk 2, and a zero word in chunk 1: reading does "
        "not go on in chunk 2, which the data end cuts.", "A piece of a chunk is read.",
        defined().put(1, lease(e[:2], 128)).put(1, [head(), e[2]], at=128).put(
            1, [head()] + e[3:5], at=256))
    add("end-within-a-chunk-behind-an-empty-one", "Chunk 0 is empty, and the data end is within "
        "chunk 1: nothing is read.", "The first chunk that is not empty is read, though it is cut.",
        defined().put(1, [head(), e[2]], at=128))
    durable_parts(add, e)


def durable_parts(add, e):
    late = asm('string index=3 value="late"')

    def durable(records, more, at, why, mistake, name, **keys):
        image = Image(CIRCULAR, **keys).put(0, records).put(0, more, at=at)
        image.put(1, lease(e[:2], 128), end=False).end(1, 128)
        add("durable-" + name, why, mistake, image)
    durable(DEFINITIONS, [late], 128, "The durable part has no chunks: a zero word ends it.",
            "The durable part is read by chunks.", "zero-word")
    durable(DEFINITIONS + [word(4095 << 4 | 2)], [late], 128, "A record that does not fit ends the "
            "durable part.", "The durable part is read by chunks.", "too-long")
    durable(DEFINITIONS + [filler(440)], [], 512, "A filler covers what is not used of the durable "
            "part.", "The filler reaches the archive.", "filler")
    durable(DEFINITIONS + [late], [], 88, "The durable part ends behind the last definition.",
            "A definition is lost at the end.", "last")


def archive(corpus):
    """Section 6: what is left out."""
    def add(name, why, mistake, records, tests=SECTION_6, touches=(), **more):
        image = more.pop("image", None) or Image().put(1, records)
        corpus.add("archive-" + name, more.pop("grade", "valid"), tests, why, mistake, image,
                   touches, level="save", **more)
    e = events(1, 4)
    short = word(1 << 4 | 4 | 1 << 24 | 1 << 32 | 2 << 48)
    add("malformed", "An event without a timestamp is left out, alone.",
        "One bad record costs all that follow.", DEFINITIONS + [e[0], short, e[1]],
        touches=["EVT-01"])
    reserved = bytearray(THREAD)
    reserved[4] = 1
    add("nonconforming", "A thread record with a reserved bit is left out, and with it the events "
        "of that thread.", "A definition that is left out is remembered.",
        [RATE, CATEGORY, NAME, bytes(reserved), e[0], inline(5)], touches=["REC-04", "THR-02"])
    add("type-unknown", "A record of a type that does not exist is nonconforming, and left out.",
        "What is not known is copied.", DEFINITIONS + [e[0], word(2 << 4 | 11) + word(0), e[1]],
        touches=["REC-06"])
    add("string-not-registered", "An event that refers to a string that nobody registered is left "
        "out.", "The archive has refs that lead nowhere.",
        DEFINITIONS + [event(1, name=7), e[1]], touches=["STR-02"])
    add("thread-not-registered", "An event of a thread that nobody registered is left out.",
        "The archive has refs that lead nowhere.",
        DEFINITIONS + [event(1, thread=9), e[1]], touches=["THR-02"])
    add("registered-too-late", "The string is registered behind the event that refers to it: the "
        "first event is left out, the second one is not.", "Definitions are collected first.",
        [RATE, CATEGORY, THREAD, e[0], NAME, e[1]], touches=["STR-02"])
    add("text-not-utf-8", "A string that is not UTF-8 is left out, and what refers to it.",
        "A definition that is left out is remembered.",
        [RATE, CATEGORY, NAME[:8] + b"\xff" + NAME[9:], THREAD, e[0], inline(3)],
        touches=["STR-05"])
    add("registered-again", "An index is registered again; both records are kept.",
        "A second definition is refused.",
        DEFINITIONS + [e[0], asm('string index=2 value="again"'), e[1]])
    for name, dropped, inlined in (("dropped", 1, 0), ("dropped-max", U64, 0), ("inlined", 0, 1),
                                   ("inlined-max", 0, U64), ("both", 3, 4)):
        add(name, "The header counts what was lost: the archive tells it.",
            "Losses are not told.", None, image=Image(dropped=dropped, inlined=inlined).put(
                1, DEFINITIONS + e[:1]))
    rate = "initialization ticks_per_second=%d"
    for name, other, why in (
            ("near", 1000900, "less than a thousandth away: written with the first rate"),
            ("near-below", 999001, "less than a thousandth away: written with the first rate"),
            ("thousandth", 999000, "a thousandth away: it stays"),
            ("far", 1001100, "more than a thousandth away: it stays")):
        add("ticks-" + name, "The second rate is %s." % why, "Times of two providers drift apart.",
            [asm(rate % 1000000), CATEGORY, NAME, THREAD, asm(rate % other), e[0]],
            touches=["INI-03"])
    for told, has in ((CIRCULAR, STREAMING), (STREAMING, CIRCULAR)):
        add("mode-%s-for-%s" % (model.MODES[has], model.MODES[told]),
            "The provider was told mode %s; its header says %s. Nothing is taken."
            % (model.MODES[told], model.MODES[has]), "The header's mode is believed.", None,
            image=defined(has).put(1, e[:2]), mode=told, grade="invalid")
    asked(add)


def asked(add):
    """Requests to save a half."""
    def ring(wrapped):
        image = defined(STREAMING, wrapped=wrapped)
        now = 1 + wrapped % 2
        return image.put(3 - now, events(100, 3)).put(now, events(200, 2))
    for name, wrapped, saved, requests, why in (
            ("first", 1, 0, [[0, 72]], "The half of turn 0 is full and saved; then the rest"),
            ("later", 6, 5, [[5, 72]], "The half of turn 5 is saved; then the rest"),
            ("twice", 1, 0, [[0, 72], [0, 72]], "The same half is asked for twice"),
            ("wrong", 1, 0, [[1, 72]], "The half that is current is asked for"),
            ("skipped", 6, 4, [[5, 72]], "A half was never asked for, the one behind it is")):
        add("asked-" + name, why + ". A request for the wrong half is refused, and what is in the "
            "buffer is kept.", "A half is archived twice, or lost.", None, image=ring(wrapped),
            saved=saved, asked=requests, grade="invalid" if name in ("twice", "wrong", "skipped")
            else "valid")


def live(corpus):
    """A provider that goes on while it is read: `then` is written behind reading the header and in
    front of copying."""
    def ring(wrapped, older=3, current=3):
        image = defined(CIRCULAR, wrapped=wrapped)
        now = 1 + wrapped % 2
        if wrapped > 0:
            for i in range(older):
                image.put(3 - now, lease(events(100 + 10 * i, 3), 128, wrapped - 1), at=128 * i)
            image.end(3 - now, 1728)
        for i in range(current):
            image.put(now, lease(events(200 + 10 * i, 3), 128, wrapped), at=128 * i)
        return image

    def turned(image, wrapped, halves, ends, leases=1):
        """The provider has gone on to that turn; `halves` it used again."""
        now = []
        for half, turn in halves:
            start = image.start(half)
            for i in range(13):
                now.append([start + 128 * i, bytes(8).hex()])
            for i in range(leases):
                at = start + 128 * i
                for record in lease(events(300 + 10 * turn + i, 3), 128 if i < 12 else 192, turn):
                    now.append([at, record.hex()])
                    at += len(record)
        now.append([12, struct.pack("<I", wrapped).hex()])
        return now + [[40 + 8 * part, word(end).hex()] for part, end in ends]

    def add(name, why, mistake, image, then, tests=SECTION_1_3):
        corpus.add("live-" + name, "valid", tests, why, mistake, image, ["BUF-10"], level="save",
                   provider="running", then=then)
    add("quiet", "Nothing changes meanwhile.", "A live buffer is not read.", ring(2), [])
    image = ring(0)
    more = turned(image, 0, [], [(1, 512)])
    at = image.start(1) + 384
    for record in lease(events(500, 3), 128):
        more.append([at, record.hex()])
        at += len(record)
    add("grows", "The current half grows: records behind the data end that was read are not in "
        "this archive.", "The copy goes beyond the data end.", image, more)
    image = ring(0)
    late = asm('string index=3 value="late"')
    add("defines", "A definition is added meanwhile: it is copied, too, in front of what refers to "
        "it.", "A record refers to what is missing.", image,
        [[image.start(0) + 72, late.hex()], [40, word(88).hex()]], SECTION_6)
    image = ring(0)
    add("turn-0-to-1", "The provider goes to half 1: half 0 stays as it was.",
        "A turn voids every copy.", image, turned(image, 1, [(2, 1)], [(2, 128), (1, 1728)]))
    image = ring(0)
    add("turn-0-to-2", "Half 0, the only one that was written, is used again: what it held is "
        "lost, and the loss is told.", "The half that was current is never used again.",
        image, turned(image, 2, [(2, 1), (1, 2)], [(2, 1728), (1, 128)]))
    image = ring(0)
    add("turn-0-to-about-2", "Half 0, the only one that was written, has been cleared, and nothing "
        "is in it yet: what it held is lost, and the loss is told.",
        "Chunks that have been cleared are taken for chunks that nobody used.",
        image, turned(image, 1, [(1, 0)], [(2, 1728), (1, 0)], 0))
    for wrapped in (2, 3):
        now = 1 + wrapped % 2
        image = ring(wrapped)
        add("turn-%d-to-%d" % (wrapped, wrapped + 1), "The older half is used again: its copy is "
            "worth nothing, the one of the current half is good.",
            "Old and new records are mixed, out of order.", image,
            turned(image, wrapped + 1, [(3 - now, wrapped + 1)], [(3 - now, 128), (now, 1728)]))
        add("turn-%d-to-%d" % (wrapped, wrapped + 2), "Both halves are used again: nothing of the "
            "copy is worth anything, and the loss is told.", "Only a difference of 1 is looked at.",
            image, turned(image, wrapped + 2, [(3 - now, wrapped + 1), (now, wrapped + 2)],
                          [(3 - now, 1728), (now, 128)]))
        add("turn-%d-to-%d-full" % (wrapped, wrapped + 1), "The older half is used again, and full "
            "of new records by now: no chunk of it is empty.",
            "New records are taken for old ones: only the turn in their lease tells them apart.",
            image, turned(image, wrapped + 1, [(3 - now, wrapped + 1)],
                          [(3 - now, 1728), (now, 1728)], 13))
        add("about-to-turn-%d" % wrapped, "The data end of the older half has fallen to 0, the "
            "wrapped count has not risen yet: the half is about to be cleared.",
            "Only the wrapped count is looked at.", image, turned(
                image, wrapped, [], [(3 - now, 0)]))


def sizes(corpus):
    good, bad = "The parts of a legal buffer.", "No buffer is like that."
    for total in (4096, 8192, 65536, 1 << 20, (32 << 20) - 4096, 32 << 20, (32 << 20) + 4096,
                  64 << 20, 1 << 32):
        for mode in (ONESHOT, CIRCULAR, STREAMING):
            corpus.sizes(total, mode, good, "An eighth has no limit, or is not an eighth.")
    for total in (0, 8, 4088, 4095, 4097, 6144, (1 << 32) + 4096, U64 - 4095, U64):
        corpus.sizes(total, ONESHOT, bad, "The limits are not looked at.")
        corpus.sizes(total, CIRCULAR, bad, "The limits are not looked at.")
    corpus.sizes(4096, 3, "There is no such mode.", "Any mode but 0 has three parts.")


def vectors():
    corpus = Corpus()
    for family in (header_valid, header_invalid, order, fillers, chunks, archive, live, sizes):
        family(corpus)
    return corpus.vectors
