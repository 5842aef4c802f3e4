"""What the model and the commands of fxt say of a trace, in one form: bags of facts by aspect, so
that they can be compared. A fact is a tuple; what a command cannot say is not in it."""
import collections
import decimal
import fractions
import json
import os
import re
import subprocess
import sys
import types

import timeline_model

sys.path += [os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", folder)
             for folder in ("src/tools/fxt", "src/tools/fxt/html")]
import html_test

STATES = {"new": "R", "running": "Running", "suspended": "T", "blocked": "S", "dying": "Z",
          "dead": "X", "waiting": "W"}


# ---- what the model says: {aspect: bag of facts}

def chain(items, place):
    """A slice and those around it, the innermost first."""
    found = []
    while place is not None:
        item = items[place]
        found.append((item["name"], item["begin"], None if item["unfinished"] else item["end"]))
        place = item["parent"]
    return tuple(found)


def plain(timelines):
    """With texts as fxt shows them where they are not UTF-8."""
    def text(thing):
        if list(thing) != ["hex"]:
            return thing
        text = bytes.fromhex(thing["hex"]).decode("utf-8", "backslashreplace")
        return text.replace("\0", "\\x00")
    shown = json.dumps(timelines).replace("\\u0000", "\\\\x00")
    return json.loads(shown, object_hook=text)


def shown(trace, track):
    """The number of its trace and the track as tools can tell them apart."""
    if track.startswith("?:"):
        return None, track
    return trace, track[track.find("@"):] if "@" in track else track


def of_model(data, at_once=False):
    facts = collections.defaultdict(collections.Counter)
    spans = []
    traces = plain(timeline_model.timelines(data, at_once))
    for number, trace in enumerate(traces, 1):
        facts["providers"][len(trace["providers"])] += 1
        if trace["span"]:
            spans += trace["span"]
        for aspect, items in (("slices", trace["slices"]), ("asyncs", trace["asyncs"])):
            for i, item in enumerate(items):
                facts[aspect][(*shown(number, item["track"]), item["category"],
                               item["depth"], chain(items, i))] += 1
                if aspect == "slices" and not item["unfinished"]:
                    facts["self"][(*shown(number, item["track"]), item["name"], item["begin"],
                                   item["end"], item["self"])] += 1
        for aspect, items, around in (("instants", trace["instants"], trace["slices"]),
                                      ("async_instants", trace["async_instants"], trace["asyncs"])):
            for item in items:
                facts[aspect][(*shown(number, item["track"]), item["category"],
                               item["name"], item["time"], item.get("scope"),
                               chain(around, item["parent"]))] += 1
        for item in trace["flows"]:
            facts["flows"][number, str(item["id"]), chain(trace["slices"], item["from"]),
                           chain(trace["slices"], item["to"])] += 1
        for item in trace["counters"]:
            trace_number = None if item["process"] is None else number
            facts["counters"][trace_number, item["process"], item["category"], item["name"],
                              str(item["id"]), item["arg"], item["time"], str(item["value"])] += 1
        for item in trace["cpus"]:
            facts["cpus"][(*shown(number, item["thread"]), item["cpu"], item["begin"],
                           None if item["unfinished"] else item["end"])] += 1
        for item in trace["states"]:
            facts["states"][(*shown(number, item["thread"]),
                             STATES.get(item["state"], str(item["state"])), item["begin"],
                             None if item["unfinished"] else item["end"])] += 1
        for item in trace["threads"]:
            if item["name"] is not None:
                facts["names"][number, item["thread"], item["name"]] += 1
        for item in trace["processes"]:
            if item["name"] is not None:
                facts["names"][number, str(item["koid"]), item["name"]] += 1
        for item in trace["strays"]:
            facts["strays"][item["event"], item["time"], item["offset"]] += 1
        for item in trace["without_value"]:
            facts["strays"]["counter", item["time"], item["offset"]] += 1
    facts["bounds"][min(spans, default=None), max(spans, default=None)] += 1
    return facts


# ---- fxt sql

WHO = """(select utid, thread.fxt_trace as trace, case
    when thread.fxt_ref is not null then '@' || thread.fxt_ref
    else coalesce(process.fxt_koid, '?') || '/' || thread.fxt_koid end as who, thread.name, is_idle
    from thread left join process using (upid))"""
QUERIES = {
    "slice": """select slice.id, ts, dur, category, slice.name, depth, slice.parent_id,
        slice.fxt_event, fxt_scope, track.fxt_utid, track.fxt_upid, track.fxt_id, self_dur
        from slice join track on track.id = track_id left join slice_self_dur using (id)""",
    "who": "select utid, trace, who, name, is_idle from " + WHO,
    "process": "select upid, fxt_koid, name, fxt_trace from process",
    "flow": "select slice_out, slice_in, fxt_id from flow",
    "counter": """select ts, fxt_value, fxt_type, fxt_upid, fxt_category, fxt_event, fxt_id,
        fxt_arg from counter join track on track.id = track_id""",
    "sched": "select ts, dur, cpu, utid from sched_slice",
    "state": "select ts, dur, state, utid from thread_state",
    "stray": "select ts, event, fxt_offset from fxt_stray",
    "bounds": "select start_ts, end_ts from trace_bounds",
}


class Failed(Exception):
    pass


def run(fxt, command, path, *more):
    done = subprocess.run([fxt, *command, path, *more], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60)
    error = done.stderr.decode()
    if done.returncode not in (0, 1) or error.startswith("fxt: "):
        raise Failed("exit code %d: %s" % (done.returncode, error))
    return done.stdout


def known(text):
    """A text, or None for a ref that is not registered."""
    return None if re.match("<unknown #[0-9]+>$", text) else text.replace("\0", "\\x00")


def of_sql(fxt, path):
    rows = collections.defaultdict(list)
    queries = ["select '%s' as [of], * from (%s)" % item for item in QUERIES.items()]
    for line in run(fxt, ["sql", "--json", "--allow-empty"], path, *queries).decode().splitlines():
        row = {key: known(value) if isinstance(value, str) else value
               for key, value in json.loads(line).items()}
        rows[row["of"]].append(row)

    facts = collections.defaultdict(collections.Counter)
    who = {row["utid"]: row for row in rows["who"]}
    processes = {row["upid"]: row for row in rows["process"]}
    slices = {row["id"]: row for row in rows["slice"]}

    def thread(utid):
        return who[utid]["trace"], who[utid]["who"]

    def end(row):
        return None if row["dur"] == -1 else row["ts"] + row["dur"]

    def around(id):
        found = []
        while id is not None:
            row = slices[id]
            found.append((row["name"], row["ts"], end(row)))
            id = row["parent_id"]
        return tuple(found)

    def track(row):
        if row["fxt_utid"] is not None:
            return thread(row["fxt_utid"])
        process = processes.get(row["fxt_upid"], {"fxt_trace": None, "fxt_koid": "?"})
        return process["fxt_trace"], "%s:%s" % (process["fxt_koid"], row["fxt_id"])

    for row in rows["slice"]:
        trace, name = track(row)
        aspect = {"instant": "instants", "async_instant": "async_instants",
                  "async_begin": "asyncs"}.get(row["fxt_event"], "slices")
        if aspect.endswith("instants"):
            facts[aspect][trace, name, row["category"], row["name"], row["ts"], row["fxt_scope"],
                          around(row["parent_id"])] += 1
            continue
        facts[aspect][trace, name, row["category"], row["depth"], around(row["id"])] += 1
        if aspect == "slices" and row["dur"] != -1:
            facts["self"][trace, name, row["name"], row["ts"], end(row), row["self_dur"]] += 1
    for row in rows["flow"]:
        facts["flows"][track(slices[row["slice_out"]])[0], row["fxt_id"], around(row["slice_out"]),
                       around(row["slice_in"])] += 1
    for row in rows["counter"]:
        process = processes.get(row["fxt_upid"], {"fxt_trace": None, "fxt_koid": None})
        koid = process["fxt_koid"]
        facts["counters"][process["fxt_trace"], koid and int(koid), row["fxt_category"],
                          row["fxt_event"], row["fxt_id"], row["fxt_arg"], row["ts"],
                          row["fxt_value"]] += 1
    for row in rows["sched"]:
        if not who[row["utid"]]["is_idle"]:
            trace, name = thread(row["utid"])
            facts["cpus"][trace, name, row["cpu"], row["ts"], end(row)] += 1
    for row in rows["state"]:
        facts["states"][thread(row["utid"]) + (row["state"], row["ts"], end(row))] += 1
    for row in rows["who"] + rows["process"]:
        if row["name"] is not None and not row.get("who", "").startswith("@"):
            facts["names"][row.get("trace", row.get("fxt_trace")),
                           row.get("who", row.get("fxt_koid")), row["name"]] += 1
    for row in rows["stray"]:
        facts["strays"][row["event"], row["ts"], row["fxt_offset"]] += 1
    for row in rows["bounds"]:
        span = row["start_ts"], row["end_ts"]
        facts["bounds"][span if span != (0, 0) else (None, None)] += 1
    return facts


def should_sql(facts):
    """An empty span is shown as 1 ns [ORD-03]."""
    (first, last), = facts["bounds"]
    if first is not None and first == last < timeline_model.LATEST:
        facts = facts.copy()
        facts["bounds"] = collections.Counter([(first, last + 1)])
    return facts


# ---- what a command does not tell apart: {aspect of the model: the part of a fact that it has, or
# None if it has none}

def bag(facts, part):
    found = collections.Counter()
    for fact, count in facts.items():
        seen = part(*fact)
        if seen:
            found[seen] += count
    return found


def seen_by(parts):
    """What it should say, of what the model says."""
    return lambda facts: {aspect: bag(facts[aspect], part) for aspect, part in parts.items()}


def process_of(track):
    return track[:track.index(":")]


def thread_of(label):
    return label[label.find("/") + 1:]


# ---- fxt html

ASPECTS_OF_HTML = {
    "slices": lambda trace, track, category, depth, chain: (track, category, chain),
    "instants": lambda trace, track, category, name, time, scope, chain: (
        track, category, name, time),
    "asyncs": lambda trace, track, category, depth, chain: (process_of(track), category, chain),
    "async_instants": lambda trace, track, category, name, time, scope, chain: (
        process_of(track), category, name, time),
    "flows": lambda trace, id, out, into: (out, into),
    "counters": lambda trace, process, category, name, id, arg, time, value: (
        process, category, name, id, arg, time, str(float(value))),
    "cpus": lambda trace, track, cpu, begin, end: (thread_of(track), cpu, begin, end),
}


FLOW_STEP = 9


def of_html(fxt, path):
    page = html_test.Page(run(fxt, ["html", "--allow-empty"], path))
    head, names = page.head, page.head["names"]
    first = int(head["first"])
    unfinished = set(page.unfinished)
    facts = collections.defaultdict(collections.Counter)

    def koid(label):
        last = label.split(" ")[-1]
        return "@" + last if label.startswith("thread ref ") else last

    def process(number):
        return koid(names[head["processes"][number]]) if number else "?"

    def span(i):
        begin = first + page.time[i]
        return begin, None if i in unfinished else begin + page.duration[i]

    def chain(i):
        found = []
        while i >= 0:
            found.append((known(page.name[i]), *span(i)))
            i = page.parent[i] - 1
        return tuple(found)

    slices = instants = 0
    for kind, number, name, count, *rows in head["tracks"]:
        aspect = ["slices", "asyncs", "cpus"][kind]
        track = number if kind == html_test.CPU else process(number)
        if kind == html_test.THREAD:
            track = koid(name) if koid(name).startswith("@") else "%s/%s" % (track, koid(name))
        for i in range(slices, slices + sum(rows)):
            if kind == html_test.CPU:
                facts[aspect][(koid(page.name[i]), track, *span(i))] += 1
            else:
                facts[aspect][track, known(page.category[i]), chain(i)] += 1
        slices += sum(rows)
        for time, name, category, _ in page.instants[instants:instants + count]:
            if kind != html_test.CPU and category != "log":
                facts[["instants", "async_instants"][kind]][
                    track, known(category), known(name), first + time] += 1
        instants += count
    sample = 0
    for number, name, arg, id, count, category in head["counters"]:
        for i in range(sample, sample + count):
            facts["counters"][
                int(process(number)) if number else None, known(names[category]),
                known(names[name]), str(int(id, 16)), known(names[arg]),
                first + page.sample_times[i], str(page.samples[i])] += 1
        sample += count
    before = 0
    for _, slice, kind, begins in page.flows:
        before = 0 if begins else before
        if slice and before:
            facts["flows"][chain(before - 1), chain(slice - 1)] += 1
        if slice or kind != FLOW_STEP:
            before = slice
    return facts


# ---- fxt report

FEW = 16    # durations, of which percentiles are exact
TOP = 1000  # rows of a table


def should_report(facts):
    """Of finished slices, by name."""
    found = collections.defaultdict(collections.Counter)
    rows = collections.defaultdict(list)
    unfinished = collections.Counter()
    for aspect in ("slices", "asyncs"):
        for (_, _, _, _, chain), count in facts[aspect].items():
            (name, begin, end), *around = chain
            if end is None:
                unfinished[aspect] += count
                continue
            outermost = all(other != name or end is None for other, _, end in around)
            rows[name, aspect == "asyncs"] += [(end - begin, outermost)] * count
    own = collections.Counter()
    for (_, _, name, _, _, time), count in facts["self"].items():
        own[name] += time * count
    for (name, is_async), lengths in rows.items():
        times = [length for length, _ in lengths]
        total = sum(length for length, outermost in lengths if outermost)
        found["count"][name, is_async, len(times), min(times), max(times)] += 1
        found["total"][name, is_async, total] += 1
        if not is_async:
            found["self"][name, own[name]] += 1
        if len(times) <= FEW:
            p50 = timeline_model.percentile(times, 50)
            found["p50"][name, is_async, int(p50 + fractions.Fraction(1, 2))] += 1
    strays = collections.Counter()
    for (event, _, _), count in facts["strays"].items():
        strays[event] += count
    found["unmatched"][unfinished["slices"], strays["duration_end"], unfinished["asyncs"],
                       strays["async_end"]] += 1
    (first, last), = facts["bounds"]
    found["bounds"][first or 0, last or 0] += 1
    counters = collections.defaultdict(list)
    for fact, count in facts["counters"].items():
        trace, process, category, name, id, arg, _, value = fact
        counters[trace, process, name, category, int(id), arg] += [float(value)] * count
    for (_, _, *key), values in counters.items():
        if not any(value != value for value in values):
            found["counters"][(*key, len(values), min(values), max(values))] += 1
    if len(counters) > TOP:
        found["counters"] = None
    return found


def of_report(fxt, path):
    report = json.loads(run(fxt, ["report", "--json", "--allow-empty", "--top=%d" % TOP], path))
    facts = collections.defaultdict(collections.Counter)
    for row in report["durations"]:
        key = known(row["name"]), row["async"]
        facts["count"][(*key, row["count"], row["min_ns"], row["max_ns"])] += 1
        facts["total"][(*key, row["total_ns"])] += 1
        if not row["async"]:
            facts["self"][key[0], row["self_ns"]] += 1
        if row["count"] <= FEW:
            facts["p50"][(*key, int(row["p50_ns"]))] += 1
    unmatched = report["unmatched"]
    facts["unmatched"][unmatched["duration_begins"], unmatched["duration_ends"],
                       unmatched["async_begins"], unmatched["async_ends"]] += 1
    facts["bounds"][report["start_ns"], report["start_ns"] + report["span_ns"]] += 1
    for row in report["counters"]:
        if row["min"] not in (None, "NaN"):
            facts["counters"][known(row["name"]), known(row["category"]), row["id"],
                              known(row["argument"]), row["count"], float(row["min"]),
                              float(row["max"])] += 1
    return facts


# ---- fxt json, which does not say what is inside of what, nor what is of which provider. It writes
# some of what is at one time some ns later, so that viewers keep the order: times are in us here.

def coarse(time):
    return None if time is None else time // 1000


def coarse_slice(chain):
    name, begin, end = chain[0]
    return name, coarse(begin), coarse(end)


ASPECTS_OF_JSON = {
    "slices": lambda trace, track, category, depth, chain: (
        track, category, coarse_slice(chain)),
    "asyncs": lambda trace, track, category, depth, chain: (
        None if track.startswith("?") else (track, category, coarse_slice(chain))),
    "instants": lambda trace, track, category, name, time, scope, chain: (
        track, category, name, coarse(time), scope),
    "async_instants": lambda trace, track, category, name, time, scope, chain: (
        track, category, name, coarse(time)),
    "counters": lambda trace, process, category, name, id, arg, time, value: (
        None if value == "NaN"
        else (process, category, name, id, arg, coarse(time), str(float(value)))),
    "cpus": lambda trace, track, cpu, begin, end: (thread_of(track), cpu, coarse(begin)),
}


def as_utf8(fact):
    if isinstance(fact, tuple):
        return tuple(map(as_utf8, fact))
    return re.sub(r"\\x[89a-f][0-9a-f]", "\ufffd", fact) if isinstance(fact, str) else fact


def should_json(facts):
    """Slices of two providers or traces cannot be read back: begins and ends would mix."""
    said = {aspect: bag(found, lambda *fact: as_utf8(fact))
            for aspect, found in seen_by(ASPECTS_OF_JSON)(facts).items()}
    if sum(facts["providers"].values()) > 1 or max(facts["providers"], default=0) > 1:
        said.update(slices=None, asyncs=None)
    return said


def of_json(fxt, path):
    text = run(fxt, ["json", "--allow-empty"], path)
    document = json.loads(text, parse_float=decimal.Decimal)
    base = int(document["otherData"].get("base_ns", 0))
    facts = collections.defaultdict(collections.Counter)
    pairs = collections.defaultdict(list)
    named = {(event["pid"], event["tid"]): re.match("CPU ([0-9]+)", event["args"]["name"])
             for event in document["traceEvents"] if event.get("name") == "thread_name"
             and event["pid"] == 4000000000}
    cpus = {track: int(match[1]) for track, match in named.items() if match}
    for number, event in enumerate(document["traceEvents"]):
        category, name = known(event.get("cat", "")), known(event.get("name", ""))
        if event["ph"] == "M" or (name == "log" and category == ""):
            continue
        time = base + int(event["ts"] * 1000)
        ref = event.get("thread_ref")
        pid = "?" if ref else event["pid"]
        track = "@%d" % ref if ref else "%s/%s" % (event["pid"], event["tid"])
        type = {"B": "begin", "E": "end", "b": "begin", "e": "end"}.get(event["ph"])
        if type:
            key = track
            if event["ph"] in "be":
                id = event["id2"]["local"] if "id2" in event else event["id"]
                key = "%s:%d" % (pid, int(id, 16))
            if key.startswith("?"):
                continue  # matched with nothing [ASY-01]
            pairs[key].append(types.SimpleNamespace(type=type, time=time, place=(time, number),
                                                    values=event))
        elif event["ph"] == "X" and (event["pid"], event["tid"]) in cpus:
            args = event["args"]
            who = args["thread"] if "thread" in args else "@%s" % args["thread_ref"]
            facts["cpus"][str(who), cpus[event["pid"], event["tid"]], coarse(time)] += 1
        elif event["ph"] == "X":
            facts["slices"][track, category, coarse_slice([
                (name, time, time + int(event["dur"] * 1000))])] += 1
        elif event["ph"] in "iI":
            scope = {"t": "thread", "p": "process", "g": "global"}[event["s"]]
            if (event["pid"], event["tid"]) not in cpus:
                facts["instants"][track, category, name, coarse(time), scope] += 1
        elif event["ph"] == "n":
            id = event["id2"]["local"] if "id2" in event else event["id"]
            facts["async_instants"]["%s:%d" % (pid, int(id, 16)), category, name,
                                    coarse(time)] += 1
        elif event["ph"] == "C":
            for arg, value in event["args"].items():
                number = value in ("Infinity", "-Infinity") or not isinstance(value, str)
                if number and value is not None:
                    facts["counters"][
                        None if ref else int(event["pid"]), category, name,
                        str(int(event.get("id", "0"), 16)), known(arg.split("#")[0]), coarse(time),
                        str(float(value))] += 1
    for key, events in pairs.items():
        if ":" in key:
            events.sort(key=lambda event: event.place)
        slices, _ = timeline_model.match(events, "begin", "end")
        for slice in slices:
            end = None if slice.kind == "unfinished" else slice.end
            event = slice.first.values
            facts["asyncs" if ":" in key else "slices"][
                key, known(event.get("cat", "")),
                coarse_slice([(known(event.get("name", "")), slice.begin, end)])] += 1
    return facts


# Command: its reader, the model's facts as it should say them, its aspects.
AT_ONCE = {"report"}  # ASY-02: these have bounded memory
TOOLS = {
    "sql": (of_sql, should_sql, [
        "slices", "self", "instants", "asyncs", "async_instants", "flows", "counters", "cpus",
        "states", "names", "strays", "bounds"]),
    "html": (of_html, seen_by(ASPECTS_OF_HTML), list(ASPECTS_OF_HTML)),
    "report": (of_report, should_report, [
        "count", "total", "self", "p50", "unmatched", "bounds", "counters"]),
    "json": (of_json, should_json, list(ASPECTS_OF_JSON)),
}
