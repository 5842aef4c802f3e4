#!/usr/bin/env python3
"""The tests of SECURITY.md's table of attacks are those of //:attacks.

usage: attacks_test.py SECURITY.md TESTS
"""
import re
import sys

named = set()
with open(sys.argv[1], encoding="utf-8") as page:
    for line in page:
        package = None
        for name in re.findall(r"`([^`]*_test)`", line.split("|")[-2]) if line.startswith("|") else ():
            package = name.split(":")[0] if name.startswith("//") else package
            named.add(name if name.startswith("//") else package + ":" + name)
with open(sys.argv[2], encoding="utf-8") as tests:
    different = named ^ set(tests.read().split())
if different or not named:
    sys.exit("in one of the two only: " + " ".join(sorted(different)))
