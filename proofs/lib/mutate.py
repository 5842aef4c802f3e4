"""Mutants: small mistakes, each with the goal that must fail because of it.

proofs/mutants/*.txt hold them in the form of patch.py, with one more word:

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
        super().__init__(text, ("goal",))
        if not self.goal:
            raise scope.Error("mutant %s: the goal is missing" % self.name)

    def check(self, root):
        """Raises, too, unless its goal is one of the program's."""
        super().check(root)
        self.function()

    def function(self):
        found = scope.owner(self.goal, scope.program().to_prove())
        if found is None:
            raise scope.Error("mutant %s: %s is no goal of the program" % (self.name, self.goal))
        return found


def load():
    return patch.load(sorted(glob.glob(os.path.join(FOLDER, "*.txt"))), Mutant)


def goal_of(mutant, program):
    """The goal, tried; None if there is none of that name."""
    name = mutant.function()
    return wp.prove(program, [name], seconds=SECONDS, extra=(
        "-wp-prop=" + wp.property_of(mutant.goal, name),)).goals.get(mutant.goal)


def kill(mutant, healthy):
    """Returns None when the mutant is killed, else what went wrong."""
    with tempfile.TemporaryDirectory() as root:
        for part in scope.PARTS:
            copy = shutil.copytree if os.path.isdir(os.path.join(scope.ROOT, part)) else shutil.copyfile
            os.makedirs(os.path.dirname(os.path.join(root, part)), exist_ok=True)
            copy(os.path.join(scope.ROOT, part), os.path.join(root, part))
        mutant.apply(root)
        if mutant.goal not in healthy:
            healthy[mutant.goal] = goal_of(mutant, scope.program())
        before = healthy[mutant.goal]
        if before is None or not before.proved:
            return "%s is not proved without it" % mutant.goal
        after = goal_of(mutant, scope.Program(root))
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
