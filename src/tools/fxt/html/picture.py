#!/usr/bin/env python3
"""Makes docs/timeline.png, the picture of docs/tools.md, from a recording of the demo.

  picture.py PAGE PNG     PAGE is what `fxt html` makes of the demo's trace
"""

import sys

sys.dont_write_bytecode = True
import browser

# A file on its way from the process that found it to the one that compresses it.
CHOOSE = """(() => {
    const {slices, flows, groups} = app.trace;
    const [row] = groups[1].tracks[0].rows; // near the process that finds files
    const long = flows.slice.filter((slice, i) => slice >= row.begin && slice < row.end &&
        !flows.begins[i] && flows.time[i] - flows.time[i - 1] > 1e6);
    const item = long.reduce((a, b) => (slices.duration[a] > slices.duration[b] ? a : b));
    app.select({kind: 'slice', item});
    const [from] = app.state.chains[0];
    const end = slices.time[item] + slices.duration[item];
    const size = end - flows.time[from];
    app.setView({begin: flows.time[from] - 0.15 * size, end: end + 0.3 * size});
    app.resizePanel(200);
})()"""


def main():
    page, png = sys.argv[1:]
    browser.need()
    with browser.Browser() as chrome:
        chrome.open(page, width=1200, height=760)
        chrome.js(CHOOSE)
        chrome.js("new Promise(done => setTimeout(done, 500))")
        chrome.screenshot(png)


if __name__ == "__main__":
    main()
