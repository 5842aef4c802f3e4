#!/usr/bin/python3
"""Stubs are made of what a declaration and a contract say, and the list of those that pass is kept."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from lib import stubs  # noqa: E402

SAFE = """ requires x < 10 && \\valid(out);
  @ terminates \\true;
  @ assigns *out;
  @ ensures set: \\result \\in {FXT_OK, FXT_FULL};
  @ ensures full: \\result == FXT_FULL <==> x > 5;
  @ ensures \\forall integer i; 0 <= i < x ==> i < 10;
"""


def toy(contract, parameters="uint32_t x, uint32_t *out", result="enum fxt_status"):
    return stubs.Function("fxt/status.h", contract, result + " ", "fxt_toy", parameters)


def passes(function):
    whole = [body for body in stubs.bodies(function) if body[0] == "whole"]
    return bool(stubs.proved(function, whole, steps=stubs.STEPS, provers=("cvc4",)))


class Bodies(unittest.TestCase):
    def test_a_clause_ends_where_the_next_begins(self):
        self.assertEqual(toy(SAFE).clauses("ensures")[2], "\\forall integer i; 0 <= i < x ==> i < 10")
        self.assertEqual(toy(SAFE).clauses("assigns"), ["*out"])

    def test_what_is_returned_is_what_the_contract_says_in_words_of_c(self):
        self.assertEqual(stubs.returns(toy(SAFE)), ["if (x > 5) return FXT_FULL; return FXT_OK;",
                                                    "if (x > 5) return FXT_FULL; return FXT_FULL;"])
        self.assertIsNone(stubs.in_c("l_words(x) == 1"))
        self.assertIsNone(stubs.in_c("\\forall integer i; i == i"))
        self.assertEqual(stubs.in_c("\\old(x) == \\null"), "(x) == 0")

    def test_each_output_is_left_alone_once(self):
        self.assertEqual({left for left, _ in stubs.bodies(toy(SAFE))}, {"whole", "out"})

    def test_what_only_has_to_be_said_is_no_stub(self):
        function = toy(" terminates \\true;\n assigns \\nothing;\n ensures \\result == x + 1;\n", "uint32_t x",
                       "uint32_t")
        self.assertEqual(stubs.returns(function), ["return 0;", "return 1;"])


class Proofs(unittest.TestCase):
    def test_a_contract_that_is_safe_and_no_more_lets_a_stub_pass(self):
        self.assertTrue(passes(toy(SAFE)))

    def test_a_contract_that_says_what_is_done_does_not(self):
        self.assertFalse(passes(toy(SAFE + " ensures done: \\result == FXT_OK ==> *out == x + 1;\n")))


class List(unittest.TestCase):
    def test_every_public_function_is_tried(self):
        found = stubs.functions()
        for name in ("fxt_read_thread", "fxt_write_thread", "fxt_check_record", "fxt_string_ref_length"):
            self.assertIn(name, found)
        self.assertGreater(len(found), 100)

    def test_it_may_only_get_shorter(self):
        results = stubs.read()
        some = next(n for n, (_, left) in sorted(results.items()) if left == ["whole"])
        other = next(n for n, (_, left) in sorted(results.items()) if not left)
        killed = {**results, some: (results[some][0], [])}
        self.assertIn("`%s`: no stub passes its contract any more" % some,
                      " ".join(stubs.complaints(killed)))
        added = {**results, other: (results[other][0], ["whole"])}
        self.assertIn("`%s`: a stub passes" % other, " ".join(stubs.complaints(added)))

    def test_a_contract_that_changed_is_tried_again(self):
        results = stubs.read()
        stale = {**results, "fxt_read_thread": ("0", [])}
        self.assertIn("fxt_read_thread: its contract changed", " ".join(stubs.complaints(stale)))


if __name__ == "__main__":
    unittest.main()
