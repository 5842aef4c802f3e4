#!/usr/bin/env python3
"""The example of README.md that traces writes a clean trace of what it does."""
import json
import os
import subprocess
import sys
import tempfile

example, fxt = (os.path.abspath(path) for path in sys.argv[1:])
with tempfile.TemporaryDirectory() as directory:
    subprocess.run([example], cwd=directory, check=True)
    subprocess.run([fxt, "check", "out.fxt"], cwd=directory, check=True)
    text = subprocess.run([fxt, "json", "out.fxt"], cwd=directory, check=True,
                          stdout=subprocess.PIPE, universal_newlines=True).stdout
names = [event.get("name") for event in json.loads(text)["traceEvents"]]
for name in ("serve", "queue"):
    if names.count(name) != 1000:
        sys.exit("%d events are called %s, not 1000" % (names.count(name), name))
