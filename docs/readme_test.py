#!/usr/bin/env python3
"""The examples of docs/tracing.md write clean traces of what they do."""
import json
import os
import subprocess
import sys
import tempfile

example, fxt, provider, trace = (os.path.abspath(path) for path in sys.argv[1:])


def events(directory, path):
    subprocess.run([fxt, "check", path], cwd=directory, check=True)
    text = subprocess.run([fxt, "json", path], cwd=directory, check=True, stdout=subprocess.PIPE,
                          universal_newlines=True).stdout
    return [event.get("name") for event in json.loads(text)["traceEvents"]]


def expect_1000(names, name):
    if names.count(name) != 1000:
        sys.exit("%d events are called %s, not 1000" % (names.count(name), name))


with tempfile.TemporaryDirectory() as directory:
    subprocess.run([example], cwd=directory, check=True)
    found = events(directory, "out.fxt")
    expect_1000(found, "serve")
    expect_1000(found, "queue")
    environment = dict(os.environ, FXT_TRACE_DIR=os.path.join(directory, "sockets"))
    subprocess.run([provider], env=environment, check=True)
    subprocess.run([trace, "record", "--", provider], cwd=directory, env=environment, check=True)
    expect_1000(events(directory, "trace.fxt"), "work")
