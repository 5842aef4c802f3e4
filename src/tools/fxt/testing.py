"""What the tests of fxt share: running it, making traces, and checks that collect failures.

A test script defines functions test_*() and ends with testing.main(globals()).
"""

import concurrent.futures
import functools
import multiprocessing
import os
import struct
import subprocess
import sys
import tempfile
import traceback

FXT = None
TESTS = {}

HEAD = """\
magic
initialization ticks_per_second=1000000000
string index=1 value="category"
string index=2 value="name"
thread index=1 process=100 thread=200
"""
GOOD = HEAD + """\
event instant timestamp=10 thread=@1 category=@1 name=@2 scope=thread
event duration_begin timestamp=20 thread=@1 category=@1 name=@2 { "n" int64 -5 }
event duration_end timestamp=30 thread=@1 category=@1 name=@2
"""
EVENT = "event instant timestamp=%d thread=@1 category=@1 name=@2 scope=thread\n"


class Result:
    """Exit code, stdout and stderr (bytes and text) of a program."""

    def __init__(self, process):
        self.code = process.returncode
        self.out = process.stdout
        self.text = process.stdout.decode("utf-8", "replace")
        self.err = process.stderr.decode("utf-8", "replace")

    def lines(self):
        return self.text.splitlines()

    def __repr__(self):
        return f"exit {self.code}\nstdout: {self.text[:2000]!r}\nstderr: {self.err[:2000]!r}"


def fxt(*args, data=b"", stdin=None, **kwargs):
    """Runs fxt with `data` (or the file `stdin`) as stdin."""
    source = {"stdin": stdin} if stdin is not None else {"input": data}
    return Result(subprocess.run([FXT, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 timeout=60, check=False, **source, **kwargs))


def not_under(*sanitizers):
    """For tests of what these need themselves: files, memory, signals at once."""
    def decorate(test):
        @functools.wraps(test)
        def run():
            with open(FXT, "rb") as file:
                program = file.read()
            if any(b"__%s_init" % name.encode() in program for name in sanitizers):
                print("skipped: " + " or ".join(sanitizers))
            else:
                test()
        return run
    return decorate


def assemble(text):
    """The bytes of a trace."""
    result = fxt("asm", data=text.encode())
    assert result.code == 0, result
    return result.out


def write(name, content):
    """Makes a file of bytes, of assembler text (str), and returns its name."""
    with open(name, "wb") as file:
        file.write(assemble(content) if isinstance(content, str) else content)
    return name


def word(number):
    return number.to_bytes(8, "little")


def core_dump(*images, cut=0):
    """An ELF core: a note, and for each image a segment."""
    def segment(kind, offset, size):
        return struct.pack("<IIQQQQQQ", kind, 6, offset, 0x7f0000000000, 0, size, size, 4096)
    count = 1 + len(images)
    head = b"\x7fELF\2\1\1".ljust(16, b"\0") + struct.pack("<HHIQQQIHHHHHH", 4, 62, 1, 0, 64, 0, 0, 64,
                                                           56, count, 64, 0, 0)
    table, data = segment(4, 64 + 56 * count, 0), b""
    for image in images:
        table += segment(1, 4096 + len(data), len(image))
        data += image
    return ((head + table).ljust(4096, b"\0") + data)[:-cut or None]


def equal(got, expected, what=""):
    assert got == expected, f"{what}\ngot:      {got!r}\nexpected: {expected!r}"


def outcome(name):
    """Runs a test in an empty directory; returns what is wrong, or nothing."""
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        try:
            TESTS[name]()
        except Exception:  # a failed assert, a timeout …
            return traceback.format_exc()
        finally:
            os.chdir("/")
    return ""


def main(names, jobs=1):
    """Runs the test_* functions, each in an empty directory of its own. Tests that wait more than they work
    may be several jobs at a time."""
    global FXT
    FXT = os.path.abspath(sys.argv[1])
    os.environ.pop("TERM", None)
    wanted = sys.argv[2:]
    TESTS.update((name, test) for name, test in names.items()
                 if name.startswith("test_") and (not wanted or name in wanted))
    failed = 0
    # A forked process has FXT and TESTS.
    with concurrent.futures.ProcessPoolExecutor(jobs, multiprocessing.get_context("fork")) as pool:
        for name, wrong in zip(TESTS, pool.map(outcome, TESTS)):
            print(f"FAIL {name}\n{wrong}" if wrong else f"ok   {name}", flush=True)
            failed += wrong != ""
    print(f"{len(TESTS) - failed} of {len(TESTS)} passed")
    sys.exit(1 if failed or not TESTS else 0)
