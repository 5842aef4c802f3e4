#!/usr/bin/env python3
"""The page of fxt html in Chromium: real keys, a real mouse, and the pixels that they change."""

import json
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path[:0] = ["src/tools/fxt", "src/tools/fxt/html"]
import browser
import testing
from testing import HEAD, equal, fxt, write

ROW = 18  # CSS pixels
ATTACK = "</script><img src=x onerror=document.title='owned'>"
SHIFT = 8


def event(kind, at, name, more="", thread="@1"):
    return f'event {kind} timestamp={at} thread={thread} category=@1 name="{name}" {more}\n'


def complete(begin, end, name, more="", thread="@1"):
    return event("duration_complete", begin, name, f"end={end} {more}", thread)


TRACE = HEAD + """\
thread index=2 process=100 thread=201
kernel_object object_type=process koid=100 name="server"
kernel_object object_type=thread koid=200 name="loop" { "process" koid 100 }
""" + (complete(0, 600000, "outer", '{ "path" string "/etc/passwd" }') +
       complete(100000, 300000, "inner") + complete(700000, 1000000, "outer") +
       complete(400000, 900000, "other", thread="@2") +
       event("flow_begin", 200000, "f", "id=1") +
       event("flow_end", 500000, "f", "id=1", thread="@2") +
       event("counter", 0, "depth", 'id=0 { "n" int64 3 }') +
       event("counter", 500000, "depth", 'id=0 { "n" int64 10 }'))


def page(chrome, trace=TRACE, code=0, **how):
    write("trace.fxt", trace)
    equal(fxt("html", "trace.fxt", "-o", "trace.html").code, code)
    chrome.open("trace.html", **how)


def selected(chrome):
    return chrome.js("app.state.selection?.kind === 'slice' ? "
                     "app.trace.names[app.trace.slices.name[app.state.selection.item]] : null")


def view(chrome):
    return chrome.js("[app.state.view.begin, app.state.view.end]")


def hits(chrome):
    return chrome.js("document.getElementById('hits').textContent")


def rows_of_table(chrome):
    return chrome.js("[...document.querySelectorAll('#body tbody tr')]"
                     ".map(row => row.innerText.split('\\t'))")


def body(chrome):
    return chrome.js("document.getElementById('body').innerText")


def place(chrome, slice_, share=0.5):
    """Where a slice is on the screen."""
    return chrome.js(f"""(() => {{
        const lane = app.placeOf({slice_});
        const box = document.getElementById('tracks').getBoundingClientRect();
        const {{time, duration}} = app.trace.slices;
        return [app.painter.xOf(time[{slice_}] + duration[{slice_}] * {share}),
                box.top + lane.y - app.elements.scroll.scrollTop + lane.height / 2];
    }})()""")


def pixel(chrome, x, y, canvas="tracks"):
    """The colour of the canvas at a point of the screen."""
    return chrome.js(f"""(() => {{
        const canvas = document.getElementById('{canvas}');
        const box = canvas.getBoundingClientRect();
        const scale = canvas.width / box.width;
        const [x, y] = [({x} - box.left) * scale, ({y} - box.top) * scale];
        const {{data}} = canvas.getContext('2d').getImageData(x, y, 1, 1);
        return [...data];
    }})()""")


def hash_of(chrome, canvas="tracks"):
    return chrome.js(f"document.getElementById('{canvas}').toDataURL()")


def test_slices_have_the_colour_of_their_name():
    with browser.Browser() as chrome:
        page(chrome)
        outer, later, inner = (pixel(chrome, *place(chrome, i, 0.9)) for i in (0, 1, 2))
        equal(outer, later, "the same name")
        assert outer != inner, outer
        equal(outer[:3], chrome.js("app.state.palette.rgb[app.trace.slices.name[0]]"))
        x, y = place(chrome, 1, 1.05)
        equal(pixel(chrome, x, y), [0, 0, 0, 0], "nothing is behind the last slice")
        equal(chrome.errors, [])


def test_a_click_shows_details_and_the_keyboard_goes_on():
    with browser.Browser() as chrome:
        page(chrome)
        before = hash_of(chrome)
        chrome.click(*place(chrome, 2))
        equal(selected(chrome), "inner")
        assert hash_of(chrome) != before, "the selection is drawn"
        for text in ("inner", "200.0 µs", "0.000 100 000 s", "server 100 / loop 200",
                     "Inside of", "outer"):
            assert text in body(chrome), (text, body(chrome))
        chrome.key("ArrowUp")
        equal(selected(chrome), "outer")
        assert "/etc/passwd" in body(chrome)
        chrome.key("ArrowRight")
        equal(chrome.js("app.state.selection.item"), 1)
        assert "outer, 300.0 µs" in chrome.js("document.getElementById('live').textContent")
        chrome.key("Escape")
        equal(selected(chrome), None)
        equal(hash_of(chrome), before, "all is as before")


def test_a_flow_is_drawn_when_its_slice_is_selected():
    with browser.Browser() as chrome:
        page(chrome)
        equal(chrome.js("app.painter.counts.arrows"), 0)
        chrome.click(*place(chrome, 2))
        equal(chrome.js("app.painter.counts.arrows"), 1)
        assert "Flow" in body(chrome)
        chrome.key("]", "BracketRight", "]")
        equal(selected(chrome), "other")
        chrome.key("[", "BracketLeft", "[")
        equal(selected(chrome), "inner")


def test_keys_and_wheel_move_the_window():
    with browser.Browser() as chrome:
        page(chrome)
        begin, end = view(chrome)
        chrome.mouse("mouseMoved", 700, 300)
        chrome.key("w", "KeyW")
        closer = view(chrome)
        assert closer[1] - closer[0] < 0.95 * (end - begin), closer
        chrome.key("d", "KeyD")
        assert view(chrome)[0] > closer[0]
        chrome.key("a", "KeyA")
        chrome.key("s", "KeyS")
        chrome.key("f", "KeyF")
        equal(view(chrome), [begin, end])
        chrome.mouse("mouseWheel", 700, 300, deltaX=0, deltaY=-300, modifiers=2)
        chrome.js(browser.TWO_FRAMES)
        now = view(chrome)
        assert now[1] - now[0] < 0.7 * (end - begin), now
        chrome.drag(700, 300, 600, 300, modifiers=SHIFT)
        assert view(chrome)[0] > now[0]
        chrome.key("f", "KeyF")
        chrome.click(*place(chrome, 2))
        chrome.key("f", "KeyF")
        equal(view(chrome), [80000, 320000])


def test_search_finds_and_goes_round():
    with browser.Browser() as chrome:
        page(chrome)
        whole = hash_of(chrome)
        chrome.key("/", "Slash", "/")
        equal(chrome.js("document.activeElement.id"), "query")
        for letter in "OUT":
            chrome.key(letter, "Key" + letter, letter)
        equal(hits(chrome), "2")
        assert hash_of(chrome) != whole, "what is no hit is grey"
        dim = chrome.js("app.state.palette.dim")
        equal(pixel(chrome, *place(chrome, 2, 0.9))[:3], dim)
        chrome.key("Enter", text="\r")
        equal((selected(chrome), hits(chrome)), ("outer", "1 of 2"))
        chrome.key("Enter", text="\r")
        equal(chrome.js("app.state.selection.item"), 1)
        chrome.key("Enter", text="\r", modifiers=SHIFT)
        equal(chrome.js("app.state.selection.item"), 0)
        chrome.key("Escape")
        chrome.key("Escape")
        equal(chrome.js("app.search.query"), "")


def test_a_drag_makes_a_table_and_a_flame_graph():
    with browser.Browser() as chrome:
        page(chrome)
        x0, y0 = place(chrome, 0, 0)
        x1, y1 = place(chrome, 2, 0.5)
        chrome.drag(x0 + 2, y0, x1, y1)
        rows = rows_of_table(chrome)
        equal([row[:2] for row in rows], [["outer", "1"], ["inner", "1"]])
        assert rows[0][2].startswith(("19", "20")) and rows[0][2].endswith(" µs"), rows
        chrome.js("document.querySelector('#body th:nth-child(1) button').click()")
        equal(rows_of_table(chrome)[0][0], "inner")
        head = "document.querySelector('#body th')"
        equal(chrome.js(head + ".getAttribute('aria-sort')"), "ascending")
        chrome.js("document.querySelector('[data-tab=flame]').click()")
        boxes = chrome.js("app.panel.flame.list.map(box => "
                          "[app.panel.flame.nameOf(box.node), box.depth])")
        equal(boxes, [["all", 0], ["outer", 1], ["inner", 2]])
        assert len(set(chrome.js("""(() => {
            const canvas = document.getElementById('flame');
            const data = canvas.getContext('2d').getImageData(40, 0, 1, canvas.height).data;
            return [...new Uint32Array(data.buffer)];
        })()"""))) >= 3


def test_a_window_beside_the_trace_holds_no_time():
    with browser.Browser() as chrome:
        page(chrome)
        for begin, end in ((-90000, -80000), (1020000, 1030000)):
            chrome.js(f"app.setView({{begin: {begin}, end: {end}}}); app.panel.show('names')")
            equal(chrome.js("document.getElementById('scope').textContent"), "0 ns in view")


def test_the_keyboard_alone_makes_a_range_and_folds():
    with browser.Browser() as chrome:
        page(chrome)
        chrome.key("ArrowRight")
        equal(selected(chrome), "outer")
        height = chrome.js("app.state.layout.height")
        chrome.key("c", "KeyC", "c")
        equal(chrome.js("app.state.layout.height"), height - ROW)
        chrome.key("c", "KeyC", "c")
        chrome.key("r", "KeyR", "r")
        rows = rows_of_table(chrome)
        equal(sorted(row[0] for row in rows), ["depth · n, server 100", "inner", "other", "outer"])


def test_a_range_of_a_slice_has_its_times_whatever_the_window():
    with browser.Browser() as chrome:
        page(chrome)
        chrome.js("app.select({kind: 'slice', item: 2})")
        for begin, end in ((200000.3, 210000.7), (0, 150000.1), (1 / 3, 999999.9)):
            chrome.js(f"app.setView({{begin: {begin}, end: {end}}})")
            chrome.js("app.select({kind: 'slice', item: 2})")
            chrome.key("r", "KeyR", "r")
            equal(chrome.js("[app.state.selection.begin, app.state.selection.end]"),
                  [100000, 300000])


def test_hits_are_marked_in_the_overview():
    with browser.Browser() as chrome:
        page(chrome)
        x = chrome.js("app.painter.mapX(100000) + 1")
        before = pixel(chrome, x, 80, "map")
        chrome.js("app.find('inner')")
        chrome.js(browser.TWO_FRAMES)
        after = pixel(chrome, x, 80, "map")
        assert before != after and after[0] > after[2], (before, after)


def test_counters_are_areas():
    with browser.Browser() as chrome:
        page(chrome)
        y = chrome.js("""(() => {
            const block = app.state.layout.blocks.find(block => block.kind === 'counter');
            const {top} = document.getElementById('tracks').getBoundingClientRect();
            return top + block.lanes[0].y + 12;
        })()""")
        low, high = (pixel(chrome, chrome.js(f"app.painter.xOf({time})"), y)
                     for time in (250100, 750100))
        equal(low[3], 0, "3 of 10 does not reach there")
        equal(high[3], 255, "10 of 10 does")


def test_dark_and_light():
    with browser.Browser() as chrome:
        for dark in (False, True):
            page(chrome, dark=dark)
            colour = chrome.js("getComputedStyle(document.body).backgroundColor")
            equal(colour, "rgb(20, 23, 28)" if dark else "rgb(255, 255, 255)")
        chrome.js("document.getElementById('theme').click()")
        chrome.js(browser.TWO_FRAMES)
        equal(chrome.js("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")


def test_a_screen_of_two_pixels_a_pixel_has_sharp_edges():
    with browser.Browser() as chrome:
        page(chrome, scale=2)
        equal(chrome.js("document.getElementById('tracks').width"), 2400)
        x, y = place(chrome, 2, 1)
        before, behind = pixel(chrome, x - 3, y - 7), pixel(chrome, x + 3, y - 7)
        assert before[3] == 255 and behind[3] == 0, (before, behind)


def test_the_address_keeps_the_place():
    with browser.Browser() as chrome:
        page(chrome, fragment="#100000,400000,2")
        equal((view(chrome), selected(chrome)), ([100000, 400000], "inner"))
        page(chrome, fragment="#1,NaN,99999999")
        equal(selected(chrome), None)


def test_the_address_changes_once_a_selection_stays():
    with browser.Browser() as chrome:
        page(chrome)
        chrome.js("""
            globalThis.writes = 0;
            history.replaceState = (...how) => {
                writes++;
                History.prototype.replaceState.apply(history, how);
            };
            for (let i = 0; i < 102; i++) app.select({kind: 'slice', item: i % 4}, true);
        """)
        chrome.js("new Promise(done => setTimeout(done, 1000))")
        equal(chrome.js("location.hash.split(',')[2]"), "1")
        assert 1 <= chrome.js("writes") <= 2, chrome.js("writes")


def test_a_process_is_folded_by_a_click_on_its_name():
    with browser.Browser() as chrome:
        page(chrome)
        height = chrome.js("app.state.layout.height")
        top = chrome.js("document.getElementById('tracks').getBoundingClientRect().top")
        chrome.click(60, top + 10)
        assert chrome.js("app.state.layout.height") < height / 3
        chrome.js("app.reveal(2)")
        equal(chrome.js("app.state.layout.height"), height)


def test_a_double_click_shows_the_whole_trace_but_not_on_a_name():
    with browser.Browser() as chrome:
        page(chrome)
        top = chrome.js("document.getElementById('tracks').getBoundingClientRect().top")
        window = "[app.state.view.begin, app.state.view.end]"
        whole = chrome.js(window)
        chrome.js("app.setView({begin: 100000, end: 300000})")
        part = chrome.js(window)
        for x, shown in ((60, part), (600, part), (600, whole)):  # the name, its bar, a track
            y = top + (10 if shown == part else 60)
            for count in (1, 2):
                for kind in ("mousePressed", "mouseReleased"):
                    chrome.mouse(kind, x, y, button="left", clickCount=count)
            equal(chrome.js(window), shown, (x, y))


def test_a_range_stays_on_its_tracks_when_something_folds():
    with browser.Browser() as chrome:
        page(chrome)
        chrome.js("app.selectTimes(0, 1000, app.state.layout.blocks.slice(-1))")
        place = "[app.state.selection.top, app.state.selection.bottom, app.state.layout.blocks.at(-1).y]"
        top, bottom, y = chrome.js(place)
        equal((top, y), (y, y))
        chrome.js("app.fold(app.state.layout.blocks[0])")
        folded, end, y = chrome.js(place)
        assert folded == y < top and end < bottom, (folded, y, top, end, bottom)


def test_names_of_an_attacker_are_text():
    with browser.Browser() as chrome:
        trace = HEAD + complete(0, 100, ATTACK, f'{{ "{ATTACK}" string "{ATTACK}" }}')
        page(chrome, trace + complete(10, 20, "<b>x</b>"))
        chrome.click(*place(chrome, 0, 0.9))
        for tab in ("names", "flame", "notes", "details"):
            chrome.js(f"document.querySelector('[data-tab={tab}]').click()")
        assert ATTACK in body(chrome)
        equal(chrome.js("document.title"), "trace.fxt")
        equal(chrome.js("document.querySelectorAll('img, b').length"), 0)
        equal(chrome.errors, [])


def test_nothing_is_fetched_and_foreign_scripts_do_not_run():
    with browser.Browser() as chrome:
        page(chrome)
        equal(chrome.js("performance.getEntriesByType('resource').length"), 0)
        chrome.js("(() => { const s = document.createElement('script');"
                  "s.textContent = 'globalThis.bad = 1'; document.body.append(s); })()")
        equal(chrome.js("typeof bad"), "undefined")
        equal(chrome.js("fetch('data:,x').then(() => 'fetched', () => 'refused')"), "refused")


def test_a_browser_without_the_new_base64_reads_the_data():
    with browser.Browser() as chrome:
        page(chrome)
        chrome.send("Page.addScriptToEvaluateOnNewDocument", source="delete Uint8Array.fromBase64")
        chrome.reload()
        equal(chrome.js("[typeof Uint8Array.fromBase64, app.trace.slices.count]"), ["undefined", 4])


def test_an_empty_trace_says_so():
    with browser.Browser() as chrome:
        page(chrome, "magic\n")
        before = hash_of(chrome)
        for key in "wasdf":
            chrome.key(key, "Key" + key.upper())
        chrome.key("ArrowRight")
        for tab in ("names", "flame", "notes", "details"):
            chrome.js(f"document.querySelector('[data-tab={tab}]').click()")
        equal(chrome.errors, [])
        assert before == hash_of(chrome) and "Slices" in body(chrome)


def test_hostile_traces_open():
    numbers = random.Random(5)
    values = [0, 1, 2**63, 2**64 - 1, 2**53, 10**9]
    kinds = ["duration_begin", "duration_end", "async_begin", "async_end", "async_instant",
             "flow_begin", "flow_step", "flow_end", "counter", "instant", "duration_complete"]
    text = HEAD
    for _ in range(400):
        kind, at = numbers.choice(kinds), numbers.choice(values)
        more = {"counter": 'id=1 { "v" double 0x7ff8000000000000, "w" double 0xfff0000000000000 }',
                "instant": "scope=global", "duration_complete": f"end={numbers.choice(values)}",
                "duration_begin": "", "duration_end": ""}.get(kind, f"id={numbers.randrange(3)}")
        text += event(kind, at, "n" * numbers.choice((0, 5, 3000)) + "\\xff\\xc0", more)
    with browser.Browser() as chrome:
        page(chrome, text, code=1)
        for key in "wwwdas":
            chrome.key(key, "Key" + key.upper())
        chrome.js("app.selectRange(300, 900, null, null); app.rangeDone()")
        chrome.js("document.querySelector('[data-tab=flame]').click()")
        chrome.js("for (let i = 0; i < app.trace.slices.count; i += 7) "
                  "app.select({kind: 'slice', item: i}, true)")
        chrome.js(browser.TWO_FRAMES)
        equal(chrome.errors, [])


def test_three_hundred_threads_scroll():
    text = HEAD + "".join(complete(i, i + 100, "s" * 200, thread=f"{100 + i % 7}/{1000 + i}")
                          for i in range(300))
    with browser.Browser() as chrome:
        page(chrome, text)
        rows = chrome.js("app.painter.counts.rows")
        assert 5 < rows < 40, rows
        before = hash_of(chrome)
        chrome.mouse("mouseWheel", 700, 300, deltaX=0, deltaY=2000)
        for _ in range(100):
            chrome.js(browser.TWO_FRAMES)
            if hash_of(chrome) != before:
                break
        assert hash_of(chrome) != before, "the wheel scrolls"
        chrome.js("app.reveal(299)")
        chrome.js(browser.TWO_FRAMES)
        assert chrome.js("app.elements.scroll.scrollTop") > 0


def test_a_frame_of_many_slices_costs_its_pixels():
    text = HEAD + "".join(complete(i * 10, i * 10 + 5, "ab"[i % 2]) for i in range(20000))
    with browser.Browser() as chrome:
        page(chrome, text)
        painted = chrome.js("app.painter.counts.painted")
        assert 500 < painted <= 1000, painted


def test_the_timeline_has_a_name_and_a_role():
    with browser.Browser() as chrome:
        page(chrome)
        chrome.click(*place(chrome, 2))
        nodes = chrome.send("Accessibility.getFullAXTree")["nodes"]
        named = {(node.get("role", {}).get("value"), node.get("name", {}).get("value"))
                 for node in nodes}
        assert any(role == "application" and "W and S zoom" in name for role, name in named), named
        assert ("tab", "Flame graph") in named and ("button", "Fit") in named


def duration_text(ns):
    """Four digits that count."""
    size, unit = next(((size, unit) for size, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs"))
                       if ns >= size), (1, "ns"))
    return f"{ns} ns" if size == 1 else f"{ns / size:.{4 - len(str(int(ns / size)))}f} {unit}"


def drawn(seed, scale):
    """Calls on two threads, async operations, and begins without an end."""
    numbers = random.Random(seed)
    text, at = HEAD + "thread index=2 process=100 thread=201\n", 0
    for i in range(120):
        thread, size = numbers.choice(("@1", "@2")), numbers.randrange(1000, 9000)
        names = numbers.sample(["a", "b", "c", f"only {seed}"], 2)
        text += complete(at, at + size * scale, names[0], f'{{ "i" int64 {i} }}', thread)
        text += complete(at + 10, at + 10 + size // 2, names[1], thread=thread)
        text += event("async_begin", at, "wait", f"id={i}") + event("async_end", at + size, "wait", f"id={i}")
        at += size * scale + 100
    return text + event("duration_begin", at, "open") + event("instant", at, "end", "scope=thread")


def test_two_traces_have_the_numbers_of_report_diff():
    with browser.Browser() as chrome:
        write("old.fxt", drawn(1, 1))
        write("new.fxt", drawn(2, 3))
        page = fxt("html", "old.fxt", "new.fxt", "-o", "pair.html")
        equal(page.code, 0, page)
        report = fxt("report", "--diff", "--json", "old.fxt", "new.fxt").out
        chrome.open("pair.html", width=1400, height=900)
        chrome.js("document.querySelector('[data-tab=names]').click()")
        shown = {row[0]: row[1:] for row in rows_of_table(chrome)}
        for row in json.loads(report)["durations"]:
            name = row["name"] + (", async" if row["async"] else "")
            cells = shown.pop(name)
            for side, at in (("old", 0), ("new", 1)):
                if row[side] is None:
                    equal((cells[at], cells[at + 2]), ("—", "—"), name)
                    continue
                equal(cells[at], str(row[side]["count"]), name)
                equal(cells[at + 2], duration_text(row[side]['total_ns']), name)
            if row["old"] and row["new"]:
                equal(cells[4].endswith("*"), row["total_is_large"], name)
                equal(cells[7].endswith("*"), row["p50_is_large"], name)
        equal(shown, {}, "what report does not have")
        equal(chrome.errors, [])


def test_two_traces_stand_above_each_other():
    with browser.Browser() as chrome:
        write("old.fxt", TRACE)
        write("new.fxt", TRACE.replace('"inner"', '"other"').replace("/etc/passwd", "/etc/hosts"))
        equal(fxt("html", "old.fxt", "new.fxt", "-o", "pair.html").code, 0)
        chrome.open("pair.html", width=1200, height=900)
        for dark in ("false", "true"):
            chrome.js(f"app.setTheme({dark})")
            equal(pixel(chrome, *place(chrome, 0, 0.9)), pixel(chrome, *place(chrome, 4, 0.9)),
                  "the same name")
        chrome.click(*place(chrome, 4))
        for text in ("outer", "/etc/hosts", "new: server 100 / loop 200"):
            assert text in body(chrome), (text, body(chrome))
        chrome.key("Escape")
        chrome.js("document.querySelector('[data-tab=flame]').click()")
        boxes = chrome.js("app.panel.flame.list.map(box => [app.panel.flame.labelOf(box.node), "
                          "app.panel.flame.coloursOf(box.node)[0]])")
        labels = dict(boxes)
        equal(set(labels), {"all  0.0 %", "outer  0.0 %", "other  0.0 %", "inner  gone",
                            "other  new"})
        red, green = (list(map(int, labels[name][4:-1].split(", ")))
                      for name in ("other  new", "inner  gone"))
        assert red[0] > red[1] and green[1] > green[0], (red, green)
        equal(chrome.errors, [])


if __name__ == "__main__":
    browser.need()
    testing.main(globals())
