#!/usr/bin/env python3
"""The Python package: structs are laid out as in C, the corpus reads as it should, what is written is
read back, the checker's findings are those of the corpus, and the example of README.md runs.

usage: python_test.py LIBFXTREF.SO
"""
import array
import ctypes
import glob
import json
import math
import operator
import os
import re
import struct
import subprocess
import sys
import tempfile
import threading
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
os.environ["FXTREF_LIBRARY"] = os.path.abspath(sys.argv[1])
os.environ["PYTHONPATH"] = HERE
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import fxtref
from fxtref import abi
import traces
from headers import Headers


def vectors():
    for path in sorted(glob.glob(os.path.join(ROOT, "conformance", "corpus", "*.json"))):
        with open(path, encoding="utf-8") as file:
            yield from (it for it in json.load(file) if "events" in it)


class Layout(unittest.TestCase):
    def test_structs_and_numbers_are_those_of_c(self):
        headers = Headers()
        self.assertGreater(len(headers.structs), 40)
        lines = ["#include <fxt/%s.h>" % it for it in ("buffer", "check", "events", "explain", "intern", "version", "write")]
        lines += ["#include <stdio.h>", "int main(void) {"]
        expected = []

        def ask(expression, value):
            lines.append('printf("%%llu\\n", (unsigned long long)(%s));' % expression)
            expected.append((expression, value))

        for name, members in headers.structs.items():
            ask("sizeof(struct %s)" % name, ctypes.sizeof(getattr(abi, name)))
            for member, _ in members:
                ask("offsetof(struct %s, %s)" % (name, member),
                    getattr(getattr(abi, name), member).offset)
        for name in headers.numbers:
            ask(name, getattr(abi, name))
        with tempfile.TemporaryDirectory() as folder:
            program = folder + "/layout"
            subprocess.run(["gcc", "-x", "c", "-std=c11", "-I" + ROOT + "/src/include", "-", "-o", program],
                           input="\n".join(lines + ["}"]), text=True, check=True)
            found = subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True).stdout
        self.assertEqual(list(zip((it for it, _ in expected), map(int, found.split()))), expected)


class Corpus(unittest.TestCase):
    def test_events(self):
        run = [os.path.join(ROOT, "conformance", "run"), "--adapter",
               sys.executable + " -m adapter", "--pipe",
               "--level", "events", "--kinds", "tables,events,args"]
        done = subprocess.run(run, stdout=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertGreater(int(re.search(r"(\d+) passed", done.stdout).group(1)), 1000)

    def test_findings(self):
        for vector in list(vectors())[::10]:
            for edition in ("2020", "current"):
                found = fxtref.check(bytes.fromhex(vector["bytes"]), edition)
                self.assertEqual(sorted((it.rule, it.offset) for it in found),
                                 sorted((it["rule"], it["offset"])
                                        for it in vector["findings"][edition]), vector["id"])

    def test_findings_that_are_not_kept_are_counted(self):
        writer = fxtref.Writer()
        for i in range(100):
            writer.write(fxtref.Event("async_begin", i, process=1, thread=2, category="c", name="n", id=i))
        trace = bytes(writer)
        self.assertEqual([it.rule for it in fxtref.check(trace)], ["EVT-06"] * 100)
        *kept, rest = fxtref.check(trace + bytes(fxtref.Writer()))  # all in the record of its magic number
        self.assertEqual([it.rule for it in kept], ["EVT-06"] * 64)
        self.assertEqual((rest.offset, rest.rule, rest.number), (len(trace), "", 36))
        self.assertIn("36 more findings", rest.title)

    def test_what_is_no_trace_is_refused(self):
        for wrong in ("trace.fxt", 5, None, [1]):
            for use in (fxtref.Reader, fxtref.check):
                with self.assertRaisesRegex(TypeError, "bytes-like"):
                    use(wrong)
        with self.assertRaisesRegex(ValueError, "edition '2021'.*'2020' and 'current'"):
            fxtref.check(b"", edition="2021")


class Writing(unittest.TestCase):
    def test_what_is_written_is_read_back(self):
        args = {"null": None, "bool": True, "int": -5, "big": 2**64 - 1, "double": 0.1, "": "text",
                "blob": b"\0\xff", "infinity": math.inf}
        events = [fxtref.Event(kind, 1000 + i, 2000 + 2 * i, 0, 7, 2**63 + i, "c%d" % i, kind,
                               0 if kind[0] in "id" else 9 + i, args=args)
                  for i, kind in enumerate(fxtref.EVENT_TYPES)]
        events[4].end_ticks, events[4].end_ns = 1010, 2020
        writer = fxtref.Writer(ticks_per_second=500000000)
        for event in events * 500:  # more than one piece
            writer.write(event)
        reader = fxtref.Reader(bytes(writer))
        self.assertEqual(list(reader), events * 500)
        self.assertEqual((reader.skipped, reader.error), (0, None))

    def test_what_cannot_be_written_is_refused_with_the_reason(self):
        for rate, why in ((0, "the rate is 0"), (-1, "the rate is -1"), (2**64, "no 64 bits"),
                          (1.5, "the rate is 1.5, which is no int")):
            with self.assertRaisesRegex((TypeError, ValueError), why):
                fxtref.Writer(ticks_per_second=rate)
        long = "x" * 32001
        for error, why, wrong in (
                (ValueError, "the name has 32001 bytes", {"name": long}),
                (ValueError, "the category has 32002 bytes", {"category": "\u00e9" * 16001}),
                (ValueError, "argument 'n' has 32001 bytes", {"args": {"n": long}}),
                (ValueError, "the name of an argument has 32001 bytes", {"args": {long: 1}}),
                (ValueError, "16 arguments", {"args": {str(i): i for i in range(16)}}),
                (ValueError, "event 'e' .* 32760 bytes", {"args": {"n": bytes(20000), "m": bytes(20000)}}),
                (ValueError, "event 'e' .* 32760 bytes", {"args": {"n": bytes(32760)}}),
                (ValueError, "ticks is -1", {"ticks": -1}),
                (ValueError, "ticks is 1844", {"ticks": 2**64}),
                (ValueError, "process is -1", {"process": -1}),
                (ValueError, "thread is 1844", {"thread": 2**64}),
                (ValueError, "id is 1844", {"id": 2**64, "type": "counter"}),
                (ValueError, "the scope 'world' is none of thread, ", {"scope": "world"}),
                (ValueError, "the type 'duration' is none of", {"type": "duration"}),
                (ValueError, "end_ticks is -1", {"end_ticks": -1, "type": "duration_complete"}),
                (ValueError, "argument 'n' is 1844", {"args": {"n": 2**64}}),
                (ValueError, "argument 'n' is -922", {"args": {"n": -2**63 - 1}}),
                (TypeError, "ticks is None, which is no int", {"ticks": None}),
                (TypeError, "ticks is 1.5, which is no int", {"ticks": 1.5}),
                (TypeError, "process is 'init', which is no int", {"process": "init"}),
                (TypeError, "the name is 5, which is no str", {"name": 5}),
                (TypeError, "the name of an argument is 5, which is no str", {"args": {5: 1}}),
                (TypeError, "argument 'n' is \\[1, 2\\], which no argument can be", {"args": {"n": [1, 2]}}),
                (TypeError, "argument 'n' is {}, ", {"args": {"n": {}}}),
                (TypeError, "argument 'n' is \\(1\\+2j\\), ", {"args": {"n": 1 + 2j}}),
                (TypeError, "argument 'n' is <object", {"args": {"n": object()}}),
                (TypeError, "argument 'n' is c_int\\(5\\), ", {"args": {"n": ctypes.c_int(5)}}),
                (TypeError, "argument 'n' is c_double\\(1.5\\), ", {"args": {"n": ctypes.c_double(1.5)}}),
                (TypeError, "process is '', which is no int", {"process": ""}),
                (TypeError, "thread is 0.0, which is no int", {"thread": 0.0}),
                (TypeError, "the category is \\[\\], which is no str", {"category": []}),
                (TypeError, "the name is 0, which is no str", {"name": 0})):
            event = {"type": "instant", "ticks": 1, "name": "e", **wrong}
            writer = fxtref.Writer()
            before = bytes(writer)
            with self.assertRaisesRegex(error, why):
                writer.write(fxtref.Event(**event))
            writer.write(fxtref.Event("instant", 1, 1, name="good"))
            self.assertEqual([e.name for e in fxtref.Reader(bytes(writer))], ["good"])
            self.assertTrue(bytes(writer).startswith(before))

    def test_what_is_no_event_is_refused(self):
        writer = fxtref.Writer()
        for wrong in "x", None, {"type": "instant"}:
            with self.assertRaisesRegex(TypeError, "an Event is written, not "):
                writer.write(wrong)
        self.assertEqual(list(fxtref.Reader(bytes(writer))), [])

    def test_long_strings_need_no_more_room_than_there_is(self):
        events = [fxtref.Event("instant", i, i, 0, 1, 2, "c", "n",
                               args={str(n): chr(97 + i) * (30000 + n) for n in range(7)})
                  for i in range(3)]
        writer = fxtref.Writer()
        for event in events:
            writer.write(event)
        self.assertEqual(list(fxtref.Reader(bytes(writer))), events)

    def test_what_fits_is_written_whatever_was_before(self):
        large = {str(n): chr(97 + n) * 20000 for n in range(3)}
        edge = {"blob": bytes(32728)}  # a record of 32760 bytes if the thread has an index
        strings = [fxtref.Event("instant", i, i, 0, 1, 2, "c", "%030d" % i * 1000) for i in range(34)]
        threads = [fxtref.Event("instant", i, i, 0, 1, i, "c", "n") for i in range(255)]
        for before, args in (strings, large), (threads, edge):
            events = before + [fxtref.Event("instant", 999, 999, 0, 1, 999, "c", "last", args=args)]
            writer = fxtref.Writer()
            for event in events:
                writer.write(event)
            self.assertEqual(list(fxtref.Reader(bytes(writer))), events)

    def test_what_is_like_an_int_is_written_as_an_int_and_an_array_as_its_bytes(self):
        class Number(array.array):  # as those of numpy: a buffer, too
            def __index__(self):
                return operator.index(self[0] if len(self) == 1 else None)

        writer = fxtref.Writer()
        writer.write(fxtref.Event("instant", 1, args={"n": Number("q", [-7]), "a": Number("q", [1, 2])}))
        event, = fxtref.Reader(bytes(writer))
        self.assertEqual(event.args, {"n": -7, "a": array.array("q", [1, 2]).tobytes()})

    def test_threads_may_share_a_writer(self):
        writer = fxtref.Writer()

        def write(thread):
            for i in range(2000):
                writer.write(fxtref.Event("instant", i, i, 0, 1, thread, "c%d" % thread, "n%d" % (i % 50),
                                          args={"s": "v%d.%d" % (thread, i % 70), "b": bytes(1000)}))

        before = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        self.addCleanup(sys.setswitchinterval, before)
        threads = [threading.Thread(target=write, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        found = list(fxtref.Reader(bytes(writer)))
        self.assertEqual(len(found), 4 * 2000)
        for i in range(4):
            mine = [it for it in found if it.thread == i]
            self.assertEqual([it.ticks for it in mine], list(range(2000)))
            self.assertEqual([it.args["s"] for it in mine], ["v%d.%d" % (i, k % 70) for k in range(2000)])

    def test_the_ends_of_ranges_are_written(self):
        writer = fxtref.Writer()
        args = {"most": 2**64 - 1, "least": -2**63, "array": array.array("i", [1, -1])}
        writer.write(fxtref.Event("counter", 2**64 - 1, 0, 0, 2**64 - 1, 2**64 - 1, "", "", 2**64 - 1,
                                  args=args))
        event, = fxtref.Reader(bytes(writer))
        self.assertEqual((event.ticks, event.process, event.thread, event.id), (2**64 - 1,) * 4)
        self.assertEqual(event.args, {**args, "array": args["array"].tobytes()})


class Registered(unittest.TestCase):
    def test_many_short_names(self):
        trace = traces.names(20000)
        event, = fxtref.Reader(trace)
        self.assertEqual(event.args, {"%05d" % i: None for i in range(19986, 20001)})
        self.assertEqual([it.rule for it in fxtref.check(trace)], ["THR-02"])

    def test_many_providers(self):
        for count, resolved, skipped in (255, 255, 0), (256, 254, 3):  # besides provider 0
            reader = fxtref.Reader(traces.providers(count))
            self.assertEqual([(it.name, it.ns) for it in reader].count(("n", 1000000)), resolved)
            self.assertEqual(reader.skipped, skipped)


MEMORY = """
import re, sys, fxtref

def peak():
    with open("/proc/self/status") as file:
        return int(re.search(r"VmHWM:\\s+(\\d+) kB", file.read()).group(1)) * 1024

trace = sys.stdin.buffer.read()
before = peak()
USE
print(peak() - before)
"""


class Memory(unittest.TestCase):
    def peak(self, trace, use):
        """What this use of the trace adds to the memory of a program that holds the trace."""
        return int(subprocess.run([sys.executable, "-c", MEMORY.replace("USE", use)], input=trace,
                                  check=True, stdout=subprocess.PIPE).stdout)

    def test_it_grows_with_what_is_registered_and_not_with_the_trace(self):
        writer = fxtref.Writer()
        for i in range(1000):
            writer.write(fxtref.Event("instant", i, process=1, thread=i % 100, category="c", name="n"))
        trace = bytes(writer)
        self.assertLess(self.peak(trace, "next(iter(fxtref.Reader(trace)))"), 4 << 20)
        trace *= (20 << 20) // len(trace)
        self.assertLess(self.peak(trace, "next(iter(fxtref.Reader(trace)))"), 4 << 20)
        self.assertLess(self.peak(trace, "assert fxtref.check(trace) == []"), 4 << 20)


class Damage(unittest.TestCase):
    def test_an_event_of_an_unknown_type_is_counted(self):
        writer = fxtref.Writer()
        writer.write(fxtref.Event("instant", 1, 1, process=1, thread=2, category="c", name="n"))
        trace = bytes(writer)
        unknown = (0x24 | 12 << 16).to_bytes(8, "little") + bytes(8)
        reader = fxtref.Reader(trace + unknown + trace[8:])
        self.assertEqual([event.name for event in reader], ["n", "n"])
        self.assertEqual((reader.skipped, reader.error), (1, None))

    def test_processors_of_several_providers_find_room(self):
        """Each takes a place of the checker's memory, and only 16 bytes of the trace."""
        trace = bytes(fxtref.Writer())
        for provider in range(1, 4):
            trace += struct.pack("<QQ", 0x10020 | provider << 20 | 8 << 52, 0x7070707070707070)
            trace += struct.pack("<QQQ", 0x10033, 100, 101)
            for cpu in range(256):
                trace += struct.pack("<QQ", 0x28 | cpu << 16 | 3 << 24 | 1 << 28 | 1 << 36, cpu)
        self.assertNotIn("LIM-01", [finding.rule for finding in fxtref.check(trace)])

    def test_what_is_malformed_is_skipped_and_counted(self):
        writer = fxtref.Writer()
        writer.write(fxtref.Event("instant", 1, 1, process=1, thread=2, category="c", name="n"))
        trace = bytes(writer)
        bad = (0x14).to_bytes(8, "little")  # an event of one word
        reader = fxtref.Reader(trace + bad + bytes(8) + trace[8:] + b"\x30" + bytes(7))
        self.assertEqual([event.name for event in reader], ["n", "n"])
        self.assertEqual((reader.skipped, reader.error.rule), (1, "REC-03"))
        self.assertEqual(reader.error.offset, 2 * len(trace) + 8)


class Library(unittest.TestCase):
    def load(self, **environment):
        code = "import fxtref; print(fxtref.lib._name)"
        return subprocess.run([sys.executable, "-c", code], check=False, text=True,
                              env={**os.environ, **environment}, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT).stdout

    def compile(self, path, source, *options):
        subprocess.run(["gcc", "-shared", "-x", "c", "-", "-o", path, *options], input=source, text=True,
                       check=True)

    def test_what_is_not_the_library_is_said(self):
        with tempfile.TemporaryDirectory() as folder:
            newer = folder + "/newer.so"
            self.compile(newer, 'const char *fxt_version(void) { return "0.3.0"; }\n' + "".join(
                "void %s(void) {}\n" % name for name in abi.FUNCTIONS if name != "fxt_version"))
            for path, why in (("/nonexistent.so", "No such file"),
                              ("libc.so.6", "undefined symbol: fxt_"),
                              (newer, "newer.so has version 0.3.0")):
                said = self.load(FXTREF_LIBRARY=path)
                self.assertRegex(said, "ImportError: libfxtref 0.2 .*%s.*set FXTREF_LIBRARY" % why)

    def test_a_library_with_another_soname_is_not_taken(self):
        with tempfile.TemporaryDirectory() as folder:
            self.compile(folder + "/libfxtref.so.0.3", "", "-Wl,-soname,libfxtref.so.0.3")
            os.symlink("libfxtref.so.0.3", folder + "/libfxtref.so")
            os.symlink(os.environ["FXTREF_LIBRARY"], folder + "/libfxtref.so.0.2")
            self.assertEqual(self.load(FXTREF_LIBRARY="", LD_LIBRARY_PATH=folder), "libfxtref.so.0.2\n")


class Readme(unittest.TestCase):
    def code(self):
        with open(os.path.join(HERE, "README.md"), encoding="utf-8") as file:
            reading, writing = re.findall(r"^```python\n(.*?)^```", file.read(), re.M | re.S)
        return reading, writing

    def test_the_example_of_writing_makes_a_clean_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "-c", self.code()[1]], cwd=folder, check=True)
            with open(folder + "/new.fxt", "rb") as file:
                trace = file.read()
        self.assertEqual(fxtref.check(trace), [])
        serve, idle = fxtref.Reader(trace)
        self.assertEqual((serve.ns, serve.end_ns, serve.name, serve.args),
                         (1000, 2500, "serve", {"bytes": 512}))
        self.assertEqual((idle.ns, idle.name, idle.scope), (3000, "idle", "process"))

    def test_the_example_of_reading_runs(self):
        code = self.code()[0]
        writer = fxtref.Writer()
        writer.write(fxtref.Event("counter", 5, 5, process=1, thread=2, category="c", name="n",
                                  args={"x": 1}))
        with tempfile.TemporaryDirectory() as folder:
            with open(folder + "/trace.fxt", "wb") as file:
                file.write(bytes(writer) + b"cut")
            out = subprocess.run([sys.executable, "-c", code], cwd=folder, check=True, text=True,
                                 stdout=subprocess.PIPE).stdout.splitlines()
        self.assertEqual(out[0], "5 counter c n {'x': 1}")
        self.assertIn("REC-01", out[1])


unittest.main(argv=sys.argv[:1])
