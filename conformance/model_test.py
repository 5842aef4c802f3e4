#!/usr/bin/env python3
"""The model agrees with what people wrote: the example of schema/dump.md, and some numbers that are in
spec/format.md."""
import os
import re
import struct
import unittest

import assemble
import model

HERE = os.path.dirname(os.path.abspath(__file__))


class Model(unittest.TestCase):
    def test_example_of_the_schema(self):
        with open(os.path.join(HERE, "schema", "dump.md"), encoding="utf-8") as f:
            text = f.read().split("## 7. Example")[1]
        blocks = re.findall(r"(?:^    .*\n)+", text, re.M)
        source, wanted = ("".join(line[4:] + "\n" for line in block.splitlines())
                          for block in blocks[:2])
        got, _, _ = model.examine(assemble.assemble(source.encode()))
        self.assertEqual(got.decode(), wanted)

    def test_magic_number(self):
        self.assertEqual(assemble.assemble(b"magic"), bytes.fromhex("1000044678541600"))
        self.assertEqual(model.unpack("magic.header", model.MAGIC)["magic"], 0x16547846)
        self.assertEqual(model.MAGIC, struct.unpack(">Q", struct.pack("<Q", model.SWAPPED))[0])

    def test_limits(self):
        def size(line):
            return len(assemble.assemble(line.encode()))
        self.assertEqual(size('log thread=@1 message="%s"' % ("x" * 32744)), 32760)
        self.assertEqual(size('log thread=1/2 message="%s"' % ("x" * 32728)), 32760)
        self.assertRaises(SystemExit, size, 'log thread=@1 message="%s"' % ("x" * 32745))
        self.assertRaises(SystemExit, size, "initialization ticks_per_second=0")

    def test_findings_have_places(self):
        _, findings, canonical = model.examine(assemble.assemble(
            b'magic\nstring index=1 value="a"\nword thread.header size=3 index=0 bits=0x1000000\n'
            b"u64 1 2\nevent duration_end timestamp=1 thread=@7"))
        self.assertEqual(findings["current"], [(24, "REC-04"), (24, "THT-02"), (48, "THR-02")])
        self.assertFalse(canonical)


def first(*lines):
    """The first event of a trace of these lines."""
    return model.events(assemble.assemble("\n".join(lines).encode()))[0]


class Events(unittest.TestCase):
    def test_times_are_exact_and_rounded_down(self):
        event = 'event duration_complete timestamp=18446744073709551615 thread=1/2 end=3'
        for rate, ns, end in ((10**9, 2**64 - 1, 3), (3, 2**64 - 1, 10**9),
                              (7 * 10**9, 2635249153387078802, 0)):
            got = first("initialization ticks_per_second=%d" % rate, event)
            self.assertEqual((got["ns"], got["end_ns"]), (ns, end))

    def test_refs_are_those_of_the_provider(self):
        got = first('string index=1 value="zero"', 'provider_info provider_id=5 name="p"',
                    'string index=2 value="five"', "thread index=1 process=9 thread=8",
                    "event instant thread=@1 category=@1 name=@2")
        self.assertEqual(got, {
            "event": "instant", "provider": 5, "process": 9, "thread": 8, "ts": 0, "ns": 0,
            "category": None, "name": "five", "scope": "thread", "args": {}})

    def test_values_of_arguments(self):
        got = first('event instant thread=@9 { "a" int32 -1, "b" double 0xfff0000000000000, '
                    '"c" string @7, "d" koid 0x8000000000000000, "a" uint32 5, @3 int32 1, '
                    '"e" double 0x7ff0000000000001, "f" double 0x8000000000000000 }')
        self.assertEqual(got["thread"], None)
        self.assertEqual(repr(got["args"]), repr({
            "a": 5, "b": "-Infinity", "c": None, "d": 1 << 63, "e": "NaN", "f": -0.0}))

    def test_what_is_skipped_needs_no_kind(self):
        seen = model.look(assemble.assemble(
            b"word event.header size=1 event_type=3\nword event.header size=2 event_type=12 "
            b"thread=1\nu64 1\nlog thread=@1"))
        self.assertEqual(seen.kinds, {"log"})
        self.assertEqual([event["event"] for event in seen.events], ["log"])


if __name__ == "__main__":
    unittest.main()
