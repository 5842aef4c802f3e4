#!/usr/bin/env python3
"""fxt export: each file has the rows of its table, and schema.sql their types; stacks are those of report and sql."""

import collections
import csv
import io
import json
import os
import random
import sqlite3
import sys

sys.dont_write_bytecode = True
import testing
from testing import EVENT, HEAD, equal, fxt, word, write

TRACE = HEAD + """\
kernel_object object_type=process koid=100 name="a,\\"b\\"\\n\\xff"
event duration_complete timestamp=10 thread=@1 category=@1 name=@2 end=30 \
{ "u" uint64 18446744073709551615, "d" double 0x7ff0000000000000, "b" blob "a\\xff" }
event instant timestamp=20 thread=@1 category=@1 name="" scope=thread
event counter timestamp=25 thread=@1 category=@1 name=@2 id=1 { "v" double 0x7ff8000000000000 }
log timestamp=30 thread=@1 message="hello"
"""
CASES = [("jsonl", []), ("jsonl", ["--format=jsonl"]), ("csv", ["-f", "csv"])]


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        if path.endswith(".csv"):
            return list(csv.DictReader(file))
        return [json.loads(line) for line in file]



def test_every_file_has_the_rows_that_sql_gives():
    write("t.fxt", TRACE)
    for number, (ending, options) in enumerate(CASES):
        out = f"t{number}"
        equal(fxt("export", *options, "-o", out, "t.fxt").code, 0)
        files = sorted(os.listdir(out))
        assert {f"slice.{ending}", f"args.{ending}", "schema.sql"} <= set(files), files
        for name in files:
            if name == "schema.sql":
                continue
            form = "--csv" if ending == "csv" else "--json"
            told = fxt("sql", form, "t.fxt", "select * from " + name.split(".")[0]).text
            with open(f"{out}/{name}", encoding="utf-8", newline="") as file:
                equal(file.read(), told, name)


def test_values_survive():
    write("t.fxt", TRACE)
    equal(fxt("export", "t.fxt", "-o", "j").code, 0)
    equal(fxt("export", "t.fxt", "-o", "c", "--format=csv").code, 0)
    for kind, null in (("j/%s.jsonl", None), ("c/%s.csv", "")):
        args = rows_of(kind % "args")
        equal([row["display_value"] for row in args],
              ["18446744073709551615", "Infinity", "2 bytes"])
        equal([row["fxt_blob"] for row in args], [null, null, "61ff"])
        equal(rows_of(kind % "process")[1]["name"], 'a,"b"\n\\xff')
        equal(rows_of(kind % "counter")[0]["fxt_value"], "NaN")
        equal(rows_of(kind % "slice")[1]["name"], "")
        equal(rows_of(kind % "fxt_log")[0]["message"], "hello")


def test_text_is_no_formula():
    """With the option: each CSV that fxt writes. Without it, and of numbers, every byte stays."""
    texts = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", '=HYPERLINK("x","y")', "'=1", "a=1", " =1", "a;=1", ""]
    trace = HEAD + "".join(f"event duration_complete timestamp={i} thread=1/2 category=@1 name={json.dumps(text)} end={i} "
                           '{ "i" int64 -5, "d" double -2.5 }\n' for i, text in enumerate(texts))
    write("t.fxt", trace)
    guarded = [("'" if text[:1] in ("=", "+", "-", "@", "\t", "\r", "\n") and text else "") + text for text in texts]
    query = "select name, name as '=x', -5 as i, -2.5 as d from slice order by ts"

    def read(text):
        return list(csv.reader(io.StringIO(text, newline="")))
    for options, expected in (([], texts), (["--no-formulas"], guarded)):
        mark = "'" if options else ""
        rows = read(fxt("sql", "t.fxt", "--csv", *options, query).text)
        equal(rows, [["name", mark + "=x", "i", "d"]] + [[text, text, "-5", "-2.5"] for text in expected])
        equal(fxt("export", "-fcsv", *options, "-o", f"c{mark}", "t.fxt").code, 0)
        equal([row["name"] for row in rows_of(f"c{mark}/slice.csv")], expected)
        equal([row["int_value"] for row in rows_of(f"c{mark}/args.csv")][::2], ["-5"] * len(texts))
        for more in ([], ["--diff", "t.fxt"]):
            rows = read(fxt("report", "--csv", *options, *more, "t.fxt").text)[1:]
            shown = [text.replace("\t", r"\x09").replace("\r", r"\x0d").replace("\n", r"\x0a") for text in expected]
            equal(sorted(row[0] for row in rows), sorted(shown), (options, more))
    assert '"a;=1"' in fxt("sql", "t.fxt", "--csv", "--no-formulas", query).text, "a semicolon separates in some countries"
    for command in (["sql", "t.fxt", query], ["sql", "--json", "t.fxt", query], ["report", "t.fxt"],
                    ["report", "--json", "t.fxt"], ["export", "-o", "no", "t.fxt"]):
        result = fxt(*command, "--no-formulas")
        equal((result.code, result.text), (2, ""))
        assert f"{command[0]}: --no-formulas is for --" in result.err, result


def test_schema_has_every_column_in_its_order():
    write("t.fxt", TRACE)
    fxt("export", "t.fxt", "-o", "c", "-fcsv")
    db = sqlite3.connect(":memory:")
    with open("c/schema.sql", encoding="utf-8") as file:
        db.executescript(file.read())
    for name in os.listdir("c"):
        if name.endswith(".csv"):
            table = name[:-len(".csv")]
            columns = [row[1] for row in db.execute(f"pragma table_info({table})")]
            with open("c/" + name, encoding="utf-8") as file:
                equal(file.readline().strip().split(","), columns)


def drawn(seed):
    """Threads of three processes: slices that nest, overlap, are empty, begin or end together, or never end."""
    draw = random.Random(seed)
    trace = HEAD + 'kernel_object object_type=process koid=5 name="a;b"\n'
    for _ in range(draw.choice([5, 50, 500])):
        at, thread = draw.randrange(1, 400), draw.choice(["@1", "5/6", "5/7", "8/6"])
        event = draw.choice(["duration_complete"] * 6 + ["duration_begin", "duration_end", "instant", "async_begin"])
        extra = {"duration_complete": f" end={at + draw.choice([0, 1, draw.randrange(200)])}", "instant": " scope=thread",
                 "async_begin": " id=7"}
        name = draw.choice(["@2", '"x;y"', '"z"'])
        trace += f"event {event} timestamp={at} thread={thread} category=@1 name={name}" + \
            extra.get(event, "") + "\n"
    return trace


def test_folded_stacks_are_those_of_the_report():
    for seed in range(60):
        write("t.fxt", drawn(seed))
        found = fxt("export", "--format=folded", "t.fxt")
        expected = collections.Counter()
        for line in fxt("report", "--folded", "t.fxt").lines():
            stack, ns = line.split(";", 1)[1].rsplit(" ", 1)
            expected[stack.replace("/", ";", 1)] += int(ns)
        equal((found.code, found.err), (0, ""))
        equal(sorted(found.lines()), sorted(f"{stack} {ns}" for stack, ns in expected.items()), seed)


def profiles(document):
    """The slices of a speedscope file: thread, name, begin, end. Frames close as they opened, in the order of time."""
    frames = [frame["name"] for frame in document["shared"]["frames"]]
    slices = []
    for profile in document["profiles"]:
        equal((profile["type"], profile["unit"], profile["startValue"]), ("evented", "nanoseconds", 0))
        now, opened = 0, []
        for event in profile["events"]:
            assert now <= event["at"] <= profile["endValue"], (event, now)
            now = event["at"]
            if event["type"] == "O":
                opened.append((event["frame"], now))
            else:
                frame, begin = opened.pop()
                equal((event["type"], frame), ("C", event["frame"]))
                slices.append((profile["name"].split(", overlapping ")[0], frames[frame], begin, now))
        equal(opened, [])
    return slices


SLICES = """select ifnull(process.name, 'process') || ' ' || pid || ' / ' || 'thread ' || tid,
    slice.name || iif(dur < 0, ' (unfinished)', ''), ts - fxt_bounds.start_ts,
    iif(dur < 0, null, ts + dur - fxt_bounds.start_ts)
    from slice join thread_track on track_id = thread_track.id join thread using (utid) join process using (upid),
    trace_bounds fxt_bounds where fxt_event glob 'duration*'"""


def test_speedscope_has_every_slice():
    for seed in range(60):
        write("t.fxt", drawn(seed))
        result = fxt("export", "--format=speedscope", "-o", "t.json", "t.fxt")
        equal((result.code, result.text, result.err), (0, "", ""))
        with open("t.json", encoding="utf-8") as file:
            document = json.load(file)
        equal((document["name"], document["exporter"]), ("t.fxt", "fxt"))
        rows = [tuple(json.loads(line).values()) for line in fxt("sql", "--json", "t.fxt", SLICES).lines()]
        found = [row[:3] + (None if "(unf" in row[1] else row[3],) for row in profiles(document)]
        equal(sorted(map(repr, found)), sorted(map(repr, rows)), seed)


def test_an_unfinished_slice_ends_with_the_one_around_it():
    begin = "event duration_begin timestamp=%d thread=@1 category=@1 name=%s\n"
    write("t.fxt", HEAD + begin % (10, "@2") + begin % (15, '"in"') +
          'event duration_complete timestamp=12 thread=@1 category=@1 name="around" end=20\n' + EVENT % 50)
    found = profiles(json.loads(fxt("export", "--format=speedscope", "t.fxt").text))
    equal(found, [("process 100 / thread 200", "in (unfinished)", 5, 10), ("process 100 / thread 200", "around", 2, 10),
                  ("process 100 / thread 200", "name (unfinished)", 0, 40)])
    equal(fxt("export", "--format=folded", "t.fxt").text, "process 100;thread 200;name;around 3\n")


def test_what_overlaps_too_much_is_counted_and_what_is_too_deep_is_one():
    complete = "event duration_complete timestamp=%d thread=@1 category=@1 name=@2 end=%d\n"
    write("t.fxt", HEAD + "".join(complete % (i, 1000 + i) for i in range(1, 70)))
    result = fxt("export", "--format=speedscope", "t.fxt")
    equal((result.code, len(profiles(json.loads(result.text)))), (1, 64))
    assert "t.fxt: left out: 5 slices" in result.err, result
    write("t.fxt", HEAD + "".join(complete % (i, 5000 - i) for i in range(1, 2001)))
    lines = fxt("export", "--format=folded", "t.fxt").lines()
    equal((len(lines), max(line.count(";") for line in lines)), (999, 1000))
    assert lines[-1].endswith(";name;... 3002"), lines[-1][-40:]
    equal(sum(int(line.rsplit(" ", 1)[1]) for line in lines), 4998)


def test_what_is_wrong_is_said():
    write("t.fxt", TRACE)
    equal(fxt("export", "t.fxt").code, 2)
    equal(fxt("export", "-o", "x", "--format=xml", "t.fxt").code, 2)
    equal(fxt("export", "-o", "x", "missing.fxt").code, 3)
    assert not os.path.exists("x")
    equal(fxt("export", "-o", "no/such/x", "t.fxt").code, 3)
    write("file", b"")
    result = fxt("export", "-o", "file", "t.fxt")
    equal((result.code, len(result.err.splitlines())), (3, 1), result)
    write("bad.fxt", testing.assemble(TRACE) + word(0x4))
    result = fxt("export", "-o", "bad", "bad.fxt")
    equal((result.code, len(result.err.splitlines())), (1, 1), result)
    equal(len(rows_of("bad/slice.jsonl")), 2)


testing.main(globals())
