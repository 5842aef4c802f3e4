#!/usr/bin/env python3
"""What fxt writes to: full disks, closed pipes, files that must never be seen half written."""

import os
import pty
import re
import signal
import stat
import subprocess
import sys
import termios
import time
import unicodedata

sys.dont_write_bytecode = True
import testing
from testing import EVENT, GOOD, HEAD, assemble, equal, fxt, write

LONG = GOOD + "".join(EVENT % i for i in range(30000))
FULL = "No space left on device"


def to(path, *args):
    with open(path, "wb") as target:
        process = subprocess.run([testing.FXT, *args], stdin=subprocess.DEVNULL, stdout=target,
                                 stderr=subprocess.PIPE, timeout=60, check=False)
    return process.returncode, process.stderr.decode()


def test_full_disk():
    for name, text in (("short", GOOD), ("long", LONG)):
        write(name, text)
        with open(name + ".fxta", "w", encoding="utf-8") as file:
            file.write(text)
        for args in (["dump", name], ["dump", "--json", name], ["dump", "--asm", name],
                     ["json", name], ["stat", name], ["stat", "-j", name], ["asm", name + ".fxta"]):
            equal(to("/dev/full", *args), (3, f"fxt: write error: {FULL}\n"), args)
    bad = write("bad", bytes(16))
    code, err = to("/dev/full", "check", bad)
    equal(code, 3)
    assert f"fxt: write error: {FULL}\n" in err
    equal(to("/dev/full", "check", "-q", bad)[0], 1, "nothing is written")
    result = fxt("dump", "short", "-o", "/dev/full")
    equal((result.code, result.err), (3, f"fxt: /dev/full: write error: {FULL}\n"))
    for args in (["--help"], ["--version"], ["check", "--help"]):
        equal(to("/dev/full", *args), (3, f"fxt: write error: {FULL}\n"), args)


@testing.not_under("tsan")
def test_a_file_that_may_not_grow_leaves_nothing():
    write("long", LONG)
    done = subprocess.run(["sh", "-c", 'ulimit -f 1; exec "$0" json long -o out', testing.FXT],
                          stderr=subprocess.PIPE, check=False)
    equal((done.returncode, done.stderr), (3, b"fxt: out: write error: File too large\n"))
    equal(os.listdir("."), ["long"])


def shown(*args, code=0, columns=0, **environment):
    """What a terminal gets, with its ends of lines as they were; of a command that fails, the messages, too."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, columns))
    with subprocess.Popen([testing.FXT, *args], stdin=subprocess.DEVNULL, stdout=slave,
                          stderr=slave if code else None,
                          env=os.environ | {"TERM": "xterm", "NO_COLOR": "", **environment}) as process:
        os.close(slave)
        text = b""
        try:
            while piece := os.read(master, 65536):
                text += piece
        except OSError:  # the other end is closed
            pass
    os.close(master)
    equal(process.returncode, code, args)
    return text.replace(b"\r\n", b"\n")


def test_a_terminal_gets_no_control_characters():
    evil = "\x1b]0;x\x07\x9b2J\u202e\x7f"
    with open("evil", "wb") as file:
        file.write(assemble(GOOD.replace('"n"', '"' + "".join(f"\\x{b:02x}" for b in evil.encode()) + '"')))
    query = "select key from args"
    ways = (["sql", "--csv", "evil", query], ["sql", "--json", "evil", query], ["sql", "evil", query],
            ["json", "evil"], ["dump", "evil"], ["dump", "--json", "evil"], ["dump", "--asm", "evil"],
            ["fmt", "--help"], ["stat", "evil"], ["report", "evil"], ["report", "--csv", "evil"],
            ["report", "--folded", "evil"], ["check", "evil"], ["diff", "evil", "evil"])
    for args in ways:
        plain, text = fxt(*args), shown(*args)
        colours = re.sub(rb"\x1b\[\d*m", b"", text) if args[0] in ("report", "stat", "sql") else text
        bad = [c for c in colours.decode() if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")]
        assert not bad, (args, bad, text)
        equal(plain.code, 0, args)
    raw = f'key\n"{evil}"\n'
    equal(fxt("sql", "--csv", "evil", query).out, raw.encode(), "a pipe gets all bytes")
    equal(shown("sql", "--csv", "evil", query).decode(),
          r'key/"\x1b]0;x\x07\xc2\x9b2J\xe2\x80\xae\x7f"/'.replace("/", "\n"))
    assert b"\x1b[1m" in shown("report", "--color=always", "evil")
    assert b"\x1b[" in shown("report", "evil")


def test_a_terminal_gets_neither_a_trace_nor_a_page():
    write("good", GOOD)
    for args, what in ((["cut", "good"], "trace"), (["html", "good"], "page"), (["html", "good", "-o-"], "page")):
        equal(shown(*args, code=3), f"fxt: stdout is a terminal: write the {what} to a file with -o, or to a pipe\n".encode())
    assert fxt("html", "good").out.startswith(b"<!DOCTYPE html>"), "a pipe gets the page"


TABLES = (["report", "long"], ["report", "--diff", "long", "long"], ["stat", "long"],
          ["sql", "long", "select name, dur, name as again, category from slice order by dur"])


def test_tables_know_the_width_of_the_terminal():
    """A line that is too long ends in an ellipsis; a pipe, and a terminal that does not say, get all of it."""
    name = "function of a long name \u4e00\u4e8c\u4e09 " * 3
    write("long", HEAD + "".join(f'event duration_complete timestamp={i} thread=@1 category=@1 name="{name}" '
                                 f"end={i + 10 ** i}\n" for i in range(5)))
    for args in TABLES:
        plain = fxt(*args).text
        equal(shown(*args, NO_COLOR="1").decode(), plain, args)
        for columns in (20, 60, 79, 200):
            text = shown(*args, columns=columns, NO_COLOR="1").decode()
            equal(text, shown(*args, COLUMNS=str(columns), columns=100, NO_COLOR="1").decode(), args)
            lines = text.splitlines()
            wide = [line for line in lines if columns_of(line) > columns]
            assert not wide or (columns == 20 and args[0] == "sql"), (args, columns, wide)
            cut = [line for line in lines if "\u2026" in line]
            assert bool(cut) == (max(map(columns_of, plain.splitlines())) > columns) or args[0] == "sql", (args, text)
            equal(len(lines), len(plain.splitlines()), args)
            names = sum("function of" in line for line in lines)
            assert columns < 60 or names == sum("function of" in line for line in plain.splitlines()), (args, text)
    for args in (["json", "long"], ["report", "--csv", "long"], ["sql", "--json", *TABLES[3][1:]], ["dump", "long"]):
        equal(shown(*args, columns=30).decode(), fxt(*args).text, args)


def columns_of(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def test_numbers_stand_right_in_answers():
    write("t.fxt", GOOD)
    query = "select 'one' a, 5 b, 'x' c union all select 'three', 1234, null"
    equal(shown("sql", "t.fxt", query, columns=60, NO_COLOR="1").decode(),
          "a         b  c\none       5  x\nthree  1234  [NULL]\n")
    equal(fxt("sql", "t.fxt", query).text, "a      b     c\none    5     x\nthree  1234  [NULL]\n")


def test_colours_are_one_decision():
    write("long", GOOD)
    for args in TABLES:
        coloured = shown(*args)
        assert b"\x1b[36m" in coloured and b"\x1b[0m" in coloured, args
        for more, environment in (([], {"NO_COLOR": "1"}), ([], {"TERM": "dumb"}), (["--color=never"], {})):
            equal(shown(args[0], *more, *args[1:], **environment).count(b"\x1b"), 0, args)
        equal(fxt(*args).text.count("\x1b"), 0, args)
        equal(fxt(args[0], "--color=always", *args[1:]).out, coloured, args)
    for args in (["report", "--json", "long"], ["stat", "-j", "long"], ["sql", "--csv", "long", "select 1 x"]):
        assert b"\x1b" not in shown(args[0], "--color=always", *args[1:]), args


def test_closed_pipe():
    write("long", LONG)
    for args in (["dump", "long"], ["json", "long"], ["dump", "-j", "long"]):
        with subprocess.Popen([testing.FXT, *args], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            process.stdout.read(10)
            process.stdout.close()
            equal((process.stderr.read(), process.wait(timeout=60)), (b"", 3), args)


def test_closed_stdout():
    write("good.fxt", GOOD)
    script = f'exec "{testing.FXT}" dump good.fxt >&-'
    result = subprocess.run(["sh", "-c", script], stderr=subprocess.PIPE, check=False)
    equal((result.returncode, result.stderr), (3, b"fxt: write error: Bad file descriptor\n"))


def test_output_file():
    write("good.fxt", GOOD)
    plain = fxt("dump", "good.fxt").out
    for option in (["-o", "out"], ["-oout"], ["--output=out"], ["--output", "out"]):
        result = fxt("dump", "good.fxt", *option)
        equal((result.code, result.text, result.err), (0, "", ""))
        equal(open("out", "rb").read(), plain)
        os.remove("out")
    equal(fxt("dump", "good.fxt", "-o", "-").out, plain)
    equal(os.listdir(), ["good.fxt"])


def test_output_that_says_less_than_the_input_does_not_replace_it():
    write("t.fxt", GOOD)
    trace = open("t.fxt", "rb").read()
    os.symlink("t.fxt", "link")
    for args in (["dump"], ["dump", "--json"], ["html"], ["json"], ["report"], ["stat"], ["check"],
                 ["sql", "--save=link", "t.fxt"], ["sql", "t.fxt", "SELECT 1"], ["diff", "other.fxt"]):
        write("other.fxt", GOOD)
        operands = [] if args[0] == "sql" else ["t.fxt"]
        option = [] if "--save=link" in args else ["-o", "link"]
        result = fxt(*args, *operands, *option)
        equal((result.code, result.text, result.err),
              (3, "", "fxt: link: the output would replace the input; name another file\n"), args)
        equal(open("t.fxt", "rb").read(), trace)


def test_output_is_input():
    trace = assemble(LONG)
    write("t.fxt", trace)
    equal(fxt("dump", "--asm", "t.fxt", "-o", "t.fxt").code, 0)
    equal(fxt("asm", "t.fxt", "-o", "t.fxt").code, 0)
    equal(open("t.fxt", "rb").read(), trace)


def test_output_keeps_permissions_and_links():
    write("good.fxt", GOOD)
    write("old", b"old")
    os.chmod("old", 0o640)
    os.symlink("old", "link")
    equal(fxt("stat", "good.fxt", "-o", "link").code, 0)
    assert os.path.islink("link") and open("old", "rb").read() == fxt("stat", "good.fxt").out
    equal(stat.S_IMODE(os.stat("old").st_mode), 0o640)
    before = os.umask(0o027)
    equal(fxt("stat", "good.fxt", "-o", "new").code, 0)
    os.umask(before)
    equal(stat.S_IMODE(os.stat("new").st_mode), 0o640)


def test_a_link_stays_a_link():
    """Also one to a file that is not there yet, from whatever directory."""
    write("good.fxt", GOOD)
    os.makedirs("a/b")
    os.symlink("a/b/far", "far")
    os.symlink("../second", "a/b/far")
    os.symlink(os.path.abspath("target"), "a/second")
    ways = (["stat", "good.fxt", "-o", "far"], ["sql", "good.fxt", "--save=far"], ["sql", "good.fxt", "select 1", "-o", "far"])
    for way in ways:
        for content in (None, b"old"):
            if content is not None:
                write("target", content)
            equal(fxt(*way).code, 0, way)
            assert all(map(os.path.islink, ("far", "a/b/far", "a/second"))), way
            assert open("target", "rb").read() != b"old"
        os.remove("target")
    os.symlink("loop", "loop")
    os.symlink("no/such", "dangling")
    for name in ("loop", "dangling"):
        for way in (["stat", "good.fxt", "-o", name], ["sql", "good.fxt", f"--save={name}"]):
            result = fxt(*way)
            equal((result.code, result.err.startswith(f"fxt: {name}: ")), (3, True), result)
            assert os.path.islink(name)


def test_a_database_is_a_regular_file():
    """Nothing waits for the reader of a FIFO."""
    write("good.fxt", GOOD)
    os.mkfifo("fifo")
    os.symlink("fifo", "link")
    for name in ("fifo", "link", "/dev/null", "/dev/stdout", "-"):
        result = fxt("sql", "good.fxt", f"--save={name}")
        equal((result.code, result.text, result.err),
              (3, "", f"fxt: {name}: not a regular file, as a database must be\n"))
    equal(sorted(os.listdir()), ["fifo", "good.fxt", "link"])


def test_output_that_is_no_file():
    write("good.fxt", GOOD)
    os.mkdir("directory")
    for path, why in (("directory", "Is a directory"),
                      ("missing/out", "No such file or directory")):
        result = fxt("dump", "good.fxt", "-o", path)
        equal((result.code, result.text), (3, ""))
        assert result.err.startswith(f"fxt: {path}") and why in result.err, result
    equal(fxt("dump", "good.fxt", "-o", "/dev/null").code, 0)
    assert not os.path.isfile("/dev/null")
    os.mkfifo("fifo")
    with subprocess.Popen(["cat", "fifo"], stdout=subprocess.PIPE) as reader:
        equal(fxt("dump", "good.fxt", "-o", "fifo").code, 0)
        equal(reader.stdout.read(), fxt("dump", "good.fxt").out)
    assert stat.S_ISFIFO(os.stat("fifo").st_mode)


def test_a_file_that_is_not_read_leaves_the_output_alone():
    write("good.fxt", GOOD)
    write("text", b"This is no trace, but a text.\n")
    write("out", b"as before")
    for command in ("check", "dump", "stat", "json", "fmt", "report", "merge", "filter"):
        for name in ("missing", "text"):
            assert fxt(command, name, "-o", "out").code in (1, 3), (command, name)
            equal((open("out", "rb").read(), len(os.listdir())), (b"as before", 3), (command, name))
    for names in (("missing", "good.fxt"), ("good.fxt", "text")):
        equal((fxt("diff", *names, "-o", "out").code, open("out", "rb").read()), (3, b"as before"))
    equal(fxt("check", "missing", "good.fxt", "-o", "out").code, 3)
    equal(open("out", "rb").read(), b"as before")


def test_an_output_with_a_long_name():
    write("good.fxt", GOOD)
    for size in (243, 244, 255):
        result = fxt("dump", "good.fxt", "-o", "n" * size)
        equal(result.code, 0, result)
        equal(os.path.getsize("n" * size), len(fxt("dump", "good.fxt").out))
    equal(sorted(len(name) for name in os.listdir()), [8, 243, 244, 255])
    equal(fxt("dump", "good.fxt", "-o", "n" * 256).code, 3)


def test_standard_input_is_one_input():
    for command in (["merge"], ["diff"], ["report", "--diff"]):
        result = fxt(*command, "-", "-", "-o", "out", data=assemble(GOOD))
        equal((result.code, os.listdir()), (2, []), result)
        assert "standard input" in result.err, result


@testing.not_under("tsan")
def test_killed():
    """What a signal ends leaves the old file and no other."""
    write("out", b"as before")
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        with subprocess.Popen([testing.FXT, "dump", "-", "-o", "out"],
                              stdin=subprocess.PIPE) as process:
            while len(os.listdir()) < 2:
                time.sleep(0.01)
            process.send_signal(number)
            equal(process.wait(timeout=60), -number)
        equal(os.listdir(), ["out"])
        equal(open("out", "rb").read(), b"as before")


testing.main(globals())
