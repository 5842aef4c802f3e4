#!/usr/bin/env python3
"""fxtref.c and fxtref-trace.c are the tree: the same tokens after the preprocessor. They compile where
they promise to, and serve a CMake project that takes them by FetchContent.
"""

import os
import re
import shutil
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, "packaging")
import files

TOP = os.getcwd()
MADE = os.path.join(TOP, "packaging/amalgamation")
ROOM = os.path.join(os.environ["TEST_TMPDIR"], "room")
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|\w+|[^\s\w]')
MARK = re.compile(r'# \d+ "(.*?)"(.*)')
CC = os.environ.get("CC", "cc")
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]


def run(*command, directory=ROOM, **environment):
    done = subprocess.run(command, cwd=directory, env={**os.environ, **environment},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{command}: exit status {done.returncode}\n{done.stdout[:4000]}")
    return done.stdout


def amalgamate(name, *options):
    directory = os.path.join(ROOM, name)
    run(sys.executable, "packaging/amalgamate.py", directory, *options, directory=TOP)
    return directory


def tokens(*command):
    """File of the tree -> its tokens after the preprocessor, in the order of the output."""
    found, current = {}, None
    for line in run(CC, "-std=c11", "-D_GNU_SOURCE", "-E", *command, directory=TOP).splitlines():
        mark = MARK.match(line)
        if mark:
            current = mark[1] if mark[1].startswith("src/") else None
        elif current and not line.startswith("#"):
            found.setdefault(current, []).extend(TOKEN.findall(line))
    return found


def sources(library):
    return [path for path in files.lines(".", library + "$")[library]
            if path != "packaging/inline.c"]


def prefix_of(path):
    return re.sub(r"\W", "_", path[len("src/"):-len(".c")]) + "_"


class Amalgamation(unittest.TestCase):
    def test_the_tokens_are_those_of_the_tree(self):
        lined = amalgamate("lined", "--lines")
        everything = set()
        for library in ("fxtref", "fxtref-trace"):
            tree = {}
            for path in sources(library):
                for file, words in tokens("-Isrc/include", "-I.", path).items():
                    if file.endswith(".inc") and file in tree:
                        tree[file] += words
                    else:
                        tree.setdefault(file, words)
            single = tokens("-I" + lined, os.path.join(lined, library + ".c"))
            for file, words in tree.items():
                with self.subTest(file=file):
                    prefix = prefix_of(file) if file.endswith(".c") else "\0"
                    known = set(words)
                    own = [word if word in known else word.replace(prefix, "")
                           for word in single.get(file, [])]
                    self.assertEqual(own, words)
            self.assertEqual([file for file in single if file.endswith(".c") and file not in tree],
                             [])
            everything |= set(tree)
        self.assertGreater(len(everything), 80)

    def test_what_is_shipped_is_what_is_compared_without_its_lines(self):
        lined, plain = amalgamate("lined", "--lines"), amalgamate("plain")
        for name in sorted(os.listdir(plain)):
            with open(os.path.join(plain, name), encoding="utf-8") as file:
                expected = file.read()
            with open(os.path.join(MADE, name), encoding="utf-8") as file:
                self.assertEqual(file.read(), expected)
            with open(os.path.join(lined, name), encoding="utf-8") as file:
                text = re.sub(r"^#line .*\n", "", file.read(), flags=re.M)
            expected = re.sub(r"^/\* (?:src|spec)/\S+ \*/\n", "", expected, flags=re.M)
            self.assertEqual(re.sub(r"\n+", "\n", text), re.sub(r"\n+", "\n", expected))

    def test_fxtref_needs_three_functions_of_any_library(self):
        run(CC, "-std=c11", *STRICT, "-O2", "-ffreestanding", "-fno-stack-protector", "-c",
            os.path.join(MADE, "fxtref.c"), "-o", "free.o")
        needed = set(run("nm", "--undefined-only", "--format=posix", "free.o").split("\n"))
        needed = {line.split()[0] for line in needed if line} - {"_GLOBAL_OFFSET_TABLE_"}
        self.assertLessEqual(needed, {"memcpy", "memmove", "memset"})

    def test_clang_compiles_fxtref_for_machines_without_a_system(self):
        own = os.path.join(ROOM, "own")
        os.makedirs(own)
        with open(os.path.join(own, "string.h"), "w", encoding="utf-8") as file:
            file.write("#include <stddef.h>\nvoid *memcpy(void *, const void *, size_t);\n"
                       "void *memmove(void *, const void *, size_t);\n"
                       "void *memset(void *, int, size_t);\n")
        for target in ("aarch64-none-elf", "armv6m-none-eabi", "mips-none-elf", "riscv32-none-elf",
                       "s390x-none-elf", "wasm32-none"):
            with self.subTest(target=target):
                run("clang", "--target=" + target, "-std=c11", *STRICT, "-ffreestanding",
                    "-nostdlibinc", "-isystem", own, "-c", os.path.join(MADE, "fxtref.c"), "-o", "t.o")
                if target == "wasm32-none":  # which nm does not read
                    continue
                for line in run("nm", "--undefined-only", "--format=posix", "t.o").splitlines():
                    # The others are the compiler's own, of libgcc or compiler-rt.
                    self.assertRegex(line, r"^(mem(cpy|move|set)|__u(div|mod)di3|__aeabi_\w+) ")

    def test_the_engine_compiles_without_a_warning(self):
        for compiler in (CC, "clang"):
            for level in ("-O0", "-O2"):
                with self.subTest(compiler=compiler, level=level):
                    run(compiler, "-std=c11", *STRICT, level, "-c",
                        os.path.join(MADE, "fxtref-trace.c"), "-o", "trace.o")

    def test_only_the_interface_is_exported(self):
        run(CC, "-std=c11", *STRICT, "-O0", "-fPIC", "-shared", "-o", "libone.so",
            os.path.join(MADE, "fxtref.c"))
        names = {line.split()[-1] for line in
                 run("nm", "-D", "--defined-only", "libone.so").splitlines()}
        with open(os.path.join(TOP, "packaging/symbols.txt"), encoding="utf-8") as file:
            recorded = {line.split()[1] for line in file if line.startswith("libfxtref.so.")}
        with open(os.path.join(MADE, "fxtref.h"), encoding="utf-8") as file:
            inline = set(re.findall(r"^static inline\b[^;{]*?\b(fxt_\w+)\(",
                                    file.read(), re.M))
        self.assertEqual({name for name in names if not name.startswith("_")}, recorded - inline)

    def test_two_libraries_that_hide_their_copies_do_not_call_each_other(self):
        for name in ("one", "two"):
            with open(os.path.join(ROOM, name + ".c"), "w", encoding="utf-8") as file:
                file.write(f'#include "fxtref.h"\nconst char *{name}(void);\n'
                           f'const char *{name}(void)\n{{\n    return fxt_version();\n}}\n')
            with open(os.path.join(MADE, "fxtref.c"), encoding="utf-8") as file:
                text = file.read().replace(' = FXT_VERSION;', f' = "{name}";')
            with open(os.path.join(ROOM, name + "_copy.c"), "w", encoding="utf-8") as file:
                file.write(text)
            run(CC, "-std=c11", *STRICT, "-O0", "-fPIC", "-shared", "-DFXT_HIDDEN", "-I" + MADE,
                "-o", f"lib{name}.so", name + "_copy.c", name + ".c")
            names = run("nm", "-D", "--defined-only", f"lib{name}.so").splitlines()
            self.assertEqual([line.split()[-1] for line in names if " _" not in line], [name])
        with open(os.path.join(ROOM, "both.c"), "w", encoding="utf-8") as file:
            file.write("#include <stdio.h>\nconst char *one(void);\nconst char *two(void);\n"
                       'int main(void)\n{\n    printf("%s %s\\n", one(), two());\n}\n')
        run(CC, "both.c", "-o", "both", "-L.", "-lone", "-ltwo", "-Wl,-rpath," + ROOM)
        self.assertEqual(run("./both"), "one two\n")

    def test_an_engine_can_be_hidden(self):
        run(CC, "-std=c11", *STRICT, "-O0", "-fPIC", "-shared", "-DFXT_HIDDEN", "-o", "libhide.so",
            os.path.join(MADE, "fxtref-trace.c"), os.path.join(MADE, "fxtref.c"))
        names = run("nm", "-D", "--defined-only", "libhide.so").splitlines()
        self.assertEqual([line.split()[-1] for line in names if " _" not in line], [])

    def test_the_headers_are_c99_and_cpp11(self):
        for compiler, language, name, text in [
            (CC, "-std=c99", "h.c", '#include "fxtref.h"\n'),
            (CC, "-std=c99", "h.c", '#include "fxtref.h"\n#include "fxtref.h"\nint x;\n'),
            ("c++", "-std=c++11", "h.cc", '#include "fxtref.h"\n'),
            (CC, "-std=c11", "h.c", '#include "fxtref-trace.h"\n#include "fxtref.h"\n'),
            ("c++", "-std=c++11", "h.cc", '#include "fxtref-trace.h"\n'),
        ]:
            with self.subTest(language=language, text=text):
                with open(os.path.join(ROOM, name), "w", encoding="utf-8") as file:
                    file.write(text)
                run(compiler, language, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I" + MADE,
                    name)

    def test_fetch_content(self):
        project = os.path.join(ROOM, "fetch")
        shutil.copytree(os.path.join(TOP, "packaging/app"), project)
        with open(os.path.join(project, "CMakeLists.txt"), "w", encoding="utf-8") as file:
            file.write("cmake_minimum_required(VERSION 3.18)\nproject(app C)\ninclude(FetchContent)\n"
                       f"FetchContent_Declare(fxtref SOURCE_DIR {MADE})\n"
                       "FetchContent_MakeAvailable(fxtref)\n"
                       "add_compile_definitions(AMALGAMATION)\n"
                       "set(CMAKE_C_FLAGS \"${CMAKE_C_FLAGS} -Wall -Werror\")\n"
                       "add_executable(records records.c)\n"
                       "target_link_libraries(records fxtref::fxt)\n"
                       "add_executable(traced traced.c)\n"
                       "target_link_libraries(traced fxtref::trace)\n")
        run("cmake", ".", directory=project)
        run("make", directory=project)
        self.assertEqual(run("./records", directory=project),
                         "fxtref 0.2.0: 56 bytes, hello at 1000\n")
        run("./traced", "out.fxt", directory=project)
        self.assertGreater(os.path.getsize(os.path.join(project, "out.fxt")), 1000)
        run("./traced", directory=project, FXT_TRACE_FILE="itself.fxt")
        self.assertGreater(os.path.getsize(os.path.join(project, "itself.fxt")), 1000)


if __name__ == "__main__":
    os.makedirs(ROOM)
    unittest.main()
