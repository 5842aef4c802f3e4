"""A second opinion on the packets between provider, manager and client, written from
spec/system.md, sections 2, 3 and 5, and not from src/.

  read(channel, sender, data)   (fields or None, [(rule, offset)]) of one packet
  write(channel, fields)        the bytes of a packet with these fields

Nothing is reported behind a rule without which the others say nothing: a size, a version, an
ordinal.
"""
import struct

FIFO = {  # request: (name, sender)
    0x1: ("started", "provider"), 0x2: ("save_buffer", "provider"), 0x3: ("stopped", "provider"),
    0x4: ("alert", "provider"), 0x100: ("buffer_saved", "manager"),
    0x101: ("flush_buffer", "manager"),
}
HALF = ("save_buffer", "buffer_saved")


class Shape:
    """head: bytes in front of the names."""
    def __init__(self, name, sender, head, places=0, least=0, most=0, answered=True, numbers=()):
        self.name = name
        self.sender = sender
        self.size = head + 104 * places
        self.head = head
        self.places = places
        self.least = least  # names
        self.most = most
        self.answered = answered
        self.numbers = dict(numbers)  # of a client's: N -> (least, most)


U32, U64 = (1 << 32) - 1, (1 << 64) - 1
ANY = (0, U64)

PROVIDER = {
    0x101: Shape("register", "provider", 16, 1, 1, 1, False),
    0x102: Shape("register_synchronously", "provider", 16, 1, 1, 1),
    0x103: Shape("registered", "manager", 16),
    0x111: Shape("initialize", "manager", 16, 100, 0, 100, False),
    0x112: Shape("start", "manager", 16, 100, 0, 100, False),
    0x113: Shape("stop", "manager", 8, answered=False),
    0x114: Shape("terminate", "manager", 8, answered=False),
    0x115: Shape("get_known_categories", "manager", 8),
    0x116: Shape("known_categories", "provider", 16, 200, 0, 100),
}

CLIENT = {
    0x201: Shape("provider_spec", "client", 80, 101, 1, 101, False, {0: (0, 4096)}),
    0x202: Shape("initialize_tracing", "client", 80, 100, 0, 100, numbers={
        0: (1, 3), 1: (0, 4096), 2: (0, U32), 3: (0, 1), 4: (0, U32)}),
    0x203: Shape("start_tracing", "client", 80, 100, 0, 100, numbers={0: (1, 3)}),
    0x204: Shape("stop_tracing", "client", 80, numbers={0: (0, 1)}),
    0x205: Shape("terminate_tracing", "client", 80, numbers={0: (0, 1)}),
    0x206: Shape("get_providers", "client", 80),
    0x207: Shape("get_known_categories", "client", 80),
    0x208: Shape("watch_alert", "client", 80),
    0x209: Shape("flush_buffers", "client", 80),
    0x20A: Shape("get_status", "client", 80),
    0x241: Shape("done", "manager", 80, numbers={0: (0, 10), 1: ANY, 2: (0, 4095)}),
    0x242: Shape("provider", "manager", 80, 1, 1, 1, numbers={0: (0, U32), 1: ANY}),
    0x243: Shape("known_category", "manager", 80, 2, 2, 2),
    0x244: Shape("provider_statistics", "manager", 80, 1, 1, 1, numbers={
        0: ANY, 1: (1, 3), 2: (0, U32), 3: ANY, 4: (0, 100), 5: ANY, 6: ANY, 7: (0, 63)}),
    0x245: Shape("alert", "manager", 80, 1, 1, 1),
    0x246: Shape("state", "manager", 80, numbers={
        0: (0, 7), 1: (0, 3), 2: (0, U32), 3: ANY, 4: ANY, 5: ANY, 6: ANY, 7: (0, 4095)}),
}
CHANNELS = {"provider": PROVIDER, "client": CLIENT}
SENDERS = {"fifo": ("provider", "manager"), "provider": ("provider", "manager"),
           "client": ("client", "manager")}


def text(data):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return {"hex": data.hex()}


def not_zero(data, begin, end):
    """The offset of the first byte there that is not 0; None when all are."""
    for at in range(begin, min(end, len(data))):
        if data[at]:
            return at
    return None


# ---- section 2

def read_fifo(sender, data):
    if len(data) != 16:
        return None, [("FIF-01", 0)]
    request, data16, data32, data64 = struct.unpack("<HHIQ", data)
    name, side = FIFO.get(request, (None, None))
    if side != sender:
        return None, [("FIF-02", 0)]
    fields = {"packet": name}
    found = []
    if name == "alert":
        length = (data[2:] + b"\0").index(0)
        if length == 0 or not_zero(data, 2 + length, 16) is not None:
            found.append(("FIF-04", 2))
        fields["name"] = text(data[2:2 + length])
        return (None if found else fields), found
    if data16 != 0:
        found.append(("FIF-03", 2))
    if name in HALF:
        fields["wrapped_count"] = data32
        fields["durable_data_end"] = str(data64)
    else:
        if data32 != (1 if name == "started" else 0):
            found.append(("FIF-03", 4))
        if data64 != 0:
            found.append(("FIF-03", 8))
    return (None if found else fields), found


# ---- sections 3 and 5

def is_utf8(data):
    return isinstance(text(data), str)


def name_at(data, at, least):
    """(the name in a place, what it breaks)"""
    length, zeros = struct.unpack_from("<HH", data, at)
    found = []
    if zeros != 0:
        found.append(("CTL-04", at + 2))
    if not least <= length <= 100:
        return b"", found + [("CTL-04", at)]
    name = data[at + 4:at + 4 + length]
    rest = not_zero(data, at + 4 + length, at + 104)
    if 0 in name or rest is not None:
        found.append(("CTL-04", at + 4 + name.index(0) if 0 in name else rest))
    elif not is_utf8(name):
        found.append(("CTL-08", at + 4))
    return name, found


def names_of(shape, data, count, pairs):
    """pairs: every second name is a description, and may be empty."""
    names, found = [], []
    for place in range(shape.places):
        at = shape.head + 104 * place
        if place >= count:
            dirty = not_zero(data, at, at + 104)
            if dirty is not None:
                return names, found + [("CTL-05", dirty)]
            continue
        name, broken = name_at(data, at, 0 if pairs and place % 2 else 1)
        names.append(text(name))
        found += broken
    return names, found


def body_of_provider(shape, data, fields):
    """The 8 bytes behind the header. Returns (how many names, what is broken)."""
    if shape.name in ("register", "register_synchronously"):
        fields["process"] = str(struct.unpack_from("<Q", data, 8)[0])
        return 1, []
    found = []
    if shape.name == "registered":
        fields["status"], fields["started"] = struct.unpack_from("<iI", data, 8)
        if fields["started"] > 1:
            found.append(("CTL-06", 12))
        zeros = 16
    elif shape.name == "known_categories":
        fields["count"], = struct.unpack_from("<H", data, 8)
        zeros = 10
    else:
        key = "mode" if shape.name == "initialize" else "disposition"
        fields[key], fields["count"] = struct.unpack_from("<HH", data, 8)
        if not 1 <= fields[key] <= 3:
            found.append(("CTL-06", 8))
        zeros = 12
    dirty = not_zero(data, zeros, 16)
    if dirty is not None:
        found.append(("CTL-07", dirty))
    count = fields.pop("count", 0)
    if count > 100:
        return 0, found + [("CTL-05", 8 if shape.name == "known_categories" else 10)]
    return count * (2 if shape.name == "known_categories" else 1), found


def body_of_client(shape, data, fields):
    count, = struct.unpack_from("<Q", data, 8)
    numbers = struct.unpack_from("<8Q", data, 16)
    found = []
    for n, number in enumerate(numbers):
        least, most = shape.numbers.get(n, (0, 0))
        if not least <= number <= most:
            found.append(("CTL-09", 16 + 8 * n))
    fields["numbers"] = [str(number) for number in numbers]
    if not shape.least <= count <= shape.most:
        return None, found + [("CTL-05", 8)]
    return count, found


def read(channel, sender, data):
    if channel == "fifo":
        return read_fifo(sender, data)
    if len(data) < 8:
        return None, [("CTL-01", 0)]
    version, ordinal, transaction = struct.unpack_from("<HHI", data)
    if version != 1:
        return None, [("CTL-02", 0)]
    shape = CHANNELS[channel].get(ordinal)
    if shape is None or shape.sender != sender:
        return None, [("CTL-03", 2)]
    if len(data) != shape.size:
        return None, [("CTL-01", 0)]
    fields = {"packet": shape.name, "transaction": transaction}
    found = []
    if not shape.answered and transaction != 0:
        found.append(("CTL-07", 4))
    count, broken = 0, []
    if shape.size > 8:
        body = body_of_provider if channel == "provider" else body_of_client
        count, broken = body(shape, data, fields)
    found += broken
    if count is not None and not any(rule == "CTL-05" for rule, _ in broken):
        pairs = shape.name in ("known_categories", "known_category")
        names, broken = names_of(shape, data, count, pairs)
        found += broken
        if shape.places:
            fields["names"] = names
    return (None if found else fields), found


# ---- the other way

def name_bytes(name):
    data = bytes.fromhex(name["hex"]) if isinstance(name, dict) else name.encode("utf-8")
    return struct.pack("<HH", len(data), 0) + data.ljust(100, b"\0")


def write_fifo(fields):
    request = next(number for number, (name, _) in FIFO.items() if name == fields["packet"])
    if fields["packet"] == "alert":
        name = fields["name"]
        data = bytes.fromhex(name["hex"]) if isinstance(name, dict) else name.encode("utf-8")
        return struct.pack("<H", request) + data.ljust(14, b"\0")
    data32 = fields.get("wrapped_count", 1 if fields["packet"] == "started" else 0)
    return struct.pack("<HHIQ", request, 0, data32, int(fields.get("durable_data_end", 0)))


def second_word(shape, fields):
    names = fields.get("names", [])
    if "process" in fields:
        return struct.pack("<Q", int(fields["process"]))
    if shape.name == "registered":
        return struct.pack("<iI", fields["status"], fields["started"])
    if shape.name == "known_categories":
        return struct.pack("<Q", len(names) // 2)
    return struct.pack("<HHI", fields.get("mode", fields.get("disposition")), len(names), 0)


def write(channel, fields):
    if channel == "fifo":
        return write_fifo(fields)
    ordinal, shape = next((ordinal, shape) for ordinal, shape in CHANNELS[channel].items()
                          if shape.name == fields["packet"])
    data = struct.pack("<HHI", 1, ordinal, fields["transaction"])
    names = fields.get("names", [])
    if channel == "client":
        data += struct.pack("<9Q", len(names), *map(int, fields["numbers"]))
    elif shape.size > 8:
        data += second_word(shape, fields)
    for name in names:
        data += name_bytes(name)
    return data.ljust(shape.size, b"\0")
