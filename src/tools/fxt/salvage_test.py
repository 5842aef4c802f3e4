#!/usr/bin/env python3
"""Raw buffers of trace providers, and files that are no traces at all."""

import glob
import gzip
import json
import os
import resource
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
import testing
from testing import EVENT, GOOD, HEAD, assemble, equal, fxt, word, write

MAGIC = 0x627566EE68656164
ONESHOT, CIRCULAR, STREAMING = range(3)
DEFINITIONS = HEAD.replace("magic\n", "")
CHUNK_HEAD = word(0x10 | 14 << 16)
FILLER = word(0x20 | 15 << 16) + word(0x5a5a)


def buffer(mode, parts, wrapped=0, dropped=0, ends=None, total=4096, flags=0):
    """The image of a buffer: each part is padded with zero bytes to its size."""
    durable = 0 if mode == ONESHOT else 256
    rolling = total - 128 if mode == ONESHOT else (total - 128 - durable) // 2
    rooms = [rolling] if mode == ONESHOT else [durable, rolling, rolling]
    sizes = [len(part) for part in parts] if ends is None else ends
    if mode == ONESHOT:
        sizes = [0] + sizes
    image = struct.pack("<QHBBIQQQQQQQ", MAGIC, 0, mode, flags, wrapped, total, durable, rolling,
                        *(sizes + [0, 0])[:3], dropped)
    image = image.ljust(128, b"\0")
    for part, room in zip(parts, rooms):
        image += part.ljust(room, b"\0")
    return image.ljust(total, b"\0")


def events(*times):
    return assemble("".join(EVENT % time for time in times))


def times(trace, clean=True):
    """Timestamps of the events of a trace."""
    checked = fxt("check", data=trace)
    equal((checked.code, checked.text) == (0, ""), clean, checked)
    return [int(r["timestamp"]) for r in records(trace) if r["record"] == "event"]


def records(trace):
    return [json.loads(line) for line in fxt("dump", "--json", data=trace).lines()]


def test_a_buffer_becomes_a_trace():
    image = buffer(ONESHOT, [assemble(DEFINITIONS) + events(10, 20, 30)])
    write("net.buffer", image)
    result = fxt("salvage", "net.buffer", "-o", "a.fxt")
    equal((result.code, result.err), (0, "net.buffer: 7 records salvaged, 144 bytes\n"))
    trace = open("a.fxt", "rb").read()
    equal(trace[:8], assemble("magic\n"))
    equal(records(trace)[1]["name"], "net.buffer")
    equal(times(trace), [10, 20, 30])
    result = fxt("check", "net.buffer")
    equal((result.code, result.text), (0, ""))
    assert "in 7 records, 4096 bytes" in result.err, result


def test_the_older_half_comes_first():
    durable = assemble(DEFINITIONS)
    halves = [events(30, 40), events(10, 20)]
    equal(times(fxt("salvage", data=buffer(CIRCULAR, [durable] + halves, wrapped=2)).out),
          [10, 20, 30, 40])
    equal(times(fxt("salvage", data=buffer(CIRCULAR, [durable] + halves, wrapped=3)).out, False),
          [30, 40, 10, 20])
    equal(times(fxt("salvage", data=buffer(CIRCULAR, [durable] + halves, wrapped=0)).out), [30, 40])


def test_a_program_that_was_killed_left_no_data_ends():
    """Of a streaming buffer the older half was saved when its data end is 0."""
    parts = [assemble(DEFINITIONS), events(30, 40), events(10, 20)]
    for mode, expected in ((CIRCULAR, [10, 20, 30, 40]), (STREAMING, [30, 40])):
        image = buffer(mode, parts, wrapped=2, ends=[0, 0, 0])
        equal(times(fxt("salvage", data=image).out), expected)
        equal(fxt("check", "-smalformed", data=image).code, 0)


def test_a_data_end_of_0_says_that_a_part_is_empty_when_ends_are_kept():
    parts = [assemble(DEFINITIONS), events(30, 40), events(10, 20)]
    ends = [len(parts[0]), len(parts[1]), 0]
    image = buffer(CIRCULAR, parts, wrapped=2, ends=ends, flags=1)
    equal(times(fxt("salvage", data=image).out), [30, 40])


def test_fillers_heads_of_chunks_and_metadata_are_left_out():
    part = CHUNK_HEAD + events(10) + FILLER
    part = part.ljust(256, b"\0") + CHUNK_HEAD + assemble("provider_section provider_id=9\n")
    part += events(20)
    part = part.ljust(384, b"\0")  # three chunks
    image = buffer(CIRCULAR, [assemble(DEFINITIONS), part, b""], ends=[104, len(part), 0], flags=1)
    result = fxt("salvage", data=image)
    equal(result.code, 0)
    assert result.err.endswith("; 1 metadata records left out\n"), result
    equal(times(result.out), [10, 20])


def test_a_part_ends_at_a_zero_word_when_ends_are_not_kept():
    """Such a buffer has no chunks: what lies behind may be the rest of a record."""
    part = events(10).ljust(256, b"\0") + CHUNK_HEAD + events(20)
    image = buffer(CIRCULAR, [assemble(DEFINITIONS), part, b""], ends=[104, 0, 0])
    equal(times(fxt("salvage", data=image).out), [10])


def test_inlined_definitions_are_told():
    image = bytearray(buffer(ONESHOT, [assemble(DEFINITIONS)]))
    image[72] = 3
    result = fxt("salvage", data=bytes(image))
    equal(result.code, 0)
    assert "<stdin>: 3 definitions found no room: they are inline, or, of names, left out\n" in result.err, result


def recording(image, archive, committed, durable, lap, other=(0, 0, 0)):
    """A file of FXT_TRACE_FILE whose second slot is the current one: <trace/internal/recording.h>."""
    page = struct.pack("<QQ", 0x316365722d747866, 1).ljust(64, b"\0")
    for slot in other, (committed, durable, lap):
        page += struct.pack("<QQQ", *slot).ljust(64, b"\0")
    return image + page.ljust(4096, b"\0") + archive


def test_a_recording_has_each_record_once():
    """Killed after a half was saved, before the engine knew, and while the next one was appended."""
    head = assemble(HEAD)
    durable = assemble(DEFINITIONS)
    image = buffer(STREAMING, [durable, events(10, 20), events(30, 40)], wrapped=1, flags=1)
    saved = head + events(10, 20)
    for file in (recording(image, saved, len(saved), len(durable), 1),
                 recording(image, saved + events(30), len(saved), len(durable), 1),
                 recording(image, head + events(10), len(head), len(durable), 0)):
        for data in file, gzip.compress(file):
            equal(times(data), [10, 20, 30, 40])
            equal(times(fxt("salvage", data=data).out), [10, 20, 30, 40])
    write("cut.fxt", recording(image, saved[:-8], len(saved), len(durable), 1))
    result = fxt("dump", "cut.fxt")
    equal((result.code, result.err), (1, "fxt: cut.fxt: a recording of which the end is missing\n"))
    wild = recording(image, b"", 1 << 63, 1 << 63, (1 << 64) - 1)
    equal(fxt("dump", data=wild).code, 1)


def test_every_command_reads_a_buffer():
    image = buffer(ONESHOT, [assemble(DEFINITIONS) + events(10, 20)])
    equal(times(fxt("cut", data=image).out), [10, 20])
    equal(len([r for r in records(image) if r["record"] == "event"]), 2)
    broken = fxt("dump", data=image[:-8])
    equal(broken.code, 1)
    assert ": malformed: BUF-05: " in broken.err, broken


def test_dropped_records_are_told():
    image = buffer(ONESHOT, [assemble(DEFINITIONS) + events(10)], dropped=5)
    result = fxt("salvage", data=image)
    equal(result.code, 0)
    assert result.err.endswith("; 5 were dropped while tracing\n"), result
    equal(records(result.out)[-1]["record"], "provider_event")
    assert "buffer_full" in fxt("dump", data=result.out).text
    times(result.out)


def test_records_that_break_the_format_are_left_out():
    bad = word(0x14)  # an event of one word: no timestamp
    image = buffer(ONESHOT, [assemble(DEFINITIONS) + bad + events(10)])
    result = fxt("salvage", data=image)
    equal(result.code, 1)
    assert "; 1 that break the format left out (8 bytes)" in result.err, result
    equal(times(result.out), [10])
    result = fxt("check", data=image)
    equal(result.lines(), [f"<stdin>:0x{128 + len(assemble(DEFINITIONS)) + 8:x}: malformed: EVT-01: an "
                           "event record holds its timestamp (event)"])


def test_a_broken_header_gives_its_rule_and_no_trace():
    part = [assemble(DEFINITIONS)]
    good = buffer(ONESHOT, part)

    def but(at, byte):
        return good[:at] + bytes([byte]) + good[at + 1:]
    broken = {"BUF-01": good[:100], "BUF-03": but(8, 1), "BUF-04": but(10, 3), "BUF-05": good[:-8],
              "BUF-06": but(32, 8), "BUF-07": but(49, 255)}
    for rule, image in broken.items():
        write("x.buffer", image)
        result = fxt("salvage", "x.buffer", "-o", "a.fxt")
        equal(result.code, 1, rule)
        assert f": malformed: {rule}: " in result.err, result
        equal(os.path.exists("a.fxt"), False)
        result = fxt("check", "x.buffer")
        equal((result.code, len(result.lines())), (1, 1), rule)
        assert f": malformed: {rule}: " in result.text and "(buffer)" in result.text, result
        equal(fxt("check", f"--rule={rule}", "x.buffer").code, 1)
        equal(fxt("check", "--rule=EVT-01", "x.buffer").code, 0)


def test_a_rule_that_nothing_can_break_is_refused():
    for rule in ("BUF-09", "STR-01", "FIF-01", "CTL-03", "EVT-99"):
        result = fxt("check", f"--rule={rule}", data=assemble(GOOD))
        equal((result.code, result.text), (2, ""), rule)
    for rule in ("BUF-01", "CAN-01", "EVT-01", "LIM-01"):
        equal(fxt("check", f"--rule={rule}", data=assemble(GOOD)).code, 0, rule)


def test_compressed_buffers():
    image = buffer(ONESHOT, [assemble(DEFINITIONS) + events(10)])
    equal(times(fxt("salvage", data=gzip.compress(image)).out), [10])
    equal(fxt("check", data=gzip.compress(image)).code, 0)


def test_salvage_refuses_a_trace():
    result = fxt("salvage", "-o", "out.fxt", data=assemble(GOOD))
    equal((result.code, len(result.err.splitlines())), (1, 1))
    equal(os.path.exists("out.fxt"), False)


NO_TRACES = {
    "an ELF file": b"\x7fELF\2\1\1" + bytes(60),
    "a gzip file": gzip.compress(b"twice"),
    "Chrome JSON": b'{"traceEvents":[\n{"ph":"B"}]}',
    "JSON": b'{"names":[]}\n',
    "text": "# Ein Märchen\nEs war einmal …\n".encode(),
    "a Perfetto trace": b"\x0a\x04\x08\x01\x10\x02" * 3,
    "a trace.dat file of trace-cmd": b"\x17\x08\x44tracing6\0" + bytes(100),
    "a perf.data file": b"PERFILE2" + bytes(100),
}


def test_what_is_no_trace_is_told_in_one_line():
    for name, content in NO_TRACES.items():
        if name == "a gzip file":
            content = gzip.compress(content)
        write("file", content)
        for command in ("check", "dump", "json", "stat", "salvage"):
            result = fxt(command, "file")
            equal((result.code, result.text), (1, ""), (command, name))
            equal(result.err, f"fxt: file: not an FXT trace (looks like {name})\n")


def test_the_buffers_in_a_core_dump_become_one_trace():
    first = buffer(ONESHOT, [assemble(DEFINITIONS) + events(10, 20)], dropped=3)
    second = buffer(CIRCULAR, [assemble(DEFINITIONS), events(30), events(40)], wrapped=1)
    write("core", testing.core_dump(bytes(8192), first, b"text".ljust(4096), second))
    result = fxt("salvage", "core", "-o", "a.fxt")
    equal((result.code, len(result.err.splitlines())), (0, 2), result)
    trace = open("a.fxt", "rb").read()
    equal(times(trace), [10, 20, 30, 40])
    equal([r["provider_id"] for r in records(trace) if r["record"] == "provider_info"], [1, 2])
    equal(trace.count(assemble("magic\n")), 1)


def test_a_core_dump_without_a_good_buffer_is_told():
    image = buffer(ONESHOT, [events(10)])
    for content, code, words in (
            (testing.core_dump(bytes(4096)), 1, "no trace buffer in this core dump"),
            (testing.core_dump(image, cut=1), 1, "the dump was cut"),
            (testing.core_dump(image[:200]), 1, "BUF-"),
            (testing.core_dump(image)[:80], 1, "no trace buffer in this core dump"),
            (testing.core_dump(image)[:63], 1, "looks like a core dump, which 'fxt salvage' takes from a plain file"),
            (testing.core_dump(image).replace(b"\4\0\x3e\0", b"\3\0\x3e\0", 1), 1, "looks like an ELF file")):
        write("core", content)
        result = fxt("salvage", "core", "-o", "out")
        equal((result.code, result.text), (code, ""), result)
        assert words in result.err and not os.path.exists("out"), result


def test_a_core_dump_has_to_be_a_plain_file():
    core = testing.core_dump(buffer(ONESHOT, [events(10)]))
    write("core.gz", gzip.compress(core))
    write("-", core)
    for args, data in ((["core.gz"], b""), (["-"], core), ([], core)):
        result = fxt("salvage", *args, "-o", "out", data=data)
        equal((result.code, os.path.exists("out")), (1, False), result)
        assert "looks like a core dump, which 'fxt salvage' takes from a plain file" in result.err, result
    equal(fxt("salvage", "./-").code, 0)


def test_a_fifo_is_opened_once():
    image = write("image", buffer(ONESHOT, [assemble(DEFINITIONS) + events(10, 20)]))
    os.mkfifo("fifo")
    for _ in range(10):
        with subprocess.Popen(["cp", image, "fifo"]):
            equal(times(fxt("salvage", "fifo").out), [10, 20])


def test_a_long_name_is_cut_between_two_characters():
    image = buffer(ONESHOT, [assemble(DEFINITIONS) + events(10)])
    for name, kept in (("a" * 98 + "\u00e9", 100), ("a" * 99 + "\u00e9", 99), ("\u20ac" * 34, 99)):
        write(name, image)
        trace = fxt("salvage", name).out
        merged = fxt("merge", "-", data=trace)
        names = [r["name"] for r in records(trace) if r["record"] == "provider_info"]
        equal(names, [name.encode()[:kept].decode()], name)
        equal(merged.code, 0)


CRASHES = """
import mmap, os, sys
fd = os.memfd_create("buffer")
os.write(fd, open(sys.argv[1], "rb").read())
shared = mmap.mmap(fd, 0)
print(fd, flush=True)
sys.stdin.read()
os.abort()
"""


def test_of_a_program_that_runs_and_then_crashes():
    write("image", buffer(ONESHOT, [assemble(DEFINITIONS) + events(10, 20)]))
    process = subprocess.Popen([sys.executable, "-c", CRASHES, "image"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (2**28, 2**28)))
    memfd = f"/proc/{process.pid}/fd/{int(process.stdout.readline())}"
    equal(times(fxt("salvage", memfd).out), [10, 20])
    process.communicate()
    cores = glob.glob("core*")
    if not cores:
        print("skipped: this system writes core dumps elsewhere")
        return
    equal(times(fxt("salvage", cores[0]).out), [10, 20])


def test_a_trace_that_breaks_a_rule_is_a_trace():
    for data in (b"", b"1", word(0) * 3, bytes(range(7)), events(1), assemble(GOOD)[1:],
                 word(0x2A) + bytes(8), assemble("magic\n")[::-1]):
        result = fxt("check", data=data)
        assert "looks like" not in result.err, (data, result)


def test_raw_takes_anything_for_a_trace():
    for content in list(NO_TRACES.values()) + [buffer(ONESHOT, [])]:
        listed = fxt("dump", "--asm", "--raw", data=content)
        equal(fxt("asm", data=listed.out).out, content)


def test_a_file_that_cannot_be_read_leaves_the_output_alone():
    write("out.json", b"as before")
    equal(fxt("json", "missing.fxt", "-o", "out.json").code, 3)
    equal(open("out.json", "rb").read(), b"as before")


testing.main(globals())
