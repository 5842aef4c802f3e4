#!/usr/bin/env python3
"""The benchmark of the engine runs, its JSON has every case, mode, size and number of threads, and
charts are drawn from it.

Usage: engine_rows_test.py ENGINE_BENCH REPORT
"""

import json
import os
import subprocess
import sys
import tempfile

CASES = """enter_leave reserve_16 reserve_24 reserve_32 reserve_64 reserve_256 instant_0 instant_1
instant_2 instant_8 doubles_8 strings_8 pair scoped scoped_open counter async flow literal copied
inline blob""".split()


def main():
    out = subprocess.run([sys.argv[1], "--quick", "--json"], check=True, stdout=subprocess.PIPE)
    report = json.loads(out.stdout)
    assert report["timestamp_ns"] > 0, report
    rows = {(r["case"], r["mode"], r["buffer_bytes"], threads): {"ns": ns, "dropped": dropped}
            for r in report["rows"] for threads, ns, dropped in zip(report["threads"], r["ns"], r["dropped"])}
    for case in CASES:
        for mode in ["oneshot", "circular", "streaming"]:
            for size in [4096, 65536, 1 << 20, 16 << 20]:
                for threads in [1, 2, 4, 8]:
                    row = rows.pop((case, mode, size, threads))
                    assert 0 < row["ns"] < 1e9 and row["dropped"] >= 0, row
    for case in ["store_24", "off", "category_off"]:
        assert rows.pop((case, "none", 0, 1))["ns"] > 0
    assert rows.pop(("flat_out", "streaming", 68 << 20, 1))["ns"] > 0
    assert not rows, rows
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "engine.json")
        with open(path, "wb") as file:
            file.write(out.stdout)
        subprocess.run([sys.argv[2], path, path + ".svg"], check=True)
        chart = open(path + ".svg").read()
    assert "</svg>" in chart and "instant_8" in chart and "64 KiB" in chart


if __name__ == "__main__":
    main()
