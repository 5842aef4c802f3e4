"""Mutants that no contract kills: small mistakes, each with the test that must fail because of it.

proofs/mutants/tests/*.txt hold them in the form of patch.py, with one more word:

  test //src/buffer:salvage_test    must fail, and pass without the mistake

They are tried in a copy of the repository, with a Bazel server of its own. What does not compile is
not killed."""
import glob
import os
import shutil
import subprocess
import tempfile
import time

from lib import draw, patch, scope

# Where the files really lie: Bazel gives a test links to those that it names, and no others.
TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
FOLDER = os.path.join(TREE, "proofs/mutants/tests")
A_DRAW = 2
TESTS_FAILED = 3  # Bazel's exit code, when all was built


class Mutant(patch.Patch):
    def __init__(self, text):
        super().__init__(text, ("test",))
        if not self.test:
            raise scope.Error("mutant %s: the test is missing" % self.name)


def load():
    return patch.load(sorted(glob.glob(os.path.join(FOLDER, "*.txt"))), Mutant)


class Bazel:
    """A copy of the repository in a directory, and what Bazel says of its tests."""

    def __init__(self, directory):
        self.root = os.path.join(directory, "tree")
        self.options = ["--output_user_root=" + os.path.join(directory, "bazel"), "--max_idle_secs=60"]
        shutil.copytree(TREE, self.root, symlinks=True, ignore=lambda folder, names: [
            n for n in names if n in (".git", "__pycache__") or
            (folder == TREE and n.startswith("bazel-"))])

    def run(self, *words):
        return subprocess.run(["bazel", *self.options, *words], cwd=self.root, capture_output=True,
                              text=True)

    def test(self, target):
        """Bazel's exit code."""
        return self.run("test", "--test_output=summary", "--", target).returncode


def kill(mutant, bazel, healthy):
    """Returns None when the mutant is killed, else what went wrong."""
    if mutant.test not in healthy:
        healthy[mutant.test] = bazel.test(mutant.test)
    if healthy[mutant.test] != 0:
        return "%s does not pass without it" % mutant.test
    path = os.path.join(bazel.root, mutant.file)
    text = open(path).read()
    mutant.apply(bazel.root)
    code = bazel.test(mutant.test)
    with open(path, "w") as out:
        out.write(text)
    if code == 0:
        return "%s passes with it, too" % mutant.test
    return None if code == TESTS_FAILED else "it does not compile"


def run(names, drawn, say):
    mutants = load()
    for mutant in mutants:
        mutant.check(TREE)
    if drawn:
        first = A_DRAW * draw.part(len(mutants)) % len(mutants)
        names = [m.name for m in (mutants + mutants)[first:first + A_DRAW]]
    for name in names:
        if name not in [m.name for m in mutants]:
            raise scope.Error("there is no mutant " + name)
    chosen = [m for m in mutants if not names or m.name in names]
    killed, healthy, start = 0, {}, time.time()
    with tempfile.TemporaryDirectory() as directory:
        bazel = Bazel(directory)
        try:
            for mutant in chosen:
                wrong = kill(mutant, bazel, healthy)
                killed += wrong is None
                say("%s: %s" % (mutant.name, wrong or "killed: " + mutant.test))
        finally:
            bazel.run("clean", "--expunge")  # ends the server, too
    say("%d of %d mutants killed in %d s" % (killed, len(chosen), time.time() - start))
    return killed == len(chosen) > 0
