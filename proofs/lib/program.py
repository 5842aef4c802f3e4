#!/usr/bin/python3
"""Writes the program that is proved: fxtref.c as it is shipped, and behind it the files that no user of
the library compiles: packets, the engine's ring, and the theorems.

  program.py DIRECTORY    from the top of a source tree; writes fxtref.h, fxtref.c and program.c"""
import glob
import os
import sys

sys.path[:0] = ["packaging", "spec"]
sys.dont_write_bytecode = True
import amalgamate  # noqa: E402
import generate  # noqa: E402

BEHIND = ("src/buffer/chunk.h", "src/protocol/*.c", "src/engine/ring.c", "proofs/lemmas/*.c")


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
                     program.text())


if __name__ == "__main__":
    main(sys.argv[1])
