#!/usr/bin/python3
"""The examples in the comments of public headers compile as they stand, in C and in C++.

Usage: examples_test.py HEADER...

An example is what stands in a comment at the left margin, indented by 5 columns or more, and has a
line that ends like a statement.
"""

import os
import re
import subprocess
import sys
import tempfile

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-missing-field-initializers"]
LANGUAGES = [("gcc", "-std=c11", ".c"), ("g++", "-std=c++20", ".cc")]


def examples(text):
    """Yields each example, without its indentation."""
    for comment in re.findall(r"^/\*.*?\*/", text, re.M | re.S):
        block = []
        for line in comment.splitlines()[1:] + ["end"]:
            if line.startswith("     ") or line == "":
                block.append(line[5:])
                continue
            if any(re.search(r"[;{}]$", it) for it in block):
                yield "\n".join(block)
            block = []


def compile_one(include, name, code):
    """Returns what the compilers say."""
    said = ""
    with tempfile.TemporaryDirectory() as work:
        for compiler, standard, suffix in LANGUAGES:
            source = os.path.join(work, "example" + suffix)
            with open(source, "w", encoding="utf-8") as file:
                file.write(f"#include <{name}>\n{code}")
            done = subprocess.run([compiler, standard, *WARNINGS, "-I" + include, "-c", source,
                                   "-o", os.path.join(work, "example.o")],
                                  stderr=subprocess.PIPE, universal_newlines=True)
            if done.returncode != 0:
                said += done.stderr
    return said


def main():
    found = 0
    failures = ""
    for header in sys.argv[1:]:
        path = os.path.realpath(header)
        include, name = re.fullmatch(r"(.*/src/include)/(.*)", path).groups()
        with open(path, encoding="utf-8") as file:
            for code in examples(file.read()):
                found += 1
                said = compile_one(include, name, code)
                failures += f"{name}:\n{code}{said}\n" if said else ""
    if failures or found < 3:
        sys.exit(failures or f"only {found} examples found")
    print(f"{found} examples compile")


if __name__ == "__main__":
    main()
