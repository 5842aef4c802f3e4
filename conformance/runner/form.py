"""The form of vectors: schema/corpus.schema.json, as far as the runner relies on it. It is looked at where vectors
are not those of SHA256SUMS."""
import re

from runner import timeline
from runner.levels import as_bytes, gives_event
from runner.plain import printable


def word(pattern):
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value, re.S) is not None


def list_of(is_item):
    return lambda value: isinstance(value, list) and all(map(is_item, value))


is_text, is_kind, is_hex = word(".*"), word("[a-z0-9_.]+"), word("([0-9A-Fa-f]{2})*")
is_id = word("[a-z0-9_]+/[a-z0-9_-]+")  # part of a path
is_rule = word("[A-Z]+-[0-9]+")  # of spec/rules.tbl, or of one's own


def is_number(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_finding(value):
    return isinstance(value, dict) and is_rule(value.get("rule")) and is_number(value.get("offset"))


def are_findings(value):
    return isinstance(value, dict) and all(list_of(is_finding)(value.get(edition)) for edition in ("2020", "current"))


def is_arg(value):
    name = value.get("name") if isinstance(value, dict) else None
    return isinstance(name, dict) and "value" in name and "type" in value and (
        name["value"] is None or as_bytes(name["value"]) is not None)


NEEDED = {"initialization": ["ticks_per_second"], "provider_info": ["name"]}


def is_record(value):
    if not isinstance(value, dict) or not is_text(value.get("record", "")):
        return False
    kind = value.get("record", "")
    return (word("[0-9]{1,20}")(value.get("offset")) and list_of(is_arg)(value.get("args", [])) and
            (is_number(value.get("size")) or not gives_event(value)) and
            (is_number(value.get("provider_id")) or kind not in ("provider_info", "provider_section")) and
            all(key in value for key in NEEDED.get(kind, [])))


def is_event(value):
    return (isinstance(value, dict) and is_kind(value.get("event")) and is_number(value.get("provider")) and
            isinstance(value.get("args", {}), dict) and
            all(is_hex(value.get(key, "")) for key in ("payload", "build_id")))


# What is used of a vector of a trace.
KEYS = {"id": is_id, "grade": word("valid|invalid|unspecified"), "tests": is_rule, "touches": list_of(is_rule),
        "edition": word("2020|current"), "kinds": list_of(is_kind), "refuses": list_of(is_kind), "why": is_text,
        "source": list_of(is_text), "bytes": is_hex, "findings": are_findings, "records": list_of(is_record),
        "events": list_of(is_event)}


def is_line(value):
    return isinstance(value, dict) and value.get("kind") in timeline.KEYS and all(
        key in value for key in timeline.KEYS[value["kind"]] if key != "order")


# What is used of a vector of what a trace means.
OF_TIMELINE = dict({key: KEYS[key] for key in (
    "id", "grade", "tests", "touches", "edition", "why", "source", "bytes", "findings")},
    kinds=list_of(word("[a-z0-9_.|]+")), timeline=list_of(is_line))


def keys_of(vector):
    """What is looked at; of what is no trace, the id."""
    if "level" not in vector:
        return KEYS
    return OF_TIMELINE if vector["level"] == "timeline" else {"id": is_id}


def look_at_form(vectors):
    """What is wrong with the vectors of a file, or None."""
    if not isinstance(vectors, list):
        return "is no list of vectors"
    for number, vector in enumerate(vectors):
        if not isinstance(vector, dict):
            return "vector %d is no object" % number
        for key, is_right in keys_of(vector).items():
            if not is_right(vector.get(key)):
                return "vector %s has no valid %s" % (printable(str(vector.get("id", number))), key)
        if not is_text(vector.get("mistake", "")):
            return "vector %s has no valid mistake" % vector["id"]
        if "level" not in vector and len(vector["events"]) != sum(map(gives_event, vector["records"])):
            return "vector %s has other events than records" % vector["id"]
    return None
