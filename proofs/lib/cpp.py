"""The preprocessor: what the prover reads and what the compiler reads is the same text, but for the
functions that the ledger lists."""
import hashlib
import os
import re
import subprocess
import tempfile

from lib import scope, wp

LEDGER = "proofs/ASSUMPTIONS.md"
DIRECTIVES = ("include", "define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif")
CONDITIONS = ("if", "ifdef", "ifndef", "elif")
# Names that are reserved for the compiler: these alone, and in a condition those that choose attributes,
# the language, the order of bytes, and the prover.
RESERVED = ("__attribute__", "__extension__", "_Static_assert", "__builtin_memcpy", "__builtin_prefetch",
            "__builtin_bswap64", "__atomic_store_n", "__ATOMIC_RELEASE", "__ATOMIC_RELAXED", "__GNUC__",
            "__BYTE_ORDER__", "__ORDER_LITTLE_ENDIAN__")
ASKED = ("__FRAMAC__", "__cplusplus", "__clang__", "__GNUC__", "__BYTE_ORDER__", "__ORDER_LITTLE_ENDIAN__",
         "FXT_HIDDEN", "defined")
PRAGMA = r'GCC visibility (push\(hidden\)|pop)|GCC diagnostic ignored "-W[a-z-]+"'
PROTOTYPE = re.compile(r"[\w\s*]*\b(\w+)\s*\((?:[^(){}]|\([^(){}]*\))*\)\s*;")
# All that the program takes from the C library: other names have other values for Frama-C, such as
# UINT_FAST32_MAX.
TYPES = ("uint8", "uint16", "uint32", "uint64", "int32", "int64", "uintptr")
LIMITS = ("UINT8_MAX", "UINT16_MAX", "UINT32_MAX", "UINT64_MAX", "INT32_MAX", "INT64_MAX")
LIBRARY = {
    "limits.h": "#define CHAR_BIT __CHAR_BIT__\n",
    "stdbool.h": "#define bool _Bool\n#define true 1\n#define false 0\n",
    "stddef.h": "#define NULL ((void *)0)\ntypedef __SIZE_TYPE__ size_t;\n",
    "stdint.h": "".join("typedef __%s_TYPE__ %s_t;\n" % (name.upper(), name) for name in TYPES) + "".join(
        "#define %s __%s__\n" % (name, name) for name in LIMITS) +
                "#define UINT32_C __UINT32_C\n#define UINT64_C __UINT64_C\n",
    "string.h": "#include <stddef.h>\nvoid *memcpy(void *, const void *, size_t);\n",
}


def code(text):
    """The text as directives are looked for in it: lines joined, then comments left out."""
    return re.sub(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|/\*.*?\*/|//[^\n]*",
                  lambda m: " " if m.group()[0] == "/" else m.group(),
                  re.sub(r"\\[ \t]*\n", "", text), flags=re.S)


def check_text(path, text):
    """Nothing is written in a way that tells the prover from the compiler unseen."""
    for sign in re.findall(r"[^\n\t -~\x80-\U0010ffff]|\?\?[=/'()!<>-]|%:", text):
        yield "%s: %r is not allowed" % (path, sign)
    lines = code(text).split("\n")
    for i, line in enumerate(lines):
        found = re.match(r"[ \t]*#[ \t]*(\w*)(.*)$", line)
        word, rest = found.groups() if found else ("", "")
        rest = rest.strip()
        asks = word in CONDITIONS
        if found and word not in DIRECTIVES and not (word == "pragma" and re.fullmatch(PRAGMA, rest)):
            yield "%s: #%s %s is not allowed" % (path, word, rest)
        elif word == "include" and not re.fullmatch(r'"[^"]+"|<[^>]+>', rest):
            yield "%s: #include %s is not allowed" % (path, rest)
        guard = word == "ifndef" and i + 1 < len(lines) and lines[i + 1].split()[:2] == ["#define", rest]
        for name in re.findall(r"\b[A-Za-z_]\w*", rest) if asks and not guard else ():
            if name not in ASKED:
                yield "%s: a condition on %s is not allowed" % (path, name)
        for name in re.findall(r"\b_\w*", line):
            if name not in RESERVED and not (asks and name in ASKED):
                yield "%s: %s is not allowed" % (path, name)


def preprocessed(program, *options):
    """What gcc's preprocessor gives, in pieces: declarations and definitions, each in one line."""
    done = subprocess.run(["gcc", "-std=c11", "-E", "-P", *options, program.source], capture_output=True,
                          text=True, cwd=program.directory)
    if done.returncode:
        raise scope.Error("gcc fails:\n" + done.stderr)
    text = "\n".join(line for line in done.stdout.split("\n") if not line.startswith("#"))
    found, depth, piece, body = [], 0, [], False
    for token in re.findall(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|\w+|\S", text):
        if token == "{" and depth == 0:
            body = piece[-1:] == [")"]
        piece.append(token)
        depth += (token in "{(") - (token in "})")
        if depth == 0 and (token == ";" or token == "}" and body):
            found.append(" ".join(piece))
            piece, body = [], False
    return found + [" ".join(piece)] * bool(piece)


def name_of(piece):
    found = re.search(r"\b(\w+) \(", re.sub(r"__attribute__ (\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))", "", piece))
    return found.group(1) if found else piece[:60]


def differences(compiled, proved):
    """{name: digest of what the two read}, but for functions that the prover sees declared once more."""
    both, found = set(compiled) & set(proved), {}
    known = {name_of(piece) for piece in compiled}
    for piece in [p for p in compiled if p not in both] + [p for p in proved if p not in both]:
        again = piece in proved and PROTOTYPE.fullmatch(re.sub(r"__attribute__ \( \(.*?\) \)(?= \w| ;)", "", piece))
        if not (again and name_of(piece) in known):
            found.setdefault(name_of(piece), []).append(piece)
    return {name: hashlib.sha256("\n".join(pieces).encode()).hexdigest()[:8] for name, pieces in found.items()}


def check_ledger(found):
    """The ledger lists each function: no. | `function` | digest of its two texts."""
    with open(os.path.join(scope.ROOT, LEDGER)) as file:
        listed = dict(re.findall(r"^\| A\d+ \| `(\w+)` \| (\w+) \|$", file.read(), re.M))
    for name in sorted({**found, **listed}):
        if found.get(name) != listed.get(name):
            yield "%s: what the prover and the compiler read is %s, and in %s %s" % (
                name, found.get(name, "the same"), LEDGER, listed.get(name, "not there"))


def check_library(program):
    """The program compiles, for both, with a C library that has nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in LIBRARY.items():
            with open(os.path.join(folder, name), "w") as header:
                header.write(text)
        for options in [], wp.PREPROCESSOR:
            done = subprocess.run(["gcc", "-std=c11", "-w", "-fsyntax-only", "-fno-builtin", "-nostdinc",
                                   "-Werror=implicit-function-declaration", "-isystem", folder, *options,
                                   program.source], capture_output=True, text=True, cwd=program.directory)
            for error in re.findall(r"error: (.*)", done.stderr):
                yield "nothing else is taken from the C library: %s" % error


def check(program):
    for name in ("fxtref.h", "fxtref.c", "program.c"):
        yield from check_text(name, program.text(name))
    yield from check_library(program)
    yield from check_ledger(differences(preprocessed(program), preprocessed(program, *wp.PREPROCESSOR)))
