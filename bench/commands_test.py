#!/usr/bin/env python3
"""bench/commands.py runs every command of fxt and reports its figures.

Usage: commands_test.py COMMANDS.PY FXT MAKE_TRACE
"""
import json
import re
import subprocess
import sys

script, fxt, make_trace = sys.argv[1:]
run = subprocess.run([sys.executable, script, "--megabytes=1", "--json", fxt, make_trace],
                     stdout=subprocess.PIPE, check=True, text=True)
found = json.loads(run.stdout)["rows"]
for row in found:
    for figure in ("bytes", "seconds", "cpu", "gb_per_second"):
        assert row[figure] > 0, row
names = {row["command"].split()[0] for row in found}
usage = subprocess.run([fxt, "--help"], stdout=subprocess.PIPE, check=True, text=True).stdout
commands = set(re.findall(r"^  (\w+) {2,}", usage, re.M))
missing = commands - names - {"asm", "import", "salvage", "view"}  # these do not read traces, or make the page of html
assert not missing, f"commands.py does not measure {missing}"
assert subprocess.run([sys.executable, script, "--only=none", fxt, make_trace],
                      stderr=subprocess.DEVNULL).returncode == 2
