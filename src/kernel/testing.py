"""What the tests of ktrace_provider share: running it, reading what it wrote, making captures.

A test script defines functions test_*() and ends with testing.main(globals()). Each runs in an empty
directory of its own.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback

from capture import Capture

PROGRAM = FXT = None


class Skip(Exception):
    """Says why a test cannot be run here."""


def run(*args, program=None, **kwargs):
    """Runs it, with a time limit. Returns code, stdout and stderr."""
    done = subprocess.run([program or PROGRAM, *args], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120, check=False, **kwargs)
    return done.returncode, done.stdout.decode(), done.stderr.decode("utf-8", "replace")


def equal(got, expected, what=""):
    assert got == expected, f"{what}\ngot:      {got!r}\nexpected: {expected!r}"


def records(path, accepted=()):
    """The records of a trace, as fxt prints them, without their offsets; the trace is clean but for
    findings of the rules that are accepted."""
    checked = subprocess.run([FXT, "check", "--max-findings=0", path], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, check=False)
    found = [line for line in checked.stdout.decode().splitlines()
             if line.split(": ")[2] not in accepted]
    equal((found, checked.returncode in (0, 1)), ([], True), checked.stderr.decode())
    dumped = subprocess.run([FXT, "dump", path], stdout=subprocess.PIPE, check=True)
    return [line.split(" ", 1)[1] for line in dumped.stdout.decode().splitlines()]


def live_records(path):
    """The records of a trace of the running kernel. Some virtual machines leave out a context switch
    now and then: live.c says how."""
    return records(path, ("SCH-07",))


def of_kind(lines, *kinds):
    return [line for line in lines if line.split(" ", 1)[0] in kinds]


def ticks(line, field="timestamp"):
    return int(re.search(rf" {field}=(\d+)", line).group(1))


def rate(lines):
    return int(of_kind(lines, "initialization")[0].split("=")[1])


def write_capture(capture, name="capture.dat"):
    with open(name, "wb") as file:
        file.write(capture.bytes() if isinstance(capture, Capture) else capture)
    return name


def replay(capture, *args):
    """Replays a capture. Returns code, messages and records."""
    code, out, messages = run("--replay", write_capture(capture), "--output=trace.fxt", *args)
    equal(out, "")
    return code, messages, records("trace.fxt")


def readable_copy():
    """The program where every user can run it."""
    os.chmod(".", 0o755)
    shutil.copy(PROGRAM, "ktrace_provider")
    os.chmod("ktrace_provider", 0o755)
    return os.path.abspath("ktrace_provider")


def main(names):
    """Runs the test_* functions."""
    global PROGRAM, FXT
    PROGRAM, FXT = (os.path.abspath(path) for path in sys.argv[1:3])
    wanted = sys.argv[3:]
    tests = [(name, test) for name, test in names.items()
             if name.startswith("test_") and (not wanted or name in wanted)]
    failed = 0
    for name, test in tests:
        with tempfile.TemporaryDirectory() as directory:
            os.chdir(directory)
            try:
                test()
                print("ok  ", name)
            except Skip as why:
                print("skip", name + ":", why)
            except Exception:  # a failed assert, a timeout …
                failed += 1
                print("FAIL", name)
                traceback.print_exc(file=sys.stdout)
            os.chdir("/")
    print(f"{len(tests) - failed} of {len(tests)} passed or skipped")
    sys.exit(1 if failed or not tests else 0)
