"""The table of proofs/README.md: by function, how many goals, by whom, in how long."""
import os

from lib import scope, store

README = os.path.join(scope.ROOT, "proofs/README.md")
BEGIN, END = "<!-- table -->\n", "<!-- end table -->\n"


def table():
    lines = ["| function | goals | Qed | Z3 | CVC4 | CVC5 | seconds |",
             "|---|--:|--:|--:|--:|--:|--:|"]
    sums = [0] * 5
    for unit in store.units():
        rows = store.read(unit)[0]
        lines.append("| **%s** | | | | | | |" % unit)
        for name, *numbers, seconds in rows:
            lines.append("| %s | %s | %s |" % (name, " | ".join(numbers), seconds))
            sums = [a + int(b) for a, b in zip(sums, numbers)]
    lines.append("| **all** | %s | |" % " | ".join(map(str, sums)))
    return "\n".join(lines) + "\n"


def run(check, say):
    text = open(README).read()
    before, rest = text.split(BEGIN)
    fresh = before + BEGIN + table() + END + rest.split(END)[1]
    if check:
        if fresh != text:
            say("proofs/README.md: the table is not that of proofs/results: run `prove report`")
        return fresh == text
    with open(README, "w") as out:
        out.write(fresh)
    return True
