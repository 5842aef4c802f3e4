#!/usr/bin/env python3
"""Runs page_test.mjs by node's test runner."""

import os
import shutil
import subprocess
import sys

HERE = "src/tools/fxt/html"

if not shutil.which("node"):
    print("SKIP: node is not installed")
else:
    sys.exit(subprocess.run(["node", "--test", os.path.join(HERE, "page_test.mjs")],
                            check=False).returncode)
