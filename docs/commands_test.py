#!/usr/bin/env python3
"""The commands in README.md, in docs/tools.md and in the examples of the manual pages run as they stand there.

usage: commands_test.py FXT TRACE KILLED TRACING PROVIDING

What they read is put there first. curl, jq, make and perf are stand-ins. A recording that nothing ends gets a
SIGINT, as from a terminal. ktrace_provider's examples need a kernel that may be traced, and are not run.
"""
import gzip
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

FXT, TRACE, KILLED, TRACING, PROVIDING = map(os.path.abspath, sys.argv[1:6])
PAGES = "".join(open(path, encoding="utf-8").read() for path in ("README.md", "docs/tools.md"))
STANDINS = {
    "curl": "cat trace.fxt.zst",
    "jq": "python3 -c 'import json, sys; json.load(sys.stdin)'",
    "make": "exec ./example",
    "perf": "echo 'swapper     0 [000]  1.000000: sched:sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 "
            "prev_state=R ==> next_comm=cat next_pid=7 next_prio=120'",
}
# Findings; differences; no such names; no such events.
ONE_IS_FINE = re.compile("fxt check|fxt diff|fxt filter|trace record .*(-c|--categories)")


def commands():
    """Those of README.md and docs/tools.md, without their comments; then those of the manual pages."""
    for line in re.findall(r"^\$ (.*)$", PAGES, re.M):
        if not line.startswith("bazel"):
            yield re.sub(r"\s+# .*", "", line)
    for page in ("src/tools/fxt/fxt.1.in", "src/tools/trace/trace.1.in"):
        with open(page, encoding="utf-8") as file:
            examples = re.search(r"^\.SH EXAMPLES$(.*?)^\.SH", file.read(), re.M | re.S).group(1)
        for line in re.findall(r"^\.TP\n\.B (.*)$", examples, re.M):
            yield line.replace("\\(aq", "'").replace("\\-", "-")


def prepare(room):
    def put(name, data):
        with open(os.path.join(room, name), "wb") as file:
            file.write(data)

    os.mkdir(room + "/bin")
    for name, body in STANDINS.items():
        put("bin/" + name, b"#!/bin/sh\n" + body.encode() + b"\n")
        os.chmod(room + "/bin/" + name, 0o755)
    os.symlink(FXT, room + "/bin/fxt")
    os.symlink(TRACE, room + "/bin/trace")
    for name in ("example", "server", "test"):
        os.symlink(PROVIDING, os.path.join(room, name))
    subprocess.run([TRACING], cwd=room, check=True)
    with open(room + "/out.fxt", "rb") as file:
        trace = file.read()
    put("demo.fxt", trace)
    put("trace.fxt", trace)
    put("theirs.fxt.gz", gzip.compress(trace))
    subprocess.run(["zstd", "-q", "trace.fxt"], cwd=room, check=True)
    for name in ("killed.buffer", "program.buffer"):
        subprocess.run([KILLED, name, "0", "100"], cwd=room, check=False)


def endless(command):
    """Whether only a person ends it."""
    return command.startswith("trace record") and not re.search(r" -d |--duration|\./|-- ", command)


def start(command, room):
    environment = dict(os.environ, PATH=room + "/bin:" + os.environ["PATH"],
                       FXT_TRACE_DIR=room + "/sockets", TMPDIR=room, BROWSER="true")
    whole = ["-o", "pipefail"] if not command.endswith("| head") else []
    screen, line = pty.openpty() if "--live" in command else (None, subprocess.STDOUT)
    process = subprocess.Popen(["bash", *whole, "-c", "exec " * endless(command) + command],
                               cwd=room, env=environment, stdout=subprocess.PIPE,
                               stderr=line, text=True, start_new_session=True)
    process.screen = screen  # a table is for a terminal
    if screen is not None:
        os.close(line)
    return process


def end(command, process):
    if endless(command):
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=120)[0]
    if process.screen is not None:
        os.close(process.screen)
    allowed = (0, 1) if ONE_IS_FINE.match(command) else (0,)
    if process.returncode not in allowed:
        sys.exit("%s: exit code %d\n%s" % (command, process.returncode, said))


def run_all(room):
    """How many commands there were."""
    count, running = 0, None
    for command in commands():
        if running and not command.startswith(("trace snapshot", "trace status")):
            end(*running)
            running = None
        process = start(command, room)
        if command in PAGES and endless(command):  # the next commands are for it
            time.sleep(1)
            running = (command, process)
        else:
            end(command, process)
        count += 1
    return count


def main():
    with tempfile.TemporaryDirectory() as room:
        prepare(room)
        # Somebody has to be there to be recorded.
        provider = start("while :; do ./example; sleep 0.1; done", room)
        try:
            count = run_all(room)
        finally:
            os.killpg(provider.pid, signal.SIGKILL)
    if count < 25:
        sys.exit("only %d commands found" % count)
    print("%d commands" % count)


main()
