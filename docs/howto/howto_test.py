#!/usr/bin/env python3
"""The programs and commands of these pages run as they stand there, against what //:install installs.

usage: howto_test.py INSTALL KILLED

A block of C or Python is a file, whose name its first line tells. A block of sh is run behind them.
"""
import glob
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
INSTALL, KILLED = map(os.path.abspath, sys.argv[1:3])
ROOM = os.path.join(os.environ["TEST_TMPDIR"], "howto")
PREFIX = ROOM + "/prefix"
EXPECTED = {  # what the commands of each page print, in part
    "read": "1000 net serve with 1 arguments\n",
    "write": '"serve"',
    "check": "\n0x60: REC-03: a record ends inside the trace\n",
    "cut": "end=2000",
    "import": "timestamp=1500 ",
    "program": "1010",
    "library": "10\n",
    "salvage": "999",
    "look": "trace.html\n",
    "languages": "1000 net serve {'bytes': 512}\n",
}
NAMES = {"c": re.compile(r"/\* (\w+\.c)\b"), "python": re.compile(r"# (\w+\.py)\b")}


def environment():
    return {"PATH": PREFIX + "/bin:" + ROOM + ":" + os.environ["PATH"], "HOME": ROOM, "LC_ALL": "C",
            "PKG_CONFIG_PATH": PREFIX + "/lib/pkgconfig", "LD_LIBRARY_PATH": PREFIX + "/lib",
            "FXTREF_LIBRARY": PREFIX + "/lib/libfxtref.so.0.2", "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": ROOT + "/bindings/python", "FXT_TRACE_DIR": ROOM + "/sockets"}


def run(command, directory):
    done = subprocess.run(command, cwd=directory, env=environment(), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
    if done.returncode != 0:
        sys.exit("%s: exit status %d\n%s" % (command, done.returncode, done.stdout))
    return done.stdout


def page(name):
    """Runs a page; returns what its commands print."""
    directory = os.path.join(ROOM, name)
    os.mkdir(directory)
    trace = os.path.join(ROOM, "write", "trace.fxt")
    if os.path.exists(trace):
        shutil.copy(trace, directory)
    out = ""
    with open(os.path.join(HERE, name + ".md"), encoding="utf-8") as file:
        blocks = re.findall(r"^```(\w+)\n(.*?)^```", file.read(), re.M | re.S)
    for language, text in blocks:
        if language == "sh":
            out += run(["sh", "-e", "-c", text], directory)
            continue
        with open(os.path.join(directory, NAMES[language].match(text)[1]), "w",
                  encoding="utf-8") as file:
            file.write(text)
    return out


def main():
    names = sorted(os.path.basename(path)[:-3] for path in glob.glob(HERE + "/*.md"))
    assert names == sorted(EXPECTED), names
    os.mkdir(ROOM)
    shutil.copy(KILLED, ROOM + "/killed")
    run([INSTALL, "--prefix", PREFIX], ROOM)
    for name in sorted(names, key=lambda it: it != "write"):  # its trace is the others'
        out = page(name)
        if EXPECTED[name] not in out:
            sys.exit("%s.md: %r is not in the output:\n%s" % (name, EXPECTED[name], out))
    print("%d pages" % len(names))


main()
