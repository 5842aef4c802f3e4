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
        """Nor do two sources become one object whose names differ in a sign only."""
        for name in ("part-1", "part_1"):
            with open(os.path.join(self.folder, name + ".c"), "w") as f:
                f.write("int %s(void *it) { int *that = it; return *that; }\n" % name.replace("-", "a"))
        failed, _, log = self.run_action(target="memory_target.cpp part-1.c part_1.c", flags="-DMISTAKE=0",
                                         cxxflags="-std=c++17", seconds="1")
        self.assertFalse(failed, log)

    def test_time_that_is_no_number_of_seconds_fails_before_the_build(self):
        for seconds in ("0", "abc", "", "-5", "1.5", "0x10", "600 -runs=1", "00"):
            failed, _, log = self.run_action(target="memory_target.cpp", seconds=seconds)
            self.assertTrue(failed, seconds)
            self.assertIn("seconds is '%s': it must be a whole number above 0" % seconds, log)
            self.assertFalse(os.path.exists(os.path.join(self.folder, "fxt-fuzz", "target")))

    def test_sanitizer_that_is_none_fails_before_the_build(self):
        """As that of a matrix whose name is misspelt."""
        for sanitizer in ("", "address undefined", ","):
            failed, _, log = self.run_action(target="memory_target.cpp", sanitizer=sanitizer, seconds="1")
            self.assertTrue(failed, sanitizer)
            self.assertIn("sanitizer is '%s': it must be a sanitizer of clang" % sanitizer, log)
            self.assertFalse(os.path.exists(os.path.join(self.folder, "fxt-fuzz", "target")))

    def test_sanitizer_of_integers_judges_the_reader_and_not_the_kit(self):
        with open(os.path.join(self.folder, "sum.c"), "w") as f:
            f.write("#include <stddef.h>\n#include <stdint.h>\n"
                    "int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {\n"
                    "    volatile uint32_t sum = START;\n"
                    "    for (size_t i = 0; i < size; i++) sum += bytes[i];\n"
                    "    return 0;\n}\n")
        failed, _, log = self.run_action(target="sum.c", sanitizer="integer", flags="-DSTART=0", seconds="2")
        self.assertFalse(failed, log)
        failed, _, log = self.run_action(target="sum.c", sanitizer="integer", flags="-DSTART=UINT32_MAX",
                                         seconds="2")
        self.assertTrue(failed)
        self.assertRegex(log, r"sum\.c:5:\d+: runtime error: unsigned integer overflow")

    def test_target_that_does_not_compile_fails_and_is_not_run(self):
        failed, _, log = self.run_action(target="missing_target.cpp")
        self.assertTrue(failed)
        self.assertIn("missing_target.cpp", log)
        self.assertNotIn("INFO: Seed", log)


class Example(unittest.TestCase):
    """The workflow that README.md gives for a project of somebody else."""
    def setUp(self):
        with open(os.path.join(KIT, "..", "README.md"), encoding="utf-8") as f:
            text = re.search(r"^### GitHub$.*?^```yaml\n(.*?)^```$", f.read(), re.M | re.S).group(1)
        self.workflow = yaml.safe_load(text)
        self.steps = [step for job in self.workflow["jobs"].values() for step in job["steps"]]

    def test_inputs_are_those_of_the_action(self):
        step = next(step for step in self.steps if "fuzz/kit" in step["uses"])
        self.assertLessEqual(set(step["with"]), set(read(os.path.join(KIT, "action.yml"))["inputs"]))

    def test_corpus_is_saved_after_a_failure_where_other_runs_find_it(self):
        uses = {step["uses"].split("@")[0]: step for step in self.steps}
        restore, save = uses["actions/cache/restore"], uses["actions/cache/save"]
        self.assertEqual(save["if"], "always()")
        self.assertEqual(save["with"]["path"], restore["with"]["path"])
        self.assertEqual(save["with"]["key"], restore["with"]["key"])
        self.assertTrue(save["with"]["key"].startswith(restore["with"]["restore-keys"]))
        # A cache of a pull request is seen by that alone, one of the default branch by all.
        self.assertIn("schedule", self.workflow[True])  # the key `on`, by YAML 1.1


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
