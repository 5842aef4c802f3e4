#!/usr/bin/env python3
"""Within a room, no files call each other in a circle; EXCEPT names those that do.

A file uses another if it names a function that the other defines and does not keep to itself.

usage: circles_test.py [ROOT]       check ROOT/src (default: the tree that holds this file)
       circles_test.py --self-test  plant a circle, and expect it to be found
"""
import collections
import glob
import os
import re
import sys
import tempfile

# A provider, its connection and its trace end each other.
EXCEPT = {"src/provider": {"connection.c", "provider.c", "tracing.c"}}

NO_CODE = r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\n])*\""
DEFINITION = r"^(?!static\b|extern\b)[a-z]\w[\w *]*?\b(\w+)\([^;{]*\)\n\{"


def uses_of(room):
    """{file: the files of the room that it uses}"""
    code = {}
    for path in glob.glob(os.path.join(room, "*.c")):
        if not path.endswith("_test.c"):
            with open(path, encoding="utf-8") as file:
                code[os.path.basename(path)] = re.sub(NO_CODE, "", file.read(), flags=re.DOTALL)
    homes = collections.defaultdict(set)
    for name, text in code.items():
        for function in re.findall(DEFINITION, text, re.MULTILINE):
            homes[function].add(name)
    # Programs of one room may each have a main().
    home = {function: min(names) for function, names in homes.items() if len(names) == 1}
    return {name: {home[word] for word in re.findall(r"\w+", text) if word in home} - {name}
            for name, text in code.items()}


def reached(uses, start):
    found, left = set(), [start]
    while left:
        for name in uses[left.pop()] - found:
            found.add(name)
            left.append(name)
    return found


def circles(root):
    for room, _, _ in sorted(os.walk(os.path.join(root, "src"))):
        uses = uses_of(room)
        place = os.path.relpath(room, root)
        around = {name for name in uses if name in reached(uses, name)}
        if around != EXCEPT.get(place, set()):
            yield "%s: %s" % (place, ", ".join(
                "%s uses %s" % (name, " and ".join(sorted(uses[name] & around)))
                for name in sorted(around)) or "the files that EXCEPT names call each other no more")


def self_test():
    with tempfile.TemporaryDirectory() as root:
        provider = os.path.join(root, "src/provider")
        os.makedirs(provider)
        ring = sorted(EXCEPT["src/provider"])
        for at, name in enumerate(ring):
            with open(os.path.join(provider, name), "w", encoding="utf-8") as file:
                file.write("int f%d(void)\n{\n    return f%d();\n}\n" % (at, (at + 1) % len(ring)))
        assert not list(circles(root))
        os.rename(provider, os.path.join(root, "src/other"))
        assert len(list(circles(root))) == 1, list(circles(root))


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    here = os.path.dirname(os.path.realpath(os.path.abspath(__file__)))
    wrong = list(circles(sys.argv[1] if sys.argv[1:] else os.path.dirname(here)))
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
