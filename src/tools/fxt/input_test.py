#!/usr/bin/env python3
"""What fxt reads from: files and things that are none, pipes in all pieces, compressed data."""

import gzip
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
import testing
from testing import EVENT, GOOD, HEAD, assemble, equal, fxt, word, write

RNG = random.Random(7)


def zstd_frame(data):
    """A zstd frame of stored blocks."""
    frame = b"\x28\xb5\x2f\xfd\xa0" + len(data).to_bytes(4, "little")
    blocks = [data[i:i + 65536] for i in range(0, len(data), 65536)] or [b""]
    for i, block in enumerate(blocks):
        last = i == len(blocks) - 1
        frame += (len(block) << 3 | last).to_bytes(3, "little") + block
    return frame


def trickle(args, data, sizes):
    """Runs fxt on a pipe that gets the data in pieces of these sizes."""
    with subprocess.Popen([testing.FXT, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        def feed():
            at = 0
            while at < len(data):
                size = next(sizes)
                try:
                    os.write(process.stdin.fileno(), data[at:at + size])
                except BrokenPipeError:
                    break
                at += size
            process.stdin.close()
        feeder = threading.Thread(target=feed)
        feeder.start()
        out = process.stdout.read()
        err = process.stderr.read()
        feeder.join()
        process.wait()
    return process.returncode, out, err


def random_sizes(largest):
    while True:
        yield RNG.randrange(1, largest + 1)


def ones():
    while True:
        yield 1


def test_what_cannot_be_opened():
    os.mkdir("directory")
    for name, why in (("missing.fxt", "No such file or directory"),
                      ("directory", "Is a directory"),
                      ("missing/file", "No such file or directory")):
        for command in ("check", "dump", "json", "asm", "stat"):
            result = fxt(command, name)
            equal((result.code, result.text), (3, ""), command)
            equal(result.err, f"fxt: {name}: {why}\n", command)
    descriptor = os.open("directory", os.O_RDONLY)
    result = fxt("check", "-", stdin=descriptor)
    os.close(descriptor)
    equal((result.code, result.err), (3, "fxt: <stdin>: Is a directory\n"))


def test_no_permission():
    if os.getuid() == 0:
        print("skipped: root may read everything")
        return
    write("secret.fxt", GOOD)
    os.chmod("secret.fxt", 0)
    result = fxt("check", "secret.fxt")
    equal((result.code, result.err), (3, "fxt: secret.fxt: Permission denied\n"))


def test_closed_stdin():
    script = f'exec "{testing.FXT}" check - <&-'
    result = subprocess.run(["sh", "-c", script], stderr=subprocess.PIPE, check=False)
    equal(result.returncode, 3)
    assert result.stderr.startswith(b"fxt: <stdin>: read error: Bad file descriptor\n"), result


def test_read_error():
    result = fxt("check", "-q", "/proc/self/mem")
    equal((result.code, result.err), (3, "fxt: /proc/self/mem: read error: Input/output error\n"))


def test_empty():
    """A gate must not pass what nobody wrote. A trace without events is another thing."""
    equal(fxt("asm", data=b"").code, 0, "it is text")
    write("empty", b"")
    for command in [*MAKERS, ["check", "no.fxt"], ["check", "--quiet", "no.fxt"], ["dump", "no.fxt"]]:
        is_diff = command[0] == "diff"
        for name, shown in (("empty", "empty"), (os.devnull, os.devnull), ("-", "<stdin>")):
            if command.count("no.fxt") > 1 and name == "-":
                continue
            args = [name if word == "no.fxt" else word for word in command]
            for data in (b"", gzip.compress(b""), zstd_frame(b"")):
                result = fxt(*args, *([] if is_diff else ["-o", "out"]), data=data)
                equal((result.code, result.text, result.err, os.listdir()), (3 if is_diff else 1, "", f"fxt: {shown}: "
                      "no record at all: the input is empty (--allow-empty takes it for a trace)\n", ["empty"]), args)
        args = ["empty" if word == "no.fxt" else word for word in command]
        result = fxt(*args, "--allow-empty", *(["-o", "out"] if command[0] == "export" else []))
        equal(result.code, 1 if command[0] in ("cut", "filter") else 0, (args, result))
        assert "record at all" not in result.err, result
        shutil.rmtree("out", ignore_errors=True)
        write("no.fxt", "magic\n")
        equal("record at all" in fxt(*command, "-o", "out").err, False, command)
        for name in set(os.listdir()) - {"empty"}:
            shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)
    equal(fxt("check", "-q", data=assemble("magic\n")).code, 0)


MAKERS = (["cut", "-f1", "no.fxt"], ["diff", "no.fxt", "no.fxt"], ["export", "no.fxt"], ["filter", "-nx", "no.fxt"],
          ["fmt", "no.fxt"], ["html", "no.fxt"], ["json", "no.fxt"], ["merge", "no.fxt", "no.fxt"],
          ["report", "no.fxt"], ["sql", "no.fxt", "select 1"], ["stat", "no.fxt"])


def test_bytes_that_are_no_trace_make_nothing():
    inputs = [random.Random(seed).randbytes(size) for seed, size in enumerate((5, 8, 4096, 4096, 4096, 100000))]
    inputs += [assemble("magic\n")[::-1] + bytes(8), bytes(4096), word(0x2E) + word(7), word(0x14),
               word(0xF | 1 << 34) + bytes(64)]
    for data in inputs:
        write("no.fxt", data)
        for command in MAKERS:
            is_diff = command[0] == "diff"
            result = fxt(*command, *([] if is_diff else ["-o", "out"]))
            equal((result.code, result.text), (3 if is_diff else 1, ""), (command, data[:16]))
            assert result.err.startswith("fxt: no.fxt: not an FXT trace: it begins with no record "), (command, result)
            equal((result.err.count("\n"), os.listdir()), (1, ["no.fxt"]), command)
        for command in ("check", "dump"):  # which show what is wrong
            result = fxt(command, "no.fxt")
            assert result.code in (0, 1) and "not an FXT trace" not in result.err, (command, result)


def test_every_command_tells_every_kind_of_damage():
    """One rule: what cannot be decoded gives exit code 1 and is told."""
    event = assemble(HEAD + EVENT % 40)[len(assemble(HEAD)):]
    good = assemble(GOOD)
    damage = {
        "a zero word at the end": good + word(0),
        "a zero word inside": good + word(0) + event,
        "zero words at the end": good + word(0) * 512,
        "zero words inside": good + word(0) * 512 + event,
        "a record of no size": good + word(4) + event,
        "a cut record": good + event[:-8],
        "a cut word": good + event[:-3],
        "less than a word": good + b"\1",
        "an event that its fields exceed": good + word(0x24) + word(7) + event,
        "a cut large record": good + word(0xF | 99 << 4),
        "another byte order": good + event[::-1],
    }
    commands = [*MAKERS, ["cut", "-f0", "no.fxt"], ["filter", "-v", "-nx", "no.fxt"], ["check", "no.fxt"],
                *(["dump", *option, "no.fxt"] for option in ([], ["--events"], ["--asm"], ["--json"])),
                *(["report", option, "no.fxt"] for option in ("--json", "--csv", "--folded", "--flamegraph")),
                ["sql", "--save=db", "no.fxt"], ["stat", "--json", "no.fxt"]]
    for kind, data in damage.items():
        write("no.fxt", data)
        write("good.fxt", good)
        for command in commands:
            args = [*command, "-o", "out"] if command[0] == "export" else command
            if command[0] in ("merge", "diff"):
                args = [command[0], "no.fxt", "good.fxt"]
            result = fxt(*args)
            equal(result.code, 1, (kind, args, result))
            is_shown = command[0] in ("check", "dump", "stat")  # in its place
            assert is_shown or re.search("malformed|cannot be decoded", result.err), (kind, args, result)
        os.remove("db")
        write("no.fxt", good)
    for command in commands:
        args = [*command, "-o", "out"] if command[0] == "export" else command
        equal(fxt(*args).code, command[:2] == ["filter", "-nx"], ("undamaged", args))


def test_a_trace_without_the_magic_number_is_one():
    """So are bytes that somebody says are one."""
    bare = assemble(GOOD)[8:]
    large = ('large_blob blob_format=1 category="" name="" payload=x"%s"\n' % ("17" * 300000))
    for data in (bare, bytes(16) + bare, assemble(large) + bare, assemble(GOOD) + word(0x14), assemble("magic\n")):
        for command in ("fmt", "html", "json", "report", "stat"):
            for result in (fxt(command, data=data), trickle([command], data, random_sizes(70000))):
                result = result if isinstance(result, tuple) else (result.code, result.out, result.err.encode())
                assert result[0] in (0, 1) and b"not an FXT trace" not in result[2], (command, data[:16], result)
    counted = json.loads(fxt("stat", "--json", "--raw", data=word(0x14) + assemble(GOOD)).text)
    equal((counted["malformed"], counted["events"]["instant"]), (1, 1))


def test_stdin_is_the_default():
    trace = assemble(GOOD)
    write("t.fxt", trace)
    equal(fxt("dump", data=trace).text, fxt("dump", "t.fxt").text)
    equal(fxt("dump", "-", data=trace).text, fxt("dump", "t.fxt").text)
    # a name that looks like an option
    write("-q", trace)
    equal(fxt("dump", "--", "-q").text, fxt("dump", "t.fxt").text)


def test_no_file_at_a_terminal():
    master, slave = os.openpty()
    result = fxt("check", stdin=slave)
    os.close(master)
    os.close(slave)
    equal(result.code, 2)
    assert "no file given" in result.err, result


def test_a_trace_does_not_go_to_a_terminal():
    write("t.fxt", assemble(GOOD))
    write("t.asm", GOOD)
    master, slave = os.openpty()
    for args in (["asm", "t.asm"], ["cut", "--from=0", "t.fxt"], ["filter", "--kind=log", "t.fxt"],
                 ["fmt", "t.fxt"], ["merge", "t.fxt", "t.fxt"], ["salvage", "t.fxt"], ["fmt", "-o-", "t.fxt"]):
        done = subprocess.run([testing.FXT, *args], stdout=slave, stderr=subprocess.PIPE, check=False)
        equal(done.returncode, 3, args)
        assert b"stdout is a terminal" in done.stderr, done
    os.close(master)
    os.close(slave)


def test_fifo():
    os.mkfifo("fifo")
    trace = assemble(GOOD)
    feeder = threading.Thread(target=lambda: open("fifo", "wb").write(trace))
    feeder.start()
    result = fxt("dump", "fifo")
    feeder.join()
    equal((result.code, result.text), (0, fxt("dump", data=trace).text))


def test_gzip():
    trace = assemble(GOOD)
    plain = fxt("dump", data=trace).text
    for data in (gzip.compress(trace), gzip.compress(trace, 0),
                 gzip.compress(trace[:50]) + gzip.compress(trace[50:]),
                 gzip.compress(b"") + gzip.compress(trace) + gzip.compress(b""),
                 gzip.compress(trace) + bytes(1000)):
        write("name-says-nothing.fxt", data)
        for result in (fxt("dump", "name-says-nothing.fxt"), fxt("dump", data=data)):
            equal((result.code, result.text, result.err), (0, plain, ""))
    equal(trickle(["dump"], gzip.compress(trace) * 2, ones())[:2],
          (0, fxt("dump", data=trace * 2).out))
    equal(fxt("asm", data=gzip.compress(GOOD.encode())).out, trace)


def test_zstd():
    trace = assemble(GOOD)
    plain = fxt("dump", data=trace).text
    skippable = b"\x5a\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"12345"
    for data in (zstd_frame(trace), zstd_frame(trace[:50]) + zstd_frame(trace[50:]),
                 skippable + zstd_frame(trace), zstd_frame(trace) + skippable,
                 zstd_frame(b"") + zstd_frame(trace)):
        for result in (fxt("dump", write("t", data)), fxt("dump", data=data)):
            equal((result.code, result.text, result.err), (0, plain, ""))
    equal(trickle(["dump"], zstd_frame(trace) * 2, ones())[:2],
          (0, fxt("dump", data=trace * 2).out))


def test_large_compressed():
    trace = assemble(HEAD + "".join(EVENT % i for i in range(50000)))
    for data in (gzip.compress(trace), zstd_frame(trace), trace):
        equal(fxt("dump", "--asm", data=data).out.count(b"event instant"), 50000)


def test_damaged_compressed():
    trace = assemble(HEAD + "".join(EVENT % RNG.randrange(1 << 60) for i in range(3000)))
    packed = gzip.compress(trace)
    damaged = bytearray(packed)
    damaged[len(packed) // 2] ^= 0xff
    checksum = bytearray(packed)
    checksum[-6] ^= 1
    frame = zstd_frame(trace)
    cases = [(packed[:len(packed) // 2], "gzip input: unexpected end of file"),
             (packed[:-1], "gzip input: unexpected end of file"),
             (bytes(damaged), "gzip input: "),
             (bytes(checksum), "gzip input: incorrect data check"),
             (packed + b"garbage", "gzip input: the compressed data is followed by something else"),
             (frame[:len(frame) // 2], "zstd input: unexpected end of file"),
             (frame + b"garbage!", "zstd input: ")]
    for data, why in cases:
        for command in ("check", "dump", "json", "stat"):
            result = fxt(command, data=data)
            equal(result.code, 3, (command, why))
            assert f"fxt: <stdin>: {why}" in result.err, result
            equal(command == "check", "(not all of the input)" in result.err)
            equal(result.err.count("fxt: ") - result.err.count("fxt: <stdout>: the output is incomplete"), 1)
    # Of which not a byte can be read, is a file that cannot be read.
    write("out", b"as before")
    write("good.fxt", GOOD)
    for data in (packed[:12], frame[:5]):
        write("none", data)
        for command in ("check", "dump", "json", "html", "stat", "fmt", "merge", "cut", "report"):
            result = fxt(command, "none", "-o", "out")
            equal((result.code, result.err.count("\n"), open("out", "rb").read()), (3, 1, b"as before"), result)
        equal(fxt("diff", "none", "good.fxt", "-o", "out").code, 3)
    equal(open("out", "rb").read(), b"as before")
    for name in ("out", "none", "good.fxt"):
        os.remove(name)
    # What came before is used, up to the very end.
    equal(fxt("dump", data=bytes(checksum)).text, fxt("dump", data=trace).text)
    assert fxt("dump", data=packed[:len(packed) // 2]).text.count("event instant") > 500
    json.loads(fxt("json", data=packed[:len(packed) // 2]).text)
    # A source that was cut off makes no trace.
    source = gzip.compress(GOOD.encode())
    equal(fxt("asm", "-o", "out", data=source[:-4]).code, 3)
    equal(os.listdir(), [])


def test_raw():
    trace = gzip.compress(assemble(GOOD))
    equal(fxt("asm", data=fxt("dump", "--asm", "--raw", data=trace).out).out, trace)
    equal(fxt("check", "-q", "--raw", data=trace).code, 1)


def test_pieces():
    """Wherever a pipe cuts the trace, the output is that of the file."""
    trace = bytearray(assemble(GOOD + 'string index=3 value="%s"\n' % ("x" * 999) +
                               'large_blob blob_format=1 category=@1 name=@2 payload=x"%s"\n'
                               % ("17" * 3000)))
    trace += bytes(8) + bytes(trace) + b"\x14" + bytes(7) + bytes(trace)[:-5]
    write("t.fxt", bytes(trace))
    for args in (["check"], ["dump"], ["dump", "--json"], ["dump", "--asm"], ["json"],
                 ["stat", "--json"]):
        expected = fxt(*args, data=bytes(trace))
        for sizes in (ones(), random_sizes(3), random_sizes(17), random_sizes(5000)):
            code, out, _ = trickle(args, bytes(trace), sizes)
            equal((code, out), (expected.code, expected.out), args)


def large_blob(size):
    text = 'large_blob blob_format=1 category="" name="" payload=x"%s"\n'
    return assemble(text % RNG.randbytes(size).hex())


def test_records_larger_than_the_buffer():
    trace = assemble(HEAD) + large_blob(300_000) + assemble(EVENT % 1) + large_blob(2_000_000) + \
        assemble(EVENT % 2)
    equal(fxt("check", "-smalformed", data=trace).code, 0)
    equal(fxt("asm", data=fxt("dump", "--asm", data=trace).out).out, trace)
    equal(trickle(["dump", "--json"], trace, random_sizes(70000))[1],
          fxt("dump", "--json", data=trace).out)


def test_records_larger_than_the_limit():
    blob = large_blob(300_000)
    trace = assemble(HEAD) + blob + assemble(EVENT % 1)
    options = ["--max-record=256K"]
    result = fxt("check", *options, data=trace)
    equal(result.code, 1)
    equal([line.split(": ")[:3] for line in result.lines()],
          [["<stdin>:0x50", "suspicious", "LIM-02"]])
    assert "in 6 records" in result.err, result
    # The header tells that edition 2020 has no such record.
    result = fxt("check", "--edition=2020", *options, data=trace)
    equal([line.split(": ")[:3] for line in result.lines()],
          [["<stdin>:0x50", "suspicious", "LIM-02"], ["<stdin>:0x50", "nonconforming", "EDN-01"]])
    equal(fxt("check", "-q", "-snonconforming", *options, data=trace).code, 0)
    equal(fxt("check", "-q", "-snonconforming", "--edition=2020", *options, data=trace).code, 1)
    result = fxt("dump", *options, data=trace)
    equal(result.code, 1)
    assert "LIM-02" in result.lines()[5] and "event instant" in result.lines()[6], result
    stat = json.loads(fxt("stat", "-j", *options, data=trace).text)
    equal((stat["passed_over"], stat["events"]["instant"], stat["bytes"]), (1, 1, len(trace)))
    result = fxt("json", *options, data=trace)
    assert result.code == 1 and "LIM-02" in result.err and json.loads(result.text), result
    # The limit itself is still kept; one word less is not.
    exact = assemble(HEAD) + large_blob(8 * 40000)
    size = 8 * 40000 + 8 * 3
    equal(len(exact) - len(assemble(HEAD)), size)
    equal(fxt("check", f"--max-record={size}", data=exact).code, 0)
    equal(fxt("check", f"--max-record={size - 1}", data=exact).code, 1)
    # All its bytes come back from the assembler source, in whatever pieces they came.
    for data in (trace, trace[:-30], trace[:-3], trace[:len(trace) // 2 + 3]):
        for text in (fxt("dump", "--asm", *options, data=data).out,
                     trickle(["dump", "--asm", *options], data, random_sizes(3001))[1]):
            assert b"u64 0x" in text
            equal(fxt("asm", data=text).out == data, True)


def test_source_of_records_over_the_limit_does_not_depend_on_the_pieces_of_the_input():
    blob = large_blob(300_000) + assemble('large_blob blob_format=1 category="" name="" '
                                          'payload="%s"\n' % ("text " * 60_000))
    trace = assemble(HEAD) + blob + blob + assemble(EVENT % 1) + blob
    command = ["dump", "--asm", "--max-record=256K"]
    for data in (trace, trace[:-3], trace + bytes([1]) + bytes(7) + blob):
        text = fxt(*command, data=data).out
        equal(trickle(command, data, random_sizes(3001))[1] == text, True)
        equal(trickle(command, data, random_sizes(70000))[1] == text, True)
        equal(fxt("asm", data=text).out == data, True)
        assert b"\nevent " in text or b"\ninstant" in text, text[:300]


def test_a_size_over_the_limit_that_the_file_does_not_hold_is_a_cut_record():
    data = assemble("magic\n") + word(15 + 16 * 0xffffffff) + word(0)
    for limit in ("32K", "64M"):
        result = fxt("check", "--max-record=" + limit, data=data)
        equal([line.split(": ")[:3] for line in result.lines()],
              [["<stdin>:0x8", "malformed", "REC-03"]])


def test_more_providers_than_tables():
    trace = assemble("magic\n" + "".join(f'provider_info provider_id={i} name="p"\n'
                                         for i in range(300)))
    result = fxt("check", data=trace)
    equal((result.code, [line.split(": ")[2] for line in result.lines()]), (1, ["LIM-01"]))
    for command in ("dump", "json"):
        result = fxt(command, data=trace)
        equal((result.code, result.err.count("than the tables hold")), (1, 1))


def test_more_strings_than_memory():
    def string(index):
        return (2 | 4001 << 4 | index << 16 | 32000 << 32).to_bytes(8, "little") + b"x" * 32000
    trace = assemble("magic\n") + b"".join(string(i) for i in range(1, 2200))
    result = fxt("check", data=trace)
    equal((result.code, [line.split(": ")[2] for line in result.lines()]), (1, ["LIM-01"]))
    equal(fxt("check", data=trace[:2000 * 32008]).code, 1, "cut")
    equal(fxt("check", data=trace[:8 + 2000 * 32008]).code, 0)


def test_a_claimed_size_costs_no_memory():
    header = (0xf | (0xffffffff << 4)).to_bytes(8, "little")
    result = fxt("check", "--max-record=32G", data=assemble(HEAD) + header)
    equal(result.code, 1)
    assert "REC-03" in result.text or "LIM-02" in result.text, result


def test_memory_does_not_grow_with_the_file():
    piece = assemble("".join(EVENT % i for i in range(10000)))

    def peak(count):
        code = ("import resource, subprocess, sys\n"
                "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL,"
                " stderr=subprocess.DEVNULL)\n"
                "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
        with open("t.fxt", "wb") as file:
            file.write(assemble(HEAD) + piece * count)
        out = subprocess.run([sys.executable, "-c", code, testing.FXT, *args, "t.fxt"],
                             stdout=subprocess.PIPE, check=True).stdout
        return int(out)
    for args in (["check"], ["dump", "--json"], ["dump", "--events"], ["stat"]):
        small, large = peak(4), peak(200)  # 1 MB, 48 MB
        assert large < small + 4096, (args, small, large)


@testing.not_under("asan", "tsan")
def test_a_small_file_touches_little_memory():
    """The tables of the tool are large; a small file needs few of their pages."""
    with open("t.fxt", "wb") as file:
        file.write(assemble(HEAD + EVENT % 1))
    for args in (["check"], ["dump"], ["json"], ["stat"]):
        code = ("import resource, subprocess, sys\n"
                "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)\n"
                "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt)")
        out = subprocess.run([sys.executable, "-c", code, testing.FXT, *args, "t.fxt"],
                             stdout=subprocess.PIPE, check=True).stdout
        assert int(out) < 2000, (args, int(out))


def test_progress():
    """After a second a line on the terminal, gone at the end."""
    def run(seconds):
        begin = time.monotonic()
        master, slave = os.openpty()
        with subprocess.Popen([testing.FXT, "check", "-q", "-"], stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL, stderr=slave) as process:
            os.close(slave)
            for _ in range(int(seconds * 10)):
                process.stdin.write(piece)
                process.stdin.flush()
                threading.Event().wait(0.1)
            process.stdin.close()
            process.wait()
        shown = b""
        try:
            while chunk := os.read(master, 4096):
                shown += chunk
        except OSError:
            pass
        os.close(master)
        return shown, time.monotonic() - begin
    piece = assemble(EVENT % 1)
    shown, took = run(0.3)
    assert shown == b"" or took > 1, (shown, took)  # a busy machine may take a second
    shown, _ = run(1.5)
    assert b"<stdin>: 0.0 MB, " in shown and shown.endswith(b"\r\x1b[K"), shown


@testing.not_under("asan", "tsan")
def test_too_little_memory():
    write("trace.fxt", assemble(GOOD))
    def few():
        resource.setrlimit(resource.RLIMIT_AS, (100 << 20, 100 << 20))
    write("kept", b"as it was")
    for command in ("check", "dump", "json", "report", "fmt", "html", "sql", "cut"):
        more = ("-o", "kept") + (("select 1",) if command == "sql" else ())
        result = fxt(command, "trace.fxt", *more, preexec_fn=few)
        with open("kept", "rb") as file:
            equal((result.code, file.read()), (3, b"as it was"), command)
        equal(sorted(os.listdir(".")), ["kept", "trace.fxt"])
    for command in ("check", "dump", "json", "report", "fmt"):
        result = fxt(command, "trace.fxt", preexec_fn=few)
        equal((result.code, result.out), (3, b""))
        assert re.fullmatch(r"fxt: cannot map \d+ MiB of memory, most of which is never used: "
                            r"Cannot allocate memory; raise ulimit -v\n", result.err), result


testing.main(globals())
