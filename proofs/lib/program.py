#!/usr/bin/python3
"""Writes the program that is proved: fxtref.c as it is shipped, and behind it the files that no user of
the library compiles: packets, what the engine's threads store, its ring, and the theorems.

  program.py DIRECTORY    from the top of a source tree; writes fxtref.h, fxtref.c and program.c"""
import glob
import os
import re
import sys

sys.path[:0] = ["packaging", "spec"]
sys.dont_write_bytecode = True
import amalgamate  # noqa: E402
import generate  # noqa: E402

BEHIND = ("src/buffer/chunk.h", "src/protocol/*.c", "src/engine/put.h", "src/engine/ring.c", "proofs/lemmas/*.c")


def without_functions(text):
    """Without the functions of the engine's public header: macros of programs call them, and nothing here."""
    return re.sub(r"^static inline [^;{]*?\btrace_\w+\([^;{]*\)\n\{.*?^\}\n", "", text, flags=re.S | re.M)


def main(directory):
    amalgamate.BUILT.update(generate.built())
    paths = [path for pattern in BEHIND for path in sorted(glob.glob(pattern)) if not path.endswith("_test.c")]
    header, source = amalgamate.amalgamate(
        directory, "fxtref", "reads, writes and checks the Fuchsia trace format.", False, set())
    names = amalgamate.collisions(amalgamate.sources_of("fxtref") + paths)
    program = amalgamate.Single(False, without=header.seen | source.seen, logic=True)
    for path in paths:
        program.add(path, names.get(path, ()))
    amalgamate.write(directory, "program.c", '#include "fxtref.c"\n', amalgamate.includes(program.system),
                     without_functions(program.text()))


if __name__ == "__main__":
    main(sys.argv[1])
