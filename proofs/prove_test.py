#!/usr/bin/python3
"""The lint finds what it is there for."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from lib import lint, mutate, scope, wp  # noqa: E402

GOOD = """requires x > 0;
terminates \\true;
assigns \\nothing;
ensures full: \\result == x;"""


def complaints(body):
    return " ".join(lint.check_annotation("f.c:1", body))


def loops(text):
    return " ".join(lint.check_loops("f.c", text))


class Annotations(unittest.TestCase):
    def test_a_good_contract_and_a_good_loop_pass(self):
        self.assertEqual(complaints(GOOD), "")
        self.assertEqual(complaints("loop invariant i >= 0;\nloop assigns i;\nloop variant n - i;"), "")
        self.assertEqual(complaints("logic integer f(integer x) = x;"), "")

    def test_each_clause_that_is_missing_is_named(self):
        for clause, line in (("terminates", 1), ("assigns", 2)):
            lines = GOOD.split("\n")
            del lines[line]
            self.assertIn("no " + clause, complaints("\n".join(lines)))
        loop = ["loop invariant i >= 0;", "loop assigns i;", "loop variant n - i;"]
        for i, line in enumerate(loop):
            rest = loop[:i] + loop[i + 1:]
            self.assertIn(line.split(" i")[0].split(" n")[0], complaints("\n".join(rest)))

    def test_clauses_on_one_line_are_seen(self):
        self.assertEqual(complaints("terminates \\true; assigns \\nothing; ensures \\result == 0;"), "")
        self.assertIn("order", complaints("assigns \\nothing; terminates \\true;"))

    def test_termination_must_be_unconditional(self):
        self.assertIn("terminates", complaints(GOOD.replace("\\true", "x > 0")))

    def test_what_is_assumed_is_refused(self):
        for text in ("axiomatic A { axiom a: 0 == 1; }", "lemma l: 0 == 1;", "admit 0 == 1;",
                     "inductive p(integer x) {}", "behavior b: assumes x > 0;",
                     "logic int f(int x) = x;", "for b: assert x;"):
            self.assertIn("not allowed", complaints(text), text)


class Mutants(unittest.TestCase):
    def test_one_that_does_not_fit_the_code_is_refused(self):
        text = "m\nfile src/base/word.h\ngoal %s\nwhy  it is wrong\n-%s\n+x\n"
        line = "    return (size + 7) / 8;"
        mutate.Mutant(text % ("fxt_words_of_ensures", line)).check(scope.ROOT)
        for goal, old in (("fxt_words_of_ensures", "no such line"), ("no_such_function_ensures", line)):
            with self.assertRaises(scope.Error):
                mutate.Mutant(text % (goal, old)).check(scope.ROOT)

    def test_a_goal_is_asked_for_by_the_name_of_its_clause(self):
        for goal, wanted in (("f_ensures_says", "says"), ("f_ensures_2", "@ensures"),
                             ("f_ensures", "@ensures"), ("f_assert_rte_mem_access_3", "@assert"),
                             ("f_assert_number", "number"), ("f_assigns_normal_part3", "@assigns"),
                             ("f_loop_invariant_sizes_preserved", "sizes"),
                             ("f_loop_invariant_preserved", "@invariant"),
                             ("f_call_g_requires_2", "@requires")):
            self.assertEqual(wp.property_of(goal, "f"), wanted, goal)
        with self.assertRaises(scope.Error):
            wp.property_of("f_nonsense", "f")

    def test_a_goal_is_of_the_longest_name_it_begins_with(self):
        self.assertEqual(scope.owner("put_arg_ensures", ["put", "put_arg"]), "put_arg")
        self.assertIsNone(scope.owner("other_ensures", ["put", "put_arg"]))


class Loops(unittest.TestCase):
    def test_a_loop_needs_its_annotation(self):
        self.assertIn("f.c:2", loops("void f(void) {\n    for (;;) {}\n}\n"))
        self.assertIn("no annotation", loops("/* for */\nwhile (x) {}\n"))
        self.assertEqual(loops("/*@ loop variant x; @*/\nwhile (x) {}\n"), "")
        self.assertEqual(loops("/*@ loop variant x; @*/\ndo { x--; } while (x);\n"), "")

    def test_loops_in_words_and_macros_are_none(self):
        self.assertEqual(loops('#define L for (;;) \\\n  while (1)\nconst char *s = "for";\n'), "")

    def test_what_the_memory_model_does_not_know_is_refused(self):
        for text in ("union u { int a; };\n", "goto end;\n", "struct s {\n    unsigned a : 3;\n};\n"):
            self.assertIn("not allowed", loops(text), text)


class Conditions(unittest.TestCase):
    def test_all_but_the_include_guard(self):
        text = "#ifndef A_H\n#define A_H\n#ifdef __FRAMAC__\n#if  defined(X)\n#endif\n#endif\n#endif\n"
        self.assertEqual(lint.conditionals(text), ["ifdef __FRAMAC__", "if defined(X)"])


class Output(unittest.TestCase):
    LOG = """[wp] [CFG] Goal f_terminates : Valid (Trivial)
[wp] [Qed] Goal typed_f_assigns : Valid (2ms)
[wp] [Z3 4.8.12] Goal typed_f_put_ensures : Valid (Qed:45ms) (130ms) (365883)
[wp] [Failed] Goal typed_f_ensures
  Z3 4.8.12: Timeout (Qed:16ms) (10s) (cached)
[wp] Proved goals:    3 / 4
"""

    def test_goals_and_verdicts_are_read(self):
        run = wp.Run(self.LOG, ["f", "f_put"], 1, {})
        self.assertEqual(run.unproved(), ["f_ensures"])
        self.assertEqual(run.complaints, [])
        self.assertEqual([g.name for g in run.of("f")], ["f_assigns", "f_ensures", "f_terminates"])
        self.assertAlmostEqual(run.of("f_put")[0].seconds, 0.175)

    def test_a_count_that_does_not_fit_is_a_complaint(self):
        self.assertIn("counts 4", " ".join(
            wp.Run(self.LOG.replace("3 / 4", "4 / 4"), ["f"], 1, {}).complaints))
        self.assertIn("no count", " ".join(wp.Run("", ["f"], 1, {}).complaints))

    def test_warnings_that_make_a_run_worthless_are_complaints(self):
        for line in ("[wp] Warning: Missing RTE guards", "[wp] f.c:1: Warning: might be unsound",
                     "[wp] f.c:1: Warning: Memory model hypotheses for function 'f':"):
            self.assertIn(line, wp.Run(self.LOG + line + "\n", ["f"], 1, {}).complaints)


    def test_a_goal_that_is_known_to_be_open_does_not_count(self):
        run = wp.Run(self.LOG, ["f", "f_put"], 1, {})
        run.open.add("f_ensures")
        self.assertEqual(run.unproved(), [])


class Cycles(unittest.TestCase):
    def test_recursion_is_found(self):
        self.assertEqual(scope.cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}}), ["b", "c"])


unittest.main()
