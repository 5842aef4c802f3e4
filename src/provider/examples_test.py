#!/usr/bin/env python3
"""The examples of the system's original design document, C and C++, compile and run as they stand
there; and what they trace arrives in an archive.

Usage: examples_test.py TRACE FXT HEADER LIBRARY

Reads the document beside the checkout; skips where there is none.
"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

TRACE, FXT = (os.path.abspath(path) for path in sys.argv[1:3])
LIBRARY = os.path.abspath(sys.argv[4])
INCLUDE = os.path.dirname(os.path.dirname(os.path.realpath(sys.argv[3])))  # of the checkout
HERE = os.path.dirname(os.path.realpath(__file__))
DOCUMENT = os.path.join(HERE, "..", "..", "..", "shared", "seeds", "000_*.txt")

SANITIZERS = {b"__asan_init": "address", b"__ubsan_handle": "undefined", b"__tsan_init": "thread"}

# Stands in for "Do something": after a trace that is on has begun in this process.
CALL = "for (int i = 0; i < 5000 && !TRACE_ENABLED(); i++) usleep(1000);\n  DoSomething(7, \"text\");"


def blocks(text, language):
    return re.findall(r"^```%s\n(.*?)^```" % re.escape(language), text, re.M | re.S)


def sanitizers():
    """What the linker has to be told when the library was built with them."""
    with open(LIBRARY, "rb") as f:
        library = f.read()
    return ["-fsanitize=" + it for word, it in SANITIZERS.items() if word in library]


def build(work, name, code, compiler):
    source = os.path.join(work, name)
    program = os.path.splitext(source)[0]
    with open(source, "w", encoding="utf-8") as f:
        f.write(code)
    subprocess.run(
        [*compiler, "-Wall", "-Werror", "-I" + INCLUDE, "-c", source, "-o", program + ".o"],
        check=True)
    if "int main" in code:
        subprocess.run(
            [compiler[0], program + ".o", "-o", program, LIBRARY, "-lpthread",
             *sanitizers()],
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


def check(work, examples, suffix, compiler):
    traces = next(block for block in examples if "void DoSomething" in block)
    main = next(block for block in examples if "int main" in block)
    build(work, "traces" + suffix, traces, compiler)
    subprocess.run([build(work, "alone" + suffix, main, compiler)], check=True, timeout=60,
                   cwd=work)
    assert main.count("// Do something...") == 1, main
    both = traces + "#include <unistd.h>\n" + main.replace("// Do something...", CALL)
    found = traced(work, build(work, "both" + suffix, both, compiler))
    assert found == [{"a": 7, "b": "text"}], (suffix, found)


def main():
    documents = glob.glob(DOCUMENT)
    if not documents:
        print("skipped: the document is not there")
        return
    with open(documents[0], encoding="utf-8") as f:
        text = f.read()
    # The example in C leaves its loop to the end of the process.
    os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    with tempfile.TemporaryDirectory() as work:
        check(work, blocks(text, "c"), ".c", ["gcc"])
        check(work, blocks(text, "c++"), ".cc", ["g++", "-std=c++17"])


if __name__ == "__main__":
    main()
