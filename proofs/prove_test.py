#!/usr/bin/python3
"""The lint finds what it is there for."""
import argparse
import hashlib
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import shutil
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


class Texts(unittest.TestCase):
    def test_what_is_seen_is_what_is_proved(self):
        row = seen.Row("contract", "f", "a.c", "1", "one", "")
        call = row._replace(tag="promise", file="a.h")
        proved = {"a.c": {"f"}, "b.c": set()}
        self.assertEqual(seen.at_odds({"a.c": [row], "b.c": [call]}, proved), [])
        for rows, names in (({"a.c": [row], "b.c": [call._replace(digest="two")]}, proved),
                            ({"a.c": [row], "b.c": [call._replace(name="g")]}, proved),
                            ({"a.c": [row], "b.c": [call]}, {"a.c": set(), "b.c": set()}),
                            ({"a.c": [row], "b.c": [row._replace(digest="two")]}, proved),
                            ({"a.c": [row], "b.c": [row._replace(file="other.h")]}, proved)):
            self.assertNotEqual(seen.at_odds(rows, names), [])

    def test_one_name_has_one_text(self):
        row = seen.Row("logic", "l", "a.h", "1", "one", "")
        for tag, file, count in (("logic", "a.h", 1), ("logic", "a.c", 1), ("type", "a.h", 1)):
            one = row._replace(tag=tag, file=file)
            self.assertEqual(len(seen.at_odds({"a.c": [one], "b.c": [one._replace(digest="two")]},
                                              {"a.c": set(), "b.c": set()})), count)


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


class Pieces(unittest.TestCase):
    """`prove all` in several runs."""
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.texts, self.proved, self.fails = {"a.c": "1", "b.c": "2"}, [], set()
        for thing, name, new in (
                (store, "FOLDER", folder.name),
                (store, "FROM_NOTHING", os.path.join(folder.name, "from_nothing")),
                (store, "text_of", lambda unit: self.texts[unit]),
                (scope, "with_functions", lambda files: {"a.c": ["f"], "b.c": ["g"]}),
                (prove, "say", lambda text: None), (wp, "prove", self.prove)):
            patch = unittest.mock.patch.object(thing, name, new)
            patch.start()
            self.addCleanup(patch.stop)

    def prove(self, unit, names, known, mode, **more):
        self.assertEqual((known, mode), ({}, "solve"))
        self.proved.append(unit)
        run = wp.Run(None, names, {})
        goal = names[0] + "_ensures"
        run.goals[goal] = wp.Goal(goal, "Z3", unit not in self.fails, 1)
        return run

    def whole(self, go_on, minutes=1.0):
        self.proved.clear()
        return prove.prove_whole(argparse.Namespace(go_on=go_on, minutes=minutes, jobs=1, timeout=1, extra=""))

    def test_a_run_goes_on_with_what_is_left(self):
        self.fails = {"b.c"}
        self.assertFalse(self.whole(False))
        self.assertEqual(sorted(self.proved), ["a.c", "b.c"])
        self.fails = set()
        self.assertTrue(self.whole(True))
        self.assertEqual(self.proved, ["b.c"])
        self.assertTrue(self.whole(True))
        self.assertEqual(self.proved, [])

    def test_another_text_is_proved_again(self):
        self.assertTrue(self.whole(False))
        self.texts["a.c"] = "3"
        self.assertTrue(self.whole(True))
        self.assertEqual(self.proved, ["a.c"])

    def test_without_go_on_nothing_is_kept(self):
        self.assertTrue(self.whole(False))
        self.assertTrue(self.whole(False))
        self.assertEqual(sorted(self.proved), ["a.c", "b.c"])

    def test_no_file_is_begun_when_the_time_is_over(self):
        self.assertFalse(self.whole(False, -1.0))
        self.assertEqual(self.proved, [])


class Conditions(unittest.TestCase):
    def test_all_but_the_include_guard(self):
        text = "#ifndef A_H\n#define A_H\n#ifdef __FRAMAC__\n#if  defined(X)\n#endif\n#endif\n#endif\n"
        self.assertEqual([c for c, _ in cpp.conditions(text)], ["ifdef __FRAMAC__", "if defined(X)"])
        self.assertEqual(len(cpp.conditions(text + "int x;\n")), 3)

    def test_what_they_decide_is_known(self):
        text = "#ifdef A\nint a; /* %s */\n#else\nint b;\n#endif\nint c;\n"
        first = cpp.conditions(text % "x")
        self.assertEqual(first, cpp.conditions(text % "y"))
        self.assertEqual(first, cpp.conditions(text.replace("int c", "int d")))
        for old in ("int a", "int b", "#else"):
            self.assertNotEqual(first, cpp.conditions(text.replace(old, old + "_")))


class Output(unittest.TestCase):
    LOG = """[wp] [CFG] Goal f_terminates : Valid (Trivial)
[wp] [Qed] Goal typed_f_assigns : Valid (2ms)
[wp] [Z3 4.8.12] Goal typed_f_put_ensures : Valid (Qed:45ms) (130ms) (365883)
[wp] [Failed] Goal typed_f_ensures
  Z3 4.8.12: Timeout (Qed:16ms) (10s) (cached)
[wp] Proved goals:    3 / 4
"""

    def test_goals_and_verdicts_are_read(self):
        run = wp.Run(self.LOG, ["f", "f_put"], {})
        self.assertEqual(run.unproved(), ["f_ensures"])
        self.assertEqual(run.complaints, [])
        self.assertEqual([g.name for g in run.of("f")], ["f_assigns", "f_ensures", "f_terminates"])
        self.assertAlmostEqual(run.of("f_put")[0].seconds, 0.175)

    def test_a_hash_is_of_the_text_that_the_prover_got_who_answered(self):
        with tempfile.TemporaryDirectory() as folder:
            texts = pathlib.Path(folder, "typed")
            texts.mkdir()
            for goal in ("f_put_ensures", "f_ensures"):
                for prover in ("CVC4_1_8", "CVC5_1_0_3", "Z3_4_8_12"):
                    (texts / ("%s_Why3_%s.why" % (goal, prover))).write_text(goal + prover)
            run = wp.Run(self.LOG, ["f", "f_put"], wp.hashes(folder))
        self.assertEqual([g.hash for g in run.of("f")], [None] * 3)
        self.assertEqual(run.of("f_put")[0].hash, hashlib.md5(b"f_put_ensuresZ3_4_8_12").hexdigest())

    def test_a_count_that_does_not_fit_is_a_complaint(self):
        self.assertIn("counts 4", " ".join(
            wp.Run(self.LOG.replace("3 / 4", "4 / 4"), ["f"], {}).complaints))
        self.assertIn("no count", " ".join(wp.Run("", ["f"], {}).complaints))
        hidden = self.LOG.replace("[wp] Proved goals:    3 / 4",
                                  "[wp] [Failed] Goal typed_f_assigns\n[wp] Proved goals:    3 / 5")
        self.assertIn("3 proved goals of 5 and lists 3 of 4", " ".join(
            wp.Run(hidden, ["f", "f_put"], {}).complaints))

    def test_warnings_that_make_a_run_worthless_are_complaints(self):
        for line in ("[wp] Warning: Missing RTE guards", "[wp] f.c:1: Warning: might be unsound",
                     "[wp] f.c:1: Warning: Memory model hypotheses for function 'f':"):
            self.assertIn(line, wp.Run(self.LOG + line + "\n", ["f"], {}).complaints)


    def test_a_goal_that_is_known_to_be_open_does_not_count(self):
        run = wp.Run(self.LOG, ["f", "f_put"], {})
        run.open.add("f_ensures")
        self.assertEqual(run.unproved(), [])


class Results(unittest.TestCase):
    ROWS = [["f", "3", "2", "1", "0", "0", "0.2"], ["f_put", "1", "0", "1", "0", "0", "0.1"]]

    def test_the_goals_are_as_many_as_there_are(self):
        run = wp.Run(Output.LOG.replace("[Failed] Goal typed_f_ensures",
                                        "[Z3 4.8.12] Goal typed_f_ensures : Valid (1s) (2)"),
                     ["f", "f_put"], {})
        with unittest.mock.patch.object(store, "read", lambda _: self.ROWS):
            self.assertEqual(list(store.differences("a.c", run)), [])
        for forged in (["f", "2", "1", "1", "0", "0", "0.2"], ["f", "3", "3", "0", "0", "0", "0.2"],
                       ["f", "4", "2", "2", "0", "0", "0.2"]):
            with unittest.mock.patch.object(store, "read", lambda _: [forged]):
                self.assertEqual(len(list(store.differences("a.c", run))), 1, forged)

    def write(self, name, hashes, seconds=1):
        """The lines of a.c for a machine, after a run that proved a goal of g for each hash."""
        run = wp.Run(None, ["g"], {})
        for i, digest in enumerate(hashes):
            run.goals["g_%d" % i] = wp.Goal("g_%d" % i, "Z3", True, seconds, digest)
        with unittest.mock.patch.object(machine, "name", name):
            store.write("a.c", run, True)
        return store.lines("a.c", "function", name)

    def test_a_line_has_what_is_not_known_yet(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(store, "FOLDER", folder):
            first = "function\tg\t2\t0\t2\t0\t0\t2.0\t01\t02"
            self.assertEqual(self.write(machine.OWN, ["02", "01"]), [first])
            self.assertEqual(self.write(machine.OWN, ["01", "02"], 3), [first])
            self.assertEqual(self.write("gcc_x86_32", ["01", "03"]), [first[:-5] + "03"])
            with unittest.mock.patch.object(machine, "name", "gcc_x86_32"):
                self.assertEqual(store.known(store.looked_up("a.c")), {"01": 1, "02": 1, "03": 1})
                self.assertEqual(store.provers("a.c"), ["z3"])
            self.assertEqual(set(store.known(store.looked_up("a.c"))), {"01", "02"})
            self.assertEqual(self.write(machine.OWN, ["04"]), ["function\tg\t1\t0\t1\t0\t0\t1.0\t04"])

    def test_goals_are_the_sum_of_whose_they_are(self):
        self.assertEqual(report.sums(self.ROWS), [])
        self.assertEqual(report.sums([["f", "4", "2", "1", "0", "0", "0.2"]]), ["f"])

    def test_the_report_has_a_line_for_each_function(self):
        with unittest.mock.patch.multiple(store, units=lambda: ["a.c"], read=lambda _: self.ROWS):
            for line in ("| **a.c** |", "| f | 3 | 2 | 1 | 0 | 0 | 0.2 |", "| f_put | 1 |", "| **all** | 4 | 2 | 2 |"):
                self.assertIn(line, report.table())

    def test_a_digest_is_of_all_that_is_proved(self):
        with tempfile.TemporaryDirectory() as root:
            file = pathlib.Path(root, "a.c")

            def digest(text, rows):
                file.write_text(text)
                with unittest.mock.patch.multiple(store, units=lambda: ["a.c"], read=lambda _: rows), \
                     unittest.mock.patch.multiple(scope, ROOT=root, included=lambda _: ["a.c"]):
                    return store.digest()
            one = digest("x", self.ROWS)
            self.assertEqual(one, digest("x", self.ROWS[::-1]))
            for text, rows in (("y", self.ROWS), ("x", self.ROWS[:1]),
                               ("x", [["f", "4", "2", "2", "0", "0", "0.2"], self.ROWS[1]])):
                self.assertNotEqual(one, digest(text, rows))


class Replays(unittest.TestCase):
    """What passed is not replayed again while all that a replay reads is the same."""
    UNIT = "proofs/lemmas/ring.c"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for part in ("proofs/lib", "proofs/prove", "proofs/scope.tsv", "proofs/why3.conf", "proofs/lemmas",
                     "spec/acsl", "src"):
            source, copy = pathlib.Path(scope.ROOT, part), self.root / part
            copy.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copyfile)(source, copy)
        self.results = self.root / "proofs/results/proofs.lemmas.ring.c.tsv"
        self.results.parent.mkdir()
        shutil.copyfile(store.path_of(self.UNIT), self.results)

    def run_prove(self, *words):
        """(Exit code, output)."""
        done = subprocess.run([sys.executable, "-B", self.root / "proofs/prove", *words, self.UNIT],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def replay(self, *options):
        """(Exit code, whether anything was replayed)."""
        code, text = self.run_prove("replay", *options)
        return code, "has passed" not in text

    def append(self, path, text):
        with open(self.root / path, "a") as file:
            file.write(text)

    def test_each_input_counts(self):
        self.assertEqual(self.replay("--record"), (0, True))
        self.assertEqual(self.replay("--recorded"), (0, False))
        for path, text in (("proofs/lemmas/ring.c", "\n"), ("src/engine/ring.h", "/* */\n"),
                           ("proofs/scope.tsv", "#\n"), ("proofs/lib/wp.py", "#\n"), ("proofs/lib/gc.ml", "\n")):
            before = (self.root / path).read_text()
            self.append(path, text)
            self.assertEqual(self.replay("--recorded"), (0, True), path)
            (self.root / path).write_text(before)
        self.assertEqual(self.replay("--recorded"), (0, False))

    def test_what_fails_is_not_written_down(self):
        self.results.write_text(self.results.read_text().replace("leases_apart\t4\t", "leases_apart\t5\t"))
        for options in (["--record"], ["--recorded"]):
            self.assertEqual(self.replay(*options), (1, True))

    def test_a_result_less_is_found(self):
        self.assertEqual(self.replay("--record"), (0, True))
        self.results.write_text(self.results.read_text().rsplit("\t", 1)[0] + "\n")
        self.assertEqual(self.replay("--recorded"), (1, True))

    def test_goals_of_another_file_are_not_proved_again(self):
        config = self.root / "proofs/why3.conf"
        config.write_text(re.sub("/usr/bin/(z3|cvc[45])", "/bin/false", config.read_text()))
        before = store.lines(self.UNIT, "function")
        for folder in (self.results.parent, self.results.parent / "gcc_x86_32"):
            folder.mkdir(exist_ok=True)
            self.results.rename(folder / "src.read.table.c.tsv")
            self.assertEqual(self.run_prove()[0], 0)
            self.assertEqual(self.results.read_text().splitlines(), before)
            (folder / "src.read.table.c.tsv").unlink()
        self.results.unlink()
        self.assertEqual(self.run_prove()[0], 1)

    def test_each_file_is_in_one_part(self):
        costs = {"f%d" % i: i % 7 for i in range(50)}
        parts = [prove.drawn_of(costs, 12, part) for part in range(12)]
        self.assertEqual(sorted(sum(parts, [])), sorted(costs))
        loads = [sum(costs[name] for name in part) for part in parts]
        self.assertLessEqual(max(loads) - min(loads), 6)


class Machines(unittest.TestCase):
    SOURCE = ("/*@ terminates \\true; assigns \\nothing; ensures \\result == %d; */\n"
              "unsigned long size(void) { return sizeof(void *); }\n")

    def proved(self, name, size):
        """Whether this is the size of a pointer on that machine, as the runner asks Frama-C."""
        with tempfile.TemporaryDirectory() as root, unittest.mock.patch.object(machine, "name", name):
            pathlib.Path(root, "size.c").write_text(self.SOURCE % size)
            run = wp.run("size.c", ["size"], {}, "solve", root=root, provers=("cvc4",), seconds=1)
        self.assertEqual(run.complaints, [])
        return not run.unproved()

    def test_goals_are_those_of_the_machine(self):
        self.assertTrue(self.proved("gcc_x86_32", 4))
        self.assertFalse(self.proved("gcc_x86_32", 8))
        self.assertTrue(self.proved(machine.OWN, 8))

    def test_another_machine_has_results_and_files_of_its_own(self):
        own = store.path_of("src/read/table.c"), scope.files()
        with unittest.mock.patch.object(machine, "name", "gcc_x86_32"):
            self.assertTrue(store.path_of("src/read/table.c").endswith(
                "results/gcc_x86_32/src.read.table.c.tsv"))
            self.assertIn("src/read/table.c", scope.files())
            self.assertNotIn("src/check/walk.c", scope.files())
        self.assertEqual(own, (store.path_of("src/read/table.c"), scope.files()))

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
        found = [wp.Run(None, ["f"], {}) for _ in provers]
        for run, prover in zip(found, provers):
            run.goals["f_ensures"] = wp.Goal("f_ensures", prover or "Failed", bool(prover), 0)
        return found

    def test_who_proves_a_goal(self):
        for provers, wanted in ((("Z3", "CVC5"), "both"), (("Z3", None), "Z3"), ((None, "CVC5"), "CVC5"),
                                (("Qed", "Qed"), "Qed"), ((None, None), second.NEITHER)):
            self.assertEqual(second.verdict("f_ensures", self.runs(*provers)), wanted)

    def test_the_seed_chooses_a_tenth(self):
        with unittest.mock.patch.multiple(store, units=lambda: ["a.c", "b.c"], functions=lambda unit: [
                unit[0] + str(i) for i in range(50)]):
            one = second.chosen("1")
            self.assertEqual(sum(map(len, one.values())), 10)
            self.assertEqual(one, second.chosen("1"))
            self.assertNotEqual(one, second.chosen("2"))


class Cycles(unittest.TestCase):
    def test_recursion_is_found(self):
        self.assertEqual(scope.cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}}), ["b", "c"])


unittest.main()
