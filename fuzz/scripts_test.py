#!/usr/bin/python3
"""fuzz/run and fuzz/campaign: runs of a few seconds, what they find, and what becomes of it."""
import glob
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import kept  # noqa: E402
import programs  # noqa: E402

RUN = os.path.join(HERE, "run")
CAMPAIGN = os.path.join(HERE, "campaign")


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_it(self, *arguments, code=0, script=RUN):
        done = subprocess.run([script, *arguments, "--folder", self.folder], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def corpus(self, target):
        return os.path.join(self.folder, "corpus", target)

    def wait_for_inputs(self, target):
        deadline = time.monotonic() + 300
        while not os.path.isdir(self.corpus(target)) or not os.listdir(self.corpus(target)):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)

    def test_each_seed_is_of_a_target(self):
        kinds = {programs.kind_of(target) for target in programs.TARGETS}
        for name in os.listdir(os.path.join(HERE, "seeds")):
            self.assertIn(name.rpartition(".")[2], kinds)

    def test_both_engines_run_and_say_what_they_did_in_one_line(self):
        for engine in ("libfuzzer", "afl"):
            out = self.run_it("salvage", "--engine", engine, "--minutes", "0.05")
            self.assertRegex(out, r"^salvage: .* [1-9]\d* runs, .* new, nothing found\n$")

    def test_corpus_has_only_what_the_runs_found(self):
        begun_with = set()
        for path in glob.glob(programs.copy_inputs("salvage", os.path.join(self.folder, "seeds")) + "/*"):
            with open(path, "rb") as f:
                begun_with.add(kept.name_of(f.read()))
        for engine in ("libfuzzer", "afl"):
            self.run_it("salvage", "--engine", engine, "--minutes", "0.05")
            found = set(os.listdir(self.corpus("salvage")))
            self.assertGreater(len(found), 0)
            self.assertFalse(found & begun_with)

    def test_finding_can_be_reproduced_and_becomes_a_regression_file(self):
        out = self.run_it("planted", "--minutes", "1.5", code=1)
        program, finding = re.search(r"FOUND 1; the first again: (\S+) (\S+)\n", out).groups()
        again = subprocess.run([program, finding], stderr=subprocess.PIPE)
        self.assertNotEqual(again.returncode, 0)
        self.assertIn(b"heap-buffer-overflow", again.stderr)
        regress = os.path.join(self.folder, "regress")
        os.mkdir(regress)
        with open(os.path.join(self.folder, "found", "planted", "crash-nothing"), "wb"):
            pass
        out = self.run_it("triage", "planted", "--seconds", "3", "--regress", regress, code=1)
        self.assertIn("heap-buffer-overflow in ", out)
        self.assertIn("crash-nothing: breaks nothing any more", out)
        self.assertIn("planted: 1 cause; ", out)
        self.assertEqual(len(os.listdir(regress)), 1)

    def test_seed_that_crashes_is_found_by_afl(self):
        path = os.path.join(HERE, "seeds", "generated-08.fxt")
        self.assertNotEqual(subprocess.run([os.path.join(HERE, "planted_libfuzzer"), path], stdout=subprocess.DEVNULL,
                                           stderr=subprocess.DEVNULL).returncode, 0)
        self.assertIn(", FOUND ", self.run_it("planted", "--engine", "afl", "--minutes", "0.05", code=1))
        with open(path, "rb") as f:
            name = "crash-" + kept.name_of(f.read())
        self.assertIn(name, os.listdir(os.path.join(self.folder, "found", "planted")))

    def test_merge_takes_what_adds_coverage_and_minimise_keeps_it(self):
        self.assertRegex(self.run_it("merge", "salvage", os.path.join(HERE, "seeds")),
                         r"salvage: [1-9]\d* inputs, [1-9]\d* new")
        count = len(os.listdir(self.corpus("salvage")))
        for i in range(3):
            with open(os.path.join(self.corpus("salvage"), "same%d" % i), "wb") as f:
                f.write(bytes(i))
        self.assertRegex(self.run_it("minimise", "salvage"), r"inputs of %d are left" % (count + 3))
        self.assertLess(len(os.listdir(self.corpus("salvage"))), count + 3)

    def test_interrupt_ends_a_run_with_its_result(self):
        process = subprocess.Popen([RUN, "salvage", "--minutes", "5", "--folder", self.folder],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.wait_for_inputs("salvage")
        process.send_signal(signal.SIGINT)
        self.assertRegex(process.communicate()[0], r"^salvage: interrupted; .* nothing found\n$")
        self.assertEqual(process.returncode, 0)

    def archived(self, target, inputs, name="kept"):
        """The folder of an archive of the inputs."""
        archives = os.path.join(self.folder, name)
        kept.write(os.path.join(archives, target + ".zip"), inputs)
        return archives

    def test_what_covers_more_than_the_seeds_is_kept(self):
        larger = self.archived("salvage", kept.read(os.path.join(programs.KEPT, "salvage.zip")), "archives")
        archives = self.archived("salvage", [])
        path = os.path.join(archives, "salvage.zip")
        self.assertRegex(self.run_it("keep", "salvage", "--kept", archives, "--archives", larger),
                         r"^salvage: [1-9]\d* inputs in .+/salvage.zip, \d+ bytes; [1-9]\d* of them new, "
                         r"0 left out\n$")
        first = kept.read(path)
        with open(min(glob.glob(os.path.join(HERE, "seeds", "*.buffer"))), "rb") as f:
            kept.write(path, first + [f.read()])
        self.assertRegex(self.run_it("keep", "salvage", "--kept", archives),
                         r"; 0 of them new, [1-9]\d* left out\n$")
        again = kept.read(path)
        self.assertLessEqual(set(again), set(first))
        self.assertGreater(len(again), 0)

    def test_archive_also_has_what_only_takes_an_edge_more_often(self):
        self.run_it("salvage", "--minutes", "0.1")
        archives = os.path.join(self.folder, "new", "archives")
        path = os.path.join(archives, "salvage.zip")
        self.assertRegex(self.run_it("archive", "salvage", archives),
                         r"^salvage: [1-9]\d* inputs in .+/new/archives/salvage.zip, \d+ bytes; ")
        first = kept.read(path)
        self.run_it("keep", "salvage", "--kept", self.archived("salvage", []), "--archives", archives)
        self.assertLess(len(kept.read(os.path.join(self.folder, "kept", "salvage.zip"))), len(first))
        shutil.rmtree(self.corpus("salvage"))
        self.run_it("archive", "salvage", archives)  # it goes on from what is there
        again = kept.read(path)
        self.assertLessEqual(set(again), set(first))
        self.assertGreater(2 * len(again), len(first))

    def test_paths_with_a_space_lose_nothing(self):
        """libFuzzer calls itself by a shell, without quotes."""
        self.folder = os.path.join(self.folder, "a space; $(x)")
        os.mkdir(self.folder)
        self.test_merge_takes_what_adds_coverage_and_minimise_keeps_it()
        self.test_what_covers_more_than_the_seeds_is_kept()
        self.assertRegex(self.run_it("salvage", "--jobs", "2", "--minutes", "0.1"), r" [1-9]\d* runs, .* nothing found\n$")

    def test_keep_tells_of_inputs_that_crash(self):
        archives = self.archived("planted", [b"nothing"] + self.crash())
        before = kept.read(os.path.join(archives, "planted.zip"))
        out = self.run_it("keep", "planted", "--kept", archives, code=2)
        self.assertIn("an input crashes the target: ", out)
        self.assertEqual(kept.read(os.path.join(archives, "planted.zip")), before)

    def test_no_archive_is_kept_of_what_the_seeds_cover(self):
        with open(min(glob.glob(os.path.join(HERE, "seeds", "*.buffer"))), "rb") as f:
            archives = self.archived("salvage", [f.read()])
        for left_out in (1, 0):
            self.assertEqual(self.run_it("keep", "salvage", "--kept", archives),
                             "salvage: the seeds cover as much as the corpus; nothing is kept, "
                             "%d left out\n" % left_out)
            self.assertEqual(os.listdir(archives), [])

    def crash(self):
        """The bytes of an input that is found; it is not among the findings any more."""
        path = self.run_it("planted", "--minutes", "1.5", code=1).split()[-1]
        with open(path, "rb") as f:
            data = f.read()
        os.remove(path)
        return [data]

    def test_run_begins_with_what_was_kept(self):
        found = self.crash()
        archives = self.archived("planted", found)
        crash = "crash-" + kept.name_of(found[0])
        out = self.run_it("planted", "--minutes", "0.02", "--kept", archives, code=1)
        self.assertIn("/" + os.path.basename(crash), out)
        shutil.rmtree(os.path.join(self.folder, "found"))
        out = self.run_it("planted", "--minutes", "0.02", "--archives", archives, code=1)
        self.assertIn("/" + os.path.basename(crash), out)
        with open(os.path.join(archives, "planted.zip"), "wb") as f:
            f.write(b"not an archive")
        for command in ([], ["keep"]):
            out = self.run_it(*command, "planted", "--kept", archives, code=2)
            self.assertRegex(out, r"^fuzz/run: cannot read the inputs of \S+/planted.zip: File is not a "
                                  r"zip file; restore the file or delete it\n$")

    def record(self):
        """The rows of the record, without their commit."""
        with open(os.path.join(self.folder, "CAMPAIGN.md")) as f:
            text = f.read()
        return [re.sub(r"^\| [^|]+\| [^|]+\| ", "", line) for line in text.splitlines()
                if re.match(r"\| \d", line)], text

    def test_campaign_goes_on_with_what_had_the_least_time_and_records_it(self):
        with open(os.path.join(self.folder, "CAMPAIGN.md"), "w") as f:
            f.write("# Words\n\n| date |\n| --- |\n"
                    "| 2026-01-01 | abc | salvage | libfuzzer | 9000 | 7 | 1 | 2 | 0 |\n")
        out = self.run_it("salvage", "--hours", "0.00001", "--minutes", "0.05", script=CAMPAIGN)
        self.assertRegex(out, r"afl salvage: .* edges [1-9]\d* -> [1-9]\d*\n"
                              r"2\.5\d CPU hours in all, ")
        rows, text = self.record()
        self.assertEqual(rows[0], "salvage | libfuzzer | 9000 | 7 | 1 | 2 | 0 |")
        row = re.match(r"salvage \| afl \| ([1-9]\d*) \| ([1-9]\d*) \| [1-9]\d* \| [1-9]\d* \| "
                       r"0 \|$", rows[1])
        self.assertTrue(row, rows)
        self.assertEqual(len(rows), 2)
        self.assertTrue(text.startswith("# Words\n\n| date | commit | target |"), text)
        self.assertIn("| total |  |  |  | %d | %d |  |  | 0 |\n" %
                      (9000 + int(row.group(1)), 7 + int(row.group(2))), text)

    def test_campaign_adds_to_the_row_of_the_day_and_counts_what_is_found(self):
        for _ in range(2):
            out = self.run_it("planted", "--engines", "libfuzzer", "--hours", "0.00001",
                              "--minutes", "1.5", code=1, script=CAMPAIGN)
            self.assertIn("found now: 1; planted libfuzzer broke and was left out, next: fuzz/run triage "
                          "planted --folder %s\n" % self.folder, out)
            shutil.rmtree(os.path.join(self.folder, "found"))
        rows, _ = self.record()
        self.assertEqual(len(rows), 1)
        self.assertRegex(rows[0], r"^planted \| libfuzzer \| \d+ \| [1-9]\d* \| \d+ \| \d+ \| "
                                  r"2 \|$")

    def test_two_campaigns_at_once_record_the_runs_of_both(self):
        both = [subprocess.Popen(
            [CAMPAIGN, "salvage", "--hours", "0.00001", "--minutes", "0.05", "--engines", engine, "--folder",
             self.folder], stdout=subprocess.DEVNULL)
            for engine in ("libfuzzer", "afl")]
        self.assertEqual([process.wait() for process in both], [0, 0])
        rows, text = self.record()
        self.assertEqual({row.split(" | ")[1] for row in rows}, {"libfuzzer", "afl"})
        self.assertRegex(text, r"(?m)^\| total \|  \|  \|  \| %d \|" %
                         sum(int(row.split(" | ")[2]) for row in rows))

    def test_interrupted_campaign_records_the_run_even_in_the_background(self):
        process = subprocess.Popen(
            ["sh", "-c", 'trap "" INT; exec "$0" "$@"', CAMPAIGN, "salvage", "--minutes", "5",
             "--engines", "libfuzzer", "--folder", self.folder],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.wait_for_inputs("salvage")
        process.send_signal(signal.SIGINT)
        self.assertRegex(process.communicate()[0], r"libfuzzer salvage: interrupted; .*\n.*now: 0\n$")
        self.assertEqual(process.returncode, 0)
        self.assertEqual(len(self.record()[0]), 1)

    def test_what_cannot_run_is_said_in_one_line(self):
        out = self.run_it("save", "--sanitizer", "memory", code=2)
        self.assertIn("not instrumented", out)
        self.assertEqual(out.count("\n"), 1)
        out = self.run_it("merge", "salvage", "/nowhere", code=2)
        self.assertEqual(out, "fuzz/run: argument FOLDER: there is no folder '/nowhere'; see fuzz/run --help\n")
        for script in (RUN, CAMPAIGN):
            out = self.run_it("chek", code=2, script=script)
            self.assertRegex(out, r"^fuzz/\w+: argument TARGET: there is no target 'chek'; did you mean "
                                  r"'check'\?; see fuzz/\w+ --help\n$")


# libFuzzer of a target that the word BUG breaks; with a file named fail, it fails for another reason.
FAKE = r"""#!/bin/sh
merge= first= rest=
for word; do
    case $word in
    -artifact_prefix=*) prefix=${word#*=} ;;
    -merge=1) merge=yes ;;
    -*) ;;
    *) if [ -n "$first" ]; then rest="$rest $word"; else first=$word; fi ;;
    esac
done
[ -e "$(dirname "$(readlink -f "$0")")/fail" ] && echo "out of luck" >&2 && exit 1
for file in $(find $rest -type f); do
    if grep -q BUG "$file"; then
        cp "$file" "${prefix}crash-1"
        [ -n "$merge" ] || exit 77
    elif [ -n "$merge" ]; then
        cp "$file" "$first"
    fi
done
echo "stat::number_of_executed_units: 7" >&2
"""


class Faked(unittest.TestCase):
    """The scripts in a folder of their own, with a libFuzzer that does what a test needs."""
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root, self.folder = folder.name, os.path.join(folder.name, "fuzz")
        for name in ("run", "campaign", "coverage", "evaluate", "kept.py", "programs.py", "toy_fuzzer.c",
                     "seeds/a.fxt", "regress/b.fxt", "corpus/toy/c"):
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if os.path.exists(os.path.join(HERE, name)):
                shutil.copy(os.path.join(HERE, name), path)
            else:
                self.put(name, "input")
        self.put_program("toy_libfuzzer", FAKE)

    def put(self, name, text):
        os.makedirs(os.path.dirname(os.path.join(self.folder, name)), exist_ok=True)
        with open(os.path.join(self.folder, name), "w") as f:
            f.write(text)

    def put_program(self, name, text):
        self.put(name, text)
        os.chmod(os.path.join(self.folder, name), 0o755)

    def listed(self, name):
        return sorted(os.listdir(os.path.join(self.folder, name)))

    def run_it(self, *arguments, code, script="run", **more):
        done = subprocess.run([os.path.join(self.folder, script), *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, cwd=self.folder, **more)
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def test_what_was_found_before_is_found_again(self):
        self.put("regress/b.fxt", "BUG")
        for _ in range(2):
            self.assertIn("FOUND 1; the first again: ", self.run_it("toy", code=1))

    def test_fuzzer_that_fails_is_no_run_without_a_finding(self):
        self.put("fail", "")
        self.assertRegex(self.run_it("toy", code=2), r"fuzz/run: libfuzzer ended after .*\nout of luck")
        self.assertRegex(self.run_it("merge", "toy", "seeds", code=2), r"merging failed:\nout of luck")

    def test_merge_and_minimise_tell_of_inputs_that_crash(self):
        self.put("seeds/a.fxt", "BUG")
        self.assertIn(", FOUND 1; next: fuzz/run triage toy\n", self.run_it(
            "merge", "toy", "seeds", code=1))
        self.put("corpus/toy/d", "BUG")
        self.assertIn("the corpus stays as it is", self.run_it("minimise", "toy", code=2))
        self.assertEqual(self.listed("corpus/toy"), ["c", "d"])
        self.assertEqual(self.listed("corpus"), ["toy"])
        self.assertEqual(self.listed("found/toy"), ["crash-1"])
        self.assertFalse([name for name in self.listed(".") if name.startswith("crash")])

    def test_minimise_leaves_nothing_but_the_corpus(self):
        self.assertIn("1 inputs of 1 are left", self.run_it("minimise", "toy", code=0))
        self.assertEqual(self.listed("corpus"), ["toy"])

    def test_folder_that_cannot_be_written_ends_it_before_the_run(self):
        for script in ("run", "campaign"):
            out = self.run_it("toy", "--folder", "/proc/self", code=2, script=script)
            self.assertRegex(out, r"^fuzz/%s: cannot write to /proc/self\S*: .*; --folder names another "
                                  r"place\n$" % script)

    def limited(self, size, *words):
        """As if the disk were full at this size of a file."""
        limit = ("import resource, signal, sys, os; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
                 "resource.setrlimit(resource.RLIMIT_FSIZE, (%d, %d)); "
                 "os.execv(sys.argv[1], sys.argv[1:])" % (size, size))
        done = subprocess.run([sys.executable, "-c", limit, *words], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        return done.stdout

    def test_full_disk_is_said(self):
        self.assertRegex(self.limited(4096, "./run", "toy"),
                         r"^fuzz/run: cannot write to \S*corpus/toy: ")

    def run_unsaved(self, *words):
        """What it prints, and the files that it leaves in the folder for temporary ones."""
        os.makedirs(os.path.join(self.folder, "temporary"), exist_ok=True)
        out = self.run_it("toy", *words, code=2, env={
            **os.environ, "TMPDIR": self.folder + "/temporary", "PATH": self.folder + "/bin:" + os.environ["PATH"]})
        work = re.search(r"; the files of the run stay in (\S+), and its log ends:\n", out).group(1)
        return out, glob.glob(work + "/**", recursive=True)

    def put_showmap(self):
        """AFL++'s tool that tries inputs, of a target that the words BUG and HANG break."""
        self.put_program("toy_afl", "#!/bin/sh\n! grep -q BUG $1 || kill -SEGV $$\n! grep -q HANG $1 || exec sleep 99\n")
        self.put("kit/fxt_afl.so", "")
        self.put_program("bin/afl-showmap", r"""#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in -i) in=$2 ;; -o) out=$2 ;; esac
    shift
done
for file in "$in"/*; do
    : >"$out/$(basename "$file")"
    grep -qE "BUG|HANG|BUSY" "$file" || echo 1:1 >"$out/$(basename "$file")"
done
""")

    def put_afl(self, more):
        self.put_showmap()
        self.put_program("bin/afl-fuzz", r"""#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in -i) in=$2 ;; -o) out=$2 ;; esac
    shift
done
mkdir -p "$out/default/queue" "$out/default/crashes"
echo BUG >"$out/default/crashes/id:0"
echo new >"$out/default/queue/id:1"
""" + more)

    def test_finding_that_libfuzzer_could_not_write_is_said_with_the_log(self):
        self.put_program("toy_libfuzzer", "#!/bin/sh\n: >found/crash-%s\necho 'Base64: QlVH' >&2\nexit 77\n" %
                         kept.name_of(b"BUG"))
        out, left = self.run_unsaved()
        self.assertRegex(out, r"^fuzz/run: found/toy/crash-\w+ is not whole: the disk was full; 0 findings saved in ")
        self.assertTrue(out.endswith("Base64: QlVH\n"), out)
        self.assertIn("log", [os.path.basename(path) for path in left])

    def test_findings_of_afl_are_saved_before_the_queue(self):
        self.put_afl("rm -r corpus/toy\n")
        out, _ = self.run_unsaved("--engine", "afl")
        self.assertRegex(out, r"^fuzz/run: cannot write \S*corpus/toy/\w+: .*; 1 finding saved in found/toy; ")
        self.assertEqual(self.listed("found/toy"), ["crash-" + kept.name_of(b"BUG\n")])

    def test_findings_of_afl_that_cannot_be_saved_stay(self):
        self.put_afl("rm -r found/toy\n")
        out, left = self.run_unsaved("--engine", "afl")
        self.assertRegex(out, r"^fuzz/run: cannot write \S*found/toy/crash-\w+: .*; 0 findings saved in ")
        self.assertIn("id:0", [os.path.basename(path) for path in left])
        self.put_afl("echo execs_done : 7 >$out/default/fuzzer_stats\nsleep 1\n")
        before = self.listed("temporary")
        self.run_it("toy", "--engine", "afl", code=1, env={
            **os.environ, "TMPDIR": self.folder + "/temporary", "PATH": self.folder + "/bin:" + os.environ["PATH"]})
        self.assertEqual(self.listed("temporary"), before)

    def with_afl(self, *words, code, **more):
        return self.run_it(*words, code=code, env={
            **os.environ, "PATH": self.folder + "/bin:" + os.environ["PATH"]}, **more)

    def test_seeds_that_crash_or_hang_are_findings_of_afl_which_goes_on_with_the_rest(self):
        self.put_afl("""rm "$out/default/crashes/id:0"
echo execs_done : 7 >"$out/default/fuzzer_stats"
ls "$in" >%s/begun_with
""" % self.folder)
        with open(os.path.join(self.folder, "run")) as f:
            self.put("run", f.read().replace("\nTIMEOUT = 10 ", "\nTIMEOUT = 3 "))
        for name, text in (("seeds/a.fxt", "BUG"), ("corpus/toy/d", "HANG"), ("corpus/toy/e", "BUSY")):
            self.put(name, text)
        out = self.with_afl("toy", "--engine", "afl", code=1)
        self.assertIn(", FOUND 2; the first again: ", out)
        self.assertEqual(self.listed("found/toy"),
                         ["crash-" + kept.name_of(b"BUG"), "hang-" + kept.name_of(b"HANG")])
        with open(os.path.join(self.folder, "begun_with")) as f:
            self.assertEqual(f.read(), "b.fxt\nc\ne\n")
        out = self.with_afl("toy", "--engines", "afl", "--hours", "0.00001", code=1, script="campaign")
        self.assertIn("; found now: 0; toy afl broke and was left out, next: fuzz/run triage toy\n", out)
        self.put_program("bin/afl-showmap", "#!/bin/sh\n")
        self.assertIn("fuzz/run: afl-showmap tried none of the inputs; ", self.with_afl("toy", "--engine", "afl", code=2))

    def test_campaign_minimises_a_corpus_of_many_inputs(self):
        with open(CAMPAIGN) as f:
            self.put_program("campaign", f.read().replace("MANY = 2000", "MANY = 2"))
        words = ["toy", "--engines", "libfuzzer", "--hours", "0.00001"]
        self.put("corpus/toy/d", "input")
        self.assertNotIn("are left", self.run_it(*words, code=0, script="campaign"))
        self.put("corpus/toy/e", "input")
        self.assertIn("toy: 3 inputs of 3 are left\n", self.run_it(*words, code=0, script="campaign"))
        self.put("corpus/toy/e", "BUG")
        out = self.run_it(*words, code=1, script="campaign")
        self.assertIn("the corpus stays as it is", out)
        self.assertIn("found now: 1; toy libfuzzer broke and was left out", out)

    def test_full_disk_leaves_the_record_of_a_campaign(self):
        words = "Words. " * 10000
        self.put("found/CAMPAIGN.md", words)
        out = self.limited(1 << 16, "./campaign", "toy", "--engines", "libfuzzer")
        self.assertRegex(out, r"\nfuzz/campaign: cannot write \S*/found/CAMPAIGN.md: File too large\n$")
        with open(os.path.join(self.folder, "found", "CAMPAIGN.md")) as f:
            self.assertEqual(f.read(), words)

    def test_campaign_leaves_what_git_tracks_alone_until_it_is_told_to_commit(self):
        words = ("# Words\n\n| date |\n| --- |\n"
                 "| 2026-01-01 | abc | toy | libfuzzer | 3600 | 7 | 1 | 2 | 0 |\n")
        self.put("CAMPAIGN.md", words)
        out = self.run_it("toy", "--engines", "libfuzzer", "--hours", "0.00001", code=0, script="campaign")
        self.assertRegex(out, r"\n1\.\d\d CPU hours in all, ")
        with open(os.path.join(self.folder, "CAMPAIGN.md")) as f:
            self.assertEqual(f.read(), words)
        self.assertEqual(self.run_it("--commit", code=0, script="campaign"), "CAMPAIGN.md has 1 more row\n")
        self.assertEqual(self.run_it("--commit", code=0, script="campaign"), "CAMPAIGN.md has 0 more rows\n")
        with open(os.path.join(self.folder, "CAMPAIGN.md")) as f:
            text = f.read()
        self.assertTrue(text.startswith("# Words\n"), text)
        self.assertEqual(len(re.findall(r"(?m)^\| \d{4}-.* \| toy \| libfuzzer \| ", text)), 2, text)
        self.assertIn("--commit takes neither targets nor --folder", self.run_it(
            "toy", "--commit", code=2, script="campaign"))
        self.assertNotIn("CAMPAIGN.md.new", self.listed("."))

    def put_breaking(self):
        """A target that a file breaks in two ways, and that fails to make files smaller."""
        self.put_program("toy_libfuzzer", r"""#!/bin/sh
case $* in *-minimize_crash*) exit 0; esac
for file; do :; done
for law in ONE TWO; do
    ! grep -q $law "$file" || { echo "/x/toy.c:7: does not hold: $law" >&2; exit 77; }
done
""")

    def test_standard_output_that_is_full_is_said_and_hides_no_finding(self):
        for words, code in ((["run", "toy"], 2), (["run", "toy", "BUG"], 1), (["run", "triage", "toy"], 1),
                            (["campaign", "toy", "--engines", "libfuzzer", "--hours", "0.00001"], 1)):
            if words[-1] == "BUG":
                self.put("regress/b.fxt", words.pop())
            if words[1] == "triage":
                self.put_breaking()
                self.put("found/toy/crash-1", "ONE")
                self.put("seeds/a.fxt", "ONE")
            with open("/dev/full", "w") as full:
                done = subprocess.run([os.path.join(self.folder, words[0]), *words[1:]], stdout=full,
                                      stderr=subprocess.PIPE, text=True, cwd=self.folder)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertTrue(done.stderr.endswith("fuzz/%s: cannot write to standard output: No space left on device\n"
                                                 % words[0]), done.stderr)
            self.assertEqual(done.stderr.count("standard output"), 1, done.stderr)
            if words[1] == "triage":
                self.assertEqual(self.listed("found/toy"), ["done"])
                self.put_program("toy_libfuzzer", FAKE)

    def test_triage_makes_one_file_of_a_cause_and_puts_away_what_is_done(self):
        self.put_breaking()
        os.makedirs(os.path.join(self.folder, "found/toy/of-mine"))  # no finding
        self.put("regress/README.md", "ONE")
        for name, text in (("crash-1", "ONE"), ("crash-2", "ONE, longer"), ("crash-3", "nothing")):
            self.put("found/toy/" + name, text)
        out = self.run_it("triage", "toy", code=1)
        self.assertIn("toy.c:7: does not hold: ONE\n  2 findings, 3 bytes in regress/toy-", out)
        self.assertIn("found/toy/crash-3: breaks nothing any more, in 10 tries (--sanitizer address)\n", out)
        self.assertIn("toy: 1 cause; next: give what is new in regress a name that says what was broken\n", out)
        made = [name for name in self.listed("regress") if name.startswith("toy-")]
        self.assertEqual(len(made), 1)
        self.assertEqual(self.listed("found/toy"), ["done", "of-mine"])
        self.assertEqual(self.listed("found/toy/done"), ["crash-1", "crash-2", "crash-3"])
        os.rename(os.path.join(self.folder, "regress", made[0]),
                  os.path.join(self.folder, "regress/toy-first-law.fxt"))
        for name, text in (("crash-1", "ONE"), ("crash-4", "TWO")):
            self.put("found/toy/" + name, text)
        out = self.run_it("triage", "toy", code=1)
        self.assertIn("toy.c:7: does not hold: ONE\n  1 finding, already in regress/toy-first-law.fxt\n", out)
        self.assertIn("toy.c:7: does not hold: TWO\n  1 finding, 3 bytes in regress/toy-", out)
        self.assertNotRegex(out, "minimising for .*ONE")
        self.assertIn("toy: 2 causes; next: give what is new in regress a name", out)
        self.assertEqual(len(self.listed("regress")), 4)
        self.assertEqual(self.run_it("triage", "toy", code=0), "toy: 0 causes\n")

    def test_triage_tries_a_finding_with_the_sanitizer_that_found_it(self):
        self.put_program("toy_libfuzzer", "#!/bin/sh\n")
        self.put_program("toy_libfuzzer_memory", r"""#!/bin/sh
for word; do
    case $word in
    -minimize_crash*) exit 0 ;;
    -artifact_prefix=*) echo UNSET >"${word#*=}crash-1"; exit 77 ;;
    esac
done
! grep -q UNSET "$word" || {
    echo "==1==WARNING: MemorySanitizer: use-of-uninitialized-value" >&2
    echo "    #0 0x1 in walk /x/src/read/walk.c:7:3" >&2
    exit 77
}
""")
        out = self.run_it("toy", "--sanitizer", "memory", code=1)
        self.assertIn("toy_libfuzzer_memory found/toy/memory-crash-1\n", out)
        cause = "use-of-uninitialized-value in walk (src/read/walk.c:7)\n  1 finding, "
        out = self.run_it("triage", "toy", code=1)
        self.assertIn(cause + "6 bytes in regress/toy-", out)
        self.assertEqual(self.listed("found/toy/done"), ["memory-crash-1"])
        self.put("found/toy/memory-crash-2", "UNSET")
        self.assertIn(cause + "already in regress/toy-", self.run_it("triage", "toy", code=1))
        self.put("found/toy/memory-crash-3", "input")
        self.assertIn("found/toy/memory-crash-3: breaks nothing any more, in 10 tries (--sanitizer memory)\n",
                      self.run_it("triage", "toy", code=0))

    def test_triage_minimises_by_parts_what_libfuzzer_minimises_to_another_cause(self):
        self.put_program("toy_libfuzzer", r"""#!/bin/sh
for word; do
    case $word in
    -minimize_crash*) minimise=yes ;;
    -exact_artifact_path=*) out=${word#*=} ;;
    esac
done
[ -z "$minimise" ] || { echo TWO >"$out"; exit; }
for law in TWO ONE; do
    ! grep -q $law "$word" || { echo "/x/toy.c:7: does not hold: $law" >&2; exit 77; }
done
""")
        self.put("found/toy/crash-1", "some" * 9 + "ONE" + "other" * 20)
        out = self.run_it("triage", "toy", code=1)
        self.assertIn("toy: what libFuzzer made breaks something else; leaving out parts for up to 20 s\n", out)
        self.assertIn("does not hold: ONE\n  1 finding, 3 bytes in regress/toy-", out)
        self.put("found/toy/crash-2", "TWO\n")
        self.assertRegex(self.run_it("triage", "toy", code=1),
                         r"does not hold: TWO\n  1 finding, 4 bytes in regress/toy-\S+, NOT MINIMISED")

    def test_triage_tells_clauses_of_contracts_apart_and_no_values(self):
        self.put_program("toy_libfuzzer", r"""#!/bin/sh
case $* in *-minimize_crash*) exit 0; esac
for file; do :; done
if grep -q CLAUSE "$file"; then
    echo "include/fxt/read.h:11: fxt_read_it: does not hold: $(cat "$file")" >&2
    echo "    #0 0x1 in acsl_broken /x/fuzz/contracts/acsl.c:24:5" >&2
    exit 77
elif grep -q SUM "$file"; then
    echo "/x/src/read/walk.c:7:9: runtime error: signed integer overflow: $$ + -5 cannot be represented" >&2
    echo "    #0 0x$$ in walk /x/src/read/walk.c:7:9" >&2
    exit 77
fi
""")
        for name, text in (("1", "CLAUSE a"), ("2", "CLAUSE b"), ("3", "SUM of two"), ("4", "SUM of others")):
            self.put("found/toy/crash-" + name, text)
        out = self.run_it("triage", "toy", "--seconds", "1", code=1)
        for text in "ab":
            self.assertIn("read.h:11: fxt_read_it: does not hold: CLAUSE %s\n  1 finding, " % text, out)
        self.assertIn("signed integer overflow: N + N cannot be represented in walk (src/read/walk.c:7)\n  2 findings, 10 "
                      "bytes in regress/toy-", out)

    def test_triage_tries_again_what_breaks_seldom(self):
        self.put_program("toy_libfuzzer", r"""#!/bin/sh
case $* in *-minimize_crash*) exit 0; esac
for file; do :; done
grep -q SELDOM "$file" || exit 0
echo >>%s/tries
[ $(($(wc -l <%s/tries) %% 4)) != 0 ] || { echo "/x/toy.c:7: does not hold: ONE" >&2; exit 77; }
""" % (self.folder, self.folder))
        self.put("found/toy/crash-1", "SELDOM")
        self.assertIn("does not hold: ONE\n  1 finding, ", self.run_it("triage", "toy", "--seconds", "1", code=1))

    def test_triage_keeps_the_file_of_an_older_mistake_of_the_same_cause(self):
        self.put_breaking()
        self.put("found/toy/crash-1", "ONE")
        self.run_it("triage", "toy", code=1)
        made = "regress/" + next(name for name in self.listed("regress") if name.startswith("toy-"))
        self.put(made, "what was mended")
        self.put("found/toy/crash-2", "ONE")
        self.assertIn("bytes in %s-2.fxt" % made[:-len(".fxt")], self.run_it("triage", "toy", code=1))
        with open(os.path.join(self.folder, made)) as f:
            self.assertEqual(f.read(), "what was mended")

    def test_end_of_a_merge_leaves_no_process_and_no_folder(self):
        self.put_program("toy_libfuzzer", "#!/bin/sh\nsh -c 'echo $$ >%s/inner; sleep 61'; true\n" % self.folder)
        for i in range(2001):
            self.put("corpus/toy/%d" % i, "input")
        for words in (["run", "minimise", "toy"], ["campaign", "toy", "--engines", "libfuzzer"]):
            process = subprocess.Popen([os.path.join(self.folder, words[0])] + words[1:], cwd=self.folder,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            inner = os.path.join(self.folder, "inner")
            for _ in range(600):
                if os.path.exists(inner) and os.path.getsize(inner) > 1:
                    break
                time.sleep(0.1)
            with open(inner) as f:
                number = int(f.read())
            os.unlink(inner)
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(60), 2)
            self.assertFalse(os.path.exists("/proc/%d" % number), words)
            self.assertEqual([name for name in self.listed("corpus") if name.startswith("tmp")], [])

    def test_triage_keeps_findings_that_it_cannot_try(self):
        os.makedirs(os.path.join(self.folder, "found/toy"))
        self.put("found/toy/crash-1", "input")
        self.put("fail", "")
        out = self.run_it("triage", "toy", code=2)
        self.assertRegex(out, r"\nfuzz/run: toy_libfuzzer failed on found/toy/crash-1:\nout of luck\n")
        self.assertEqual(self.listed("found/toy"), ["crash-1"])

    def test_engines_and_triage_have_one_timeout(self):
        record = '#!/bin/sh\necho "$*" >>%s/words\n' % self.folder
        self.put_program("toy_libfuzzer", record)
        self.put_showmap()
        self.put_program("bin/afl-fuzz", record)
        self.run_it("toy", code=0)
        self.with_afl("toy", "--engine", "afl", code=2)
        self.put("found/toy/crash-1", "input")
        self.run_it("triage", "toy", code=0)
        with open(os.path.join(self.folder, "words")) as f:
            words = f.read()
        self.assertEqual(re.findall(r"-timeout=(\d+)|-t (\d+)", words),
                         [("10", ""), ("", "10000")] + 10 * [("10", "")])

    def test_minimise_that_fails_leaves_the_corpus_only(self):
        self.put("fail", "")
        self.assertIn("out of luck", self.run_it("minimise", "toy", code=2))
        self.assertEqual(self.listed("corpus"), ["toy"])
        self.assertEqual(self.listed("corpus/toy"), ["c"])

    def test_folder_that_is_not_there_is_a_mistake(self):
        for words in (["toy", "--kept", "/nowhere"], ["keep", "toy", "--kept", "/nowhere"],
                      ["toy", "--archives", "/nowhere"], ["triage", "toy", "--regress", "/nowhere"],
                      ["merge", "toy", "/nowhere"]):
            out = self.run_it(*words, code=2)
            self.assertRegex(out, "^fuzz/run: argument [^:]*: there is no folder '/nowhere'; see fuzz/run --help\n$")

    def test_archive_that_is_not_there_is_a_mistake(self):
        for words in (["toy"], ["keep", "toy"], ["archive", "toy", "there"]):
            out = self.run_it(*words, "--archives", "seeds", code=2)
            self.assertEqual(out, "fuzz/run: there is no archive 'seeds/toy.zip'; fuzz/run archive toy FOLDER makes one; "
                                  "see fuzz/run --help\n")

    def test_coverage_of_jobs_is_not_told_as_that_of_one(self):
        self.put_program("toy_libfuzzer", "#!/bin/sh\necho '#3: cov: 5 ft: 6 corp: 7 exec/s 8' >&2\nsleep 0.5\n")
        self.assertIn("7 inputs, coverage 5, 0 new", self.run_it("toy", code=0))
        self.assertIn("7 inputs, 0 new", self.run_it("toy", "--jobs", "2", code=0))

    def test_target_may_have_the_name_of_its_file(self):
        self.assertTrue(self.run_it("toy_fuzzer", code=0).startswith("toy: "))

    def test_finding_is_told_as_a_shell_reads_it(self):
        self.put("regress/b.fxt", "BUG")
        beside = os.path.join(self.root, "a folder")
        out = self.run_it("toy", "--folder", beside, code=1)
        program, finding = shlex.split(out.split("; the first again: ")[1])
        self.assertEqual(finding, "../a folder/found/toy/crash-1")
        self.assertTrue(os.path.samefile(os.path.join(self.folder, program), os.path.join(self.folder, "toy_libfuzzer")))

    def test_next_command_has_the_folder(self):
        self.put("seeds/a.fxt", "BUG")
        beside = os.path.join(self.root, "a;folder")
        following = "; next: fuzz/run triage toy --folder '%s'\n" % beside
        self.assertTrue(self.run_it("merge", "toy", "seeds", "--folder", beside, code=1).endswith(following))
        os.makedirs(os.path.join(beside, "corpus/toy"), exist_ok=True)
        with open(os.path.join(beside, "corpus/toy/d"), "w") as f:
            f.write("BUG")
        self.assertTrue(self.run_it("minimise", "toy", "--folder", beside, code=2).endswith(following))
        self.put("regress/b.fxt", "BUG")
        out = self.run_it("toy", "--engines", "libfuzzer", "--folder", beside, code=1, script="campaign")
        self.assertTrue(out.endswith(following[len("; "):]), out)

    def test_finding_is_told_with_a_short_path(self):
        self.put("regress/b.fxt", "BUG")
        os.makedirs(os.path.join(self.root, "bazel-bin"))
        os.symlink(self.folder, os.path.join(self.root, "bazel-bin", "fuzz"))
        self.assertIn("; the first again: ../bazel-bin/fuzz/toy_libfuzzer found/toy/crash-1\n",
                      self.run_it("toy", code=1))
        beside = self.root + "-beside"  # not below it
        self.addCleanup(shutil.rmtree, beside)
        self.assertIn("toy_libfuzzer %s/found/toy/crash-1\n" % beside,
                      self.run_it("toy", "--folder", beside, code=1))

    def test_merge_says_what_it_cuts(self):
        self.put("seeds/b.fxt", "b" * 65537)
        self.assertIn("toy: merging 2 files, 1 cut to 65536 bytes\n", self.run_it("merge", "toy", "seeds", code=0))
        os.remove(os.path.join(self.folder, "seeds/b.fxt"))
        self.assertIn("toy: merging 1 file\n", self.run_it("merge", "toy", "seeds", code=0))

    def test_interrupt_of_the_start_is_no_traceback(self):
        self.put("programs.py", "import os, time\nos.mkdir('there')\ntime.sleep(60)\n")
        for script in ("run", "campaign", "coverage", "evaluate"):
            process = subprocess.Popen([os.path.join(self.folder, script)], stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, text=True, cwd=self.folder)
            self.wait_until(lambda: "there" in self.listed("."))
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.communicate()[0], "")
            self.assertEqual(process.returncode, -signal.SIGINT)
            os.rmdir(os.path.join(self.folder, "there"))

    def test_each_option_is_explained(self):
        for script in ("run", "campaign"):
            for words in (["run"], ["merge"], ["triage"], ["keep"], ["archive"]) if script == "run" else ([],):
                out = self.run_it(*[word for word in words if word != "run"], "--help", code=0, script=script)
                self.assertNotRegex(out, r"(?m)^  --?\w+( [A-Z]+)?\n(?!   )")

    def test_mistakes_on_the_command_line_are_said_in_one_line(self):
        for words, message in ((["merg", "toy"], "did you mean 'merge'"),
                               (["toy", "--minutes", "0"], "--minutes: '0' is not a number above 0"),
                               (["toy", "--minutes", "nan"], "--minutes: 'nan' is not a number above 0"),
                               (["toy", "--jobs", "0"], "--jobs: '0' is not a whole number above 0"),
                               (["toy", "--jobs", "1.5"], "--jobs: '1.5' is not a whole number above 0"),
                               (["toy", "--engine", "alf"], "invalid choice: 'alf'"),
                               (["--minuets", "3", "toy"], "--minuets"),
                               (["toy", "--minuets=3"], "--minuets=3"),
                               (["merge", "toy"], "required: FOLDER")):
            out = self.run_it(*words, code=2)
            self.assertIn(message, out)
            self.assertEqual(out.count("\n"), 1, out)

    def test_relative_folder_of_a_campaign_has_edges(self):
        self.put("toy_libfuzzer", "#!/bin/sh\nfor i; do case $i in -*) ;; *) [ -d $i ] || exit 1;; esac; "
                 "done; echo '#3 INITED cov: 5' >&2\necho stat::number_of_executed_units: 7 >&2\n")
        out = self.run_it("toy", "--engines", "libfuzzer", "--hours", "0.00001", "--folder", "there",
                          code=0, script="campaign")
        self.assertIn("edges 5 -> 5", out)

    def second_target(self, program):
        self.put("good_fuzzer.c", "")
        self.put_program("good_libfuzzer", program)

    def test_campaign_leaves_out_what_broke_and_counts_a_file_once(self):
        self.put("regress/b.fxt", "BUG")
        self.second_target("#!/bin/sh\necho stat::number_of_executed_units: 7 >&2\n")
        for finds in (1, 0):
            out = self.run_it("--engines", "libfuzzer", "--hours", "0.0015", code=1, script="campaign")
            self.assertEqual(out.count("libfuzzer toy: "), 1, out)
            self.assertGreater(out.count("libfuzzer good: "), 1, out)
            self.assertIn("; found now: %d; toy libfuzzer broke and was left out, next: fuzz/run triage toy\n"
                          % finds, out)
        out = self.run_it("toy", "--engines", "libfuzzer", code=1, script="campaign")  # nothing is left
        with open(os.path.join(self.folder, "found", "CAMPAIGN.md")) as f:
            self.assertRegex(f.read(), r"toy \| libfuzzer \| 3 \| 0 \| 0 \| 0 \| 1 \|\n")

    def test_target_that_is_broken_on_purpose_has_no_campaign_in_the_tracked_record(self):
        self.put("planted_fuzzer.c", "")
        self.put_program("planted_libfuzzer", FAKE)
        words = ["planted", "--engines", "libfuzzer", "--hours", "0.00001"]
        self.assertIn("planted breaks on purpose", self.run_it(*words, code=2, script="campaign"))
        self.assertNotIn("CAMPAIGN.md", self.listed("."))
        self.run_it(*words, "--folder", "beside", code=0, script="campaign")

    def test_row_of_a_campaign_that_is_none_is_named(self):
        row = "| 2026-11-25 | abc | toy | libfuzzer | x | 3 |"
        self.put("CAMPAIGN.md", row + "\n")
        out = self.run_it("toy", "--engines", "libfuzzer", code=2, script="campaign")
        self.assertIn("fuzz/campaign: CAMPAIGN.md: this is no row of the table: %s\n" % row, out)

    def wait_until(self, condition):
        deadline = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def interrupted(self, count):
        """The campaign, when the program of the target good runs for the nth time."""
        self.second_target("#!/bin/sh\ncd %s; echo >>calls; [ $(wc -l <calls) -lt %d ] || exec sleep 60\n"
                           "echo stat::number_of_executed_units: 7 >&2\n" % (self.folder, count))
        process = subprocess.Popen([os.path.join(self.folder, "campaign"), "good", "--engines", "libfuzzer"],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.wait_until(lambda: self.lines("calls") == count)
        process.send_signal(signal.SIGINT)
        return process.communicate()[0], process.returncode

    def lines(self, name):
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            return 0
        with open(path) as f:
            return len(f.readlines())

    def test_interrupted_measurement_of_edges_loses_no_run(self):
        out, code = self.interrupted(3)  # before, run, after
        self.assertIn("; found now: 0\n", out)
        self.assertEqual(code, 0)
        with open(os.path.join(self.folder, "found", "CAMPAIGN.md")) as f:
            self.assertRegex(f.read(), r"good \| libfuzzer \| 1 \| 7 \| 0 \| 0 \| 0 \|\n")
        os.remove(os.path.join(self.folder, "calls"))
        out, code = self.interrupted(1)
        self.assertTrue(out.endswith("fuzz/campaign: interrupted before the first run\n"), out)
        self.assertEqual(code, 2)

    def hung_up(self, *words, shell=""):
        """What it prints if its terminal goes while its fuzzer runs, and then Ctrl-C ends it."""
        self.second_target("#!/bin/sh\ntrap 'sleep 1; exit 0' INT; echo '#7' >&2; touch %s/there; sleep 60 & wait\n" %
                           self.folder)
        process = subprocess.Popen(["sh", "-c", shell + 'exec "$0" "$@"', os.path.join(self.folder, words[0]),
                                    *words[1:]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.wait_until(lambda: "there" in self.listed("."))
        process.send_signal(signal.SIGHUP)
        time.sleep(0.5)
        going = process.poll() is None
        process.send_signal(signal.SIGINT)
        os.remove(os.path.join(self.folder, "there"))
        return process.communicate()[0], process.returncode, going

    def test_end_of_the_terminal_ends_a_run_like_an_interrupt(self):
        out, code, _ = self.hung_up("run", "good")
        self.assertRegex(out, "^good: interrupted; .*, nothing found\n$")
        self.assertEqual(code, 0)
        self.assertEqual(self.hung_up("run", "good", shell="trap '' HUP; ")[2], True)

    def test_interrupt_before_the_engine_runs_is_no_run(self):
        self.put_program("toy_libfuzzer", "#!/bin/sh\ntrap 'exit 0' INT; touch %s/there; sleep 60 & wait\n" %
                         self.folder)
        process = subprocess.Popen([self.folder + "/run", "toy"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True)
        self.wait_until(lambda: "there" in self.listed("."))
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.communicate()[0], "fuzz/run: interrupted\n")
        self.assertEqual(process.returncode, 2)

    def test_campaign_goes_on_after_a_run_that_fails(self):
        self.put("fail", "")
        self.second_target("#!/bin/sh\necho stat::number_of_executed_units: 7 >&2\n")
        out = self.run_it("--engines", "libfuzzer", "--hours", "0.0015", code=2, script="campaign")
        self.assertGreater(out.count("libfuzzer good: "), 1, out)
        self.assertEqual(out.count("this run of fuzz/run failed: "), 1, out)
        self.assertTrue(out.endswith("; found now: 0; toy libfuzzer did not run\n"), out)

    def test_campaign_records_a_run_before_it_tells_of_it(self):
        self.second_target("#!/bin/sh\necho stat::number_of_executed_units: 7 >&2\n")
        with open("/dev/full", "w") as full:
            subprocess.run([os.path.join(self.folder, "campaign"), "good", "--engines", "libfuzzer", "--hours",
                            "0.00001"], stdout=full, stderr=subprocess.DEVNULL)
        with open(os.path.join(self.folder, "found", "CAMPAIGN.md")) as f:
            self.assertIn("| good | libfuzzer | 1 | 7 |", f.read())

    def test_bazel_is_told_of_only_if_it_takes_long(self):
        with open(os.path.join(self.folder, "toy_libfuzzer")) as f:
            fake = f.read()
        os.remove(os.path.join(self.folder, "toy_libfuzzer"))
        self.put_program("bin/fuzz/toy_libfuzzer", fake)
        for seconds, message in (("0", ""),
                                 ("2.5", "Bazel builds toy_libfuzzer; the first time takes minutes\n")):
            self.put_program("bin/bazel", "#!/bin/sh\nif [ $1 = build ]; then sleep %s; else echo %s/bin; fi\n" %
                             (seconds, self.folder))
            out = self.run_it("toy", code=0, env={**os.environ, "PATH": self.folder + "/bin:" + os.environ["PATH"]})
            self.assertTrue(out.startswith(message + "toy: "), out)

    def test_old_program_in_a_checkout_is_not_taken(self):
        with open(os.path.join(self.folder, "toy_libfuzzer")) as f:
            self.put_program("bin/fuzz/toy_libfuzzer", f.read())
        self.put_program("toy_libfuzzer", "#!/bin/sh\necho old >&2; exit 1\n")
        self.put_program("bin/bazel", "#!/bin/sh\n[ $1 = build ] || echo %s/bin\n" % self.folder)
        self.put("../WORKSPACE", "")
        self.run_it("toy", code=0, env={**os.environ, "PATH": self.folder + "/bin:" + os.environ["PATH"]})

    def test_interrupt_while_bazel_builds_ends_a_campaign(self):
        self.second_target("#!/bin/sh\necho stat::number_of_executed_units: 7 >&2\n")
        self.put_program("bin/bazel", "#!/bin/sh\ntouch %s/building; exec sleep 60\n" % self.folder)
        self.put_program("bin/afl-fuzz", "#!/bin/sh\n")
        for engines, code, last in (("afl", 2, "fuzz/campaign: interrupted before the first run"),
                                    ("libfuzzer,afl", 0, "0.00 CPU hours in all, 7 executions; found now: 0")):
            process = subprocess.Popen(
                [os.path.join(self.folder, "campaign"), "good", "--engines", engines], stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True,
                env={**os.environ, "PATH": self.folder + "/bin:" + os.environ["PATH"]})
            self.wait_until(lambda: "building" in self.listed("."))
            process.send_signal(signal.SIGINT)
            out = process.communicate()[0]
            self.assertTrue(out.endswith("fuzz/run: interrupted\n%s\n" % last), out)
            self.assertEqual(process.returncode, code)
            os.remove(os.path.join(self.folder, "building"))


if __name__ == "__main__":
    sys.exit(unittest.main())
