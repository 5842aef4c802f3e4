"""What a program did with each vector, and what was expected of it."""
import collections
import fnmatch

from runner.plain import DIFFERS, FAILED, NO_ANSWER, PASSED, SKIPPED, STATUSES, UNSUPPORTED, Usage, one_of

AS_EXPECTED = (PASSED, DIFFERS, UNSUPPORTED, SKIPPED)

# Why a pass shows nothing of the program (runner/evidence.py), and what to do if no pass shows more.
EITHER, IDLE, CONSTANT = "either way", "idle", "constant"
ALL_SKIPPED = "the program skipped every vector"
UNPROVEN = "unproven"  # how the last two are counted
ADVICE = {
    IDLE: "the program printed nothing, and no vector that passed expects more: claim a kind of event, such as "
          "--kinds=tables,instant, or run other vectors",
    EITHER: "every exit code passes these vectors: run others",
    CONSTANT: "the program did not show that it tells a good trace from another one, or from one that is cut off",
}


def matches(vector, patterns):
    """By its id, or by the rule that it tests."""
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns
               for name in (vector["id"], vector["tests"]))


class Expectation:
    def __init__(self, place, line, levels=()):
        words = line.split(None, 2)
        if len(words) < 3:
            raise Usage("%s: a line is GLOB STATUS REASON, and the reason is not optional" % place)
        level, colon, pattern = words[0].rpartition(":")
        self.place = place
        self.pattern = pattern
        try:
            self.level = one_of(level, levels, "level") if colon else None
            self.statuses = [one_of(s, STATUSES, "status") for s in words[1].split("|")]
        except Usage as error:
            raise Usage("%s: %s" % (place, error))
        self.reason = words[2]

    def holds_for(self, vector, level):
        return self.level in (None, level) and matches(vector, [self.pattern])


class Result:
    def __init__(self, vector, unsupported=None):
        self.vector = vector
        self.unsupported = unsupported  # why it is not run, or None
        self.status = None  # None: not run
        self.text = ""
        self.silent = ""  # how it ended, if it printed nothing where something is expected
        self.answer = None  # what of the answer is compared with those to other vectors
        self.vacuous = ""  # EITHER, IDLE or CONSTANT, of a pass that shows nothing of the program
        self.is_free = False  # nothing but a crash fails the vector
        self.lines = None  # what a reader delivered that is not as expected
        self.printed = set()  # the kinds of events in what it printed
        self.got = ""
        self.seconds = 0.0
        self.expectation = None

    def outcome(self):
        """The status, as it is counted and told."""
        return (self.status if not self.vacuous else EITHER if self.vacuous == EITHER else UNPROVEN)

    def what(self):
        """The outcome, and how it differs from the list of known failures."""
        text = "%s: %s" % (self.status, self.text) if self.text else str(self.outcome())
        if self.expectation and not self.as_expected():
            text += "; expected to be %s by %s: mend the list" % (
                "|".join(self.expectation.statuses), self.expectation.place)
        return text

    def is_known(self):
        """Whether it is on the list, and not passed."""
        return bool(self.expectation) and self.as_expected() and self.status not in NO_ANSWER + (PASSED,)

    def as_expected(self):
        if self.status is None or self.status == UNSUPPORTED:
            return True
        if self.expectation:
            return self.status in self.expectation.statuses
        return self.status in AS_EXPECTED

    def is_evidence(self):
        """Whether it shows anything of the program."""
        shows_nothing = self.vacuous or self.is_free or self.status == DIFFERS and not self.expectation
        return self.status not in NO_ANSWER and not (shows_nothing and self.as_expected())


def problem(results, options):
    """Why the run as a whole is no success, in words; or ""."""
    return options.interrupted or without_evidence(results)


def without_evidence(results):
    """What to do, in words, if all is as expected and every pass is vacuous; else ""."""
    passed = [result for result in results if result.status == PASSED]
    if any(r.status == SKIPPED for r in results) and all(r.status in NO_ANSWER for r in results):
        return ALL_SKIPPED
    if not passed or not all(result.as_expected() for result in results):
        return ""
    reasons = [result.vacuous for result in passed]
    return ADVICE[CONSTANT if CONSTANT in reasons else reasons[0]] if all(reasons) else ""


def is_answered(results, options):
    """Whether the program did not fail at every trace, as one does that cannot start."""
    return any(r.answer is False if options.level == "exit" else
               r.status in (PASSED, FAILED, DIFFERS) and not r.silent for r in results)


def counts_of(results):
    return collections.Counter(result.outcome() for result in results if result.status)


def counted(results):
    """In words."""
    counts = counts_of(results)
    known = sum(1 for result in results if result.is_known())
    return ", ".join("%d %s" % (counts[status], status) for status in STATUSES + (EITHER, UNPROVEN)
                     if counts[status] or status in (PASSED, FAILED)) + (
                         ", %d of them listed as known" % known if known else "")
