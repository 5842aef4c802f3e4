#!/usr/bin/env python3
"""Whom a recording with a command records: the command and its children, or all providers of the user."""

import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
import tracing
from tracing import TRACE, TRACED, Running, counted, equal, records, trace, wait_until


def usual():
    """From now on, the managers' usual place is in the test's directory. Returns a function that lists the others."""
    del os.environ["FXT_TRACE_DIR"]
    os.environ["XDG_RUNTIME_DIR"] = os.getcwd()
    os.mkdir("fxt-trace", 0o700)
    return lambda: sorted(name for name in os.listdir("fxt-trace") if name.startswith("record-"))


def providers(path):
    return sorted(it["name"] for it in records(path) if it["record"] == "provider_info" and it["provider_id"] > 0)


def test_two_recordings_at_a_time():
    """Each command goes on until the other one records, too."""
    places = usual()
    meet = 'touch $0; until [ -e $1 ]; do sleep 0.05; done; exec "$2" name=$0 events=3'
    with Running(TRACE, "record", "-o", "a.fxt", "--", "sh", "-c", meet, "a", "b", TRACED) as first, \
            Running(TRACE, "record", "-o", "b.fxt", "--", "sh", "-c", meet, "b", "a", TRACED) as second:
        wait_until(lambda: len(places()) == 2)
        for process, name in ((first, "a"), (second, "b")):
            result = process.end()
            equal(result.code, 0, result)
            equal((providers(name + ".fxt"), counted(name + ".fxt")), ([name], [0, 1, 2]))
    equal(places(), [])


def test_bystanders():
    """Beside a recording of all providers, --only-children still records."""
    usual()
    with Running(TRACED, "name=bystander", "await", "wait=60"):
        for options, environment, expected in (
                ([], {}, ["child"]), (["--all"], {}, ["bystander", "child"]), (["--detach"], {}, ["bystander", "child"]),
                ([], {"FXT_TRACE_DIR": os.path.abspath("fxt-trace")}, ["bystander", "child"]),
                (["--only-children"], {"FXT_TRACE_DIR": os.path.abspath("fxt-trace")}, ["child"])):
            wait = [] if expected == ["child"] else ["wait=1"]  # until the other one has registered
            result = trace("record", *options, "--", TRACED, "name=child", *wait, "events=3",
                           env={**os.environ, **environment})
            equal((result.code, "bystander" in result.err), (0, "bystander" in expected), result)
            equal([name for name in providers("trace.fxt") if name != "bystander"], ["child"], options)
        with Running(TRACE, "record", "-o", "all.fxt"):
            wait_until(lambda: trace("status").code == 0)
            result = trace("record", "--", "sh", "-c", '"$0" name=child events=3 & wait', TRACED)
            equal((result.code, providers("trace.fxt")), (0, ["child"]), result)


def test_a_recording_of_a_command_is_asked_by_its_process():
    """It is found beside a recording of all providers, and where no manager runs."""
    places = usual()
    wait = ["await", "wait=60"]
    with Running(TRACE, "record", "-mcircular", "-o", "a.fxt", "--", TRACED, "name=a", *wait) as first, \
            Running(TRACE, "record", "-o", "b.fxt", "--", TRACED, "name=b", *wait) as second:
        wait_until(lambda: len(places()) == 2)
        told = sorted(f"trace: process {it.pid} records a command alone: --pid={it.pid}" for it in (first, second))
        result = trace("status")
        equal((result.code, sorted(result.err.splitlines()[1:])), (1, told), result)
        assert result.err.startswith("trace: no trace manager is running"), result
        for process, name in ((first, "a"), (second, "b")):
            pid = f"--pid={process.pid}"
            wait_until(lambda: json.loads(trace("status", "--json", pid).text)["state"] == "started")
            listed = json.loads(trace("list-providers", "--json", pid).text)
            equal([it["name"] for it in listed], [name])
            plain, coloured = (trace("list-providers", *more, pid) for more in ([], ["--color=always"]))
            heading, _, rest = plain.text.partition("\n")
            equal(coloured.text, f"\033[36m{heading}\033[0m\n{rest}")
        result = trace("snapshot", f"--pid={first.pid}", "-o", "now.fxt")
        equal((result.code, providers("now.fxt")), (0, ["a"]), result)
        with Running(TRACE, "record", "-o", "all.fxt"):
            wait_until(lambda: trace("status").code == 0)
            result = trace("status")
            equal((sorted(result.err.splitlines()), "nothing" in result.text), (told, False), result)
        for process in first, second:
            process.send_signal(subprocess.signal.SIGINT)
            process.end()
    equal(places(), [])
    result = trace("status", f"--pid={os.getpid()}")
    equal((result.code, f"has the process id {os.getpid()}" in result.err), (1, True), result)
    for value in ("0", "-1", "1x", "99999999999999999999"):
        equal(trace("status", f"--pid={value}").code, 2, value)


def test_the_kernel_is_asked_for():
    usual()
    for options, told in (([], False), (["-ctest,kernel:sched"], True), (["--all", "-ckernel:sched"], False)):
        result = trace("record", *options, "--", TRACED, "events=3")
        equal("the kernel's provider takes no part" in result.err, told, result)


def test_the_usual_place_has_a_long_name():
    """An address of a socket has room for 107 bytes."""
    usual()
    before = set(os.listdir("/tmp"))
    place = os.path.join(os.getcwd(), "x" * (94 - len(os.getcwd()) - len("/fxt-trace")))
    os.mkdir(place)
    os.environ["XDG_RUNTIME_DIR"] = place
    result = trace("record", "--", TRACED, "name=child", "events=3")
    equal((result.code, providers("trace.fxt")), (0, ["child"]), result)
    equal([name for name in set(os.listdir("/tmp")) - before if name.startswith("record-")], [])


def test_nothing_is_left_of_what_fails():
    places = usual()
    for command, code in ((["missing"], 127), (["false"], 1), ([TRACED, "exit=3"], 3)):
        equal(trace("record", "--", *command).code, code, command)
        equal(places(), [])
    with Running(TRACE, "record", "--", TRACED, "wait=60") as process:
        wait_until(places)
        process.send_signal(subprocess.signal.SIGINT)
        process.end()
    equal(places(), [])
    os.chmod("fxt-trace", 0o755)
    result = trace("record", "--", "true")
    equal((result.code, "it is not this user's alone" in result.err, places()), (1, True, []), result)
    for options, what in ((["--only-children"], "requires a command"), (["--only-children", "--all", "true"], "give one")):
        result = trace("record", *options)
        equal((result.code, what in result.err), (2, True), result)


tracing.main(globals())
