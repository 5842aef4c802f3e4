"""What is said of the results: a table by function, how many goals, by whom, in how long; and the figures
in prose."""
import os
import re

from lib import machine, mutate, scope, store

HEAD = "# What is proved, function by function\n\n"
# Where a figure is said, and how. To say it otherwise, change both.
FIGURES = (
    ("README.md", "Frama-C proves {functions} functions of the library, of the packets and of the "
                  "engine, besides {accessors} generated accessors and {lemmas} lemmas "
                  "({goals} goals)"),
    ("proofs/SOUNDNESS.md", "`prove mutants` puts small mistakes into the code, {mutants} of them"),
    ("proofs/SOUNDNESS.md", "The committed results for it hold {functions_gcc_x86_32} functions "
                            "({goals_gcc_x86_32} goals)"),
)


def table():
    """By function, beneath the file that defines it."""
    lines = ["| function | goals | Qed | Z3 | CVC4 | CVC5 | seconds |", "|---|--:|--:|--:|--:|--:|--:|"]
    rows, where, last, sums = store.read(), scope.program().functions, None, [0] * 5
    for name in sorted(rows, key=lambda name: (where.get(name, ""), name)):
        if where.get(name) != last:
            last = where.get(name)
            lines.append("| **%s** | | | | | | |" % last)
        lines.append("| %s |" % " | ".join(rows[name][:-1]))
        sums = [a + int(b) for a, b in zip(sums, rows[name][1:])]
    lines.append("| **all** | %s | |" % " | ".join(map(str, sums)))
    return "\n".join(lines) + "\n"


def figures():
    where, rows = scope.program().functions, store.read()
    accessors = sum(where.get(name) == "src/wire/layout.h" for name in rows)
    lemmas = sum(where.get(name, "").startswith("proofs/lemmas/") for name in rows)
    known = {"mutants": len(mutate.load()), "accessors": accessors, "lemmas": lemmas}
    for name, end in ((machine.OWN, ""), *((name, "_" + name) for name in machine.OTHERS)):
        known["functions" + end], known["goals" + end] = len(store.read(name)), store.goals(store.read(name))
    known["functions"] -= lemmas + accessors
    return known


def told(text, template, known):
    """The text with the template's figures as they are; None when it does not have the sentence."""
    pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[\\d,]+)", re.escape(template))
    found = re.search(re.sub(r"(\\ )+", r"\\s+", pattern), text)
    if not found:
        return None
    for name in sorted(found.groupdict(), key=found.start, reverse=True):
        text = text[:found.start(name)] + "{:,}".format(known[name]) + text[found.end(name):]
    return text


def sums(rows):
    """Rows whose goals are not the sum of whose they are."""
    return [row[0] for row in rows if int(row[1]) != sum(map(int, row[2:6]))]


def fresh(say):
    """{file: (its text, its text as it should be)}; says what cannot be written by itself."""
    texts, good, known = {}, True, figures()
    for path in {path for path, _ in FIGURES}:
        with open(os.path.join(scope.ROOT, path)) as file:
            text = file.read()
        texts[path] = text, text
    for path, template in FIGURES:
        after = told(texts[path][1], template, known)
        if after is None:
            say("%s does not say: %s" % (path, template))
            good = False
        texts[path] = texts[path][0], after or texts[path][1]
    return texts, good


def run(check, say):
    """Prints the table and writes the figures, or with `check` only compares these."""
    if not check:
        say(HEAD + table())
    texts, good = fresh(say)
    for path, (before, after) in sorted(texts.items()):
        if before != after and check:
            say("%s is not what proofs/results say: run `prove report`" % path)
            good = False
        elif before != after:
            with open(os.path.join(scope.ROOT, path), "w") as out:
                out.write(after)
    return good
