#!/usr/bin/env python3
"""Makes the corpus from its sources by the models, and holds it to golden/*.jsonl, which has a line
for each vector. golden.py says what is in a line.

usage: generate.py              adds the lines of new vectors; fails, and says how they differ, where
                                one that is there would change or go
       generate.py --accept     changes and removes lines, too
       generate.py --check      writes nothing; fails when a line is missing, stale or too much
       generate.py --out DIR    writes the corpus, if --check would not fail
       generate.py --diff REV   shows how the corpus differs from that of a revision of git, vector by
                                vector. The model of that revision makes its corpus. Exit code: 0 no
                                difference, 1 differences, 2 there is no such corpus
"""
import difflib
import json
import os
import subprocess
import sys
import tempfile

import buffers
import families
import golden
import manager_json
import packets
import timeline_vectors
import vectors
from runner import corpus
from runner.files import write_file
from runner.needs import needs_of
from runner.plain import Usage, printable
from runner.running import main

TOP = os.path.dirname(vectors.HERE)


def made(source):
    """The vector of a source."""
    seen = source.seen
    findings = {edition: [{"rule": rule, "offset": offset} for offset, rule in found]
                for edition, found in seen.findings.items()}
    broken = source.broken()
    vector = {
        "id": source.id,
        "grade": source.grade,
        "tests": source.tests,
        "touches": sorted((broken - {"EDN-01"} | set(source.touches)) - {source.tests}),
        "edition": source.edition or ("current" if "EDN-01" in broken else "2020"),
        "kinds": sorted(seen.kinds),
        "refuses": sorted(seen.refuses),
        "why": source.why,
        "mistake": source.mistake,
        "canonical": seen.canonical,
        "source": source.lines,
        "bytes": source.bytes.hex(),
        "findings": findings,
        "records": seen.records,
        "events": seen.events,
    }
    if not source.grade:
        vector["grade"] = "invalid" if vectors.severe(vector, vector["edition"]) else "valid"
    return vector


def all_made():
    """{area: its vectors}"""
    areas = {area: {} for area in vectors.AREAS}
    for source in vectors.hand_written() + families.families():
        area = areas[source.id.split("/")[0]]
        if source.id in area:
            raise SystemExit(source.id + " is made twice")
        area[source.id] = made(source)
    areas = {area: [found[id] for id in sorted(found)] for area, found in areas.items()}
    areas.update(buffers=buffers.vectors(), packets=packets.vectors(),
                 timeline=[vector.of_corpus() for vector in timeline_vectors.load()])
    for area, found in areas.items():
        ids = {vector["id"] for vector in found}
        assert len(ids) == len(found), "a vector of %s is made twice" % area
    return areas


def layout_vector(vector):
    is_trace = vector.get("level", "timeline") == "timeline"
    return vectors.layout_vector(vector) if is_trace else manager_json.layout_vector(vector)


def texts_of(areas):
    """The files of the corpus: {name: text}."""
    return {area + ".json": "[\n" + ",\n".join(map(layout_vector, found)) + "\n]\n"
            for area, found in areas.items()}


def golden_of(areas):
    return golden.files_of(areas, layout_vector, texts_of(areas))


def problems(areas):
    return [problem for area in vectors.AREAS for vector in areas[area]
            for problem in vectors.problems(vector) + liberties(vector)]


def liberties(vector):
    """What a valid vector asks of a program beside its rule."""
    return ["%s: a valid vector needs %s" % (vector["id"], need) for need in needs_of(vector)
            if vector["grade"] == "valid" and (need, vector["tests"]) != ("argument-tails", "REC-08")]


def changed(files):
    told = golden.differences(files)
    return told and told + ["`generate.py --diff HEAD` shows what changes, `generate.py --accept` accepts it"]


def check(areas):
    wrong, files = problems(areas), golden_of(areas)
    wrong += changed(files)
    wrong += ["golden/%s is missing or stale: run generate.py" % name for name in golden.stale(files)]
    if wrong:
        raise Usage("\n".join(wrong))


def update(areas, accept):
    wrong, files = problems(areas), golden_of(areas)
    wrong += [] if accept else changed(files)
    if wrong:
        raise Usage("\n".join(wrong))
    golden.write(files)


def write_corpus(folder):
    """Fails where the vectors are not those of golden/. SHA256SUMS comes last."""
    areas = all_made()
    check(areas)
    os.makedirs(folder, exist_ok=True)
    for name, text in list(texts_of(areas).items()) + [(corpus.SUMS, golden.read(corpus.SUMS))]:
        path = os.path.join(folder, name)
        write_file(path, path, text)


# ---- --diff

def unpack(revision, folder):
    """The folders of a revision that make its corpus."""
    git = ["git", "-C", TOP, "archive", "--format=tar", "--end-of-options", revision, "conformance", "spec"]
    packed = subprocess.run(git, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if packed.returncode:
        raise Usage("--diff %s: %s" % (printable(revision), printable(packed.stderr.decode().strip())))
    subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)


def corpus_of(revision, folder):
    """{id: vector}, made by that revision's own model; one before golden/ has the files."""
    unpack(revision, folder)
    there = os.path.join(folder, "conformance", "corpus")
    if os.path.exists(os.path.join(folder, "conformance", "golden")):
        done = subprocess.run([sys.executable, os.path.join(folder, "conformance", "generate.py"), "--out", there],
                              stderr=subprocess.PIPE)
        if done.returncode:
            raise Usage("--diff %s: that revision cannot make its corpus:\n%s" % (
                printable(revision), done.stderr.decode("utf-8", "replace").rstrip()))
    return {vector["id"]: vector for path in corpus.files_of(there)
            for vector in json.loads(corpus.read(path).decode("utf-8"))}


def text_of(vector):
    return layout_vector(vector).split("\n") if vector else []


def diff(revision):
    """Prints a unified diff for each vector that is another. The exit code."""
    with tempfile.TemporaryDirectory() as folder:
        before = corpus_of(revision, folder)
    now = {vector["id"]: vector for found in all_made().values() for vector in found}
    differing = [id for id in sorted(set(before) | set(now)) if before.get(id) != now.get(id)]
    for id in differing:
        print("\n".join(difflib.unified_diff(
            text_of(before.get(id)), text_of(now.get(id)), "%s of %s" % (id, revision), id, n=1, lineterm="")))
    print("%d of %d vectors differ" % (len(differing), len(set(before) | set(now))))
    return 1 if differing else 0


# ---- the command line

def do(words):
    if words in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    if len(words) == 2 and words[0] == "--diff" and words[1]:
        return diff(words[1])
    if len(words) == 2 and words[0] == "--out" and words[1]:
        write_corpus(words[1])
        return 0
    if words not in ([], ["--accept"], ["--check"]):
        raise Usage("no such command line; see generate.py --help")
    areas = all_made()
    if words == ["--check"]:
        check(areas)
    else:
        update(areas, accept=bool(words))
    print("%d vectors" % sum(map(len, areas.values())))
    return 0


if __name__ == "__main__":
    sys.exit(main("generate.py", do, sys.argv[1:]))
