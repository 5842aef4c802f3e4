#!/usr/bin/env python3
"""Explores the shipped engine, and shows that each mistake planted in it is found.

  interleave_test.py [--full] [--programs | --mutants [--drawn] | PROGRAM …]

--programs leaves out the mistakes, --mutants what is explored without them. --drawn takes a quarter of the
mistakes, by $FXT_DRAW. PROGRAM is how the names of some programs in engine.c begin. --full explores
two preemptions instead of one, which takes hours.
"""
import concurrent.futures
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "proofs"))
from lib import draw, patch  # noqa: E402

HERE = "proofs/interleave"
JOBS = os.cpu_count() or 1
PARTS = 4
CFLAGS = ["-std=c11", "-D_GNU_SOURCE", "-O2", "-g", "-Wall", "-Wextra", "-Werror", "-I.",
          "-Isrc/include", "-DFXT_HOT_ASSERTIONS"]
SWAPPED = ["-include", HERE + "/atomic.h"]
# The compiler tells plain.c of each plain access.
WATCHED = ["-fsanitize=thread", "-Dmemcpy=x_memcpy", "-Dmemset=x_memset"]


def sources(*rooms):
    found = [f for room in rooms for f in sorted(glob.glob("%s/*.c" % room, root_dir=ROOT))]
    return [f for f in found if not f.endswith("_test.c")]


ENGINE = [f for f in sources("src/engine") if f != "src/engine/os.c"]
LIBRARY = sources("src/base", "src/wire", "src/read", "src/write", "src/buffer")
# Not the interner: a start clears its tables, word by word.
WATCHED_FILES = ENGINE + [HERE + "/litmus.c"] + [f for f in sources("src/write") if f != "src/write/intern.c"]
EXPLORER = [HERE + "/%s.c" % name for name in ("explore", "plain", "host", "os", "engine")]


def run(command, root):
    return subprocess.run(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True)


def compile_all(files, root, out, flags=CFLAGS):
    """Compiles files of `root` into objects in `out`; returns their paths."""
    def one(file):
        object_file = os.path.join(out, file.replace("/", ".") + ".o")
        swapped = SWAPPED if file not in LIBRARY else []
        watched = WATCHED if file in WATCHED_FILES else []
        done = run(["cc", *flags, *swapped, *watched, "-c", file, "-o", object_file], root)
        if done.returncode != 0:
            raise SystemExit(done.stdout)
        return object_file
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        return list(pool.map(one, files))


def link(objects, program):
    done = run(["cc", *objects, "-o", program, "-lpthread"], ROOT)
    if done.returncode != 0:
        raise SystemExit(done.stdout)
    return program


def names(program):
    return run([program, "--list"], ROOT).stdout.splitlines()


def explore_all(program, chosen, options):
    """Prints what comes out of each program; returns how many were wrong."""
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for done in pool.map(lambda name: run([program, *options, name], ROOT), chosen):
            wrong += done.returncode != 0
            print(done.stdout, end="", flush=True)
    return wrong


class Mutant(patch.Patch):
    def __init__(self, text):
        super().__init__(text, ("program", "preemptions"))


def find(mutant, library, others):
    """Whether the explorer finds the mistake, and what it says."""
    with tempfile.TemporaryDirectory() as root:
        for part in ("src", "spec/acsl", "proofs/interleave"):
            shutil.copytree(os.path.join(ROOT, part), os.path.join(root, part))
        mutant.apply(root)
        files = ENGINE if mutant.file.endswith(".h") else [mutant.file]
        objects = compile_all(files, root, root, CFLAGS + ["-w"])
        rest = [o for o in others if os.path.basename(o) not in map(os.path.basename, objects)]
        program = link(objects + rest + library, os.path.join(root, "mutant"))
        done = run([program, "--preemptions=" + (mutant.preemptions or "1"), mutant.program], root)
    return done.returncode == 1, done.stdout.rstrip().rsplit("\n", 1)[-1]


def find_all(library, others, drawn):
    mutants = patch.load([os.path.join(ROOT, HERE, "mutants.txt")], Mutant)
    for mutant in mutants:
        mutant.check(ROOT)
    if drawn:
        mutants = mutants[draw.part(PARTS)::PARTS]
    missed = 0
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for mutant, (found, said) in zip(mutants, pool.map(
                lambda m: find(m, library, others), mutants)):
            missed += not found
            print("%s: %s: %s" % ("found" if found else "NOT FOUND", mutant.name, said), flush=True)
    print("%d of %d mutants found" % (len(mutants) - missed, len(mutants)))
    return missed


def main(args):
    full, mutants = "--full" in args, "--mutants" in args
    chosen = [arg for arg in args if not arg.startswith("--")]
    unknown = {arg for arg in args if arg.startswith("--")} - {"--full", "--programs", "--mutants", "--drawn"}
    if unknown or mutants and ("--programs" in args or chosen):
        print(__doc__, file=sys.stderr)
        return 2
    start = time.time()
    with tempfile.TemporaryDirectory() as out:
        litmus = run([link(compile_all([HERE + "/%s.c" % name for name in ("litmus", "explore", "plain")],
                                       ROOT, out),
                           os.path.join(out, "litmus"))], ROOT)
        if litmus.returncode != 0:
            print(litmus.stdout)
            return 1
        library = compile_all(LIBRARY, ROOT, out)
        others = compile_all(ENGINE + EXPLORER, ROOT, out)
        program = link(library + others, os.path.join(out, "engine"))
        failures = 0
        if not mutants:
            failures = explore_all(program, chosen or names(program),
                                   ["--preemptions=2"] if full else [])
        if not chosen and "--programs" not in args:
            failures += find_all(library, others, "--drawn" in args)
    print("%d failures, %d s" % (failures, time.time() - start))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
