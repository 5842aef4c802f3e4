#!/usr/bin/python3
"""Checks that the texts, the list of rules and the generated files agree.

Fails when a rule of rules.tbl is not defined exactly once in format.md and system.md, or with
another class or edition; when one of them, meaning.md or rulings.md names a rule that does not exist,
or meaning.md defines one twice; when a
reference to a section or to a ruling leads nowhere; when a file that spec/generate.py writes is
stale.
Works from any directory: all files are found beside this one, also in Bazel's runfiles.
"""
import os
import re
import subprocess
import sys
import unittest

SPEC = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, SPEC)

import args
import generate
import records

DEFINITION = re.compile(r"^\*\*\[([A-Z]{3}-\d{2})\]\*\* \(([^)]*)\) ", re.M)
MEANING = re.compile(r"^\*\*\[([A-Z]{3}-\d{2})\]\*\* ", re.M)
MENTION = re.compile(r"\b[A-Z]{3}-\d{2}\b")
BOLD = re.compile(r"\*\*\[?[A-Z]{3}-\d+")


def text(name):
    with open(os.path.join(SPEC, name), encoding="utf-8") as f:
        return f.read()


def rule_texts():
    return text("format.md") + text("system.md")


def rules():
    found = {}
    for line in text("rules.tbl").splitlines():
        cells = line.split("#")[0].split(None, 3)
        if cells:
            rule, kind, edition, _ = cells
            found[rule] = kind if edition == "2020" else kind + ", current"
    return found


class Spec(unittest.TestCase):
    def test_every_rule_is_defined_exactly_once(self):
        defined = [m.group(1) for m in DEFINITION.finditer(rule_texts())]
        self.assertEqual(sorted(defined), sorted(rules()))

    def test_definitions_state_the_class_and_edition_of_the_table(self):
        stated = {m.group(1): m.group(2) for m in DEFINITION.finditer(rule_texts())}
        self.assertEqual(stated, rules())

    def test_bold_is_for_definitions_only(self):
        self.assertEqual(len(BOLD.findall(rule_texts())), len(rules()))
        self.assertEqual(BOLD.findall(text("rulings.md")), [])

    def test_no_unknown_rule_is_named(self):
        for name in ("format.md", "system.md", "rulings.md"):
            self.assertEqual(set(MENTION.findall(text(name))) - set(rules()), set(), name)

    def test_every_rule_of_the_meaning_is_defined_once(self):
        meaning = text("meaning.md")
        defined = MEANING.findall(meaning)
        self.assertEqual(len(set(defined)), len(BOLD.findall(meaning)))
        self.assertEqual(set(defined) & set(rules()), set())
        self.assertEqual(set(MENTION.findall(meaning)) - set(rules()) - set(defined), set())
        numbers = [int(n) for n in re.findall(r"^### M(\d+)\. ", meaning, re.M)]
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))

    def test_references_lead_somewhere(self):
        sections = set(re.findall(r"^#+ ([\d.]+?)\.? ", text("format.md"), re.M))
        for name in ("format.md", "rulings.md"):
            wanted = set(re.findall(r"\bsections? (\d+(?:\.\d+)*)", text(name)))
            wanted |= set(re.findall(r"\bsections \S+ and (\d+(?:\.\d+)*)", text(name)))
            self.assertEqual(wanted - sections, set(), name)
        numbers = [int(n) for n in re.findall(r"^### R(\d+)\. ", text("rulings.md"), re.M)]
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))
        named = {int(n) for n in re.findall(r"\bR(\d+)\b", text("rulings.md"))}
        self.assertEqual(named - set(numbers), set())

    def test_every_ruling_has_its_parts(self):
        for entry in re.split(r"^### ", text("rulings.md"), flags=re.M)[1:]:
            for part in ("Question", "Ruling", "Ground"):
                self.assertEqual(len(re.findall(r"^- %s: " % part, entry, re.M)), 1, entry)

    def test_a_type_of_argument_comes_and_goes_with_its_row(self):
        layout = generate.read_layout(generate.read_rules())
        known = args.read(layout)
        cells = ["ticks", "arg_plain.header", "uint64", "current", "no"]
        texts, more = {}, known + [args.Arg(len(known), cells, layout)]
        args.fill(texts, more)
        changed, again = dict(texts), dict(texts)
        args.fill(again, more)
        self.assertEqual(again, changed)
        args.fill(texts, known)
        for path, old in texts.items():
            with open(os.path.join(args.ROOT, path), encoding="utf-8") as f:
                self.assertEqual(f.read(), old)
            self.assertNotEqual(changed[path], old, path)
            longest = lambda text: max(map(len, text.split("\n")))
            self.assertLessEqual(longest(changed[path]), max(100, longest(old)), path)

    def test_a_new_record_is_named_where_the_one_before_it_is(self):
        layout = generate.read_layout(generate.read_rules())
        table, layout["sample.header"] = records.table(), layout["mmap.header"]
        mmap = re.search(r"^record mmap\n.*?(?=^record )", table, re.M | re.S).group(0)
        sample = mmap.replace("mmap", "sample")
        before = records.files(layout, table)
        after = records.files(layout, table.replace(mmap, mmap + sample))
        for path, old in before.items():
            count = after[path].count("sample")
            self.assertEqual(count > 0, "mmap" in old, path)
            if "/fxt/" in path:
                self.assertEqual(count, 2 if path.endswith("explain.h") else 1, path)

    def test_generated_files_are_fresh(self):
        run = subprocess.run([sys.executable, os.path.join(SPEC, "generate.py"), "--check"],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(run.returncode, 0, run.stdout.decode())


if __name__ == "__main__":
    unittest.main()
