"""What the corpus says of a program that speaks the pipe transport: which vectors it fails. Strict in
form, as the program under test is our own; conformance/run is for those of others.

usage: judge.py COMMAND...      runs all levels: COMMAND LEVEL --pipe
"""
import collections
import glob
import json
import os
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = 60
HARMLESS = ("suspicious", "definition")


def load(suite=os.path.dirname(HERE)):
    """The vectors of traces."""
    sys.path.insert(0, suite)
    from runner import corpus
    folder, vectors = corpus.of_suite(suite), []
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        with open(path, encoding="utf-8") as f:
            vectors += [vector for vector in json.load(f) if "events" in vector]
    return vectors


def ask(command, inputs):
    """[(exit code, output)] for each input as long as there are answers: fewer when it crashes, none
    when it hangs."""
    data = b"".join(struct.pack("<I", len(one)) + one for one in inputs)
    try:
        out = subprocess.run(command + ["--pipe"], input=data, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, timeout=SECONDS, check=False).stdout
    except subprocess.TimeoutExpired:
        return []
    answers, at = [], 0
    while len(out) - at >= 8:
        code, size = struct.unpack_from("<II", out, at)
        if len(out) - at - 8 < size:
            break
        answers.append((code, out[at + 8:at + 8 + size]))
        at += 8 + size
    return answers


def lines(out):
    return [json.loads(line) for line in out.splitlines()]


def covers(got, wanted):
    """Whether each wanted object is there, in order; it may have more keys."""
    return len(got) == len(wanted) and all(
        all(key in one and one[key] == value and isinstance(one[key], type(value))
            for key, value in other.items()) for one, other in zip(got, wanted))


def wrong_exit(vector, code, _):
    findings = vector["findings"]["current"]
    return code != (1 if any(RULES[f["rule"]] == "malformed" for f in findings) else 0)


def wrong_records(vector, _, out):
    return lines(out) != vector["records"]


def wrong_events(vector, _, out):
    return not covers(lines(out), vector["events"])


def wrong_findings(vector, _, out):
    def count(findings):
        return collections.Counter((f["rule"], f["offset"]) for f in findings)
    return count(lines(out)) != count(vector["findings"]["current"])


WRONG = {"exit": wrong_exit, "records": wrong_records, "events": wrong_events,
         "findings": wrong_findings}


def load_rules():
    with open(os.path.join(HERE, "..", "..", "spec", "rules.tbl"), encoding="utf-8") as f:
        rows = [line.split("#")[0].split(None, 3) for line in f]
    return {row[0]: row[1] for row in rows if row}


RULES = load_rules()


def failed(native, level, vectors):
    """The ids of the vectors that it fails at a level of reading. `native` is a command: a list."""
    answers = ask(native + [level], [bytes.fromhex(v["bytes"]) for v in vectors])
    bad = [v["id"] for v, (code, out) in zip(vectors, answers) if WRONG[level](v, code, out)]
    return bad + [v["id"] for v in vectors[len(answers):]]


# ---- write

def script(vector):
    """What a writer is given: the events, and before them the providers and rates that they need."""
    out, names, events = [], {}, iter(vector["events"])
    for record in vector["records"]:
        kind = record.get("record")
        if kind == "initialization":
            out.append({"write": kind, "ticks_per_second": int(record["ticks_per_second"])})
        elif kind in ("provider_info", "provider_section"):
            id = record["provider_id"]
            names[id] = record.get("name", names.get(id, ""))
            out.append({"write": "provider", "id": id, "name": names[id]})
        elif kind not in (None, "magic", "string", "thread", "unknown", "provider_event",
                          "trace_info") and not isinstance(record.get("event_type"), int):
            out.append(next(events))
    return "".join(json.dumps(line) + "\n" for line in out).encode()


def can_be_written(vector):
    """Nothing is unresolved, and there is one trace."""
    kinds = [record.get("record") for record in vector["records"]]
    return (vector["grade"] == "valid" and len(vector["events"]) > 0 and "magic" not in kinds[1:] and
            not any(value is None for event in vector["events"] for value in event.values()))


def failed_to_write(native, reader, vectors):
    """The same of a writer; `reader` reads what it wrote."""
    vectors = [v for v in vectors if can_be_written(v)]
    written = ask(native + ["write"], [script(v) for v in vectors])
    traces = [out for _, out in written]
    events, findings = (ask(reader + [level], traces) for level in ("events", "findings"))
    bad = []
    for vector, (code, _), (_, read), (_, found) in zip(vectors, written, events, findings):
        broken = any(RULES[f["rule"]] not in HARMLESS for f in lines(found))
        if code != 0 or broken or not covers(lines(read), vector["events"]):
            bad.append(vector["id"])
    return bad + [v["id"] for v in vectors[len(written):]]


def main():
    native, vectors = sys.argv[1:], load()
    count = 0
    for level in list(WRONG) + ["write"]:
        if level == "write":
            bad = failed_to_write(native, native, vectors)
        else:
            bad = failed(native, level, vectors)
        print("%s: %d failed %s" % (level, len(bad), " ".join(bad[:20])))
        count += len(bad)
    print("%d vectors, %d can be written" % (len(vectors), sum(map(can_be_written, vectors))))
    return 1 if count > 0 else 0


if __name__ == "__main__":
    sys.exit(main())
