"""What the grade of a vector asks of a program, and what a failure says of the program, in few words."""
import re

from runner.children import SANITIZER
from runner.levels import REORDERED
from runner.needs import needs_at
from runner.plain import CRASHED, FAILED, GARBAGE, HUNG

REQUIRED, RECOMMENDED = "required", "recommended"
GRADES = ("valid", "invalid", "unspecified", REQUIRED, RECOMMENDED)

COUNTS = re.compile(r"(?:^|; )expected (\d+) [a-z ]+?, got (\d+)")
IS_LACKING = re.compile(r"^(?:\w+ is )?(missing|too much): |; (?:the first that is )?(missing|too much): ")


def class_of(vector, level):
    """Whether the upstream text settles what a program does with it, or our rulings and `needs` do."""
    is_open = vector.get("grade") == "unspecified" or needs_at(vector, level)
    return RECOMMENDED if is_open else REQUIRED


def is_of(vector, level, grades):
    return not grades or vector.get("grade") in grades or class_of(vector, level) in grades


def letter(vector, rules):
    """y: a program must take the trace without complaint; n: it must complain; i: it may."""
    classes = {rules.get(finding["rule"], ("",))[0] for finding in vector["findings"]["current"]}
    if vector.get("grade") == "valid":
        return "y"
    return "n" if vector.get("grade") == "invalid" and "malformed" in classes else "i"


def effect_of(result, level):
    """What is wrong with the program, in two words; "" of a vector that did not fail."""
    text = result.text
    if result.status in (CRASHED, HUNG, GARBAGE):
        is_memory = re.search("SIGSEGV|SIGBUS|heap-|stack-|Sanitizer", text) or SANITIZER.search(text.encode())
        return "memory error" if result.status == CRASHED and is_memory else {
            CRASHED: "crash", HUNG: "endless loop", GARBAGE: "unreadable answer"}[result.status]
    if result.status != FAILED:
        return ""
    if level == "exit":
        return "accepts malformed" if text.startswith("expected a complaint") else "refuses valid"
    if level == "write" and text.startswith("the bytes break "):
        return "broken bytes"
    if text.startswith("expected bytes"):
        return "refuses valid"
    return lacking(level, text)


def lacking(level, text):
    what = "finding" if level == "findings" else "line" if level == "timeline" else (
        "event" if level in ("events", "write") else "record")
    if text.startswith("lost: "):
        return "lost " + what
    counts, lack = COUNTS.search(text), IS_LACKING.search(text)
    less = int(counts.group(2)) - int(counts.group(1)) if counts else 0
    if less < 0 or not less and lack and "missing" in lack.groups():
        return "lost " + what
    if less > 0 or lack:
        return "made-up " + what
    return "wrong order" if text.startswith(REORDERED) or ": order: " in text else "wrong value"
