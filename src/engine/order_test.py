#!/usr/bin/env python3
"""Each file of the engine calls functions of the files that engine.h lists to its left only."""
import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LIST = r"calls functions of the files to its left only \(order_test\.py\):([a-z \n]+)\."
COMMENT = r"/\*.*?\*/"
DEFINITION = r"^(?!static\b|extern\b)\w[\w *]*?\b(\w+)\([^;{]*\)\n\{"


def read(name):
    with open(os.path.join(HERE, name)) as file:
        return file.read()


def code_of(name):
    return re.sub(COMMENT, "", read(name), flags=re.DOTALL)


def wrong_calls(order, code):
    """The calls that do not go to the left."""
    home = {function: name for name in order
            for function in re.findall(DEFINITION, code[name], re.MULTILINE)}
    for name in order:
        for called in sorted(set(re.findall(r"\b(\w+)\b", code[name]))):
            if called in home and order.index(home[called]) > order.index(name):
                yield "%s.c uses %s of %s.c" % (name, called, home[called])


def main():
    order = re.search(LIST, read("engine.h")).group(1).split()
    files = [os.path.basename(path)[:-len(".c")] for path in glob.glob(os.path.join(HERE, "*.c"))
             if not path.endswith("_test.c")]
    code = {name: code_of(name + ".c") for name in files}
    wrong = ["engine.h does not list %s.c" % name for name in set(files) - set(order)]
    wrong += ["there is no %s.c" % name for name in set(order) - set(files)]
    wrong += [] if wrong else wrong_calls(order, code)
    swapped = [order[-1]] + order[:-1]
    if not wrong and not list(wrong_calls(swapped, code)):
        wrong.append("a wrong order is not found")
    for line in wrong:
        print(line)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
