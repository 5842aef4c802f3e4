#!/usr/bin/env python3
"""The model's table has each atomic access of the engine, and no order is weaker than its step needs. What
departs from that is found."""
import os
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import steps  # noqa: E402

ENGINE = os.path.join(steps.ROOT, "src/engine")
# A change of the engine, and how what is said of it ends or begins.
CHANGES = (
    ("context.c", "fxt_i_light_fence();", "", "is not in the source any more"),
    ("turn.c", "fxt_i_heavy_fence();", "", "is not in the source any more"),
    ("turn.c", "fxt_i_store32(&fxt_i_engine.saving, FXT_I_SAVE_CLOSING);",
     "fxt_i_store_relaxed(&fxt_i_engine.position, 0);", "is not in steps.tsv"),
    ("lease.c", "fxt_i_load(&half->gate)", "fxt_i_load_relaxed(&half->gate)", "is not in steps.tsv"),
    ("part.c", "half->used = 0;", "half->used = 0;\n    fxt_i_store(&half->gate, 1);", "is not in steps.tsv"),
    ("presence.c", "fxt_i_load(&presences[i].active)", "fxt_i_peek(&presences[i].active)", "is not in steps.tsv"),
    ("atomic.h", "atomic_store_explicit(&at->value, value, memory_order_release);",
     "atomic_store_explicit(&at->value, value, memory_order_relaxed);", "is weaker than the step leave needs: release"),
    ("atomic.h", "return atomic_load_explicit(&at->value, memory_order_acquire);",
     "return atomic_load_explicit(&at->value, memory_order_relaxed);", "is weaker than the step scan needs: acquire"),
    ("atomic.h", "memory_order_acq_rel, memory_order_acquire", "memory_order_release, memory_order_relaxed",
     "what is swap, with the orders ['relaxed', 'release']?"),
)


def said_of(file, old, new):
    with tempfile.TemporaryDirectory() as folder:
        engine = os.path.join(folder, "engine")
        shutil.copytree(ENGINE, engine)
        path = os.path.join(engine, file)
        text = steps.read(path)
        assert old in text, "%s has no %s" % (file, old)
        os.remove(path)
        with open(path, "w") as out:
            out.write(text.replace(old, new))
        try:
            return steps.wrong_in(engine)[0]
        except SystemExit as error:
            return [str(error)]


def main():
    failures = steps.main([])
    for file, old, new, expected in CHANGES:
        said = said_of(file, old, new)
        if not any(expected in line for line in said):
            print("%s: with %r for %r: %s" % (file, new, old, said))
            failures += 1
    print("%d changes, %d failures" % (len(CHANGES), failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
