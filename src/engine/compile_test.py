#!/usr/bin/python3
"""What programs write with <trace/event.h> compiles without a warning. What would record something else
than it says does not compile, for a reason that the compiler prints.

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
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wvla", "-Wshadow", "-Wconversion", "-Werror"]
# clang++ has the last one, too, but also warns of NULL.
MORE = {"g++": ["-Wold-style-cast", "-Wzero-as-null-pointer-constant"],
        "clang++": ["-Wold-style-cast"]}
LEVELS = ["-O0", "-Og", "-O2", "-O3"]
STANDARDS = {False: ["c99", "c11", "c17", "c2x", "gnu17"],
             True: ["c++11", "c++14", "c++17", "c++20", "gnu++17"]}

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
    TRACE_DURATION_OPEN("c", "n");
    TRACE_DURATION_OPEN("c", "n", "a", a, "text", text);
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
    TRACE_DURATION_DYNAMIC("c", text);
    TRACE_DURATION_DYNAMIC("c", text, "a", a);
    TRACE_INSTANT_DYNAMIC("c", a > 1 ? text : "n", TRACE_SCOPE_THREAD);
    TRACE_COUNTER_DYNAMIC("c", text, a, "a", a);
    TRACE_DURATION_BEGIN_DYNAMIC("c", text);
    TRACE_DURATION_END_DYNAMIC("c", text, "a", a);
    TRACE_ASYNC_BEGIN_DYNAMIC("c", text, a, "a", a);
    TRACE_FLOW_END_DYNAMIC("c", text, a);
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

# Each enters the scope of a duration past the statement.
JUMPS = ["""
void over(int a);
void over(int a)
{
    if (a == 1)
        goto out;
    TRACE_DURATION%s("c", "n");
    a++;
out:
    (void)a;
}
""", """
int into(int a);
int into(int a)
{
    switch (a) {
    case 1:
        TRACE_DURATION%s("c", "one", "a", a);
        return 1;
    default:
        return 2;
    }
}
""", """
int loop(int a);
int loop(int a)
{
    if (a == 1)
        goto middle;
    for (; a < 10; a++) {
        {
            TRACE_DURATION%s("c", "n", "a", a);
middle:
            a++;
        }
    }
    return a;
}
"""]

# These leave the scope, or go around it.
LEGAL = """
#include <trace/event.h>
void use(int number);
int legal(int a, const char *text);
int legal(int a, const char *text)
{
    int tries = 0;
    if (a < 0)
        goto out;
again:
    {
        TRACE_DURATION("c", "try", "tries", tries, "text", text);
        if (tries++ < a)
            goto again;
        if (a == 7)
            goto out;
    }
    switch (a) {
    case 1: {
        TRACE_DURATION("c", "one");
        TRACE_DURATION_OPEN("c", "one again", "a", a);
        break;
    }
    case 2:
    default: {
        TRACE_DURATION("c", "other", "a", a);
        use(a);
    }
    }
    for (int i = 0; i < a; i++) {
        TRACE_DURATION_OPEN("c", "loop");
        if (i == 3)
            continue;
        while (a > 9) {
            TRACE_DURATION("c", "inner", "i", i);
            if (a-- == 11)
                goto out;
            break;
        }
    }
    {
back:
        (void)0;
        TRACE_DURATION("c", "back");
        if (tries-- > 0)
            goto back;
        return a;
    }
out:
    return -1;
}
"""

# What is not constant: %s is text.
LITERALS = """
#include <trace/event.h>
extern char buffer[9];
extern const char *pointer;
static inline void literal_%d(int a)
{
    struct command { char name[8]; };
    const struct command *const at = TRACE_I_CAST(const struct command *, TRACE_I_CAST(const void *, pointer));
    (void)at, (void)a;
    %s;
}
"""
TEXTS = ["buffer", "pointer", "at->name", 'a ? "x" : "y"', "&buffer[1]"]
STATEMENTS = [
    'TRACE_INSTANT(%s, "n", TRACE_SCOPE_THREAD)',
    'TRACE_INSTANT("c", %s, TRACE_SCOPE_THREAD)',
    'TRACE_INSTANT(%s, "n", TRACE_SCOPE_THREAD, "a", 1)',
    'TRACE_INSTANT("c", %s, TRACE_SCOPE_THREAD, "a", 1)',
    'TRACE_COUNTER("c", "n", 1, "a", 1, %s, 1)',
    'TRACE_DURATION(%s, "n")',
    'TRACE_DURATION("c", %s)',
    'TRACE_DURATION("c", "n", %s, 1)',
    'TRACE_DURATION_OPEN("c", %s, "a", 1)',
    'TRACE_DURATION_BEGIN("c", %s)',
    'TRACE_DURATION_END("c", %s, "a", 1)',
    'TRACE_ASYNC_BEGIN("c", %s, 1)',
    'TRACE_FLOW_END("c", %s, 1, "a", 1)',
    'TRACE_VTHREAD_DURATION_BEGIN(%s, "n", "v", 1, 1)',
    'TRACE_BLOB_EVENT(%s, "n", "", 0)',
    'TRACE_BLOB_ATTACHMENT(%s, "n", "", 0)',
    'TRACE_ALERT(%s, "n")',
    'TRACE_COUNTER_DYNAMIC("c", pointer, 1, %s, 1)',
    'TRACE_DURATION_DYNAMIC("c", pointer, %s, 1)',
]
# In C++, these are constant.
CONSTANTS = """
#include <trace/event.h>
static constexpr char kCategory[] = "c";
static constexpr const char *kName = "n";
struct Names { static constexpr const char *kArgument = "a"; };
template <typename T> void constants()
{
    TRACE_DURATION(kCategory, __func__, T::kArgument, 1);
    TRACE_INSTANT(kCategory, kName, TRACE_SCOPE_THREAD, kName, 1);
    TRACE_DURATION_OPEN(kCategory, __PRETTY_FUNCTION__);
}
template void constants<Names>();
"""
# The engine reads these each time.
VARIABLE = """
#include <trace/event.h>
void variable(const char *text);
void variable(const char *text)
{
    if (TRACE_CATEGORY_ENABLED(text))
        TRACE_ALERT("c", text);
    TRACE_BLOB(TRACE_BLOB_TYPE_DATA, text, text, 1);
    TRACE_VTHREAD_DURATION_BEGIN("c", text, text, 1, 1, "a", 1);
}
"""

SCOPE = """
#include <trace/event.h>
enum { FIVE = 5 };
static inline void scope_%d(void)
{
    %s;
}
"""
SCOPES = ['TRACE_INSTANT("c", "n", 5)', 'TRACE_INSTANT("c", "n", FIVE, "a", 1)',
          'TRACE_INSTANT("c", "n", -1)', 'TRACE_INSTANT("c", "n", TRACE_SCOPE_GLOBAL + 1)']
SCOPES_THAT_VARY = """
#include <trace/event.h>
void vary(int a, trace_scope_t scope);
void vary(int a, trace_scope_t scope)
{
    const trace_scope_t other = a > 1 ? scope : TRACE_SCOPE_GLOBAL;
    TRACE_INSTANT("c", "n", scope);
    TRACE_INSTANT("c", "n", other, "a", a);
    TRACE_INSTANT("c", "n", a > 2 ? TRACE_SCOPE_THREAD : TRACE_SCOPE_GLOBAL);
}
"""

WIDE = """
#include <trace/event.h>
__extension__ typedef %s int128;
static inline void wide_%d(int128 value)
{
    TRACE_INSTANT("c", "n", TRACE_SCOPE_THREAD, "a", value);
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
# Each has one argument too many, or more.
LONG_LISTS = tuple(macro % ", ".join(['"a", a'] * count) for count in (16, 31) for macro in (
    'TRACE_INSTANT("c", "n", TRACE_SCOPE_THREAD, %s)',
    'TRACE_DURATION("c", "n", %s)',
    'TRACE_DURATION_OPEN("c", "n", %s)',
    'TRACE_DURATION_END("c", "n", %s)',
    'TRACE_FLOW_STEP("c", "n", a, %s)',
    'TRACE_BLOB_EVENT("c", "n", "", 0, %s)',
    'TRACE_DURATION_DYNAMIC("c", "n", %s)',
    'TRACE_KERNEL_OBJECT(0, %s)',
    'TRACE_DECLARE_ARGS(context, args, %s); *made = args',
))
SENTENCE = "each argument of a TRACE_ macro is a name and a value"
AT_MOST = "at most 15"
LITERAL = "names of arguments are string literals"
SCOPE_IS = "the scope of an instant event is TRACE_SCOPE_THREAD"


def compile_one(compiler, options, suffix, code):
    """What the compiler says: nothing when it compiles."""
    with tempfile.TemporaryDirectory() as work:
        source = os.path.join(work, "snippet" + suffix)
        with open(source, "w", encoding="ascii") as file:
            file.write(code)
        limit = ["-ferror-limit=0"] if compiler.startswith("clang") else []
        done = subprocess.run([compiler, *options, *limit, *WARNINGS, "-I" + INCLUDE, "-c", source, "-o",
                               os.path.join(work, "snippet.o")], stderr=subprocess.PIPE,
                              universal_newlines=True)
        return done.stderr if done.returncode != 0 else ""


def expect_clean(compiler, options, suffix, code):
    said = compile_one(compiler, options, suffix, code)
    assert said == "", f"{compiler} {' '.join(options)}\n{said}"


def expect_refusal(compiler, options, suffix, code, why):
    said = compile_one(compiler, options, suffix, code)
    assert re.search(why, said), f"{compiler} {' '.join(options)}: {said or 'compiles'}\n{code}"


def expect_sentences(compiler, options, suffix, template, statements, sentence):
    """One error for each statement, which says what is wrong."""
    said = compile_one(compiler, [*options, "-Wno-unused-value"], suffix,
                       "".join(template % it for it in enumerate(statements)))
    errors = [line for line in said.splitlines() if re.search(r"(error|warning): ", line)]
    errors = [line for line in errors if "initializer element" not in line]
    assert len(errors) == len(statements) and all(sentence in line for line in errors), \
        f"{compiler} {options}: {len(errors)} of {len(statements)}\n{said}"


def same_code(code):
    """What guards a scope from jumps leaves no instruction in optimized code of gcc. The operands of a
    comparison may change places."""
    guard = r'typedef char trace_i_guard_\d+\[[^;]*;'
    preprocessed = subprocess.run(["gcc", "-std=c11", "-E", "-P", "-I" + INCLUDE, "-xc", "-"], input=code,
                                  stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout
    assert re.search(guard, preprocessed)
    for level in ("-O1", "-O2", "-O3", "-Os"):
        made = [subprocess.run(["gcc", "-std=c11", level, "-S", "-xcpp-output", "-", "-o", "-"],
                               input=text, stdout=subprocess.PIPE, universal_newlines=True,
                               check=True).stdout
                for text in (preprocessed, re.sub(guard, "", preprocessed))]
        made = [[line.split()[:1] for line in text.splitlines()] for text in made]
        assert made[0] == made[1], f"gcc {level}: the guard is in the code"


def check_jumps(compiler, suffix):
    """A jump into the scope does not compile: the end of the scope would use what was never set."""
    standard = "-std=c++11" if suffix == ".cc" else "-std=c11"
    for level, jump, kind in itertools.product(LEVELS, JUMPS, ("", "_OPEN")):
        expect_refusal(compiler, [standard, level], suffix,
                       "#include <trace/event.h>\n" + jump % kind, r"error: .*(jump|protected|cross)")


def check_literals(compiler, options, suffix):
    if suffix == ".c":
        for text in TEXTS:
            expect_sentences(compiler, options, suffix, LITERALS, [it % text for it in STATEMENTS], LITERAL)
    else:  # which refuses a template once
        for one in {it % TEXTS[0] for it in STATEMENTS} | {STATEMENTS[0] % it for it in TEXTS}:
            expect_refusal(compiler, options, suffix, LITERALS % (0, one), LITERAL)
    expect_clean(compiler, options, suffix, VARIABLE)
    if suffix == ".cc":
        expect_clean(compiler, options, suffix, CONSTANTS)


def check(compiler, is_cpp):
    standard = "-std=c++11" if is_cpp else "-std=c11"
    suffix = ".cc" if is_cpp else ".c"
    more = MORE.get(compiler, [])
    for level, ntrace in itertools.product(LEVELS, ([], ["-DNTRACE"], ["-DTRACE_SCOPES_BEGIN_END"])):
        expect_clean(compiler, [standard, level, *ntrace], suffix, NESTED)
        expect_clean(compiler, [standard, level, *ntrace, *more], suffix, ALL)
    for each, level in itertools.product(STANDARDS[is_cpp], ("-O0", "-O2")):
        expect_clean(compiler, ["-std=" + each, level], suffix, ALL)
        expect_clean(compiler, ["-std=" + each, level], suffix, LEGAL)
        expect_clean(compiler, ["-std=" + each, level], suffix, SCOPES_THAT_VARY)
    expect_sentences(compiler, [standard], suffix, ODD, ODD_LISTS, SENTENCE)
    expect_sentences(compiler, [standard], suffix, ODD, LONG_LISTS, AT_MOST)
    check_jumps(compiler, suffix)
    for level in ("-O0", "-O2"):
        check_literals(compiler, [standard, level], suffix)
        for one in SCOPES:
            expect_refusal(compiler, [standard, level], suffix, SCOPE % (0, one), SCOPE_IS)
        for each in (standard, standard.replace("=c", "=gnu")):
            for number, it in enumerate(("__int128", "unsigned __int128")):
                expect_refusal(compiler, [each, level], suffix, WIDE % (it, number), "at most 64 bits")
    if is_cpp:
        expect_clean(compiler, [standard, "-O2"], suffix, KEPT)
        expect_refusal(compiler, [standard, "-O2"], suffix, TEMPORARY, "is a temporary")
    elif compiler == "gcc":
        same_code(NESTED)
        same_code(LEGAL)


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
