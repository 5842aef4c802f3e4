#!/usr/bin/python3
"""Ways to have fxt_read_thread proved without the check that keeps it inside its record. Each is
tried on a copy of the sources, and each must be refused."""
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from lib import cpp, lint, order, scope, seen, store, wp  # noqa: E402

UNIT = "src/read/table.c"
CHECK = """    if (words < 3)
        return fxt_i_malformed(error, record, words, FXT_RULE_THT_01);
"""
OTHER = "fxt_read_thread is another"
FUNCTION = "enum fxt_status fxt_read_thread("
INCLUDE = '#include "src/wire/layout.h"\n'
LOGIC = "spec/acsl/contracts/read.h"
LIE = "/*@ terminates \\true; assigns \\nothing; ensures \\false; */\n"


def body(text):
    """In place of the check, in the function."""
    return {UNIT: lambda source: source.replace(CHECK, text)}


def above(text, inside=""):
    """Above the function, and in place of the check."""
    return {UNIT: lambda source: source.replace(CHECK, inside).replace(FUNCTION, text + FUNCTION)}


def top(text):
    return {UNIT: lambda source: source.replace(CHECK, "").replace(INCLUDE, text + INCLUDE)}


def included(name, text):
    """In a file that the unit includes."""
    return {**top('#include "%s"\n' % name), name: lambda _: text}


def logic(text, inside):
    """In a file of the logic, and in place of the check."""
    return {**body(inside), LOGIC: lambda source: source.replace("#include", text + "#include", 1)}


ANNOTATIONS = {
    "a ghost prototype that promises what is false": (
        above("/*@ ghost /@ terminates \\true; assigns \\nothing; ensures \\false; @/\nvoid lie(void); */\n",
              "/*@ ghost lie(); */\n"), "a ghost variable or function"),
    "a call in ghost code": (body("/*@ ghost fxt_record_header_size(0); */\n"), "ghost code"),
    "ghost code that writes what is real": (body("/*@ ghost words = 3; */\n"), ""),
    "ghost code that leaves": (body("/*@ ghost return FXT_OK; */\n"), ""),
    "ghost code that leaves a loop": (
        body("/*@ loop invariant \\true; loop assigns \\nothing; loop variant words; */\n"
             "while (words < 3) { /*@ ghost break; */ }\n"), ""),
    "a global ghost variable": (above("/*@ ghost int g; */\n"), "a ghost variable"),
    "a prototype that promises what is false": (
        above(LIE + "void lie(void);\n", "lie();\n"), "lie is declared and not defined"),
    "a prototype without a contract": (
        above("void lie(void);\n", "lie();\n"), "without terminates"),
    "a promise more for a function that is proved": (
        above("/*@ ensures \\false; */\nuint64_t fxt_i_malformed_at(void);\n"
              "/*@ ensures more: \\result == FXT_OK; */\nenum fxt_status fxt_read_string(const struct "
              "fxt_record *record, struct fxt_string_record *out, struct fxt_error *error);\n"), ""),
    "a promise more for the C library": (
        above("/*@ ensures \\false; */\nvoid *memcpy(void *a, const void *b, size_t n);\n"),
        "memcpy is declared and not defined"),
    "a function of the compiler's": (body("__builtin_unreachable();\n"), ""),
    "a lemma": (above("/*@ lemma lie: \\false; */\n"), "a lemma"),
    "a lemma on the line of a predicate": (
        above("/*@ predicate p(integer x) = x > 0; lemma lie: \\false; */\n"), "a lemma"),
    "a lemma in a line comment": (above("//@ lemma lie: \\false;\n"), "a lemma"),
    "a lemma that a macro makes": (
        above("#define SO lemma lie: 0 == 1;\n/*@ SO */\n"), "a lemma"),
    "an axiom": (above("/*@ axiomatic A { axiom lie: \\false; } */\n"), "axiomatic"),
    "an axiom in a test's header": (
        included("src/read/lie_test.h", "/*@ axiomatic A { axiom lie: \\false; } */\n"), "axiomatic"),
    "an axiom in another room": (
        included("src/convert/lie.inc", "/*@ axiomatic A { axiom lie: \\false; } */\n"), "axiomatic"),
    "an inductive definition": (
        above("/*@ inductive p(integer x) { case c: \\forall integer x; !p(x) ==> p(x); } */\n"), ""),
    "a logic function without definition": (
        above("/*@ logic integer f(integer x) reads \\nothing; */\n"), ""),
    "a logic function that is more than itself": (
        above("/*@ logic integer f(integer x) = f(x) + 1; */\n"), "recursion"),
    "one that falls for ever": (
        above("/*@ logic integer f(integer x) = f(x - 1) * f(x - 1) + 1; */\n"), "recursion"),
    "one that rises": (
        above("/*@ logic integer f(integer x) = x <= 0 ? 0 : f(x + 1) + 1; */\n"), "recursion"),
    "a predicate that is not what it is": (
        above("/*@ predicate p(integer x) = !p(x); */\n"), "recursion"),
    "a predicate that implies itself not": (
        above("/*@ predicate p(integer x) = p(x) ==> \\false; */\n"), "recursion"),
    "a type invariant": (
        above("/*@ type invariant i(struct fxt_thread *t) = \\false; */\n"), ""),
    "a global invariant": (above("int g;\n/*@ global invariant i: g == 1; */\n"), ""),
    "admit": (body("/*@ admit words >= 3; */\n"), "check or admit"),
    "admit behind a sign": (body("/*@\n  @ admit words >= 3;\n  @*/\n"), "check or admit"),
    "check": (body("/*@ check words >= 3; */\n"), "check or admit"),
    "an admitted invariant": (
        body("/*@ loop admit invariant words >= 3; loop assigns \\nothing; loop variant 0; */\n"
             "while (0) {}\n"), ""),
    "an admitted promise": (
        above("/*@ requires words >= 3; terminates \\true; assigns \\nothing; admit ensures \\false; */\n"
              "static void lie(uint32_t words) {}\n", "lie(words);\n"), "check or admit"),
    "a contract of a statement": (
        body("/*@ requires \\true; assigns \\nothing; ensures words >= 3; */\n;\n"), "annotation other"),
    "a loop without a variant": (
        body("/*@ loop invariant \\true; loop assigns \\nothing; */\nwhile (words < 3) {}\n"),
        "a loop without variant"),
    "a contract that ends when it likes": (
        above("/*@ terminates \\false; assigns \\nothing; ensures \\false; */\n"
              "static void lie(void) { for (;;) {} }\n", "lie();\n"), "terminates other"),
    "a behavior": (
        above("/*@ terminates \\true; assigns \\nothing; behavior b: assumes \\false; ensures \\true; */\n"
              "static void lie(void) {}\n", "lie();\n"), "behavior"),
    "assembly": (body('__asm__("" : "=r"(words));\n'), ""),
    "a function that does not return": (
        above("/*@ terminates \\true; assigns \\nothing; */\n"
              "__attribute__((noreturn)) static void lie(void) {}\n"), "attribute noreturn"),
    "a macro that only the prover has": (
        logic("#define KNOWN 3\n", "#ifndef KNOWN\n#define KNOWN 0\n#endif\nif (words < KNOWN)\n    return FXT_OK;\n"),
        "fxt_read_thread: what the prover and the compiler read"),
    "another macro for the prover": (
        {**logic("#undef NEED\n#define NEED 3\n", "if (words < NEED)\n    return FXT_OK;\n"),
         "src/include/fxt/read.h": lambda source: source.replace("#include", "#define NEED 0\n#include", 1)},
        "fxt_read_thread: what the prover and the compiler read"),
    "a constant of two values": (
        {**above("static const uint32_t need = 3;\n", "if (words < need)\n    return FXT_OK;\n"),
         "src/read/log.c": lambda source: source.replace(
             "enum fxt_status fxt_read_log", "static const uint32_t need = 1;\nenum fxt_status fxt_read_log", 1)},
        "fxt_read_thread is another"),
    "a static namesake that promises more": (
        {**above("/*@ terminates \\true; assigns \\nothing; */\n"
                 "static void made_sure(uint32_t words) { words--; }\n", "made_sure(words);\n"),
         "src/read/log.c": lambda source: source.replace(
             "enum fxt_status fxt_read_log",
             "/*@ requires words >= 3; terminates \\true; assigns \\nothing; ensures words >= 3; */\n"
             "static void made_sure(uint32_t words) {}\nenum fxt_status fxt_read_log", 1)},
        "fxt_read_thread is another"),
    "a type of another size in the C library": (
        above("#include <stdint.h>\n", "if (words + sizeof(uint_fast32_t) < 7)\n    return FXT_OK;\n"), "uint_fast32_t"),
    "a number of another value in the C library": (
        body("if (UINT_FAST32_MAX == UINT32_MAX && words < 3)\n    return FXT_OK;\n"), "UINT_FAST32_MAX"),
    "one in pieces": (
        above("#define JOIN(a, b) a##b\n", "if (JOIN(UINT_FA, ST32_MAX) == UINT32_MAX && words < 3)\n    return FXT_OK;\n"),
        "UINT_FAST32_MAX"),
    "a pointer that is not restricted": (
        above("/*@ requires \\valid(a) && \\valid(b); terminates \\true; assigns *a, *b; ensures \\result == 1; */\n"
              "static uint32_t one(uint32_t *restrict a, uint32_t *restrict b) { *b = 2; *a = 1; return *a; }\n",
              "if (one(&words, &words) == 1 && words < 3)\n    return FXT_OK;\n"), "restrict without"),
    "two literals that are one": (
        body('if ("xab" + 1 != "ab" && words < 3)\n    return FXT_OK;\n'), "a comparison of two pointers"),
    "how far a literal is from another": (
        body('if ("ab" - "xab" != 1 && words < 3)\n    return FXT_OK;\n'), "a difference of two pointers"),
    "the number of a literal": (
        body('if ((uintptr_t)"ab" != (uintptr_t)("xab" + 1) && words < 3)\n    return FXT_OK;\n'),
        "a pointer that is made a number"),
    "a local that nobody has written": (
        body("uint32_t least;\nif (words < least % 1u + 3u)\n    return FXT_OK;\n"), "least is read before it is written"),
    "a local that is written on one way only": (
        body("uint32_t least;\nif (words > 3)\n    least = 3;\nif (words < least % 1u + 3u)\n    return FXT_OK;\n"),
        "least is read before it is written"),
    "a local that was written the last time": (
        body("/*@ loop invariant \\true; loop assigns i; loop variant 2 - i; */\nfor (int i = 0; i < 2; i++) {\n"
             "    uint32_t least;\n    if (i == 0)\n        least = 3;\n    if (words < least % 1u + 3u)\n"
             "        return FXT_OK;\n}\n"), "least is read before it is written"),
    "a result that was never earned": (body(""), "fxt_read_thread is another"),
}

DIRECTIVES = {
    "a digraph": "%:ifdef __FRAMAC__\n%:endif\n",
    "a trigraph": "??=ifdef __FRAMAC__\n??=endif\n",
    "a condition on another name": "#ifdef UNKNOWN\n#endif\n",
    "a condition on the C library": "#ifdef __FC_STDINT\n#endif\n",
    "a condition through a macro": "#define WHO __FRAMAC__\n#if WHO\n#endif\n",
    "the prover's name in the code": "enum { NONE = __FRAMAC__ };\n",
    "the prover's name in pieces": "#define JOIN(a, b) a##b\nenum { NONE = JOIN(__FRA, MAC__) };\n",
    "the language's version": "enum { NONE = __STDC_VERSION__ };\n",
    "whether there is a file": "#if __has_include(<stdatomic.h>)\n#endif\n",
    "a pragma": "#pragma GCC poison nothing\n",
    "a pragma in the code": '_Pragma("GCC poison nothing")\n',
    "another name for a file": '#line 1 "/usr/share/frama-c/libc/string.h"\n',
    "another name for a file, by a number": '# 1 "/usr/share/frama-c/libc/string.h" 3\n',
    "a macro for a file": '#define FILE "src/base/word.h"\n#include FILE\n',
    "the next file of that name": "#include_next <stdint.h>\n",
    "a vertical tab": "#\vifdef __FRAMAC__\n#endif\n",
}


class Attacks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = cls.folder.name
        for part in set(scope.PARTS) - {"proofs/lemmas"}: # which would take time, and are attacked the same way
            copy = shutil.copytree if os.path.isdir(os.path.join(scope.ROOT, part)) else shutil.copyfile
            os.makedirs(os.path.dirname(os.path.join(cls.root, part)), exist_ok=True)
            copy(os.path.join(scope.ROOT, part), os.path.join(cls.root, part))
        program = scope.Program(cls.root)
        cls.proofs, cls.pure = seen.proofs(program), seen.pure(program)
        cls.known = cls.complaints()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def complaints(cls):
        """What the lint finds in the program; and whose proof does not hold any more."""
        try:
            program = scope.Program(cls.root)
            found = list(cpp.check(program)) + list(seen.refused(program))
            return found + ["%s is another" % name for name, proof in seen.proofs(program).items()
                            if cls.proofs.get(name, proof) != proof]
        except scope.Error as error:
            return [str(error)]

    def attack(self, changes):
        """What is complained of because of it."""
        before = {}
        try:
            for path, change in changes.items():
                file = pathlib.Path(self.root, path)
                before[file] = file.read_text() if file.exists() else None
                after = change(before[file])
                self.assertNotEqual(before[file], after)
                file.parent.mkdir(exist_ok=True)
                file.write_text(after)
            return "\n".join(sorted(set(self.complaints())))
        finally:
            for file, text in before.items():
                if text is None:
                    file.unlink()
                else:
                    file.write_text(text)

    def test_what_is_there_passes(self):
        self.assertEqual(self.known, [])

    def test_a_harmless_change_is_to_be_proved(self):
        self.assertEqual(self.attack({UNIT: lambda source: source.replace(
            CHECK, CHECK + "/*@ assert words >= 3; */\n")}), "fxt_read_thread is another")
        self.assertEqual(self.attack({UNIT: lambda source: source.replace(CHECK, "/* */\n" + CHECK)}), "")

    def test_an_induction_in_ghost_code_passes(self):
        self.assertEqual(self.attack(body(
            "/*@ ghost\n  /@ loop invariant 0 <= k <= words;\n    @ loop assigns k;\n"
            "    @ loop variant words - k;\n    @/\n  for (uint64_t k = 0; k < words; k++) {\n  }\n*/\n")),
            "fxt_read_thread is another")

    def test_annotations(self):
        for name, (changes, wanted) in ANNOTATIONS.items():
            with self.subTest(name):
                found = self.attack(changes)
                self.assertIn(wanted, found)
                if wanted != OTHER:
                    self.assertNotEqual(found, OTHER, "nothing is refused")

    def test_directives(self):
        for name, text in DIRECTIVES.items():
            with self.subTest(name):
                self.assertTrue(list(cpp.check_text("a.c", text)))

    def attacked(self, text):
        """The program, with something else in place of the check."""
        file = pathlib.Path(self.root, UNIT)
        before = file.read_text()
        file.write_text(text(before))
        try:
            return scope.Program(self.root)
        finally:
            file.write_text(before)

    def test_a_contract_that_nothing_meets(self):
        lie = ("/*@ requires words < 3; requires words > 3; terminates \\true; assigns \\nothing;\n"
               "  @ ensures \\false; */\nvoid lie(uint32_t words);\nvoid lie(uint32_t words) { words--; }\n")
        program = self.attacked(lambda source: source + lie)
        found = wp.smoke(program, ["fxt_read_string", "lie"])
        self.assertEqual({name for name, passed in found.items() if not passed},
                         {name for name in found if name.startswith("lie_")})
        self.assertTrue(any(name.startswith("lie_") for name in found))

    def test_what_c_leaves_open(self):
        next_one = ("/*@ requires \\valid(at) && *at < 9; terminates \\true; assigns *at; ensures *at == \\old(*at) + 1;\n"
                    "  @ ensures \\result == *at; */\nstatic uint32_t next_one(uint32_t *at) { return *at = *at + 1; }\n")
        for inside in ("uint32_t at = 0;\nif (one(next_one(&at), next_one(&at)) == 1)\n",
                       "uint32_t at = 0;\nif (at + next_one(&at) == 2)\n",
                       "uint32_t at = 0;\nuint32_t both[2] = {next_one(&at), at};\nif (both[0] == both[1])\n",
                       "uint32_t at = 0;\nat = at++;\nif (at == 0)\n",
                       "uint32_t at[2] = {0, 0}, to = 0;\nat[to] = to = 1;\nif (at[0] == 1)\n"):
            program = self.attacked(lambda source: source.replace(CHECK, inside + "    return FXT_OK;\n").replace(
                FUNCTION, next_one + "static uint32_t one(uint32_t a, uint32_t b) { return a + 2 * b; }\n" + FUNCTION))
            self.assertEqual(list(order.check(program, self.pure))[0].split(":")[0], "fxt_read_thread", inside)
        program = self.attacked(lambda source: source.replace(CHECK, CHECK + (
            "uint32_t at = 0, to = 0;\nto = next_one(&at);\nto += next_one(&at) + words;\n"
            "if (next_one(&at) == 1 && next_one(&at) == 2)\n    to = words++;\n")).replace(FUNCTION, next_one + FUNCTION))
        self.assertEqual(list(order.check(program, self.pure)), [])

    def test_what_is_wrong_is_not_proved(self):
        program = self.attacked(lambda source: source.replace(CHECK, ""))
        self.assertTrue(wp.prove(program, ["fxt_read_thread"], seconds=3).unproved())
        self.assertNotEqual(*(store.digests(one, "gcc_x86_64")["fxt_read_thread"]
                              for one in (program, scope.Program(self.root))))

    def test_more_in_a_function_that_the_ledger_lists(self):
        path = "src/base/word.h"
        found = self.attack({path: lambda source: re.sub(r"(#if .*__FRAMAC__.*\n)", r"\1int x;\n", source)})
        self.assertIn("what the prover and the compiler read", found)

    def test_code_in_a_file_of_the_logic(self):
        for text in ("#ifndef A\n#define A\n/*@ x */\n#endif\n", "#ifndef A\n#define A\n#include <a>\n#endif\n"):
            self.assertEqual(list(lint.check_logic("a.h", text)), [])
        for text in ("#ifndef A\n#define A\nint x;\n#endif\n", "#if 1\n#endif\n",
                     "#ifndef A\n#define A\n#define B 1\n#endif\n"):
            self.assertTrue(list(lint.check_logic("a.h", text)), text)


unittest.main()
