#!/usr/bin/env python3
"""Writes spec/trace.tsv: for each rule the functions that name it, whose contracts stand above them,
the ACSL definitions that speak of it, the unit tests, and the vectors.

usage: traceability.py            writes the table
       traceability.py --check    writes nothing; fails when the table is stale

A rule without a vector fails in coverage_test.py, unless it is listed there with a reason. Columns:

  functions   file:function of src/ that reports the rule; a proved room has its contract above it
  acsl        file:name in spec/acsl, where the comment in front of the definition names the rule
  tests       files of src/ that name the rule in a test
  tested, kept, broken   vectors that test it; of grade valid that keep it (of a definition: that are
                         about it); that break it
  vectors     some that test it
"""
import os
import re
import sys

import gaps
import vectors
from runner import corpus

TOP = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
TABLE = os.path.join(TOP, "spec", "trace.tsv")
COLUMNS = ("rule", "class", "functions", "acsl", "tests", "tested", "kept", "broken", "vectors")
RULE = re.compile(r"(?:FXT_RULE_|\b)([A-Z]{3})[-_](\d\d)\b")
FUNCTION = re.compile(r"^[a-z][^;=#]*?\b(\w+)\(")
DEFINITION = re.compile(r"\b(?:predicate|logic \S+|lemma|inductive)\s+(\w+)")
EXAMPLES = 3


def files(folder, endings):
    """Paths below the top of the repository, sorted."""
    found = []
    for where, folders, names in os.walk(os.path.join(TOP, folder)):
        folders.sort()
        found += [os.path.relpath(os.path.join(where, name), TOP) for name in names
                  if name.endswith(endings)]
    return sorted(found)


def lines_of(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as f:
        return f.read().split("\n")


def rules_in(line):
    return {"%s-%s" % match for match in RULE.findall(line)} & set(vectors.RULES)


def add(table, rule, entry):
    if entry not in table.setdefault(rule, []):
        table[rule].append(entry)


def code():
    """Two tables: the functions that report each rule, and the tests that name it."""
    functions, tests = {}, {}
    for path in files("src", (".c", ".h")):
        test = "_test" in path
        if path.startswith("src/include/") or path.startswith("src/tools/") and not test:
            continue
        function = None
        for line in lines_of(path):
            match = FUNCTION.match(line)
            function = match.group(1) if match else None if line.startswith("}") else function
            for rule in rules_in(line):
                if test:
                    add(tests, rule, path)
                elif "FXT_RULE_" in line and function:
                    add(functions, rule, "%s:%s" % (path, function))
    return functions, tests


def acsl():
    """The definitions whose comment, or own text, names the rule."""
    found = {}
    for path in files("spec/acsl", (".h",)):
        waiting = set()
        for line in lines_of(path):
            waiting |= rules_in(line)
            match = DEFINITION.search(line)
            if match:
                for rule in waiting:
                    add(found, rule, "%s:%s" % (path[len("spec/acsl/"):], match.group(1)))
                waiting = set()
    return found


def of_the_system():
    """The vectors of buffers and packets, whose rules are no rules of a trace."""
    return [vector for vector in corpus.load(corpus.of_suite(vectors.HERE), own=False) if "level" in vector]


def rows():
    functions, tests = code()
    definitions = acsl()
    everything = vectors.load()
    broken_by = gaps.broken_rules(everything)
    others = of_the_system()
    for rule, (kind, _) in vectors.RULES.items():
        tested = [vector["id"] for vector in everything + others if vector.get("tests") == rule]
        kept, broken, _ = gaps.gaps_of(rule, kind, everything, broken_by)
        yield (rule, kind, " ".join(functions.get(rule, [])), " ".join(definitions.get(rule, [])),
               " ".join(tests.get(rule, [])), str(len(tested)), str(kept), str(broken),
               " ".join(tested[::max(1, len(tested) // EXAMPLES)][:EXAMPLES]))


def table():
    head = "# Made by conformance/traceability.py, which says what the columns are.\n"
    lines = ["\t".join(cell or "-" for cell in row) for row in [COLUMNS] + list(rows())]
    return head + "\n".join(lines) + "\n"


def main():
    wanted = table()
    if "--check" not in sys.argv:
        with open(TABLE, "w", encoding="utf-8") as f:
            f.write(wanted)
        return 0
    with open(TABLE, encoding="utf-8") as f:
        there = f.read()
    if there != wanted:
        print("spec/trace.tsv is stale: run conformance/traceability.py", file=sys.stderr)
    return there != wanted


if __name__ == "__main__":
    sys.exit(main())
