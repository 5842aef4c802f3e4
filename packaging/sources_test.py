#!/usr/bin/env python3
"""packaging/files.txt lists the sources that Bazel compiles for each library and program.

  sources_test.py QUERIED...    files NAME.txt, each with the labels of one library or program
"""

import os
import sys


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
    if len(sys.argv) != 9:
        failures.append(f"{len(sys.argv) - 1} libraries and programs, not 8")
    sys.exit("\n".join(failures + ["run packaging/files.py"]) if failures else 0)


if __name__ == "__main__":
    main()
