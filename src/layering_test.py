#!/usr/bin/env python3
"""Checks every file under src/ against the walls of the house.

  * An #include goes only in the direction that rooms.bzl allows, and is written in one way:
    <fxt/read.h> for public headers, "src/wire/layout.h" for internal ones. The logic in
    "spec/acsl/..." vanishes in C, so every room may include it, src/include between
    #ifdef __FRAMAC__ and #endif.
  * The rooms in PURE do no I/O and do not allocate.
  * Only atomic.h and word.h of src/engine name atomics; what a call site inlines may load its state, and who reads
    a buffer its words. Tests may: their processes and threads wait for each other.
  * The environment is read by secure_getenv: a set-user-ID program may link any of this.
  * proofs/SOUNDNESS.md has a row for each room: what of it is proved, tested, or neither.

usage: layering_test.py [ROOT]       check ROOT/src (default: the tree that holds this file)
       layering_test.py --self-test  plant one file against each rule, expect each to be found
"""

import ast
import os
import re
import sys
import tempfile

PURE = {"base", "wire", "read", "write", "check", "convert", "protocol", "engine"}
PURE_HEADERS = {"stdio.h", "stdlib.h", "unistd.h", "malloc.h", "cstdio", "cstdlib"}
PURE_CALLS = re.compile(
    r"(?<![\w.>])(malloc|calloc|realloc|reallocarray|aligned_alloc|posix_memalign|free|alloca"
    r"|strdup|strndup|v?[fds]?n?printf|v?asprintf|puts|fputs|putchar|fopen|fread|fwrite|fclose"
    r"|open|read|write|close|abort|exit)\s*\(")
ATOMICS = re.compile(
    r"(?<!\w)(_Atomic|atomic_\w+|memory_order_\w+|__atomic_\w+|__sync_\w+|std::atomic\w*)")
ATOMIC_HEADERS = {"stdatomic.h", "atomic"}
ATOMIC_HOME = "src/engine/atomic.h"
ATOMIC_HOMES = {ATOMIC_HOME, "src/engine/word.h", "src/include/lib/trace-engine/instrumentation.h",
                "src/socket/shared.h"}
INSECURE = re.compile(r"(?<!\w)getenv\s*\(")
SYSTEM_CALLS = {"src/engine/os.c"}  # of a room that has no others

NO_ROOM = {"src/test_main.c"}  # of the build, not of the product

EXTENSIONS = (".c", ".h", ".cc", ".cpp", ".hpp", ".inc")
INCLUDE = re.compile(r"^\s*#\s*include\b\s*(.*)$")
FOR_THE_PROVER = re.compile(r'^#ifdef __FRAMAC__\n(#include "spec/acsl/[^"]+"\n)+#endif$', re.M)
NOISE = re.compile(
    r"//(?:[^\n\\]|\\.|\\\n)*"                             # line comment
    r"|/\*.*?\*/"                                          # block comment
    r"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'",        # literals
    re.DOTALL)


def load_sees(path):
    """Returns the SEES dictionary of rooms.bzl, with "<room> tests" for what is in TESTS_SEE."""
    found = {}
    with open(path, encoding="utf-8") as f:
        for node in ast.parse(f.read()).body:
            if isinstance(node, ast.Assign) and node.targets[0].id in ("SEES", "TESTS_SEE"):
                found[node.targets[0].id] = ast.literal_eval(node.value)
    if len(found) != 2:
        raise SystemExit(path + ": no SEES or no TESTS_SEE")
    tests = {room + " tests": [room] + more for room, more in found["TESTS_SEE"].items()}
    return {**found["SEES"], **tests}


def closure(sees):
    """Returns for each room all the rooms that it may include, itself among them."""
    def reach(room, seen):
        if room not in seen:
            seen.add(room)
            for below in sees[room]:
                reach(below, seen)
        return seen
    return {room: reach(room, set()) for room in sees}


def blank(text, keep_strings):
    """Replaces comments (and literals, unless kept) by spaces, line for line."""
    def sub(match):
        s = match.group(0)
        if keep_strings and s[0] in "\"'":
            return s
        return re.sub(r"[^\n]", " ", s)
    return NOISE.sub(sub, text)


def check_include(room, may_call_system, target, allowed):
    """Returns what is wrong with including `target` (with its quotes) from `room`, or None."""
    match = re.fullmatch(r'<([^>]+)>|"([^"]+)"', target)
    if not match:
        return "cannot check this #include: write <...> or \"src/...\""
    system, internal = match.groups()
    if internal is not None and internal.startswith("spec/acsl/") and room != "include":
        return None
    if internal is not None and not internal.startswith("src/"):
        return f'write "src/<room>/..." or, for a public header, <...> instead of "{internal}"'
    name = system or internal
    if ".." in name.split("/"):
        return f"{target}: no .. in a path"
    if name.startswith("src/"):
        other = name.split("/")[1]
        if other == "include":
            return f"{target}: include public headers by <...>"
        if other == room:
            return None
        if room == "include":
            return f"a public header may not include the internal {target}"
        if room == "tools":
            if other in ("cli", "convert", "timeline"):  # made for the programs, and not installed
                return None
            return ("src/tools sees public headers, src/cli, src/convert and src/timeline only, "
                    f"not {target}")
        if room.endswith(" tests") or other not in allowed[room]:
            return f"src/{room} may not include {target}"
        return None
    # The public headers of a room go in the direction of that room.
    if name.startswith("fxt/") and room in allowed:
        other = name.split("/")[1].removesuffix(".h")
        if other in allowed and other not in allowed[room]:
            return f"src/{room} may not include {target}"
    if name in PURE_HEADERS and room in PURE and not may_call_system:
        return f"src/{room} may not include {target}: no I/O and no allocation here"
    return None


def check_file(root, path, allowed):
    """Yields (line number, message) for each finding in one file."""
    parts = path.split("/")
    room = parts[1] if len(parts) > 2 else ""
    if (room not in allowed or " " in room) and room not in ("include", "tools"):
        yield 1, f"src/{room} is no room of src/rooms.bzl"
        return
    is_test = os.path.splitext(path)[0].endswith("_test")
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as f:
        text = f.read()
    if room == "include":
        text = FOR_THE_PROVER.sub(lambda m: "\n" * m.group().count("\n"), text)
    spliced = re.sub(r"\\\n", "  ", text)  # numbers shift only after a continued line
    for number, line in enumerate(blank(spliced, keep_strings=True).split("\n"), 1):
        match = INCLUDE.match(line)
        if match:
            target = match.group(1).strip()
            may = is_test or path in SYSTEM_CALLS
            why = check_include(room, may, target, allowed)
            if why and is_test and check_include(room + " tests", may, target, allowed) is None:
                why = None
            if why:
                yield number, why
            if target[1:-1] in ATOMIC_HEADERS and path != ATOMIC_HOME and not is_test:
                yield number, f"{target}: only {ATOMIC_HOME} names atomics"
    for number, line in enumerate(blank(text, keep_strings=False).split("\n"), 1):
        if INCLUDE.match(line):
            continue
        if room in PURE and not is_test and path not in SYSTEM_CALLS:
            for match in PURE_CALLS.finditer(line):
                yield number, f"src/{room} may not call {match.group(1)}()"
        if not is_test and INSECURE.search(line):
            yield number, "getenv: call secure_getenv()"
        if path not in ATOMIC_HOMES and not is_test:
            for match in ATOMICS.finditer(line):
                yield number, f"{match.group(1)}: only {ATOMIC_HOME} names atomics"


def check_tree(root, allowed):
    """Returns (number of files, list of findings) of root/src."""
    files, findings = 0, []
    for directory, _, names in sorted(os.walk(os.path.join(root, "src"))):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(directory, name), root)
            if name.endswith(EXTENSIONS) and path not in NO_ROOM:
                files += 1
                for number, message in check_file(root, path, allowed):
                    findings.append(f"{path}:{number}: {message}")
    return files, findings


def check_soundness(rooms, text):
    """Yields the rooms for which no row of proofs/SOUNDNESS.md says how they are checked."""
    rows = " ".join(re.findall(r"^\| (`src/[^|]*)\|", text, re.M))
    for room in sorted(rooms):
        if not re.search(f"`src/{room}[`/]", rows):
            yield f"proofs/SOUNDNESS.md has no row for src/{room}"


# (path, text, whether it breaks a rule)
PLANTED = [
    ("src/read/a.c", '#include "src/write/a.h"\n', True),
    ("src/write/a.c", '  #  include  "src/read/a.h" // why\n', True),
    ("src/write/b.c", "#include <fxt/read.h>\n", True),
    ("src/write/b_test.c", '#include "src/read/a.h"\n', True),
    ("src/base/a.h", '#include "src/wire/a.h"\n', True),
    ("src/wire/a.c", '#include "src/check/a.h"\n', True),
    ("src/engine/a.c", '#include "src/read/a.h"\n', True),
    ("src/engine/b.c", "#include <fxt/check.h>\n", True),
    ("src/check/a.c", '#include "src/convert/a.h"\n', True),
    ("src/engine/c.c", "#include <fxt/read.h>\n", True),
    ("src/engine/c_test.c", "#include <fxt/read.h>\n", False),
    ("src/engine/d_test.c", '#include "src/read/a.h"\n', True),
    ("src/tools/a.c", '#include "src/read/a.h"\n', True),
    ("src/include/fxt/a.h", '#include "src/base/a.h"\n', True),
    ("src/include/fxt/b.h", '#include "spec/acsl/layout.h"\n', True),
    ("src/include/fxt/c.h", '#ifdef __FRAMAC__\n#include "src/base/a.h"\n#endif\n', True),
    ("src/include/fxt/z.h", '#ifdef __FRAMAC__\n#include "spec/acsl/layout.h"\n#endif\n', False),
    ("src/wire/c.h", '#include "spec/layout.tbl"\n', True),
    ("src/wire/z.h", '#include "spec/acsl/layout.h"\n', False),
    ("src/read/b.c", '#include "../write/a.h"\n', True),
    ("src/read/c.c", '#include "b.h"\n', True),
    ("src/read/d.c", "#include WHERE\n", True),
    ("src/read/d2.c", '#include \\\n"src/write/a.h"\n', True),
    ("src/read/e.c", '#include "src/include/fxt/read.h"\n', True),
    ("src/attic/a.c", "int x;\n", True),
    ("src/stray.c", "int x;\n", True),
    ("src/base/b.c", "#include <stdio.h>\n", True),
    ("src/wire/b.c", "#include <stdlib.h>\n", True),
    ("src/check/b.c", "#include <unistd.h>\n", True),
    ("src/read/f.c", "void *f(void) { return malloc(1); }\n", True),
    ("src/write/f.c", "/* x */ free (p);\n", True),
    ("src/check/f.c", 'printf("%d", 1);\n', True),
    ("src/manager/a.c", 'const char *a(void) { return getenv("A"); }\n', True),
    ("src/manager/b.c", 'const char *a(void) { return secure_getenv("A"); }\n', False),
    ("src/engine/c.c", "#include <stdatomic.h>\n", True),
    ("src/provider/a.c", "static _Atomic int x;\n", True),
    ("src/tools/b.c", "x = atomic_load(&y);\n", True),
    ("src/tools/b_test.c", "#include <stdatomic.h>\nstatic _Atomic int x;\n", False),
    ("src/manager/a.c", "x = __atomic_load_n(&y, 0);\n", True),
    ("src/socket/shared.h", "x = __atomic_load_n(&y, 0);\n", False),
    ("src/engine/atomic.h", "#include <stdatomic.h>\nstatic _Atomic int x;\n", False),
    ("src/read/z.c", '#include <fxt/read.h>\n#include "src/wire/a.h"\n', False),
    ("src/check/z.c", '#include "src/read/a.h"\n#include "src/write/a.h"\n', False),
    ("src/convert/z.c", '#include "src/base/a.h"\n#include <string.h>\n', False),
    ("src/read/z_test.c", "#include <stdio.h>\nvoid f(void) { free(malloc(1)); }\n", False),
    ("src/tools/z.c", '#include <stdio.h>\n#include <fxt/read.h>\n#include "src/tools/a.h"\n'
     '#include "src/convert/a.h"\n#include "src/cli/a.h"\n', False),
    ("src/write/z.c", '// calls malloc() never\n/* #include "src/read/a.h"\n*/\n'
     'char *s = "free(x)";\nint fxt_i_free(int); int n = fxt_i_free(1);\n', False),
]


def self_test(allowed):
    """Returns how many planted files are judged wrongly, one at a time in an empty tree."""
    wrong = 0
    for path, text, bad in PLANTED:
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, os.path.dirname(path)))
            with open(os.path.join(root, path), "w", encoding="utf-8") as f:
                f.write(text)
            _, findings = check_tree(root, allowed)
        if bool(findings) != bad:
            wrong += 1
            print(f"planted {path}: {'not found' if bad else 'wrongly found'}: {text!r} {findings}")
    if list(check_soundness({"wire", "read"}, "| `src/base`, `src/wire` | all |\n")) != [
            "proofs/SOUNDNESS.md has no row for src/read"]:
        wrong += 1
        print("a room without a row is not found")
    print(f"self-test: {len(PLANTED)} planted files and a table of rooms, {wrong} judged wrongly")
    return wrong


def main(args):
    here = os.path.dirname(os.path.realpath(__file__))
    allowed = closure(load_sees(os.path.join(here, "rooms.bzl")))
    if args == ["--self-test"]:
        return 1 if self_test(allowed) else 0
    root = args[0] if args else os.path.dirname(here)
    files, findings = check_tree(root, allowed)
    with open(os.path.join(root, "proofs", "SOUNDNESS.md"), encoding="utf-8") as f:
        rooms = {room for room in allowed if " " not in room} | {"include", "tools"}
        findings.extend(check_soundness(rooms, f.read()))
    for finding in findings:
        print(finding)
    print(f"{files} files, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
