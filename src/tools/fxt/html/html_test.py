#!/usr/bin/env python3
"""fxt html: the data of the page, read again here, and what is said about it."""

import base64
import gzip
import json
import os
import re
import resource
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, "src/tools/fxt")
import testing
from testing import HEAD, assemble, equal, fxt, word, write

THREAD, ASYNC, CPU = range(3)


def event(kind, at, name, more="", thread="@1"):
    return f'event {kind} timestamp={at} thread={thread} category=@1 name="{name}" {more}\n'


def complete(begin, end, name, more=""):
    return event("duration_complete", begin, name, f"end={end} {more}")


class Page:
    """The header and the columns of a page."""

    def __init__(self, page):
        elements = re.findall(
            rb'<script type="text/plain" class="data">([A-Za-z0-9+/=]*)</script>', page)
        zipped = b"".join(map(base64.b64decode, elements))
        equal(zipped[4:8], bytes(4), "the time in the gzip header")
        head, self.data = gzip.decompress(zipped).split(b"\n", 1)
        self.head = json.loads(head)
        self.elements, self.at = len(elements), 0
        self.read()

    def number(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def column(self, count):
        return [self.number() for _ in range(count)]

    def steps(self, count):
        value, values = 0, []
        for step in self.column(count):
            value += step >> 1 if step % 2 == 0 else -((step + 1) >> 1)
            values.append(value)
        return values

    def levels(self, count):
        levels = []
        while count > 1:
            count = (count + 15) // 16
            levels.append(self.column(count))
        return levels

    def names(self, numbers):
        return [self.head["names"][number] for number in numbers]

    def read(self):
        count = self.head["slices"]
        self.time, self.duration = self.steps(count), self.column(count)
        self.name, self.category = self.names(self.column(count)), self.names(self.column(count))
        self.parent, self.args_sizes = self.steps(count), self.column(count)
        self.unfinished = self.steps(self.head["unfinished"])
        self.longest = self.levels(count)
        count = self.head["instants"]
        self.instants = list(zip(self.steps(count), self.names(self.column(count)),
                                 self.names(self.column(count)), self.column(count)))
        count = self.head["samples"]
        self.sample_times = self.steps(count)
        self.samples = list(struct.unpack_from(f"<{count}d", self.data, self.at))
        self.at += 8 * count
        self.greatest, self.least = self.levels(count), self.levels(count)
        count = self.head["flows"]
        self.flows = list(zip(self.steps(count), self.steps(count), self.column(count),
                              self.column(count)))
        self.args = self.data[self.at:]
        equal(len(self.args), self.head["args"], "the bytes of arguments")

    def slices(self):
        """(name, begin, duration, name of the parent or None), as the page has them."""
        parents = [self.name[parent - 1] if parent > 0 else None for parent in self.parent]
        return list(zip(self.name, self.time, self.duration, parents))

    def rows(self):
        return [track[4:] for track in self.head["tracks"]]


def html(trace, *options, code=0, notes=()):
    result = fxt("html", *options, data=assemble(trace) if isinstance(trace, str) else trace)
    equal(result.code, code, result)
    for note in notes:
        assert note in result.err, result
    equal(len(result.err.splitlines()), len(notes), result)
    page = Page(result.out)
    equal(page.head["notes"], [line.split(": ", 1)[1] for line in result.err.splitlines()])
    return page


def test_slices_nest_whatever_their_order():
    page = html(HEAD + complete(110, 120, "inner") + complete(100, 200, "outer") +
                event("duration_begin", 130, "begun") + complete(140, 150, "deep") +
                event("duration_end", 160, "any") + complete(300, 310, "outer"))
    equal(page.slices(), [("outer", 0, 100, None), ("outer", 200, 10, None),
                          ("inner", 10, 10, "outer"), ("begun", 30, 30, "outer"),
                          ("deep", 40, 10, "begun")])
    equal(page.head["tracks"], [[THREAD, 1, "thread 200", 0, 2, 2, 1]])
    equal(page.head["span"], 210)
    equal(page.head["first"], "100")


def test_of_equal_complete_durations_the_later_one_is_around_the_other():
    page = html(HEAD + complete(100, 200, "inner") + complete(100, 200, "outer"))
    equal(page.slices(), [("outer", 0, 100, None), ("inner", 0, 100, "outer")])
    page = html(HEAD + event("duration_begin", 100, "a") + event("duration_begin", 100, "b") +
                event("duration_end", 200, "b") + event("duration_end", 200, "a"))
    equal(page.slices(), [("a", 0, 100, None), ("b", 0, 100, "a")])
    page = html(HEAD + complete(100, 100, "first") + complete(100, 100, "second"))
    equal([one[0] for one in page.slices()], ["first", "second"])


def test_of_slices_at_one_time_the_place_of_the_records_tells():
    page = html(HEAD + event("duration_begin", 10, "zero") + event("duration_end", 10, "zero") +
                event("duration_begin", 10, "next") + event("duration_end", 20, "next"))
    equal((page.slices(), page.rows()), ([("zero", 0, 0, None), ("next", 0, 10, None)], [[2]]))
    page = html(HEAD + complete(0, 100, "outer") + complete(100, 100, "at end") + complete(0, 0, "at begin") +
                complete(50, 50, "inside"))
    equal(page.slices(), [("outer", 0, 100, None), ("at end", 100, 0, None), ("at begin", 0, 0, "outer"),
                          ("inside", 50, 0, "outer")])
    page = html(HEAD + event("duration_begin", 0, "frame") + complete(20, 20, "lock") + event("duration_end", 20, "frame"))
    equal(page.slices(), [("frame", 0, 20, None), ("lock", 20, 0, "frame")])


def test_a_begin_without_an_end_lasts_as_long_as_what_encloses_it():
    page = html(HEAD + event("duration_begin", 10, "open") + complete(0, 20, "outer") + event("instant", 50, "i", "scope=thread"),
                notes=["begins without an end"])
    equal((page.slices(), page.unfinished), ([("outer", 0, 20, None), ("open", 10, 10, "outer")], [1]))


def test_a_begin_without_an_end_lasts_until_the_end():
    page = html(HEAD + event("duration_begin", 10, "open") + complete(20, 50, "last"),
                notes=["begins without an end, drawn to the end of what encloses them, or of the trace: 1"])
    equal(page.slices(), [("open", 0, 40, None), ("last", 10, 30, "open")])
    equal(page.unfinished, [0])


def test_begins_and_ends_are_matched_in_the_order_of_time():
    lines = [event("duration_begin", 0, "a"), event("duration_begin", 10, "b"),
             event("duration_end", 20, "b"), event("duration_end", 30, "a"),
             event("duration_begin", 40, "c"), event("duration_end", 50, "c")]
    expected = html("".join(lines)).slices()
    for order in ([2, 3, 4, 5, 0, 1], [4, 5, 2, 3, 1, 0], [1, 0, 2, 3, 4, 5], [3, 5, 2, 4, 1, 0]):
        equal(html("".join(lines[i] for i in order)).slices(), expected, order)


def test_ends_without_a_begin_and_durations_that_end_before_it_are_left_out():
    page = html(HEAD + complete(100, 50, "backwards") + event("duration_end", 60, "x"),
                notes=["left out: ends without a begin: 1",
                       "left out: durations that end before they begin: 1"])
    equal((page.slices(), page.head["first"]), ([], "60"))


def test_what_is_far_from_most_events_is_left_out():
    wall = 1790000000 * 10**9
    frames = "".join(complete(wall + i * 10**6, wall + i * 10**6 + 700, "frame") for i in range(9))
    far = "left out or cut: events more than 104 days from most others ('fxt html --from, --to' shows them): 1"
    page = html(HEAD + event("instant", 0, "never set", "scope=thread") + frames, code=1, notes=[far])
    equal((page.head["first"], page.head["span"]), (str(wall), 8 * 10**6 + 700))
    equal((page.time, page.instants), ([i * 10**6 for i in range(9)], []))
    page = html(HEAD + frames + event("instant", 2**62, "later", "scope=thread"), code=1, notes=[far])
    equal((page.head["first"], page.head["span"], page.time[1]), (str(wall), 2**53 - 1, 10**6))
    for row in (event("counter", 5, "c", 'id=0 { "v" int32 1 }'), event("flow_begin", 5, "f", "id=1"), complete(0, 9, "s"),
                "log timestamp=0 thread=@1 message=\"m\"\n", complete(0, wall + 10, "long")):
        page = html(HEAD + row + frames, code=1, notes=[far])
        equal((page.head["first"], max(page.time)), (str(wall), 8 * 10**6), row)
    equal(page.slices()[:2], [("long", 0, 10, None), ("frame", 10**6, 700, None)], "cut at the first event")
    page = html(HEAD + frames + complete(wall + 10**9, 0, "end never set"),
                notes=["left out: durations that end before they begin: 1"])
    equal((page.head["first"], page.head["span"]), (str(wall), 10**9))


def test_times_that_no_signed_number_holds_are_counted():
    page = html(HEAD + complete(0, 2**64 - 1, "age") + complete(2**64 - 2, 2**64 - 1, "late"), code=1,
                notes=["104 days from most others ('fxt html --from, --to' shows them): 2",
                       "times of 2^63 ns or more, shown as 2^63 - 1 ns: 3"])
    equal(page.slices(), [("age", 0, 2**53 - 1, None)])


def test_slices_that_overlap_take_the_first_free_row():
    page = html(HEAD + complete(0, 100, "a") + complete(50, 150, "b") + complete(120, 160, "c"))
    equal(page.rows(), [[2, 1]])
    equal(page.slices(), [("a", 0, 100, None), ("c", 120, 40, None), ("b", 50, 100, None)])
    page = html(HEAD + "".join(complete(i * 100, i * 100 + 150, "c") for i in range(1000)))
    equal(page.rows(), [[500, 500]], "never more than two are open")
    page = html(HEAD + complete(0, 100, "a") + complete(50, 150, "b") + complete(60, 90, "c") +
                complete(60, 160, "d") + complete(0, 500, "all"))
    equal([(name, parent) for name, _, _, parent in page.slices()],
          [("all", None), ("a", "all"), ("b", "all"), ("d", "all"), ("c", "d")])


def test_async_slices_take_the_first_free_row():
    pairs = [(0, 100, 1, "a"), (50, 150, 2, "b"), (110, 120, 1, "c"), (60, 70, 2, "b2")]
    lines = sorted((at, kind, number, name) for begin, end, number, name in pairs
                   for at, kind in ((begin, "async_begin"), (end, "async_end")))
    text = "".join(event(kind, at, name, f"id={number}") for at, kind, number, name in lines)
    page = html(HEAD + text + event("async_instant", 65, "i", "id=2"))
    equal(page.head["tracks"], [[ASYNC, 1, "", 1, 2, 1, 1]])
    equal(page.slices(), [("a", 0, 100, None), ("c", 110, 10, None), ("b", 50, 100, None),
                          ("b2", 60, 10, "b")])


def test_async_begins_and_ends_are_matched_in_the_order_of_time():
    lines = [event("async_begin", 0, "a", "id=1"), event("async_end", 20, "a", 'id=1 { "e" int32 7 }'),
             event("async_begin", 30, "b", "id=1"), event("async_end", 40, "b", "id=1"),
             event("async_begin", 50, "c", "id=1"), event("async_end", 90, "c", "id=1")]
    expected = html(HEAD + "".join(lines)).slices()
    equal(expected, [("a", 0, 20, None), ("b", 30, 10, None), ("c", 50, 40, None)])
    for order in ([1, 0, 2, 3, 5, 4], [5, 4, 3, 2, 1, 0], [1, 3, 5, 4, 2, 0], [2, 4, 0, 1, 3, 5]):
        page = html(HEAD + "".join(lines[i] for i in order))
        equal((page.slices(), page.args_sizes[0] > 0), (expected, True), order)
    page = html(HEAD + "".join(lines[i] for i in (1, 2, 3, 5)),
                notes=["left out: ends without a begin: 2"])
    equal(page.slices(), [("b", 10, 10, None)])


def test_threads_run_on_cpus_from_switch_to_switch():
    names = 'kernel_object object_type=thread koid=7 name="worker" { "process" koid 100 }\n'
    switch = ("context_switch timestamp=%d cpu=%d outgoing_thread=%d incoming_thread=%d "
              "outgoing_state=blocked\n")
    text = "".join(switch % change for change in ((30, 1, 7, 0), (10, 1, 0, 7), (20, 2, 0, 8),
                                                  (40, 2, 8, 0)))
    page = html(HEAD + names + text + "thread_wakeup timestamp=5 cpu=1 waking_thread=7\n")
    equal([(kind, number, rows) for kind, number, _, _, *rows in page.head["tracks"]],
          [(CPU, 1, [1]), (CPU, 2, [1])])
    equal(page.slices(), [("worker 7", 5, 20, None), ("thread 8", 15, 20, None)])
    equal([(time, name) for time, name, *_ in page.instants], [(0, "wakeup")])


def test_counters_are_sorted_and_keep_every_value():
    values = [(30, "double 0x7ff8000000000000"), (10, "int64 -5"),
              (20, "uint64 18446744073709551615"), (40, "double 0x7ff0000000000000")]
    text = "".join(event("counter", at, "c", f'id=0 {{ "v" {value} }}') for at, value in values)
    page = html(HEAD + text)
    (process, name, arg, number, count, category), = page.head["counters"]
    equal((page.names([name, arg, category]), number, count), (["c", "v", "category"], "0x0", 4))
    equal(page.sample_times, [0, 10, 20, 30])
    equal(str(page.samples), "[-5.0, 1.8446744073709552e+19, nan, inf]")
    equal((page.greatest, page.least), ([[3]], [[0]]))


def test_a_counter_of_a_bool_is_0_or_1_and_what_is_no_number_is_named():
    text = "".join(event("counter", at, name, "id=0 { %s }" % args) for at, name, args in (
        (1, "flag", '"on" bool true'), (2, "flag", '"on" bool false'), (3, "ptr", '"at" pointer 0x1000'),
        (4, "state", '"text" string "idle"'), (5, "mix", '"n" int32 -1, "why" string "x"')))
    page = html(HEAD + text, notes=["left out: counter events without a number, the first of 'ptr': 2"])
    equal([(page.names(counter[1:3]), counter[4]) for counter in page.head["counters"]],
          [(["flag", "on"], 2), (["mix", "n"], 1)])
    equal((page.sample_times, page.samples), ([0, 1, 4], [1, 0, -1]))


def test_counters_of_two_categories_are_two():
    text = "".join(event("counter", at, "c", 'id=0 { "v" int32 1 }').replace("category=@1", f'category="{category}"')
                   for at, category in ((1, "x"), (2, "y"), (3, "x")))
    equal([(counter[4], page.names([counter[5]])) for page in [html(HEAD + text)]
           for counter in page.head["counters"]], [(2, ["x"]), (1, ["y"])])


def test_async_events_without_a_thread_are_not_matched():
    text = event("async_begin", 1, "a", "id=1", thread="@9") + event("async_end", 5, "a", "id=1", thread="@9")
    page = html(HEAD + text + event("instant", 10, "i", "scope=thread"),
                notes=["begins without an end, drawn to the end of what encloses them, or of the trace: 1",
                       "left out: ends without a begin: 1"])
    equal(page.slices(), [("a", 0, 9, None)], "to the end of the trace")


SWITCH = "context_switch timestamp=%d cpu=0 outgoing_state=%s outgoing_thread=%d incoming_thread=%d\n"


def test_switches_of_each_provider_and_trace_follow_each_other():
    first = SWITCH % (10, "blocked", 0, 7) + SWITCH % (20, "blocked", 7, 8)
    second = SWITCH % (15, "blocked", 0, 9) + SWITCH % (30, "blocked", 9, 0)
    for between in ("magic\n", 'provider_info provider_id=2 name="p"\n'):
        slices = html("magic\n" + first + between + second).slices()
        rest = 0 if between == "magic\n" else 10  # to the end of its trace
        equal(sorted(one[:3] for one in slices),
              [("thread 7", 0, 10), ("thread 8", 10, rest), ("thread 9", 5, 15)], between)


def test_what_is_open_at_the_end_of_a_trace_ends_with_it():
    start = HEAD.split("magic\n", 1)[1]
    first = (event("duration_begin", 10, "open") + event("async_begin", 12, "work", "id=1") +
             SWITCH % (20, "blocked", 0, 7))
    second = complete(1000, 2000, "later") + SWITCH % (1500, "blocked", 0, 8)
    page = html("magic\n" + start + first + "magic\n" + start + second,
                notes=["begins without an end, drawn to the end of what encloses them, or of the trace: 2"])
    equal(sorted(one[:3] for one in page.slices()),
          [("later", 990, 1000), ("open", 0, 10), ("thread 7", 10, 0), ("thread 8", 1490, 500), ("work", 2, 8)])


def test_a_thread_stops_by_its_own_switch_only():
    page = html("magic\n" + SWITCH % (10, "blocked", 0, 7) + SWITCH % (20, "dead", 8, 9) + SWITCH % (30, "dead", 9, 0))
    equal([size > 0 for size in page.args_sizes], [False, True])


def test_a_duration_that_ends_before_it_begins_leaves_the_start_where_it_is():
    text = event("instant", 1000000000, "i", "scope=thread") + complete(1000000100, 0, "back")
    equal(html(HEAD + text, notes=["left out: durations that end before they begin: 1"]).instants[0][0], 0)


def test_a_flow_is_bound_to_the_later_of_two_slices_that_overlap():
    text = complete(0, 10, "a") + complete(5, 15, "b") + event("flow_begin", 12, "f", "id=1")
    text += complete(20, 30, "c") + event("flow_end", 25, "f", "id=1")
    bound = html(HEAD + text)
    equal([bound.name[flow[1] - 1] for flow in bound.flows], ["b", "c"])


def test_a_flow_is_bound_to_no_slice_that_is_over_if_another_one_begins():
    text = event("duration_begin", 0, "a") + event("duration_begin", 5, "c") + event("duration_end", 10, "c")
    text += event("duration_end", 10, "a") + event("duration_begin", 10, "b") + event("flow_begin", 10, "f", "id=1")
    bound = html(HEAD + text + event("duration_end", 20, "b"))
    equal([bound.name[flow[1] - 1] for flow in bound.flows], ["b"])


def test_idle_threads_of_fuchsia_do_not_run():
    switch = ("context_switch timestamp=%d cpu=0 outgoing_thread=%d incoming_thread=%d outgoing_state=blocked "
              "{ \"%s\" int32 -2147483648 }\n")
    page = html(HEAD + switch % (10, 1001, 20, "outgoing_weight") + switch % (30, 20, 1001, "incoming_weight") +
                switch % (100, 1001, 20, "outgoing_weight") + switch % (120, 20, 1001, "incoming_weight"))
    equal(len(page.name), 2)


PART = (HEAD + complete(0, 1000, "outer") + complete(400, 600, "inner") + complete(0, 300, "before") +
        complete(300, 300, "edge") + complete(700, 800, "after") + event("duration_begin", 650, "open") +
        "".join(event("instant", at, "i", "scope=thread") for at in (299, 300, 699, 700)) +
        "".join(event("counter", at, "c", 'id=0 { "v" int32 %d }' % at) for at in (100, 200, 500, 700)) +
        "".join(event(kind, at, "f", "id=1") for kind, at in (("flow_begin", 10), ("flow_step", 450), ("flow_end", 750))) +
        SWITCH % (200, "blocked", 0, 7) + SWITCH % (900, "blocked", 7, 0) + event("duration_end", 100, "stray", thread="@2"))


def test_a_part_has_what_is_in_it_clipped():
    page = html(PART, "--from=300", "--to=700", notes=["begins without an end"])
    equal((page.head["first"], page.head["span"]), ("300", 400))
    equal(sorted(page.slices()), [("edge", 0, 0, "outer"), ("inner", 100, 200, "outer"), ("open", 350, 50, "outer"),
                                  ("outer", 0, 400, None), ("thread 7", 0, 400, None)])
    equal([time for time, *_ in page.instants], [0, 399])
    equal(list(zip(page.sample_times, page.samples)), [(0, 200), (200, 500)], "the value before the part holds")
    equal([(time, page.name[slice_ - 1]) for time, slice_, *_ in page.flows], [(150, "inner")])
    for options in (["--from=30%", "--to=69.94%"], ["--from=@300ns", "--to=-301ns"], ["--from=300", "--to=0.7us"]):
        equal(html(PART, *options, notes=["begins without an end"]).slices(), page.slices(), options)
    equal(html(PART, "--to=5", code=0).head["span"], 5)


def test_a_part_of_a_trace_that_is_too_long_for_a_page_is_whole():
    far = HEAD + complete(5, 10, "early") + "".join(complete(2**60 + i, 2**60 + i + 1, "late") for i in range(5))
    equal(html(far, "--to=1s").slices(), [("early", 0, 5, None)])
    equal(len(html(far, code=1, notes=["104 days"]).time), 5)


def test_a_part_that_is_none_is_said():
    result = fxt("html", "--from=600", "--to=500", "-o", "x.html", data=assemble(PART))
    equal((result.code, result.err), (2, "fxt: html: --from=600 is later than --to=500; the trace lasts 1.001us\n"))
    assert not os.path.exists("x.html")
    outside = "the part lies outside of the trace, which lasts 1.001us, by its clock from @0ns to @1.001us"
    for option in ("--from=2s", "--to=@0"):
        result = fxt("html", option, data=assemble(PART))
        equal((result.code, result.err, Page(result.out).head["slices"]), (1, "fxt: <stdin>: %s\n" % outside, 0))
    equal(fxt("html", "--from=soon", data=assemble(PART)).code, 2)


def test_levels_name_the_longest():
    lengths = [(i * 7919) % 1000 for i in range(300)]
    page = html(HEAD + "".join(complete(i * 2000, i * 2000 + length, "s")
                               for i, length in enumerate(lengths)))
    first, second, third = page.longest
    equal([len(level) for level in page.longest], [19, 2, 1])
    for group, offset in enumerate(first):
        equal(lengths[group * 16 + offset], max(lengths[group * 16:group * 16 + 16]))
    top = (third[0] * 16 + second[third[0]]) * 16 + first[third[0] * 16 + second[third[0]]]
    equal(lengths[top], max(lengths))


def test_a_flow_at_a_border_belongs_to_the_slice_that_is_open_at_its_place():
    text = event("duration_begin", 10, "a") + event("flow_begin", 20, "f", "id=1") + event("duration_end", 20, "a")
    text += event("duration_begin", 20, "b") + event("flow_end", 20, "f", "id=1") + event("duration_end", 30, "b")
    page = html(HEAD + text)
    equal([page.name[flow[1] - 1] for flow in page.flows], ["a", "b"])


def test_a_flow_belongs_to_the_innermost_slice():
    text = complete(0, 100, "a") + complete(10, 20, "b") + complete(50, 60, "c")
    text += event("flow_begin", 15, "f", "id=9") + event("flow_step", 55, "f", "id=9")
    text += event("flow_end", 200, "f", "id=9") + event("flow_begin", 56, "f", "id=8")
    page = html(HEAD + text)
    names = [page.name[slice_ - 1] if slice_ > 0 else None for _, slice_, _, _ in page.flows]
    equal(names, ["c", "b", "c", None])
    equal([chain for *_, chain in page.flows], [1, 1, 0, 0])


def test_a_chain_of_a_flow_ends_with_it_and_with_its_trace():
    step, end = event("flow_step", 20, "f", "id=9"), event("flow_end", 30, "f", "id=9")
    page = html(HEAD + event("flow_begin", 10, "f", "id=9") + step + end + event("flow_step", 40, "f", "id=9"))
    equal([chain for *_, chain in page.flows], [1, 0, 0, 1])
    page = html(HEAD + event("flow_begin", 10, "f", "id=9") + HEAD + step + end)
    equal([(time, chain) for time, _, _, chain in page.flows], [(0, 1), (10, 1), (20, 0)])


def test_arguments_of_begin_and_end_are_one_list():
    page = html(HEAD + event("duration_begin", 10, "s", '{ "a" string "begin" }') +
                event("duration_end", 20, "s", '{ "b" int32 -1 }'))
    a, b = (page.head["names"].index(name) for name in "ab")
    equal(page.args, bytes([a, 6, 5]) + b"begin" + bytes([b, 1, 1]))


def test_equal_traces_make_equal_pages():
    write("a.fxt", testing.GOOD)
    os.mkdir("d")
    write("d/a.fxt", testing.GOOD)
    for name in ("a.fxt", "d/a.fxt"):
        equal(fxt("html", name, "-o", name + ".html").code, 0)
    with open("a.fxt.html", "rb") as one, open("d/a.fxt.html", "rb") as other:
        assert one.read() == other.read()


def test_hostile_names_stay_inside_the_data():
    name = "</script><img src=x onerror=alert(1)>"
    result = fxt("html", data=assemble(HEAD + complete(0, 10, name)))
    equal(result.code, 0)
    assert b"onerror" not in result.out
    equal(Page(result.out).name, [name])


def test_bytes_that_are_not_text_are_escaped():
    page = html(assemble(HEAD + complete(0, 10, "a\\xffb\\x00")))
    equal(page.name, ["a\\xffb\\x00"])


def test_large_data_is_cut_into_elements():
    size = 30000
    header = 4 | (4 + size // 8) << 4 | 4 << 16 | 1 << 20 | 1 << 24 | 1 << 32 | 2 << 48
    argument = 6 | (1 + size // 8) << 4 | 2 << 16 | (0x8000 | size) << 32
    slices = [word(header) + word(i) + word(argument) + os.urandom(size) + word(i + 1)
              for i in range(420)]
    page = html(assemble(HEAD) + b"".join(slices))
    equal((page.elements, len(page.time)), (2, 420))


def test_an_empty_trace_is_a_page():
    page = html("magic\n")
    equal((page.head["slices"], page.head["span"], page.head["tracks"]), (0, 0, []))


def test_what_cannot_be_read_is_said():
    trace = assemble(HEAD + complete(0, 10, "s"))
    page = html(trace + b"\x14" + bytes(7), code=1,
                notes=["left out: places that cannot be decoded"])
    equal(page.name, ["s"])


def test_slices_too_deep_are_said():
    deep = "".join(event("duration_begin", i, "s") for i in range(300))
    page = html(HEAD + deep, code=1, notes=["left out: slices nested deeper than 256: 44",
                                            "begins without an end"])
    equal(page.rows(), [[1] * 256])


def test_memory_grows_with_the_trace():
    def little():
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    if fxt("--version", preexec_fn=little).code != 0:
        print("skipped: a sanitizer needs more addresses than that")
        return
    trace = assemble(HEAD + "".join(complete(i, i + 1, "s", f'{{ "n" int64 {i} }}')
                                    for i in range(5000)))
    result = fxt("html", data=trace, preexec_fn=little)
    equal(result.code, 0, result)
    page = Page(result.out)
    equal((len(page.time), page.args_sizes[0], page.args_sizes[-1]), (5000, 3, 4))


def test_a_page_compares_two_traces():
    write("old", HEAD + complete(0, 10, "s"))
    write("new", HEAD + complete(5, 30, "t") + event("duration_begin", 40, "u"))
    alone = fxt("html", "old")
    both = fxt("html", "old", "new")
    equal((alone.code, both.code), (0, 0), both)
    equal(both.err, "new: begins without an end, drawn to the end of what encloses them, or of "
          "the trace: 1\n")
    data = alone.out.index(b'<script type="text/plain"')
    equal(both.out[:data], alone.out[:data])
    equal(Page(both.out).name, Page(alone.out).name)
    second = both.out.replace(b'class="data"', b'class="old"').replace(b'class="data new"',
                                                                       b'class="data"')
    page = Page(second)
    equal(page.name, ["t", "u"])
    equal(page.head["file"], "new")
    equal(fxt("html", "--from=5ns", "old", "new").code, 0)


def test_a_comparison_needs_both_traces():
    write("good", HEAD + complete(0, 10, "s"))
    for code, words, files in ((2, "html: takes one file, or two to compare, not 3", ["good"] * 3),
                               (2, "html: standard input can be one of the files only", ["-", "-"]),
                               (3, "missing: No such file", ["good", "missing"]),
                               (3, "missing: No such file", ["missing", "good"])):
        result = fxt("html", *files, "-o", "page.html")
        equal(result.code, code, result)
        assert words in result.err, result
        assert not os.path.exists("page.html"), files
    equal(fxt("html", "good", "-", data=assemble(HEAD)).code, 0)


if __name__ == "__main__":
    testing.main(globals())
