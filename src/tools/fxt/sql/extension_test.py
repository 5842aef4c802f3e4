#!/usr/bin/env python3
"""fxt.so in the sqlite3 shell and in Python's sqlite3.

Usage: extension_test.py FXT_SO FXT
"""
import gzip
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

TRACE = """\
magic
string index=1 value="cat"
string index=2 value="work"
thread index=1 process=100 thread=101
kernel_object object_type=thread koid=101 name="loop" { "process" koid 100 }
event duration_complete timestamp=10 thread=@1 category=@1 name=@2 end=30 { "n" int32 7 }
"""


def equal(got, expected):
    assert got == expected, f"\ngot:      {got!r}\nexpected: {expected!r}"


def shell(so, *lines):
    result = subprocess.run(["sqlite3", "-batch", "-cmd", ".load " + so], stdout=subprocess.PIPE,
                            input="\n".join(lines).encode(), stderr=subprocess.PIPE, check=False)
    return result.returncode, result.stdout.decode(), result.stderr.decode()


def test_a_table_of_a_file(so):
    code, out, err = shell(so, "create virtual table t using fxt('a.fxt');",
                           "create virtual table thread using fxt('a.fxt');",
                           "create virtual table k using fxt('a.fxt', track);",
                           "select t.name, dur, thread.name from t join k on k.id = track_id "
                           "join thread on utid = fxt_utid;")
    equal((code, out, err), (0, "work|20|loop\n", ""))


def test_fxt_open_makes_all_tables_and_functions(so):
    code, out, err = shell(so, "select fxt_open('a.fxt');",
                           "select name, thread_name, extract_arg(arg_set_id, 'n'), trace_dur() "
                           "from thread_slice;")
    equal((code, out, err), (0, "\nwork|loop|7|20\n", ""))


def test_a_file_that_cannot_be_read_is_an_sql_error(so):
    with open("a.fxt", "rb") as whole, open("half.gz", "wb") as half:
        half.write(gzip.compress(whole.read())[:-12])
    for sql in ("create virtual table t using fxt('none.fxt');", "select fxt_open('none.fxt');"):
        code, out, err = shell(so, sql)
        assert code == 1 and out == "" and "none.fxt: No such file" in err, (code, out, err)
    for sql, why in (("create virtual table t using fxt('a.fxt', frob);", "frob is no table"),
                     ("create virtual table t using fxt;", "usage:"),
                     ("select fxt_open('text');", "text"),
                     ("select fxt_open('half.gz');", "half.gz: cannot be read to its end"),
                     ("select fxt_open(null);", "no file"),
                     ("select fxt_open('a.fxt'); select fxt_open('a.fxt');", "already exists"),
                     ("create virtual table t using fxt('a.fxt'); delete from t;", "t may not be")):
        code, _, err = shell(so, sql)
        assert code == 1 and why in err, (sql, code, err)


def test_a_database_keeps_the_table(so):
    shell(so, ".open keep.db", ".load " + so, "create virtual table t using fxt('a.fxt');")
    equal(shell(so, ".open keep.db", ".load " + so, "select count(*) from t;")[1], "1\n")


def test_python(so):
    db = sqlite3.connect(":memory:")
    if not hasattr(db, "enable_load_extension"):
        print("skipped: this Python loads no extensions")
        return
    db.enable_load_extension(True)
    db.load_extension(so)
    db.execute("select fxt_open('a.fxt')")
    equal(db.execute("select name, dur from slice").fetchall(), [("work", 20)])
    equal(db.execute("select count(*) from slice join ancestor_slice(slice.id)").fetchall(), [(0,)])


def test_only_the_entry_point_is_exported(so):
    out = subprocess.run(["nm", "-D", "--defined-only", so], stdout=subprocess.PIPE, check=True)
    equal([line.split()[-1] for line in out.stdout.decode().splitlines()], ["sqlite3_fxt_init"])


def under_its_sanitizer(so):
    """Starts this script again with the run-time that the extension needs from its host, if it
    needs one. False if this run-time is no library."""
    with open(so, "rb") as file:
        needed = re.search(b"__([amt]san)_init", file.read())
    if needed is None or "LD_PRELOAD" in os.environ:
        return True
    libraries = subprocess.run(["ldd", so], stdout=subprocess.PIPE, check=True).stdout
    runtime = re.search(rb"=> (\S*/lib%s\S*)" % needed.group(1), libraries)
    if runtime is None:
        return False
    # The leaks would be those of sqlite3 and Python.
    options = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    os.execve(sys.executable, [sys.executable, *sys.argv],
              {**os.environ, "LD_PRELOAD": os.fsdecode(runtime.group(1)), "ASAN_OPTIONS": options})
    return True


def main(so, fxt):
    if shutil.which("sqlite3") is None:
        print("SKIP: there is no sqlite3")
        return
    if not under_its_sanitizer(so):
        print("SKIP: sqlite3 is not linked with the sanitizer of the extension")
        return
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        trace = subprocess.run([fxt, "asm"], input=TRACE.encode(), stdout=subprocess.PIPE,
                               check=True).stdout
        for name, content in (("a.fxt", trace), ("text", b"#!/bin/sh\necho no trace\n" * 20)):
            with open(name, "wb") as file:
                file.write(content)
        tests = [test for name, test in globals().items() if name.startswith("test_")]
        for test in tests:
            test(so)
            print("ok", test.__name__)


if __name__ == "__main__":
    main(*(os.path.abspath(path) for path in sys.argv[1:3]))
