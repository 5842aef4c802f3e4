"""golden/AREA.jsonl: what the corpus must be, one line a vector. The model cannot change an
expectation unless the line changes, which a reviewer sees.

A line has the vector's keys, but

  LEFT_OUT       what people read, and what follows from the bytes
  LONG           a value of more characters in JSON is only told by its size and its digest
  "digest"       is of the whole vector as it stands in the corpus, so nothing escapes

golden/SHA256SUMS is that of the corpus. `generate.py --diff REV` shows what is behind a digest.
"""
import hashlib
import json
import os

import model
from runner.corpus import SUMS, sums_of
from runner.files import write_file

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")
LEFT_OUT = ("why", "mistake", "source", "records")
LONG = 2000


def digest(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def short(value):
    text = model.json_line(value)
    return "%d characters, digest %s" % (len(text), digest(text)) if len(text) > LONG else value


def line(vector, text):
    """The line of a vector, which is laid out as this text in the corpus."""
    kept = {key: short(value) for key, value in vector.items() if key not in LEFT_OUT}
    return model.json_line(dict(kept, digest=digest(text)))


def files_of(areas, layout_vector, texts):
    """{name in golden/: text}: the lines of each area, and the sums of the files of the corpus."""
    files = {area + ".jsonl": "".join(line(vector, layout_vector(vector)) + "\n" for vector in found)
             for area, found in areas.items()}
    files[SUMS] = sums_of({name: text.encode("utf-8") for name, text in texts.items()})
    return files


def read(name):
    try:
        with open(os.path.join(FOLDER, name), encoding="utf-8") as f:
            return f.read()
    except FileNotFoundError:
        return ""


def there():
    """{name: text}"""
    return {name: read(name) for name in (os.listdir(FOLDER) if os.path.isdir(FOLDER) else [])}


def stale(files):
    """The names of what is not byte for byte as wanted."""
    found = there()
    return sorted(name for name in set(files) | set(found) if files.get(name) != found.get(name))


def write(files):
    os.makedirs(FOLDER, exist_ok=True)
    for name in stale(files):
        path = os.path.join(FOLDER, name)
        if name in files:
            write_file(path, path, files[name])
        else:
            os.unlink(path)
        print("%s golden/%s" % ("wrote" if name in files else "removed", name))


def lines_in(files):
    """{id: keys}"""
    lines = [json.loads(one) for name, text in sorted(files.items()) if name != SUMS
             for one in text.splitlines()]
    return {one["id"]: one for one in lines}


def differences(files):
    """What a golden line says that the model does not, and the other way round."""
    old, new = lines_in(there()), lines_in(files)
    told = [id + " is of no source any more" for id in sorted(set(old) - set(new))]
    for id in sorted(set(old) & set(new)):
        told += ["%s: %s is %.300s, and the model says %.300s" % (id, key, old[id].get(key), new[id].get(key))
                 for key in sorted(set(old[id]) | set(new[id])) if old[id].get(key) != new[id].get(key)]
    return told
