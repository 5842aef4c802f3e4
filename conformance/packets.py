"""The vectors of corpus/packets.json: packets between provider, manager and client. What is expected comes
from packet_model.py. schema/buffers.md describes the form."""
import struct

import manager_json
import packet_model as model
from packet_model import CHANNELS, FIFO, SENDERS, U32, U64

LONGEST = "x" * 100
# Texts that are not UTF-8, by name.
NO_TEXT = {"overlong": "c080", "overlong-3": "e08080", "overlong-4": "f0808080",
           "surrogate": "eda080", "too-high": "f4908080", "cut": "61e282", "lone": "80",
           "ff": "ff", "lead-alone": "c261", "five": "f888808080"}
TEXTS = {"umlaut": "Märchen", "euro": "€", "last": "\U0010FFFF", "first-3": "ࠀ",
         "below-surrogates": "\ud7ff", "above-surrogates": "\ue000", "first-4": "\U00010000",
         "del": "\x7f", "control": "\x01", "bom": "\ufeff"}


class Corpus:
    def __init__(self):
        self.vectors = []

    def add(self, channel, name, tests, why, mistake, data, sender, grade=None, touches=()):
        fields, findings = model.read(channel, sender, data)
        rules = sorted({rule for rule, _ in findings})
        assert rules in ([], [tests]), (name, tests, findings)
        assert findings or model.write(channel, fields) == data, name
        self.vectors.append({
            "id": "packet/%s-%s" % (channel, name), "level": "packet",
            "grade": grade or ("invalid" if findings else "valid"), "tests": tests,
            "touches": list(touches), "why": why, "mistake": mistake, "channel": channel,
            "sender": sender, "size": len(data), "pieces": manager_json.pieces_of(data),
            "expected": {"findings": [{"rule": rule, "offset": at} for rule, at in findings],
                         "packet": fields}})


def patched(data, at, more):
    return data[:at] + more + data[at + len(more):]


# ---- FIFO

SAMPLES = {
    "started": {}, "stopped": {}, "flush_buffer": {}, "alert": {"name": "alert"},
    "save_buffer": {"wrapped_count": 7, "durable_data_end": "72"},
    "buffer_saved": {"wrapped_count": 7, "durable_data_end": "72"},
}


def fifo_sample(name, **more):
    return model.write("fifo", dict(SAMPLES[name], packet=name, **more))


def fifo(corpus):
    def add(name, tests, why, mistake, data, sender="provider", **more):
        corpus.add("fifo", name, tests, why, mistake, data, sender, **more)
    for request, (name, sender) in FIFO.items():
        good = fifo_sample(name)
        say = name.replace("_", " ")
        add(name, "FIF-02", "The packet %s." % say, "The packet is not known.", good, sender)
        add(name + "-by-the-other", "FIF-02", "%s is sent by the other side." % say.capitalize(),
            "A request is taken from whoever sends it.", good,
            "manager" if sender == "provider" else "provider")
        for size in (0, 8, 15, 17, 24):
            add("%s-size-%d" % (name, size), "FIF-01", "%s, in %d bytes." % (say.capitalize(),
                size),
                "The size of the message is not looked at.", (good + bytes(8))[:size], sender)
        if name != "alert":
            fifo_zeros(add, name, say, good, sender)
    for size in list(range(1, 8)) + list(range(9, 15)) + [32]:
        add("cut-%d" % size, "FIF-01", "A packet of %d bytes." % size,
            "A packet is read beyond its end.", (fifo_sample("save_buffer") * 2)[:size])
    for request in (0, 5, 0xFF, 0x102, 0x103, 0x104, 0x201, 0x301, 0x8001, 0xFFFF):
        for sender in SENDERS["fifo"]:
            add("request-%x-by-%s" % (request, sender), "FIF-02", "The request 0x%x is nobody's."
                % request, "Only a byte of the request is looked at.",
                struct.pack("<HHIQ", request, 0, 1 if request & 0xFF == 1 else 0, 0), sender)
    for version in (0, 2, 0x101, 0x10001, U32):
        add("version-%x" % version, "FIF-03", "Started speaks version %d." % version,
            "The version is not looked at.",
            patched(fifo_sample("started"), 4, struct.pack("<I", version)))
    for name, sender in (("save_buffer", "provider"), ("buffer_saved", "manager")):
        for wrapped, end in ((0, 0), (U32, U64), (1 << 31, 1 << 63), (1, 7)):
            add("%s-%x-%x" % (name, wrapped, end), "FIF-03", "Wrapped count %d, durable end %d: "
                "any number is a packet." % (wrapped, end), "Numbers are read as signed ones.",
                fifo_sample(name, wrapped_count=wrapped, durable_data_end=str(end)), sender)
    alerts(add)


def fifo_zeros(add, name, say, good, sender):
    """Data that mean nothing."""
    places = [2, 3]
    if name in ("stopped", "flush_buffer"):
        places += [4, 7]
    if name not in model.HALF:
        places += [8, 15]
    for at in places:
        for value in (b"\x01", b"\x80"):
            add("%s-byte-%d-%s" % (name, at, value.hex()), "FIF-03", "%s; byte %d means nothing "
                "and is 0x%s." % (say.capitalize(), at, value.hex()), "What means nothing is not "
                "looked at.", patched(good, at, value), sender)


def alerts(add):
    def alert(data):
        return b"\4\0" + data.ljust(14, b"\0")
    for name, data in (("one", b"a"), ("thirteen", b"a" * 13), ("fourteen", b"a" * 14),
                       ("bytes", b"\xff\x80\x01"), ("utf-8", "ä€".encode())):
        add("alert-" + name, "FIF-04", "An alert's name of %d bytes." % len(data),
            "A name of 14 bytes has no end, or a name has to be text.", alert(data))
    for name, data in (("empty", b""), ("empty-then-text", b"\0a"), ("gap", b"a\0b"),
                       ("last-byte", b"a".ljust(13, b"\0") + b"x"), ("gap-late",
                       b"a" * 12 + b"\0b")):
        add("alert-" + name, "FIF-04", "An alert without a name, or with something behind its end.",
            "The name is read up to its end, and the rest is not looked at.", alert(data))


# ---- connections

def sample(channel, shape):
    """Fields that keep every rule."""
    fields = {"packet": shape.name, "transaction": 5 if shape.answered else 0}
    if channel == "client":
        numbers = [shape.numbers.get(n, (0, 0))[0] for n in range(8)]
        fields["numbers"] = [str(number) for number in numbers]
    elif shape.name.startswith("register_") or shape.name == "register":
        fields["process"] = "1234"
    elif shape.name == "registered":
        fields.update(status=0, started=1)
    elif shape.name == "initialize":
        fields["mode"] = 1
    elif shape.name == "start":
        fields["disposition"] = 1
    if shape.places:
        names = ["name%d" % i for i in range(max(shape.least, min(2, shape.most)))]
        fields["names"] = names * (2 if shape.name == "known_categories" else 1)
    return fields


class Packets:
    """The vectors of one ordinal."""
    def __init__(self, corpus, channel, ordinal, shape):
        self.corpus = corpus
        self.channel = channel
        self.ordinal = ordinal
        self.shape = shape
        self.fields = sample(channel, shape)
        self.good = model.write(channel, self.fields)
        self.say = shape.name.replace("_", " ").capitalize()
        self.is_first = ordinal == min(CHANNELS[channel])  # the one that is looked at most closely

    def add(self, name, tests, why, mistake, data, sender=None, **more):
        name = "%s-%s" % (self.shape.name, name) if name else self.shape.name
        self.corpus.add(self.channel, name, tests, "%s: %s." % (self.say, why), mistake, data,
                        sender or self.shape.sender, **more)

    def having(self, **fields):
        return model.write(self.channel, dict(self.fields, **fields))

    def all(self):
        self.heads()
        self.sizes()
        if self.shape.places:
            self.counts()
        if self.channel == "client":
            self.numbers()

    def heads(self):
        self.add("", "CTL-03", "as it should be", "The packet is not known.", self.good)
        others = [side for side in SENDERS[self.channel] if side != self.shape.sender]
        self.add("by-the-other", "CTL-03", "sent by the other side",
                 "An ordinal is taken from whoever sends it.", self.good, others[0])
        for version in (0, 2, 0x101) if self.is_first else (2,):
            self.add("version-%x" % version, "CTL-02", "the version is %d" % version,
                     "The version is not looked at, or one byte of it.",
                     patched(self.good, 0, struct.pack("<H", version)))
        for transaction in (1, U32):
            self.add("transaction-%x" % transaction, "CTL-07",
                "the transaction is %d" % transaction,
                     "A transaction where nothing is answered is not refused, or one of 32 bits "
                     "is.",
                     patched(self.good, 4, struct.pack("<I", transaction)))
        if self.shape.answered:
            self.add("transaction-0", "CTL-07", "the transaction is 0: chosen by who asks",
                     "0 is no transaction.", patched(self.good, 4, bytes(4)))

    def sizes(self):
        size = self.shape.size
        others = {8, size - 1, size + 1, size + 8}
        if self.is_first:
            others |= {0, 1, 2, 3, 4, 5, 6, 7, 9, 15, 16, 79, 80, size - 8, size + 104}
        for other in sorted(others - {size}):
            self.add("size-%d" % other, "CTL-01", "in %d bytes" % other,
                     "A packet is read beyond its end, or what is too much is not seen.",
                     (self.good + bytes(104))[:other])

    def count_at(self):
        if self.channel == "client" or self.shape.name == "known_categories":
            return 8
        return 10

    def counts(self):
        shape, at = self.shape, self.count_at()
        pair = 2 if shape.name == "known_categories" else 1
        used = len(self.fields["names"])
        form = "<Q" if self.channel == "client" else "<H"
        if not shape.name.startswith("regist"):
            for count in sorted({0, shape.least - 1, used // pair - 1, shape.most + 1, 0xFFFF}):
                if count >= 0:
                    self.add("count-%d" % count, "CTL-05", "it counts %d, and holds %d"
                             % (count, used // pair), "The count is believed, or names that are "
                             "not counted are not seen.", patched(self.good, at, struct.pack(form,
                             count)))
            if self.channel == "client":
                for count in (1 << 16 | used, 1 << 32 | used, 1 << 63 | used, U64):
                    self.add("count-%x" % count, "CTL-05", "it counts %d" % count,
                             "The count is cut to fewer bits.",
                             patched(self.good, at, struct.pack("<Q", count)))
            if used // pair < shape.most:
                self.add("count-more", "CTL-04", "it counts one name more than it holds",
                         "A name that is empty is taken.",
                         patched(self.good, at, struct.pack(form, used // pair + 1)))
                for place in (used, shape.places - 1):
                    for byte in (0, 2, 4, 103):
                        self.add("place-%d-byte-%d" % (place, byte), "CTL-05", "there is no name "
                            "%d, but byte %d of its place is 1" % (place, byte),
                                 "What is behind the last name is not looked at.", patched(
                                     self.good, shape.head + 104 * place + byte, b"\x01"))
        for count in range(shape.least if self.channel == "client" else 0):
            self.add("names-%d" % count, "CTL-05", "it holds %d names" % count,
                     "Too few names are taken.", self.having(names=self.fields["names"][:count]))
        if shape.least < shape.most:
            some = ["n%d" % i for i in range(shape.most * pair)]
            self.add("count-most", "CTL-05", "as many names as there are places",
                     "The most is not taken.", self.having(names=some))
            self.add("count-least", "CTL-05", "as few names as may be", "None is too few.",
                     self.having(names=some[:shape.least]))

    def numbers(self):
        for n in range(8):
            at = 16 + 8 * n
            if n not in self.shape.numbers:
                for value in (1, 1 << 63):
                    self.add("n%d-%x" % (n, value), "CTL-09", "N%d, which means nothing, is %d"
                             % (n, value), "What means nothing is not looked at.",
                             patched(self.good, at, struct.pack("<Q", value)))
                continue
            least, most = self.shape.numbers[n]
            values = {least, most, least - 1, most + 1, most + (1 << 32), U64}
            for value in sorted(value for value in values if 0 <= value <= U64):
                self.add("n%d-%x" % (n, value), "CTL-09", "N%d, %d to %d, is %d"
                         % (n, least, most, value), "A range is off by one, or looked at in 32 "
                             "bits.",
                         patched(self.good, at, struct.pack("<Q", value)))


def names(corpus):
    """What a name may be, at the first place of each kind of packet, and at the last."""
    cases = [("provider", 0x101, 0, "register"), ("provider", 0x112, 1, "start"),
             ("provider", 0x116, 1, "description"), ("provider", 0x116, 2, "category"),
             ("client", 0x201, 0, "spec"), ("client", 0x243, 0, "known-category"),
             ("client", 0x243, 1, "known-description"), ("client", 0x245, 0, "alert")]
    for channel, ordinal, place, what in cases:
        shape = CHANNELS[channel][ordinal]
        one = Packets(corpus, channel, ordinal, shape)
        at = shape.head + 104 * place

        def add(name, tests, why, mistake, data, **more):
            corpus.add(channel, "name-%s-%s" % (what, name), tests, "%s, name %d: %s."
                       % (one.say, place, why), mistake, data, shape.sender, **more)

        def named(name):
            given = list(one.fields["names"])
            given[place] = name
            return one.having(names=given)
        add("empty", "CTL-04", "it is empty, as a description may be and no other name",
            "An empty name is taken, or an empty description is not.", named(""))
        grade = "unspecified" if what == "alert" else None  # an alert has 14 bytes at most
        add("longest", "CTL-04", "100 bytes", "A name has an end.", named(LONGEST), grade=grade)
        add("one-byte", "CTL-04", "one byte", "A name is longer.", named("x"))
        longest = named(LONGEST)
        for length in (101, 102, 0x164, 0xFFFF):
            add("length-%d" % length, "CTL-04", "its length is %d" % length,
                "A name reaches into the next place.",
                patched(longest, at, struct.pack("<H", length)))
        good = named("name")
        add("shorter", "CTL-04", "its length is one less than its text",
            "What is behind a name is not looked at.", patched(good, at, b"\x03"))
        add("longer", "CTL-04", "its length is one more than its text: it holds a zero byte",
            "A name may hold zeros.", patched(good, at, b"\x05"))
        add("zero-inside", "CTL-04", "a zero byte within", "A name ends at its first zero.",
            patched(good, at + 5, b"\0"))
        add("last-byte", "CTL-04", "the last byte of the place is not zero",
            "What is behind a name is not looked at.", patched(good, at + 103, b"x"))
        for byte in (2, 3):
            add("zeros-%d" % byte, "CTL-04", "byte %d of its place, which is zero, is 1" % byte,
                "A length has 4 bytes.", patched(good, at + byte, b"\x01"))
        if what in ("register", "description", "spec"):
            texts_of(add, named)


def texts_of(add, named):
    for name, text in TEXTS.items():
        add("text-" + name, "CTL-08", "its text is %r" % text.encode(),
            "Text that is UTF-8 is refused.", named(text))
    for name, text in NO_TEXT.items():
        add("no-text-" + name, "CTL-08", "its bytes %s are not UTF-8" % text,
            "Bytes that are no text go on to who prints them.", named({"hex": text}))


def ordinals(corpus):
    strange = (0, 1, 0x100, 0x104, 0x110, 0x117, 0x200, 0x20B, 0x240, 0x247, 0x8101, 0xFFFF)
    for channel, shapes in CHANNELS.items():
        for ordinal in [ordinal for ordinal in strange if ordinal not in shapes]:
            for sender in SENDERS[channel]:
                corpus.add(channel, "ordinal-%x-by-%s" % (ordinal, sender), "CTL-03",
                           "The ordinal 0x%x is nobody's." % ordinal,
                           "Only a byte of the ordinal is looked at.",
                           struct.pack("<HHI", 1, ordinal, 0) + bytes(72), sender)


def provider_words(corpus):
    """The second word of the packets of a provider's connection."""
    def of(ordinal):
        return Packets(corpus, "provider", ordinal, model.PROVIDER[ordinal])
    for ordinal in (0x101, 0x102):
        for process in (0, 1, 1 << 32, U64):
            of(ordinal).add("process-%x" % process, "CTL-01", "the process is %d: any number"
                            % process, "A process id is cut to 32 bits.",
                            of(ordinal).having(process=str(process)))
    for ordinal in (0x111, 0x112):
        for choice in (0, 1, 2, 3, 4, 0x101, 0xFFFF):
            of(ordinal).add("choice-%x" % choice, "CTL-06", "the %s is %d" % (
                "mode" if ordinal == 0x111 else "disposition", choice),
                "A mode of a header (0 to 2) is taken for one of a packet, or one byte is looked "
                "at.",
                patched(of(ordinal).good, 8, struct.pack("<H", choice)))
        for at in (12, 15):
            of(ordinal).add("byte-%d" % at, "CTL-07", "byte %d, which is zero, is 1" % at,
                            "What is zero is not looked at.", patched(of(ordinal).good, at, b"\1"))
    for status in (0, 1, -1, -20, (1 << 31) - 1, -(1 << 31)):
        of(0x103).add("status-%d" % status, "CTL-06", "the status is %d" % status,
                      "The status is read without its sign.", of(0x103).having(status=status))
    for started in (0, 1, 2, 255):
        of(0x103).add("started-%d" % started, "CTL-06", "started is %d" % started,
                      "Any number but 0 is true.", patched(of(0x103).good, 12, bytes([started])))
    for at in (13, 15):
        of(0x103).add("byte-%d" % at, "CTL-06", "byte %d makes started more than 1" % at,
                      "Only one byte of started is read.", patched(of(0x103).good, at, b"\1"))
    for at in (10, 12, 15):
        of(0x116).add("byte-%d" % at, "CTL-07", "byte %d, which is zero, is 1" % at,
                      "What is zero is not looked at.", patched(of(0x116).good, at, b"\1"))


def vectors():
    corpus = Corpus()
    fifo(corpus)
    for channel, shapes in CHANNELS.items():
        for ordinal, shape in shapes.items():
            Packets(corpus, channel, ordinal, shape).all()
    ordinals(corpus)
    provider_words(corpus)
    names(corpus)
    return corpus.vectors
