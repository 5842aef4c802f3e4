"""What the families of vectors share: the frame of a trace, and one template of each record.

Every trace of a family has the same frame. It is made so that a reader with one error fails only
where that error is tested:

  PREAMBLE  the magic number, then what changes nothing (provider 0 and one tick a nanosecond are
            the default, but some readers need to be told), then a thread and two strings of whole
            words
  SENTINEL  an instant event whose refs are all indexed: every reader delivers one
"""
import copy
import re

import assemble
import model
import vectors

PREAMBLE = ["magic", 'provider_info provider_id=0 name="provider"',
            "initialization ticks_per_second=1000000000", "thread index=1 process=100 thread=101",
            'string index=1 value="category"', 'string index=2 value="sentinel"']
SENTINEL = "event instant timestamp=99 thread=@1 category=@1 name=@2"
BEFORE = "event instant timestamp=1 thread=@1 category=@1 name=@2"
NAME = 'string index=3 value="argument"'  # of arguments
MAX = (1 << 64) - 1
CLASSES = ("malformed", "nonconforming", "suspicious")


def around(lines):
    """The lines in the frame. The sentinel proves that reading goes on behind them. Lines that introduce
    provider 0 stand in place of the frame's own introduction: nothing introduces it twice [R22]."""
    lines = list(lines)
    if any(re.match(r"(word )?provider_info.* provider_id=0 ", line) for line in lines):
        return PREAMBLE[:1 if introduces(lines) else 2] + lines + PREAMBLE[2:] + [SENTINEL]
    return PREAMBLE + lines + [SENTINEL]


def introduces(lines):
    """Whether they have a provider info record that is not refused."""
    seen = model.look(assemble.assemble("\n".join(lines).encode("utf-8")))
    return any(record["record"] == "provider_info" for record in seen.records)


def vector(id, why, mistake, lines, tests=None, **more):
    """A source. Without `tests` it tests the gravest rule that it breaks."""
    source = vectors.Source(id, apart(list(lines)), why, mistake, tests, **more)
    grave = {rule for rule in source.broken() if vectors.RULES[rule][0] in CLASSES}
    if tests is None:
        source.tests = min(grave, key=lambda rule: (CLASSES.index(vectors.RULES[rule][0]), rule))
    elif any(vectors.RULES[rule][0] == "malformed" for rule in grave):
        assert tests in grave, (id, tests, grave)
    return source


def apart(lines):
    """The lines, with each switch on a processor of its own: SCH-06 and SCH-07 are not meant."""
    number = 0
    for i, line in enumerate(lines):
        if re.match(r"word (legacy|context)_switch", line):
            number += 1
            lines[i] = line.replace(" cpu=1 ", " cpu=%d " % number)
    return lines


class Word:
    """A line `word NAME field=value …`."""
    def __init__(self, word, **fields):
        self.word = word
        self.fields = fields

    def line(self):
        text = "word " + self.word
        for field, value in self.fields.items():
            wide = field == "bits" or model.LAYOUT[self.word][field][1] == 16 and value >= 0x8000
            text += (" %s=0x%x" if wide else " %s=%d") % (field, value)
        return text


class Template:
    """One record, a line for each word. body: (tag, line); the tag is the ref field whose stream or
    koids the line is, "arg" for the words of its argument, the name of a field that fills the word,
    else None."""
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

    def words(self):
        return [self.header] + [line for _, line in self.body if isinstance(line, Word)]

    def lines(self, count=None):
        """The first `count` words."""
        lines = [self.header] + [line for _, line in self.body]
        return [line.line() if isinstance(line, Word) else line for line in lines[:count]]

    def holder(self, field):
        """The word that has the field."""
        for word in self.words():
            if field in word.fields and not word.word.startswith("arg"):
                return word
        raise KeyError(field)

    def has(self, tag):
        return any(tag == other for other, _ in self.body)

    def set_ref(self, field, value, *streams):
        """Changes a ref, and what stands for it in the record."""
        self.holder(field).fields[field] = value
        places = [i for i, (tag, _) in enumerate(self.body) if tag == field]
        rest = [(tag, line) for tag, line in self.body if tag != field]
        rest[places[0]:places[0]] = [(field, line) for line in streams]
        return self.resized(rest)

    def set_word(self, tag, value):
        """Changes the words of a field that is a word of its own."""
        return self.resized([(other, "u64 %d" % value if other == tag else line)
                             for other, line in self.body])

    def without_args(self):
        if self.has("arg"):
            self.holder("arg_count").fields["arg_count"] = 0
        return self.resized([(tag, line) for tag, line in self.body if tag != "arg"])

    def with_args(self, count, lines):
        """The record with these words as its arguments."""
        self.holder("arg_count").fields["arg_count"] = count
        places = [i for i, (tag, _) in enumerate(self.body) if tag == "arg"]
        rest = [(tag, line) for tag, line in self.body if tag != "arg"]
        rest[places[0]:places[0]] = [("arg", line) for line in lines]
        return self.resized(rest)

    def resized(self, body):
        self.body = body
        self.header.fields["size"] = self.size()
        return self

    def plain(self, but=None, args=False):
        """The record with indexed refs and without arguments: the usual form, with the fewest
        kinds. The ref of `but` stays inline; so do the arguments with `args`."""
        out = self.copy() if args else self.copy().without_args()
        for field in STRING_REFS + THREAD_REFS:
            # The incoming thread of a switch is another one than the outgoing.
            if out.has(field) and field not in (but, "incoming_thread"):
                out.set_ref(field, 1)
        return out


STRING_REFS = ("category", "name")
THREAD_REFS = ("thread", "process", "outgoing_thread", "incoming_thread")


def arg(word, type, size, value=None, **fields):
    """An argument of the template, named "arg-name"."""
    lines = [Word("arg_" + word + ".header" if word else "arg.header", type=type, size=size,
                  name=0x8008, **fields), 'stream "arg-name"']
    if value is not None:
        lines.append(value)
    return [("arg", line) for line in lines]


def templates():
    """Each record in its longest form: all refs inline, one argument."""
    koids = lambda field, thread=101: [(field, "u64 100"), (field, "u64 %d" % thread)]
    text = lambda field: [(field, 'stream "word-%s"' % field[:3])]
    one = lambda number, tag=None: [(tag, "u64 %s" % number)]
    ts = one(10, "timestamp")
    T = Template
    return {
        "provider_info": T("metadata", "2020", "provider_info.header",
                           dict(provider_id=0, name_length=8), [(None, 'stream "provider"')]),
        "provider_section": T("metadata", "2020", "provider_section.header", dict(provider_id=0),
                              []),
        "provider_event": T("metadata", "2020", "provider_event.header",
                            dict(provider_id=0, event_id=0), []),
        "initialization": T("initialization", "2020", "initialization.header", {},
                            one(10**9, "ticks_per_second")),
        "string": T("string_table", "2020", "string.header", dict(index=4, length=8),
                    [(None, 'stream "alphabet"')]),
        "thread": T("thread_table", "2020", "thread.header", dict(index=4),
                    one(100, "process_koid") + one(102, "thread_koid")),
        "event": T("event", "2020", "event.header",
                   dict(event_type=4, arg_count=1, thread=0, category=0x8008, name=0x8008),
                   ts + koids("thread") + text("category") + text("name") +
                   arg("plain", 4, 3, "u64 5") + one(77, "end")),
        "blob": T("blob", "2020", "blob.header", dict(name=0x8008, payload_size=8, blob_type=1),
                  text("name") + [(None, 'stream x"0102030405060708"')]),
        "userspace_object": T("userspace_object", "2020", "userspace_object.header",
                              dict(process=0, name=0x8008, arg_count=1),
                              one("0x7000", "pointer") + [("process", "u64 100")] + text("name") +
                              arg("", 2, 2, data=3)),
        "kernel_object": T("kernel_object", "2020", "kernel_object.header",
                           dict(object_type=2, name=0x8008, arg_count=1),
                           one(102, "koid") + text("name") + arg("plain", 8, 3, "u64 100")),
        "legacy_switch": T("scheduling", "2020", "legacy_switch.header",
                           dict(cpu=1, outgoing_state=3, outgoing_thread=0, incoming_thread=0,
                                outgoing_priority=4, incoming_priority=5),
                           ts + koids("outgoing_thread", 103) + koids("incoming_thread", 104)),
        "context_switch": T("scheduling", "current", "context_switch.header",
                            dict(arg_count=1, cpu=1, outgoing_state=3),
                            ts + one(101, "outgoing_koid") + one(102, "incoming_koid") +
                            arg("", 2, 2, data=4)),
        "thread_wakeup": T("scheduling", "current", "thread_wakeup.header",
                           dict(arg_count=1, cpu=1),
                           ts + one(101, "waking_thread") + arg("", 2, 2, data=4)),
        "log": T("log", "2020", "log.header", dict(length=8, thread=0),
                 ts + koids("thread") + [(None, 'stream "log line"')]),
        "module": T("profiler", "current", "module.header",
                    dict(thread=0, module_id=1, name_length=8, build_id_length=8),
                    ts + koids("thread") + [(None, 'stream "libcc.so"'),
                                            (None, 'stream x"1122334455667788"')]),
        "mmap": T("profiler", "current", "mmap.header", dict(thread=0, module_id=1, flags=0),
                  ts + koids("thread") + one("0x1000", "start_address") +
                  one("0x2000", "address_range") + one("0x300", "vaddr")),
        "backtrace": T("profiler", "current", "backtrace.header", dict(thread=0, frame_count=2),
                       ts + koids("thread") + one("0x1000", "frame") + one("0x2000", "frame")),
        "large_blob-0": T("large", "current", "large_blob.header", dict(blob_format=0),
                          [(None, Word("large_blob.metadata", category=0x8008, name=0x8008,
                                       arg_count=1, thread=0))] +
                          text("category") + text("name") + ts + koids("thread") +
                          arg("", 2, 2, data=3) + [("size", "u64 8"),
                                                   (None, 'stream x"0102030405060708"')]),
        "large_blob-1": T("large", "current", "large_blob.header", dict(blob_format=1),
                          [(None, Word("large_blob.no_metadata", category=0x8008, name=0x8008))] +
                          text("category") + text("name") +
                          [("size", "u64 8"), (None, 'stream x"0102030405060708"')]),
    }


def title(name):
    """The record in prose."""
    if name.startswith("large"):
        return "large blob (format %s)" % name[-1]
    return name.replace("_", " ")


def a(name):
    text = title(name)
    return ("an " if text[0] in "aeiou" else "a ") + text
