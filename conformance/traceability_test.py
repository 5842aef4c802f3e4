#!/usr/bin/env python3
"""spec/trace.tsv is what traceability.py makes of the tree, and has every rule."""
import sys
import unittest

import gaps
import traceability
import vectors


class Table(unittest.TestCase):
    def test_is_fresh(self):
        sys.argv = [sys.argv[0], "--check"]
        self.assertEqual(traceability.main(), 0)

    def test_has_every_rule_with_a_function_or_an_example(self):
        with open(traceability.TABLE, encoding="utf-8") as f:
            rows = [line.split("\t") for line in f.read().split("\n")[2:-1]]
        self.assertEqual([row[0] for row in rows], list(vectors.RULES))
        for row in rows:
            cells = dict(zip(traceability.COLUMNS, row))
            if row[0].startswith(gaps.OF_THE_SYSTEM) and cells["class"] == "definition":
                continue  # how a buffer is laid out: nothing reports it
            self.assertNotEqual((cells["functions"], cells["tests"], cells["vectors"]),
                                ("-", "-", "-"), row[0])


if __name__ == "__main__":
    unittest.main()
