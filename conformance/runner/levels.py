"""Compares an answer with what a vector says: lenient in form, strict in value."""
import collections
import json
import re
import struct

from runner.children import said
from runner.plain import GARBAGE, Trouble, printable, shown

OTHERS = ("blob userspace_object kernel_object legacy_switch context_switch thread_wakeup log "
          "module mmap backtrace large_blob").split()

NUMBER = re.compile(r"-?[0-9]{1,40}|0x[0-9a-fA-F]{1,40}")


def as_number(value):
    """The integer that it says, or None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, str) and NUMBER.fullmatch(value):
        return int(value, 16 if value.startswith("0x") else 10)
    return value if isinstance(value, int) else None


def as_double(value):
    """Its 8 bytes, NaN as one value; or None."""
    names = {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(names.get(value, value))
    except (ValueError, OverflowError):
        return None
    return b"NaN" if number != number else struct.pack("<d", number)


def as_bytes(value):
    """The bytes of a text, or None."""
    if isinstance(value, dict) and list(value) == ["hex"] and isinstance(value["hex"], str):
        try:
            return bytes.fromhex(value["hex"])
        except ValueError:
            return None
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else None


class Hex(str):
    """Bytes as hex, not a text."""


def same(expected, got):
    """Whether one value is the other."""
    if isinstance(expected, Hex):
        wanted = as_bytes({"hex": expected})
        return wanted is not None and as_bytes({"hex": got} if isinstance(got, str) else got) == wanted
    if expected is None or isinstance(expected, bool):
        return got is expected
    if isinstance(expected, int):
        return as_number(got) == expected
    if isinstance(expected, float):
        return as_double(got) == as_double(expected)
    if isinstance(expected, list):
        return isinstance(got, list) and len(got) == len(expected) and all(map(same, expected, got))
    if isinstance(got, float):  # NaN and the infinities, which some print without quotes
        is_name = expected in ("NaN", "Infinity", "-Infinity")
        return is_name and as_double(got) == as_double(expected)
    text, other = as_bytes(expected), as_bytes(got)
    if text is None:
        return isinstance(got, dict) and not difference(expected, got, True)
    if isinstance(got, str) and isinstance(expected, dict):
        return got == text.decode("utf-8", "replace")
    return text == other


def difference(expected, got, closed=False):
    """What of an object is not as expected, in words; None if all is."""
    for key, value in expected.items():
        if key not in got:
            if key in ("ts", "ns") and ("ns" in got or "ts" in got):
                continue
            if key in ("end", "end_ns") and ("end" in got or "end_ns" in got):
                continue
            if key == "args" and value == {}:
                continue
            return "%s is missing: expected %s" % (key, shown(value))
        if not same(value, got[key]):
            inner = difference(value, got[key], True) if key == "args" and isinstance(
                got[key], dict) else None
            return "%s: %s" % (key, inner or "expected %s, got %s" % (
                shown(value), shown(got[key])))
    more = [key for key in got if key not in expected] if closed else []
    return "%s is too much: %s" % (printable(str(more[0])), shown(got[more[0]])) if more else None


def signed(text):
    """An integer; or -0.0, which is "-0" in the format %.17g of C."""
    return -0.0 if text == "-0" else int(text)


def json_lines(out, parse_int=int):
    """The objects of an answer."""
    objects = []
    for number, line in enumerate(out.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line.decode("utf-8"), parse_int=parse_int)
        except UnicodeDecodeError as error:
            near = line[max(0, error.start - 60):error.start + 20]
            raise Trouble(GARBAGE, "line %d is not UTF-8 at its byte %d, in: %s" % (
                number, error.start + 1, printable(near)))
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise Trouble(GARBAGE, "line %d is no JSON object: %s" % (number, printable(line)))
        objects.append(value)
    return objects


def skipped(out):
    """Why the program leaves the vector out, if that is all that it says; or None."""
    try:
        answer = json.loads(out) if out[:1] == b"{" and len(out) < 4096 else None
    except (ValueError, RecursionError):
        return None
    is_skip = isinstance(answer, dict) and list(answer) == ["skip"] and isinstance(answer["skip"], str)
    return answer["skip"] if is_skip and answer["skip"].strip() else None


def compare_lines(expected, got, what, differs):
    """The first difference of two lists of objects, in words."""
    count = ""
    if len(expected) != len(got):
        count = "expected %s, got %d; " % (plural(len(expected), what), len(got))
    for number, (one, other) in enumerate(zip(expected, got), 1):
        text = differs(one, other)
        if text:
            return "%s%s %d: %s" % (count, what, number, text)
    if len(expected) > len(got):
        return count + "the first that is missing: " + shown(expected[len(got)])
    if len(got) > len(expected):
        return count + "the first that is too much: " + shown(got[len(expected)])
    return None


def plural(count, what):
    return "%d %s%s" % (count, what, "" if count == 1 else "s")


# ---- the levels: each gives what is different, in words, or None

def malformed_rules(vector, options):
    rules = {finding["rule"] for finding in vector["findings"][options.edition]}
    return sorted(rule for rule in rules if options.rules.get(rule, ("",))[0] == "malformed")


def is_either_way(vector, options):
    """Whether a program may complain or not."""
    return vector["grade"] == "invalid" and not malformed_rules(vector, options)


def level_exit(vector, answer, options):
    malformed = malformed_rules(vector, options)
    if malformed and answer.code == 0:
        return "expected a complaint about %s, got exit code 0" % ", ".join(malformed)
    if not malformed and vector["grade"] != "invalid" and answer.code != 0:
        return "expected exit code 0, got %d%s" % (answer.code, said(answer.err))
    return None


def level_events(vector, answer, options):
    got = json_lines(answer.out, signed)
    wanted, later = delivered(vector), ()
    text = compare_lines(wanted, got, "event", difference)
    if text and is_later(vector, options):
        wanted, later = of_2020(vector), LATER
        text = compare_lines(wanted, got, "event", difference)
    if text and len(wanted) == len(got):
        rounded = list(map(as_rounded, wanted, got, rates_of(vector, later)))
        if compare_lines(rounded, got, "event", difference) is None:
            return ROUNDED + text
        if are_reordered(wanted, got):
            return REORDERED + text
    return text


REORDERED = "the same events, in another order: "


def are_reordered(wanted, got):
    """Whether each is one of the others."""
    left = list(got)
    for event in wanted[:FEW]:
        at = next((at for at, other in enumerate(left) if difference(event, other) is None), None)
        if at is None:
            return False
        del left[at]
    return len(wanted) <= FEW


FEW = 1000  # events that are compared with each other


ROUNDED = "times are rounded otherwise, which the upstream text leaves open: "


def as_rounded(expected, got, rate):
    """The event, with the other's nanoseconds where a division rounds and they differ by 1 [R31]."""
    times = {}
    for key, ticks in (("ns", "ts"), ("end_ns", "end")):
        other = as_number(got.get(key))
        if key in expected and other is not None and abs(other - expected[key]) == 1:
            quotient, rest = divmod(expected[ticks] * 10**9, rate)
            if rest and quotient == expected[key]:
                times[key] = other
    return {**expected, **times}


def rates_of(vector, later=()):
    """The ticks per second of each event, but for the events of later records."""
    rates, provider, of_events = {}, 0, []
    for record in vector["records"]:
        kind = record.get("record")
        if kind == "magic":
            rates, provider = {}, 0
        elif kind in ("provider_info", "provider_section"):
            provider = record["provider_id"]
        elif kind == "initialization":
            rates[provider] = as_number(record["ticks_per_second"]) or rates.get(provider, 10**9)
        elif gives_event(record) and kind not in later:
            of_events.append(rates.get(provider, 10**9))
    return of_events


def delivered(vector):
    """The events, in which bytes are Hex."""
    events = []
    for event, record in zip(vector["events"], filter(gives_event, vector["records"])):
        event = with_hex(event, ("payload", "build_id"))
        if "args" in event:
            types = types_of(record)
            event["args"] = with_hex(event["args"], [name for name in types if types[name] == "blob"])
        events.append(event)
    return events


def with_hex(values, keys):
    return {key: Hex(value) if key in keys else value for key, value in values.items()}


# What edition 2020 does not define: table of section 13.
LATER = "context_switch thread_wakeup module mmap backtrace large_blob arg.bool arg.blob".split()


def is_later(vector, options):
    return options.edition == "2020" and (vector["edition"] == "current" or has_wide_size(vector))


def has_wide_size(vector):
    """Whether the size of a large record has more than the 12 bits of edition 2020."""
    data = bytes.fromhex(vector["bytes"])
    headers = (int.from_bytes(data[int(record["offset"]):][:8], "little") for record in vector["records"])
    return any(header & 15 == 15 and header >> 16 & 0xfffff for header in headers)


def of_2020(vector):
    """The events of a reader that skips what edition 2020 does not define (section 10)."""
    events = []
    for event, record in zip(delivered(vector), filter(gives_event, vector["records"])):
        if record["record"] in LATER:
            continue
        types = types_of(record)
        if "args" in event:
            event["args"] = {name: value for name, value in event["args"].items()
                             if "arg.%s" % types.get(name) not in LATER}
        if event.get("blob_type") == "perfetto":
            event["blob_type"] = 3
        if event.get("scope") != "thread":
            event.pop("scope", None)  # of a word that is a tail: any will do
        events.append(event)
    return events


def is_read_by_2020(vector):
    """Whether these are its events. It may deliver others if what is later has a wide size, refuses a record by its
    arguments, or takes the name of another argument."""
    names = [[json.dumps(arg["name"]["value"]) for arg in record.get("args", ())] for record in vector["records"]]
    return not (has_wide_size(vector) or {"arg.bool", "arg.blob"} & set(vector["refuses"]) or
                any(len(set(of)) < len(of) for of in names))


# Rules about framing and where a trace begins: behind what breaks them, a reader need not go on,
# and without a provider there may be no events.
MAY_END = ("REC-09", "REC-10", "MET-07", "MET-09", "MET-10")


def lost(vector, answer, options):
    """The first event around what is unspecified that the answer lacks, in words, or None. Around
    it are the events before what breaks the rule, and the sentinel at the end."""
    first = min((finding["offset"] for finding in vector["findings"][options.edition]
                 if finding["rule"] == vector["tests"]), default=0)
    later = LATER if is_later(vector, options) else []
    around = [event for event, record in zip(vector["events"], filter(gives_event, vector["records"]))
              if record["record"] not in later and int(record["offset"]) + 8 * record["size"] <= first]
    for event in vector["events"][-1:]:
        if event.get("name") == "sentinel" and event not in around and (
                vector["tests"] not in MAY_END):
            around.append(event)
    got = iter(json_lines(answer.out))
    for event in around:
        if not any(recognised(event, other) for other in got):
            name = " " + shown(event["name"]) if "name" in event else ""
            return "lost: %s%s" % (event["event"], name)
    return None


def recognised(event, other):
    return all(same(event[key], other.get(key)) for key in ("event", "name", "ts")
               if key in event and (key in other or key != "ts"))


def level_records(vector, answer, options):
    expected, got = ([record for record in records if is_claimed(record, options)]
                     for records in (vector["records"], json_lines(answer.out)))
    return compare_lines(expected, got, "record", record_difference)


def is_claimed(record, options):
    """Whether a reader of these kinds prints it."""
    kind = record.get("event_type") if record.get("record") == "event" else record.get("record")
    return not isinstance(kind, str) or kind not in options.skipped


def record_difference(expected, got):
    return difference(json.loads(canonical(expected)), json.loads(canonical(got)), True)


def canonical(record):
    """schema/dump.md, but that wide numbers may be numbers: they become text on both sides."""
    def wide(value, key=None, holder=None):
        if isinstance(value, dict):
            return {k: wide(v, k, value) for k, v in value.items()}
        if isinstance(value, list):
            return [wide(v, key) for v in value]
        is_text = key in ("name", "message") or key == "value" and (
            "ref" in holder or "record" in holder)
        if isinstance(value, int) and not isinstance(value, bool) and not is_text:
            return str(value)
        return value
    return json.dumps(wide(record))


FINDING = re.compile(r"(.*?)(?: @ (0x[0-9a-fA-F]{1,16}|[0-9]{1,20}))?")


def level_findings(vector, answer, options):
    names = options.names
    expected = [(f["offset"], names.groups.get(f["rule"])) for f in vector["findings"][options.edition]]
    expected = [(offset, rules) for offset, rules in expected if rules]
    lines = (finding_of(number, line, names) for number, line in enumerate(answer.out.split(b"\n"), 1) if line.strip())
    got = [(offset, rules) for offset, rules in lines if rules]
    if any(offset is None for offset, _ in got):  # by rule alone
        expected, got = ([(None, rules) for rules in {rules for _, rules in of}] for of in (expected, got))
    expected, got = counted(expected), counted(got)
    parts = []
    for word, which in (("missing", expected - got), ("too much", got - expected)):
        if which:
            told = sorted(("|".join(sorted(rules)), offset) for offset, rules in which.elements())
            told.sort(key=lambda finding: finding[1] or 0)
            parts.append(word + ": " + ", ".join(
                rule if offset is None else "%s @ 0x%x" % (rule, offset) for rule, offset in told[:8]))
    return "; ".join(parts) or None


def counted(findings):
    """Rules that one name of theirs stands for are one finding, if they are broken at one offset."""
    counts = collections.Counter(findings)
    return collections.Counter({key: count if len(key[1]) == 1 else 1 for key, count in counts.items()})


def finding_of(number, line, names):
    """(offset, or None; the rules that it may be of, or None if it is of no rule of ours)."""
    name, offset = FINDING.fullmatch(line.decode("utf-8", "replace").strip()).groups()
    try:
        if name.startswith("{"):
            finding = json.loads(line.decode("utf-8"))
            name, offset = finding["rule"], finding.get("offset")
        if offset is None or as_number(offset) is not None:
            return offset if offset is None else as_number(offset), names.of(name)
    except (ValueError, RecursionError, TypeError, KeyError, AttributeError):
        pass
    raise Trouble(GARBAGE, "line %d is no finding%s: %s" % (number, names.place, printable(line)))


BREAKS = "the bytes break "  # a rule: a writer is to break none


def level_write(vector, answer, options):
    if answer.code != 0:
        return "expected bytes, got exit code %d%s%s" % (answer.code, said(answer.err), hint(vector))
    seen = options.model.look(answer.out)
    bad = [(rule, offset) for offset, rule in seen.findings[options.edition]
           if options.rules[rule][0] in ("malformed", "nonconforming") or rule == "MET-07"]
    if bad:
        return BREAKS + "%s at 0x%x: %s%s" % (
            bad[0] + (options.rules[bad[0][0]][1], hint(vector)))
    text = (compare_lines(delivered(vector), seen.events, "event", difference) or
            other_name(vector, names_of(seen.records)))
    return text if text or options.any_types else other_type(vector, seen.records)


def types_of(record):
    """{name of an argument, as in the event: its type}; of two arguments of one name the last."""
    return {as_bytes(arg["name"]["value"]).decode("utf-8", "replace"): arg["type"]
            for arg in record.get("args", ()) if arg["name"]["value"] is not None}


def other_type(vector, records):
    """The first argument of another type, in words, or None."""
    wanted, got = ([types_of(record) for record in of if gives_event(record)] for of in (vector["records"], records))
    return compare_lines(wanted, got, "event", lambda one, other: next((
        "types: %s: expected %s, got %s" % (printable(name), one[name], other.get(name))
        for name in one if one[name] != other.get(name)), None))


# Words of a record that may be too large if its strings and its thread are written inline.
LARGE = 4070


def hint(vector):
    """What may be behind a failure: inline refs in a record that has no room for them, or a registered
    one where bytes that are not UTF-8 may stand inline only."""
    if "KOB-02" in [vector["tests"]] + vector["touches"]:
        return "; a name that is not UTF-8 can only be inline [KOB-02]"
    if not any(LARGE <= record.get("size", 0) <= 4095 for record in vector["records"]):
        return ""
    return "; this event fits into a record only if its strings and its thread are registered"


def names_of(records):
    """The names of the providers, by id."""
    return {record["provider_id"]: record["name"] for record in records
            if record.get("record") == "provider_info"}


def other_name(vector, got):
    """What is wrong with the names of the providers of events, in words, or None."""
    wanted = names_of(vector["records"])
    for id in {event.get("provider") for event in vector["events"]} & set(wanted):
        if got.get(id) != wanted[id]:
            return "provider %d: name: expected %s, got %s" % (
                id, shown(wanted[id]), shown(got[id]) if id in got else "none")
    return None


def can_be_written(vector):
    """A writer is given what a reader delivers: nothing unresolved, one trace, and no finding unless
    it is valid all the same."""
    kinds = [record.get("record") for record in vector["records"]]
    lacks = any(value is None for event in vector["events"] for value in event.values())
    good = vector["grade"] == "valid" or (
        vector["grade"] == "unspecified" and not vector["findings"]["current"])
    return good and vector["events"] and not lacks and "magic" not in kinds[1:]


def gives_event(record):
    kind = record.get("record")
    return kind in OTHERS or kind == "event" and isinstance(record.get("event_type"), str)


def script(vector):
    """What a writer is given: events, and before them what they need."""
    lines, names, events = [], {}, iter(vector["events"])
    for record in vector["records"]:
        kind = record.get("record")
        if kind == "initialization":
            ticks = as_number(record["ticks_per_second"])
            lines.append({"write": "initialization", "ticks_per_second": ticks})
        elif kind in ("provider_info", "provider_section") and "providers" not in vector.get("lacks", ()):
            id = record["provider_id"]
            names[id] = record.get("name", names.get(id, ""))
            lines.append({"write": "provider", "id": id, "name": names[id]})
        elif gives_event(record):
            types = types_of(record)
            lines.append(dict(next(events), **{"types": types} if types else {}))
    assert next(events, None) is None, vector["id"]
    return "".join(json.dumps(line) + "\n" for line in lines).encode("ascii")


COMPARE = {"exit": level_exit, "events": level_events, "records": level_records,
           "findings": level_findings, "write": level_write}
