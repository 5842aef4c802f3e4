#!/usr/bin/env python3
"""Every vector of the corpus has the form of schema/corpus.schema.json, and what extract.py writes
is what the corpus says. The validator below knows the part of JSON Schema that the schema uses, and
fails on any other word."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import extract
import vectors
from runner.needs import needs_of

HERE = os.path.dirname(os.path.abspath(__file__))
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
NOTES = {"$schema", "$defs", "title", "description"}


def is_type(value, name):
    if name in ("integer", "number"):
        return isinstance(value, int if name == "integer" else (int, float)) \
            and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


class Validator:
    def __init__(self, schema):
        self.schema = schema

    def errors(self, value, schema, at):
        """Yields `where: what` for each breach."""
        for word, wanted in schema.items():
            if word in NOTES:
                continue
            check = getattr(self, "check_" + word.strip("$"), None)
            if check is None:
                raise SystemExit("the validator does not know " + word)
            yield from check(value, wanted, at, schema)

    def check_ref(self, value, wanted, at, schema):
        yield from self.errors(value, self.schema["$defs"][wanted[len("#/$defs/"):]], at)

    def check_type(self, value, wanted, at, schema):
        names = wanted if isinstance(wanted, list) else [wanted]
        if not any(is_type(value, name) for name in names):
            yield "%s: is no %s" % (at, " or ".join(names))

    def check_enum(self, value, wanted, at, schema):
        if value not in wanted:
            yield "%s: %s is none of %s" % (at, value, wanted)

    def check_const(self, value, wanted, at, schema):
        if value != wanted:
            yield "%s: is not %s" % (at, wanted)

    def check_pattern(self, value, wanted, at, schema):
        if isinstance(value, str) and not re.search(wanted, value):
            yield "%s: %.40s does not match %s" % (at, value, wanted)

    def check_minimum(self, value, wanted, at, schema):
        if is_type(value, "number") and value < wanted:
            yield "%s: %s is too small" % (at, value)

    def check_maximum(self, value, wanted, at, schema):
        if is_type(value, "number") and value > wanted:
            yield "%s: %s is too large" % (at, value)

    def check_items(self, value, wanted, at, schema):
        for i, item in enumerate(value if isinstance(value, list) else []):
            yield from self.errors(item, wanted, "%s[%d]" % (at, i))

    def check_required(self, value, wanted, at, schema):
        for key in wanted:
            if isinstance(value, dict) and key not in value:
                yield "%s: %s is missing" % (at, key)

    def check_properties(self, value, wanted, at, schema):
        for key in wanted:
            if isinstance(value, dict) and key in value:
                yield from self.errors(value[key], wanted[key], at + "." + key)

    def check_additionalProperties(self, value, wanted, at, schema):
        for key in value if isinstance(value, dict) else {}:
            if key in schema.get("properties", {}):
                continue
            if wanted is False:
                yield "%s: %s is not allowed" % (at, key)
            else:
                yield from self.errors(value[key], wanted, at + "." + key)

    def check_anyOf(self, value, wanted, at, schema):
        first = [next(self.errors(value, choice, at), None) for choice in wanted]
        if all(first):
            yield "%s: fits nothing: %s" % (at, "; or ".join(first))


def load_schema():
    with open(os.path.join(HERE, "schema", "corpus.schema.json"), encoding="utf-8") as f:
        return json.load(f)


class Schema(unittest.TestCase):
    def setUp(self):
        self.schema = load_schema()
        self.validator = Validator(self.schema)

    def errors(self, value):
        return list(self.validator.errors(value, self.schema, "corpus"))

    def test_all_vectors_have_its_form(self):
        self.assertEqual(self.errors(vectors.load()), [])

    def test_vectors_of_equal_bytes_have_equal_grades_and_expectations(self):
        first = {}
        for vector in vectors.load():
            other = first.setdefault(vector["bytes"], vector)
            for key in ("grade", "findings", "records", "events"):
                self.assertEqual(vector[key], other[key], "%s and %s: %s" % (vector["id"], other["id"], key))

    def test_valid_vectors_need_nothing_but_the_tails_of_their_rule(self):
        for vector in vectors.load():
            tails = ["argument-tails"] if vector["tests"] == "REC-08" else []
            if vector["grade"] == "valid" and needs_of(vector):
                self.assertEqual(needs_of(vector), tails, vector["id"])

    def test_it_says_no(self):
        good = next(vector for vector in vectors.load() if vector["events"])
        for change in ({"grade": "good"}, {"id": "A b"}, {"bytes": "1"}, {"why": ""}, {"tests": 5},
                       {"kinds": ["arg.float"]}, {"findings": {"2020": []}}, {"extra": 1},
                       {"events": [{"event": "instant"}]}, {"canonical": 1}, {"records": [{}]},
                       {"events": [dict(good["events"][0], provider=-1)]}):
            self.assertTrue(self.errors([dict(good, **change)]), change)


class Extract(unittest.TestCase):
    def test_files_are_those_of_the_corpus(self):
        with tempfile.TemporaryDirectory() as directory:
            subprocess.run([sys.executable, os.path.join(HERE, "extract.py"), directory],
                           check=True)
            with open(os.path.join(directory, "manifest.json"), encoding="utf-8") as f:
                manifest = {entry["id"]: entry for entry in json.load(f)}
            everything = vectors.load() + vectors.load_timeline()
            self.assertEqual(set(manifest), {vector["id"] for vector in everything})
            for vector in everything:
                self.check(directory, vector, manifest[vector["id"]]["files"])

    def extract(self, *words, limit="unlimited"):
        done = subprocess.run(["bash", "-c", 'ulimit -f $0; "$@"', limit, sys.executable,
                               os.path.join(HERE, "extract.py")] + list(words),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        return done.returncode, done.stdout, done.stderr

    def test_what_cannot_be_written_is_one_line(self):
        with tempfile.TemporaryDirectory() as directory:
            file = os.path.join(directory, "file")
            with open(file, "w", encoding="utf-8"):
                pass
            for path, reason in ((file, "File exists"), (file + "/x", "Not a directory"),
                                 ("/proc/x", "No such file or directory")):
                self.assertEqual(self.extract(path), (
                    3, "", "extract.py: cannot write %s: %s\n" % (path, reason)))
            self.assertEqual(self.extract("--pack", directory + "/no/pack"), (
                3, "", "extract.py: cannot write %s/no/pack: No such file or directory\n" % directory))

    def test_a_full_disk_leaves_no_part(self):
        with tempfile.TemporaryDirectory() as directory:
            for words in ([directory], ["--pack", directory + "/pack"]):
                self.assertEqual(self.extract(*words, limit="4"), (
                    3, "", "extract.py: cannot write %s: File too large\n" % words[-1]))
                self.assertEqual(os.listdir(directory), [])

    def test_a_device_is_written_into(self):
        with tempfile.TemporaryDirectory() as directory:
            link = os.path.join(directory, "full")
            os.symlink("/dev/full", link)
            self.assertEqual(self.extract("--pack", link), (
                3, "", "extract.py: cannot write %s: No space left on device\n" % link))
            self.assertEqual(os.readlink(link), "/dev/full")

    def test_a_folder_that_is_there_keeps_what_it_has(self):
        with tempfile.TemporaryDirectory() as directory:
            for name in ("note", "blob"):
                os.mkdir(os.path.join(directory, name))
            self.assertEqual(self.extract(directory)[0], 0)
            self.assertEqual(self.extract(directory)[0], 0)
            self.assertIn("note", os.listdir(directory))
            self.assertFalse([name for name in os.listdir(directory) if "." in name and
                              name != "manifest.json"])

    def test_help_is_output(self):
        code, out, err = self.extract("--help")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("usage: extract.py DIR", out)
        code, out, err = self.extract()
        self.assertEqual((code, out), (2, ""))
        self.assertEqual(self.extract("")[0], 2)
        self.assertEqual(self.extract("--bogus")[0], 2)

    def check(self, directory, vector, files):
        data = []
        for name in files:
            with open(os.path.join(directory, name), "rb") as f:
                data.append(f.read())
        self.assertEqual(data[0].hex(), vector["bytes"])
        self.assertEqual(data[1].decode().splitlines(), vector["source"])
        self.assertEqual(len(data), 2 + len(set(vector) & set(extract.LINES)))
        for lines, key in zip(data[2:], [key for key in extract.LINES if key in vector]):
            self.assertEqual([json.loads(line) for line in lines.split(b"\n")[:-1]], vector[key])


if __name__ == "__main__":
    unittest.main()
