#!/usr/bin/env python3
"""libfxtref, as the program `native`, against the whole corpus at each level; and what native refuses."""
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import judge

NATIVE = os.path.abspath(sys.argv[1])
VECTORS = judge.load()
SWITCH = {"event": "context_switch", "ts": 1, "cpu": 3, "outgoing_state": "blocked",
          "outgoing_thread": 5, "incoming_thread": 6}
INSTANT = {"event": "instant", "process": 1, "thread": 2, "ts": 7, "category": "c", "name": "n",
           "scope": "thread"}


def native(*words, data=b""):
    """Its exit code and its output for a file of these bytes."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        done = subprocess.run([NATIVE, *words, file.name], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=60, check=False)
    return done.returncode, done.stdout


def written(*events, edition="current"):
    """The events of the trace that a script of these becomes, or None when it is refused."""
    data = "".join(json.dumps(event) + "\n" for event in events).encode()
    code, trace = native("write", "--edition=" + edition, data=data)
    if code != 0:
        return None
    return judge.lines(native("events", data=trace)[1])


class Corpus(unittest.TestCase):
    def test_there_is_a_corpus(self):
        self.assertGreater(len(VECTORS), 400)
        self.assertGreater(sum(map(judge.can_be_written, VECTORS)), 100)

    def test_reading(self):
        for level in judge.WRONG:
            with self.subTest(level):
                self.assertEqual(judge.failed([NATIVE], level, VECTORS), [])

    def test_writing(self):
        self.assertEqual(judge.failed_to_write([NATIVE], [NATIVE], VECTORS), [])

    def test_findings_of_edition_2020(self):
        for vector in VECTORS[::20]:
            out = native("findings", "--edition=2020", data=bytes.fromhex(vector["bytes"]))[1]
            self.assertEqual(sorted((f["offset"], f["rule"]) for f in judge.lines(out)),
                             sorted((f["offset"], f["rule"]) for f in vector["findings"]["2020"]))

    def test_the_judge_sees_what_is_wrong(self):
        vector = next(v for v in VECTORS if v["events"] and v["findings"]["current"])
        out = native("events", data=bytes.fromhex(vector["bytes"]))[1]
        self.assertFalse(judge.wrong_events(vector, 0, out))
        self.assertTrue(judge.wrong_events(vector, 0, b""))
        self.assertTrue(judge.wrong_events(vector, 0, out.replace(b'"provider":', b'"provider":9')))
        self.assertTrue(judge.wrong_events(vector, 0, out.replace(b'"ns":', b'"ns":1')))
        self.assertTrue(judge.wrong_records(vector, 0, b""))
        self.assertTrue(judge.wrong_findings(vector, 0, b""))
        self.assertEqual(judge.failed(["/bin/false"], "exit", [vector]), [vector["id"]])


class Transports(unittest.TestCase):
    def test_a_file_is_answered_as_in_the_pipe(self):
        for vector in VECTORS[::50]:
            data = bytes.fromhex(vector["bytes"])
            self.assertEqual([native("records", data=data)], judge.ask([NATIVE, "records"], [data]))

    def test_a_pipe_that_ends_early(self):
        for data, code in ((b"", 0), (b"\1\0", 3), (struct.pack("<I", 9) + b"12345678", 3),
                           (b"\xff\xff\xff\xff", 3)):
            done = subprocess.run([NATIVE, "exit", "--pipe"], input=data, timeout=60, check=False)
            self.assertEqual(done.returncode, code, data)

    def test_usage(self):
        self.assertEqual(native("frobnicate")[0], 2)
        self.assertEqual(native("exit", "--edition=1999")[0], 2)
        self.assertEqual(subprocess.run([NATIVE, "exit", "/nonexistent"], stderr=subprocess.DEVNULL,
                                        check=False).returncode, 3)


class Writing(unittest.TestCase):
    def test_numbers_keep_every_bit(self):
        values = [0, -1, 2**31 - 1, 2**31, -2**31, -2**31 - 1, 2**32 - 1, 2**32, 2**63 - 1, 2**63,
                  2**64 - 1, -2**63, 0.1, -0.0, 5e-324, 1.7976931348623157e308, None, True, False]
        for value in values:
            got, = written(dict(INSTANT, args={"a": value}))
            self.assertEqual((repr(got["args"]["a"])), repr(value))

    def test_texts(self):
        for text in ("", "\0", "\"\\/\b\f\n\r\t", "\u00e9\u20ac\U0001f600", "x" * 32000):
            got, = written(dict(INSTANT, name=text, args={text + "a": text}))
            self.assertEqual((got["name"], got["args"]), (text, {text + "a": text}))
        got, = written(dict(INSTANT, name={"hex": "ff00"}))
        self.assertEqual(got["name"], {"hex": "ff00"})

    def test_more_threads_strings_and_providers_than_tables_hold(self):
        events = [dict(INSTANT, thread=i, name="n%d" % i) for i in range(700)]
        self.assertEqual([(e["thread"], e["name"]) for e in written(*events)],
                         [(e["thread"], e["name"]) for e in events])
        providers = [{"write": "provider", "id": i, "name": ""} for i in range(17)]
        self.assertEqual(len(written(*providers[:15], INSTANT)), 1)
        self.assertIsNone(written(*providers, INSTANT))

    def test_providers_keep_their_tables(self):
        one, two = ({"write": "provider", "id": i, "name": "p"} for i in (1, 2))
        got = written(one, INSTANT, two, dict(INSTANT, name="m"), one, INSTANT)
        self.assertEqual([(e["provider"], e["name"]) for e in got], [(1, "n"), (2, "m"), (1, "n")])

    def test_a_switch_of_edition_2020_is_a_legacy_one(self):
        for edition, kind in (("current", "context_switch"), ("2020", "legacy_switch")):
            trace = native("write", "--edition=" + edition, data=json.dumps(SWITCH).encode())[1]
            records = judge.lines(native("records", data=trace)[1])
            self.assertEqual([r["record"] for r in records], ["magic", kind])
            self.assertTrue(judge.covers(written(SWITCH, edition=edition), [SWITCH]))

    def test_what_cannot_be_written_is_refused(self):
        for bad in ([], 1, {}, {"event": "frobnicate"}, {"event": 1}, {"write": "provider", "id": 1},
                    {"write": "initialization", "ticks_per_second": 0},
                    dict(INSTANT, thread=None), dict(INSTANT, ts=-1), dict(INSTANT, scope="galaxy"),
                    dict(INSTANT, name={"hex": "0"}), dict(INSTANT, name={"hex": "xx"}),
                    dict(INSTANT, args={str(i): i for i in range(16)}), dict(INSTANT, args={"a": [1]}),
                    dict(SWITCH, cpu=65536), dict(INSTANT, name="x" * 40000)):
            self.assertIsNone(written(bad), bad)
        for line in (b"{", b"nonsense", json.dumps(INSTANT).encode() + b" x", b"\xff"):
            self.assertEqual(native("write", data=line), (1, b""), line)


unittest.main(argv=sys.argv[:1])
