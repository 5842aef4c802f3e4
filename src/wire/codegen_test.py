#!/usr/bin/env python3
"""Counts the instructions of the functions on which all others stand.

The code of words and of header fields is written for the prover: divisions, remainders and sums
where others write shifts and masks. It costs nothing as long as the compilers see through it. Each
function below is compiled by itself at -O2; more instructions than its bound fail the test. The
bounds are those of x86-64.
Works from any directory: all files are found beside this one, also in Bazel's runfiles.
"""
import os
import platform
import re
import shutil
import subprocess
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMPILERS = [c for c in ("gcc", "clang") if shutil.which(c)]
OPTIONS = ["-O2", "-std=c11", "-fcf-protection=none", "-I" + ROOT, "-I" + ROOT + "/src/include"]
EXTRACTED = ("event_header", "string_header", "arg_header", "large_blob_metadata")

MOVE = 2        # one move and the return
EXTRACT = 4     # a move, a shift, a mask, the return
PER_FIELD = 3   # a move or a shift, an addition, room for one constant
RESERVED = 3    # a constant, a mask, the return


def layout():
    with open(os.path.join(ROOT, "src/wire/layout.h"), encoding="utf-8") as f:
        return f.read()


def instructions(compiler, functions):
    """{name: how many instructions} of functions, each given as (result, name, parameters, body)."""
    source = '#include "src/base/word.h"\n#include "src/wire/layout.h"\n'
    for result, name, parameters, body in functions:
        source += "%s t_%s(%s) { %s; }\n" % (result, name, parameters, body)
    run = subprocess.run([compiler] + OPTIONS + ["-S", "-o", "-", "-x", "c", "-"], input=source,
                         stdout=subprocess.PIPE, universal_newlines=True, check=True)
    found, name = {}, None
    for line in run.stdout.splitlines():
        label = re.match(r"t_(\w+):", line)
        if label:
            name = label.group(1)
            found[name] = 0
        elif re.match(r"\s*\.size\b", line):
            name = None
        elif name and re.match(r"\s+[a-z]", line):
            found[name] += 1
    return found


def fields():
    """{word: [(field, type)]} of the extractors of layout.h."""
    found = {}
    for word in EXTRACTED:
        found[word] = [(name, result) for result, name in
                       re.findall(r"(uint\d+_t) fxt_%s_(\w+)\(uint64_t w\)" % word, layout())
                       if name != "reserved"]
    return found


def packer(word):
    """(parameters with types, names) of the packer of layout.h."""
    parameters = re.search(r"fxt_pack_%s\(([^)]*)\)" % word, layout()).group(1)
    return " ".join(parameters.split()), ", ".join(re.findall(r"(\w+)(?:,|$)", parameters))


LOAD = ("uint64_t", "load", "const uint8_t *p", "return fxt_load_word(p)")
STORE = ("void", "store", "uint8_t *p, uint64_t w", "fxt_store_word(p, w)")
WORDS = ("uint64_t", "words", "uint64_t size", "return fxt_words_of(size)")
BYTES = ("uint64_t", "bytes", "const uint8_t *p", "return fxt_load_word_arithmetic(p)")
# A field by a division that is no shift: what the bound must not let pass.
DIVISION = ("uint64_t", "division", "uint64_t w", "return w / 65535u % 4095u")


@unittest.skipUnless(platform.machine() == "x86_64", "the bounds are those of x86-64")
class Codegen(unittest.TestCase):
    def expect(self, functions, bounds):
        for compiler in COMPILERS:
            counts = instructions(compiler, functions)
            self.assertEqual(set(counts), set(bounds))
            for name, count in counts.items():
                self.assertGreater(count, 0)
                self.assertLessEqual(count, bounds[name], "%s of %s" % (name, compiler))

    def test_there_is_a_compiler(self):
        self.assertNotEqual(COMPILERS, [])

    def test_a_word_is_loaded_and_stored_by_one_move(self):
        self.expect([LOAD, STORE, WORDS], {"load": MOVE, "store": MOVE, "words": MOVE + 1})

    def test_extractors_shift_and_mask(self):
        functions = [(result, word + "_" + name, "uint64_t w", "return fxt_%s_%s(w)" % (word, name))
                     for word, found in fields().items() for name, result in found]
        self.assertEqual(len(functions), 7 + 4 + 4 + 4)
        self.expect(functions, {f[1]: EXTRACT for f in functions})

    def test_packers_shift_and_add(self):
        functions, bounds = [], {}
        for word, found in fields().items():
            parameters, names = packer(word)
            functions.append(("uint64_t", word, parameters,
                              "return fxt_pack_%s(%s)" % (word, names)))
            bounds[word] = PER_FIELD * len(found) + 2
        self.expect(functions, bounds)

    def test_reserved_bits_are_one_mask(self):
        words = re.findall(r" fxt_(\w+)_reserved\(uint64_t w\)", layout())
        self.assertGreater(len(words), 25)
        functions = [("uint64_t", word, "uint64_t w", "return fxt_%s_reserved(w)" % word)
                     for word in words]
        self.expect(functions, {word: RESERVED for word in words})

    def test_the_bounds_notice_what_is_not_optimised(self):
        for compiler in COMPILERS:
            self.assertGreater(instructions(compiler, [DIVISION])["division"], EXTRACT)
        if "gcc" in COMPILERS:  # clang does merge the eight bytes
            self.assertGreater(instructions("gcc", [BYTES])["bytes"], MOVE)


if __name__ == "__main__":
    unittest.main()
