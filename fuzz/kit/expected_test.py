#!/usr/bin/env python3
"""What fxt_fuzz_expected prints is what the model of the conformance suite says: of all vectors, and of
traces of fxt-gen. Parts that are not named are not printed; one that does not exist is refused.

usage: expected_test.py COMPARE COMPARE_SOME COMPARE_NONE FXT_GEN
"""
import json
import os
import re
import subprocess
import sys
import tempfile

COMPARE, SOME, NONE, GEN = (os.path.abspath(path) for path in sys.argv[1:5])
SUITE = os.path.abspath("conformance")
sys.dont_write_bytecode = True
sys.path.insert(0, SUITE)
import model  # noqa: E402

EVENT = "process thread ts ns category name scope id end end_ns"
KEYS = {  # in the order of schema/events.md
    "log": "process thread ts ns message",
    "blob": "blob_type name payload",
    "userspace_object": "pointer process name",
    "kernel_object": "object_type koid name",
    "context_switch": "ts ns cpu outgoing_state outgoing_thread incoming_thread",
    "thread_wakeup": "ts ns cpu waking_thread",
    "module": "process thread ts ns module_id name build_id",
    "mmap": "process thread ts ns module_id flags start_address address_range vaddr",
    "backtrace": "process thread ts ns frames",
    "large_blob": "blob_format category name payload process thread ts ns",
}
TEXTS = ("category", "name", "message")
NUMBERS = ("blob_type", "object_type", "outgoing_state")  # they have names in the events of the model
SCOPES = ("thread", "process", "global")


def text(key, data):
    if data is None:
        return key + " null"
    shown = re.sub(r'[\x00-\x1f"\\\x7f]', lambda found: "\\x%02x" % ord(found.group()),
                   data.decode("utf-8", "replace"))
    return '%s "%s"' % (key, shown)


def value_line(record, tables, key, value):
    field = record.values.get(key)
    if key in TEXTS:
        data = tables.string(field) if isinstance(field, model.String) else field
        return [text(key, data)]
    if key == "frames":
        return ["frames %d" % frame for frame in value]
    if key in NUMBERS:
        return ["%s %d" % (key, field)]
    if key == "scope":
        return ["scope %d" % SCOPES.index(value)]
    return ["%s %s" % (key, "null" if value is None else value)]


def arg_lines(arg, tables):
    name = tables.string(arg.name)
    if name is None or arg.type >= len(model.ARGS):
        return []
    key = "arg." + model.ARGS[arg.type]
    if arg.type == 0:
        line = key
    elif arg.type in (1, 3):
        line = "%s %d" % (key, model.signed(arg.value, 32 if arg.type == 1 else 64))
    elif arg.type == 5:
        line = "%s %s" % (key, "NaN" if model.event_double(arg.value) == "NaN" else arg.value)
    elif arg.type == 6:
        line = text(key, tables.string(arg.value))
    elif arg.type == 10:
        line = "%s %s" % (key, arg.value.hex())
    else:
        line = "%s %d" % (key, arg.value)
    return [text("arg", name), line]


def lines(data):
    tables = model.Tables()
    out = []
    for record in model.read(data):
        if isinstance(record, tuple):
            continue
        if record.kind == "magic" and record.offset > 0:
            tables.reset()
        tables.apply(record)
        for event in model.level_events(record, tables):
            out += ["event " + event["event"], "provider %d" % event["provider"]]
            for key in KEYS.get(event["event"], EVENT).split():
                if key in event:
                    out += value_line(record, tables, key, event[key])
            if "args" in event:
                out += [line for arg in record.args for line in arg_lines(arg, tables)]
    return out


def write(folder, name, data, expected):
    paths = [os.path.join(folder, name + end) for end in (".fxt", ".txt")]
    with open(paths[0], "wb") as f:
        f.write(data)
    with open(paths[1], "w", encoding="utf-8") as f:
        f.write("".join(line + "\n" for line in expected))
    return paths


def compare(program, paths):
    return subprocess.run([program, *paths], stderr=subprocess.PIPE, text=True, errors="replace")


def vectors():
    for name in sorted(os.listdir(os.path.join(SUITE, "corpus"))):
        if name.endswith(".json"):
            with open(os.path.join(SUITE, "corpus", name)) as f:
                read = json.load(f)
            yield from ((v["id"], bytes.fromhex(v["bytes"])) for v in read if "events" in v)


def generated():
    for seed in range(20):
        made = subprocess.run([GEN, "--seed=%d" % seed, "--records=300"], stdout=subprocess.PIPE, check=True)
        yield "seed-%d" % seed, made.stdout


def test_all_parts(folder):
    paths, printed = [], set()
    for name, data in [*vectors(), *generated()]:
        expected = lines(data)
        printed |= {line.split()[0] for line in expected} | {
            line for line in expected if line.startswith("event ")}
        paths += write(folder, name.replace("/", "-"), data, expected)
    keys = " ".join([EVENT, *KEYS.values(), *("arg." + name for name in model.ARGS), "arg"]).split()
    assert printed == {"event", "provider", *keys, *("event " + name for name in [*model.EVENTS, *KEYS])}
    assert len(paths) > 2 * 1000, len(paths)
    result = compare(COMPARE, paths)
    assert result.returncode == 0, result.stderr[-1000:]


def test_some_parts(folder):
    """Names of arguments are not asked for, so that those without one are there, too."""
    magic, thread = 0x0016547846040010, 9 << 24
    words = [magic, 0x34 | 2 << 20 | thread, 5, 0x11 | 7 << 16 | (2**32 - 5) << 32,
             0x24 | 1 << 16 | thread, 6]
    data = b"".join(word.to_bytes(8, "little") for word in words)
    words[1] -= 1 << 20
    one = b"".join(word.to_bytes(8, "little") for word in words[:4])
    assert compare(SOME, write(folder, "a", one, ["event instant", "ts 5", "arg.int32 -5"])).returncode == 0
    for wrong in (["event instant", "ts 5"], ["event instant", "ts 5", "arg.int32 -6"], []):
        result = compare(SOME, write(folder, "b", one, wrong))
        assert result.returncode == -6 and "the readers differ" in result.stderr, result
        assert ("both    : event instant" in result.stderr) == (wrong != []), result
    assert compare(SOME, write(folder, "c", data, [])).returncode == 0  # its second argument is missing


def test_unknown_part(folder):
    result = compare(NONE, write(folder, "d", b"", []))
    assert result.returncode == 1, result
    assert 'there is no part "int32"' in result.stderr, result.stderr


for test in (test_all_parts, test_some_parts, test_unknown_part):
    with tempfile.TemporaryDirectory() as temporary:
        test(temporary)
