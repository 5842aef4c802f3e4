"""The vectors that come in families: the same damage done to every record of the format, at every
place where it can be done. families() gives {path: Family}; generate.py makes files of them."""
import copy
import re

import model


class Family:
    def __init__(self, why, lines, edition="2020", must=()):
        self.why = why
        self.lines = apart(lines)
        self.edition = edition
        self.must = must  # rules that the vector has to break


def apart(lines):
    """The lines, with each switch on a processor of its own: SCH-06 and SCH-07 are not meant."""
    number = 0
    for i, line in enumerate(lines):
        if re.match(r"word (legacy|context)_switch", line):
            number += 1
            lines[i] = line.replace(" cpu=1 ", " cpu=%d " % number)
    return lines


def layout_width(word, field):
    return model.LAYOUT[word][field][1]


class Word:
    """A line `word NAME field=value …`."""
    def __init__(self, word, **fields):
        self.word = word
        self.fields = fields

    def line(self):
        text = "word " + self.word
        for field, value in self.fields.items():
            wide = field == "bits" or layout_width(self.word, field) == 16 and value >= model.INLINE
            text += (" %s=0x%x" if wide else " %s=%d") % (field, value)
        return text


class Template:
    """One record, a line for each word. body: (tag, line); the tag is the ref field whose stream or
    koids the line is, "arg" for the words of its argument, else None."""
    def __init__(self, area, edition, word, fields, body):
        self.area = area
        self.edition = edition
        self.header = Word(word, size=0, **fields)
        self.body = body
        self.header.fields["size"] = self.size()

    def size(self):
        return 1 + len(self.body)

    def copy(self):
        return copy.deepcopy(self)

    def lines(self, count=None):
        """The first `count` words."""
        lines = [self.header] + [line for _, line in self.body]
        return [line.line() if isinstance(line, Word) else line for line in lines[:count]]

    def holder(self, field):
        """The word that has the field."""
        for line in [self.header] + [line for _, line in self.body]:
            if isinstance(line, Word) and field in line.fields and not line.word.startswith("arg"):
                return line
        raise KeyError(field)

    def set_ref(self, field, value):
        """Changes a ref to one that is not inline: what it stood for goes away."""
        self.holder(field).fields[field] = value
        self.body = [(tag, line) for tag, line in self.body if tag != field]
        self.header.fields["size"] = self.size()
        return self


def arg(word, type, size, value=None, **fields):
    """An argument named "a"."""
    lines = [Word("arg_" + word + ".header" if word else "arg.header", type=type, size=size,
                  name=0x8001, **fields), 'stream "a"']
    if value is not None:
        lines.append(value)
    return [("arg", line) for line in lines]


def templates():
    koids = lambda field, thread=101: [(field, "u64 100"), (field, "u64 %d" % thread)]
    text = lambda field: [(field, 'stream "word-%s"' % field[:3])]
    one = lambda number: [(None, "u64 %s" % number)]
    T = Template
    return {
        "provider_info": T("metadata", "2020", "provider_info.header",
                           dict(provider_id=7, name_length=8), [(None, 'stream "provider"')]),
        "initialization": T("initialization", "2020", "initialization.header", {}, one(24000000)),
        "string": T("string_table", "2020", "string.header", dict(index=1, length=8),
                    [(None, 'stream "alphabet"')]),
        "thread": T("thread_table", "2020", "thread.header", dict(index=1), one(100) + one(101)),
        "event": T("event", "2020", "event.header",
                   dict(event_type=1, arg_count=1, thread=0, category=0x8008, name=0x8008),
                   one(10) + koids("thread") + text("category") + text("name") +
                   arg("plain", 3, 3, "u64 -5") + one(77)),
        "blob": T("blob", "2020", "blob.header", dict(name=0x8008, payload_size=8, blob_type=1),
                  text("name") + [(None, 'stream x"0102030405060708"')]),
        "userspace_object": T("userspace_object", "2020", "userspace_object.header",
                              dict(process=0, name=0x8008, arg_count=1),
                              one("0x7000") + [("process", "u64 100")] + text("name") +
                              arg("", 1, 2, data=3)),
        "kernel_object": T("kernel_object", "2020", "kernel_object.header",
                           dict(object_type=2, name=0x8008, arg_count=1),
                           one(101) + text("name") + arg("plain", 8, 3, "u64 100")),
        "legacy_switch": T("scheduling", "2020", "legacy_switch.header",
                           dict(cpu=1, outgoing_state=3, outgoing_thread=0, incoming_thread=0,
                                outgoing_priority=4, incoming_priority=5),
                           one(10) + koids("outgoing_thread", 103) + koids("incoming_thread", 104)),
        "context_switch": T("scheduling", "current", "context_switch.header",
                            dict(arg_count=1, cpu=1, outgoing_state=3),
                            one(10) + one(101) + one(102) + arg("", 1, 2, data=4)),
        "thread_wakeup": T("scheduling", "current", "thread_wakeup.header",
                           dict(arg_count=1, cpu=1), one(10) + one(101) + arg("", 1, 2, data=4)),
        "log": T("log", "2020", "log.header", dict(length=8, thread=0),
                 one(10) + koids("thread") + [(None, 'stream "a line.\\n"')]),
        "module": T("profiler", "current", "module.header",
                    dict(thread=0, module_id=1, name_length=8, build_id_length=8),
                    one(10) + koids("thread") + [(None, 'stream "libcc.so"'),
                                                 (None, 'stream x"1122334455667788"')]),
        "mmap": T("profiler", "current", "mmap.header", dict(thread=0, module_id=1, flags=0),
                  one(10) + koids("thread") + one("0x1000") + one("0x2000") + one("0x300")),
        "backtrace": T("profiler", "current", "backtrace.header", dict(thread=0, frame_count=2),
                       one(10) + koids("thread") + one("0x1000") + one("0x2000")),
        "large_blob-0": T("large", "current", "large_blob.header", dict(blob_format=0),
                          [(None, Word("large_blob.metadata", category=0x8008, name=0x8008,
                                       arg_count=1, thread=0))] +
                          text("category") + text("name") + one(10) + koids("thread") +
                          arg("", 2, 2, data=3) + [("size", "u64 8"),
                                                   (None, 'stream x"0102030405060708"')]),
        "large_blob-1": T("large", "current", "large_blob.header", dict(blob_format=1),
                          [(None, Word("large_blob.no_metadata", category=0x8008, name=0x8008))] +
                          text("category") + text("name") +
                          [("size", "u64 8"), (None, 'stream x"0102030405060708"')]),
    }


STRING_REFS = ("category", "name")
THREAD_REFS = ("thread", "process", "outgoing_thread", "incoming_thread")
TABLES = ["magic", 'string index=1 value="first"', 'string index=32767 value="last"',
          "thread index=1 process=100 thread=101", "thread index=255 process=100 thread=102"]
END = 'log timestamp=99 thread=1/2 message="read on"'


def title(name):
    return name.replace("-", " with format ") if name.startswith("large") else name


def cut(found, name, t):
    for count in range(1, t.size()):
        found["invalid/%s/cut-%s-%d" % (t.area, name, count)] = Family(
            "The trace ends after %d of the %d words of a %s record."
            % (count, t.size(), title(name)),
            ["magic"] + t.lines(count), t.edition, ["REC-03"])


def cut_bytes(found):
    t = templates()["thread"]
    for count in range(1, 8):
        found["invalid/framing/odd-bytes-%d" % count] = Family(
            "%d bytes are left after the last record." % count,
            ["magic"] + t.lines() + ['bytes x"%s"' % "13000000000000"[:2 * count]], must=["REC-01"])


def short(found, name, t):
    lines = ["magic"]
    for count in range(1, t.size()):
        less = t.copy()
        less.header.fields["size"] = count
        lines += less.lines(count)
    found["invalid/%s/short-%s" % (t.area, name)] = Family(
        "%s records of every size that is too small for their fields; each is refused alone."
        % title(name).capitalize(), lines + [END], t.edition)


def tail(found, name, t):
    lines = ["magic"]
    for more in (1, 2):
        longer = t.copy()
        longer.header.fields["size"] += more
        lines += longer.lines() + ["u64 0x1234", "u64 0"][:more]
    found["valid/%s/tail-%s" % (t.area, name)] = Family(
        "%s records with one and with two words after their last field."
        % title(name).capitalize(), lines + [END], t.edition, ["REC-08"])


def tail_plain(found):
    for word, area, fields in (("provider_section", "metadata", dict(provider_id=0)),
                               ("provider_event", "metadata", dict(provider_id=0, event_id=0))):
        line = Word(word + ".header", size=2, **fields).line()
        found["valid/%s/tail-%s" % (area, word)] = Family(
            "A %s record with a word after its header." % word,
            ["magic", 'provider_info provider_id=0 name="zero"', line, "u64 5", END],
            must=["REC-08"])


def reserved_runs(word):
    mask = model.reserved(word)
    runs, bit = [], 0
    while bit < 64:
        if mask >> bit & 1:
            low = bit
            while bit < 63 and mask >> (bit + 1) & 1:
                bit += 1
            runs.append((low, bit))
        bit += 1
    return runs


def reserved(found, name, t):
    words = [t.header] + [line for _, line in t.body if isinstance(line, Word)]
    for index, word in enumerate(words):
        if not reserved_runs(word.word) or word.word.startswith("arg"):
            continue
        lines = ["magic"]
        for low, high in reserved_runs(word.word):
            for bit in sorted({low, high}):
                dirty = t.copy()
                holder = ([dirty.header] +
                          [line for _, line in dirty.body if isinstance(line, Word)])[index]
                holder.fields["bits"] = 1 << bit
                lines += dirty.lines()
        last = word.word.replace(".header", "").replace(".", "-") if index else name
        path = "invalid/%s/reserved-%s" % (t.area, last)
        found[path] = Family(
            "The lowest and the highest bit of each group of reserved bits of %s are set, one in "
            "each record." % word.word, lines + [END], t.edition, ["REC-04"])


def reserved_plain(found):
    rows = [("provider_section.header", "metadata", [], dict(provider_id=0)),
            ("provider_event.header", "metadata", [], dict(provider_id=0, event_id=0))]
    rows += [("arg_plain.header", "argument", value, dict(type=type, size=2 + len(value),
                                                          name=0x8001))
             for type, value in ((0, []), (3, ["u64 1"]), (4, ["u64 1"]), (5, ["u64 1"]),
                                 (7, ["u64 1"]), (8, ["u64 1"]))]
    rows += [("arg_string.header", "argument", [], dict(size=2, name=0x8001, value=1)),
             ("arg_bool.header", "argument", [], dict(size=2, name=0x8001, value=1))]
    for word, area, value, fields in rows:
        lines = list(TABLES)
        lines.append('provider_info provider_id=0 name="zero"')
        for low, high in reserved_runs(word):
            for bit in sorted({low, high}):
                if area == "argument":
                    lines.append("word event.header size=%d event_type=0 arg_count=1 thread=1 "
                                 "category=1 name=1" % (4 + len(value)))
                    lines.append("u64 10")
                size = {} if "size" in fields else {"size": 1}
                lines.append(Word(word, **fields, **size, bits=1 << bit).line())
                if area == "argument":
                    lines += ['stream "a"'] + value
        name = word.replace(".header", "")
        if word == "arg_plain.header":
            name = "arg_" + model.ARGS[fields["type"]]
        found["invalid/%s/reserved-%s" % (area, name)] = Family(
            "The lowest and the highest bit of each group of reserved bits of %s are set, one in "
            "each record." % word, lines + [END],
            "current" if word == "arg_bool.header" else "2020", ["REC-04"])


LENGTHS = {"provider_info": ["name_length"], "string": ["length"], "blob": ["name", "payload_size"],
           "event": ["category", "name"], "userspace_object": ["name"], "kernel_object": ["name"],
           "log": ["length"], "module": ["name_length", "build_id_length"],
           "backtrace": ["frame_count"], "large_blob-0": ["category", "name"],
           "large_blob-1": ["category", "name"]}


def lengths(found, name, t):
    for field in LENGTHS.get(name, []):
        for by in (-1, 1):
            other = t.copy()
            other.holder(field).fields[field] += by
            word = "less" if by < 0 else "more"
            found["invalid/%s/length-%s-%s-%s" % (t.area, name, field, word)] = Family(
                "The %s of a %s record counts one %s than there is."
                % (field.replace("_", " "), title(name), word),
                ["magic"] + other.lines() + [END], t.edition)
            if by < 0 and field == "frame_count":  # a word less is a tail, and legal
                family = found.pop("invalid/%s/length-%s-%s-%s" % (t.area, name, field, word))
                found["valid/%s/length-%s-%s-%s" % (t.area, name, field, word)] = family


def arg_counts(found, name, t):
    if not any(tag == "arg" for tag, _ in t.body):
        return
    more = t.copy()
    more.holder("arg_count").fields["arg_count"] += 1
    found["invalid/%s/arg-count-%s-more" % (t.area, name)] = Family(
        "A %s record counts one argument more than it has." % title(name),
        ["magic"] + more.lines() + [END], t.edition)


def arg_sizes(found, name, t):
    starts = [i for i, (tag, line) in enumerate(t.body) if tag == "arg" and isinstance(line, Word)]
    if not starts:
        return
    lines = ["magic"]
    whole = sum(1 for tag, _ in t.body if tag == "arg")
    for size in list(range(0, whole)) + [t.size() - starts[0], 4095]:
        other = t.copy()
        other.body[starts[0]][1].fields["size"] = size
        lines += other.lines()
    found["invalid/%s/arg-size-%s" % (t.area, name)] = Family(
        "The argument of a %s record with every size that is too small, and with two that lead out "
        "of the record; each record is refused alone." % title(name),
        lines + [END], t.edition, ["ARG-02", "ARG-03", "STR-03"])


def refs(found, name, t):
    fields = [tag for tag, _ in t.body if tag in STRING_REFS + THREAD_REFS]
    if not fields:
        return
    good, lost = list(TABLES), list(TABLES)
    for field in sorted(set(fields), key=fields.index):
        strings = field in STRING_REFS
        for value in (0, 1, 32767) if strings else (1, 255):
            good += t.copy().set_ref(field, value).lines()
        for value in (2, 32766, 32768) if strings else (2, 254):
            lost += t.copy().set_ref(field, value).lines()
    good += t.lines()
    found["valid/%s/refs-%s" % (t.area, name)] = Family(
        "Each ref of a %s record is inline, and empty or an index at the ends of its range."
        % title(name), good, t.edition)
    found["unspecified/%s/refs-%s" % (t.area, name)] = Family(
        "Each ref of a %s record to an index that was not registered%s."
        % (title(name), ", and as an inline string of length 0"
           if any(field in STRING_REFS for field in fields) else ""), lost, t.edition)


PADDED = [
    ("metadata", "provider_info", "word provider_info.header size=2 provider_id=1 name_length=3"),
    ("string_table", "string", "word string.header size=2 index=1 length=3"),
    ("event", "category", "word event.header size=3 event_type=0 thread=1 category=0x8003 name=1\n"
                          "u64 10"),
    ("event", "name", "word event.header size=3 event_type=0 thread=1 category=1 name=0x8003\n"
                      "u64 10"),
    ("argument", "name", "word event.header size=4 event_type=0 arg_count=1 thread=1 category=1 "
                         "name=1\nu64 10\nword arg_plain.header type=0 size=2 name=0x8003"),
    ("argument", "value", "word event.header size=4 event_type=0 arg_count=1 thread=1 category=1 "
                          "name=1\nu64 10\nword arg_string.header size=2 name=1 value=0x8003"),
    ("argument", "blob", "word event.header size=4 event_type=0 arg_count=1 thread=1 category=1 "
                         "name=1\nu64 10\nword arg_blob.header size=2 name=1 payload_size=3"),
    ("blob", "name", "word blob.header size=2 name=0x8003 payload_size=0 blob_type=1"),
    ("blob", "payload", "word blob.header size=2 name=1 payload_size=3 blob_type=1"),
    ("userspace_object", "name", "word userspace_object.header size=3 process=1 name=0x8003\n"
                                 "u64 0x7000"),
    ("kernel_object", "name", "word kernel_object.header size=3 object_type=1 name=0x8003\n"
                              "u64 100"),
    ("log", "message", "word log.header size=3 length=3 thread=1\nu64 10"),
    ("profiler", "module-name", "word module.header size=3 thread=1 module_id=1 name_length=3\n"
                                "u64 10"),
    ("profiler", "build-id", "word module.header size=3 thread=1 module_id=1 build_id_length=3\n"
                             "u64 10"),
    ("large", "category", "word large_blob.header size=4 blob_format=1\n"
                          "word large_blob.no_metadata category=0x8003 name=1\n*\nu64 0"),
    ("large", "name", "word large_blob.header size=4 blob_format=1\n"
                      "word large_blob.no_metadata category=1 name=0x8003\n*\nu64 0"),
    ("large", "payload", "word large_blob.header size=4 blob_format=1\n"
                         "word large_blob.no_metadata category=1 name=1\nu64 3"),
]
NO_TEXT = ("payload", "blob", "build-id")
CURRENT = ("profiler", "large")


def one_stream(head, stream):
    lines = head.split("\n")
    at = lines.index("*") if "*" in lines else len(lines)
    return lines[:at] + [stream] + lines[at + 1:]


def padding(found):
    for area, name, head in PADDED:
        lines = list(TABLES)
        for pad in ("0100000000", "0000000080"):
            lines += one_stream(head, 'stream "abc" pad=x"%s"' % pad)
        edition = "current" if area in CURRENT or name == "blob" else "2020"
        found["invalid/%s/padding-%s" % (area, name)] = Family(
            "The first, then the last byte of the padding after a stream (%s) is not zero."
            % name.replace("-", " "), lines + [END], edition, ["REC-05"])


def utf8(found):
    for area, name, head in PADDED:
        if name in NO_TEXT or (area, name) == ("kernel_object", "name"):
            continue
        edition = "current" if area in CURRENT else "2020"
        lines = list(TABLES)
        for text in ("c080", "eda080", "f4908080", "e282", "80", "ff", "f5808080", "e08080"):
            data = (bytes.fromhex(text) + b"ab")[:3] if len(text) < 8 else bytes.fromhex(text)
            lines += one_stream(sized(head, len(data)), 'stream x"%s"' % data.hex())
        found["invalid/%s/utf8-%s" % (area, name)] = Family(
            "Text (%s) that is not UTF-8: overlong, a surrogate, above U+10FFFF, cut off, a lone "
            "byte." % name.replace("-", " "), lines + [END], edition, ["STR-05"])


def sized(head, length):
    for field in ("0x8003", "name_length=3", "length=3"):
        if field in head:
            return head.replace(field, field[:-1] + str(length))
    raise KeyError(head)


def families():
    found = {}
    for name, t in templates().items():
        cut(found, name, t)
        short(found, name, t)
        tail(found, name, t)
        reserved(found, name, t)
        lengths(found, name, t)
        arg_counts(found, name, t)
        arg_sizes(found, name, t)
        refs(found, name, t)
    cut_bytes(found)
    tail_plain(found)
    reserved_plain(found)
    padding(found)
    utf8(found)
    return found
