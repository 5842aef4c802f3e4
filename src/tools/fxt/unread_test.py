#!/usr/bin/env python3
"""Inputs that cannot be read to their end: each read of each command fails once. An old output stays, no
file is left, and no message takes the failure for a fault of the trace."""

import functools
import gzip
import os
import re
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
import testing
from testing import EVENT, GOOD, assemble, equal, fxt, write

# Only the program's own calls: those of libc, as for a directory or for stdio, do not come here.
UNREAD = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
static int fails(void) {
    static int count;
    const char *which = getenv("FAILING_READ");
    errno = EIO;
    return which != NULL && ++count == atoi(which);
}
ssize_t read(int fd, void *to, size_t size) {
    ssize_t (*real)(int, void *, size_t) = (ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
    return fails() ? -1 : real(fd, to, size);
}
ssize_t pread64(int fd, void *to, size_t size, off64_t at) {
    ssize_t (*real)(int, void *, size_t, off64_t) =
        (ssize_t (*)(int, void *, size_t, off64_t))dlsym(RTLD_NEXT, "pread64");
    return fails() ? -1 : real(fd, to, size, at);
}
ssize_t pread(int fd, void *to, size_t size, off_t at) __attribute__((alias("pread64")));
"""
SOURCE = (GOOD + EVENT % 40 * 8000).encode()

# Of "in", or of standard input, where this says so. "--" is where -o goes.
COMMANDS = ([[command, "--", "in"] for command in ("check", "dump", "fmt", "html", "json", "report", "stat")] +
            [["dump", option, "--", "in"] for option in ("--asm", "--events", "--json")] +
            [["check", "--summary", "--", "good", "in"], ["stat", "--", "in", "good"], ["dump", "--", "in", "good"]] +
            [["filter", "--name=name", "--", "in"], ["filter", "--name=na", "--", "in"],
             ["filter", "--category=category", "--stacks", "--", "in"], ["cut", "--from=10%", "--", "in"],
             ["cut", "--to=50%", "--open=drop", "--", "in"]] +
            [["merge", "--", "good", "in"], ["merge", "--", "in", "good"], ["merge", "--align=start", "--", "in", "good"],
             ["diff", "--", "in", "good"], ["diff", "--", "good", "in"], ["diff", "--lines", "--", "good", "in"],
             ["report", "--diff", "--", "good", "in"], ["sql", "--", "in", "select count(*) from slice"]])


@functools.cache
def trace():
    return assemble(GOOD + "".join(EVENT % i for i in range(30000)))


def unread(number, *args, data=None):
    env = {**os.environ, "LD_PRELOAD": LIBRARY, "FAILING_READ": str(number)}
    return fxt(*args, env=env, **({"data": data} if data is not None else {"stdin": subprocess.DEVNULL}))


def files():
    return {name: open(name, "rb").read() for name in sorted(os.listdir())}


def judge_message(result, what, where):
    told = [line for line in result.err.splitlines() if line.startswith("fxt: ")]
    assert re.fullmatch(r"fxt: (in|good|<stdin>): read error: Input/output error", told[0]), (where, result)
    equal(result.err.count("read error"), 1, (where, result))
    assert not re.search(r"malformed: REC|REC-03|no record|no trace|BUF-", result.err + what), (where, result)


def try_all(args, data=None):
    """Fails one read after the other until there are no more. Returns how many there are."""
    at = args.index("--")
    before = {**files(), "out": b"as before"}
    for number in range(1, 100):
        write("out", b"as before")
        result = unread(number, *args[:at], "-o", "out", *args[at + 1:], data=data)
        if "read error" not in result.err:
            assert result.code in (0, 1), (args, number, result)
            os.remove("out")
            return number - 1
        equal((result.code, result.text), (3, ""), (args, number, result.err))
        judge_message(result, "", (args, number))
        equal(files() == before, True, (args, number, result, os.listdir()))
        told = "fxt: out: not written: it would be incomplete"
        assert result.err.splitlines()[-1] == told or result.err.count("\n") == 1, (args, number, result)
        os.remove("out")
        result = unread(number, *args[:at], *args[at + 1:], data=data)
        if "read error" not in result.err:  # a pipe comes in pieces of any size: perhaps there are fewer now
            continue
        equal(result.code, 3, (args, number, result.err))
        judge_message(result, "" if args[0] == "dump" else result.text[:1000], (args, number))
        equal("fxt: <stdout>: the output is incomplete" in result.err, result.out != b"", (args, number, result))
    raise AssertionError((args, "reads for ever"))


def inputs():
    zstd = subprocess.run(["zstd", "-q", "-c"], input=trace(), stdout=subprocess.PIPE, check=True).stdout
    return trace(), gzip.compress(trace(), 0), zstd


@testing.not_under("asan", "tsan")
def test_a_read_error_in_a_file():
    write("good", GOOD)
    for data in inputs():
        write("in", data)
        for args in COMMANDS:
            assert try_all(args) > 1, args


@testing.not_under("asan", "tsan")
def test_a_read_error_in_standard_input():
    write("good", GOOD)
    for args in COMMANDS:
        args = ["-" if word == "in" else word for word in args]
        assert try_all(args, data=trace()) > 1, args


@testing.not_under("asan", "tsan")
def test_a_read_error_in_a_source():
    write("in", SOURCE)
    assert try_all(["asm", "--", "in"]) > 3
    assert try_all(["asm", "--", "-"], data=SOURCE) > 3


@testing.not_under("asan", "tsan")
def test_a_read_error_in_a_buffer_or_a_core_dump():
    records = trace()[8:160] + assemble(EVENT % 1) * 8000
    size = len(records) // 4096 * 4096 + 8192
    image = struct.pack("<QHBBIQQQQQQQ", 0x627566EE68656164, 0, 0, 0, 0, size, 0, size - 128, 0, len(records), 0, 0)
    image = (image.ljust(128, b"\0") + records).ljust(size, b"\0")
    write("in", image)
    equal(fxt("salvage", "in", "-o", "out").code, 0)
    assert try_all(["salvage", "--", "in"]) > 2
    write("in", testing.core_dump(bytes(8192), image, image))
    equal(fxt("salvage", "in", "-o", "out").code, 0)
    assert try_all(["salvage", "--", "in"]) > 6


@testing.not_under("asan", "tsan")
def test_a_read_error_leaves_no_table_and_no_database():
    write("in", trace())
    for args in (["export", "in", "-o", "tables"], ["sql", "--save=tables", "in"]):
        number = 1
        while "read error" in (result := unread(number, *args)).err:
            equal((result.code, sorted(os.listdir())), (3, ["in"]), result)
            assert number == 1 or result.err.endswith("fxt: tables: not written: it would be incomplete\n"), result
            number += 1
        equal((result.code, number > 2), (0, True), result)
        subprocess.run(["rm", "-r", "tables"], check=True)


def test_compressed_data_that_is_cut_or_damaged_leaves_the_output_alone():
    write("good", GOOD)
    for data in inputs()[1:]:
        damaged = bytearray(data)
        damaged[len(data) * 2 // 3] ^= 0xff
        for broken in (data[:len(data) * 2 // 3], data[:-1], bytes(damaged)):
            write("in", broken)
            for args in COMMANDS:
                at = args.index("--")
                write("out", b"as before")
                before = files()
                result = fxt(*args[:at], "-o", "out", *args[at + 1:])
                equal((result.code, result.text, files() == before), (3, "", True), (args, result))
                assert re.search(r"^fxt: in: (gzip|zstd) input: ", result.err, re.M), (args, result)
                assert "out: not written" in result.err or "cut" in args or result.err.count("\n") == 1, (args, result)


def test_the_failure_of_one_of_several_files_is_that_of_all():
    write("good", GOOD)
    write("out", b"as before")
    for command in ("check", "dump", "stat"):
        result = fxt(command, "missing", "good", "-o", "out")
        equal((result.code, result.err.splitlines()[0], open("out", "rb").read()),
              (3, "fxt: missing: No such file or directory", b"as before"))
        assert result.err.endswith("\nfxt: out: not written: it would be incomplete\n"), result


@testing.not_under("asan", "tsan")
def test_a_producer_ends_when_its_reader_has_met_a_read_error():
    """The pipe is closed at once, although the producer would go on for ever."""
    for args in COMMANDS + [["asm", "--", "in"], ["salvage", "--", "in"]]:
        write("good", GOOD)
        args = ["-" if word == "in" else word for word in args if word != "--"]
        env = {**os.environ, "LD_PRELOAD": LIBRARY, "FAILING_READ": "2"}
        with subprocess.Popen(["yes"], stdout=subprocess.PIPE, env=os.environ) as producer:
            done = subprocess.run([testing.FXT, *args], stdin=producer.stdout, env=env, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, timeout=60, check=False)
            producer.stdout.close()
            producer.wait(timeout=60)
        assert done.returncode in (1, 3), (args, done)


def make_library():
    source = os.path.join(os.environ["TEST_TMPDIR"], "unread.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(UNREAD)
    library = source[:-1] + "so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library


LIBRARY = make_library()
testing.main(globals(), jobs=3)
