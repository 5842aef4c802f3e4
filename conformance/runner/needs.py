"""What a vector asks of a program beside the rule that it tests: NEEDS are things that the upstream text leaves open or
merely permits, LACKS are things that a whole interface may be without. A program that lacks one of them fails vectors
of many rules. `run --without` leaves out the vectors with the need, and of each vector what is lacking."""
from runner.levels import gives_event

NEEDS = {
    "recovery": "goes on behind a malformed record",
    "no-provider": "takes events without a provider info record before them",
    "reintroduction": "takes a second provider info record of a known provider",
    "argument-tails": "takes arguments with more words than they need",
    "scope-words": "takes a scope word behind an instant event",
}

# The key of events that goes; of object-arguments only that of objects.
LACKS = {"categories": "category", "providers": "provider", "scopes": "scope", "object-arguments": "args"}
OBJECTS = ("userspace_object", "kernel_object")

LEVELS_OF = {need: ("exit", "events", "records", "findings") for need in NEEDS}
LEVELS_OF.update((lack, ("events", "write")) for lack in LACKS)


def needs_of(vector):
    """The names of NEEDS, in the order of the alphabet."""
    found, known, refused, selected = set(), set(), False, False
    for record in vector.get("records", ()):
        kind = record.get("record")
        if kind == "magic":
            known, selected = set(), False
        elif kind == "malformed":
            refused = True
        elif kind in ("provider_info", "provider_section"):
            if kind == "provider_info" and record["provider_id"] in known:
                found.add("reintroduction")
            known.add(record["provider_id"])
            selected = True
        elif gives_event(record):
            found.update(name for name, needed in (
                ("recovery", refused), ("no-provider", not selected),
                ("argument-tails", any("tail" in arg and isinstance(arg["type"], str)
                                       for arg in record.get("args", ()))),
                ("scope-words", record.get("scope") is not None)) if needed)
    return sorted(found)


def needs_at(vector, level):
    """Those that matter at the level: a writer is given none, and an importer is beyond them. At exit a program only
    complains."""
    if level in ("write", "timeline"):
        return []
    return [need for need in needs_of(vector) if need != "recovery" or level != "exit"]


def without(vector, lacks):
    """The vector, with no more than a program shows or is given that lacks these."""
    def left(values, kind, lacking):
        keys = {LACKS[lack] for lack in lacking if lack != "object-arguments" or kind in OBJECTS}
        return {key: value for key, value in values.items() if key not in keys}

    return dict(vector, lacks=lacks, events=[left(event, event["event"], lacks) for event in vector["events"]],
                records=[left(record, record.get("record"), lacks & {"object-arguments"})
                         for record in vector["records"]])


def has_providers(vector):
    """Whether a reader that knows one provider mixes up records of several."""
    selected, used = 0, set()
    for record in vector["records"]:
        if record.get("record") in ("provider_info", "provider_section"):
            selected = record["provider_id"]
        elif gives_event(record) or record.get("record") in ("string", "thread", "initialization"):
            used.add(selected)
    return len(used) > 1
