"""What a vector asks of a program beside the rule that it tests: things that the upstream text leaves open or merely
permits. A program that lacks one of them fails vectors of many rules; `run --without` leaves them out."""
from runner.levels import gives_event

NEEDS = {
    "recovery": "goes on behind a malformed record",
    "no-provider": "takes events without a provider info record before them",
    "reintroduction": "takes a second provider info record of a known provider",
    "argument-tails": "takes arguments with more words than they need",
    "scopes": "takes a scope word behind an instant event",
}


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
                ("scopes", record.get("scope") is not None)) if needed)
    return sorted(found)


def needs_at(vector, level):
    """Those that matter at the level: a writer is given none, and an importer is beyond them. At exit a program only
    complains."""
    if level in ("write", "timeline"):
        return []
    return [need for need in needs_of(vector) if need != "recovery" or level != "exit"]
