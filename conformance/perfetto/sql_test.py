#!/usr/bin/env python3
"""`fxt sql` answers the queries of queries.sql as Perfetto does: on the traces of the original, on the
demo's trace and on all valid vectors, but for what sql_departures.tsv lists.

Usage: sql_test.py [--short] QUERIES_JS FXT DEMO SQL DEPARTURES FILE...
  --short   of the vectors only the first of each line of the departures
FILE is a trace, maybe compressed, or a file of vectors of the corpus; others are passed over.
"""
import fnmatch
import gzip
import json
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

import agreement_test


def queries(path):
    """[(name, SQL)]"""
    with open(path, encoding="utf-8") as f:
        parts = re.split(r"^-- (\w+)\n", f.read(), flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], (part.strip() for part in parts[1::2])))


def traces(files):
    for path in files:
        if re.search(r"[.]fxt(.gz)?$", path) and "/malformed/" not in path:
            with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
                yield os.path.basename(path), f.read()


def perfetto(script, asked, pieces):
    fed = b"".join(struct.pack("<I", len(piece)) + piece for piece in pieces)
    out = subprocess.run(["node", script, "--pipe", *(sql for _, sql in asked)], input=fed,
                         stdout=subprocess.PIPE, check=True).stdout
    at = 0
    for _ in pieces:
        length = struct.unpack_from("<I", out, at + 4)[0]
        yield json.loads(out[at + 8:at + 8 + length].decode("utf-8"))
        at += 8 + length


def run(fxt, path, statements):
    """The rows of all statements, or why one failed."""
    result = subprocess.run([fxt, "sql", "--json", path, *statements], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, check=False)
    if b"fxt: sql:" in result.stderr:
        return {"error": result.stderr.decode("utf-8")}
    return [json.loads(line) for line in result.stdout.decode("utf-8").splitlines()]


def ours(fxt, asked, piece):
    """The answers, one a query. Every query is preceded by a row that says so."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(piece)
        file.flush()
        statements = []
        for number, (_, sql) in enumerate(asked):
            statements += ["select %d as query_number" % number, sql]
        rows = run(fxt, file.name, statements)
        if isinstance(rows, dict):
            return [run(fxt, file.name, [sql]) for _, sql in asked]
    answers = [[] for _ in asked]
    for row in rows:
        if "query_number" in row:
            current = answers[row["query_number"]]
        else:
            current.append(row)
    return answers


def same(left, right):
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return left == right or math.isclose(left, right, rel_tol=1e-12)
    return left == right


def agree(left, right):
    """Values in the order of the columns: two of one name are one in an object."""
    if isinstance(left, dict) or isinstance(right, dict):
        return isinstance(left, dict) and isinstance(right, dict)
    if len(left) != len(right):
        return False
    return all(len(a) == len(b) and all(same(x, y) for x, y in zip(a.values(), b.values()))
               for a, b in zip(left, right))


def show(name, query, left, right):
    print("%s: %s differs, and the list of departures does not say so" % (name, query))
    for what, answer in (("Perfetto", left), ("fxt sql", right)):
        other = right if answer is left else left
        whole = isinstance(left, dict) or isinstance(right, dict)
        rows = [answer] if whole else [row for row in answer if row not in other]
        for row in rows[:3]:
            print("  %s: %s" % (what, json.dumps(row)))


def main(short, script, fxt, demo, sql, listed, *files):
    reason = agreement_test.skipped(script)
    if reason:
        print("SKIP: " + reason)
        return 0
    asked = queries(sql)
    known = agreement_test.departures(listed)
    vectors = list(agreement_test.valid_vectors([f for f in files if f.endswith(".json")]))
    if short:
        vectors = agreement_test.first_of_each(known, vectors)
    pieces = list(traces(files)) + [("demo", agreement_test.demo_trace(demo, fxt))] + vectors
    found = set()
    wrong = 0
    for (name, piece), theirs in zip(pieces, perfetto(script, asked, [p for _, p in pieces])):
        if isinstance(theirs, dict):
            theirs = [theirs] * len(asked)
        for (query, _), left, right in zip(asked, theirs, ours(fxt, asked, piece)):
            if agree(left, right):
                continue
            found.add((name, query))
            if not any(fnmatch.fnmatchcase(query, which) and fnmatch.fnmatchcase(name, pattern)
                       for pattern, which in known):
                show(name, query, left, right)
                wrong += 1
    for pattern, which in known * (not short):
        if not any(fnmatch.fnmatchcase(query, which) and fnmatch.fnmatchcase(name, pattern)
                   for name, query in found):
            print("%s: %s agree: remove the line of the departures" % (pattern, which))
            wrong += 1
    print("%d traces, %d queries each, %d departures" % (len(pieces), len(asked), len(found)))
    return wrong > 0


if __name__ == "__main__":
    SHORT = "--short" in sys.argv
    sys.exit(main(SHORT, *(os.path.abspath(path) for path in sys.argv[1 + SHORT:])))
