"""Compares what Perfetto makes of a trace as FXT and as the Chrome JSON of `fxt json`. Facts are
those of facts.js.

What Perfetto's two importers always treat differently is made equal here (README.md, "FXT and
JSON"). All other differences are departures, which departures.tsv lists."""
import collections
import re

COUNTER = re.compile(r"(?P<event>.*):(?P<arg>[^:]*):(?P<id>\d+)", re.DOTALL)
MADE_UP = 4000000000  # first of the process ids that `fxt json` takes for processors and providers
JSON_ONLY = ("sched", "profiler", "provider")
EXACT = 1 << 53


def counter_name(name):
    """The name that the JSON importer gives: it has no id when the id is 0, or else in hex."""
    event, arg, number = COUNTER.fullmatch(name).groups()
    return event + ("" if number == "0" else " id: 0x%x" % int(number)) + " " + arg


def value_of(kind, value):
    """An argument's value of FXT as the JSON has it."""
    if kind == "real" and (value is None or isinstance(value, str)):
        return ("string", value or "NaN")
    if kind == "pointer":
        return ("string", "0x%x" % (value % (1 << 64)))
    if kind == "int" and abs(value) > EXACT:
        return ("string", str(value % (1 << 64)))
    return (kind, float(value) if kind == "real" else value)


def json_value(kind, value):
    if kind == "string" and re.fullmatch(r"-?\d{16,20}", value) and abs(int(value)) > EXACT:
        return ("string", str(int(value) % (1 << 64)))
    return (kind, float(value) if kind == "real" else value)


def slices_of_fxt(facts):
    for s in facts["slices"]:
        args = {key: value_of(*value) for key, value in s["args"].items()
                if value not in (["string", "null"], ["string", "unknown"])}
        yield dict(s, args=sorted(args.items()))


def slices_of_json(facts, blobs):
    """`blobs` are names of arguments that the FXT importer does not know."""
    for s in facts["slices"]:
        if s["category"] in JSON_ONLY or not s["category"] and s["name"] == "log":
            continue
        args = {key[len("args."):]: json_value(*value) for key, value in s["args"].items()}
        args = {key: value for key, value in args.items() if key not in blobs}
        name = "" if s["name"] == "[No name]" else s["name"]
        yield dict(s, args=sorted(args.items()), category=s["category"] or "", name=name)


def without_place(slices):
    """Async slices and instants of a process or of all: their tracks differ."""
    return [{key: s[key] for key in ("ts", "dur", "category", "name", "args")} for s in slices]


def only(left, right):
    """What is in one and not in the other, as often."""
    return ([x for n, x in enumerate(left) if left[:n + 1].count(x) > right.count(x)],
            [x for n, x in enumerate(right) if right[:n + 1].count(x) > left.count(x)])


def slices(fxt, chrome):
    blobs = {key for s in fxt["slices"] for key, value in s["args"].items()
             if value == ["string", "unknown"]}
    left, right = only(list(slices_of_fxt(fxt)), list(slices_of_json(chrome, blobs)))
    placed = [s for s in right if s["tid"] is not None]
    left, right = only(without_place(left), without_place(s for s in right if s["tid"] is None))
    return left, right + without_place(placed)


def counters(fxt, chrome):
    return only([dict(c, name=counter_name(c["name"])) for c in fxt["counters"]],
                chrome["counters"])


def flows_of(facts):
    """The two slices of each arrow, by what identifies them in both."""
    found = facts["slices"]
    return [[(found[i]["ts"], found[i]["name"], found[i]["tid"]) for i in flow]
            for flow in facts["flows"]]


def flows(fxt, chrome):
    return only(flows_of(fxt), flows_of(chrome))


def threads_of(facts):
    """Threads without those of the scheduler, which the importers keep elsewhere."""
    for t in facts["threads"]:
        if t["pid"] and t["pid"] < MADE_UP:
            yield dict(t, process=t["process"] or "")


def threads(fxt, chrome):
    """The JSON importer has a thread of every event, the FXT importer only of slices and names."""
    left, _ = only(list(threads_of(fxt)), list(threads_of(chrome)))
    return left, []


PARTS = collections.OrderedDict(
    [("slices", slices), ("counters", counters), ("flows", flows), ("threads", threads)])


def differences(fxt, chrome):
    """{part: (only of FXT, only of JSON)}; parts that agree are left out."""
    if "error" in fxt or "error" in chrome:
        return {"error": (fxt.get("error"), chrome.get("error"))}
    found = {part: compare(fxt, chrome) for part, compare in PARTS.items()}
    return {part: sides for part, sides in found.items() if any(sides)}
