"""The committed results: proofs/results/MACHINE.tsv, one line a function:

  NAME  GOALS  QED  Z3  CVC4  CVC5  SECONDS  DIGEST

who proved how many goals, in how long, and the digest of what was proved: the function, normalised, all
that its proof depends on, and how it was proved. What is changed has another digest, and is to be proved
again."""
import functools
import hashlib
import os
import subprocess
import threading

from lib import machine, scope, seen, wp

FOLDER = os.path.join(scope.ROOT, "proofs/results")
COLUMNS = ("Qed", "Z3", "CVC4", "CVC5")
LOCK = threading.Lock()


def path(of=None):
    """The results for this machine, or for the one that the run is for."""
    return os.path.join(FOLDER, (of or machine.name) + ".tsv")


def read(of=None):
    """{function: its row, from NAME to DIGEST}"""
    if not os.path.exists(path(of)):
        return {}
    with open(path(of)) as file:
        return {line.split("\t")[0]: line.rstrip("\n").split("\t") for line in file}


@functools.lru_cache(maxsize=None)
def how():
    """How everything is proved."""
    version = subprocess.run(["frama-c", "-version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return " ".join([version.strip(), *wp.OPTIONS])


@functools.lru_cache(maxsize=None)
def digests(program, of):
    """{function: the digest that its row has if it is proved as it is now}"""
    return {name: hashlib.sha256(" ".join([of, how(), str(("wraps", name) in scope.exceptions()),
                                           digest]).encode()).hexdigest()[:16]
            for name, (digest, _) in seen.proofs(program).items()}


def stale(program):
    """The functions that are to be proved and have no result for what they are now."""
    now, rows = digests(program, machine.name), read()
    return [name for name in program.to_prove() if name not in rows or rows[name][-1] != now[name]]


def row(run, name, digest):
    mine = run.of(name)
    return [name, str(len(mine))] + [str(sum(g.prover == column for g in mine)) for column in COLUMNS] + [
        "%.1f" % sum(g.seconds for g in mine), digest]


def write(program, run):
    """Adds what a run has proved, of functions of which no goal is left."""
    with LOCK:
        rows, now = read(), digests(program, machine.name)
        for name in run.functions:
            mine = run.of(name)
            if not run.complaints and mine and all(g.proved or g.name in run.open for g in mine):
                rows[name] = row(run, name, now[name])
        names = set(program.to_prove())
        write_rows([rows[name] for name in sorted(rows) if name in names])


def write_rows(rows):
    os.makedirs(FOLDER, exist_ok=True)
    with open(path() + ".new", "w") as out:
        out.writelines("\t".join(one) + "\n" for one in rows)
    os.replace(path() + ".new", path())


def goals(rows):
    return sum(int(one[1]) for one in rows.values())


def digest():
    """Of what is proved: each function, what it is, and how many goals it has."""
    text = "".join("%s %s %s\n" % (one[0], one[1], one[-1]) for _, one in sorted(read().items()))
    return hashlib.sha256(text.encode()).hexdigest()
