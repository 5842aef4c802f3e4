#!/usr/bin/env python3
"""fxt sql at a terminal: lines that are edited, their history, commands as arguments; and its sums."""

import os
import pty
import select
import signal
import stat
import sys
import termios
import time

sys.dont_write_bytecode = True
import testing
from testing import GOOD, HEAD, equal, fxt, write

UP, LEFT, END = b"\x1b[A", b"\x1b[D", b"\x05"


class Shell:
    """fxt sql in a terminal of its own, with its home here."""

    def __init__(self, *args, **environment):
        write("t.fxt", GOOD)
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execve(testing.FXT, [testing.FXT, "sql", *args, "t.fxt"],
                      {"TERM": "xterm", "HOME": os.getcwd(), "LC_ALL": "C.UTF-8", "NO_COLOR": "1", **environment})
        self.shown, self.at = b"", 0

    def read(self, seconds):
        if not select.select([self.terminal], [], [], seconds)[0]:
            return False
        try:
            piece = os.read(self.terminal, 10000)
        except OSError:  # the other end is closed
            return False
        self.shown += piece
        return piece != b""

    def expect(self, text):
        """Waits for it behind what was expected before."""
        while text not in self.shown[self.at:]:
            assert self.read(30), (text, self.shown[self.at:])
        self.at = self.shown.index(text, self.at) + len(text)

    def type(self, keys):
        os.write(self.terminal, keys)

    def end(self, keys=b".quit\n"):
        if keys:
            self.type(keys)
        while self.read(30):
            pass
        status = os.waitpid(self.process, 0)[1]
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(status)


def test_a_line_is_edited():
    shell = Shell()
    shell.expect(b"fxt> ")
    shell.type(b"select 4 || 'end;" + LEFT + b"'" + END + b"\n")
    shell.expect(b"4end")
    equal(shell.end(), 0)


def test_the_history_is_kept_by_this_user_alone():
    shell = Shell()
    shell.expect(b"fxt> ")
    shell.type(b"select 40 +\n")
    shell.expect(b"...> ")
    shell.type(b"2 answer;\n")
    shell.expect(b"\n42")
    equal(shell.end(), 0)
    equal(stat.S_IMODE(os.stat(".fxt_sql_history").st_mode), 0o600)
    shell = Shell()
    shell.expect(b"fxt> ")
    shell.type(UP + UP + UP + b"\n" + UP + UP + UP + b"\n")
    shell.expect(b"\n42")
    equal(shell.end(), 0)


def test_names_of_tables_are_completed():
    shell = Shell()
    shell.expect(b"fxt> ")
    shell.type(b"select count(*) n from thread_tr\t;\n")
    shell.expect(b"ack ")  # the rest of the name
    shell.expect(b"\nn\r\n1\r\n")
    shell.type(b".tab\t\n")
    shell.expect(b"thread_state")
    equal(shell.end(), 0)


def test_a_statement_that_fails_ends_nothing():
    shell = Shell("--json")
    shell.expect(b"fxt> ")
    shell.type(b"select nowhere;\nselect 5 x;\n")
    shell.expect(b"no such column: nowhere")
    shell.expect(b'{"x":5}')
    equal(shell.end(b"\x04"), 0)


def test_without_a_home():
    shell = Shell(HOME="")
    shell.expect(b"fxt> ")
    shell.type(b"select 5 x;\n")
    shell.expect(b"\n5")
    equal(shell.end(), 0)
    equal(os.listdir(), ["t.fxt"])


def test_an_interrupt_leaves_the_terminal_as_it_was():
    shell = Shell()
    before = termios.tcgetattr(shell.terminal)[3]
    shell.expect(b"fxt> ")
    end = time.monotonic() + 30
    while termios.tcgetattr(shell.terminal)[3] == before and time.monotonic() < end:
        time.sleep(0.01)
    shell.type(b"\x03")
    while shell.read(30):
        pass
    equal(os.waitpid(shell.process, 0)[1], signal.SIGINT)
    equal(termios.tcgetattr(shell.terminal)[3] & termios.ECHO, termios.ECHO)


def test_commands_as_arguments():
    write("t.fxt", GOOD)
    tables = fxt("sql", "t.fxt", ".tables")
    equal((tables.code, tables.err), (0, ""))
    assert any(line.startswith("slice ") for line in tables.lines()), tables
    equal(tables.text, fxt("sql", "t.fxt", data=b".tables\n").text)
    equal(fxt("sql", "t.fxt", ".schema slice").text, fxt("sql", "t.fxt", data=b".schema slice\n").text)
    equal(fxt("sql", "--csv", "t.fxt", "select 1", ".quit", "select 2").text, "1\n1\n")
    for command in (".schema nothing", ".nothing"):
        result = fxt("sql", "t.fxt", command, "select 1")
        equal((result.code, result.text), (1, ""))
        assert result.err.startswith("fxt: sql: "), result


def answer(query):
    result = fxt("sql", "--csv", "t.fxt", query)
    equal((result.code, result.err), (0, ""), query)
    return result.lines()[1:]


def test_sums_of_reals_have_no_digits_of_their_own():
    """SQLite adds one by one: 13124.999999998789, and as many wrong digits for the other two."""
    write("t.fxt", HEAD)
    numbers = "with n(i) as (select 1 union all select i + 1 from n where i < 100000)"
    equal(answer(f"{numbers} select sum(0.1), total(0.1), avg(0.1) from n"), ["10000.0,10000.0,0.1"])
    equal(answer(f"{numbers} select sum(i / 1000.0), sum(i) / 1000.0 from n"), ["5000050.0,5000050.0"])
    equal(answer("select sum(x) from (select 1e300 x union all select 1 union all select -1e300)"), ["1.0"])


def test_sums_are_those_of_sqlite_otherwise():
    write("t.fxt", HEAD)
    nothing = "(select 1 x where 0)"
    equal(answer(f"select sum(x) is null, total(x), avg(x) is null from {nothing}"), ["1,0.0,1"])
    equal(answer("select sum(x), avg(x), total(x), typeof(sum(x)) from (select 1 x union all select 2)"),
          ["3,1.5,3.0,integer"])
    equal(answer("select sum(x) from (select 1 x union all select null union all select 'x' union all select '2')"),
          ["3.0"])
    equal(answer("select sum(x) from (select 9e999 x union all select 5)"), ["Infinity"])
    big = f"(select {2 ** 63 - 1} x union all select 1)"
    equal(answer(f"select total(x), avg(x) from {big}"), ["9223372036854776000.0,4611686018427388000.0"])
    result = fxt("sql", "t.fxt", f"select sum(x) from {big}")
    equal((result.code, result.err), (1, "fxt: sql: integer overflow\n"))
    rows = "(select 1 x union all select 2 union all select 3.5 union all select 5)"
    equal(answer(f"select sum(x) over (order by x rows 1 preceding) from {rows}"), ["1", "3", "5.5", "8.5"])
    equal(answer(f"select avg(x) over (order by x rows 1 preceding) from {rows}"), ["1.0", "1.5", "2.75", "4.25"])


testing.main(globals(), jobs=3)
