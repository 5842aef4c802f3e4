#!/usr/bin/env python3
"""The model of this corpus as a program under test, at every level and by both transports.

usage: python_model.py LEVEL [--edition=2020] FILE
       python_model.py LEVEL [--edition=2020] --pipe
"""
import json
import os
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import model

U64 = (1 << 64) - 1


def read(level, data, edition):
    text, findings, _ = model.examine(data)
    found = findings[edition]
    if level == "timeline":
        import timeline_model
        text = model.json_lines(timeline_model.lines(data))
    elif level == "events":
        text = "".join(json.dumps(line) + "\n" for line in model.events(data)).encode()
    elif level == "findings":
        text = "".join("%s @ 0x%x\n" % (rule, offset) for offset, rule in found).encode()
    rules = model_rules()
    malformed = any(rules[rule] == "malformed" for _, rule in found)
    return 1 if malformed else 0, b"" if level == "exit" else text


def model_rules():
    """{id: class}"""
    with open(model.spec("rules.tbl"), encoding="utf-8") as f:
        return dict(line.split()[:2] for line in f if line.split("#")[0].split())


# ---- level write

def string(value):
    data = bytes.fromhex(value["hex"]) if isinstance(value, dict) else value.encode("utf-8")
    return model.String(model.INLINE + len(data), data) if data else model.String(0)


def registered(index, value):
    """A ref, and the record that registers what it stands for."""
    text = string(value)
    if not text.data:
        return text, b""
    return model.String(index), model.encode("string", {"index": index, "value": text.data})


def arg(name, value, kind):
    if kind in ("int32", "uint32"):
        value &= (1 << 32) - 1
    elif kind == "double":
        value, = struct.unpack("<Q", struct.pack("<d", float(value)))
    elif kind == "string":
        value = string(value)
    elif kind == "blob":
        value = bytes.fromhex(value)
    elif kind == "bool":
        value = int(value)
    elif value is not None:
        value &= U64
    return model.Arg(model.ARGS.index(kind), string(name), value)


def number(names, value):
    return names.index(value) if isinstance(value, str) else value


def record(event):
    """The bytes of one line."""
    v = {key: value for key, value in event.items() if key not in ("args", "event", "ns", "end_ns")}
    kind = event["event"]
    tables = b""
    v["timestamp"] = v.pop("ts", 0)
    if "process" in event:
        koids = {"index": 1, "process": event["process"], "thread": event.get("thread", 0)}
        tables += model.encode("thread", koids)
        v["thread"] = v["process"] = model.Thread(1)
    for index, key in ((1, "category"), (2, "name")):
        if kind == "kernel_object":  # any bytes, if it is inline [KOB-02]
            v["name"] = string(event["name"])
        elif key in v and kind != "module":
            v[key], more = registered(index, v[key])
            tables += more
    if kind in model.EVENTS:
        v["event_type"] = model.EVENTS.index(kind)
        v["scope"] = number(model.SCOPES, v.get("scope", 0))
        kind = "event"
    for key, names in (("outgoing_state", model.STATES), ("object_type", model.OBJECTS),
                       ("blob_type", model.BLOBS)):
        if key in v:
            v[key] = number(names, v[key])
    for key in ("payload", "build_id"):
        if key in v:
            v[key] = bytes.fromhex(v[key])
    if kind == "log":
        v["message"] = event["message"].encode("utf-8")
    if kind == "module":
        v["name"] = event["name"].encode("utf-8")
    if kind == "context_switch" and "args" not in event:
        kind = "legacy_switch"  # the processes and the priorities are not in the line
        v["outgoing_priority"] = v["incoming_priority"] = 0
        for key in ("outgoing_thread", "incoming_thread"):
            v[key] = model.Thread(0, 0, v[key])
    wanted = {field for field, _ in model.KINDS[kind]}
    values = {key: value for key, value in v.items() if key in wanted}
    if values.get("blob_format") == 1:
        del values["timestamp"]
    args = [arg(name, value, event["types"][name]) for name, value in event.get("args", {}).items()]
    return tables + model.encode(kind, values, args)


def write(data):
    out = model.encode("magic", {})
    for line in data.decode("utf-8").split("\n"):
        event = json.loads(line) if line else {"write": ""}
        if event.get("write") == "initialization":
            ticks = event["ticks_per_second"]
            out += model.encode("initialization", {"ticks_per_second": ticks})
        elif event.get("write") == "provider":
            name = event["name"].encode("utf-8")
            out += model.encode("provider_info", {"provider_id": event["id"], "name": name})
        elif "event" in event:
            out += record(event)
    return 0, out


def answer(level, data, edition="current"):
    return write(data) if level == "write" else read(level, data, edition)


def main(level, *words):
    edition = "2020" if "--edition=2020" in words else "current"
    if words[-1] != "--pipe":
        with open(words[-1], "rb") as f:
            code, out = answer(level, f.read(), edition)
        sys.stdout.buffer.write(out)
        return code
    while True:
        head = sys.stdin.buffer.read(4)
        if len(head) < 4:
            return 0
        code, out = answer(level, sys.stdin.buffer.read(struct.unpack("<I", head)[0]), edition)
        sys.stdout.buffer.write(struct.pack("<II", code, len(out)) + out)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
