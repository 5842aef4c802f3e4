"""What a proof would not notice: annotations that assume, text that only the prover or only the
compiler reads, contracts that are believed and not proved, and a few rules of style."""
import concurrent.futures
import os
import re
import time

from lib import cpp, mutate, scope, seen, store

ORDER = ("requires", "terminates", "assigns", "ensures")
LOGIC_INT = r"\blogic\s+(?:int|unsigned|uint\w+|size_t)\b(?!\s*\*)"
SOUNDNESS = "proofs/SOUNDNESS.md"


def acsl_files(folder):
    """The files of the logic, or those of the contracts of public headers."""
    return [folder + "/" + name for name in sorted(os.listdir(os.path.join(scope.ROOT, folder)))
            if name.endswith(".h")]


def read(path):
    with open(os.path.join(scope.ROOT, path)) as file:
        return file.read()


def annotations(text):
    """[(offset, text of the annotation without comment signs and line comments)]"""
    found = []
    for match in re.finditer(r"/\*@(.*?)\*/", text, re.S):
        lines = [re.sub(r"^\s*@ ?", "", line) for line in match.group(1).split("\n")]
        body = "\n".join(re.sub(r"//.*", "", line) for line in lines).rstrip("@ \n")
        found.append((match.start(), body))
    return found


def check_style(path, text):
    for start, body in annotations(text):
        where = "%s:%d" % (path, text[:start].count("\n") + 1)
        words = re.findall(r"(?:^|;)\s*(?:loop )?(requires|terminates|assigns|ensures)\b", body, re.M)
        if [w for w in words if w in ORDER] != sorted(words, key=ORDER.index):
            yield "%s: the clauses are not in order" % where
        if re.search(LOGIC_INT, body):
            yield "%s: a logic function is of integers" % where
    if re.search(r"\bgoto\b", cpp.code(text)):
        yield "%s: goto is not allowed" % path


def check_logic(path, text):
    """A file of the logic holds annotations only."""
    if re.search(r"^(?![ \t]*#(ifndef|define|endif|include)\b).*\S", cpp.code(text), re.M):
        yield "%s: there is more than annotations" % path


def check_open():
    """What is not proved is said."""
    text = read(SOUNDNESS)
    for kind, name in scope.exceptions():
        if kind in ("open", "wraps", "hidden") and "`%s`" % name.split(":")[-1] not in text:
            yield "%s does not name `%s`" % (SOUNDNESS, name)


def check_mutants():
    """Each fits the code as it is."""
    for mutant in mutate.load():
        try:
            mutant.check(scope.ROOT)
        except scope.Error as error:
            yield str(error)


def check_seen(files, jobs):
    """Lets Frama-C look at these files."""
    eyes = seen.Eyes()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        rows = dict(zip(files, pool.map(eyes.look, files)))
    # What a header does wrong is seen by all who include it, and said once.
    yield from sorted({complaint for unit in files for complaint in seen.refused(rows[unit])})
    yield from seen.at_odds(rows, {unit: set(store.functions(unit)) for unit in files})


def complaints(jobs):
    logic, files = acsl_files("spec/acsl"), scope.files()
    contracts = acsl_files("spec/acsl/contracts")
    for path in files + logic + contracts:
        yield from cpp.check(path, read(path))
        yield from check_style(path, read(path))
    for path in logic:
        yield from check_logic(path, read(path))
    library, to_prove = cpp.library(), scope.with_functions(files)
    for unit in to_prove:
        yield from cpp.check_included(unit, scope.ROOT, library, files, logic + contracts)
    yield from cpp.check_ledger(scope.ROOT, files + logic + contracts)
    yield from check_open()
    yield from check_mutants()
    yield from check_seen(to_prove, jobs)


def run(jobs, say):
    start, count = time.time(), 0
    for complaint in complaints(jobs):
        count += 1
        say(complaint)
    say("%d files, %d complaints, %d s" % (len(scope.files()), count, time.time() - start))
    return not count
