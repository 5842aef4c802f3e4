"""Runs Frama-C's WP, and reads what it says.

Frama-C's exit code tells nothing: goals are counted here, one by one, and certain warnings are
failures."""
import atexit
import functools
import os
import re
import shutil
import subprocess
import tempfile

from lib import machine, scope, seen

PROVERS = ("cvc4", "z3", "cvc5")
# A goal may take so long; the steps are what stops it on any machine, the seconds a hung prover.
STEPS = 20000000
SECONDS = 240  # for the few that are left after the quick run; long, for a busy machine

# Seconds that the first look at a goal may take; what is left then, all provers look at together.
QUICK = 10
# What Frama-C has its preprocessor define.
PREPROCESSOR = ("-D__FRAMAC__",)
# What is proved of a function beside its contract.
OPTIONS = ("-wp", "-wp-rte", "-warn-unsigned-downcast")

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
    """`prover` is Qed where WP proved it by itself."""

    def __init__(self, name, prover, proved, seconds):
        self.name, self.prover, self.proved, self.seconds = name, prover, proved, seconds


class Run:
    """What came out: goals by name, and what was wrong."""

    def __init__(self, text, functions):
        self.goals, self.complaints, self.text = {}, [], text or ""
        self.functions, self.open = functions, set()
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
            self.goals[name] = Goal(name, prover, proved, seconds)

    def of(self, function):
        """The goals of one function: those whose name begins with it and with no longer one."""
        longer = [f for f in self.functions if f.startswith(function + "_")]
        return [g for n, g in sorted(self.goals.items()) if n.startswith(function + "_") and
                not any(n.startswith(f + "_") for f in longer)]

    def unproved(self):
        return sorted(g.name for g in self.goals.values() if not g.proved and g.name not in self.open)


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


def frama_c(source, directory, environment, *options, include=()):
    """Runs Frama-C in the directory and returns what it prints. Whoever looks at the program looks at it so."""
    command = ["frama-c", "-c11", "-machdep", machine.name,
               "-cpp-extra-args=" + " ".join(["-std=c11", *include]), *options, source]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True,
                          env=dict(os.environ, HOME=directory, TMPDIR=directory, **dict(environment)))
    return done.stdout + done.stderr


def run(source, functions, constants=True, wraps=False, steps=STEPS, seconds=SECONDS, provers=PROVERS,
        tasks="1", extra=(), session=None, include=()):
    """Proves these functions of the file. With `constants` the goals know what the constants of the
    program are, which makes each of them larger. A run knows what another one of its session has proved."""
    with tempfile.TemporaryDirectory() as tmp:
        text = frama_c(
            source, tmp, {"WHY3CONFIG": os.path.join(scope.ROOT, "proofs/why3.conf")},
            "-load-module", module("gc"), *OPTIONS,
            *([] if wraps else ["-warn-unsigned-overflow"]),
            *([] if constants else ["-wp-no-init-const"]),
            "-wp-prover", ",".join(provers), "-wp-timeout", str(seconds), "-wp-steps", str(steps),
            "-wp-par", tasks, "-wp-fct", ",".join(functions),
            "-wp-session", session or tmp, "-wp-cache", "update", *extra, include=include)
        return Run(text, functions)


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


def look_again(source, functions, first, seconds, **more):
    """Proves what a run has left, with all provers at once: the first that is done ends the others."""
    late = {}
    for goal in first.unproved():
        late.setdefault(scope.owner(goal, functions), []).append(goal)
    for function, goals in late.items():
        again = run(source, [function], seconds=seconds, tasks=str(len(PROVERS)), **more)
        for goal in goals:
            if goal in again.goals and again.goals[goal].proved:
                first.goals[goal] = again.goals[goal]
        first.complaints += again.complaints
        first.text += again.text


def groups(program, names):
    """[(names, how they are proved)]: those that may wrap, and those whose goals need to know constants, in
    runs of their own."""
    found, allowed, known = {}, scope.exceptions(), seen.proofs(program)
    for name in names:
        found.setdefault((known[name][1], ("wraps", name) in allowed), []).append(name)
    return [(group, {"constants": constants, "wraps": wraps})
            for (constants, wraps), group in sorted(found.items())]


def prove(program, names, seconds=SECONDS, extra=(), **more):
    """Proves all these functions: a quick run; then what it left, with all the time that is allowed, if that
    is more."""
    whole = Run(None, names)
    for group, how in groups(program, names):
        with tempfile.TemporaryDirectory() as session:
            one = run(program.source, group, seconds=min(seconds, QUICK), extra=extra, session=session, **how,
                      **more)
            if not extra and seconds > QUICK:
                look_again(program.source, group, one, seconds, session=session, **how, **more)
            whole.add(one)
    for kind, goal in scope.exceptions():
        if kind == "open" and goal in whole.goals:
            if whole.goals[goal].proved:
                whole.complaints.append("%s is proved: it is not open any more" % goal)
            whole.open.add(goal)
    for name in names:
        for clause in ("terminates", "assigns"):
            if not any(g.name.startswith("%s_%s" % (name, clause)) for g in whole.of(name)):
                whole.complaints.append("%s: no goal for its %s clause" % (name, clause))
    return whole


def smoke(program, names):
    """{smoke test: whether it passed}: whether something false follows from a contract, from an
    invariant, or from what a function that is called promises. A function that Frama-C did not look
    at is a test that failed."""
    # All but the smoke tests, which belong to no category, is left out.
    others = "-@requires,-@ensures,-@assigns,-@assert,-@invariant,-@variant"
    found = {}
    for group, how in groups(program, names):
        done = run(program.source, group, steps=1000000, provers=("z3",), **how, extra=(
            "-wp-smoke-tests", "-wp-smoke-timeout", "1", "-wp-no-smoke-dead-code",
            "-wp-no-smoke-dead-assumes", "-wp-prop=" + others))
        found.update({g.name: g.proved for g in done.goals.values() if "wp_smoke" in g.name})
        # There is always this goal: a function without it was not looked at.
        found.update({name: False for name in group
                      if done.complaints or name + "_terminates" not in done.goals})
    return found
