#!/usr/bin/env python3
"""A plug-in whose macros call another copy of the engine than that of the program's provider is told of.

Usage: copies_test.py TRACE HOST PLUGIN
"""

import os
import subprocess
import sys
import tempfile
import unittest

TRACE, HOST, PLUGIN = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))


def record(*command):
    """What the recorded program says on stderr."""
    with tempfile.TemporaryDirectory() as directory:
        done = subprocess.run([TRACE, "record", "-q", "--allow-empty", "-o", directory + "/trace.fxt", "--", *command],
                              stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, timeout=60, check=False,
                              env=dict(os.environ, FXT_TRACE_DIR=directory + "/sockets"))
    assert done.returncode == 0, done
    return done.stderr


class Copies(unittest.TestCase):
    def test_one_engine_is_the_rule(self):
        self.assertEqual(record(HOST), "")

    def test_an_engine_of_a_plugin_is_told_once(self):
        for when in "before", "during":
            said = record(HOST, when, PLUGIN)
            self.assertEqual(said.count("\n"), 1, said)
            self.assertTrue(said.startswith(f"host: {PLUGIN} has another copy of the trace engine; "), said)

    def test_a_file_of_the_program_with_the_number_of_stderr_is_left_alone(self):
        with tempfile.TemporaryDirectory() as directory:
            self.assertEqual(record(HOST, "during", PLUGIN, directory + "/data"), "")
            self.assertEqual(os.path.getsize(directory + "/data"), 0)

    def test_who_records_nothing_is_told_nothing(self):
        done = subprocess.run([HOST, "before", PLUGIN], stderr=subprocess.PIPE, check=True, timeout=60,
                              env=dict(os.environ, FXT_TRACE_DIR="/nonexistent"))
        self.assertEqual(done.stderr, b"")


if __name__ == "__main__":
    unittest.main()
