#!/usr/bin/env python3
# conformance/run --adapter 'bindings/python/adapter.py --pipe' --pipe --level events --kinds tables,events,args
import json, math, struct, sys
import fxtref

def plain(value):
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    return value

def line(event):
    out = dict(vars(event), event=event.type, ts=event.ticks)
    out["args"] = {name: plain(value) for name, value in event.args.items()}
    if event.type == "duration_complete":
        out["end"] = event.end_ticks
    return json.dumps(out) + "\n"

def answer(data):
    reader = fxtref.Reader(data)
    lines = "".join(map(line, reader)).encode()
    return int(reader.skipped > 0 or reader.error is not None), lines

while len(head := sys.stdin.buffer.read(4)) == 4:
    code, out = answer(sys.stdin.buffer.read(struct.unpack("<I", head)[0]))
    sys.stdout.buffer.write(struct.pack("<II", code, len(out)) + out)
    sys.stdout.buffer.flush()
