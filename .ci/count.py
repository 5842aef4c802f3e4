"""Prints "N passed, N failed" from the build events of several runs of "bazel test".

usage: count.py EVENTS STATUS [EVENTS STATUS]...    (STATUS is the exit code of bazel)
Exit code 0 when something passed, nothing failed and bazel was content.
"""

import json
import sys

PASSED = {"PASSED", "FLAKY"}


def read_events(path):
    """Yields the events, one JSON object a line; Bazel may have died while writing the last."""
    with open(path, encoding="utf-8") as f:
        for line in f:
            try:
                yield json.loads(line)
            except json.JSONDecodeError:
                return


def verdicts(path):
    """{label of a test target: whether it passed}"""
    verdict = {}
    for event in read_events(path):
        for kind, name in event.get("id", {}).items():
            label = name.get("label") if isinstance(name, dict) else None
            if kind == "targetConfigured":
                if event.get("configured", {}).get("targetKind", "").endswith("_test rule"):
                    verdict.setdefault(label, False)
            elif kind == "targetCompleted":
                # Skipped: not meant for this platform, or for this configuration.
                if event.get("aborted", {}).get("reason") == "SKIPPED":
                    verdict.pop(label, None)
            elif kind == "testSummary":
                verdict[label] = event.get("testSummary", {}).get("overallStatus") in PASSED
    return verdict


def main(runs):
    verdict, broken = {}, 0
    for path, status in zip(runs[::2], runs[1::2]):
        found = verdicts(path)
        verdict.update(found)
        if all(found.values()) and int(status) != 0:
            print(f"failed: bazel itself (exit code {status})")
            broken += 1
    for label in sorted(verdict):
        if not verdict[label]:
            print(f"failed: {label}")
    passed = sum(verdict.values())
    failed = len(verdict) - passed + broken
    if passed + failed == 0:
        print("no test ran")
    print(f"{passed} passed, {failed} failed")
    return 0 if passed > 0 and failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
