#!/usr/bin/env python3
"""A small reader, written from spec/format.md alone, that answers at level events (PROTOCOL.md). It
shows what a whole reader takes, and it tests the runner: errors can be planted in it.

usage: toy.py [--error=NAME]... FILE
       toy.py [--error=NAME]... --pipe
NAME: int32-unsigned, sections-ignored, shared-tables, magic-ignored, zero-ends, large-12-bits, or
      clears-tables, which is none
"""
import json
import math
import struct
import sys

MAGIC = 0x0016547846040010
SWAPPED = 0x1000044678541600
EVENTS = ["instant", "counter", "duration_begin", "duration_end", "duration_complete",
          "async_begin", "async_instant", "async_end", "flow_begin", "flow_step", "flow_end"]
SCOPES = ["thread", "process", "global"]
STATES = ["new", "running", "suspended", "blocked", "dying", "dead"]
BLOBS = {1: "data", 2: "last_branch", 3: "perfetto"}
OBJECTS = {1: "process", 2: "thread"}
ERRORS = ("int32-unsigned", "sections-ignored", "shared-tables", "magic-ignored", "zero-ends", "large-12-bits",
          "clears-tables")


class Malformed(Exception):
    """The record cannot be decoded without reading outside of it."""


def bits(word, low, high):
    return word >> low & (1 << high - low + 1) - 1


def signed(number, width):
    return number - (1 << width) if number >> width - 1 else number


def text(data):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return {"hex": data.hex()}


def as_key(name):
    if isinstance(name, str):
        return name
    return bytes.fromhex(name["hex"]).decode("utf-8", "replace")


class Provider:
    def __init__(self):
        self.ticks = 10**9
        self.strings = {0: b""}
        self.threads = {}


class Span:
    """Words of a record, or of an argument, from `at` to `end`; taken from the front."""
    def __init__(self, words, raw, at, end, provider):
        self.words, self.raw = words, raw
        self.at, self.end = at, end
        self.provider = provider

    def word(self):
        if self.at >= self.end:
            raise Malformed
        self.at += 1
        return self.words[self.at - 1]

    def stream(self, length):
        start = self.at
        if (length + 7) // 8 > self.end - start:
            raise Malformed
        self.at += (length + 7) // 8
        return self.raw[8 * start:8 * start + length]

    def string(self, ref):
        """The text, or None when nothing is registered there."""
        data = self.stream(ref - 0x8000) if ref >= 0x8000 else self.provider.strings.get(ref)
        return None if data is None else text(data)

    def thread(self, ref):
        if ref == 0:
            return self.word(), self.word()
        return self.provider.threads.get(ref, (None, None))

    def part(self, size):
        if size == 0 or size > self.end - self.at:
            raise Malformed
        return Span(self.words, self.raw, self.at, self.at + size, self.provider)


class Reader:
    def __init__(self, errors=()):
        self.errors = errors
        self.lines = []
        self.complaints = 0
        self.reset()

    def reset(self):
        self.id = 0
        self.providers = {0: Provider()}

    @property
    def provider(self):
        return self.providers[self.id]

    def new_provider(self):
        provider = Provider()
        if "shared-tables" in self.errors:
            provider.strings, provider.threads = self.providers[0].strings, self.providers[0].threads
        return provider

    def select(self, id):
        if "sections-ignored" not in self.errors:
            self.id = id
            self.providers.setdefault(id, self.new_provider())

    def read(self, data):
        """The loop of section 4.4."""
        at = 0
        if data[:8] == SWAPPED.to_bytes(8, "little"):
            return self.refuse()
        while at < len(data):
            if len(data) - at < 8:
                return self.refuse()
            header, = struct.unpack_from("<Q", data, at)
            if header == 0:
                self.refuse()
                if "zero-ends" in self.errors:
                    return None
                at += 8
                continue
            wide = header & 15 == 15 and "large-12-bits" not in self.errors
            size = bits(header, 4, 35 if wide else 15)
            if size == 0 or size > (len(data) - at) // 8:
                return self.refuse()
            raw = data[at:at + 8 * size]
            span = Span(struct.unpack("<%dQ" % size, raw), raw, 1, size, self.provider)
            try:
                self.record(header, span)
            except Malformed:
                self.refuse()
            at += 8 * size
        return None

    def refuse(self):
        self.complaints += 1

    def record(self, h, span):
        if h == MAGIC:
            if "magic-ignored" not in self.errors:
                self.reset()
            return
        read = {0: self.metadata, 1: self.initialization, 2: self.register_string,
                3: self.register_thread, 4: self.event, 5: self.blob, 6: self.userspace_object,
                7: self.kernel_object, 8: self.scheduling, 9: self.log, 10: self.profiler,
                15: self.large}.get(h & 15)
        if read:
            read(h, span)

    # ---- what changes the state

    def metadata(self, h, span):
        if bits(h, 16, 19) == 1:
            span.stream(bits(h, 52, 59))
            self.id = bits(h, 20, 51)
            known = self.providers.setdefault(self.id, self.new_provider())
            if "clears-tables" in self.errors:
                known.strings, known.threads = {0: b""}, {}
        elif bits(h, 16, 19) == 2:
            self.select(bits(h, 20, 51))

    def initialization(self, h, span):
        self.provider.ticks = span.word() or self.provider.ticks

    def register_string(self, h, span):
        data = span.stream(bits(h, 32, 46))
        if bits(h, 16, 30):
            self.provider.strings[bits(h, 16, 30)] = data

    def register_thread(self, h, span):
        koids = span.word(), span.word()
        if bits(h, 16, 23):
            self.provider.threads[bits(h, 16, 23)] = koids

    # ---- what is delivered

    def deliver(self, kind, **fields):
        self.lines.append(dict({"event": kind, "provider": self.id}, **fields))

    def time(self, ticks, ts="ts", ns="ns"):
        return {ts: ticks, ns: min((1 << 64) - 1, ticks * 10**9 // self.provider.ticks)}

    def args(self, span, count):
        args = {}
        for _ in range(count):
            h = span.word()
            span.at -= 1
            part = span.part(bits(h, 4, 15))
            part.at += 1
            name = part.string(bits(h, 16, 31))
            value = self.value(h & 15, h, part)
            span.at = part.end
            if h & 15 <= 10 and name is not None:
                args[as_key(name)] = value
        return args

    def value(self, type, h, part):
        if type == 1:
            return bits(h, 32, 63) if "int32-unsigned" in self.errors else signed(h >> 32, 32)
        if type == 2:
            return h >> 32
        if type == 3:
            return signed(part.word(), 64)
        if type in (4, 7, 8):
            return part.word()
        if type == 5:
            return double(part.word())
        if type == 6:
            return part.string(bits(h, 32, 47))
        if type == 9:
            return bits(h, 32, 32) == 1
        return part.stream(h >> 32).hex() if type == 10 else None

    def event(self, h, span):
        kind = bits(h, 16, 19)
        time = self.time(span.word())
        process, thread = span.thread(bits(h, 24, 31))
        category, name = span.string(bits(h, 32, 47)), span.string(h >> 48)
        args = self.args(span, bits(h, 20, 23))
        fields = {}
        if kind == 0:
            scope = span.word() if span.at < span.end else 0
            fields = {"scope": SCOPES[scope if scope <= 2 else 0]}
        elif kind == 4:
            fields = self.time(span.word(), "end", "end_ns")
        elif kind in (1, 5, 6, 7, 8, 9, 10):
            fields = {"id": span.word()}
        if kind <= 10:
            self.deliver(EVENTS[kind], process=process, thread=thread, category=category,
                         name=name, args=args, **time, **fields)

    def blob(self, h, span):
        name = span.string(bits(h, 16, 31))
        kind = bits(h, 48, 55)
        self.deliver("blob", name=name, blob_type=BLOBS.get(kind, kind),
                     payload=span.stream(bits(h, 32, 46)).hex())

    def userspace_object(self, h, span):
        pointer = span.word()
        ref = bits(h, 16, 23)
        process = span.word() if ref == 0 else span.thread(ref)[0]
        name = span.string(bits(h, 24, 39))
        self.deliver("userspace_object", pointer=pointer, process=process, name=name,
                     args=self.args(span, bits(h, 40, 43)))

    def kernel_object(self, h, span):
        koid = span.word()
        kind = bits(h, 16, 23)
        name = span.string(bits(h, 24, 39))
        self.deliver("kernel_object", object_type=OBJECTS.get(kind, kind), koid=koid, name=name,
                     args=self.args(span, bits(h, 40, 43)))

    def scheduling(self, h, span):
        kind = h >> 60
        if kind > 2:
            return
        time = self.time(span.word())
        if kind == 2:
            self.deliver("thread_wakeup", cpu=bits(h, 20, 35), waking_thread=span.word(),
                         args=self.args(span, bits(h, 16, 19)), **time)
            return
        state = bits(h, 24, 27) if kind == 0 else bits(h, 36, 39)
        state = STATES[state] if state < len(STATES) else state
        if kind == 0:
            outgoing = span.thread(bits(h, 28, 35))[1]
            incoming = span.thread(bits(h, 36, 43))[1]
            cpu, args = bits(h, 16, 23), {}
        else:
            outgoing, incoming = span.word(), span.word()
            cpu, args = bits(h, 20, 35), self.args(span, bits(h, 16, 19))
        self.deliver("context_switch", cpu=cpu, outgoing_state=state, outgoing_thread=outgoing,
                     incoming_thread=incoming, args=args, **time)

    def log(self, h, span):
        time = self.time(span.word())
        process, thread = span.thread(bits(h, 32, 39))
        self.deliver("log", process=process, thread=thread,
                     message=text(span.stream(bits(h, 16, 30))), **time)

    def profiler(self, h, span):
        kind = bits(h, 16, 19)
        if kind > 2:
            return
        fields = self.time(span.word())
        fields["process"], fields["thread"] = span.thread(bits(h, 20, 27))
        fields["module_id"] = bits(h, 28, 43)
        if kind == 0:
            self.deliver("module", name=text(span.stream(bits(h, 44, 51))),
                         build_id=span.stream(bits(h, 52, 59)).hex(), **fields)
        elif kind == 1:
            self.deliver("mmap", flags=bits(h, 44, 46), start_address=span.word(),
                         address_range=span.word(), vaddr=span.word(), **fields)
        else:
            frames = [span.word() for _ in range(bits(h, 28, 35))]
            self.deliver("backtrace", frames=frames, **fields)

    def large(self, h, span):
        form = bits(h, 40, 43)
        if bits(h, 36, 39) != 0 or form > 1:
            return
        m = span.word()
        fields = {"blob_format": form, "category": span.string(bits(m, 0, 15)),
                  "name": span.string(bits(m, 16, 31))}
        if form == 0:
            fields.update(self.time(span.word()))
            fields["process"], fields["thread"] = span.thread(bits(m, 36, 43))
            fields["args"] = self.args(span, bits(m, 32, 35))
        self.deliver("large_blob", payload=span.stream(span.word()).hex(), **fields)


def double(word):
    number, = struct.unpack("<d", struct.pack("<Q", word))
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    return number


def answer(data, errors):
    """Exit code and output."""
    reader = Reader(errors)
    reader.read(data)
    out = "".join(json.dumps(line) + "\n" for line in reader.lines)
    return 1 if reader.complaints else 0, out.encode("ascii")


def serve(errors):
    """The pipe transport."""
    while True:
        head = sys.stdin.buffer.read(4)
        if len(head) < 4:
            return
        code, out = answer(sys.stdin.buffer.read(struct.unpack("<I", head)[0]), errors)
        sys.stdout.buffer.write(struct.pack("<II", code, len(out)) + out)
        sys.stdout.buffer.flush()


def main(words):
    errors = [word[len("--error="):] for word in words if word.startswith("--error=")]
    if "--help" in words:
        print(__doc__)
        return 0
    if not words or not set(errors) <= set(ERRORS):
        print(__doc__, file=sys.stderr)
        return 2
    if "--pipe" in words:
        serve(errors)
        return 0
    with open(words[-1], "rb") as f:
        code, out = answer(f.read(), errors)
    sys.stdout.buffer.write(out)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
