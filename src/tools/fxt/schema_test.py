#!/usr/bin/env python3
"""docs/sql.md lists the tables, views and columns of `fxt sql`, as .tables and .schema print them.

  schema_test.py FXT SQL_MD            compare, and exit 1 if the page is stale
  schema_test.py --write FXT SQL_MD    write them into the page
"""
import re
import subprocess
import sys

BEGIN, END = "<!-- schema: written by src/tools/fxt/schema_test.py -->\n", "<!-- end of schema -->\n"


def ask(fxt, text):
    """Lines of a name and what it is about."""
    out = subprocess.run([fxt, "sql", TRACE], input=text.encode(), check=True,
                         stdout=subprocess.PIPE).stdout.decode()
    return [re.split(r" {1,}", line, maxsplit=1) for line in out.splitlines()]


def page(fxt):
    views = False
    yield "| table | columns |\n|---|---|\n"
    for name, about in ask(fxt, ".tables\n"):
        if name == "slices":
            views = True
            yield "\n| view | rows |\n|---|---|\n"
        if views:
            yield f"| `{name}` | {about} |\n"
            continue
        columns = [f"`{column}`" + ("" if told in ("null", "the number of the row") else f" {told}")
                   for column, told in ask(fxt, f".schema {name}\n")]
        yield f"| **`{name}`**: {about} | {'; '.join(columns)} |\n"


def main(write, fxt, path):
    with open(path, encoding="utf-8") as file:
        old = file.read()
    head, rest = old.split(BEGIN)
    new = head + BEGIN + "".join(page(fxt)) + END + rest.split(END)[1]
    if write:
        with open(path, "w", encoding="utf-8") as file:
            file.write(new)
    elif new != old:
        sys.exit("docs/sql.md is stale: run src/tools/fxt/schema_test.py --write FXT docs/sql.md")


if __name__ == "__main__":
    import tempfile
    with tempfile.NamedTemporaryFile() as empty:
        TRACE = empty.name
        empty.write(bytes.fromhex("1000044778541600"))
        empty.flush()
        WRITE = "--write" in sys.argv
        main(WRITE, *sys.argv[1 + WRITE:])
