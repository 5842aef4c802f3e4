"""Mutants: small mistakes, each with the goal that must fail because of it.

proofs/mutants/*.txt hold them, one behind the other:

  ## name
  file src/read/reader.c            the file with the mistake
  unit src/read/reader.c            the file whose goals are looked at; left out when it is the same
  goal fxt_reader_next_ensures_ok   must fail
  why  what the mistake is
  -    one or more lines of the file, which must be there just once
  +    what stands there instead

A mutant is killed when its goal is proved without the mistake and not with it, both with the same
limits and from nothing."""
import concurrent.futures
import datetime
import os
import re
import shutil
import tempfile
import time

from lib import scope, wp

FOLDER = os.path.join(scope.ROOT, "proofs/mutants")
SECONDS = 20

class Mutant:
    def __init__(self, text):
        lines = text.split("\n")
        self.name = lines[0].strip()
        self.old = [line[1:] for line in lines if line.startswith("-")]
        self.new = [line[1:] for line in lines if line.startswith("+")]
        for word in ("file", "unit", "goal", "why"):
            found = re.search(r"^%s +(.*)$" % word, text, re.M)
            setattr(self, word, found.group(1).strip() if found else None)
        self.unit = self.unit or self.file
        if not (self.file and self.goal and self.why and self.old):
            raise scope.Error("mutant %s: file, goal, why or the lines are missing" % self.name)

    def check(self):
        """Raises unless its lines are there just once, and its goal is one of the file's."""
        text = open(os.path.join(scope.ROOT, self.file)).read()
        count = text.count("\n".join(self.old) + "\n")
        if count != 1:
            raise scope.Error("mutant %s: its lines are %d times in %s" %
                              (self.name, count, self.file))
        self.function()

    def apply(self, root):
        path = os.path.join(root, self.file)
        text = open(path).read()
        with open(path, "w") as out:
            out.write(text.replace("\n".join(self.old) + "\n",
                                   "".join(line + "\n" for line in self.new)))

    def function(self):
        found = scope.owner(self.goal, scope.functions(self.unit))
        if found is None:
            raise scope.Error("mutant %s: %s is no goal of %s" % (self.name, self.goal, self.unit))
        return found


def load():
    if not os.path.isdir(FOLDER):
        raise scope.Error("there are no mutants")
    found = []
    for name in sorted(os.listdir(FOLDER)):
        if name.endswith(".txt"):
            text = open(os.path.join(FOLDER, name)).read()
            found += [Mutant(part) for part in re.split(r"^## ", text, flags=re.M)[1:]]
    names = [m.name for m in found]
    for name in names:
        if names.count(name) > 1:
            raise scope.Error("two mutants are called " + name)
    return found


def goals_of(mutant, root):
    wraps = ("wraps", mutant.function()) in scope.exceptions()
    return wp.run(mutant.unit, [mutant.function()], {}, "solve", root=root, wraps=wraps,
                  seconds=SECONDS, extra=(
                      "-wp-prop=" + wp.property_of(mutant.goal, mutant.function()),)).goals


def kill(mutant, healthy):
    """Returns None when the mutant is killed, else what went wrong."""
    with tempfile.TemporaryDirectory() as root:
        for part in ("src", "spec", "proofs/lemmas"):
            shutil.copytree(os.path.join(scope.ROOT, part), os.path.join(root, part))
        mutant.apply(root)
        key = mutant.unit, mutant.function(), wp.property_of(mutant.goal, mutant.function())
        if key not in healthy:
            healthy[key] = goals_of(mutant, scope.ROOT)
        before = healthy[key].get(mutant.goal)
        if before is None or not before.proved:
            return "%s is not proved without it" % mutant.goal
        after = goals_of(mutant, root).get(mutant.goal)
        if after is None:
            return "%s is not there with it" % mutant.goal
        return "%s is proved with it too" % mutant.goal if after.proved else None


def run(names, today, jobs, say):
    mutants = load()
    if today:
        first = 2 * datetime.date.today().toordinal() % len(mutants)
        names = [m.name for m in (mutants + mutants)[first:first + 2]]
    for name in names:
        if name not in [m.name for m in mutants]:
            raise scope.Error("there is no mutant " + name)
    chosen = [m for m in mutants if not names or m.name in names]
    for mutant in chosen:
        mutant.check()
    healthy, killed, start = {}, 0, time.time()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for mutant, wrong in zip(chosen, pool.map(lambda m: kill(m, healthy), chosen)):
            killed += wrong is None
            say("%s: %s" % (mutant.name, wrong or "killed: " + mutant.goal))
    say("%d of %d mutants killed in %d s" % (killed, len(chosen), time.time() - start))
    return killed == len(chosen) > 0
