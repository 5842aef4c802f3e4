#!/usr/bin/python3
"""What programs write with <trace/event.h> compiles without a warning. What would read a string that is
gone does not compile, and a list of arguments that lacks one is refused in a sentence.

Usage: compile_test.py HEADER

Compiles for each installed compiler and several levels of optimization, with and without NTRACE.
"""

import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile

INCLUDE = os.path.dirname(os.path.dirname(os.path.realpath(sys.argv[1])))
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
# clang++ has the last one, too, but also warns of NULL.
MORE = {"g++": ["-Wold-style-cast", "-Wzero-as-null-pointer-constant"],
        "clang++": ["-Wold-style-cast"]}
LEVELS = ["-O0", "-Og", "-O2", "-O3"]

# Scopes inside scopes, where compilers look for what is read before it is written.
NESTED = """
#include <trace/event.h>
void use(int number);
int inner(int count, const char *text);
int outer(int count);
int inner(int count, const char *text)
{
    TRACE_DURATION("c", "first", "count", count, "text", text);
    for (int i = 0; i < count; i++) {
        TRACE_DURATION("c", "second", "i", i, "text", TA_STRING(text));
        if (i == 3)
            return i;
        {
            TRACE_DURATION("c", "third");
            use(i);
        }
    }
    TRACE_DURATION("c", "fourth", "number", 1.5);
    return 0;
}
int outer(int count)
{
    TRACE_DURATION("c", "fifth");
    if (count > 3) {
        TRACE_DURATION("c", "sixth", "count", count);
        use(count);
    }
    TRACE_DURATION("c", "seventh", "count", count);
    return inner(count, "x");
}
"""

# Every macro, without arguments and with some.
ALL = """
#include <trace/event.h>
void all(uint64_t a, const char *text, const void *blob);
void all(uint64_t a, const char *text, const void *blob)
{
    TRACE_DURATION("c", "n");
    TRACE_DURATION("c", "n", "a", a);
    TRACE_DURATION_BEGIN("c", "n");
    TRACE_DURATION_END("c", "n", "text", text);
    TRACE_INSTANT("c", "n", TRACE_SCOPE_THREAD);
    TRACE_INSTANT("c", "n", TRACE_SCOPE_THREAD, "a", a);
    TRACE_COUNTER("c", "n", a, "a", a);
    TRACE_ASYNC_BEGIN("c", "n", a);
    TRACE_ASYNC_INSTANT("c", "n", a, "a", a);
    TRACE_ASYNC_END("c", "n", a);
    TRACE_FLOW_BEGIN("c", "n", a);
    TRACE_FLOW_STEP("c", "n", a, "a", 1.5);
    TRACE_FLOW_END("c", "n", a);
    TRACE_VTHREAD_DURATION_BEGIN("c", "n", "v", 1, a);
    TRACE_VTHREAD_DURATION_END("c", "n", "v", 1, a, "a", a);
    TRACE_BLOB_EVENT("c", "n", blob, 8);
    TRACE_BLOB_EVENT("c", "n", blob, 8, "a", a);
    TRACE_KERNEL_OBJECT(0);
    TRACE_KERNEL_OBJECT(0, "a", a);
    TRACE_ALERT("c", "n");
    if (TRACE_ENABLED() || TRACE_CATEGORY_ENABLED("c"))
        (void)TRACE_NONCE();
}
"""

KEPT = """
#include <trace/event.h>
void write(const trace_arg_t *args);
void declare(const std::string &text);
void declare(const std::string &text)
{
    TRACE_DECLARE_ARGS(context, args, "text", text, "view", text.c_str(), "number", 1);
    write(args);
}
"""

TEMPORARY = """
#include <trace/event.h>
void write(const trace_arg_t *args);
void declare();
void declare()
{
    TRACE_DECLARE_ARGS(context, args, "text", std::string("gone"));
    write(args);
}
"""

JUMP = """
#include <trace/event.h>
void jump(int to);
void jump(int to)
{
    switch (to) {
    case 1:
        TRACE_DURATION("c", "one", "to", to);
        break;
    case 2:
        break;
    }
}
"""

ODD = """
#include <trace/event.h>
static inline void odd_%d(uint64_t a, const trace_arg_t **made)
{
    (void)a, (void)made;
    %s;
}
"""
# Each lacks one argument.
ODD_LISTS = (
    'TRACE_INSTANT("c", "n", TRACE_SCOPE_THREAD, "a")',
    'TRACE_INSTANT("c", "n", "a", a)',  # the scope is missing
    'TRACE_COUNTER("c", "n", a, "a", a, "b")',
    'TRACE_DURATION("c", "n", "a")',
    'TRACE_DURATION("c", "n", "a", a, "b", a, "c")',
    'TRACE_DURATION_BEGIN("c", "n", "a")',
    'TRACE_DURATION_END("c", "n", "a")',
    'TRACE_ASYNC_BEGIN("c", "n", a, "a")',
    'TRACE_FLOW_END("c", "n", a, "a")',
    'TRACE_VTHREAD_DURATION_BEGIN("c", "n", "v", 1, a, "a")',
    'TRACE_BLOB_EVENT("c", "n", "", 0, "a")',
    'TRACE_KERNEL_OBJECT(0, "a")',
    'TRACE_DECLARE_ARGS(context, args, "a"); *made = args',
)
SENTENCE = "each argument of a TRACE_ macro is a name and a value"


def compile_one(compiler, options, suffix, code):
    """What the compiler says: nothing when it compiles."""
    with tempfile.TemporaryDirectory() as work:
        source = os.path.join(work, "snippet" + suffix)
        with open(source, "w", encoding="ascii") as file:
            file.write(code)
        done = subprocess.run([compiler, *options, *WARNINGS, "-I" + INCLUDE, "-c", source, "-o",
                               os.path.join(work, "snippet.o")], stderr=subprocess.PIPE,
                              universal_newlines=True)
        return done.stderr if done.returncode != 0 else ""


def expect_clean(compiler, options, suffix, code):
    said = compile_one(compiler, options, suffix, code)
    assert said == "", f"{compiler} {' '.join(options)}\n{said}"


def expect_refusal(compiler, options, code, why):
    said = compile_one(compiler, options, ".cc", code)
    assert why in said, f"{compiler} {' '.join(options)}: {said or 'compiles'}"


def expect_sentences(compiler, standard, suffix):
    """One error for each odd list, which says what is wrong."""
    said = compile_one(compiler, [standard], suffix, "".join(ODD % it for it in enumerate(ODD_LISTS)))
    errors = [line for line in said.splitlines() if re.search(r"(error|warning): ", line)]
    assert len(errors) == len(ODD_LISTS) and all(SENTENCE in line for line in errors), f"{compiler}: {said}"


def check(compiler, is_cpp):
    standard = "-std=c++11" if is_cpp else "-std=c11"
    suffix = ".cc" if is_cpp else ".c"
    more = MORE.get(compiler, [])
    for level, ntrace in itertools.product(LEVELS, ([], ["-DNTRACE"])):
        expect_clean(compiler, [standard, level, *ntrace], suffix, NESTED)
        expect_clean(compiler, [standard, level, *ntrace, *more], suffix, ALL)
    expect_sentences(compiler, standard, suffix)
    if is_cpp:
        expect_clean(compiler, [standard, "-O2"], suffix, KEPT)
        expect_refusal(compiler, [standard, "-O2"], TEMPORARY, "is a temporary")
        expect_refusal(compiler, [standard, "-O2"], JUMP, "jump")


def main():
    compilers = [(name, is_cpp) for name, is_cpp in (("gcc", False), ("clang", False),
                                                     ("g++", True), ("clang++", True))
                 if shutil.which(name)]
    assert compilers, "no compiler"
    for name, is_cpp in compilers:
        check(name, is_cpp)
    print("compiled by", ", ".join(name for name, _ in compilers))


if __name__ == "__main__":
    main()
