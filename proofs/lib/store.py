"""The committed results: one file a source file, proofs/results/<path with dots>.tsv. Those for another
machine lie in proofs/results/<machine>/.

  replayed  DIGEST                                       what lib/replay.py read when a replay passed
  function  NAME  GOALS  QED  Z3  CVC4  CVC5  SECONDS    what was proved, by whom, in how long
  goal      HASH  PROVER  SECONDS  STEPS                 WP's cache: HASH is of the goal's whole text

A goal that is not the same text any more has another hash, so what is stale is not found."""
import hashlib
import os

from lib import machine, scope

FOLDER = os.path.join(scope.ROOT, "proofs/results")
COLUMNS = ("Qed", "Z3", "CVC4", "CVC5")
FROM_NOTHING = os.path.join(scope.ROOT, "proofs/from_nothing.tsv")


def folder(of=None):
    """The results for this machine, or for the one that the run is for."""
    of = of or machine.name
    return FOLDER if of == machine.OWN else os.path.join(FOLDER, of)


def path_of(unit, of=None):
    return os.path.join(folder(of), unit.replace("/", ".") + ".tsv")


def unit_of(name):
    stem, suffix = name[:-len(".tsv")].rsplit(".", 1)
    return stem.replace(".", "/") + "." + suffix


def units(of=None):
    if not os.path.isdir(folder(of)):
        return []
    return sorted(unit_of(name) for name in os.listdir(folder(of)) if name.endswith(".tsv"))


def lines(unit, kinds, of=None):
    """The results of a unit that are of these kinds; empty when there are none."""
    if not os.path.exists(path_of(unit, of)):
        return []
    with open(path_of(unit, of)) as file:
        return [line for line in file.read().splitlines() if line.split("\t")[0] in kinds]


def read(unit, of=None):
    """([function rows], [goal rows]) of a unit."""
    return tuple([line.split("\t")[1:] for line in lines(unit, (kind,), of)]
                 for kind in ("function", "goal"))


def functions(unit):
    return sorted(row[0] for row in read(unit)[0])


def goals(unit):
    """How many the functions have."""
    return sum(int(row[1]) for row in read(unit)[0])


def known(unit, of=None):
    """The goals of the unit as WP's cache has them: {hash: entry}."""
    found = {}
    for digest, prover, seconds, steps in read(unit, of)[1]:
        found[digest] = {"prover": prover, "verdict": "valid", "time": float(seconds)}
        if steps != "0":
            found[digest]["steps"] = int(steps)
    return found


def row(run, name):
    """What is said of a function: its name, how many goals, and how many of them by whom."""
    mine = run.of(name)
    return [name, str(len(mine))] + [str(sum(g.prover == column for g in mine)) for column in COLUMNS]


def differences(unit, run):
    """Where a run without a solver does not give what the results say of these functions. Which
    prover answered may differ: more than one may have."""
    for name, *rest, _ in read(unit)[0]:
        if name in run.functions and row(run, name)[1:3] != rest[:2]:
            yield "%s: the results say %s goals, %s by Qed, the run %s and %s" % (
                name, *rest[:2], *row(run, name)[1:3])


def write(unit, run, part):
    """Stores the functions that a run proved; when it was of a part of the file's functions only,
    beside what is known of the others. A run without any result leaves things as they are."""
    told, results = [], dict(known(unit) if part else {}, **run.results)
    if part:
        told = ["\t".join(["function", *row]) for row in read(unit)[0]
                if row[0] not in run.functions]
    for name in sorted(run.functions):
        mine = run.of(name)
        if not mine or any(not g.proved and g.name not in run.open for g in mine):
            continue
        told.append("\t".join(["function", *row(run, name), "%.1f" % sum(g.seconds for g in mine)]))
    told.sort()
    for digest, entry in sorted(results.items()):
        if entry["verdict"] == "valid":
            told.append("\t".join(["goal", digest, entry["prover"], str(entry.get("time", 0.0)),
                                   str(entry.get("steps", 0))]))
    if told:
        write_lines(unit, told)


def write_lines(unit, told):
    os.makedirs(folder(), exist_ok=True)
    with open(path_of(unit) + ".new", "w") as out:
        out.write("\n".join(told) + "\n")
    os.replace(path_of(unit) + ".new", path_of(unit))


def text_of(unit, included):
    """The digest of all the text that the file is preprocessed with, which `included` names."""
    return digest_of(included(unit))


def digest_of(paths):
    text = hashlib.sha256()
    for path in paths:
        with open(os.path.join(scope.ROOT, path), "rb") as file:
            text.update(hashlib.sha256(file.read()).digest())
    return text.hexdigest()


def from_nothing():
    """{unit: (goals, seconds, date, digest of its text)} of what `prove all` has proved so far."""
    rows = {}
    if os.path.exists(FROM_NOTHING):
        with open(FROM_NOTHING) as file:
            for line in file:
                unit, goals, seconds, *rest = line.rstrip("\n").split("\t")
                rows[unit] = (int(goals), float(seconds), *rest)
    return rows


def write_from_nothing(rows):
    with open(FROM_NOTHING + ".new", "w") as out:
        for unit, (goals, seconds, *rest) in sorted(rows.items()):
            out.write("\t".join([unit, str(goals), "%.0f" % seconds, *rest]) + "\n")
    os.replace(FROM_NOTHING + ".new", FROM_NOTHING)


def digest(included):
    """Of what is proved: for each file the digest of all the text that it is preprocessed with, which
    `included` names, and how many goals of each function. Hashes of goals are not in it, since they
    are of the text that one prover got, and which one answers first is chance."""
    whole = hashlib.sha256()
    for unit in units():
        text = text_of(unit, included)
        for name, goals, *_ in sorted(read(unit)[0]):
            whole.update(("%s %s %s %s\n" % (unit, text, name, goals)).encode())
    return whole.hexdigest()
