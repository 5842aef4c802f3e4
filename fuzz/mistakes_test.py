#!/usr/bin/python3
"""Each mistake that a test plants has its lines just once in today's source. README.md says how many
of them fuzz/evaluate plants."""
import glob
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "proofs"))
from lib import patch, scope  # noqa: E402

FILES = ("fuzz/planted/*.txt", "fuzz/contracts/bites.txt", "proofs/mutants/**/*.txt",
         "proofs/interleave/mutants.txt", "conformance/mutants/*.txt")


def main():
    wrong = []
    for pattern in FILES:
        paths = glob.glob(os.path.join(ROOT, pattern), recursive=True)
        mistakes = patch.load(sorted(paths), lambda text: patch.Patch(text, ()))
        if not mistakes:
            wrong.append("%s has none" % pattern)
        for mistake in mistakes:
            try:
                mistake.check(ROOT)
            except (scope.Error, OSError) as error:
                wrong.append(str(error))
        told = "lists %d mistakes" % len(mistakes)
        if pattern.startswith("fuzz/planted") and told not in open(os.path.join(ROOT, "fuzz/README.md")).read():
            wrong.append("fuzz/README.md does not say that planted/ " + told)
    for line in wrong:
        print("mistakes_test: " + line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
