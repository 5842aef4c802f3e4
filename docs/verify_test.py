#!/usr/bin/env python3
"""The commands of docs/verify.md prove fxtref.c, and prove nothing that is wrong.

  verify_test.py VERIFY.MD FXTREF.C FXTREF.H [FILE_OF_RESULTS]...

With results of proofs, proves some functions that they name, by $FXT_DRAW, and tries a wrong one."""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, "proofs")
from lib import draw  # noqa: E402

DRAWN = 3
CHECK = "if (words < 3)\n        return fxt_i_malformed(error, record, words, FXT_RULE_THT_01);"


def blocks(page):
    with open(page, encoding="utf-8") as file:
        return re.findall(r"^```sh\n(.*?)^```$", file.read(), re.M | re.S)


def run(commands):
    return subprocess.run(["bash", "-euc", commands], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=True).stdout


def prove(command, function):
    """The numbers of goals that are proved, and of all."""
    said = run(command.replace("fxt_read_thread", function))
    found = re.search(r"^\[wp\] Proved goals: +(\d+) / (\d+)$", said, re.M)
    assert found and "Error" not in said, said
    return int(found[1]), int(found[2])


def expect_proved(command, function):
    proved, goals = prove(command, function)
    print("%s: %d of %d goals" % (function, proved, goals), flush=True)
    assert goals > 2 and proved == goals, function


def functions(results, source):
    """Those with results that the file defines by the same name."""
    names = sorted({line.split("\t")[0] for path in results for line in open(path, encoding="utf-8")})
    return [name for name in names if re.search(r"^[a-z][^;={]*\b%s\([^;]*\)\n{" % name, source, re.M)]


def main():
    page, *files = map(os.path.abspath, sys.argv[1:])
    if not all(map(shutil.which, ("frama-c", "why3", "z3", "cvc4", "cvc5"))):
        print("skipped: Frama-C or one of the provers is not installed")
        return
    install, one, whole = blocks(page)
    with tempfile.TemporaryDirectory() as room:
        os.chdir(room)
        os.environ["HOME"] = room
        for path in files[:2]:
            shutil.copy(path, os.path.basename(path))
        run("\n".join(line for line in install.split("\n") if not line.startswith("apt-get ")))
        with open("fxtref.c", encoding="utf-8") as file:
            source = file.read()
        if not files[2:]:
            # Frama-C refuses to leave out a function that is not there
            first, tables = whole.replace(" -wp-fct $TABLES", " -wp-fct fxt_status_name").rsplit("frama-c", 1)
            expect_proved(first.replace(" fxtref.c", " -wp-fct fxt_read_thread fxtref.c"), "fxt_read_thread")
            setup = first[:first.index("frama-c")]
            expect_proved(setup + "frama-c" + tables, "fxt_status_name")
            return
        tables = re.findall(r"\w+", " ".join(re.findall(r"^TABLES=(.*)", whole, re.M)))
        found = [name for name in functions(files[2:], source) if name not in tables]
        first, step = draw.part(len(found)), len(found) // DRAWN
        for i in range(DRAWN):
            expect_proved(one, found[(first + i * step) % len(found)])
        assert source.count(CHECK) == 1
        with open("fxtref.c", "w", encoding="utf-8") as file:
            file.write(source.replace(CHECK, ""))
        proved, goals = prove(one.replace("-wp-timeout 240", "-wp-timeout 5"), "fxt_read_thread")
        assert proved < goals, "a decoder that reads outside of its record is proved"


if __name__ == "__main__":
    main()
