#!/usr/bin/env python3
"""Where a trace goes, in which form, and what happens when it cannot."""

import glob
import json
import os
import pty
import re
import resource
import signal
import socket
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
import tracing
from tracing import (Running, TRACED, counted, daemon, equal, expect_clean, fxt, record, recorder,
                     trace, wait_until)

TEN = ["--", TRACED, "await", "events=10"]
FULL = "write error: No space left on device"


def steps_of_json(path):
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    equal(int(document["otherData"]["base_ns"]) % (86400 * 10**9), 0)
    found = [e for e in document["traceEvents"] if e["name"] == "step"]
    assert all(event["ts"] < 2 * 86400 * 10**6 for event in found)
    return [event["args"]["n"] for event in found]


def unpacked(path):
    subprocess.run(["zstd", "-q", "-d", "-f", path, "-o", "unpacked"], check=True)
    return "unpacked"


def test_json():
    for args, name in ((["-o", "out.json"], "out.json"), (["--format=json"], "trace.json"),
                       (["--format", "json", "--output=other"], "other")):
        result = record(*args, *TEN)
        equal(result.code, 0, result)
        equal(steps_of_json(name), list(range(10)))
        assert result.err.splitlines()[-1].startswith(f"{name}: "), result
        assert "all conform" in result.err, result
    equal(record("--format=fxt", "-o", "a.json", *TEN).code, 0)
    equal(counted("a.json"), list(range(10)))
    equal(sorted(os.listdir()), ["a.json", "manager", "other", "out.json", "trace.json"])


def test_a_page():
    for args, name in ((["-o", "out.html"], "out.html"), (["--format=html"], "trace.html")):
        result = record(*args, *TEN)
        equal(result.code, 0, result)
        with open(name, encoding="utf-8") as file:
            page = file.read()
        assert page.startswith("<!DOCTYPE html>") and 'class="data"' in page
        assert "all conform" in result.err, result
    equal(record("--format=fxt", "-o", "a.html", *TEN).code, 0)
    equal(counted("a.html"), list(range(10)))
    equal(record("--large=drop", "-o", "b.html", *TEN).code, 2)


def test_report():
    for args in ([], ["-o", "out.json"], ["--compress"], ["--large=blobs"], ["-q"]):
        result = record("--report", *args, *TEN, "spans=7")
        equal(result.code, 0, result)
        assert re.search(r"^ *7 .* span$", result.text, re.M), result
    equal(record(*TEN).text, "")
    os.mkfifo("fifo")
    for name in ("-", "tcp:127.0.0.1:1", "/dev/null", "fifo"):
        result = record("--report", "-o", name, *TEN)
        equal((result.code, result.text), (2, ""))
        assert "--report" in result.err, result


def test_view():
    """After the recording, whatever its form is; the page is that of the records."""
    with open("browser", "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\ncp "$1" page; test -s "$OUT" && echo > whole\n')
    os.chmod("browser", 0o755)
    os.mkdir("tmp")
    environment = dict(os.environ, TMPDIR=os.path.abspath("tmp"), BROWSER="./browser")
    for name in ("trace.fxt", "trace.json", "trace.fxt.zst", "trace.html"):
        result = record("--view", "-o", name, *TEN, "spans=7", env=dict(environment, OUT=name))
        equal((result.code, os.path.exists("whole")), (0, True), result)
        os.remove("whole")
        with open("page", encoding="utf-8") as file:
            assert file.read().endswith("</html>\n")
    result = record("--view", *TEN, env=dict(environment, BROWSER="false"))
    equal(result.code, 3)
    assert "does not open a browser; open /" in result.err and "all conform" in result.err, result
    os.remove("page")
    record("--view", "--allow-empty", "-d0.1", env=environment)
    assert not os.path.exists("page"), "nothing was recorded"
    for name in ("-", "tcp:127.0.0.1:1", "/dev/null"):
        result = record("--view", "-o", name, *TEN)
        equal((result.code, result.text), (2, ""))
        assert "--view" in result.err, result


def test_the_same_json_as_convert():
    equal(record(*TEN).code, 0)
    equal(trace("convert", "trace.fxt", "-o", "converted.json").code, 0)
    equal(fxt("json", "trace.fxt").out, open("converted.json", "rb").read())
    equal(steps_of_json("converted.json"), list(range(10)))


def test_compressed():
    for args, name in ((["-o", "out.fxt.zst"], "out.fxt.zst"), (["--compress"], "trace.fxt.zst"),
                       (["--compress=true", "-o", "other"], "other")):
        result = record(*args, *TEN)
        equal(result.code, 0, result)
        assert "all conform" in result.err, result
        equal(counted(name), list(range(10)))
        equal(counted(unpacked(name)), list(range(10)))
    equal(record("-o", "out.json.zst", *TEN).code, 0)
    equal(steps_of_json(unpacked("out.json.zst")), list(range(10)))
    equal(record("--compress=false", "-o", "plain.zst", *TEN).code, 0)
    equal(open("plain.zst", "rb").read(8), fxt("asm", data=b"magic\n").out)


def kinds_of(path, *kinds):
    return [it["record"] for it in tracing.records(path) if it["record"] in kinds]


def test_large_records():
    blob = ["--", TRACED, "await", "blob=100000", "events=10"]
    for how, kinds in (("keep", ["large_blob"]), ("drop", []), ("blobs", 4 * ["blob"])):
        result = record(f"--large={how}", "-o", how, *blob)
        equal(result.code, 0, result)
        count = len(tracing.records(how))
        assert f", {count} records, all conform\n" in result.err, (count, result)
        equal(kinds_of(how, "large_blob", "blob"), kinds)
        equal(counted(how), list(range(10)))
        expect_clean(how)
    equal(record("--large=drop", "--compress", "-o", "-", *blob).code, 0)
    equal(record("--large=drop", "-o", "a.json", *blob).code, 2)
    equal(record("--large=all", *blob).code, 2)
    equal(trace("snapshot", "--large=drop", "--format=json").code, 2)
    equal(sorted(os.listdir()), ["blobs", "drop", "keep", "manager"])


def test_stdout():
    result = record("-o", "-", *TEN, "print=of the command")
    equal(result.code, 0, result)
    assert "of the command\n" in result.err, result
    with open("piped", "wb") as file:
        file.write(result.out)
    equal(counted("piped"), list(range(10)))
    for name in ("/dev/stdout", "/proc/self/fd/1"):
        result = record("-o", name, *TEN, "print=of the command")
        assert result.code == 0 and "of the command\n" in result.err, result
        with open("piped", "wb") as file:
            file.write(result.out)
        equal(counted("piped"), list(range(10)))
    result = record("-o", "-", "--format=json", *TEN)
    equal(len([e for e in json.loads(result.text)["traceEvents"] if e["name"] == "step"]), 10)
    master, slave = pty.openpty()
    with Running(tracing.TRACE, "record", "-o", "-", "-d1") as process:
        process.end()
    done = subprocess.run([tracing.TRACE, "record", "-o", "-", "-d1"], stdout=slave,
                          stderr=subprocess.PIPE, check=False)
    equal(done.returncode, 3)
    assert b"stdout is a terminal" in done.stderr, done
    os.close(master)
    os.close(slave)


def test_closed_stdout():
    """Nobody is told, for nobody is there."""
    with Running(tracing.TRACE, "record", "-q", "-s", "-b1", "-o", "-", "--", TRACED, "await",
                 "events=60000", "wait=50") as process:
        process.stdout.close()
        process.stdout = None
        err = process.stderr.read()
        equal(process.wait(timeout=60), 3)
        assert b"write error" not in err, err


class Listener(threading.Thread):
    """A server that takes one connection: all of it, or the beginning."""

    def __init__(self, family, limit=None):
        super().__init__()
        self.socket = socket.socket(family)
        self.socket.bind(("::1" if family == socket.AF_INET6 else "127.0.0.1", 0))
        self.socket.listen()
        self.port = self.socket.getsockname()[1]
        self.limit = limit
        self.got = b""
        self.start()

    def run(self):
        connection, _ = self.socket.accept()
        with self.socket, connection:
            while self.limit is None or len(self.got) < self.limit:
                piece = connection.recv(1 << 16)
                if not piece:
                    break
                self.got += piece


def test_tcp():
    families = [(socket.AF_INET, "tcp:127.0.0.1:%d")]
    if socket.has_ipv6 and os.path.exists("/proc/net/if_inet6") and \
            open("/proc/net/if_inet6", encoding="utf-8").read():
        families.append((socket.AF_INET6, "tcp:[::1]:%d"))
    for family, name in families:
        listener = Listener(family)
        result = record("-o", name % listener.port, *TEN)
        equal(result.code, 0, result)
        listener.join()
        with open("sent", "wb") as file:
            file.write(listener.got)
        equal(counted("sent"), list(range(10)))


def test_tcp_that_fails():
    for name, why, code in (("tcp:", "tcp:HOST:PORT", 2), ("tcp:host", "tcp:HOST:PORT", 2),
                            ("tcp:host:", "tcp:HOST:PORT", 2), ("tcp:127.0.0.1:1", "Connection refused", 3)):
        result = record("-o", name, *TEN)
        equal((result.code, result.text), (code, ""), result)
        assert f"trace: {name}: " in result.err and why in result.err, result
    listener = Listener(socket.AF_INET, limit=1)
    name = f"tcp:127.0.0.1:{listener.port}"
    result = record("-s", "-b1", "-o", name, "--", TRACED, "await", *["events=20000", "wait=0.1"] * 50)
    equal(result.code, 3, result)
    assert f"trace: {name}: write error: " in result.err, result
    listener.join()


def test_a_port_is_a_number_up_to_65535():
    """getaddrinfo takes 65536 + N for N: the trace would go to whoever listens there."""
    listener = Listener(socket.AF_INET)
    port = listener.port
    for bad in (65536 + port, 65536, 2**32 + port, 2**64 + port, 0, "x", "http", "-1", f"-{65536 - port}", f"+{port}",
                f" {port}", f"{port} ", f"{port}\n", f"{port}x", f"0{port}", f"0x{port:x}", "1.0"):
        for command in ("record", "start", "snapshot"):
            name = f"tcp:127.0.0.1:{bad}"
            result = trace(command, "-o", name)
            equal((result.code, result.text), (2, ""), (name, result))
            assert "PORT from 1 to 65535" in result.err, result
    equal(record("-o", f"tcp:127.0.0.1:{port}", *TEN).code, 0)
    listener.join()


def test_full_disk():
    """The recording ends at once, and the command with it."""
    for args in ([], ["--compress"], ["--format=json"]):
        result = record("-o", "/dev/full", "-d", "1", *args, "--", TRACED, "await", "events=10",
                        "wait=50")
        equal(result.code, 3, result)
        equal(result.err.count(f"trace: /dev/full: {FULL}\n"), 1)
        for word in ("Broken pipe", "reader", "other end"):
            assert word not in result.err, "that is between trace and its manager"


def record_into_limit(name, size, **more):
    """Records more than `size` bytes into a file that may not grow beyond them."""
    with daemon(), Running(TRACED, "await", "events=60000", "print=ready", "wait=50") as traced:
        with recorder("-o", name, **more) as process:
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, size))
            equal(traced.stdout.readline(), b"ready\n")
            process.send_signal(signal.SIGINT)
            result = process.end()
    equal(result.code, 3, result)
    equal(result.err.count(f"trace: {name}: write error: File too large\n"), 1)
    return result.err


def test_a_full_disk_leaves_whole_records():
    """A file may not grow larger: as on a full disk the write fails in the middle of a record."""
    size = 100001
    record_into_limit("trace.fxt", size)
    left = os.path.getsize("trace.fxt")
    assert size - 100 < left < size and left % 8 == 0, left
    numbers = counted("trace.fxt")
    equal(numbers, list(range(len(numbers))))
    assert len(numbers) > 1000
    for name in ("large.json", "page.html"):
        err = record_into_limit(name, size)
        assert f"\ntrace: {name}.fxt: what was written before the error is here; `fxt json` and `fxt html` convert it\n" in err, err
        assert 1000 < len(counted(name + ".fxt")) < 60000
    old = os.umask(0o027)
    for kept in ("whole.json.fxt", "whole.json.2.fxt", "whole.json.3.fxt"):
        err = record_into_limit("whole.json", 4000000)
        assert f"trace: {kept}: what was recorded is here" in err, "no other file is overwritten"
        equal(counted(kept), list(range(60000)))
        equal(oct(os.stat(kept).st_mode & 0o777), "0o640")
    os.umask(old)


@tracing.testing.not_under("asan", "tsan")
def test_records_are_kept_where_files_cannot_be_without_a_name():
    """As on NFS: they are in /tmp then, and are copied."""
    with open("no_tmpfile.c", "w", encoding="utf-8") as file:
        file.write("""
            #define _GNU_SOURCE
            #include <errno.h>
            #include <fcntl.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            int open(const char *path, int flags, ...) {
                errno = EOPNOTSUPP;
                return (flags & O_TMPFILE) == O_TMPFILE ? -1 : syscall(SYS_openat, AT_FDCWD, path, flags, 0666);
            }
            int open64(const char *path, int flags, ...) __attribute__((alias("open")));""")
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", "no_tmpfile.so", "no_tmpfile.c"], check=True)
    err = record_into_limit("whole.json", 4000000, env={**os.environ, "LD_PRELOAD": os.path.abspath("no_tmpfile.so")})
    assert "trace: whole.json.fxt: what was recorded is here" in err, err
    equal(counted("whole.json.fxt"), list(range(60000)))
    assert "\nwhole.json: 4.0 MB, incomplete\n" in err, err


@tracing.testing.not_under("tsan")
def test_a_deferred_trace_that_finds_no_room_ends_the_recording():
    command = ["sh", "-c", 'ulimit -f 2100; exec "$0"', tracing.MANAGER]
    with Running(*command) as manager:
        wait_until(lambda: trace("status").code == 0)
        begin = time.monotonic()
        result = record("--defer-transfer", "-b1", "--", TRACED, "await", "events=1000000", "wait=50")
        assert time.monotonic() - begin < 30, result
        equal(result.code, 1)
        assert "the output accepts no more data" in result.err and "TMPDIR" in result.err, result
        equal(manager.poll(), None)


@tracing.testing.not_under("asan", "tsan")
def test_a_recording_that_cannot_be_converted_is_kept():
    """There is too little memory for the tables of the conversion, but not for the recording."""
    for name, more in (("t.json", []), ("t.html", []), ("t.fxt", ["--large=blobs"])):
        with open(name, "w", encoding="utf-8") as file:
            file.write("old")
        with daemon(), Running(TRACED, "await", "events=100", "wait=50"):
            done = subprocess.run(["sh", "-c", 'ulimit -v 200000; exec "$@"', "sh", tracing.TRACE, "record", "-d0.3",
                                   "--no-verify", *more, "-o", name], stderr=subprocess.PIPE, text=True)
        equal(done.returncode, 3, done.stderr)
        with open(name, encoding="utf-8") as file:
            equal(file.read(), "old", done.stderr)
        assert f"trace: {name}.fxt: what was recorded is here" in done.stderr, done.stderr
        assert f"{name}: 0" not in done.stderr, done.stderr
        equal(fxt("check", "-q", name + ".fxt").code, 0)


def test_an_output_that_is_removed_or_replaced_is_told():
    for name, more in (("t.json", []), ("t.html", []), ("t.fxt", []), ("t.fxt", ["--no-verify"]), ("t.fxt.zst", [])):
        for command in ("rm", name), ("sh", "-c", f"echo other >new && mv new {name}"):
            for left in glob.glob("t.*"):
                os.unlink(left)
            result = record("--allow-empty", "-o", name, *more, "--", *command)
            equal(result.code, 3, (name, more, command, result))
            told = f"trace: {name}: the file was removed or replaced while it was written\n"
            equal(result.err.count(told), 1, result)
            assert "not an FXT trace" not in result.err and "conform" not in result.err, result
            is_kept = name in ("t.json", "t.html")
            equal(os.path.exists(name + ".fxt"), is_kept, result)
            equal(os.path.exists(name), command[0] == "sh", result)


def test_a_terminal_by_its_name_is_refused():
    master, slave = pty.openpty()
    result = record("-o", os.ttyname(slave), "-d1")
    equal((result.code, result.err), (3, f"trace: {os.ttyname(slave)} is a terminal: write the trace to a file or "
                                         "a pipe\n"))
    os.close(master)
    os.close(slave)


@tracing.testing.not_under("tsan")
def test_a_disk_without_any_room_leaves_no_files():
    os.mkdir("empty")
    with daemon(), Running(TRACED, "await", "events=100", "wait=50"):
        for name in ("empty/trace.fxt", "empty/large.json", "empty/page.html", "empty/trace.fxt.zst"):
            done = subprocess.run(["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", tracing.TRACE, "record", "-d0.2", "-o", name],
                                  stderr=subprocess.PIPE, text=True)
            equal((done.returncode, os.listdir("empty")), (3, []), done.stderr)
            assert "write error: File too large" in done.stderr and " is here" not in done.stderr, done.stderr
            assert f"{name}: 0" not in done.stderr, done.stderr
        os.symlink("there.fxt", "link.fxt")  # it is not the file that was made
        subprocess.run(["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", tracing.TRACE, "record", "-d0.2", "-o", "link.fxt"],
                       stderr=subprocess.PIPE)
        assert os.path.islink("link.fxt")


def test_output_that_cannot_be_opened():
    os.mkdir("directory")
    for name, why in (("missing/out", "No such file or directory"),
                      ("directory", "Is a directory")):
        for command in ("record", "start", "snapshot"):
            for form in ([], ["--format=json"], ["--compress"]):
                result = trace(command, *form, "-o", name)
                equal((result.code, result.text, result.err), (3, "", f"trace: {name}: {why}\n"))


def test_a_file_that_is_there_is_replaced():
    with open("trace.fxt", "wb") as file:
        file.write(bytes(100000))
    os.chmod("trace.fxt", 0o640)
    os.symlink("trace.fxt", "link")
    equal(record("-o", "link", *TEN).code, 0)
    assert os.path.islink("link")
    equal(os.stat("trace.fxt").st_mode & 0o777, 0o640)
    expect_clean("trace.fxt")
    equal(counted("trace.fxt"), list(range(10)))


def expect_partial(name, partial, err):
    """The old file is there, and beside it what was recorded, of which it is told."""
    with open(name, "rb") as file:
        equal(file.read(), b"old")
    assert f"trace: {name}: left as it was; what was recorded is in {os.path.realpath(partial)}\n" in err, err
    numbers = counted(partial)
    equal(numbers, list(range(len(numbers))))
    assert len(numbers) > 9, numbers


def write_old(name):
    with open(name, "wb") as file:
        file.write(b"old")


def test_a_recording_that_is_not_whole_leaves_the_old_file():
    write_old("trace.fxt")
    for partial in "trace.fxt.partial", "trace.fxt.partial.2":
        err = record_into_limit("trace.fxt", 100001)
        expect_partial("trace.fxt", partial, err)
        assert f"\n{os.path.realpath(partial)}: " in err and ", incomplete\n" in err, err
    write_old("large.json")
    err = record_into_limit("large.json", 4000000)
    assert "trace: large.json: left as it was\n" in err, err
    assert "trace: large.json.fxt: what was recorded is here" in err, err
    equal(open("large.json", "rb").read(), b"old")
    equal(sorted(it for it in os.listdir() if it.startswith("large")), ["large.json", "large.json.fxt"])


def test_a_manager_that_dies_leaves_the_old_file():
    write_old("trace.fxt")
    with daemon() as manager:
        with recorder("-s", "-b2", "--", TRACED, "await", "events=60000", "wait=50") as process:
            wait_until(lambda: os.path.getsize("trace.fxt.partial") > 100000)
            manager.kill()
            result = process.end()
    equal(result.code, 1, result)
    expect_partial("trace.fxt", "trace.fxt.partial", result.err)


def test_a_recorder_that_dies_leaves_the_old_file():
    write_old("trace.fxt")
    started = trace("start", "-s", "-b1")
    equal((started.code, started.err), (0, ""))
    with Running(TRACED, "await", "events=60000", "wait=50"):
        wait_until(lambda: os.path.getsize("trace.fxt.partial") > 100000)
        os.kill(int(started.text), signal.SIGKILL)
        result = trace("stop")
    partial = os.path.realpath("trace.fxt.partial")
    equal((result.code, result.err.splitlines()[-1]),  # records may have been dropped before
          (1, f"trace: the background process died; {partial} has what it had written until then"))
    equal(open("trace.fxt", "rb").read(), b"old")


def test_a_dead_recorder_of_json_is_not_said_to_have_left_it():
    started = trace("start", "-o", "new.json")
    os.kill(int(started.text), signal.SIGKILL)
    result = trace("stop")
    equal((result.code, result.err), (1, "trace: the background process died; what it had recorded for "
                                         f"{os.path.realpath('new.json')} is lost\n"))


def test_a_directory_that_takes_no_new_file_leaves_the_old_one():
    os.mkdir("folder")
    name = "folder/" + "x" * 250
    write_old(name)
    result = record("-o", name, *TEN)
    equal((result.code, result.err), (3, f"trace: {os.path.realpath(name)}.partial: File name too long; this file "
                                         f"replaces {name} when it is whole\n"))
    equal(os.listdir("folder"), ["x" * 250])


def script_that_cannot_run():
    with open("script", "w", encoding="utf-8") as file:
        file.write("#!/no/such/interpreter\n")
    os.chmod("script", 0o755)
    return ["--", "./script"]


def old_file():
    with open("old", "wb") as file:
        file.write(b"old" * 1000)


def expect_old_file(what):
    with open("old", "rb") as file:
        assert file.read(5000) == b"old" * 1000, what


WAYS = ([], ["-s", "-b1"], ["--compress"], ["--large=drop"], ["--format=json"], ["--format=html"],
        ["--defer-transfer"])


def test_a_command_that_cannot_run_changes_no_output():
    """Not even if another program traces meanwhile."""
    bad = script_that_cannot_run()
    old_file()
    with daemon(), Running(TRACED, "await", "events=1000000000"):
        wait_until(lambda: len(trace("list-providers").lines()) == 2)
        for way in WAYS:
            result = record(*way, "-o", "old", *bad)
            equal(result.code, 126, result)
            expect_old_file(way)
            equal(record(*way, "-o", "new", *bad).code, 126)
            assert not os.path.exists("new"), way
            result = record(*way, "-o", "-", *bad)
            equal((result.code, len(result.out)), (126, 0), way)
        listener = Listener(socket.AF_INET)
        equal(record("-s", "-b1", "-o", f"tcp:127.0.0.1:{listener.port}", *bad).code, 126)
        listener.join()
        equal(len(listener.got), 0)


def test_a_snapshot_of_nothing_changes_no_output():
    old_file()
    with daemon():
        for way in ([], ["--compress"], ["--format=json"]):
            equal(trace("snapshot", *way, "-o", "old").code, 1)
            expect_old_file(way)
            equal(trace("snapshot", *way, "-o", "-").out, b"")


def test_a_fifo():
    os.mkfifo("fifo")
    with subprocess.Popen(["cat", "fifo"], stdout=subprocess.PIPE) as reader:
        equal(record("-o", "fifo", *TEN).code, 0)
        with open("copy", "wb") as file:
            file.write(reader.stdout.read())
    equal(counted("copy"), list(range(10)))


def test_killed_while_streaming():
    """What is in the file by then can be read."""
    script = f'echo $$; exec "{TRACED}" await events=60000 wait=50'
    with recorder("-s", "-b1", "--", "sh", "-c", script) as process:
        command = int(process.stdout.readline())
        wait_until(lambda: os.path.getsize("trace.fxt") > 100000)
        process.kill()
        process.wait()
        os.kill(command, signal.SIGKILL)
    result = fxt("check", "-smalformed", "trace.fxt")
    lines = [line for line in result.lines() if "REC-03" not in line]
    equal(lines, [], "nothing is malformed but for the end")


def test_no_verify():
    result = record("--no-verify", *TEN)
    equal(result.code, 0)
    assert "findings" not in result.err, result


tracing.main(globals(), jobs=3)
