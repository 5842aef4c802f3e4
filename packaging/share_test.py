#!/usr/bin/env python3
"""A page that lacks an option, or has one that the program does not have, is refused.

  share_test.py SHARE PROGRAM... PAGE...
"""

import os
import subprocess
import sys
import unittest

SHARE, *FILES = map(os.path.abspath, sys.argv[1:])
PAGES = {os.path.basename(path): path for path in FILES if path.endswith(".in")}
ROOM = os.environ["TEST_TMPDIR"]

MISTAKES = [
    ("fxt.1.in", ".OPTION summary\n", "", "fxt.1.in: 0 places for 'fxt check --summary'"),
    ("fxt.1.in", ".OPTION summary\n", ".OPTION summary\n.OPTION quiet\n", "fxt.1.in: 2 places for 'fxt check --quiet'"),
    ("fxt.1.in", ".OPTION summary\n", ".OPTION sumary\n", "fxt.1.in:{}: fxt check has no option '--sumary'"),
    ("fxt.1.in", "record !asm !salvage", "record !asm", "fxt.1.in:{}: fxt salvage has no option '--max-record'"),
    ("fxt.1.in", "record !asm !salvage", "record !asm !salvages", "fxt.1.in:{}: fxt has no command 'salvages'"),
    ("fxt.1.in", ".OPTION output !export !view\n", ".OPTION output !view\n",
     "fxt.1.in:{}: '--output' has another letter or value in another command"),  # a DIR, not a FILE
    ("fxt.1.in", ".SS fxt fmt\n", ".SS fxt format\n", "fxt.1.in:5: sections and commands differ: ['fmt', 'format']"),
    ("trace.1.in", ".SS trace stop\n", ".SS other\n", "trace.1.in:5: sections and commands differ: ['stop']"),
    ("trace.1.in", ".COMMANDS record start\n", ".COMMANDS record begin\n", "trace.1.in:{}: trace has no command 'begin'"),
    ("trace.1.in", "snapshot\n.OPTION output\\-file\n", "snapshot stop\n.OPTION output\\-file\n",
     "trace stop has no option '--output-file'"),
    ("trace.1.in", ".SAME fxt json from to\n", ".SAME fxt dump\n",
     "trace.1.in:{}: trace convert has not the options of fxt dump"),
    ("trace.1.in", ".SAME fxt json from to\n", ".SAME fxt jsn\n", "trace.1.in:{}: trace convert has not the options of fxt jsn"),
    ("trace-manager.8.in", ".OPTION help\n", "", "trace-manager.8.in: 0 places for 'trace-manager --help'"),
]


class Pages(unittest.TestCase):
    def test_a_mistake_is_told_with_its_place(self):
        for page, old, new, expected in MISTAKES:
            with self.subTest(page=page, new=new):
                with open(PAGES[page], encoding="utf-8") as file:
                    text = file.read()
                self.assertEqual(text.count(old), 1)
                line = text[:text.index(old)].count("\n") + 1
                changed = os.path.join(ROOM, page)
                with open(changed, "w", encoding="utf-8") as file:
                    file.write(text.replace(old, new))
                files = [path for path in FILES if not path.endswith(".in")] + [changed]
                done = subprocess.run([SHARE, os.path.join(ROOM, "share"), *files], check=False,
                                      stderr=subprocess.PIPE, text=True)
                self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done)
                self.assertIn(expected.format(line), done.stderr)
                self.assertFalse(os.path.exists(os.path.join(ROOM, "share")))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
