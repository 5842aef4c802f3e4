#!/usr/bin/env python3
"""Measures what a large page costs: the time and memory of fxt html, the time to open the page in
headless Chromium, and the frames a second while it moves.

  frames.py FXT [SLICES]     default 1000000, on 8 threads in 3 rows each
"""

import os
import random
import resource
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import browser

THREADS = 8
NAMES = ["frame", "layout", "paint", "raster", "gc", "parse", "net", "decode", "upload", "wait",
         "lock"]

# Moves the window to and fro for three seconds.
MOVE = """(async () => {
    const {span} = app.trace;
    app.setView({begin: span * 0.4, end: span * 0.4 + span / %d});
    const times = [];
    const begin = performance.now();
    for (let last = begin; last < begin + 3000;) {
        app.pan(times.length %% 40 < 20 ? 0.01 : -0.01);
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        times.push(now - last);
        last = now;
    }
    times.sort((a, b) => a - b);
    return [times.length / 3, times[Math.floor(times.length * 0.95)], app.painter.counts.painted];
})()"""


def write(path, count):
    """Each loop of a thread is a slice with four others inside it."""
    numbers = random.Random(1)
    with open(path, "wb") as file:
        file.write(struct.pack("<QQQ", 0x0016547846040010, 1 | 2 << 4, 10**9))
        for index, name in enumerate(NAMES, 1):
            text = name.encode() + bytes(-len(name) % 8)
            head = 2 | (1 + len(text) // 8) << 4 | index << 16 | len(name) << 32
            file.write(struct.pack("<Q", head) + text)
        for thread in range(1, THREADS + 1):
            head = 3 | 3 << 4 | thread << 16
            file.write(struct.pack("<QQQ", head, 100 + thread // 4, 200 + thread))
        for loop in range(count // THREADS // 5):
            for thread in range(1, THREADS + 1):
                at, size = loop * 50000 + thread * 37, numbers.randrange(20000, 48000)
                head = 4 | 3 << 4 | 4 << 16 | thread << 24
                middle = size // 2
                for begin, end, name in (
                        (0, size, 1 + (loop + thread) % 3), (100, middle, 4 + loop % 4),
                        (200, size // 4, 6 + loop % 5),
                        (middle + 10, size - 100, 8 + thread % 3), (middle + 20, middle + 400, 2)):
                    file.write(struct.pack("<QQQ", head | name << 48, at + begin, at + end))


def main():
    fxt, count = os.path.abspath(sys.argv[1]), int((sys.argv + ["1000000"])[2])
    browser.need()
    with tempfile.TemporaryDirectory() as room:
        trace, page = room + "/trace.fxt", room + "/trace.html"
        write(trace, count)
        subprocess.run([fxt, "html", trace, "-o", page], check=True)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"fxt html: {used.ru_utime + used.ru_stime:.1f} s of CPU, "
              f"{used.ru_maxrss // 1024} MiB, {os.path.getsize(trace) / 1e6:.0f} MB of trace, "
              f"{os.path.getsize(page) / 1e6:.1f} MB of page")
        with browser.Browser() as chrome:
            begin = time.monotonic()
            chrome.open(page, width=1600, height=900)
            print(f"opened in {time.monotonic() - begin:.1f} s")
            for zoom in (1, 10, 100, 1000):
                rate, slow, painted = chrome.js(MOVE % zoom)
                print(f"zoom {zoom}: {rate:.0f} frames/s, 95 % within {slow:.0f} ms, "
                      f"{painted} rectangles")


if __name__ == "__main__":
    main()
