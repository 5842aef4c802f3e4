#!/usr/bin/python3
"""Each mistake of contracts/bites.txt, planted in the code or in a contract, ends the program with the clause
that it breaks. contracts_fuzzer.c runs on the seeds, and has no laws of its own that could find it.
Without a mistake, no clause is broken. No clause is left out but those of contracts/left.tsv."""
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, os.path.join(ROOT, "proofs"))
from lib import patch  # noqa: E402

CC = ["gcc", "-std=c11", "-D_GNU_SOURCE", "-g1", "-Isrc/include", "-I."]
LIBRARY = ["src/%s/*.c" % room for room in ("base", "read", "write", "buffer", "check", "events", "protocol")]
FUZZ = ["fuzz/lib/%s.c" % name for name in ("any", "any_kinds", "chunk_oracle", "frame", "oracle")]
CONTRACTS = ["fuzz/contracts/acsl.c", "fuzz/contracts/contracts.c"]
DRIVER = ["fuzz/contracts_fuzzer.c", "fuzz/replay.c"]


class Contracts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        cls.tree = os.path.join(cls.folder, "tree")
        for name in ("src", "spec/acsl", "fuzz/lib", "fuzz/contracts"):
            shutil.copytree(os.path.join(ROOT, name), os.path.join(cls.tree, name))
        for name in DRIVER:
            shutil.copy(os.path.join(ROOT, name), os.path.join(cls.tree, name))
        cls.translate()
        cls.objects = {path: cls.compile(path) for path in cls.sources()}
        cls.seeds = os.path.join(cls.folder, "seeds")
        os.mkdir(cls.seeds)
        for path in glob.glob(os.path.join(ROOT, "fuzz", "seeds", "*.fxt")):
            shutil.copy(path, cls.seeds)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def sources(cls):
        found = FUZZ + CONTRACTS + DRIVER
        for pattern in LIBRARY:
            found += [os.path.relpath(path, cls.tree)
                      for path in sorted(glob.glob(os.path.join(cls.tree, pattern)))
                      if not path.endswith("_test.c")]
        return found

    @classmethod
    def translate(cls):
        subprocess.run([sys.executable, "fuzz/contracts/translate.py", "fuzz/contracts"], cwd=cls.tree, check=True)

    @classmethod
    def compile(cls, source, name=None):
        out = os.path.join(cls.folder, name or source.replace("/", "_") + ".o")
        subprocess.run(CC + ["-c", source, "-o", out], cwd=cls.tree, check=True)
        return out

    def run_on_seeds(self, objects):
        """The status, and what was printed."""
        program = os.path.join(self.folder, "program")
        subprocess.run(["gcc"] + list(objects.values()) + ["@fuzz/contracts/wrap.txt", "-o", program],
                       cwd=self.tree, check=True)
        done = subprocess.run([program, self.seeds], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", timeout=60)
        return done.returncode, done.stdout

    def mistakes(self):
        return patch.load([os.path.join(HERE, "contracts", "bites.txt")], lambda text: patch.Patch(text, ("says",)))

    def with_mistake(self, mistake):
        """The objects: in the code, one is compiled anew; in a contract, the translation is."""
        mistake.check(self.tree)
        original = os.path.join(self.tree, mistake.file)
        kept = shutil.copy(original, os.path.join(self.folder, "kept"))
        mistake.apply(self.tree)
        try:
            if mistake.file.startswith("src/"):
                return {**self.objects, mistake.file: self.compile(mistake.file, "changed.o")}
            self.translate()
            return {**self.objects, CONTRACTS[1]: self.compile(CONTRACTS[1], "changed.o")}
        finally:
            shutil.copy(kept, original)

    def test_each_mistake_is_reported(self):
        for mistake in self.mistakes():
            with self.subTest(mistake.name):
                status, printed = self.run_on_seeds(self.with_mistake(mistake))
                self.assertNotEqual(status, 0, "nothing was reported")
                self.assertIn(mistake.says, printed)

    def test_nothing_else_is_reported(self):
        status, printed = self.run_on_seeds(self.objects)
        self.assertEqual(status, 0, printed[-2000:])

    def test_no_other_clause_is_left_out(self):
        done = subprocess.run([sys.executable, os.path.join(HERE, "contracts", "translate.py"), "--left"],
                              stdout=subprocess.PIPE, text=True, check=True)
        with open(os.path.join(HERE, "contracts", "left.tsv"), encoding="utf-8") as file:
            self.assertEqual(done.stdout, file.read(), "translate.py --left prints something else")


if __name__ == "__main__":
    unittest.main()
