#!/usr/bin/env python3
"""fxt import: what each event becomes, what is left out and told, hostile input, and that Chrome JSON that
fxt json wrote comes back as the same events.

usage: import_test.py FXT FXT_GEN VECTORS [TEST]...
"""

import collections
import gzip
import json
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import testing
from testing import equal, fxt

GEN = VECTORS = None


def convert(text, *options, left="", code=None):
    """The records of what import makes of a text, one a line, without offsets and definitions."""
    data = text.encode() if isinstance(text, str) else text
    result = fxt("import", *options, data=data)
    equal((result.code, result.err), ((1 if left else 0) if code is None else code, left), text[:200])
    if not result.out:
        return []
    check = fxt("check", "-q", "--severity=nonconforming", data=result.out)
    equal((check.code, check.err), (0, ""), text[:200])
    lines = [line.split(" ", 1)[1] for line in fxt("dump", data=result.out).lines()]
    return [line for line in lines if not line.startswith(("magic", "provider_", "initialization", "string ", "thread "))]


def one(event, **kwargs):
    """The same of one event of thread 1/2."""
    base = {"ph": "i", "ts": 1, "pid": 1, "tid": 2, "cat": "c", "name": "n"}
    return convert(json.dumps([{**base, **event}]), **kwargs)


def told(what):
    return f"<stdin>: left out or changed: {what}\n"


def test_each_phase():
    where = 'timestamp=1000 thread=1/2 category="c" name="n"'
    for event, record in (
            ({"ph": "B"}, f"event duration_begin {where}"),
            ({"ph": "E"}, f"event duration_end {where}"),
            ({"ph": "X", "dur": 2.5}, f"event duration_complete {where} end=3500"),
            ({"ph": "X"}, f"event duration_complete {where} end=1000"),
            ({}, f"event instant {where} scope=thread"),
            ({"ph": "I", "s": "p"}, f"event instant {where} scope=process"),
            ({"s": "g"}, f"event instant {where} scope=global"),
            ({"ph": "C", "args": {"v": 3}}, f"event counter {where} id=0 {{v: int32 3}}"),
            ({"ph": "C", "id": "0x7", "args": {"v": 3}}, f"event counter {where} id=7 {{v: int32 3}}"),
            ({"ph": "b", "id": 9}, f"event async_begin {where} id=9"),
            ({"ph": "n", "id": "9"}, f"event async_instant {where} id=9"),
            ({"ph": "e", "id2": {"local": "0x9"}}, f"event async_end {where} id=9"),
            ({"ph": "S", "id": 9}, f"event async_begin {where} id=9"),
            ({"ph": "T", "id": 9}, f"event async_instant {where} id=9"),
            ({"ph": "F", "id": 9}, f"event async_end {where} id=9"),
            ({"ph": "s", "id": "0xffffffffffffffff"}, f"event flow_begin {where} id=18446744073709551615"),
            ({"ph": "t", "id": 9}, f"event flow_step {where} id=9"),
            ({"ph": "f", "id": 9, "bp": "e"}, f"event flow_end {where} id=9"),
            ({"ph": "D", "id": 9},
             f'event instant {where} scope=process {{id: pointer 0x9, object: string "deleted"}}')):
        equal(one(event), [record], event)
    equal(one({"ph": "N", "id": "0x9"}),
          ['userspace_object pointer=0x9 process=1 name="n"',
           f'event instant {where} scope=process {{id: pointer 0x9, object: string "created"}}'])
    equal(one({"ph": "X", "bind_id": "0x5", "flow_in": True, "flow_out": True})[1:],
          [f"event flow_step {where} id=5"])


def test_names_of_processes_and_threads():
    equal(one({"ph": "M", "name": "process_name", "args": {"name": "p"}}),
          ['kernel_object object_type=process koid=1 name="p"'])
    equal(one({"ph": "M", "name": "thread_name", "args": {"name": "t"}}),
          ['kernel_object object_type=thread koid=2 name="t" {process: koid 1}'])
    lines = convert('[{"ph":"i","ts":0,"pid":"main","tid":"io"},{"ph":"i","ts":0,"pid":"main","tid":"io"}]')
    equal([line.split(" koid=")[0] for line in lines[:2]],
          ["kernel_object object_type=thread", "kernel_object object_type=process"])
    assert 'name="io"' in lines[0] and 'name="main"' in lines[1] and len(lines) == 4, lines
    lines = convert('[{"ph":"i","ts":0,"pid":7},{"ph":"i","ts":0,"pid":1,"tid":-1}]')
    assert "thread=7/7" in lines[0] and "thread=1/18446744073709551615" in lines[1], lines


def test_times_are_exact_to_the_nanosecond():
    for text, ns in (("0", 0), ("0.001", 1), ("1.0005", 1001), ("1.00049", 1000), ("12345678901234.567", 12345678901234567),
                     ("1e3", 1000000), ("1.5E-2", 15), ("123e-5", 1), ("18446744073709551.615", 2**64 - 1),
                     ('"7.25"', 7250), ("-0", 0), ("0e999999999", 0), ("0.000000000000000000000001", 0)):
        lines = convert('[{"ph":"i","ts":%s}]' % text)
        assert f"timestamp={ns} " in lines[0], (text, lines)
    for text in ("-1", "18446744073709551.616", "1e30", "1e999999999999", '"x"', "null", '""', '"1x"'):
        equal(convert('[{"ph":"i","ts":%s}]' % text,
                      left=told("1 events without a time from 0 to 2^64 ns")), [])


def test_arguments_of_all_types():
    for text, value in (("1", "int32 1"), ("-2147483648", "int32 -2147483648"), ("2147483648", "uint32 2147483648"),
                        ("4294967296", "int64 4294967296"), ("-2147483649", "int64 -2147483649"),
                        ("9223372036854775808", "uint64 9223372036854775808"),
                        ("-9223372036854775808", "int64 -9223372036854775808"),
                        ("18446744073709551616", "double 18446744073709552000.0"),
                        ("1.8446744073709551615e+19", "uint64 18446744073709551615"),
                        ("1.0", "double 1.0"), ("-0.0", "double -0.0"), ("5e-324", "double 5.0e-324"),
                        ("1e999", 'string "1e999"'), ("true", "bool true"), ("false", "bool false"), ("null", "null"),
                        ('"\\u00e9\\ud83d\\ude00\\n"', 'string "\u00e9\U0001f600\\n"')):
        lines = convert('[{"ph":"i","ts":0,"args":{"a":%s}}]' % text)
        assert lines[0].endswith("{a: %s}" % value), (text, lines)
    lines = convert('[{"ph":"i","ts":0,"args":{"a":[1, {"b":2}], "c":{}}}]', code=0,
                    left="<stdin>: 2 nested arguments are JSON text now\n")
    assert lines[0].endswith(r'{a: string "[1, {\"b\":2}]", c: string "{}"}'), lines


def test_forms_of_the_document():
    event = '{"ph":"i","ts":1}'
    for text in (f"[{event}]", f"[{event}", f"[{event},", f"\ufeff [ {event} ,\n]\n", f'{{"traceEvents":[{event}]}}',
                 f'{{"displayTimeUnit":"ns","otherData":{{"x":"]}}"}},"traceEvents":[{event}],"metadata":[]}}'):
        equal(len(convert(text)), 1, text)
    equal(len(convert(gzip.compress(f"[{event}]".encode()))), 1)
    equal(convert("[]"), [])
    equal(len(convert(f'{{"samples":[1,"}}"],"traceEvents":[{event}],"b":1}}',
                      left=told("2 members of the document (first: samples)"))), 1)


def test_what_has_no_place_is_counted():
    args = {f"a{i}": i for i in range(17)}
    equal(len(one({"args": args}, left=told("2 arguments after the 15th"))), 1)
    one({"ph": "P"}, left=told("1 events of a phase without a place (first: P)"))
    one({"ph": "M", "name": "num_cpus"}, left=told("1 metadata of another kind (first: num_cpus)"))
    one({"tts": 1, "sf": 2}, left=told("2 members of events (first: tts)"))
    lines = one({"name": "x" * 40000}, left=told("1 texts cut to 32000 bytes"))
    assert "x" * 32000 + '"' in lines[0]
    convert(b'[{"ph":"i","ts":0,"name":"a\xff\\ud800b"}]',
            left=told("1 texts with ill-formed characters, now U+FFFD"))
    equal(len(convert('[{"ph":"i","ts":0,"name":"%s"},{"ph":"i","ts":0}]' % ("x" * 100000), "--max-record=32K",
                      left=told("1 events over --max-record"))), 1)


def test_many_long_texts_in_one_event():
    args = {("k%d" % i) * 8000: ("v%d" % i) * 8000 for i in range(10)}
    equal(len(one({"args": args})), 1)


def test_hostile_json():
    for bad in ("{", "17", '{"ph":"i","ts":0]', '{"ph":"i" "ts":0}', '{"ph":}', '{"ph":"i","ts":1.}', '{"a":tru}',
                '{"a":"\\x"}', '{"a":"\\u12"}', "{,}", '{"a":[1,]}', '{"a":{"b"}}', '{"a":1,}', '{"a":01x}'):
        result = fxt("import", data=f'[{bad},{{"ph":"i","ts":0}}]'.encode())
        equal(result.code, 1, bad)
    for bad in ("[" * 10**6, '{"traceEvents":[' + "[" * 10**6, '{"a":' * 10**5):
        equal(fxt("import", data=bad.encode()).code, 1, bad[:20])
    deep = '[{"ph":"i","ts":0,"args":{"a":%s}},{"ph":"i","ts":0}]'
    equal(len(convert(deep % ("[" * 510 + "]" * 510), code=0,
                      left="<stdin>: 1 nested argument is JSON text now\n")), 2)
    equal(len(convert(deep % ("[" * 511 + "]" * 511), left=told("1 malformed events"))), 1)
    for bad in ('{"traceEvents":[{"ph":"i","ts":0}', '{"traceEvents":[]', '[{"ph":"i"', '{"a"', '{"a":', "{1:2}", "[}",
                "[:", "[]x", "17", '"x"', '{"a":}'):
        result = fxt("import", data=bad.encode())
        equal(result.code, 1, bad)
        assert result.err.startswith("<stdin>:"), result


def test_a_file_that_is_none_stays():
    testing.write("out", b"old")
    equal(fxt("import", "none.json", "-o", "out").code, 3)
    equal(fxt("import", "-o", "out", data=gzip.compress(b"[" + 99 * b'{"ph":"i","ts":0},')[:-9]).code, 3)
    equal(fxt("import", "-o", "out", data=b"nothing").code, 1)
    equal(open("out", "rb").read(), b"old")


PERF = """\
# a comment
swapper     0 [000]   12.345678: sched:sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=my app next_pid=42 next_prio=-1
my app  40/42 [001] 12.345679123:     250000 cpu-clock:u:  55d0 main+0x1 (/bin/app)
my app  40/42 [001] 12.345680: sched:sched_wakeup: comm=kid pid=43 prio=120 target_cpu=002
my app    42 12.345681:          1 probe:x: (55d0) a=0x10 b=-3 c=some words d=
\t    55d0 main+0x1 (/bin/app)
\tffffffff81000000 [unknown] ([kernel.kallsyms])

nonsense
"""
TRACE_CMD = """\
cpus=2
          <idle>-0     [000]    12.345678: sched_switch:         swapper/0:0 [120] R ==> a-b:42 [-1]
             a-b-42    (   40) [001] d..3. 12.345679: sched_switch: prev_comm=a-b prev_pid=42 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
             a-b-42    (-----) [001]    12.345680: sched_wakeup:         kid:43 [120] success=1 CPU:002
             a-b-42    [001] .... 12345681000: print:                tracing_mark_write: hello there
"""


def test_text_of_perf_script():
    lines = convert(PERF, left=told("1 lines of another form"))
    equal([line for line in lines if line.startswith("kernel_object")],
          ['kernel_object object_type=thread koid=42 name="my app" {process: koid 0}',
           'kernel_object object_type=thread koid=42 name="my app" {process: koid 40}',
           'kernel_object object_type=thread koid=43 name="kid" {process: koid 0}',
           'kernel_object object_type=thread koid=42 name="my app" {process: koid 0}'])
    equal([line for line in lines if not line.startswith("kernel_object")],
          ["context_switch timestamp=12345678000 cpu=0 outgoing_state=suspended outgoing_thread=0 incoming_thread=42 "
           "{outgoing_prio: int32 120, incoming_prio: int32 -1}",
           'event instant timestamp=12345679123 thread=40/42 category="kernel" name="cpu-clock:u" scope=thread '
           '{text: string "55d0 main+0x1 (/bin/app)", cpu: uint32 1}',
           "thread_wakeup timestamp=12345680000 cpu=2 waking_thread=43 {prio: int32 120, waker: koid 42}",
           'event instant timestamp=12345681000 thread=0/42 category="probe" name="x" scope=thread '
           '{text: string "(55d0)", a: pointer 0x10, b: int32 -3, c: string "some words", d: string "", '
           r'stack: string "55d0 main+0x1 (/bin/app)\nffffffff81000000 [unknown] ([kernel.kallsyms])"}'])


def test_what_perf_prints_here():
    """If it is installed and may record: every sample is an event, and no line is left out."""
    if shutil.which("perf") is None:
        print("skipped: no perf")
        return
    work = [sys.executable, "-c", "sum(range(2000000))"]
    for events, options in (("cpu-clock", []), ("cpu-clock:u", ["-g"]), ("cpu-clock,page-faults", ["-g"])):
        if subprocess.run(["perf", "record", "-q", "-o", "p.data", "-e", events, *options, "--", *work],
                          stderr=subprocess.DEVNULL, check=False).returncode != 0:
            print("skipped: perf may not record", events)
            continue
        for fields in ([], ["-F", "+pid,+tid"], ["--ns"]):
            text = subprocess.run(["perf", "script", "-i", "p.data", *fields], stdout=subprocess.PIPE, check=True).stdout
            names = subprocess.run(["perf", "script", "-i", "p.data", "-F", "event", "-G"], stdout=subprocess.PIPE,
                                   check=True).stdout.decode().split()
            result = fxt("import", "-", "-o", "p.fxt", data=text)
            equal((result.code, result.err), (0, ""), (events, options, fields))
            equal(fxt("check", "p.fxt").code, 0)
            rows = fxt("sql", "--csv", "p.fxt", "select name, count(*) from slice where category = 'kernel' group by name").lines()
            equal(dict(row.rsplit(",", 1) for row in rows[1:]),
                  {name: str(count) for name, count in collections.Counter(word.rstrip(":") for word in names).items()})


def test_text_of_trace_cmd():
    lines = convert(TRACE_CMD)
    equal([line for line in lines if not line.startswith("kernel_object")],
          ["context_switch timestamp=12345678000 cpu=0 outgoing_state=suspended outgoing_thread=0 incoming_thread=42 "
           "{outgoing_prio: int32 120, incoming_prio: int32 -1}",
           "context_switch timestamp=12345679000 cpu=1 outgoing_state=blocked outgoing_thread=42 incoming_thread=0 "
           "{outgoing_prio: int32 120, incoming_prio: int32 120}",
           "thread_wakeup timestamp=12345680000 cpu=2 waking_thread=43 {prio: int32 120, waker: koid 42}",
           'event instant timestamp=12345681000 thread=0/42 category="kernel" name="print" scope=thread '
           '{text: string "tracing_mark_write: hello there", cpu: uint32 1}'])
    equal(convert(TRACE_CMD, "--from=trace-cmd"), lines)
    equal(fxt("import", "--from=chrome", data=TRACE_CMD.encode()).code, 1)


def test_hostile_lines():
    for line in (b"", b"\n\n", b"a-1 [0] 1.0: e", b"a-1 [0] 1.0: e:", b"[0] 1: :", b"1 [65536] 1.0: e: x", b"-1 [0] 1.0: e: x",
                 b"a b-c [0] 1.0: e: x", b"a 1/ [0] 1.0: e: x", b"( ) [0] 1.0: e: x", b"a-1 [0] 99999999999.9: e: x",
                 b"a-1 [0] 1.0: sched_switch: ==> [", b"a-1 [0] 1.0: sched_switch: :1 [1] ==> :2 [",
                 b"a-1 [0] 1.0: sched_wakeup: pid= comm= prio=", b"a-1 [0] 1.0: e: ====", b"a-1 [0] 1.0: e: =1 x=",
                 b"\xff-1 [0] 1.0: \xff: \xff=\xff", b"a-1 [0] 1.0: e: x\n \n\tff\n f" + b"f" * 100000, b"a" * 200000, b"\0" * 999):
        result = fxt("import", "--max-record=64K", data=line)
        assert result.code in (0, 1), (line[:100], result)
        if result.out:
            equal(fxt("check", "-q", "--severity=nonconforming", data=result.out).code, 0, line[:100])


def vectors():
    """Name and trace of one in twenty vectors, by $FXT_DRAW; vectors_test.c describes the pack."""
    number = int(os.environ.get("FXT_DRAW", "0"))
    with open(VECTORS, "rb") as pack:
        while (line := pack.readline()):
            name, _, findings, trace, source, records = line.split()
            for _ in range(int(findings)):
                pack.readline()
            data, number = pack.read(int(trace)), number + 1
            if number % 20 == 0:
                yield name.decode(), data
            pack.seek(int(source) + int(records), 1)


def cut(text):
    return text.encode()[:32000].decode("utf-8", "ignore")


def comparable(text):
    """The events of Chrome JSON, but for what the format has no place for: times before 0, refs of threads
    that are not registered, the thread of a process's name, a name given twice, the types within arrays, text
    from byte 32000 on, arguments after the 15th, and whether a text is absent or empty."""
    events = []
    for event in json.loads(text)["traceEvents"]:
        event = {"cat": "", "name": "", **event}
        event.pop("thread_ref", None)
        event.update({key: cut(event[key]) for key in ("cat", "name")})
        event["args"] = args = dict(list(event.get("args", {}).items())[:15])
        for name in args:
            if isinstance(args[name], list):
                args[name] = json.dumps(args[name], separators=(",", ":"))
            if isinstance(args[name], str):
                args[name] = cut(args[name])
        if event["ph"] == "M":
            event.pop("tid" if event["name"] == "process_name" else "", None)
            events = [e for e in events if e != event]
        if float(event.get("ts", 0)) >= 0:
            events.append(event)
    return events


def expect_round_trip(trace, what):
    """How many events come back; none are tried of a trace that has mistakes."""
    first = fxt("json", data=trace)
    if first.code != 0:
        return 0
    made = fxt("import", data=first.out)
    assert made.code in (0, 1), (what, made)
    equal(fxt("check", "-q", "--severity=nonconforming", data=made.out).code, 0, what)
    again = fxt("json", "--absolute-times", data=made.out)
    got, expected = comparable(again.text), comparable(first.text)
    for pair in zip(got, expected):
        assert pair[0] == pair[1], (what, [str(one)[:1000] for one in pair])
    equal(len(got), len(expected), what)
    return len(expected)


def test_chrome_json_of_the_vectors_comes_back():
    events = sum(expect_round_trip(trace, name) for name, trace in vectors())
    assert events > 30, events


def test_chrome_json_of_generated_traces_comes_back():
    events = 0
    for seed in range(10):
        made = subprocess.run([GEN, f"--seed={seed}", "--records=400"], stdout=subprocess.PIPE, timeout=60, check=True)
        events += expect_round_trip(made.stdout, seed)
    assert events > 500, events


if __name__ == "__main__":
    GEN, VECTORS = (os.path.abspath(sys.argv.pop(2)) for _ in range(2))
    testing.main(globals(), jobs=2)
