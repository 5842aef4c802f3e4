#!/usr/bin/env python3
"""Every file of the checkout has a licence (REUSE 3.0), by .reuse/dep5.

  licence_test.py LICENSE
"""

import os
import shutil
import subprocess
import sys

root = os.path.dirname(os.path.realpath(sys.argv[1]))
if not shutil.which("reuse"):
    print("SKIP: reuse is not installed")
elif subprocess.run(["git", "-C", root, "ls-files", "--error-unmatch", "LICENSE"],
                    stdout=subprocess.DEVNULL, check=False).returncode != 0:
    print("SKIP: this is no checkout, so files that the build made cannot be told apart")
else:
    sys.exit(subprocess.run(["reuse", "--root", root, "lint"], check=False).returncode)
