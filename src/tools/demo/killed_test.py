#!/usr/bin/env python3
"""The buffers of programs that were killed: every event that they had written is salvaged."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile

KILLED, FXT = (os.path.abspath(path) for path in sys.argv[1:3])
ONESHOT, CIRCULAR, STREAMING = range(3)


def run(*args):
    return subprocess.run([FXT, *args], capture_output=True, text=True, timeout=60, check=False)


def salvage(mode, count):
    """The numbers of the events, in order, and what fxt salvage says."""
    killed = subprocess.run([KILLED, "x.buffer", str(mode), str(count)], timeout=60, check=False)
    assert killed.returncode == -signal.SIGKILL, killed
    checked = run("check", "x.buffer")
    assert (checked.returncode, checked.stdout) == (0, ""), checked
    salvaged = run("salvage", "x.buffer", "-o", "x.fxt")
    assert salvaged.returncode == 0, salvaged
    checked = run("check", "x.fxt")
    assert (checked.returncode, checked.stdout) == (0, ""), checked
    records = [json.loads(line) for line in run("dump", "--json", "x.fxt").stdout.splitlines()]
    numbers = [int(r["args"][0]["value"]) for r in records if r["record"] == "event"]
    return numbers, salvaged.stderr


def test_what_is_wrong_is_told():
    for arguments, code, said in (([], 2, "usage: killed FILE MODE COUNT"), (["nowhere/x", "1", "1"], 1, "nowhere/x: No such"),
                                  (["x.buffer", "7", "1"], 1, "the engine did not start in mode 7")):
        done = subprocess.run([KILLED, *arguments], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == code and said in done.stderr, done


def test_few_events():
    for mode in (ONESHOT, CIRCULAR, STREAMING):
        for count in (0, 1, 100):
            numbers, said = salvage(mode, count)
            assert numbers == list(range(count)), (mode, count, numbers)
            assert "dropped" not in said, said


def test_a_circular_buffer_has_the_last_events():
    for count in (1500, 2500, 5000, 100000):
        numbers, _ = salvage(CIRCULAR, count)
        assert len(numbers) > 500, (count, len(numbers))
        assert numbers == list(range(count - len(numbers), count)), (count, numbers)


def test_other_buffers_have_the_first_events_and_the_count_of_the_others():
    for mode in (ONESHOT, STREAMING):
        numbers, said = salvage(mode, 5000)
        assert numbers == list(range(len(numbers))), numbers
        dropped = re.search(r"; (\d+) were dropped", said)
        assert int(dropped.group(1)) + len(numbers) == 5000, (mode, len(numbers), said)


for name, test in list(globals().items()):
    if name.startswith("test_"):
        with tempfile.TemporaryDirectory() as directory:
            os.chdir(directory)
            test()
            os.chdir("/")
            print("ok", name)
