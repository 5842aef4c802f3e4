#!/usr/bin/env python3
"""The archive of //fuzz:corpus has every seed, every input that broke something, every input of
fuzz/kept and every vector, each of them once. go/ says the same as raw/.

usage: corpus_test.py ARCHIVE
"""
import glob
import json
import os
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, "fuzz")
import kept  # noqa: E402


def test_usage():
    for words in ([], ["out.tar.gz"], ["--help"]):
        done = subprocess.run([sys.executable, "fuzz/make_corpus.py", *words], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        assert done.returncode == (0 if "--help" in words else 2), done
        assert "usage: make_corpus.py OUT.tar.gz FILE..." in done.stdout, done
        assert "Traceback" not in done.stdout, done
    done = subprocess.run([sys.executable, "fuzz/make_corpus.py", "out.tar.gz", "/nowhere"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.stdout == "make_corpus.py: /nowhere: No such file or directory\n" and done.returncode == 2, done


def test_two_inputs_of_one_name_are_both_there():
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("a/x.fxt", "b/x.fxt", "c/x.fxt", "d/bad.json", "e/" + "n" * 150)]
        for number, path in enumerate(paths):
            os.makedirs(os.path.dirname(path))
            with open(path, "w") as f:
                f.write("input %d" % (number % 2))
        out = os.path.join(folder, "out.tar.gz")
        subprocess.run([sys.executable, "fuzz/make_corpus.py", out] + paths[:3], check=True)
        with tarfile.open(out) as archive:
            assert archive.getnames() == ["fxt-corpus/%s/%s" % (form, name) for form in ("raw", "go")
                                          for name in ("x-2.fxt", "x.fxt")], archive.getnames()
        for path, words in ((paths[3], "no vectors"), (paths[4], "name is too long")):
            done = subprocess.run([sys.executable, "fuzz/make_corpus.py", out, path], stderr=subprocess.PIPE, text=True)
            assert done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1, done


def test_no_archive_without_inputs():
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.tar.gz")
        paths = [os.path.join(folder, name) for name in ("README.md", "a.fxta", "none.json", "x.fxt")]
        for path in paths:
            with open(path, "w") as f:
                f.write("[]")
        command = [sys.executable, "fuzz/make_corpus.py", out]
        done = subprocess.run(command + paths, stderr=subprocess.PIPE, text=True)
        assert done.returncode == 0 and done.stderr == "", done
        os.remove(out)
        done = subprocess.run(command + paths[:3], stderr=subprocess.PIPE, text=True)
        assert done.returncode == 2 and done.stderr.endswith("make_corpus.py: there is no input to pack\n"), done
        assert not os.path.exists(out)


def main(path):
    files = {}
    with tarfile.open(path) as archive:
        for member in archive:
            top, folder, name = member.name.split("/")
            assert top == "fxt-corpus" and member.isfile() and name not in (".", "..")
            files.setdefault(folder, {})[name] = archive.extractfile(member).read()
    raw, go = files["raw"], files["go"]
    expected = set()
    for name in glob.glob("fuzz/seeds/*") + glob.glob("fuzz/regress/*"):
        if name.endswith(".md"):
            continue
        with open(name, "rb") as f:
            expected.add(f.read())
    assert len(expected) > 60, len(expected)
    for path in glob.glob("fuzz/kept/*.zip"):
        expected |= set(kept.read(path))
    for name in glob.glob("conformance/corpus/*.json"):
        with open(name, encoding="utf-8") as f:
            expected |= {bytes.fromhex(v["bytes"]) for v in json.load(f) if "events" in v}
    assert set(raw.values()) == expected
    assert len(raw) == len(expected) > 1000
    assert set(go) == set(raw)
    for name, text in go.items():
        first, second, rest = text.decode("ascii").split("\n")
        assert first == "go test fuzz v1" and rest == ""
        assert second.startswith('[]byte("') and second.endswith('")')
        # An escape of Go is one of Python, too.
        data = second[len('[]byte("'):-len('")')].encode("ascii").decode("unicode_escape")
        assert data.encode("latin-1") == raw[name], name
    print("%d inputs" % len(raw))


if __name__ == "__main__":
    test_usage()
    test_two_inputs_of_one_name_are_both_there()
    test_no_archive_without_inputs()
    main(sys.argv[1])
