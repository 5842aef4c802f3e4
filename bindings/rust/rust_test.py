#!/usr/bin/env python3
"""The crates build with cargo alone, offline; structs have the size of C's; the corpus and large traces
read as they should; the examples run. Skipped where there is no cargo.

usage: rust_test.py LIBFXTREF.SO
"""
import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LIBRARY = os.path.abspath(sys.argv[1])
os.environ["FXTREF_LIBRARY"] = LIBRARY
sys.path[:0] = [os.path.join(ROOT, "bindings", "python"), os.path.dirname(HERE)]
import traces
from fxtref import abi


def layout():
    """A test in Rust: what C says of each struct, as the test of the Python package has compared it."""
    names = [name for name, it in vars(abi).items()
             if isinstance(it, type) and issubclass(it, ctypes.Structure) and it.__module__ == abi.__name__]
    assert len(names) > 40
    lines = ["    assert_eq!(std::mem::size_of::<fxtref_sys::%s>(), %d);" %
             (name, ctypes.sizeof(getattr(abi, name))) for name in names]
    return "#[test]\nfn sizes() {\n%s\n}\n" % "\n".join(lines)


def program(folder, code, commands):
    """A program of somebody else's, by the commands of the README."""
    os.makedirs(folder + "/program/src")
    with open(folder + "/program/Cargo.toml", "w", encoding="utf-8") as file:
        file.write('[package]\nname = "program"\nversion = "0.1.0"\nedition = "2021"\n'
                   '[dependencies]\nfxtref = { path = "../rust/fxtref" }\n')
    with open(folder + "/program/src/main.rs", "w", encoding="utf-8") as file:
        file.write(code)
    with open(folder + "/program/trace.fxt", "wb") as file:
        file.write(traces.trace_of([]))
    said = subprocess.run(["sh", "-ec", commands], cwd=folder + "/program", check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    assert said == "0 skipped, None\n", said


def main():
    os.environ["PATH"] = "/usr/bin:" + os.environ["PATH"]  # Debian's, before others
    if shutil.which("cargo") is None or shutil.which("rustc") is None:
        print("skipped: no cargo: apt-get install cargo rustc")
        return
    with tempfile.TemporaryDirectory() as folder:
        work = folder + "/rust"
        shutil.copytree(HERE, work)
        os.symlink(LIBRARY, folder + "/libfxtref.so")
        os.symlink(LIBRARY, folder + "/libfxtref.so.0.2")
        os.environ.update(CARGO_HOME=folder + "/cargo", CARGO_TARGET_DIR=folder + "/target")
        os.mkdir(work + "/fxtref-sys/tests")
        with open(work + "/fxtref-sys/tests/layout.rs", "w", encoding="utf-8") as file:
            file.write(layout())
        with open(work + "/README.md", encoding="utf-8") as file:
            text = file.read()
        code, = re.findall(r"^```rust\n(.*?)^```", text, re.M | re.S)
        commands, = re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)
        program(folder, code, commands.replace("/usr/local/lib", folder))
        os.environ.update(FXTREF_LIB_DIR=folder, LD_LIBRARY_PATH=folder)
        with open(work + "/fxtref/examples/readme.rs", "w", encoding="utf-8") as file:
            file.write(code)
        subprocess.run(["cargo", "test", "--offline", "--quiet", "--workspace"], cwd=work, check=True)
        subprocess.run(["cargo", "build", "--offline", "--quiet", "--examples"], cwd=work, check=True)
        examples = folder + "/target/debug/examples/"
        with open(work + "/trace.fxt", "wb") as file:
            # An instant at 7 with a string n and an int32 i, whose names are inline.
            words = [4 | 7 << 4 | 2 << 20 | 1 << 24, 7,
                     6 | 3 << 4 | 0x8001 << 16 | 0x8002 << 32, ord("n"), ord("h") | ord("i") << 8,
                     1 | 2 << 4 | 0x8001 << 16 | 5 << 32, ord("i")]
            file.write(traces.trace_of(words) + b"cut")
        said = subprocess.run([examples + "readme"], cwd=work, check=True, stdout=subprocess.PIPE,
                              text=True).stdout
        assert said == ('7 Instant n=hi i=Int(5)\n'
                        '0 skipped, Some(Error { offset: 64, rule: "REC-01" })\n'), said

        def events(trace):
            """The events that the adapter prints, and whether it skips a record."""
            with open(work + "/trace.fxt", "wb") as file:
                file.write(trace)
            done = subprocess.run([examples + "adapter", "trace.fxt"], cwd=work, check=False,
                                  stdout=subprocess.PIPE, text=True)
            return [json.loads(line) for line in done.stdout.splitlines()], done.returncode != 0

        (event,), skips = events(traces.names(20000))
        assert len(event["args"]) == 15 and not skips, event
        for count, resolved in (255, 255), (256, 254):  # besides provider 0
            found, skips = events(traces.providers(count))
            found = [(it["name"], it["ns"]) for it in found].count(({"hex": "6e"}, 1000000))
            assert (found, skips) == (resolved, resolved < count), (found, skips)
        run = [os.path.join(ROOT, "conformance", "run"), "--adapter", examples + "adapter {file}",
               "--level", "events", "--kinds", "tables,events,args"]
        done = subprocess.run(run, stdout=subprocess.PIPE, text=True, check=False)
        print(done.stdout)
        assert done.returncode == 0 and int(re.search(r"(\d+) passed", done.stdout).group(1)) > 1000


main()
