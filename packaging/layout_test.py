#!/usr/bin/env python3
"""CMake and Meson install what //:install installs.

  layout_test.py INSTALL            compares what they would install, and builds libfxtref with each
  layout_test.py INSTALL --build    builds and installs all with each, compares files and symbols
"""

import filecmp
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
PREFIX = "/opt/fxtref"
RECORDS = "fxtref 0.2.0: 56 bytes, hello at 1000\n"
MANIFEST = "share/fxtref/installed.txt"  # of //:install alone
NO_PACKAGES = {"PKG_CONFIG_LIBDIR": "/nonexistent", "PKG_CONFIG_PATH": ""}  # pkg-config finds none


def run(*command, **environment):
    done = subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command}: exit status {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout


def tree(top):
    return {os.path.relpath(os.path.join(directory, name), top)
            for directory, _, names in os.walk(top) for name in names}


def cmake(room, *options, **environment):
    run("cmake", "-S", TOP, "-B", f"{room}/cmake", f"-DCMAKE_INSTALL_PREFIX={PREFIX}",
        "-DCMAKE_INSTALL_LIBDIR=lib", *options, **environment)
    with open(f"{room}/cmake/cmake_install.cmake", encoding="utf-8") as file:
        text = file.read()
    found = set()
    for directory, kind, files in re.findall(
            r'file\(INSTALL DESTINATION "\$\{CMAKE_INSTALL_PREFIX\}/(\S*?)" TYPE (\w+) .*?'
            r'FILES((?:\s+"[^"]+")+)', text):
        names = {os.path.basename(name) for name in re.findall(r'"([^"]+)"', files)}
        found |= {f"{directory}/{name}" for name in names if kind != "DIRECTORY"}
    return found


def meson(room, *options, **environment):
    run("meson", "setup", f"{room}/meson", TOP, f"--prefix={PREFIX}", "--libdir=lib", *options,
        **environment)
    plan = json.loads(run("meson", "introspect", "--installed", f"{room}/meson"))
    return {os.path.relpath(path, PREFIX) for path in plan.values()} - {"share", "share/man/man3"}


def symbols(library):
    lines = run("nm", "-D", "--defined-only", "--format=posix", library).splitlines()
    return {line.split()[0] for line in lines}


def compare(name, found, expected):
    return [f"{name}: {path}: {'missing' if path in expected else 'not installed by //:install'}"
            for path in sorted(found ^ expected)]


def compare_trees(name, top, expected):
    failures = compare(name, tree(top), tree(expected))
    for path in tree(top) & tree(expected):
        a, b = f"{top}/{path}", f"{expected}/{path}"
        if ".so." in path and symbols(a) != symbols(b):
            failures.append(f"{name}: {path}: exports {sorted(symbols(a) ^ symbols(b))}")
        elif path.startswith(("include/", "share/")) or path.endswith((".pc", ".cmake", ".service")):
            if not filecmp.cmp(a, b, shallow=False):
                failures.append(f"{name}: {path}: differs")
    return failures


def fetched(room):
    """A CMake project takes the whole tree by FetchContent, whatever its own settings are."""
    app = shutil.copytree(f"{TOP}/packaging/app", f"{room}/app")
    with open(f"{app}/CMakeLists.txt", "w", encoding="utf-8") as file:
        file.write("cmake_minimum_required(VERSION 3.18)\nproject(app C)\ninclude(FetchContent)\n"
                   f"FetchContent_Declare(fxtref SOURCE_DIR {TOP})\n"
                   "FetchContent_MakeAvailable(fxtref)\nadd_executable(records records.c)\n"
                   "target_link_libraries(records fxtref::fxt)\n")
    run("cmake", "-S", app, "-B", f"{app}/build", "-DCMAKE_C_COMPILER=clang", "-DCMAKE_UNITY_BUILD=ON",
        "-DCMAKE_C_FLAGS=-fsanitize=undefined", f"-DCMAKE_INSTALL_LIBDIR={PREFIX}/lib")
    run("cmake", "--build", f"{app}/build", "-j2")
    output = run(f"{app}/build/records")
    return [] if output == RECORDS else [f"fetched: {output}"]


def watched(room):
    """CMake configures again when the list of the sources, a file in a room or the version has changed."""
    with open(f"{room}/cmake/CMakeFiles/Makefile.cmake", encoding="utf-8") as file:
        text = file.read()
    with open(f"{room}/cmake/CMakeFiles/VerifyGlobs.cmake", encoding="utf-8") as file:
        text += file.read()
    return [f"cmake: does not watch {path}"
            for path in ("packaging/files.txt", "src/include/fxt/version.h", "src/read/*.c", "src/include/fxt/*.h")
            if f'"{TOP}/{path}"' not in text]


def link(room, expected):
    """libfxtref, built with each, exports the same and serves a program."""
    run("cmake", "--build", f"{room}/cmake", "--target", "fxtref", "-j2")
    run("meson", "compile", "-C", f"{room}/meson", "fxtref:shared_library")
    failures = []
    for name in "cmake", "meson":
        library = f"{room}/{name}/libfxtref.so.0.2"
        if symbols(library) != symbols(f"{expected}/lib/libfxtref.so.0.2"):
            failures.append(f"{name}: libfxtref exports something else")
        run("cc", f"{TOP}/packaging/app/records.c", f"-I{expected}/include/fxtref", library, "-o",
            f"{room}/records")
        output = run(f"{room}/records", LD_LIBRARY_PATH=f"{room}/{name}")
        failures += [] if output == RECORDS else [f"{name}: {output}"]
    return failures


def alone(room):
    """Without tracing and programs, nothing is installed that needs them, and nothing is needed."""
    plans = {
        "CMake": cmake(f"{room}/alone", "-DFXTREF_TRACING=OFF", "-DFXTREF_PROGRAMS=OFF",
                       "-DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON", **NO_PACKAGES),
        "Meson": meson(f"{room}/alone", "-Dtracing=disabled", "-Dprograms=disabled", **NO_PACKAGES),
    }
    of_libfxtref = re.compile(r"include/fxtref/(fxt|spec/acsl)/|lib/(libfxtref|pkgconfig/fxtref|cmake/fxtref/fxtref-"
                              r"config(-version)?)\.|share/doc/fxtref/")
    failures = []
    for name, found in plans.items():
        failures += [f"alone, {name}: {path}: not of libfxtref" for path in sorted(found)
                     if not of_libfxtref.match(path)]
        failures += [] if "lib/pkgconfig/fxtref.pc" in found else [f"alone, {name}: no fxtref.pc"]
    return failures


def subproject(room):
    """A Meson project with this tree in subprojects/ needs and installs no more than it asks for."""
    app = shutil.copytree(f"{TOP}/packaging/app", f"{room}/outer")
    os.mkdir(f"{app}/subprojects")
    os.symlink(TOP, f"{app}/subprojects/fxtref")
    with open(f"{app}/meson.build", "w", encoding="utf-8") as file:
        file.write("project('outer', 'c')\n"
                   "executable('records', 'records.c', dependencies: dependency('fxtref',\n"
                   "           fallback: 'fxtref'), install: true)\n")
    run("meson", "setup", f"{app}/build", app, "--buildtype=debug", "--unity=on", "--libdir=/opt/lib",
        **NO_PACKAGES)
    run("meson", "compile", "-C", f"{app}/build", **NO_PACKAGES)
    output = run(f"{app}/build/records")
    failures = [] if output == RECORDS else [f"subproject: {output}"]
    installed = json.loads(run("meson", "introspect", "--installed", f"{app}/build"))
    names = {os.path.basename(path) for path in installed}
    failures += [] if names == {"records"} else [f"subproject: installs {sorted(names)}"]
    with open(f"{app}/meson.build", "a", encoding="utf-8") as file:
        file.write("executable('traced', 'traced.c', dependencies: dependency('fxtref-trace'))\n")
    run("meson", "setup", f"{app}/traced", app, "-Dfxtref:install=enabled",
        "-Dfxtref:default_library=static")
    installed = json.loads(run("meson", "introspect", "--installed", f"{app}/traced"))
    names = {os.path.basename(path) for path in installed}
    return failures + ([] if {"libfxtref-trace.a", "fxtref-trace.pc"} <= names and "fxt" not in names
                       else [f"subproject: installs {sorted(names)}"])


def main():
    install, build = os.path.abspath(sys.argv[1]), "--build" in sys.argv
    with tempfile.TemporaryDirectory() as room:
        run(install, "--prefix", PREFIX, "--destdir", f"{room}/bazel")
        expected = f"{room}/bazel{PREFIX}"
        os.remove(f"{expected}/{MANIFEST}")
        made = "share/man/", "share/bash-completion/", "share/zsh/"  # when all is built
        files = {path for path in tree(expected) if not path.startswith(made)}
        plain = {path for path in files if not os.path.islink(f"{expected}/{path}")}
        debug = [] if build else ["-DCMAKE_BUILD_TYPE=Debug"], [] if build else ["--buildtype=debug"]
        plans = cmake(room, *debug[0]), meson(room, *debug[1])
        if build:
            run("cmake", "--build", f"{room}/cmake", "-j2")
            run("cmake", "--install", f"{room}/cmake", DESTDIR=f"{room}/by cmake")
            run("meson", "install", "-C", f"{room}/meson", DESTDIR=f"{room}/by meson")
            failures = compare_trees("CMake", f"{room}/by cmake{PREFIX}", expected)
            failures += compare_trees("Meson", f"{room}/by meson{PREFIX}", expected)
        else:
            links = re.compile(r"/lib[^/]*\.so(\.\d+\.\d+)?$")
            failures = [line for name, plan in zip(("CMake", "Meson"), plans) for line in
                        compare(name, {path for path in plan if not links.search(path)}, plain)]
            failures += watched(room)
            failures += link(room, expected)
            failures += alone(room)
            failures += subproject(room)
            failures += fetched(room)
        sys.exit("\n".join(failures) if failures else 0)


if __name__ == "__main__":
    main()
