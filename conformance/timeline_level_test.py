#!/usr/bin/env python3
"""Level timeline of `run`: an answer that says anything else than the vector is found, and what is not claimed is
not compared."""
import base64
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import zlib

import vectors
from runner import timeline
from runner.plain import Trouble

HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = "%s %s/adapters/python_model.py timeline --pipe" % (sys.executable, HERE)
Answer = collections.namedtuple("Answer", "out")
Options = collections.namedtuple("Options", "kinds")
ALL = timeline.with_kinds(set(timeline.CLAIMS))


def compare(vector, lines, kinds=ALL):
    out = "".join(json.dumps(line) + "\n" for line in lines).encode("utf-8")
    return timeline.level_timeline(vector, Answer(out), Options(kinds))


def vector_of(*lines):
    return {"timeline": [dict(dict.fromkeys(timeline.KEYS[line["kind"]]), **line) for line in lines]}


def other(value):
    return {"hex": "ff"} if isinstance(value, str) else 7 if value is None else None


class Compare(unittest.TestCase):
    vectors = vectors.load_timeline()

    def test_the_expected_lines_pass_in_any_order_of_kinds(self):
        for vector in self.vectors:
            lines = sorted(vector["timeline"], key=lambda line: line["kind"], reverse=True)
            self.assertIsNone(compare(vector, lines), vector["id"])

    def test_each_key_of_each_kind_is_compared_if_it_is_claimed(self):
        seen = set()
        for vector in self.vectors:
            for number, line in enumerate(vector["timeline"]):
                for key in set(timeline.KEYS[line["kind"]]) & set(line) - set(timeline.REFS):
                    lines = list(vector["timeline"])
                    lines[number] = dict(line, **{key: other(line[key])})
                    name = "%s.%s" % (line["kind"], key)
                    self.assertIsNotNone(compare(vector, lines), (vector["id"], name))
                    if "line" not in line:
                        self.assertIsNone(compare(vector, lines, ALL - {name}), (vector["id"], name))
                    seen.add(name)
        self.assertEqual({name for name in timeline.CLAIMS if "." in name} - seen - {
            kind + ".order" for kind in timeline.KEYS}, {
                "slice.parent", "instant.parent", "async.parent", "async_instant.parent", "flow.from", "flow.to"})

    def test_each_line_is_needed_and_none_is_too_much(self):
        for vector in self.vectors:
            for number, line in enumerate(vector["timeline"]):
                lines = [dict(one, parent=None) if "parent" in one else one for one in vector["timeline"]]
                lines = [one for one in lines if one["kind"] != "flow"]
                if line["kind"] != "flow":
                    lines.remove(dict(line, parent=None) if "parent" in line else line)
                self.assertIsNotNone(compare(vector, lines), vector["id"])
                self.assertIsNotNone(compare(vector, vector["timeline"] + [dict(line, line=-1)]), vector["id"])

    def test_a_parent_is_told_by_its_name_and_times(self):
        a, b = ({"kind": "slice", "line": name, "name": name, "begin": 0, "end": 9} for name in "ab")
        c = {"kind": "slice", "name": "c", "begin": 1, "end": 2}
        vector = vector_of(a, b, dict(c, parent="a"))
        self.assertIn('parent: expected {"name": "a", "begin": 0, "end": 9}, got {"name": "b"',
                      compare(vector, vector_of(a, b, dict(c, parent="b"))["timeline"]))
        self.assertIsNone(compare(vector, vector_of(dict(a, line=1), dict(b, line=2), dict(c, parent="1"))["timeline"]))

    def test_order_at_one_time(self):
        lines = vector_of(*({"kind": "instant", "process": 1, "thread": thread, "time": 5, "name": name}
                            for thread, name in ((1, "a"), (2, "x"), (2, "y"))))["timeline"]
        vector = {"timeline": lines}
        a, x, y = lines
        self.assertIsNone(compare(vector, [x, y, a]))
        self.assertIn("instant: order", compare(vector, [a, y, x]))
        self.assertIsNone(compare(vector, [a, y, x], ALL - {"instant.order"}))

    def test_an_empty_span_may_be_1_ns(self):
        vector = vector_of({"kind": "span", "begin": 5, "end": 5})
        self.assertIsNone(compare(vector, [{"kind": "span", "begin": 5, "end": 6}]))
        self.assertIsNotNone(compare(vector, [{"kind": "span", "begin": 5, "end": 7}]))
        self.assertIsNotNone(compare(vector, [{"kind": "span", "begin": 6, "end": 6}]))

    def test_what_has_no_form_is_garbage(self):
        for lines, text in (([{}], "line 1: no such kind: null"), ([{"kind": "slize"}], 'no such kind: "slize"'),
                            ([{"kind": []}], "no such kind"), ([{"kind": "slice", "parent": 3}], 'no "line" 3'),
                            ([{"kind": "slice", "line": 3}] * 2, 'another one has "line" 3')):
            with self.assertRaises(Trouble) as caught:
                compare(vector_of({"kind": "slice"}), lines)
            self.assertIn(text, str(caught.exception))

    def test_many_lines_are_not_compared_for_ever(self):
        text = compare(vector_of({"kind": "slice", "name": "a"}), [{"kind": "slice", "name": "b"}] * 100000)
        self.assertIn("expected 1 slice line, got 100000", text)


class Run(unittest.TestCase):
    def run_suite(self, *words):
        done = subprocess.run([sys.executable, HERE + "/run", "--level", "timeline"] + list(words),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
        return done.returncode, done.stdout

    def test_what_is_not_claimed_is_unsupported(self):
        code, out = self.run_suite("--adapter", MODEL, "--pipe", "--kinds", "slice,-slice.self")
        self.assertEqual(code, 0, out)
        self.assertRegex(out, r"level timeline: 1\d\d passed, 0 failed, 1\d\d unsupported")
        code, out = self.run_suite("--adapter", MODEL, "--pipe", "--kinds", "flow,slice,-slice.name,-slice.silf")
        self.assertEqual((code, out), (2, "run: no such kind: slice.silf; did you mean slice.self?\n"))

    def test_a_failure_tells_its_rule_and_its_difference(self):
        with tempfile.TemporaryDirectory() as folder:
            program = folder + "/late.py"
            with open(program, "w", encoding="utf-8") as f:
                f.write("import json, sys\nsys.path.insert(0, %r)\nimport timeline_model\n"
                        "for line in timeline_model.lines(open(sys.argv[1], 'rb').read()):\n"
                        "    if line['kind'] == 'slice' and line['end'] is None: line['end'] = 10\n"
                        "    if line['kind'] != 'instant': print(json.dumps(line))\n" % HERE)
            code, out = self.run_suite("--adapter", "%s %s {file}" % (sys.executable, program), "--run", "SLC-05",
                                       "--report", folder)
            self.assertEqual(code, 1, out)
            self.assertRegex(out, r"SLC-05: \d of 8 failed: A duration begin that finds no end makes an unfinished")
            self.assertRegex(out, r"slices/\S+: failed: slice \d: end: expected null, got 10, of \{")
            self.assertRegex(out, "If it does not understand them: --kinds=all,-instant\n")
            with open(folder + "/index.html", encoding="utf-8") as f:
                packed = re.search('id="data">(.*?)</script>', f.read()).group(1)
            self.assertIn("A duration begin that finds no end", zlib.decompress(base64.b64decode(packed)).decode("utf-8"))

    def test_a_program_that_prints_nothing_is_told(self):
        code, out = self.run_suite("--adapter", "true {file}")
        self.assertEqual(code, 1, out)
        self.assertIn("none of the first 20 vectors got a usable answer", out)


if __name__ == "__main__":
    unittest.main()
