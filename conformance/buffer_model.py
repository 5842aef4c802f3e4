#!/usr/bin/env python3
"""A second opinion on the buffer of a trace provider, written from spec/system.md, sections 1 and
6, and not from src/: which rules a header breaks, which records a buffer holds, in which order, and
which of them a manager archives.

  header(image)             what the header says, and the rules that it breaks
  sizes(total, mode)        the parts of a buffer by BUF-08
  save(image, knowledge …)  what a manager takes, as a Result

usage: buffer_model.py FILE     prints the findings, or the records with what becomes of each
"""
import os
import struct
import sys

import model

HERE = os.path.dirname(os.path.abspath(__file__))
MAGIC = 0x627566EE68656164
HEADER = 128
ONESHOT, CIRCULAR, STREAMING = range(3)
MODES = ("oneshot", "circular", "streaming")
ENDS_KEPT = 1
METADATA, LARGE = 0, 15
HEAD, FILLER = 14, 15      # metadata types; the last is a large type, too
BAD = ("malformed", "nonconforming")
DANGLING = ("STR-02", "THR-02")  # refs to what is not registered


def rule_classes():
    with open(os.path.join(HERE, "..", "spec", "rules.tbl"), encoding="utf-8") as f:
        rows = [line.split("#")[0].split(None, 3) for line in f]
    return {row[0]: row[1] for row in rows if row}


CLASSES = rule_classes()


class Header:
    FORM = struct.Struct("<QHBBIQQQQQQQQ")

    def __init__(self, image):
        (self.magic, self.version, self.mode, self.flags, self.wrapped, self.total, self.durable,
         self.rolling, self.durable_end, end_0, end_1, self.dropped,
         self.inlined) = self.FORM.unpack_from(image)
        self.ends = [end_0, end_1]

    def kept(self):
        return self.flags & ENDS_KEPT != 0


# ---- section 1.1

def tiles(h):
    """BUF-06."""
    if h.durable % 8 or h.rolling % 8:
        return False
    if h.mode == ONESHOT:
        return h.durable == 0 and h.rolling == h.total - HEADER
    return HEADER + h.durable + 2 * h.rolling == h.total and h.durable < h.rolling


def header(image, size=None):
    """(Header or None, [(rule, offset of its field)]) of a buffer of that size. Nothing is reported
    behind a rule without which the others say nothing."""
    size = len(image) if size is None else size
    if len(image) < HEADER:
        return None, [("BUF-01", 0)]
    h = Header(image)
    if h.magic != MAGIC:
        return None, [("BUF-02", 0)]
    if h.version != 0:
        return None, [("BUF-03", 8)]
    found = []
    if h.mode > STREAMING:
        found.append(("BUF-04", 10))
    if h.total != size or size % 8:
        found.append(("BUF-05", 16))
    if not found and not tiles(h):
        found.append(("BUF-06", 24))
    if not found:
        ends = ((40, h.durable_end, h.durable), (48, h.ends[0], h.rolling),
                (56, h.ends[1], h.rolling))
        found += [("BUF-07", at) for at, end, room in ends if end > room or end % 8]
    return (None if found else h), found


# ---- section 1.2

def sizes(total, mode):
    """(durable size, rolling size); None when no buffer is like that."""
    if total < 4096 or total > 1 << 32 or total % 4096 or mode > STREAMING:
        return None
    if mode == ONESHOT:
        return 0, total - HEADER
    durable = min(total // 8, 4 << 20)
    return durable, (total - HEADER - durable) // 2


# ---- section 1.3

class Part:
    def __init__(self, name, offset, room, end, turn):
        self.name = name
        self.offset = offset
        self.room = room
        self.end = end    # the data end
        self.turn = turn  # the wrapped count while it was written; None: the durable part


def parts(h):
    """In the order of reading."""
    if h.mode == ONESHOT:
        return [Part("rolling", HEADER, h.rolling, h.ends[0], h.wrapped)]

    def half(turn):
        which = turn % 2
        return Part("half %d" % which, HEADER + h.durable + which * h.rolling, h.rolling,
                    h.ends[which], turn)
    found = [Part("durable", HEADER, h.durable, h.durable_end, None)]
    if h.wrapped != 0:
        found.append(half(h.wrapped - 1))
    return found + [half(h.wrapped)]


def extent(h, part, stopped):
    """How many bytes of a part are read."""
    if h.kept() or (stopped and part.end > 0):
        return part.end
    return part.room


# ---- section 1.4

def chunk_bytes(room):
    size = 64
    while size < 4096 and 2 * size * 8 <= room:
        size *= 2
    return size


def next_chunk(room, end, at):
    """Where the chunk behind the one that holds `at` begins; None when `end` cuts it, or there is
    none."""
    size = chunk_bytes(room)
    chunk = at // size + 1
    return chunk * size if (chunk + 1) * size <= end else None


def record_bytes(word):
    return 8 * (word >> 4 & (0xFFFFFFFF if word & 15 == LARGE else 0xFFF))


def found_in(data, room, chunked, at=0):
    """BUF-11: yields (offset, size) of the records of a part, of which `data` is what is read, from
    `at` on."""
    while at + 8 <= len(data):
        size = record_bytes(struct.unpack_from("<Q", data, at)[0])
        if size != 0 and at + size <= len(data):
            yield at, size
            at += size
            continue
        following = next_chunk(room, len(data), at) if chunked else None
        if following is None:
            return
        at = following


def kind_of(word):
    """head, filler, metadata or record."""
    if word & 15 == METADATA:
        return {HEAD: "head", FILLER: "filler"}.get(word >> 16 & 15, "metadata")
    if word & 15 == LARGE and word >> 36 & 15 == FILLER:
        return "filler"
    return "record"


# ---- section 6

class Judge:
    """Knows what of one provider is in the archive."""
    def __init__(self):
        self.kept = model.encode("magic", {})
        self.kept += model.encode("provider_info", {"provider_id": 1, "name": b"p"})
        self.rates = []

    def is_good(self, data):
        """Whether a record keeps the format and refers to what is registered, behind the others."""
        _, findings, _ = model.examine(self.kept + data)
        mine = [rule for offset, rule in findings["current"]
                if offset >= len(self.kept)]
        return not any(CLASSES[rule] in BAD or rule in DANGLING for rule in mine)

    def agreed(self, data):
        """An initialization record with the rate that it is written with."""
        if data[0] & 15 != 1 or len(data) != 16:
            return data
        rate, = struct.unpack_from("<Q", data, 8)
        near = [other for other in self.rates if abs(other - rate) * 1000 < other]
        rate = near[0] if near else rate
        if not near and rate != 0:
            self.rates.append(rate)
        return data[:8] + struct.pack("<Q", rate)

    def take(self, data):
        """The bytes that the archive gets: of a record, or none."""
        data = self.agreed(data)
        if not self.is_good(data):
            return b""
        self.kept += data
        return data


class Knowledge:
    """What a manager knows of a provider besides its buffer."""
    def __init__(self, stopped=True, saved=0, mode=None):
        self.stopped = stopped  # it has said so; else it died, or goes on
        self.saved = saved      # so many halves of a stream are in the archive already
        self.mode = mode        # that it was told; None: the buffer's


class Result:
    def __init__(self, findings):
        self.findings = findings
        self.parts = []    # (name, offset, bytes that are read)
        self.records = []  # (offset in the buffer, size, what becomes of it)
        self.trace = None  # the records that are archived; None: nothing is taken
        self.dropped = self.inlined = 0
        self.overtaken = False  # what was copied had been used again
        self.refused = None     # the number of a request


def is_saved(h, part, saved):
    return h.mode == STREAMING and part.turn is not None and part.turn < saved


class Saver:
    """Takes the parts of one buffer. image: what the header was read from. copy: what stood there
    when the parts were copied."""
    def __init__(self, image, copy, knowledge):
        self.h, findings = header(image)
        self.later = Header(copy) if self.h else None
        self.copy = copy
        self.saved = knowledge.saved
        self.stopped = knowledge.stopped
        self.result = Result(findings)
        self.judge = Judge()
        self.defined = None  # bytes of the durable part that are taken

    def take(self, part, size, begin=0):
        data = self.copy[part.offset:part.offset + size]
        self.result.parts.append((part.name, part.offset + begin, size - begin))
        for at, length in found_in(data, part.room, part.turn is not None and self.h.kept(), begin):
            record = data[at:at + length]
            fate = kind_of(struct.unpack_from("<Q", record)[0])
            if fate == "record":
                taken = self.judge.take(record)
                fate = "kept" if taken else "refused"
                self.result.trace += [taken] if taken else []
            self.result.records.append((part.offset + at, length, fate))

    def definitions(self, part, size):
        if self.defined is None or size > self.defined:
            self.take(part, size, self.defined or 0)
            self.defined = size

    def half(self, turn, durable_end):
        """Section 2, save buffer. False when it must not be asked for."""
        durable = Part("durable", HEADER, self.h.durable, 0, None)
        which = turn % 2
        if turn != self.saved or durable_end > self.h.durable or durable_end % 8:
            return False
        self.definitions(durable, durable_end)
        self.take(Part("half %d" % which, HEADER + self.h.durable + which * self.h.rolling,
                       self.h.rolling, 0, turn), self.h.ends[which])
        self.saved += 1
        return True

    def rest(self):
        for part in parts(self.h):
            size = extent(self.h, part, self.stopped)
            if part.turn is None:
                # definitions are copied after what refers to them
                self.definitions(part, self.later.durable_end if self.h.kept() else size)
            elif is_saved(self.h, part, self.saved):
                continue
            elif used_again(self.h, self.later, part):
                self.result.overtaken = True
            else:
                self.take(part, size)


def save(image, knowledge=None, copy=None, asked=()):
    """What a manager takes of a buffer. asked: requests to save a half, as (wrapped count, durable
    end), which come before the rest is taken; behind one that is refused nothing is heard."""
    knowledge = knowledge or Knowledge()
    saver = Saver(image, image if copy is None else copy, knowledge)
    result = saver.result
    if saver.h is None or knowledge.mode not in (None, saver.h.mode):
        return result
    result.trace = []
    result.dropped = saver.h.dropped
    result.inlined = saver.h.inlined
    for i, (turn, durable_end) in enumerate(asked):
        if not saver.half(turn, durable_end):
            result.refused = i
            saver.stopped = False
            break
    saver.rest()
    return result


def used_again(h, later, part):
    """Section 1.3: whether a half that was copied is worth nothing."""
    grown = (later.wrapped - h.wrapped) % (1 << 32)
    older = part.turn != h.wrapped
    return grown > 1 or (grown == 1 and older) or (
        h.kept() and later.ends[part.turn % 2] < h.ends[part.turn % 2])


def main():
    with open(sys.argv[1], "rb") as f:
        image = f.read()
    result = save(image)
    for rule, offset in result.findings:
        print("%s @ 0x%x" % (rule, offset))
    for offset, size, fate in result.records:
        print("0x%x %d %s" % (offset, size, fate))
    return 1 if result.findings else 0


if __name__ == "__main__":
    sys.exit(main())
