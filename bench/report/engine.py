#!/usr/bin/env python3
"""Draws what the engine's benchmark measured.

  engine.py REPORT.json OUT.svg

REPORT.json is what engine_bench --json printed; gnuplot draws. Two charts: what an operation takes
in each mode with a buffer of 1 MiB, on one thread and on two; and what an instant event takes with
every size of buffer. Where records were dropped, as in streaming mode with halves
that fill faster than they are saved, a bar is the price of a drop.
"""
import json
import subprocess
import sys

MODES = ["oneshot", "circular", "streaming"]
CASES = ["enter_leave", "reserve_24", "instant_0", "instant_2", "instant_8", "scoped", "counter",
         "literal", "copied", "blob"]
SIZES = [(4096, "4 KiB"), (65536, "64 KiB"), (1 << 20, "1 MiB"), (16 << 20, "16 MiB")]
COLORS = ["#4477aa", "#66ccee", "#228833", "#ccbb44", "#ee6677", "#aa3377"]

SCRIPT = """set terminal svg size 1000,760 font "sans,12" background "white"
set output "%(out)s"
set multiplot layout 2,1
set style data histogram
set style histogram clustered gap 1
set style fill solid noborder
set grid ytics
set xtics rotate by -25 noenhanced
set title noenhanced
set yrange [0:*]
set key outside right top
set ylabel "ns an operation"
set title "%(title)s"
plot %(first)s
set title "instant_0, by size of the buffer"
plot %(second)s
unset multiplot
"""


def block(name, labels, columns):
    """A table as gnuplot reads it: a row a label, a column a series."""
    lines = ["$%s << END" % name]
    for i, label in enumerate(labels):
        lines.append('"%s" %s' % (label,
                                  " ".join("%.2f" % column[i] for column in columns)))
    return "\n".join(lines + ["END", ""])


def bars(name, titles, time):
    parts = ['$%s using %d%s title "%s" linecolor rgb "%s"' % (
        name, i + 2, ":xtic(1)" if i == 0 else "", title, COLORS[i])
        for i, title in enumerate(titles)]
    return ", ".join(parts + ['%.2f with lines title "the time read" linecolor rgb "black"' % time])


def main(path, out):
    report = json.load(open(path))
    ns = {(r["case"], r["mode"], r["buffer_bytes"], threads): ns for r in report["rows"]
          for threads, ns in zip(report["threads"], r["ns"])}
    series = [(mode, threads) for threads in (1, 2) for mode in MODES]
    titles = ["%s, %d thread%s" % (mode, threads, "s" * (threads > 1)) for mode, threads in series]
    script = block("cases", CASES, [[ns[case, mode, 1 << 20, threads] for case in CASES]
                                    for mode, threads in series])
    script += block("sizes", [label for _, label in SIZES],
                    [[ns["instant_0", mode, size, threads] for size, _ in SIZES]
                     for mode, threads in series])
    time = report["timestamp_ns"]
    script += SCRIPT % {"out": out, "title": "Operations with a buffer of 1 MiB (where records are dropped: the price of that)",
                        "first": bars("cases", titles, time),
                        "second": bars("sizes", titles, time)}
    subprocess.run(["gnuplot"], input=script, check=True, universal_newlines=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
