#!/usr/bin/env python3
"""The commands of README.md that need no program of the reader's run as they stand there.

usage: readme_test.py FXT
"""
import os
import re
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
FXT = os.path.dirname(os.path.abspath(sys.argv.pop()))


class Readme(unittest.TestCase):
    def test_commands(self):
        with open(os.path.join(HERE, "README.md"), encoding="utf-8") as f:
            commands = re.findall(r"^    (\./run --adapter '(?:fxt|\./toy\.py|\./adapters/\S+) .*)$", f.read(), re.M)
        levels = {re.search("--level ([a-z]+)", command).group(1) for command in commands}
        self.assertEqual(levels, {"exit", "events", "records", "findings", "timeline"})
        path = FXT + ":" + os.environ["PATH"]
        with open(os.path.join(FXT, "fxt"), "rb") as f:  # --prefork refuses what a sanitizer has to load first
            is_sanitized = re.search(rb"__[amt]san_init", f.read())
        for command in commands:
            if is_sanitized:
                command = command.replace(" --prefork", "")
            done = subprocess.run(["sh", "-c", command], cwd=HERE, env=dict(os.environ, PATH=path),
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
            self.assertEqual(done.returncode, int("--error" in command), command + "\n" + done.stdout)


if __name__ == "__main__":
    unittest.main()
