"""The rules, and where they come from: the files of spec/, inside of this folder in the archive, next to it in the
repository."""
import os
import re

from runner.plain import Usage

MEANING = re.compile(r"^\*\*\[([A-Z]{3}-[0-9]{2})\]\*\* (.*?)[.:](?=\s)", re.M | re.S)
SECTION = re.compile(r"^#+ ([0-9.]*[0-9])\.? .*|^\*\*\[([A-Z]{3}-[0-9]{2})\]\*\*", re.M)
RULING = re.compile(r"^### (R[0-9]+)\. .*?(?=^##|\Z)", re.M | re.S)
OF_MEANING = re.compile(r"^### (M[0-9]+)\. .*\[([A-Z]{3}-[0-9]{2})\]$", re.M)

# The sections of the upstream text (docs/reference/tracing/trace-format.md of Fuchsia), by the rules of them.
UPSTREAM = {
    "REC": "Records", "STR": "String References", "THR": "Thread References", "MET": "Metadata Record",
    "INI": "Initialization Record", "STT": "String Record", "THT": "Thread Record", "EVT": "Event Record",
    "ARG": "Argument Types", "BLB": "Blob Record", "UOB": "Userspace Object Record", "KOB": "Kernel Object Record",
    "SCH": "Scheduling Record", "LOG": "Log Record", "PRF": "Profiler Record", "LRG": "Large Records",
    "EDN": "Extending the Format",
}


def read_spec(here, name):
    path = os.path.join(here, "spec", name)
    if not os.path.exists(path):
        path = os.path.join(here, "..", "spec", name)
    try:
        with open(path, encoding="utf-8") as f:
            return f.read()
    except OSError as error:
        raise Usage("cannot read the rules: %s; unpack the whole archive" % error)


def load(here):
    """{id: (class, what it says)} of spec/rules.tbl, and the first sentences of those of spec/meaning.md."""
    rules = {id: ("meaning", " ".join(text.split()))
             for id, text in MEANING.findall(read_spec(here, "meaning.md"))}
    for line in read_spec(here, "rules.tbl").splitlines():
        cells = line.split("#")[0].split(None, 3)
        if cells:
            rules[cells[0]] = (cells[1], cells[3].strip())
    return rules


def sources(here):
    """{id: where it stands, which section of the upstream text it is from, and which rulings it rests on}"""
    places = {}
    for name in ("format.md", "meaning.md"):
        section = ""
        for number, rule in SECTION.findall(read_spec(here, name)):
            section = number or section
            if rule:
                places[rule] = ["spec/%s %s" % (name, section)]
    for rule, parts in places.items():
        if rule[:3] in UPSTREAM:
            parts.append('"%s" of the Fuchsia text' % UPSTREAM[rule[:3]])
    for match in RULING.finditer(read_spec(here, "rulings.md")):
        ruling = match.group().partition("- Ruling: ")[2].partition("\n- ")[0].partition(".")[0]
        for rule in re.findall(r"[A-Z]{3}-[0-9]{2}", ruling):
            places.get(rule, []).append("ruling " + match.group(1))
    for ruling, rule in OF_MEANING.findall(read_spec(here, "meaning.md")):
        places.get(rule, []).append("ruling " + ruling)
    return {rule: ", ".join(parts) for rule, parts in places.items()}
