#!/usr/bin/env python3
"""The demo on a tree of its own: `fxt` finds nothing wrong with the archive of all its processes.

Usage: demo_test.py DEMO FXT
"""

import collections
import json
import os
import subprocess
import sys
import tempfile

DEMO, FXT = (os.path.abspath(path) for path in sys.argv[1:3])
FILES = 60


def make_tree(root):
    """Files in nested directories, some with names or contents that are out of the ordinary."""
    for i in range(FILES - 4):
        directory = os.path.join(root, *["d%d" % (i % n) for n in range(2, 2 + i % 4)])
        os.makedirs(directory, exist_ok=True)
        with open(os.path.join(directory, "f%d" % i), "wb") as f:
            f.write(b"text that compresses well\n" * (i * i))
    open(os.path.join(root, "empty"), "wb").close()
    for name, contents in [
        (b"not utf-8 \xff\xc0", b"x" * 100),
        ("umlaut \u00e4 \"quoted\" \\ \n".encode(), b"y"),
        (b"random", os.urandom(3 << 20)),
    ]:
        with open(os.path.join(os.fsencode(root), name), "wb") as f:
            f.write(contents)
    os.symlink("..", os.path.join(root, "loop"))
    os.makedirs(os.path.join(root, "empty directory"))


def run(*command, code=0, **kwargs):
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, **kwargs
    )
    assert done.returncode == code, (command, done)
    return done.stdout


def check_page(said):
    """The browser fails; the demo does not."""
    page = said.splitlines()[-1]
    with open(page, encoding="utf-8") as file:
        assert file.read().endswith("</html>\n"), page


def check_json(path):
    with open(path, encoding="utf-8") as f:
        events = json.load(f)["traceEvents"]
    phases = collections.Counter(event["ph"] for event in events)
    assert phases["s"] == phases["f"] == FILES, phases
    assert phases["b"] == phases["e"] == FILES, phases
    assert phases["B"] == phases["E"] > FILES, phases
    assert phases["X"] == 3 * FILES, phases
    assert phases["C"] == 2 * FILES, phases
    names = {e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
    assert names == {"pipeline", "compressor 1", "compressor 2", "compressor 3"}, names
    assert any("\u00e4 \"quoted\" \\ \n" in e.get("args", {}).get("path", "") for e in events)
    assert all(float(e["dur"]) >= 0 for e in events if e["ph"] == "X")


def check_whole(work, root, environment):
    trace = os.path.join(work, "out.fxt")
    said = run(DEMO, "-o", trace, "-s", "30", root, env=environment)
    assert "record" in said and os.path.join(work, "out.json") in said, said
    assert ("%d files" % FILES) in said, said
    for edition in ["2020", "current"]:
        run(FXT, "check", "--edition=" + edition, trace)
    stat = run(FXT, "stat", trace)
    for name in ["walker", "compressor 1", "compressor 2", "compressor 3"]:
        assert name in stat, stat
    check_json(os.path.join(work, "out.json"))
    check_page(said)


def main():
    with tempfile.TemporaryDirectory() as work:
        # No manager but the recorder's own.
        environment = dict(os.environ, FXT_TRACE_DIR=os.path.join(work, "sockets"), TMPDIR=work, BROWSER="false")
        root = os.path.join(work, "tree")
        os.makedirs(root)
        make_tree(root)
        check_whole(work, root, environment)

        # bazel run starts programs elsewhere, and says where it was called.
        environment["BUILD_WORKING_DIRECTORY"] = work
        run(DEMO, "-n", "5", "tree", env=environment)
        run(FXT, "check", os.path.join(work, "demo.fxt"))
        assert os.path.exists(os.path.join(work, "demo.json"))

        # What fails, says so.
        run(DEMO, "-o", "x.fxt", os.path.join(work, "nowhere"), env=environment, code=1)
        run(DEMO, "-n", "nonsense", root, env=environment, code=2)
        run(DEMO, "-z", code=2)
        run(DEMO, "-h")


if __name__ == "__main__":
    main()
