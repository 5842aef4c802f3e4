#!/usr/bin/env python3
"""The archive is all that a stranger needs: unpacked where nothing else is, with a Python and an
empty environment, it scores a reader.

usage: archive_test.py ARCHIVE
"""
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import unittest

ARCHIVE = os.path.realpath(sys.argv.pop())
HERE = os.path.dirname(os.path.abspath(__file__))
CHECKOUT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
ENV = ["env", "-i", "PATH=/usr/bin:/bin"]

# Hides a folder from a command: of a name space of its own.
HIDE = ["unshare", "-r", "-m", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"', CHECKOUT]


def can_hide():
    """Whether this machine lets us, and the archive does not lie in what is hidden."""
    done = subprocess.run(HIDE + ["test", "!", "-e", CHECKOUT + "/conformance"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return done.returncode == 0


class Archive(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(dir="/tmp")
        with tarfile.open(ARCHIVE) as archive:
            archive.extractall(cls.temporary.name)
        top, = os.listdir(cls.temporary.name)
        cls.top = os.path.join(cls.temporary.name, top)
        cls.prefix = HIDE + ENV if can_hide() else ENV

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def run_suite(self, *words):
        done = subprocess.run(self.prefix + ["/usr/bin/python3", self.top + "/run"] + list(words),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd="/",
                              encoding="utf-8")
        return done.returncode, done.stdout + done.stderr

    def test_a_reader_is_scored(self):
        if self.prefix == ENV:
            print("the checkout cannot be hidden here: this runs beside it")
        report = self.temporary.name + "/report"
        code, out = self.run_suite("--adapter", "python3 %s/toy.py --pipe" % self.top, "--pipe",
                                   "--level", "events", "--report", report)
        self.assertEqual(code, 0, out)
        self.assertIn(" 0 failed", out)
        self.assertTrue(os.path.getsize(report + "/index.html") > 100000)

    def test_a_writer_is_scored(self):
        code, out = self.run_suite("--adapter", "python3 %s/adapters/python_model.py write --pipe" %
                                   self.top, "--pipe", "--level", "write")
        self.assertEqual(code, 0, out)

    def test_an_importer_is_scored(self):
        adapter = "python3 %s/adapters/python_model.py timeline" % self.top
        code, out = self.run_suite("--adapter", adapter + " --pipe", "--pipe", "--level", "timeline")
        self.assertEqual(code, 0, out)
        done = subprocess.run(self.prefix + adapter.split() + [self.top + "/vectors/slices/begin-and-end.fxt"],
                              stdout=subprocess.PIPE, cwd="/", encoding="utf-8")
        with open(self.top + "/vectors/slices/begin-and-end.timeline.jsonl", encoding="utf-8") as f:
            self.assertEqual(list(map(json.loads, f)), [
                line for line in map(json.loads, done.stdout.splitlines()) if line["kind"] not in ("span", "sum")])

    def test_a_failure_is_told(self):
        code, out = self.run_suite("--adapter", "/bin/true {file}", "--level", "exit", "--run",
                                   "argument/zero-size")
        self.assertEqual(code, 1, out)
        self.assertIn("argument/zero-size: failed: expected a complaint about ARG-02", out)

    def test_the_manifest_names_files_that_are_there(self):
        with open(self.top + "/vectors/manifest.json", encoding="utf-8") as f:
            vectors = json.load(f)
        self.assertGreater(len(vectors), 400)
        for vector in vectors:
            for name in vector["files"]:
                self.assertTrue(os.path.exists(self.top + "/vectors/" + name), name)

    def test_another_build_gives_the_same_bytes(self):
        """From the same files in another order, at another time, with other rights."""
        top = os.path.basename(self.top)
        with tarfile.open(ARCHIVE) as archive:
            names = [member.name[len(top) + 1:] for member in archive.getmembers()]
        own = [name for name in reversed(names) if not name.startswith("vectors/")]
        place = {"LICENSE": "LICENSE"}
        files = [place.get(name, name if name.startswith("spec/") else "conformance/" + name)
                 for name in own]
        again = self.temporary.name + "/again.tar.gz"
        subprocess.run([sys.executable, HERE + "/archive.py", again, top] + files, check=True,
                       cwd=os.path.dirname(HERE), umask=0o077, env=dict(os.environ, TZ="Asia/Tokyo"))
        with open(ARCHIVE, "rb") as one, open(again, "rb") as other:
            self.assertTrue(one.read() == other.read(), "the bytes differ")

    def test_what_has_to_be_there(self):
        for name in ("README.md", "PROTOCOL.md", "LICENSE", "quirks.md", "run", "schema/dump.md",
                     "schema/events.md", "adapters/tiny.c", "expect", "spec/format.md",
                     "spec/rulings.md", "corpus/event.json", "corpus/timeline.json", "spec/meaning.md",
                     "schema/timeline.md", "adapters/fxt_sql.py"):
            self.assertTrue(os.path.exists(os.path.join(self.top, name)), name)
        self.assertTrue(os.access(self.top + "/run", os.X_OK))


if __name__ == "__main__":
    unittest.main()
