#!/usr/bin/env python3
"""trace start and stop, snapshot, status and the lists."""

import contextlib
import json
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import tracing
from tracing import (Running, TRACED, counted, daemon, equal, expect_clean, recorder, state_of,
                     status, trace, wait_until)

NO_MANAGER = "trace: no trace manager is running; 'trace start' hosts one until 'trace stop'\n"
BUSY = "trace: process %d is already recording in the background\n"


def start(*args):
    """The process that records, maybe nothing: empty_test looks at that."""
    result = trace("start", "--allow-empty", *args)
    equal((result.code, result.err), (0, ""), result)
    return int(result.text)


def test_providers_that_find_no_place_are_told():
    """By the daemon's log, and to the client: some wait from before the recording on, or only during it."""
    with contextlib.ExitStack() as stack:
        manager = stack.enter_context(daemon())

        def add():
            process = stack.enter_context(Running(TRACED, "await", "events=1", "wait=500"))
            return str(process.pid), process

        def registered():
            return {line.split()[1] for line in trace("list-providers").lines()[1:]}

        def told(*args):
            result = trace("record", "-b1", "-d0.2", "--allow-empty", *args)
            equal((result.code, result.text), (0, ""), result)
            return "more providers than the 100 that a trace manager holds" in result.err
        running = [add() for _ in range(100)]
        wait_until(lambda: len(registered()) == 100)
        equal(told(), False)
        with recorder("-b1", "--allow-empty") as process:
            name, _ = add()
            assert b"others wait" in manager.stderr.readline()
            running.pop()[1].kill()
            wait_until(lambda: name in registered())
            process.send_signal(signal.SIGINT)
            result = process.end()
        assert result.code == 0 and "what they traced meanwhile is missing" in result.err, result
        more = [add(), add()]
        assert b"others wait" in manager.stderr.readline()
        equal((told(), told("-q")), (True, True))
        for _, process in running[:2]:
            process.kill()
        wait_until(lambda: {name for name, _ in more} <= registered())
        equal(told(), False)


def test_start_and_stop():
    process = start("-o", "out.fxt")
    assert state_of(process) in ("R", "S")
    equal(os.getsid(process), process)
    equal([os.readlink(f"/proc/{process}/fd/{fd}") for fd in (0, 1)], ["/dev/null"] * 2)
    equal(trace("start", "-o", "other.fxt").err, BUSY % process)
    equal(trace("start", "-o", "other.fxt").code, 1)
    with Running(TRACED, "name=late", "await", "events=10", "print=ready", "wait=50") as late:
        equal(late.stdout.readline(), b"ready\n")
        result = trace("stop")
    equal((result.code, result.text), (0, ""), result)
    wait_until(lambda: state_of(process) in (None, "Z"))
    assert result.err.splitlines()[1].startswith("late ") and "all conform" in result.err, result
    equal(counted("out.fxt"), list(range(10)))
    equal(os.listdir("manager"), [])
    assert not os.path.exists("other.fxt")


def test_stop_ends_what_began_with_signals_ignored_or_blocked():
    ways = (lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN),
            lambda: signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGCHLD]))
    for way in ways:
        result = trace("start", "--allow-empty", preexec_fn=way)
        equal((result.code, result.err), (0, ""))
        equal(trace("stop").code, 0)


def test_a_start_that_cannot_print_its_process_ends_it():
    with open("/dev/full", "wb") as full, daemon():
        done = subprocess.run([tracing.TRACE, "start", "--allow-empty"], stdout=full,
                              stderr=subprocess.PIPE, check=False)
        equal((done.returncode, done.stderr.decode()),
              (3, "trace: cannot print the process id: No space left on device; the recording is ended\n"))
        equal(status()["state"], "none")


def test_a_start_without_room_in_the_directory_of_the_manager_ends_it():
    def leave_no_room():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    with daemon():
        done = subprocess.run([tracing.TRACE, "start", "--allow-empty"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False, preexec_fn=leave_no_room,
                              restore_signals=False)
        equal((done.returncode, done.stdout.decode(), done.stderr.decode()),
              (1, "", f"trace: {os.environ['FXT_TRACE_DIR']}/recorder: File too large; without this "
                      "file `trace stop` cannot tell how the recording ended\n"))
        equal(status()["state"], "none")
        equal(sorted(os.listdir()), ["manager"])


def has_opened(process, end):
    try:
        folder = f"/proc/{process.pid}/fd/"
        return any(os.readlink(folder + it).endswith(end) for it in os.listdir(folder))
    except OSError:
        return False


def test_two_stops_at_once_leave_a_later_start_alone():
    for _ in range(10):
        recording = start()
        os.kill(recording, signal.SIGSTOP)  # until both stops know it: a later one would stop the later start
        stops = [Running(tracing.TRACE, "stop") for _ in range(2)]
        wait_until(lambda: all(has_opened(stop, "/recorder") for stop in stops))
        os.kill(recording, signal.SIGCONT)
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
        result = trace("start", "--allow-empty")
        for stop in stops:
            stop.wait()
        if result.code == 0:
            equal(trace("stop").code, 0)
        else:
            assert "already recording" in result.err, result


def test_a_stop_that_stands_still_leaves_a_later_start_alone():
    recording = start()
    os.kill(recording, signal.SIGSTOP)
    with Running(tracing.TRACE, "stop") as late:
        wait_until(lambda: has_opened(late, "/recorder"))
        late.send_signal(signal.SIGSTOP)
        os.kill(recording, signal.SIGCONT)
        equal(trace("stop").code, 0)
        start()
        late.send_signal(signal.SIGCONT)
        late.wait(tracing.PATIENCE)
    equal(trace("stop").code, 0)


def test_an_interrupted_start_starts_nothing():
    with daemon(), Running(TRACED, "wait=50") as traced:
        wait_until(lambda: "traced" in trace("list-providers").text)
        os.kill(traced.pid, signal.SIGSTOP)
        with open("old.fxt", "wb") as file:
            file.write(b"old")
        process = Running(tracing.TRACE, "start", "--allow-empty", "-o", "old.fxt")
        wait_until(lambda: status().get("state") == "starting")
        process.send_signal(signal.SIGINT)
        process.wait()
        wait_until(lambda: not os.path.exists("manager/recorder"))
        with open("old.fxt", "rb") as file:
            equal(file.read(), b"old")
        os.kill(traced.pid, signal.SIGCONT)
        again = wait_until(lambda: [it for it in [trace("start", "--allow-empty")] if it.code == 0])
        equal(again[0].err, "")
        equal(trace("stop").code, 0)


def test_a_file_is_written_by_one_trace():
    busy = "another trace is being written to this file; name another one with --output-file\n"
    start("-o", "one.fxt")
    for command in ("record", "snapshot"):
        result = trace(command, "-o", "one.fxt", *(["-d1"] if command == "record" else []))
        equal((result.code, result.err), (3, "trace: one.fxt: " + busy))
    equal(trace("stop").code, 0)
    expect_clean("one.fxt")


def test_stop_without_start():
    for _ in range(2):
        result = trace("stop")
        equal((result.code, result.err), (1, "trace: nothing is being recorded in the background\n"))
    process = start()
    equal(trace("stop").code, 0)
    equal(trace("stop").code, 1)
    del process


def test_start_says_what_is_wrong():
    result = trace("start", "-o", "missing/out")
    equal((result.code, result.text), (3, ""))
    for name in ("-", "/dev/stdout"):
        result = trace("start", "-o", name)
        equal((result.code, result.text, result.err),
              (2, "", f"trace: start: --output-file={name} is not possible in the background\n"))
    result = trace("start", "--stream", "-mo")
    equal((result.code, result.text), (2, ""))
    assert "streaming" in result.err, result
    with recorder() as process:
        result = trace("start", "-o", "out.fxt")
        equal((result.code, result.text), (1, ""))
        assert "another recording is running" in result.err, result
        process.terminate()
        process.end()
    equal(trace("stop").code, 1)
    equal(sorted(os.listdir()), ["manager", "trace.fxt"])


def test_one_that_has_ended_by_itself():
    process = start("-d", "0.2", "--background", "-v")
    wait_until(lambda: state_of(process) in (None, "Z"))
    result = trace("stop")
    equal(result.code, 0, result)
    assert "trace.fxt: 8 bytes, 1 record, no events\n" in result.err, result
    equal(trace("stop").code, 1)
    process = start("-d", "0.1", "-o", "first.fxt")
    wait_until(lambda: state_of(process) in (None, "Z"))
    result = trace("start", "--allow-empty", "-o", "second.fxt")
    equal(result.code, 0)
    assert result.err.startswith("first.fxt: 8 bytes, 1 record, no events\n"), result
    result = trace("stop")
    assert result.code == 0 and "first" not in result.err and "second.fxt: " in result.err, result


def test_an_exit_code_comes_by_stop():
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    name = "tcp:127.0.0.1:%d" % listener.getsockname()[1]
    start("-s", "-b1", "-o", name)
    connection, _ = listener.accept()
    connection.recv(8)
    connection.close()
    listener.close()
    with Running(TRACED, "await", *["events=10000", "wait=0.1"] * 50):
        wait_until(lambda: status() == {})
    result = trace("stop")
    equal(result.code, 3)
    assert f"trace: {name}: write error: " in result.err, result


def test_stopping_twice_kills_nothing():
    """A provider that stands still makes it wait; who is impatient asks again."""
    process = start()
    with Running(TRACED, "await", "events=10", "print=ready", "signal=19", "wait=50") as traced:
        equal(traced.stdout.readline(), b"ready\n")
        wait_until(lambda: state_of(traced.pid) == "T")
        with Running(tracing.TRACE, "stop") as first, Running(tracing.TRACE, "stop") as second:
            wait_until(lambda: status().get("state") in ("stopping", "terminating"))
            time.sleep(0.3)
            assert state_of(process) in ("R", "S")
            traced.send_signal(signal.SIGCONT)
            codes = [first.end().code, second.end().code]
            equal(codes[0], 0)
    equal(counted("trace.fxt"), list(range(10)))


def test_one_that_was_killed():
    process = start()
    os.kill(process, signal.SIGKILL)
    wait_until(lambda: state_of(process) in (None, "Z"))
    result = trace("stop")
    equal(result.code, 1)
    equal(result.err, "trace: the background process died; "
                      f"{os.path.realpath('trace.fxt')} has what it had written until then\n")
    start()
    equal(trace("stop").code, 0)


def test_a_stop_while_a_start_begins():
    """The recording ends with its report, or has not begun; it did not die."""
    for late in range(40):
        with Running(tracing.TRACE, "start", "--allow-empty") as starting:
            time.sleep(late / 200)
            result = trace("stop")
            begun = starting.end().code == 0
        assert "died" not in result.err and "\0" not in result.err, (late, result)
        if begun and "nothing is being recorded" not in result.err:
            equal(result.code, 0, (late, result))
        trace("stop")


def test_the_process_in_the_file_is_not_believed():
    """Only who holds the lock on it is stopped."""
    os.mkdir("manager", 0o700)
    with open("manager/recorder", "w", encoding="utf-8") as file:
        file.write(f"{os.getpid()}\n")
    equal(trace("stop").code, 1)
    start()
    equal(trace("stop").code, 0)


def test_snapshot():
    start("-m", "circular", "-b1")
    with Running(TRACED, "await", "events=100", "print=1", "wait=1", "events=60000", "print=2",
                 "wait=50") as process:
        equal(process.stdout.readline(), b"1\n")
        result = trace("snapshot", "-o", "first.fxt")
        equal((result.code, result.text), (0, ""), result)
        assert result.err.startswith("first.fxt: ") and "all conform" in result.err, result
        equal(counted("first.fxt"), list(range(100)))
        equal(process.stdout.readline(), b"2\n")
        equal(trace("snapshot", "-o", "second.json").code, 0)
        with open("second.json", encoding="utf-8") as file:
            assert len(json.load(file)["traceEvents"]) > 5000
        equal(trace("snapshot", "-q", "-o", "third.fxt").code, 0)
        numbers = counted("third.fxt")
        equal(numbers[-1], 60099)
        equal(numbers, list(range(numbers[0], 60100)))
        equal(status()["state"], "started")
        equal(trace("stop").code, 0)
    numbers = counted("trace.fxt")
    equal(numbers, list(range(numbers[0], 60100)))
    for name in ("first.fxt", "third.fxt", "trace.fxt"):
        expect_clean(name)


def test_a_snapshot_of_a_full_buffer_brings_advice():
    start("-b1")
    with Running(TRACED, "await", "events=10", "print=1", "wait=1", "events=60000", "print=2", "wait=50") as process:
        equal(process.stdout.readline(), b"1\n")
        equal("found no room" in trace("snapshot", "-o", "first.fxt").err, False)
        equal(process.stdout.readline(), b"2\n")
        for args in (["-o", "second.fxt"], ["-q", "-o", "third.fxt"], ["-o", "-"]):
            result = trace("snapshot", *args)
            equal(result.code, 0, args)
            last = result.err.splitlines()[-1]
            assert "records found no room; next time record with a larger --buffer-size" in last, (args, result)
        equal(trace("stop").code, 0)


def test_no_snapshot_without_a_recording():
    result = trace("snapshot", "-o", "out.fxt")
    equal((result.code, result.err), (1, NO_MANAGER))
    with daemon():
        result = trace("snapshot", "-o", "out.fxt")
        equal((result.code, result.err), (1, "trace: nothing is being recorded\n"))
        result = trace("snapshot", "--format=json", "-o", "out.fxt")
        equal((result.code, result.err), (1, "trace: nothing is being recorded\n"))
        start()
        result = trace("snapshot", "-o", "/dev/full")
        equal(result.code, 3)
        assert "trace: /dev/full: write error: No space left on device\n" in result.err, result
        equal(trace("stop").code, 0)
    assert not os.path.exists("out.fxt")


def catches(process, number):
    with open(f"/proc/{process}/status", encoding="utf-8") as file:
        mask = next(line.split()[1] for line in file if line.startswith("SigCgt:"))
    return int(mask, 16) >> (number - 1) & 1


def has_open(process, name):
    folder = f"/proc/{process}/fd/"
    return any(os.path.realpath(folder + fd) == os.path.realpath(name) for fd in os.listdir(folder))


def test_an_interrupted_snapshot_leaves_no_file():
    with daemon() as manager:
        start()
        manager.send_signal(signal.SIGSTOP)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with Running(tracing.TRACE, "snapshot", "-o", "new.fxt") as process:
                wait_until(lambda: catches(process.pid, number))
                assert os.path.exists("new.fxt")
                process.send_signal(number)
                equal(process.wait(tracing.PATIENCE), -number)
            assert not os.path.exists("new.fxt"), number
        with open("old.fxt", "wb") as file:
            file.write(b"old")
        with Running(tracing.TRACE, "snapshot", "-o", "old.fxt") as process:
            wait_until(lambda: has_open(process.pid, "old.fxt"))
            process.send_signal(signal.SIGINT)
            equal(process.wait(tracing.PATIENCE), -signal.SIGINT)
        with open("old.fxt", "rb") as file:
            equal(file.read(), b"old")
        manager.send_signal(signal.SIGCONT)
        equal(trace("stop").code, 0)


def test_another_snapshot_holds_up_neither_the_end_nor_itself_in_silence():
    os.mkfifo("fifo")
    with daemon("--stop-timeout", "1"), Running(TRACED, "await", "events=30000", "print=ready", "wait=50") as traced:
        start("-m", "circular", "-b", "4")
        equal(traced.stdout.readline(), b"ready\n")
        reader = os.open("fifo", os.O_RDONLY | os.O_NONBLOCK)
        with Running(tracing.TRACE, "snapshot", "-o", "fifo"):
            wait_until(lambda: select.select([reader], [], [], 0)[0])
            result = trace("snapshot", "-o", "out.fxt")
            equal((result.code, result.err),
                  (1, "trace: another snapshot is being taken, or the recording is being stopped\n"))
            begin = time.monotonic()
            with Running(tracing.TRACE, "stop") as stop:
                while stop.poll() is None and time.monotonic() - begin < 20:
                    os.read(reader, 4096)  # slowly, but again and again
                    time.sleep(0.1)
                equal(stop.poll(), 0, "the end waits for nobody's snapshot")
        os.close(reader)


def test_an_interrupted_start_does_not_stay_where_its_output_blocks():
    os.mkfifo("fifo")
    with Running(tracing.TRACE, "start", "-o", "fifo") as process:
        wait_until(lambda: os.path.exists("manager/recorder"))
        process.send_signal(signal.SIGINT)
        process.wait(tracing.PATIENCE)
    again = wait_until(lambda: [it for it in [trace("start", "--allow-empty")] if it.code == 0])
    equal(again[0].err, "")
    equal(trace("stop").code, 0)


def test_a_recorder_of_another_name_space_is_not_waited_for():
    process = start()
    inside = ["unshare", "--pid", "--fork", "--mount-proc", tracing.TRACE]
    if subprocess.run(inside[:-1] + ["true"], stderr=subprocess.PIPE, check=False).returncode == 0:
        done = subprocess.run(inside + ["stop"], stderr=subprocess.PIPE, check=False, timeout=30)
        equal(done.returncode, 3)
        assert b"cannot be seen from here" in done.stderr, done
        done = subprocess.run(inside + ["start"], stderr=subprocess.PIPE, check=False, timeout=30)
        equal((done.returncode, b"process 0" in done.stderr), (1, False))
    equal(state_of(process), "S")
    equal(trace("stop").code, 0)


def test_a_provider_that_does_not_answer_for_its_categories_is_named():
    with daemon() as manager, Running(TRACED, "wait=50") as traced:
        wait_until(lambda: "traced" in trace("list-providers").text)
        os.kill(traced.pid, signal.SIGSTOP)
        equal(trace("list-categories").code, 0)
        manager.send_signal(signal.SIGTERM)
        told = manager.end().err
        assert f"traced (process {traced.pid}): a list of categories lacks its own" in told, told


def with_a_provider_that_stands_still(end):
    """A recording that takes a second to end, of which `end` asks the manager."""
    with daemon("--stop-timeout", "1") as manager:
        with Running(TRACED, "await", "events=9", "print=ready", "wait=50") as traced:
            with recorder("-o", "out.fxt") as process:
                equal(traced.stdout.readline(), b"ready\n")
                os.kill(traced.pid, signal.SIGSTOP)
                wait_until(lambda: state_of(traced.pid) == "T")
                end(manager)
                result = process.end()
        return result, manager.end()


def test_two_hangups_end_the_manager_with_the_results():
    def end(manager):
        for _ in range(5):
            manager.send_signal(signal.SIGHUP)
            time.sleep(0.01)
    _, ended = with_a_provider_that_stands_still(end)
    equal((ended.code, counted("out.fxt")), (0, list(range(9))), ended)
    assert "ends before the session" not in ended.err, ended


def test_start_keeps_no_descriptor_of_its_caller():
    """Whoever waits for the end of a pipe, or for a lock, does not wait for the recording."""
    read_end, write_end = os.pipe()
    with daemon():
        subprocess.run([tracing.TRACE, "start"], pass_fds=[write_end], stdout=subprocess.DEVNULL, check=True)
        os.close(write_end)
        assert select.select([read_end], [], [], 10)[0], "the pipe is open"
        equal(os.read(read_end, 1), b"")
        trace("stop")
    os.close(read_end)


def test_a_signal_that_is_sent_twice_ends_the_manager_once():
    def end(manager):
        manager.send_signal(signal.SIGTERM)
        time.sleep(0.005)
        manager.send_signal(signal.SIGTERM)
    _, ended = with_a_provider_that_stands_still(end)
    equal((ended.code, counted("out.fxt")), (0, list(range(9))), ended)
    assert "ends before the session" not in ended.err, ended


def test_a_second_signal_ends_the_manager_at_once():
    def end(manager):
        manager.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        manager.send_signal(signal.SIGTERM)
    _, ended = with_a_provider_that_stands_still(end)
    assert "ends before the session; not all of it is in the output\n" in ended.err, ended
    equal(ended.code, 0)


def test_signals_end_a_manager_that_waits_for_its_configuration():
    os.mkfifo("fifo")
    with Running(tracing.MANAGER, "--config", "fifo") as manager:
        time.sleep(0.3)
        manager.send_signal(signal.SIGINT)
        equal(manager.wait(20), -signal.SIGINT)


def test_a_manager_that_begins_at_the_same_time_is_found():
    """It has made the first of its sockets."""
    os.mkdir("manager", 0o700)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as registry:
        registry.bind("manager/registry")
        registry.listen()
        with Running(tracing.TRACE, "record", "--allow-empty", "-d0.2") as process:
            time.sleep(0.3)
            equal(process.poll(), None, "it waits")
            registry.close()
            os.unlink("manager/registry")
            with daemon():
                result = process.end()
    equal((result.code, "no trace manager" in result.err), (0, False), result)


def test_status():
    for command in ("status", "list-providers", "list-categories"):
        result = trace(command)
        equal((result.code, result.text, result.err),
              (1, "", NO_MANAGER))
    with daemon():
        equal(trace("status").text, "nothing is being recorded\n")
        equal(status()["state"], "none")
        start("-m", "streaming")
        with Running(TRACED, "await", "print=ready", "wait=50") as process:
            process.stdout.readline()
            lines = dict(line.split(None, 1) for line in trace("status").lines())
            equal(list(lines), ["state", "mode", "since", "providers", "written", "dropped",
                                "refused"])
            equal((lines["state"], lines["mode"], lines["providers"]), ("started", "streaming", "1"))
            now = status()
            equal((now["state"], now["mode"], now["providers"]), ("started", "streaming", 1))
            equal((now["records_dropped"], now["records_refused"], now["output_error"]), (0, 0, ""))
            assert now["started_ns"] > 0 and now["bytes_written"] >= 8
        equal(trace("stop").code, 0)


def test_an_empty_list_says_so():
    with daemon():
        result = trace("list-categories")
        equal((result.code, result.text), (0, ""))
        assert result.err.startswith("trace: no category is known; "), result
        result = trace("list-categories", "--json")
        equal((result.text, result.err), ("[]\n", ""))
        result = trace("list-providers")
        equal((result.code, result.text), (0, ""))
        assert result.err.startswith("trace: no provider is registered; "), result


def test_lists():
    with open("config", "w", encoding="utf-8") as file:
        file.write('{"categories": {"net": "what the \\"net\\" does"}}')
    with daemon("--config", "config"):
        equal(trace("list-providers").text, "")
        equal(json.loads(trace("list-providers", "--json").text), [])
        with Running(TRACED, "name=a b", "print=ready", "wait=50") as process:
            process.stdout.readline()
            result = trace("list-providers")
            equal([line.split(None, 2) for line in result.lines()],
                  [["id", "process", "name"], ["1", str(process.pid), "a b"]])
            equal(json.loads(trace("list-providers", "-j").text),
                  [{"id": 1, "process": process.pid, "name": "a b"}])
            result = trace("list-categories")
            equal(result.lines()[0], "Known categories")
            equal(sorted(result.lines()[1:]), ["  net: what the \"net\" does", "  other",
                                               "  test: what the tests trace"])
            equal(trace("list-categories", "--json", "-o", "out").code, 0)
            with open("out", encoding="utf-8") as file:
                found = {it["name"]: it["description"] for it in json.load(file)}
            equal(found, {"net": "what the \"net\" does", "other": "",
                          "test": "what the tests trace"})


tracing.main(globals(), jobs=3)
