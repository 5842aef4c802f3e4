#!/usr/bin/env python3
"""usage: bazel run //:deb -- --output DIRECTORY

Writes Debian packages of what //:install installs: libfxtref0.2, libfxtref-dev, fxtref-tools and
fxtref-conformance. Needs dpkg-dev and binutils. The times in them are SOURCE_DATE_EPOCH, or that of
the commit.

Exit status: 0 success, 2 usage, 3 input or output failed.
"""

import fnmatch
import glob
import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

sys.dont_write_bytecode = True

HERE = os.path.abspath(__file__)
RUNFILES = next(top for top in (HERE + ".runfiles/fxtref", os.path.dirname(os.path.dirname(HERE)))
                if os.path.exists(os.path.join(top, "packaging/install.py")))
MAINTAINER = "fxtref maintainers <maintainers@fxtref.invalid>"

# Package: what of the installed tree it takes (the first that fits), and its fields of control.
PACKAGES = {
    "libfxtref0.2": ("usr/lib/*/lib*.so.*", """\
Section: libs
Multi-Arch: same
Depends: {shlibs}
Description: reference implementation of the Fuchsia trace format - libraries
 FXT is the binary trace format of Fuchsia. Perfetto and magic-trace read it.
 .
 This package has the shared libraries: a reader, writer and checker of the
 format, and the trace engine, trace provider, trace manager and its client,
 which record running programs.
"""),
    "libfxtref-dev": ("usr/include/* usr/lib/*/lib* usr/lib/*/pkgconfig/* usr/lib/*/cmake/* "
                      "usr/share/man/man3/* usr/share/doc/libfxtref-dev/*", """\
Section: libdevel
Multi-Arch: same
Depends: libfxtref0.2 (= {version}), libjansson-dev
Description: reference implementation of the Fuchsia trace format - development
 FXT is the binary trace format of Fuchsia. Perfetto and magic-trace read it.
 .
 This package has the headers, the static libraries, the manual pages of the
 headers, the specification, and files for pkg-config and CMake. It can be
 installed beside libfxt-dev, which is another FxT.
"""),
    "fxtref-tools": ("usr/bin/* usr/lib/*/fxtref/fxt.so usr/lib/systemd/* usr/share/man/* usr/share/bash-completion/* "
                     "usr/share/zsh/*", """\
Section: utils
Depends: {shlibs}
Description: checker, converter and recorder of the Fuchsia trace format
 FXT is the binary trace format of Fuchsia. Perfetto and magic-trace read it.
 .
 This package has fxt, which checks, prints, converts and assembles traces;
 trace and trace-manager, which record running programs; ktrace_provider,
 which traces the Linux kernel; and an extension for SQLite, by which it reads
 traces as tables.
"""),
    "fxtref-conformance": ("usr/share/fxtref/conformance/*", """\
Section: utils
Architecture: all
Depends: python3
Description: conformance suite of the Fuchsia trace format
 FXT is the binary trace format of Fuchsia. Perfetto and magic-trace read it.
 .
 This package has the specification, the vectors, and a runner that scores any
 reader, checker or writer of the format.
"""),
}


def run(*command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    os.chmod(path, mode)


def files(top):
    return sorted(os.path.relpath(os.path.join(directory, name), top)
                  for directory, _, names in os.walk(top) for name in names)


def binaries(tree):
    """Programs, shared libraries and the extension for SQLite."""
    return [path for pattern in ("bin/*", "lib/*/*.so.*.*", "lib/*/fxtref/*.so")
            for path in glob.glob(f"{tree}/usr/{pattern}")]


def stage(root, triplet, version):
    """The installed tree as Debian wants it: stripped, its pages compressed."""
    run(os.path.join(RUNFILES, "packaging/install"), "--prefix", "/usr", "--libdir",
        "lib/" + triplet, "--destdir", root)
    shutil.rmtree(f"{root}/usr/share/fxtref")
    for name in ("CHANGELOG.md", "LICENSE"):  # documents() writes them as Debian wants them
        os.remove(f"{root}/usr/share/doc/fxtref/{name}")
    os.rename(f"{root}/usr/share/doc/fxtref", f"{root}/usr/share/doc/libfxtref-dev")
    os.rename(f"{root}/usr/share/zsh/site-functions", f"{root}/usr/share/zsh/vendor-completions")
    for path in binaries(root):
        run("strip", "--strip-unneeded", "--remove-section=.comment", path)
    for path in glob.glob(f"{root}/usr/lib/{triplet}/*.a"):
        run("strip", "--strip-debug", "--remove-section=.comment", "--enable-deterministic-archives",
            path)
    for path in glob.glob(f"{root}/usr/share/man/*/*"):
        with open(path, "rb") as file:
            write(path + ".gz", gzip.compress(file.read(), 9, mtime=0))
        os.remove(path)
    suite = glob.glob(os.path.join(RUNFILES, "conformance/fxt-conformance-*.tar.gz"))[0]
    with tarfile.open(suite) as archive:
        archive.extractall(f"{root}/usr/share/fxtref")
    top = os.listdir(f"{root}/usr/share/fxtref")[0]
    os.rename(f"{root}/usr/share/fxtref/{top}", f"{root}/usr/share/fxtref/conformance")
    os.remove(f"{root}/usr/share/fxtref/conformance/LICENSE")
    assert version in top


def sort_out(root, packages):
    """Moves every file into the tree of the package that takes it."""
    for path in files(root):
        for package, (patterns, _) in PACKAGES.items():
            if any(fnmatch.fnmatch(path, pattern) for pattern in patterns.split()):
                target = os.path.join(packages, package, path)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                os.rename(os.path.join(root, path), target)
                break
        else:
            raise OSError(0, "no package takes this file", path)


def shared_libraries(tree, packages):
    """What dpkg-shlibdeps finds for the programs and libraries of a package."""
    write(f"{packages}/debian/control", "Source: fxtref\nMaintainer: x\n\nPackage: x\nArchitecture: any\n")
    found = run("dpkg-shlibdeps", "-O", *[f"-e{path}" for path in binaries(tree)], cwd=packages)
    return found.strip().split("Depends=", 1)[1]


def documents(tree, package, version, when):
    with open(os.path.join(RUNFILES, "LICENSE"), encoding="utf-8") as file:
        title, owner, *terms = file.read().strip().split("\n\n")
    assert title == "MIT License" and owner.startswith("Copyright (c) ")
    terms = "\n .\n".join(" " + part.replace("\n", "\n ") for part in terms)
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(when))
    write(f"{tree}/usr/share/doc/{package}/copyright",
          "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
          "Upstream-Name: fxtref\n\nFiles: *\n"
          f"Copyright: {owner.replace('(c)', '©')}\nLicense: Expat\n{terms}\n")
    write(f"{tree}/usr/share/doc/{package}/changelog.Debian.gz", gzip.compress(
        f"fxtref ({version}) unstable; urgency=medium\n\n  * The version that CHANGELOG.md describes.\n\n"
        f" -- {MAINTAINER}  {date}\n".encode(), 9, mtime=0))
    with open(os.path.join(RUNFILES, "CHANGELOG.md"), "rb") as file:
        write(f"{tree}/usr/share/doc/{package}/changelog.gz", gzip.compress(file.read(), 9, mtime=0))


def override(tree, package, tags):
    """What lintian may say: these packages are not uploaded, and LICENSE has no year."""
    write(f"{tree}/usr/share/lintian/overrides/{package}",
          "".join(f"{package}: {tag}\n" for tag in tags))


def library_control(tree, version):
    """shlibs, symbols and the trigger of ldconfig."""
    with open(os.path.join(RUNFILES, "packaging/symbols.txt"), encoding="utf-8") as file:
        names = [line.split() for line in file]
    sonames = sorted({soname for soname, _ in names})
    upstream = version.rsplit("-", 1)[0]
    write(f"{tree}/DEBIAN/shlibs", "".join(
        "{} {} libfxtref0.2 (>= {})\n".format(*soname.split(".so."), upstream) for soname in sonames))
    write(f"{tree}/DEBIAN/symbols", "".join(
        f"{soname} libfxtref0.2 #MINVER#\n* Build-Depends-Package: libfxtref-dev\n" +
        "".join(f" {name}@Base {upstream}\n" for own, name in names if own == soname)
        for soname in sonames))
    write(f"{tree}/DEBIAN/triggers", "activate-noawait ldconfig\n")


def control(tree, package, fields, values):
    size = sum(os.lstat(os.path.join(tree, path)).st_size // 1024 + 1 for path in files(tree))
    text = fields.format(**values)
    if "Architecture:" not in text:
        text = text.replace("Section:", f"Architecture: {values['architecture']}\nSection:", 1)
    head, description = text.split("Description:")
    sums = ""
    for path in files(tree):
        if not path.startswith("DEBIAN/") and not os.path.islink(f"{tree}/{path}"):
            with open(f"{tree}/{path}", "rb") as file:
                sums += f"{hashlib.md5(file.read()).hexdigest()}  {path}\n"
            os.utime(f"{tree}/{path}", (values["when"], values["when"]))
    write(f"{tree}/DEBIAN/md5sums", sums)
    write(f"{tree}/DEBIAN/control",
          f"Package: {package}\nSource: fxtref\nVersion: {values['version']}\nPriority: optional\n"
          f"Maintainer: {MAINTAINER}\nInstalled-Size: {size}\n{head}Description:{description}")


def build(output):
    sys.path.insert(0, os.path.join(RUNFILES, "packaging"))
    import install
    upstream = install.version(RUNFILES)
    when = int(os.environ.get("SOURCE_DATE_EPOCH") or run(
        "git", "log", "-1", "--format=%ct", cwd=os.environ.get("BUILD_WORKSPACE_DIRECTORY", ".")))
    os.makedirs(output, exist_ok=True)
    os.umask(0o022)
    values = {"version": upstream + "-1", "when": when,
              "architecture": run("dpkg-architecture", "-qDEB_HOST_ARCH").strip()}
    with tempfile.TemporaryDirectory() as room:
        stage(f"{room}/root", run("dpkg-architecture", "-qDEB_HOST_MULTIARCH").strip(), upstream)
        sort_out(f"{room}/root", f"{room}/packages")
        for package, (_, fields) in PACKAGES.items():
            tree = f"{room}/packages/{package}"
            os.makedirs(f"{tree}/DEBIAN")  # by which dpkg-shlibdeps knows a package's tree
            override(tree, package, ["initial-upload-closes-no-bugs *",
                                      "copyright-without-copyright-notice"])
            if "{shlibs}" in fields:
                values["shlibs"] = shared_libraries(tree, f"{room}/packages")
            documents(tree, package, values["version"], when)
            if package == "libfxtref0.2":
                library_control(tree, values["version"])
            control(tree, package, fields, values)
            run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", tree, output,
                env={**os.environ, "SOURCE_DATE_EPOCH": str(when)})
    print(f"deb: {len(PACKAGES)} packages in {output}")


def main():
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__, end="")
    elif len(sys.argv) == 3 and sys.argv[1] == "--output":
        build(os.path.join(os.environ.get("BUILD_WORKING_DIRECTORY", os.getcwd()), sys.argv[2]))
    else:
        print("deb: takes --output DIRECTORY; see --help", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        print(f"deb: {error.filename!r}: {error.strerror}", file=sys.stderr)
        sys.exit(3)
    except subprocess.CalledProcessError as error:
        print(f"deb: {' '.join(error.cmd[:2])} failed", file=sys.stderr)
        sys.exit(3)
