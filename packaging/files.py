#!/usr/bin/env python3
"""Prints packaging/files.txt with every pattern expanded: KEY FILE, one a line.

  files.py          of this tree
  files.py LIST     LIST is packaging/files.txt of a tree
"""

import os
import pathlib
import re
import sys


def lines(top, keys=""):
    """{key: files} of the tree, from its top, for the keys that begin as the pattern says."""
    found = {}
    with open(os.path.join(top, "packaging/files.txt"), encoding="utf-8") as file:
        pairs = [line.split() for line in file if not line.startswith("#")]
    for key, pattern in pairs:
        if not re.match(keys, key):
            continue
        files = found.setdefault(key, [])
        if pattern.startswith("!"):
            files[:] = [path for path in files if path != pattern[1:]]
            continue
        more = sorted(path.relative_to(top).as_posix() for path in pathlib.Path(top).glob(pattern))
        more = [path for path in more if not path.endswith("_test.c")]
        if not more:
            raise FileNotFoundError(2, "packaging/files.txt names what does not exist",
                                    os.path.join(top, pattern))
        files += more
    return found


def main():
    if sys.argv[1:] in (["-h"], ["--help"]) or len(sys.argv) > 2:
        sys.exit(__doc__)
    here = sys.argv[1] if len(sys.argv) == 2 else os.path.abspath(__file__)
    try:
        for key, files in lines(os.path.dirname(os.path.dirname(os.path.abspath(here)))).items():
            for path in files:
                print(key, path)
    except OSError as error:
        sys.exit(f"files.py: {error.filename}: {error.strerror}")


if __name__ == "__main__":
    main()
