"""The committed results: one file a source file, proofs/results/<path with dots>.tsv. Those for another
machine lie in proofs/results/<machine>/.

  replayed  DIGEST                                                what a replay read when it passed
  function  NAME  GOALS  QED  Z3  CVC4  CVC5  SECONDS  HASH ...   what was proved, by whom, in how long

A HASH is that of the whole text which a prover got for a goal. A goal that is not the same text any more
has another hash, so what is stale is not found. The results for another machine leave out the hashes that
the file has for machine.OWN."""
import hashlib
import os

from lib import machine, scope

FOLDER = os.path.join(scope.ROOT, "proofs/results")
COLUMNS = ("Qed", "Z3", "CVC4", "CVC5")
HASHES = 4 + len(COLUMNS)  # where they begin in a line
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


def lines(unit, kind, of=None):
    """The results of a unit that are of this kind; empty when there are none."""
    if not os.path.exists(path_of(unit, of)):
        return []
    with open(path_of(unit, of)) as file:
        return [line for line in file.read().splitlines() if line.split("\t")[0] == kind]


def read(unit, of=None):
    """The rows of a unit's functions, from NAME to SECONDS."""
    return [line.split("\t")[1:HASHES] for line in lines(unit, "function", of)]


def functions(unit):
    return sorted(row[0] for row in read(unit))


def goals(unit):
    """How many the functions have."""
    return sum(int(row[1]) for row in read(unit))


def looked_up(unit):
    """The lines in which a replay looks up the goals of a unit."""
    return [line for of in sorted({machine.OWN, machine.name}) for line in lines(unit, "function", of)]


def anywhere():
    """The lines of all units and machines: a goal that moves to another file stays proved."""
    return [line for of in (machine.OWN, *machine.OTHERS) for unit in units(of)
            for line in lines(unit, "function", of)]


def known(told):
    """The goals that are proved in these lines: {hash: seconds}, the mean of the function's."""
    rows = [line.split("\t") for line in told]
    return {digest: float(row[HASHES - 1]) / sum(map(int, row[4:HASHES - 1]))
            for row in rows for digest in row[HASHES:]}


def provers(unit):
    """Those that proved goals of the unit; one at least, since Frama-C wants one."""
    sums = [sum(map(int, column)) for column in list(zip(*read(unit)))[3:-1]]
    return [name.lower() for name, count in zip(COLUMNS[1:], sums) if count] or ["cvc4"]


def row(run, name):
    """What is said of a function: its name, how many goals, and how many of them by whom."""
    mine = run.of(name)
    return [name, str(len(mine))] + [str(sum(g.prover == column for g in mine)) for column in COLUMNS]


def differences(unit, run):
    """Where a run without a solver does not give what the results say of these functions. Which
    prover answered may differ: more than one may have."""
    for name, *rest, _ in read(unit):
        if name in run.functions and row(run, name)[1:3] != rest[:2]:
            yield "%s: the results say %s goals, %s by Qed, the run %s and %s" % (
                name, *rest[:2], *row(run, name)[1:3])


def write(unit, run, part):
    """Stores the functions that a run proved; when it was of a part of the file's functions only,
    beside what is known of the others. What is as before keeps its line. A run without any result
    leaves things as they are."""
    before = {line.split("\t")[1]: line for line in lines(unit, "function")}
    told = {name: line for name, line in before.items() if part and name not in run.functions}
    shared = known(lines(unit, "function", machine.OWN)) if machine.name != machine.OWN else ()
    for name in run.functions:
        mine = run.of(name)
        if not mine or any(not g.proved and g.name not in run.open for g in mine):
            continue
        hashes = sorted({g.hash for g in mine if g.hash and g.hash not in shared})
        new = ["function", *row(run, name), "%.1f" % sum(g.seconds for g in mine), *hashes]
        old = before.get(name, "").split("\t")
        same = old[:HASHES - 1] + old[HASHES:] == new[:HASHES - 1] + new[HASHES:]
        told[name] = "\t".join(old if same else new)
    if told:
        write_lines(unit, [told[name] for name in sorted(told)])


def write_lines(unit, told):
    os.makedirs(folder(), exist_ok=True)
    with open(path_of(unit) + ".new", "w") as out:
        out.write("\n".join(told) + "\n")
    os.replace(path_of(unit) + ".new", path_of(unit))


def text_of(unit):
    """The digest of all the text that the file is preprocessed with."""
    return digest_of(scope.included(unit))


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


def digest():
    """Of what is proved: for each file the digest of all the text that it is preprocessed with, and how
    many goals of each function. Hashes of goals are not in it, since they are of the text that one
    prover got, and which one answers first is chance."""
    whole = hashlib.sha256()
    for unit in units():
        text = text_of(unit)
        for name, goals, *_ in sorted(read(unit)):
            whole.update(("%s %s %s %s\n" % (unit, text, name, goals)).encode())
    return whole.hexdigest()
