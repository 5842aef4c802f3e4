#!/usr/bin/env python3
"""fxt json --from and --to: a part, with durations clipped to it."""

import json
import sys

sys.dont_write_bytecode = True
import testing
from testing import assemble, equal, fxt, write

HEAD = """\
magic
initialization ticks_per_second=1000000000
string index=1 value="cat"
thread index=1 process=100 thread=101
kernel_object object_type=process koid=100 name="server"
"""
EVENT = "event %s timestamp=%d thread=@1 category=@1 name=\"%s\"%s\n"
TRACE = (HEAD + EVENT % ("duration_complete", 0, "long", " end=1000")
         + EVENT % ("duration_begin", 100, "open", "") + EVENT % ("duration_end", 600, "", "")
         + EVENT % ("duration_complete", 900, "later", " end=950")
         + EVENT % ("counter", 50, "n", " id=1 { \"v\" int32 7 }")
         + EVENT % ("instant", 300, "here", " scope=thread"))


def events(*options, data=None, code=0):
    result = fxt("json", *options, data=data or assemble(TRACE))
    equal(result.code, code, result)
    return [(event["ph"], event.get("name"), event["ts"] * 1000, event.get("dur", 0) * 1000)
            for event in json.loads(result.text)["traceEvents"] if event["ph"] != "M"]


def test_durations_are_clipped():
    equal(events("--from=200", "--to=@640"),
          [("X", "long", 200, 440), ("B", "open", 200, 0), ("E", None, 600, 0),
           ("C", "n", 200, 0), ("i", "here", 300, 0)])
    equal([event[1] for event in events("--from=90%")], ["long", "later", "n"])


def test_what_defines_stays():
    text = fxt("json", "--from=200", data=assemble(TRACE)).text
    equal([event["args"]["name"] for event in json.loads(text)["traceEvents"]
           if event["ph"] == "M"], ["server"])


def test_all_of_it_is_the_whole():
    write("trace.fxt", TRACE)
    equal(fxt("json", "--from=0%", "trace.fxt").text, fxt("json", "trace.fxt").text)


def test_parts_that_are_none():
    equal(events("--from=@5000", code=1), [("C", "n", 5000, 0)])
    result = fxt("json", "--from=5", "--to=4", data=assemble(TRACE))
    equal((result.code, result.err),
          (2, "fxt: json: --from=5 is later than --to=4; the trace lasts 1.001us\n"))


testing.main(globals())
