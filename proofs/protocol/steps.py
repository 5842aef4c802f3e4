#!/usr/bin/env python3
"""Ties the model of the engine's protocol to the source of the engine.

  steps.py          checks that steps.tsv has each atomic access of src/engine, with its step of engine.c or the
                    reason why it has none, and that each access has the order that the step needs (needs.tsv)
  steps.py --print  prints the accesses, as steps.tsv names them

An access is a call of a function of atomic.h or word.h, of a wrapper of one (WRAPPERS), or of a lock that a step takes
(LOCKS). steps.tsv names it by its file, its function, what it is, its word, and which of those it is in that
function.
"""
import collections
import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# Not of a word: they only say how fences are made, or let a processor rest.
OF_ACCESSES = ("atomic.h", "word.h")
NO_ACCESS = {"little", "put", "pause", "has_light_fences", "fences_become_full", "full_fence"}
WRAPPERS = {"set_active": "store release", "active": "load relaxed", "lease_open": "load relaxed",
            "heavy_fence": "fence heavy"}
LOCKS = {"lock": "lock both", "try_lock": "lock both", "unlock": "lock both"}
LOCK_WORDS = ("turn_lock",)
FENCES = {"light_fence": "fence light", "signal_fence": "fence signal"}
KINDS = (("load", "load"), ("peek", "load"), ("store", "store"), ("publish", "store"), ("prepare", "store"),
         ("swap", "swap"), ("exchange", "swap"), ("add", "swap"), ("count", "swap"), ("raise", "swap"))
ORDER_OF = {frozenset(["relaxed"]): "relaxed", frozenset(["acquire"]): "acquire", frozenset(["release"]): "release",
            frozenset(["acq_rel"]): "both", frozenset(["acq_rel", "acquire"]): "both",
            frozenset(["acquire", "relaxed"]): "acquire"}
ENOUGH = {"relaxed": ("relaxed", "acquire", "release", "both"), "acquire": ("acquire", "both"),
          "release": ("release", "both"), "both": ("both",), "light": ("light",), "heavy": ("heavy",)}
# Steps that no access of the engine makes: the beginning, what the hardware does, and what changes only the
# stepping thread's own memory.
NOT_ACCESSES = {"begin", "drain", "shrink", "write_end", "pinned_give_up", "never_opened", "fence_end", "stop_all_left"}
FIELDS = ("file", "function", "access", "word", "number")
Access = collections.namedtuple("Access", FIELDS)


def without_comments(text):
    """Of the same length."""
    return re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)


def read(path):
    with open(path) as file:
        return file.read()


def orders(text):
    """{access: "kind order"} of the functions of atomic.h and word.h, WRAPPERS, LOCKS and FENCES"""
    found = dict(WRAPPERS, **LOCKS, **FENCES)
    for body in re.finditer(r"^static inline [^(]*?fxt_i_(\w+)\(.*?^\}", without_comments(text), re.S | re.M):
        name = body.group(1)
        if name in NO_ACCESS or name in FENCES:
            continue
        kind = next((kind for prefix, kind in KINDS if name.startswith(prefix)), None)
        said = frozenset(order.lower() for order in re.findall(r"(?:memory_order_|__ATOMIC_)(\w+)", body.group()))
        if kind is None or said not in ORDER_OF:
            raise SystemExit("steps: what is %s, with the orders %s?" % (name, sorted(said)))
        found[name] = "%s %s" % (kind, ORDER_OF[said])
    return found


def functions(text):
    """(begin, end, name) of each body"""
    for body in re.finditer(r"^\{\n.*?^\}", text, re.S | re.M):
        before = text[:body.start()]
        head = before[max(before.rfind("\n}"), before.rfind(";\n"), before.rfind("\n\n")) + 1:]
        name = re.search(r"(\w+)\((?!\()", re.sub(r"__attribute__\(\(.*?\)\)+", "", head))
        yield body.start(), body.end(), name.group(1) if name else "?"


def word_of(call):
    """What the first argument names, without its address, its casts and its owner."""
    call = re.sub(r"\s+", " ", call)
    depth, end = 0, len(call)
    for at, letter in enumerate(call):
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            end = at
            break
    first = re.sub(r"^(?:&|\(uint64_t \*\)|\(void \*\))+", "", call[:end].strip())
    return re.sub(r"\bfxt_i_engine\.", "", first).strip()


def accesses_of(file, text, names):
    text = without_comments(text)
    counted = collections.Counter()
    for begin, end, function in functions(text):
        for call in re.finditer(r"\bfxt_i_(%s)\(" % "|".join(names), text[begin:end]):
            at, depth = begin + call.end(), 1
            while depth:
                depth += (text[at] == "(") - (text[at] == ")")
                at += 1
            name, word = call.group(1), word_of(text[begin + call.end():at - 1])
            if name in LOCKS and word not in LOCK_WORDS:
                continue
            if name in ("set_active", "active"):
                word = "active"
            elif name == "lease_open":
                word = "gate"
            counted[file, function, name, word] += 1
            yield Access(file, function, name, word, str(counted[file, function, name, word]))


def accesses(engine, orders_found):
    for path in sorted(glob.glob(os.path.join(engine, "*.[ch]"))):
        file = os.path.basename(path)
        if file in OF_ACCESSES or re.search(r"_test\.", file):
            continue
        yield from accesses_of(file, read(path), orders_found)


def table(name, columns):
    rows = [tuple(line.split("\t")) for line in read(os.path.join(HERE, name)).splitlines()[1:]]
    for row in rows:
        if len(row) != columns:
            raise SystemExit("steps: %s: a row of %d columns: %s" % (name, len(row), " ".join(row)))
    return rows


def check(found, orders_found, rows, needs, steps):
    """What is wrong."""
    named = {}
    for row in rows:
        access, step, reason = Access(*row[:5]), row[5], row[6]
        if access in named:
            yield "%s is in steps.tsv twice" % " ".join(access)
        named[access] = step
        if step == "-" and not reason:
            yield "%s has neither a step nor a reason" % " ".join(access)
    for access in found:
        if access not in named:
            yield "%s is not in steps.tsv" % " ".join(access)
    for access in set(named) - set(found):
        yield "%s is not in the source any more" % " ".join(access)
    used = set()
    for access, step in named.items():
        for one in step.split() if step != "-" else ():
            kind, order = orders_found.get(access.access, "? ?").split()
            need = needs.get((one, kind))
            used.add((one, kind))
            if one not in steps:
                yield "%s: the model has no step %s" % (" ".join(access), one)
            elif need is None:
                yield "%s: needs.tsv does not say which order a %s of %s needs" % (" ".join(access), kind, one)
            elif order not in ENOUGH[need]:
                yield "%s: %s is weaker than the step %s needs: %s" % (" ".join(access), order, one, need)
    for step, kind in set(needs) - used:
        yield "needs.tsv: no %s is the step %s" % (kind, step)
    for step in steps - {step for step, _ in used}:
        yield "the step %s is no access of the engine" % step


def wrong_in(engine):
    """What is wrong with the table for the engine of that folder, and the accesses."""
    orders_found = orders("".join(read(os.path.join(engine, name)) for name in OF_ACCESSES))
    found = list(accesses(engine, orders_found))
    needs = {(step, kind): order for step, kind, order, _ in table("needs.tsv", 4)}
    steps = set(re.findall(r"^void (\w+)\(", read(os.path.join(HERE, "engine.c")), re.M)) - NOT_ACCESSES
    return sorted(check(found, orders_found, table("steps.tsv", 7), needs, steps)), found


def main(args):
    if args not in ([], ["--print"]):
        print(__doc__, file=sys.stderr)
        return 2
    wrong, found = wrong_in(os.path.join(ROOT, "src/engine"))
    if args:
        for access in found:
            print(*access, sep="\t")
        return 0
    for said in wrong:
        print("steps: " + said, file=sys.stderr)
    print("%d accesses, %d of them steps of the model, %d wrong" %
          (len(found), sum(row[5] != "-" for row in table("steps.tsv", 7)), len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
