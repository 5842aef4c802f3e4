#!/usr/bin/env python3
"""What programs were compiled with holds: the layouts of the public structs, the values of enums and
the types of the public functions are those that packaging/abi/ records.

  abi_test.py            compare
  abi_test.py --write    record: bazel run //packaging:abi_test -- --write

abidw of abigail-tools reads them from the debug information of each shared library, which is compiled
here for that alone, and abidiff says what changed. docs/install.md says which change needs which new
version. What the libraries export is symbols_test's.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

HEADERS = "src/include"
RECORDS = "packaging/abi"
# Structs of the library's own that have the file name of a public header, and so seem public.
SAMPLE = ["src/read/arg.c"]
PRIVATE = RECORDS + "/private.ini"
CC = ["gcc", "-std=c11", "-D_GNU_SOURCE", "-g", "-O0", "-w", "-fPIC", "-fvisibility=hidden"]
# Neither paths of this machine nor what does not touch a program.
DUMP = ["abidw", "--exported-interfaces-only", "--drop-private-types", "--drop-undefined-syms",
        "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--no-elf-needed",
        "--no-parameter-names", "--suppressions", PRIVATE]


def run(*command):
    subprocess.run(command, check=True)


def sources():
    """{library: its sources}"""
    found = {}
    with open("packaging/files.txt", encoding="utf-8") as file:
        for key, path in re.findall(r"^(fxtref\S*) (\S+\.c)$", file.read(), re.M):
            found.setdefault(key, []).append(path)
    return found


def build(name, paths, directory, headers=HEADERS):
    """The shared library of these sources, with debug information."""
    library = f"{directory}/lib{name}.so"
    objects = [f"{directory}/{path.replace('/', '_')}.o" for path in paths]
    for path, made in zip(paths, objects):
        run(*CC, "-I" + headers, "-I.", "-c", path, "-o", made)
    run("gcc", "-shared", "-Wl,-soname,lib%s.so.0.2" % name,
        f"-Wl,--version-script=packaging/exports/lib{name}.map", *objects, "-o", library)
    return library


def record(name, paths, out, headers=HEADERS):
    """Writes the interface of the library of these sources."""
    with tempfile.TemporaryDirectory() as directory:
        library = build(name, paths, directory, headers)
        run(*DUMP, "--headers-dir", headers, "--out-file", out, library)


def changes(before, after):
    """What abidiff says of two records; "" when nothing changed."""
    done = subprocess.run(["abidiff", before, after], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    # 1 and 2 are errors, 4 and 8 changes.
    if done.returncode & 3:
        raise AssertionError(done.stdout)
    return done.stdout or f"exit status {done.returncode}" if done.returncode else ""


def write():
    for name, paths in sources().items():
        record(name, paths, f"{RECORDS}/lib{name}.abi")


def copy_of_headers(directory, edit):
    """The public headers, one of them edited: (its path, a text in it, what stands there instead)."""
    path, before, after = edit
    run("cp", "-rL", HEADERS, directory + "/include")
    with open(f"{directory}/include/{path}", "r+", encoding="utf-8") as file:
        text = file.read()
        assert text.count(before) == 1, edit
        file.seek(0)
        file.write(text.replace(before, after))
        file.truncate()
    return directory + "/include"


class Interface(unittest.TestCase):
    def test_it_is_as_recorded(self):
        with tempfile.TemporaryDirectory() as directory:
            for name, paths in sources().items():
                with self.subTest(name):
                    record(name, paths, directory + "/now.abi")
                    self.assertEqual(changes(f"{RECORDS}/lib{name}.abi", directory + "/now.abi"), "",
                                     "\nif this is intended: bazel run //packaging:abi_test -- --write")

    def test_every_public_struct_is_recorded(self):
        recorded = set()
        for path in glob.glob(RECORDS + "/*.abi"):
            with open(path, encoding="utf-8") as file:
                recorded |= set(re.findall(r"<class-decl name='(\w+)' size-in-bits=", file.read()))
        public = set()
        for path in glob.glob(HEADERS + "/**/*.h", recursive=True):
            with open(path, encoding="utf-8") as file:
                public |= set(re.findall(r"^(?:typedef )?struct (\w+) \{", file.read(), re.M))
        self.assertGreater(len(public), 50)
        self.assertEqual(sorted(public - recorded), [])

    def test_a_change_is_refused(self):
        for edit, wanted in (
                (("fxt/record.h", "    uint16_t count;  /* arguments left */\n",
                  "    uint16_t count;\n    uint64_t more;\n"), r"type size changed from 192 to 256"),
                (("fxt/record.h", "    uint32_t words;  /* left", "    uint16_t words;  /* left"),
                 r"type of 'uint32_t words' changed"),
                (("fxt/status.h", "    FXT_END,", "    FXT_NEW,\n    FXT_END,"), r"FXT_END")):
            with self.subTest(edit), tempfile.TemporaryDirectory() as directory:
                before, after = directory + "/before.abi", directory + "/after.abi"
                headers = copy_of_headers(directory, edit)
                record("fxtref", SAMPLE, before)
                record("fxtref", SAMPLE, after, headers)
                self.assertEqual(changes(before, before), "")
                self.assertRegex(changes(before, after), wanted)


if __name__ == "__main__":
    if "--write" in sys.argv:
        os.chdir(os.environ["BUILD_WORKSPACE_DIRECTORY"])
        write()
    else:
        unittest.main()
