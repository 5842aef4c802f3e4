"""What the tests of trace share: running it, the traced program, the daemon, and reading traces.

A test script defines functions test_*() and ends with tracing.main(globals()). Each test has a
directory of its own, which is the manager's too.
"""

import collections
import functools
import json
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fxt"))
import testing  # pylint: disable=wrong-import-position
from testing import Result, equal, fxt  # pylint: disable=wrong-import-position,unused-import

TRACE, TRACED, MANAGER = (os.path.abspath(sys.argv.pop(2)) for _ in range(3))
PATIENCE = 60


def trace(*args, **kwargs):
    """Runs trace to its end."""
    kwargs.setdefault("stdin", subprocess.DEVNULL)
    return Result(subprocess.run([TRACE, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 timeout=PATIENCE, check=False, **kwargs))


def record(*args, **kwargs):
    return trace("record", *args, **kwargs)


class Running(subprocess.Popen):
    """A program in the background, killed at the end of its block."""

    def __init__(self, *args, **kwargs):
        kwargs.setdefault("stdin", subprocess.DEVNULL)
        kwargs.setdefault("stderr", subprocess.PIPE)
        super().__init__(args, stdout=subprocess.PIPE, **kwargs)

    def __exit__(self, *why):
        if self.poll() is None:
            self.kill()
        super().__exit__(*why)

    def end(self):
        """Waits for its end."""
        out, err = self.communicate(timeout=PATIENCE)
        self.stdout, self.stderr = None, None
        return Result(subprocess.CompletedProcess(self.args, self.returncode, out, err))


def recorder(*args, **kwargs):
    """trace record, which goes on when this returns."""
    process = Running(TRACE, "record", *args, **kwargs)
    await_state("started")
    return process


def daemon(*args):
    process = Running(MANAGER, *args)
    wait_until(lambda: trace("status").code == 0)
    return process


def wait_until(condition, what="what was waited for"):
    """Returns what the condition gives when that is true; fails when it takes too long."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        got = condition()
        if got:
            return got
        time.sleep(0.02)
    raise AssertionError(what + " does not come")


def status():
    result = trace("status", "--json")
    return json.loads(result.text) if result.code == 0 else {}


def await_state(*states):
    wait_until(lambda: status().get("state") in states, states[0])


def state_of(process):
    """As ps tells it: "S" sleeps, "T" is stopped, "Z" has ended; None: there is none."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0]
    except OSError:
        return None


def records(path):
    """The records of a trace, as the objects of `fxt dump --json`."""
    result = fxt("dump", "--json", path)
    equal(result.code, 0, result)
    return [json.loads(line) for line in result.lines()]


Event = collections.namedtuple("Event", "provider category name args")


def events(path, name="step"):
    """The events of that name."""
    found, providers, provider = [], {}, None
    for it in records(path):
        if it["record"] == "provider_info":
            providers[it["provider_id"]] = it["name"]
        if it["record"] in ("provider_info", "provider_section"):
            provider = providers[it["provider_id"]]
        if it["record"] == "event" and it["name"]["value"] == name:
            args = {arg["name"]["value"]: arg["value"] for arg in it["args"]}
            found.append(Event(provider, it["category"]["value"], name, args))
    return found


def counted(path, provider=None):
    """The numbers of all steps, of one provider or of all."""
    return [int(event.args["n"]) for event in events(path)
            if event.args and provider in (None, event.provider)]


def expect_clean(path):
    result = fxt("check", "--severity=nonconforming", path)
    equal(result.code, 0, result)


def main(names, jobs=1):
    """Runs the tests as testing.main() does, each with a manager's directory of its own."""
    def in_own_directory(test):
        @functools.wraps(test)
        def run():
            os.environ["FXT_TRACE_DIR"] = os.path.join(os.getcwd(), "manager")
            test()
        return run
    signal.signal(signal.SIGINT, signal.default_int_handler)
    testing.main({name: in_own_directory(test) if name.startswith("test_") else test
                  for name, test in names.items()}, jobs)
