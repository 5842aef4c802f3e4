"""The public headers of libfxtref as data, for the generators of the bindings.

The headers keep to few forms, on purpose: anonymous and named enums, structs of plain members, numbers
as macros, prototypes behind FXT_API, the two families of decoders and encoders, and static inline
functions. What has another form is refused, so that nothing is left out in silence.
"""
import os
import re
from collections import namedtuple

INCLUDE = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "src", "include")
HEADERS = ("rule", "status", "version", "record", "read", "write", "explain", "intern", "tables", "events",
           "check", "buffer")

Function = namedtuple("Function", "name result parameters")  # parameters: [(name, type)]
Type = namedtuple("Type", "name pointers const count")  # count: of an array, or None


def plain(name):
    """The text of a header without comments, logic, and lines for C++ and other compilers."""
    with open(os.path.join(INCLUDE, "fxt", name + ".h"), encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", " ", file.read(), flags=re.S)
    text = re.sub(r"#ifdef __FRAMAC__.*?#endif", "", text, flags=re.S)
    return re.sub(r"\\\n", " ", text)


def declaration(text, numbers):
    """(name, Type) of a member or a parameter."""
    match = re.fullmatch(r"\s*((?:const\s+)?)(?:struct |enum )?(\w+)\s*(\**)\s*(\w+)\s*"
                         r"(?:\[([^\]]+)\])?\s*", text)
    if match is None:
        raise ValueError("not understood: %r" % text)
    const, kind, pointers, name, count = match.groups()
    return name, Type(kind, len(pointers), bool(const), number(count, numbers) if count else None)


def number(text, numbers):
    text = re.sub(r"UINT64_C\((\w+)\)", r"\1", text.strip())
    text = re.sub(r"\b(\d+|0x[0-9a-f]+)u\b", r"\1", text)
    return eval(text, {"__builtins__": {}}, dict(numbers))  # of our own headers


class Headers:
    def __init__(self):
        self.numbers, self.enums, self.structs, self.functions, self.inline = {}, {}, {}, [], []
        for name in HEADERS:
            self.take(plain(name))

    def take(self, text):
        for name, value in re.findall(r"^#define (FXT_[A-Z_0-9]+) +([^\s\"].*)$", text, re.M):
            if re.fullmatch(r"(UINT64_C\()?(0x)?[0-9a-f]+u?\)?", value.strip()):
                self.numbers[name] = number(value, self.numbers)
        for name, body in re.findall(r"^enum ?(\w*) \{(.*?)\};", text, re.M | re.S):
            self.enumerators(name, body)
        for name, body in re.findall(r"^struct (\w+) \{(.*?)\};", text, re.M | re.S):
            self.structs[name] = [declaration(it, self.numbers) for it in body.split(";") if it.strip()]
        text = re.sub(r"^#define .*$", "", text, flags=re.M)
        for pattern, found in ((r"^FXT_API ([^;{]*?);", self.functions),
                               (r"^static inline ([^;{]*?)\{", self.inline)):
            found += [self.prototype(it) for it in re.findall(pattern, text, re.M | re.S)]
        for family, name in re.findall(r"^FXT_(DECODER|ENCODER|ENCODER_WITH_ARGS)\((\w+)\);", text, re.M):
            self.functions.append(self.codec(family, name))

    def enumerators(self, enum, body):
        value = -1
        names = []
        for one in filter(None, (it.strip() for it in body.split(","))):
            name, _, given = (it.strip() for it in one.partition("="))
            value = number(given, self.numbers) if given else value + 1
            self.numbers[name] = value
            names.append(name)
        if enum:
            self.enums[enum] = names

    def prototype(self, text):
        before, name, parameters = re.fullmatch(r"(.*?)(\w+)\((.*)\)\s*", text, re.S).groups()
        listed = [] if parameters.strip() == "void" else parameters.split(",")
        result = declaration(before + " result", self.numbers)[1]
        return Function(name, result, [declaration(" ".join(it.split()), self.numbers)
                                       for it in listed])

    def codec(self, family, name):
        form = {"DECODER": "enum fxt_status fxt_read_%s(const struct fxt_record *record, "
                           "struct fxt_%s *out, struct fxt_error *error)",
                "ENCODER": "enum fxt_status fxt_write_%s(struct fxt_writer *writer, "
                           "const struct fxt_%s *in)",
                "ENCODER_WITH_ARGS": "enum fxt_status fxt_write_%s(struct fxt_writer *writer, "
                                     "const struct fxt_%s *in, const struct fxt_arg *args, "
                                     "size_t arg_count)"}[family]
        return self.prototype(form % (name, name))
