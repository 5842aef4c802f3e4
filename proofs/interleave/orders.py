#!/usr/bin/env python3
"""Takes away each fence and each memory order of the engine, one at a time, and explores what is left.

  orders.py [--record] [FILE …]

Each line of orders.tsv is such a mutant: the program of engine.c that finds it, or why no program can or need.
--record writes orders.tsv anew: it searches a program for each mutant that is new, or was not found yet, which
takes hours of CPU.
"""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import interleave_test as explorer  # noqa: E402

ROOT, HERE = explorer.ROOT, explorer.HERE
TABLE = os.path.join(ROOT, HERE, "orders.tsv")
HEAD = "file\tline\tnumber\tmutant\tprogram\treason"
SECONDS = 300  # at most, of one program
MOST = 10**6   # runs of a program that is known to find a mutant
SEARCH = [int(n) for n in os.environ.get("ORDERS_SEARCH", "200 20000").split()]  # runs of each, in turn

WEAKER = {"light_fence": ("removed",), "heavy_fence": ("removed",),
          "swap": ("acquire", "release", "blind"), 
          "add": ("acquire", "release"), "exchange32": ("acquire", "release")}
WEAKER.update({name: ("relaxed",) for name in (
    "load", "load32", "load_site", "load_tag", "store", "store32", "store_site", "store_tag", "publish",
    "swap32")})
# The suffix of weak.h says what is left; orders.tsv, what is gone.
SAYS = {"acquire": "without release", "release": "without acquire"}
CALL = re.compile(r"\bfxt_i_(%s)\(" % "|".join(WEAKER))


def without_comments(text):
    """Of the same length."""
    return re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)


class Mutant:
    def __init__(self, file, line, number, call, weaker, text):
        self.key = (file, line, str(number), call.group(1) + " " + SAYS.get(weaker, weaker))
        self.file = file
        name = call.group()[:-1]
        if weaker == "removed":
            self.text = text[:call.start()] + "(void)0" + text[text.index(")", call.end()) + 1:]
        else:
            self.text = text[:call.start()] + name + "_" + weaker + text[call.end() - 1:]


def mutants_of(file):
    text = open(os.path.join(ROOT, file)).read()
    counted = {}
    for call in CALL.finditer(without_comments(text)):
        line = text[text.rindex("\n", 0, call.start()) + 1:text.index("\n", call.start())].strip()
        which = (line, call.group(1))
        counted[which] = counted.get(which, 0) + 1
        for weaker in WEAKER[call.group(1)]:
            yield Mutant(file, line, counted[which], call, weaker, text)


def all_mutants():
    files = sorted(glob.glob("src/engine/*.[ch]", root_dir=ROOT))
    return [m for f in files if not re.search(r"_test\.|/atomic\.h|/word\.h|/os\.", f) for m in mutants_of(f)]


# Of the engine's atomics, and what the explorer takes for them.
SAID = {"relaxed": "X_RELAXED", "acquire": "X_ACQUIRE", "release": "X_RELEASE", "acq_rel": "X_BOTH"}
# The explorer's fences have no orders: it takes these.
FENCES = {"fxt_i_full_fence": {"seq_cst"}, "fxt_i_light_fence": {"seq_cst"}, "fxt_i_signal_fence": {"seq_cst"}}


def orders_of(file, order):
    """The orders in each function of a header."""
    text = without_comments(open(os.path.join(ROOT, file)).read())
    found = {}
    for body in re.finditer(r"^static inline [^(]*?(fxt_i_\w+)\([^{]*\{.*?^\}", text, re.S | re.M):
        found[body.group(1)] = set(re.findall(order, body.group()))
    return found


def disagreements():
    """Where the engine's atomics have other orders than the explorer takes."""
    real = {}
    for file in ("src/engine/atomic.h", "src/engine/word.h"):
        real.update(orders_of(file, r"(?:memory_order_|__ATOMIC_)(\w+)"))
    taken = orders_of(HERE + "/atomic.h", r"X_[A-Z]+")
    for name, orders in sorted(real.items()):
        orders = {order.lower() for order in orders}
        if name in FENCES:
            same = orders == FENCES[name]
        else:
            same = not taken.get(name) or {SAID.get(order) for order in orders} == taken[name]
        if not same:
            yield "%s: %s, and the explorer takes %s" % (name, sorted(orders), sorted(taken.get(name, ())))


class Base:
    """The engine as it is, compiled into a folder."""

    def __init__(self, folder):
        self.folder = folder
        self.objects = explorer.compile_all(explorer.LIBRARY + explorer.ENGINE + explorer.EXPLORER, ROOT,
                                            folder)
        self.names = explorer.names(explorer.link(self.objects, os.path.join(folder, "engine")))

    def build(self, mutant, folder):
        path = os.path.join(folder, mutant.file)
        os.makedirs(os.path.dirname(path))
        with open(path, "w") as out:
            out.write(mutant.text)
        changed = explorer.ENGINE if mutant.file.endswith(".h") else [mutant.file]
        objects = {os.path.basename(o): o for o in self.objects}
        for file in changed:
            name = file.replace("/", ".") + ".o"
            source = path if file == mutant.file else file
            objects[name] = os.path.join(folder, name)
            done = explorer.run(["cc", "-I" + folder, *explorer.CFLAGS, "-w", *explorer.SWAPPED, "-include",
                                 HERE + "/weak.h", *explorer.WATCHED, "-c", source, "-o", objects[name]], ROOT)
            if done.returncode != 0:
                raise SystemExit("%s\n%s" % (mutant.key, done.stdout))
        return explorer.link(list(objects.values()), os.path.join(folder, "mutant"))


def finds(program, name, most):
    """What it says if it finds the mistake."""
    try:
        done = subprocess.run([program, "--most=%d" % most, name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=SECONDS, universal_newlines=True)
    except subprocess.TimeoutExpired:
        return None
    wrong = [line for line in done.stdout.splitlines() if ": WRONG: " in line]
    return wrong[0] if wrong else None


def try_one(base, mutant, names, steps):
    """The first of these programs that finds it, and what it says; or None."""
    with tempfile.TemporaryDirectory() as folder:
        program = base.build(mutant, folder)
        for most in steps:
            for name in names:
                said = finds(program, name, most)
                if said is not None:
                    return said.split(": WRONG: ", 1)
    return None


def table():
    if not os.path.exists(TABLE):
        return {}
    rows = [line.rstrip("\n").split("\t") for line in open(TABLE)][1:]
    return {tuple(row[:4]): (row[4], row[5]) for row in rows}


def write_table(rows):
    with open(TABLE, "w") as out:
        print(HEAD, file=out)
        for key, (program, reason) in rows:
            print(*key, program, reason, sep="\t", file=out)


def record(base, mutants):
    known = table()
    found = {}
    killers = {}

    def search(mutant):
        program, reason = known.get(mutant.key, ("-", ""))
        first = [program] if program != "-" else []
        first += sorted(killers.get(mutant.file, {}), key=lambda n: -killers[mutant.file][n])
        names = list(dict.fromkeys(first + base.names))
        start = time.time()
        hit = try_one(base, mutant, names, SEARCH)
        if hit is not None:
            killers.setdefault(mutant.file, {}).setdefault(hit[0], 0)
            killers[mutant.file][hit[0]] += 1
        found[mutant.key] = (hit[0], "") if hit is not None else ("-", reason)
        print("%s: %s (%d s)" % (" | ".join(mutant.key), ": ".join(hit) if hit else "NOT FOUND",
                                 time.time() - start), flush=True)
    todo = [m for m in mutants if known.get(m.key, ("-", ""))[0] == "-"]
    with concurrent.futures.ThreadPoolExecutor(explorer.JOBS) as pool:
        list(pool.map(search, todo))
    write_table([(m.key, found.get(m.key) or known[m.key]) for m in all_mutants()
                 if m.key in found or m.key in known])
    return 0


def check(base, mutants):
    known = table()
    failures = 0
    for said in disagreements():
        print("OTHER ORDERS: " + said)
        failures += 1
    for key in [m.key for m in all_mutants() if m.key not in known]:
        print("NOT IN orders.tsv: " + " | ".join(key))
        failures += 1
    for key in set(known) - {m.key for m in all_mutants()}:
        print("NO LONGER THERE: " + " | ".join(key))
        failures += 1
    for key, (program, reason) in known.items():
        if program == "-" and not reason:
            print("NEITHER A PROGRAM NOR A REASON: " + " | ".join(key))
            failures += 1
    todo = [m for m in mutants if known.get(m.key, ("-",))[0] != "-"]

    def one(mutant):
        start = time.time()
        hit = try_one(base, mutant, [known[mutant.key][0]], [MOST])
        print("%s: %s: %s (%.1f s)" % ("found" if hit else "NOT FOUND", " | ".join(mutant.key),
                                       hit[1] if hit else known[mutant.key][0], time.time() - start), flush=True)
        return hit is None
    with concurrent.futures.ThreadPoolExecutor(explorer.JOBS) as pool:
        missed = sum(pool.map(one, todo))
    print("%d of %d found; %d are exceptions" % (len(todo) - missed, len(todo),
                                                 sum(p == "-" for p, _ in known.values())))
    return failures + missed


def main(args):
    options = {arg for arg in args if arg.startswith("--")}
    if options - {"--record"}:
        print(__doc__, file=sys.stderr)
        return 2
    files = [arg for arg in args if not arg.startswith("--")]
    mutants = [m for m in all_mutants() if not files or m.file in files]
    with tempfile.TemporaryDirectory() as folder:
        base = Base(folder)
        if "--record" in options:
            return record(base, mutants)
        return check(base, mutants) != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
