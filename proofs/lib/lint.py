"""What a proof would not notice: annotations that assume, text that only the prover or only the
compiler reads, contracts that are believed and not proved, and a few rules of style."""
import os
import re
import time

from lib import cpp, mutate, order, scope, seen

ORDER = ("requires", "terminates", "assigns", "ensures")
LOGIC_INT = r"\blogic\s+(?:int|unsigned|uint\w+|size_t)\b(?!\s*\*)"
SOUNDNESS = "proofs/SOUNDNESS.md"
GUARD = r"#ifndef (\w+)\n#define \1\n"


def logic_files():
    return ["spec/acsl/" + name for name in sorted(os.listdir(os.path.join(scope.ROOT, "spec/acsl")))
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
    """A file of the logic holds annotations only, besides its guard, what it includes, and macros of ghost
    code."""
    rest = re.sub(GUARD + r"(.*)#endif\n\Z", r"\2", "\n".join(
        line for line in cpp.code(text).split("\n") if line.strip()) + "\n", flags=re.S)
    if re.search(r"^(?![ \t]*#(include\b|define \w+\([^)]*\) +/@)).*\S", rest, re.M):
        yield "%s: there is more than annotations" % path


def check_open():
    """What is not proved is said."""
    text = read(SOUNDNESS)
    for kind, name in scope.exceptions():
        if kind in ("open", "wraps", "hidden") and "`%s`" % name not in text:
            yield "%s does not name `%s`" % (SOUNDNESS, name)


def check_mutants():
    """Each fits the code as it is."""
    for mutant in mutate.load():
        try:
            mutant.check(scope.ROOT)
        except scope.Error as error:
            yield str(error)


def complaints():
    for path in logic_files():
        yield from check_logic(path, read(path))
    for name in ("fxtref.h", "fxtref.c", "program.c"):
        yield from check_style(name, scope.program().text(name))
    yield from cpp.check(scope.program())
    yield from order.check(scope.program(), seen.pure(scope.program()))
    yield from check_open()
    yield from check_mutants()
    yield from seen.refused(scope.program())


def run(say):
    start, count = time.time(), 0
    for complaint in complaints():
        count += 1
        say(complaint)
    say("%d functions, %d complaints, %d s" % (
        len(scope.program().to_prove()), count, time.time() - start))
    return not count
