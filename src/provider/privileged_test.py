#!/usr/bin/python3
"""A program that has more rights than its caller is no provider: it does not tell the caller's
manager what it traces, and makes no directory where the caller's environment says. Neither does
one that root runs with another user's environment.

Usage: privileged_test.py TRACE SECRET

Runs copies of SECRET that are set-user-ID and set-group-ID as another user; so it needs root.
"""

import os
import shutil
import subprocess
import sys
import tempfile

TRACE, SECRET = (os.path.abspath(path) for path in sys.argv[1:])
CALLER = 54321  # a user and group of no name
NOBODY = 65534
# The leak sanitizer cannot look into a program with other rights.
ENVIRONMENT = {"PATH": "/bin:/usr/bin", "ASAN_OPTIONS": "detect_leaks=0"}


def can_run():
    """Whether this process may become another user, and /tmp honours the bits."""
    if os.geteuid() != 0:
        return "skipped: not root"
    if os.statvfs("/tmp").f_flag & os.ST_NOSUID:
        return "skipped: /tmp is mounted nosuid"
    try:
        subprocess.run(["/bin/true"], check=True, user=CALLER, group=CALLER, extra_groups=[])
    except (OSError, subprocess.SubprocessError):
        return "skipped: this sandbox has no other users"
    return None


def copy(work, name, owner, group, mode):
    path = os.path.join(work, name)
    shutil.copy(SECRET, path)
    os.chown(path, owner, group)
    os.chmod(path, mode)
    return path


def run(command, sockets):
    return subprocess.run(command, stdout=subprocess.PIPE, universal_newlines=True, timeout=120,
                          user=CALLER, group=CALLER, extra_groups=[],
                          env=dict(ENVIRONMENT, FXT_TRACE_DIR=sockets))


def recorded(work, program):
    """What it says when the caller records it, and whether its secret is in the archive."""
    archive = program + ".fxt"
    done = run([os.path.join(work, "trace"), "record", "--output-file=" + archive, "--", program],
               os.path.join(work, "own"))
    with open(archive, "rb") as file:
        return done.stdout.splitlines()[0], b"the secret" in file.read()


def leaves_runtime_directory(work, program):
    """Root, with the environment of the caller: what is in the caller's runtime directory."""
    runtime = os.path.join(work, "runtime")
    os.mkdir(runtime, 0o700)
    os.chown(runtime, CALLER, CALLER)
    subprocess.run([program], check=True, stdout=subprocess.DEVNULL, timeout=120,
                   env=dict(ENVIRONMENT, XDG_RUNTIME_DIR=runtime))
    return os.listdir(runtime)


def makes_directory(work, program):
    """What it says when there is no manager, and whether the directory is there afterwards."""
    sockets = program + ".sockets"
    done = run([program], sockets)
    return done.stdout.strip(), os.path.exists(sockets)


def main():
    reason = can_run()
    if reason is not None:
        print(reason)
        return
    work = tempfile.mkdtemp(dir="/tmp")
    try:
        os.chown(work, 0, CALLER)
        os.chmod(work, 0o1770)  # nobody else runs what is in it
        shutil.copy(TRACE, os.path.join(work, "trace"))
        plain = copy(work, "plain", 0, 0, 0o755)
        assert recorded(work, plain) == ("a provider", True)
        assert makes_directory(work, plain) == ("a provider", True)
        assert leaves_runtime_directory(work, plain) == []
        for name, owner, group, mode in (("root", 0, 0, 0o4755), ("user", NOBODY, 0, 0o4755),
                                         ("group", 0, NOBODY, 0o2755)):
            program = copy(work, name, owner, group, mode)
            for found in recorded(work, program), makes_directory(work, program):
                assert found == ("no provider", False), (name, found)
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
