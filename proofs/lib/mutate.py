"""Mutants: small mistakes, each with the goal that must fail because of it.

proofs/mutants/*.txt hold them in the form of patch.py, with two more words:

  unit src/read/reader.c            the file whose goals are looked at; left out when it is the same
  goal fxt_reader_next_ensures_ok   must fail

A mutant is killed when its goal is proved without the mistake and not with it, both with the same
limits and from nothing."""
import concurrent.futures
import glob
import os
import shutil
import tempfile
import time

from lib import draw, patch, scope, wp

FOLDER = os.path.join(scope.ROOT, "proofs/mutants")
SECONDS = 20


class Mutant(patch.Patch):
    def __init__(self, text):
        super().__init__(text, ("unit", "goal"))
        self.unit = self.unit or self.file
        if not self.goal:
            raise scope.Error("mutant %s: the goal is missing" % self.name)

    def check(self, root):
        """Raises, too, unless its goal is one of the file's."""
        super().check(root)
        self.function()

    def function(self):
        found = scope.owner(self.goal, scope.functions(self.unit))
        if found is None:
            raise scope.Error("mutant %s: %s is no goal of %s" % (self.name, self.goal, self.unit))
        return found


def load():
    return patch.load(sorted(glob.glob(os.path.join(FOLDER, "*.txt"))), Mutant)


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


def run(names, drawn, jobs, say):
    mutants = load()
    if drawn:
        names = [mutants[draw.part(len(mutants))].name]
    for name in names:
        if name not in [m.name for m in mutants]:
            raise scope.Error("there is no mutant " + name)
    chosen = [m for m in mutants if not names or m.name in names]
    for mutant in chosen:
        mutant.check(scope.ROOT)
    healthy, killed, start = {}, 0, time.time()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for mutant, wrong in zip(chosen, pool.map(lambda m: kill(m, healthy), chosen)):
            killed += wrong is None
            say("%s: %s" % (mutant.name, wrong or "killed: " + mutant.goal))
    say("%d of %d mutants killed in %d s" % (killed, len(chosen), time.time() - start))
    return killed == len(chosen) > 0
