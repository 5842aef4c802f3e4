#!/usr/bin/env python3
"""A second opinion on what a trace means: the rules of spec/meaning.md, written from that text
alone. It keeps everything in memory.

  timelines(data)       for each trace of the file what it has, a list a kind; `parent`, `from` and `to`
                        are places in the lists of slices and asyncs
  lines(data)           the same as the objects of schema/timeline.md, of all traces
  total(slices, name)   SUM-01 and SUM-02
  percentile(values, p)

usage: timeline_model.py FILE.fxt    prints the lines
"""
import collections
import fractions
import json
import math
import sys

import model

LATEST = (1 << 63) - 1  # ns, ORD-01
IDLE_WEIGHT = -(1 << 31)

# Events that are taken together.
GROUPS = {
    "duration_begin": "duration", "duration_end": "duration",
    "async_begin": "async", "async_end": "async",
    "flow_begin": "flow", "flow_step": "flow", "flow_end": "flow",
    "legacy_switch": "scheduling", "context_switch": "scheduling", "thread_wakeup": "scheduling",
}


class Event:
    """A timed record, its refs resolved. Its place is its time and its number [ORD-02]."""
    def __init__(self, number, time, record, type, thread, tables):
        self.place = self.open = self.close = time, number
        self.time = time
        self.number = number
        self.offset = record.offset
        self.type = type
        self.thread = thread
        self.provider = tables.current
        self.values = dict(record.values)
        for key, value in record.values.items():
            if isinstance(value, model.String):
                self.values[key] = model.event_text(value, tables)
        self.args = [(model.event_text(arg.name, tables), model.ARGS[arg.type],
                      model.event_arg(arg, tables))
                     for arg in record.args if arg.type < len(model.ARGS)]


class Thread:
    """WHO-01. Without a koid it is a ref that is not registered [WHO-04]."""
    def __init__(self, process, koid, label):
        self.process = process
        self.koid = koid
        self.label = label
        self.name = None


class Slice:
    """It begins at the place `open` and ends at the place `close` [SLC-06]."""
    parent = None
    depth = 0

    def __init__(self, first, last, kind):
        self.first = first
        self.last = last
        self.kind = kind  # complete, pair or unfinished
        self.begin = first.time
        self.open = self.close = first.place
        if kind == "complete":
            self.close = first.end, first.number
        elif kind == "pair":
            self.close = last.place
        else:
            self.close = math.inf, 0  # until nest
        self.end = self.close[0]


# ---- SLC-02

def match(events, begin, end):
    """Begins and ends in the order of their records: slices, and the ends that find no begin."""
    slices, strays, open, late = [], [], [], []

    def take(event):
        if event.type == begin:
            open.append(event)
        elif open:
            slices.append(Slice(open.pop(), event, "pair"))
        else:
            strays.append(event)

    latest = 0
    for event in events:
        if event.time < latest:
            late.append(event)
        else:
            take(event)
            latest = event.time
    rest = sorted(open + late + strays, key=lambda event: event.place)
    open, strays = [], []
    for event in rest:
        take(event)
    slices += [Slice(event, None, "unfinished") for event in open]
    return slices, strays


# ---- SLC-05, SLC-06, SLC-07, INS-01, FLW-02

def place(slices):
    """Where complete durations that are not empty begin: behind the last begin of their time whose
    slice ends later; of several, the one that ends later begins first."""
    begun = collections.defaultdict(list)
    for slice in slices:
        begun[slice.begin].append(slice)
    for together in begun.values():
        behind = -1
        for slice in sorted(together, key=lambda slice: slice.close, reverse=True):
            if slice.kind != "complete":
                behind = max(behind, slice.first.number)
            elif slice.end > slice.begin:
                slice.open = slice.begin, behind, [-key for key in slice.close]


def nest(slices, points, last):
    """Gives each slice of a track its parent, and each instant and flow event its slice."""
    place(slices)
    stack = []  # the innermost last; none ends after one in front of it
    for item in sorted(slices + points, key=lambda item: item.open):
        # What ends before a slice does holds nothing of what comes that the slice does not.
        # Something without length is inside by its places, a slice by its time.
        ends = item.close
        if isinstance(item, Slice) and item.kind == "unfinished":
            ends = item.open
        elif isinstance(item, Slice) and item.end > item.begin:
            ends = item.end,
        while stack and stack[-1].close < ends:
            stack.pop()
        item.parent = stack[-1] if stack else None
        if not isinstance(item, Slice):
            continue
        item.depth = item.parent.depth + 1 if item.parent else 0
        if item.kind == "unfinished":
            item.close = item.parent.close if item.parent else (last, math.inf)
            item.end = item.close[0]
        stack.append(item)


def self_times(slices):
    """SLC-09, of slices in the order of their begins."""
    covered = collections.Counter()
    until = {}
    for slice in slices:
        parent = slice.parent
        if parent:
            begin = max(slice.begin, until.get(parent, 0))
            covered[parent] += max(0, slice.end - begin)
            until[parent] = max(slice.end, until.get(parent, 0))
    return {slice: slice.end - slice.begin - covered[slice] for slice in slices}


# ---- a trace

class Trace:
    def __init__(self, at_once=False):
        self.at_once = at_once  # ASY-02: as a program of bounded memory matches operations
        self.tables = model.Tables()
        self.number = 0
        self.span = None
        self.threads = {}    # (process, koid), or (None, provider, ref): Thread
        self.processes = {}  # koid: name
        self.names = {}      # (process or None, koid of a thread): name
        self.events = collections.defaultdict(list)  # group: events

    def thread(self, ref):
        koids = self.tables.thread(ref)
        if koids is None:
            key = None, self.tables.current, ref.ref
            return self.threads.setdefault(key, Thread(None, None, "%d@%d" % key[1:]))
        self.processes.setdefault(koids[0], None)
        return self.threads.setdefault(koids, Thread(*koids, "%d/%d" % koids))

    def nanoseconds(self, ticks):
        return min(LATEST, model.nanoseconds(ticks, self.tables))

    def record(self, record):
        v = record.values
        self.tables.apply(record)
        self.number += 1
        if record.kind == "kernel_object":
            self.kernel_object(record)
        if "timestamp" not in v:
            return
        type = record.kind
        if type == "event":
            if v["event_type"] >= len(model.EVENTS):
                return  # what its time means is not known
            type = model.EVENTS[v["event_type"]]
        thread = self.thread(v["thread"]) if "thread" in v else None
        event = Event(self.number, self.nanoseconds(v["timestamp"]), record, type, thread,
                      self.tables)
        times = [event.time]
        if "end" in v:
            event.end = self.nanoseconds(v["end"])
            times.append(max(event.end, event.time))  # ORD-03
        times += self.span or []
        self.span = [min(times), max(times)]
        if type in ("legacy_switch", "context_switch"):
            for side in ("outgoing", "incoming"):
                event.values[side] = v[side + "_thread"]
                if type == "legacy_switch":
                    event.values[side] = self.thread(v[side + "_thread"])
        self.events[GROUPS.get(type, type)].append(event)

    def kernel_object(self, record):
        v = record.values
        name = model.event_text(v["name"], self.tables)
        if v["object_type"] == 1:
            self.processes[v["koid"]] = name
        elif v["object_type"] == 2:
            process = None
            for arg in record.args:
                if self.tables.string(arg.name) == b"process" and model.ARGS[arg.type] == "koid":
                    process = arg.value
                    self.thread(model.Thread(0, process, v["koid"]))
            self.names[process, v["koid"]] = name

    def timeline(self):
        self.last = self.span[1] if self.span else 0
        strays = [event for event in self.events["duration_complete"] if event.end < event.time]
        flows = sorted(self.events["flow"], key=lambda event: event.place)
        slices = self.durations(flows, strays)
        asyncs = self.operations(strays)
        places = {slice: i for i, slice in enumerate(slices)}
        cpus, states = self.scheduling()
        self.name_threads()
        counters, without = self.counters()
        own = self_times(slices)
        return {
            "span": self.span,
            "providers": sorted({event.provider for events in self.events.values()
                                 for event in events}),
            "processes": [{"koid": koid, "name": self.processes[koid]}
                          for koid in sorted(self.processes)],
            "threads": [{"thread": thread.label, "name": thread.name}
                        for thread in self.threads.values()],
            "slices": [dict(self.show(slice, slice.first.thread.label, places),
                            self=None if slice.kind == "unfinished" else own[slice])
                       for slice in slices],
            "instants": [self.instant(event, event.thread.label, places)
                         for event in self.in_order("instant")],
            "asyncs": [self.show(slice, self.key(slice.first), asyncs) for slice in asyncs],
            "async_instants": [self.instant(event, self.key(event), asyncs)
                               for event in self.in_order("async_instant")],
            "flows": [{"id": id, "from": places[a], "to": places[b]}
                      for id, a, b in arrows(flows)],
            "counters": counters,
            "without_value": without,
            "cpus": cpus,
            "states": states,
            "strays": [{"event": event.type, "offset": event.offset, "time": event.time}
                       for event in sorted(strays, key=lambda event: event.place)],
        }

    def in_order(self, group):
        return sorted(self.events[group], key=lambda event: event.place)

    def durations(self, flows, strays):
        """SLC-01. All providers' slices of a thread are a track."""
        groups = collections.defaultdict(list)
        for event in self.events["duration"]:
            groups[event.provider, event.thread].append(event)
        tracks = {thread: ([], []) for thread in self.threads.values()}
        for (_, thread), events in groups.items():
            slices, ends = match(events, "duration_begin", "duration_end")
            tracks[thread][0].extend(slices)
            strays += ends
        for event in self.events["duration_complete"]:
            if event.end >= event.time:
                tracks[event.thread][0].append(Slice(event, None, "complete"))
        for event in self.events["instant"] + flows:
            tracks[event.thread][1].append(event)
        for slices, points in tracks.values():
            nest(slices, points, self.last)
        return sorted((slice for slices, _ in tracks.values() for slice in slices),
                      key=lambda slice: slice.first.place)

    @staticmethod
    def key(event):
        """ASY-01."""
        process = event.thread.process
        return "%s:%d" % ("?" if process is None else process, event.values["id"])

    def operations(self, strays):
        """{slice: its place in the order of the begins}."""
        groups = collections.defaultdict(lambda: ([], []))
        for event in self.events["async"] + self.events["async_instant"]:
            groups[self.key(event)][event.type == "async_instant"].append(event)
        found = []
        for key, (events, instants) in groups.items():
            if key.startswith("?"):
                slices = [Slice(event, None, "unfinished") for event in events
                          if event.type == "async_begin"]
                ends = [event for event in events if event.type == "async_end"]
            else:
                if not self.at_once:
                    events.sort(key=lambda event: event.place)
                slices, ends = match(events, "async_begin", "async_end")
            strays += ends
            nest(slices, instants, self.last)
            found += slices
        found.sort(key=lambda slice: slice.first.place)
        return {slice: i for i, slice in enumerate(found)}

    def show(self, slice, track, places):
        begin = slice.first
        args = begin.args + (slice.last.args if slice.last else [])
        return {
            "track": track, "begin": slice.begin, "end": slice.end,
            "unfinished": slice.kind == "unfinished", "category": begin.values["category"],
            "name": begin.values["name"], "args": [[name, value] for name, _, value in args],
            "parent": places.get(slice.parent), "depth": slice.depth,
        }

    def instant(self, event, track, places):
        out = {"track": track, "time": event.time, "category": event.values["category"],
               "name": event.values["name"], "parent": places.get(event.parent)}
        if event.type == "instant":
            out["scope"] = model.SCOPES[event.values["scope"] if event.values["scope"] in (1, 2)
                                        else 0]
        return out

    def counters(self):
        values, without = [], []
        for event in self.in_order("counter"):
            v = event.values
            numbers = [(name, int(value) if type == "bool" else value)
                       for name, type, value in event.args
                       if type in ("int32", "uint32", "int64", "uint64", "double", "bool")]
            values += [{"process": event.thread.process, "category": v["category"],
                        "name": v["name"], "id": v["id"], "arg": name, "time": event.time,
                        "value": value} for name, value in numbers]
            if not numbers:
                without.append({"name": v["name"], "time": event.time, "offset": event.offset})
        return values, without

    # ---- section 8

    def named(self, koid):
        """WHO-03."""
        for thread in self.threads.values():
            if thread.koid == koid:
                return thread
        label = "?/%d" % koid
        return self.threads.setdefault((None, None, koid), Thread(None, koid, label))

    def scheduled(self, event, side, thread):
        """The thread, or None if it is idle [CPU-02]."""
        priority = event.values.get(side + "_priority")
        if isinstance(thread, Thread):
            if thread.koid == 0 or (thread.process == 0 and priority == 0):
                return None
            return thread if thread.koid is None else self.named(thread.koid)
        weights = [value for name, _, value in event.args if name == side + "_weight"]
        return None if thread == 0 or IDLE_WEIGHT in weights else self.named(thread)

    def scheduling(self):
        """The spans of CPUs, and the states of threads."""
        cpus, states = [], []
        running = {}  # provider, CPU: thread
        where = {}    # thread: (provider, CPU) where it runs
        span = {}     # thread: the last of its spans
        state = {}    # thread: the last of its states

        def finish(item, event):
            if item and item["unfinished"]:
                item["end"], item["unfinished"] = event.time, False

        def begin(thread, event, **more):
            return dict(thread=thread.label, begin=event.time, end=self.last, unfinished=True,
                        **more)

        def set_state(thread, event, name, cpu=None):
            finish(state.get(thread), event)
            state[thread] = begin(thread, event, state=name, cpu=cpu)
            states.append(state[thread])

        def stop(thread, event):
            if thread in where:
                finish(span[thread], event)
                finish(state[thread], event)
                running.pop(where.pop(thread))

        for event in self.in_order("scheduling"):
            v = event.values
            if event.type == "thread_wakeup":
                woken = self.scheduled(event, "waking", v["waking_thread"])
                if woken and woken not in where:
                    set_state(woken, event, "waiting")
                continue
            cpu = event.provider, v["cpu"]
            outgoing = self.scheduled(event, "outgoing", v["outgoing"])
            if outgoing:
                stop(outgoing, event)
                set_state(outgoing, event, model.json_named(model.STATES, v["outgoing_state"]))
            if cpu in running:
                stop(running[cpu], event)
            incoming = self.scheduled(event, "incoming", v["incoming"])
            if incoming:
                stop(incoming, event)
                running[cpu], where[incoming] = incoming, cpu
                set_state(incoming, event, "running", v["cpu"])
                span[incoming] = begin(incoming, event, provider=cpu[0], cpu=cpu[1])
                cpus.append(span[incoming])
        return cpus, states

    def name_threads(self):
        for process, koid in self.names:
            if process is None:
                self.named(koid)
        for thread in self.threads.values():
            for key in ((thread.process, thread.koid), (None, thread.koid)):
                if thread.koid is not None and key in self.names:
                    thread.name = self.names[key]
                    break


def arrows(flows):
    """FLW-01, FLW-03: the id and both slices of each arrow. `flows` are in order."""
    chains = {}  # id: the slice that the next arrow leaves
    for event in flows:
        id = event.values["id"]
        before = None if event.type == "flow_begin" else chains.pop(id, None)
        if before and event.parent:
            yield id, before, event.parent
        if event.type == "flow_end":
            chains.pop(id, None)
        elif event.parent or event.type == "flow_begin":
            chains[id] = event.parent
        elif before:
            chains[id] = before


# ---- section 9

def total(slices, name):
    """Of slices of a timeline."""
    def outermost(slice):
        while slice["parent"] is not None:
            slice = slices[slice["parent"]]
            if slice["name"] == name and not slice["unfinished"]:
                return False
        return True

    return sum(slice["end"] - slice["begin"] for slice in slices
               if slice["name"] == name and not slice["unfinished"] and outermost(slice))


def percentile(values, p):
    values = sorted(values)
    place = fractions.Fraction((len(values) - 1) * p, 100)
    below = int(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (values[above] - values[below]) * (place - below)


def timelines(data, at_once=False):
    traces = [Trace(at_once)]
    for record in model.read(data):
        if isinstance(record, tuple) or record.malformed:
            continue
        if record.kind == "magic" and record.offset > 0:
            traces.append(Trace(at_once))
        traces[-1].record(record)
    return [trace.timeline() for trace in traces]


# ---- the lines of schema/timeline.md

def who(track):
    """The koids of a thread; none if its ref is not registered."""
    process, slash, thread = track.partition("/")
    return {"process": int(process) if slash and process != "?" else None,
            "thread": int(thread) if slash else None}


def operation(track):
    process, _, id = track.partition(":")
    return {"process": None if process == "?" else int(process), "id": int(id)}


def object_of(args):
    """Pairs of name and value: of two of one name the last, as in events.md."""
    names = ((bytes.fromhex(name["hex"]).decode("utf-8", "replace") if isinstance(name, dict) else name, value)
             for name, value in args)
    return {name: value for name, value in names if name is not None}


def end_of(item):
    return None if item["unfinished"] else item["end"]


def lines(data):
    found, first, spans = [], 1, []
    everything = timelines(data)
    for trace in everything:
        found += lines_of(trace, first)
        first += len(trace["slices"]) + len(trace["asyncs"])
        spans += trace["span"] or []
    found += sums(everything)
    return found + ([{"kind": "span", "begin": min(spans), "end": max(spans)}] if spans else [])


def lines_of(trace, first):
    """Of one trace; the ids of its slices and async operations are counted from `first`."""
    ids = {"slices": first, "asyncs": first + len(trace["slices"])}

    def refer(item, key, of):
        return None if item[key] is None else ids[of] + item[key]

    for kind, of, track in (("slice", "slices", who), ("async", "asyncs", operation)):
        for i, item in enumerate(trace[of]):
            own = {"self": item["self"]} if kind == "slice" else {}
            yield {"kind": kind, "line": ids[of] + i, **track(item["track"]), "begin": item["begin"],
                   "end": end_of(item), "category": item["category"], "name": item["name"],
                   "parent": refer(item, "parent", of), "depth": item["depth"], **own,
                   "args": object_of(item["args"])}
    for kind, of, around, track in (("instant", "instants", "slices", who),
                                    ("async_instant", "async_instants", "asyncs", operation)):
        for item in trace[of]:
            scope = {"scope": item["scope"]} if kind == "instant" else {}
            yield {"kind": kind, **track(item["track"]), "time": item["time"], **scope,
                   "category": item["category"], "name": item["name"], "parent": refer(item, "parent", around)}
    for item in trace["flows"]:
        yield {"kind": "flow", "id": item["id"], "from": refer(item, "from", "slices"),
               "to": refer(item, "to", "slices")}
    for item in trace["counters"]:
        yield {"kind": "counter", **item}
    for item in trace["cpus"]:
        yield {"kind": "cpu", "cpu": item["cpu"], **who(item["thread"]), "begin": item["begin"],
               "end": end_of(item)}
    for item in trace["states"]:
        yield {"kind": "state", **who(item["thread"]), "state": item["state"], "begin": item["begin"],
               "end": end_of(item)}
    for item in trace["processes"]:
        if item["name"] is not None:
            yield {"kind": "process", "process": item["koid"], "name": item["name"]}
    for item in trace["threads"]:
        if item["name"] is not None:
            yield {"kind": "thread", **who(item["thread"]), "name": item["name"]}
    for item in trace["strays"]:
        yield {"kind": "stray", "event": item["event"], "time": item["time"]}
    for item in trace["without_value"]:
        yield {"kind": "stray", "event": "counter", "time": item["time"]}


def sums(everything):
    """Of the finished slices of the file, by name [SUM-03]."""
    times, totals = collections.defaultdict(list), collections.Counter()
    for trace in everything:
        for item in trace["slices"]:
            if not item["unfinished"]:
                times[json.dumps(item["name"])].append(item["end"] - item["begin"])
        for name in {json.dumps(item["name"]) for item in trace["slices"]}:
            totals[name] += total(trace["slices"], json.loads(name))
    for name, lengths in times.items():
        p50 = percentile(lengths, 50)
        yield {"kind": "sum", "name": json.loads(name), "count": len(lengths), "total": totals[name],
               "p50": int(p50) if p50 == int(p50) else p50}


def main():
    with open(sys.argv[1], "rb") as f:
        sys.stdout.buffer.write(model.json_lines(lines(f.read())))


if __name__ == "__main__":
    main()
