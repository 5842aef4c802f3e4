"""Stubs: what the contract of a public function lets pass that does nothing.

For each function of src/include/fxt these bodies are made from its declaration and its contract, and
tried against the contract:

  whole   nothing is done; the outputs stay as they are, or what the contract says of becomes zero; what is returned is what the
          contract says of \\result in words that C has too, and else a constant that it names
  NAME    all is done, but the output of that name stays as it was

A body that passes shows a contract that is safe and not functional. proofs/stubs.tsv keeps what came
out, beside a digest of declaration and contract: only what changed is tried again, and a few that are drawn.
SOUNDNESS.md names what passes; the list is the same, so that it can only get shorter."""
import concurrent.futures
import functools
import hashlib
import os
import re
import subprocess
import tempfile
import time

from lib import draw, scope, wp

RESULTS = os.path.join(scope.ROOT, "proofs/stubs.tsv")
SOUNDNESS = os.path.join(scope.ROOT, "proofs/SOUNDNESS.md")
BEGIN, END = "<!-- stubs -->\n", "<!-- end stubs -->\n"
HEADERS = "src/include/fxt"
STEPS = 60000  # of CVC4, which takes 17000 to begin and for most goals of the library less than 50000
SMALL = 512  # bytes
A_DRAW = 4


class Function:
    def __init__(self, header, contract, result, name, parameters):
        self.header, self.contract, self.name = header, contract, name
        self.result = re.sub(r"__attribute__\s*\(\(.*?\)\)\)?|\b(static|inline|extern)\b", "", result)
        self.result = " ".join(self.result.split())
        self.parameters = [" ".join(p.split()) for p in parameters.split(",") if p.strip() != "void"]
        text = " ".join((self.contract + self.result + ",".join(self.parameters)).split())
        self.digest = hashlib.sha256(text.encode()).hexdigest()[:16]

    def clauses(self, keyword):
        """The texts of its clauses of that kind, without the names."""
        text = re.sub(r"//[^\n]*", "", re.sub(r"^\s*@ ?", "", self.contract, flags=re.M))
        parts = re.split(r"(?:^|;)\s*(requires|terminates|assigns|ensures)\b", text)
        return [re.sub(r"^\w+\s*:(?!:)\s*", "", " ".join(body.rstrip("; \n").split()))
                for word, body in zip(parts[1::2], parts[2::2]) if word == keyword]

    def in_one(self):
        """The contract with one ensures for all, so that what a stub cannot prove costs it once."""
        ensures = self.clauses("ensures")
        text = "".join("requires %s;\n" % c for c in self.clauses("requires"))
        text += "terminates \\true;\n" + "".join("assigns %s;\n" % c for c in self.clauses("assigns"))
        return text + ("ensures %s;\n" % " && ".join("(%s)" % c for c in ensures) if ensures else "")

    def signature(self, name):
        return "%s %s(%s)" % (self.result, name, ", ".join(self.parameters) or "void")

    def outputs(self):
        """[(name, type, whether it is an array)] of what the function may write to."""
        found = []
        for parameter in self.parameters:
            pointer = re.match(r"((?:struct )?\w+) \*\s*(\w+)$", parameter)
            array = re.match(r"((?:struct )?\w+) (\w+)(\[\w+\])$", parameter)
            if pointer:
                found.append((pointer.group(2), pointer.group(1), ""))
            elif array:
                found.append((array.group(2), array.group(1), array.group(3)))
        return found

    def names(self):
        return [re.match(r".*?(\w+)(?:\[\w*\])?$", p).group(1) for p in self.parameters]


def functions():
    """Those that the public headers declare, by name; what the prover does not see is left out."""
    found = {}
    for header in sorted(os.listdir(os.path.join(scope.ROOT, HEADERS))):
        path = os.path.join(scope.ROOT, HEADERS, header)
        text = subprocess.run(["gcc", "-std=c11", "-E", "-CC", "-D__FRAMAC__", *scope.INCLUDE, path],
                              capture_output=True, text=True, check=True).stdout
        own, here = [], False
        for line in text.split("\n"):
            marker = re.match(r'# \d+ "([^"]*)"', line)
            if marker:
                here = marker.group(1).endswith((path, "spec/acsl/contracts/" + header))
            elif here:
                own.append(line)
        for contract, result, name, parameters in re.findall(
                r"/\*@((?:(?!\*/).)*?\bassigns\b(?:(?!\*/).)*)\*/\s*(?:/\*(?!@)(?:(?!\*/).)*\*/\s*)*"
                r"([^;{}()/]*(?:\(\([^;{}]*?\)\)\)?)?[^;{}()/]*?)\b(fxt_\w+)\s*\(([^;{}]*?)\)\s*(?=[;{])",
                "\n".join(own), re.S):
            found[name] = Function("fxt/" + header, contract, result, name, parameters)
    return found


def in_c(expression):
    """The expression, if nothing in it is the logic's own; of a body that changes nothing, what was
    and what is are the same."""
    text = re.sub(r"\\old\(", "(", expression).replace("\\null", "0").strip()
    return None if "\\" in text or re.search(r"==>|\bl_|\w\{|\b(?!sizeof)[a-z]\w*\s*\(", text) else text


def returns(function):
    """The statements that may end a stub."""
    if function.result == "void":
        return [";"]
    exact, cases, constants = [], [], []
    for clause in function.clauses("ensures"):
        whole = re.match(r"\\result (?:==|<==>) (.*)$", clause)
        case = re.match(r"\\result == ([A-Z]\w+) <==> (.*)$", clause)
        if case:
            condition = in_c(case.group(2))
            if condition:
                cases.append("if (%s) return %s;" % (condition, case.group(1)))
        elif whole and in_c(whole.group(1)) and "\\result" not in whole.group(1):
            exact.append("return %s;" % in_c(whole.group(1)))
        constants += re.findall(r"\\result [!=]= (\w+)", clause)
        for several in re.findall(r"\\result \\in \{([^}]*)\}", clause):
            constants += [word.strip() for word in several.split(",")]
    if function.result.endswith("*"):
        constants += ["0"] + [name for name, p in zip(function.names(), function.parameters)
                              if "*" in p and p.rsplit("*")[0].split() == function.result[:-1].split()]
    elif function.result.startswith("struct"):
        constants += ["(%s){0}" % function.result]
    if function.clauses("assigns") == ["\\nothing"]:
        exact, cases = [], []  # who returns what a contract says exactly, and has nothing else to do, does it
    constants = list(dict.fromkeys(c for c in constants if not c[0].islower() or
                                   (c in function.names() and function.result.endswith("*"))))
    constants = [c + "u" if c.isdigit() else c for c in constants] or ["0", "1"]
    return exact + [" ".join(cases + ["return %s;" % c]) for c in constants]


@functools.lru_cache(None)
def is_small(function, kind):
    """The prover takes a struct of many numbers one by one."""
    return c_takes(function, "_Static_assert(sizeof(%s) <= %d, \"\");" % (kind, SMALL))


def bodies(function):
    """[(what it leaves undone, body)]"""
    outputs = function.outputs()
    assigned, said = (" ".join(function.clauses(word)) for word in ("assigns", "ensures"))
    zero = ["*%s = (%s){0};" % (name, kind) for name, kind, array in outputs
            if not array and re.search(r"\*%s\b" % name, assigned) and is_small(function, kind)]
    zero += ["%s = 0;" % m for m in re.findall(r"\b\w+->\w+\b(?![\[.])", assigned)
             if re.search(re.escape(m) + r"\b", said)]
    zero = " ".join(zero)
    found = [("whole", before + end) for before in ([""] + [zero + " "] * bool(zero))
             for end in returns(function)]
    for name, kind, array in outputs:
        if not is_small(function, kind) or not re.search(r"\b%s\b" % name, assigned):
            continue
        local = "%s other%s%s;" % (kind, array, "" if array else " = *" + name)
        call = "%s(%s);" % (function.name, ", ".join(
            ("other" if array else "&other") if n == name else n for n in function.names()))
        found.append((name, local + " " + ("" if function.result == "void" else "return ") + call))
    return found


def unit(function, tried, contract=None):
    """A file with these bodies, each a function with the contract of the real one."""
    lines = ["#include <stddef.h>", "#include <stdint.h>", "#include <%s>" % function.header]
    for i, (_, body) in enumerate(tried):
        lines += ["/*@%s*/" % (contract or function.contract), "%s { %s }" % (function.signature("stub_%d" % i), body)]
    return "\n".join(lines) + "\n"


def proved(function, tried, contract=None, **more):
    """Those of the bodies of which every goal is proved; raises when none can be tried."""
    if not tried:
        return []
    with tempfile.TemporaryDirectory() as tmp:
        source = os.path.join(tmp, "stubs.c")
        with open(source, "w") as out:
            out.write(unit(function, tried, contract))
        names = ["stub_%d" % i for i in range(len(tried))]
        done = wp.run(source, names, wraps=True, include=scope.INCLUDE, **more)
    if not done.goals:
        raise scope.Error("%s: no stub of it can be tried:\n%s" % (function.name, done.text[-2000:]))
    return [one for one, name in zip(tried, names) if all(g.proved for g in done.of(name))]


def c_takes(function, text):
    return subprocess.run(["gcc", "-std=c11", "-w", "-fsyntax-only", *scope.INCLUDE, "-x", "c", "-"],
                          input="#include <%s>\n%s" % (function.header, text), capture_output=True,
                          text=True).returncode == 0


def survivors(function):
    """What can be left undone: [words], sorted. What a clause refuses is not asked for more."""
    tried = [(left, body) for left, body in bodies(function)
             if c_takes(function, unit(function, [(left, body)]))]
    if function.clauses("ensures"):
        tried = proved(function, tried, function.in_one(), provers=("cvc4",), steps=STEPS,
                       extra=("-wp-prop=@ensures",))
    return sorted({left for left, _ in proved(function, tried, steps=10 * STEPS)})


def read():
    """{name: (digest, [what can be left undone])}"""
    found = {}
    if os.path.exists(RESULTS):
        with open(RESULTS) as file:
            for line in file:
                name, digest, left = line.rstrip("\n").split("\t")
                found[name] = digest, left.split() if left != "-" else []
    return found


def write(results):
    with open(RESULTS, "w") as out:
        for name, (digest, left) in sorted(results.items()):
            out.write("%s\t%s\t%s\n" % (name, digest, " ".join(left) or "-"))


def words(name, left):
    return "`%s`" % name if left == "whole" else "`%s` (`%s`)" % (name, left)


def complaints(results):
    """SOUNDNESS names what passes, and nothing else; and the results are of today's contracts."""
    known = functions()
    with open(SOUNDNESS) as file:
        said = re.findall(r"^- (`fxt_\w+`(?: \(`\w+`\))?)", file.read().split(BEGIN)[1].split(END)[0],
                          re.M)
    found = [words(name, left) for name, (_, undone) in sorted(results.items()) for left in undone]
    for name in sorted(set(known) | set(results)):
        if name not in results or name not in known or results[name][0] != known[name].digest:
            yield "%s: its contract changed: run `prove stubs`" % name
    for one in found:
        if one not in said:
            yield "%s: a stub passes its contract, and SOUNDNESS.md does not say so" % one
    for one in said:
        if one not in found:
            yield "%s: no stub passes its contract any more: strike it out in SOUNDNESS.md" % one


def check(say):
    found = list(complaints(read()))
    for complaint in found:
        say(complaint)
    return not found


def run(names, every, drawn, jobs, say):
    """Tries what changed, or all, or these, or those that are drawn, which change nothing."""
    known, results, start = functions(), read(), time.time()
    if drawn:
        order = sorted(known)
        first = A_DRAW * draw.part(len(order)) % len(order)
        names = (order + order)[first:first + A_DRAW]
    for name in names:
        if name not in known:
            raise scope.Error("there is no public function " + name)
    chosen = [f for n, f in sorted(known.items()) if n in names or every or
              (not names and (n not in results or results[n][0] != f.digest))]
    wrong = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(survivors, function): function for function in chosen}
        for one in concurrent.futures.as_completed(waiting):
            function, left = waiting[one], one.result()
            say("%s: %s" % (function.name, ", ".join(left) or "-"))
            if drawn and results[function.name][1] != left:
                wrong.append("%s: proofs/stubs.tsv says otherwise" % function.name)
            results[function.name] = function.digest, left
            if not drawn:
                write({n: r for n, r in results.items() if n in known})
    wrong += complaints(results)
    for complaint in wrong:
        say(complaint)
    say("%d of %d public functions tried in %d s, %d stubs pass, %d complaints" % (
        len(chosen), len(known), time.time() - start, sum(len(l) for _, l in results.values()),
        len(wrong)))
    return not wrong
