"""The vectors of a folder. SHA256SUMS says what belongs to it: a suite that has lost vectors would pass any program."""
import glob
import hashlib
import json
import os
import sys

from runner.form import look_at_form
from runner.plain import Usage, printable, why

SUMS = "SHA256SUMS"


def files_of(folder):
    return sorted(glob.glob(os.path.join(glob.escape(folder), "*.json")))


def read(path):
    try:
        with open(path, "rb") as f:
            return f.read()
    except OSError as error:
        raise Usage("cannot read %s: %s%s" % (printable(path, 400), why(error), (
            ": unpack the whole archive" if path.endswith(SUMS) else "")))


def sums_of(files):
    """What SHA256SUMS has to say of {name: bytes}, in the form of sha256sum."""
    return "".join("%s  %s\n" % (hashlib.sha256(data).hexdigest(), name) for name, data in sorted(files.items()))


def sums(folder):
    return sums_of({os.path.basename(path): read(path) for path in files_of(folder)})


def of_suite(here):
    """The folder of the suite's vectors. A checkout has their lines instead, of which generate.py makes
    them at the first use and when the lines have changed, in three seconds."""
    folder = os.path.join(here, "corpus")
    golden = os.path.join(here, "golden", SUMS)
    if os.path.exists(golden) and sums(folder) != read(golden).decode("utf-8"):
        sys.path.insert(0, here)
        import generate
        generate.write_corpus(folder)
    return folder


def load(folder, own):
    """Those of traces, and those of schema/buffers.md, which have a level. A folder of one's own
    may do without SHA256SUMS; the form of its vectors is looked at."""
    if os.path.lexists(os.path.join(folder, SUMS)) or not own:
        look_at_sums(folder)
    vectors, places = [], {}
    for path in files_of(folder):
        place = printable(path, 400)
        try:
            of_file = json.loads(read(path).decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise Usage("cannot read %s: %s" % (place, printable(str(error))))
        problem = look_at_form(of_file) if own else None
        if problem:
            raise Usage("%s: %s: schema/corpus.schema.json has the form" % (place, problem))
        for vector in of_file:
            if vector["id"] in places:
                raise Usage("%s: vector %s is in %s already" % (place, vector["id"], places[vector["id"]]))
            places[vector["id"]] = place
        vectors += of_file
    return vectors


def look_at_sums(folder):
    listed = read(os.path.join(folder, SUMS)).decode("utf-8", "replace").splitlines()
    there = sums(folder).splitlines()
    for line in sorted(set(listed) ^ set(there), key=lambda line: line[66:]):
        raise Usage("%s is not the file that %s lists: unpack the whole archive into a new folder" % (
            printable(os.path.join(folder, line[66:]), 400), SUMS))
