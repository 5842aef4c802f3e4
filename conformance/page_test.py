#!/usr/bin/env python3
"""The page of a report in a real browser: what is told of a vector, and that nothing an adapter
printed becomes markup. Skips where Debian's chromium is not installed."""
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
RUN = [sys.executable, os.path.join(HERE, "run"), "--level", "events", "--run", "argument/*"]
EVIL = "print('{\"event\":\"</script><img src=x onerror=document.title=1><b id=evil>\"}')\n"


@unittest.skipUnless(shutil.which("chromium"), "chromium is not installed")
class Page(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def page(self, adapter, vector):
        """The document after its scripts ran."""
        transport = ["--pipe"] if "--pipe" in adapter else []
        subprocess.run(RUN + ["--adapter", adapter, "--report", self.folder] + transport,
                       stdout=subprocess.DEVNULL)
        done = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--user-data-dir=" + self.folder + "/profile", "--virtual-time-budget=5000",
             "--dump-dom", "file://%s/index.html#%s" % (self.folder, vector)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8", timeout=240)
        document, _, rest = done.stdout.partition('<script type="text/plain"')
        self.assertNotEqual(rest, "")
        return document

    def test_a_vector_and_what_failed(self):
        document = self.page("%s %s/toy.py --pipe --error=int32-unsigned" % (sys.executable, HERE),
                             "argument/extremes")
        text = html.unescape(re.sub("<[^>]*>", " ", document))
        self.assertRegex(text, r"ARG-05\s+an argument's value lies inside the argument")
        self.assertRegex(text, r"argument/extremes\s+The ends of every range")
        self.assertIn("expected -2147483648, got 2147483648", text)
        self.assertRegex(text, r"000048\s+21 00 01 80 00 00 00 80\s+argument int32 size=2")
        self.assertRegex(document, r'class="bad"[^>]*aria-label="this run, ARG-05: \d+ of \d+"')
        self.assertRegex(document, r'class="good"[^>]*aria-label="this run, ARG-02: \d+ of \d+"')

    def test_totals_by_grade_and_status(self):
        document = self.page("%s %s/toy.py --pipe --error=int32-unsigned" % (sys.executable, HERE), "")
        table = re.search('<table id="totals".*?</table>', document).group()
        rows = [re.findall(">([^<]+)</t[hd]>", row) for row in table.split("<tr>")[1:]]
        self.assertEqual(rows[0][0], "Grade")
        self.assertEqual([row[0] for row in rows[1:]], ["valid", "unspecified", "invalid", "all"])
        self.assertLessEqual({"passed", "failed", "all"}, set(rows[0]))
        for row in rows[1:]:
            self.assertEqual(sum(map(int, row[1:-1])), int(row[-1]))
        self.assertEqual([sum(column) for column in zip(*(map(int, row[1:]) for row in rows[1:-1]))],
                         list(map(int, rows[-1][1:])))

    def test_what_an_adapter_prints_is_text(self):
        program = os.path.join(self.folder, "evil.py")
        with open(program, "w", encoding="utf-8") as f:
            f.write(EVIL)
        document = self.page("%s %s {file}" % (sys.executable, program), "argument/extremes")
        self.assertIn("<title>FXT conformance</title>", document)
        self.assertIn("&lt;img src=x onerror=document.title=1&gt;", document)
        for markup in ("<img", "<b id"):
            self.assertNotIn(markup, document)


if __name__ == "__main__":
    unittest.main()
