"""A second look at a tenth of what is proved: from nothing, by Z3 alone and by CVC5 alone. A forged
result is no help there, and a goal that both prove does not rest on the soundness of one."""
import random

from lib import scope, store, wp

PART = 10
ALONE = (("z3",), ("cvc5",))
NEITHER = "neither alone"


def chosen(seed):
    """Some functions, the same for the same seed."""
    every = sorted(store.read())
    return sorted(random.Random(seed).sample(every, -(-len(every) // PART)))


def verdict(name, runs):
    """Who proves a goal, of the runs by one prover each."""
    by = [run.goals[name].prover for run in runs if name in run.goals and run.goals[name].proved]
    return "Qed" if "Qed" in by else "both" if len(by) == 2 else by[0] if by else NEITHER


def look(names):
    """({goal: who proves it}, goals that nobody does, complaints)"""
    program = scope.program()
    runs = [wp.prove(program, names, provers=alone, seconds=wp.QUICK) for alone in ALONE]
    every = {name for run in runs for name in run.goals} - runs[0].open
    found = {name: verdict(name, runs) for name in every}
    complaints = [c for run in runs for c in run.complaints]
    rest, late = [], [name for name in every if found[name] == NEITHER]
    if late:
        # All provers at once, with all the time that they have in `prove all`.
        again = wp.prove(program, names)
        rest = [n for n in late if n not in again.goals or not again.goals[n].proved]
        complaints += again.complaints
    return found, rest, complaints
