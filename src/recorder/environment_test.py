#!/usr/bin/env python3
"""FXT_TRACE_FILE, with real processes: whatever ends a program, fxt finds the events that it has written.

Usage: environment_test.py RECORDED FXT
"""

import json
import os
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time

RECORDED, FXT = (os.path.abspath(path) for path in sys.argv[1:])
CALLER, NOBODY = 54321, 65534
PAGE = 4096
MODES = ("oneshot", "circular", "streaming")
QUIET = {"ASAN_OPTIONS": "detect_leaks=0:handle_abort=0"}


def environment(file, **more):
    names = {"categories": "FXT_TRACE", "size": "FXT_TRACE_BUFFER", "mode": "FXT_TRACE_MODE"}
    return dict(os.environ, FXT_TRACE_FILE=file, **QUIET,
                **{names[name]: value for name, value in more.items()})


def record(file, *args, env=None, limit=None, **more):
    """Runs the program: its status, output and messages."""
    def before():
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    done = subprocess.run([RECORDED, *args], env=env or environment(file, **more),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=240,
                          universal_newlines=True, preexec_fn=before)
    return done.returncode, done.stdout, done.stderr


def fxt(*args, code=0):
    done = subprocess.run([FXT, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=240)
    assert done.returncode == code, (args, done)
    return done.stdout


def found(file):
    """The arguments of the events, and whether some were dropped."""
    records = [json.loads(line) for line in fxt("dump", "--json", file).decode().splitlines()]
    numbers = [record["args"][0]["value"] for record in records if record["record"] == "event"]
    return [int(number) for number in numbers], any(
        record["record"] == "provider_event" for record in records)


def is_plain(file):
    with open(file, "rb") as trace:
        return trace.read(8) == b"\x10\0\x04FxT\x16\0"


def test_every_end_leaves_all_events():
    for mode in MODES:
        for how, status in (("exit", 0), ("_exit", 0), ("quick_exit", 0), ("abort", -6),
                            ("kill", -9)):
            code, _, told = record("a.fxt", how, "900", mode=mode, size="1M")
            assert (code, told) == (status, ""), (mode, how, code, told)
            assert found("a.fxt") == (list(range(1, 901)), False), (mode, how)
            assert is_plain("a.fxt") == (how == "exit"), (mode, how)
            fxt("check", "a.fxt")


def test_a_buffer_that_turns_leaves_each_event_once():
    for how in "exit", "kill":
        record("c.fxt", how, "5000", mode="circular", size="64K")
        events, dropped = found("c.fxt")
        assert not dropped and events == list(range(events[0], 5001)) and len(events) > 900, how
        record("o.fxt", how, "5000", mode="oneshot", size="64K")
        events, dropped = found("o.fxt")
        assert dropped and events == list(range(1, len(events) + 1)) and len(events) > 900, how
        record("s.fxt", how, "5000", mode="streaming", size="64K")
        events, dropped = found("s.fxt")
        assert dropped == (len(events) < 5000) and events == sorted(set(events)), how


def killed_in_a_loop(file, after, **more):
    """The last event that the program said it had traced."""
    with subprocess.Popen([RECORDED, "loop"], env=environment(file, **more),
                          stdout=subprocess.PIPE) as program:
        said = program.stdout.read(4 * after)
        program.kill()
        said += program.stdout.read()
    return struct.unpack("<i", said[len(said) // 4 * 4 - 4:len(said) // 4 * 4])[0]


def test_a_kill_in_a_loop_leaves_what_was_written():
    for mode, size in (("oneshot", "16M"), ("circular", "64K"), ("streaming", "64K"),
                       ("streaming", "4K"), ("streaming", "256K")):
        for after in (1, 700, 1500, 3000, 9000):
            last = killed_in_a_loop("k.fxt", after, mode=mode, size=size)
            events, dropped = found("k.fxt")
            assert events == sorted(set(events)), (mode, size, "twice or in disorder")
            if dropped:
                continue
            assert events[-1] in (last, last + 1), (mode, size, events[-1], last)
            first = events[0] if mode == "circular" else 1
            assert events == list(range(first, events[-1] + 1)), (mode, size)


def test_a_program_that_runs_on_is_read():
    with subprocess.Popen([RECORDED, "wait", "500"], env=environment("w.fxt"),
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        program.stdout.readline()
        assert found("w.fxt") == (list(range(1, 501)), False)
        other = record("w.fxt", "exit", "3")
        assert other[0] == 0 and "another recording writes it" in other[2], other
        assert other[2].count("\n") == 1, other
        program.stdin.close()
        program.wait(60)
    assert found("w.fxt") == (list(range(1, 501)), False)


def test_every_command_reads_a_recording():
    record("r.fxt", "kill", "300", size="64K")
    assert not is_plain("r.fxt")
    for command in ("check", "stat", "report", "dump", "json", "fmt", "cut", "filter", "salvage"):
        fxt(command, "r.fxt", *(["-o", "out.fxt"] if command in ("fmt", "cut", "salvage") else []))
    fxt("merge", "r.fxt", "out.fxt", "-o", "merged.fxt")
    fxt("html", "r.fxt", "-o", "out.html")
    fxt("diff", "r.fxt", "out.fxt")
    assert fxt("sql", "--csv", "r.fxt", "select count(*) from instant").split()[-1] == b"300"
    assert found("out.fxt") == (list(range(1, 301)), False)
    with open("r.fxt", "rb") as file:
        half = file.read()[:-16]
    with open("cut.fxt", "wb") as file:
        file.write(half)
    fxt("dump", "cut.fxt", code=1)


def test_exec_keeps_both_files():
    assert record("e.fxt", "exec", "20")[0] == 0
    assert found("e.fxt") == (list(range(1, 21)), False)
    assert found("e.fxt.2") == (list(range(1, 8)), False)


def test_a_child_has_a_file_by_its_number():
    code, said, told = record("f.%p%%.fxt", "fork", "50")
    parent, child = said.split()
    assert (code, told) == (0, ""), told
    assert found("f.%s%%.fxt" % parent)[0] == list(range(1, 51)) + list(range(101, 151))
    assert found("f.%s%%.fxt" % child)[0] == list(range(51, 101))
    code, _, told = record("f.fxt", "fork", "50")
    assert code == 0 and told.count("\n") == 1 and "a forked child has no file" in told, told
    assert found("f.fxt")[0] == list(range(1, 51)) + list(range(101, 151))


def test_categories_choose():
    record("n.fxt", "exit", "5", categories="cat")
    assert found("n.fxt")[0] == [1, 2, 3, 4, 5]
    record("n.fxt", "exit", "5", categories="dog,cats")
    assert found("n.fxt")[0] == []


def test_what_cannot_be_recorded_is_told_in_a_line():
    os.mkdir("directory")
    os.mkfifo("fifo")
    for file, more, reason in (
            ("nowhere/a.fxt", {}, "No such file or directory"), ("directory", {}, "directory"),
            ("/dev/null", {}, "no regular file"), ("fifo", {}, "no regular file"),
            ("a%d.fxt", {}, "a % that is not"), ("a%", {}, "a % that is not"),
            ("a" * 300, {}, "File name too long"), ("a\nb/c", {}, "'a?b/c'"),
            ("b.fxt", {"size": "5000"}, "FXT_TRACE_BUFFER is no size"),
            ("b.fxt", {"size": "16MB"}, "FXT_TRACE_BUFFER is no size"),
            ("b.fxt", {"size": "99999999999999999999G"}, "FXT_TRACE_BUFFER is no size"),
            ("b.fxt", {"size": "-4096"}, "FXT_TRACE_BUFFER is no size"),
            ("b.fxt", {"mode": "Circular"}, "FXT_TRACE_MODE is not"),
            ("b.fxt", {"categories": "net, disk"}, "a space or a *")):
        code, _, told = record(file, "exit", **more)
        assert code == 0 and told.count("\n") == 1 and reason in told, (file, more, told)
    assert record("", "exit") == (0, "", "")


def test_a_full_disk_costs_records_but_no_program():
    code, _, told = record("d.fxt", "exit", size="64K", limit=16 * PAGE)
    assert code == 0 and told.count("\n") == 1 and "File too large" in told, told
    code, _, told = record("d.fxt", "slow", "5000", size="64K", limit=17 * PAGE + 9000)
    assert code == 0 and told.count("\n") == 1 and "records are lost" in told, told
    events, dropped = found("d.fxt")
    assert dropped and events == sorted(set(events)) and len(events) > 900, len(events)


def test_a_file_system_that_cannot_cut_the_beginning():
    if not os.path.isdir("/dev/shm"):
        return
    work = tempfile.mkdtemp(dir="/dev/shm")
    try:
        os.symlink(work + "/real.fxt", work + "/link.fxt")
        for name in "plain.fxt", "link.fxt":
            file = os.path.join(work, name)
            assert record(file, "exit", "500", size="64K") == (0, "", "")
            assert is_plain(file) and found(file) == (list(range(1, 501)), False)
        assert os.path.islink(work + "/link.fxt")
        assert sorted(os.listdir(work)) == ["link.fxt", "plain.fxt", "real.fxt"]
    finally:
        shutil.rmtree(work)


def test_a_program_with_more_rights_is_not_recorded():
    if os.geteuid() != 0 or os.statvfs("/tmp").f_flag & os.ST_NOSUID:
        print("skipped: not root, or /tmp is nosuid")
        return
    work = tempfile.mkdtemp(dir="/tmp")
    try:
        os.chmod(work, 0o777)
        for name, mode, recorded in (("plain", 0o755, True), ("setuid", 0o4755, False),
                                     ("setgid", 0o2755, False)):
            program, file = os.path.join(work, name), os.path.join(work, name + ".fxt")
            shutil.copy(RECORDED, program)
            os.chown(program, NOBODY, NOBODY)
            os.chmod(program, mode)
            try:
                subprocess.run([program, "exit"], user=CALLER, group=CALLER, extra_groups=[],
                               env=environment(file), check=True, timeout=240)
            except PermissionError:
                print("skipped: this sandbox has no other users")
                return
            assert os.path.exists(file) == recorded, name
    finally:
        shutil.rmtree(work)


def main():
    work = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
    os.chdir(work)
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            begin = time.monotonic()
            test()
            print("%s: %.1f s" % (name, time.monotonic() - begin), flush=True)
    os.chdir("/")
    shutil.rmtree(work)


if __name__ == "__main__":
    main()
