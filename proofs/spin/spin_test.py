#!/usr/bin/env python3
"""Checks the model of the engine in every state, and that each mistake planted in it is found.

  spin_test.py [--full] [MODEL]

--full takes larger instances, which need some minutes and gigabytes each.
"""

import os
import re
import subprocess
import sys
import tempfile

CIRCULAR, STREAMING, STOP = [], ["-DSTREAMING"], ["-DSTOP"]
# While the first writer is suspended, the other one fills so many halves.
LAPS = ["-DRECORDS=1", "-DOTHERS=5"]

# What the model must satisfy, and in how many events of each writer.
GOOD = [
    (CIRCULAR, 3),
    (STREAMING, 2),
    (STOP, 2),
    (["-DCHUNKS=2", "-DRECORDS=1"], 3),
    (LAPS, 2),
]
FULL = [
    (CIRCULAR, 4),
    (STREAMING, 3),
    (STOP, 3),
    (STREAMING + STOP, 2),
    (["-DWRITERS=3"], 2),
    (["-DRECORDS=1", "-DOTHERS=8"], 2),
    (STREAMING + ["-DRECORDS=1", "-DOTHERS=4"], 2),
    (STOP + ["-DRECORDS=1", "-DOTHERS=4"], 2),
]
# What must give a counterexample.
MUTANTS = [
    ("NO_FENCE", CIRCULAR, 3),
    ("NO_GATE", CIRCULAR, 3),
    ("NO_LEFT", CIRCULAR, 3),
    ("NO_COMPARE", CIRCULAR, 3),
    ("NO_EPOCH", LAPS, 2),
    ("NO_FENCE", STREAMING, 2),
    ("NO_GATE", STREAMING, 2),
    ("NO_SCAN", STREAMING, 2),
    ("NO_SAVED", STREAMING, 2),
    ("NO_FENCE", STOP, 2),
    ("NO_SCAN", STOP, 2),
]


def run(command, directory):
    done = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True)
    return done.returncode, done.stdout


def check(model, flags):
    """Returns (whether all states were seen or an error was found, errors, states)."""
    with tempfile.TemporaryDirectory() as directory:
        for command in [
            ["spin", "-a", *flags, model],
            ["gcc", "-O2", "-w", "-DSAFETY", "-DCOLLAPSE", "-DVECTORSZ=2048", "-DMEMLIM=8000",
             "-o", "pan", "pan.c"],
        ]:
            code, said = run(command, directory)
            if code != 0:
                raise SystemExit("%s: %s" % (" ".join(command), said))
        _, said = run(["./pan", "-m2000000", "-w24"], directory)
    errors = re.search(r"errors: (\d+)", said)
    states = re.search(r"(\d+) states, stored", said)
    if errors is None or states is None:
        raise SystemExit("pan said: " + said)
    cut = "max search depth too small" in said or "reached bound" in said or "out of memory" in said
    return not cut, int(errors.group(1)), int(states.group(1))


def main(args):
    full = "--full" in args
    models = [arg for arg in args if arg != "--full"]
    model = os.path.abspath(models[0] if models else
                            os.path.join(os.path.dirname(__file__), "engine.pml"))
    failures = 0
    for flags, events in GOOD + (FULL if full else []):
        whole, errors, states = check(model, flags + ["-DEVENTS=%d" % events])
        good = whole and errors == 0
        failures += not good
        print("%s: %s, %d events: %d states, %d errors%s" % (
            "holds" if good else "FAILED", " ".join(flags) or "circular", events, states, errors,
            "" if whole else ", not all states"), flush=True)
    for mutant, flags, events in MUTANTS:
        _, errors, states = check(model, flags + ["-DEVENTS=%d" % events, "-D" + mutant])
        failures += errors == 0
        print("%s: %s, %s" % ("found" if errors else "NOT FOUND", mutant,
                              " ".join(flags) or "circular"), flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
