#!/usr/bin/python3
"""The run: steps of action.yml, executed as GitHub does in a project of somebody else, fuzz a reader
and find the mistake that is planted in it. The workflows of ClusterFuzzLite use only inputs that its
actions have."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import yaml

KIT = os.path.join(os.getcwd(), "fuzz", "kit")

# As action.yml of google/clusterfuzzlite has them, v1.
STORAGE = {"storage-repo", "storage-repo-branch", "storage-repo-branch-coverage"}
INPUTS = {
    "google/clusterfuzzlite/actions/build_fuzzers@v1": STORAGE | {
        "language", "dry-run", "allowed-broken-targets-percentage", "sanitizer",
        "project-src-path", "bad-build-check", "keep-unaffected-fuzz-targets", "upload-build",
        "github-token"},
    "google/clusterfuzzlite/actions/run_fuzzers@v1": STORAGE | {
        "fuzz-seconds", "mode", "sanitizer", "github-token", "language", "dry-run",
        "report-unreproducible-crashes", "minimize-crashes", "parallel-fuzzing", "output-sarif",
        "report-timeouts", "report-ooms"},
}


def read(path):
    with open(path) as f:
        return yaml.safe_load(f)


def evaluated(text, context):
    """Text with the expressions of GitHub, as ${{ inputs.target }}; an unknown one is an error."""
    return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda match: context[match.group(1)], str(text))


class Action(unittest.TestCase):
    def setUp(self):
        self.action = read(os.path.join(KIT, "action.yml"))
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for path in glob.glob(os.path.join(KIT, "example", "*")):
            shutil.copy(path, self.folder)

    def run_action(self, **given):
        """As a runner does: a failure skips what follows, except the steps for failures."""
        context = {"inputs." + name: value.get("default")
                   for name, value in self.action["inputs"].items()}
        context.update({"inputs." + name: value for name, value in given.items()})
        context["github.action_path"] = KIT
        log, uploaded, failed = "", None, False
        for step in self.action["runs"]["steps"]:
            if (step.get("if") == "failure()") != failed:
                continue
            if "uses" in step:
                uploaded = {name: evaluated(value, context) for name, value in step["with"].items()}
                continue
            self.assertNotIn("${{", step["run"], "input is pasted into a script")
            environment = {name: evaluated(value, context)
                           for name, value in step.get("env", {}).items()}
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                cwd=self.folder, env={**os.environ, **environment}, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, errors="replace")
            log += done.stdout
            failed = done.returncode != 0
        return failed, uploaded, log

    def test_reader_without_a_mistake_passes_and_nothing_is_uploaded(self):
        failed, uploaded, log = self.run_action(target="memory_target.cpp", seconds="3")
        self.assertFalse(failed, log)
        self.assertIn("stat::number_of_executed_units", log)
        self.assertIsNone(uploaded)

    def test_mistake_of_a_reader_is_found_and_uploaded(self):
        failed, uploaded, log = self.run_action(target="memory_target.cpp", flags="-DMISTAKE=1",
                                                seconds="120", artifact="mine")
        self.assertTrue(failed)
        self.assertIn("heap-buffer-overflow", log)
        self.assertEqual(uploaded["name"], "mine")
        self.assertEqual(len(os.listdir(os.path.join(self.folder, uploaded["path"]))), 1)

    def test_sources_in_c_get_no_flags_of_cpp(self):
        with open(os.path.join(self.folder, "part.c"), "w") as f:
            f.write("int part(void *it) { int *that = it; return *that; }\n")
        failed, _, log = self.run_action(target="memory_target.cpp part.c", flags="-DMISTAKE=0",
                                         cxxflags="-std=c++17", seconds="1")
        self.assertFalse(failed, log)

    def test_target_that_does_not_compile_fails_and_is_not_run(self):
        failed, _, log = self.run_action(target="missing_target.cpp")
        self.assertTrue(failed)
        self.assertIn("missing_target.cpp", log)
        self.assertNotIn("INFO: Seed", log)


class Workflows(unittest.TestCase):
    def test_every_mode_of_clusterfuzzlite_is_there_with_inputs_that_exist(self):
        modes = set()
        paths = glob.glob(".github/workflows/cflite_*.yml")
        self.assertEqual(len(paths), 4)
        for path in paths:
            workflow = read(path)
            self.assertEqual(workflow["permissions"], "read-all", path)
            for job in workflow["jobs"].values():
                matrix = job["strategy"]["matrix"]
                for step in job["steps"]:
                    self.assertLessEqual(set(step["with"]), INPUTS[step["uses"]], path)
                    modes.add(step["with"].get("mode"))
                modes |= {row["mode"] for row in matrix.get("include", [])}
        self.assertLessEqual({"code-change", "batch", "prune", "coverage"}, modes)


if __name__ == "__main__":
    sys.exit(unittest.main())
