#!/usr/bin/env python3
"""What comes from outside cannot drive a terminal or forge a line: every message that prints a name,
an alert, a path or an argument is driven with a hostile one, and nothing that a terminal obeys comes
out."""

import os
import re
import signal
import socket
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
import tracing
from tracing import (MANAGER, Running, TRACE, TRACED, daemon, recorder, trace,
                     wait_until)

# Colour, title, a line of its own, C1 CSI, an override, an isolate, and for names that may be: no UTF-8.
EVIL = "\x1b[31m\x1b]0;t\x07\r\nFORGED \x9b2J\u202e\u2066\x7f"
EVIL_ALERT = "\x1b[\n\x9b\u202e"  # 9 of 14 bytes
EVIL_PATH = EVIL.encode() + b"\xff\x9b"

FORBIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def expect_harmless(*outputs):
    for output in outputs:
        text = output.decode("utf-8")  # or it is no UTF-8
        found = FORBIDDEN.search(text)
        assert found is None, (found, text)
        assert not any(line.startswith("FORGED") for line in text.splitlines()), text


def run(*args, code=None, says=b"\\x1b", **kwargs):
    """Runs a program; what it prints has the hostile text, escaped."""
    done = subprocess.run(args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=tracing.PATIENCE, check=False, **kwargs)
    expect_harmless(done.stdout, done.stderr)
    assert says in done.stdout + done.stderr, done
    assert code is None or done.returncode == code, done
    return done


def test_names_of_programs():
    evil = ["--", TRACED, "name=" + EVIL, "await", "events=60000", "events=60000"]
    run(TRACE, "record", *evil, code=0)
    run(TRACE, "record", "-v", *evil, code=0)
    run(TRACE, "record", "-q", "-b", "1", *evil, code=0)
    for command in ("check", "stat", "dump"):
        done = run(tracing.testing.FXT, command, "trace.fxt", says=b"")
        assert command == "check" or b"FORGED" in done.stdout, done.stdout[:1000]


def test_alerts():
    done = run(TRACE, "record", "-v", "--", TRACED, "await", "alert=" + EVIL_ALERT, "wait=0.3")
    assert b"alert: \\x1b[\\x0a" in done.stderr, done


def test_lists():
    with daemon(), Running(TRACED, "name=" + EVIL, "known=" + EVIL, "wait=50"):
        wait_until(lambda: b"FORGED" in trace("list-providers").out)
        run(TRACE, "list-providers")
        run(TRACE, "list-categories")
        run(TRACE, "list-providers", "--json", says=b"\\u001b")
        run(TRACE, "list-categories", "--json", says=b"\\u009b")


def packet_of_registration(name):
    return struct.pack("<HHIQHH100s", 1, 0x101, 0, os.getpid(), len(name), 0, name)


def register_and_break_rules():
    path = os.path.join(os.environ["FXT_TRACE_DIR"], "registry")
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    connection.connect(path)
    connection.send(packet_of_registration(EVIL.encode()))
    connection.send(b"nonsense")
    while connection.recv(1 << 16):
        pass  # Packets of the session; the manager has read the nonsense when it closes.
    connection.close()


def test_log_of_a_manager():
    with recorder("-v") as process:
        register_and_break_rules()
        process.send_signal(signal.SIGINT)
        result = process.end()
    assert "breaks the rules" in result.err, result
    expect_harmless(result.err.encode())
    with daemon() as process:
        register_and_break_rules()
        process.send_signal(signal.SIGTERM)
        result = process.end()
    assert "breaks the rules" in result.err and "\\x1b" in result.err, result
    expect_harmless(result.err.encode())


def test_paths_of_trace():
    for form in ([], ["--format=json"], ["--compress"]):
        run(TRACE, "record", *form, "-o", EVIL_PATH, "--", TRACED, "await", "events=10", code=0)
        run(TRACE, "record", *form, "-o", b"missing/" + EVIL_PATH, "-d1", code=3)
    run(TRACE, "record", "-o", b"tcp:" + EVIL_PATH, "-d1", code=2)
    run(TRACE, "record", "-o", b"tcp:" + EVIL_PATH + b":1", "-d1", code=3)
    run(TRACE, "record", "--config", EVIL_PATH + b"2", "-d1", code=1)
    run(TRACE, "snapshot", "-o", b"missing/" + EVIL_PATH, code=3)
    run(TRACE, "start", "-o", b"missing/" + EVIL_PATH, code=3)
    run(TRACE, "convert", EVIL_PATH + b"2", code=3)
    run(TRACE, "convert", EVIL_PATH, "-o", b"missing/" + EVIL_PATH, code=3)
    run(TRACE, "status", "-o", b"missing/" + EVIL_PATH, code=3)
    os.mkdir(b"open" + EVIL_PATH)
    os.chmod(b"open" + EVIL_PATH, 0o777)
    environment = dict(os.environb)
    environment[b"FXT_TRACE_DIR"] = b"open" + EVIL_PATH
    run(TRACE, "record", "-d1", code=1, says=b"", env=environment)
    run(TRACE, "stop", says=b"", env=environment)


def test_arguments_of_trace():
    run(TRACE, EVIL_PATH, code=2)
    run(TRACE, b"-" + EVIL_PATH, code=2)
    for command in ("record", "start", "stop", "status", "snapshot", "convert"):
        run(TRACE, command, b"--" + EVIL_PATH, code=2)
        run(TRACE, command, b"--help=" + EVIL_PATH, code=2)
        run(TRACE, command, b"-\x1b", code=2)
    for option in ("buffer-size", "buffering-mode", "duration", "format", "compress", "trigger",
                   "provider-buffer-size", "provider-categories", "detach"):
        run(TRACE, "record", b"--" + option.encode() + b"=" + EVIL_PATH, code=2)
    twice = "--trigger=" + EVIL_ALERT + ":stop"
    run(TRACE, "record", twice, twice, code=2)
    run(TRACE, "record", "--", EVIL_PATH, code=127)
    run(TRACE, "record", "--", b"./" + EVIL_PATH, code=127)
    run(TRACE, "status", EVIL_PATH, code=2)
    run(TRACE, "record", b"-c#" + EVIL.encode(), "-d1", code=1, says=b"")
    run(TRACE, "record", b"-c" + EVIL.encode(), "-d0.1", says=b"")


def test_paths_and_names_of_fxt():
    text = tracing.testing.GOOD.replace('"name"', '"\\x1b[31m\\x0aFORGED\\xc2\\x9b\\xe2\\x80\\xae"')
    with open(EVIL_PATH, "wb") as file:
        file.write(tracing.testing.assemble(text))
        file.write(b"\0" * 16)
    with open(b"broken" + EVIL_PATH, "wb") as file:
        file.write(tracing.testing.assemble(text)[:-8])
    for path in (EVIL_PATH, b"broken" + EVIL_PATH, b"missing" + EVIL_PATH):
        for args in (["check"], ["check", "--summary"], ["check", "--json"], ["stat"],
                     ["stat", "--json"], ["dump"], ["dump", "--asm"]):
            run(tracing.testing.FXT, *args, path, says=b"")
        run(tracing.testing.FXT, "dump", path, path)
        run(tracing.testing.FXT, "json", path, "-o", "out.json", says=b"")
        run(tracing.testing.FXT, "asm", path, "-o", "out.fxt")
    run(tracing.testing.FXT, "check", EVIL_PATH)
    run(tracing.testing.FXT, "check", b"missing" + EVIL_PATH, code=3)
    run(tracing.testing.FXT, "dump", EVIL_PATH, "-o", b"missing/" + EVIL_PATH, code=3)
    run(tracing.testing.FXT, b"--" + EVIL_PATH, code=2)
    run(tracing.testing.FXT, EVIL_PATH, code=2)
    for command in ("check", "dump", "json", "stat", "asm"):
        run(tracing.testing.FXT, command, b"--" + EVIL_PATH, code=2)
        run(tracing.testing.FXT, command, b"--output=missing/" + EVIL_PATH, EVIL_PATH)
    run(tracing.testing.FXT, "check", b"--rule=" + EVIL_PATH, EVIL_PATH, code=2)
    run(tracing.testing.FXT, "check", b"--severity=" + EVIL_PATH, EVIL_PATH, code=2)
    run(tracing.testing.FXT, "check", b"--edition=" + EVIL_PATH, EVIL_PATH, code=2)


def test_paths_and_arguments_of_the_daemon():
    run(MANAGER, "--config", EVIL_PATH, code=1)
    for text in (b'{"a": "' + EVIL_PATH + b'"', b'{"\\u001b[31m\\nFORGED": 1, "groups": {"\\u001b[31m": 1}}',
                 b"\x1b[31m\nFORGED"):
        with open(EVIL_PATH, "wb") as file:
            file.write(text)
        run(MANAGER, "--config", EVIL_PATH, code=1)
    run(MANAGER, "--directory", b"missing/" + EVIL_PATH, code=1)
    run(MANAGER, b"--" + EVIL_PATH, code=2)
    run(MANAGER, b"-\x1b", code=2)
    run(MANAGER, b"--stop-timeout=" + EVIL_PATH, code=2, says=b"")
    run(MANAGER, EVIL_PATH, code=2, says=b"")


tracing.main(globals(), jobs=3)
