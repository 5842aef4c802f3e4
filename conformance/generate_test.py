#!/usr/bin/env python3
"""The corpus is what golden/ says, and no change of the model or of a source escapes: a digest, a value or
a line that is not met fails the build. A checkout has the corpus at its first use, and --diff shows what a
revision expected."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import vectors
from runner import corpus

HERE = vectors.HERE
GIT = ["git", "-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false"]


class Checkout(unittest.TestCase):
    """A copy that has no corpus/."""
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.top = os.path.realpath(self.temporary.name)
        self.suite = self.top + "/conformance"
        for folder in ("golden", "runner", "timeline", "vectors"):
            shutil.copytree(os.path.join(HERE, folder), os.path.join(self.suite, folder))
        for name in os.listdir(HERE):
            if name.endswith(".py") and not name.endswith("_test.py") or name == "run":
                shutil.copy(os.path.join(HERE, name), self.suite)
        os.mkdir(self.top + "/spec")
        for name in ("format.md", "layout.tbl", "meaning.md", "rules.tbl", "rulings.md"):
            shutil.copy(os.path.join(HERE, "..", "spec", name), self.top + "/spec")

    def python(self, program, *words, **more):
        done = subprocess.run([sys.executable, os.path.join(self.suite, program), *words], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding="utf-8", **more)
        self.assertNotIn("Traceback", done.stderr)
        return done.returncode, done.stdout, done.stderr

    def change(self, name, old, new):
        path = os.path.join(self.top, name)
        with open(path, encoding="utf-8") as f:
            text = f.read()
        self.assertIn(old, text)
        os.chmod(path, 0o644)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text.replace(old, new, 1))

    def refused(self):
        """What --out says of a corpus that is not that of golden/."""
        code, out, err = self.python("generate.py", "--out", self.top + "/out")
        self.assertEqual((code, out), (2, ""), err)
        self.assertFalse(os.path.exists(self.top + "/out"))
        return err

    def git(self, *words):
        subprocess.run(GIT + ["-C", self.top, *words], check=True, stdout=subprocess.DEVNULL)

    # ---- golden stays golden

    def test_the_model_cannot_change_what_is_in_a_line(self):
        self.change("conformance/model.py", 'self.report("ARG-07"', 'self.report("ARG-06"')
        self.assertIn("argument/blob-empty-name: findings is ", self.refused())
        code, out, err = self.python("generate.py")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("--accept", err)

    def test_the_model_cannot_change_what_is_behind_a_digest(self):
        self.change("conformance/model.py", '"zero_word"', '"zero_words"')
        self.assertRegex(self.refused(), "(?m)^framing/[a-z0-9-]+: digest is ")

    def test_a_text_cannot_change(self):
        self.change("conformance/vectors/argument.fxta", "; why: ", "; why: Perhaps: ")
        self.assertRegex(self.refused(), "argument/[a-z0-9-]+: digest is ")

    def test_no_vector_goes_or_comes(self):
        golden = self.suite + "/golden/blob.jsonl"
        with open(golden, encoding="utf-8") as f:
            lines = f.readlines()
        with open(golden, "w", encoding="utf-8") as f:
            f.writelines(lines[1:])
        self.assertIn("golden/blob.jsonl is missing or stale", self.refused())
        self.assertEqual(self.python("generate.py"), (0, "wrote golden/blob.jsonl\n%d vectors\n" % self.count(), ""))
        with open(golden, "a", encoding="utf-8") as f:
            f.write(lines[0].replace('"blob/', '"blob/another-'))
        self.assertIn("blob/another-", self.refused())

    def test_what_is_accepted_is_met(self):
        self.change("conformance/model.py", '"zero_word"', '"zero_words"')
        self.assertEqual(self.python("generate.py", "--accept")[0], 0)
        self.assertEqual(self.python("generate.py", "--check")[0], 0)

    def count(self):
        return sum(len(json.loads(corpus.read(path).decode("utf-8")))
                   for path in corpus.files_of(corpus.of_suite(HERE)))

    # ---- at the first use

    def test_a_checkout_has_a_corpus_when_it_is_used(self):
        words = ["--show", "blob/smallest-blob"]
        first = self.python("run", *words)
        self.assertEqual((first[0], first[2]), (0, ""))
        made = self.suite + "/corpus"
        self.assertEqual(corpus.sums(made), corpus.sums(corpus.of_suite(HERE)))
        os.unlink(made + "/event.json")
        with open(made + "/blob.json", "a", encoding="utf-8") as f:
            f.write("\n")
        self.assertEqual(self.python("run", *words), first)
        self.change("conformance/vectors/blob.fxta", "; why: ", "; why: Perhaps: ")
        self.assertEqual(self.python("generate.py", "--accept")[0], 0)
        self.assertEqual(self.python("run", *words)[0], 0)
        self.assertNotEqual(corpus.sums(made), corpus.sums(corpus.of_suite(HERE)))

    # ---- --diff

    def test_diff_shows_what_a_revision_expected(self):
        self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "one")
        self.assertEqual(self.python("generate.py", "--diff", "HEAD"), (0, "0 of %d vectors differ\n" % self.count(), ""))
        self.change("conformance/model.py", 'self.report("ARG-07"', 'self.report("ARG-06"')
        code, out, err = self.python("generate.py", "--diff", "HEAD")
        self.assertEqual((code, err), (1, ""))
        self.assertIn("--- argument/blob-empty-name of HEAD\n+++ argument/blob-empty-name\n", out)
        self.assertIn('\n-  "current": [{"rule":"ARG-07","offset":136}]\n', out)
        self.assertIn('\n+  "current": [{"rule":"ARG-06","offset":136}]\n', out)

    def test_diff_of_what_is_no_revision_is_one_line(self):
        self.git("init", "-q")
        for revision in ("nope", "--output=/tmp/x", ""):
            code, out, err = self.python("generate.py", "--diff", revision)
            self.assertEqual((code, out, err.count("\n")), (2, "", 1), err)


if __name__ == "__main__":
    unittest.main()
