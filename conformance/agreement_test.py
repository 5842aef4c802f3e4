#!/usr/bin/env python3
"""What fxt shows of a trace is what spec/meaning.md says: each fact is compared with that of
timeline_model.py. Of the first trace that differs, the test prints as few lines as still do.

usage: agreement_test.py FXT [SEEDS] [TRACE]...

  SEEDS    the vectors, the traces of the original engine, and so many generated ones
  TRACE    .fxt, or .fxta, of which the lines are made fewer
"""
import os
import sys
import tempfile

import assemble
import timeline_facts
import timeline_model
import timeline_traces
import timeline_vectors
import vectors

# (tool, aspect) that does not hold yet. Delete a line to switch the comparison on.
PENDING = set()

# ---- comparing

MANY = 2000


def data_of(trace):
    return trace if isinstance(trace, bytes) else assemble.assemble("\n".join(trace).encode())


class Comparison:
    def __init__(self, fxt, folder):
        self.fxt = fxt
        self.path = os.path.join(folder, "trace.fxt")

    def compare(self, trace, tools=tuple(timeline_facts.TOOLS)):
        """{(tool, aspect): text} of what differs."""
        data = data_of(trace)
        wanted = timeline_facts.of_model(data)
        with open(self.path, "wb") as f:
            f.write(data)
        (first, last), = wanted["bounds"]
        differs = {}
        for tool in tools:
            if tool == "html" and last is not None and last - first >= 1 << 53:
                continue  # more than a page can draw
            read, should, aspects = timeline_facts.TOOLS[tool]
            try:
                came = read(self.fxt, self.path)
            except timeline_facts.Failed as error:
                differs[tool, "runs"] = str(error)
                continue
            at_once = tool in timeline_facts.AT_ONCE
            said = should(timeline_facts.of_model(data, True) if at_once else wanted)
            for aspect in aspects:
                if said[aspect] is not None and came[aspect] != said[aspect]:
                    wide = last == timeline_model.LATEST
                    differs[tool, "wide times" if wide else aspect] = "".join(
                        ["  came   %s\n" % (item,) for item in came[aspect] - said[aspect]]
                        + ["  wanted %s\n" % (item,) for item in said[aspect] - came[aspect]])
        return differs

    def shrink(self, lines, key):
        """As few lines as possible that differ so."""
        at = len(lines)
        while at > 1:  # the magic number stays
            at -= 1
            fewer = lines[:at] + lines[at + 1:]
            if key in self.compare(fewer, key[:1]):
                lines = fewer
        return lines

    def show(self, trace, key):
        if not isinstance(trace, bytes):
            trace = self.shrink(trace, key)
            print("\n".join(trace))
        lines = self.compare(trace, key[:1])[key].splitlines()
        print("\n".join(lines[:20]) + ("\n  ...\n" if len(lines) > 20 else "\n"))


def read_trace(path):
    with open(path, "rb") as f:
        data = f.read()
    return data if path.endswith(".fxt") else data.decode().splitlines()


# These are in no timeline, but the page and the JSON show them as instants.
OTHERS = {"log", "module", "mmap", "backtrace", "large_blob"}
ORIGINAL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "original")
AREAS = ("event", "scheduling", "kernel_object", "trace")


def all_traces(fxt, seeds):
    """{name: lines of the assembler language}."""
    traces = {vector["id"]: vector["source"] for vector in vectors.load()
              if vector["grade"] == "valid" and not OTHERS & set(vector["kinds"])
              and (seeds >= MANY or vector["id"].startswith(AREAS))}
    for name in os.listdir(ORIGINAL):
        if name.endswith((".fxt", ".fxt.gz")):
            dump = timeline_facts.run(fxt, ["dump", "--asm"], os.path.join(ORIGINAL, name))
            traces[name] = [line for line in dump.decode().splitlines()
                            if line.split(" ")[0] not in OTHERS]
    traces.update((vector.id, vector.lines) for vector in timeline_vectors.load())
    traces.update(("seed %d" % seed, timeline_traces.trace(seed)) for seed in range(seeds))
    return traces


def main():
    fxt, *paths = sys.argv[1:]
    seeds = int(paths.pop(0)) if paths[0].isdigit() else 0
    traces = all_traces(fxt, seeds) if seeds else {}
    traces.update((path, read_trace(path)) for path in paths)
    seen = {}
    with tempfile.TemporaryDirectory() as folder:
        comparison = Comparison(fxt, folder)
        for name, trace in traces.items():
            for key in comparison.compare(trace):
                seen.setdefault(key, []).append(name)
        unexpected = sorted(set(seen) - PENDING)
        for key in unexpected:
            name = min(seen[key], key=lambda name: len(traces[name]))
            print("%s, %s: %d of %d traces, as %s:" % (*key, len(seen[key]), len(traces), name))
            comparison.show(traces[name], key)
    # Some differ seldom.
    holds = sorted(PENDING - set(seen)) if seeds >= MANY else []
    for key in holds:
        print("%s, %s: agrees; take it out of PENDING" % key)
    return 1 if unexpected or holds else 0


if __name__ == "__main__":
    sys.exit(main())
