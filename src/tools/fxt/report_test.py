#!/usr/bin/env python3
"""fxt report: what it says about where time went, in each form."""

import csv
import io
import json
import random
import sys
from xml.etree import ElementTree

sys.dont_write_bytecode = True
import testing
from testing import GOOD, HEAD, assemble, equal, fxt, word, write

DEMO = """\
magic
initialization ticks_per_second=1000000000
string index=1 value="cat"
string index=2 value="main"
string index=3 value="work"
string index=4 value="io"
thread index=1 process=100 thread=101
kernel_object object_type=process koid=100 name="server"
kernel_object object_type=thread koid=101 name="loop" { "process" koid 100 }
"""


def complete(begin, end, name, thread="@1", category="@1"):
    return (f"event duration_complete timestamp={begin} thread={thread} category={category} "
            f"name={name} end={end}\n")


def begin(at, name, thread="@1"):
    return f"event duration_begin timestamp={at} thread={thread} category=@1 name={name}\n"


def end(at, thread="@1"):
    return f"event duration_end timestamp={at} thread={thread} category=@1 name=@2\n"


def frames():
    """A loop, in the order of our engine: a duration is written when it ends."""
    text = ""
    for at in range(1000, 51000, 1000):
        text += complete(at + 10, at + 110, "@4") + complete(at + 200, at + 310, "@4")
        text += complete(at, at + 800, "@3")
    return text + complete(500, 60500, "@2")


def report(trace, *options, code=0):
    result = fxt("report", "--json", *options, data=assemble(trace))
    equal(result.code, code, result)
    return json.loads(result.text)


def durations(trace, *options, code=0):
    return {(row["name"], row["async"]): row
            for row in report(trace, *options, code=code)["durations"]}


def test_table():
    write("demo.fxt", DEMO + frames())
    result = fxt("report", "--top=3", "demo.fxt")
    equal((result.code, result.err), (0, ""))
    equal(result.text, """\
demo.fxt: 151 events, 151 durations in 60.00 µs

durations by name
count     total      self   share       min       p50       p90       p99       max  name
    1  60.00 µs  20.00 µs  33.3 %  60.00 µs  60.00 µs  60.00 µs  60.00 µs  60.00 µs  main
   50  40.00 µs  29.50 µs  49.2 %    800 ns    800 ns    800 ns    800 ns    800 ns  work
  100  10.50 µs  10.50 µs  17.5 %    100 ns    106 ns    110 ns    110 ns    110 ns  io

longest durations
duration            at  name, thread
60.00 µs  0.000000000s  main, server 100/loop 101
  800 ns  0.000000500s  work, server 100/loop 101
  800 ns  0.000001500s  work, server 100/loop 101
""")


PART = DEMO + complete(0, 1000, "@2") + begin(100, "@3") + complete(150, 350, "@4") + \
    complete(360, 380, "@4") + end(600) + complete(620, 660, "@4") + begin(700, "@2")
COUNTER = 'event counter timestamp=%d thread=@1 category=@1 name="n" id=1 { "v" int32 %d }\n'


def test_durations_are_clipped_to_a_part():
    part = report(PART, "--from=@200", "--to=@640")
    equal({row["name"]: (row["count"], row["total_ns"], row["self_ns"], row["max_ns"])
           for row in part["durations"]},
          {"main": (1, 440, 20, 440), "work": (1, 400, 230, 400), "io": (3, 190, 190, 150)})
    equal((part["start_ns"], part["span_ns"], part["events"]), (200, 440, 3))
    equal([(one["name"], one["start_ns"], one["duration_ns"]) for one in part["longest"]],
          [("main", 200, 440), ("work", 200, 400), ("io", 200, 150), ("io", 360, 20),
           ("io", 620, 20)])
    equal(part["unfinished"], [])
    equal([(one["name"], one["at_least_ns"]) for one in report(PART, "--from=800")["unfinished"]],
          [("main", 200)])
    whole = report(PART)
    equal(report(PART, "--from=0%"), whole)
    equal(report(PART, "--to=100%"), whole)


def test_a_part_keeps_what_lies_in_what():
    """These are in the order of their begins; clipped, they are equal."""
    trace = DEMO + complete(0, 1000, "@2") + complete(10, 990, "@3") + complete(20, 980, "@4")
    self_times = {row["name"]: row["self_ns"]
                  for row in report(trace, "--from=100", "--to=200")["durations"]}
    equal(self_times, {"main": 0, "work": 0, "io": 100})
    folded = fxt("report", "--folded", "--from=100", "--to=200", data=assemble(trace)).text
    equal(folded, "provider 0;server 100/loop 101;main;work;io 100\n")


def test_a_part_has_its_own_counters_gaps_and_strays():
    trace = DEMO + "".join(COUNTER % item for item in
                           [(100, 9), (200, 3), (300, 5), (400, 4), (900, 77)]) + end(50) + end(310)
    counter, = report(trace, "--from=@250", "--to=@500")["counters"]
    equal([counter[key] for key in ("count", "first", "last", "min", "max")], [2, 3, 4, 3, 5])
    counter, = report(trace, "--from=@500", "--to=@800")["counters"]
    equal([counter[key] for key in ("count", "first", "last", "min", "max")], [0, 4, 4, 4, 4])
    equal(report(trace, "--from=@250", "--to=@500")["unmatched"]["duration_ends"], 1)
    equal([gap["duration_ns"] for gap in report(trace, "--from=@250", "--to=@500")["gaps"]], [90, 10])


def test_recursion_is_counted_once_in_a_part_of_a_long_trace():
    """More durations than report keeps at a time: totals are taken back."""
    inner = "".join(complete(at, at + 5, "@3") for at in range(0, 100000, 10))
    trace = DEMO + inner + complete(0, 100000, "@3")
    row, = report(trace, "--from=@50002", "--to=@60002")["durations"]
    equal((row["count"], row["total_ns"], row["self_ns"]), (1002, 10000, 10000))


def test_parts_that_are_none():
    equal(fxt("report", "--from=5", "--to=4", data=assemble(PART)).code, 2)
    equal(fxt("report", "--from=x", data=assemble(PART)).code, 2)
    result = fxt("report", "--from=@5000", data=assemble(PART))
    equal(result.code, 1)
    assert "the part lies outside of the trace, which lasts 1.001us" in result.err, result


def test_groups_by_an_argument():
    trace = DEMO + "".join(
        f'event duration_complete timestamp={at} thread=@1 category=@1 name=@3 end={at + 10 * n} '
        f'{{ "id" {value}, "id2" int32 9 }}\n' for n, (at, value) in enumerate([
            (100, "int32 7"), (200, "uint64 7"), (300, 'string "7"'), (400, "bool true"),
            (500, "koid 12"), (600, "pointer 0x1f"), (700, "double 0.5"), (800, "null"),
            (900, 'blob "x"'), (1000, "int64 -7")], 1)) + (
        complete(1200, 1201, "@3") + complete(1300, 1302, "@4"))
    named = {name: row["total_ns"] for (name, _), row in durations(trace, "--by=arg:id").items()}
    equal(named, {"work id=7": 60, "work id=true": 40, "work id=12": 50, "work id=0x1f": 60,
                  "work id=0.5": 70, "work id=null": 80, "work id=(blob)": 90, "work id=-7": 100,
                  "work (no id)": 1, "io (no id)": 2})
    equal(report(trace, "--by=arg:id")["by"], "arg:id")
    csv_text = fxt("report", "--csv", '--by=arg:a"b', data=assemble(trace)).text
    equal(csv_text.split(",async")[0], '"arg:a""b"')
    for wrong in "arg:", "arg", "arg:" + 256 * "x":
        equal(fxt("report", "--by=" + wrong, data=assemble(trace)).code, 2)


def test_an_argument_may_be_of_the_begin_or_of_the_end():
    trace = DEMO + "".join(line[:-1] + args + "\n" for line, args in [
        (begin(100, "@3"), ' { "id" int32 1 }'), (end(110), ' { "id" int32 2 }'),
        (begin(200, "@3"), ""), (end(220), ' { "id" int32 2 }'),
        (end(340), ' { "id" int32 3 }'), (begin(300, "@3"), "")])
    named = {name: row["total_ns"] for (name, _), row in durations(trace, "--by=arg:id").items()}
    equal(named, {"work id=1": 10, "work id=2": 20, "work id=3": 40})


def test_times_of_2_63_are_the_latest_one():
    latest = (1 << 63) - 1
    trace = DEMO + complete(latest - 5, latest + 1, "@2") + complete(latest + 3, latest + 9, "@3")
    result = fxt("report", "--json", data=assemble(trace))
    equal((result.code, result.err),
          (1, "<stdin>: shown as 2^63 - 1 ns: 3 times of 2^63 ns or more\n"))
    shown = json.loads(result.text)
    equal((shown["complete"], shown["start_ns"], shown["span_ns"]), (False, latest - 5, 5))
    equal([(row["name"], row["max_ns"]) for row in shown["durations"]], [("main", 5), ("work", 0)])


def test_self_times_do_not_depend_on_the_order():
    lines = frames().splitlines(True)
    expected = durations(DEMO + "".join(lines))
    equal(expected["main", False]["self_ns"], 20000)
    equal(expected["work", False]["self_ns"], 50 * 590)
    for seed in range(5):
        random.Random(seed).shuffle(lines)
        equal(durations(DEMO + "".join(lines)), expected)
    lines.sort(key=lambda line: int(line.split("timestamp=")[1].split()[0]))
    equal(durations(DEMO + "".join(lines)), expected)


def test_begins_and_ends():
    trace = DEMO + "".join(
        [begin(10, "@2"), begin(20, "@3"), complete(25, 30, "@4"), end(40), end(110)])
    equal({name: (row["count"], row["total_ns"], row["self_ns"])
           for (name, _), row in durations(trace).items()},
          {"main": (1, 100, 80), "work": (1, 20, 15), "io": (1, 5, 5)})


def test_the_total_of_a_recursive_name_is_that_of_its_outermost_durations():
    """SUM-01, in each order of the records, and for each grouping."""
    trace = "".join(begin(10 * i, "@2") for i in range(3)) + "".join(end(80 + 10 * i) for i in range(3))
    trace += complete(200, 300, "@2") + complete(220, 240, "@2") + complete(210, 260, "@3")
    row = durations(DEMO + trace)["main", False]
    equal([row[key] for key in ("count", "total_ns", "self_ns", "max_ns")], [5, 200, 170, 100])
    lines = [complete(200, 300, "@2"), complete(210, 260, "@2"), complete(220, 240, "@3"), complete(230, 231, "@2")]
    for seed in range(10):
        random.Random(seed).shuffle(lines)
        equal({name: row["total_ns"] for (name, _), row in durations(DEMO + "".join(lines)).items()},
              {"main": 100, "work": 20}, lines)
        equal(durations(DEMO + "".join(lines), "--by=thread")["server 100/loop 101", False]["total_ns"], 100)
    other = complete(200, 300, "@2") + complete(210, 260, "@2", "5/6")
    equal(durations(DEMO + other)["main", False]["total_ns"], 150)
    nested = [asynchronous("begin", 0, 1), asynchronous("begin", 10, 1), asynchronous("end", 20, 1), asynchronous("end", 40, 1),
              asynchronous("begin", 10, 2), asynchronous("end", 20, 2)]
    row = durations(DEMO + "".join(nested))["main", True]
    equal((row["count"], row["total_ns"]), (3, 50))
    unfinished = durations(DEMO + begin(0, "@2") + begin(10, "@2") + end(15))["main", False]
    equal((unfinished["count"], unfinished["total_ns"]), (1, 5))


def test_the_total_of_a_recursion_that_is_longer_than_the_window():
    """Outside and inside of it, many times as many of its name as a window holds."""
    calls = lambda at: "".join(begin(at + 3 * i, "@2") + end(at + 3 * i + 2) for i in range(20000))
    row = durations(DEMO + calls(0) + begin(100000, "@2") + calls(100001) + end(170000) + calls(200000))["main", False]
    equal((row["count"], row["total_ns"]), (60001, 2 * 40000 + 70000))
    row = durations(DEMO + calls(100001) + complete(100000, 170000, "@2") + calls(200000))["main", False]
    equal((row["count"], row["total_ns"]), (40001, 40000 + 70000))
    late = report(DEMO + calls(0) + calls(100001) + complete(100000, 170000, "@2"))
    assert late["late"] == 1 and late["durations"][0]["total_ns"] > 40000 + 70000, late


def test_a_deep_recursion_takes_linear_time():
    """Also if each call calls something else first, so that none of these are neighbours."""
    deep = 100000
    trace = "".join(begin(3 * i, "@2") + complete(3 * i + 1, 3 * i + 2, "@3") for i in range(deep))
    trace += "".join(end(3 * deep + i) for i in range(deep))
    rows = durations(DEMO + trace)
    equal((rows["main", False]["count"], rows["main", False]["total_ns"]), (deep, 4 * deep - 1))
    equal((rows["work", False]["count"], rows["work", False]["total_ns"]), (deep, deep))


def test_begins_and_ends_are_matched_in_the_order_of_time():
    lines = [begin(0, "@2"), begin(10, "@3"), begin(20, "@4"), end(40), end(60), begin(70, "@4"), end(90),
             end(110)]
    expected = {"main": (1, 110, 40), "work": (1, 50, 30), "io": (2, 40, 40)}
    for order in ([0, 1, 2, 3, 4, 5, 6, 7], [3, 4, 5, 6, 7, 0, 1, 2], [3, 4, 7, 5, 6, 0, 1, 2],
                  [2, 1, 0, 3, 4, 5, 6, 7], [3, 4, 7, 6, 5, 2, 1, 0], [5, 6, 0, 1, 2, 3, 4, 7]):
        counted = report(DEMO + "".join(lines[i] for i in order))
        equal({row["name"]: (row["count"], row["total_ns"], row["self_ns"])
               for row in counted["durations"]}, expected, order)
        equal(set(counted["unmatched"].values()), {0}, order)


def test_ends_without_begins_leave_room_for_others():
    """As many as are kept, and one more: the begins that follow still find room."""
    trace = DEMO + end(5) * (65536 + 1) + begin(10, "@2") + end(20)
    counted = report(trace)
    equal(counted["unmatched"]["duration_ends"], 65537)
    equal((counted["complete"], [row["count"] for row in counted["durations"]]), (True, [1]))


def test_ends_before_their_begins_beyond_the_limit_are_told():
    trace = DEMO + "".join(end(2 * i + 1) for i in range(66000))
    trace += "".join(begin(2 * i, "@3") for i in range(66000))
    counted = report(trace, code=1)
    equal((counted["complete"], [row["count"] for row in counted["durations"]]), (False, [65536]))
    assert "more open begins, or ends before their begins," in fxt("report", data=assemble(trace)).err


def test_long_loops_of_begins_and_ends():
    """Of equal names and gaps inside and outside, many times longer than the window."""
    trace, at = DEMO + begin(0, "@2"), 1
    for _ in range(3):
        for _ in range(3000):
            trace += begin(at, "@4") + end(at + 2)
            at += 3
        trace += begin(at, "@3")
        for _ in range(6000):
            trace += begin(at + 1, "@4") + end(at + 3)
            at += 3
        trace += end(at + 1)
        at += 2
    counted = report(trace + end(at))
    equal((counted["late"], counted["overlapping"]), (0, 0))
    equal({row["name"]: row["self_ns"] for row in counted["durations"]},
          {"main": at - 3 * 18001 - 9000 * 2, "work": 3 * 6001, "io": 27000 * 2})


def test_unmatched_is_told():
    trace = DEMO + end(5) + begin(10, "@2") + begin(20, "@3") + end(30)
    trace += "event async_end timestamp=31 thread=@1 category=@1 name=@2 id=1\n"
    trace += "event async_begin timestamp=31 thread=@1 category=@1 name=@2 id=1\n" * 2
    trace += complete(20, 10, "@4")
    counted = report(trace)
    equal(counted["unmatched"], {"duration_begins": 1, "duration_ends": 1, "async_begins": 2,
                                 "async_ends": 1})
    equal((counted["backwards"], counted["complete"]), (1, True))
    result = fxt("report", data=assemble(trace))
    equal((result.code, result.err), (0, """\
<stdin>: unfinished, in no sum: 1 duration begin without an end
<stdin>: left out: 1 duration end without a begin
<stdin>: unfinished, in no sum: 2 async begins without an end
<stdin>: left out: 1 async end without a begin
<stdin>: left out: 1 duration with an end before the begin
"""))


def test_overlapping_durations():
    trace = DEMO + complete(10, 20, "@3") + complete(15, 25, "@4") + complete(0, 100, "@2")
    counted = report(trace)
    equal(counted["overlapping"], 1)
    equal({row["name"]: row["self_ns"] for row in counted["durations"]},
          {"main": 85, "work": 10, "io": 10})
    assert "overlap" in fxt("report", data=assemble(trace)).err


def test_what_lies_inside_of_two_belongs_to_the_one_that_began_later():
    """SLC-07. No duration is late then."""
    trace = DEMO + complete(0, 10000, "@2") + complete(5000, 15000, "@3") + complete(6000, 7000, "@4")
    counted = report(trace)
    equal((counted["overlapping"], counted["late"]), (1, 0))
    equal({row["name"]: row["self_ns"] for row in counted["durations"]},
          {"main": 10000, "work": 9000, "io": 1000})
    top = "provider 0;server 100/loop 101;"
    equal(folded(trace), {top + "main": "10000", top + "work": "9000", top + "work;io": "1000"})
    assert "overlapping: 1 duration with another" in fxt("report", data=assemble(trace)).err
    later = complete(0, 100, "@2") + complete(50, 150, "@3") + complete(120, 140, "@4")
    equal(folded(DEMO + later), {top + "main": "100", top + "work": "80", top + "work;io": "20"})


def test_of_one_time_the_records_tell_what_encloses_what():
    """SLC-06."""
    top = "provider 0;server 100/loop 101;"
    for trace, expected in (
            (begin(0, "@2") + complete(0, 100, "@3") + end(100), {"main;work": "100"}),
            (begin(0, "@2") + end(100) + complete(0, 100, "@3"), {"work;main": "100"}),
            (complete(0, 100, "@2") + complete(0, 100, "@3"), {"work;main": "100"}),
            (begin(0, "@2") + end(0) + begin(0, "@3") + end(9), {"work": "9"}),
            (begin(0, "@4") + end(0) + begin(0, "@2") + complete(0, 50, "@3") + end(100),
             {"main": "50", "main;work": "50"})):
        equal(folded(DEMO + trace), {top + stack: ns for stack, ns in expected.items()}, trace)


def test_async_durations():
    """Matched by id and process, across threads; the latest begin first; no self time."""
    def asynchronous(kind, at, thread, ident, name="@2"):
        return f"event async_{kind} timestamp={at} thread={thread} category=@1 name={name} id={ident}\n"
    trace = DEMO + "".join([
        asynchronous("begin", 10, "100/201", 7), asynchronous("begin", 20, "300/301", 7, "@3"),
        asynchronous("begin", 30, "100/201", 7, "@4"), asynchronous("end", 35, "100/202", 7),
        asynchronous("end", 50, "100/203", 7), asynchronous("end", 90, "300/302", 7)])
    trace += complete(0, 100, "@2")
    equal({key: (row["total_ns"], row["self_ns"]) for key, row in durations(trace).items()},
          {("main", True): (40, None), ("work", True): (70, None), ("io", True): (5, None),
           ("main", False): (100, 100)})
    lines = fxt("report", data=assemble(trace)).lines()
    assert any(line.split()[3:6] == ["-", "-", "40"] and line.endswith("main, async") for line in lines), lines
    assert any("main, async, " in line for line in lines), lines


def test_async_durations_are_matched_in_the_order_of_time():
    lines = ["event async_begin timestamp=10 thread=100/201 category=@1 name=@2 id=7\n",
             "event async_end timestamp=30 thread=100/202 category=@1 name=@2 id=7\n",
             "event async_begin timestamp=40 thread=100/203 category=@1 name=@3 id=7\n",
             "event async_end timestamp=45 thread=100/203 category=@1 name=@3 id=7\n",
             "event async_begin timestamp=50 thread=100/203 category=@1 name=@4 id=7\n",
             "event async_end timestamp=100 thread=100/203 category=@1 name=@4 id=7\n"]
    for order in ([0, 1, 2, 3, 4, 5], [1, 0, 3, 2, 5, 4], [4, 5, 2, 3, 0, 1], [1, 3, 5, 4, 2, 0],
                  [2, 4, 0, 1, 3, 5]):
        trace = DEMO + "".join(lines[i] for i in order)
        equal({key: row["total_ns"] for key, row in durations(trace).items()},
              {("main", True): 20, ("work", True): 5, ("io", True): 50}, order)
        equal(set(report(trace)["unmatched"].values()), {0}, order)
    stray = report(DEMO + lines[1] + lines[2] + lines[3] + lines[5] + lines[4])
    equal((stray["unmatched"]["async_ends"], stray["unmatched"]["async_begins"]), (1, 0))


def asynchronous(kind, at, ident, name="@2", thread="@1"):
    return f"event async_{kind} timestamp={at} thread={thread} category=@1 name={name} id={ident}\n"


def test_operations_of_an_id_match_as_durations_do():
    """ASY-02: what is late waits for the end of the trace. Thousands of one id may be open."""
    trace = DEMO + asynchronous("begin", 0, 1) + asynchronous("end", 50, 1)
    trace += asynchronous("begin", 10, 1, "@3") + asynchronous("end", 100, 1)
    equal({key: row["total_ns"] for key, row in durations(trace).items()},
          {("main", True): 50, ("work", True): 90})
    begins = [asynchronous("begin", 10 * at, 7) for at in range(2000)]
    ends = [asynchronous("end", 10 * at + 5, 7) for at in range(2000)]
    for lines in (begins + ends, ends + begins):
        counted = report(DEMO + "".join(lines))
        equal((counted["complete"], set(counted["unmatched"].values())), (True, {0}))


def test_an_id_of_another_trace_is_another_one():
    """ORD-04, for threads, too."""
    trace = DEMO + asynchronous("begin", 5, 1) + begin(5, "@2") + DEMO + asynchronous("end", 9, 1) + end(9)
    counted = report(trace)
    equal(counted["unmatched"],
          {"duration_begins": 1, "duration_ends": 1, "async_begins": 1, "async_ends": 1})
    equal((counted["durations"], counted["start_ns"], counted["span_ns"]), ([], 5, 4))


def test_async_ids_that_wait_for_nothing_give_up_their_places():
    trace = DEMO + asynchronous("begin", 0, 0) + "".join(
        asynchronous("begin", i, i) + asynchronous("end", i + 2, i) for i in range(1, 270000))
    counted = report(trace + asynchronous("end", 300000, 0))
    equal((counted["complete"], set(counted["unmatched"].values())), (True, {0}))
    equal(sum(row["count"] for row in counted["durations"]), 270000)


def test_unfinished_durations_are_shown_apart():
    """SLC-05, SUM-03: they last as long as what encloses them, or to the end of their trace."""
    trace = DEMO + begin(0, "@2") + begin(20, "@3") + end(100) + complete(30, 80, "@4")
    trace += complete(200, 300, '"x"') + begin(250, "@3") + asynchronous("begin", 400, 1)
    trace += "event instant timestamp=1000 thread=5/6 category=@1 name=@2\n"
    counted = report(trace)
    equal([(one["name"], one["async"], one["start_ns"], one["at_least_ns"]) for one in counted["unfinished"]],
          [("main", False, 0, 1000), ("main", True, 400, 600), ("work", False, 250, 50)])
    equal({row["name"]: (row["count"], row["total_ns"], row["self_ns"]) for row in counted["durations"]},
          {"work": (1, 80, 30), "io": (1, 50, 50), "x": (1, 100, 50)})
    top = "provider 0;server 100/loop 101;main"
    equal(folded(trace), {top + ";work": "30", top + ";work;io": "50", top + ";x": "50"})
    lines = fxt("report", data=assemble(trace)).text.splitlines()
    at = lines.index("unfinished durations")
    equal([line.split() for line in lines[at + 1:at + 3]],
          [["at", "least", "at", "name,", "thread"],
           "1.000 µs 0.000000000s main, server 100/loop 101".split()])


def test_the_durations_of_all_providers_of_a_thread_are_one_track():
    """SLC-01. What one provider writes is matched by itself."""
    trace = "magic\n"
    for provider in (1, 2):
        trace += f'provider_info provider_id={provider} name="p{provider}"\n' + DEMO.split("\n", 1)[1]
    trace += "provider_section provider_id=1\n" + begin(0, "@2")
    trace += "provider_section provider_id=2\n" + begin(10, "@3")
    trace += "provider_section provider_id=1\n" + end(40)
    trace += "provider_section provider_id=2\n" + end(30) + complete(12, 15, "@4")
    counted = report(trace)
    equal({row["name"]: row["self_ns"] for row in counted["durations"]}, {"main": 20, "work": 17, "io": 3})
    equal(len(counted["gaps"]), 0)


def test_by():
    trace = DEMO + 'provider_info provider_id=7 name="second"\n' \
        "initialization ticks_per_second=1000000\n" \
        'string index=1 value="other"\nthread index=1 process=100 thread=102\n'
    trace += complete(1, 4, "'n'")
    trace += "provider_section provider_id=0\n" + complete(10, 20, "@2") + complete(10, 40, "@3")
    trace += complete(10, 20, "@2", "5/6", "'more'")

    def totals(by):
        rows = durations(trace.replace("'n'", '"n"').replace("'more'", '"more"'), "--by=" + by)
        return {name: row["total_ns"] for (name, _), row in rows.items()}
    equal(totals("name"), {"n": 3000, "main": 20, "work": 30})
    equal(totals("category"), {"cat": 30, "other": 3000, "more": 10})
    equal(totals("thread"), {"server 100/loop 101": 30, "server 100/thread 102": 3000,
                             "process 5/thread 6": 10})
    equal(totals("process"), {"server 100": 3030, "process 5": 10})
    equal(totals("provider"), {"provider 0": 40, "second": 3000})


def test_percentiles_lie_between_the_durations():
    """SUM-02."""
    row, = report(DEMO + complete(0, 10, "@2") + complete(100, 140, "@2"))["durations"]
    equal([row[key] for key in ("p50_ns", "p90_ns", "p99_ns")], [25, 37, 40])
    lengths = [17 * i * i for i in range(16)]
    row, = report(DEMO + "".join(complete(10000 * i, 10000 * i + ns, "@2")
                                 for i, ns in enumerate(reversed(lengths))))["durations"]
    equal(row["p50_ns"], (lengths[7] + lengths[8] + 1) // 2)


def test_sort_and_top():
    trace = DEMO + complete(0, 100, "@2") + complete(200, 210, "@3") * 3 + complete(300, 350, "@4")

    def order(*options):
        return [row["name"] for row in report(trace, *options)["durations"]]
    equal(order(), ["main", "io", "work"])
    equal(order("--sort=count"), ["work", "io", "main"])
    equal(order("--sort=name"), ["io", "main", "work"])
    for key in ("total", "max", "min", "p50", "p90", "p99"):
        equal(order("-s", key), ["main", "io", "work"], key)
    equal(order("--sort=self"), ["main", "io", "work"])
    equal(order("--top=1"), ["main"])
    equal(len(report(trace, "--top=2")["longest"]), 2)
    assert "durations by name (2 of 3)" in fxt("report", "--top=2", data=assemble(trace)).text


def test_counters():
    def counter(at, value, ident=5):
        return f'event counter timestamp={at} thread=@1 category=@1 name=@3 id={ident} {{ "v" {value} }}\n'
    trace = DEMO + counter(30, "int64 -4") + counter(10, "uint32 7") + counter(20, "double 9.5")
    trace += counter(40, "double 0x7ff8000000000000", 6)
    trace += counter(50, "double 0x7ff0000000000000", 7) + counter(60, "double 0xfff0000000000000", 7)
    equal(report(trace)["counters"], [
        {"name": "work", "category": "cat", "id": 5, "argument": "v", "process": "server 100", "count": 3,
         "first": 7, "last": -4, "min": -4, "max": 9.5},
        {"name": "work", "category": "cat", "id": 6, "argument": "v", "process": "server 100", "count": 1,
         "first": "NaN", "last": "NaN", "min": "NaN", "max": "NaN"},
        {"name": "work", "category": "cat", "id": 7, "argument": "v", "process": "server 100", "count": 2,
         "first": "Infinity", "last": "-Infinity", "min": "-Infinity", "max": "Infinity"}])
    assert "    3      7    -4    -4  9.5  work #5, v, cat, server 100\n" in \
        fxt("report", data=assemble(trace)).text


def test_integers_of_counters_are_exact_and_booleans_are_0_and_1():
    """CNT-01, CNT-03."""
    def counter(at, name, args):
        return f'event counter timestamp={at} thread=@1 category=@1 name="{name}" id=0 {{ {args} }}\n'
    trace = DEMO + counter(1, "flag", '"on" bool true') + counter(2, "flag", '"on" bool false')
    trace += counter(3, "big", '"v" int64 9223372036854775807') + counter(4, "big", '"v" int64 9223372036854775806')
    trace += counter(5, "big", '"v" uint64 18446744073709551615') + counter(6, "big", '"v" int64 -9223372036854775807')
    trace += counter(7, "twice", '"v" int32 1, "v" int32 2')
    found = {one["name"]: [one[key] for key in ("count", "first", "last", "min", "max")]
             for one in report(trace)["counters"]}
    equal(found, {"flag": [2, 1, 0, 0, 1], "big": [4, 2**63 - 1, -2**63 + 1, -2**63 + 1, 2**64 - 1],
                  "twice": [2, 1, 2, 1, 2]})
    assert "9223372036854775807  -9223372036854775807" in fxt("report", data=assemble(trace)).text


def test_counter_events_without_a_number_are_counted_and_named():
    """CNT-02."""
    trace = DEMO + 'event counter timestamp=3 thread=@1 category=@1 name="p\\x1b" id=0 { "at" pointer 0x1000 }\n'
    trace += 'event counter timestamp=4 thread=@1 category=@1 name="state" id=0 { "text" string "idle" }\n'
    trace += 'event counter timestamp=5 thread=@1 category=@1 name="mix" id=0 { "n" int32 1, "why" string "x" }\n'
    result = fxt("report", "--json", data=assemble(trace))
    equal((result.code, result.err),
          (0, "<stdin>: left out: 2 counter events without a number, the first of 'p\\x1b'\n"))
    counted = json.loads(result.text)
    equal((counted["counters_without_value"], [one["name"] for one in counted["counters"]]), (2, ["mix"]))


def test_counters_of_two_categories_are_two():
    def counter(at, category):
        return f'event counter timestamp={at} thread=1/2 category="{category}" name="n" id=0 {{ "v" int32 {at} }}\n'
    found = report("magic\n" + counter(1, "x") + counter(2, "y") + counter(3, "x"))["counters"]
    equal([(one["category"], one["first"], one["last"]) for one in found], [("x", 1, 3), ("y", 2, 2)])


def test_async_events_without_a_thread_are_not_matched():
    trace = 'event async_begin timestamp=1 thread=@5 category="c" name="n" id=1\n'
    trace += 'event async_end timestamp=9 thread=@5 category="c" name="n" id=1\n'
    found = report("magic\n" + trace)
    equal(found["durations"], [])
    result = fxt("report", data=assemble("magic\n" + trace))
    assert "unfinished, in no sum: 1 async begin without an end" in result.err and "1 async end without a begin" in result.err, result


def test_a_provider_event_creates_no_provider():
    trace = "magic\n" + "".join(f'provider_info provider_id={i} name="p"\n' for i in range(1, 256))
    trace += 'provider_section provider_id=1\nstring index=1 value="name"\nprovider_event provider_id=999\n'
    trace += 'event duration_complete timestamp=1 end=2 thread=1/2 category="c" name=@1\n'
    equal([one["name"] for one in report(trace)["durations"]], ["name"])


def test_the_time_of_an_event_of_unknown_type_counts_nowhere():
    """ORD-03."""
    unknown = "word event.header size=2 event_type=12 thread=1 category=1 name=1\nu64 9999\n"
    found = report(DEMO + complete(5, 9, "@2") + unknown)
    equal((found["events"], found["start_ns"], found["span_ns"], found["gaps"]), (2, 5, 4, []))


def test_a_duration_that_ends_before_it_begins_leaves_the_start_where_it_is():
    found = report(DEMO + complete(1000, 1010, "@2") + complete(1005, 0, "@3"))
    equal(found["start_ns"], 1000)


def test_at_counts_from_the_earliest_time():
    trace = 'magic\nlog timestamp=5 thread=1/2 message="x"\n'
    trace += 'event duration_complete timestamp=1005 end=2000 thread=1/2 category="c" name="n"\n'
    trace += "context_switch timestamp=3000 cpu=0 outgoing_state=blocked outgoing_thread=1 incoming_thread=2\n"
    found = report(trace)
    equal((found["longest"][0]["start_ns"], found["start_ns"], found["span_ns"]), (1000, 5, 2995))
    cut = fxt("cut", "--from=999ns", "--to=1001ns", data=assemble(trace)).out
    equal([one["name"] for one in json.loads(fxt("report", "--json", data=cut).text)["durations"]], ["n"])


def test_gaps_beside_a_duration_with_many_events():
    """The times between the events are longer than the gaps, and more than are kept."""
    def event(kind, at):
        return f'event {kind} timestamp={at} thread=1/2 category="c" name="n"\n'
    tenth = 10**8
    trace, at = "magic\n", 0
    for _ in range(3):
        trace += event("duration_begin", at)
        for _ in range(50):
            at += tenth
            trace += event("instant", at)
        trace += event("duration_end", at)
        at += tenth // 2
    equal([gap["duration_ns"] for gap in report(trace)["gaps"]], 2 * [tenth // 2])
    trace += event("duration_begin", at) + event("instant", at + tenth)
    equal([gap["duration_ns"] for gap in report(trace)["gaps"]], 3 * [tenth // 2], "without an end, too")


def test_gaps():
    trace = DEMO + complete(10, 20, "@2") + complete(50, 70, "@3") + complete(1000, 1001, "@3")
    trace += complete(55, 60, "@4") + complete(0, 2000, "@2", "1/2")
    gaps = [(gap["start_ns"], gap["duration_ns"], gap["thread"]) for gap in report(trace)["gaps"]]
    equal(gaps, [(70, 930, "server 100/loop 101"), (20, 30, "server 100/loop 101")])
    assert "930 ns  0.000000070s  server 100/loop 101\n" in fxt("report", data=assemble(trace)).text


def test_drops():
    trace = DEMO + 'provider_info provider_id=7 name="second"\n' \
        "provider_event provider_id=7 event_id=buffer_full\n" * 2 \
        + "provider_section provider_id=0\n" + complete(1, 2, "@2")
    equal(report(trace)["drops"], [{"provider": "second", "id": 7, "provider_events": 2}])
    assert "\nrecords dropped: the buffer of second was full (provider events: 2)\n" in \
        fxt("report", data=assemble(trace)).text


def test_two_providers_with_different_tick_rates():
    trace = DEMO + 'provider_info provider_id=7 name="slow"\n' \
        "initialization ticks_per_second=1000\nthread index=1 process=9 thread=9\n"
    trace += complete(2, 5, '"slow"', category='""')  # 2 ms … 5 ms
    trace += "provider_section provider_id=0\n" + complete(3000000, 3000100, "@2")
    trace += "provider_section provider_id=7\n" + complete(3, 4, '"inner"', category='""')
    counted = report(trace)
    equal((counted["start_ns"], counted["span_ns"]), (2000000, 3000000))
    equal({row["name"]: (row["total_ns"], row["self_ns"]) for row in counted["durations"]},
          {"slow": (3000000, 2000000), "inner": (1000000, 1000000), "main": (100, 100)})
    equal([(one["name"], one["start_ns"]) for one in counted["longest"]],
          [("slow", 0), ("inner", 1000000), ("main", 1000000)])


def test_groups_of_equal_names_are_compared_as_one():
    """Two processes of a program may come in any order."""
    def trace(*ends):
        text = "magic\n"
        for number, end in enumerate(ends, 1):
            text += f'provider_info provider_id={number} name="app"\n'
            text += f'event duration_complete timestamp=0 end={end} thread=1/{number} category="c" name="n"\n'
        return assemble(text)
    write("old.fxt", trace(1000, 50))
    for ends, total, p50 in (((50, 1000), 1050, 525), ((50, 1000, 25), 1075, 50)):
        write("new.fxt", trace(*ends))
        row, = json.loads(fxt("report", "--diff", "--json", "--by=provider", "old.fxt", "new.fxt").text)["durations"]
        equal((row["name"], row["old"]["total_ns"], row["new"]["total_ns"]), ("app", 1050, total))
        equal(row["new"]["count"], len(ends))
        equal(row["new"]["p50_ns"], p50)
    equal([row["total_ns"] for row in report("magic\n" + "".join(
        f'provider_info provider_id={i} name="app"\n'
        f'event duration_complete timestamp=0 end={i} thread=1/{i} category="c" name="n"\n' for i in (1, 2)),
        "--by=provider")["durations"]], [2, 1], "not in one report")


def test_more_providers_than_the_tables_hold():
    """Provider 0 has the first place. What loses the last one is counted by itself, by its number."""
    trace = "magic\n" + "".join(
        f'provider_info provider_id={i} name="p{i}"\ninitialization ticks_per_second=1000000000\n'
        f"thread index=1 process={i} thread={i}\n" + complete(i, i + 1, '"it"', category='""')
        for i in range(1, 301))
    result = fxt("report", "--json", "--by=provider", data=assemble(trace))
    equal(result.code, 1)
    assert "more strings, objects or providers than the tables hold" in result.err, result
    rows = {row["name"]: row["count"] for row in json.loads(result.text)["durations"]}
    kept = {f"p{i}" for i in (*range(1, 255), 300)}
    equal(rows, {name: 1 for name in kept | {f"provider {i}" for i in range(255, 300)}})


def test_a_thread_koid_of_two_processes_is_two_threads():
    """WHO-01, WHO-02."""
    trace = """magic
initialization ticks_per_second=1000000000
kernel_object object_type=process koid=500 name="primary"
kernel_object object_type=thread koid=7 name="old" { "process" koid 500 }
kernel_object object_type=thread koid=7 name="io A" { "process" koid 500 }
kernel_object object_type=process koid=600 name="secondary"
kernel_object object_type=thread koid=7 name="io B" { "process" koid 600 }
kernel_object object_type=thread koid=0 name="control" { "process" koid 600 }
kernel_object object_type=thread koid=7 name="any"
"""
    for process, thread in ((500, 7), (600, 7), (600, 0), (700, 7)):
        trace += complete(1, 2, '"x"', f"{process}/{thread}", '"c"')
    late = 'provider_info provider_id=2 name="late"\nkernel_object object_type=process koid=700 name="third"\n'
    equal({name for name, _ in durations(trace + late, "--by=thread")},
          {"primary 500/io A 7", "secondary 600/io B 7", "secondary 600/control 0", "third 700/any 7"})


def test_references_that_change():
    """A string that is registered again, another trace in the file, unregistered refs."""
    trace = DEMO + complete(1, 2, "@2") + 'string index=2 value="changed"\n' + complete(3, 5, "@2")
    trace += complete(6, 10, "@77", "@9")
    trace += "magic\nthread index=1 process=100 thread=101\n" + 'string index=2 value="fresh"\n'
    trace += complete(0, 100, "@2", category='""')
    rows = durations(trace)
    equal({name: row["total_ns"] for (name, _), row in rows.items()},
          {"main": 1, "changed": 2, "<unknown #77>": 4, "fresh": 100})
    equal(rows["fresh", False]["self_ns"], 100)
    equal({name for name, _ in durations(trace, "--by=thread")},
          {"server 100/loop 101", "thread ref 9", "process 100/thread 101"})


HOSTILE = [r"\x1b[31mred", r"a;b c", r"<b>&\"'", r"\xff\xfe", r"\x00", r"\xe2\x80\xae", "",
           r"\xef\xbf\xbf", "a,b", r"x\ny", "=1+1"]


def hostile():
    return DEMO + "".join(complete(i * 10, i * 10 + 5, f'"{name}"')
                          for i, name in enumerate(HOSTILE))


def test_hostile_names():
    for by in ("name", "thread"):
        trace = hostile().replace("server", r"\x1b]0;x\x07")
        result = fxt("report", "--by=" + by, data=assemble(trace))
        equal(result.code, 0)
        assert not any(c in result.out for c in (b"\x1b", b"\xff", b"\0", b"\x07")), result
        assert "\u202e" not in result.text
    assert r"\x1b[31mred" in fxt("report", data=assemble(hostile())).text
    equal(len(report(hostile())["durations"]), len(HOSTILE))
    rows = list(csv.reader(io.StringIO(fxt("report", "--csv", data=assemble(hostile())).text)))
    equal({row[0] for row in rows[1:]},
          {r"\x1b[31mred", "a;b c", "<b>&\"'", r"\xff\xfe", r"\x00", r"\xe2\x80\xae", "",
           "\uffff", "a,b", r"x\x0ay", "=1+1"})


def test_csv():
    trace = DEMO + frames() + "event async_begin timestamp=1 thread=@1 category=@1 name=@2 id=1\n" \
        "event async_end timestamp=5 thread=@1 category=@1 name=@2 id=1\n"
    result = fxt("report", "--csv", "--sort=count", data=assemble(trace))
    rows = list(csv.DictReader(io.StringIO(result.text)))
    equal([(row["name"], row["async"], row["count"], row["total_ns"], row["self_ns"])
           for row in rows],
          [("io", "false", "100", "10500", "10500"), ("work", "false", "50", "40000", "29500"),
           ("main", "false", "1", "60000", "20000"), ("main", "true", "1", "4", "")])
    for row, other in zip(rows, report(trace, "--sort=count")["durations"]):
        for key in ("min_ns", "p50_ns", "p90_ns", "p99_ns", "max_ns"):
            equal(int(row[key]), other[key])
    equal(fxt("report", "--csv", "--by=thread", data=assemble(trace)).lines()[0].split(",")[0],
          "thread")


def folded(trace):
    result = fxt("report", "--folded", data=assemble(trace))
    equal(result.code, 0, result)
    return dict(line.rsplit(" ", 1) for line in result.lines())


def test_folded():
    top = "provider 0;server 100/loop 101;"
    expected = {top + "main": "20000", top + "main;work": "29500", top + "main;work;io": "10500"}
    lines = frames().splitlines(True)
    equal(folded(DEMO + "".join(lines)), expected)
    random.Random(1).shuffle(lines)
    equal(folded(DEMO + "".join(lines)), expected)


def test_folded_sums_equal_total():
    """On any trace: the sum of all stacks is that of all self times."""
    draw = random.Random(3)
    trace = DEMO
    for _ in range(2000):
        at = draw.randrange(10000)
        thread = draw.choice(["@1", "5/6", "5/7"])
        trace += complete(at, at + draw.randrange(1 + draw.randrange(2000)),
                          draw.choice(["@2", "@3", "@4"]), thread)
        trace += draw.choice(["", begin(at, "@3", thread), end(at + 50, thread)])
    selfs = [row["self_ns"] for row in report(trace)["durations"]]
    equal(sum(map(int, folded(trace).values())), sum(selfs))
    for by in ("category", "thread", "process", "provider"):
        equal(sum(row["self_ns"] for row in report(trace, "--by=" + by)["durations"]), sum(selfs))


def test_of_more_stacks_than_the_report_holds_the_rest_is_left_out():
    names = [word(2 | 2 << 4 | i << 16 | 8 << 32) + b"%08d" % i for i in range(1, 1501)]
    events = []
    for outer in range(1, 1501):
        at = outer * 10000
        events.append(word(4 | 2 << 4 | 2 << 16 | 1 << 24 | outer << 48) + word(at))
        for inner in range(1, 1501):
            events.append(word(4 | 3 << 4 | 4 << 16 | 1 << 24 | inner << 48) + word(at + inner) + word(at + inner + 1))
        events.append(word(4 | 2 << 4 | 3 << 16 | 1 << 24 | outer << 48) + word(at + 1600))
    write("many.fxt", assemble("magic\nthread index=1 process=1 thread=2\n") + b"".join(names) + b"".join(events))
    result = fxt("report", "--folded", "many.fxt")
    equal((result.code, "more stacks than the report holds" in result.err), (1, True), result.err)
    assert result.text.count("\n") > 1700000, result.text.count("\n")
    assert "00000001" in fxt("report", "--flamegraph", "many.fxt").text


def test_folded_hostile_names():
    found = folded(hostile())
    equal(len(found), len(HOSTILE))
    for stack in found:
        equal(stack.count(";"), 2, stack)
    equal({stack.split(";")[2] for stack in found} & {r"a\x3bb c", "(empty)", r"\xff\xfe"},
          {r"a\x3bb c", "(empty)", r"\xff\xfe"})


def test_deep_stacks_are_cut():
    trace = DEMO + "".join(begin(i, "@3") for i in range(2000)) + \
        "".join(end(10000 + i) for i in range(2000))
    lines = list(folded(trace))
    assert max(line.count(";") for line in lines) <= 1000
    assert lines[-1].endswith(";work;...")
    flamegraph(trace)


def flamegraph(trace):
    result = fxt("report", "--flamegraph", data=assemble(trace))
    equal(result.code, 0, result)
    return ElementTree.fromstring(result.out)


SVG = "{http://www.w3.org/2000/svg}"


def test_flamegraph():
    root = flamegraph(DEMO + frames())
    boxes = {box.find(SVG + "title").text.split(":")[0]: box for box in root.findall(SVG + "svg")}
    equal(sorted(boxes), ["io", "main", "provider 0", "server 100/loop 101", "work"])
    equal(boxes["work"].find(SVG + "title").text,
          "work: 40.00 µs, 66.67 % of all; self 29.50 µs; count 50")
    equal([boxes[name].get("width") for name in ("main", "work", "io")],
          ["1200.00", "800.00", "210.00"])
    equal(boxes["work"].find(SVG + "text").text, "work")
    assert not root.findall(".//" + SVG + "script")
    # A caller is below what it calls, and as far to the left as the first of them.
    assert float(boxes["main"].get("y")) == float(boxes["work"].get("y")) + 17
    equal(boxes["main"].get("x"), boxes["work"].get("x"))
    assert "short" not in "".join(root.itertext())
    tiny = flamegraph(DEMO + complete(0, 1, "@3") + complete(5, 1000000, "@2"))
    assert "1 calls are too short to be drawn" in "".join(tiny.itertext())


def test_flamegraph_hostile_names():
    titles = [title.text.split(": ")[0] for title in flamegraph(hostile()).iter(SVG + "title")]
    assert "<b>&\"'" in titles and r"\xef\xbf\xbf" in titles, titles
    flamegraph("magic\n")


def test_diff():
    draw = random.Random(5)

    def trace(slower, count=1000, more=""):
        text, at = DEMO, 0
        for _ in range(count):
            length = draw.randrange(1000, 1100)
            text += complete(at, at + slower * length, "@3")
            text += complete(at, at + length, "@4", "1/2")
            at += 10000
        return text + complete(0, slower * 1000, "@2") + more
    write("old.fxt", trace(1, more=complete(0, 77, '"gone"', "1/3")))
    write("same.fxt", trace(1))
    write("slow.fxt", trace(2, more=complete(0, 77, '"new"', "1/3")))

    def changes(*files):
        result = fxt("report", "--diff", "--json", *files)
        equal((result.code, result.err), (0, ""))
        return {row["name"]: row for row in json.loads(result.text)["durations"]}
    for row in changes("old.fxt", "same.fxt").values():
        equal((row["total_is_large"], row["p50_is_large"]), (False, False), row)
    found = changes("old.fxt", "slow.fxt")
    equal((found["work"]["total_is_large"], found["work"]["p50_is_large"]), (True, True))
    equal((found["io"]["total_is_large"], found["io"]["p50_is_large"]), (False, False))
    equal((found["main"]["total_is_large"], found["main"]["p50_is_large"]), (False, False))
    equal((found["gone"]["new"], found["new"]["old"]), (None, None))
    equal(found["main"]["old"], {"count": 1, "total_ns": 1000, "p50_ns": 1000})
    text = fxt("report", "--diff", "old.fxt", "slow.fxt").text
    lines = {line.split()[-1]: line for line in text.splitlines()}
    equal(lines["main"].split(), "1.000 µs 2.000 µs +100.0 % 1.000 µs 2.000 µs +100.0 % main".split())
    equal(lines["work"].count("*"), 2, text)
    equal(lines["new"].split(), "- 77 ns new - 77 ns new new".split())
    equal(lines["gone"].split(), "77 ns - gone 77 ns - gone gone".split())
    assert text.splitlines()[2].endswith(" work"), text  # the largest change first
    rows = list(csv.DictReader(io.StringIO(
        fxt("report", "--diff", "--csv", "--sort=name", "old.fxt", "slow.fxt").text)))
    equal([row["name"] for row in rows], ["gone", "io", "main", "new", "work"])
    equal((rows[0]["new_count"], rows[4]["p50_is_large"]), ("", "true"))
    equal(fxt("report", "--diff", "old.fxt", "missing.fxt").code, 3)
    equal(fxt("report", "--diff", "missing.fxt", "old.fxt").code, 3)


def test_empty_traces():
    for data in (b"", assemble("magic\n"), assemble(HEAD)):
        result = fxt("report", "--allow-empty", data=data)
        equal((result.code, result.text, result.err), (0, "<stdin>: 0 events, 0 durations\n", ""))
        counted = json.loads(fxt("report", "--allow-empty", "--json", data=data).text)
        equal((counted["durations"], counted["span_ns"], counted["complete"]), ([], 0, True))
        equal(len(fxt("report", "--allow-empty", "--csv", data=data).lines()), 1)
        equal(fxt("report", "--allow-empty", "--folded", data=data).text, "")
    result = fxt("report", data=assemble(GOOD))
    equal(result.lines()[0], "<stdin>: 3 events, 1 duration in 20 ns")


def test_malformed_traces():
    for data in (assemble(DEMO + complete(1, 2, "@2")) + word(0x14),
                 assemble(DEMO + complete(1, 2, "@2")) + word(0) * 3,
                 assemble(DEMO + complete(1, 2, "@2"))[:-8]):
        result = fxt("report", data=data)
        equal(result.code, 1)
        equal(result.err, "<stdin>: left out: 1 place that cannot be decoded; "
              "'fxt check' lists them\n")
        assert json.loads(fxt("report", "--json", data=data).text)["malformed"] == 1
    equal(fxt("report", data=b"#!/bin/sh\necho text, not a trace\n").code, 1)
    equal(fxt("report", "missing.fxt").code, 3)


def test_too_many_names():
    """What exceeds a limit is told, and counted all the same."""
    lines = [complete(i, i + 1, f'"name {i}"') for i in range(70000)]
    result = fxt("report", "--json", data=assemble(DEMO + "".join(lines)))
    equal(result.code, 1)
    assert "more groups of durations than the report holds" in result.err, result.err
    counted = json.loads(result.text)
    equal(counted["complete"], False)
    equal(sum(row["count"] for row in counted["durations"]), 70000)
    equal([row["count"] for row in counted["durations"] if row["name"] == "(others)"], [70000 - 65535])


def test_color():
    write("demo.fxt", DEMO + frames())
    assert "\033[" in fxt("report", "--color=always", "demo.fxt").text
    for option in ("--color=never", "--color=auto"):
        assert "\033[" not in fxt("report", option, "demo.fxt").text
    equal(fxt("report", "--color=always", "-o", "out", "demo.fxt").text, "")
    assert b"\033[" in open("out", "rb").read()


def test_wrong_usage():
    write("demo.fxt", DEMO + frames())
    for options in (["--by=x"], ["--sort="], ["--top=0"], ["--top=1001"], ["--top=x"],
                    ["--color=red"]):
        result = fxt("report", *options, "demo.fxt")
        equal((result.code, result.text), (2, ""), options)
        assert "invalid argument" in result.err
    for options in (["demo.fxt", "demo.fxt"], ["--json", "--csv", "demo.fxt"], ["--diff", "demo.fxt"],
                    ["--diff", "--folded", "demo.fxt", "demo.fxt"], ["--folded", "-j", "demo.fxt"]):
        result = fxt("report", *options)
        equal((result.code, result.text), (2, ""), options)


testing.main(globals())
