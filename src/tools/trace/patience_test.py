#!/usr/bin/env python3
"""How long trace waits: for receivers that never read, for programs that stand still, for a manager that
hangs; and that the first Ctrl-C ends it, with what could be written."""

import contextlib
import os
import pty
import select
import signal
import socket
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import tracing
from tracing import (PATIENCE, Running, TRACE, TRACED, await_state, counted, daemon, equal, expect_clean, recorder,
                     state_of, trace, wait_until)

SHORT = ["await", "events=20000"]  # may have ended before anybody asks for the state
SOON = 5  # seconds; a second is meant, on a machine that is not busy
GIVEN_UP = "the receiver does not read; the rest of the trace is lost"
MUCH = ["await", *["events=50000"] * 8, "print=ready", "wait=50"]


class Silent:
    """A server that takes connections and never reads."""

    def __init__(self):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.listen()
        self.name = "tcp:127.0.0.1:%d" % self.socket.getsockname()[1]


def ends_soon(process, number=signal.SIGINT):
    """Sends the signal, and returns the result."""
    begin = time.monotonic()
    process.send_signal(number)
    result = process.end()
    took = time.monotonic() - begin
    assert took < SOON, (took, result)
    return result


def in_both_homes(test):
    """With a manager of trace's own, and with a daemon."""
    test()
    with daemon():
        test()


def silent_receiver(*args):
    receiver = Silent()
    with recorder("-b16", *args, "-o", receiver.name, "--", TRACED, *MUCH) as process:
        equal(process.stdout.readline(), b"ready\n")
        result = ends_soon(process)
    equal(result.code, 3, result)
    assert f"trace: {receiver.name}: {GIVEN_UP}\n" in result.err, result
    assert "\ntraced " in result.err, "the table is there"


def test_tcp_receiver_that_never_reads():
    in_both_homes(silent_receiver)


def test_tcp_receiver_that_never_reads_while_streaming():
    in_both_homes(lambda: silent_receiver("-s"))


def test_tcp_receiver_of_json_that_never_reads():
    silent_receiver("--format=json")


def test_the_first_signal_ends_the_wait_at_the_end():
    """The duration is over, and trace waits for the receiver."""
    receiver = Silent()
    with recorder("-b16", "-d1", "-o", receiver.name, "--", TRACED, *MUCH) as process:
        await_state("terminating")
        time.sleep(0.5)
        assert process.poll() is None
        result = ends_soon(process, signal.SIGTERM)
    equal(result.code, 3, result)
    assert GIVEN_UP in result.err, result


def full_pipe(name, **kwargs):
    with recorder("-b16", "-o", name, "--", TRACED, "await", *["events=50000"] * 8, "alert=x", "wait=50",
                  **kwargs) as process:
        time.sleep(1)
        result = ends_soon(process)
    equal(result.code, 3, result)
    assert GIVEN_UP in result.err, result


def test_pipe_that_is_full():
    ends = os.pipe()
    full_pipe("/dev/fd/%d" % ends[1], pass_fds=ends)


def test_a_second_signal_ends_a_manager_whose_output_nobody_reads():
    """The first waits for the output, for up to a minute, and tells after two seconds that a second one does not."""
    for number in (signal.SIGTERM, signal.SIGINT):
        with daemon() as manager, recorder("-s", "-b16", "-o", "-", "--", TRACED, *MUCH) as process:
            time.sleep(1)
            begin = time.monotonic()
            manager.send_signal(number)
            line = manager.stderr.readline().decode()
            assert "a second SIGINT or SIGTERM ends it at once, and loses records\n" in line, line
            assert 1.9 < time.monotonic() - begin < 2 + SOON
            equal(manager.poll(), None)
            result = ends_soon(manager, number)
            equal((result.code, result.err),
                  (0, "trace-manager: ends before the session; not all of it is in the output\n"))
            ends_soon(process)


def test_a_manager_that_ends_soon_tells_of_no_second_signal():
    with daemon() as manager, recorder("-o", "out", "--", TRACED, *MUCH) as process:
        equal(process.stdout.readline(), b"ready\n")
        result = ends_soon(manager, signal.SIGTERM)
        equal((result.code, result.err), (0, ""))
        equal(process.end().code, 1)


def test_fifo_that_nobody_reads():
    os.mkfifo("fifo")
    reader = os.open("fifo", os.O_RDONLY | os.O_NONBLOCK)
    full_pipe("fifo")
    os.close(reader)


def test_stdout_that_nobody_reads():
    with recorder("-b16", "-o", "-", "--", TRACED, "await", *["events=50000"] * 8, "wait=50") as process:
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        equal(process.wait(SOON), 3)
        assert GIVEN_UP.encode() in process.stderr.read()


def test_tcp_receiver_that_says_something_gets_everything():
    """A connection that is closed with unread bytes is reset, and what is on its way is lost."""
    receiver = Silent()
    with Running(TRACE, "record", "-b16", "-o", receiver.name, "--", TRACED, *SHORT) as process:
        connection, _ = receiver.socket.accept()
        connection.sendall(b"welcome")
        time.sleep(2)
        got = b""
        while True:
            piece = connection.recv(1 << 16)
            if not piece:
                break
            got += piece
        result = process.end()
    equal(result.code, 0, result)
    with open("sent", "wb") as file:
        file.write(got)
    equal(counted("sent"), list(range(20000)))


def test_tcp_receiver_that_never_reads_the_end():
    """All of the trace is on its way, and the first signal ends the wait."""
    receiver = Silent()
    with Running(TRACE, "record", "-b16", "-o", receiver.name, "--", TRACED, *SHORT) as process:
        time.sleep(2)
        equal(process.poll(), None)
        result = ends_soon(process)
    equal(result.code, 3, result)
    assert f"trace: {receiver.name}: {GIVEN_UP}\n" in result.err, result


def test_tcp_receiver_that_leaves_before_the_end_is_told():
    receiver = Silent()
    with Running(TRACE, "record", "-b16", "-o", receiver.name, "--", TRACED, *SHORT) as process:
        connection, _ = receiver.socket.accept()
        time.sleep(2)
        equal(process.poll(), None)
        connection.close()
        result = process.end()
    equal(result.code, 3, result)
    assert f"trace: {receiver.name}: write error: Connection reset by peer" in result.err, result


def test_slow_receiver_gets_everything():
    """Ctrl-C gives up who takes nothing, not who is slow."""
    os.mkfifo("fifo")
    reader = os.open("fifo", os.O_RDONLY | os.O_NONBLOCK)
    got = b""
    with recorder("-b16", "-o", "fifo", "--", TRACED, *MUCH) as process:
        equal(process.stdout.readline(), b"ready\n")
        process.send_signal(signal.SIGINT)
        os.set_blocking(reader, True)
        while True:
            piece = os.read(reader, 1 << 16)
            if not piece:
                break
            got += piece
            time.sleep(0.005)
        result = process.end()
        equal(result.code, 0, result)
    with open("got.fxt", "wb") as file:
        file.write(got)
    os.close(reader)
    numbers = counted("got.fxt")
    equal(numbers, list(range(len(numbers))))
    assert len(numbers) > 100000, len(numbers)


def suspended(name):
    """A program that has traced and stands still then."""
    return Running(TRACED, "name=" + name, "await", "events=10", "print=ready", "signal=19", "wait=50")


def await_stop(process):
    wait_until(lambda: state_of(process.pid) == "T")


def one_suspended_program(end):
    with recorder("--timeout=1") as process, suspended("still") as still, \
            Running(TRACED, "name=well", "await", "events=20", "print=ready", "wait=50") as well:
        equal(still.stdout.readline() + well.stdout.readline(), b"ready\n" * 2)
        await_stop(still)
        begin = time.monotonic()
        result = end(process)
    assert time.monotonic() - begin < 1 + SOON
    equal(result.code, 0, result)
    assert f"trace: still (process {still.pid}) did not answer in time; its buffer was salvaged\n" \
        in result.err, result
    equal([line.split()[-3:] for line in result.err.splitlines() if line.startswith("still ")],
          [["did", "not", "answer"]])
    equal((counted("trace.fxt", "still"), counted("trace.fxt", "well")),
          (list(range(10)), list(range(20))))
    expect_clean("trace.fxt")


def test_a_suspended_program_does_not_hold_up_an_interrupt():
    in_both_homes(lambda: one_suspended_program(ends_soon))


def test_a_suspended_program_is_waited_for_only_so_long():
    with suspended("still") as still, daemon():
        with recorder("-d", "1.5", "--timeout=0.5") as process:
            equal(still.stdout.readline(), b"ready\n")
            begin = time.monotonic()
            result = process.end()
    assert time.monotonic() - begin < 1.5 + 0.5 + SOON
    equal(result.code, 0, result)
    assert f"trace: still (process {still.pid}) did not answer in time" in result.err, result
    equal(counted("trace.fxt"), list(range(10)))


def test_without_an_option_it_takes_seconds_not_a_minute():
    with recorder("-q", "-d", "1") as process, suspended("still") as still:
        equal(still.stdout.readline(), b"ready\n")
        begin = time.monotonic()
        result = process.end()
    assert time.monotonic() - begin < 1 + 5 + SOON
    assert f"trace: still (process {still.pid}) did not answer in time" in result.err, result
    equal(counted("trace.fxt"), list(range(10)))


@contextlib.contextmanager
def start_that_lasts():
    """A program that stands still is waited for. There is a file already."""
    with daemon(), Running(TRACED, "await", "events=10", "signal=19", "wait=50") as still:
        wait_until(lambda: len(trace("list-providers").lines()) == 2)
        os.kill(still.pid, signal.SIGSTOP)
        await_stop(still)
        with open("trace.fxt", "w", encoding="utf-8") as file:
            file.write("old")
        yield


def test_an_interrupt_while_programs_start():
    """One that stands still is not waited for."""
    with start_that_lasts():
        with Running(TRACE, "record", "--timeout=60") as process:
            await_state("starting")
            result = ends_soon(process)
    equal(result.code, 1, result)
    equal(open("trace.fxt", encoding="utf-8").read(), "old")


def test_an_interrupt_at_the_end_of_the_start_runs_no_command():
    with start_that_lasts():
        with Running(TRACE, "record", "--timeout=1", "--", "touch", "ran") as process:
            await_state("starting")
            time.sleep(0.85)  # the start ends before trace gives up
            process.send_signal(signal.SIGINT)
            result = process.end()
    equal((result.code, open("trace.fxt", encoding="utf-8").read(), os.path.exists("ran")), (1, "old", False), result)
    assert "trace: interrupted before the recording began\n" in result.err, result


def test_an_interrupt_at_the_end_of_the_start_keeps_what_is_recorded():
    with start_that_lasts(), Running(TRACED, "await", "events=10", "print=ready", "wait=50") as traced:
        with Running(TRACE, "record", "--timeout=1", "-o", "kept.fxt") as process:
            equal(traced.stdout.readline(), b"ready\n")
            await_state("starting")
            time.sleep(0.85)  # as above
            process.send_signal(signal.SIGINT)
            result = process.end()
    equal((result.code, counted("kept.fxt")), (0, list(range(10))), result)


def test_a_manager_that_hangs():
    with daemon() as manager, recorder("--", TRACED, "await", "events=10", "wait=50") as process:
        manager.send_signal(signal.SIGSTOP)
        await_stop(manager)
        result = ends_soon(process)
        equal(result.code, 1, result)
        assert "lost the connection to the trace manager" in result.err, result


def test_who_is_interrupted_at_a_stopped_manager_is_told_of_the_interrupt():
    with daemon() as manager:
        manager.send_signal(signal.SIGSTOP)
        await_stop(manager)
        with Running(TRACE, "record", "-d1") as process:
            equal(process.stderr.readline().decode(), stopped_line(manager))
            result = ends_soon(process)
        manager.send_signal(signal.SIGCONT)
    equal((result.code, result.err), (1, "trace: interrupted before the recording began\n"), result)


def stopped_line(manager):
    return (f"trace: the trace manager does not answer: process {manager.pid} is stopped; "
            f"'kill -CONT {manager.pid}' resumes it\n")


def test_who_waits_for_a_stopped_manager_is_told():
    """Once, and then the command goes on as if nothing had been."""
    with daemon() as manager:
        for command, code in ((["record", "-d0.1", "--allow-empty"], 0), (["status"], 0),
                              (["list-providers"], 0), (["snapshot"], 1)):
            manager.send_signal(signal.SIGSTOP)
            await_stop(manager)
            with Running(TRACE, *command) as process:
                equal(process.stderr.readline().decode(), stopped_line(manager), command)
                manager.send_signal(signal.SIGCONT)
                result = process.end()
            equal(result.code, code, result)
            assert "stopped" not in result.err, result


def start():
    result = trace("start", "--allow-empty")
    equal(result.code, 0, result)
    return int(result.text)


def test_who_stops_a_recording_is_told_what_it_waits_for():
    with daemon() as manager:
        start()
        manager.send_signal(signal.SIGSTOP)
        await_stop(manager)
        with Running(TRACE, "stop") as process:
            equal(process.stderr.readline().decode(), stopped_line(manager))
            manager.send_signal(signal.SIGCONT)
            result = process.end()
    equal(result.code, 0, result)
    assert "stopped" not in result.err and "no events" in result.err, result


def test_who_stops_a_recorder_that_stands_still_is_told():
    recording = start()
    os.kill(recording, signal.SIGSTOP)
    wait_until(lambda: state_of(recording) == "T")
    with Running(TRACE, "stop") as process:
        equal(process.stderr.readline().decode(),
              f"trace: process {recording}, which records, is stopped; 'kill -CONT {recording}' resumes it\n")
        os.kill(recording, signal.SIGCONT)
        result = process.end()
    equal(result.code, 0, result)
    assert "no events" in result.err, result


def test_a_manager_that_waits_for_a_program_is_not_called_silent():
    with daemon(), suspended("still") as still:
        with Running(TRACE, "record", "-d0.1", "--timeout=4") as process:
            equal(still.stdout.readline(), b"ready\n")
            result = process.end()
    assert "does not answer:" not in result.err and "has not answered" not in result.err, result


class Terminal:
    """Where a progress line is shown, for which the manager is asked four times a second."""

    def __init__(self):
        self.master, self.end = pty.openpty()
        self.shown = b""

    def await_text(self, text):
        while text not in self.shown:
            assert select.select([self.master], [], [], PATIENCE)[0], (text, self.shown)
            self.shown += os.read(self.master, 10000)

    def __enter__(self):
        return self

    def __exit__(self, *why):
        os.close(self.end)
        os.close(self.master)


def stop_while_asked(manager, terminal):
    """Then a question of trace stays without an answer."""
    manager.send_signal(signal.SIGSTOP)
    terminal.await_text(b"the trace manager does not answer")


def test_the_first_interrupt_ends_it_on_a_terminal_too():
    """When the manager hangs, its question has no answer."""
    with Terminal() as terminal, daemon() as manager, \
            Running(TRACE, "record", "--allow-empty", stderr=terminal.end) as process:
        await_state("started")
        stop_while_asked(manager, terminal)
        process.send_signal(signal.SIGINT)
        equal(process.wait(PATIENCE), 1)
        terminal.await_text(b"no events")
    assert b"lost the connection to the trace manager" in terminal.shown, terminal.shown


def interrupt_while_asked():
    """How long the manager stands still after the signal, which it does not see, and what comes of it."""
    with Terminal() as terminal, daemon() as manager, \
            Running(TRACED, "await", "events=10", "print=ready", "wait=50") as traced, \
            Running(TRACE, "record", stderr=terminal.end) as process:
        equal(traced.stdout.readline(), b"ready\n")
        await_state("started")
        stop_while_asked(manager, terminal)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        time.sleep(0.6)
        manager.send_signal(signal.SIGCONT)
        took = time.monotonic() - begin
        code = process.wait(PATIENCE)
        terminal.await_text(b"all conform")
    return took, code, terminal.shown


def test_an_interrupt_leaves_time_for_the_answer_and_then_for_the_end():
    took = SOON
    while took > 1:  # a manager that stands still for longer may be given up
        took, code, shown = interrupt_while_asked()
    equal(code, 0, shown)
    assert b"\r\x1b[Kprovider" in shown and b"\ntraced " in shown, shown
    equal(counted("trace.fxt"), list(range(10)))


def test_an_alert_that_comes_before_an_answer_is_heard():
    """The manager is asked how far it is while an alert is under way."""
    with Terminal() as terminal, daemon() as manager, \
            Running(TRACED, "await", "print=ready", "signal=19", "alert=go", "print=sent", "wait=50") as traced, \
            Running(TRACE, "record", "--allow-empty", "-t", "go:stop", stderr=terminal.end) as process:
        equal(traced.stdout.readline(), b"ready\n")
        await_stop(traced)
        await_state("started")
        manager.send_signal(signal.SIGSTOP)
        await_stop(manager)
        traced.send_signal(signal.SIGCONT)
        equal(traced.stdout.readline(), b"sent\n")
        stop_while_asked(manager, terminal)
        manager.send_signal(signal.SIGCONT)
        equal(process.wait(PATIENCE), 0)


def test_timeouts_that_cannot_be():
    for value in ("0", "-1", "x", "", "nan", "86401"):
        equal(trace("record", "--timeout=" + value).code, 2, value)


tracing.main(globals(), jobs=3)
