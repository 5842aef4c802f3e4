#!/usr/bin/env python3
"""Makes corpus/*.json from the sources of vectors/*.fxta and of the families, by the model, and
corpus/SHA256SUMS from these.

usage: generate.py            adds new vectors; fails, and says how they differ, where one that is
                              there would change or go
       generate.py --accept   changes and removes them, too
       generate.py --check    writes nothing; fails when anything is missing, stale or too much
"""
import os
import sys

import families
import vectors
from runner import corpus


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
    """{area: its vectors by id}"""
    areas = {area: {} for area in vectors.AREAS}
    for source in vectors.hand_written() + families.families():
        area = areas[source.id.split("/")[0]]
        if source.id in area:
            raise SystemExit(source.id + " is made twice")
        area[source.id] = made(source)
    return {area: [found[id] for id in sorted(found)] for area, found in areas.items()}


def on_disk():
    try:
        return {vector["id"]: vector for vector in vectors.load()}
    except FileNotFoundError:
        return {}


def differences(there, wanted):
    """What a golden vector says that the model does not, and the other way round."""
    lines = []
    for id in sorted(set(there) - set(wanted)):
        lines.append(id + " is of no source any more")
    for id in sorted(set(there) & set(wanted)):
        for key in wanted[id]:
            if there[id].get(key) != wanted[id][key]:
                lines.append("%s: %s is %.300s, and the model says %.300s" % (
                    id, key, there[id].get(key), wanted[id][key]))
    return lines


def stale(areas):
    """Files of the corpus that are not byte for byte what is wanted."""
    wrong = []
    for area, found in areas.items():
        path = os.path.join(vectors.CORPUS, area + ".json")
        try:
            with open(path, encoding="utf-8") as f:
                same = f.read() == vectors.layout(found)
        except FileNotFoundError:
            same = False
        if not same:
            wrong.append(path)
    return wrong


def main():
    areas = all_made()
    wanted = {vector["id"]: vector for found in areas.values() for vector in found}
    wrong = [problem for vector in wanted.values() for problem in vectors.problems(vector)]
    changed = differences(on_disk(), wanted)
    files = stale(areas)
    if "--check" in sys.argv:
        wrong += changed + [path + " is missing or stale" for path in files]
        if corpus.sums_are_stale(vectors.CORPUS):
            wrong.append("%s/%s is missing or stale" % (vectors.CORPUS, corpus.SUMS))
    elif changed and "--accept" not in sys.argv:
        wrong += changed
    else:
        os.makedirs(vectors.CORPUS, exist_ok=True)
        for path in files:
            with open(path, "w", encoding="utf-8") as f:
                f.write(vectors.layout(areas[os.path.basename(path)[:-len(".json")]]))
            print("wrote " + os.path.relpath(path))
        corpus.write_sums(vectors.CORPUS)
    for line in wrong:
        print(line, file=sys.stderr)
    print("%d vectors" % len(wanted))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
