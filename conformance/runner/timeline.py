"""Level timeline: compares what an importer shows of a trace, line by line of schema/timeline.md. Of each kind the
lines are a bag; only what `--kinds` claims of them is compared."""
import json
import re

from runner.levels import difference, json_lines, plural, same
from runner.plain import GARBAGE, Trouble, Usage, one_of, printable, shown

TRACK, WHAT = ["process", "thread"], ["category", "name"]
KEYS = {
    "slice": TRACK + ["begin", "end"] + WHAT + ["parent", "depth", "self", "args"],
    "instant": TRACK + ["time"] + WHAT + ["scope", "parent", "order"],
    "async": ["process", "id", "begin", "end"] + WHAT + ["parent", "depth", "args"],
    "async_instant": ["process", "id", "time"] + WHAT + ["parent", "order"],
    "flow": ["id", "from", "to"],
    "counter": ["process"] + WHAT + ["id", "arg", "time", "value", "order"],
    "cpu": ["cpu"] + TRACK + ["begin", "end"],
    "state": TRACK + ["state", "begin", "end"],
    "process": ["process", "name"],
    "thread": TRACK + ["name"],
    "stray": ["event", "time"],
    "span": ["begin", "end"],
    "sum": ["name", "count", "total", "p50"],
}
SUMMARIES = ("span", "sum")  # compared only where the vector has them
REFS = ("parent", "from", "to")  # numbers of other lines
CLAIMS = [part for kind, keys in KEYS.items() for part in [kind] + ["%s.%s" % (kind, key) for key in keys]]
GROUPS = {kind: [part for part in CLAIMS if part.split(".")[0] == kind] for kind in KEYS}
GROUPS["all"] = CLAIMS
KIND = re.compile(rb'"kind"\s*:\s*"([a-z_]+)"')
MOST = 1000  # lines that are compared, besides as many as are expected


def with_kinds(claims):
    """A key of a kind claims the kind."""
    return claims | {claim.split(".")[0] for claim in claims}


def kind_of(number, line):
    try:
        return one_of(line.get("kind"), tuple(KEYS), "kind")
    except (Usage, AttributeError):
        raise Trouble(GARBAGE, "line %d: no such kind: %s; there are %s" % (
            number, shown(line.get("kind")), " ".join(KEYS)))


class Lines:
    """The lines of an answer, by kind, with what they refer to in place of its number."""
    def __init__(self, lines):
        self.by_kind = {kind: [] for kind in KEYS}
        self.numbered = {}
        for number, line in enumerate(lines, 1):
            self.by_kind[kind_of(number, line)].append((number, line))
            if line.get("line") is not None and self.numbered.setdefault(str(line["line"]), line) is not line:
                raise Trouble(GARBAGE, 'line %d: another one has "line" %s' % (number, shown(line["line"])))

    def of(self, kind, keys):
        return [{key: self.value(number, line, key) for key in keys if key in line}
                for number, line in self.by_kind[kind]]

    def value(self, number, line, key):
        if key not in REFS or line[key] is None:
            return line[key]
        other = self.numbered.get(str(line[key]))
        if other is None:
            raise Trouble(GARBAGE, 'line %d: %s: there is no "line" %s' % (number, key, shown(line[key])))
        return {"name": other.get("name"), "begin": other.get("begin", other.get("time")),
                "end": other.get("end", other.get("time"))}


def level_timeline(vector, answer, options):
    wanted, got = Lines(vector["timeline"]), Lines(json_lines(answer.out))
    for kind, keys in KEYS.items():
        keys = [key for key in keys if "%s.%s" % (kind, key) in options.kinds]
        if keys and (kind not in SUMMARIES or wanted.by_kind[kind]):
            text = compare(kind, wanted.of(kind, keys), got.of(kind, keys), "order" in keys)
            if text:
                return text
    return None


def compare(kind, wanted, got, in_order):
    """The first difference, in words, or None."""
    count = "" if len(wanted) == len(got) else "expected %s, got %d; " % (plural(len(wanted), kind + " line"), len(got))
    left = dict(enumerate(got[:len(wanted) + MOST]))
    places = [match(line, left) for line in wanted]
    if None in places:
        number = places.index(None)
        line = wanted[number]
        if not left:
            return "%s%s is missing: %s" % (count, kind, shown(line))
        near = max(left.values(), key=lambda other: sum(same(line[key], other.get(key)) for key in line))
        return "%s%s %d: %s, of %s" % (count, kind, number + 1, difference(line, near), shown(line))
    if left:
        return "%s%s is too much: %s" % (count, kind, shown(next(iter(left.values()))))
    for before, after, one, other in zip(places, places[1:], wanted, wanted[1:]):
        if in_order and before > after and is_beside(one, other):
            return "%s: order: of one time, %s comes before %s" % (kind, shown(one), shown(other))
    return None


def match(line, left):
    """Takes the first of the lines that says the same. Its place, or None."""
    for place, other in left.items():
        if difference(line, other) is None or is_span(line, other):
            del left[place]
            return place
    return None


def is_span(line, other):
    """Whether an empty one is shown as 1 ns [ORD-03]."""
    return (line.keys() == {"begin", "end"} and line["begin"] == line["end"] and
            difference(dict(line, end=line["end"] + 1), other) is None)


def is_beside(one, other):
    """Whether both are of one time and track [ORD-02]."""
    return all(one.get(key) == other.get(key) for key in ("time", "process", "thread"))
