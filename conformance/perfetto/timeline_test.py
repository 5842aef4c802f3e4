#!/usr/bin/env python3
"""Perfetto departs at level timeline as expect/perfetto_timeline.txt says, and nowhere else. The command is that of
its head.

usage: timeline_test.py RUN LIST
"""
import os
import re
import shlex
import subprocess
import sys

import agreement_test


def main(run, listed):
    folder = os.path.dirname(os.path.realpath(agreement_test.__file__))
    reason = agreement_test.skipped(os.path.join(folder, "timeline.js"))
    if reason:
        print("SKIP: " + reason)
        return 0
    with open(listed, encoding="utf-8") as f:
        head = f.read().split("\n\n")[0]
    command = re.search(r"^#   \./run (.*?[^\\])$", head, re.M | re.S).group(1).replace("\\\n#", "")
    words = [listed if word.startswith("expect/") else word for word in shlex.split(command)]
    words[words.index("--adapter") + 1] = "node %s/timeline.js --pipe" % folder
    return subprocess.run([sys.executable, run] + words).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
