#!/usr/bin/env python3
"""Every rule of the format has its vectors. Prints the gaps, and with --table how many each has.

  malformed, nonconforming  one of grade valid that is about the rule and keeps it, and one of grade
                            invalid that breaks it
  suspicious                one of grade valid that is about it and keeps it, and one that breaks it
  definition                one that is about it

A vector is about the rules that it tests or touches, and breaks those of its findings.
"""
import sys

import gaps
import vectors


def main():
    all_vectors = vectors.load()
    broken = gaps.broken_rules(all_vectors)
    failed = 0
    for rule, (kind, _) in vectors.RULES.items():
        if rule.startswith(gaps.OF_THE_SYSTEM):
            continue
        keeps, breaks, missing = gaps.gaps_of(rule, kind, all_vectors, broken)
        if "--table" in sys.argv:
            print("%-7s %-13s %4d keep it %4d break it" % (rule, kind, keeps, breaks))
        for gap in missing:
            print("%s (%s): %s" % (rule, kind, gap))
            failed += 1
    for vector in all_vectors:
        for problem in vectors.problems(vector):
            print(problem)
            failed += 1
    counts = {}
    for vector in all_vectors:
        counts[vector["grade"]] = counts.get(vector["grade"], 0) + 1
    print("%d rules, %d vectors (%s), %d gaps" % (
        sum(not rule.startswith(gaps.OF_THE_SYSTEM) for rule in vectors.RULES), len(all_vectors),
        ", ".join("%d %s" % (count, grade) for grade, count in sorted(counts.items())), failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
