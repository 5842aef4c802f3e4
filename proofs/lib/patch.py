"""Small mistakes, in files of this form, one behind the other:

  ## name
  file src/read/reader.c            the file with the mistake
  word …                            what else is said of it
  why  what the mistake is
  -    one or more lines of the file, which must be there just once
  +    what stands there instead"""
import os
import re

from lib.scope import Error


class Patch:
    def __init__(self, text, words):
        lines = text.split("\n")
        self.name = lines[0].strip()
        self.old = [line[1:] for line in lines if line.startswith("-")]
        self.new = [line[1:] for line in lines if line.startswith("+")]
        for word in ("file", "why") + words:
            found = re.search(r"^%s +(.*)$" % word, text, re.M)
            setattr(self, word, found.group(1).strip() if found else None)
        if not (self.file and self.why and self.old):
            raise Error("mutant %s: file, why or the lines are missing" % self.name)

    def check(self, root):
        """Raises unless its lines are there just once."""
        text = open(os.path.join(root, self.file)).read()
        count = text.count("\n".join(self.old) + "\n")
        if count != 1:
            raise Error("mutant %s: its lines are %d times in %s" % (self.name, count, self.file))

    def apply(self, root):
        path = os.path.join(root, self.file)
        text = open(path).read()
        with open(path, "w") as out:
            out.write(text.replace("\n".join(self.old) + "\n",
                                   "".join(line + "\n" for line in self.new)))


def load(paths, make):
    """make(text) for each mistake of these files; raises when two have one name."""
    found = []
    for path in paths:
        found += [make(part) for part in re.split(r"^## ", open(path).read(), flags=re.M)[1:]]
    names = [patch.name for patch in found]
    for name in names:
        if names.count(name) > 1:
            raise Error("two mutants are called " + name)
    return found
