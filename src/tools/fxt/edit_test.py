#!/usr/bin/env python3
"""fxt cut, filter, merge and diff: what stays, what changes, and that the result is a trace."""

import gzip
import json
import os
import random
import re
import resource
import subprocess
import sys

sys.dont_write_bytecode = True
import testing
from testing import EVENT, GOOD, HEAD, assemble, equal, fxt, word, write

GEN = None  # fxt-gen
HOWS = ("keep", "close", "drop")


def event(kind, time, more="", thread=1):
    return f"event {kind} timestamp={time} thread=@{thread} category=@1 name=@2 {more}\n"


EMPTY = re.compile(r"(fxt: <stdin>: (no record|the part holds no(thing)?|the trace has no record)[^\n]*\n)+")
DATED = re.compile(r"^0x\w+ (event|log|context_switch|legacy_switch|thread_wakeup|module|mmap|backtrace) ", re.M)


def expect_part(result, what):
    """Exit status 0 and no word, or 1 and the reason if there is nothing in it."""
    if result.code == 1:
        dump = fxt("dump", data=result.out).text
        assert EMPTY.fullmatch(result.err) and not DATED.search(dump), (what, result, dump)
    else:
        equal((result.code, result.err), (0, ""), what)


def cut(trace, *options, command="cut", odd=None):
    """The part of a trace, which is checked."""
    trace = assemble(trace) if isinstance(trace, str) else trace
    result = fxt(command, *options, data=trace)
    expect_part(result, options)
    checked = fxt("check", data=result.out)
    found = [line for line in checked.lines() if f" {odd}:" not in line]
    equal((checked.code in (0, 1), found), (True, []), (options, fxt("dump", data=result.out).text))
    return result.out


def filtered(trace, *options):
    """The selected part. Context switches of some threads leave gaps between them."""
    return cut(trace, *options, command="filter", odd="SCH-07")


def generated(seed, records=400):
    made = subprocess.run([GEN, f"--seed={seed}", f"--records={records}"], stdout=subprocess.PIPE,
                          timeout=60, check=True).stdout
    equal(fxt("check", "-q", data=made).code, 0, seed)
    return made


def generated_early(seed, records):
    """Another one, if its times are beyond the numbers with a sign."""
    made = generated(seed, records)
    time = json.loads(fxt("stat", "--json", data=made).text)["time"]
    return made if int(time["last_ns"]) < 1 << 63 else generated_early(seed + 1000, records)


def records(trace):
    """(header word, bytes) of each record."""
    found, at = [], 0
    while at < len(trace):
        header = int.from_bytes(trace[at:at + 8], "little")
        size = 8 * (header >> 4 & (0xFFFFFFFF if header & 15 == 15 else 0xFFF))
        found.append(trace[at:at + size])
        at += size
    return found


def is_subsequence(part, whole):
    rest = iter(whole)
    return all(any(record == other for other in rest) for record in part)


def test_times():
    trace = HEAD + "".join(EVENT % time for time in range(1000, 2000, 10))
    for options, times in ((["--from=@1500"], range(1500, 2000, 10)),
                           (["--from=@1.5us", "--to=@1600ns"], range(1500, 1600, 10)),
                           (["-f+100", "-t+0.3us"], range(1100, 1300, 10)),
                           (["-f-101ns"], range(1890, 2000, 10)),
                           (["-f", "-101", "-t", "-21"], range(1890, 1970, 10)),
                           (["-f50%", "--to=100%"], range(1500, 2000, 10)),
                           (["-t12.5%"], range(1000, 1130, 10)),
                           (["-f500"], range(1500, 2000, 10)),
                           (["-f0.5us", "-t600ns"], range(1500, 1600, 10)),
                           (["-f@3s"], []),
                           (["-t@0"], []),
                           (["--to=@1990"], range(1000, 1990, 10)),
                           ([], range(1000, 2000, 10))):
        equal(cut(trace, *options), assemble(HEAD + "".join(EVENT % time for time in times)), options)
    for bad in ("", "x", "1x", "-", "+", "1.", ".5s", "101%", "1e3", "5 s", "--1", "1s2",
                "99999999999999999999", "18446744073709551615s", "@", "@-1", "@1%"):
        result = fxt("cut", f"--from={bad}", data=assemble(GOOD))
        equal((result.code, result.text), (2, ""), bad)
    result = fxt("cut", "--from=@20", "--to=@10", "-o", "out.fxt", data=assemble(GOOD))
    equal(result.code, 2)
    assert "--from=@20 is later than --to=@10; the trace lasts 21ns" in result.err, result
    equal(fxt("check", "out.fxt").code, 3, "nothing is written")


def test_the_last_time_that_can_be_is_in_the_whole():
    last = 2 ** 64 - 1
    trace = assemble(HEAD + event("duration_begin", last) + event("instant", last) + event("duration_end", last))
    for window in (["-f0%", "-t100%"], ["-f0%"], ["-t100%"], [f"-f@{last}"]):
        for how in HOWS:
            result = fxt("cut", *window, f"--open={how}", data=trace)
            equal((result.code, result.err, result.out == trace), (0, "", True), (window, how))


def test_begin_of_a_duration_that_ends_before_may_be_the_last_time():
    late = 'event duration_complete timestamp=100 thread=@1 category=@1 name=@2 end=50\n'
    result = fxt("cut", "-f@3s", data=assemble(HEAD + EVENT % 10 + late))
    assert "lasts 91ns, by its clock from @10ns to @101ns" in result.err, result.err
    result = fxt("cut", "-f0%", "-t100%", data=assemble(HEAD + late))
    equal((result.code, result.err, result.out), (0, "", assemble(HEAD + late)))


def test_times_are_those_of_each_provider():
    trace = ('magic\nprovider_info provider_id=1 name="slow"\ninitialization ticks_per_second=1000\n'
             'string index=1 value="a"\nstring index=2 value="b"\nthread index=1 process=1 thread=2\n'
             + EVENT % 1000 + EVENT % 2000 +
             'provider_info provider_id=2 name="fast"\ninitialization ticks_per_second=3000\n'
             'string index=1 value="a"\nstring index=2 value="b"\nthread index=1 process=1 thread=3\n'
             + EVENT % 2999 + EVENT % 3000 + EVENT % 6001)
    part = fxt("dump", data=cut(trace, "--from=@1s", "--to=@2s")).text
    equal([line.split("timestamp=")[1].split()[0] for line in part.splitlines() if "timestamp" in line],
          ["1000", "3000"])


def test_a_trace_is_not_replaced_by_a_part_with_nothing_in_it():
    trace = assemble(GOOD)
    for path in ("t.fxt", "./t.fxt"):
        for command in (["cut", "-f@999s"], ["filter", "-n", "nosuch"]):
            write("t.fxt", trace)
            result = fxt(*command, "-o", path, "t.fxt")
            equal((result.code, result.out), (1, b""), command)
            assert result.err.endswith(f"\nfxt: {path}: stays as it is\n"), result.err
            equal(fxt("diff", "t.fxt", "-", data=trace).code, 0)
            equal(fxt(*command, "-o", "other.fxt", "t.fxt").code, 1)
            os.unlink("other.fxt")
    equal(fxt("cut", "-f@20", "-t@31", "-o", "t.fxt", "t.fxt").code, 0)
    assert len(fxt("dump", "--events", "t.fxt").lines()) < len(fxt("dump", "--events", data=trace).lines())


def test_a_part_with_nothing_in_it_says_what_the_trace_has():
    second = 10**9
    trace = assemble(HEAD + EVENT % (5 * second) + EVENT % (5 * second + 20000000))
    lasts = "which lasts 20.000001ms, by its clock from @5s to @5.020000001s"
    for options, more in ((["-f30ms"], ""),
                          (["-f21ms", "-t1s"], ""),
                          (["-f5.001s"], "; do you mean --from=@5.001s"),
                          (["-f5s", "-t5010ms"], "; do you mean --from=@5s --to=@5010ms"),
                          (["-f+5s"], ""),
                          (["-t@20ms"], "; do you mean --to=20ms"),
                          (["-f@1ms", "-t@20ms"], "; do you mean --from=1ms --to=20ms"),
                          (["-f1ms", "-t2ms"], ""),
                          (["-f@6s"], "")):
        result = fxt("cut", *options, data=trace)
        equal((result.code, result.out), (1, assemble(HEAD)), options)
        equal(result.err, f"fxt: <stdin>: the part holds no record of the trace, {lasts}{more}\n", options)
    result = fxt("cut", "-f30ms", "-t25ms", data=trace)
    equal((result.code, result.err),
          (2, "fxt: cut: --from=30ms is later than --to=25ms; the trace lasts 20.000001ms\n"))
    counter = 'event counter timestamp=1 thread=@1 category=@1 name=@2 id=1 { "n" int32 1 }\n'
    for before, options in ((counter, ["-f50"]), (event("duration_begin", 1), ["-f50"])):
        result = fxt("cut", *options, data=assemble(HEAD + before + EVENT % 7))
        assert result.code == 1 and "the part holds no record of the trace" in result.err, result
    result = fxt("cut", "-f1", "-t9", "--open=drop", data=assemble(HEAD + event("duration_complete", 0, "end=10")))
    assert result.code == 1 and "nothing that is not open at an edge (--open=drop)" in result.err, result
    result = fxt("cut", "-f0%", data=assemble(HEAD))
    equal((result.code, result.err), (1, "fxt: <stdin>: no record of the trace has a time\n"))
    for none in ([], ["--open=close"]):
        result = fxt("cut", *none, data=assemble(HEAD))
        equal((result.code, result.err), (0, ""))


OPEN = (event("duration_begin", 100) + event("duration_begin", 200) + event("instant", 250, "scope=thread")
        + event("duration_end", 300) + event("instant", 310, "scope=thread") +
        event("duration_begin", 320) + event("duration_end", 400) + event("duration_end", 500))


def test_a_duration_that_is_open_at_an_edge():
    equal(cut(HEAD + OPEN, "-f@250", "-t@320"),
          assemble(HEAD + event("duration_begin", 100) + event("duration_begin", 200) +
                   event("instant", 250, "scope=thread") + event("duration_end", 300) +
                   event("instant", 310, "scope=thread") + event("duration_end", 500)))
    equal(cut(HEAD + OPEN, "-f@250", "-t@320", "--open=close"),
          assemble(HEAD + event("duration_begin", 250) + event("duration_begin", 250) +
                   event("instant", 250, "scope=thread") + event("duration_end", 300) +
                   event("instant", 310, "scope=thread") + event("duration_end", 320)))
    equal(cut(HEAD + OPEN, "-f@250", "-t@320", "--open=drop"),
          assemble(HEAD + event("instant", 250, "scope=thread") + event("instant", 310, "scope=thread")))


def test_what_encloses_the_whole_part_stays():
    trace = HEAD + event("duration_begin", 100) + event("duration_end", 500)
    equal(cut(trace, "-f@250", "-t@320"), assemble(trace))
    equal(cut(trace, "-f@250", "-t@320", "--open=close"),
          assemble(HEAD + event("duration_begin", 250) + event("duration_end", 320)))
    equal(cut(trace, "-f@250", "-t@320", "--open=drop"), assemble(HEAD))
    equal(cut(trace, "-f@500", "-t@501"), assemble(trace), "it ends inside")
    equal(cut(trace, "-f@501"), assemble(HEAD))
    equal(cut(trace, "-t@100"), assemble(HEAD))


def test_what_encloses_a_flow_is_said_by_ticks():
    """Two of them may be in one nanosecond; only times beyond 2^64 - 1 ns are all the same."""
    for rate, ticks, start in ((2400000000, 0, "1"), (19200000, 354177486215223800, "18446744073709551614")):
        head = HEAD.replace("ticks_per_second=1000000000", f"ticks_per_second={rate}")
        trace = head + (event("duration_begin", ticks // 2) + event("flow_begin", ticks + 5, "id=5") +
                        event("flow_end", ticks + 5, "id=5") + event("duration_end", ticks + 12) +
                        event("duration_complete", ticks + 6, f"end={ticks + 12}") + event("instant", ticks + 12))
        part = fxt("dump", data=cut(trace, "-f@" + start, "--open=drop")).text
        assert "flow_begin" not in part and "duration_complete" in part, part


def test_a_part_in_which_the_clock_of_a_provider_has_no_tick():
    """Closed at its edges, everything would lie behind the part."""
    slow = HEAD.replace("ticks_per_second=1000000000", "ticks_per_second=1000000")
    assert slow != HEAD
    trace = slow + (event("duration_complete", 1, "end=9") + event("counter", 1, "id=1 { @2 int32 1 }") +
                    event("duration_begin", 2) + event("duration_end", 8) + event("instant", 9))
    for part in (["-f@4001", "-t@5000"], ["-f@4001", "-t@4002"]):
        first = cut(trace, *part, "--open=close")
        assert not DATED.search(fxt("dump", data=first).text), fxt("dump", data=first).text
        equal(cut(first, *part, "--open=close"), first)
    assert fxt("dump", data=cut(trace, "-f@4001", "-t@5001", "--open=close")).text.count("timestamp=5") == 3


def test_a_part_has_the_modules_of_its_backtraces():
    module = 'module timestamp=%d thread=1/0 module_id=3 name="libfoo.so" build_id=x"abcd"\n'
    mmap = "mmap timestamp=%d thread=1/0 module_id=3 start_address=0x1000 address_range=0x1000 vaddr=0\n"
    backtrace = "backtrace timestamp=%d thread=1/2 frames=[0x1020]\n"
    trace = HEAD + module % 5 + mmap % 6 + backtrace % 50 + backtrace % 150 + mmap % 160 + module % 500
    kept = HEAD + module % 5 + mmap % 6 + backtrace % 150 + mmap % 160
    equal(cut(trace, "-f@100", "-t@200"), assemble(kept))
    equal(cut(trace, "-f@100", "-t@200", "--open=drop"), assemble(kept))
    equal(cut(trace, "-f@100", "-t@200", "--open=close"),
          assemble(HEAD + module % 100 + mmap % 100 + backtrace % 150 + mmap % 160))


def test_a_complete_duration_that_is_open_at_an_edge():
    args = 'end=%s { "n" int32 7, "text" string "some bytes" }'
    trace = HEAD + event("duration_complete", 100, args % 500)
    equal(cut(trace, "-f@250", "-t@320"), assemble(trace))
    equal(cut(trace, "-f@250", "-t@320", "--open=close"),
          assemble(HEAD + event("duration_complete", 250, args % 320)))
    equal(cut(trace, "-t@320", "--open=close"),
          assemble(HEAD + event("duration_complete", 100, args % 320)))
    equal(cut(trace, "-f@250", "--open=drop"), assemble(HEAD))
    equal(cut(trace, "-f@501"), assemble(HEAD))


def test_closed_times_are_in_the_ticks_of_the_provider():
    head = HEAD.replace("1000000000", "3000")
    trace = head + event("duration_begin", 3000) + event("duration_end", 9000)
    equal(cut(trace, "-f@1.5s", "-t@2000000001", "--open=close"),
          assemble(head + event("duration_begin", 4500) + event("duration_end", 6001)))


def test_asyncs_stay_or_go_as_a_whole():
    trace = HEAD + "".join(event(kind, time, f"id={i}") for kind, time, i in (
        ("async_begin", 100, 1), ("async_begin", 110, 2), ("async_instant", 120, 1),
        ("async_end", 130, 2), ("async_instant", 260, 1), ("async_end", 400, 1),
        ("async_begin", 410, 1), ("async_end", 420, 1)))
    first = [(kind, time) for kind, time in (("async_begin", 100), ("async_instant", 120),
                                             ("async_instant", 260), ("async_end", 400))]
    made = lambda events: assemble(HEAD + "".join(event(*it, "id=1") for it in events))
    equal(cut(trace, "-f@200", "-t@300"), made(first))
    equal(cut(trace, "-f@300", "-t@320"), made(first))
    equal(cut(trace, "-f@200", "-t@300", "--open=close"),
          made([("async_begin", 200), ("async_instant", 260), ("async_end", 300)]))
    equal(cut(trace, "-f@200", "-t@415", "--open=drop"), made([]))
    equal(cut(trace, "-f@405"), made([("async_begin", 410), ("async_end", 420)]))


def test_asyncs_of_one_id_nest():
    """An end closes the begin that is open and was opened last, as for durations [ASY-02]."""
    lines = [named("async_begin", 10, "out", "id=1"), named("async_begin", 20, "in", "id=1"),
             named("async_instant", 25, "point", "id=1"), named("async_end", 30, "", "id=1"),
             named("async_begin", 40, "in", "id=1"), named("async_end", 50, "", "id=1"),
             named("async_end", 60, "", "id=1"), named("async_instant", 70, "alone", "id=1")]
    trace = assemble(HEAD + "".join(lines))
    for command, kept in ((["filter", "-nin"], [1, 2, 3, 4, 5]), (["filter", "-nout"], [0, 6]),
                          (["filter", "-nalone"], [7]), (["cut", "-f@32", "-t@38"], [0, 6]),
                          (["cut", "-f@45", "-t@65", "--open=drop"], []),
                          (["cut", "-f@35", "-t@65", "--open=drop"], [4, 5]),
                          (["cut", "-f@65"], [7])):
        equal(fxt(*command, data=trace).out, assemble(HEAD + "".join(lines[i] for i in kept)), command)


def test_asyncs_without_a_process_match_nothing():
    """Rule ASY-01."""
    lines = [f"event async_{kind} timestamp={at} thread=@9 category=@1 name=\"{name}\" id=1\n"
             for kind, at, name in (("begin", 10, "a"), ("end", 20, "b"))]
    trace = assemble(HEAD + "".join(lines))
    equal(fxt("filter", "-na", data=trace).out, assemble(HEAD + lines[0]))
    equal(fxt("cut", "-t@15", data=trace).out, assemble(HEAD + lines[0]))


def test_an_end_without_a_begin_is_an_operation_of_its_own():
    for kind in ("async", "flow"):
        lines = [named(f"{kind}_end", 0, "old", "id=1"), named(f"{kind}_begin", 10, "a", "id=1"),
                 named(f"{kind}_end", 20, "a", "id=1"), named(f"{kind}_end", 25, "lost", "id=1"),
                 named(f"{kind}_begin", 30, "b", "id=1"), named(f"{kind}_end", 40, "b", "id=1")]
        trace = assemble(HEAD + "".join(lines))
        for command, kept in ((["cut", "-f@15", "-t@24"], [1, 2]),
                              (["cut", "-f@15", "-t@35"], [1, 2, 3, 4, 5]),
                              (["cut", "-f@22", "-t@28"], [3]),
                              (["cut", "-f@35"], [4, 5]),
                              (["cut", "-t@5"], [0]),
                              (["cut", "-f@15", "-t@35", "--open=drop"], [3] if kind == "async" else []),
                              (["filter", "-na"], [1, 2]),
                              (["filter", "-nb"], [4, 5]),
                              (["filter", "-nold"], [0]),
                              (["filter", "-nlost"], [3])):
            equal(fxt(*command, data=trace).out, assemble(HEAD + "".join(lines[i] for i in kept)), (kind, command))


def test_an_end_waits_for_a_begin_that_comes_late():
    for kind in ("async", "flow"):
        lines = [named(f"{kind}_end", 20, "x", "id=1"), named(f"{kind}_begin", 30, "b", "id=1"),
                 named(f"{kind}_begin", 10, "a", "id=1"), named(f"{kind}_end", 40, "x", "id=1")]
        trace = assemble(HEAD + "".join(lines))
        for command, kept in ((["cut", "-f@15", "-t@25"], [0, 2]), (["cut", "-f@35"], [1, 3]),
                              (["filter", "-na"], [0, 2]), (["filter", "-nb"], [1, 3])):
            equal(fxt(*command, data=trace).out, assemble(HEAD + "".join(lines[i] for i in kept)), (kind, command))


def test_an_end_may_stand_before_a_begin_of_its_time():
    for kind in ("async", "flow"):
        trace = assemble(HEAD + (named("duration_complete", 10, "x", "end=40") if kind == "flow" else "") +
                         named(f"{kind}_end", 20, "x", "id=1") + named(f"{kind}_begin", 20, "a", "id=1"))
        equal(fxt("check", data=trace).text, "")
        equal(cut(trace, "-na", command="filter"), trace)
        equal(len(records(cut(trace, "-nx", "-kasync", "-kflow", command="filter"))), len(records(assemble(HEAD))))


def test_counters_and_processors_begin_as_they_were():
    def counter(time, name="name", args='{ "n" int32 1 }', number=0):
        return (f'event counter timestamp={time} thread=@1 category=@1 name="{name}" id={number} ' + args + "\n")

    def switch(time, outgoing, incoming, cpu=1):
        return (f"context_switch timestamp={time} cpu={cpu} outgoing_state=blocked outgoing_thread={outgoing} "
                f"incoming_thread={incoming}\n")

    lines = [counter(10), switch(11, 0, 200), counter(12, number=1), counter(13, "other"), switch(14, 0, 201, 2),
             counter(15, args='{ "m" int32 2 }'), counter(20), switch(21, 200, 201),
             'event instant timestamp=25 thread=@1 category=@1 name=@2 scope=thread\n', counter(26),
             counter(31), switch(32, 201, 0)]
    trace = HEAD + "".join(lines)
    carried = [2, 3, 4, 5, 6, 7]
    part = [lines[i] for i in carried + [8, 9]]
    equal(cut(trace, "-f@22", "-t@30"), assemble(HEAD + "".join(part)))
    for i, time in enumerate((12, 13, 14, 15, 20, 21)):
        part[i] = part[i].replace(f"timestamp={time}", "timestamp=22")
    equal(cut(trace, "-f@22", "-t@30", "--open=close"), assemble(HEAD + "".join(part)))
    equal(cut(trace, "-f@22", "-t@30", "--open=drop"), assemble(HEAD + "".join(part[-2:])))
    equal(cut(trace, "-f@22", "-t@22"), assemble(HEAD), "a part of no time has no state")
    twice = assemble(trace) + assemble(HEAD + "".join(lines[:3]))
    equal(fxt("cut", "-f@22", "-t@30", data=twice).out,
          assemble(HEAD + "".join(lines[i] for i in carried + [8, 9])) + assemble(HEAD + "".join(lines[:3])),
          "each trace of a file")
    late = HEAD + lines[6] + lines[0] + lines[8]
    equal(fxt("cut", "-f@22", data=assemble(late)).out, assemble(HEAD + lines[6] + lines[8]), "the latest time")


def test_processors_of_two_providers_are_two():
    switch = "context_switch timestamp=%d cpu=0 outgoing_state=blocked outgoing_thread=0 incoming_thread=%d\n"
    second = 'provider_info provider_id=2 name="p"\n'
    later = switch.replace("outgoing_thread=0", "outgoing_thread=2") % (30, 9)
    equal(cut("magic\n" + switch % (10, 1) + second + switch % (15, 2) + later, "-f@22ns"),
          assemble("magic\n" + switch % (10, 1) + second + switch % (15, 2) + later))


def test_a_flow_keeps_a_duration_that_comes_after_many_others():
    text = event("duration_complete", 0, "end=100")
    text += "".join(event("duration_complete", i, f"end={i + 1}") for i in range(1, 20, 2))
    text += event("flow_begin", 50, "id=7") + event("flow_end", 60, "id=7")
    equal(fxt("cut", "--open=drop", data=assemble(HEAD + text)).out, assemble(HEAD + text))
    equal(fxt("check", data=fxt("filter", "-kflow", data=assemble(HEAD + text)).out).code, 0)


def test_flows_that_wait_for_a_duration_in_vain_are_told():
    flows = "".join(event("flow_begin", 10 + i, f"id={i}") + event("flow_end", 10 + i, f"id={i}") for i in range(40))
    result = fxt("cut", "--open=drop", data=assemble(HEAD + flows + event("duration_complete", 0, "end=1000")))
    equal(result.code, 1)
    assert result.err.count("\n") == 1, result
    few = flows[:flows.index("id=32")].rpartition("event")[0]
    result = fxt("cut", "--open=drop", data=assemble(HEAD + few + event("duration_complete", 0, "end=1000")))
    equal((result.code, result.err), (0, ""))


def test_a_flow_keeps_all_durations_that_enclose_it():
    def one(kind, at, category, more=""):
        return f'event {kind} timestamp={at} thread=@1 category="{category}" name="{category}" {more}\n'
    ends = one("duration_end", 40, "fs") + one("duration_end", 50, "net")
    flow = one("flow_begin", 30, "net", "id=1") + one("flow_end", 35, "net", "id=1")
    for text in (one("duration_begin", 10, "net") + one("duration_begin", 20, "fs") + flow + ends,
                 one("duration_begin", 10, "net") + flow + one("duration_complete", 20, "fs", "end=40")
                 + one("duration_end", 50, "net"),
                 flow + one("duration_complete", 20, "fs", "end=40") + one("duration_complete", 10, "net", "end=50")):
        more = one("instant", 60, "other", "scope=thread")
        equal(fxt("filter", "-cnet", data=assemble(HEAD + text + more)).out, assemble(HEAD + text))


def test_counters_of_two_categories_are_two():
    lines = [f'event counter timestamp={at} thread=@1 category="{category}" name=@2 id=0 {{ "n" int32 1 }}\n'
             for at, category in ((10, "x"), (11, "y"), (12, "x"))]
    later = 'event instant timestamp=25 thread=@1 category=@1 name=@2 scope=thread\n'
    equal(cut(HEAD + "".join(lines) + later, "-f@22", "-t@30"), assemble(HEAD + "".join(lines[1:]) + later))


def test_a_flow_keeps_the_durations_that_enclose_it():
    head = HEAD + "thread index=2 process=100 thread=201\n"
    sender = (event("duration_begin", 100) + event("duration_begin", 110) + event("flow_begin", 120, "id=7")
              + event("duration_end", 130) + event("duration_end", 140))
    other = event("duration_begin", 150) + event("duration_end", 160)
    receiver = (event("flow_end", 310, "id=7", thread=2) +
                event("duration_complete", 300, "end=400", thread=2))
    trace = head + sender + other + receiver
    equal(cut(trace, "-f@200"), assemble(head + sender + receiver))
    equal(cut(trace, "-t@200"), assemble(head + sender + other + receiver))
    closed = head + event("duration_complete", 300, "end=400", thread=2)
    equal(cut(trace, "-f@200", "--open=close"), assemble(closed))
    equal(cut(trace, "-f@200", "--open=drop"), assemble(closed))
    equal(cut(trace, "-f@200", "-t@320", "--open=drop"), assemble(head))


def test_a_flow_that_loses_its_duration_is_dropped_with_it():
    head = HEAD + "thread index=2 process=100 thread=201\n"
    trace = (head + event("duration_begin", 100) + event("flow_begin", 200, "id=7") +
             event("flow_begin", 210, "id=8") + event("flow_end", 220, "id=8") + event("duration_end", 300)
             + event("duration_begin", 200, thread=2) + event("flow_end", 240, "id=7", thread=2) +
             event("duration_end", 250, thread=2))
    equal(cut(trace, "-f@150", "--open=drop"),
          assemble(head + event("duration_begin", 200, thread=2) + event("duration_end", 250, thread=2)))


def test_what_has_no_time_stays():
    rest = ('kernel_object object_type=process koid=100 name="p"\nblob blob_type=data name="b" payload=x"0102"\n'
            'userspace_object pointer=0x10 process=@1 name="u"\n')
    unknown = word(0x2E) + word(77)
    trace = assemble(HEAD + rest) + unknown + assemble(EVENT % 7)
    result = fxt("cut", "-f@8", data=trace)
    expect_part(result, "-f@8")
    equal((result.code, result.out), (1, assemble(HEAD + rest) + unknown))


def test_what_is_malformed_is_left_out_and_reported_once():
    trace = assemble(HEAD) + word(0x14) + word(0) + assemble(EVENT % 7)
    result = fxt("cut", "-f0%", data=trace)
    equal((result.code, result.out), (1, assemble(HEAD + EVENT % 7)))
    equal([line.split(": ")[2] for line in result.err.splitlines()], ["EVT-01", "REC-09"])
    result = fxt("cut", "-f0%", data=assemble(GOOD)[:-8])
    equal(result.code, 1)
    assert "REC-03" in result.err and result.err.count("\n") == 1, result


def test_input_of_every_kind():
    trace = assemble(GOOD)
    expected = cut(trace, "-f50%")
    write("good.fxt", trace)
    write("good.gz", gzip.compress(trace))
    equal(fxt("cut", "-f50%", "good.fxt").out, expected)
    equal(fxt("cut", "-f50%", "good.gz").out, expected)
    equal(fxt("cut", "-f50%", data=gzip.compress(trace)).out, expected, "a pipe")
    with open("good.gz", "rb") as file:
        equal(fxt("cut", "-f50%", stdin=file).out, expected)
    write("out.fxt", b"as before")
    for args in (["missing.fxt"], ["-"]):
        data = b"\x7fELF not a trace"
        assert fxt("cut", *args, "-o", "out.fxt", data=data).code in (1, 3)
    equal(open("out.fxt", "rb").read(), b"as before")
    result = fxt("cut", "-f50%", data=trace, env={"TMPDIR": "/nowhere"})
    equal((result.code, result.text), (3, ""))
    assert "temporary file in '/nowhere'" in result.err, result


def test_what_is_in_front_of_damage_is_used():
    """The compressed data is cut or damaged. On standard output, each command that reads a trace uses the records in front."""
    trace = generated(1)
    packed = gzip.compress(trace, compresslevel=0)
    cut_off = 18 + 8 * (len(trace) // 16)
    write("front.fxt", trace[:8 * (len(trace) // 16) + 3])
    write("cut.gz", packed[:cut_off])
    write("whole.fxt", trace)
    commands = [[*each, "FILE"] for each in (
        ("cut", "--from=0"), ("cut", "-f1%"), ("filter", "--kind=instant"), ("merge",), ("merge", "--align=start"),
        ("fmt",), ("json",), ("dump",), ("stat",), ("report",), ("diff", "--lines", "whole.fxt"))]
    commands.append(["sql", "FILE", "select count(*) from slice"])
    for command in commands:
        results = [fxt(*(name if each == "FILE" else each for each in command)) for name in ("front.fxt", "cut.gz")]
        plain, damaged = (result.text.replace("cut.gz", "front.fxt") for result in results)
        assert plain != "" and damaged != "", (command, results)
        cut = command[0] in ("dump", "stat")  # which tell of the record that the end of the file cuts
        equal(plain.count("\n") - cut, damaged.count("\n"), command)
        equal(results[1].code, 3, command)
        equal(results[1].err.count("gzip input: unexpected end of file"), 1, results[1])
    write("kept.fxt", b"as before")
    write("short.gz", packed[:14])
    for command in ("cut", "filter"):
        equal(fxt(command, "short.gz", "-o", "kept.fxt").code, 3)
        equal(open("kept.fxt", "rb").read(), b"as before")
    equal(fxt("export", "cut.gz", "-o", "tables").code, 3)
    assert not os.path.exists("tables")


def test_a_part_of_a_generated_trace_passes_the_check():
    for seed in range(1, 9):
        trace = generated(seed)
        for window in (["-f25%", "-t75%"], ["-f60%"], ["-t40%"], ["-f49%", "-t51%"]):
            for how in HOWS:
                part = cut(trace, *window, f"--open={how}")
                if how != "close":
                    assert is_subsequence(records(part), records(trace)), (seed, window, how)
        equal(cut(trace, "-f0%", "-t100%"), trace)


def test_two_halves_are_the_whole():
    for seed in range(1, 5):
        trace = generated(seed)
        time = json.loads(fxt("stat", "--json", data=trace).text)["time"]
        at = (int(time["first_ns"]) + int(time["last_ns"])) // 2
        left = records(cut(trace, f"-t@{at}"))
        right = records(cut(trace, f"-f@{at}"))
        assert sorted(set(left) | set(right)) == sorted(set(records(trace))), seed


def named(kind, time, name, more=""):
    return f'event {kind} timestamp={time} thread=@1 category=@1 name="{name}" {more}\n'


def slices_of(trace):
    """(thread, name, type, begin, end) of the durations and instants of threads, as fxt sql has them."""
    result = fxt("sql", "--json", "-", "select fxt_trace, fxt_koid, fxt_ref, slice.name, slice.fxt_event, ts, dur"
                 " from slice join track on track.id = track_id join thread on utid = fxt_utid", data=trace)
    equal((result.code, result.err), (0, ""))
    rows = (json.loads(line) for line in result.lines())
    return [((row["fxt_trace"], row["fxt_koid"], row["fxt_ref"]), row["name"], row["fxt_event"], int(row["ts"]),
             int(row["ts"]) + int(row["dur"]) if int(row["dur"]) >= 0 else None) for row in rows]


def windowed(slices, begin, end, how):
    """What a cut leaves of the slices. One that never ends has no event behind an edge."""
    found = []
    for *rest, first, last in slices:
        is_inside = begin <= first < end and (last is None or last < end)
        crosses = first < end and (last is None or last > begin or (last == begin and how == "keep"))
        if is_inside or (crosses and how != "drop" and rest[2] != "instant"):
            if how == "close":
                first = max(first, begin)
                last = last if last is None else min(last, end)
            found.append((*rest, first, last))
    return found


def check_slices(trace, begin, end, what):
    whole = slices_of(trace)
    for how in HOWS:
        result = fxt("cut", f"-f@{begin}", f"-t@{end}", f"--open={how}", data=trace)
        expect_part(result, what)
        equal(sorted(slices_of(result.out), key=repr), sorted(windowed(whole, begin, end, how), key=repr),
              (what, begin, end, how))


LATE = [named("duration_end", 35, "in"), named("duration_end", 40, "mid"), named("duration_begin", 50, "next"),
        named("duration_end", 60, "next"), named("duration_end", 90, "out"), named("duration_begin", 10, "out"),
        named("duration_begin", 20, "mid"), named("duration_begin", 30, "in")]


def test_begins_that_come_late_match_in_the_order_of_time():
    trace = assemble(HEAD + "".join(LATE))
    equal(sorted(it[1:2] + it[3:] for it in slices_of(trace)),
          [("in", 30, 35), ("mid", 20, 40), ("next", 50, 60), ("out", 10, 90)])
    for command, kept in ((["cut", "-f@36", "-t@38"], (1, 4, 5, 6)),
                          (["cut", "-f@36", "-t@70", "--open=drop"], (2, 3)),
                          (["filter", "-nmid"], (1, 6)),
                          (["filter", "-nin", "--stacks"], (0, 1, 4, 5, 6, 7)),
                          (["filter", "-nnext", "--stacks"], (2, 3, 4, 5))):
        part = assemble(HEAD + "".join(LATE[i] for i in kept))
        equal(fxt(*command, data=trace).out, part, command)
        equal(fxt(*command, data=trace + trace).out, part + part, command)
    for begin in range(0, 100, 7):
        for end in range(begin + 1, 100, 13):
            check_slices(trace, begin, end, "late")


def test_only_what_contains_the_time_encloses():
    past = [named("duration_begin", 10, "past"), named("duration_begin", 55, "b"), named("duration_end", 58, "b"),
            named("duration_end", 50, "past"), named("instant", 60, "i", "scope=thread")]
    equal(sorted(it[1:2] + it[3:] for it in slices_of(assemble(HEAD + "".join(past)))),
          [("b", 55, 58), ("i", 60, 60), ("past", 10, 50)])
    future = [named("duration_begin", 5, "open"), named("duration_begin", 50, "future"),
              named("instant", 20, "i", "scope=thread"), named("duration_end", 60, "future"),
              named("duration_end", 70, "open")]
    ahead = [named("duration_begin", 10, "past"), named("instant", 60, "i", "scope=thread"),
             named("duration_end", 50, "past"), named("duration_begin", 55, "b"), named("duration_end", 65, "b")]
    for lines, kept in ((past, [4]), (future, [0, 2, 4]), (ahead, [1, 3, 4])):
        trace = assemble(HEAD + "".join(lines))
        part = assemble(HEAD + "".join(lines[i] for i in kept))
        equal(fxt("filter", "-ni", "--stacks", data=trace).out, part)
        equal(fxt("filter", "-ni", "--stacks", data=trace + trace).out, part + part)


def test_a_stack_has_no_duration_that_does_not_contain_its_event():
    for seed in range(1, 9):
        rng = random.Random(seed)
        text, _ = disordered(rng, 60)
        lines = text[len(HEAD):].splitlines(keepends=True)
        for _ in range(9):
            lines.insert(rng.randrange(len(lines)), lines.pop(rng.randrange(len(lines))))
        trace = assemble(HEAD + "".join(lines))
        whole = slices_of(trace)
        for _, name, _, time, _ in [it for it in whole if it[2] == "instant"][:4]:
            around = {it[1] for it in whole if it[3] <= time and (it[4] is None or it[4] >= time)}
            kept = {it[1] for it in slices_of(fxt("filter", f"-n{name}", "--stacks", data=trace).out)}
            assert name in kept and kept <= around, (seed, name, kept - around)


def test_a_flow_keeps_a_duration_whose_begin_comes_late():
    flow = [named("flow_begin", 45, "f", "id=1"), named("flow_end", 55, "f", "id=1")]
    trace = assemble(HEAD + flow[0] + "".join(LATE[:3]) + flow[1] + "".join(LATE[3:]))
    kept = fxt("filter", "-kflow", data=trace).out
    equal(kept, assemble(HEAD + flow[0] + LATE[2] + flow[1] + LATE[3] + LATE[4] + LATE[5]))


def disordered(rng, count):
    """Durations and instants of one thread, in the order of time but for some begins at the end."""
    lines, late, names, time = [], [], [], 0
    for number in range(count):
        time += rng.choice((1, 2, 5))
        if names and rng.random() < 0.45:
            lines.append(named("duration_end", time, names.pop()))
        elif rng.random() < 0.2:
            lines.append(named("instant", time, f"i{number}", "scope=thread"))
        else:
            names.append(f"d{number}")
            to = late if time > 0 and rng.random() < 0.3 else lines
            to.append(named("duration_begin", time, names[-1]))
    return HEAD + "".join(lines + late), time


def test_the_slices_of_a_part_are_a_part_of_the_slices():
    for seed in range(1, 5):
        trace = filtered(generated_early(seed, 200), "-kduration", "-kinstant")
        time = json.loads(fxt("stat", "--json", data=trace).text)["time"]
        first, last = int(time["first_ns"]), int(time["last_ns"])
        check_slices(trace, first + (last - first) // 3, last - (last - first) // 4, seed)
        text, last = disordered(random.Random(seed), 120)
        for begin in range(0, last, last // 4):
            check_slices(assemble(text), begin, begin + last // 5, seed)


MIXED_HEAD = """\
magic
provider_info provider_id=3 name="app"
string index=1 value="net"
string index=2 value="read"
string index=3 value="disk:slow"
thread index=1 process=100 thread=200
thread index=2 process=101 thread=201
"""
NAMES = """\
kernel_object object_type=process koid=100 name="server"
kernel_object object_type=thread koid=201 name="worker 1"
"""


def of(category, name, time, thread=1, kind="instant", more="scope=thread"):
    return (f"event {kind} timestamp={time} thread=@{thread} category=@{category} name={name} {more}\n")


MIXED = [of(1, "@2", 10), of(3, "@2", 20), of(1, '"write"', 30), of(1, "@2", 40, thread=2),
         of(1, "@2", 50, kind="counter", more='id=0 { "n" int32 1 }'),
         'log timestamp=60 thread=@2 message="hello"\n',
         "context_switch timestamp=70 cpu=1 outgoing_state=blocked outgoing_thread=201 incoming_thread=200\n",
         "thread_wakeup timestamp=80 cpu=1 waking_thread=201\n",
         'blob blob_type=data name="read" payload=x"01"\n']


def test_records_are_selected():
    whole = MIXED_HEAD + "".join(MIXED) + NAMES
    everything = range(len(MIXED))
    for options, kept in ((["--category=net"], [0, 2, 3, 4]),
                          (["-cdisk:*"], [1]),
                          (["-cnet", "-cdisk:slow"], [0, 1, 2, 3, 4]),
                          (["--name=read"], [0, 1, 3, 4, 8]),
                          (["-nr*", "-nwr??e"], [0, 1, 2, 3, 4, 8]),
                          (["--process=100"], [0, 1, 2, 4, 6]),
                          (["--process=0x65"], [3, 5, 6, 7]),
                          (["-pserver"], [0, 1, 2, 4, 6]),
                          (["--thread=201"], [3, 5, 6, 7]),
                          (["--thread=200"], [0, 1, 2, 4, 6]),
                          (["--thread=worker*"], [3, 5, 6, 7]),
                          (["--process=100", "--thread=201"], []),
                          (["--kind=counter"], [4]),
                          (["-klog", "-kblob"], [5, 8]),
                          (["-kscheduling"], [6, 7]),
                          (["--provider=3"], everything),
                          (["--provider=app"], everything),
                          (["--provider=4"], []),
                          (["-cnet", "-kinstant", "-p100"], [0, 2]),
                          ([], everything)):
        expected = MIXED_HEAD + "".join(MIXED[i] for i in kept) + NAMES
        equal(filtered(whole, *options), assemble(expected), options)
        others = MIXED_HEAD + "".join(MIXED[i] for i in everything if i not in kept) + NAMES
        equal(filtered(whole, "-v", *options), assemble(others), ("-v", options))
    result = fxt("filter", "--kind=events", data=assemble(whole))
    equal((result.code, result.text), (2, ""))


def test_a_selection_of_nothing_says_what_was_looked_for():
    trace = assemble(MIXED_HEAD + "".join(MIXED) + NAMES)
    nothing = assemble(MIXED_HEAD + NAMES)
    for options, words in (
            (["-nreed"], ["no record matches --name='reed'; the nearest name is 'read'"]),
            (["-nxylophone"], ["no record matches --name='xylophone'; 'fxt sql <stdin> \"select distinct name from "
                               "slice\"' lists what there is"]),
            (["-nxylophone", "-nwritee"], ["no record matches --name='writee' or the others; the nearest name is "
                                           "'write'"]),
            (["-cNet"], ["no record matches --category='Net'; the nearest name is 'net'"]),
            (["-pservr"], ["no record matches --process='servr'; the nearest name is 'server'"]),
            (["-p7"], ["no record matches --process='7'; 'fxt sql <stdin> \"select fxt_koid, name from process\"' "
                       "lists what there is"]),
            (["--thread=worker_1"], ["no record matches --thread='worker_1'; the nearest name is 'worker 1'"]),
            (["--provider=appp"], ["no record matches --provider='appp'; the nearest name is 'app'"]),
            (["--provider=4"], ["no record matches --provider='4'; 'fxt stat <stdin>' lists what there is"]),
            (["-kflow"], ["no record matches --kind; the trace has instant, counter, log, blob, scheduling"]),
            (["-kflow", "-creed", "-cnit"], ["no record matches --category='nit' or the others; the nearest name "
                                             "is 'net'",
                                             "no record matches --kind; the trace has instant, counter, log, blob, "
                                             "scheduling"]),
            (["-p100", "--thread=201"], ["no record matches all of the options; each matches some"]),
            (["-v"], ["no record is left: the options match all of them"]),
            (["-v", "--provider=3"], ["no record is left: the options match all of them"])):
        result = fxt("filter", *options, data=trace)
        equal((result.code, result.out), (1, nothing), options)
        equal(result.err.splitlines(), ["fxt: <stdin>: " + line for line in words], options)
    result = fxt("filter", "-nread", data=nothing)
    equal((result.code, result.err), (1, "fxt: <stdin>: the trace has no record to select\n"))
    equal((fxt("filter", data=nothing).code, fxt("filter", data=nothing).err), (0, ""))


def test_a_context_switch_is_of_the_threads_that_it_names():
    switches = [f"context_switch timestamp={time} cpu=1 outgoing_state=blocked outgoing_thread={outgoing} "
                f"incoming_thread={incoming}\n"
                for time, outgoing, incoming in ((10, 0, 7), (20, 7, 8), (30, 8, 9), (40, 9, 0))]
    legacy = ("legacy_switch timestamp=50 cpu=2 outgoing_state=blocked outgoing_thread=30/9 "
              "incoming_thread=40/10 outgoing_priority=1 incoming_priority=1\n")
    event_of_8 = "event instant timestamp=60 thread=20/8 category=\"c\" name=\"n\" scope=thread\n"
    objects = 'kernel_object object_type=thread koid=7 name="seven" { "process" koid 20 }\n'
    trace = "magic\n" + "".join(switches) + legacy + event_of_8 + "thread index=5 process=30 thread=9\n" + objects
    for option, times_kept in (("-p20", [10, 20, 30, 60]), ("-p30", [30, 40, 50]), ("-p40", [50]), ("-p50", []),
                               ("--thread=7", [10, 20]), ("--thread=seven", [10, 20]), ("--thread=10", [50]), ("--thread=9", [30, 40, 50])):
        equal(times(filtered(trace, option)), times_kept, option)
    equal(times(filtered(trace, "-p20", "--thread=9")), [], "both of one thread")


def test_a_thread_koid_of_two_processes_is_two_threads():
    """WHO-01, WHO-02: a name is that of the last record."""
    head = """magic
kernel_object object_type=thread koid=7 name="io B" { "process" koid 500 }
kernel_object object_type=thread koid=7 name="io A" { "process" koid 500 }
kernel_object object_type=thread koid=7 name="io B" { "process" koid 600 }
"""
    one = 'event instant timestamp=1 thread=500/7 category="c" name="n" scope=thread\n'
    other = one.replace("500", "600")
    equal(filtered(head + one + other, "--thread=io A"), assemble(head + one))
    equal(filtered(head + one + other, "--thread=io B"), assemble(head + other))


def test_each_trace_of_a_file_has_koids_of_its_own():
    head = "magic\n" + 'kernel_object object_type=process koid=100 name="%s"\n' \
           + 'kernel_object object_type=thread koid=7 name="%s" { "process" koid %d }\n'
    instant = 'event instant timestamp=1 thread=100/7 category="c" name="n" scope=thread\n'
    switch = ("context_switch timestamp=2 cpu=1 outgoing_state=blocked outgoing_thread=7 incoming_thread=0\n"
              "context_switch timestamp=3 cpu=1 outgoing_state=blocked outgoing_thread=0 incoming_thread=7\n")
    heads = [assemble(head % names) for names in (("foo", "one", 100), ("bar", "two", 200))]
    bodies = [assemble("magic\n" + body)[8:] for body in (instant + switch, switch)]
    whole = heads[0] + bodies[0] + heads[1] + bodies[1]
    for option, kept in (("-pfoo", (True, False)), ("-pbar", (False, False)), ("--thread=one", (True, False)),
                         ("--thread=two", (False, True)), ("-p100", (True, False)), ("-p200", (False, True)),
                         ("--thread=7", (True, True))):
        part = b"".join(heads[i] + (bodies[i] if kept[i] else b"") for i in range(2))
        equal(filtered(whole, option), part, option)


def test_the_begin_decides_for_its_operation():
    inner = (of(1, "@2", 20, kind="duration_begin", more="") + of(3, "@2", 30, kind="duration_end", more=""))
    trace = (MIXED_HEAD + of(3, '"run"', 10, kind="duration_begin", more="") + inner +
             of(1, "@2", 40, kind="duration_end", more=""))
    equal(filtered(trace, "-cnet"), assemble(MIXED_HEAD + inner))
    equal(filtered(trace, "-cnet", "--stacks"), assemble(trace))
    moving = (of(1, "@2", 50, kind="async_begin", more="id=1") +
              of(1, "@2", 60, 2, "async_end", "id=1"))
    moving = moving.replace("thread=@2", "thread=100/201")
    trace = MIXED_HEAD + moving
    equal(filtered(trace, "--thread=200"), assemble(trace))
    equal(filtered(trace, "--thread=201"), assemble(MIXED_HEAD))


def test_a_flow_brings_the_durations_at_its_ends():
    begin = (of(1, '"send"', 10, kind="duration_begin", more="") + of(1, "@2", 20, kind="flow_begin", more="id=1")
             + of(1, '"send"', 30, kind="duration_end", more=""))
    alone = of(1, '"idle"', 35, 2, "duration_begin", "") + of(1, '"idle"', 36, 2, "duration_end", "")
    end = (of(3, '"loop"', 40, 2, "duration_begin", "") + of(3, '"take"', 50, 2, "duration_begin", "") +
           of(1, "@2", 60, 2, "flow_end", "id=1") + of(3, '"take"', 70, 2, "duration_end", "") +
           of(3, '"loop"', 80, 2, "duration_end", ""))
    trace = MIXED_HEAD + begin + alone + end
    equal(filtered(trace, "--thread=200"), assemble(MIXED_HEAD + begin + end))
    equal(filtered(trace, "--thread=201"), assemble(trace.replace(begin, "").replace(
        of(1, "@2", 60, 2, "flow_end", "id=1"), "")))
    equal(filtered(trace, "-kflow"), assemble(MIXED_HEAD + begin + end))


def test_a_backtrace_brings_the_modules_of_its_process():
    module = 'module timestamp=5 thread=%d/0 module_id=3 name="libfoo.so" build_id=x"abcd"\n'
    mmap = ("mmap timestamp=6 thread=%d/0 module_id=3 start_address=0x1000 address_range=0x1000 "
            "vaddr=0\n")
    backtrace = "backtrace timestamp=%d thread=%d/%d frames=[0x1020]\n"
    of_1, of_7 = module % 1 + mmap % 1, module % 7 + mmap % 7
    trace = HEAD + of_1 + backtrace % (50, 1, 2) + backtrace % (60, 1, 3) + of_7 + backtrace % (70, 7, 9)
    equal(filtered(trace, "--thread=2"), assemble(HEAD + of_1 + backtrace % (50, 1, 2)))
    equal(filtered(trace, "-v", "--thread=2"), assemble(trace.replace(backtrace % (50, 1, 2), "")))
    equal(filtered(trace, "--thread=9"), assemble(HEAD + of_7 + backtrace % (70, 7, 9)))
    equal(filtered(trace, "-p7"), assemble(HEAD + of_7 + backtrace % (70, 7, 9)))
    equal(filtered(trace, "-v", "-p7"), assemble(trace.replace(of_7 + backtrace % (70, 7, 9), "")))
    equal(filtered(trace, "--thread=0"), assemble(HEAD + of_1 + of_7))


def test_a_selection_and_its_complement_are_the_whole():
    for seed in range(1, 7):
        trace = generated(seed)
        whole = records(trace)
        dump = [json.loads(line) for line in fxt("dump", "--json", data=trace).lines()]
        threads = [line["thread"] for line in dump if line["record"] == "thread"]
        for options in ([f"--thread={threads[0]}"], ["-kflow"], ["-kduration", "-kasync"], ["-n*e*"], ["-ca*"],
                        ["-kinstant", "--stacks"]):
            part = records(filtered(trace, *options))
            rest = records(filtered(trace, "-v", *options))
            assert is_subsequence(part, whole) and is_subsequence(rest, whole), (seed, options)
            assert set(part) | set(rest) == set(whole), (seed, options)
            assert len(part) + len(rest) >= len(whole), (seed, options)


def test_the_time_is_linear():
    """What is quadratic takes minutes, so the program is ended after one."""
    count = 150000
    flows = "".join(event("flow_begin", 5, f"id={i}") for i in range(count))
    open_ones = f"repeat {count} " + event("duration_begin", 1000)
    late_ones = "".join(event("duration_end", 3000000 + i) for i in range(count)) + \
                "".join(event("duration_begin", 1000000 + i) for i in range(count))
    for durations in (open_ones, late_ones):
        trace = assemble(HEAD + durations + flows)
        for command in (["filter", "-kflow"], ["filter", "-kflow", "-s"], ["cut", "-f4", "-t2000", "--open=drop"]):
            result = fxt(*command, data=trace)
            assert result.code in (0, 1), (command, result)


def test_koids_that_collide_take_no_time():
    def seconds(koids):
        threads = "".join(f"thread index=1 process=1 thread={koid}\n" for koid in koids)
        write("threads.fxt", HEAD + threads + f"repeat 600000 {EVENT % 7}")
        begin = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        equal(fxt("filter", "--process=2", "threads.fxt", "-o", "none.fxt").code, 1)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begin
    factor = pow(0x9e3779b97f4a7c15, -1, 1 << 64)  # of the hash, if it had no seed
    plain, hostile = seconds(range(60000)), seconds((5 << 40 | i) * factor % (1 << 64) for i in range(60000))
    assert hostile < 3 * plain + 1, (plain, hostile)


def merged(*traces, options=()):
    names = [write(f"{'abcdef'[i]}.fxt", trace) for i, trace in enumerate(traces)]
    result = fxt("merge", *options, *names)
    equal((result.code, result.err), (0, ""), options)
    checked = fxt("check", data=result.out)
    equal((checked.code, checked.text), (0, ""), options)
    return result.out


def one(name, events, provider=1, rate=1000000000):
    return (f'magic\nprovider_info provider_id={provider} name="{name}"\n'
            f"initialization ticks_per_second={rate}\n"
            'string index=1 value="category"\nstring index=2 value="%s"\n'
            "thread index=1 process=100 thread=200\n" % name + events)


def without_magic(text):
    return text.replace("magic\n", "", 1)


def test_providers_stay_apart():
    a = one("a", EVENT % 10)
    b = one("b", EVENT % 10) + "provider_section provider_id=1\n" + EVENT % 20
    c = one("c", EVENT % 10, provider=2)
    equal(merged(a, b, c), assemble(
        a + without_magic(b).replace("provider_id=1", "provider_id=2") +
        without_magic(c).replace("provider_id=2", "provider_id=3")))
    equal(merged(a), assemble(a))
    equal(merged(c, a), assemble(c + without_magic(a)))
    names = [line for line in fxt("dump", "--events", data=merged(a, b)).lines()]
    equal([json.loads(line)["name"] for line in names], ["a", "b", "b"], "each has its own strings")


def test_records_without_a_provider_get_that_of_the_file():
    trace = HEAD + EVENT % 10
    first = 'provider_info provider_id=%d name="%s.fxt"\n' + without_magic(trace)
    equal(merged(trace, trace), assemble("magic\n" + first % (0, "a") + first % (1, "b")))


def test_a_file_of_two_traces_is_two_traces():
    a = one("a", EVENT % 10)
    expected = a + without_magic(a).replace("provider_id=1", "provider_id=2")
    equal(merged(assemble(a + a)), assemble(expected))
    write("ab.fxt", assemble(a) + assemble(a))


def host(name, pid=1, more=""):
    """Koids in every kind of record that has them."""
    return f"""magic
provider_info provider_id=1 name="{name}"
initialization ticks_per_second=1000000000
kernel_object object_type=process koid={pid} name="init of {name}"
kernel_object object_type=thread koid=7 name="io of {name}" {{ "process" koid {pid} }}
thread index=1 process={pid} thread=7
event duration_complete timestamp=10 thread=@1 category="c" name="{name}" end=20
event instant timestamp=11 thread={pid}/7 category="c" name="n" scope=thread {{ "n" int32 1, "k" koid 7, "text" string "x", "p" koid {pid} }}
userspace_object pointer=0x10 process={pid} name="o" {{ "k" koid 7 }}
context_switch timestamp=10 cpu=0 outgoing_state=blocked outgoing_thread=0 incoming_thread=7 {{ "waker" koid {pid} }}
thread_wakeup timestamp=9 cpu=0 waking_thread=7
legacy_switch timestamp=30 cpu=1 outgoing_state=blocked outgoing_thread={pid}/7 incoming_thread=0/0 outgoing_priority=1 incoming_priority=0
log timestamp=12 thread={pid}/7 message="m"
module timestamp=13 thread={pid}/7 module_id=1 name="m" build_id=x""
large_blob blob_format=0 category="c" name="b" timestamp=14 thread={pid}/7 payload="x" {{ "k" koid 7 }}
{more}"""


def test_two_systems_stay_two():
    files = [write("a.fxt", host("A")), write("b.fxt", host("B"))]
    told = fxt("merge", *files)
    equal(told.err, "fxt: merge: process 1 is 'init of A' in a.fxt and 'init of B' in b.fxt: the koids of the files "
                    "are kept apart; --koids=same joins them\n")
    new = host("B").replace("koid=1 ", "koid=1073741824 ").replace("koid 1 ", "koid 1073741824 ")
    new = new.replace("=1/7", "=1073741824/1073741825").replace("process=1 ", "process=1073741824 ")
    for word in ("koid=7", "koid 7", "thread=7"):
        new = new.replace(word, word[:-1] + "1073741825")
    new = without_magic(new).replace("provider_id=1", "provider_id=2")
    equal(told.out, assemble(host("A") + new))
    equal(fxt("merge", "--koids=separate", *files).out, told.out)
    same = fxt("merge", "--koids=same", *files)
    equal((same.err, same.out), ("", assemble(host("A") + without_magic(host("B")).replace("provider_id=1", "provider_id=2"))))
    equal(fxt("merge", "--koids=other", *files).code, 2)
    rows = fxt("sql", "--json", "-", "select process_name from thread_slice where dur > 0", data=told.out).lines()
    equal([json.loads(row)["process_name"] for row in rows], ["init of A", "init of B"])


def test_two_traces_of_one_system_are_one():
    equal(merged(host("A"), host("A")), assemble(
        host("A") + without_magic(host("A")).replace("provider_id=1", "provider_id=2")))
    more = 'kernel_object object_type=process koid=1 name="init of A, later"\n'
    equal(fxt("merge", write("one.fxt", host("A", more=more)), "one.fxt").err, "", "a name of one file may change")


def test_new_koids_are_those_of_no_file():
    high = 1 << 63
    taken = [high | 1] + [high | (1 << 30) + i for i in range(8)]
    a = host("A") + "thread index=2 process=1073741825 thread=1\n"
    a += "".join(f"thread index={3 + i} process=100 thread={koid}\n" for i, koid in enumerate(taken))
    b = host("B") + f"thread index=2 process=1073741824 thread={high | 1}\n"
    write("a.fxt", a), write("b.fxt", b)
    out = fxt("dump", data=fxt("merge", "a.fxt", "b.fxt").out).text
    (_, of_a), (process, thread) = re.findall(r"thread index=2 process=(\d+) thread=(\d+)", out)
    equal((of_a, int(thread) >> 63), ("1", 1))
    assert int(thread) not in taken and int(process) != 1073741825, (process, thread)


def test_more_providers_than_can_be_are_not_merged():
    write("many.fxt", "magic\n" + "".join(f'provider_info provider_id={i} name="p"\n' for i in range(4097)))
    result = fxt("merge", "many.fxt", "-o", "out.fxt")
    equal((result.code, os.path.exists("out.fxt")), (3, False))
    assert "more than 4096 providers" in result.err, result


def test_tick_rates_may_differ():
    out = merged(one("a", EVENT % 3000, rate=1000), one("b", EVENT % 6000, rate=2000))
    equal({json.loads(line)["ts_ns"] if "ts_ns" in line else line.count("3000000000")
           for line in fxt("dump", "--events", data=out).lines()}, {1})


def times(trace):
    return [int(line.split("timestamp=")[1].split()[0])
            for line in fxt("dump", data=trace).lines() if "timestamp=" in line]


def test_times_are_aligned():
    a = one("a", EVENT % 1000 + EVENT % 1010)
    b = one("b", EVENT % 5000 + event("duration_complete", 5010, "end=5100"))
    c = one("c", EVENT % 9, rate=1000)  # 9 ms
    equal(times(merged(a, b, c)), [1000, 1010, 5000, 5010, 9])
    equal(times(merged(a, b, options=["--align=start"])), [1000, 1010, 1000, 1010])
    assert "end=1100" in fxt("dump", data=merged(a, b, options=["--align=start"])).text
    equal(times(merged(b, a, options=["--align=start"])), [1000, 1010, 1000, 1010])
    equal(times(merged(a, b, c, options=["--align=start"])), [1000, 1010, 1000, 1010, 1])
    equal(times(merged(a, b, c, options=["--align=offset=-5us,2.5s"])),
          [1000, 1010, 0, 10, 2509])
    result = fxt("merge", "--align=offset=-5001", "a.fxt", "b.fxt", "-o", "out.fxt")
    equal(result.code, 3)
    assert "b.fxt: the record at 0x" in result.err and "before 0" in result.err, result
    equal(fxt("merge", "--align=offset=1,2", "a.fxt", "b.fxt").code, 2)
    for bad in ("offset=", "offset=x", "later", "offset=1,,2"):
        equal(fxt("merge", f"--align={bad}", "a.fxt", "b.fxt").code, 2, bad)
    equal(fxt("check", "out.fxt").code, 3, "nothing is written")


def walled(name, tick, wall, events, rate=1000000000):
    rest = assemble(one(name, events, rate=rate))
    return rest.replace(word(0x21) + word(rate), word(0x41) + word(rate) + word(tick) + word(wall))


def test_times_are_aligned_by_wall_clocks():
    a = walled("a", 100, 10**18, EVENT % 150)
    b = walled("b", 900, 10**18 + 1000, EVENT % 950)  # 0 is 200 ns later than in a
    write("a.fxt", a)
    write("b.fxt", b)
    for files, expected in ((["a.fxt", "b.fxt"], [150, 1150]), (["b.fxt", "a.fxt"], [1150, 150])):
        result = fxt("merge", "--align=wall", *files)
        equal((result.code, times(result.out)), (0, expected))
    write("c.fxt", one("c", EVENT % 5))
    result = fxt("merge", "--align=wall", "a.fxt", "c.fxt")
    equal((result.code, result.text), (3, ""))
    assert "c.fxt: the trace does not say its wall-clock time" in result.err, result


def test_the_wall_clock_moves_with_the_times():
    for name, trace in (("a", walled("a", 0, 10**18, EVENT % 5)), ("b", walled("b", 0, 10**18 + 1000, EVENT % 5)),
                        ("c", walled("c", 70, 10**18, EVENT % 75)),
                        ("d", walled("d", 3000, 10**18 + 10**9, EVENT % 9000, rate=3000))):
        write(name, trace)
    write("plain", one("plain", EVENT % 5))
    for how, files, other, expected in (("wall", ("b", "a"), "c", [1075, 75, 75]),
                                        ("offset=3us", ("plain", "b"), "a", [5, 3005, 2005]),
                                        ("start", ("c", "b"), "a", [5, 5, 5]),
                                        ("offset=-2s", ("plain", "d"), "a", [2 * 10**9 + 5, 9000, 5])):
        equal(fxt("merge", f"--align={how}", *files, "-o", "m").code, 0)
        result = fxt("merge", "--align=wall", "m", other)
        equal((result.code, times(result.out)), (0, expected), how)


def test_ids_of_two_files_do_not_meet():
    flow = (event("duration_begin", 1) + event("flow_begin", 2, "id=7") + event("async_begin", 3, "id=8") +
            event("flow_end", 5, "id=7") + event("async_end", 6, "id=8") + event("duration_end", 9))
    late = flow.replace("timestamp=2", "timestamp=3")
    a, b = one("a", flow), one("b", late)
    apart = without_magic(b).replace("provider_id=1", "provider_id=2")
    changed = apart.replace("id=7", f"id={7 ^ 1 << 48}").replace("id=8", f"id={8 ^ 1 << 48}")
    equal(merged(a, b), assemble(a + changed))
    result = fxt("merge", "--ids=same", "a.fxt", "b.fxt")
    equal((result.code, result.out), (0, assemble(a + apart)))


def ids(trace):
    return [int(line.split(" id=")[1].split()[0]) for line in fxt("dump", data=trace).lines() if " id=" in line]


def test_ids_of_a_merged_trace_do_not_meet_those_of_another():
    flow = (event("duration_begin", 1) + event("flow_begin", 2, "id=%d") + event("flow_end", 5, "id=%d") +
            event("duration_end", 9))
    for name in "abc":
        write(name, one(name, flow % (7, 7)))
    top = 1 << 48
    write("ab", fxt("merge", "a", "b").out)
    equal(ids(open("ab", "rb").read()), [7, 7, top + 7, top + 7])
    for files, tops in ((["ab", "c"], [0, 1, 2]), (["c", "ab"], [0, 1, 2]), (["ab", "ab"], [0, 1, 2, 3])):
        result = fxt("merge", *files)
        equal((result.code, fxt("check", data=result.out).text), (0, ""))
        equal(ids(result.out), [top * it + 7 for it in tops for _ in range(2)], files)
    write("hash", one("hash", "".join(flow % (it, it) for it in (top * 5 + 1, top * 65535 + 2, 3))))
    equal(ids(fxt("merge", "hash", "ab", "hash").out)[::2],
          [top * 5 + 1, top * 65535 + 2, 3, top + 7, top * 2 + 7, top * 3 + 1, top * 4 + 2, top * 6 + 3])


def test_ids_with_all_top_bits_leave_none_for_another_file():
    every = "".join(event("async_instant", 1, f"id={(it << 48) + 7}") for it in range(1 << 16))
    write("every", one("every", every))
    write("a", one("a", event("async_instant", 1, "id=7")))
    equal(fxt("merge", "every").code, 0)
    result = fxt("merge", "every", "a")
    equal((result.code, len(ids(result.out))), (1, (1 << 16) + 1))
    assert "ids of two files may be equal" in result.err and result.err.count("\n") == 1, result.err
    equal(fxt("merge", "--ids=same", "every", "a").code, 0)


def meaning(trace):
    """The records of a trace as a multiset, without the numbers of providers and of ids."""
    names, found = {}, []
    for line in fxt("dump", "--json", data=trace).lines():
        record = json.loads(line)
        if record["record"] == "provider_info":
            names[record["provider_id"]] = record["name"]
        del record["offset"]
        for key in ("provider_id", "id"):
            record.pop(key, None)
        found.append(json.dumps(record, sort_keys=True))
    return sorted(found)


def test_the_order_of_the_files_has_no_meaning():
    for seed in range(1, 6):
        a, b, c = (generated_early(seed + more, 200) for more in (0, 20, 40))
        for how in ("none", "start"):
            names = [write(name, trace) for name, trace in (("a", a), ("b", b), ("c", c))]
            orders = [fxt("merge", f"--align={how}", *(names[i] for i in order))
                      for order in ((0, 1, 2), (2, 0, 1))]
            for result in orders:
                equal((result.code, result.err), (0, ""))
                equal(fxt("check", data=result.out).text, "")
            equal(meaning(orders[0].out) == meaning(orders[1].out), True, (seed, how))


def test_the_parts_of_a_merge_are_the_merge_of_parts():
    for seed in range(1, 4):
        names = [write(name, generated(seed + more, 200)) for name, more in (("a", 0), ("b", 30))]
        time = json.loads(fxt("stat", "--json", "a").text)["time"]
        edge = f"-t@{(int(time['first_ns']) + int(time['last_ns'])) // 2}"
        whole = cut(fxt("merge", *names).out, edge)
        halves = []
        for name in names:
            part = cut(open(name, "rb").read(), edge)
            os.mkdir("part") if not os.path.exists("part") else None
            halves.append(write(f"part/{name}", part))
        events = [[it for it in meaning(trace) if '"record": "provider' not in it]
                  for trace in (fxt("merge", *halves).out, whole)]
        equal(events[0] == events[1], True, seed)


def test_what_is_missing_or_no_trace_ends_the_merge():
    write("a.fxt", one("a", EVENT % 1))
    write("elf", b"\x7fELF 1234567890")
    write("out.fxt", b"as before")
    for name, code in (("missing", 3), ("elf", 1)):
        result = fxt("merge", "a.fxt", name, "-o", "out.fxt")
        equal(result.code, code)
        assert name in result.err, result
    equal(open("out.fxt", "rb").read(), b"as before")
    write("bad.fxt", assemble(one("b", EVENT % 2)) + word(0x14))
    result = fxt("merge", "a.fxt", "bad.fxt")
    equal(result.code, 1)
    assert "bad.fxt:0x" in result.err and "EVT-01" in result.err, result


def differ(a, b, *options):
    write("a.fxt", a)
    write("b.fxt", b)
    return fxt("diff", *options, "a.fxt", "b.fxt")


def test_traces_of_equal_meaning_do_not_differ():
    a = one("x", event("counter", 10, 'id=3 { "n" int32 1, "s" string @2 }') + EVENT % 20 +
            'kernel_object object_type=thread koid=7 name=@1\n' + 'log timestamp=5 thread=@1 message="m"\n')
    b = ('magic\nprovider_info provider_id=9 name="x"\ninitialization ticks_per_second=2000000000\n'
         'log timestamp=10 thread=100/200 message="m"\nstring index=7 value="n"\n'
         'string index=8 value="category"\nthread index=3 process=100 thread=200\n'
         'kernel_object object_type=thread koid=7 name=@8\n'
         'event instant timestamp=40 thread=@3 category=@8 name="x" scope=thread\n'
         'event counter timestamp=20 thread=@3 category="category" name="x" id=3 { @7 int32 1, "s" string "x" }\n')
    for pair in ((a, a), (a, b), (b, a)):
        result = differ(*pair)
        equal((result.code, result.text, result.err), (0, "", ""))


def test_what_differs_is_counted_and_listed():
    a = one("x", EVENT % 10 + EVENT % 10 + EVENT % 20)
    b = one("x", EVENT % 10 + EVENT % 30 + 'log timestamp=5 thread=@1 message="m"\n')
    result = differ(a, b)
    equal((result.code, result.text),
          (1, "2 event only in a.fxt\n1 event only in b.fxt\n1 log only in b.fxt\n"))
    lines = differ(a, b, "--lines").lines()
    equal(lines[:2], ["--- a.fxt", "+++ b.fxt"])
    equal([(line[0], line.split("timestamp=")[1].split()[0]) for line in lines[2:]],
          [("-", "10"), ("-", "20"), ("+", "30"), ("+", "5")])
    equal(differ(a, b, "-q").text, "")
    equal(differ(a, b, "-q", "-l").text, "")
    equal(differ(a, b, "-q").code, 1)


def test_each_part_of_a_record_counts():
    a = event("flow_begin", 10, 'id=1 { "n" int32 1 }')
    for old, new in (("timestamp=10", "timestamp=11"), ("id=1", "id=2"), ("@2", '"x"'), ("@1 name", "@2 name"),
                     ("int32 1", "int32 2"), ("int32", "int64"), ('"n"', '"m"'), ("flow_begin", "flow_end"),
                     ("thread=@1", "thread=100/201"), ("thread=@1", "thread=101/200"), (' { "n" int32 1 }', "")):
        assert old in a, old
        equal(differ(HEAD + a, HEAD + a.replace(old, new, 1)).code, 1, new)
    equal(differ(HEAD + a, HEAD + a + a).code, 1, "how often counts")


def test_what_is_ignored():
    a = event("async_begin", 10, "id=1") + event("async_end", 20, "id=1")
    for how, old, new in (("times", "timestamp=10", "timestamp=11"), ("ids", "id=1", "id=5")):
        trace = HEAD + a.replace(old, new)
        equal(differ(HEAD + a, trace).code, 1, how)
        equal(differ(HEAD + a, trace, f"--ignore={how}").code, 0, how)
    named = HEAD.replace("magic\n", 'magic\nprovider_info provider_id=1 name="p"\n') + a
    equal(differ(HEAD + a, named).code, 1)
    equal(differ(HEAD + a, named, "-iproviders", "-itimes").code, 0)


def test_trouble_is_no_difference():
    write("a.fxt", GOOD)
    write("elf", b"\x7fELF 1234567890")
    for args, code in ((["a.fxt", "missing"], 3), (["a.fxt", "elf"], 3), (["a.fxt"], 2),
                       (["a.fxt"] * 3, 2), (["a.fxt", "a.fxt", "--ignore=names"], 2)):
        equal((fxt("diff", *args).code, fxt("diff", *args).text), (code, ""), args)
    write("bad.fxt", assemble(GOOD) + word(0x14))
    result = fxt("diff", "a.fxt", "bad.fxt")
    equal((result.code, result.text), (1, ""))
    assert "bad.fxt:0x" in result.err and "EVT-01" in result.err, result
    result = fxt("diff", "-q", "a.fxt", "bad.fxt")
    equal((result.code, result.text, result.err), (1, "", ""))


def test_a_merge_in_another_order_says_the_same():
    for seed in range(1, 5):
        names = [write(name, generated(seed + more, 300)) for name, more in (("a", 0), ("b", 30))]
        for name, order in (("ab", names), ("ba", names[::-1])):
            equal(fxt("merge", *order, "-o", name).code, 0)
        equal(fxt("diff", "--ignore=ids", "ab", "ba").code, 0, seed)
        lines = fxt("diff", "-l", "a", "ab", "--ignore=providers").lines()
        equal([line for line in lines if line.startswith("-0x")], [], seed)


if __name__ == "__main__":
    GEN = os.path.abspath(sys.argv.pop(2))
    testing.main(globals())
