#!/usr/bin/python3
"""What fuzz/coverage makes of the counts of llvm-cov."""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
loader = importlib.machinery.SourceFileLoader("coverage", os.path.join(HERE, "coverage"))
coverage = importlib.util.module_from_spec(importlib.util.spec_from_loader("coverage", loader))
loader.exec_module(coverage)

SOURCE = """int f(int a)
{
    assert(a > 0);
    return a +
           1;
}

int g(int a)
{
    assert(a > 0 &&
           a < 9);
    /* Why. */
    return a;
}
"""


class Counts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        coverage.ROOT = self.folder = folder.name
        with open(os.path.join(folder.name, "a.c"), "w") as f:
            f.write(SOURCE)
        self.file = coverage.File("a.c")

    def take(self, *counts):
        for line, count in counts:
            self.file.take_line("DA", "%d,%d" % (line, count))
        self.file.count_behind_assertions()

    def test_line_behind_an_assertion_is_reached_if_the_assertion_is(self):
        self.take((3, 7), (4, 0), (10, 2), (11, 2), (13, 0))
        self.assertEqual(self.file.left_lines(), [])
        self.assertEqual((self.file.lines[4], self.file.lines[13]), (7, 2))

    def test_line_behind_an_assertion_that_is_not_reached_is_left(self):
        self.take((3, 0), (4, 0), (10, 0), (11, 0), (13, 0))
        self.assertEqual(self.file.left_lines(), [3, 4, 10, 11, 13])

    def test_further_lines_behind_an_assertion_are_counted_as_they_are(self):
        self.take((3, 7), (4, 0), (5, 0))
        self.assertEqual(self.file.left_lines(), [5])

    def test_programs_count_together(self):
        self.take((3, 0), (5, 1))
        self.take((3, 4), (5, 0))
        self.assertEqual((self.file.lines[3], self.file.lines[5]), (4, 1))

    def test_sides_of_lines_that_are_not_reached_are_not_left_besides(self):
        self.file.take_line("FN", "8,a.c:g")
        self.take((3, 0), (10, 2))
        self.file.take_branch([3, 12, 3, 17, 0, 0])
        self.file.take_branch([10, 12, 10, 17, 2, 0])
        self.assertEqual(self.file.left_sides(), [(10, "false")])
        self.assertEqual(dict(self.file.left()), {"-": [1, 0], "g": [0, 1]})

    def test_what_is_left_is_listed_with_its_reason(self):
        self.file.take_line("FN", "1,a.c:f")
        self.file.take_line("FN", "8,a.c:g")
        self.take((3, 7), (5, 0), (13, 0))
        coverage.LEFT = os.path.join(self.folder, "left.tsv")
        with open(coverage.LEFT, "w") as f:
            f.write("# Words.\na.c\tf\t1\t0\tNobody adds.\n")
        with contextlib.redirect_stdout(io.StringIO()) as out:
            coverage.list_left({"a.c": self.file}, [""])
        self.assertEqual(out.getvalue(), "a.c:5: f: 1;  [Nobody adds.]\n"
                                         "a.c:13: g: return a;  [no reason]\n")


class Commands(unittest.TestCase):
    """The script, with a Bazel that tells of its start and goes on until it is killed, or with none."""
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def start(self, *arguments):
        return subprocess.Popen([os.path.join(HERE, "coverage"), *arguments], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, env={"PATH": self.folder})

    def test_what_did_not_run_exits_with_2_and_one_line(self):
        for words, message in ((["src/red"], "no row in coverage.tsv; did you mean 'src/read'?; see"),
                               (["red"], "no row in coverage.tsv; did you mean 'read'?; see"),
                               (["zzz"], "no row in coverage.tsv; folders are src/base "),
                               (["--lft"], "--lft"),
                               (["--html", "/proc/x"], "fuzz/coverage: cannot write to /proc/x: No such file or "
                                                       "directory; --html names another place"),
                               (["--heml", "x"], "unrecognized arguments: --heml"),
                               (["--inputs", "--tests"], "not allowed with"),
                               (["--tests", "read/"], "fuzz/coverage: bazel is not installed: run ./setup")):
            process = self.start(*words)
            out, err = process.communicate()
            self.assertEqual((process.returncode, out), (2, ""), err)
            self.assertIn(message, err.splitlines()[-1])
            self.assertEqual(len(err.splitlines()), 2 if "--tests" == words[0] else 1, err)

    def test_targets_of_a_folder_are_those_that_have_it_in_them(self):
        def bazel(*words):
            self.assertEqual(words, ("query", "rdeps(//fuzz:all, set(//src/manager:all //src/socket:all))"))
            return ["//fuzz:lib", "//fuzz:save_fuzzer", "//fuzz:session_fuzzer", "//fuzz:planted_fuzzer"]
        self.addCleanup(setattr, coverage, "bazel", coverage.bazel)
        coverage.bazel = bazel
        self.assertEqual(coverage.targets_of(["src/manager", "src/socket"]), ["save", "session"])

    def test_interrupt_is_one_line_and_what_is_built_is_said_first(self):
        with open(os.path.join(self.folder, "bazel"), "w") as f:
            f.write("#!/bin/sh\n: >%s/building\nexec /bin/sleep 60\n" % self.folder)
        os.chmod(os.path.join(self.folder, "bazel"), 0o755)
        for words, built in ((["read"], "the targets with src/read and the tests of src/read"),
                             (["--inputs"], "all targets"), (["--tests", "src/read"], "the tests of src/read")):
            process = self.start(*words)
            deadline = time.monotonic() + 60
            while not os.path.exists(os.path.join(self.folder, "building")):
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.05)
            os.remove(os.path.join(self.folder, "building"))
            process.send_signal(signal.SIGINT)
            out, err = process.communicate()
            self.assertEqual((process.returncode, out), (2, ""), err)
            self.assertEqual(err, "fuzz/coverage: Bazel builds with coverage: %s; the first time takes minutes\n"
                                  "fuzz/coverage: interrupted\n" % built)


if __name__ == "__main__":
    unittest.main()
