"""Runs Frama-C's WP on one file, and reads what it says.

Frama-C's exit code tells nothing: goals are counted here, one by one, and certain warnings are
failures."""
import atexit
import functools
import glob
import hashlib
import os
import re
import shutil
import subprocess
import tempfile

from lib import machine, scope

PROVERS = ("cvc4", "z3", "cvc5")
# A goal may take so long; the steps are what stops it on any machine, the seconds a hung prover.
STEPS = 20000000
SECONDS = 240  # for the few that are left after the quick run; long, for a busy machine

# Seconds that the first look at a goal may take; what is left then, all provers look at together.
QUICK = 5
# Tasks at a time. Without a solver, more of them save Frama-C its sleep of 50 ms between two looks.
PARALLEL = {"solve": "1", "replay": "64"}

# What makes a run worthless, whatever is proved in it.
POISON = ("might be unsound", "Missing RTE guards", "not yet supported", "reads nothing",
          "Memory model hypotheses", "aborted", "Missing assigns", "user error", "fatal error",
          "Unexpected error", "without termination", "implicit declaration", "unbound",
          "Missing terminates", "Neither code nor specification")

GOAL = re.compile(r"^\[wp\] \[([^]]+)\] (?:Goal|Smoke-test) (\w+)(?: : (\w+))?(.*)$")


# Which part of a function's goals a goal belongs to: by the name of its clause, else by its kind.
KINDS = (("ensures", "@ensures"), ("assert_rte", "@assert"), ("assert", "@assert"),
         ("loop_invariant", "@invariant"), ("loop_variant", "@variant"), ("loop_assigns", "@assigns"),
         ("assigns", "@assigns"), ("call", "@requires"), ("terminates", "@terminates"))
NAMED = ("ensures", "assert", "loop_invariant")


class Goal:
    """`hash` is that of the text which its prover got; None if WP proved it by itself, or nobody did."""

    def __init__(self, name, prover, proved, seconds, digest=None):
        self.name, self.prover, self.proved, self.seconds = name, prover, proved, seconds
        self.hash = digest


class Run:
    """What came out: goals by name, and what was wrong. `hashes` are those of the texts that the
    provers got: {(goal, prover): hash}."""

    def __init__(self, text, functions, hashes):
        self.goals, self.complaints, self.text = {}, [], text or ""
        self.functions, self.hashes, self.open = functions, hashes, set()
        if text is not None:
            self._read()

    def _read(self):
        for line in self.text.splitlines():
            found = GOAL.match(line)
            if found:
                self._take(*found.groups())
            elif any(word in line for word in POISON):
                self.complaints.append(line.strip())
        total = re.search(r"^\[wp\] Proved goals:\s+(\d+) / (\d+)$", self.text, re.M)
        listed = sum(g.proved for g in self.goals.values())
        if not total:
            self.complaints.append("Frama-C gave no count of goals")
        elif (int(total.group(1)), int(total.group(2))) != (listed, len(self.goals)):
            self.complaints.append("Frama-C counts %s proved goals of %s and lists %d of %d" %
                                   (total.group(1), total.group(2), listed, len(self.goals)))

    def add(self, other):
        self.goals.update(other.goals)
        self.complaints += other.complaints
        self.text += other.text

    def _take(self, prover, name, verdict, rest):
        name = re.sub(r"^typed_", "", name)
        proved = verdict == "Valid" or prover == "Passed"
        times = re.findall(r"\((?:Qed:)?([\d.]+)(ms|s|')", rest)
        seconds = sum(float(n) * {"ms": 0.001, "s": 1, "'": 60}[unit] for n, unit in times)
        known = self.goals.get(name)
        if known is None or proved > known.proved:
            # What the control flow shows by itself counts as WP's own, too.
            prover = prover.split()[0].replace("CFG", "Qed")
            self.goals[name] = Goal(name, prover, proved, seconds, self.hashes.get((name, prover)))

    def of(self, function):
        """The goals of one function: those whose name begins with it and with no longer one."""
        longer = [f for f in self.functions if f.startswith(function + "_")]
        return [g for n, g in sorted(self.goals.items()) if n.startswith(function + "_") and
                not any(n.startswith(f + "_") for f in longer)]

    def proved(self):
        """The goals that provers have proved: {hash: seconds}."""
        return {g.hash: g.seconds for g in self.goals.values() if g.proved and g.hash}

    def unproved(self):
        return sorted(g.name for g in self.goals.values() if not g.proved and g.name not in self.open)


def source_of(path, root, tmp):
    """What Frama-C is given for a file; a header is included by a file of its own."""
    if not path.endswith(".h"):
        return os.path.join(root, path)
    source = os.path.join(tmp, "unit.c")
    with open(source, "w") as unit:
        unit.write('#include "%s"\n' % path)
    return source


@functools.lru_cache(maxsize=None)
def module(name):
    """Compiles lib/NAME.ml, which Frama-C loads, for the life of this program."""
    place = tempfile.TemporaryDirectory()
    atexit.register(place.cleanup)
    source = os.path.join(place.name, name + ".ml")
    shutil.copyfile(os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".ml"), source)
    compiled = os.path.join(place.name, name + ".cmxs")
    done = subprocess.run(["ocamlopt", "-shared", "-w", "-a", "-I", "/usr/lib/frama-c", "-I", "+zarith",
                           "-o", compiled, source], cwd=place.name, capture_output=True, text=True)
    if done.returncode:
        raise scope.Error("%s.ml does not compile:\n%s" % (name, done.stderr))
    return compiled


def frama_c(source, root, tmp, environment, *options):
    """Runs Frama-C in `tmp` and returns what it prints. Whoever looks at a file looks at it so."""
    command = ["frama-c", "-c11", "-machdep", machine.name,
               "-cpp-extra-args=-std=c11 -I%s -I%s/src/include" % (root, root), *options, source]
    done = subprocess.run(command, cwd=tmp, capture_output=True, text=True,
                          env=dict(os.environ, HOME=tmp, TMPDIR=tmp, **dict(environment)))
    return done.stdout + done.stderr


def run(path, functions, known, mode, root=scope.ROOT, wraps=False, steps=STEPS,
        seconds=SECONDS, provers=PROVERS, tasks=None, extra=()):
    """Proves these functions of the file. `known` are goals that are proved: {hash: seconds}; what took
    longer than a look may take, WP would prove again. `mode` is "solve", or "replay", which starts no
    solver."""
    with tempfile.TemporaryDirectory() as tmp:
        cache, texts = os.path.join(tmp, "session", "cache"), os.path.join(tmp, "goals")
        os.makedirs(cache)
        for digest, took in known.items():
            with open(os.path.join(cache, digest + ".json"), "w") as out:
                out.write('{ "verdict": "valid", "time": %.3f }' % min(took, QUICK))
        text = frama_c(
            source_of(path, root, tmp), root, tmp,
            {"WHY3CONFIG": os.path.join(scope.ROOT, "proofs/why3.conf")},
            "-load-module", module("gc"), "-wp", "-wp-rte", "-warn-unsigned-downcast",
            *([] if wraps else ["-warn-unsigned-overflow"]),
            "-wp-prover", ",".join(provers), "-wp-timeout", str(seconds), "-wp-steps", str(steps),
            "-wp-par", tasks or PARALLEL[mode], "-wp-fct", ",".join(functions),
            "-wp-session", os.path.join(tmp, "session"), "-wp-out", texts,
            "-wp-cache", {"solve": "update", "replay": "offline"}[mode], *extra)
        return Run(text, functions, hashes(texts))


def hashes(texts):
    """{(goal, prover): hash}. WP writes what a prover gets into GOAL_Why3_PROVER_VERSION.why; the MD5 of
    it is the name of the result in WP's cache."""
    found = {}
    for path in glob.glob(os.path.join(texts, "typed", "*.why")):
        with open(path, "rb") as text:
            goal, prover = os.path.basename(path).split("_Why3_")
            found[goal, prover.split("_")[0]] = hashlib.md5(text.read()).hexdigest()
    return found


def property_of(goal, function):
    """What Frama-C is asked for, so that the function's other goals cost nothing: the name of the
    goal's clause, or else all of its kind."""
    rest = goal[len(function) + 1:]
    for kind, category in KINDS:
        if rest.startswith(kind):
            named = re.match(kind + r"_([a-z]\w*?)(?:_part\d+|_\d+|_preserved|_established)*$", rest)
            if named and kind in NAMED and named.group(1) not in ("part", "preserved", "established"):
                return named.group(1)
            return category
    raise scope.Error("what goal is %s?" % goal)


def look_again(path, functions, known, mode, wraps, seconds, first, **more):
    """Proves what a run has left, with all provers at once: the first that is done ends the others.
    A goal is looked at among all of its function: asked for alone it has other hypotheses, and what
    is found then, no replay would find."""
    late = {}
    for goal in first.unproved():
        late.setdefault(scope.owner(goal, functions), []).append(goal)
    for function, goals in late.items():
        again = run(path, [function], {**known, **first.proved()}, mode, wraps=wraps,
                    seconds=seconds, tasks=str(len(PROVERS)), **more)
        for goal in goals:
            if goal in again.goals and again.goals[goal].proved:
                first.goals[goal] = again.goals[goal]
        first.complaints += again.complaints
        first.text += again.text


def run_patiently(path, functions, known, mode, wraps, seconds=SECONDS, extra=(), **more):
    """A quick run; then what it left, with all the time that is allowed, if that is more."""
    first = run(path, functions, known, mode, wraps=wraps, seconds=min(seconds, QUICK), extra=extra,
                **more)
    if mode == "solve" and not extra and seconds > QUICK:
        look_again(path, functions, known, mode, wraps, seconds, first, **more)
    return first


def prove(path, names, known, mode, **more):
    """Proves all these functions; those that may wrap in a run of their own."""
    allowed = scope.exceptions()
    wraps = [n for n in names if ("wraps", n) in allowed]
    rest = [n for n in names if n not in wraps]
    whole = Run(None, names, {})
    for group in (rest, wraps):
        if group:
            whole.add(run_patiently(path, group, known, mode, group is wraps, **more))
    for kind, goal in allowed:
        if kind == "open" and goal in whole.goals:
            if whole.goals[goal].proved:
                whole.complaints.append("%s is proved: it is not open any more" % goal)
            whole.open.add(goal)
        elif kind == "open" and scope.owner(goal, scope.functions(path)) in names:
            whole.complaints.append("%s is open, but there is no such goal" % goal)
    for name in names:
        for clause in ("terminates", "assigns"):
            if not any(g.name.startswith("%s_%s" % (name, clause)) for g in whole.of(name)):
                whole.complaints.append("%s: no goal for its %s clause" % (name, clause))
    return whole


def smoke(path, names, root=scope.ROOT):
    """{smoke test: whether it passed}: whether something false follows from a contract, from an
    invariant, or from what a function that is called promises. A function that Frama-C did not look
    at is a test that failed."""
    # All but the smoke tests, which belong to no category, is left out.
    others = "-@requires,-@ensures,-@assigns,-@assert,-@invariant,-@variant"
    found = {}
    for wraps in (False, True):
        group = [n for n in names if (("wraps", n) in scope.exceptions()) == wraps]
        if group:
            done = run(path, group, {}, "solve", root=root, wraps=wraps, steps=1000000, provers=("z3",),
                       extra=(
                "-wp-smoke-tests", "-wp-smoke-timeout", "1", "-wp-no-smoke-dead-code",
                "-wp-no-smoke-dead-assumes", "-wp-prop=" + others))
            found.update({g.name: g.proved for g in done.goals.values() if "wp_smoke" in g.name})
            # There is always this goal: a function without it was not looked at.
            found.update({name: False for name in group
                          if done.complaints or name + "_terminates" not in done.goals})
    return found
