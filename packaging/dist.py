#!/usr/bin/env python3
"""usage: bazel run //:dist -- --output DIRECTORY

Writes what is published of a release, from the commit that is checked out:

  fxtref-VERSION.tar.gz                the sources
  fxtref-amalgamation-VERSION.tar.gz   fxtref.c, fxtref-trace.c, their headers and a CMakeLists.txt
  fxt-conformance-VERSION.tar.gz       the conformance suite (//conformance:archive)
  fxtref-VERSION.cdx.json              the bill of materials, in CycloneDX
  SHA256SUMS                           of all of them

The same commit gives the same bytes; times are those of the commit, or SOURCE_DATE_EPOCH.
Exit status: 0 success, 2 usage, 3 input or output failed.
"""

import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import time
import uuid

sys.dont_write_bytecode = True

HERE = os.path.abspath(__file__)
RUNFILES = next(top for top in (HERE + ".runfiles/fxtref", os.path.dirname(os.path.dirname(HERE)))
                if os.path.exists(os.path.join(top, "packaging/install.py")))
TOP = os.environ.get("BUILD_WORKSPACE_DIRECTORY", os.path.dirname(os.path.dirname(
    os.path.realpath(__file__))))

MADE = ["bindings/python/fxtref/abi.py", "bindings/rust/fxtref-sys/src/lib.rs"]

# Linked, not contained: pkg-config's name, licence, who needs it.
LINKED = [
    ("jansson", "MIT", "libfxtref-manager"),
    ("zlib", "Zlib", "fxt, trace"),
    ("libzstd", "BSD-3-Clause", "fxt, trace"),
    ("sqlite3", "blessing", "fxt"),
    ("libedit", "BSD-3-Clause", "fxt"),
    ("libtracecmd", "LGPL-2.1-only", "ktrace_provider"),
    ("libtraceevent", "LGPL-2.1-only", "ktrace_provider"),
]


def run(*command):
    return subprocess.run(command, cwd=TOP, check=True, stdout=subprocess.PIPE).stdout


def pack(path, top, members, when):
    """members: (name, mode, bytes)."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, mode, content in sorted(members):
            info = tarfile.TarInfo(f"{top}/{name}")
            info.size, info.mode, info.mtime = len(content), mode, when
            archive.addfile(info, io.BytesIO(content))
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(raw.getvalue())


def sources():
    """What is committed, and what is made: the bindings, and for cross builds what the programs print."""
    share = [os.path.join(directory, name) for directory, _, names in os.walk(RUNFILES + "/packaging/share")
             for name in names]
    for path in [os.path.join(RUNFILES, made) for made in MADE] + share:
        with open(path, "rb") as file:
            yield os.path.relpath(path, RUNFILES), 0o644, file.read()
    with tarfile.open(fileobj=io.BytesIO(run("git", "archive", "--format=tar", "HEAD"))) as archive:
        for member in archive:
            if member.isfile():
                yield (member.name, 0o755 if member.mode & 0o100 else 0o644,
                       archive.extractfile(member).read())
            elif not member.isdir():
                sys.exit(f"dist: {member.name}: neither a file nor a directory")


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def bill(version, source, when):
    own = f"pkg:generic/fxtref@{version}"
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, own + digest(source))}",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when)),
            "component": {
                "type": "library", "bom-ref": own, "name": "fxtref", "version": version,
                "purl": own, "licenses": [{"license": {"id": "MIT"}}],
                "hashes": [{"alg": "SHA-256", "content": digest(source)}],
            },
        },
        "components": [
            {"type": "library", "bom-ref": f"pkg:generic/{name}", "name": name,
             "licenses": [{"license": {"id": licence}}], "scope": "optional",
             "description": f"linked by {users}; not contained"}
            for name, licence, users in LINKED],
        "dependencies": [{"ref": own, "dependsOn": [f"pkg:generic/{name}" for name, _, _ in LINKED]}],
    }


def release(output):
    sys.path.insert(0, os.path.join(RUNFILES, "packaging"))
    import install
    version = install.version(RUNFILES)
    when = int(os.environ.get("SOURCE_DATE_EPOCH") or run("git", "log", "-1", "--format=%ct"))
    os.makedirs(output, exist_ok=True)
    names = [f"fxtref-{version}.tar.gz", f"fxtref-amalgamation-{version}.tar.gz",
             f"fxt-conformance-{version}.tar.gz", f"fxtref-{version}.cdx.json"]
    source, single, suite, materials = (os.path.join(output, name) for name in names)
    pack(source, f"fxtref-{version}", sources(), when)
    made = os.path.join(RUNFILES, "packaging/amalgamation")
    members = []
    for name in os.listdir(made):
        with open(os.path.join(made, name), "rb") as file:
            members.append((name, 0o644, file.read()))
    pack(single, f"fxtref-amalgamation-{version}", members, when)
    shutil.copyfile(os.path.join(RUNFILES, "conformance", names[2]), suite)
    with open(materials, "w", encoding="utf-8") as file:
        json.dump(bill(version, source, when), file, indent=1)
        file.write("\n")
    with open(os.path.join(output, "SHA256SUMS"), "w", encoding="utf-8") as file:
        file.writelines(f"{digest(os.path.join(output, name))}  {name}\n" for name in names)
    print(f"dist: {len(names)} files and SHA256SUMS in {output}")
    if run("git", "status", "--porcelain"):
        print("dist: the work tree has changes that are not committed: the sources are without them",
              file=sys.stderr)


def main():
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__, end="")
    elif len(sys.argv) == 3 and sys.argv[1] == "--output":
        here = os.environ.get("BUILD_WORKING_DIRECTORY", os.getcwd())
        release(os.path.join(here, sys.argv[2]))
    else:
        print("dist: takes --output DIRECTORY; see --help", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        print(f"dist: {error.filename!r}: {error.strerror}", file=sys.stderr)
        sys.exit(3)
    except subprocess.CalledProcessError as error:
        print(f"dist: {' '.join(error.cmd[:2])} failed in {TOP}", file=sys.stderr)
        sys.exit(3)
