"""The vectors as files: where they are, and what their headers say. README.md describes both."""
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "vectors")
GRADES = ("valid", "invalid", "unspecified")
AREAS = ("framing", "metadata", "initialization", "string_table", "thread_table", "event",
         "argument", "blob", "userspace_object", "kernel_object", "scheduling", "log", "profiler",
         "large", "trace")
FINDING = re.compile(r"([A-Z]{3}-\d\d) @ 0x([0-9a-f]+)$")
KEYS = ("rules", "edition", "why", "canonical", "finding", "finding 2020", "finding current")


def load_rules():
    """{id: (class, edition)} of spec/rules.tbl."""
    rules = {}
    with open(os.path.join(HERE, "..", "spec", "rules.tbl"), encoding="utf-8") as f:
        for line in f:
            cells = line.split("#")[0].split(None, 3)
            if cells:
                rules[cells[0]] = (cells[1], cells[2])
    return rules


RULES = load_rules()


class Vector:
    def __init__(self, path):
        self.path = path
        self.grade, self.area, self.name = path.split("/")
        self.why = ""
        self.rules = []
        self.edition = None
        self.canonical = None
        self.findings = {"2020": [], "current": []}
        self.bad = []
        self.read_header()

    def read_header(self):
        key = None
        with open(os.path.join(ROOT, self.path + ".fxta"), encoding="utf-8") as f:
            for line in f:
                if not line.startswith(";"):
                    break
                if line.startswith(";   "):
                    self.take(key, line[4:].strip())
                    continue
                key, colon, value = line[2:].partition(": ")
                if key in KEYS and colon:
                    self.take(key, value.strip())
                elif not line.startswith("; made by conformance/generate.py"):
                    self.bad.append("header line not understood: " + line.strip())

    def take(self, key, value):
        if key == "why":
            self.why = (self.why + " " + value).strip()
        elif key == "rules":
            self.rules += value.split()
        elif key in ("edition", "canonical"):
            setattr(self, key, value)
        else:
            match = FINDING.match(value)
            if not match:
                self.bad.append("finding not understood: " + value)
                return
            for edition in self.findings:
                if key in ("finding", "finding " + edition):
                    self.findings[edition].append((int(match.group(2), 16), match.group(1)))

    def broken(self):
        return {rule for found in self.findings.values() for _, rule in found}

    def severe(self, edition):
        return [finding for finding in self.findings[edition]
                if RULES[finding[1]][0] in ("malformed", "nonconforming")]

    def problems(self):
        """What the header says that cannot be."""
        bad = list(self.bad)
        for rule in self.rules + sorted(self.broken()):
            if rule not in RULES:
                bad.append("no such rule: " + rule)
        if bad:
            return ["%s: %s" % (self.path, problem) for problem in bad]
        if self.grade not in GRADES or self.area not in AREAS:
            bad.append("no such grade or area")
        if not self.why or not self.rules or self.edition not in ("2020", "current"):
            bad.append("why, rules or edition is missing")
        if self.canonical not in ("yes", "no"):
            bad.append("canonical is yes or no")
        if self.grade == "valid" and self.severe("current"):
            bad.append("a valid vector breaks " + self.severe("current")[0][1])
        if self.grade == "valid" and self.edition == "2020" and self.severe("2020"):
            bad.append("a valid vector of 2020 breaks " + self.severe("2020")[0][1])
        if self.grade == "invalid" and not self.severe(self.edition):
            bad.append("an invalid vector breaks nothing that matters")
        later = [rule for _, rule in self.findings["2020"] if rule == "EDN-01"]
        if self.edition == "2020" and later:
            bad.append("a vector of 2020 uses what came later")
        return ["%s: %s" % (self.path, problem) for problem in bad]


def all_paths():
    """grade/area/name of every vector, sorted."""
    paths = []
    for grade in sorted(os.listdir(ROOT)):
        for area in sorted(os.listdir(os.path.join(ROOT, grade))):
            for file in sorted(os.listdir(os.path.join(ROOT, grade, area))):
                if file.endswith(".fxta"):
                    paths.append("%s/%s/%s" % (grade, area, file[:-len(".fxta")]))
    return paths


def strays(paths):
    """Files that belong to no source."""
    known = {path + ending for path in paths for ending in (".fxta", ".fxt", ".json")}
    wrong = []
    for folder, _, files in os.walk(ROOT):
        for file in files:
            path = os.path.relpath(os.path.join(folder, file), ROOT)
            if path not in known:
                wrong.append(path + " belongs to no vector")
    return wrong
