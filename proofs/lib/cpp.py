"""The preprocessor: what the prover reads and what the compiler reads is the same text, but for the
conditions that the ledger lists. So only directives are allowed that cannot tell the two apart
unseen, and no name that one of them defines and the other does not."""
import hashlib
import os
import re
import subprocess

from lib import scope

LEDGER = "proofs/ASSUMPTIONS.md"
DIRECTIVES = ("include", "define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif")
CONDITIONS = ("if", "ifdef", "ifndef", "elif")
# Names that are reserved for the compiler: these alone, and in a condition the prover's and C++'s.
RESERVED = ("__attribute__", "_Static_assert", "__builtin_memcpy", "__builtin_prefetch", "__GNUC__",
            "__BYTE_ORDER__", "__ORDER_LITTLE_ENDIAN__")
ASKED = ("__FRAMAC__", "__cplusplus")


def code(text):
    """The text as directives are looked for in it: lines joined, then comments left out."""
    return re.sub(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|/\*.*?\*/|//[^\n]*",
                  lambda m: " " if m.group()[0] == "/" else m.group(),
                  re.sub(r"\\[ \t]*\n", "", text), flags=re.S)


def directives(text):
    """[(place in the code, word, rest)]"""
    return [(m.start(), m.group(1), re.sub(r"\s+", " ", m.group(2)).strip())
            for m in re.finditer(r"^[ \t]*#[ \t]*(\w*)(.*)$", code(text), re.M)]


def guard(text):
    """Whether the file as a whole stands in an include guard."""
    lines = [line.split() for line in code(text).split("\n") if line.strip()]
    return (len(lines) > 2 and lines[0][0] == "#ifndef" and lines[1] == ["#define", lines[0][-1]] and
            lines[-1] == ["#endif"])


def conditions(text):
    """[(condition, digest of what it decides)] but for the include guard."""
    found, open_, source = [], [], code(text)
    for place, word, rest in directives(text):
        if word in CONDITIONS:
            if word != "elif":
                open_.append(place)
            found.append((open_[-1] if open_ else 0, place, (word + " " + rest).strip()))
        elif word == "endif" and open_:
            start, whole = open_.pop(), source[:place]
            digest = hashlib.sha256(" ".join(whole[start:].split()).encode()).hexdigest()[:8]
            found = [(None, at, what, digest) if begin == start else (begin, at, what, *more)
                     for begin, at, what, *more in found]
    return [(what, *more) for _, _, what, *more in found[1 if guard(text) else 0:]]


def check(path, text):
    for sign in re.findall(r"[^\n\t -~\x80-\U0010ffff]|\?\?[=/'()!<>-]|%:", text):
        yield "%s: %r is not allowed" % (path, sign)
    for _, word, rest in directives(text):
        if word not in DIRECTIVES:
            yield "%s: #%s %s is not allowed" % (path, word, rest)
        elif word == "include" and not re.fullmatch(r'"[^"]+"|<[^>]+>', rest):
            yield "%s: #include %s is not allowed" % (path, rest)
    for line in code(text).split("\n"):
        asks = re.match(r"[ \t]*#[ \t]*(%s)\b" % "|".join(CONDITIONS), line)
        for name in re.findall(r"\b_\w*", line):
            if name not in RESERVED and not (asks and name in ASKED):
                yield "%s: %s is not allowed" % (path, name)


def check_ledger(root, paths):
    """The ledger lists each condition: no. | `file` | `condition` | digest of what it decides."""
    listed = {}
    for path, condition, digest in re.findall(
            r"^\| A\d+ \| `([^`]+)` \| `([^`]+)` \| (\w+) \|$",
            open(os.path.join(root, LEDGER)).read(), re.M):
        listed.setdefault(path, []).append((condition, digest))
    for path in paths:
        here = sorted(conditions(open(os.path.join(root, path)).read()))
        there = sorted(listed.pop(path, []))
        if here != there:
            yield "%s: conditions %s in the code, %s in %s" % (path, here, there, LEDGER)
    for path in listed:
        yield "%s lists %s, which is not in scope" % (LEDGER, path)


def library():
    """Where Frama-C has its headers of the C library."""
    return subprocess.run(["frama-c", "-print-share-path"], capture_output=True,
                          text=True).stdout.strip() + "/libc"


def included(path, root, library=None):
    """What is preprocessed with a file: for the compiler, or with Frama-C's C library for the
    prover. Files of the C library are left out."""
    prover = [] if library is None else ["-D__FRAMAC__", "-D__FC_MACHDEP_GCC_X86_64", "-nostdinc",
                                         "-I" + library]
    done = subprocess.run(["gcc", "-std=c11", "-M", "-MG", *prover, "-I" + root,
                           "-I%s/src/include" % root, "-x", "c", os.path.join(root, path)],
                          capture_output=True, text=True)
    names = done.stdout.replace("\\\n", " ").split()[1:]
    system = (library,) if library else ("/usr/include/", "/usr/lib/")
    return {os.path.relpath(os.path.join(root, name), root) for name in names
            if not name.startswith(system)}


def check_included(path, root, library, allowed, logic):
    compiled, proved = included(path, root), included(path, root, library)
    for name in sorted(proved - set(allowed) - set(logic)):
        yield "%s includes %s, which is not in scope" % (path, name)
    for name in sorted((compiled ^ proved) - set(logic)):
        yield "%s: the prover and the compiler do not both read %s" % (path, name)
