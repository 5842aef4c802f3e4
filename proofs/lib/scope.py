"""What is to be proved: the files in scope, the functions that they define, and who calls whom.

Functions and calls are those that gcc sees, so that a function which Frama-C does not look at
cannot go unnoticed."""
import os
import re
import subprocess
import tempfile

from lib import machine

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROOMS = ("src/include/fxt", "src/base", "src/buffer", "src/wire", "src/read", "src/write",
         "src/check", "src/protocol", "proofs/lemmas")
# Of other rooms, these alone.
FILES = ("src/engine/ring.c", "src/engine/ring.h")
INCLUDE = ("-I" + ROOT, "-I" + ROOT + "/src/include")
EXCEPTIONS = "proofs/scope.tsv"


class Error(Exception):
    pass


def files():
    """The files of the rooms, without the tests and what they share."""
    found = list(FILES) if machine.name == machine.OWN else []
    for room in machine.OTHERS.get(machine.name, ROOMS):
        if not os.path.isdir(os.path.join(ROOT, room)):
            continue
        for name in sorted(os.listdir(os.path.join(ROOT, room))):
            if name.endswith((".c", ".h")) and not name.endswith(("_test.c", "_test.h")):
                found.append(room + "/" + name)
    return found


def included(path):
    """What gcc reads for the file, of this repository: with what Frama-C defines, and without."""
    found = set()
    for more in ([], ["-D__FRAMAC__"]):
        command = ["gcc", "-std=c11", "-MM", "-x", "c", *more, *INCLUDE, os.path.join(ROOT, path)]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode != 0:
            raise Error("%s: gcc fails:\n%s" % (path, run.stderr))
        found.update(run.stdout.replace("\\\n", " ").split()[1:])
    return sorted(os.path.relpath(name, ROOT) for name in found)


def call_graph(path):
    """Returns ({function that the file declares or defines: (line, ident)}, {caller: {callee}}).
    Callers and callees are idents: the name of a function, behind its file when it is static."""
    with tempfile.TemporaryDirectory() as tmp:
        # Inlined functions would vanish from the graph.
        command = ["gcc", "-std=c11", "-O0", "-w", "-fcallgraph-info", "-fkeep-inline-functions",
                   "-fkeep-static-functions", "-Dalways_inline=", *INCLUDE, "-x", "c", "-c",
                   os.path.join(ROOT, path), "-o", os.path.join(tmp, "unit.o")]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode != 0:
            raise Error("%s: gcc fails:\n%s" % (path, run.stderr))
        graph = open(os.path.join(tmp, "unit.ci")).read()
    here, idents, calls = {}, {}, {}
    for title, name, where, line in re.findall(
            r'title: "([^"]+)" label: "(\w+)\\n([^:"]+):(\d+):', graph):
        where = os.path.relpath(os.path.join(ROOT, where), ROOT)
        idents[title] = where + ":" + name if ":" in title else name
        if where == path:
            here[name] = int(line), idents[title]
    for caller, callee in re.findall(r'sourcename: "([^"]+)" targetname: "([^"]+)"', graph):
        calls.setdefault(idents.get(caller, caller), set()).add(idents.get(callee, callee))
    return here, calls


def exceptions():
    """{(kind, name): reason} of scope.tsv."""
    found = {}
    for line in open(os.path.join(ROOT, EXCEPTIONS)):
        if line.strip() and not line.startswith("#"):
            kind, name, reason = line.rstrip("\n").split("\t")
            found[kind, name] = reason
    return found


def is_definition(path, name, line):
    """Whether the function's body starts behind that line (a declaration ends in a semicolon)."""
    text = "".join(open(os.path.join(ROOT, path)).readlines()[line - 1:])
    return re.search(r"[;{]", text).group() == "{"


def functions(path):
    here, _ = call_graph(path)
    return sorted(name for name, (line, _) in here.items()
                  if is_definition(path, name, line) and ("hidden", name) not in exceptions())


def with_functions(paths):
    """{path: its functions} of those that have some."""
    return {path: names for path in paths for names in [functions(path)] if names}


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


def check(proved):
    """Compares the call graph with the functions that have been proved: {file: {functions}}.
    Returns (functions in scope, list of complaints)."""
    allowed = exceptions()
    calls, defined, complaints = {}, {}, []
    for path in files():
        here, graph = call_graph(path)
        for caller, callees in graph.items():
            calls.setdefault(caller, set()).update(callees)
        names = {n for n, (line, _) in here.items()
                 if is_definition(path, n, line) and ("hidden", n) not in allowed}
        for name in names:
            defined[here[name][1]] = path
        for name in sorted(names - proved.get(path, set())):
            complaints.append("%s: %s is not proved" % (path, name))
        for name in sorted(proved.get(path, set()) - names):
            complaints.append("%s: there are results for %s, which is not there" % (path, name))
    for path in sorted(set(proved) - set(files())):
        complaints.append("%s: not a file in scope" % path)
    for caller in sorted(set(calls) & set(defined)):
        for callee in sorted(calls[caller]):
            if callee not in defined and ("extern", callee.split(":")[-1]) not in allowed:
                complaints.append("%s: %s calls %s, which is out of scope" %
                                  (defined[caller], caller, callee))
    for name in cycles({f: c for f, c in calls.items() if f in defined}):
        complaints.append("%s: %s is recursive" % (defined[name], name))
    for (kind, name) in allowed:
        if kind == "extern" and not any(name in c for c in calls.values()):
            complaints.append("%s: nothing calls %s" % (EXCEPTIONS, name))
        if kind == "wraps" and name not in {d.split(":")[-1] for d in defined}:
            complaints.append("%s: there is no %s" % (EXCEPTIONS, name))
    return len(defined), complaints
