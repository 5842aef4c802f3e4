#!/usr/bin/env python3
"""Each vector of timeline/ says what the model makes of it, and each rule has one."""
import re
import unittest

import model
import timeline_vectors


class Vectors(unittest.TestCase):
    maxDiff = None
    vectors = timeline_vectors.load()

    def test_each_means_what_it_says(self):
        for vector in self.vectors:
            with self.subTest(vector.id):
                self.assertEqual(timeline_vectors.draw(vector.timeline), vector.means)

    def test_ids_are_unique(self):
        ids = [vector.id for vector in self.vectors]
        self.assertEqual(len(ids), len(set(ids)))

    def test_each_rule_has_a_vector(self):
        with open(model.spec("meaning.md"), encoding="utf-8") as f:
            rules = set(re.findall(r"^\*\*\[([A-Z]{3}-[0-9]{2})\]\*\*", f.read(), re.M))
        self.assertTrue(rules)
        self.assertEqual(rules, {vector.tests for vector in self.vectors})


if __name__ == "__main__":
    unittest.main()
