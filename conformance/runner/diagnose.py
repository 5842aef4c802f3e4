"""Names the mistake behind failures at level events. A mistake explains a failure if toy.py with the mistake planted gives
the answer of the program: one of runner/mistakes.py, or a field of spec/layout.tbl of which some bits are ignored."""
import collections
import functools

from runner import levels
from runner.needs import without

SAMPLE = 12   # failures that are looked at to find what may explain them
MOST = 3      # mistakes that are named
PART = 4      # one of so many failures is explained by what is named, or it is chance


class Mistakes:
    """Answers are kept: several mistakes are compared with the same vectors."""
    def __init__(self):
        import toy
        from runner import fields, mistakes
        self.toy, self.fields = toy, fields
        self.readers = {text: functools.partial(toy.Reader, (error,)) for error, text in mistakes.ERRORS.items()}
        self.readers.update(mistakes.MISTAKES)
        self.answers, self.bits = {}, {}

    def bits_of(self, vector):
        """{(word, field, form): {bit: places}}, of the bits that are set."""
        if vector["id"] not in self.bits:
            found = collections.defaultdict(dict)
            for (word, field, form, bit), places in self.fields.bits_of(bytes.fromhex(vector["bytes"])).items():
                found[word, field, form][bit] = places
            self.bits[vector["id"]] = found
        return self.bits[vector["id"]]

    def of(self, vector):
        """All that may be wrong in the vector: texts, and (word, field, form, lowest bit, highest bit) of what is ignored."""
        yield from self.readers
        for name, bits in self.bits_of(vector).items():
            top = self.fields.width(*name) - 1
            for bit in bits:
                yield name + (bit, bit)
            for low in range(1, min(max(bits) + 1, top)):
                yield name + (low, top)

    def answer(self, mistake, vector):
        """The lines of a reader with the mistake; None if the mistake does not change the trace."""
        if isinstance(mistake, str):
            key, reader, data = mistake, self.readers[mistake](), bytes.fromhex(vector["bytes"])
        else:
            bits = self.bits_of(vector).get(mistake[:3], {})
            ignored = [bit for bit in bits if mistake[3] <= bit <= mistake[4]]
            if not ignored:
                return None
            key, reader = mistake[:3] + tuple(ignored), self.toy.Reader()
        if (vector["id"], key) not in self.answers:
            if not isinstance(mistake, str):
                data = self.fields.without(bytes.fromhex(vector["bytes"]), [p for bit in ignored for p in bits[bit]])
            reader.read(data)
            self.answers[vector["id"], key] = reader.lines
        return self.answers[vector["id"], key]

    def explains(self, mistake, vector, lines):
        answer = self.answer(mistake, vector)
        if answer is None:
            return False
        if vector.get("lacks"):
            answer = without({"events": answer, "records": []}, vector["lacks"])["events"]
        return len(answer) == len(lines) and levels.compare_lines(
            [levels.with_hex(line, ("payload", "build_id")) for line in answer], lines, "event", levels.difference) is None

    def contradicts(self, mistake, vector):
        """Whether the mistake fails a vector that passed."""
        answer = self.answer(mistake, vector)
        return answer is not None and levels.compare_lines(
            levels.delivered(vector), answer, "event", levels.difference) is not None

    def best(self, failures, passed):
        """What explains most and contradicts least: mistakes that no vector tells apart; and what they explain."""
        step = -(-len(failures) // SAMPLE)
        counts = collections.Counter(mistake for vector, lines in failures[::step] for mistake in self.of(vector)
                                     if self.explains(mistake, vector, lines))
        top, found, most = 0, {}, max(counts.values(), default=0)
        for mistake in counts:
            if 2 * counts[mistake] > most:
                explained = [failure for failure in failures if self.explains(mistake, *failure)]
                score = len(explained)
                for vector in passed:
                    if score < max(top, 1):
                        break
                    score -= self.contradicts(mistake, vector)
                if score > top:
                    top, found = score, {}
                if score == top > 0:
                    found.setdefault(mistake if isinstance(mistake, str) else mistake[:3], (mistake, explained))
        return [mistake for mistake, _ in found.values()], next(iter(found.values()), (None, []))[1]


def diagnose(failures, passed, mistakes=None):
    """[(the mistake in words, how many it explains)], of failures with the lines of the program."""
    mistakes, named = mistakes or Mistakes(), []
    while failures and len(named) < MOST:
        found, explained = mistakes.best(failures, passed)
        if PART * len(explained) < len(failures):
            break
        named.append((" or ".join(text_of(mistake, mistakes) for mistake in found), len(explained)))
        gone = {vector["id"] for vector, _ in explained}
        failures = [failure for failure in failures if failure[0]["id"] not in gone]
    return named


def text_of(mistake, mistakes):
    if isinstance(mistake, str):
        return mistake
    *name, low, high = mistake
    width = mistakes.fields.width(*name)
    bits = "reads %d of the %d bits" % (low, width) if high == width - 1 else "ignores bit %d" % low
    return "%s of %s" % (bits, field_text(*name))


def field_text(word, field, form):
    return "'%s' of %s%s" % (field, word, {"index": ", as an index", "length": ", as a length"}.get(form, ""))
