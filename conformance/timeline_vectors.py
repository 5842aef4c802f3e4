#!/usr/bin/env python3
"""The vectors of spec/meaning.md: timeline/AREA.fxta has for each a head, its records, and what
they mean, as draw() puts it. README.md says how to add one.

usage: timeline_vectors.py --draw    writes into timeline/*.fxta what the model says
"""
import collections
import os
import re
import sys

import assemble
import model
import timeline_model

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "timeline")
HEAD = re.compile(r"; === ([a-z0-9-]+)\n; tests: ([A-Z]{3}-[0-9]{2})\n; why: (.*(?:\n;   .*)*)\n\n")
MEANS = "; = "

# What an importer must show for a vector of the rule to say anything of it: kinds of lines, or keys of a kind;
# either side of `|` will do. Of the other rules, any kind that the vector has.
NEEDS = {
    "SLC": ["slice"], "SLC-03": ["slice", "slice.args"], "SLC-04": ["slice|stray"],
    "SLC-06": ["slice", "slice.parent|slice.depth|instant.parent"], "SLC-07": ["slice", "slice.parent|slice.depth"],
    "SLC-09": ["slice", "slice.self"], "INS": ["instant"], "ASY": ["async"], "ASY-03": ["async_instant"],
    "FLW": ["slice", "flow"], "CNT": ["counter"], "CNT-02": ["counter|stray"], "WHO-02": ["process|thread"],
    "ORD-03": ["span"], "CPU-01": ["cpu"], "CPU-02": ["cpu"], "CPU-03": ["state"], "CPU-04": ["state"],
    "SUM": ["sum"],
}
MARKS = {"span", "sum", "instant", "process", "thread"}  # in vectors about others
SUMMARIES = {"span": "ORD", "sum": "SUM"}  # kinds of lines that only vectors of these rules have


class Vector:
    def __init__(self, area, text):
        match = HEAD.match(text)
        if not match:
            raise SystemExit("timeline/%s.fxta: not understood: %.80s" % (area, text))
        self.id = "%s/%s" % (area, match[1])
        self.tests = match[2]
        self.why = match[3].replace("\n;   ", " ")
        self.head = match[0]
        body = text[match.end():].rstrip("\n").split("\n")
        self.lines = [line for line in body if line and not line.startswith(MEANS)]
        self.means = [line[len(MEANS):] for line in body if line.startswith(MEANS)]
        self.bytes = assemble.assemble("\n".join(self.lines).encode())
        self.timeline = timeline_model.timelines(self.bytes)

    def needs(self, lines):
        if self.tests in NEEDS:
            return NEEDS[self.tests]
        if self.tests[:3] in NEEDS:
            return NEEDS[self.tests[:3]]
        kinds = {line["kind"] for line in lines}
        return ["|".join(sorted(kinds - MARKS or kinds - {"span"}))]

    def of_corpus(self):
        """As schema/timeline.md says."""
        lines = [line for line in timeline_model.lines(self.bytes)
                 if SUMMARIES.get(line["kind"], self.tests[:3]) == self.tests[:3]]
        seen = model.look(self.bytes)
        return {
            "id": self.id, "level": "timeline", "grade": "valid", "tests": self.tests, "touches": [],
            "edition": "current", "kinds": self.needs(lines), "why": self.why, "source": self.lines,
            "bytes": self.bytes.hex(),
            "findings": {edition: [{"rule": rule, "offset": offset} for offset, rule in found]
                         for edition, found in seen.findings.items()},
            "timeline": lines,
        }

    def text(self):
        return self.head + "\n".join(
            self.lines + [""] + [MEANS + line for line in draw(self.timeline)]) + "\n"


def load():
    vectors = []
    for file in sorted(os.listdir(SOURCES)):
        with open(os.path.join(SOURCES, file), encoding="utf-8") as f:
            parts = re.split(r"^(?=; === )", f.read(), flags=re.M)
        vectors += [Vector(file[:-len(".fxta")], part) for part in parts if part]
    return vectors


# ---- a timeline as lines of text

def draw(timelines):
    lines = []
    for number, trace in enumerate(timelines, 1):
        mark = "%d| " % number if len(timelines) > 1 else ""
        lines += [mark + line for line in draw_trace(trace)]
    return lines


def draw_trace(trace):
    if trace["span"]:
        yield "span %d..%d" % tuple(trace["span"])
    for item in trace["processes"]:
        if item["name"] is not None:
            yield "process %d is %s" % (item["koid"], item["name"])
    for item in trace["threads"]:
        if item["name"] is not None:
            yield "thread %s is %s" % (item["thread"], item["name"])
    yield from draw_tracks("thread", trace["slices"], trace["instants"])
    yield from draw_tracks("async", trace["asyncs"], trace["async_instants"])
    yield from draw_sums(trace["slices"])
    for item in trace["flows"]:
        yield "flow %d: %s -> %s" % (item["id"], trace["slices"][item["from"]]["name"],
                                     trace["slices"][item["to"]]["name"])
    counters = {}
    for item in trace["counters"]:
        key = "counter %s %s %s %d %s" % tuple(item[part] for part in (
            "process", "category", "name", "id", "arg"))
        counters.setdefault(key, []).append("%s at %d" % (item["value"], item["time"]))
    for key, values in counters.items():
        yield "%s: %s" % (key, ", ".join(values))
    for item in trace["without_value"]:
        yield "without a value: %s at %d" % (item["name"], item["time"])
    for item in trace["cpus"]:
        yield "cpu %d of provider %d: %s %s" % (item["cpu"], item["provider"], item["thread"],
                                                span(item))
    for item in trace["states"]:
        yield "state of %s: %s %s" % (item["thread"], item["state"], span(item))
    for item in trace["strays"]:
        yield "stray: %s at %d" % (item["event"], item["time"])


def span(item):
    return "%d..%s" % (item["begin"], "?" if item["unfinished"] else item["end"])


def draw_tracks(kind, slices, points):
    """What is inside of a slice stands in brackets behind it."""
    tracks = {}
    inside = {}
    places = {id(item): place for place, item in enumerate(slices)}
    for item in slices + points:
        tracks.setdefault(item["track"], [])
        (tracks[item["track"]] if item["parent"] is None
         else inside.setdefault(item["parent"], [])).append(item)

    def show(items):
        return ", ".join(map(show_one, sorted(items, key=lambda item: item.get(
            "begin", item.get("time")))))

    def show_one(item):
        if "time" in item:
            scope = item.get("scope", "thread")
            return "%s at %d%s" % (item["name"], item["time"],
                                   "" if scope == "thread" else " " + scope)
        text = "%s %s" % (item["name"], span(item))
        if item["args"]:
            text += " {%s}" % ", ".join("%s=%s" % tuple(arg) for arg in item["args"])
        inner = inside.get(places[id(item)])
        if inner:
            own = "" if item.get("self") is None else " self %d" % item["self"]
            text += "%s (%s)" % (own, show(inner))
        return text

    for track, items in tracks.items():
        yield "%s %s: %s" % (kind, track, show(items))


def draw_sums(slices):
    """Of names of several slices."""
    names = collections.Counter(item["name"] for item in slices)
    for name in [name for name, count in names.items() if count > 1]:
        times = [item["end"] - item["begin"] for item in slices
                 if item["name"] == name and not item["unfinished"]]
        text = "sum of %s: count %d, total %d" % (name, names[name],
                                                  timeline_model.total(slices, name))
        yield text + (", p50 %g" % timeline_model.percentile(times, 50) if times else "")


def main():
    if sys.argv[1:] != ["--draw"]:
        raise SystemExit(__doc__)
    areas = {}
    for vector in load():
        areas.setdefault(vector.id.split("/")[0], []).append(vector.text())
    for area, texts in areas.items():
        with open(os.path.join(SOURCES, area + ".fxta"), "w", encoding="utf-8") as f:
            f.write("\n\n".join(texts))


if __name__ == "__main__":
    main()
