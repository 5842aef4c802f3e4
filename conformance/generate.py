#!/usr/bin/env python3
"""Makes the files of the corpus: the sources of the families, and of every source its bytes and its
expected decode.

usage: generate.py            writes what is missing or stale; fails where the header of a source
                              that a person wrote says something else than the model
       generate.py --accept   writes the canonical: and finding: lines of such headers, too
       generate.py --check    writes nothing; fails when anything is missing, stale or too much
"""
import os
import sys

import assemble
import families
import model
import vectors

MADE = "; made by conformance/generate.py: do not edit\n"


def facts(findings, canonical):
    """The lines of a header that the model can tell."""
    lines = ["; canonical: %s\n" % ("yes" if canonical else "no")]
    both = list(findings["2020"])
    rest = {"2020": [], "current": []}
    for finding in findings["current"]:
        if finding in both:
            both.remove(finding)
    for edition, other in (("2020", "current"), ("current", "2020")):
        left = list(findings[other])
        for finding in findings[edition]:
            if finding in left:
                left.remove(finding)
            else:
                rest[edition].append(finding)
    shared = list(findings["2020"])
    for finding in rest["2020"]:
        shared.remove(finding)
    rows = [(finding, "") for finding in shared]
    rows += [(finding, " " + edition) for edition in rest for finding in rest[edition]]
    for (offset, rule), edition in sorted(rows):
        lines.append("; finding%s: %s @ 0x%x\n" % (edition, rule, offset))
    return lines


def wrapped(key, text):
    """A `; key: text` line, broken at 100 columns."""
    lines, line = [], "; %s:" % key
    for word in text.split():
        if len(line) + 1 + len(word) > 100:
            lines.append(line)
            line = ";  "
        line += " " + word
    return "".join(part + "\n" for part in lines + [line])


def family_source(family):
    body = "".join(line + "\n" for line in family.lines).encode("utf-8")
    _, findings, canonical = model.examine(assemble.assemble(body))
    broken = {rule for found in findings.values() for _, rule in found}
    for rule in family.must:
        assert rule in broken, (family.why, rule, broken)
    rules = sorted(broken - {"EDN-01"}) or ["CAN-01"]
    head = MADE + wrapped("rules", " ".join(rules)) + wrapped("edition", family.edition)
    head += wrapped("why", family.why)
    return head.encode() + "".join(facts(findings, canonical)).encode() + b"\n" + body


class Out:
    """Files as they should be, against those that are there."""
    def __init__(self, write):
        self.write = write
        self.wrong = []

    def file(self, path, data):
        try:
            with open(path, "rb") as f:
                if f.read() == data:
                    return
        except FileNotFoundError:
            pass
        if not self.write:
            self.wrong.append(path + " is missing or stale")
            return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(data)
        print("wrote " + os.path.relpath(path))


def with_facts(source, lines):
    """The source with these lines at the end of its header."""
    head, _, body = source.partition(b"\n\n")
    keep = [line for line in head.decode().split("\n")
            if not line.startswith(("; canonical:", "; finding"))]
    return ("\n".join(keep) + "\n" + "".join(lines)).encode() + b"\n" + body


def main():
    write = "--check" not in sys.argv
    out = Out(write)
    made = families.families()
    for path, family in made.items():
        out.file(os.path.join(vectors.ROOT, path + ".fxta"), family_source(family))
    sources = vectors.all_paths()
    for path in sources:
        full = os.path.join(vectors.ROOT, path)
        with open(full + ".fxta", "rb") as f:
            source = f.read()
        if source.startswith(MADE.encode()) and path not in made:
            out.wrong.append(full + ".fxta is of no family any more: remove its three files")
            continue
        data = assemble.assemble(source)
        text, findings, canonical = model.examine(data)
        if "--accept" in sys.argv:
            out.file(full + ".fxta", with_facts(source, facts(findings, canonical)))
        elif with_facts(source, facts(findings, canonical)) != source:
            out.wrong.append("%s.fxta: the model finds\n%s" % (
                full, "".join(facts(findings, canonical))))
        out.file(full + ".fxt", data)
        out.file(full + ".json", text)
        out.wrong += vectors.Vector(path).problems()
    out.wrong += vectors.strays(sources)
    for line in out.wrong:
        print(line, file=sys.stderr)
    print("%d vectors, %d of them in families" % (len(sources), len(made)))
    return 1 if out.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
