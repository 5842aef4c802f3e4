"""What follows from spec/args.tbl: wherever code, contracts or lemmas list the types of arguments.

A place is a file and a pattern that occurs in it once; what its second group matches is generated.
The files stay as they are otherwise, and have no marks, so that they need no other proof.
"""
import os
import re
import sys
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Where the value of a shape is. One in the header has no words of its own.
PLACES = {"nothing": "nowhere", "int32": "header", "uint32": "header", "int64": "word",
          "uint64": "word", "double": "word", "string": "string", "address": "word",
          "bool": "header", "blob": "blob"}
TYPES = 16
# How the page of fxt html reads what src/tools/fxt/html/args.c writes.
PAGE = {
    "nothing": "() => 'null'",
    "int32": "(cursor) => String(cursor.signed())",
    "uint32": "(cursor) => String(cursor.big())",
    "int64": "(cursor) => String(cursor.signed())",
    "uint64": "(cursor) => String(cursor.big())",
    "double": "(cursor) => String(cursor.double())",
    "string": "(cursor) => text.decode(cursor.take(cursor.number()))",
    "address": "(cursor) => `0x${cursor.big().toString(16)}`",
    "bool": "(cursor) => String(cursor.big() !== 0n)",
    "blob": """(cursor) => {
    const size = cursor.number();
    const shown = Math.min(size, 64);
    return `${size} bytes: ${hex(cursor.take(shown))}${size > shown ? ' …' : ''}`;
  }"""}


class Arg:
    def __init__(self, number, cells, layout):
        self.number = number
        self.name, self.word, self.shape, self.edition, counter = cells
        if self.shape not in PLACES or self.edition not in ("2020", "current") or \
                counter not in ("yes", "no") or number >= TYPES or self.word not in layout:
            sys.exit("spec/args.tbl: %s: bad line" % self.name)
        self.place = PLACES[self.shape]
        self.is_counter = counter == "yes"
        self.const = "FXT_ARG_" + self.name.upper()
        self.has_reserved = sum(field.width for field in layout[self.word]) < 64
        self.max = 2 ** layout[self.word][-1].width - 1

    def word_c(self):
        return self.word.replace(".", "_")


def spans(name, numbers):
    """Whether `name` is one of the numbers, in the logic."""
    runs = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return " || ".join("%s == %d" % (name, low) if low == high else
                       "%d <= %s <= %d" % (low, name, high) for low, high in runs)


def spans_c(name, args):
    """The same in C, where a range is two comparisons."""
    numbers, out = [arg.number for arg in args], []
    while numbers:
        count = next(i for i in range(1, len(numbers) + 1)
                     if i == len(numbers) or numbers[i] != numbers[0] + i)
        run, numbers = numbers[:count], numbers[count:]
        out += ["(%d <= %s && %s <= %d)" % (run[0], name, name, run[-1])] if count > 2 else \
            ["%s == %d" % (name, number) for number in run]
    return " || ".join(out)


def columns(cells, width):
    """Lines of so many cells, each but the last padded to its column."""
    lines = [cells[i:i + width] for i in range(0, len(cells), width)]
    pads = [max(len(line[i]) for line in lines if i < len(line)) for i in range(width)]
    return ["    " + " ".join(cell.ljust(pad) for cell, pad in zip(line, pads)).rstrip()
            for line in lines]


def cases(args):
    return "".join("    case %s:\n" % arg.const for arg in args)


def enumeration(args):
    lines = ["    %s = %d%s%s\n" % (arg.const, arg.number, "," if arg is not args[-1] else "",
                                    " /* edition current */" if arg.edition == "current" else "")
             for arg in args]
    return "".join(lines)


def framed(args):
    """The rows of src/read/arg.h, of types with a value behind the header."""
    parts = {"word": "{1, 0, 0}", "string": "{0, 1, 0}", "blob": "{0, 0, 1}"}
    cells = ["[%s] = %s," % (arg.const, parts[arg.place]) for arg in args if arg.place in parts]
    return "".join(line + "\n" for line in columns(cells, 3))


def reserved(args):
    """The cases of src/check/walk_arg.c, by the words of the headers; arg_plain is the default."""
    whole = [arg for arg in args if not arg.has_reserved]
    out = cases(whole) + "        return 0;\n"
    for word in dict.fromkeys(arg.word_c() for arg in args if arg.has_reserved):
        if word != "arg_plain_header":
            out += cases([arg for arg in args if arg.word_c() == word])
            out += "        return fxt_%s_reserved(header);\n" % word
    return out


def plain(args):
    """The rows of src/check/plain_event.c."""
    out, left = "", "UINT64_MAX, 0, 0, 0"
    for arg in args:
        mask = "FXT_%s_RESERVED" % arg.word_c().upper() if arg.has_reserved else "0"
        row = "%s, %d, %d, %d" % (mask, 1 + (arg.place == "word"), arg.is_counter,
                                  arg.place == "string")
        out += "    [%s] = {%s},\n" % (arg.const, left if arg.place == "blob" else row)
    return out + "".join("    [%d] = {%s},\n" % (n, left) for n in range(len(args), TYPES))


def rows(args):
    """The rows of src/convert/args.h."""
    lines = ['    ROW(%s, "%s", "%s", %s)' % (arg.const, arg.name, arg.word, arg.shape.upper())
             for arg in args]
    return "".join(line.ljust(99) + "\\\n" for line in lines[:-1]) + lines[-1]


def of_2020(args):
    """Whether a plain argument is of edition 2020."""
    later = ["fxt_arg_header_type(header) != " + arg.const for arg in args
             if arg.edition == "current" and arg.place != "blob"]
    return later[0] if len(later) == 1 else "(%s)" % " && ".join(later)


def page(args):
    return "".join("  %d: %s,\n" % (arg.number, PAGE[arg.shape]) for arg in args)


def writable(args):
    """What the logic says of the types that a writer takes, and of their values in headers."""
    most = {}
    for arg in args:
        if arg.place == "header":
            most.setdefault(arg.max, []).append(arg.number)
    limits = ["(%s ==> a->value <= %d) &&\n" % (spans("a->type", numbers), limit)
              for limit, numbers in most.items()]
    return "a->type <= %d && " % args[-1].number + "  @   ".join(limits)


def places(args):
    """[(file, pattern, text)]"""
    of = lambda *kinds: [arg for arg in args if arg.place in kinds]
    numbers = lambda *kinds: [arg.number for arg in of(*kinds)]
    wide = [arg for arg in of("header") if arg.max == 2 ** 32 - 1]
    any_of = lambda name, some: " || ".join("%s == %s" % (name, arg.const) for arg in some)
    last, later = args[-1], next(arg for arg in args if arg.edition == "current")
    return [
        ("src/include/fxt/record.h", r"(enum \{\n)(    FXT_ARG_\w+ = .*?)(\};)", enumeration(args)),
        ("src/include/fxt/write.h", r"(argument type above )(\d+)(,)", str(last.number)),
        ("spec/acsl/read.h", r"(l_arg_own_words\(integer type\) =\n  @   )(.*?)( \? 1 : 0;)",
         " || ".join("type == %d" % number for number in numbers("word"))),
        ("spec/acsl/write.h", r"(l_words_of\(a->blob\.size\) :\n  @   \()([^\n]*)(\) \? 1 : 0;)",
         spans("a->type", numbers("word"))),
        ("spec/acsl/write.h", r"(l_value_data\(\w+ \w+ \*a\) =\n  @   \()(.*?)(\) \? a->value)",
         spans("a->type", numbers("header"))),
        ("spec/acsl/write.h", r"(writable_value\([^\n]*\n  @   )(.*?)(  @   \(a->type == 6 )",
         writable(args)),
        ("spec/acsl/same.h", r"(  @   \(\()([^;&]*)(\) ==> b->value == a->value\) &&)",
         spans("a->type", numbers("header", "word"))),
        ("spec/acsl/same.h", r"(canonical_arg_word\(integer w\) =[^<]*<= )(\d+)( )",
         str(last.number)),
        ("src/read/arg.h", r"(fxt_i_arg_kinds\[16\] = \{\n)(.*?)(\};)", framed(args)),
        ("src/write/arg.c", r"(ARG_NULL:\n        break;\n)(.*?)(        if \(arg->value > UINT)",
         cases(wide)),
        ("src/write/arg.c", r"(break;\n)((?:    case FXT_ARG_\w+:\n)*)(        value.words = 1;)",
         cases(of("word"))),
        ("src/write/explain.c", r"(if \(arg->type > )(FXT_ARG_\w+)(\))", last.const),
        ("src/write/explain.c", r"(if \(\()([^;]*arg->value > UINT32_MAX)(\))",
         any_of("arg->type", wide) + ") && arg->value > UINT32_MAX"),
        ("src/check/walk_arg.c", r"(    switch \(type\) \{\n)(.*?)(    default:)", reserved(args)),
        ("src/check/walk_arg.c", r"(if \(arg\.type > )(FXT_ARG_\w+)(\))", last.const),
        ("src/check/walk_arg.c", r"(if \(arg\.type >= )(FXT_ARG_\w+)(\))", later.const),
        ("src/check/plain_event.c", r"(plain_args\[16\] = \{\n)(.*?)(\};)", plain(args)),
        ("src/check/plain_event.c", r"(edition != FXT_EDITION_2020 \|\| )([^;]*)(\);)",
         of_2020(args)),
        ("src/convert/args.h", r"(FXT_CONVERT_ARG_TYPES\(ROW\) *\\\n)(.*?)(\n\n)", rows(args)),
        ("src/tools/fxt/html/page/data.js", r"(const readers = \{\n)(.*?)(\};)", page(args)),
        ("proofs/lemmas/args.h", r"(    if \()([^;]*)(\)\n        return \(uint32_t\)a->value;)",
         any_of("a->type", of("header"))),
        ("proofs/lemmas/args.h", r"(    return )([^;]*)( \? 1 : 0;)",
         spans_c("a->type", of("word"))),
        ("proofs/lemmas/args.h", r"(    else if \()([^;]*)(\)\n        same_word\()",
         spans_c("d->type", of("word"))),
    ]


def fold(line):
    """A line of at most 100 columns, or the lines that it breaks into: between alternatives."""
    pad = "  @     " if line.startswith("  @") else " " * (line.find("(") + 1)
    if len(line) <= 100 or not (" || " in line or " && " in line):
        return line
    glued = re.sub(r"(?<!\|\|)(?<!&&) ", "\0", line)
    lines = textwrap.wrap(glued, 100, subsequent_indent=pad, break_on_hyphens=False)
    return "\n".join(lines).replace("\0", " ")


def read(layout):
    with open(os.path.join(ROOT, "spec/args.tbl"), encoding="utf-8") as file:
        cells = [cell for cell in (line.split("#")[0].split() for line in file) if cell]
    if any(len(line) != 5 for line in cells):
        sys.exit("spec/args.tbl: 5 columns expected")
    return [Arg(number, line, layout) for number, line in enumerate(cells)]


def fill(texts, args):
    """Fills the places in the texts of files; those that are not among them are read."""
    for path, pattern, text in places(args):
        if path not in texts:
            with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                texts[path] = file.read()
        filled, count = re.subn(pattern, lambda m: m.group(1) + text + m.group(3), texts[path],
                                flags=re.S)
        if count != 1:
            sys.exit("%s: %d places match %s" % (path, count, pattern))
        texts[path] = "\n".join(map(fold, filled.split("\n")))
