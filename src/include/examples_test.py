#!/usr/bin/python3
"""The public headers compile in C++ without a warning, and the examples in their comments in C and C++.

Usage: examples_test.py HEADER...
       examples_test.py --print HEADER...    the examples, for example_run_test.c, which runs them

An example is what stands in a comment at the left margin, indented by 5 columns or more, and has a
line that ends like a statement.
"""

import os
import re
import subprocess
import sys
import tempfile

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
CPP = ["-Wold-style-cast", *WARNINGS]
LANGUAGES = [("gcc", ["-std=c11", *WARNINGS], ".c"), ("g++", ["-std=c++20", *CPP], ".cc")]
HEADERS = [("g++", ["-std=c++17", *CPP], ".cc"), ("clang++", ["-std=c++17", *CPP], ".cc")]
EXAMPLE = ["-Wno-missing-field-initializers"]  # an example may leave members out
# What the example of <fxt/events.h> calls.
USE = """static inline void use(const struct fxt_event *event, const struct fxt_arg *args, unsigned count)
{ (void)event, (void)args, (void)count; }
"""


def examples(text):
    """Yields each example, without its indentation."""
    comments = re.findall(r"^/\*.*?\*/", text, re.M | re.S)
    comments += [re.sub(r"^//", "", lines, flags=re.M)
                 for lines in re.findall(r"(?:^//.*\n)+", text, re.M)]
    for comment in comments:
        block = []
        for line in comment.splitlines()[1:] + ["end"]:
            if line.startswith("     ") or line == "":
                block.append(line[5:])
                continue
            if any(re.search(r"[;{}]$", it) for it in block):
                yield "\n".join(block)
            block = []


def compile_one(include, languages, code, options=()):
    """Returns what the compilers say."""
    said = ""
    with tempfile.TemporaryDirectory() as work:
        for compiler, own, suffix in languages:
            source = os.path.join(work, "example" + suffix)
            with open(source, "w", encoding="utf-8") as file:
                file.write(code)
            done = subprocess.run([compiler, *own, *options, "-I" + include, "-fsyntax-only", source],
                                  stderr=subprocess.PIPE, universal_newlines=True)
            said += done.stderr if done.returncode != 0 else ""
    return said


def main():
    if sys.argv[1] == "--print":
        print("#include <fxt/check.h>\n#include <fxt/events.h>\n#include <fxt/write.h>")
        print("void use(const struct fxt_event *event, const struct fxt_arg *args, unsigned count);")
        for header in sys.argv[2:]:
            with open(header, encoding="utf-8") as file:
                print("\n".join(examples(file.read())))
        return
    found = 0
    failures = all_headers = ""
    for header in sys.argv[1:]:
        include, name = re.fullmatch(r"(.*/src/include)/(.*)", os.path.realpath(header)).groups()
        all_headers += f"#include <{name}>\n"
        with open(header, encoding="utf-8") as file:
            codes = list(examples(file.read()))
        found += len(codes)
        for code in codes:
            code = f"#include <{name}>\n{USE if ' use(' in code else ''}{code}\n"
            failures += compile_one(include, LANGUAGES[name.endswith(".hpp"):], code, EXAMPLE)
    failures += compile_one(include, HEADERS, all_headers)
    if failures or found < 5:
        sys.exit(failures or f"only {found} examples found")
    print(f"{len(sys.argv) - 1} headers and {found} examples compile")


if __name__ == "__main__":
    main()
