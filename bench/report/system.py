#!/usr/bin/env python3
"""Draws what system_bench measured.

  system.py REPORT.json OUT.svg

REPORT.json is what system_bench --json printed; gnuplot draws. Two charts, second by second of each
load: what the manager took of a processor, and the memory that is its own.
"""
import json
import subprocess
import sys

COLORS = ["#4477aa", "#66ccee", "#228833", "#ccbb44", "#ee6677", "#aa3377", "#555555"]

SCRIPT = """set terminal svg size 1000,760 font "sans,12" background "white"
set output "%(out)s"
set multiplot layout 2,1
set style data lines
set grid
set yrange [0:*]
set key outside bottom center horizontal maxcols 3
set xlabel "seconds"
set title "The manager's share of a processor"
set ylabel "percent"
plot %(first)s
set title "The manager's own memory"
set ylabel "MiB"
plot %(second)s
unset multiplot
"""


def lines(rows, column):
    return ", ".join(
        '$row%d using 0:%d title "%s, %.2g %% dropped" linewidth 2 linecolor rgb "%s"' % (
            i, column, row["load"], row["dropped_percent"], COLORS[i % len(COLORS)])
        for i, row in enumerate(rows))


def main(path, out):
    rows = json.load(open(path, encoding="utf-8"))["rows"]
    script = ""
    for i, row in enumerate(rows):
        script += "$row%d << END\n" % i
        script += "".join("%.1f %.1f\n" % (s[0], s[1]) for s in row["seconds"]) + "END\n"
    script += SCRIPT % {"out": out, "first": lines(rows, 1), "second": lines(rows, 2)}
    subprocess.run(["gnuplot"], input=script, check=True, universal_newlines=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
