#!/usr/bin/env python3
"""packaging/files.txt names the sources that Bazel compiles for each library and program. The builds
agree on the version and on the SONAME, and the last release in the changelog is this version.

  sources_test.py QUERIED...    files NAME.txt, each with the labels of one library or program
"""

import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import files  # noqa: E402

VERSIONS = {
    "src/include/fxt/version.h": r'#define FXT_VERSION "(.*)"',
    "CHANGELOG.md": r"^## (\d.*) \((?:\d{4}-\d\d-\d\d|unreleased)\)$",
    "src/build_defs.bzl": r'^FXT_VERSION = "(.*)"',
    "MODULE.bazel": r'^    version = "(.*)"',
    "meson.build": r"project\('fxtref', 'c', version: '(.*?)'",
}

# CMake takes the major and the minor version.
SONAMES = {
    "src/include/fxt/version.h": r'#define FXT_VERSION "(\d+\.\d+)',
    "src/build_defs.bzl": r'^FXT_SOVERSION = "(.*?)"',
    "meson.build": r"soversion: '(.*?)'",
}


# For programs without the recorder, which the libraries have.
LEFT_OUT = {"src/engine/begin.c"}


def differ(what, patterns):
    found = {}
    for path, pattern in patterns.items():
        with open(path, encoding="utf-8") as file:
            found[path] = re.search(pattern, file.read(), re.M)[1]
    return [f"{what} differ: {found}"] if len(set(found.values())) != 1 else []


def macros():
    """FXT_VERSION consists of the numbers beside it."""
    with open("src/include/fxt/version.h", encoding="utf-8") as file:
        text = file.read()
    numbers = ".".join(re.search(rf"#define FXT_VERSION_{part} (\d+)", text)[1]
                       for part in ("MAJOR", "MINOR", "PATCH"))
    return [] if f'#define FXT_VERSION "{numbers}"' in text else [f"FXT_VERSION is not {numbers}"]


def main():
    listed = files.lines(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    failures = []
    for path in sys.argv[1:]:
        name = os.path.basename(path)[:-len(".txt")]
        with open(path, encoding="utf-8") as file:
            built = {line.strip()[2:].replace(":", "/") for line in file if line.strip()} - LEFT_OUT
        if not built:
            failures.append(f"{name}: Bazel compiles nothing")
        failures += [f"{name} {source}: listed, not compiled by Bazel"
                     for source in sorted(set(listed[name]) - built)]
        failures += [f"{name} {source}: compiled by Bazel, not listed"
                     for source in sorted(built - set(listed[name]))]
    failures += differ("versions", VERSIONS) + differ("SONAMEs", SONAMES) + macros()
    if len(sys.argv) != 11:
        failures.append(f"{len(sys.argv) - 1} libraries and programs, not 10")
    sys.exit("\n".join(failures) if failures else 0)


if __name__ == "__main__":
    main()
