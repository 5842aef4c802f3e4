"""What is safe to print, and the errors that end a run or a vector."""
import difflib
import json

PASSED, FAILED, DIFFERS, UNSUPPORTED, SKIPPED = "passed", "failed", "differs", "unsupported", "skipped"
CRASHED, HUNG, GARBAGE = "crashed", "hung", "garbage"
STATUSES = (PASSED, FAILED, CRASHED, HUNG, GARBAGE, DIFFERS, UNSUPPORTED, SKIPPED)
NO_ANSWER = (None, UNSUPPORTED, SKIPPED)  # of a vector that was not run, or that the program left out

LONGEST = 1000000  # seconds that a program can be given


class Usage(Exception):
    """What the user can mend: printed as one line, exit code 2."""
    code = 2


class Unwritten(Usage):
    """Output that cannot be written, such as to a full disk."""
    code = 3


class Stopped(Usage):
    """A run that was not worth its time."""
    code = 1


class Trouble(Exception):
    """What an adapter did instead of giving an answer."""
    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def printable(text, limit=160):
    """ASCII, one line, nothing that a terminal or a reader of XML would obey."""
    if isinstance(text, bytes):
        text = text[:4 * limit].decode("utf-8", "backslashreplace")
    out = "".join(c if " " <= c <= "~" else c.encode("unicode_escape", "replace").decode()
                  if ord(c) < 0xd800 or ord(c) > 0xdfff else "\\u%04x" % ord(c)
                  for c in text[:limit + 1])
    return out[:limit] + "..." if len(out) > limit else out


def why(error):
    """The reason of an error, without the path, which the message has already."""
    return printable(getattr(error, "strerror", None) or str(error), 400)


def shown(value):
    try:
        return printable(json.dumps(value, ensure_ascii=False))
    except RecursionError:  # json.loads takes what json.dumps, deeper in the stack, does not
        return "what is nested too deeply to be shown"


def one_of(word, words, what):
    """The word, if it is one of them; else an error that says what is near."""
    if word in words:
        return word
    near = like(word, words, 0.6)
    raise Usage("no such %s: %s; %s" % (what, printable(word), (
        "did you mean %s?" % near if near else "there are " + ", ".join(words))))


def like(word, words, at_least):
    """The one of the words that is most like it, or None."""
    folded = {one.lower(): one for one in words}
    near = difflib.get_close_matches(word.lower(), folded, 1, at_least)
    return folded[near[0]] if near else None


def look_at_seconds(option, seconds):
    if not 0 < seconds < LONGEST:
        raise Usage("%s is more than 0 and less than %d" % (option, LONGEST))
