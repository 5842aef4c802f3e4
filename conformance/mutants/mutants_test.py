#!/usr/bin/env python3
"""The vectors notice each check of the library that is gone or shifted.

read.txt, check.txt and write.txt list such mistakes in the form of proofs/lib/patch.py, with two
more words:

  level findings    what the library is asked for, through conformance/native
  rule  ARG-02      a vector that tests this rule must fail

The library and native are compiled once, in a copy. For a mistake, what includes its file is
compiled again. A writer with a mistake has a healthy reader.

usage: mutants_test.py [NAME…]     all of them by default
"""
import collections
import glob
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(TOP, "conformance/native"), os.path.join(TOP, "proofs")]
import judge
from lib import patch, scope

FOLDERS = ["src/" + room for room in ("base", "wire", "read", "write", "buffer", "check",
                                      "convert", "include/fxt")]
FOLDERS += ["conformance/native", "spec/acsl"]
LEVELS = list(judge.WRONG) + ["write"]
COMPILE = ["gcc", "-std=c11", "-O1", "-w", "-D_GNU_SOURCE", "-I.", "-Isrc/include", "-MMD", "-c"]


class Mutant(patch.Patch):
    def __init__(self, text):
        super().__init__(text, ("level", "rule"))
        if self.level not in LEVELS or self.rule not in judge.RULES:
            raise scope.Error("mutant %s: there is no level %s or no rule %s" % (
                self.name, self.level, self.rule))


class Library:
    """A copy of the sources of the library and of native, and the objects made of it."""
    def __init__(self, root):
        self.root = root
        paths = [path for folder in FOLDERS for path in glob.glob(os.path.join(TOP, folder, "*.*"))
                 if path.endswith((".c", ".h", ".inc")) and not path.endswith("_test.c")]
        self.files = [os.path.relpath(path, TOP) for path in paths]
        for file in self.files:
            os.makedirs(os.path.dirname(os.path.join(root, file)), exist_ok=True)
            shutil.copyfile(os.path.join(TOP, file), os.path.join(root, file))
        self.sources = [file for file in self.files if file.endswith(".c")]
        for source in self.sources:
            self.run(COMPILE + [source, "-o", source + ".o"])
        self.native = self.linked("native", {})

    def run(self, command):
        done = subprocess.run(command, cwd=self.root, stderr=subprocess.PIPE, encoding="utf-8")
        if done.returncode != 0:
            raise scope.Error("%s: %s" % (" ".join(command), done.stderr[-1000:]))

    def linked(self, name, instead):
        """The program of all objects, some of them by others."""
        self.run(["gcc", "-o", name] + [instead.get(source, source) + ".o"
                                        for source in self.sources])
        return os.path.join(self.root, name)

    def made_of(self, source, file):
        with open(os.path.join(self.root, source + ".d"), encoding="utf-8") as f:
            return file in [os.path.normpath(word) for word in f.read().split()]

    def with_mistake(self, mutant):
        """The program that has it."""
        path = os.path.join(self.root, mutant.file)
        mutant.apply(self.root)
        instead = {source: "mutant/%d" % number for number, source in enumerate(self.sources)
                   if self.made_of(source, mutant.file)}
        os.makedirs(os.path.join(self.root, "mutant"), exist_ok=True)
        for source, place in instead.items():
            self.run(COMPILE + [source, "-o", place + ".o"])
        shutil.copyfile(os.path.join(TOP, mutant.file), path)
        return self.linked("mutant/native", instead)


def failed(native, healthy, level, vectors):
    """The vectors that the program fails. Of those behind one at which it dies, none."""
    if level == "write":
        names = judge.failed_to_write([native], [healthy], vectors)
        return [vector for vector in vectors if vector["id"] in names]
    answers = judge.ask([native, level], [bytes.fromhex(vector["bytes"]) for vector in vectors])
    wrong = [vector for vector, (code, out) in zip(vectors, answers)
             if judge.WRONG[level](vector, code, out)]
    return wrong + vectors[len(answers):len(answers) + 1]


def told(mutant, wrong):
    """Whether the vectors notice the mistake, and in words which do."""
    rules = collections.Counter(vector["tests"] for vector in wrong)
    if not wrong:
        return False, "survives: write a vector that tests %s" % mutant.rule
    by = ", ".join("%s (%d)" % found for found in rules.most_common(4))
    if mutant.rule not in rules:
        return False, "no vector of %s notices it, those of %s do" % (mutant.rule, by)
    return True, "%d vectors of %d rules, %d of them of %s" % (
        len(wrong), len(rules), rules[mutant.rule], mutant.rule)


def main(names):
    mutants = patch.load(sorted(glob.glob(os.path.join(HERE, "*.txt"))), Mutant)
    for mutant in mutants:
        mutant.check(TOP)
    for name in set(names) - {mutant.name for mutant in mutants}:
        raise scope.Error("there is no mutant " + name)
    chosen = [mutant for mutant in mutants if not names or mutant.name in names]
    vectors = judge.load()
    noticed = 0
    with tempfile.TemporaryDirectory() as root:
        library = Library(root)
        for level in LEVELS:
            wrong = failed(library.native, library.native, level, vectors)
            if wrong:
                raise scope.Error("level %s fails without a mistake: %s" % (level, wrong[0]["id"]))
        for mutant in chosen:
            wrong = failed(library.with_mistake(mutant), library.native, mutant.level, vectors)
            good, text = told(mutant, wrong)
            noticed += good
            print("%s %s: %s: %s" % ("ok" if good else "FAIL", mutant.file, mutant.name, text))
    print("%d of %d mutants are noticed by %d vectors" % (noticed, len(chosen), len(vectors)))
    return noticed == len(chosen) > 0


if __name__ == "__main__":
    try:
        sys.exit(not main(sys.argv[1:]))
    except scope.Error as error:
        sys.exit("mutants_test: %s" % error)
