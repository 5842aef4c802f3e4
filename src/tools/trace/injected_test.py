#!/usr/bin/env python3
"""Each call of trace fails once: an old trace stays until the new one is whole, nothing waits for ever,
and exit status 0 means that everything is there."""

import errno
import json
import os
import select
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import tracing
from tracing import PATIENCE, Running, TRACE, TRACED, counted, equal, record, trace

OLD = b"the last recording" * 100
STEPS = 10

# Those that trace's own files call between the opening of an output and its end.
CALLS = """send shutdown read poll ftruncate fchmod rename close open fstat stat flock realpath pipe2
           socketpair inotify_init1 inotify_add_watch write pread fcntl waitpid unlink""".split()
CALLS_IN_BACKGROUND = "open dup2 fcntl read write pipe fork pread fstat stat waitpid close kill".split()

# Functions of integers and pointers alone, six at most, may all be called like this. The calls that
# libraries make do not fail.
SHIM = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
static char name[32];
static int error, nth, count;
__attribute__((constructor)) static void prepare(void)
{
    const char *plan = getenv("FAILING");
    if (plan != NULL && strcmp(program_invocation_short_name, "trace") == 0)
        sscanf(plan, "%31s %d %d", name, &error, &nth);
}
static void *object_of(const void *code)
{
    Dl_info it;
    return dladdr(code, &it) != 0 ? it.dli_fbase : NULL;
}
static int fails(const char *function, const void *caller)
{
    if (strcmp(function, name) != 0 || object_of(caller) != object_of((void *)getauxval(AT_ENTRY)) ||
        __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) != nth)
        return 0;
    errno = error;
    return 1;
}
#define CALL(function, failure)                                                                   \\
    long call_##function(long a, long b, long c, long d, long e, long f) __asm__(#function);      \\
    long call_##function(long a, long b, long c, long d, long e, long f)                          \\
    {                                                                                             \\
        static long (*real)(long, long, long, long, long, long);                                  \\
        if (real == NULL)                                                                         \\
            real = (long (*)(long, long, long, long, long, long))dlsym(RTLD_NEXT, #function);     \\
        if (!fails(#function, __builtin_return_address(0)))                                       \\
            return real(a, b, c, d, e, f);                                                        \\
        if (strcmp(#function, "close") == 0) {                                                    \\
            real(a, b, c, d, e, f); /* a descriptor is closed even if close() fails */            \\
            errno = error;                                                                        \\
        }                                                                                         \\
        return failure;                                                                           \\
    }
"""


def shim():
    """The library that makes calls fail."""
    if not os.path.exists("shim.so"):
        calls = sorted(set(CALLS + CALLS_IN_BACKGROUND))
        with open("shim.c", "w", encoding="utf-8") as file:
            file.write(SHIM + "".join(f"CALL({it}, {0 if it == 'realpath' else -1})\n" for it in calls))
        subprocess.run(["gcc", "-shared", "-fPIC", "-fno-builtin", "-w", "-o", "shim.so", "shim.c"], check=True)
    return os.path.abspath("shim.so")


def failing(call, error, nth):
    """The environment in which the n-th call fails."""
    return {**os.environ, "LD_PRELOAD": shim(), "FAILING": f"{call} {error} {nth}"}


def write_old(name):
    with open(name, "wb") as file:
        file.write(OLD)


def state(name):
    """Of a file: "old", "new" if all steps are in it, or what is wrong."""
    with open(name, "rb") as file:
        found = file.read()
    if found == OLD:
        return "old"
    try:
        if name.endswith(".json"):
            steps = [it["args"]["n"] for it in json.loads(found)["traceEvents"] if it["name"] == "step"]
        else:
            steps = counted(name)
    except (AssertionError, ValueError) as why:
        return f"{len(found)} bytes: {why}"
    return "new" if steps == list(range(STEPS)) else f"{steps}"


def expect_lawful(name, result, what):
    equal(result.code in (0, 1, 3), True, (what, result))
    found = state(name)
    assert found in ("old", "new") and (result.code != 0 or found == "new"), (what, found, result)
    assert result.code == 0 or result.err.strip(), (what, "fails in silence")
    for left in os.listdir():
        if ".partial" in left:
            assert left in result.err, (what, left, result)
            os.unlink(left)
        elif left.startswith(name + "."):
            os.unlink(left)


def fail_each(name, *args):
    for call in CALLS:
        for error in (errno.EIO, errno.EINTR):
            for nth in range(1, 7):
                write_old(name)
                result = record(*args, "-d2", "-o", name, "--", TRACED, "await", f"events={STEPS}",
                                env=failing(call, error, nth))
                expect_lawful(name, result, (call, errno.errorcode[error], nth, *args))


@tracing.testing.not_under("asan", "tsan")
def test_an_old_trace_stays_until_the_new_one_is_whole():
    fail_each("out.fxt")


@tracing.testing.not_under("asan", "tsan")
def test_so_does_an_old_json_file():
    fail_each("out.json")


@tracing.testing.not_under("asan", "tsan")
def test_so_does_a_file_that_is_compressed_while_it_is_recorded():
    fail_each("out.fxt.zst", "-s")


@tracing.testing.not_under("asan", "tsan")
def test_start_lets_its_caller_go():
    """Whoever waits for the end of its output gets it, whichever call fails."""
    for call in CALLS_IN_BACKGROUND:
        for nth in range(1, 9):
            with Running(TRACE, "start", "--allow-empty", env=failing(call, errno.EIO, nth)) as process:
                begin = time.monotonic()
                while select.select([process.stdout], [], [], PATIENCE)[0] and os.read(process.stdout.fileno(), 99):
                    pass
                assert time.monotonic() - begin < PATIENCE, (call, nth, "its output is still open")
                code = process.wait(PATIENCE)
                err = process.stderr.read().decode()
            stopped = trace("stop")
            assert code == 0 or err or "cannot" in stopped.err, (call, nth, "fails in silence")


@tracing.testing.not_under("asan", "tsan")
def test_stop_ends():
    told = ""
    for call in CALLS_IN_BACKGROUND:
        for nth in range(1, 9):
            trace("start", "--allow-empty")
            result = trace("stop", env=failing(call, errno.EIO, nth))
            assert result.code == 0 or result.err, (call, nth, "fails in silence")
            told += result.err
            trace("stop")
    assert "recorder: cannot find the process that records in the background: Input/output error\n" in told, told


tracing.main(globals(), jobs=3)
