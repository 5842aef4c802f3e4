#!/usr/bin/env python3
"""The shared libraries export what packaging/symbols.txt records, under the recorded SONAMEs and
with their version, and call themselves directly.

  symbols_test.py LIBRARY...              compare
  symbols_test.py LIBRARY... --write      record: bazel run //packaging:symbols_test -- --write

A line that is lost breaks programs that were linked: it needs a new FXT_SOVERSION. A new line needs
a new minor version.
"""

import os
import re
import subprocess
import sys

RECORD = "packaging/symbols.txt"


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def exported(library):
    soname = re.search(r"\(SONAME\).*\[(.*)\]", run("readelf", "--dynamic", library))[1]
    names = [line.split()[-1] for line in run("nm", "-D", "--defined-only", library).splitlines()]
    version = "FXTREF_" + soname.split(".so.")[1]
    versioned = [name.partition("@@") for name in sorted(names)]
    # What begins with an underscore is the linker's, or a sanitizer's.
    return [f"{soname} {name}" + ("" if of == version else f" without {version}")
            for name, _, of in versioned if not name.startswith("_") and name != version]


def calls_of_its_own(library):
    """Its functions that it asks the loader for: that may be another library's."""
    own = {line.split()[1] for line in exported(library)}
    slots = re.findall(r"JUMP_SLO\S*\s+\S+\s+(\w+)", run("readelf", "--relocs", "--wide", library))
    return [f"{library}: {name}: called through the loader" for name in slots if name in own]


def main():
    libraries = [argument for argument in sys.argv[1:] if argument != "--write"]
    found = [line for library in libraries for line in exported(library)]
    if "--write" in sys.argv:
        with open(os.path.join(os.environ["BUILD_WORKSPACE_DIRECTORY"], RECORD), "w",
                  encoding="utf-8") as file:
            file.write("\n".join(found) + "\n")
        return
    with open(RECORD, encoding="utf-8") as file:
        recorded = file.read().splitlines()
    failures = [f"{line}: no longer exported" for line in recorded if line not in found]
    failures += [f"{line}: exported, not recorded" for line in found if line not in recorded]
    failures += [line for library in libraries for line in calls_of_its_own(library)]
    sys.exit("\n".join(failures + [f"see {RECORD} and symbols_test.py"]) if failures else 0)


if __name__ == "__main__":
    main()
