"""What Frama-C sees of the program, normalised, by seen.ml."""
import collections
import functools
import os
import tempfile

from lib import machine, scope, wp

# The C library's headers that the library includes. What Frama-C's versions say is trusted, and
# known by its text, not by the name of a file.
HEADERS = ("limits.h", "stdbool.h", "stddef.h", "stdint.h", "string.h")

Row = collections.namedtuple("Row", "tag name file line digest what")


def read(source, directory):
    text = wp.frama_c(source, directory, {}, "-no-autoload-plugins", "-load-module", wp.module("seen"),
                      "-print-libc")
    lines = text.split("\n")
    if "end" not in lines:
        raise scope.Error("Frama-C gives up:\n%s" % text[-3000:])
    rows = [line.split("\t") for line in lines if line.count("\t") >= 4]
    return [Row(tag, name, os.path.basename(file), line, digest, "".join(what))
            for tag, name, file, line, digest, *what in rows]


@functools.lru_cache(maxsize=None)
def library(_):
    """The digests of what the C library says when it is alone."""
    with tempfile.TemporaryDirectory() as tmp:
        headers = os.path.join(tmp, "headers.c")
        with open(headers, "w") as unit:
            unit.writelines("#include <%s>\n" % name for name in HEADERS)
        return {row.digest for row in read(headers, tmp)}


@functools.lru_cache(maxsize=None)
def rows(program, _):
    return read(program.source, program.directory)


def look(program):
    """The rows of the program but for the C library's."""
    known = library(machine.name)
    return [row for row in rows(program, machine.name) if row.digest not in known]


def refused(program):
    """What is not allowed in what is proved."""
    for row in look(program):
        where = "%s:%s: %s" % (row.file, row.line, row.name)
        kind = "pointers" if row.what.endswith("of two pointers") else "tested"
        if row.tag == "refused" and (kind, row.name) not in scope.exceptions():
            yield "%s: %s is not allowed" % (where, row.what)
        elif row.tag == "promise":
            yield "%s is declared and not defined: what is said of it is not proved" % where


def proofs(program):
    """{function: (digest of all that its proof depends on, whether constants are among it)}"""
    found = {row.name: (row.digest, "constants" in row.what.split()) for row in rows(program, machine.name)
             if row.tag == "function"}
    for name in program.to_prove():
        if name not in found:
            raise scope.Error("%s: gcc sees this function, and Frama-C does not" % name)
    return found


def with_word(program, word):
    """The functions of which seen.ml says this word."""
    return {row.name for row in rows(program, machine.name) if row.tag == "function" and word in row.what.split()}


def pure(program):
    return with_word(program, "pure")
