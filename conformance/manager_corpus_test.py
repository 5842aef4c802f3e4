#!/usr/bin/env python3
"""Each rule of a buffer and of a packet has vectors that keep it and that break it; the models say what
some numbers in spec/system.md say."""
import unittest

import buffer_model
import manager_json
import packet_model
import packets
from runner import corpus

AREAS = ("BUF-", "FIF-", "CTL-")


def rules():
    return {rule: kind for rule, kind in buffer_model.CLASSES.items() if rule.startswith(AREAS)}


class Files(unittest.TestCase):
    def test_every_rule_is_kept_and_broken(self):
        kept, broken = set(), set()
        for vector in corpus.load(corpus.of_suite(manager_json.HERE), own=False):
            if "expected" in vector:
                expected = vector["expected"] or {}
                found = {finding["rule"] for finding in expected.get("findings", [])}
                broken |= found
                if not found:
                    kept |= {vector["tests"], *vector["touches"]}
        malformed = {rule for rule, kind in rules().items() if kind == "malformed"}
        self.assertEqual(malformed - broken, set())
        whole = {"BUF-02", "BUF-03", "BUF-05", "BUF-06", "FIF-01", "CTL-02", "CTL-09"}
        self.assertEqual(set(rules()) - kept - whole, set())  # these are kept by all that is valid


class Models(unittest.TestCase):
    def test_sizes(self):
        self.assertEqual(buffer_model.sizes(64 << 10, 1), (8192, 28608))
        self.assertEqual(buffer_model.sizes(64 << 10, 0), (0, 65408))
        self.assertEqual(buffer_model.sizes(1 << 32, 2)[0], 4 << 20)

    def test_chunks(self):
        self.assertEqual([buffer_model.chunk_bytes(room) for room in (0, 1023, 1024, 32767, 32768)],
                         [64, 64, 128, 2048, 4096])

    def test_every_packet_there_and_back(self):
        for channel, shapes in packet_model.CHANNELS.items():
            for ordinal, shape in shapes.items():
                data = packet_model.write(channel, packets.sample(channel, shape))
                fields, findings = packet_model.read(channel, shape.sender, data)
                self.assertEqual((findings, len(data)), ([], shape.size), "%x" % ordinal)
                self.assertEqual(packet_model.write(channel, fields), data)

    def test_sizes_of_packets_are_those_of_the_table(self):
        sizes = {0x101: 120, 0x103: 16, 0x111: 10416, 0x113: 8, 0x116: 20816}
        for ordinal, size in sizes.items():
            self.assertEqual(packet_model.PROVIDER[ordinal].size, size)


if __name__ == "__main__":
    unittest.main()
