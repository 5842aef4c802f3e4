#!/usr/bin/env python3
"""The benchmark of the system runs, its JSON has every load second by second, and charts are drawn
from it.

Usage: system_rows_test.py SYSTEM_BENCH REPORT
"""

import json
import os
import subprocess
import sys
import tempfile


def main():
    out = subprocess.run([sys.argv[1], "--seconds=1", "--json"], check=True,
                         stdout=subprocess.PIPE)
    rows = json.loads(out.stdout)["rows"]
    assert len(rows) == 7, rows
    for row in rows:
        assert row["events_per_second"] > 0 and row["megabytes_per_second"] > 0, row
        assert 0 <= row["dropped_percent"] < 100 and len(row["seconds"]) == 1, row
    with tempfile.TemporaryDirectory() as work:
        report = os.path.join(work, "report.json")
        chart = os.path.join(work, "chart.svg")
        with open(report, "wb") as f:
            f.write(out.stdout)
        subprocess.run([sys.argv[2], report, chart], check=True)
        with open(chart, encoding="utf-8") as f:
            assert "5 M/s" in f.read()


if __name__ == "__main__":
    main()
