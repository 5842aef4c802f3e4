"""Prints the nightly tests that CI runs, one label a line, in the order in which it runs them.

usage: nightly.py COMMIT

First those that the files of the commit can affect, as far as Bazel knows, then the others. Both are
shuffled by the hash of the commit: a commit has one order, whenever it is tested, and each test has
its turn. Those tagged "long" are left out.
"""

import hashlib
import os
import subprocess
import sys

NIGHTLY = r'attr(tags, "\bnightly\b", tests({0})) except attr(tags, "\blong\b", tests({0}))'


def lines_of(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def changed(commit):
    """What the commit changed, as Bazel's labels. A clone of one commit cannot know."""
    try:
        files = lines_of("git", "diff", "--name-only", "--no-renames", "--diff-filter=d", commit + "^", commit)
    except subprocess.CalledProcessError:
        return []
    return [os.path.dirname(file) + ":all" if os.path.basename(file) == "BUILD.bazel" else file for file in files]


def affected(labels):
    """A file that no target reads is an error of that file, and the others count."""
    query = NIGHTLY.format("rdeps(//..., set(%s))" % " ".join('"%s"' % label for label in labels))
    return subprocess.run(["bazel", "query", "--keep_going", "--noshow_progress", query], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.splitlines()


def main(commit):
    labels = changed(commit)
    first = set(affected(labels)) if labels else set()

    def key(test):
        return test not in first, hashlib.sha256((commit + test).encode()).hexdigest()
    print("\n".join(sorted(lines_of("bazel", "query", "--noshow_progress", NIGHTLY.format("//...")), key=key)))


if __name__ == "__main__":
    main(sys.argv[1])
