#!/usr/bin/python3
"""What fuzz/coverage makes of the counts of llvm-cov."""
import importlib.machinery
import importlib.util
import os
import sys
import tempfile
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
        coverage.ROOT = folder.name
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


if __name__ == "__main__":
    unittest.main()
