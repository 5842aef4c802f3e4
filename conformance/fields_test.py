#!/usr/bin/env python3
"""Readers that ignore one bit of one field fail a vector. Each field of spec/layout.tbl, bit by bit, is cleared in the
traces before toy.py, which is right, reads them: so it is a reader whose field is too narrow. A field of a ref is two
fields: the index of what is registered, and the length of what is inline."""
import collections
import os
import sys
import unittest

import toy
import vectors
from runner import diagnose, levels
from runner.fields import bits_of, mutants, without


def lines_of(data, places):
    reader = toy.Reader()
    reader.read(without(data, places))
    return reader.lines


def is_killed(vector, data, places):
    return levels.compare_lines(levels.delivered(vector), lines_of(data, places), "event", levels.difference) is not None


def killed(settled):
    """{mutant: [(vector, what it delivers)]}, of vectors that tell the mutant from the toy, however one may read what is
    unspecified."""
    found = collections.defaultdict(list)
    for vector in settled:
        data = bytes.fromhex(vector["bytes"])
        for mutant, places in bits_of(data).items():
            if is_killed(vector, data, places):
                found[mutant].append((vector, lines_of(data, places)))
    return found


class Fields(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.settled = [vector for vector in vectors.load() if vector["grade"] != "unspecified"]
        cls.killed = killed(cls.settled)
        cls.mistakes = diagnose.Mistakes()

    def named(self, failures):
        """What is named first of these, where all others pass."""
        failed = {vector["id"] for vector, _ in failures}
        return diagnose.diagnose(failures, [v for v in self.settled if v["id"] not in failed], self.mistakes)[0]

    def test_there_are_mutants(self):
        self.assertGreater(len(set(mutants())), 500)

    def test_a_reader_that_ignores_a_bit_of_a_field_fails(self):
        self.assertEqual(sorted(set(mutants()) - set(self.killed)), [])

    def test_its_failures_name_the_field_and_no_other(self):
        """Of a quarter of the mutants, by $FXT_DRAW."""
        for mutant in sorted(self.killed)[int(os.environ.get("FXT_DRAW", "0")) % 4::4]:
            failures = self.killed[mutant]
            text, count = self.named(failures)
            self.assertEqual(count, len(failures), text)
            self.assertIn(diagnose.field_text(*mutant[:3]), text)
            self.assertNotIn(" or ", text)

    def test_the_failures_of_a_mistake_name_it(self):
        for text in self.mistakes.readers:
            failures = [(v, self.mistakes.answer(text, v)) for v in vectors.load() if self.mistakes.contradicts(text, v)]
            self.assertEqual(self.named(failures), (text, len(failures)))

    def test_a_narrow_field_is_named_with_its_width(self):
        mistake = ("arg.header", "name", "index", 8, 14)
        failures = [(v, self.mistakes.answer(mistake, v)) for v in self.settled if self.mistakes.contradicts(mistake, v)]
        self.assertEqual(self.named(failures)[0], "reads 8 of the 15 bits of 'name' of arg.header, as an index")

    def test_two_mistakes_are_named_and_what_is_none_of_them_is_not(self):
        mistakes = ["drops the 15th argument", "trims spaces from the end of texts"]
        failures = [(v, self.mistakes.answer(one, v)) for one in mistakes for v in self.settled
                    if self.mistakes.contradicts(one, v)]
        failed = {vector["id"] for vector, _ in failures}
        named = diagnose.diagnose(failures, [v for v in self.settled if v["id"] not in failed], self.mistakes)
        self.assertEqual({text for text, _ in named}, set(mistakes))
        self.assertEqual(diagnose.diagnose([(failures[0][0], [{"event": "log"}])], [], self.mistakes), [])


if __name__ == "__main__":
    sys.exit(unittest.main())
