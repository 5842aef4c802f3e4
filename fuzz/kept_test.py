#!/usr/bin/python3
"""kept.py: an archive is reproducible, and one that was not made by it is refused."""
import glob
import os
import random
import resource
import stat
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kept  # noqa: E402
import programs  # noqa: E402

COMMITTED_MAX = 500 << 10
INPUTS = [b"", b"one", bytes(4096)]


class Kept(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(folder.name, "kept", "read.zip")

    def written(self, inputs):
        kept.write(self.path, inputs)
        with open(self.path, "rb") as f:
            return f.read()

    def refused(self, reason):
        with self.assertRaisesRegex(kept.Error, "cannot read the inputs of %s: .*%s.*; restore the file "
                                                "or delete it$" % (self.path, reason)) as caught:
            kept.read(self.path)
        self.assertTrue(str(caught.exception).isprintable())

    def test_equal_inputs_make_equal_bytes_and_each_is_there_once(self):
        first = self.written(INPUTS)
        self.assertEqual(self.written(INPUTS[::-1] + [b"one"]), first)
        self.assertEqual(sorted(kept.read(self.path)), sorted(INPUTS))
        self.assertEqual(os.listdir(os.path.dirname(self.path)), ["read.zip"])

    def test_full_disk_leaves_the_archive_as_it_is_and_is_said_of_it(self):
        whole = self.written(INPUTS)
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
        try:
            with self.assertRaisesRegex(kept.Error, "^cannot write %s: File too large" % self.path):
                kept.write(self.path, INPUTS + [b"another"])
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        with open(self.path, "rb") as f:
            self.assertEqual(f.read(), whole)
        self.assertEqual(os.listdir(os.path.dirname(self.path)), ["read.zip"])

    def test_link_stays_and_its_file_is_replaced(self):
        link = os.path.join(self.folder, "link")
        for name in ("there", "new"):
            real = os.path.join(self.folder, name)
            if name == "there":
                with open(real, "wb"):
                    pass
            os.symlink(name, link)
            with kept.replacing(link) as f:
                f.write(b"bytes")
            self.assertTrue(os.path.islink(link))
            os.remove(link)
            with open(real, "rb") as f:
                self.assertEqual(f.read(), b"bytes")
        self.assertEqual(sorted(os.listdir(self.folder)), ["new", "there"])

    def test_what_is_no_regular_file_is_written_in_place(self):
        path = os.path.join(self.folder, "fifo")
        os.mkfifo(path)
        reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        kept.write(path, INPUTS)  # no writer of archives may seek there
        self.assertTrue(stat.S_ISFIFO(os.stat(path).st_mode))
        self.path = os.path.join(self.folder, "copy")
        with open(self.path, "wb") as f:
            f.write(os.read(reader, 1 << 16))
        self.assertEqual(sorted(kept.read(self.path)), sorted(INPUTS))
        self.assertEqual(sorted(os.listdir(self.folder)), ["copy", "fifo"])
        with self.assertRaisesRegex(kept.Error, "^cannot write %s: Is a directory$" % self.folder):
            kept.write(self.folder, INPUTS)

    def test_target_without_an_archive_has_no_inputs(self):
        self.assertEqual(kept.read(self.path), [])

    def test_inputs_of_a_target_are_its_seeds_and_its_archive(self):
        self.written(INPUTS)
        seeds = programs.copy_seeds("read", os.path.join(self.folder, "seeds"))
        inputs = programs.copy_inputs("read", os.path.join(self.folder, "inputs"),
                                      os.path.dirname(self.path))
        self.assertEqual(set(os.listdir(inputs)) - set(os.listdir(seeds)), set(map(kept.name_of, INPUTS)))

    def test_archive_of_another_maker_is_refused(self):
        def made(name, data, **more):
            self.written([])
            with zipfile.ZipFile(self.path, "w", **more) as archive:
                archive.writestr(name, data)

        for name in ("../../read", "/etc/passwd", "a\nb\x1b[2J", "x" * 5000, kept.name_of(b"") + "/"):
            made(name, b"")
            self.refused("the name '.*' is not a SHA-1")
        made(kept.name_of(b"other"), b"bytes")
        self.refused("is not the SHA-1 of its bytes")
        big = bytes(kept.INPUT_MAX + 1)
        made(kept.name_of(big), big, compression=zipfile.ZIP_DEFLATED)
        self.refused("has 65537 bytes, more than 65536")
        made(kept.name_of(b"one"), b"one", compression=zipfile.ZIP_LZMA)
        self.refused("is not compressed by deflate")
        made(kept.name_of(b""), bytes(kept.ALL_MAX + 1), compression=zipfile.ZIP_DEFLATED)
        self.refused("its inputs have 67108865 bytes, more than 67108864")

    def test_file_that_is_no_archive_is_refused(self):
        whole = self.written(INPUTS)
        for data in (b"", b"not a zip", whole[:-1], whole[100:]):
            with open(self.path, "wb") as f:
                f.write(data)
            self.refused("")
        os.remove(self.path)
        os.mkdir(self.path)
        self.refused("Is a directory")

    def test_damaged_archive_is_read_whole_or_refused(self):
        whole = self.written(INPUTS)
        chance = random.Random(1)
        for _ in range(500):
            damaged = bytearray(whole)
            for _ in range(chance.randint(1, 3)):
                damaged[chance.randrange(len(whole))] = chance.randrange(256)
            with open(self.path, "wb") as f:
                f.write(damaged)
            try:
                self.assertLessEqual(set(kept.read(self.path)), set(INPUTS))
            except kept.Error as error:
                self.assertTrue(str(error).isprintable(), error)

    def test_committed_archives_can_be_read_and_are_small(self):
        paths = glob.glob(os.path.join(programs.HERE, "kept", "*"))
        self.assertLessEqual({os.path.basename(path) for path in paths},
                             {target + ".zip" for target in programs.TARGETS})
        self.assertLessEqual(sum(map(os.path.getsize, paths)), COMMITTED_MAX)
        for path in paths:
            self.assertGreater(len(kept.read(path)), 0)


if __name__ == "__main__":
    sys.exit(unittest.main())
