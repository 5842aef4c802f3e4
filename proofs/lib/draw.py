"""Which part of its work a test does that does not do all of it.

$FXT_DRAW selects the part. `.ci/run` takes this number from the hash of the commit, so a commit is always
tested in the same way, and the next commit in another."""
import os


def part(parts):
    """One of range(parts)."""
    return int(os.environ.get("FXT_DRAW", "0")) % parts
