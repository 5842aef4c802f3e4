"""Reads the annotations and the ledger: rules that no proof would notice being broken."""
import os
import re

from lib import mutate, scope

ORDER = ("requires", "terminates", "assigns", "ensures")
BANNED = {
    "axiomatic": r"\baxiomatic\b", "axiom": r"\baxiom\b", "inductive": r"\binductive\b",
    "admit": r"\badmit\b", "lemma": r"^\s*lemma\b", "behavior": r"\bbehaviors?\b",
    "logic int": r"\blogic\s+(?:int|unsigned|uint\w+|size_t)\b(?!\s*\*)", "assumes": r"\bassumes\b",
    "statement contract": r"\bfor\s+\w+\s*:", "allocates": r"\ballocates\b",
}
BANNED_CODE = {
    "union": r"\bunion\b", "goto": r"\bgoto\b", "float": r"\bfloat\b", "setjmp": r"\bsetjmp\b",
    "volatile": r"\bvolatile\b", "bit field": r"^\s*u?\w+\s+\w+\s*:\s*\d+\s*;",
}
LEDGER = "proofs/ASSUMPTIONS.md"
SOUNDNESS = "proofs/SOUNDNESS.md"


def acsl_files():
    folder = os.path.join(scope.ROOT, "spec/acsl")
    return ["spec/acsl/" + n for n in sorted(os.listdir(folder))]


def annotations(text):
    """[(offset, text of the annotation without comment signs and line comments)]"""
    found = []
    for match in re.finditer(r"/\*@(.*?)\*/", text, re.S):
        lines = [re.sub(r"^\s*@ ?", "", line) for line in match.group(1).split("\n")]
        body = "\n".join(re.sub(r"//.*", "", line) for line in lines).rstrip("@ \n")
        found.append((match.start(), body))
    return found


def clauses(body):
    """The keywords of a contract's or a loop's clauses, in their order."""
    return re.findall(r"(?:^|;)\s*((?:loop )?(?:requires|terminates|assigns|ensures|invariant|variant)"
                      r"|decreases)\b", body, re.M)


def check_annotation(where, body):
    words = clauses(body)
    for name, pattern in BANNED.items():
        if re.search(pattern, body, re.M):
            yield "%s: %s is not allowed" % (where, name)
    if not words:
        return
    if words[0].startswith("loop"):
        for needed in ("loop invariant", "loop assigns", "loop variant"):
            if needed not in words:
                yield "%s: the loop has no %s" % (where, needed)
        order = [("loop invariant", "loop assigns", "loop variant").index(w) for w in words
                 if w.startswith("loop ")]
    else:
        for needed in ("terminates", "assigns"):
            if words.count(needed) < 1:
                yield "%s: the contract has no %s" % (where, needed)
        if "terminates" in words and not re.search(r"terminates\s+\\true\s*;", body):
            yield "%s: terminates is not \\true" % where
        order = [ORDER.index(w) for w in words if w in ORDER]
    if order != sorted(order):
        yield "%s: the clauses are not in order" % where


def check_loops(path, text):
    """Each loop of the code stands behind a loop annotation."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\])*\"",
                  lambda m: ("@" if "@ loop" in m.group() or "/*@ loop" in m.group() else " ") +
                  re.sub(r"[^\n]", " ", m.group())[1:], text, flags=re.S)
    code = re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*", lambda m: re.sub(r"[^\n]", " ", m.group()), code,
                  flags=re.M)
    for match in re.finditer(r"\b(for|while|do)\b", code):
        before = code[:match.start()].rstrip()
        ends_do = match.group() == "while" and before.endswith("}") and re.match(
            r"while\s*\([^;{]*\)\s*;", code[match.start():])
        if not before.endswith("@") and not ends_do:
            yield "%s:%d: the loop has no annotation" % (path, text[:match.start()].count("\n") + 1)
    for name, pattern in BANNED_CODE.items():
        for match in re.finditer(pattern, code, re.M):
            yield "%s:%d: %s is not allowed" % (path, code[:match.start()].count("\n") + 1, name)


def conditionals(text):
    """The conditions under which text is left out, but for include guards and C++."""
    guard = re.search(r"#ifndef (\w+_H)\n#define \1", text)
    found = re.findall(r"^\s*#\s*((?:if|ifdef|ifndef|elif)\b.*)$", text, re.M)
    return [re.sub(r"\s+", " ", c) for c in found if not guard or c != "ifndef " + guard.group(1)]


def check_ledger():
    """The ledger lists each condition of the preprocessor: `file` | `condition` | number."""
    listed = {}
    for entry, path, condition in re.findall(r"^\| (A\d+) \| `([^`]+)` \| `([^`]+)` \|",
                                             open(os.path.join(scope.ROOT, LEDGER)).read(), re.M):
        listed.setdefault(path, []).append(condition)
    for path in scope.files() + acsl_files():
        here = sorted(conditionals(open(os.path.join(scope.ROOT, path)).read()))
        there = sorted(listed.pop(path, []))
        if here != there:
            yield "%s: conditions %s in the code, %s in %s" % (path, here, there, LEDGER)
    for path in listed:
        yield "%s lists %s, which is not in scope" % (LEDGER, path)


def check_open():
    """What is not proved is said."""
    text = open(os.path.join(scope.ROOT, SOUNDNESS)).read()
    for kind, name in scope.exceptions():
        if kind in ("open", "pending", "wraps", "hidden") and "`%s`" % name.split(":")[-1] not in text:
            yield "%s does not name `%s`" % (SOUNDNESS, name)


def check_mutants():
    """Each fits the code as it is."""
    for mutant in mutate.load():
        try:
            mutant.check(scope.ROOT)
        except scope.Error as error:
            yield str(error)


def complaints():
    for path in scope.files() + acsl_files():
        text = open(os.path.join(scope.ROOT, path)).read()
        if re.search(r"\\\n\s*@", text):
            yield "%s: a line of an annotation is spliced" % path
        for start, body in annotations(text):
            yield from check_annotation("%s:%d" % (path, text[:start].count("\n") + 1), body)
        if path not in acsl_files():
            yield from check_loops(path, text)
        elif re.sub(r"/\*.*?\*/|^#(if|ifndef|define|endif|include)[^\n]*", "", text,
                    flags=re.S | re.M).strip():
            yield "%s: there is more than annotations" % path
        if re.search(r"//@", text):
            yield "%s: annotations are written /*@ … */" % path
    yield from check_ledger()
    yield from check_open()
    yield from check_mutants()


def run(say):
    found = list(complaints())
    for complaint in found:
        say(complaint)
    say("%d files, %d complaints" % (len(scope.files()) + len(acsl_files()), len(found)))
    return not found
