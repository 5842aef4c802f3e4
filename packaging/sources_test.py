#!/usr/bin/env python3
"""packaging/files.txt lists the sources that Bazel compiles for each library and program, and the
builds agree on the version.

  sources_test.py QUERIED...    files NAME.txt, each with the labels of one library or program
"""

import os
import re
import sys

VERSIONS = {
    "src/include/fxt/version.h": r'#define FXT_VERSION "(.*)"',
    "src/build_defs.bzl": r'^FXT_VERSION = "(.*)"',
    "MODULE.bazel": r'^    version = "(.*)"',
    "meson.build": r"project\('fxtref', 'c', version: '(.*?)'",
}


def versions():
    found = {}
    for path, pattern in VERSIONS.items():
        with open(path, encoding="utf-8") as file:
            found[path] = re.search(pattern, file.read(), re.M)[1]
    return found


def main():
    listed = {}
    with open("packaging/files.txt", encoding="utf-8") as file:
        for line in file:
            name, path = line.split(" ", 1)
            listed.setdefault(name, set()).add(path.strip())
    failures = []
    for path in sys.argv[1:]:
        name = os.path.basename(path)[:-len(".txt")]
        with open(path, encoding="utf-8") as file:
            built = {line.strip()[2:].replace(":", "/") for line in file if line.strip()}
        if not built:
            failures.append(f"{name}: Bazel compiles nothing")
        failures += [f"{name} {source}: listed, not compiled by Bazel"
                     for source in sorted(listed.get(name, set()) - built)]
        failures += [f"{name} {source}: compiled by Bazel, not listed"
                     for source in sorted(built - listed.get(name, set()))]
    if failures:
        failures.append("run packaging/files.py")
    if len(set(versions().values())) != 1:
        failures.append(f"versions differ: {versions()}")
    if len(sys.argv) != 9:
        failures.append(f"{len(sys.argv) - 1} libraries and programs, not 8")
    sys.exit("\n".join(failures) if failures else 0)


if __name__ == "__main__":
    main()
