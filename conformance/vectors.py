"""The vectors: their sources (vectors/*.fxta and the families) and the corpus that is made of them
(corpus/*.json). README.md describes both."""
import functools
import json
import os
import re

import assemble
import model
from runner import corpus

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.join(HERE, "vectors")
GRADES = ("valid", "invalid", "unspecified")
AREAS = ("framing", "metadata", "initialization", "string_table", "thread_table", "event",
         "argument", "blob", "userspace_object", "kernel_object", "scheduling", "log", "profiler",
         "large", "trace")
EDITIONS = ("2020", "current")
HEAD = re.compile(r"; === ([a-z0-9_-]+) \(([a-z]+)\)$")
KEYS = ("tests", "touches", "edition", "why", "mistake")


def load_rules():
    """{id: (class, edition)} of spec/rules.tbl."""
    rules = {}
    with open(model.spec("rules.tbl"), encoding="utf-8") as f:
        for line in f:
            cells = line.split("#")[0].split(None, 3)
            if cells:
                rules[cells[0]] = (cells[1], cells[2])
    return rules


RULES = load_rules()


class Source:
    """A vector as a person or a family writes it. What is not given is computed from its bytes."""
    def __init__(self, id, lines, why, mistake, tests, touches=(), edition=None, grade=None):
        self.id = id
        self.lines = list(lines)
        self.why = why
        self.mistake = mistake
        self.tests = tests
        self.touches = touches
        self.edition = edition
        self.grade = grade
        self.bytes = assemble.assemble("\n".join(self.lines).encode("utf-8"))
        self.seen = model.look(self.bytes)

    def broken(self):
        """The rules that it breaks, in either edition."""
        return {rule for found in self.seen.findings.values() for _, rule in found}


def hand_written():
    """The sources of vectors/*.fxta."""
    sources = []
    for file in sorted(os.listdir(SOURCES)):
        area = file[:-len(".fxta")]
        with open(os.path.join(SOURCES, file), encoding="utf-8") as f:
            parts = re.split(r"^(?=; === )", f.read(), flags=re.M)
        sources += [parse(area, part) for part in parts if part.startswith("; === ")]
    return sources


def parse(area, text):
    """One vector: its head line, its lines `; key: value`, an empty line, its records."""
    head, _, body = text.partition("\n\n")
    lines = head.split("\n")
    match = HEAD.match(lines[0])
    if not match:
        raise SystemExit("%s.fxta: head line not understood: %s" % (area, lines[0]))
    keys = dict.fromkeys(KEYS, "")
    key = None
    for line in lines[1:]:
        if line.startswith(";   "):
            keys[key] += " " + line[4:].strip()
            continue
        key, colon, value = line[2:].partition(": ")
        if key not in KEYS or not colon:
            raise SystemExit("%s.fxta: line not understood: %s" % (area, line))
        keys[key] = value.strip()
    return Source(area + "/" + match.group(1), body.rstrip("\n").split("\n"), keys["why"],
                  keys["mistake"], keys["tests"], keys["touches"].split(), keys["edition"],
                  match.group(2))


# ---- the corpus

@functools.lru_cache(maxsize=None)
def load(folder=None, areas=AREAS):
    """All vectors of traces, as objects of schema/corpus.schema.json."""
    folder = folder or corpus.of_suite(HERE)
    vectors = []
    for area in areas:
        with open(os.path.join(folder, area + ".json"), encoding="utf-8") as f:
            vectors += json.load(f)
    return vectors


def load_timeline(folder=None):
    """Those of level timeline, as README.md says."""
    return load(folder, ("timeline",))


def layout_vector(vector):
    """As it stands in the corpus: one key a line, one line of source, one record and one event a line."""
    rows = []
    for key, value in vector.items():
        if key in ("source", "records", "events", "timeline") and value:
            text = "[\n" + ",\n".join("  " + model.json_line(item) for item in value) + "\n]"
        elif key == "findings":
            text = "{\n" + ",\n".join('  "%s": %s' % (edition, model.json_line(found))
                                      for edition, found in value.items()) + "\n}"
        else:
            text = json.dumps(value, ensure_ascii=False)
        rows.append('"%s": %s' % (key, text))
    return "{\n" + ",\n".join(rows) + "\n}"


def broken(vector):
    """The rules that it breaks, in either edition."""
    return {finding["rule"] for found in vector["findings"].values() for finding in found}


def severe(vector, edition):
    return [finding["rule"] for finding in vector["findings"][edition]
            if RULES[finding["rule"]][0] in ("malformed", "nonconforming")]


def problems(vector):
    """What a vector says that cannot be."""
    bad = []
    for rule in [vector["tests"]] + vector["touches"] + sorted(broken(vector)):
        if rule not in RULES:
            bad.append("no such rule: %s" % rule)
    if bad:
        return ["%s: %s" % (vector["id"], problem) for problem in bad]
    grade = vector["grade"]
    if grade not in GRADES or vector["id"].split("/")[0] not in AREAS:
        bad.append("no such grade or area")
    if vector["edition"] not in EDITIONS or not vector["why"]:
        bad.append("edition or why is missing")
    if grade == "valid" and severe(vector, "current"):
        bad.append("a valid vector breaks " + severe(vector, "current")[0])
    if grade == "valid" and vector["edition"] == "2020" and severe(vector, "2020"):
        bad.append("a valid vector of 2020 breaks " + severe(vector, "2020")[0])
    if grade == "invalid" and not severe(vector, vector["edition"]):
        bad.append("an invalid vector breaks nothing that matters")
    if vector["edition"] == "2020" and "EDN-01" in broken(vector):
        bad.append("a vector of 2020 uses what came later")
    return ["%s: %s" % (vector["id"], problem) for problem in bad]
