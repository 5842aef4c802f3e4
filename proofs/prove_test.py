#!/usr/bin/python3
"""The lint finds what it is there for."""
import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from lib import cpp, lint, machine, mutate, report, scope, second, seen, store, wp  # noqa: E402


def load_prove():
    """The program, which has no name of a module."""
    loader = importlib.machinery.SourceFileLoader(
        "prove", os.path.join(os.path.dirname(os.path.abspath(__file__)), "prove"))
    loaded = importlib.util.module_from_spec(importlib.util.spec_from_loader("prove", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(loaded)
    return loaded


prove = load_prove()


def style(text):
    return " ".join(lint.check_style("f.c", text))


class Style(unittest.TestCase):
    def test_clauses_have_an_order(self):
        self.assertEqual(style("/*@ terminates \\true; assigns \\nothing; ensures \\result == 0; */"), "")
        self.assertIn("order", style("/*@ assigns \\nothing; terminates \\true; */"))
        self.assertIn("order", style("/*@ loop assigns i;\n  @ assigns i;\n  @ requires x; */"))

    def test_logic_is_of_integers(self):
        self.assertEqual(style("/*@ logic integer f(integer x) = x; */"), "")
        self.assertIn("integers", style("/*@ logic int f(int x) = x; */"))

    def test_goto(self):
        self.assertIn("goto", style("goto end;"))
        self.assertEqual(style("/* goto */"), "")


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


class Conditions(unittest.TestCase):
    def test_only_names_that_are_listed_decide(self):
        for text in ("#ifdef __FRAMAC__\n#endif\n", "#ifndef A_H\n#define A_H\n#endif\n",
                     "#if defined(__GNUC__)\n#pragma GCC visibility pop\n#endif\n"):
            self.assertEqual(list(cpp.check_text("a.c", text)), [])
        for text in ("#ifndef A_H\n#define B_H\n#endif\n", "#if 0\n#endif\n".replace("0", "A")):
            self.assertNotEqual(list(cpp.check_text("a.c", text)), [])


class Differences(unittest.TestCase):
    def pieces(self, text, *options):
        with tempfile.TemporaryDirectory() as root:
            pathlib.Path(root, "a.c").write_text(text)
            return cpp.preprocessed(unittest.mock.Mock(source=root + "/a.c", directory=root), *options)

    def differences(self, text):
        return cpp.differences(self.pieces(text), self.pieces(text, "-D__FRAMAC__"))

    def test_text_falls_into_what_it_declares(self):
        self.assertEqual(self.pieces("struct a { int b; };\nint c[] = {1, 2};\nint d(void) { if (1) { } }\nint e;\n"),
                         ["struct a { int b ; } ;", "int c [ ] = { 1 , 2 } ;", "int d ( void ) { if ( 1 ) { } }", "int e ;"])

    def test_a_function_of_two_texts_is_named(self):
        text = "int f(int a)\n{\n#ifdef __FRAMAC__\nreturn 0;\n#else\nreturn a;\n#endif\n}\nint g(void) { return 1; }\n"
        self.assertEqual(list(self.differences(text)), ["f"])
        self.assertNotEqual(self.differences(text), self.differences(text.replace("return 0", "return 2")))

    def test_the_same_function_once_more_is_no_difference(self):
        again = "int f(int a);\n#ifdef __FRAMAC__\nint f(int a);\n#endif\nint f(int a) { return a; }\n"
        self.assertEqual(self.differences(again), {})
        self.assertEqual(list(self.differences(again.replace("#ifdef __FRAMAC__\nint f", "#ifdef __FRAMAC__\nint g"))), ["g"])

    def test_a_macro_of_the_prover_shows_where_it_is_used(self):
        self.assertEqual(list(self.differences(
            "#ifdef __FRAMAC__\n#define N 3\n#else\n#define N 0\n#endif\nint f(void) { return N; }\n")), ["f"])


class Output(unittest.TestCase):
    LOG = """[wp] [CFG] Goal f_terminates : Valid (Trivial)
[wp] [Qed] Goal typed_f_assigns : Valid (2ms)
[wp] [Z3 4.8.12] Goal typed_f_put_ensures : Valid (Qed:45ms) (130ms) (365883)
[wp] [Failed] Goal typed_f_ensures
  Z3 4.8.12: Timeout (Qed:16ms) (10s) (cached)
[wp] Proved goals:    3 / 4
"""

    def test_goals_and_verdicts_are_read(self):
        run = wp.Run(self.LOG, ["f", "f_put"])
        self.assertEqual(run.unproved(), ["f_ensures"])
        self.assertEqual(run.complaints, [])
        self.assertEqual([g.name for g in run.of("f")], ["f_assigns", "f_ensures", "f_terminates"])
        self.assertAlmostEqual(run.of("f_put")[0].seconds, 0.175)

    def test_a_count_that_does_not_fit_is_a_complaint(self):
        self.assertIn("counts 4", " ".join(
            wp.Run(self.LOG.replace("3 / 4", "4 / 4"), ["f"]).complaints))
        self.assertIn("no count", " ".join(wp.Run("", ["f"]).complaints))
        hidden = self.LOG.replace("[wp] Proved goals:    3 / 4",
                                  "[wp] [Failed] Goal typed_f_assigns\n[wp] Proved goals:    3 / 5")
        self.assertIn("3 proved goals of 5 and lists 3 of 4", " ".join(
            wp.Run(hidden, ["f", "f_put"]).complaints))

    def test_warnings_that_make_a_run_worthless_are_complaints(self):
        for line in ("[wp] Warning: Missing RTE guards", "[wp] f.c:1: Warning: might be unsound",
                     "[wp] f.c:1: Warning: Memory model hypotheses for function 'f':"):
            self.assertIn(line, wp.Run(self.LOG + line + "\n", ["f"]).complaints)


    def test_a_goal_that_is_known_to_be_open_does_not_count(self):
        run = wp.Run(self.LOG, ["f", "f_put"])
        run.open.add("f_ensures")
        self.assertEqual(run.unproved(), [])


class Results(unittest.TestCase):
    """A small program, its results, and what changes them."""
    SOURCE = ("/*@ terminates \\true; assigns \\nothing; ensures \\result == %d; */\nstatic int one(void) { return %d; }\n"
              "enum word { LOW = 2, HIGH = 5 };\nstatic const int table[1] = {7};\n"
              "/*@ logic integer l_low(integer x) = x + %d; */\n"
              "/*@ terminates \\true; assigns \\nothing; */\nint two(void) { return one() + LOW; }\n"
              "/*@ terminates \\true; assigns \\nothing; ensures \\result == l_low(1); */\n"
              "int three(void) { return 1 + %d; }\n"
              "/*@ terminates \\true; assigns \\nothing; ensures \\result == 7; */\nint four(void) { return table[0]; }\n")

    class Program:
        def __init__(self, text):
            self.tmp = tempfile.TemporaryDirectory()
            self.directory, self.source = self.tmp.name, os.path.join(self.tmp.name, "program.c")
            pathlib.Path(self.source).write_text(text)

        def to_prove(self):
            return ["four", "one", "three", "two"]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        patch = unittest.mock.patch.object(store, "FOLDER", folder.name)
        patch.start()
        self.addCleanup(patch.stop)
        self.first = self.Program(self.SOURCE % (1, 1, 0, 0))

    def stale(self, text):
        return store.stale(self.Program(text))

    def test_what_is_proved_is_known_until_it_changes(self):
        names = self.first.to_prove()
        self.assertEqual(store.stale(self.first), names)
        run = wp.prove(self.first, names)
        self.assertEqual((run.complaints, run.unproved()), ([], []))
        store.write(self.first, run)
        same = self.SOURCE % (1, 1, 0, 0)
        self.assertEqual(store.stale(self.first), [])
        self.assertEqual(self.stale("/* a comment */\n" + same), [])
        self.assertEqual(self.stale(same.replace("enum", "int more;\nenum")), [])
        self.assertEqual(self.stale(same.replace("HIGH = 5", "HIGH = 6")), [])
        self.assertEqual(self.stale(same.replace("LOW = 2", "LOW = 3")), ["two"])
        self.assertEqual(self.stale(self.SOURCE % (1, 1, 1, 0)), ["three"])
        self.assertEqual(self.stale(same.replace("{7}", "{8}")), ["four"])
        self.assertEqual(self.stale(same.replace("return 1;", "return 2 - 1;")), ["one"])
        self.assertEqual(self.stale(same.replace("ensures \\result == 1", "ensures \\result >= 1")), ["one", "two"])
        with unittest.mock.patch.object(wp, "OPTIONS", ("-wp",)):
            store.how.cache_clear()
            store.digests.cache_clear()
            self.assertEqual(self.stale(same), names)
        store.how.cache_clear()

    def test_what_is_not_proved_has_no_result(self):
        wrong = self.Program(self.SOURCE % (2, 1, 0, 0))
        store.write(wrong, wp.prove(wrong, wrong.to_prove(), seconds=2))
        self.assertEqual(store.stale(wrong), ["one"])

    def test_a_function_that_the_prover_does_not_see_is_told(self):
        hidden = self.Program("#ifndef __FRAMAC__\n%s#endif\n" % (self.SOURCE % (1, 1, 0, 0)))
        with self.assertRaisesRegex(scope.Error, "four: gcc sees this function, and Frama-C does not"):
            store.stale(hidden)

    def test_goals_are_the_sum_of_whose_they_are(self):
        self.assertEqual(report.sums([["f", "3", "2", "1", "0", "0", "0.2", "d"]]), [])
        self.assertEqual(report.sums([["f", "4", "2", "1", "0", "0", "0.2", "d"]]), ["f"])

    def test_a_digest_is_of_all_that_is_proved(self):
        rows = {"f": ["f", "3", "2", "1", "0", "0", "0.2", "d"], "g": ["g", "1", "1", "0", "0", "0", "0.1", "e"]}

        def digest(changed):
            with unittest.mock.patch.object(store, "read", lambda: changed):
                return store.digest()
        one = digest(rows)
        self.assertEqual(one, digest(dict(reversed(rows.items()))))
        for other in ({"f": rows["f"]}, {**rows, "g": rows["g"][:-1] + ["d"]}, {**rows, "g": ["g", "2"] + rows["g"][2:]}):
            self.assertNotEqual(one, digest(other))

    def test_each_function_is_in_one_part_and_one_portion(self):
        costs = {"f%d" % i: i % 7 for i in range(50)}
        parts = [prove.drawn_of(costs, 12, part) for part in range(12)]
        self.assertEqual(sorted(sum(parts, [])), sorted(costs))
        loads = [sum(costs[name] for name in part) for part in parts]
        self.assertLessEqual(max(loads) - min(loads), 6)
        self.assertEqual(sorted(sum(prove.portions(list(costs)), [])), sorted(costs))


class Names(unittest.TestCase):
    def test_a_file_stands_for_its_functions(self):
        self.assertIn("fxt_read_log", scope.chosen(["src/read/log.c"]))
        self.assertEqual(scope.chosen(["fxt_read_log"]), ["fxt_read_log"])
        for word in ("fxt_read_lug", "src/events/events.c", "fxt_events_next"):
            with self.assertRaises(scope.Error):
                scope.chosen([word])

    def test_statics_that_share_a_name_are_told_apart(self):
        functions = scope.program().functions
        self.assertEqual(functions["read_arg_refuse"], "src/read/arg.c")
        self.assertEqual(functions["buffer_header_refuse"], "src/buffer/header.c")


class Machines(unittest.TestCase):
    SOURCE = ("/*@ terminates \\true; assigns \\nothing; ensures \\result == %d; */\n"
              "unsigned long size(void) { return sizeof(void *); }\n")

    def proved(self, name, size):
        """Whether this is the size of a pointer on that machine, as the runner asks Frama-C."""
        with tempfile.TemporaryDirectory() as root, unittest.mock.patch.object(machine, "name", name):
            pathlib.Path(root, "size.c").write_text(self.SOURCE % size)
            run = wp.run(root + "/size.c", ["size"], provers=("cvc4",), seconds=1)
        self.assertEqual(run.complaints, [])
        return not run.unproved()

    def test_goals_are_those_of_the_machine(self):
        self.assertTrue(self.proved("gcc_x86_32", 4))
        self.assertFalse(self.proved("gcc_x86_32", 8))
        self.assertTrue(self.proved(machine.OWN, 8))

    def test_another_machine_has_results_and_rooms_of_its_own(self):
        own = store.path(), scope.program().to_prove()
        self.assertIn("walk_noting", own[1])
        with unittest.mock.patch.object(machine, "name", "gcc_x86_32"):
            self.assertTrue(store.path().endswith("results/gcc_x86_32.tsv"))
            self.assertIn("fxt_read_thread", scope.program().to_prove())
            self.assertNotIn("walk_noting", scope.program().to_prove())

    def test_what_is_done_for_one_machine_only_is_refused_for_others(self):
        prove = os.path.join(scope.ROOT, "proofs/prove")
        for words in (["--machdep=gcc_x86_32", "lint"], ["--machdep=pdp11", "scope"]):
            done = subprocess.run([prove, *words], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, words)


class Figures(unittest.TestCase):
    TEMPLATE = "{proved} functions are proved ({goals} goals)"

    def told(self, text):
        return report.told(text, self.TEMPLATE, {"proved": 1234, "goals": 5})

    def test_a_figure_is_what_the_results_say(self):
        good = "Of these, 1,234 functions are\n  proved (5 goals)."
        self.assertEqual(self.told(good), good)
        for forged in (good.replace("1,234", "1,235"), good.replace("5 goals", "6 goals")):
            self.assertEqual(self.told(forged), good)

    def test_a_sentence_that_is_not_there_is_missed(self):
        self.assertIsNone(self.told("1,234 functions are fine (5 goals)"))


class SecondLook(unittest.TestCase):
    def runs(self, *provers):
        found = [wp.Run(None, ["f"]) for _ in provers]
        for run, prover in zip(found, provers):
            run.goals["f_ensures"] = wp.Goal("f_ensures", prover or "Failed", bool(prover), 0)
        return found

    def test_who_proves_a_goal(self):
        for provers, wanted in ((("Z3", "CVC5"), "both"), (("Z3", None), "Z3"), ((None, "CVC5"), "CVC5"),
                                (("Qed", "Qed"), "Qed"), ((None, None), second.NEITHER)):
            self.assertEqual(second.verdict("f_ensures", self.runs(*provers)), wanted)

    def test_the_seed_chooses_a_tenth(self):
        with unittest.mock.patch.object(store, "read", lambda: {"f%d" % i: [] for i in range(100)}):
            one = second.chosen("1")
            self.assertEqual(len(one), 10)
            self.assertEqual(one, second.chosen("1"))
            self.assertNotEqual(one, second.chosen("2"))


class Cycles(unittest.TestCase):
    def test_what_a_contract_requires_is_given(self):
        names, calls = ["root", "inner", "deep", "lie", "liar"], {
            "root": {"inner"}, "inner": {"deep", "memcpy"}, "lie": {"liar"}, "liar": {"lie"}}
        self.assertEqual(scope.unmet(names, calls, {"inner", "deep", "lie", "liar"}), ["liar", "lie"])

    def test_recursion_is_found(self):
        self.assertEqual(scope.cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}}), ["b", "c"])


unittest.main()
