"""What is to be proved: the functions of one program, and who calls whom. The program is fxtref.c as it is
shipped, and behind it the files of lib/program.py.

Functions and calls are those that gcc sees, so that a function which Frama-C does not look at cannot go
unnoticed."""
import bisect
import functools
import os
import re
import subprocess
import sys
import tempfile

from lib import machine

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
INCLUDE = ("-I" + ROOT, "-I" + ROOT + "/src/include")
EXCEPTIONS = "proofs/scope.tsv"
# What the program is made of: lib/program.py reads nothing else.
PARTS = ("LICENSE", "packaging", "proofs/lemmas", "spec", "src")
NOT_PROVED = ("hidden", "tested")


class Error(Exception):
    pass


class Program:
    """`functions` is {name: file of the tree that defines it}, `calls` {caller: {callee}}."""

    def __init__(self, root):
        self.tmp = tempfile.TemporaryDirectory()
        self.directory = self.tmp.name
        self.source = os.path.join(self.directory, "program.c")
        self._run([sys.executable, os.path.join(os.path.dirname(__file__), "program.py"), self.directory], root)

    @staticmethod
    def _run(command, cwd):
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
        if done.returncode:
            raise Error("%s fails:\n%s" % (command[0], done.stderr[-3000:]))

    def text(self, name):
        with open(os.path.join(self.directory, name)) as file:
            return file.read()

    @functools.cached_property
    def _graph(self):
        # Inlined functions would vanish from the graph.
        self._run(["gcc", "-std=c11", "-O0", "-w", "-fcallgraph-info", "-fkeep-inline-functions",
                   "-fkeep-static-functions", "-Dalways_inline=", "-c", "program.c", "-o", "program.o"],
                  self.directory)
        return self.text("program.ci")

    @functools.cached_property
    def functions(self):
        parts, lines, found = {}, {}, {}
        for name in ("fxtref.h", "fxtref.c", "program.c"):
            text = self.text(name)
            lines[name] = text.split("\n")
            parts[name] = [(1, name)] + [(text[:m.start()].count("\n") + 1, m.group(1)) for m in re.finditer(
                r"^/\* ((?:src|proofs|spec)/\S+) \*/$", text, re.M)]
        for name, where, line in re.findall(r'title: "[^"]+" label: "(\w+)\\n([^:"]+):(\d+):', self._graph):
            where, line = os.path.basename(where), int(line)
            if where in parts and is_definition(lines[where], line):
                begins = [start for start, _ in parts[where]]
                found[name] = parts[where][bisect.bisect(begins, line) - 1][1]
        return found

    @functools.cached_property
    def calls(self):
        found = {}
        for caller, callee in re.findall(r'sourcename: "([^"]+)" targetname: "([^"]+)"', self._graph):
            found.setdefault(caller.split(":")[-1], set()).add(callee.split(":")[-1])
        return found

    def to_prove(self):
        """The functions that are proved for this machine, in order."""
        rooms = machine.OTHERS.get(machine.name)
        return sorted(name for name, path in self.functions.items()
                      if not any((kind, name) in exceptions() for kind in NOT_PROVED) and
                      (rooms is None or path.startswith(rooms)))


@functools.lru_cache(maxsize=None)
def program():
    return Program(ROOT)


def is_definition(lines, line):
    """Whether the function's body starts behind that line (a declaration ends in a semicolon)."""
    return re.search(r"[;{]", "\n".join(lines[line - 1:line + 60])).group() == "{"


@functools.lru_cache(maxsize=None)
def exceptions():
    """{(kind, name): reason} of scope.tsv."""
    found = {}
    with open(os.path.join(ROOT, EXCEPTIONS)) as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                kind, name, reason = line.rstrip("\n").split("\t")
                found[kind, name] = reason
    return found


def chosen(words):
    """The functions of the program that these words name: functions, or files of the tree."""
    known, found = program(), []
    for word in words:
        some = [name for name in known.to_prove() if word in (name, known.functions[name])]
        if not some:
            raise Error("%s: not a function in scope, nor a file that has one" % word)
        found += some
    return sorted(set(found))


def owner(goal, names):
    """The function that a goal is of, or None: the longest name that the goal's begins with."""
    return max((n for n in names if goal.startswith(n + "_")), key=len, default=None)


def cycles(calls):
    """Functions that can come to call themselves."""
    found = []
    for start in calls:
        seen, todo = set(), list(calls[start])
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                todo.extend(calls.get(name, ()))
        if start in seen:
            found.append(start)
    return sorted(found)


def unmet(names, calls, asking):
    """Those whose contract asks for what nobody is seen to give: no calls lead to them from one that asks for
    nothing. `asking` are those whose contract requires something."""
    met, todo = set(names) - asking, list(set(names) - asking)
    while todo:
        new = calls.get(todo.pop(), set()) & set(names) - met
        met |= new
        todo += new
    return sorted(set(names) - met)


def check(names, calls, everything):
    """Complaints of the functions that are to be proved, of all, and of who calls whom."""
    allowed = exceptions()
    mine = {caller: callees for caller, callees in calls.items() if caller in names}
    for caller in sorted(mine):
        for callee in sorted(mine[caller] - set(names)):
            if ("extern", callee) not in allowed:
                yield "%s calls %s, which is out of scope" % (caller, callee)
    for name in cycles(mine):
        yield "%s is recursive" % name
    for kind, name in allowed:
        if kind == "extern" and not any(name in callees for callees in calls.values()):
            yield "%s: nothing calls %s" % (EXCEPTIONS, name)
        if kind in ("wraps", *NOT_PROVED) and name not in everything:
            yield "%s: there is no %s" % (EXCEPTIONS, name)
