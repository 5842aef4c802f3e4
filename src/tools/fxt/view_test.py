#!/usr/bin/env python3
"""fxt view: which browser it starts, what that is given, and what it leaves in the temporary place."""

import os
import signal
import stat
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import testing
from testing import GOOD, Result, equal, fxt, write

HOME = "/nonexistent"
PIPE_AND_SIZE = 1 << signal.SIGPIPE - 1 | 1 << signal.SIGXFSZ - 1  # what fxt ignores itself


def script(name, body):
    with open(name, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n" + body)
    os.chmod(name, 0o755)
    return os.path.abspath(name)


def view(*args, path="/usr/bin:/bin", **environment):
    """With $TMPDIR here, and no display and no BROWSER but those given."""
    env = {"PATH": path, "HOME": HOME, "TMPDIR": os.getcwd(), **environment}
    return Result(subprocess.run([testing.FXT, "view", *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, timeout=60, check=False, env=env))


def pages():
    place = f"fxt-view-{os.getuid()}"
    return sorted(os.path.abspath(os.path.join(place, name)) for name in os.listdir(place))


def test_the_browser_gets_the_page_of_html():
    write("good.fxt", GOOD)
    browser = script("browser", 'cp "$1" got; echo "$#" > count; echo noise; echo noise >&2')
    result = view("good.fxt", BROWSER=browser)
    equal((result.code, result.err, result.text), (0, "", pages()[0] + "\n"))
    page = open("got", "rb").read()
    equal(page, fxt("html", "good.fxt").out)
    equal(open(pages()[0], "rb").read(), page, "it stays when the browser's command has ended")
    equal(open("count", encoding="utf-8").read(), "1\n")
    view("--from=10ns", "good.fxt", BROWSER=browser)
    equal(open("got", "rb").read(), fxt("html", "--from=10ns", "good.fxt").out)


def test_only_this_user_reads_it():
    write("good.fxt", GOOD)
    view("good.fxt", BROWSER="true")
    place = os.path.dirname(pages()[0])
    equal(stat.S_IMODE(os.stat(place).st_mode), 0o700)
    equal(stat.S_IMODE(os.stat(pages()[0]).st_mode), 0o600)
    os.chmod(place, 0o755)
    result = view("good.fxt", BROWSER="true")
    equal((result.code, result.text), (3, ""))
    assert "not a directory of this user alone (mode 0700)" in result.err, result
    os.rename(place, "other")
    os.symlink("other", place)
    os.chmod("other", 0o700)
    equal(view("good.fxt", BROWSER="true").code, 3)


def test_the_next_view_removes_pages_older_than_a_day():
    write("good.fxt", GOOD)
    for _ in range(2):
        view("good.fxt", BROWSER="true")
    old, recent = pages()
    other = write(os.path.join(os.path.dirname(old), "notes.html"), b"")
    for path, hours in ((old, 25), (recent, 23), (other, 25)):
        os.utime(path, (0, time.time() - hours * 3600))
    view("good.fxt", BROWSER="true")
    equal((len(pages()), os.path.exists(old), os.path.exists(recent), os.path.exists(other)), (3, False, True, True))


def test_browser_is_a_list_of_commands():
    write("good.fxt", GOOD)
    browser = script("browser", 'echo "$@" > got')
    for value in (f"{browser} -x %s -y", f"nothing-of-this-name:false:{browser} -x %s -y:{browser} no"):
        result = view("good.fxt", BROWSER=value)
        equal(result.code, 0, result)
        equal(open("got", encoding="utf-8").read(), f"-x {result.text.strip()} -y\n", value)


def test_xdg_open_needs_a_display():
    write("good.fxt", GOOD)
    os.mkdir("bin")
    script("bin/xdg-open", 'echo "$1" > got')
    for display in ("DISPLAY", "WAYLAND_DISPLAY"):
        result = view("good.fxt", path=os.path.abspath("bin") + ":/bin", **{display: ":0"})
        equal((result.code, result.err), (0, ""))
        equal(open("got", encoding="utf-8").read(), result.text)
    result = view("good.fxt", path=os.path.abspath("bin"))
    page = result.text.strip()
    assert page in pages(), result
    equal((result.code, result.err), (3, f"fxt: there is no display; open {page} in a browser, or set BROWSER to its "
                                         "command\n"))


def test_a_browser_that_fails_is_told():
    write("good.fxt", GOOD)
    for value in ("false", "nothing-of-this-name", ":"):
        result = view("good.fxt", BROWSER=value)
        page = result.text.strip()
        equal((result.code, result.err), (3, f"fxt: '{value}' does not open a browser; open {page} in one, or set "
                                             "BROWSER to its command\n"))
        assert page in pages()


def test_a_browser_that_stays_is_left_alone():
    """It has no terminal, and the default signals."""
    write("good.fxt", GOOD)
    browser = script("browser", 'ps -o sid= -p $$ > session; grep Sig[BI] /proc/$$/status > signals; sleep 4; echo > over')
    begin = time.monotonic()
    result = view("good.fxt", BROWSER=browser)
    equal((result.code, result.err), (0, ""))
    assert time.monotonic() - begin < 4 or os.path.exists("over")
    assert open("session", encoding="utf-8").read().strip() != str(os.getsid(0))
    for line in open("signals", encoding="utf-8"):
        equal(int(line.split()[1], 16) & PIPE_AND_SIZE, 0, line)
    end = time.monotonic() + 60
    while not os.path.exists("over") and time.monotonic() < end:
        time.sleep(0.1)
    assert os.path.exists("over")


def test_what_is_no_trace_leaves_no_page():
    write("bad", b"no trace of anything")
    browser = script("browser", "echo > got")
    for args, code in ((["bad"], 1), (["missing"], 3), (["--from=2", "--to=1", write("good", GOOD)], 2)):
        result = view(*args, BROWSER=browser)
        equal((result.code, result.text, pages()), (code, "", []), args)
        assert result.err, args
    assert not os.path.exists("got")


def test_what_a_page_leaves_out_is_told():
    write("cut.fxt", testing.assemble(GOOD)[:-8])
    equal(view("cut.fxt", BROWSER="true").code, 1)


testing.main(globals(), jobs=3)
