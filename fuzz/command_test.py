#!/usr/bin/python3
"""The small scripts say what is wrong with their command line in a line or by their usage, and exit with 2."""
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPTS = ("make_corpus.py", "make_dict.py", "make_vector_seeds.py", "engine/script.py", "kernel/script.py",
           "session/script.py")


class Commands(unittest.TestCase):
    def run_it(self, script, *words, **more):
        done = subprocess.run([sys.executable, os.path.join(HERE, script), *words], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, **more)
        self.assertNotIn("Traceback", done.stderr)
        return done

    def test_wrong_number_of_words_shows_the_usage(self):
        for script in SCRIPTS:
            for words in ([], ["one", "two", "three"])[:1 if script == "make_corpus.py" else 2]:
                done = self.run_it(script, *words)
                self.assertEqual((done.returncode, done.stdout), (2, ""), script)
                self.assertIn("%s " % script, done.stderr)
            self.assertEqual(self.run_it(script, "--help").returncode, 0)
            self.assertIn("%s " % script, self.run_it(script, "--help").stdout)

    def test_what_is_not_there_is_named_in_one_line(self):
        for script in SCRIPTS:
            words = ["/dev/null/x"]
            if script.endswith("/script.py"):
                words = ["seeds"] + words
            elif script == "make_corpus.py":
                words = ["out.tar.gz"] + words
            done = self.run_it(script, *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), script)
            self.assertRegex(done.stderr, r"^\w+\.py: /dev/null/x\S*: Not a directory\n$")
        for script in ("engine/script.py", "session/script.py"):
            self.assertEqual(self.run_it(script, "show", "/nowhere").stderr,
                             "script.py: /nowhere: No such file or directory\n")
            self.assertEqual(self.run_it(script, "shew", "/nowhere").stderr,
                             "script.py: there is no command 'shew'; see --help\n")
        self.assertEqual(self.run_it("engine/script.py", "show", "/dev/null").returncode, 0)

    def test_file_that_is_no_table_makes_no_dictionary(self):
        done = self.run_it("make_dict.py", os.path.join(HERE, "make_dict.py"))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("make_dict.py: this is no table of bit fields\n", done.stderr)

    def test_full_output_is_said(self):
        with tempfile.NamedTemporaryFile() as f, open("/dev/full", "w") as full:
            f.write(bytes(80))
            f.flush()
            done = subprocess.run([sys.executable, os.path.join(HERE, "session/script.py"), "show", f.name],
                                  stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.stderr, "script.py: cannot write the output: No space left on device\n")
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    unittest.main()
