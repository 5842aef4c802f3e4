#!/usr/bin/env python3
"""fxt sql: the tables of a trace, what SQL says of them, and the three forms of output."""

import csv
import io
import json
import os
import random
import re
import sqlite3
import subprocess
import sys

sys.dont_write_bytecode = True
import testing
from testing import HEAD, equal, fxt, word, write

NAMES = """\
magic
initialization ticks_per_second=1000000000
string index=1 value="cat"
string index=2 value="outer"
string index=3 value="inner"
string index=4 value="n"
thread index=1 process=100 thread=101
thread index=2 process=200 thread=201
kernel_object object_type=process koid=100 name="server"
kernel_object object_type=thread koid=101 name="loop" { "process" koid 100 }
"""


def event(kind, at, name="@2", thread="@1", more="", args=""):
    """The disassembler's line of an event."""
    args = " { %s }" % args if args else ""
    return (f"event {kind} timestamp={at} thread={thread} category=@1 name={name}"
            f"{' ' + more if more else ''}{args}\n")


def rows(trace, *queries, code=0):
    write("t.fxt", trace)
    result = fxt("sql", "--json", "t.fxt", *queries)
    equal(result.code, code, result)
    return [json.loads(line) for line in result.lines()]


def values(trace, query, code=0):
    return [tuple(row.values()) for row in rows(trace, query, code=code)]


def test_durations_nest():
    trace = NAMES + event("duration_begin", 10) + event("duration_begin", 20, "@3")
    trace += event("duration_end", 30, "@3") + event("duration_end", 50)
    equal(values(trace, "select id, ts, dur, name, category, depth, parent_id from slice"),
          [(0, 10, 40, "outer", "cat", 0, None), (1, 20, 10, "inner", "cat", 1, 0)])
    equal(values(trace, "select name, thread_name, process_name, tid, pid from thread_slice"),
          [("outer", "loop", "server", 101, 100), ("inner", "loop", "server", 101, 100)])
    equal(values(trace, "select id, self_dur from slice_self_dur order by id"), [(0, 30), (1, 10)])


def test_an_end_before_its_begin_does_not_stretch_the_trace():
    trace = NAMES + event("duration_complete", 1000, more="end=1500")
    trace += event("duration_complete", 2000, more="end=0") + "magic\n" + event("instant", 3000, more="scope=thread")
    equal(values(trace, "select trace_start(), trace_end()"), [(1000, 3000)])


def test_self_durations_of_slices_that_never_end():
    trace = NAMES + event("duration_complete", 0, more="end=100") + event("duration_begin", 70, "@3")
    equal(values(trace, "select self_dur from slice_self_dur order by id"), [(70,), (-1,)])
    trace = NAMES + event("duration_begin", 0) + event("duration_complete", 10, "@3", more="end=60")
    equal(values(trace, "select self_dur from slice_self_dur order by id"), [(-1,), (50,)])


def test_self_durations_count_what_overlaps_inside_once():
    trace = NAMES + event("duration_complete", 0, more="end=100")
    trace += "".join(event("duration_complete", begin, "@3", more=f"end={end}")
                     for begin, end in ((10, 60), (20, 90), (30, 95), (97, 98)))
    equal(values(trace, "select self_dur from slice_self_dur order by id limit 1"), [(14,)])


def test_durations_pair_in_the_order_of_time():
    lines = [event("duration_begin", 10), event("duration_begin", 20, "@3"),
             event("duration_end", 30, "@3", args='"n" int32 7'), event("duration_end", 50),
             event("duration_begin", 60), event("duration_end", 70)]
    for order in ([0, 1, 2, 3, 4, 5], [2, 3, 4, 5, 0, 1], [4, 5, 2, 3, 1, 0], [3, 5, 2, 4, 1, 0]):
        trace = NAMES + "".join(lines[i] for i in order)
        equal(values(trace, "select ts, dur, name, depth, extract_arg(arg_set_id, 'n') from slice order by ts"),
              [(10, 40, "outer", 0, None), (20, 10, "inner", 1, 7), (60, 10, "outer", 0, None)], order)
        equal(values(trace, "select count(*) from fxt_stray"), [(0,)], order)
    trace = NAMES + event("duration_end", 5) + lines[3] + lines[0] + lines[1]
    equal(values(trace, "select ts, dur from slice"), [(10, -1), (20, 30)])
    equal(values(trace, "select ts from fxt_stray"), [(5,)])


def test_of_one_time_the_order_of_the_file_tells_what_is_inside():
    """a holds b, which has no length; after a, also without length, come c and then d."""
    trace = NAMES + event("duration_begin", 10) + event("duration_begin", 20, "@3")
    trace += event("duration_end", 20, "@3") + event("duration_end", 20)
    trace += event("duration_begin", 20, "@3") + event("duration_end", 20, "@3")
    trace += event("duration_begin", 20, "@4") + event("duration_end", 30, "@4")
    equal(values(trace, "select ts, dur, name, depth from slice"),
          [(10, 10, "outer", 0), (20, 0, "inner", 1), (20, 0, "inner", 0), (20, 10, "n", 0)])


def test_a_complete_duration_is_around_those_before_it_in_the_file():
    trace = NAMES + event("duration_complete", 20, "@3", more="end=30")
    trace += event("duration_complete", 20, more="end=30")
    trace += event("duration_complete", 10, more="end=30")
    equal(values(trace, "select ts, dur, name, depth, parent_id from slice"),
          [(10, 20, "outer", 0, None), (20, 10, "outer", 1, 0), (20, 10, "inner", 2, 1)])


def test_functions_return_the_slices_around_and_inside():
    trace = NAMES + event("duration_complete", 10, more="end=30")
    trace += event("duration_complete", 10, "@3", more="end=20")
    trace += event("duration_complete", 12, "@4", more="end=15")
    trace += event("duration_complete", 22, "@3", more="end=30")
    equal(values(trace, "select s.id as slice, a.id, a.name from slice s join ancestor_slice(s.id) a"),
          [(1, 0, "outer"), (2, 0, "outer"), (2, 1, "inner"), (3, 0, "outer")])
    equal(values(trace, "select s.id as slice, d.id from slice s join descendant_slice(s.id) d"),
          [(0, 1), (0, 2), (0, 3), (1, 2)])
    equal(values(trace, "select count(*) from descendant_slice(0) where name = 'inner'"), [(2,)])
    for none in ("null", "-1", "4", "'text'"):
        equal(values(trace, "select id from ancestor_slice(%s)" % none), [])
    write("t.fxt", trace)
    result = fxt("sql", "t.fxt", "select * from ancestor_slice")
    equal(result.err, "fxt: sql: ancestor_slice needs the id of a slice, as in ancestor_slice(7)\n")


def test_functions_follow_flows_in_both_directions():
    """From what is inside a slice, and to what is around it."""
    trace = NAMES + event("duration_complete", 10, more="end=20")
    trace += event("duration_complete", 12, "@3", more="end=15") + event("flow_begin", 13, more="id=1")
    trace += event("duration_complete", 30, more="end=40") + event("flow_end", 31, more="id=1")
    trace += event("duration_complete", 34, "@3", more="end=38") + event("flow_begin", 35, more="id=2")
    trace += event("duration_complete", 50, more="end=60") + event("flow_end", 51, more="id=2")
    equal(values(trace, "select slice_out, slice_in from flow"), [(1, 2), (3, 4)])
    for name, expected in (("directly_connected_flow", [(1, 0), (2, 0), (3, 1), (4, 1)]),
                           ("following_flow", [(0, 0), (0, 1), (1, 0), (1, 1), (2, 1), (3, 1)]),
                           ("preceding_flow", [(2, 0), (3, 0), (4, 0), (4, 1)])):
        equal(values(trace, "select s.id as slice, f.id from slice s join %s(s.id) f" % name), expected)


def test_durations_that_overlap_are_neighbours():
    trace = NAMES + event("duration_complete", 10, more="end=30")
    trace += event("duration_complete", 20, "@3", more="end=40")
    trace += event("duration_complete", 25, "@3", more="end=28")
    equal(values(trace, "select ts, dur, depth, parent_id from slice"),
          [(10, 20, 0, None), (20, 20, 0, None), (25, 3, 1, 1)])


# Each with its records, and its slices and flows: what, and the slice around it.
PLACES = [
    ("B10a E10 B10b E20", "a b"),
    ("B10a C10b-10 E10", "a b<a"),
    ("C10a-20 B15b C15c-15 E15", "a b<a c<b"),
    ("B10a C20b-20 E20", "a b<a"),
    ("B10a E20 C20b-20", "a b"),
    ("C20b-20 C10a-20", "a b<a"),
    ("C10a-20 C20b-20", "a b"),
    ("C10a-20 C10b-10", "a b<a"),
    ("C10a-10 C10b-10", "a b"),
    ("C10a-20 C10b-20", "b a<b"),
    ("C10a-20 C10b-20 C10c-15", "b a<b c<a"),
    ("B10a C10b-20 E20", "a b<a"),
    ("B10a E20 C10b-20", "b a<b"),
    ("C10a-20 C15b-20", "a b<a"),
    ("C15b-20 C10a-20", "a b<a"),
    ("B10a E10 B10b C10c-15 E20", "a b c<b"),
    ("B10a C15b-20 I20i E20 I20j", "a b<a i<a j"),
    ("C10a-20 B15b C16c-30", "a b<a c"),
    ("F10 B10a F10 E20 F20 B20b F20 E30", "a b flows: - a - b"),
    ("F10 C10a-20 F20 C20b-30", "a b flows: a b"),
    ("C10a-20 F20", "a flows: -"),
    ("F20 C10a-20", "a flows: a"),
]


def lines_of(places):
    kinds = {"B": "duration_begin", "E": "duration_end", "C": "duration_complete", "I": "instant", "F": "flow_begin"}
    for number, (kind, at, name, end) in enumerate(re.findall(r"([BECIF])(\d+)(\w?)-?(\d*)", places)):
        more = {"C": "end=" + end, "F": "id=%d" % number, "I": "scope=thread"}.get(kind, "")
        yield event(kinds[kind], at, '"%s"' % name, more=more)


def test_the_order_of_records_tells_what_encloses_what_at_one_time():
    for places, expected in PLACES:
        trace = NAMES + "".join(lines_of(places))
        slices = values(trace, "select s.name, p.name as parent from slice s left join slice p on p.id = s.parent_id")
        flows = values(trace, "select s.name from fxt_flow_event f left join slice s on s.id = f.slice_id")
        got = " ".join(name + ("<" + parent if parent else "") for name, parent in slices)
        got += " flows: " + " ".join(name or "-" for name, in flows) if flows else ""
        equal(got, expected, places)


def test_a_step_in_no_slice_is_passed_over():
    trace = NAMES + event("duration_complete", 10, more="end=20") + event("flow_begin", 12, more="id=1")
    trace += event("flow_step", 25, more="id=1") + event("duration_complete", 30, more="end=40")
    trace += event("flow_end", 31, more="id=1")
    equal(values(trace, "select slice_out, slice_in from flow"), [(0, 1)])


def test_a_begin_without_an_end_has_dur_minus_1_and_holds_what_follows():
    trace = NAMES + event("duration_begin", 10) + event("instant", 20, "@3", more="scope=global")
    equal(values(trace, "select dur, depth, parent_id, fxt_event, fxt_scope from slice"),
          [(-1, 0, None, "duration_begin", None), (0, 1, 0, "instant", "global")])
    equal(values(trace, "select value from stats where name = 'fxt_unfinished'"), [(1,)])


def test_an_end_that_names_another_event_is_counted():
    lost = NAMES + event("duration_begin", 10) + event("duration_begin", 11, "@3") + event("duration_end", 20)
    for trace, crossed in ((lost, 1), (lost + event("duration_end", 30, "@3"), 2),
                           (lost.replace('20 thread=@1 category=@1 name=@2', '20 thread=@1 category=@1 name=""'), 0)):
        equal(values(trace, "select value from stats where name = 'fxt_crossed'"), [(crossed,)], trace)


def test_what_is_no_slice_is_in_fxt_stray():
    trace = NAMES + event("duration_end", 10, args='"n" int32 1')
    trace += event("duration_complete", 30, more="end=20") + event("async_end", 40, more="id=0xff")
    equal(values(trace, "select ts, event, name, utid, end_ts, async_id from fxt_stray"),
          [(10, "duration_end", "outer", 1, None, None),
           (30, "duration_complete", "outer", 1, 20, None),
           (40, "async_end", "outer", 1, None, "255")])
    equal(values(trace, "select count(*) from slice"), [(0,)])
    equal(values(trace, "select extract_arg(arg_set_id, 'n') from fxt_stray where id = 0"), [(1,)])


def test_async_ids_belong_to_a_process():
    trace = NAMES + event("async_begin", 10, more="id=7", args='"n" int32 1')
    trace += event("async_begin", 20, "@3", "@2", "id=7") + event("async_end", 30, more="id=7")
    trace += event("async_end", 50, "@3", "@2", "id=7", '"n" int32 2')
    equal(values(trace, "select s.name, dur, depth, pid, fxt_id from process_slice s "
                        "join process_track t on t.id = s.track_id"),
          [("outer", 20, 0, 100, "7"), ("inner", 30, 0, 200, "7")])
    equal(values(trace, "select extract_arg(arg_set_id, 'n') from slice"), [(1,), (2,)])
    equal(values(trace, "select extract_arg(source_arg_set_id, 'upid') = upid from process_track"),
          [(1,), (1,)])


def test_async_events_pair_in_the_order_of_time():
    trace = NAMES + event("async_end", 30, more="id=7") + event("async_begin", 10, more="id=7")
    equal(values(trace, "select ts, dur from slice"), [(10, 20)])


def test_arguments_keep_their_values():
    trace = NAMES + event("instant", 10, more="scope=thread", args=(
        '"i" int64 -5, "u" uint64 18446744073709551615, "d" double 1.5, "x" double 0x7ff8000000000000, '
        '"s" string "text", "p" pointer 0xff, "k" koid 9, "b" bool true, "z" null, '
        '"o" blob "a\\xff", "i" int32 6'))
    got = rows(trace, "select key, value_type, int_value, string_value, real_value, display_value, "
                      "fxt_type, fxt_blob from args join slice using (arg_set_id)")
    equal([tuple(row.values()) for row in got], [
        ("i", "int", -5, None, None, "-5", "int64", None),
        ("u", "int", -1, None, None, "18446744073709551615", "uint64", None),
        ("d", "real", None, None, 1.5, "1.5", "double", None),
        ("x", "real", None, None, None, "NaN", "double", None),
        ("s", "string", None, "text", None, "text", "string", None),
        ("p", "pointer", 255, None, None, "0xff", "pointer", None),
        ("k", "int", 9, None, None, "9", "koid", None),
        ("b", "bool", 1, None, None, "true", "bool", None),
        ("z", "null", None, None, None, "null", "null", None),
        ("o", "blob", None, None, None, "2 bytes", "blob", "61ff"),
        ("i", "int", 6, None, None, "6", "int32", None)])
    equal(values(trace, "select extract_arg(arg_set_id, 'i'), extract_arg(arg_set_id, 's'), "
                        "extract_arg(arg_set_id, 'none'), extract_arg(null, 's') from slice"),
          [(6, "text", None, None)])


def test_the_arguments_of_a_begin_and_its_end_are_one_set():
    trace = NAMES + event("duration_begin", 10, args='"a" int32 1')
    trace += event("instant", 15, "@3", more="scope=thread", args='"b" int32 9')
    trace += event("duration_end", 20, args='"c" int32 3')
    equal(values(trace, "select a.key, a.int_value from slice s join args a using (arg_set_id) "
                        "where s.id = 0"), [("a", 1), ("c", 3)])


def test_the_arguments_of_an_end_that_comes_first_stay_in_order():
    trace = NAMES + event("duration_end", 20, args='"a" int32 1')
    trace += event("duration_begin", 10, args='"b" int32 2')
    for order, keys in (("id", ["a", "b"]), ("id desc", ["b", "a"])):
        equal(values(trace, "select key from args where arg_set_id = (select arg_set_id from slice) "
                            f"order by {order}"), [(key,) for key in keys])


def test_counters():
    trace = NAMES + event("counter", 20, more="id=5", args=(
        '"n" int32 -1, "u" uint64 18446744073709551615, "s" string "x"'))
    trace += event("counter", 10, more="id=5", args='"n" double 0x7ff8000000000000')
    trace += event("counter", 5, thread="@2", more="id=5", args='"n" uint32 4')
    equal(values(trace, "select c.ts, c.value, c.fxt_value, t.name, p.pid, t.fxt_id from counter c "
                        "join process_counter_track t on t.id = c.track_id join process p using "
                        "(upid)"),
          [(5, 4.0, "4", "outer:n:5", 200, "5"), (10, None, "NaN", "outer:n:5", 100, "5"),
           (20, -1.0, "-1", "outer:n:5", 100, "5"),
           (20, 18446744073709551616.0, "18446744073709551615", "outer:u:5", 100, "5")])
    equal(values(trace, "select distinct extract_arg(arg_set_id, 's') from counter where ts = 20"),
          [("x",)])


def test_a_bool_is_0_or_1_and_a_counter_without_a_number_is_a_stray():
    trace = NAMES + event("counter", 1, more="id=5", args='"on" bool true')
    trace += event("counter", 2, more="id=5", args='"on" bool false, "why" string "x"')
    trace += event("counter", 3, "@3", more="id=6", args='"at" pointer 0x10, "text" string "idle"')
    trace += event("counter", 4, "@3", more="id=6")
    equal(values(trace, "select ts, value, fxt_value, fxt_type, extract_arg(arg_set_id, 'why') from counter"),
          [(1, 1.0, "1", "bool", None), (2, 0.0, "0", "bool", "x")])
    equal(values(trace, "select ts, event, name, extract_arg(arg_set_id, 'text') from fxt_stray"),
          [(3, "counter", "inner", "idle"), (4, "counter", "inner", None)])
    equal(values(trace, "select value from stats where name = 'fxt_counter_without_value'"), [(2,)])


def test_flows_go_from_slice_to_slice():
    trace = NAMES + event("flow_begin", 15, more="id=0x8000000000000000", args='"n" int32 1')
    trace += event("duration_complete", 10, more="end=20")
    trace += event("duration_complete", 30, "@3", "@2", "end=40")
    trace += event("flow_end", 35, "@3", "@2", "id=0x8000000000000000")
    trace += event("flow_end", 99, "@3", "@2", "id=4")
    equal(values(trace, "select slice_out, slice_in, trace_id, fxt_id from flow"),
          [(0, 1, -1 << 63, str(1 << 63))])
    equal(values(trace, "select event, name, slice_id, extract_arg(arg_set_id, 'n') "
                        "from fxt_flow_event"),
          [("flow_begin", "outer", 0, 1), ("flow_end", "inner", 1, None),
           ("flow_end", "inner", None, None)])


def test_a_thread_has_the_name_of_its_process_or_else_of_its_koid():
    trace = NAMES + 'kernel_object object_type=thread koid=101 name="of no process"\n'
    trace += 'kernel_object object_type=thread koid=7 name="first"\n' + event("instant", 1, thread="300/7")
    trace += event("instant", 2, thread="400/7") + 'kernel_object object_type=thread koid=7 name="last"\n'
    equal(values(trace, "select tid, pid, thread.name from thread left join process using (upid) where tid > 0"),
          [(101, 100, "loop"), (7, 300, "last"), (7, 400, "last")])


def test_koids_keep_64_bits():
    virtual = (1 << 63) + 1
    trace = HEAD + f"event instant timestamp=1 thread={{{(1 << 40) + 1} {virtual}}} " \
                   "category=@1 name=@2 scope=thread\n"
    trace = trace.replace("{", "").replace("}", "")
    trace = trace.replace(f"thread={(1 << 40) + 1} {virtual}", f"thread={(1 << 40) + 1}/{virtual}")
    equal(values(trace, "select tid, t.fxt_koid, pid from thread t join process using (upid) "
                        "where utid > 0"),
          [(virtual - (1 << 64), str(virtual), (1 << 40) + 1)])


def test_scheduling():
    trace = NAMES + "thread_wakeup timestamp=5 cpu=2 waking_thread=101 { \"waker\" koid 7 }\n"
    trace += "context_switch timestamp=10 cpu=2 outgoing_state=blocked outgoing_thread=7 " \
             "incoming_thread=101\n"
    trace += "context_switch timestamp=30 cpu=2 outgoing_state=dead outgoing_thread=101 " \
             "incoming_thread=0\n"
    equal(values(trace, "select ts, dur, cpu, tid, end_state, ts_end from sched join thread "
                        "using (utid)"), [(10, 20, 2, 101, "X", 30)])
    equal(values(trace, "select ts, s.dur, t.tid, state, w.tid as waker from thread_state s join thread t "
                        "using (utid) left join thread w on w.utid = s.waker_utid"),
          [(5, 5, 101, "W", 7), (10, -1, 7, "S", None), (10, 20, 101, "Running", None),
           (30, -1, 101, "X", None)])
    equal(values(trace, "select cpu from cpu"), [(2,)])
    equal(values(trace, "select name from sched join thread using (utid)"), [("loop",)])


def test_a_wakeup_without_a_waker_has_none():
    trace = NAMES + "thread_wakeup timestamp=5 cpu=2 waking_thread=101\n"
    trace += "thread_wakeup timestamp=6 cpu=2 waking_thread=9 { \"weight\" int32 -2147483648 }\n"
    equal(values(trace, "select ts, tid, waker_utid from thread_state join thread using (utid)"),
          [(5, 101, None)], "the idle thread is no row")


def test_a_wakeup_of_a_thread_that_runs_changes_nothing():
    switch = "context_switch timestamp=%d cpu=%d outgoing_state=blocked outgoing_thread=%d incoming_thread=%d\n"
    wakeup = "thread_wakeup timestamp=%d cpu=1 waking_thread=7\n"
    trace = "magic\n" + switch % (100, 0, 0, 7) + wakeup % 150 + switch % (200, 0, 7, 0) + wakeup % 250
    equal(values(trace, "select ts, dur, state from thread_state order by ts"),
          [(100, 100, "Running"), (200, 50, "S"), (250, -1, "W")])
    equal(values(trace, "select ts, dur from sched"), [(100, 100)])
    lost = "magic\n" + switch % (100, 0, 0, 7) + wakeup % 150 + switch % (200, 0, 9, 0) + wakeup % 250
    equal(values(lost, "select ts, s.dur, state from thread_state s join thread using (utid) where tid = 7 order by ts"),
          [(100, 100, "Running"), (250, -1, "W")])


def test_processors_that_become_idle_do_not_hide_others():
    """Many are found by one hash table; the order in it is another in each run."""
    def switch(at, cpu, outgoing, incoming):
        return (f"context_switch timestamp={at} cpu={cpu} outgoing_thread={outgoing} incoming_thread={incoming} "
                "outgoing_state=blocked\n")
    trace = "magic\n" + "".join(
        [switch(100 + i, i, 0, 1000 + i) for i in range(60)] +
        [switch(200 + i, i, 1000 + i, 0) for i in range(0, 60, 2)] +
        [switch(300 + i, i, 0, 0) for i in range(1, 60, 2)])
    for _ in range(5):
        equal(values(trace, "select count(*), min(dur) from sched"), [(60, 100)])


def test_koid_0_of_a_legacy_switch_is_idle():
    switch = "legacy_switch timestamp=%d cpu=0 outgoing_state=blocked outgoing_thread=%s incoming_thread=%s " \
             "outgoing_priority=%d incoming_priority=%d\n"
    trace = NAMES + switch % (10, "1/2", "0/0", 0, 1) + switch % (50, "0/0", "@1", 1, 0)
    trace += switch % (90, "@1", "0/5", 3, 0)
    equal(values(trace, "select ts, dur, tid from sched join thread using (utid)"), [(50, 40, 101)])


def test_switches_of_two_traces_in_a_file_are_apart():
    switch = "context_switch timestamp=%d cpu=0 outgoing_state=blocked outgoing_thread=%d incoming_thread=%d\n"
    trace = "magic\n" + switch % (10, 0, 1) + switch % (100, 1, 0)
    trace += "magic\n" + switch % (50, 0, 2) + switch % (60, 2, 0)
    equal(values(trace, "select ts, dur, tid, end_state from sched join thread using (utid)"),
          [(10, 90, 1, "S"), (50, 10, 2, "S")])


def test_switches_of_two_providers_are_apart():
    switch = "context_switch timestamp=%d cpu=0 outgoing_state=blocked outgoing_thread=%d incoming_thread=%d\n"
    trace = "magic\n" + switch % (10, 0, 1) + switch % (100, 1, 0)
    trace += 'provider_info provider_id=2 name="p"\n' + switch % (50, 0, 2) + switch % (60, 2, 0)
    equal(values(trace, "select ts, dur, tid, end_state from sched join thread using (utid)"),
          [(10, 90, 1, "S"), (50, 10, 2, "S")])


def test_async_events_without_a_thread_are_not_matched():
    trace = NAMES + event("async_begin", 1, thread="@5", more="id=1")
    trace += event("async_end", 9, thread="@5", more="id=1")
    equal(values(trace, "select ts, dur from slice"), [(1, -1)])
    equal(values(trace, "select ts from fxt_stray"), [(9,)])


def test_long_names_are_not_repeated_for_each_counter():
    trace = NAMES + "".join(
        event("counter", 1, args=f'"{"b" * 15000}" int32 1', more=f"id={i}").replace(
            "name=@2", f'name="{"ä" * 6000}"') for i in range(2))
    equal(values(trace, "select name, length(fxt_event), length(fxt_arg) from counter_track"),
          [(f"{'ä' * 500}:{'b' * 1000}:{i}", 6000, 15000) for i in range(2)])


def test_counters_of_two_categories_are_two():
    trace = NAMES + event("counter", 1, args='"n" int32 1', more="id=0")
    trace += event("counter", 2, args='"n" int32 2', more="id=0").replace("category=@1", 'category="other"')
    equal(values(trace, "select fxt_category, value from counter_track t join counter c on c.track_id = t.id"),
          [("cat", 1), ("other", 2)])


def test_a_provider_event_creates_no_provider():
    trace = "magic\n" + "".join(f'provider_info provider_id={i} name="p"\n' for i in range(1, 256))
    trace += 'provider_section provider_id=1\nstring index=1 value="name"\nprovider_event provider_id=999\n'
    trace += 'event instant timestamp=1 thread=1/2 category="c" name=@1 scope=thread\n'
    equal(values(trace, "select name from slice"), [("name",)])
    equal(values(trace, "select count(*) from fxt_provider where provider_id = 999"), [(0,)])


def test_an_empty_blob_is_not_null():
    write("t.fxt", 'magic\nblob blob_type=data name="b" payload=x""\n')
    query = "select payload, ts from fxt_blob"
    equal(fxt("sql", "--csv", "t.fxt", query).text, 'payload,ts\n"",\n')
    equal(fxt("sql", "--json", "t.fxt", query).text, '{"payload":"","ts":null}\n')
    equal(fxt("sql", "t.fxt", query).lines()[1], "         [NULL]")


def test_a_switch_that_is_lost():
    """Its thread runs until its CPU switches again, or until it begins to run elsewhere."""
    switch = "context_switch timestamp=%d cpu=%d outgoing_state=blocked outgoing_thread=%d incoming_thread=%d\n"
    trace = NAMES + "".join(switch % change for change in (
        (10, 0, 5, 6), (30, 0, 7, 8), (40, 0, 8, 9), (50, 1, 0, 9), (60, 1, 9, 0), (70, 0, 0, 5),
        (80, 0, 5, 6), (100, 0, 6, 0)))
    equal(values(trace, "select ts, dur, cpu, tid, end_state from sched join thread using (utid)"),
          [(10, 20, 0, 6, None), (30, 10, 0, 8, "S"), (40, 10, 0, 9, None), (50, 10, 1, 9, "S"),
           (70, 10, 0, 5, "S"), (80, 20, 0, 6, "S")])
    equal(values(trace, "select ts, s.dur, state from thread_state s join thread using (utid) where tid = 6"),
          [(10, 20, "Running"), (80, 20, "Running"), (100, -1, "S")])


def test_logs_objects_blobs_and_providers_are_there():
    trace = "magic\nprovider_info provider_id=5 name=\"prov\"\nprovider_section provider_id=5\n"
    trace += NAMES[len("magic\n"):]
    trace += "log timestamp=9 thread=@1 message=\"hello\"\n"
    trace += "userspace_object pointer=0x1f process=@1 name=@2 { \"n\" int32 1 }\n"
    trace += "blob blob_type=data name=@2 payload=\"a\\xff\"\n"
    trace += "provider_event provider_id=5 event_id=buffer_full\n"
    equal(values(trace, "select ts, message, tid from fxt_log join thread using (utid)"),
          [(9, "hello", 101)])
    equal(values(trace, "select kind, type, key, process, name from fxt_object"),
          [("kernel", 1, "100", None, "server"), ("kernel", 2, "101", "100", "loop"),
           ("userspace", None, "0x1f", "100", "outer")])
    equal(values(trace, "select name, type, large, payload from fxt_blob"),
          [("outer", 1, 0, "61ff")])
    equal(values(trace, "select provider_id, name, buffer_full from fxt_provider where introduced"),
          [(5, "prov", 1)])
    equal(values(trace, "select idx, value from stats where severity = 'data_loss'"), [(5, 1)])


def test_text_that_is_no_utf8_is_escaped():
    trace = NAMES + 'string index=9 value="a\\xff\\x00b"\n'
    trace += event("instant", 1, "@9", more="scope=thread")
    equal(values(trace, "select name, length(name) from slice"), [("a\\xff\\x00b", 10)])


def test_references_that_are_not_registered():
    trace = HEAD + "event instant timestamp=1 thread=@9 category=@1 name=@77 scope=thread\n"
    equal(values(trace, "select name, thread_name, tid, upid from thread_slice"),
          [("<unknown #77>", "thread ref 9", None, None)])


def test_times_above_2_63_are_counted():
    trace = NAMES + event("instant", (1 << 64) - 1, more="scope=thread")
    equal(values(trace, "select ts, (select value from stats where name = 'fxt_late_times') "
                        "from slice"), [((1 << 63) - 1, 1)])


def test_traces_of_one_file_are_apart():
    trace = NAMES + event("instant", 1, more="scope=thread")
    equal(values(trace + trace, "select name, fxt_trace from thread where tid = 101"),
          [("loop", 1), ("loop", 2)])


def test_indexes_agree_with_scans():
    """An equation or a bound, and the same with +, which SQLite cannot pass on to the table."""
    trace = NAMES
    for i in range(40):
        trace += event("duration_complete", 1000 - 7 * i, thread="@%d" % (1 + i % 2),
                       more=f"end={1010 - 7 * i + i}", args=f'"n" int32 {i}')
    terms = ["track_id = 1", "parent_id = 3", "ts = 993", "dur = 12", "id = 4", "id = 99",
             "id = -1", "id = 4.0", "id = '4'", "id = null", "ts >= 800", "ts > 800 and ts < 900",
             "ts <= 800.5", "ts < '800'", "ts between 750 and 903", "parent_id is null",
             "arg_set_id = 7", "slice_id in (1, 2, 30)", "track_id = 1 and ts >= 800 and ts < 901",
             "track_id = 0 and ts > 800", "track_id = 1 and ts <= 'x'", "depth = 0 and ts <= 880", "ts > 9223372036854775807",
             "ts >= -9223372036854775808", "dur = x'00'"]
    queries = [f"select group_concat(id) from (select id from slice where {term} order by {order})"
               for term in terms for order in ("id", "ts, id", "ts desc, id")]
    write("t.fxt", trace)
    fast = fxt("sql", "--csv", "t.fxt", *queries)
    plain = fxt("sql", "--csv", "t.fxt", "create table copy as select * from slice",
                *[query.replace("from slice", "from copy") for query in queries])
    equal((fast.code, plain.code), (0, 0))
    equal(fast.text, plain.text)
    assert "29,27" in fast.text or "27,28" in fast.text, fast
    equal(values(trace, "select count(*) from slice s join args a using (arg_set_id) join track t "
                        "on t.id = s.track_id join thread on utid = t.fxt_utid"), [(40,)])


def test_forms_of_output():
    write("t.fxt", NAMES)
    query = "select 1 as a, null as b, 'x,\"y' as \"c d\", 1.5 as r, x'61ff' as o, '' as e"
    equal(fxt("sql", "t.fxt", query, "--json").text,
          '{"a":1,"b":null,"c d":"x,\\"y","r":1.5,"o":"61ff","e":""}\n')
    text = fxt("sql", "t.fxt", query, "--csv").text
    equal(text, 'a,b,"c d",r,o,e\n1,,"x,""y",1.5,61ff,""\n')
    equal(list(csv.reader(io.StringIO(text)))[1], ["1", "", 'x,"y', "1.5", "61ff", ""])
    equal(fxt("sql", "t.fxt", query).text, 'a  b       c d   r    o     e\n'
                                           '1  [NULL]  x,"y  1.5  61ff  \n')
    equal(fxt("sql", "t.fxt", query, "--json", "--csv").code, 2)
    equal(fxt("sql", "t.fxt", "select char(27, 10) as x").text, "x\n\\x1b\\x0a\n")
    wide = fxt("sql", "t.fxt", "with recursive n(i) as (select 1 union all select i + 1 from n "
                               "where i < 1000) select i, hex(zeroblob(i)) as z from n")
    equal((wide.code, len(wide.lines())), (0, 1001))


def test_statements_from_stdin():
    write("t.fxt", NAMES)
    result = fxt("sql", "--csv", "t.fxt", data=b"select 1,\n 2;\n.schema flow\nselect 3")
    equal(result.code, 0, result)
    assert result.text.startswith("1,2\n1,2\nid") and result.text.endswith("3\n3\n"), result
    assert "slice_out" in result.text
    assert "thread_slice" in fxt("sql", "t.fxt", data=b".tables\n").text
    equal(fxt("sql", "t.fxt", data=b".quit\nnonsense;").code, 0)
    result = fxt("sql", "t.fxt", data=b".frob\n")
    equal((result.code, len(result.err.splitlines())), (1, 1))


def test_empty_lines_and_comments_are_no_statement():
    write("t.fxt", NAMES)
    done = fxt("sql", "--csv", "t.fxt", data=b"select 1;\n\n -- a comment\n.tables\n  \nselect\n\n2;\n\n.quit\nselect 3;\n")
    equal((done.code, done.err), (0, ""))
    assert "\nslice  " in done.text and done.text.endswith("2\n2\n"), done


def test_wrong_sql_is_one_line_and_exit_1():
    write("t.fxt", NAMES)
    for query in ("select nothing", "selec 1", "select * from nowhere", "select (", "select 'a",
                  "insert into slice values (1)", "select percentile(1, 101)",
                  "include perfetto module android.startup"):
        for source in (dict(), dict(data=query.encode())):
            result = fxt("sql", "t.fxt", *([] if source else [query]), **source)
            equal((result.code, result.text), (1, ""), query)
            equal(len(result.err.splitlines()), 1, result)
            assert result.err.startswith("fxt: sql: "), result
    equal(fxt("sql", "t.fxt", "select 1; selec 2; select 3", "--csv").text, "1\n1\n")


def test_a_mistyped_column_in_double_quotes_is_told():
    """For SQLite, and for Perfetto, it is a text, and the answer is wrong without a word."""
    write("t.fxt", NAMES + event("instant", 5))
    for query in ('select count(*) from slice where "nmae" = 1', 'select count(*) from slice group by "nmae"',
                  'select 1; select count(*) from (select * from thread_slice) where "nmae" in (select "nmae" from slice)'):
        for source in (dict(), dict(data=query.encode())):
            result = fxt("sql", "t.fxt", *([] if source else [query]), **source)
            equal((result.code, result.err), (0, "fxt: sql: \"nmae\" is not the name of a column here, so it is a "
                                                 "text; write '...' for texts\n"), query)
    twice = fxt("sql", "t.fxt", data=b'select 1 where "nmae" = 1;\nselect 1 where "nmae" = 2;\n')
    equal(twice.err.count('"nmae" is not the name of a column'), 2, twice)
    equal(fxt("sql", "t.fxt", 'select 1 where "%s" = 1' % (300 * "x")).err.count('a long "name" is not'), 1)
    equal(fxt("sql", "t.fxt", 'select count("name") from slice where "ts" = 5').err, "")


def test_functions():
    trace = NAMES + "".join(event("duration_complete", 10 * i, more=f"end={10 * i + i}")
                            for i in range(11))
    equal(values(trace, "select percentile(dur, 50), percentile(dur, 0), percentile(dur, 95), "
                        "trace_start(), trace_end(), trace_dur(), time_from_ms(2), "
                        "time_to_us(5500), (select end_ts from trace_bounds) from slice"),
          [(5.0, 0.0, 9.5, 0, 110, 110, 2000000, 5, 110)])
    equal(values(trace, "select percentile(column1, 50), percentile(column1, 75), "
                        "percentile(column1, 100) from (values (1.0), (2.0), (9e999))"),
          [(2.0, "Infinity", "Infinity")])
    equal(values(trace, "include perfetto module slices.with_context;\n -- a comment\n"
                        "select count(*) from thread_slice;"), [(11,)])


def test_a_malformed_trace_gives_what_can_be_read():
    write("bad.fxt", testing.assemble(NAMES + event("instant", 1, more="scope=thread")) + word(0x4))
    result = fxt("sql", "--csv", "bad.fxt", "select count(*) from slice")
    equal((result.code, result.text), (1, "count(*)\n1\n"))
    assert "1 place that cannot be decoded" in result.err, result
    write("no.fxt", b"\x7fELF" + bytes(100))
    equal(fxt("sql", "no.fxt", "select 1").code, 1)
    equal(fxt("sql", "missing.fxt", "select 1").code, 3)
    equal(fxt("sql").code, 2)


def test_any_bytes_are_safe():
    trace = NAMES + event("duration_begin", 10, args='"n" string "text"')
    trace += event("async_begin", 20, more="id=7") + event("counter", 25, args='"n" double 1.5')
    trace += event("flow_begin", 12, more="id=3") + event("flow_end", 14, more="id=3")
    trace += event("duration_end", 30) + "log timestamp=9 thread=@1 message=\"hello\"\n"
    trace += "context_switch timestamp=10 cpu=2 outgoing_state=blocked outgoing_thread=7 " \
             "incoming_thread=101\n"
    good = testing.assemble(trace)
    chance = random.Random(7)
    queries = ["select * from " + table for table in ("slice", "args", "counter", "thread_state",
                                                      "fxt_flow_event", "thread_slice", "fxt_log")]
    for _ in range(60):
        bad = bytearray(good * 2)
        for _ in range(chance.randrange(1, 12)):
            bad[chance.randrange(8, len(bad))] = chance.randrange(256)
        write("bad.fxt", bytes(bad))
        result = fxt("sql", "--json", "bad.fxt", *queries)
        assert result.code in (0, 1), (bytes(bad).hex(), result)
        for line in result.lines():
            json.loads(line)


def test_save_makes_a_database():
    trace = NAMES + event("duration_complete", 10, more="end=20", args='"n" int32 7')
    write("t.fxt", trace)
    equal(fxt("sql", "--save=a.db", "t.fxt").code, 0)
    equal(sorted(os.listdir(".")), ["a.db", "t.fxt"])
    db = sqlite3.connect("a.db")
    equal(db.execute("select name, thread_name, dur from thread_slice").fetchall(),
          [("outer", "loop", 10)])
    equal(db.execute("select int_value from args join slice using (arg_set_id)").fetchall(), [(7,)])
    equal(db.execute("pragma integrity_check").fetchall(), [("ok",)])
    names = {row[0] for row in db.execute("select name from sqlite_master where type <> 'index'")}
    assert {"slice", "sched", "fxt_log", "counter_track"} <= names, names
    db.close()
    result = fxt("sql", "--csv", "-s", "a.db", "t.fxt", "select count(*) from slice")
    equal((result.code, result.text), (0, "count(*)\n1\n"))
    equal(fxt("sql", "--save=no/such.db", "t.fxt").code, 3)
    equal(fxt("sql", "--save=a.db", "--output=answers", "t.fxt").code, 2)
    result = fxt("sql", "--save=/dev/full", "t.fxt")
    equal((result.code, len(result.err.splitlines())), (3, 1), result)


def test_save_takes_no_name_for_a_uri():
    write("t.fxt", NAMES + event("duration_complete", 10, more="end=20"))
    for name in ("file:x.db", "file:y.db?mode=memory"):
        equal(fxt("sql", "t.fxt", "--save=" + name).code, 0, name)
        db = sqlite3.connect("./" + name)
        equal(db.execute("select count(*) from slice").fetchall(), [(1,)])
        db.close()
    equal(sorted(os.listdir(".")), ["file:x.db", "file:y.db?mode=memory", "t.fxt"])


def test_an_answer_that_is_not_whole_replaces_no_file():
    write("t.fxt", NAMES)
    write("out", b"as before")
    for queries in (["select * from nosuch"], ["select 1", "select * from nosuch"]):
        equal(fxt("sql", "t.fxt", *queries, "-o", "out").code, 1)
        equal(open("out", "rb").read(), b"as before")
    equal(fxt("sql", "t.fxt", "select 1", "--csv", "-o", "out").code, 0)
    equal(open("out", "rb").read(), b"1\n1\n")


def test_a_cell_is_cut_between_two_characters():
    write("t.fxt", NAMES)
    for size, kept in ((198, 199), (199, 199), (200, 200)):
        text = fxt("sql", "t.fxt", "select '%s\u00e9\u00e9'" % ("x" * size)).lines()[-1]
        equal(text, "x" * min(size, 200) + ("\u00e9" if size == 198 else "") + "...", size)


def test_fxt_open_is_of_the_extension():
    write("t.fxt", NAMES)
    result = fxt("sql", "t.fxt", "select fxt_open('t.fxt')")
    equal((result.code, result.err), (1, "fxt: sql: no such function: fxt_open\n"))


@testing.not_under("tsan")
def test_save_leaves_nothing_behind_when_the_disk_is_full():
    write("t.fxt", NAMES)
    write("old.db", b"old")
    script = 'ulimit -f 8; trap "" XFSZ; exec "$0" sql --save=old.db t.fxt'
    result = subprocess.run(["bash", "-c", script, testing.FXT], stderr=subprocess.PIPE,
                            check=False)
    equal(result.returncode, 3, result)
    equal(sorted(os.listdir(".")), ["old.db", "t.fxt"])
    equal(open("old.db", "rb").read(), b"old")


testing.main(globals())
