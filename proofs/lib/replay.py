"""Replays the results of a file, and keeps in them that the replay has passed: a replay always ends
alike while all that it reads is the same."""
import functools
import hashlib
import subprocess

from lib import machine, store, wp

# What decides how a replay ends, beside the file's text and its results.
TOOLS = ("proofs/lib/replay.py", "proofs/lib/wp.py", "proofs/lib/store.py", "proofs/lib/scope.py",
         "proofs/lib/machine.py", "proofs/lib/gc.ml", "proofs/scope.tsv", "proofs/why3.conf")
VERSIONS = (("frama-c", "-version"), ("why3", "--version"))


def run(unit):
    """The goals, made anew from the source, and looked up in the results. No solver runs."""
    found = wp.prove(unit, store.functions(unit), store.known(store.looked_up(unit)), "replay",
                     provers=store.provers(unit))
    found.complaints += store.differences(unit, found)
    return found


@functools.lru_cache(maxsize=None)
def tools():
    versions = [subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
                for command in VERSIONS]
    return "\n".join([store.digest_of(TOOLS), *versions])


def digest(unit):
    """Of all that a replay of the file reads."""
    read = [machine.name, unit, store.text_of(unit), tools(), *store.looked_up(unit)]
    return hashlib.sha256("\n".join(read).encode()).hexdigest()


def passed(unit):
    """Whether a replay of the file, as it is now, has passed before."""
    return store.lines(unit, "replayed") == ["replayed\t" + digest(unit)]


def run_and_record(unit):
    before = digest(unit)
    found = run(unit)
    if not found.complaints and not found.unproved():
        store.write_lines(unit, ["replayed\t" + before] + store.lines(unit, "function"))
    return found
