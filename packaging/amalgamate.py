#!/usr/bin/env python3
"""Writes the libraries as single files: fxtref.h and fxtref.c, fxtref-trace.h and fxtref-trace.c.

  amalgamate.py DIRECTORY [--lines]      from the top of the source tree

Each file of the tree stands in its text once, in the order of inclusion. Four things are changed:
  * #include lines of files that are here vanish; a source's of the system stand at the top.
  * The contracts of the headers, which only Frama-C reads, stand at the top of the source.
  * A file's macros end with the file. A static function or a type that two files call by the same
    name gets the name of its file before its own, in contracts, too. So does a static variable whose
    name another file has for anything, which would shadow it.
  * Functions that are not of the interface are hidden, so that no shared library exports them.
--lines keeps the place of each line for the compiler; amalgamation_test.py compares by it.
"""

import collections
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import files

# Which installed headers a single header holds.
PUBLIC = {
    "fxtref": re.compile(r"fxt/\w+\.h"),
    "fxtref-trace": re.compile(r"(?:trace|trace-provider|lib/[\w-]+)/\w+\.h"),
}
# The inline functions of the headers as symbols: who compiles a single file has the headers.
FOR_OTHER_LANGUAGES = ["packaging/inline.c"]

PRIVATE = """
#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#pragma GCC diagnostic ignored "-Wunused-function"
#if !defined(__clang__) /* gcc warns of what it has inlined, wrongly */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#endif

"""
INCLUDE = re.compile(r'^#include ([<"])([^>"]+)[>"].*\n', re.M)
PROVER = re.compile(r"^#ifdef __FRAMAC__\n(?:#include .*\n)+#endif\n", re.M)
DEFINED = re.compile(r"^(?:static|FXT_I_\w+) [^;={(]*?\b(\w+)\s*[(\[=;]"
                     r"|^(?:struct|enum|union) (\w+) \{", re.M)
ANNOTATION = re.compile(r"(?<![\\.>\w])\w+")
VARIABLE = re.compile(r"^static [^;={(]*?\b(\w+)\s*(?:\[\w+\]\s*)?[=;]|^\} (\w+)(?: =|;)", re.M)
MACRO = re.compile(r"^#define (\w+)", re.M)
BUILT = {}  # path -> text, of files that are not in the tree, or not as a whole
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|(?:(?:\.|->)\s*)?\b\w+|.',
                   re.S)


def read(path):
    text = BUILT.get(path)
    if text is None:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    # As many lines as before.
    return PROVER.sub(lambda match: "\n" * match[0].count("\n"), text)


def path_of(quote, name):
    """Of the tree, or None for a header of the system."""
    path = "src/include/" + name if quote == "<" else name
    return path if quote == '"' or os.path.exists(path) else None


class Single:
    """One file in the making."""

    def __init__(self, lines, public=False, without=(), logic=False):
        self.lines = lines
        self.public = public  # the system's headers stay where they are
        self.logic = logic    # spec/acsl is added
        self.seen = set(without)
        self.system = set()
        self.parts = []
        self.paths = []  # of the parts

    def add(self, path, names=(), always=False):
        if path in self.seen and not always:
            return
        self.seen.add(path)
        text = read(path)
        for quote, name in INCLUDE.findall(text):
            inner = path_of(quote, name)
            if inner is None:
                self.system.add(name)
            elif not inner.endswith(".inc") and (self.logic or not inner.startswith("spec/")):
                self.add(inner)

        def inlined(match):
            inner = path_of(match[1], match[2])
            if inner and inner.endswith(".inc"):
                line = text[:match.start()].count("\n") + 2
                return self.place(inner) + read(inner) + self.place(path, line)
            return match[0] if inner is None and self.public else "\n"

        body = INCLUDE.sub(inlined, text)
        if names:
            body = renamed(body, prefix_of(path), names)
        self.paths.append(path)
        self.parts.append(f"{self.place(path)}/* {path} */\n" if not self.lines
                          else self.place(path))
        self.parts.append(body)
        if path.endswith(".c"):
            self.parts += [f"#undef {name}\n" for name in dict.fromkeys(MACRO.findall(body))]

    def add_contracts(self, headers):
        """What Frama-C reads at the ends of these headers."""
        for header in headers:
            with open(header, encoding="utf-8") as file:
                for part in PROVER.findall(file.read()):
                    for _, path in INCLUDE.findall(part):
                        self.add_contract(path)

    def add_contract(self, path):
        text = read(path)
        for quote, name in INCLUDE.findall(text):
            self.add(path_of(quote, name))
        self.parts.append(f"{self.place(path)}#ifdef __FRAMAC__\n{INCLUDE.sub('', text)}#endif\n")

    def place(self, path, line=1):
        return f'#line {line} "{path}"\n' if self.lines else ""

    def text(self):
        joined = "".join(self.parts)
        return joined if self.lines else re.sub(r"\n{3,}", "\n\n", joined)


def prefix_of(path):
    return re.sub(r"\W", "_", path.split("/", 1)[1][:-len(".c")]) + "_"


def renamed(text, prefix, names):
    def one(match):
        if match[0].startswith("/*@"):
            return ANNOTATION.sub(lambda word: prefix + word[0] if word[0] in names else word[0], match[0])
        return prefix + match[0] if match[0] in names else match[0]
    return TOKEN.sub(one, text)


def variables(path):
    """Those that are static."""
    return {match[1] or match[2] for match in VARIABLE.finditer(read(path))}


def collisions(sources):
    """Path -> the names in it that another file has, too."""
    owners = collections.defaultdict(set)
    included = Single(lines=False)
    for path in sources:
        included.add(path)
    for path in included.seen:
        for match in DEFINED.finditer(re.sub(r"/\*.*?\*/", "", read(path), flags=re.S)):
            owners[match[1] or match[2]].add(path)
    words = {path: set(TOKEN.findall(read(path))) for path in included.seen}
    shadowed = {path: {name for name in variables(path)
                       if any(name in words[other] for other in words if other != path)}
                for path in sources}
    return {path: {name for name, users in owners.items() if len(users) > 1 and path in users}
            | shadowed[path] for path in sources}


def sources_of(library):
    return [path for path in files.lines(".", library + "$")[library] if path not in FOR_OTHER_LANGUAGES]


def headers_of(library):
    paths = [path for found in files.lines(".", "include/fxtref/(?!spec)").values() for path in found]
    return [path for path in paths if PUBLIC[library].fullmatch(path[len("src/include/"):])]


def banner(name, what):
    text = read("src/include/fxt/version.h")
    number = re.search(r'#define FXT_VERSION "(.*)"', text)[1]
    licence = read("LICENSE").strip().replace("\n", "\n   ").replace("\n   \n", "\n\n")
    return f"/* {name}: {what} fxtref {number}. Written by packaging/amalgamate.py.\n\n   {licence} */\n"


def includes(names):
    return "".join(f"#include <{name}>\n" for name in sorted(names))


def write(directory, name, *texts):
    with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
        file.write("".join(texts))


def amalgamate(directory, library, what, lines, below):
    header = Single(lines, public=True)
    for path in headers_of(library):
        header.add(path)
    guard = re.sub(r"\W", "_", library).upper() + "_AMALGAMATION_H"
    write(directory, library + ".h", banner(library + ".h", what),
          f"#ifndef {guard}\n#define {guard}\n\n", header.text(),
          "\n#endif\n")

    source = Single(lines, without=header.seen | below, logic=not below)
    if source.logic:
        source.add_contracts(header.paths)
    paths = sources_of(library)
    names = collisions(paths)
    for path in paths:
        source.add(path, names[path])
    gnu = "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n" if below else ""
    gnu += ("#ifndef _FILE_OFFSET_BITS\n#define _FILE_OFFSET_BITS 64 /* files beyond 2 GiB */\n"
            "#endif\n") if below else ""
    gnu += "#undef NDEBUG /* assertions are alive in every build */\n"
    used = f'#include "{library}.h"\n' + ('#include "fxtref.h"\n' if below else "")
    write(directory, library + ".c", banner(library + ".c", what), gnu, used, "\n",
          includes(source.system),
          PRIVATE, source.text(), "\n#if defined(__GNUC__)\n#pragma GCC visibility pop\n#endif\n")
    return header, source


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--lines"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    lines = "--lines" in sys.argv
    os.makedirs(arguments[0], exist_ok=True)
    header, _ = amalgamate(arguments[0], "fxtref",
                           "reads, writes and checks the Fuchsia trace format.", lines, set())
    amalgamate(arguments[0], "fxtref-trace",
               "makes programs trace; needs fxtref.c and threads.", lines, header.seen)
    with open("packaging/amalgamation.cmake", encoding="utf-8") as file:
        write(arguments[0], "CMakeLists.txt", file.read())


if __name__ == "__main__":
    main()
