#!/usr/bin/env python3
"""Every rule of the format has its vectors. Prints the gaps, and with --table how many each has.

  malformed, nonconforming  one of grade valid that is about the rule and keeps it, and one of grade
                            invalid that breaks it
  suspicious                one of grade valid that is about it and keeps it, and one that breaks it
  definition                one that is about it

A vector is about the rules of its line `rules:`, and breaks those of its findings.
"""
import sys

import vectors

# Rules that no vector of grade invalid can break, and why.
UNSPECIFIED = {
    "REC-09": "the text does not speak of zero words",
    "REC-10": "the text describes traces of the other byte order",
    "EDN-01": "what breaks it in edition 2020 is valid in edition current",
    "EVT-10": "the text does not speak of the word",
}
# Rules of programs whose memory is bounded: no bytes break them for every reader.
OF_MEMORY = {"LIM-01", "LIM-02"}

# Rules of what is no trace: src/buffer and src/control have their tests.
OF_THE_SYSTEM = ("BUF-", "FIF-", "CTL-")


def gaps_of(rule, kind, all_vectors):
    about = [vector for vector in all_vectors if rule in vector.rules]
    keeps = [vector for vector in about if vector.grade == "valid" and rule not in vector.broken()]
    breaks = [vector for vector in all_vectors if rule in vector.broken()]
    if rule in OF_MEMORY:
        return len(keeps), len(breaks), []
    gaps = []
    if kind == "definition":
        if not about:
            gaps.append("no vector is about it")
        return len(about), len(breaks), gaps
    if not keeps and rule != "EVT-10":
        gaps.append("no valid vector keeps it")
    if kind in ("malformed", "nonconforming") and rule not in UNSPECIFIED:
        breaks = [vector for vector in breaks if vector.grade == "invalid"]
    if not breaks:
        gaps.append("no vector breaks it")
    return len(keeps), len(breaks), gaps


def main():
    all_vectors = [vectors.Vector(path) for path in vectors.all_paths()]
    failed = 0
    for rule, (kind, _) in vectors.RULES.items():
        if rule.startswith(OF_THE_SYSTEM):
            continue
        keeps, breaks, gaps = gaps_of(rule, kind, all_vectors)
        if "--table" in sys.argv:
            print("%-7s %-13s %4d keep it %4d break it" % (rule, kind, keeps, breaks))
        for gap in gaps:
            print("%s (%s): %s" % (rule, kind, gap))
            failed += 1
    for vector in all_vectors:
        for problem in vector.problems():
            print(problem)
            failed += 1
    counts = {}
    for vector in all_vectors:
        counts[vector.grade] = counts.get(vector.grade, 0) + 1
    print("%d rules, %d vectors (%s), %d gaps" % (
        sum(not rule.startswith(OF_THE_SYSTEM) for rule in vectors.RULES), len(all_vectors),
        ", ".join("%d %s" % (count, grade) for grade, count in sorted(counts.items())), failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
