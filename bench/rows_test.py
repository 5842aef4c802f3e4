#!/usr/bin/env python3
"""A benchmark runs and reports: its --json parses, has every row once, and no figure is missing.

How fast anything is, is not tested: that depends on the machine and on who else uses it.
Usage: rows_test.py BENCHMARK
"""

import json
import os
import subprocess
import sys

SHAPES = ["tiny", "typical", "args"]
MEMORIES = ["cache", "memory"]
ROWS = {
    "read": ["memcpy", "hop", "walk", "decode", "check", "chrome", "text", "jsonl"],
    "write": ["memcpy", "memset", "encode"],
}
SHAPE_ROWS = {("write", "tiny"): ["built"]}


def expected(bench):
    return [
        (shape, memory, row)
        for shape in SHAPES
        for memory in MEMORIES
        for row in ROWS[bench] + SHAPE_ROWS.get((bench, shape), [])
    ]


def main():
    command = [os.path.abspath(sys.argv[1]), "--quick", "--json", "--megabytes", "2", "--repeats", "2"]
    report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    found = [(row["shape"], row["memory"], row["row"]) for row in report["rows"]]
    assert found == expected(report["bench"]), found
    for row in report["rows"]:
        for figure in ["bytes", "seconds", "median_seconds", "gb_per_second", "of_memcpy"]:
            assert row[figure] > 0, (figure, row)
        assert row["median_seconds"] >= row["seconds"], row
        if report["bench"] == "read":
            assert row["records"] > 0 and row["ns_per_record"] > 0, row
    table = subprocess.run(
        command[:2] + command[3:], check=True, stdout=subprocess.PIPE, universal_newlines=True
    ).stdout.splitlines()
    assert len(table) == 1 + len(found), table
    bad = subprocess.run([command[0], "--nonsense"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert bad.returncode == 2, bad


if __name__ == "__main__":
    main()
