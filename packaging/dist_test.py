#!/usr/bin/env python3
"""The files of a release are the same each time, and hold what they say.

  dist_test.py DIST LIBFXTREF.SO
"""

import json
import os
import shutil
import subprocess
import sys
import tarfile

DIST, LIBRARY = map(os.path.abspath, sys.argv[1:])
TOP = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
ROOM = os.environ["TEST_TMPDIR"]


def dist(name, **environment):
    output = os.path.join(ROOM, name)
    subprocess.run([DIST, "--output", output], check=True, cwd=ROOM,
                   env={**os.environ, "BUILD_WORKSPACE_DIRECTORY": TOP, **environment})
    return output


def cross(tree):
    """A cross build runs no program of its own, and installs the pages and completions of the archive."""
    def run(*command):
        subprocess.run(command, cwd=tree, check=True, stdout=subprocess.DEVNULL)

    with open(f"{tree}/cross.txt", "w", encoding="utf-8") as file:
        file.write("[host_machine]\nsystem = 'linux'\ncpu_family = 'x86_64'\ncpu = 'x86_64'\nendian = 'little'\n"
                   "[binaries]\nc = 'cc'\npkgconfig = 'pkg-config'\n")
    run("cmake", "-B", "cmake", "-DCMAKE_SYSTEM_NAME=Linux")
    with open(f"{tree}/cmake/cmake_install.cmake", encoding="utf-8") as file:
        assert f'TYPE DIRECTORY OPTIONAL FILES "{tree}/packaging/share"' in file.read()
    run("meson", "setup", "meson", "--cross-file=cross.txt")
    with open(f"{tree}/meson/meson-info/intro-installed.json", encoding="utf-8") as file:
        assert f"{tree}/packaging/share" in json.load(file)
    assert sorted(os.listdir(f"{tree}/packaging/share/man/man1")) == ["fxt.1", "trace.1"]


def bindings(tree):
    """The packages are whole, without the generator."""
    subprocess.run([sys.executable, "-B", "-c", "from fxtref import abi; abi.fxt_event"], cwd=f"{tree}/python",
                   check=True, env={**os.environ, "FXTREF_LIBRARY": LIBRARY})
    if shutil.which("cargo"):
        subprocess.run(["cargo", "check", "--offline", "--quiet"], cwd=f"{tree}/rust", check=True,
                       env={**os.environ, "CARGO_HOME": f"{ROOM}/cargo", "CARGO_TARGET_DIR": f"{ROOM}/target"})


def main():
    if subprocess.run(["git", "rev-parse", "HEAD"], cwd=TOP, stdout=subprocess.DEVNULL,
                      check=False).returncode != 0:
        print("skipped: this is no git work tree")
        return
    first = dist("first", TZ="UTC")
    os.umask(0o077)
    second = dist("second", TZ="Asia/Tokyo")
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=first, check=True)
    subprocess.run(["diff", "-r", first, second], check=True)
    assert len(os.listdir(first)) == 5, os.listdir(first)

    with tarfile.open(os.path.join(first, "fxtref-0.2.0.tar.gz")) as archive:
        names = archive.getnames()
        assert all(name.startswith("fxtref-0.2.0/") for name in names)
        assert {member.uid for member in archive} == {0}
        archive.extractall(ROOM)
        subprocess.run([sys.executable, "packaging/files.py"], cwd=os.path.join(ROOM, "fxtref-0.2.0"), check=True,
                       stdout=subprocess.DEVNULL)  # each line of files.txt names a file that is there
        cross(os.path.join(ROOM, "fxtref-0.2.0"))
        bindings(os.path.join(ROOM, "fxtref-0.2.0/bindings"))
        assert archive.getmember("fxtref-0.2.0/setup").mode == 0o755
    with tarfile.open(os.path.join(first, "fxtref-amalgamation-0.2.0.tar.gz")) as archive:
        assert len(archive.getnames()) == 5, archive.getnames()
    with open(os.path.join(first, "fxtref-0.2.0.cdx.json"), encoding="utf-8") as file:
        bill = json.load(file)
    sums = open(os.path.join(first, "SHA256SUMS"), encoding="utf-8").read()
    component = bill["metadata"]["component"]
    assert bill["bomFormat"] == "CycloneDX" and component["version"] == "0.2.0"
    assert component["hashes"][0]["content"] + "  fxtref-0.2.0.tar.gz\n" in sums
    for arguments in [], ["--output"], ["x"]:
        done = subprocess.run([DIST, *arguments], stderr=subprocess.PIPE, text=True, check=False)
        assert done.returncode == 2 and done.stderr.count("\n") == 1, done


if __name__ == "__main__":
    main()
