#!/usr/bin/env python3
"""The model of a trace's meaning does what the rules of spec/meaning.md say."""
import random
import unittest

import assemble
import timeline_model


def timeline(*lines):
    """Of a trace of one thread, in short: `begin 0 a`, `end 5`, `complete 0 9 b`, `instant 3 i`."""
    text = ["magic"]
    for line in lines:
        word, *cells = line.split()
        name = cells.pop() if not cells[-1].isdigit() else ""
        field = "end" if word == "complete" else "id"
        kind = {"begin": "duration_begin", "end": "duration_end",
                "complete": "duration_complete"}.get(word, word)
        text.append('event %s timestamp=%s thread=1/2 name="%s"' % (kind, cells[0], name)
                    + "".join(" %s=%s" % (field, cell) for cell in cells[1:]))
    found, = timeline_model.timelines(assemble.assemble("\n".join(text).encode()))
    return found


def tree(*lines):
    """`name(of what is inside)` of each slice and instant at the root."""
    found = timeline(*lines)
    inside = {}
    for item in found["slices"] + found["instants"]:
        inside.setdefault(item["parent"], []).append(item)

    def show(parent):
        shown = []
        for item in inside.get(parent, []):
            inner = show(found["slices"].index(item)) if "depth" in item else ""
            shown.append(item["name"] + ("(%s)" % inner if inner else ""))
        return " ".join(shown)

    return show(None)


class Borders(unittest.TestCase):
    """SLC-06, at equal times."""
    def test_the_longer_of_one_begin_encloses(self):
        self.assertEqual(tree("complete 0 50 r", "complete 0 100 p"), "p(r)")
        self.assertEqual(tree("complete 0 50 r", "begin 0 p", "end 100"), "p(r)")

    def test_of_equal_complete_durations_the_later_record_encloses(self):
        self.assertEqual(tree("complete 0 9 a", "complete 0 9 b"), "b(a)")

    def test_of_begin_and_end_and_a_complete_duration_the_first_encloses(self):
        self.assertEqual(tree("begin 0 b", "complete 0 9 x", "end 9"), "b(x)")
        self.assertEqual(tree("complete 0 9 x", "begin 0 b", "end 9"), "b(x)")

    def test_unless_the_complete_duration_was_written_after_the_end(self):
        self.assertEqual(tree("begin 0 b", "end 9", "complete 0 9 x"), "x(b)")

    def test_an_empty_slice_is_in_what_stands_around_its_records(self):
        self.assertEqual(tree("begin 0 f", "complete 9 9 z", "end 9"), "f(z)")
        self.assertEqual(tree("begin 0 f", "end 9", "complete 9 9 z"), "f z")
        self.assertEqual(tree("complete 0 0 z", "begin 0 f", "end 9"), "z f")
        self.assertEqual(tree("begin 0 f", "complete 0 0 z", "end 9"), "f(z)")
        self.assertEqual(tree("begin 5 z", "end 5", "begin 5 n", "end 9"), "z n")
        self.assertEqual(tree("begin 5 o", "begin 5 z", "end 5", "end 9"), "o(z)")

    def test_an_empty_one_is_in_a_complete_duration_until_that_was_written(self):
        self.assertEqual(tree("complete 0 0 z", "complete 0 9 x"), "x(z)")
        self.assertEqual(tree("complete 0 9 x", "complete 0 0 z"), "x(z)")
        self.assertEqual(tree("complete 9 9 z", "complete 0 9 x"), "x(z)")
        self.assertEqual(tree("complete 0 9 x", "complete 9 9 z"), "x z")

    def test_a_complete_duration_begins_behind_a_begin_that_ends_later(self):
        self.assertEqual(tree("instant 5 i", "begin 5 b", "instant 5 j", "complete 5 8 x", "end 9"),
                         "b(x(j)) i")
        self.assertEqual(tree("instant 5 i", "begin 5 b", "end 7", "complete 5 8 x"), "x(b i)")

    def test_an_empty_complete_duration_encloses_nothing(self):
        self.assertEqual(tree("complete 5 5 a", "complete 5 5 b"), "a b")
        self.assertEqual(tree("complete 5 5 a", "begin 5 b", "end 5"), "a b")
        self.assertEqual(tree("begin 5 b", "complete 5 5 a", "end 5"), "b(a)")

    def test_instants_lie_where_an_empty_slice_would(self):
        self.assertEqual(tree("begin 0 f", "instant 9 i", "end 9", "instant 9 j"), "f(i) j")
        self.assertEqual(tree("instant 0 i", "complete 0 9 x", "instant 9 j"), "x(i) j")
        self.assertEqual(tree("instant 9 i", "complete 0 9 x", "instant 9 j"), "x(i) j")


class Trees(unittest.TestCase):
    def test_what_lies_inside_of_both_belongs_to_the_later(self):
        self.assertEqual(tree("complete 0 10 a", "complete 5 15 b", "complete 6 7 c",
                              "complete 8 12 d", "complete 1 2 e"), "a(e) b(c d)")

    def test_neighbours_have_the_parent_of_the_first_or_one_around(self):
        self.assertEqual(tree("complete 0 20 p", "complete 1 10 a", "complete 5 15 b"), "p(a b)")
        self.assertEqual(tree("complete 0 12 p", "complete 1 10 a", "complete 5 15 b"), "p(a) b")

    def test_what_ends_at_the_end_of_another_is_inside(self):
        self.assertEqual(tree("complete 0 9 a", "complete 5 9 b"), "a(b)")
        self.assertEqual(tree("complete 5 9 b", "complete 0 9 a"), "a(b)")
        self.assertEqual(tree("begin 0 a", "end 9", "complete 5 9 b"), "a(b)")

    def test_an_unfinished_slice_lasts_as_long_as_what_is_around_it(self):
        found = timeline("complete 0 50 p", "begin 10 u", "begin 20 v", "instant 90 i")
        self.assertEqual([(s["name"], s["end"], s["unfinished"], s["self"])
                          for s in found["slices"]],
                         [("p", 50, False, 10), ("u", 50, True, None), ("v", 50, True, None)])
        self.assertEqual(timeline("begin 10 u", "instant 90 i")["slices"][0]["end"], 90)

    def test_self_is_what_the_slices_inside_leave_uncovered(self):
        found = timeline("complete 0 100 p", "complete 10 30 a", "complete 20 40 b",
                         "complete 25 26 c")
        self.assertEqual([s["self"] for s in found["slices"]], [70, 20, 19, 1])

    def test_what_is_late_is_matched_at_the_end(self):
        found = timeline("begin 0 a", "begin 50 b", "begin 10 late", "end 60", "end 20", "end 70")
        self.assertEqual([(s["name"], s["begin"], s["end"], s["depth"]) for s in found["slices"]],
                         [("a", 0, 70, 0), ("late", 10, 20, 1), ("b", 50, 60, 1)])

    def test_a_late_begin_finds_an_end_that_found_none(self):
        found = timeline("end 9", "begin 5 a")
        self.assertEqual([(s["begin"], s["end"]) for s in found["slices"]], [(5, 9)])
        self.assertEqual(found["strays"], [])

    def test_strays(self):
        found = timeline("end 5 e", "complete 9 8 x", "instant 1 i")
        self.assertEqual([(s["event"], s["time"]) for s in found["strays"]],
                         [("duration_end", 5), ("duration_complete", 9)])
        self.assertEqual((found["slices"], found["span"]), ([], [1, 9]))


class Sums(unittest.TestCase):
    def test_recursion_counts_the_outermost(self):
        found = timeline("begin 0 f", "begin 10 g", "begin 20 f", "end 80", "end 90", "end 100",
                         "complete 200 210 f")
        self.assertEqual(timeline_model.total(found["slices"], "f"), 110)

    def test_percentiles(self):
        self.assertEqual(timeline_model.percentile([40, 10], 50), 25)
        self.assertEqual(timeline_model.percentile([3], 99), 3)


class Whole(unittest.TestCase):
    def test_each_parent_is_the_last_to_begin_of_those_that_enclose(self):
        """By comparison of all pairs."""
        for seed in range(2000):
            slices = self.slices(random.Random(seed))
            timeline_model.nest(slices, [], 99)
            for slice in slices:
                around = [other for other in slices if other.open < slice.open
                          and (slice.close < other.close or slice.begin < slice.end == other.end)]
                self.assertEqual(slice.parent, max(around, key=lambda other: other.open,
                                                   default=None), seed)

    @staticmethod
    def slices(rand):
        class Record:
            def __init__(self, time, number):
                self.time, self.number, self.place = time, number, (time, number)
        found = []
        numbers = rand.sample(range(40), 20)
        for _ in range(rand.randrange(2, 10)):
            begin, end = sorted((Record(rand.randrange(5), numbers.pop()) for _ in range(2)),
                                key=lambda record: record.place)
            begin.end = end.time
            found.append(timeline_model.Slice(begin, end, rand.choice(["pair", "complete"])))
        return found


if __name__ == "__main__":
    unittest.main()
