"""What Frama-C sees of a file: everything that is preprocessed with it, normalised, by seen.ml."""
import collections
import os
import tempfile

from lib import scope, wp

# The C library's headers that the library includes. What Frama-C's versions say is trusted, and
# known by its text, not by the name of a file.
HEADERS = ("limits.h", "stdbool.h", "stddef.h", "stdint.h", "string.h")

Row = collections.namedtuple("Row", "tag name file line digest what")


class Eyes:
    """The module; and what the C library says when it is alone."""

    def __init__(self):
        self.tmp = tempfile.TemporaryDirectory()
        headers = os.path.join(self.tmp.name, "headers.c")
        with open(headers, "w") as unit:
            unit.writelines("#include <%s>\n" % name for name in HEADERS)
        self.library = {row.digest for row in self._read(headers, scope.ROOT)}

    def _read(self, source, root):
        text = wp.frama_c(source, root, self.tmp.name, {}, "-no-autoload-plugins",
                          "-load-module", wp.module("seen"), "-print-libc")
        lines = text.split("\n")
        if "end" not in lines:
            raise scope.Error("%s: Frama-C gives up:\n%s" % (source, text))
        rows = [line.split("\t") for line in lines if line.count("\t") >= 4]
        return [Row(tag, name, os.path.relpath(file or root, root), line, digest, "".join(what))
                for tag, name, file, line, digest, *what in rows]

    def look(self, unit, root=scope.ROOT):
        """The rows of a file but for the C library's."""
        with tempfile.TemporaryDirectory() as tmp:
            rows = self._read(wp.source_of(unit, root, tmp), root)
        return [row for row in rows if row.digest not in self.library]


def refused(rows):
    """What is not allowed in a file, whatever stands in others."""
    return ["%s:%s: %s: %s is not allowed" % (row.file, row.line, row.name, row.what)
            for row in rows if row.tag == "refused"]


def at_odds(rows, functions):
    """Compares the files. `rows` is {unit: its rows}, `functions` {unit: names that are proved there}.
    One name has one text wherever it is seen; and what a function promises where it is called is
    what it is proved to do, in the file that defines it."""
    texts, proved, extern, found = {}, {}, {}, set()
    for unit in rows:
        for row in rows[unit]:
            if row.tag in ("body", "contract") and row.file == unit and row.name in functions[unit]:
                proved[row.tag, row.name, unit] = row.digest
                extern[row.tag, row.name] = row.digest
    for unit in sorted(rows):
        for row in rows[unit]:
            where = "%s:%s: %s" % (row.file, row.line, row.name)
            if row.tag in ("type", "logic"):
                # A type of one file's own is known there only.
                own = row.file if row.tag == "type" and row.file.endswith(".c") else ""
                if texts.setdefault((row.tag, row.name, own), row.digest) != row.digest:
                    found.add(where + " is something else in another file")
            elif row.tag == "promise" and extern.get(("contract", row.name)) != row.digest:
                found.add(where + " is not proved to do what is said of it")
            elif row.tag in ("body", "contract"):
                if proved.get((row.tag, row.name, row.file)) != row.digest:
                    found.add(where + " is not what is proved in its file")
    return sorted(found)
