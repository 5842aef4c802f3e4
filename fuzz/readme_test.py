#!/usr/bin/env python3
"""Runs the recipes of README.md as they stand there: the blocks of code that have a name.
atheris is not in Debian: the recipe runs with a stand-in, which calls what the recipe gives it.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ATHERIS = '''
import contextlib, random
def instrument_imports():
    return contextlib.nullcontext()
def Setup(argv, test, custom_mutator):
    globals().update(test=test, mutate=custom_mutator)
def Fuzz():
    data, seen = b"", set()
    for seed in range(300):
        data = mutate(data, 4096, seed)
        assert len(data) <= 4096
        test(data)
        seen.add(data)
    assert len(seen) > 250, len(seen)
    print("stand-in for atheris: %d inputs" % len(seen))
'''

# Without these programs the recipes are skipped.
NEEDS = {"go": "go", "rust": "rustc", "crate": "cargo"}

# What must be in the output.
EXPECTED = {
    "setup": "",
    "generate": "ARG-02 @ 0x",
    "diff": "300 inputs (73 of 73 rules broken), 0 differences",
    "libfuzzer": "Done ",
    "two": "Done ",
    "rust": "Done ",
    "crate": "Done ",
    "afl": "Loading custom mutator library",
    "atheris": "stand-in for atheris: ",
    "go": "fuzz: elapsed: ",
}


def recipes(path):
    with open(path, encoding="utf-8") as f:
        return re.findall(r"^```(sh|python) (\w+)\n(.*?)^```$", f.read(), re.M | re.S)


def break_seed(recipe, folder, env):
    """A seed that crashes the target of the recipe, and one that hangs it, fail the recipe and are listed."""
    target = os.path.join(folder, "breaking.cpp")
    with open(target, "w") as f:
        f.write("#include <cstddef>\n#include <cstdint>\n#include <cstring>\n"
                "extern \"C\" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {\n"
                "    if (size == 5 && std::memcmp(bytes, \"crash\", 5) == 0) __builtin_trap();\n"
                "    for (volatile int hangs = size == 4 && std::memcmp(bytes, \"hang\", 4) == 0; hangs;) {}\n"
                "    return 0;\n}\n")
    names = ["a-crash.fxt", "b-hang.fxt"]
    for name in names:
        with open(os.path.join(folder, "seeds", name), "w") as f:
            f.write(name[2:-len(".fxt")])
    assert recipe.count('"$FXT"/fuzz/kit/example/memory_target.cpp') == 1, recipe
    recipe = recipe.replace('"$FXT"/fuzz/kit/example/memory_target.cpp', '"%s"' % target)
    done = subprocess.run(["bash", "-euc", recipe], cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    out = done.stdout.decode("utf-8", "replace")
    for name in names:
        assert done.returncode == 1 and re.search("^tried/%s$" % name, out, re.M), (done.returncode, out[-3000:])
        os.remove(os.path.join(folder, "seeds", name))


def break_go(recipe, folder, env):
    """Go fuzzes on behind seeds that fail, which fail the recipe and are listed."""
    texts = ["crash", "hang", "fail"]
    for text in texts:
        with open(os.path.join(folder, "seeds", text + ".fxt"), "w") as f:
            f.write(text)
    recipe = recipe.replace("{ Read(data) })", """{
		if string(data) == "crash" { panic("crash") }
		for string(data) == "hang" {}
		if string(data) == "fail" { t.Error("fail") }
		Read(data)
	})""").replace("-timeout=60s", "-timeout=5s")
    done = subprocess.run(["bash", "-euc", recipe], cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    out = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 1 and EXPECTED["go"] in out, (done.returncode, out[-3000:])
    assert len(re.findall(r"^failing/\S+$", out, re.M)) == len(texts), out[-3000:]
    for text in texts:
        os.remove(os.path.join(folder, "seeds", text + ".fxt"))


def main():
    folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
    # AFL++ does not follow the links that the files are here.
    tree = shutil.copytree(os.getcwd(), os.path.join(folder, "the tree"))
    env = dict(os.environ, TIME="3", FXT=tree, AFL_NO_UI="1", AFL_SKIP_CPUFREQ="1",
               AFL_NO_AFFINITY="1", AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES="1",
               PYTHONPATH=folder, TMPDIR=folder,
               GOCACHE=os.path.join(folder, "cache"), CARGO_HOME=os.path.join(folder, "cargo"), GOPROXY="off", PATH=os.environ["PATH"] + ":" + folder)
    with open(os.path.join(folder, "atheris.py"), "w") as f:
        f.write(ATHERIS)
    found = recipes("fuzz/README.md")
    assert {name for _, name, _ in found} == set(EXPECTED), found
    for language, name, text in found:
        if name == "setup":
            assert "/tmp/fuzzing" in text
            subprocess.run(["bash", "-euc", text.replace("/tmp/fuzzing", "'%s'" % folder)], cwd=tree, check=True)
            continue  # this is the folder, and $FXT is set
        if name in NEEDS and shutil.which(NEEDS[name]) is None:
            print("%s skipped: %s is not installed" % (name, NEEDS[name]))
            continue
        command = ["bash", "-euc", text] if language == "sh" else [sys.executable, "-c", text]
        begun = time.monotonic()
        done = subprocess.run(command, cwd=folder, env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        out = done.stdout.decode("utf-8", "replace")
        assert done.returncode == 0 and EXPECTED[name] in out, (name, done.returncode, out[-3000:])
        if name == "afl":
            break_seed(text, folder, env)
        if name == "go":
            break_go(text, folder, env)
        print("%s passed, %.0f s" % (name, time.monotonic() - begun), flush=True)
    with open(os.path.join(folder, "afl", "default", "fuzzer_stats")) as f:
        stats = f.read()
    assert re.search(r"^execs_done +: [1-9]", stats, re.M), stats
    assert re.search(r"^saved_crashes +: 0$", stats, re.M), stats


if __name__ == "__main__":
    main()
