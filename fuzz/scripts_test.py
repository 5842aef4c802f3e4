#!/usr/bin/python3
"""fuzz/run: runs of a few seconds, what they find, and what becomes of it."""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
RUN = os.path.join(HERE, "run")


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_it(self, *arguments, code=0):
        done = subprocess.run([RUN, *arguments, "--folder", self.folder], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def corpus(self, target):
        return os.path.join(self.folder, "corpus", target)

    def test_both_engines_run_and_say_what_they_did_in_one_line(self):
        for engine in ("libfuzzer", "afl"):
            out = self.run_it("salvage", "--engine", engine, "--minutes", "0.05")
            self.assertRegex(out, r"^salvage: .* [1-9]\d* runs, .* new, nothing found\n$")
            self.assertGreater(len(os.listdir(self.corpus("salvage"))), 0)

    def test_finding_can_be_reproduced_and_becomes_a_regression_file(self):
        out = self.run_it("planted", "--minutes", "1.5", code=1)
        program, finding = re.search(r"FOUND 1; the first again: (\S+) (\S+)\n", out).groups()
        again = subprocess.run([program, finding], stderr=subprocess.PIPE)
        self.assertNotEqual(again.returncode, 0)
        self.assertIn(b"heap-buffer-overflow", again.stderr)
        regress = os.path.join(self.folder, "regress")
        os.mkdir(regress)
        with open(os.path.join(self.folder, "found", "planted", "crash-nothing"), "wb"):
            pass
        out = self.run_it("triage", "planted", "--seconds", "3", "--regress", regress, code=1)
        self.assertIn("heap-buffer-overflow in ", out)
        self.assertIn("crash-nothing: breaks nothing any more", out)
        self.assertIn("planted: 1 causes", out)
        self.assertEqual(len(os.listdir(regress)), 1)

    def test_merge_takes_what_adds_coverage_and_minimise_keeps_it(self):
        self.assertRegex(self.run_it("merge", "salvage", os.path.join(HERE, "seeds")),
                         r"salvage: [1-9]\d* inputs, [1-9]\d* new")
        count = len(os.listdir(self.corpus("salvage")))
        for i in range(3):
            with open(os.path.join(self.corpus("salvage"), "same%d" % i), "wb") as f:
                f.write(bytes(i))
        self.assertRegex(self.run_it("minimise", "salvage"), r"inputs of %d are left" % (count + 3))
        self.assertLess(len(os.listdir(self.corpus("salvage"))), count + 3)

    def test_interrupt_ends_a_run_with_its_result(self):
        process = subprocess.Popen([RUN, "salvage", "--minutes", "5", "--folder", self.folder],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        deadline = time.monotonic() + 60
        while not os.path.isdir(self.corpus("salvage")) or not os.listdir(self.corpus("salvage")):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        self.assertRegex(process.communicate()[0], r"^salvage: interrupted; .* nothing found\n$")
        self.assertEqual(process.returncode, 0)

    def test_what_cannot_run_is_said_in_one_line(self):
        out = self.run_it("save", "--sanitizer", "memory", code=2)
        self.assertIn("not instrumented", out)
        self.assertEqual(out.count("\n"), 1)
        out = self.run_it("merge", "salvage", "/nowhere", code=2)
        self.assertEqual(out, "fuzz/run: there is no folder /nowhere\n")


if __name__ == "__main__":
    sys.exit(unittest.main())
