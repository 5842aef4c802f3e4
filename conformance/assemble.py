"""The assembler language of records (spec/asm.md), for the corpus: text in, bytes out. Written
against model.py, so that the bytes of a vector do not come from the program under test."""
import re
import struct

import model

TOKEN = re.compile(r"""
    (?P<hex>x"(?:[0-9a-fA-F ]*)")
  | (?P<text>"(?:[^"\\]|\\.)*")
  | (?P<number>-?(?:0x[0-9a-fA-F]+|[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?))
  | (?P<name>[A-Za-z_][A-Za-z0-9_.]*)
  | (?P<mark>[=@/{},\[\]])
  | (?P<comment>;.*)
  | (?P<blank>[ \t\r]+)
""", re.X)
ESCAPES = {"n": b"\n", "r": b"\r", "t": b"\t", '"': b'"', "\\": b"\\"}


class Line:
    def __init__(self, text):
        self.tokens = []
        at = 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise SyntaxError("cannot read: " + text[at:])
            if match.lastgroup not in ("blank", "comment"):
                self.tokens.append((match.lastgroup, match.group()))
            at = match.end()
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else (None, None)

    def take(self, *groups):
        group, text = self.peek()
        if group not in groups:
            raise SyntaxError("%s expected, not %s" % (" or ".join(groups), text))
        self.at += 1
        return text

    def accept(self, mark):
        if self.peek() == ("mark", mark):
            self.at += 1
            return True
        return False

    def need(self, mark):
        if not self.accept(mark):
            raise SyntaxError("%s expected, not %s" % (mark, self.peek()[1]))

    def number(self):
        return int(self.take("number"), 0)

    def bytes(self):
        text = self.take("hex", "text")
        if text.startswith("x"):
            return bytes.fromhex(text[2:-1])
        return re.sub(rb"\\(x[0-9a-fA-F]{2}|.)", unescape, text[1:-1].encode("utf-8"))

    def string(self):
        if self.accept("@"):
            return model.String(self.number())
        data = self.bytes()
        return model.String(model.INLINE + len(data) if data else 0, data)

    def thread(self, process_only=False):
        if self.accept("@"):
            return model.Thread(self.number())
        process = self.number()
        if process_only:
            return model.Thread(0, process)
        self.need("/")
        return model.Thread(0, process, self.number())

    def named(self, names):
        if self.peek()[0] == "number":
            return self.number()
        return names.index(self.take("name"))

    def frames(self):
        frames = []
        self.need("[")
        while not self.accept("]"):
            frames.append(self.number())
            self.accept(",")
        return frames


def unescape(match):
    code = match.group(1).decode()
    return bytes.fromhex(code[1:]) if code[0] == "x" else ESCAPES[code]


def argument(line):
    name = line.string()
    type = model.ARGS.index(line.take("name"))
    value = 0
    if type in (1, 3):
        value = line.number() % (1 << (32 if type == 1 else 64))
    elif type == 5:
        text = line.take("number")
        value = int(text, 16) if text.startswith("0x") else double_bits(float(text))
    elif type == 6:
        value = line.string()
    elif type == 9:
        value = ["false", "true"].index(line.take("name"))
    elif type == 10:
        value = line.bytes()
    elif type != 0:
        value = line.number()
    return model.Arg(type, name, value)


def double_bits(number):
    return struct.unpack("<Q", struct.pack("<d", number))[0]


def record(line, kind):
    fields = dict(model.KINDS[kind])
    values = {field: default(shape) for field, shape in fields.items()}
    args = []
    if kind == "event":
        values["event_type"] = line.named(model.EVENTS)
    while line.peek()[0] == "name":
        field = line.take("name")
        line.need("=")
        shape = fields[field]
        if isinstance(shape, list):
            values[field] = line.named(shape)
        elif shape == "scope":
            values[field] = line.named(model.SCOPES)
        elif shape in ("number", "wide"):
            values[field] = line.number()
        elif shape in ("text", "bytes"):
            values[field] = line.bytes()
        elif shape == "string":
            values[field] = line.string()
        elif shape == "frames":
            values[field] = line.frames()
        else:
            values[field] = line.thread(shape == "process")
    if line.accept("{"):
        while not line.accept("}"):
            args.append(argument(line))
            line.accept(",")
    return model.encode(kind, values, args)


def default(shape):
    if shape in ("text", "bytes"):
        return b""
    if shape == "string":
        return model.String(0)
    if shape in ("thread", "process"):
        return model.Thread(0)
    if shape == "scope":
        return None
    return [] if shape == "frames" else 0


def layout_word(line):
    word = line.take("name")
    layout = model.LAYOUT[word]
    number = 0
    bits = 0
    for lo, _, low, _, constant in layout.values():
        number |= low << lo if constant else 0
    while line.peek()[0] == "name":
        field = line.take("name")
        line.need("=")
        value = line.number()
        if field == "bits":
            bits |= value
            continue
        lo, width = layout[field][:2]
        mask = (1 << width) - 1
        if value > mask:
            raise SyntaxError("%s=%d" % (field, value))
        number = number & ~(mask << lo) | value << lo
    return model.words(number | bits)


def stream(line):
    data = line.bytes()
    padding = bytes(-len(data) % 8)
    if line.peek() == ("name", "pad"):
        line.take("name")
        line.need("=")
        missing, padding = len(padding), line.bytes()
        if len(padding) != missing:
            raise SyntaxError("pad")
    return data + padding


def statement(line):
    name = line.take("name")
    if name == "repeat":
        times = line.number()
        return statement(line) * times
    if name == "word":
        return layout_word(line)
    if name == "stream":
        return stream(line)
    if name == "bytes":
        return line.bytes()
    if name == "u64":
        numbers = [line.number() % (1 << 64)]
        while line.peek()[0] == "number":
            numbers.append(line.number() % (1 << 64))
        return model.words(*numbers)
    return record(line, name)


def assemble(text):
    """The bytes of a .fxta file, which is given as bytes."""
    out = []
    for number, source in enumerate(text.decode("utf-8").split("\n"), 1):
        line = Line(source)
        if not line.tokens:
            continue
        try:
            out.append(statement(line))
            if line.peek()[0] is not None:
                raise SyntaxError("the line goes on: " + line.peek()[1])
        except (SyntaxError, ValueError, KeyError, model.Invalid) as error:
            raise SystemExit("line %d: %s: %s" % (number, error, source))
    return b"".join(out)
