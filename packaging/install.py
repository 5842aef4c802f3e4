#!/usr/bin/env python3
"""usage: bazel run //:install -- --prefix DIRECTORY [OPTION]...

Installs the libraries, headers, programs, the extension for SQLite, manual pages, completions, and
what pkg-config, CMake and systemd need.

options:
  --prefix DIRECTORY    where the installed files will be used, such as /usr/local
  --destdir DIRECTORY   install below this directory, as packagers do: DESTDIR/PREFIX/...
  --libdir DIRECTORY    of the libraries, relative to the prefix (lib)
  --uninstall           remove what an installation with the same options put there
  -h, --help            print this help

Exit status: 0 success, 2 usage, 3 input or output failed.
"""

import getopt
import os
import re
import sys
from contextlib import suppress

sys.dont_write_bytecode = True

HERE = os.path.abspath(__file__)
SHARED = ("fxtref-auto",)  # has no static library
LIBRARIES = ("fxtref", "fxtref-trace", "fxtref-controller", "fxtref-manager")
PROGRAMS = ("src/tools/fxt/fxt", "src/tools/trace/trace", "src/manager/trace-manager",
            "src/kernel/ktrace_provider")
EXTENSION = "src/tools/fxt/sql/fxt.so"  # for SQLite
MANIFEST = "share/fxtref/installed.txt"


class Failure(Exception):
    """A line for the user, and the exit status."""

    def __init__(self, status, line):
        super().__init__(line)
        self.status = status


def runfiles():
    """The directory of Bazel in which all that is installed lies by its path."""
    for top in (HERE + ".runfiles/fxtref", os.path.dirname(os.path.dirname(HERE))):
        if os.path.exists(os.path.join(top, "packaging/libfxtref.a")):
            return top
    raise Failure(3, "the built files are not beside this script: run it by bazel run //:install")


def parse(arguments):
    try:
        pairs, rest = getopt.getopt(arguments, "h", ["prefix=", "destdir=", "libdir=", "uninstall",
                                                     "help"])
    except getopt.GetoptError as error:
        raise Failure(2, f"{error.msg}; see --help") from None
    options = dict(pairs)
    if "--help" in options or "-h" in options:
        print(__doc__, end="")
        sys.exit(0)
    if rest:
        raise Failure(2, f"takes no operand: {rest[0]!r}; see --help")
    if not options.get("--prefix"):
        raise Failure(2, "no --prefix DIRECTORY given; see --help")
    options.setdefault("--libdir", "lib")
    if os.path.isabs(options["--libdir"]) or ".." in options["--libdir"].split("/"):
        raise Failure(2, f"--libdir must be relative to the prefix, not {options['--libdir']!r}")
    return options


def version(top):
    with open(os.path.join(top, "src/include/fxt/version.h"), encoding="utf-8") as file:
        return re.search(r'#define FXT_VERSION "(.*)"', file.read())[1]


def filled_in(text, values):
    return re.sub(r"@(\w+)@", lambda match: values[match[1]], text)


def plan(top, prefix, libdir):
    """Path below the prefix -> (mode, bytes), or the target of a symbolic link."""
    sys.path.insert(0, os.path.join(top, "packaging"))
    import manpage
    from files import lines
    number = version(top)
    values = {"VERSION": number, "LIBDIR": libdir, "BINDIR": os.path.join(prefix, "bin"),
              "UP": "/".join(".." for _ in os.path.normpath(libdir).split("/")) + "/.."}
    files = {}

    def add(path, source, mode=0o644):
        with open(os.path.join(top, source), "rb") as file:
            files[path] = (mode, file.read())

    for program in PROGRAMS:
        add("bin/" + os.path.basename(program), program, 0o755)
    add(f"{libdir}/fxtref/fxt.so", EXTENSION)
    for name in LIBRARIES + SHARED:
        soname = f"lib{name}.so.{number.rsplit('.', 1)[0]}"
        if name not in SHARED:
            add(f"{libdir}/lib{name}.a", f"packaging/lib{name}.a")
        add(f"{libdir}/lib{name}.so.{number}", f"packaging/{soname}")
        files[f"{libdir}/{soname}"] = f"lib{name}.so.{number}"
        files[f"{libdir}/lib{name}.so"] = soname
    share = os.path.join(top, "packaging/share")
    for path in (os.path.join(directory, name) for directory, _, names in os.walk(share) for name in names):
        add("share/" + os.path.relpath(path, share), path)
    for key, path in ((key, path) for key, found in lines(top, ".*/$|man3$").items() for path in found):
        name = filled_in(key, values) + os.path.basename(path)
        if key == "man3":
            with open(os.path.join(top, path), encoding="utf-8") as file:
                page, text = manpage.page(number, path.split("include/")[1], file.read())
            files["share/man/man3/" + page] = (0o644, text.encode())
        elif key.endswith("/") and path.endswith(".in"):
            with open(os.path.join(top, path), encoding="utf-8") as file:
                files[name[:-len(".in")]] = (0o644, filled_in(file.read(), values).encode())
        elif key.endswith("/"):
            add(name, path)
    return files


def put(path, content):
    """Replaces the file at once, so that no one sees half of it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    temporary = path + ".new"
    if os.path.lexists(temporary):
        os.remove(temporary)
    try:
        if isinstance(content, str):
            os.symlink(content, temporary)
        else:
            with open(temporary, "wb") as file:
                file.write(content[1])
            os.chmod(temporary, content[0])
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            os.remove(temporary)
        raise


def remove_empty(root, directory):
    """Removes the directory below root, and those above it, up to one that is not empty or a link."""
    while directory:
        try:
            with suppress(FileNotFoundError):
                os.rmdir(os.path.join(root, directory))
        except OSError:
            return
        directory = os.path.dirname(directory)


def installed(root):
    """The paths that an installation put there; none, if there is no list of them."""
    try:
        with open(os.path.join(root, MANIFEST), encoding="utf-8") as file:
            paths = file.read().splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return []
    for path in paths:
        if os.path.isabs(path) or ".." in path.split("/"):
            raise Failure(3, f"{MANIFEST} in {root!r} is not from an installation: {path!r}")
    return paths


def remove(root, path):
    try:
        with suppress(FileNotFoundError, NotADirectoryError):
            os.remove(os.path.join(root, path))
    except OSError as error:
        raise Failure(3, f"cannot remove {error.filename!r}: {error.strerror}") from None
    remove_empty(root, os.path.dirname(path))


def uninstall(root):
    paths = installed(root)
    if not paths:
        raise Failure(3, f"nothing is installed in {root!r}: no {MANIFEST} there")
    for path in sorted(paths, key=lambda path: path == MANIFEST):  # last, for another attempt
        remove(root, path)
    print(f"install: removed {len(paths)} files from {root}")


def listed(paths):
    return 0o644, "".join(f"{path}\n" for path in sorted(paths)).encode()


def put_all(root, files):
    """What an older version has left goes. The list names all that is there, at any time."""
    paths = {*files, MANIFEST}
    old = set(installed(root)) - paths
    put(os.path.join(root, MANIFEST), listed(paths | old))
    for path, content in sorted(files.items()):
        put(os.path.join(root, path), content)
    for path in sorted(old):
        remove(root, path)
    put(os.path.join(root, MANIFEST), listed(paths))


def main():
    options = parse(sys.argv[1:])
    # bazel run changes the directory.
    here = os.environ.get("BUILD_WORKING_DIRECTORY", os.getcwd())
    prefix = os.path.normpath(os.path.join(here, options["--prefix"]))
    root = prefix
    if options.get("--destdir"):
        root = os.path.normpath(os.path.join(here, options["--destdir"], prefix[1:]))
    if "--uninstall" in options:
        uninstall(root)
        return
    try:
        files = plan(runfiles(), prefix, options["--libdir"])
    except OSError as error:
        raise Failure(3, f"cannot read {error.filename!r}: {error.strerror}") from None
    put_all(root, files)
    print(f"install: {len(files) + 1} files in {root}; they are listed in {MANIFEST} there")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        print(f"install: {failure}", file=sys.stderr)
        sys.exit(failure.status)
    except OSError as error:
        print(f"install: cannot write {error.filename!r}: {error.strerror}", file=sys.stderr)
        sys.exit(3)
