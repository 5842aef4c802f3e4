"""The scripts of level write in plain lines, for programs without a parser of JSON. PROTOCOL.md describes the form."""
import json

from runner.levels import as_bytes

OF_BYTES = ("payload", "build_id")  # hex in JSON
WORDS = ("scope", "blob_type", "object_type", "outgoing_state")  # or a number


def given(script, options):
    """What the program gets of a script, and the suffix of its file."""
    return (plain(script), ".txt") if options.plain else (script, ".jsonl")


def plain(script):
    lines = []
    for event in map(json.loads, script.splitlines()):
        if event.get("write") == "initialization":
            lines.append("write initialization %d" % event["ticks_per_second"])
        elif event.get("write") == "provider":
            lines.append("write provider %d %s" % (event["id"], text(event["name"])))
        else:
            lines += of_event(event)
    return "".join(line + "\n" for line in lines).encode("ascii")


def of_event(event):
    yield "event " + event["event"]
    for key, value in event.items():
        if key == "frames":
            yield from ("frame %d" % frame for frame in value)
        elif key not in ("event", "args", "types"):
            yield "%s %s" % (key, value if key in WORDS else one(value, key in OF_BYTES))
    if "args" in event:
        yield "args %d" % len(event["args"])
        for name, value in event["args"].items():
            kind = event["types"][name]
            value = [] if kind == "null" else [float(value) if kind == "double" else one(value, kind == "blob")]
            yield " ".join(map(str, ["arg", kind, text(name)] + value))
    yield "done"


def one(value, is_hex):
    """A number, or bytes."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else text({"hex": value} if is_hex else value)


def text(value):
    """In quotes, so that it is never empty; without a blank or a line end, so that it is one word."""
    return '"%s"' % "".join(chr(byte) if 0x20 < byte < 0x7f and byte not in b'"%' else "%%%02x" % byte
                            for byte in as_bytes(value))
