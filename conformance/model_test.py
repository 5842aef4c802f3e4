#!/usr/bin/env python3
"""The committed files are those that the model makes, and the model agrees with what people wrote:
the example of schema/dump.md, and some numbers that are in spec/format.md."""
import os
import re
import struct
import sys
import unittest

import assemble
import generate
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


class Files(unittest.TestCase):
    def test_are_fresh(self):
        sys.argv = [sys.argv[0], "--check"]
        self.assertEqual(generate.main(), 0)


if __name__ == "__main__":
    unittest.main()
