"""Writes proofs/units.bzl: the files that hold something to prove, and what each of them includes.

Bazel replays a file's proofs when one of these files is another, and else takes the last answer."""
import os
import re
import subprocess

from lib import scope

PATH = "proofs/units.bzl"
HEAD = '''"""The files that hold something to prove, and what the prover reads for each. Written by
`prove units`; `prove scope` compares."""

UNITS = {
'''


def included(path):
    """What gcc reads for the file, of this repository: with what Frama-C defines, and without."""
    found = set()
    for more in ([], ["-D__FRAMAC__"]):
        command = ["gcc", "-std=c11", "-MM", "-x", "c", *more, *scope.INCLUDE,
                   os.path.join(scope.ROOT, path)]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode != 0:
            raise scope.Error("%s: gcc fails:\n%s" % (path, run.stderr))
        found.update(run.stdout.replace("\\\n", " ").split()[1:])
    return sorted(os.path.relpath(name, scope.ROOT) for name in found)


# Packages of Bazel that have folders in them; else each folder is one.
PACKAGES = ("spec", "src/include")


def label(path):
    """As Bazel calls it."""
    package = next((p for p in PACKAGES if path.startswith(p + "/")), os.path.dirname(path))
    return "//%s:%s" % (package, os.path.relpath(path, package))


def text():
    lines = []
    for path in scope.files():
        if scope.functions(path):
            lines.append('    "%s": [\n' % path)
            lines.extend('        "%s",\n' % label(name) for name in included(path))
            lines.append("    ],\n")
    return HEAD + "".join(lines) + "}\n"


def listed():
    """The files that hold something to prove."""
    with open(os.path.join(scope.ROOT, PATH)) as file:
        return re.findall(r'^    "(.*)": \[$', file.read(), re.M)


def write():
    with open(os.path.join(scope.ROOT, PATH), "w") as out:
        out.write(text())


def complaints():
    """Which files the list says something else of than the compiler."""
    def parts(whole):
        return dict(re.findall(r'^    "(.*)": \[\n((?:        .*\n)*)', whole, re.M))
    with open(os.path.join(scope.ROOT, PATH)) as file:
        there = file.read()
    here = text()
    changed = [path for path in {**parts(there), **parts(here)}
               if parts(there).get(path) != parts(here).get(path)]
    if there == here:
        return []
    return ["%s: not as `prove units` writes it: %s" % (PATH, ", ".join(changed) or "its form")]
