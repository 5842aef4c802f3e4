#!/usr/bin/env python3
"""Writes a manual page of section 3 for each public header: its prose and its declarations.

  manpage.py VERSION DIRECTORY HEADER...

<fxt/read.h> becomes fxt_read.3. The comment that opens the header is the description; the
declarations stand as they are, with their comments.
"""

import os
import re
import sys


def parse(text):
    """The opening comment, and the rest without its guards."""
    match = re.match(r"/\*(.*?)\*/\n(.*)", text, re.S)
    prose = re.sub(r"^   ", "", match[1], flags=re.M).strip()
    rest = re.sub(r"^#ifdef __FRAMAC__\n.*?^#endif\n", "", match[2], flags=re.M | re.S)
    rest = re.sub(r"^#ifdef __cplusplus\n(?:extern \"C\" \{|\})\n#endif\n", "", rest, flags=re.M)
    rest = re.sub(r"^#(ifndef \w+_H|define \w+_H|endif)\n(?=\n|#define|\Z)", "", rest, flags=re.M)
    return prose, re.sub(r"\n{3,}", "\n\n", rest).strip()


def escape(line):
    line = line.replace("\\", "\\e").replace("-", "\\-").replace("…", "...")
    return "\\&" + line if line[:1] in (".", "'") else line


def code(lines):
    return [".sp", ".nf"] + [escape(line.rstrip()) for line in lines] + [".fi"]


def paragraph(text):
    """Prose, with its indented lines kept as they are."""
    out = []
    for part in text.split("\n\n"):
        lines = part.split("\n")
        if any(re.match(r" {2,}|\w+ {3,}", line) for line in lines) or \
                (out and out[-1] == ".fi" and lines[0].startswith("  ")):
            out += code(lines)
        else:
            out += [".PP"] + [escape(line.strip()) for line in lines]
    return out


def page(version, header, text):
    prose, rest = parse(text)
    name = header.replace("/", "_")[:-len(".h")]
    title = re.split(r"[.:;](?:\s|$)", prose.replace("\n", " "))[0]
    library = {"fxt": "fxtref", "trace-controller": "fxtref-controller",
               "trace-manager": "fxtref-manager"}.get(header.split("/")[0], "fxtref-trace")
    out = [f'.TH {name.upper()} 3 "" "fxtref {version}"', ".SH NAME",
           escape(f"{name} - {title[:1].lower() + title[1:]}"),
           ".SH SYNOPSIS", ".nf", f".B #include <{header}>", "",
           escape(f"cc program.c $(pkg-config --cflags --libs {library})"), ".fi", ".SH DESCRIPTION"]
    out += paragraph(prose) + [".SH DECLARATIONS"] + code(rest.split("\n"))
    out += [".SH SEE ALSO", ".BR fxt (1),", ".BR trace (1)"]
    return name + ".3", "\n".join(out) + "\n"


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    version, directory = sys.argv[1:3]
    os.makedirs(directory, exist_ok=True)
    for path in sys.argv[3:]:
        with open(path, encoding="utf-8") as file:
            name, text = page(version, path.split("include/")[-1], file.read())
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
