#!/usr/bin/env python3
"""The examples of the system's original design document, C and C++, compile and run as they stand
there; and what they trace arrives in an archive.

Usage: examples_test.py TRACE FXT HEADER LIBRARY...

Reads the document beside the checkout; skips where there is none.
"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

TRACE, FXT, HEADER = (os.path.abspath(path) for path in sys.argv[1:4])
LIBRARIES = [os.path.abspath(path) for path in sys.argv[4:]]
INCLUDE = HEADER[: HEADER.index("/trace/event.h")]
HERE = os.path.dirname(os.path.realpath(__file__))
DOCUMENT = os.path.join(HERE, "..", "..", "..", "shared", "seeds", "000_*.txt")

# Stands in for "Do something": after a trace that is on has begun in this process.
CALL = "for (int i = 0; i < 5000 && !TRACE_ENABLED(); i++) usleep(1000); DoSomething(%s);"


def blocks(text, language):
    return re.findall(r"^```%s\n(.*?)^```" % re.escape(language), text, re.M | re.S)


def build(work, name, code, compiler, flags):
    source = os.path.join(work, name)
    program = os.path.splitext(source)[0]
    with open(source, "w", encoding="utf-8") as f:
        f.write(code)
    subprocess.run(
        [compiler, "-Wall", "-Werror", "-I" + INCLUDE, *flags, source, "-o", program,
         "-Wl,--start-group", *LIBRARIES, "-Wl,--end-group", "-luv", "-lpthread"],
        check=True)
    return program


def traced(work, program):
    """The arguments of the event that the program writes."""
    archive = program + ".fxt"
    environment = dict(os.environ, FXT_TRACE_DIR=os.path.join(work, "sockets"))
    subprocess.run([TRACE, "record", "--output-file=" + archive, "--", program], check=True,
                   env=environment, timeout=60)
    subprocess.run([FXT, "check", archive], check=True)
    text = subprocess.run([FXT, "json", archive], check=True, stdout=subprocess.PIPE).stdout
    events = json.loads(text)["traceEvents"]
    return [e["args"] for e in events if e.get("name") == "DoSomething"]


def check(work, examples, main, language, compiler, suffix, flags, arguments):
    traces = next(block for block in examples if "void DoSomething" in block)
    build(work, "traces" + suffix, traces, compiler, flags + ["-shared", "-fPIC"])
    alone = build(work, "alone" + suffix, main, compiler, flags)
    subprocess.run([alone], check=True, timeout=60, cwd=work)
    assert main.count("// Do something...") == 1, main
    both = traces + "#include <unistd.h>\n" + main.replace("// Do something...", CALL % arguments)
    found = traced(work, build(work, "both" + suffix, both, compiler, flags))
    assert found == [{"a": 7, "b": "text"}], (language, found)


def main():
    documents = glob.glob(DOCUMENT)
    if not documents:
        print("skipped: the document is not there")
        return
    with open(documents[0], encoding="utf-8") as f:
        text = f.read()
    with tempfile.TemporaryDirectory() as work:
        for language, compiler, suffix, flags in [
            ("c", "gcc", ".c", []),
            ("c++", "g++", ".cc", ["-std=c++17"]),
        ]:
            examples = blocks(text, language)
            main_block = next(block for block in examples if "int main" in block)
            check(work, examples, main_block, language, compiler, suffix, flags,
                  '7, "text"')


if __name__ == "__main__":
    main()
