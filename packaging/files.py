#!/usr/bin/env python3
"""Writes packaging/files.txt, the one list of what is compiled and installed, from the source tree.

  packaging/files.py            write it
  packaging/files.py --check    compare it, and exit 1 if it is stale
"""

import glob
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = "packaging/files.txt"

HEAD = """\
# What is compiled and what is installed. Written by packaging/files.py.
#   NAME FILE         FILE is a source of the library or program NAME, besides the libraries it uses
#   fxt.so FILE       of the extension for SQLite, besides the sources of fxt
#   DIRECTORY/ FILE   FILE is installed in PREFIX/DIRECTORY/; if it ends in .in, without this ending,
#                     and with @VERSION@, @LIBDIR@ (such as lib), @UP@ (from LIBDIR/pkgconfig to the
#                     prefix, such as ../..) and @BINDIR@ (PREFIX/bin) filled in
#   man3 FILE         of this header packaging/manpage.py makes a page
"""

# What src/cli has for every program; the rest is for fxt and trace.
CLI = ["cli/%s.c" % name for name in ("message", "nearest", "options", "program", "progress", "repeated")]

# As the deps of the targets say; packaging/sources_test.py compares.
SOURCES = {
    "fxtref": ["base", "version", "wire", "read", "write", "buffer", "check", "events", "symbols"],
    "fxtref-trace": ["engine", "recorder", "loop", "provider", "socket", "protocol"],
    "fxtref-controller": ["client", "socket", "protocol"],
    "fxtref-manager": ["manager", "loop", "socket", "protocol", "terminal"],
    "fxt": ["tools/fxt", "tools/fxt/edit", "tools/fxt/html", "tools/fxt/refs", "tools/fxt/report",
            "tools/fxt/sql", "tools/fxt/tables", "convert", "cli", "terminal"],
    "fxt.so": ["tools/fxt/sql/extension.c", "tools/fxt/sql/functions.c", "tools/fxt/sql/index.c",
               "tools/fxt/sql/module.c",
               "tools/fxt/sql/table_functions.c"],
    "trace": ["tools/trace", "tools/fxt/html", "tools/fxt/refs", "tools/fxt/report", "convert", "cli"],
    "trace-manager": ["manager/main.c", *CLI],
    "ktrace_provider": ["kernel", *CLI, "terminal"],
}
NOT_INSTALLED = {"src/manager/main.c", "src/provider/secret.c", "src/tools/trace/traced.c",
                 "src/tools/fxt/sql/extension.c"}

INSTALLED = {
    "@LIBDIR@/pkgconfig/": "packaging/pkgconfig/*.pc.in",
    "@LIBDIR@/cmake/fxtref/": "packaging/cmake/*.cmake.in",
    "share/man/man1/": "src/tools/*/*.1",
    "share/man/man8/": "src/*/*.8 src/tools/*/*.8",
    "share/bash-completion/completions/": "packaging/completions/*.bash",
    "share/zsh/site-functions/": "packaging/completions/_*",
    "lib/systemd/user/": "src/manager/systemd/*",
    "share/doc/fxtref/": "CHANGELOG.md LICENSE packaging/tsan.supp",
    # What headers and manual pages cite, by the same names.
    "share/doc/fxtref/docs/": "docs/install.md docs/sql.md",
    "share/doc/fxtref/spec/": "spec/*.md",
    # Frama-C defines __FRAMAC__, and then the headers include their contracts.
    "include/fxtref/spec/acsl/": "spec/acsl/*.h",
    "include/fxtref/spec/acsl/contracts/": "spec/acsl/contracts/*.h",
}


def found(patterns):
    return sorted(path for pattern in patterns.split() for path in glob.glob(pattern, root_dir=TOP))


def sources(room):
    if room.endswith(".c"):
        return [f"src/{room}"]
    return [path for path in found(f"src/{room}/*.c")
            if not path.endswith("_test.c") and path not in NOT_INSTALLED]


def lines():
    for name, rooms in SOURCES.items():
        for room in rooms:
            yield from (f"{name} {path}" for path in sources(room))
    headers = sorted(glob.glob("src/include/**/*.h*", root_dir=TOP, recursive=True))
    for path in headers:
        yield f"include/fxtref/{os.path.dirname(path[len('src/include/'):])}/ {path}"
    for path in headers:
        if not re.search("/internal/|/cpp/|/zircon/|fxt/rule.h|[.]hpp", path):
            yield f"man3 {path}"
    for directory, patterns in INSTALLED.items():
        yield from (f"{directory} {path}" for path in found(patterns))


def main():
    text = HEAD + "".join(line + "\n" for line in lines())
    path = os.path.join(TOP, LIST)
    if sys.argv[1:] == ["--check"]:
        with open(path, encoding="utf-8") as file:
            old = file.read()
        for line in sorted(set(old.splitlines()) ^ set(text.splitlines())):
            print(f"{LIST}: {line}: {'missing' if line in text.splitlines() else 'no longer'}")
        if old != text:
            sys.exit(f"{LIST} is stale: run packaging/files.py")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
