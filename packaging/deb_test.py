#!/usr/bin/env python3
"""The Debian packages are the same each time, please lintian, and serve a program from where dpkg
unpacks them, beside Debian's other FxT. What needs lintian or a mirror is skipped without them.

  deb_test.py DEB            all of it
  deb_test.py DEB --short    builds them once, and serves the program
"""

import glob
import os
import shutil
import subprocess
import sys

DEB = os.path.abspath(sys.argv[1])
TOP = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
ROOM = os.environ["TEST_TMPDIR"]
OTHER = ("libfxt2", "libfxt-dev")

OTHER_PROGRAM = """\
#include <stdint.h>
#include <stdio.h>
#include <fxt/fxt.h>
#include <fxt/version.h>

int main(void)
{
    printf("%s %d\\n", fxt_version(), fxt_setinfos != NULL);
    return 0;
}
"""


def run(*command, directory=ROOM, **environment):
    return subprocess.run(command, cwd=directory, check=True, stdout=subprocess.PIPE, text=True,
                          env={**os.environ, **environment}).stdout


def build(name, **environment):
    run(DEB, "--output", name, BUILD_WORKSPACE_DIRECTORY=TOP, **environment)
    return sorted(glob.glob(os.path.join(ROOM, name, "*.deb")))


def files(package):
    lines = run("dpkg-deb", "--contents", package).splitlines()
    return {line.split()[5] for line in lines if not line.startswith("d")}


def beside_the_other(root, paths):
    done = subprocess.run(["apt-get", "download", *OTHER], cwd=ROOM, check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if done.returncode != 0:
        print("skipped: no mirror to download libfxt-dev from")
        return
    others = [glob.glob(os.path.join(ROOM, f"{name}_*.deb"))[0] for name in OTHER]
    for other in others:
        for path in paths:
            assert not files(other) & files(path), (other, path)
        run("dpkg-deb", "--extract", other, root)
    with open(os.path.join(ROOM, "both.c"), "w", encoding="utf-8") as file:
        file.write("#include <stddef.h>\n" + OTHER_PROGRAM)
    lib = glob.glob(f"{root}/usr/lib/*/libfxt.so")[0]
    flags = run("pkg-config", "--cflags", "--libs", "fxtref",
                PKG_CONFIG_PATH=os.path.dirname(lib) + "/pkgconfig").split()
    run("cc", "both.c", "-o", "both", f"-I{root}/usr/include", *flags,
        "-L" + os.path.dirname(lib), "-lfxt", "-Wl,--no-as-needed")
    print(run("./both", LD_LIBRARY_PATH=os.path.dirname(lib)), end="")


def same_and_clean(paths):
    os.umask(0o077)
    build("second", TZ="Asia/Tokyo")
    run("diff", "-r", "first", "second")
    if shutil.which("lintian"):
        run("lintian", "--allow-root", "--profile=debian", "--fail-on=error,warning", *paths)
    else:
        print("skipped: lintian is not installed")


def main():
    paths = build("first", TZ="UTC")
    assert [os.path.basename(path).split("_")[0] for path in paths] == [
        "fxtref-conformance", "fxtref-tools", "libfxtref-dev", "libfxtref0.2"], paths
    short = "--short" in sys.argv
    if not short:
        same_and_clean(paths)
    root = os.path.join(ROOM, "root")
    for path in paths:
        run("dpkg-deb", "--extract", path, root)
    libraries = os.path.dirname(glob.glob(f"{root}/usr/lib/*/libfxtref.so.0.2")[0])
    app = shutil.copytree(os.path.join(TOP, "packaging/app"), os.path.join(ROOM, "app"))
    paths_of = {"PKG_CONFIG_PATH": f"{libraries}/pkgconfig", "LD_LIBRARY_PATH": libraries}
    run("make", "-s", directory=app, **paths_of)
    records = run("./records", directory=app, **paths_of)
    assert records == "fxtref 0.2.0: 56 bytes, hello at 1000\n", records
    run("./traced", "out.fxt", directory=app, **paths_of)
    run(f"{root}/usr/bin/fxt", "check", "out.fxt", directory=app)
    run("python3", f"{root}/usr/share/fxtref/conformance/run", "--help")
    if not short:
        beside_the_other(root, paths)


if __name__ == "__main__":
    main()
