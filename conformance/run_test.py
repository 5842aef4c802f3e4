#!/usr/bin/env python3
"""The runner against programs under test that are right, wrong and hostile."""
import base64
import glob
import json
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
import unittest.mock
import xml.dom.minidom
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from model import ARGS
from runner import corpus, grades, levels, results
from runner.needs import LACKS, needs_of
from toy import EVENTS

PYTHON = sys.executable
TOY = "%s %s" % (PYTHON, os.path.join(HERE, "toy.py"))

# A program under test that misbehaves as its first argument says.
HOSTILE = r"""
import os, signal, struct, subprocess, sys, time
what = sys.argv[1]
SAID = {
    "asan": "=====\n==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x7\n    #0 0x1 in f a.c:1\n",
    "msan": "==7==WARNING: MemorySanitizer: use-of-uninitialized-value\n",
    "tsan": "==================\nWARNING: ThreadSanitizer: data race (pid=7)\n",
    "ubsan": "a.c:3:5: runtime error: left shift of 1 by 64 places\n",
    "go": "panic: runtime error: index out of range [4] with length 4\n\ngoroutine 1 [running]:\nmain.main()\n",
    "rust": "\nthread 'main' panicked at src/main.rs:3:5:\nmid > len\nnote: run with `RUST_BACKTRACE=1` to see it\n",
    "assert": "a: a.c:3: main: Assertion `x > 0' failed.\nAborted\n",
    "python": "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nIndexError: out of range\n",
    "lines": "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nValueError: bad record\nat offset 96\n",
    "group": "  + Exception Group Traceback (most recent call last):\n  |   File \"a.py\", line 1\n  | ExceptionGroup: many\n",
    "fatal": "Fatal Python error: Aborted\n\nCurrent thread 0x0 (most recent call first):\n  File \"a.py\", line 1 in f\n",
    "thrown": "a.js:1\nthrow 'text'\n^\ntext\n(Use `node --trace-uncaught ...` to show where the exception was thrown)\n",
    "stl": "/usr/include/c++/12/v.h:9: std::vector<_Tp, _Alloc>::reference %s: Assertion '__n < 3' failed.\n" % ("x" * 200),
    "java": "Exception in thread \"main\" java.lang.NullPointerException\n\tat A.main(A.java:3)\n",
    "node": "/a.js:3\nfoo(\n   ^\n\nTypeError: x is undefined\n    at load (a:1)\n\nNode.js v20.20.2\n",
    "ocaml": "Fatal error: exception Invalid_argument(\"index\")\n",
    "complaint": "error: the trace is cut off\n",
    "go-complaint": "2026/11/28 12:00:00 fatal: the trace is cut off\nexit status 1\n",
    "anyhow": "Error: cannot read\n\nCaused by:\n    0: a ref\n    1: TooShort\n",
    "usage": "error: bad record\nusage: a FILE\nTry 'a --help' for more information.\n",
    "clap": "error: bad record\n\nUsage: a <FILE>\n\nFor more information, try '--help'.\n",
    "rust-complaint": "Error: TooShort\nnote: run with `RUST_BACKTRACE=1` environment variable\n",
}
if what == "segv":
    os.kill(os.getpid(), signal.SIGSEGV)
elif what == "shell":
    sys.exit(128 + signal.SIGABRT)
elif what == "sleep":
    time.sleep(60)
elif what == "text":
    print("hello")
elif what == "latin":
    sys.stdout.buffer.write(b'{}\n{"name":"\xe4"}\n')
elif what == "deep":
    print("[" * 100000)
elif what == "nested":
    print('{"record":"event","x":' + "[" * 900 + "]" * 900 + "}")
elif what == "forever":
    while True:
        sys.stdout.write("x" * 65536)
elif what == "node":
    sys.stderr.write("/a.js:3\nfoo(\n   ^\n\nError: no 'module'\n    at load (a:1)\n    at main {\n"
                     "  code: 'NOT_FOUND'\n}\n\nNode.js v20.20.2\n")
    sys.exit(1)
elif what == "stack":
    sys.stderr.write(SAID[sys.argv[2]] + "\n    at somewhere\n" * int(sys.argv[3]))
    sys.exit(int(sys.argv[4]))
elif what == "loud":
    sys.stderr.write("y" * (1 << 22) + "\nthe end\n")
    sys.exit(3)
elif what == "child":
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    open(sys.argv[2], "w").write(str(child.pid))
elif what == "escapes":
    print('{"event":"\\u001b[31m</script><script>alert(1)</script>]]>\\u202e\\ud800\\u007f&"}')
    sys.stderr.write("\x1b[2J<b>\n")
elif what == "hangup":
    os.kill(os.getppid(), signal.SIGHUP)
    time.sleep(1)
elif what == "deaf":
    time.sleep(60)
elif what == "short":
    sys.stdout.buffer.write(struct.pack("<II", 0, 100) + b"{}")
elif what == "huge":
    sys.stdout.buffer.write(struct.pack("<II", 0, 0xffffffff))
    sys.stdout.buffer.flush()
    time.sleep(60)
elif what == "closes":
    os.close(1)
    time.sleep(60)
elif what == "debug":
    print("hello", flush=True)
    sys.stdout.buffer.write(struct.pack("<II", 0, 0))
    sys.stdout.buffer.flush()
    time.sleep(60)
elif what == "more":
    n, = struct.unpack("<I", sys.stdin.buffer.read(4))
    sys.stdin.buffer.read(n)
    sys.stdout.buffer.write(struct.pack("<II", 0, 0) + b"more")
    sys.stdout.buffer.flush()
    time.sleep(60)
"""


# Through a pipe: it answers nothing, and does something when its input has ended.
ENDING = """
import os, struct, sys
first = True
while len(head := sys.stdin.buffer.read(4)) == 4:
    sys.stdin.buffer.read(struct.unpack("<I", head)[0])
    print("complaint" if first else "", file=sys.stderr, end="", flush=True)
    sys.stdout.buffer.write(struct.pack("<II", not first, 0))
    sys.stdout.buffer.flush()
    first = False
%s
"""

# A reader that is right but for one change.
PRINTER = """
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, %r)
import toy
code, out = toy.answer(open(sys.argv[1], "rb").read(), [])
sys.stdout.buffer.write(%s)
"""

# A reader that does not print who provides.
PARTIAL = """
import sys
sys.path.insert(0, %r)
import python_model
code, out = python_model.answer("records", open(sys.argv[1], "rb").read())
for line in out.splitlines(True):
    if b'"provider_info"' not in line:
        sys.stdout.buffer.write(line)
"""

# A reader of edition 2020, by the pipe. The first argument says what it does at a profiler record.
# Prints nanoseconds and no ticks.
ROUNDS = """import sys
sys.path.insert(0, %r)
import toy

def time(self, ticks, ts="ts", ns="ns"):
    exact, rate, top = ticks * 10**9, self.provider.ticks, 2**64 - 1
    return {ns: {"nearest": min(top, (2 * exact + rate) // (2 * rate)), "up": min(top, -(-exact // rate)),
                 "wraps": exact // rate %% 2**64, "more": exact // rate + 1, "loses": exact // rate // 1000 * 1000}[sys.argv[1]]}

toy.Reader.time = time
toy.serve([])
"""

OF_2020 = """
import sys
sys.path.insert(0, %r)
import toy
class Reader(toy.Reader):
    def deliver(self, kind, **fields):
        if "args" in fields:
            fields["args"] = {name: value for name, value in fields["args"].items() if value is not Reader}
        super().deliver(kind, **fields)
    def value(self, type, h, part):
        return Reader if type > 8 else super().value(type, h, part)
    def scheduling(self, h, span):
        if h >> 60 == 0:
            super().scheduling(h, span)
    def profiler(self, h, span):
        if sys.argv[1] == "abort":
            raise SystemExit(134)
        if sys.argv[1] == "prints":
            self.deliver("module")
        if sys.argv[1] == "stops":
            self.record = lambda h, span: None
    def large(self, h, span):
        pass
toy.Reader = Reader
toy.BLOBS.pop(3)
toy.serve(["large-12-bits"])
"""

# A reader that lacks what the first argument names.
WITHOUT = """
import sys
sys.path.insert(0, %r)
import toy
what = sys.argv[1]
class Reader(toy.Reader):
    dead = False
    def refuse(self):
        super().refuse()
        self.dead = self.dead or what == "recovery"
    def deliver(self, kind, **fields):
        if not self.dead and (what != "no-provider" or hasattr(self.provider, "given")):
            super().deliver(kind, **fields)
    def metadata(self, h, span):
        was_given = hasattr(self.providers.get(toy.bits(h, 20, 51)), "given")
        super().metadata(h, span)
        if what == "reintroduction" and toy.bits(h, 16, 19) == 1 and was_given:
            raise SystemExit(99)
        if h >> 16 & 15 in (1, 2):
            self.provider.given = True
    def value(self, type, h, part):
        value = super().value(type, h, part)
        if what == "argument-tails" and part.at < part.end and type <= 10:
            raise toy.Malformed
        return value
toy.Reader = Reader
toy.serve([])
"""

# A reader whose interface lacks what the first argument names.
NARROW_READER = """
import sys
sys.path.insert(0, %r)
import toy
lacks = sys.argv[1].split(",")
class Reader(toy.Reader):
    def metadata(self, h, span):
        if "providers" not in lacks:
            super().metadata(h, span)
    def deliver(self, kind, **fields):
        super().deliver(kind, **fields)
        for lack, key in (("categories", "category"), ("providers", "provider"), ("scopes", "scope"),
                          ("object-arguments", "args" if "object" in kind else "")):
            if lack in lacks:
                self.lines[-1].pop(key, None)
toy.Reader = Reader
toy.serve([])
"""

# The same of a writer. A script that has what the writer lacks ends it.
NARROW_WRITER = """
import json, struct, sys
sys.path.insert(0, %r + "/adapters")
import python_model
lacks = sys.argv[1].split(",")
def narrow(line):
    event = json.loads(line)
    for lack, key, value in (("categories", "category", ""), ("scopes", "scope", "thread"),
                             ("object-arguments", "args", {} if "object" in event.get("event", "") else None)):
        if lack in lacks and value is not None and "event" in event:
            if key in event:
                return None
            event[key] = value
    if "providers" in lacks and ("provider" in event or event.get("write") == "provider"):
        return None
    return json.dumps(event)
while len(head := sys.stdin.buffer.read(4)) == 4:
    lines = list(map(narrow, sys.stdin.buffer.read(struct.unpack("<I", head)[0]).decode().splitlines()))
    code, out = (1, b"") if None in lines else python_model.write("\\n".join(lines).encode())
    sys.stdout.buffer.write(struct.pack("<II", code, len(out)) + out)
    sys.stdout.buffer.flush()
"""

# A reader that skips arguments or records of one kind by their size.
SKIPS = """
import sys
sys.path.insert(0, %r)
import model, toy
skipped = sys.argv[1]
class Reader(toy.Reader):
    def args(self, span, count):
        return {name: value for name, value in super().args(span, count).items() if value is not Reader}
    def value(self, type, h, part):
        return Reader if skipped == "arg." + (model.ARGS + [""] * 16)[type] else super().value(type, h, part)
    def record(self, h, span):
        kind = {0: (toy.EVENTS + [""] * 16)[h >> 16 & 15], 1: "blob", 2: "userspace_object", 3: "kernel_object",
                4: ("legacy_switch", "context_switch", "thread_wakeup", "")[min(h >> 60, 3)], 5: "log",
                6: ("module", "mmap", "backtrace", "")[min(h >> 16 & 15, 3)], 11: "large_blob"}.get((h & 15) - 4)
        if kind != skipped:
            super().record(h, span)
toy.Reader = Reader
toy.serve([])
"""

# A writer that is right but for one change.
WRITER = """
import struct, sys
sys.path.insert(0, %r)
import python_model
code, out = python_model.answer("write", open(sys.argv[1], "rb").read())
sys.stdout.buffer.write(%s)
"""

# A writer that registers each string once, and forgets none when the indices begin again.
TABLE = """
import sys
sys.path.insert(0, %r)
import python_model
from python_model import model
known = {}
def registered(_, value):
    new = value not in known
    index = known.setdefault(value, len(known) %% 32767 + 1)
    return model.String(index), model.encode("string", {"index": index, "value": value.encode()}) if new else b""
python_model.registered = registered
code, out = python_model.answer("write", open(sys.argv[1], "rb").read())
sys.stdout.buffer.write(out)
"""


# In C: what it does depends on the length of the trace, and on nothing that a fork would keep.
VARIED = r"""
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int runs;
int main(int argc, char **argv)
{
    FILE *trace = fopen(argv[argc - 1], "rb");
    fseek(trace, 0, SEEK_END);
    long words = ftell(trace) / 8;
    printf("{\"runs\":%d}\n", ++runs);
    fprintf(stderr, "%ld words\n", words);
    if (words % 7 == 1)
        abort();
    if (words == 30)
        pause();
    return (int)(words % 3);
}
"""

# A process for each trace, started or forked.
TRANSPORTS = ((), ("--prefork",))


def run(*words, timeout=300):
    """Exit code, output, errors."""
    done = subprocess.run([PYTHON, os.path.join(HERE, "run")] + list(words), timeout=timeout,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    return done.returncode, done.stdout, done.stderr


def toy(*words, errors=(), level="events"):
    planted = "".join(" --error=" + error for error in errors)
    return run("--adapter", TOY + " --pipe" + planted, "--pipe", "--level", level, *words)


def told(out):
    """The rules of the table."""
    return set(re.findall(r"^([A-Z]{3}-\d\d): ", out, re.M))


def needing(need):
    """The vectors with the need, which the runner computes."""
    return {vector["id"] for vector in corpus.load(os.path.join(HERE, "corpus"), False)
            if need in needs_of(vector) and vector["tests"] != "REC-09"}


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.program = self.file("hostile.py", HOSTILE)

    def file(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as f:
            return f.read()

    def page(self, name):
        """The data of a page."""
        packed = re.search('id="data">(.*?)</script>', self.read(name)).group(1)
        return json.loads(zlib.decompress(base64.b64decode(packed)))

    def vector(self, id):
        with open(os.path.join(HERE, "corpus", id.split("/")[0] + ".json"), encoding="utf-8") as f:
            return next(vector for vector in json.load(f) if vector["id"] == id)

    def suite(self):
        """A copy of what the runner needs, which a test may damage."""
        folder = os.path.join(self.folder, "suite")
        for name in ("runner", "corpus", "matrix"):
            shutil.copytree(os.path.join(HERE, name), os.path.join(folder, name))
        for name in ("run", "model.py", "toy.py"):
            shutil.copy(os.path.join(HERE, name), folder)
        shutil.copytree(os.path.join(HERE, "..", "spec"), os.path.join(folder, "spec"))
        return folder

    def hostile(self, what, *words, timeout=20):
        return run("--adapter", "%s %s %s" % (PYTHON, self.program, what), "--level", "events",
                   "--run", "event/async", "--timeout", str(timeout), *words)


class Readers(Case):
    def test_toy_passes_all(self):
        code, out, err = toy()
        self.assertEqual((code, err), (0, ""), out)
        self.assertRegex(out, r"^level events: \d{4} passed, 0 failed, \d\d unproven; ")

    def test_planted_errors_tell_their_rules_and_no_others(self):
        planted = {"int32-unsigned": "ARG-05", "sections-ignored": "MET-08", "zero-ends": "REC-09"}
        for errors in [[error] for error in planted] + [list(planted)]:
            _, out, _ = toy(errors=errors)
            self.assertEqual(told(out), {planted[error] for error in errors}, out)
            self.assertNotIn("Perhaps consequences", out)
            self.assertEqual("\n3 of 3 failures are the answers of a reader that loses the sign of an int32.\n" in out,
                             errors == ["int32-unsigned"])

    def test_a_large_size_of_12_bits_is_found_by_readers_that_know_no_large_record(self):
        _, out, _ = toy("--kinds", "tables,events,args", errors=["large-12-bits"])
        self.assertEqual(told(out), {"LRG-01", "REC-03"}, out)

    def test_what_the_text_leaves_open_fails_nothing(self):
        code, out, _ = toy(errors=["clears-tables"])
        self.assertEqual(code, 0, out)
        self.assertIn(" 0 failed, 2 differs", out)

    def test_a_reader_need_not_refuse_what_it_skips(self):
        tiny = "%s %s {file}" % (PYTHON, os.path.join(HERE, "adapters/tiny.py"))
        for words, expected in ((["--kinds", "magic,instant"], 0), (["--run", "blob/short-*"], 1),
                                (["--kinds", "tables,events", "--run", "blob/short-*"], 2)):
            code, out, err = run("--adapter", tiny, "--level", "exit", *words)
            self.assertEqual(code, expected, out)
        self.assertIn("needs blob", err)

    def test_a_process_for_each_file(self):
        code, out, _ = run("--adapter", TOY + " {file}", "--level", "events", "--run", "blob/*")
        self.assertEqual(code, 0, out)
        code, out, _ = run("--adapter", TOY + " --error=int32-unsigned {file}", "--level", "events",
                           "--run", "argument/extremes")
        self.assertEqual(code, 1)
        self.assertIn("argument/extremes: failed: event 1: args: a: expected -2147483648, got "
                      "2147483648", out)

    def test_the_model_at_every_level(self):
        for level in ("exit", "events", "records", "findings", "write"):
            adapter = "%s %s %s --pipe" % (PYTHON, os.path.join(HERE, "adapters/python_model.py"),
                                           level)
            code, out, err = run("--adapter", adapter, "--pipe", "--level", level)
            self.assertEqual((code, err), (0, ""), out)

    def test_a_checker_of_the_wrong_edition_fails(self):
        adapter = "%s %s findings" % (PYTHON, os.path.join(HERE, "adapters/python_model.py"))
        for edition, code in (("2020", 0), ("current", 1)):
            got, out, err = run("--adapter", "%s --edition=%s --pipe" % (adapter, edition),
                                "--pipe", "--level", "findings", "--edition", "2020")
            self.assertEqual((got, err), (code, ""), out)
            self.assertNotIn("unsupported", out)
        self.assertIn("EDN-01", told(out))
        self.assertIn("missing: EDN-01 @ 0x", out)

    def test_a_level_is_not_passed_by_the_answer_of_another(self):
        adapter = "%s %s events --pipe" % (PYTHON, os.path.join(HERE, "adapters/python_model.py"))
        for level in ("records", "findings", "write"):
            code, _, _ = run("--adapter", adapter, "--pipe", "--level", level, "--run", "event/*")
            self.assertEqual(code, 1, level)
        self.assertEqual(run("--adapter", "true {file}", "--level", "exit", "--run",
                             "argument/zero-size")[0], 1)
        self.assertEqual(run("--adapter", "false {file}", "--level", "exit", "--run",
                             "event/async")[0], 1)

    def findings(self, lines, rules, *words):
        """What is told of a checker that prints these lines and calls the rules so."""
        checker = self.file("checker.py", "import sys\nprint(sys.argv[1])\n")
        options = ["--rules", self.file("rules.txt", rules)] if rules else []
        return run("--adapter", "%s %s %s {file}" % (PYTHON, checker, shlex.quote(lines)), "--level", "findings",
                   *options, *(words or ("--run", "event/argument-event-unknown")))

    def test_a_checker_may_call_the_rules_otherwise_and_tell_no_offsets(self):
        at = self.vector("event/argument-event-unknown")["findings"]["current"][0]["offset"]
        for lines, rules, wanted in (
                ("ARG-04 @ %d" % at, "", "1 unproven"), ("ARG-04", "", "1 unproven"), ('{"rule":"ARG-04"}', "", "1 unproven"),
                ("ARG-04\nARG-04", "", "1 unproven"), ("ARG-04 @ %d\nARG-04 @ %d" % (at, at), "", "too much: ARG-04 @ 0x"),
                ("EVT-04", "", "missing: ARG-04; too much: EVT-04"),
                ("bad argument @ %d" % at, "'bad argument' ARG-06 ARG-04  # both", "1 unproven"),
                ("bad @ %d\nstyle @ 1" % at, "bad ARG-04\nstyle -\n", "1 unproven"),
                ("bad", "bad EVT-04\nworse ARG-04", "missing: ARG-04; too much: EVT-04"),
                ("bad @ 8", "bad ARG-04 EVT-04", "missing: ARG-04|EVT-04 @ 0x%x; too much: ARG-04|EVT-04 @ 0x8" % at),
                ("other", "bad ARG-04", "garbage: line 1 is no finding of a name in "),
                ("other", "", "garbage: line 1 is no finding: other")):
            _, out, err = self.findings(lines, rules)
            self.assertIn(wanted, out + err, (lines, rules))

    def test_rules_that_a_checker_does_not_have_are_not_compared(self):
        _, _, err = self.findings("bad", "bad EVT-04")
        self.assertIn("event/argument-event-unknown needs ARG-04", err)
        _, out, _ = self.findings("bad", "bad EVT-04", "--run", "EVT-04", "--run", "STR-02")
        self.assertRegex(out, r"level findings: \d+ passed, [1-9]\d* failed, [1-9]\d* unsupported")

    def test_mistakes_in_the_names_of_rules(self):
        for rules, wanted in (("\nbad STR-99", "rules.txt:2: no such rule: STR-99; did you mean STR-0"),
                              ("bad", "rules.txt:1: bad stands for nothing"), ("", "/rules.txt has no rule"),
                              ("bad STR-02\nbad STR-03", "rules.txt:2: bad is listed already"),
                              ("'bad STR-02", "rules.txt:1: No closing quotation"), ("bad -", "rules.txt has no rule")):
            code, out, err = self.findings("bad", rules or "# nothing")
            self.assertEqual((code, out), (2, ""))
            self.assertIn(wanted, err)
        self.assertIn("--rules is of --level findings", toy("--rules", "x")[2])

    def test_a_writer_that_breaks_a_rule_or_a_value(self):
        for name, change, words in (
                ("rule", "out + struct.pack('<Q', 0x0050000000030010)", "the bytes break MET-04 at"),
                ("value", "out[:-8] + b'changed.'", ": id: expected"),
                ("magic", "out[8:]", "the bytes break MET-07 at 0x0: a trace begins with the magic number"),
                ("nothing", "b''", "got 0; the first that is missing"),
                ("large", "out * 2000", "garbage: printed more than"),
                ("name", "out.replace(b'provider', b'provides')",
                 'provider 0: name: expected "provider", got "provides"')):
            program = self.file(name + ".py", WRITER % (os.path.join(HERE, "adapters"), change))
            code, out, _ = run("--adapter", "%s %s {file}" % (PYTHON, program), "--level", "write",
                               "--run", "event/counter")
            self.assertEqual(code, 1, out)
            self.assertIn(words, out)

    def test_a_writer_has_more_strings_than_its_table_has_places(self):
        words = ["--level", "write", "--run", "string_table/more-than-places"]
        code, out, _ = run("--adapter", "%s %s/python_model.py write {file}" % (
            PYTHON, os.path.join(HERE, "adapters")), *words)
        self.assertEqual(code, 0, out)
        program = self.file("table.py", TABLE % os.path.join(HERE, "adapters"))
        code, out, _ = run("--adapter", "%s %s {file}" % (PYTHON, program), *words)
        self.assertEqual(code, 1, out)
        self.assertIn('failed: event 32767: category: expected "category", got "name 32766"', out)

    def test_a_writer_that_writes_an_argument_of_another_type(self):
        """The types of pointer and koid are 7 and 8."""
        program = self.file("swaps.py", WRITER % (os.path.join(HERE, "adapters"), """(
            python_model.model.ARGS.insert(7, python_model.model.ARGS.pop(8)),
            python_model.answer("write", open(sys.argv[1], "rb").read())[1])[1]"""))
        words = ["--adapter", "%s %s {file}" % (PYTHON, program), "--level", "write", "--run", "argument/*koid*",
                 "--run", "argument/*pointer*"]
        code, out, _ = run(*words)
        self.assertEqual(code, 1, out)
        self.assertRegex(out, "failed: event 1: types: [a-z]+: expected koid, got pointer\n")
        self.assertRegex(out, "failed: event 1: types: [a-z]+: expected pointer, got koid\n")
        self.assertIn("the first difference is in 'types'. Mend it first: it hides others.\n"
                      "If the interface of the program chooses the types of arguments: --any-types\n", out)
        code, out, err = run(*words, "--any-types")
        self.assertEqual((code, err), (0, ""), out)
        self.assertIn(" 0 failed", out)

    def test_a_writer_that_breaks_a_rule_fails_where_a_reader_is_free(self):
        change = "out[:-8] + struct.pack('<Q', 3)"
        program = self.file("scope.py", WRITER % (os.path.join(HERE, "adapters"), change))
        code, out, _ = run("--adapter", "%s %s {file}" % (PYTHON, program), "--level", "write",
                           "--run", "event/instant-scope-global")
        self.assertEqual(code, 1, out)
        self.assertIn("failed: the bytes break EVT-10", out)

    def test_a_reader_that_never_prints_anything_ends_early(self):
        code, out, err = run("--adapter", "true {file}", "--level", "events")
        self.assertEqual(code, 1, out + err)
        self.assertIn("none of the first 20 vectors got a usable answer (failed: exit code 0, and "
                      "nothing printed), so the rest", out + err)

    def test_a_program_that_prints_nothing_where_nothing_is_expected_has_shown_nothing(self):
        report, known = os.path.join(self.folder, "report"), self.file("known.txt", "* failed|passed it is known\n")
        for words in (["--kinds", "tables"], ["--run", "REC-10", "--kinds", "tables,instant"],
                      ["--run", "REC-10", "--run", "event/async", "--expect", known]):
            code, out, err = run("--adapter", "true {file}", "--level", "events", "--report", report, "--record",
                                 "true", "--keep-going", *words)
            self.assertEqual(code, 1, out)
            self.assertRegex(err, "^run: the program printed nothing, .*: claim a kind of event, such as "
                             "--kinds=tables,instant, or run other vectors\n$")
            self.assertIn("not written, since the run shows nothing: --record true\n", out)
            self.assertRegex(self.read("report/results.tap"), r"\nBail out! the program printed nothing, .*\n$")
            suite = xml.dom.minidom.parseString(self.read("report/results.xml")).documentElement
            self.assertEqual(suite.getAttribute("errors"), "1")
            self.assertEqual(len(suite.getElementsByTagName("error")), 1)
            self.assertIn("printed nothing", json.loads(self.read("report/results.json"))["problem"])
            self.assertNotIn("interrupted: ", out)
            if "--expect" not in words:
                self.assertIn(" 0 failed", out)
                self.assertIn("; 0 of 0 rules as expected", out)

    def test_rules_whose_vectors_expect_nothing_are_not_counted(self):
        code, out, err = toy("--run", "REC-10", "--run", "event/async", "--report", self.folder)
        self.assertEqual((code, err), (0, ""), out)
        self.assertIn("; 1 of 1 rules as expected", out)
        results = json.loads(self.read("results.json"))["results"]
        self.assertEqual({r["tests"]: r["vacuous"] for r in results}, {"REC-10": "idle", "EVT-06": ""})

    def test_vectors_that_any_exit_code_passes_are_counted_apart(self):
        for adapter in ("true {file}", "false {file}"):
            code, out, err = run("--adapter", adapter, "--level", "exit", "--run", "REC-04")
            self.assertEqual((code, err), (1, "run: every exit code passes these vectors: run others\n"), out)
            self.assertRegex(out, r"level exit: 0 passed, 0 failed, \d+ either way; 0 of 0 rules as expected")
        code, out, err = toy("--run", "REC-04", "--run", "event/async", "--report", self.folder, level="exit")
        self.assertEqual((code, err), (0, ""), out)
        self.assertRegex(out, r"level exit: 1 passed, 0 failed, (\d+) either way; 1 of 1 rules as expected")
        either = int(re.search(r"(\d+) either way", out).group(1))
        self.assertEqual(json.loads(self.read("results.json"))["counts"], {"passed": 1, "either way": either})
        suite = xml.dom.minidom.parseString(self.read("results.xml")).documentElement
        self.assertEqual(suite.getAttribute("skipped"), str(either))
        self.assertEqual([e.getAttribute("message") for e in suite.getElementsByTagName("skipped")],
                         ["either way"] * either)
        self.assertEqual(self.read("results.tap").count("\n# either way\n"), either)

    def test_a_program_that_answers_every_trace_alike_has_shown_nothing(self):
        advice = "the program did not show that it tells a good trace from another one, or from one that is cut off"
        sentinel = self.vector("argument/zero-size")["events"][-1]
        constant = self.file("constant.py", "print(%r)" % json.dumps(sentinel))
        constant = "%s %s {file}" % (PYTHON, constant)
        for adapter, level, words in (
                ("true {file}", "exit", ["event/async"]), ("true {file}", "exit", ["event/async", "event/async-nested-same-id"]),
                ("false {file}", "exit", ["argument/zero-size"]), ("true {file}", "findings", ["event/async"]),
                (constant, "events", ["argument/zero-size"])):
            code, out, err = run("--adapter", adapter, "--level", level, *(w for v in words for w in ("--run", v)))
            self.assertEqual((code, err), (1, "run: %s\n" % advice), out)
            self.assertRegex(out, r"0 passed, 0 failed, \d unproven; 0 of 0 rules")
        for adapter in ("true {file}", "false {file}"):
            code, out, err = run("--adapter", adapter, "--level", "exit", "--run", "argument/z*", "--run", "event/async")
            self.assertEqual((code, err), (1, ""), out)
            self.assertRegex(out, r"\nNo pass is evidence: %s\.\nlevel exit: 0 passed, .*; 0 of \d+ rules" % advice)
        code, out, err = run("--adapter", constant, "--level", "events", "--run", "argument/z*", "--keep-going")
        self.assertRegex(out, r"\nlevel events: 0 passed, .* unproven; 0 of \d+ rules")

    def test_a_pass_of_one_vector_is_proved_by_two_traces_more(self):
        for level in ("exit", "events"):
            for words in (["event/async"], ["argument/zero-size"]):
                for transport in (["--pipe"], []):
                    adapter = TOY + (" --pipe" if transport else " {file}")
                    code, out, err = run("--adapter", adapter, "--level", level, "--run", *words, *transport)
                    self.assertEqual((code, err), (0, ""), out)
                    self.assertIn("1 passed, 0 failed; 1 of 1 rules", out)

    def test_what_the_program_skips_is_counted_apart_and_no_pass(self):
        for condition, expected, counts in (
                ("b'scope' in out", 0, r"[1-9]\d* passed, 0 failed, .*[1-9]\d* skipped; "),
                ("True", 1, r"0 passed, 0 failed, \d+ skipped; 0 of 0 rules")):
            skips = self.file("skips.py", PRINTER % (HERE, "b'{\"skip\":\"no scopes\"}\\n' if %s else out" % condition))
            report = os.path.join(self.folder, "report")
            code, out, err = run("--adapter", "%s %s {file}" % (PYTHON, skips), "--level", "events",
                                 "--run", "event/async*", "--run", "event/instant*", "--report", report)
            self.assertEqual(code, expected, out + err)
            self.assertRegex(out, counts)
            self.assertRegex(out, r"Skipped by the program: \d+ no scopes\.")
            self.assertIn("# SKIP no scopes", self.read("report/results.tap"))
        self.assertIn("skipped every vector", err)

    def test_an_answer_that_skips_is_nothing_else(self):
        for answer, is_skip in ((b'{"skip":"a"}', True), (b'{"skip":"a"}\n', True), (b'{"skip":" "}', False),
                                (b'{"skip":1}', False), (b'{"skip":"a","ts":1}', False),
                                (b'{"skip":"a"}\n{"skip":"a"}', False), (b"{" * 4000, False), (b"{\xff", False)):
            self.assertEqual(levels.skipped(answer) is not None, is_skip, answer)

    def test_minus_zero_may_be_printed_as_c_does(self):
        program = self.file("c.py", PRINTER % (HERE, "out.replace(b'-0.0', b'-0')"))
        words = ["--adapter", "%s %s {file}" % (PYTHON, program), "--level", "events", "--run"]
        code, out, _ = run(*words, "argument/double-value-1")
        self.assertEqual(code, 0, out)
        program = self.file("c.py", PRINTER % (HERE, "out.replace(b'-0.0', b'0')"))
        self.assertIn("expected -0.0, got 0", run(*words, "argument/double-value-1")[1])
        program = self.file("c.py", PRINTER % (HERE, "out.replace(b': 0,', b': -0,')"))
        self.assertEqual(run(*words, "event/counter*")[0], 0)

    def test_hex_may_have_either_case_and_be_an_object_and_a_text_may_not(self):
        runs = [word for name in ("blob/length-blob-*", "large/length-large-payload-*", "profiler/length-build-id-*",
                                  "argument/length-argument-blob-*") for word in ("--run", name)]
        for form in (b'"%s"', b'{"hex":"%s"}'):
            program = self.file("upper.py", "import re\n" + PRINTER % (HERE, (
                "re.sub(rb'(payload|build_id|argument)\": \"([0-9a-f]*)\"',"
                " lambda m: m[1] + b'\": ' + %r %% m[2].upper(), out)" % form)))
            code, out, err = run("--adapter", "%s %s {file}" % (PYTHON, program), "--level", "events", *runs)
            self.assertEqual((code, err), (0, ""), out)
        program = self.file("upper.py", PRINTER % (HERE, "out.replace(b'abc', b'ABC')"))
        code, out, _ = run("--adapter", "%s %s {file}" % (PYTHON, program), "--level", "events", "--run",
                           "argument/padding-argument-string-first")
        self.assertIn('args: argument: expected "abc", got "ABC"', out)

    def test_what_is_unspecified_costs_no_event_around_it(self):
        none, first, second = "b''", "out.split(b'\\n')[0]", "out.split(b'\\n')[1]"
        for vector, printed, status in (
                ("event/ref-event-name-unregistered", none, "failed"),
                ("event/ref-event-name-unregistered", second, "differs"),
                ("argument/names-equal-indexed", first, "failed"),  # both events have one name
                ("argument/names-equal-indexed", second, "differs"),
                ("argument/names-equal-indexed", "out.replace(b'argument', b'')", "differs"),
                ("framing/zero-words-at-end-one", none, "failed"),
                ("framing/zero-words-two-runs", none, "failed"),
                ("framing/zero-words-two-runs", first, "differs"),
                ("trace/before-any-provider", none, "differs"),
                ("trace/concatenated-threads", none, "differs")):
            program = self.file("reader.py", PRINTER % (HERE, printed))
            code, out, _ = run("--adapter", "%s %s {file}" % (PYTHON, program), "--level", "events",
                               "--run", vector)
            self.assertEqual(code, int(status == "failed"), vector + out)
            self.assertIn("%s: %s: %s" % (vector, status, (
                'lost: instant "sentinel"; expected' if code else "e")), out)

    def test_times_that_a_division_rounds_otherwise_differ(self):
        program = self.file("rounds.py", ROUNDS % HERE)
        for what, wanted in (("nearest", 0), ("up", 0), ("wraps", 1), ("loses", 1)):
            code, out, err = run("--adapter", "%s %s %s" % (PYTHON, program, what), "--pipe", "--level", "events",
                                 "--run", "initialization/*", "--run", "trace/*", "--run", "event/duration*")
            self.assertEqual((code, err), (wanted, ""), what + out)
            if not wanted:
                self.assertIn(" differ", out)

    def test_times_that_are_exact_have_no_tolerance(self):
        program = self.file("rounds.py", ROUNDS % HERE)
        adapter = "%s %s more" % (PYTHON, program)
        for vector in ("event/async", "initialization/end-does-not-fit", "initialization/rate-3-large"):
            code, out, _ = run("--adapter", adapter, "--pipe", "--level", "events", "--run", vector)
            self.assertEqual(code, 1, vector + out)
            self.assertIn(vector + ": failed: event", out)
        out = run("--adapter", adapter, "--pipe", "--level", "events")[1]
        self.assertIn("failures the first difference is in 'ns'", out)
        self.assertNotIn("for a program that", out)  # which fails the others as well

    def test_a_reader_of_2020_skips_what_came_later(self):
        program = self.file("of_2020.py", OF_2020 % HERE)
        for what, words, wanted, says in (
                ("skips", [], 0, " 0 failed, "), ("skips", ["--edition", "current"], 1, " failed, "),
                ("skips", ["--kinds", "tables,events,args"], 0, " 0 failed, "),
                ("abort", ["--run", "profiler/unknown*"], 1, "crashed: SIGABRT instead of an answer"),
                ("stops", ["--run", "profiler/*"], 1, 'the first that is missing: {"event": "instant"'),
                ("prints", ["--run", "profiler/*"], 1, "failed: expected 1 event, got 2")):
            code, out, err = run("--adapter", "%s %s %s" % (PYTHON, program, what), "--pipe", "--level", "events",
                                 "--keep-going", *(words if "--edition" in words else ["--edition", "2020"] + words))
            self.assertEqual((code, err), (wanted, ""), what + out)
            self.assertIn(says, out)
        self.assertEqual(toy("--edition", "2020")[0], 0)  # it may know them, too

    def test_what_the_text_merely_permits_is_left_out_by_name(self):
        program = self.file("lacks.py", WITHOUT % HERE)
        for what in ("recovery", "no-provider", "reintroduction", "argument-tails"):
            words = ["--adapter", "%s %s %s" % (PYTHON, program, what), "--pipe", "--level", "events"]
            code, out, _ = run(*words, "--report", os.path.join(self.folder, what))
            self.assertEqual(code, 0 if what == "no-provider" else 1, out)  # only rulings ask for that
            results = json.loads(self.read(what + "/results.json"))["results"]
            self.assertEqual({r["id"] for r in results if r["status"] != "passed" and
                              r["tests"] != "REC-09"}, needing(what), what)  # zero words are refused, and are no records
            if what == "recovery":
                self.assertRegex(out, r"\n\d+ of \d+ failures are of traces for a program that goes on behind a malformed "
                                 "record. If it does not: --without=recovery\n")
            code, out, err = run(*words, "--without", what)
            self.assertEqual((code, err), (0, ""), what + out)
            self.assertIn(" unsupported", out)
        _, out, err = run("--adapter", TOY + " {file}", "--level", "exit", "--without", "recovery", "--run", "event/short*")
        self.assertEqual(err, "", out)
        self.assertNotIn("unsupported", out)
        for words, said in ((["--level", "events", "--without", "recover"], "did you mean recovery?"),
                            (["--level", "write", "--without", "recovery"],
                             "--without recovery is of the levels exit, events, records, findings\n"),
                            (["--level", "exit", "--without", "scopes"], "--without scopes is of the levels events, write\n")):
            code, _, err = run("--adapter", TOY + " {file}", *words)
            self.assertEqual(code, 2)
            self.assertIn(said, err)
        self.assertIn("\nneeds: scope-words\n", run("--show", "event/scope-global")[1])

    def test_what_a_whole_interface_lacks_is_not_compared(self):
        reader, writer = self.file("reader.py", NARROW_READER % HERE), self.file("writer.py", NARROW_WRITER % HERE)
        single, all_of_them = list(LACKS), ",".join(LACKS)
        for level, program, lack in [("events", reader, lack) for lack in single + [all_of_them]] + [
                ("write", writer, all_of_them)]:
            words = ["--adapter", "%s %s %s" % (PYTHON, program, lack), "--pipe", "--level", level]
            code, out, _ = run(*words)
            self.assertEqual(code, 1, out)
            if lack in single[:3]:
                self.assertIn("\nIf the program has no %s: --without=%s\n" % (lack, lack), out)
            code, out, err = run(*words, "--without", lack)
            self.assertEqual((code, err), (0, ""), "%s %s %s" % (level, lack, out))
            self.assertGreater(int(re.search(r"(\d+) passed", out).group(1)), 1800 if level == "events" else 900, out)
            self.assertEqual("unsupported" in out, "providers" in lack)

    def test_what_is_not_lacking_is_compared(self):
        self.assertEqual(toy("--without", ",".join(LACKS), errors=["int32-unsigned"])[0], 1)
        program = self.file("writer.py", WRITER % (os.path.join(HERE, "adapters"), "out[:-8] + b'changed.'"))
        code, out, _ = run("--adapter", "%s %s {file}" % (PYTHON, program), "--level", "write", "--without",
                           ",".join(LACKS), "--run", "event/counter")
        self.assertIn(": id: expected", out)

    def test_classes_are_told_apart(self):
        code, out, err = run("--adapter", TOY + " --pipe --error=zero-ends --error=int32-unsigned", "--pipe", "--level", "events")
        self.assertRegex(out, r"\n    \[y, wrong value\] argument/int32-value-0: failed: ")
        self.assertRegex(out, r"\n    from spec/format.md 9.1, \"Argument Types\" of the Fuchsia text\n")
        self.assertRegex(out, r"\nFailures: .*\d+ wrong value")
        self.assertRegex(out, r"\nRequired: \d+ of \d+ as expected. Recommended: \d+ of \d+ as expected.\n")
        code, out, err = toy("--grade", "required")
        self.assertEqual((code, err), (0, ""), out)
        self.assertEqual(run("--adapter", TOY + " --pipe --error=magic-ignored", "--pipe", "--level", "events",
                             "--grade", "required")[0], 0)  # a second trace in a file is a ruling
        _, out, _ = run("--adapter", TOY + " --pipe --error=magic-ignored", "--pipe", "--level", "events")
        self.assertNotIn(" 0 differs", out)
        self.assertIn("did you mean required?", toy("--grade", "requird")[2])
        _, out, _ = run("--show", "argument/zero-size")
        self.assertIn('\nfrom: spec/format.md 9.1, "Argument Types" of the Fuchsia text, ruling R47\n', out)

    def test_an_effect_is_named(self):
        for level, status, text, effect in (
                ("events", "crashed", "SIGSEGV", "memory error"), ("exit", "crashed", "exit code 2; stderr: panic: x", "crash"),
                ("exit", "crashed", "exit code 1; stderr: ==7==ERROR: AddressSanitizer: heap-buffer-overflow on 0", "memory error"),
                ("exit", "hung", "no answer in 10 s", "endless loop"), ("events", "garbage", "line 1", "unreadable answer"),
                ("exit", "failed", "expected a complaint about ARG-02, got exit code 0", "accepts malformed"),
                ("exit", "failed", "expected exit code 0, got 1", "refuses valid"),
                ("events", "failed", "expected 2 events, got 1; event 1: ts: expected 1, got 2", "lost event"),
                ("events", "failed", "expected 1 event, got 2; the first that is too much: {}", "made-up event"),
                ("events", "failed", "event 1: args: a: expected 1, got 2", "wrong value"),
                ("events", "failed", "event 1: scope is missing: expected 1", "wrong value"),
                ("events", "failed", "the same events, in another order: event 1: x", "wrong order"),
                ("findings", "failed", "missing: ARG-02 @ 0x1", "lost finding"),
                ("findings", "failed", "too much: ARG-02 @ 0x1", "made-up finding"),
                ("timeline", "failed", "expected 2 slice lines, got 1; slice 1: end: expected 1", "lost line"),
                ("timeline", "failed", "slice: order: of one time, a comes before b", "wrong order"),
                ("write", "failed", "the bytes break REC-04 at 0x8: x", "broken bytes"), ("events", "differs", "x", "")):
            result = results.Result({"id": "a/b"})
            result.status, result.text = status, text
            self.assertEqual(grades.effect_of(result, level), effect, text)

    def test_kinds_and_editions_that_are_not_claimed_are_unsupported(self):
        self.assertIn("1 passed", toy("--kinds", "magic,string,thread,instant", "--run",
                                      "metadata/unknown-trace-info-1")[1])
        _, out, _ = toy("--kinds", "tables,events,args,-arg.blob")
        self.assertIn(" unsupported", out)
        self.assertIn(" 0 failed", out)
        kinds = sorted(levels.OTHERS + EVENTS + ["arg." + name for name in ARGS])[int(os.environ.get("FXT_DRAW", "0")) % 8::8]
        for kind in kinds + ["arg.blob"]:
            adapter = "%s %s %s" % (PYTHON, self.file("skips.py", SKIPS % HERE), kind)
            code, out, err = run("--adapter", adapter, "--pipe", "--level", "events", "--kinds", "all,-" + kind)
            self.assertEqual((code, err), (0, ""), kind + out)
        self.assertRegex(toy("--kinds", "all,-arg.blob,-instant,-string", "--run", "argument/blob-size-0")[2],
                         "argument/blob-size-0 needs ")
        _, all_of_it, _ = toy()
        _, of_2020, _ = toy("--edition", "2020")
        self.assertNotIn("unsupported", all_of_it)
        self.assertIn("unsupported", of_2020)


class Hostile(Case):
    def test_records_of_kinds_that_are_not_claimed_are_left_out(self):
        program = self.file("partial.py", PARTIAL % os.path.join(HERE, "adapters"))
        for kinds, wanted in (("magic,instant,string,thread", 0), ("all,-provider_info", 0), ("all", 1)):
            code, out, _ = run("--adapter", "%s %s {file}" % (PYTHON, program), "--level", "records",
                               "--run", "event/counter-1*", "--run", "thread_table/again*", "--kinds", kinds)
            self.assertEqual(code, wanted, out)

    def test_each_way_to_fail_is_told_apart(self):
        for what, words in (
                ("segv", "crashed: SIGSEGV"), ("shell", "crashed: SIGABRT"),
                ("text", "garbage: line 1 is no JSON object: hello"),
                ("deep", "garbage: line 1 is no JSON object"),
                ("latin", "garbage: line 2 is not UTF-8 at its byte 10, in: {\"name\":\"\\xe4"),
                ("forever", "garbage: printed more than"),
                ("loud", "exit code 3; stderr: the end")):
            for options in TRANSPORTS:
                code, out, err = self.hostile(what + " {file}", *options)
                self.assertEqual((code, err), (1, ""), what)
                self.assertIn(words, out)

    def test_what_a_sanitizer_or_a_runtime_says_is_a_crash_and_not_a_complaint(self):
        words = {"asan": "ERROR: AddressSanitizer: heap-buffer-overflow on", "msan": "WARNING: MemorySanitizer: use-of",
                 "tsan": "WARNING: ThreadSanitizer: data race", "ubsan": "a.c:3:5: runtime error: left shift",
                 "go": "panic: runtime error: index out of range", "assert": "Assertion `x > 0' failed.",
                 "rust": "thread 'main' panicked at src/main.rs:3:5: mid > len", "python": "IndexError: out of range",
                 "java": 'Exception in thread "main" java.lang.Null', "node": "TypeError: x is undefined",
                 "ocaml": "Fatal error: exception Invalid_argument", "lines": "ValueError: bad record", "fatal": "Fatal Python error: A",
                 "group": "ExceptionGroup: many", "thrown": "text", "stl": "/v.h:9: Assertion '__n < 3' failed."}
        for what, said in words.items():
            for lines in ("0", "2000"):  # of a stack, which may be long
                adapter = "%s %s stack %s %s 1 {file}" % (PYTHON, self.program, what, lines)
                code, out, _ = run("--adapter", adapter, "--level", "exit", "--run", "argument/zero-size")
                self.assertEqual(code, 1, out)
                self.assertRegex(out, r"argument/zero-size: crashed: exit code 1; stderr: [^\n]*" + re.escape(said))
        for what, exit_code, wanted in (("asan", 0, "crashed: exit code 0; "), ("python", 0, "failed: expected a complaint"),
                                        ("complaint", 1, "1 unproven"), ("go-complaint", 1, "1 unproven"),
                                        ("rust-complaint", 1, "1 unproven")):
            adapter = "%s %s stack %s 0 %d {file}" % (PYTHON, self.program, what, exit_code)
            _, out, _ = run("--adapter", adapter, "--level", "exit", "--run", "argument/zero-size")
            self.assertIn(wanted, out)

    def test_stderr_is_shown_by_the_line_with_the_cause(self):
        for what, said in (("go-complaint", "2026/11/28 12:00:00 fatal: the trace is cut off"),
                           ("rust-complaint", "Error: TooShort"), ("complaint", "error: the trace is cut off"),
                           ("anyhow", "Error: cannot read"), ("usage", "error: bad record"), ("clap", "error: bad record")):
            adapter = "%s %s stack %s 1 7 {file}" % (PYTHON, self.program, what)
            _, out, _ = run("--adapter", adapter, "--level", "exit", "--run", "event/async")
            self.assertIn("expected exit code 0, got 7; stderr: %s\n" % said, out)

    def test_sanitizers_end_a_program_at_its_first_error(self):
        program = self.file("says.py", "import os\nprint(os.environ['UBSAN_OPTIONS'], os.environ['ASAN_OPTIONS'])\n")
        for given in ("", "log_path=x"):
            with unittest.mock.patch.dict(os.environ, {"ASAN_OPTIONS": given} if given else {}):
                _, out, _ = run("--adapter", "%s %s {file}" % (PYTHON, program), "--level", "events", "--run", "event/async")
            self.assertIn("no JSON object: print_stacktrace=1:halt_on_error=1 " + (given or "abort_on_error=1"), out)

    def test_the_error_in_front_of_its_stack_is_shown(self):
        _, out, _ = self.hostile("node {file}")
        self.assertIn("exit code 1; stderr: Error: no 'module'\n", out)

    def test_what_hangs_is_ended(self):
        for options in TRANSPORTS:
            start = time.monotonic()
            _, out, _ = self.hostile("sleep {file}", *options, timeout=1)
            self.assertIn("hung: no answer in 1 s", out)
            self.assertLess(time.monotonic() - start, 30)

    def test_children_that_hold_the_pipe_are_ended(self):
        pid_file = os.path.join(self.folder, "pid")
        for options in TRANSPORTS:
            start = time.monotonic()
            _, out, _ = self.hostile("child %s {file}" % pid_file, *options, timeout=50)
            self.assertLess(time.monotonic() - start, 30)
            self.assertIn("failed: expected", out)
            pid = int(self.read("pid"))
            for _ in range(100):
                if not alive(pid):
                    break
                time.sleep(0.1)
            self.assertFalse(alive(pid))

    def test_forks_get_the_verdicts_of_processes(self):
        """Of a program in C that accepts, complains, prints, crashes and hangs, by the length of the trace."""
        source = self.file("varied.c", VARIED)
        program = os.path.join(self.folder, "varied")
        subprocess.run(["cc", "-o", program, source], check=True)
        def verdicts(level, *options):
            report = os.path.join(self.folder, "report")
            run("--adapter", program + " {file}", "--level", level, "--run", "event/*", "--run", "framing/*",
                "--timeout", "2", "--report", report, "--keep-going", *options)
            return [(r["id"], r["status"], r["text"]) for r in json.loads(self.read("report/results.json"))["results"]]
        for level in ("exit", "records"):
            processes = verdicts(level)
            self.assertEqual(verdicts(level, "--prefork"), processes)
            self.assertLessEqual({"crashed", "hung", "failed"}, {status for _, status, _ in processes})

    def test_a_fork_that_ends_what_forks_it_costs_no_other_verdict(self):
        program = self.file("parricide.py", "import os, sys\nprint('{}')\nif os.path.getsize(sys.argv[1]) == %d:\n"
                            "    os.kill(os.getppid(), 9)\n" % (len(self.vector("event/async")["bytes"]) // 2))
        _, out, err = run("--adapter", "%s %s {file}" % (PYTHON, program), "--level", "events", "--jobs", "1",
                          "--run", "event/async", "--run", "event/counter", "--prefork")
        self.assertEqual(err, "")
        self.assertIn("event/async: crashed: ended the process that it was forked from", out)
        self.assertIn("event/counter: failed: ", out)

    def test_what_cannot_stop_at_main_is_told(self):
        program = os.path.join(self.folder, "static")
        subprocess.run(["cc", "-static", "-o", program, self.file("varied.c", VARIED)], check=True)
        code, out, err = run("--adapter", program + " {file}", "--level", "exit", "--prefork")
        self.assertEqual((code, out), (2, ""))
        self.assertRegex(err, "--prefork: .*static does not stop at main")

    def test_pipe(self):
        for what, words in (
                ("deaf", "hung"), ("short", "crashed: exit code 0 instead of an answer"),
                ("segv", "crashed: SIGSEGV instead of an answer"),
                ("huge", "garbage: announces an output of 4294967295 bytes"),
                ("closes", "garbage: closed its output"),
                ("more", "garbage: answered 4 bytes more than it announced; it printed: more"),
                ("debug", "hung: no answer in 3 s; it printed: hello\\n\\x00\\x00"),
                ("text", "crashed: exit code 0 instead of an answer; it printed: hello\\n"),
                ("forever", "garbage: announces an output of 2021161080 bytes; it printed: xxx")):
            code, out, err = self.hostile(what, "--pipe", timeout=3)
            self.assertEqual((code, err), (1, ""), what)
            self.assertIn(words, out)

    def test_an_object_nested_deeply_is_garbage(self):
        code, out, err = run("--adapter", "%s %s nested {file}" % (PYTHON, self.program), "--level", "records", "--run",
                             "event/async*", "--keep-going")
        self.assertEqual((code, err), (1, ""))
        self.assertIn("garbage: an object is nested too deeply", out)

    def test_a_pipe_ends_before_its_process(self):
        mark = os.path.join(self.folder, "ended")
        program = self.file("ending.py", ENDING % ("open(%r, 'w')" % mark))
        words = ["--pipe", "--level", "exit", "--run", "event/async", "--run", "event/counter", "--jobs", "1"]
        code, out, err = run("--adapter", "%s %s" % (PYTHON, program), *words)
        self.assertTrue(os.path.exists(mark), out + err)
        self.assertNotIn("The adapter ended", out)
        program = self.file("ending.py", ENDING % "print('SUMMARY: 8 bytes leaked', file=sys.stderr); sys.exit(23)")
        code, out, err = run("--adapter", "%s %s" % (PYTHON, program), *words)
        self.assertIn("The adapter ended with exit code 23 after the last trace; stderr: SUMMARY: 8 bytes leaked.\n", out)
        self.assertIn("expected exit code 0, got 1", out)
        self.assertNotIn("complaint", out, "it was said of another trace")
        program = self.file("ending.py", ENDING % "print('saving', file=sys.stderr, flush=True)\nimport time; time.sleep(60)")
        begin = time.monotonic()
        code, out, err = run("--adapter", "%s %s" % (PYTHON, program), *words)
        self.assertLess(time.monotonic() - begin, 30)
        self.assertIn("The adapter was killed: it had not ended 2 s after the last trace; stderr: saving.\n", out)
        self.assertIn("1 passed, 1 failed", out)  # as without it

    def test_one_that_never_reads_more_than_a_pipe_holds(self):
        _, out, _ = run("--adapter", "%s %s deaf" % (PYTHON, self.program), "--pipe", "--level",
                        "events", "--run", "large/more-than-12-bits", "--timeout", "2")
        self.assertIn("hung", out)

    def test_the_run_goes_on(self):
        _, out, _ = run("--adapter", "%s %s segv" % (PYTHON, self.program), "--pipe", "--level",
                        "events", "--run", "blob/*", "--keep-going")
        self.assertRegex(out, r"0 passed, 0 failed, \d\d crashed")

    def test_the_first_vectors_are_of_all_areas(self):
        """So that a reader which crashes at a kind of argument is not taken for one that crashes at all."""
        program = self.file("no_args.py", PRINTER.replace("code, out", "if sys.argv[1].split('/')[-2] == 'argument':"
                                                          " sys.exit(99)\ncode, out", 1) % (HERE, "out"))
        adapter = "%s %s {file}" % (PYTHON, program)
        code, out, err = run("--adapter", adapter, "--level", "events", "--run", "argument/bl*", "--run", "b*/s*")
        self.assertEqual((code, err), (1, ""), out)
        self.assertRegex(out, "level events: [1-9]")

    def test_the_run_ends_when_the_first_vectors_get_no_answer(self):
        report = os.path.join(self.folder, "report")
        broken = self.file("broken.py", "import nothing_of_this_name\n")
        segv = "%s %s segv" % (PYTHON, self.program)
        for words, reason in (
                (["--adapter", segv, "--pipe"], "crashed: SIGSEGV instead of an answer"),
                (["--adapter", "%s %s {file}" % (PYTHON, broken)],
                 "crashed: exit code 1; stderr: ModuleNotFoundError: No module named "
                 "'nothing_of_this_name'")):
            reason = ("none of the first 20 vectors got a usable answer (%s), so the rest was not run; "
                      "--keep-going runs it" % reason)
            code, out, err = run(*words, "--level", "records", "--jobs", "1", "--report", report)
            self.assertEqual((code, err), (1, "run: %s\n" % reason))
            self.assertRegex(out, r"interrupted: 20 of \d+ vectors were run")
            self.assertIn("\nBail out! %s\n" % reason, self.read("report/results.tap"))
            self.assertTrue(json.loads(self.read("report/results.json"))["interrupted"])
        expect = self.file("expect.txt", "*/* crashed it is known\n")
        for words in (["--run", "blob/length*"], ["--run", "blob/*", "--expect", expect]):
            code, out, err = run("--adapter", segv, "--pipe", "--level", "events", *words)
            self.assertEqual(err, "")
            self.assertNotIn("interrupted", out)


    def test_nothing_that_it_prints_gets_out_as_it_is(self):
        report = os.path.join(self.folder, "report")
        _, out, err = self.hostile("escapes {file}", "--report", report)
        self.assertFalse(re.search(r"[^\n -~]", out + err), out)
        for name in os.listdir(report):
            text = self.read("report/" + name)
            self.assertFalse(re.search("[^\n -~]", text) and name != "index.html", name)
            marked_up = name in ("index.html", "results.xml")
            self.assertFalse(marked_up and "<script>alert" in text, name)
            self.assertNotIn("\x1b", text)
        document = xml.dom.minidom.parseString(self.read("report/results.xml"))
        self.assertEqual(len(document.getElementsByTagName("failure")), 1)
        self.assertEqual(json.loads(self.read("report/results.json"))["counts"], {"failed": 1})
        self.assertIn("not ok 1 - event/async", self.read("report/results.tap"))

    def test_an_interrupt_prints_what_was_found(self):
        for number, options in ((signal.SIGINT, ()), (signal.SIGTERM, ()), (signal.SIGHUP, ()), (signal.SIGINT, ("--prefork",))):
            pids, report = self.file("pids", ""), os.path.join(self.folder, "report")
            rest = tempfile.mkdtemp(dir=self.folder)
            process = subprocess.Popen(
                [PYTHON, os.path.join(HERE, "run"), "--level", "events", "--jobs", "1", "--timeout",
                 "2", "--report", report, "--record", "mine", "--adapter",
                 "sh -c 'echo $$ >> %s; sleep 60; {file}'" % pids, *options],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                env=dict(os.environ, TMPDIR=rest),
                preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
            while self.read("pids").count("\n") < 2:  # the first has hung by then
                time.sleep(0.1)
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
            self.assertEqual((process.returncode, err), (1, ""))
            self.assertIn("1 of 1 hung", out)
            self.assertIn("hung: no answer in 2 s", out)
            self.assertRegex(out, r"interrupted: 1 of \d+ vectors were run")
            self.assertIn("\nnot written, since not all was run: --record mine\n", out)
            self.assertEqual(os.listdir(rest), [])
            self.assertFalse(any(alive(int(pid)) for pid in self.read("pids").split()))
            self.not_green(self.read("report/results.xml"))
            results = json.loads(self.read("report/results.json"))
            self.assertTrue(results["interrupted"])
            self.assertEqual(sum(1 for r in results["results"] if r["text"]), 1)
            self.assertIn("\nBail out! interrupted\n", self.read("report/results.tap"))

    def not_green(self, text):
        suite = xml.dom.minidom.parseString(text).documentElement
        self.assertEqual(suite.getAttribute("errors"), "2")
        self.assertEqual(len(suite.getElementsByTagName("error")), 2)
        cases = suite.getElementsByTagName("testcase")
        self.assertEqual(suite.getAttribute("tests"), str(len(cases)))
        self.assertEqual(cases[-1].getAttribute("name"), "interrupted")
        self.assertEqual(text.count("no answer in"), 1)

    def test_a_hangup_that_is_ignored_does_not_end_it(self):
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        self.addCleanup(signal.signal, signal.SIGHUP, before)
        code, out, _ = self.hostile("hangup {file}")
        self.assertEqual(code, 1)
        self.assertNotIn("interrupted", out)


def alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Expectations(Case):
    def expect(self, text, errors=(), words=()):
        return toy("--run", "argument/*", "--expect", self.file("expect.txt", text), *words,
                   errors=errors)

    def test_known_failures_are_no_differences(self):
        text = "# known\n\nevents:argument/* failed|passed signs are lost (issue 7)\n"
        code, out, _ = self.expect(text, ["int32-unsigned"])
        self.assertEqual(code, 0, out)
        self.assertIn("listed as known", out)

    def test_a_pass_that_is_not_expected_fails(self):
        code, out, _ = self.expect("argument/extremes failed it was so once\n")
        self.assertEqual(code, 1)
        self.assertIn("argument/extremes: passed", out)
        self.assertIn("expected to be failed by", out)

    def test_a_rule_names_the_vectors_that_test_it(self):
        code, out, _ = self.expect("ARG-05 failed signs are lost\n", ["int32-unsigned"],
                                   ["--run", "argument/extremes", "--skip", "argument/[!e]*"])
        self.assertEqual(code, 0, out)
        self.assertIn("1 failed, 1 of them listed as known", out)

    def test_a_run_that_ends_early_says_what_it_did_not_write(self):
        path = os.path.join(self.folder, "new.txt")
        code, out, err = run("--adapter", "true {file}", "--level", "events", "--write-expect", path,
                             "--record", "true", "--report", self.folder)
        self.assertEqual(code, 1, err)
        self.assertIn("\nnot written, since not all was run: --write-expect %s, --record true\n" % path,
                      out)
        self.assertEqual(sorted(name for name in os.listdir(self.folder) if "results" not in name),
                         ["hostile.py", "index.html", "matrix"])
        self.assertEqual(os.listdir(self.folder + "/matrix"), [])

    def test_a_list_that_is_written_is_read(self):
        path = os.path.join(self.folder, "new.txt")
        words, errors = ["--run", "argument/*"], ["int32-unsigned"]
        code, out, _ = toy(*words, "--write-expect", path, errors=errors)
        self.assertEqual(code, 1)
        self.assertIn("\nexpectations: %d in %s\n" % (self.read("new.txt").count("\n"), path), out)
        self.assertIn("events:argument/extremes failed not looked at yet\n", self.read("new.txt"))
        self.assertEqual(toy(*words, "--expect", path, errors=errors)[0], 0)
        code, out, err = toy(*words, "--write-expect", path, errors=errors)
        self.assertEqual((code, out), (2, ""))
        self.assertIn("new.txt: exists", err)

    def test_the_files_for_ci_tell_known_from_mended(self):
        report = os.path.join(self.folder, "report")
        code, out, _ = self.expect("argument/* failed|passed signs # are lost\n",
                                   ["int32-unsigned"], ["--report", report])
        self.assertEqual(code, 0, out)
        self.assertRegex(self.read("report/results.tap"),
                         r"\nnot ok \d+ - argument/extremes # TODO signs \\# are lost\n# failed: ")
        self.assertIn('<skipped message="known: signs # are lost">', self.read("report/results.xml"))
        code, out, _ = self.expect("argument/extremes failed why\n", [], ["--report", report])
        self.assertEqual(code, 1, out)
        words = "passed; expected to be failed by %s:1: mend the list" % (
            os.path.join(self.folder, "expect.txt"))
        for name in ("tap", "xml"):
            self.assertIn(words, self.read("report/results." + name))

    def test_of_another_level_says_nothing(self):
        self.assertEqual(self.expect("records:argument/extremes failed why\n")[0], 0)

    def test_mistakes_in_the_list(self):
        for line, words in (("argument/extremes failed", "reason is not optional"),
                            ("argument/extrems failed why", "matches no vector"),
                            ("argument/extremes fail why",
                             "expect.txt:1: no such status: fail; did you mean failed?"),
                            ("event:argument/extremes failed why",
                             "expect.txt:1: no such level: event; did you mean events?")):
            code, out, err = self.expect(line + "\n")
            self.assertEqual((code, out), (2, ""))
            self.assertIn(words, err)

    def test_lists_of_this_folder_fit_the_corpus(self):
        for name in sorted(os.listdir(os.path.join(HERE, "expect"))):
            code, _, err = toy("--run", "blob/*", "--expect", os.path.join(HERE, "expect", name))
            self.assertNotEqual(code, 2, err)


    def test_quirks_name_vectors(self):
        ids = set()
        for name in glob.glob(os.path.join(HERE, "corpus", "*.json")):
            with open(name, encoding="utf-8") as f:
                ids |= {vector["id"] for vector in json.load(f)}
        with open(os.path.join(HERE, "quirks.md"), encoding="utf-8") as f:
            named = set(re.findall(r"`([a-z_]+/[a-z0-9-]+)`", f.read()))
        self.assertGreater(len(named), 30)
        self.assertEqual(named - ids, set())


class Widespread(Case):
    ELSEWHERE = """out.replace(b'"provider"', b'"provider": 77, "other"')"""

    def test_events_in_another_order_are_named_once(self):
        by_name = "b'\\n'.join(sorted(out.splitlines(), key=lambda line: line[::-1])) + b'\\n'"
        program = self.file("sorts.py", PRINTER % (HERE, by_name))
        code, out, _ = run("--adapter", "%s %s {file}" % (PYTHON, program), "--level", "events", "--run", "event/async*")
        self.assertEqual(code, 1, out)
        self.assertRegex(out, r"\n    \[y, wrong order\] event/async[^:]*: failed: the same events, in another order: event 1: ")
        self.assertRegex(out, r"\nIn (\d+) of \1 failures the events are the same, in another order\.")

    def test_one_difference_behind_most_failures_is_named(self):
        program = self.file("elsewhere.py", PRINTER % (HERE, self.ELSEWHERE))
        adapter = ["--adapter", "%s %s {file}" % (PYTHON, program), "--level", "events"]
        code, out, err = run(*adapter, "--run", "event/duration*", "--run", "event/instant*")
        self.assertEqual((code, err), (1, ""))
        self.assertRegex(
            out, r"\nIn ([0-9]+) of \1 failures the first difference is in 'provider'\.")
        _, out, _ = run(*adapter, "--run", "event/duration-complete")
        self.assertIn("1 failed", out)
        self.assertNotIn("first difference is", out)

    def test_the_rule_that_most_bytes_break_is_named(self):
        report = os.path.join(self.folder, "report")
        program = self.file("writer.py", WRITER % (
            os.path.join(HERE, "adapters"), "out[:8] + bytes(8) + out[8:]"))
        _, out, _ = run("--adapter", "%s %s {file}" % (PYTHON, program), "--level", "write",
                        "--run", "event/duration*", "--report", report)
        self.assertRegex(out, r"\nIn ([0-9]+) of \1 failures the bytes break REC-09\. Mend it ")
        self.assertNotIn("typical mistake", out)  # these are of readers
        self.assertNotRegex(self.read("report/index.html"), '"mistake":"[^"]')


class Output(Case):
    WORDS = ["--adapter", "cat {file}", "--level", "events", "--run", "event/async"]

    def into(self, out, *words):
        """Exit code and errors of a run that prints into a shell's redirection."""
        done = subprocess.run(
            ["bash", "-c", '"$@" ' + out + "; exit ${PIPESTATUS[0]}", "bash", PYTHON,
             os.path.join(HERE, "run")] + list(words), stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, encoding="utf-8")
        return done.returncode, done.stderr

    def test_a_reader_that_has_enough_ends_it_quietly(self):
        report = os.path.join(self.folder, "report")
        self.assertEqual(self.into("| true", *self.WORDS, "--report", report), (1, ""))
        self.assertIn("not ok 1 - event/async", self.read("report/results.tap"))
        self.assertEqual(self.into("| true", "--help"), (0, ""))
        self.assertEqual(self.into("| true", "--show", "large/more-than-12-bits"), (0, ""))

    def test_a_full_disk_is_an_error_of_its_own(self):
        report = os.path.join(self.folder, "report")
        full = (3, "run: cannot write the output: No space left on device\n")
        self.assertEqual(self.into("> /dev/full", *self.WORDS, "--report", report), full)
        self.assertIn("not ok 1 - event/async", self.read("report/results.tap"))
        self.assertEqual(self.into("> /dev/full", "--help"), full)
        self.assertEqual(self.into("> /dev/full", "--show", "event/async"), full)
        self.assertEqual(self.into(">&-", "--help")[0], 3)
        self.assertEqual(self.into("2> /dev/full", "--bogus"), (2, ""))

    def test_a_file_that_does_not_fit_leaves_the_one_that_was_there(self):
        suite = self.suite()
        words = ["bash", "-c", 'ulimit -f $0; "$@"', "unlimited", PYTHON, suite + "/run", "--adapter",
                 "sh -c 'echo {}; : {file}'", "--level", "events", "--run", "scheduling/*", "--keep-going"]
        for option, value, path in (
                ("--report", self.folder + "/report", self.folder + "/report/index.html"),
                ("--record", "cat", suite + "/matrix/cat.json"),
                ("--write-expect", self.folder + "/new.txt", None)):
            if path:
                self.assertEqual(subprocess.run(words + [option, value], stdout=subprocess.DEVNULL)
                                 .returncode, 1)
                with open(path, encoding="utf-8") as f:
                    before = f.read()
            done = subprocess.run(words[:3] + ["4"] + words[4:] + [option, value],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
            self.assertEqual((done.returncode, done.stderr), (
                3, "run: cannot write %s: File too large\n" % (
                    path if option == "--record" else option + " " + value)))
            if path:
                with open(path, encoding="utf-8") as f:
                    self.assertEqual(f.read(), before)
        self.assertEqual(sorted(os.listdir(self.folder)), ["hostile.py", "report", "suite"])
        self.assertEqual(len(os.listdir(self.folder + "/report")), 4)
        self.assertNotIn(".new", " ".join(os.listdir(suite + "/matrix")))

    def test_what_cannot_be_written_is_told_before_the_run(self):
        ran = self.file("ran", "")
        os.unlink(ran)
        words = ["--adapter", "sh -c 'touch %s; cat {file}'" % ran] + self.WORDS[2:]
        for option, path, reason in (
                ("--report", self.program, "File exists"),
                ("--report", "/dev/null", "File exists"),
                ("--report", "/proc/x", "No such file or directory"),
                ("--report", "/proc", "No such file or directory"),
                ("--write-expect", self.folder + "/no/new.txt", "No such file or directory"),
                ("--write-expect", self.program + "/new.txt", "Not a directory")):
            self.assertEqual(self.into("", *words, option, path), (
                3, "run: cannot write %s %s: %s\n" % (option, path, reason)))
        os.mkdir(self.folder + "/report")
        self.file("report/matrix", "")
        self.assertEqual(self.into("", *words, "--report", self.folder + "/report", "--record", "cat"), (
            3, "run: cannot write %s/report/matrix/cat.json: File exists\n" % self.folder))
        self.assertFalse(os.path.exists(ran))

    def test_names_that_are_no_text(self):
        report = os.path.join(os.fsencode(self.folder), b"o\xff")
        self.assertEqual(self.into("", *self.WORDS, "--report", report)[0], 1)
        name = os.path.join(self.folder, "a\n\x01.txt")
        with open(name, "w") as f:
            f.write("event/async crashed reason\n")
        self.assertEqual(self.into("", *self.WORDS, "--expect", name, "--report", self.folder)[0], 1)
        self.assertEqual(len(self.read("results.tap").splitlines()), 4)
        xml.dom.minidom.parse(os.path.join(self.folder, "results.xml"))


class Buffers(Case):
    COMMAND = [PYTHON, os.path.join(HERE, "buffers_run.py")]

    def into(self, *words):
        done = subprocess.run(self.COMMAND + list(words), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding="utf-8")
        return done.returncode, done.stdout, done.stderr

    def test_a_crash_behind_a_shell_and_endless_output_fail(self):
        for what, status, words in (
                ("exit 139; : {file}", "crashed", "SIGSEGV"),
                ("head -c 80000000 /dev/zero; : {file}", "garbage", "printed more than")):
            code, out, err = self.into("sh -c '%s'" % what)
            self.assertEqual(code, 1)
            self.assertIn("none of the first 20 vectors got a usable answer (%s: %s" % (status, words), err)
            count = re.search(r"^0 passed, 0 failed, (\d+) %s$" % status, out.splitlines()[-1])
            self.assertTrue(count, out[-2000:])
            self.assertEqual(out.count(": %s: %s" % (status, words)), int(count.group(1)))

    def test_the_first_vectors_are_of_all_areas(self):
        """So that a reader which crashes at a kind of argument is not taken for one that crashes at all."""
        program = self.file("no_args.py", PRINTER.replace("code, out", "if sys.argv[1].split('/')[-2] == 'argument':"
                                                          " sys.exit(99)\ncode, out", 1) % (HERE, "out"))
        adapter = "%s %s {file}" % (PYTHON, program)
        code, out, err = run("--adapter", adapter, "--level", "events", "--run", "argument/bl*", "--run", "b*/s*")
        self.assertEqual((code, err), (1, ""), out)
        self.assertRegex(out, "level events: [1-9]")

    def test_the_run_ends_when_the_first_vectors_get_no_answer(self):
        code, out, err = self.into("--seconds=0.2", "sh -c 'sleep 60; : {file}'")
        self.assertEqual((code, err), (
            1, "buffers_run.py: none of the first 20 vectors got a usable answer (hung: no answer in "
            "0.2 s), so the rest was not run; --keep-going runs it\n"))
        self.assertRegex(out, r"\ninterrupted: 2\d of \d{3} vectors were run\n0 passed, 0 failed, 2\d hung\n$")

    def test_a_full_disk_is_an_error_of_its_own(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run(self.COMMAND + ["true {file}"], stdout=full, stderr=subprocess.PIPE,
                                  encoding="utf-8")
        self.assertEqual((done.returncode, done.stderr), (
            3, "buffers_run.py: cannot write the output: No space left on device\n"))

    def test_a_signal_costs_no_result_and_leaves_nothing(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            pids, rest = self.file("pids", ""), tempfile.mkdtemp(dir=self.folder)
            process = subprocess.Popen(
                self.COMMAND + ["--seconds=60", "sh -c 'echo $$ >> %s; "
                                "test $(wc -l < %s) -gt 8 && sleep 60; : {file}'" % (pids, pids)],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                env=dict(os.environ, TMPDIR=rest),
                preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
            while self.read("pids").count("\n") < 9:  # the ninth sleeps, whatever the number of jobs
                time.sleep(0.05)
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
            self.assertEqual((process.returncode, err), (1, ""))
            self.assertRegex(out, r"(?m)^interrupted: \d+ of \d+ vectors were run$")
            self.assertEqual(os.listdir(rest), [])
            self.assertFalse(any(alive(int(pid)) for pid in self.read("pids").split()))

    def test_a_known_failure_that_passes_is_told(self):
        with open(HERE + "/corpus/buffers.json", encoding="utf-8") as f:
            vector = next(v["id"] for v in json.load(f) if v["level"] == "salvage" and
                          v["expected"].get("trace") is None)
        known = self.file("known", vector + "\tit was so once\n")
        code, out, err = self.into("false {file}", known)
        self.assertEqual((code, err), (1, ""))
        self.assertIn("%s: passed; expected to be failed" % vector, out)
        code, out, err = self.into("--keep-going", "sh -c 'exit 0; : {file}'", known)
        self.assertIn("%s: failed: exit code 0 for a buffer that is invalid (known)\n" % vector, out)

    def test_mistakes_are_one_line(self):
        known = self.file("known", "no/such\treason\n")
        for words, said in ((["false"], "has no {file}"), (["nope {file}"], "nope is not found in PATH"),
                            (["cat {file}", ""], "KNOWN is empty: give a value, or leave it out"),
                            (["'nope {file}"], "No closing quotation"), (["--seconds=nan", "cat {file}"], "--seconds"),
                            (["--seconds=1", "--seconds=2", "cat {file}"], "--seconds is given twice"),
                            (["cat {file}", known], "there is no vector no/such"),
                            (["cat {file}", "missing"], "cannot read missing")):
            code, out, err = self.into(*words)
            self.assertEqual((code, out, err.count("\n")), (2, "", 1), err)
            self.assertIn(said, err)


class Corpus(Case):
    """Without its vectors, a suite would pass any program."""
    WORDS = ["--adapter", TOY + " {file}", "--level", "exit", "--run", "blob/smallest-blob"]

    def score(self, program, *words):
        done = subprocess.run([PYTHON, program] + list(words), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding="utf-8")
        return done.returncode, done.stdout, done.stderr

    def test_a_suite_that_lacks_vectors_is_refused(self):
        suite = self.suite()
        self.assertEqual(self.score(suite + "/run", *self.WORDS)[0], 0)
        path = suite + "/corpus/argument.json"
        whole = self.read("suite/corpus/argument.json")
        for text in (None, "", "{}", "[]", '[{"id":"argument/x"}]', whole.replace("21", "22", 1)):
            os.unlink(path)
            if text is not None:
                self.file("suite/corpus/argument.json", text)
            code, out, err = self.score(suite + "/run", *self.WORDS)
            self.assertEqual((code, out), (2, ""), text and text[:20])
            self.assertEqual(err, "run: %s is not the file that SHA256SUMS lists: unpack the whole "
                             "archive into a new folder\n" % path)
            if text is None:
                self.file("suite/corpus/argument.json", "")
        self.file("suite/corpus/argument.json", whole)
        self.assertEqual(self.score(suite + "/run", *self.WORDS)[0], 0)
        self.file("suite/corpus/older.json", whole)
        self.assertIn("older.json is not the file", self.score(suite + "/run", *self.WORDS)[2])
        os.unlink(suite + "/corpus/older.json")
        os.unlink(suite + "/corpus/SHA256SUMS")
        code, out, err = self.score(suite + "/run", *self.WORDS)
        self.assertEqual((code, out), (2, ""))
        self.assertIn("SHA256SUMS: No such file or directory: unpack the whole archive", err)

    def test_the_columns_of_the_suite_are_of_its_corpus(self):
        run(*self.WORDS, "--report", self.folder, "--record", "today")
        corpus = json.loads(self.read("matrix/today.json"))["exit"]["corpus"]
        run("--adapter", "%s %s/adapters/python_model.py timeline --pipe" % (sys.executable, HERE), "--pipe", "--level",
            "timeline", "--run", "slices/complete", "--report", self.folder, "--record", "importer")
        of_timeline = json.loads(self.read("matrix/importer.json"))["timeline"]["corpus"]
        for path in glob.glob(HERE + "/matrix/*.json"):
            with open(path, encoding="utf-8") as f:
                levels = json.load(f)
            self.assertEqual({level: of_timeline if level == "timeline" else corpus for level in levels},
                             {level: column["corpus"] for level, column in levels.items()},
                             "%s is of another corpus: run conformance/columns" % path)
            for column in levels.values():
                self.assertNotEqual(set(column["status"].values()) - {"unsupported"}, {"crashed"},
                                    "%s: the adapter did not run" % path)

    def test_a_column_of_the_suite_keeps_what_did_not_pass(self):
        suite = self.suite()
        toy = ["--adapter", TOY + " --pipe --error=int32-unsigned", "--pipe", "--level", "events", "--record"]
        report = ["--report", self.folder + "/report"]
        self.score(suite + "/run", *toy, "short")
        self.score(suite + "/run", *toy, "long", *report)
        short = json.loads(self.read("suite/matrix/short.json"))["events"]
        long = json.loads(self.read("report/matrix/long.json"))["events"]["status"]
        self.assertEqual(short["others"], "passed")
        self.assertEqual(short["status"], {id: status for id, status in long.items() if status != "passed"})
        self.assertLess(0, len(short["status"]) < len(long))
        self.score(suite + "/run", *toy[:-1], "--run", "ARG-02", *report)
        page = self.page("report/index.html")
        columns = {column["name"]: column["status"] for column in page["columns"]}
        self.assertEqual(columns["short"], long)
        self.assertEqual(columns["fxt"], dict.fromkeys(long, "passed"))
        code, _, err = self.score(suite + "/run", *toy, "short", "--run", "ARG-02")
        self.assertEqual(code, 2)
        self.assertIn("this run leaves out", err)

    def test_vectors_of_ones_own_need_no_list(self):
        os.mkdir(self.folder + "/own")
        with open(HERE + "/corpus/blob.json", encoding="utf-8") as f:
            vector = next(v for v in json.load(f) if v["id"] == "blob/smallest-blob")
        words = self.WORDS + ["--corpus", self.folder + "/own"]
        self.file("own/mine.json", json.dumps([dict(vector, tests="OWN-01")]))
        self.assertEqual(run(*words)[0], 0)
        code, out, err = run("--show", "OWN-01", *words[-2:])
        self.assertEqual((code, err), (0, ""))
        self.assertIn(" tests OWN-01: no such rule\n", out)
        refs = [{"name": {"ref": 1}, "type": "int32"}]
        for text, problem in (
                ("{}", "is no list of vectors"), ("[5]", "vector 0 is no object"), ("[{}]", "vector 0 has no valid id"),
                ('[{"id":"argument/x"}]', "vector argument/x has no valid grade")) + tuple(
                    (json.dumps([dict(vector, **{key: value})]), "vector %s has no valid %s" % (
                        value if key == "id" else vector["id"], key)) for key, value in (
                            ("id", "../../esc/x"), ("id", "blob/x\\x00"), ("tests", 5), ("touches", None),
                            ("edition", "2021"), ("kinds", ["\x1b"]), ("why", 5), ("mistake", []), ("source", [5]),
                            ("bytes", "1"), ("events", 5), ("events", [{"event": "blob"}]), ("records", [{}]),
                            ("findings", {"current": []}),
                            ("findings", {"2020": [{"rule": "BLB-01"}], "current": []}),
                            ("records", [{"offset": "0", "record": "blob"}]),
                            ("records", [{"offset": "0", "record": "blob", "size": 2, "args": refs}]))) + (
                        (json.dumps([dict(vector, events=[])]),
                         "vector blob/smallest-blob has other events than records"),):
            self.file("own/mine.json", text)
            code, out, err = run(*words)
            self.assertEqual((code, out), (2, ""))
            self.assertEqual(err, "run: %s/own/mine.json: %s: schema/corpus.schema.json has the form\n" %
                             (self.folder, problem))

    def test_vectors_of_ones_own_are_told_apart(self):
        os.mkdir(self.folder + "/own")
        with open(HERE + "/corpus/blob.json", encoding="utf-8") as f:
            vector = next(v for v in json.load(f) if v["id"] == "blob/smallest-blob")
        for one, other in (([vector], [vector]), ([], [vector, vector])):
            self.file("own/mine.json", json.dumps(one))
            self.file("own/other.json", json.dumps(other))
            code, out, err = run(*self.WORDS, "--corpus", self.folder + "/own")
            self.assertEqual((code, out), (2, ""))
            self.assertEqual(err, "run: %s/own/other.json: vector blob/smallest-blob is in %s/own/%s.json already\n" % (
                self.folder, self.folder, "mine" if one else "other"))

    def test_rules_and_texts_of_ones_own(self):
        os.mkdir(self.folder + "/own")
        with open(HERE + "/corpus/blob.json", encoding="utf-8") as f:
            vector = next(v for v in json.load(f) if v["id"] == "blob/smallest-blob")
        finding = [{"rule": "MY-01", "offset": 24}]
        self.file("own/mine.json", json.dumps([dict(
            vector, tests="MY-01", touches=["MY-02"], why="one\x00\x1b[31m", mistake="two\x1b[31m",
            findings={"2020": finding, "current": finding})]))
        for level, program, wanted in (
                ("exit", TOY + " {file}", 0), ("exit", "false {file}", 1), ("events", "cat {file}", 1),
                ("findings", "sh -c 'test $(wc -c < {file}) = 56 || echo MY-01 @ 24'", 0), ("write", "cat {file}", 1)):
            code, out, err = run("--adapter", program, "--level", level, "--corpus", self.folder + "/own", "--report",
                                 self.folder)
            self.assertEqual((code, err), (wanted, ""), out)
            self.assertFalse(re.search(r"[^\n -~]", out), out)
            xml.dom.minidom.parse(os.path.join(self.folder, "results.xml"))
        code, out, err = run("--show", "MY-01", "--corpus", self.folder + "/own")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("why: one\\x00\\x1b[31m\ntypical mistake: two\\x1b[31m\n", out)


class CommandLine(Case):
    def test_one_line_and_what_to_do(self):
        cat = ["--adapter", "cat {file}", "--level", "events"]
        for words, message in (
                ([], "--adapter CMD and --level LEVEL are needed"),
                (["--adapter", "cat {file}", "--level", "event"], "did you mean events?"),
                (["--adapter", "cat", "--level", "events"], "has no {file}"),
                (cat + ["--pipe"], "has {file}: with --pipe"),
                (["--adapter", "nothing-of-this-name {file}", "--level", "events"],
                 "give its path, such as ./nothing-of-this-name"),
                (["--adapter", "./nothing {file}", "--level", "events"],
                 "./nothing is not found from /"),
                (["--adapter", self.folder + " {file}", "--level", "events"], "is a directory"),
                (["--adapter", HERE + "/README.md {file}", "--level", "events"], "chmod +x"),
                (["--adapter", "'cat {file}", "--level", "events"], "No closing quotation"),
                (cat + ["--kinds", "instnt"], "did you mean instant?"),
                (cat + ["--kinds", "instant,-all"], "leaves no kind"),
                (cat + ["--run", "evnt/*"], "matches no vector"),
                (cat + ["--run", "STR-20"], "--run STR-20 matches no vector; near: STR-0"),
                (cat + ["--skip", "evnt/async"], "--skip evnt/async matches no vector; near: e"),
                (["--adapter", "cat {file} | head", "--level", "events"],
                 "--adapter 'cat {file} | head' has '|': no shell runs it; write sh -c '...'\n"),
                (["--adapter", "cat {file} 2>/dev/null", "--level", "events"], "has '2>/dev/null'"),
                (["--adapter", "true && cat {file}", "--level", "events"], "has '&&': no shell"),
                (["--adapter", "cat < {file}", "--level", "events"], "has '<': no shell"),
                (cat + ["--skip", "*"], "nothing is left to run"),
                (cat + ["--kinds", "args", "--run", "argument/extremes"],
                 "leave no vector; argument/extremes needs instant magic\n"),
                (cat + ["--edition", "2019"], "no such edition"),
                (cat + ["--corpus", self.folder], "no vectors in"),
                (cat + ["--expect", self.folder + "/none"], ": No such file or directory\n"),
                (cat + ["--jobs", "0"], "--jobs is at least 1\n"),
                (cat + ["--timeout", "1e300"], "--timeout is more than 0 and less than 1000000\n"),
                (cat + ["--timeout", "nan"], "--timeout is more than 0 and less than 1000000\n"),
                (cat + ["--bogus"], "see run --help"),
                (cat[:2] + ["--levl", "events"], "did you mean --level?\n"),
                (cat + ["--run", "arg-02"], "--run arg-02 matches no vector; near: ARG-02\n"),
                (cat[:3] + ["EVENTS"], "did you mean events?"),
                (["--adapter", "A=1 cat {file}", "--level", "events"],
                 "--adapter: A=1 is not found: no shell runs it; write sh -c '...'\n"),
                (["--adapter", "~/x {file}", "--level", "events"], "no shell runs it; write sh"),
                (["--adapter", "$X {file}", "--level", "events"], "no shell runs it; write sh"),
                (cat + ["--release", "1"], "--release is of --record: give both, or none\n"),
                (cat + ["--record", "../x"], "a name has letters"),
                (cat + ["--any-types"], "--any-types is of --level write\n"),
                (cat + ["--plain"], "--plain is of --level write\n"),
                (cat + ["--kinds", "tables", "--kinds", "events"], "--kinds is given twice; see run --help\n"),
                (cat + ["--kind", "tables", "--kinds=tables"], "--kinds is given twice; see run --help\n"),
                (cat + ["--expect", "a", "--expect", "b"], "--expect is given twice"),
                (cat + ["--level", "events"], "--level is given twice"),
                (cat + ["--jobs", "1", "--jobs", "2"], "--jobs is given twice"),
                (["--show", "REC-01", "--show", "REC-02"], "--show is given twice"),
                (["--show", "event/asinc"], "near: event/async"),
                (["--show", "nosuch/x"], "--show nosuch/x matches no vector\n")):
            code, out, err = run(*words)
            self.assertEqual((code, out), (2, ""), words)
            self.assertIn(message, err)
            self.assertEqual(err.count("\n"), 1, err)

    def test_kinds_that_are_never_printed(self):
        """A reader without logs and switches hears how to say so, and not what to mend."""
        script = self.file("some", """#!/bin/sh
%s $1 | grep -v -e '"log"' -e '_switch"'; exit 0
""" % TOY)
        os.chmod(script, 0o755)
        words = ["--adapter", script + " {file}", "--level", "events", "--run", "event/async-*n", "--run", "log/l*",
                 "--run", "scheduling/context-switch*"]
        out = run(*words)[1]
        self.assertIn("\nThe program printed no event of some kinds. If it does not understand them: "
                      "--kinds=all,-legacy_switch,-context_switch,-log\n", out)
        self.assertNotIn("Mend it first", out)
        code, out, _ = run(*words, "--kinds=all,-log,-context_switch,-legacy_switch")
        self.assertEqual(code, 0)
        self.assertNotIn("The program printed", out)

    def test_a_system_without_posix_is_told(self):
        done = subprocess.run(
            [PYTHON, "-c", "import argparse, os, runpy, selectors, shutil, subprocess, sys, tempfile\n"
             "os.name, sys.argv = 'nt', sys.argv[1:]\nrunpy.run_path(sys.argv[0], run_name='__main__')",
             HERE + "/run", "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (
            2, "", "run: needs sessions and signals of POSIX: run it on Linux, on macOS or in WSL\n"))

    def test_an_empty_value_is_no_value(self):
        for option in ("--report", "--expect", "--write-expect", "--record", "--release", "--show",
                       "--corpus"):
            code, out, err = toy("--run", "blob/*", option, "")
            self.assertEqual((code, out), (2, ""), option)
            self.assertEqual(err, "run: %s is empty: give a value, or leave it out\n" % option)

    def test_a_script_that_cannot_start(self):
        for first, why in (("#!/bin/sh\r\n", "no line may end with CR LF"),
                           ("exit 0\n", "a script begins with #! and its interpreter")):
            script = self.file("script", first)
            os.chmod(script, 0o755)
            code, out, err = run("--adapter", script + " {file}", "--level", "exit", "--run", "blob/*")
            self.assertEqual((code, out), (2, ""))
            self.assertIn("cannot start the adapter %s: " % script, err)
            self.assertIn(why + "\n", err)

    def test_help_names_every_option(self):
        code, out, _ = run("--help")
        self.assertEqual(code, 0)
        for option in ("--adapter", "--level", "--pipe", "--edition", "--kinds", "--jobs", "--run",
                       "--timeout", "--skip", "--keep-going", "--expect", "--write-expect",
                       "--report", "--record", "--show", "--without", "--plain", "--grade"):
            self.assertIn(option, out)

    def test_show(self):
        code, out, _ = run("--show", "framing/zero-word")
        self.assertEqual(code, 0)
        self.assertRegex(out, r"00 00 00 00 00 00 00 00  zero word  <-- REC-09")
        code, out, _ = run("--show", "argument/zero-size")
        self.assertIn("argument int32 size=0 name=0x0 data=0x1  <-- ARG-02", out)
        self.assertNotRegex(out, r"  id\b")

    def test_show_takes_what_run_takes(self):
        code, out, err = run("--show", "ARG-02")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("\nargument/zero-size (invalid, ", out)
        self.assertGreater(len(re.findall(r" tests ARG-02: ", out)), 5)

    def test_a_rule_selects_the_vectors_that_test_it(self):
        report = os.path.join(self.folder, "report")
        code, out, _ = toy("--run", "STR-0[23]", "--skip", "STR-03", "--report", report)
        self.assertEqual(code, 0, out)
        results = json.loads(self.read("report/results.json"))["results"]
        self.assertEqual({r["tests"] for r in results}, {"STR-02"})
        self.assertGreater(len(results), 20)

    def test_a_record_is_kept_and_shown(self):
        report = os.path.join(self.folder, "report")
        toy("--run", "blob/*", "--report", report, "--record", "toy", "--release", "1.0")
        kept = json.loads(self.read("report/matrix/toy.json"))
        self.assertEqual((kept["events"]["name"], kept["events"]["release"]), ("toy", "1.0"))
        self.assertEqual(set(kept["events"]["status"].values()), {"passed"})
        toy("--run", "blob/*", "--report", report, "--record", "toy", level="records")
        kept = json.loads(self.read("report/matrix/toy.json"))
        self.assertEqual(set(kept), {"events", "records"})

    def keeps(self, words, reason, errors=()):
        """A run that records "mine" is refused, and changes nothing."""
        before = self.read("report/matrix/mine.json")
        code, out, err = toy("--report", self.folder + "/report", "--record", "mine", *words,
                             errors=errors)
        self.assertEqual((code, out), (2, ""))
        self.assertEqual(err, "run: --record mine: %s/report/matrix/mine.json %s: choose another "
                         "name, or remove that file\n" % (self.folder, reason))
        self.assertEqual(self.read("report/matrix/mine.json"), before)

    def test_a_record_is_replaced_by_no_lesser_one(self):
        words = ["--report", self.folder + "/report", "--record", "mine"]
        self.assertEqual(toy("--run", "blob/*", "--run", "ARG-02", *words)[0], 0)
        all_of_it = json.loads(self.read("report/matrix/mine.json"))["events"]["status"]
        both = ["--run", "blob/*", "--run", "ARG-02"]
        self.keeps(["--run", "ARG-02"], "has results of %d vectors that this run leaves out, such as "
                   "blob/blob-blob-type-1" % sum(name.startswith("blob/") for name in all_of_it))
        self.keeps(both + ["--skip", "blob/two-names"], "has results of 1 vector that this run leaves out, "
                   "such as blob/two-names")
        with open(os.path.join(HERE, "corpus", "blob.json"), encoding="utf-8") as f:
            need = [vector["id"] for vector in json.load(f) if "blob" in vector["kinds"]]
        self.keeps(both + ["--kinds", "all,-blob"], "has results of %d vectors that this run leaves "
                   "out, such as %s" % (len(need), min(need)))
        self.keeps(both, "was recorded with --adapter '%s --pipe'" % TOY, ["int32-unsigned"])
        self.assertEqual(toy(*both, "--run", "argument/*", *words)[0], 0)

    def test_no_program_that_cannot_start_is_recorded(self):
        for command, levels in (("sh -c 'no-such-program {file}'", ("exit", "events", "findings", "write", "timeline")),
                                ("%s -c 'import no_such_module # {file}'" % PYTHON, ("exit", "records"))):
            for level in levels:
                code, out, _ = run("--adapter", command, "--level", level, "--keep-going", "--run", "*/a*",
                                   "--report", self.folder + "/report", "--record", "mine")
                self.assertEqual(code, 1)
                self.assertRegex(out, r"\nnot written, since the (program failed at every trace|run shows nothing): --record mine\n")
        self.assertEqual(os.listdir(self.folder + "/report/matrix"), [])
        self.assertIn("recorded in", toy("--report", self.folder + "/report", "--record", "mine", "--run", "blob/b*")[1])

    def test_a_damaged_record_can_be_recorded_again_and_is_told_before_the_run(self):
        report = self.folder + "/report"
        os.makedirs(report + "/matrix")
        self.file("report/matrix/mine.json", "")
        code, out, err = toy("--run", "blob/*", "--report", report)
        self.assertEqual((code, out), (2, ""))
        self.assertIn("cannot read %s/matrix/mine.json: " % report, err)
        self.assertIn("; remove it, or record it again\n", err)
        self.assertEqual(os.listdir(report), ["matrix"])
        self.assertEqual(toy("--run", "blob/*", "--report", report, "--record", "mine")[0], 0)
        self.assertEqual(list(json.loads(self.read("report/matrix/mine.json"))), ["events"])

    def test_two_runs_of_ones_own_are_compared(self):
        report = self.folder + "/report"
        toy("--run", "blob/*", "--report", report, "--record", "first")
        toy("--run", "blob/*", "--report", report, "--record", "fxt", errors=["zero-ends"])
        toy("--run", "blob/*", "--report", report, errors=["clears-tables"])
        page = self.page("report/index.html")
        for name, commands in (("first", [TOY + " --pipe"]), ("model", ["python3 adapters/"]),
                               ("fxt", [TOY + " --pipe --error=zero-ends"])):  # not the suite's own
            found = [column["command"] for column in page["columns"] if column["name"] == name]
            self.assertEqual(len(found), 1, name)
            self.assertTrue(found[0].startswith(commands[0]), found)

    def test_the_page_shows_the_columns_that_are_kept(self):
        report = os.path.join(self.folder, "report")
        toy("--run", "blob/*", "--report", report)
        names = {column["name"] for column in self.page("report/index.html")["columns"]}
        self.assertLessEqual({"fxt", "kaitai", "model", "perfetto"}, names)

    def test_a_page_of_all_vectors_has_2_mb_at_most(self):
        constant = self.file("constant.py", ENDING % "")
        for adapter, level in ((TOY + " --pipe", "events"), ("%s %s" % (PYTHON, constant), "records")):
            run("--adapter", adapter, "--pipe", "--level", level, "--report", self.folder, "--keep-going")
            self.assertLess(os.path.getsize(os.path.join(self.folder, "index.html")), 2000000)
            self.assertGreater(len(self.page("index.html")["vectors"]), 1900)


if __name__ == "__main__":
    unittest.main()
