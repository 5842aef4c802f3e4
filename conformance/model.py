#!/usr/bin/env python3
"""A second opinion on the format: reader, checker and encoder written from spec/format.md and
spec/layout.tbl alone. It shares no code with src/, is slow, and keeps everything in memory, so that
it follows the text where the library has to be thrifty.

  read(data)              the framing loop of section 4.4
  look(data)              all that the model says of a trace: see Seen
  examine(data)           canonical JSON Lines, findings for both editions, canonical form
  events(data)            what a reader delivers, refs and times resolved: schema/events.md
  encode(kind, values, args)   the canonical bytes of one record

usage: model.py FILE.fxt    prints the JSON Lines, and the findings of edition current on stderr
"""
import json
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
MAGIC = 0x0016547846040010
SWAPPED = 0x1000044678541600
U64 = (1 << 64) - 1
INLINE = 0x8000
NUMERIC = (1, 2, 3, 4, 5)

EVENTS = ["instant", "counter", "duration_begin", "duration_end", "duration_complete",
          "async_begin", "async_instant", "async_end", "flow_begin", "flow_step", "flow_end"]
ARGS = ["null", "int32", "uint32", "int64", "uint64", "double", "string", "pointer", "koid",
        "bool", "blob"]
SCOPES = ["thread", "process", "global"]
STATES = ["new", "running", "suspended", "blocked", "dying", "dead"]
BLOBS = [None, "data", "last_branch", "perfetto"]
OBJECTS = [None, "process", "thread"]
PROVIDER_EVENTS = ["buffer_full"]

# Record: its fields in the order of the JSON form, each with its shape. A list is a list of names.
KINDS = {
    "magic": [],
    "provider_info": [("provider_id", "number"), ("name", "text")],
    "provider_section": [("provider_id", "number")],
    "provider_event": [("provider_id", "number"), ("event_id", PROVIDER_EVENTS)],
    "trace_info": [("trace_info_type", "number"), ("data", "wide")],
    "initialization": [("ticks_per_second", "wide")],
    "string": [("index", "number"), ("value", "text")],
    "thread": [("index", "number"), ("process", "wide"), ("thread", "wide")],
    "event": [("event_type", EVENTS), ("timestamp", "wide"), ("thread", "thread"),
              ("category", "string"), ("name", "string"), ("scope", "scope"), ("id", "wide"),
              ("end", "wide")],
    "blob": [("blob_type", BLOBS), ("name", "string"), ("payload", "bytes")],
    "userspace_object": [("pointer", "wide"), ("process", "process"), ("name", "string")],
    "kernel_object": [("object_type", OBJECTS), ("koid", "wide"), ("name", "string")],
    "legacy_switch": [("timestamp", "wide"), ("cpu", "number"), ("outgoing_state", STATES),
                      ("outgoing_thread", "thread"), ("incoming_thread", "thread"),
                      ("outgoing_priority", "number"), ("incoming_priority", "number")],
    "context_switch": [("timestamp", "wide"), ("cpu", "number"), ("outgoing_state", STATES),
                       ("outgoing_thread", "wide"), ("incoming_thread", "wide")],
    "thread_wakeup": [("timestamp", "wide"), ("cpu", "number"), ("waking_thread", "wide")],
    "log": [("timestamp", "wide"), ("thread", "thread"), ("message", "text")],
    "module": [("timestamp", "wide"), ("thread", "thread"), ("module_id", "number"),
               ("name", "text"), ("build_id", "bytes")],
    "mmap": [("timestamp", "wide"), ("thread", "thread"), ("module_id", "number"),
             ("flags", "number"), ("start_address", "wide"), ("address_range", "wide"),
             ("vaddr", "wide")],
    "backtrace": [("timestamp", "wide"), ("thread", "thread"), ("frames", "frames")],
    "large_blob": [("blob_format", "number"), ("category", "string"), ("name", "string"),
                   ("timestamp", "wide"), ("thread", "thread"), ("payload", "bytes")],
}
WITH_ARGS = {"event", "userspace_object", "kernel_object", "context_switch", "thread_wakeup",
             "large_blob"}
HAS_ID = {1, 5, 6, 7, 8, 9, 10}
COMPLETE = 4


class Invalid(Exception):
    """A value that no record can hold."""


class Malformed(Exception):
    def __init__(self, rule, word):
        super().__init__(rule)
        self.rule = rule
        self.word = word  # of the record, from 0


class String:
    """A string ref. `data` are its bytes when it is inline."""
    def __init__(self, ref, data=b""):
        self.ref = ref
        self.data = data


class Thread:
    def __init__(self, ref, process=0, thread=0):
        self.ref = ref
        self.process = process
        self.thread = thread


class Arg:
    def __init__(self, type, name, value=None, header=0, at=0, tail=()):
        self.type = type
        self.name = name
        self.value = value  # number, String or bytes; of an unknown type bits 32 .. 63
        self.header = header
        self.at = at  # word of the record
        self.tail = list(tail)


class Record:
    def __init__(self, offset, words, raw):
        self.offset = offset
        self.words = words
        self.raw = raw
        self.type = words[0] & 15
        self.kind = None  # None: unknown
        self.values = {}
        self.args = []
        self.tail = []
        self.tail_at = 0
        self.malformed = None
        self.begun = []  # (word of the record, header) of each argument, the malformed one too
        self.notes = []  # what the checker has to look at: see Cursor


# ---- layout.tbl

def load_layout(path):
    words = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            cells = line.split("#")[0].split()
            if not cells:
                continue
            word, lo, width, field, values = cells[0], int(cells[1]), int(cells[2]), *cells[3:5]
            if values.startswith("="):
                low = high = int(values[1:])
            else:
                low, high = map(int, values.split(".."))
            words.setdefault(word, {})[field] = (lo, width, low, high, values.startswith("="))
    return words


def spec(name):
    """A file of spec/: next to this folder in the repository, inside of it in the archive."""
    inside = os.path.join(HERE, "spec", name)
    return inside if os.path.exists(inside) else os.path.join(HERE, "..", "spec", name)


LAYOUT = load_layout(spec("layout.tbl"))


def unpack(word, number):
    return {field: number >> lo & (1 << width) - 1
            for field, (lo, width, _, _, _) in LAYOUT[word].items()}


def reserved(word):
    mask = U64
    for lo, width, _, _, _ in LAYOUT[word].values():
        mask &= ~((1 << width) - 1 << lo)
    return mask


def pack(word, **given):
    number = 0
    for field, (lo, _, low, high, constant) in LAYOUT[word].items():
        value = given.pop(field, low if constant else 0)
        if not low <= value <= high:
            raise Invalid("%s.%s=%d" % (word, field, value))
        number |= value << lo
    assert not given, given
    return number


# ---- section 4.4

def read(data):
    """Yields Record, or (offset, rule, goes_on) for what is refused before it is a record."""
    at, n = 0, len(data)
    if n >= 8 and struct.unpack_from("<Q", data)[0] == SWAPPED:
        yield 0, "REC-10", False
        return
    while at < n:
        if n - at < 8:
            yield at, "REC-01", False
            return
        w, = struct.unpack_from("<Q", data, at)
        if w == 0:
            yield at, "REC-09", True
            at += 8
            continue
        size = w >> 4 & (0xffffffff if w & 15 == 15 else 0xfff)
        if size == 0:
            yield at, "REC-02", False
            return
        if size > (n - at) // 8:
            yield at, "REC-03", False
            return
        raw = data[at:at + 8 * size]
        record = Record(at, struct.unpack("<%dQ" % size, raw), raw)
        try:
            decode(record)
        except Malformed as error:
            record.malformed = error
        yield record
        at += 8 * size


class Cursor:
    """Takes a record, or an argument of it, apart. Notes for the checker, words from the record's
    start:  ("ref", String, word)   ("thread", ref, word)   ("stream", word, bytes, padding, rules)
    """
    def __init__(self, record, at, end):
        self.record = record
        self.at = at
        self.end = end

    def word(self, rule):
        if self.at >= self.end:
            raise Malformed(rule, self.at)
        self.at += 1
        return self.record.words[self.at - 1]

    def stream(self, length, rule, rules=()):
        count = (length + 7) // 8
        if count > self.end - self.at:
            raise Malformed(rule, self.at)
        raw = self.record.raw[8 * self.at:8 * (self.at + count)]
        if count:
            self.record.notes.append(("stream", self.at, raw[:length], raw[length:], rules))
        self.at += count
        return raw[:length]

    def string(self, ref, holder, rules=("STR-04", "STR-05")):
        data = b""
        if ref >= INLINE:
            data = self.stream(ref - INLINE, "STR-03", rules)
        string = String(ref, data)
        self.record.notes.append(("ref", string, holder))
        return string

    def thread(self, ref, holder, rule="THR-03"):
        self.record.notes.append(("thread", ref, holder))
        if ref != 0:
            return Thread(ref)
        if self.end - self.at < 2:
            raise Malformed(rule, self.at)
        return Thread(0, self.word(rule), self.word(rule))

    def args(self, count):
        return [self.arg() for _ in range(count)]

    def arg(self):
        start = self.at
        header = self.word("ARG-01")
        h = unpack("arg.header", header)
        self.record.begun.append((start, header))
        if h["size"] == 0:
            raise Malformed("ARG-02", start)
        if h["size"] > self.end - start:
            raise Malformed("ARG-03", start)
        inner = Cursor(self.record, start + 1, start + h["size"])
        arg = Arg(h["type"], inner.string(h["name"], start), h["data"], header, start)
        if arg.type in (3, 4, 5, 7, 8):
            arg.value = inner.word("ARG-05")
        elif arg.type == 6:
            arg.value = inner.string(unpack("arg_string.header", header)["value"], start)
        elif arg.type == 9:
            arg.value = unpack("arg_bool.header", header)["value"]
        elif arg.type == 10:
            arg.value = inner.stream(h["data"], "ARG-08")
        arg.tail = list(self.record.words[inner.at:inner.end])
        arg.tail_at = inner.at
        self.at = inner.end
        return arg


def kind_of(record):
    word = record.words[0]
    if word == MAGIC:
        return "magic"
    if record.type == 0:
        return {1: "provider_info", 2: "provider_section", 3: "provider_event",
                4: "trace_info"}.get(word >> 16 & 15)
    if record.type == 8:
        return {0: "legacy_switch", 1: "context_switch", 2: "thread_wakeup"}.get(word >> 60)
    if record.type == 10:
        return {0: "module", 1: "mmap", 2: "backtrace"}.get(word >> 16 & 15)
    if record.type == 15:
        return "large_blob" if word >> 36 & 15 == 0 and word >> 40 & 15 <= 1 else None
    return {1: "initialization", 2: "string", 3: "thread", 4: "event", 5: "blob",
            6: "userspace_object", 7: "kernel_object", 9: "log"}.get(record.type)


def decode(record):
    record.kind = kind_of(record)
    if record.kind is None:
        return
    c = Cursor(record, 1, len(record.words))
    h = unpack(record.kind + ".header", record.words[0])
    v = record.values
    globals()["decode_" + record.kind](record, c, h, v)
    record.tail = list(record.words[c.at:])
    record.tail_at = c.at


def decode_magic(record, c, h, v):
    pass


def decode_provider_info(record, c, h, v):
    v["provider_id"] = h["provider_id"]
    v["name"] = c.stream(h["name_length"], "MET-02", ("STR-05",))


def decode_provider_section(record, c, h, v):
    v["provider_id"] = h["provider_id"]


def decode_provider_event(record, c, h, v):
    v["provider_id"] = h["provider_id"]
    v["event_id"] = h["event_id"]


def decode_trace_info(record, c, h, v):
    v["trace_info_type"] = h["trace_info_type"]
    v["data"] = record.words[0] >> 24


def decode_initialization(record, c, h, v):
    v["ticks_per_second"] = c.word("INI-01")


def decode_string(record, c, h, v):
    v["index"] = h["index"]
    v["value"] = c.stream(h["length"], "STT-01", ("STR-04", "STR-05"))


def decode_thread(record, c, h, v):
    v["index"] = h["index"]
    v["process"] = c.word("THT-01")
    v["thread"] = c.word("THT-01")


def decode_event(record, c, h, v):
    v["event_type"] = h["event_type"]
    v["timestamp"] = c.word("EVT-01")
    v["thread"] = c.thread(h["thread"], 0)
    v["category"] = c.string(h["category"], 0)
    v["name"] = c.string(h["name"], 0)
    record.args = c.args(h["arg_count"])
    record.behind_args = c.at
    if h["event_type"] == 0:
        v["scope"] = c.word("") if c.at < c.end else None
    elif h["event_type"] == COMPLETE:
        v["end"] = c.word("EVT-03")
    elif h["event_type"] in HAS_ID:
        v["id"] = c.word("EVT-03")


def decode_blob(record, c, h, v):
    v["blob_type"] = h["blob_type"]
    v["name"] = c.string(h["name"], 0)
    v["payload"] = c.stream(h["payload_size"], "BLB-01")


def decode_userspace_object(record, c, h, v):
    v["pointer"] = c.word("UOB-01")
    v["process"] = Thread(h["process"])
    record.notes.append(("thread", h["process"], 0))
    if h["process"] == 0:
        v["process"].process = c.word("UOB-01")
    v["name"] = c.string(h["name"], 0)
    record.args = c.args(h["arg_count"])


def decode_kernel_object(record, c, h, v):
    v["object_type"] = h["object_type"]
    v["koid"] = c.word("KOB-01")
    v["name"] = c.string(h["name"], 0, ("STR-04", "KOB-02"))
    record.args = c.args(h["arg_count"])


def decode_legacy_switch(record, c, h, v):
    for field in ("cpu", "outgoing_state", "outgoing_priority", "incoming_priority"):
        v[field] = h[field]
    v["timestamp"] = c.word("SCH-01")
    v["outgoing_thread"] = c.thread(h["outgoing_thread"], 0, "SCH-01")
    v["incoming_thread"] = c.thread(h["incoming_thread"], 0, "SCH-01")


def decode_context_switch(record, c, h, v):
    v["cpu"] = h["cpu"]
    v["outgoing_state"] = h["outgoing_state"]
    v["timestamp"] = c.word("SCH-04")
    v["outgoing_thread"] = c.word("SCH-04")
    v["incoming_thread"] = c.word("SCH-04")
    record.args = c.args(h["arg_count"])


def decode_thread_wakeup(record, c, h, v):
    v["cpu"] = h["cpu"]
    v["timestamp"] = c.word("SCH-05")
    v["waking_thread"] = c.word("SCH-05")
    record.args = c.args(h["arg_count"])


def decode_log(record, c, h, v):
    v["timestamp"] = c.word("LOG-01")
    v["thread"] = c.thread(h["thread"], 0)
    v["message"] = c.stream(h["length"], "LOG-01", ("STR-05",))


def decode_module(record, c, h, v):
    v["module_id"] = h["module_id"]
    v["timestamp"] = c.word("PRF-02")
    v["thread"] = c.thread(h["thread"], 0)
    v["name"] = c.stream(h["name_length"], "PRF-02", ("STR-05",))
    v["build_id"] = c.stream(h["build_id_length"], "PRF-02")


def decode_mmap(record, c, h, v):
    v["module_id"] = h["module_id"]
    v["flags"] = h["flags"]
    v["timestamp"] = c.word("PRF-03")
    v["thread"] = c.thread(h["thread"], 0)
    for field in ("start_address", "address_range", "vaddr"):
        v[field] = c.word("PRF-03")


def decode_backtrace(record, c, h, v):
    v["timestamp"] = c.word("PRF-04")
    v["thread"] = c.thread(h["thread"], 0)
    raw = c.stream(8 * h["frame_count"], "PRF-04")
    v["frames"] = list(struct.unpack("<%dQ" % h["frame_count"], raw))


def decode_large_blob(record, c, h, v):
    v["blob_format"] = h["blob_format"]
    m = unpack("large_blob.metadata", c.word("LRG-03"))
    v["category"] = c.string(m["category"], 1)
    v["name"] = c.string(m["name"], 1)
    if v["blob_format"] == 0:
        v["timestamp"] = c.word("LRG-03")
        v["thread"] = c.thread(m["thread"], 1)
        record.args = c.args(m["arg_count"])
    v["payload"] = c.stream(c.word("LRG-03"), "LRG-04")


# ---- encoding, section 11

def padded(data):
    return data + bytes(-len(data) % 8)


def words(*numbers):
    return struct.pack("<%dQ" % len(numbers), *numbers)


def put_string(string):
    return padded(string.data)


def ref_of(string):
    return 0 if string.ref == INLINE else string.ref


def put_thread(thread):
    return words(thread.process, thread.thread) if thread.ref == 0 else b""


def put_arg(arg):
    body = put_string(arg.name)
    common = {"type": arg.type, "name": ref_of(arg.name)}
    word = "arg_plain.header"
    if arg.type in (1, 2):
        word = "arg.header"
        common["data"] = arg.value
    elif arg.type in (3, 4, 5, 7, 8):
        body += words(arg.value)
    elif arg.type == 6:
        word = "arg_string.header"
        common["value"] = ref_of(arg.value)
        body += put_string(arg.value)
    elif arg.type == 9:
        word = "arg_bool.header"
        common["value"] = arg.value
    elif arg.type == 10:
        word = "arg_blob.header"
        common["payload_size"] = len(arg.value)
        body += padded(arg.value)
    elif arg.type != 0:
        raise Invalid("argument type %d" % arg.type)
    return words(pack(word, size=1 + len(body) // 8, **common)) + body


def encode(kind, values, args=()):
    """The bytes of the record, or Invalid. `values` as decode makes them."""
    v = dict(values)
    h = {}
    body = b""
    tail = b""
    stream = b"".join(map(put_arg, args))
    if kind == "magic":
        return words(MAGIC)
    if kind not in KINDS or kind == "trace_info":
        raise Invalid(kind)
    layout = LAYOUT[kind + ".header"]
    for field in list(v):
        if field in layout and not isinstance(v[field], (String, Thread, bytes)):
            h[field] = v[field]
    if "arg_count" in layout:
        h["arg_count"] = len(args)
    if kind == "large_blob":
        m = {"category": ref_of(v["category"]), "name": ref_of(v["name"])}
        body = put_string(v["category"]) + put_string(v["name"])
        if v["blob_format"] == 0:
            m.update(thread=v["thread"].ref, arg_count=len(args))
            body += words(v["timestamp"]) + put_thread(v["thread"]) + stream
            body = words(pack("large_blob.metadata", **m)) + body
        else:
            body = words(pack("large_blob.no_metadata", **m)) + body
        body += words(len(v["payload"])) + padded(v["payload"])
        return words(pack("large_blob.header", size=1 + len(body) // 8, **h)) + body
    if kind == "initialization" and v["ticks_per_second"] == 0:
        raise Invalid("no ticks per second")
    for field in ("category", "name"):
        if isinstance(v.get(field), String):
            h[field] = ref_of(v[field])
            tail += put_string(v[field])
    if kind in ("provider_info", "module"):
        h["name_length"] = len(v["name"])
        tail += padded(v["name"])
    if kind == "module":
        h["build_id_length"] = len(v["build_id"])
        tail += padded(v["build_id"])
    if kind == "string":
        h["length"] = len(v["value"])
        tail = padded(v["value"])
    if kind == "log":
        h["length"] = len(v["message"])
        tail = padded(v["message"])
    if kind == "blob":
        h["payload_size"] = len(v["payload"])
        tail += padded(v["payload"])
    if kind == "backtrace":
        h["frame_count"] = len(v["frames"])
        tail = words(*v["frames"])
    if kind == "thread":
        tail = words(v["process"], v["thread"])
    if kind == "userspace_object":
        body = words(v["pointer"])
        h["process"] = v["process"].ref
        if v["process"].ref == 0:
            body += words(v["process"].process)
    if kind == "kernel_object":
        body = words(v["koid"])
    for field in ("ticks_per_second", "timestamp"):
        if field in v:
            body += words(v[field])
    for field in ("thread", "outgoing_thread", "incoming_thread"):
        if isinstance(v.get(field), Thread):
            h[field] = v[field].ref
            body += put_thread(v[field])
    for field in ("outgoing_thread", "incoming_thread", "waking_thread", "start_address",
                  "address_range", "vaddr"):
        if isinstance(v.get(field), int):
            body += words(v[field])
    body += tail + stream
    if kind == "event":
        event = v["event_type"]
        if event == 0 and v.get("scope") is not None:
            if v["scope"] > 2:
                raise Invalid("scope")
            body += words(v["scope"])
        elif event == COMPLETE:
            body += words(v["end"])
        elif event in HAS_ID:
            body += words(v["id"])
    return words(pack(kind + ".header", size=1 + len(body) // 8, **h)) + body


def canonical(record):
    if record.kind is None or record.malformed:
        return False
    try:
        return encode(record.kind, record.values, record.args) == record.raw
    except Invalid:
        return False


# ---- section 6

class Provider:
    def __init__(self):
        self.introduced = False
        self.ticks = None
        self.timed = False  # a record with a timestamp was seen
        self.strings = {}
        self.threads = {}


class Tables:
    def __init__(self):
        self.reset()

    def reset(self):
        self.providers = {0: Provider()}
        self.provider = self.providers[0]
        self.current = 0

    def select(self, id):
        self.provider = self.providers.setdefault(id, Provider())
        self.current = id

    def apply(self, record):
        v = record.values
        if record.malformed or record.kind is None:
            return
        if record.kind == "provider_info":
            self.select(v["provider_id"])
            self.provider.introduced = True
        elif record.kind == "provider_section":
            self.select(v["provider_id"])
        elif record.kind == "initialization" and v["ticks_per_second"] != 0:
            self.provider.ticks = v["ticks_per_second"]
        elif record.kind == "string" and v["index"] != 0:
            self.provider.strings[v["index"]] = v["value"]
        elif record.kind == "thread" and v["index"] != 0:
            self.provider.threads[v["index"]] = (v["process"], v["thread"])

    def string(self, string):
        """Its bytes, or None."""
        if string.ref == 0:
            return b""
        return string.data if string.ref >= INLINE else self.provider.strings.get(string.ref)

    def thread(self, thread):
        """(process koid, thread koid), or None."""
        if thread.ref == 0:
            return thread.process, thread.thread
        return self.provider.threads.get(thread.ref)


# ---- canonical JSON Lines

def json_text(data):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return {"hex": data.hex()}


def json_string(string, tables):
    data = tables.string(string)
    return {"ref": string.ref, "value": None if data is None else json_text(data)}


def json_thread(thread, tables, shape):
    koids = tables.thread(thread)
    out = {"ref": thread.ref, "process": None if koids is None else str(koids[0])}
    if shape == "thread":
        out["thread"] = None if koids is None else str(koids[1])
    return out


def json_words(numbers):
    return ["0x%016x" % number for number in numbers]


def json_named(names, number):
    name = names[number] if number < len(names) else None
    return number if name is None else name


def signed(number, bits):
    return number - (1 << bits) if number >> bits - 1 else number


def json_arg(arg, tables):
    out = {"name": json_string(arg.name, tables), "type": json_named(ARGS, arg.type)}
    if arg.type == 0:
        out["value"] = None
    elif arg.type == 1:
        out["value"] = signed(arg.value, 32)
    elif arg.type == 2:
        out["value"] = arg.value
    elif arg.type == 3:
        out["value"] = str(signed(arg.value, 64))
    elif arg.type in (4, 7, 8):
        out["value"] = str(arg.value)
    elif arg.type == 5:
        out["value"] = "0x%016x" % arg.value
    elif arg.type == 6:
        out["value"] = json_string(arg.value, tables)
    elif arg.type == 9:
        out["value"] = arg.value == 1
    elif arg.type == 10:
        out["value"] = arg.value.hex()
    else:
        out["data"] = arg.value
    if arg.tail:
        out["tail"] = json_words(arg.tail)
    return out


def json_value(record, tables, shape, value):
    if isinstance(shape, list):
        return json_named(shape, value)
    if shape == "wide":
        return str(value)
    if shape == "text":
        return json_text(value)
    if shape == "bytes":
        return value.hex()
    if shape == "string":
        return json_string(value, tables)
    if shape in ("thread", "process"):
        return json_thread(value, tables, shape)
    if shape == "frames":
        return [str(frame) for frame in value]
    if shape == "scope":
        return None if value is None else SCOPES[value if value <= 2 else 0]
    return value


def json_record(record, tables):
    out = {"offset": str(record.offset), "record": record.kind or "unknown",
           "size": len(record.words)}
    if record.malformed:
        out["record"] = "malformed"
        out["rule"] = record.malformed.rule
        out["at"] = str(record.offset + 8 * record.malformed.word)
        return out
    if record.kind is None:
        out["type"] = record.type
        out["words"] = json_words(record.words)
        return out
    for field, shape in KINDS[record.kind]:
        if field in record.values:
            out[field] = json_value(record, tables, shape, record.values[field])
    if record.kind in WITH_ARGS and record.values.get("blob_format", 0) == 0:
        out["args"] = [json_arg(arg, tables) for arg in record.args]
    if record.tail:
        out["tail"] = json_words(record.tail)
    return out


def json_refused(offset, rule):
    if rule == "REC-09":
        return {"offset": str(offset), "record": "zero_word"}
    name = {"REC-10": "byte_order", "REC-02": "zero_size"}.get(rule, "truncated")
    return {"offset": str(offset), "error": name, "rule": rule}


# ---- level events: schema/events.md

def nanoseconds(ticks, tables):
    return min(U64, ticks * 10**9 // (tables.provider.ticks or 10**9))


def event_text(string, tables):
    data = tables.string(string)
    return None if data is None else json_text(data)


def event_double(bits):
    number, = struct.unpack("<d", struct.pack("<Q", bits))
    if number != number:
        return "NaN"
    if number in (float("inf"), float("-inf")):
        return "Infinity" if number > 0 else "-Infinity"
    return number


def event_arg(arg, tables):
    if arg.type == 0:
        return None
    if arg.type in (1, 3):
        return signed(arg.value, 32 if arg.type == 1 else 64)
    if arg.type == 5:
        return event_double(arg.value)
    if arg.type == 6:
        return event_text(arg.value, tables)
    if arg.type == 9:
        return arg.value == 1
    return arg.value.hex() if arg.type == 10 else arg.value


def event_args(args, tables):
    """By name; of two arguments of one name the last."""
    out = {}
    for arg in args:
        name = tables.string(arg.name)
        if name is not None and arg.type <= 10:
            out[name.decode("utf-8", "replace")] = event_arg(arg, tables)
    return out


def event_fields(record, tables):
    """The fields of the record but thread and times, each resolved."""
    out = {}
    for field, shape in KINDS[record.kind]:
        if field not in record.values or field in ("thread", "timestamp", "event_type", "end"):
            continue
        value = record.values[field]
        if shape == "string":
            out[field] = event_text(value, tables)
        elif shape == "thread":
            out[field] = (tables.thread(value) or (None, None))[1]
        elif shape == "process":
            out[field] = (tables.thread(value) or (None, None))[0]
        elif shape == "scope":
            out[field] = SCOPES[value if value in (1, 2) else 0]
        elif shape in ("wide", "frames"):
            out[field] = value
        else:
            out[field] = json_value(record, tables, shape, value)
    return out


def level_events(record, tables):
    """One object, or none of tables, metadata and what is unknown or malformed."""
    v = record.values
    if record.malformed or kinds_of(record) <= TABLES:
        return []
    name = {"legacy_switch": "context_switch"}.get(record.kind, record.kind)
    out = {"event": EVENTS[v["event_type"]] if record.kind == "event" else name,
           "provider": tables.current}
    if isinstance(v.get("thread"), Thread):
        out["process"], out["thread"] = tables.thread(v["thread"]) or (None, None)
    for field, ts, ns in (("timestamp", "ts", "ns"), ("end", "end", "end_ns")):
        if field in v:
            out[ts] = v[field]
            out[ns] = nanoseconds(v[field], tables)
    fields = event_fields(record, tables)
    if record.kind == "legacy_switch":
        del fields["outgoing_priority"], fields["incoming_priority"]
    out.update(fields)
    if record.kind in WITH_ARGS and v.get("blob_format", 0) == 0:
        out["args"] = event_args(record.args, tables)
    return [out]


TABLES = {"magic", "provider_info", "provider_section", "provider_event", "trace_info",
          "initialization", "string", "thread"}


def kinds_of(record):
    """What a reader has to understand of this record. Nothing of what it has to skip."""
    return set() if record.malformed else kinds_said(record)


def kinds_said(record):
    """The kinds of a record and its arguments that are defined, as far as it was decoded."""
    kind = record.kind
    if kind == "event":
        type = unpack("event.header", record.words[0])["event_type"]
        kind = EVENTS[type] if type < len(EVENTS) else None
    args = {unpack("arg.header", header)["type"] for _, header in record.begun}
    return {kind} | {"arg." + ARGS[type] for type in args if type < len(ARGS)} if kind else set()


def says_nothing(record, tables):
    """Selects the provider that is selected, or states the rate that holds: a reader that skips the
    record delivers the same events."""
    v = record.values
    if record.malformed:
        return False
    if record.kind == "initialization":
        return v["ticks_per_second"] == (tables.provider.ticks or 10**9)
    return (record.kind in ("provider_info", "provider_section")
            and v["provider_id"] == tables.current)


# ---- findings. Where each one points is said in README.md.

def utf8(data):
    return isinstance(json_text(data), str)


class Checker:
    def __init__(self, edition):
        self.edition = edition
        self.tables = Tables()
        self.findings = []
        self.first = True
        self.zero_end = None
        self.forget()

    def forget(self):
        self.durations = {}  # provider, process, thread -> offsets of open begins
        self.last = {}       # provider, process, thread -> timestamp
        self.pairs = {}      # rule, process, id -> (ns, rank, offset)
        self.completes = {}  # provider, process, thread -> (begin, end)
        self.flows = {}      # provider, process, thread -> (timestamp, offset) of those outside
        self.processors = {}  # provider, number -> (timestamp, koid or None)

    def report(self, rule, offset):
        self.findings.append((offset, rule))

    def refused(self, offset, rule):
        if rule != "REC-09" or self.zero_end != offset:
            self.report(rule, offset)
        self.zero_end = offset + 8

    def end(self):
        for begins in self.durations.values():
            if begins:
                self.report("EVT-04", begins[0])
        for (rule, _, _), events in self.pairs.items():
            if not paired(events):
                self.report(rule, min(offset for _, _, offset in events))
            elif rule == "EVT-07" and begun_twice(events):
                self.report("EVT-13", min(begun_twice(events)))
        for thread, flows in self.flows.items():
            outside = [offset for timestamp, offset in flows
                       if not any(begin <= timestamp <= end
                                  for begin, end in self.completes.get(thread, []))]
            if outside:
                self.report("EVT-11", outside[0])
        self.forget()

    def record(self, record):
        def at(word):
            return record.offset + 8 * word

        bad_magic = (record.kind == "trace_info" and record.words[0] >> 20 & 15 == 0)
        if self.first and record.kind != "magic" and not bad_magic:
            self.report("MET-07", at(0))
        if not self.first and record.kind == "magic" and record.offset > 0:
            self.end()
            self.tables.reset()
        self.first = False
        self.of_types(record, at)
        if record.malformed:
            self.report(record.malformed.rule, at(record.malformed.word))
            return
        if record.kind is not None:
            self.of_form(record, at)
            self.of_notes(record, at)
            self.of_args(record, at)
            self.of_meaning(record, at)
            if "timestamp" in record.values:
                self.tables.provider.timed = True
        self.tables.apply(record)

    def of_types(self, record, at):
        later = record.type in (10, 15) or (record.type == 8 and record.words[0] >> 60 in (1, 2))
        if self.edition == "2020" and later:
            self.report("EDN-01", at(0))
        if record.kind is None:
            rule = {0: "MET-01", 8: "SCH-02", 10: "PRF-01", 15: "LRG-01"}.get(record.type, "REC-06")
            if record.type == 15 and record.words[0] >> 36 & 15 == 0:
                rule = "LRG-02"
            self.report(rule, at(0))

    def of_form(self, record, at):
        if record.kind == "trace_info":  # no rule but one looks at it
            self.report("MET-05" if record.values["trace_info_type"] else "MET-06", at(0))
            return
        if record.words[0] & reserved(record.kind + ".header"):
            self.report("REC-04", at(0))
        if record.kind == "large_blob":
            name = ("large_blob.metadata", "large_blob.no_metadata")[record.values["blob_format"]]
            if record.words[1] & reserved(name):
                self.report("REC-04", at(1))
        scope = record.values.get("scope")
        if scope is not None and scope > 2 and self.edition == "2020":
            self.report("REC-08", at(record.behind_args))
        elif record.tail and record.values.get("event_type", 0) <= 10:
            self.report("REC-08", at(record.tail_at))

    def of_notes(self, record, at):
        for note in record.notes:
            if note[0] == "ref":
                _, string, word = note
                if string.ref == INLINE:
                    self.report("STR-06", at(word))
                elif self.tables.string(string) is None:
                    self.report("STR-02", at(word))
            elif note[0] == "thread":
                _, ref, word = note
                if self.tables.thread(Thread(ref)) is None:
                    self.report("THR-02", at(word))
            else:
                _, word, data, padding, rules = note
                if "STR-04" in rules and len(data) > 32000:
                    self.report("STR-04", at(word))
                text = "STR-05" in rules or ("KOB-02" in rules and self.edition == "2020")
                if text and not utf8(data):
                    self.report("STR-05", at(word))
                if any(padding):
                    self.report("REC-05", at(word + len(data) // 8))

    def of_args(self, record, at):
        names = []
        for arg in record.args:
            name = self.tables.string(arg.name)
            if name == b"":
                self.report("ARG-07", at(arg.at))
            if name is not None and name in names:
                self.report("ARG-06", at(arg.at))
            names.append(name)
            if arg.type > 10:
                self.report("ARG-04", at(arg.at))
                continue
            if arg.type in (9, 10) and self.edition == "2020":
                self.report("EDN-01", at(arg.at))
            word = {1: "arg", 2: "arg", 6: "arg_string", 9: "arg_bool", 10: "arg_blob"}
            if arg.header & reserved(word.get(arg.type, "arg_plain") + ".header"):
                self.report("REC-04", at(arg.at))
            if arg.tail:
                self.report("REC-08", at(arg.tail_at))

    def of_meaning(self, record, at):
        v = record.values
        kind = record.kind
        if kind in ("provider_section", "provider_event"):
            known = self.tables.providers.get(v["provider_id"])
            if known is None or not known.introduced:
                self.report("MET-03", at(0))
        if kind == "provider_event" and v["event_id"] != 0:
            self.report("MET-04", at(0))
        if kind == "initialization":
            before = self.tables.provider.ticks
            if before is None and self.tables.provider.timed:
                before = 10**9
            if v["ticks_per_second"] == 0:
                self.report("INI-02", at(1))
            elif before is not None and before != v["ticks_per_second"]:
                self.report("INI-03", at(1))
        if kind == "string" and v["index"] == 0:
            self.report("STT-02", at(0))
        if kind == "string" and v["value"] == b"":
            self.report("STT-04", at(0))
        if kind == "thread" and v["index"] == 0:
            self.report("THT-02", at(0))
        if kind == "blob" and v["blob_type"] not in (1, 2, 3):
            self.report("BLB-02", at(0))
        if kind == "blob" and v["blob_type"] == 3 and self.edition == "2020":
            self.report("EDN-01", at(0))
        if v.get("outgoing_state", 0) == 1 or v.get("outgoing_state", 0) > 5:
            self.report("SCH-03", at(0))
        if kind in ("legacy_switch", "context_switch"):
            self.of_switch(v, at)
        if kind == "event":
            self.of_event(record, at)

    def of_switch(self, v, at):
        outgoing, incoming = v["outgoing_thread"], v["incoming_thread"]
        if isinstance(outgoing, Thread):
            outgoing = (self.tables.thread(outgoing) or (None, None))[1]
            incoming = (self.tables.thread(incoming) or (None, None))[1]
        if outgoing is not None and outgoing == incoming != 0:
            self.report("SCH-08", at(0))
        processor = self.tables.current, v["cpu"]
        last, running = self.processors.get(processor, (0, None))
        if v["timestamp"] < last:
            self.report("SCH-06", at(1))
            incoming = None
        elif running is not None and outgoing is not None and running != outgoing:
            self.report("SCH-07", at(0))
        self.processors[processor] = v["timestamp"], incoming

    def of_event(self, record, at):
        v = record.values
        event = v["event_type"]
        if event > 10:
            self.report("EVT-02", at(0))
        if event == 0 and v["scope"] is not None and v["scope"] > 2 and self.edition == "current":
            self.report("EVT-10", at(record.behind_args))
        if event == 1:
            if not record.args:
                self.report("EVT-09", at(0))
            for arg in record.args:
                if arg.type not in NUMERIC:
                    self.report("EVT-09", at(arg.at))
        if event == COMPLETE and v["end"] < v["timestamp"]:
            self.report("EVT-05", at(record.behind_args))
        koids = self.tables.thread(v["thread"])
        ns = min(U64, v["timestamp"] * 10**9 // (self.tables.provider.ticks or 10**9))
        if 8 <= event <= 10:
            self.pairs.setdefault(("EVT-07", 0, v["id"]), []).append((ns, event - 8, at(0)))
        if koids is None:
            return
        thread = (self.tables.current,) + koids
        if 5 <= event <= 7:
            key = "EVT-06", koids[0], v["id"]
            self.pairs.setdefault(key, []).append((ns, event - 5, at(0)))
        if event != COMPLETE and event <= 10:
            if v["timestamp"] < self.last.get(thread, 0):
                self.report("EVT-08", at(1))
            self.last[thread] = v["timestamp"]
        begins = self.durations.setdefault(thread, [])
        if event == COMPLETE and v["end"] >= v["timestamp"]:
            this = v["timestamp"], v["end"]
            completes = self.completes.setdefault(thread, [])
            if any(one[0] < two[0] < one[1] < two[1]
                   for other in completes for one, two in ((this, other), (other, this))):
                self.report("EVT-12", at(0))
            completes.append(this)
        if 8 <= event <= 10 and not begins:
            self.flows.setdefault(thread, []).append((v["timestamp"], at(0)))
        if event == 2:
            begins.append(at(0))
        elif event == 3 and begins:
            begins.pop()
        elif event == 3:
            self.report("EVT-04", at(0))
            self.flows[thread] = []


def paired(events):
    """As many begins (rank 0) as ends (rank 2), and nothing earlier or later than they are."""
    begins = [ns for ns, rank, _ in events if rank == 0]
    ends = [ns for ns, rank, _ in events if rank == 2]
    times = [ns for ns, _, _ in events]
    return (len(begins) == len(ends) > 0 and min(times) == min(begins)
            and max(times) == max(ends))


def begun_twice(events):
    """Of two begins without an end from the one to the other, the offset of the later record."""
    begins = sorted((ns, offset) for ns, rank, offset in events if rank == 0)
    ends = [ns for ns, rank, _ in events if rank == 2]
    return [max(one[1], two[1]) for one, two in zip(begins, begins[1:])
            if not any(one[0] <= end <= two[0] for end in ends)]


class Seen:
    """What the model says of a trace."""
    def __init__(self):
        self.records = []     # objects of schema/dump.md
        self.events = []      # objects of schema/events.md
        self.kinds = set()    # what a reader has to understand to deliver all of it
        self.refuses = set()  # the same to refuse what is malformed
        self.findings = {}    # edition: sorted (offset, rule)
        self.canonical = True


def look(data):
    seen = Seen()
    tables = Tables()
    checkers = {edition: Checker(edition) for edition in ("2020", "current")}
    for item in read(data):
        if isinstance(item, tuple):
            offset, rule, _ = item
            seen.canonical = False
            seen.records.append(json_refused(offset, rule))
            for checker in checkers.values():
                checker.refused(offset, rule)
            continue
        if item.kind == "magic":
            tables.reset()
        if not says_nothing(item, tables):
            seen.kinds |= kinds_of(item)
        if item.malformed:
            seen.refuses |= kinds_said(item)
        tables.apply(item)
        seen.records.append(json_record(item, tables))
        seen.events += level_events(item, tables)
        seen.canonical = canonical(item) and seen.canonical
        for checker in checkers.values():
            checker.record(item)
    for edition, checker in checkers.items():
        checker.end()
        seen.findings[edition] = sorted(checker.findings)
    return seen


def json_line(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def json_lines(values):
    """JSON Lines, as bytes."""
    return "".join(json_line(value) + "\n" for value in values).encode("utf-8")


def examine(data):
    """Returns (JSON Lines as bytes, {edition: sorted findings (offset, rule)}, canonical)."""
    seen = look(data)
    return json_lines(seen.records), seen.findings, seen.canonical


def events(data):
    """The events as objects, in the order of the file."""
    return look(data).events


def main():
    with open(sys.argv[1], "rb") as f:
        text, findings, _ = examine(f.read())
    sys.stdout.buffer.write(text)
    for offset, rule in findings["current"]:
        print("0x%x: %s" % (offset, rule), file=sys.stderr)
    return 1 if findings["current"] else 0


if __name__ == "__main__":
    sys.exit(main())
