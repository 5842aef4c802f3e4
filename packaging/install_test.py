#!/usr/bin/env python3
"""What //:install installs serves programs from outside: by make and pkg-config, CMake, and Meson.

  install_test.py INSTALL

The programs of app/ are built in an empty directory against the installed tree, and print the same
each way.
"""

import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True

HERE = os.path.dirname(os.path.abspath(__file__))
INSTALL = os.path.abspath(sys.argv.pop(1))
ROOM = os.path.join(os.environ["TEST_TMPDIR"], "install test")
PREFIX = os.path.join(ROOM, "prefix")
RECORDS = "fxtref 0.2.0: 56 bytes, hello at 1000\n"


# Four threads that trace; with -DRACE they also race.
THREADS = """\
#include <pthread.h>
#include <trace/event.h>
#include <trace/file.h>
static int shared;
static void *trace(void *unused)
{
    (void)unused;
#ifdef RACE
    shared++;
#endif
    for (int i = 0; i < 2000; i++) {
        TRACE_DURATION("cat", "name", "i", TA_INT32(i));
    }
    return NULL;
}
int main(void)
{
    pthread_t threads[4];
    if (fxt_trace_start("out.fxt", NULL) != 0)
        return 1;
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, trace, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return fxt_trace_stop(NULL) != 0 || shared < 0;
}
"""

# A duration of 20 ns.
TRACE = """\
magic
thread index=1 process=100 thread=101
event duration_complete timestamp=10 thread=@1 category="cat" name="work" end=30 { }
"""


def run(*command, directory=ROOM, status=0, input=None, **environment):
    # What the test's own environment says of Bazel would mislead the installer.
    environment = {"PATH": os.environ["PATH"], "HOME": ROOM, "LC_ALL": "C", **environment}
    done = subprocess.run(command, cwd=directory, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False,
                          input=input)
    if done.returncode != status:
        raise AssertionError(f"{command}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


def install(*options, **more):
    return run(INSTALL, *options, **more)


def tree(top):
    return sorted(os.path.relpath(os.path.join(directory, name), top)
                  for directory, _, names in os.walk(top) for name in names)


class Installer(unittest.TestCase):
    def test_headers_bring_what_frama_c_reads(self):
        install("--prefix", "prover")
        include = os.path.join(ROOM, "prover/include/fxtref")
        names = sorted(os.listdir(os.path.join(include, "fxt")))
        text = "".join(f"#include <fxt/{name}>\n" for name in names if name.endswith(".h"))
        run("gcc", "-std=c11", "-fsyntax-only", "-D__FRAMAC__", "-I", include, "-x", "c", "-", input=text)
        self.assertTrue(os.path.exists(os.path.join(include, "spec/acsl/contracts/read.h")))

    def test_destdir_is_left_out_of_what_is_written_and_uninstall_leaves_nothing(self):
        destdir = os.path.join(ROOM, "stage")
        install("--prefix", "/opt/x", "--libdir", "lib/multi", "--destdir", "stage")
        installed = os.path.join(destdir, "opt/x")
        pkg = os.path.join(installed, "lib/multi/pkgconfig")
        self.assertIn(f"-L{pkg}/../../../lib/multi -lfxtref",
                      run("pkg-config", "--libs", "fxtref", PKG_CONFIG_PATH=pkg).replace("\\", ""))
        with open(os.path.join(installed, "lib/systemd/user/trace-manager.service"),
                  encoding="utf-8") as file:
            self.assertIn('\nExecStart="/opt/x/bin/trace-manager"\n', file.read())
        with open(os.path.join(installed, "share/fxtref/installed.txt"), encoding="utf-8") as file:
            self.assertEqual(file.read().splitlines(), tree(installed))
        mine = os.path.join(installed, "share/man/man1/mine.1")
        with open(mine, "w", encoding="utf-8"):
            pass
        install("--prefix", "/opt/x", "--destdir", "stage", "--uninstall")
        self.assertEqual(tree(destdir), ["opt/x/share/man/man1/mine.1"])
        shutil.rmtree(destdir)

    def test_every_mistake_is_one_line(self):
        for options, status, expected in [
            ([], 2, "install: no --prefix DIRECTORY given; see --help\n"),
            (["--prefix"], 2, "install: option --prefix requires argument; see --help\n"),
            (["--prefixes=/x"], 2, "install: option --prefixes not recognized; see --help\n"),
            (["--prefix=/x", "y"], 2, "install: takes no operand: 'y'; see --help\n"),
            (["--prefix=/x", "--libdir=/y"], 2,
             "install: --libdir must be relative to the prefix, not '/y'\n"),
            (["--prefix=/proc/x"], 3,
             "install: cannot write '/proc/x': No such file or directory\n"),
            (["--prefix=none", "--uninstall"], 3, f"install: nothing is installed in '{ROOM}/none': "
                                                  "no share/fxtref/installed.txt there\n"),
        ]:
            self.assertEqual(install(*options, status=status), expected)

    def test_uninstall_removes_nothing_outside_of_the_prefix(self):
        os.makedirs(os.path.join(ROOM, "bad/share/fxtref"))
        with open(os.path.join(ROOM, "kept"), "w", encoding="utf-8"):
            pass
        with open(os.path.join(ROOM, "bad/share/fxtref/installed.txt"), "w",
                  encoding="utf-8") as file:
            file.write("../kept\n")
        self.assertIn("'../kept'", install("--prefix=bad", "--uninstall", status=3))
        self.assertTrue(os.path.exists(os.path.join(ROOM, "kept")))

    def test_uninstall_goes_on_without_what_is_gone(self):
        top = os.path.join(ROOM, "gone")
        os.makedirs(top + "/lib")
        os.symlink("lib", top + "/lib64")
        install("--prefix", top, "--libdir", "lib64")
        shutil.rmtree(top + "/share/man/man1")
        shutil.rmtree(top + "/lib/systemd/user")
        install("--prefix", top, "--uninstall")
        self.assertEqual(sorted(os.listdir(top)), ["lib", "lib64"])
        self.assertEqual(os.listdir(top + "/lib"), [])

    def test_an_installation_that_failed_can_be_removed(self):
        top = os.path.join(ROOM, "half")
        os.makedirs(top + "/share/man/man1/trace.1/there")
        self.assertIn("cannot write", install("--prefix", top, status=3))
        self.assertTrue(os.path.exists(top + "/bin/fxt"))
        shutil.rmtree(top + "/share/man/man1/trace.1")
        install("--prefix", top, "--uninstall")
        self.assertEqual(os.listdir(top), [])

    def test_what_an_older_version_left_is_removed(self):
        top = os.path.join(ROOM, "older")
        install("--prefix", top)
        manifest = top + "/share/fxtref/installed.txt"
        with open(top + "/lib/old.so", "w", encoding="utf-8"), open(manifest, "a", encoding="utf-8") as file:
            file.write("lib/old.so\n")
        install("--prefix", top)
        self.assertFalse(os.path.exists(top + "/lib/old.so"))
        with open(manifest, encoding="utf-8") as file:
            self.assertEqual(file.read().splitlines(), tree(top))

    def test_uninstall_that_failed_can_be_repeated(self):
        top = os.path.join(ROOM, "again")
        install("--prefix", top)
        page = top + "/share/man/man3/fxt_read.3"
        os.remove(page)
        os.mkdir(page)
        self.assertEqual(install("--prefix", top, "--uninstall", status=3),
                         f"install: cannot remove '{page}': Is a directory\n")
        os.rmdir(page)
        install("--prefix", top, "--uninstall")
        self.assertEqual(os.listdir(top), [])


class Installed(unittest.TestCase):
    """Each way to the installed tree."""

    @classmethod
    def setUpClass(cls):
        install("--prefix", PREFIX)
        with open(os.path.join(PREFIX, "lib/libfxtref.a"), "rb") as file:
            if re.search(b"__(asan|msan|tsan)_init|__ubsan_handle", file.read()):
                raise unittest.SkipTest("the libraries need the run-time of a sanitizer")
        cls.paths = {"PKG_CONFIG_PATH": os.path.join(PREFIX, "lib/pkgconfig"),
                     "CMAKE_PREFIX_PATH": PREFIX,
                     "LD_LIBRARY_PATH": os.path.join(PREFIX, "lib")}

    def room(self, name):
        room = os.path.join(ROOM, name)
        shutil.copytree(os.path.join(HERE, "app"), room, symlinks=False)
        return room

    def check(self, room, ending=""):
        def program(name, *arguments):
            return run(os.path.join(room, name), *arguments, directory=room, **self.paths)

        self.assertEqual(program("records" + ending), RECORDS)
        if not ending:
            self.assertEqual(program("records_cpp"), RECORDS)
        self.assertEqual(program("traced" + ending, "out.fxt"), "")
        run(os.path.join(room, "traced" + ending), directory=room, FXT_TRACE_FILE="itself.fxt", **self.paths)
        fxt = os.path.join(PREFIX, "bin/fxt")
        for trace in "out.fxt", "itself.fxt":
            run(fxt, "check", os.path.join(room, trace))
            dump = run(fxt, "dump", "--json", os.path.join(room, trace))
            self.assertEqual(len(re.findall('"event"', dump)), 100)
        self.assertEqual(program("recording" + ending, "s"), "invalid argument\n")

    def test_make_and_pkg_config(self):
        room = self.room("make")
        run("make", "-s", directory=room, **self.paths)
        self.check(room)

    def test_pkg_config_static(self):
        room = self.room("static")
        run("make", "-s", "records", "STATIC=--static", directory=room, **self.paths)
        self.assertEqual(run(os.path.join(room, "records")), RECORDS)

    def test_cmake(self):
        room = self.room("cmake")
        run("cmake", ".", directory=room, **self.paths)
        run("make", directory=room, **self.paths)
        self.check(room)
        self.check(room, "_static")

    def test_cmake_finds_the_package_through_links(self):
        room = self.room("links")
        merged, spread = os.path.join(room, "merged"), os.path.join(room, "spread")
        shutil.copytree(PREFIX, merged + "/usr", symlinks=True)  # /lib leads to /usr/lib
        os.symlink("usr/lib", merged + "/lib")
        shutil.copytree(PREFIX, spread, symlinks=True)  # lib lies elsewhere
        os.rename(spread + "/lib", room + "/elsewhere")
        os.symlink("../elsewhere", spread + "/lib")
        for prefix in merged, spread:
            run("cmake", ".", "-B", prefix + "/build", f"-Dfxtref_DIR={prefix}/lib/cmake/fxtref",
                directory=room)
            run("make", "records", directory=prefix + "/build")
            self.assertEqual(run(prefix + "/build/records"), RECORDS)

    def test_cmake_refuses_another_minor_version(self):
        for version, status in [("0.2", 0), ("0.2.0", 0), ("0.3", 1), ("0.1", 1), ("1.0", 1)]:
            room = os.path.join(ROOM, "cmake-" + version)
            os.mkdir(room)
            with open(os.path.join(room, "CMakeLists.txt"), "w", encoding="utf-8") as file:
                file.write("cmake_minimum_required(VERSION 3.18)\nproject(x NONE)\n"
                           f"find_package(fxtref {version} REQUIRED)\n")
            run("cmake", ".", directory=room, status=status, **self.paths)

    def test_meson(self):
        room = self.room("meson")
        build = os.path.join(room, "build")
        run("meson", "setup", build, directory=room, **self.paths)
        run("ninja", directory=build, **self.paths)
        self.check(build)

    def test_the_shortest_way_of_the_page(self):
        with open(os.path.join(HERE, "../docs/install.md"), encoding="utf-8") as file:
            script = re.search(r"\n## In short\n\n```sh\n(.*?)```", file.read(), re.S)[1]
        self.assertEqual(script.count("program.c"), 2)
        script = script.replace("bazel run //:install --", "$INSTALL")
        for program in "records.c", "traced.c":
            script = script.replace("program.c", program, 1)
        home = os.path.join(os.environ["TEST_TMPDIR"], "home")
        shutil.copytree(os.path.join(HERE, "app"), home)
        run("bash", "-euc", script + "\n./a.out out.fxt",
            directory=home, HOME=home, INSTALL=INSTALL)
        run(os.path.join(PREFIX, "bin/fxt"), "check", os.path.join(home, "out.fxt"))

    def test_the_commands_of_the_page(self):
        """Each program that docs/install.md links runs."""
        with open(os.path.join(HERE, "../docs/install.md"), encoding="utf-8") as file:
            script = re.search(r"\n## Link\n\n```sh\n(.*?)```", file.read(), re.S)[1]
        self.assertEqual(script.count("program.c"), 2)
        script = re.sub("^(cc .*)$", r"\1\n./a.out; rm a.out", script, flags=re.M)
        home = os.path.join(os.environ["TEST_TMPDIR"], "page")
        shutil.copytree(os.path.join(HERE, "app"), home)
        os.symlink(PREFIX, os.path.join(home, "fxtref"))
        self.assertEqual(run("bash", "-euc", script.replace("program.c", "records.c"), directory=home, HOME=home),
                         2 * RECORDS)

    def test_the_command_of_the_manual_pages_links_what_is_needed_only(self):
        home = os.path.join(os.environ["TEST_TMPDIR"], "synopsis")
        shutil.copytree(os.path.join(HERE, "app"), home)
        os.symlink(PREFIX, os.path.join(home, "fxtref"))
        for page, program in ("fxt_read.3", "records.c"), ("trace_event.3", "traced.c"):
            with open(os.path.join(PREFIX, "share/man/man3", page), encoding="utf-8") as file:
                command = re.search("^(cc .*)$", file.read(), re.M)[1].replace("\\-", "-")
            self.assertIn("program.c", command)
            command = command.replace("program.c", program)
            run("sh", "-ec", command.replace("cc ", "cc -Wl,--as-needed ") + "; ./a.out out.fxt",
                directory=home, PKG_CONFIG_PATH=home + "/fxtref/lib/pkgconfig",
                LD_LIBRARY_PATH=home + "/fxtref/lib")

    @unittest.skipUnless(shutil.which("sqlite3"), "no sqlite3")
    def test_thread_sanitizer_finds_races_of_the_program_alone(self):
        room = self.room("tsan")
        shutil.copy(os.path.join(PREFIX, "share/doc/fxtref/tsan.supp"), room)
        with open(os.path.join(room, "threads.c"), "w", encoding="utf-8") as file:
            file.write(THREADS)
        for race, status in (((), 0), (("-DRACE",), 66)):
            flags = shlex.split(run("pkg-config", "--cflags", "--libs", "fxtref-trace", **self.paths))
            run("cc", "-g", "-fsanitize=thread", *race, "threads.c", *flags, "-pthread", "-o", "threads",
                directory=room)
            run("./threads", directory=room, status=status, TSAN_OPTIONS="suppressions=tsan.supp",
                **self.paths)

    def test_sqlite_loads_the_extension(self):
        room = self.room("sqlite")
        trace = os.path.join(room, "a.fxt")
        run(os.path.join(PREFIX, "bin/fxt"), "asm", "-", "-o", trace, input=TRACE)
        extension = os.path.join(PREFIX, "lib/fxtref/fxt")
        query = "select name, dur from slice"
        script = f".load '{extension}'\nselect fxt_open('{trace}') is null;\n{query};\n"
        self.assertEqual(run("sqlite3", "-batch", input=script), "1\nwork|20\n")
        db = sqlite3.connect(":memory:")
        if not hasattr(db, "enable_load_extension"):
            self.skipTest("this Python loads no extensions")
        db.enable_load_extension(True)
        db.load_extension(extension)
        db.execute("select fxt_open(?)", [trace])
        self.assertEqual(db.execute(query).fetchall(), [("work", 20)])

    def test_completions_are_where_shells_look(self):
        for directory, name in ("bash-completion/completions", "{}.bash"), ("zsh/site-functions", "_{}"):
            self.assertEqual(set(os.listdir(os.path.join(PREFIX, "share", directory))),
                             {name.format(it) for it in ("fxt", "ktrace_provider", "trace", "trace-manager")})

    def test_every_document_that_is_cited_is_installed(self):
        cited = set()
        for path in tree(PREFIX):
            if path.startswith(("include/", "share/man/")):
                with open(os.path.join(PREFIX, path), encoding="utf-8") as file:
                    cited |= set(re.findall(r"\b(?:docs|spec)/[\w/]+[.]md\b", file.read()))
        self.assertIn("spec/format.md", cited)
        self.assertEqual([name for name in sorted(cited)
                          if not os.path.exists(os.path.join(PREFIX, "share/doc/fxtref", name))], [])

    def test_manual_pages_have_a_name_and_no_warning(self):
        pages = [path for path in tree(PREFIX) if path.startswith("share/man/")]
        self.assertGreater(len(pages), 20)
        for path in pages:
            path = os.path.join(PREFIX, path)
            with open(path, encoding="utf-8") as file:  # quotes around whole arguments: roff drops others
                for line in re.findall(r"^\.[BIR]+ .*", file.read(), re.M):
                    self.assertRegex(line, r"^\.[BIR]+( +(\"[^\"]*\"|[^\" \n]+))+ *$")
            self.assertRegex(run("lexgrog", path), '"[^ ]+ - .+"')
            self.assertEqual(run("groff", "-man", "-Tutf8", "-ww", "-Kutf8", "-z", path), "")


if __name__ == "__main__":
    os.makedirs(ROOM)
    unittest.main()
