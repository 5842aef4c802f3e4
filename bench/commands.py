#!/usr/bin/env python3
"""What each command of fxt costs on a large trace: time, GB of the trace a second, and memory.

  commands.py [--megabytes N] [--repeats N] [--json] [--only NAME,...] FXT MAKE_TRACE

FXT is bazel-bin/src/tools/fxt/fxt and MAKE_TRACE bazel-bin/bench/make_trace, both built with -c opt. The
trace has the typical shape (bench/shapes.h) and lies in a temporary directory, which is removed. The
commands take turns; of each, the run with the least processor time counts. The rate is of processor
time, so that other work on the machine counts little. Results are discarded, or written to the same
directory where a command needs a file."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

COMMANDS = {
    "check": ["check", "-q"],
    "stat": ["stat"],
    "report": ["report"],
    "dump": ["dump"],
    "dump --json": ["dump", "--json"],
    "dump --asm": ["dump", "--asm"],
    "json": ["json"],
    "fmt": ["fmt"],
    "cut": ["cut", "--from=25%", "--to=75%", "{trace}", "-o", "{folder}/out.fxt"],
    "filter": ["filter", "--name=a*", "{trace}", "-o", "{folder}/out.fxt"],
    "merge": ["merge", "{trace}", "{trace}", "-o", "{folder}/out.fxt"],
    "diff": ["diff", "{trace}", "{trace}"],
    "html": ["html", "{trace}", "-o", "{folder}/out.html"],
    "sql": ["sql", "{trace}", "select count(*) from slice"],
    "export": ["export", "{trace}", "-o", "{folder}/tables"],
}


def peak_kib(pid):
    """VmHWM. The maximum that wait4 tells is at least that of this program, from which it forked."""
    try:
        with open("/proc/%d/status" % pid) as f:
            return max([int(line.split()[1]) for line in f if line.startswith("VmHWM")], default=0)
    except OSError:
        return 0


def wait(process):
    """Its end: status, usage, and the peak of its memory, within a few milliseconds of the end."""
    peak, pid = 0, 0
    while pid == 0:
        peak = max(peak, peak_kib(process.pid))
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        time.sleep(0 if pid else 0.003)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage, peak / 1024


def measure(command, trace, folder):
    """Runs it once: seconds, seconds of processor time, MiB."""
    args = [word.format(trace=trace, folder=folder) for word in command]
    before = time.monotonic()
    with open(os.path.join(folder, "stderr"), "wb+") as errors:
        process = subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=errors)
        usage, peak = wait(process)
        if process.returncode not in (0, 1):
            errors.seek(0)
            sys.exit("%s: exit %d: %s" % (" ".join(args), process.returncode,
                                          errors.read(2000).decode(errors="replace")))
    return {"seconds": time.monotonic() - before, "cpu": usage.ru_utime + usage.ru_stime,
            "mib": peak}


def rows(options, folder):
    trace = os.path.join(folder, "trace.fxt")
    with open(trace, "wb") as out:
        subprocess.run([options.make_trace, "typical", str(options.megabytes)], stdout=out, check=True)
    size = os.path.getsize(trace)
    names = options.only.split(",") if options.only else list(COMMANDS)
    runs = {name: [] for name in names}
    for _ in range(options.repeats):
        for name in names:
            words = COMMANDS[name]
            if not any("{trace}" in word for word in words):
                words = words + ["{trace}"]
            runs[name].append(measure([options.fxt] + words, trace, folder))
    for name in names:
        best = min(runs[name], key=lambda run: run["cpu"])
        yield {"command": name, "bytes": size, **best, "gb_per_second": size / best["cpu"] / 1e9}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=2048)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--only", metavar="NAME,...")
    parser.add_argument("fxt")
    parser.add_argument("make_trace")
    options = parser.parse_args()
    options.fxt, options.make_trace = map(os.path.abspath, (options.fxt, options.make_trace))
    unknown = [name for name in (options.only or "").split(",") if name and name not in COMMANDS]
    if unknown:
        parser.error("no command %s; there are: %s" % (unknown[0], ", ".join(COMMANDS)))
    folder = tempfile.mkdtemp(prefix="fxt-commands-")
    try:
        table = list(rows(options, folder))
    finally:
        shutil.rmtree(folder)
    if options.json:
        print(json.dumps({"bench": "commands", "rows": table}, indent=1))
        return
    print("| command | GB/s of processor time | seconds | memory, MiB |\n|---|--:|--:|--:|")
    for row in table:
        print("| `fxt %(command)s` | %(gb_per_second).2f | %(seconds).1f | %(mib).0f |" % row)


if __name__ == "__main__":
    main()
