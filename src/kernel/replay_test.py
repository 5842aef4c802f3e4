#!/usr/bin/env python3
"""Captures become traces; damaged ones become messages."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import testing
from capture import Capture
from testing import equal, of_kind, rate, records, replay, run, ticks

SECOND = 10 ** 9


def a_bit_of_everything():
    capture = Capture(cpus=2)
    capture.names = {30: "caller"}
    capture.switch(0, 1000, out=("first", 10), into=("second", 20))
    capture.event(0, 2000, "sys_enter", 20, [0])
    capture.waking(1, 3000, 30, ("first", 10))
    capture.event(1, 3500, "irq_handler_entry", 30, [7, "disk"])
    capture.event(1, 3600, "softirq_entry", 30, [4])
    capture.event(1, 3700, "softirq_exit", 30, [4])
    capture.event(1, 4500, "irq_handler_exit", 30, [7, 1])
    capture.event(0, 5000, "sys_exit", 20, [0, 42])
    capture.event(0, 6000, "unheard_of", 20, [1])
    capture.event(1, 7000, "cpu_frequency", 30, [1200000, 1])
    capture.event(0, 8000, "sched_process_fork", 20, ["second", 20, "second", 21])
    capture.event(0, 8100, "task_rename", 21, ["second", "third"])
    capture.event(0, 8200, "sched_process_exit", 21, ["third", 21, 120])
    capture.switch(1, 9000, out=("third", 21), into=("swapper/0", 0), state=0x20, prio=97)
    return capture


def since_first(lines, kind, field="timestamp"):
    """Nanoseconds from the switch, which is first."""
    start = ticks(of_kind(lines, "context_switch")[0])
    return [round((ticks(line, field) - start) * SECOND / rate(lines))
            for line in of_kind(lines, kind)]


def without_times(lines):
    return [" ".join(word for word in line.split() if not word.startswith(("timestamp=", "end=")))
            for line in lines]


def test_every_kind_of_event():
    code, messages, lines = replay(a_bit_of_everything())
    equal((code, messages), (0, ""))
    texts = without_times(lines)
    own = next(line for line in texts if 'name="ktrace_provider"' in line and "koid" in line)
    pid = own.split("koid=")[1].split()[0]
    cpu = pid + "/" + str((1 << 63) + 1)
    equal(of_kind(texts, "context_switch", "thread_wakeup", "event"), [
        "context_switch cpu=0 outgoing_state=blocked outgoing_thread=10 incoming_thread=20 "
        "{incoming_weight: int32 1024, outgoing_weight: int32 1024}",
        "thread_wakeup cpu=0 waking_thread=10 {weight: int32 1024, waker: koid 30}",
        f'event duration_complete thread={cpu} category="kernel:irq" name="BLOCK" '
        "{softirq: int64 4}",
        f'event duration_complete thread={cpu} category="kernel:irq" name="disk" {{irq: int64 7}}',
        'event duration_complete thread=0/20 category="kernel:syscall" name="read" '
        "{number: int64 0, result: int64 42}",
        f'event counter thread={cpu} category="kernel:freq" name="cpu_frequency" id=1 '
        "{kHz: int64 1200000}",
        "context_switch cpu=1 outgoing_state=dead outgoing_thread=21 incoming_thread=0 "
        "{incoming_weight: int32 -2147483648, outgoing_weight: int32 2147483647}"])
    names = [line for line in of_kind(texts, "kernel_object") if "process: koid 0" in line]
    equal(names, [f'kernel_object object_type=thread koid={koid} name="{name}" {{process: koid 0}}'
                  for koid, name in ((10, "first"), (20, "second"), (21, "second"),
                                     (21, "third"))])


def test_a_return_from_a_signal_handler_has_no_number():
    capture = Capture()
    capture.event(0, 1000, "sys_enter", 20, [15])
    capture.event(0, 3000, "sys_exit", 20, [-1, 7])
    _, _, lines = replay(capture, "--categories=kernel:syscall")
    equal([line.split("kernel:syscall")[1] for line in without_times(of_kind(lines, "event"))],
          ['" name="rt_sigreturn" {number: int64 15, result: int64 7}'])


def test_times_keep_their_distances():
    _, _, lines = replay(a_bit_of_everything())
    equal(since_first(lines, "context_switch"), [0, 8000])
    equal(since_first(lines, "thread_wakeup"), [2000])
    equal(since_first(lines, "event"), [2600, 2500, 1000, 6000])
    complete = [line for line in lines if "duration_complete" in line]
    start = ticks(of_kind(lines, "context_switch")[0])
    equal([round((ticks(line, "end") - start) * SECOND / rate(lines)) for line in complete],
          [2700, 3500, 4000])


def test_long_pauses():
    capture = Capture()
    for i, second in enumerate((1, 2, 200, 4000)):
        capture.switch(0, second * SECOND, out=("a", 10 + i), into=("b", 11 + i))
    _, _, lines = replay(capture)
    equal(since_first(lines, "context_switch"), [0, SECOND, 199 * SECOND, 3999 * SECOND])


def test_each_category_alone():
    kinds = {"kernel:sched": {"context_switch", "thread_wakeup"}, "kernel:syscall": {"event"},
             "kernel:irq": {"event"}, "kernel:freq": {"event"}, "kernel:meta": set()}
    for category, expected in kinds.items():
        _, _, lines = replay(a_bit_of_everything(), f"--categories={category}")
        events = of_kind(lines, "context_switch", "thread_wakeup", "event")
        equal({line.split()[0] for line in events}, expected, category)
        assert all(category in line for line in of_kind(lines, "event")), category
        named = any('name="first"' in line for line in lines)
        equal(named, category == "kernel:meta", category)
    _, _, lines = replay(a_bit_of_everything(), "--categories=other")
    equal(of_kind(lines, "context_switch", "thread_wakeup", "event"), [])


def test_processors_are_merged_by_time():
    capture = Capture(cpus=4)
    for i in range(4000):
        capture.switch(i * 7 % 4, 1000 + i * 100, out=("a", 10 + i), into=("b", 14 + i))
    _, _, lines = replay(capture)
    times = [ticks(line) for line in of_kind(lines, "context_switch")]
    equal(len(times), 4000)
    equal(times, sorted(times))


def test_more_than_the_buffer_holds():
    capture = Capture(cpus=1)
    count = 400_000
    for i in range(count):
        capture.switch(0, 1000 + i * 10, out=("a", 10 + i % 2), into=("a", 11 - i % 2))
    code, messages, lines = replay(capture)
    equal((code, messages), (0, ""))
    equal(len(of_kind(lines, "context_switch")), count)
    equal(of_kind(lines, "provider_event"), [])


def test_an_output_that_stands_still_loses_nothing():
    capture = Capture(cpus=1)
    count = 400_000
    for i in range(count):
        capture.switch(0, 1000 + i * 10, out=("a", 10 + i % 2), into=("a", 11 - i % 2))
    os.mkfifo("fifo")
    with subprocess.Popen([testing.PROGRAM, "--replay", testing.write_capture(capture), "--output=fifo"],
                          stderr=subprocess.PIPE) as process, open("fifo", "rb") as fifo:
        time.sleep(4)
        with open("trace.fxt", "wb") as file:
            shutil.copyfileobj(fifo, file)
        equal((process.stderr.read(), process.wait(60)), (b"", 0))
    equal(len(of_kind(records("trace.fxt"), "context_switch")), count)


def test_signals_end_what_waits():
    os.mkfifo("fifo")
    testing.write_capture(a_bit_of_everything())
    equal(run("--replay=fifo", "--output=trace.fxt")[0], 1)
    for args, opened in ((["--replay=capture.dat", "--output=fifo"], False),
                         (["--replay=capture.dat", "--output=fifo"], True)):
        with subprocess.Popen([testing.PROGRAM, *args], stderr=subprocess.PIPE) as process:
            fifo = os.open("fifo", os.O_RDONLY | os.O_NONBLOCK) if opened else None
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            process.wait(20)
            if fifo is not None:
                os.close(fifo)


def test_two_hangups_end_a_trace_as_one_does():
    os.mkfifo("fifo")
    capture = Capture(cpus=1)
    for i in range(400_000):
        capture.switch(0, 1000 + i * 10, out=("a", 10 + i % 2), into=("a", 11 - i % 2))
    with subprocess.Popen([testing.PROGRAM, "--replay", testing.write_capture(capture), "--output=fifo"],
                          stderr=subprocess.PIPE) as process, open("fifo", "rb") as fifo:
        time.sleep(1)
        for _ in range(20):
            process.send_signal(signal.SIGHUP)
            time.sleep(0.02)
        with open("trace.fxt", "wb") as file:
            shutil.copyfileobj(fifo, file)
        equal(process.wait(60), 0)
    assert of_kind(records("trace.fxt", ("MET-04",)), "context_switch")


def test_the_reader_of_captures_has_no_capabilities():
    if os.geteuid() != 0:
        raise testing.Skip("only root has capabilities to give up")
    capture = Capture(cpus=1)
    for i in range(400_000):
        capture.switch(0, 1000 + i * 10, out=("a", 10 + i % 2), into=("a", 11 - i % 2))
    os.mkfifo("fifo")
    os.chmod("fifo", 0o666)
    os.chmod(testing.write_capture(capture), 0o644)
    command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=+dac_read_search",
               "--ambient-caps=+dac_read_search", testing.readable_copy(), "--replay=capture.dat", "--output=fifo"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process, open("fifo", "rb") as fifo:
        deadline = time.monotonic() + 60
        children = []
        while not children and time.monotonic() < deadline:
            time.sleep(0.05)
            with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="utf-8") as file:
                children = file.read().split()
        time.sleep(0.5)
        for who, caps in ((process.pid, 4), (children[0], 0)):
            with open(f"/proc/{who}/status", encoding="utf-8") as file:
                found = {int(line.split()[1], 16) for line in file if line.startswith(("CapEff", "CapPrm", "CapAmb"))}
            equal(found, {caps}, who)
        while fifo.read(1 << 20):
            pass
        equal(process.wait(60), 0)


def test_more_names_than_are_kept_for_good():
    capture = Capture()
    for i in range(60000):
        capture.event(0, 1000 + i * 10, "task_rename", 10 + i, ["", f"name{i}"])
    capture.switch(0, SECOND, out=("a", 1), into=("b", 2))
    code, messages, lines = replay(capture)
    equal((code, messages), (0, ""))
    names = {line.split('name="')[1].split('"')[0] for line in of_kind(lines, "kernel_object")}
    assert {f"name{i}" for i in range(60000)} <= names
    equal(len(of_kind(lines, "context_switch")), 1)


def test_wakeup_is_told_once():
    capture = Capture()
    capture.waking(0, 1000, 30, ("a", 10))
    capture.waking(0, 1100, 0, ("a", 10), name="sched_wakeup")
    capture.waking(0, 1200, 30, ("b", 11), name="sched_wakeup")
    capture.waking(0, 1300, 30, ("c", 12), flags=0x10)
    _, _, lines = replay(capture)
    equal([line.split("waking_thread=")[1] for line in of_kind(lines, "thread_wakeup")],
          ["10 {weight: int32 1024, waker: koid 30}", "11 {weight: int32 1024}",
           "12 {weight: int32 1024}"])


def test_loss_is_told():
    capture = Capture()
    capture.event(0, 1000, "sys_enter", 20, [0])
    capture.lose(0, 5)
    capture.event(0, 3000, "sys_exit", 20, [0, 42])
    code, messages, lines = replay(capture)
    equal((code, messages), (0, "ktrace_provider: 5 events of the kernel were lost\n"))
    equal([line.split("message=")[1] for line in of_kind(lines, "log")],
          ['"5 events of the kernel were lost on CPU 0"'])
    equal(of_kind(lines, "event"), [], "a pair around a loss may be no pair")


def test_event_that_cannot_be_read_counts_as_lost():
    capture = Capture()
    capture.switch(0, 1000, out=("a", 10), into=("b", 20))
    capture.waking(0, 2000, 30, ("c", 11), target=70000)
    code, messages, lines = replay(capture)
    equal((code, messages), (0, "ktrace_provider: 1 events of the kernel were lost\n"))
    equal([line.split("message=")[1] for line in of_kind(lines, "log")],
          ['"1 events of the kernel were lost on CPU 0"'])


def test_text_that_is_none():
    capture = Capture()
    capture.switch(0, 1000, out=("\xff\xfe", 10), into=("", 20))
    capture.event(0, 2000, "irq_handler_entry", 30, [7, "\xff" * 50])
    capture.event(0, 2500, "irq_handler_exit", 30, [7, 1])
    code, _, lines = replay(capture)
    equal(code, 0)
    assert any('name="??"' in line for line in lines)
    assert any('value="' + "?" * 31 + '"' in line for line in lines), lines


def test_duration_and_end_of_capture():
    code, _, _ = replay(a_bit_of_everything(), "--duration=100")
    equal(code, 0)


def expect_failure(*args, says):
    code, out, messages = run(*args)
    equal((code, out), (1, ""), str(args))
    equal(len(messages.splitlines()), 1, messages)
    assert messages.startswith("ktrace_provider: ") and says in messages, messages


def test_files_that_are_no_captures():
    expect_failure("--replay=absent", "--output=t.fxt", says="absent: No such file")
    testing.write_capture(b"", "empty")
    testing.write_capture(b"\x17\x08\x44tracing6\0", "head")
    testing.write_capture(os.urandom(100000), "noise")
    with open("t.fxt", "wb") as file:
        file.write(b"of before")
    for name in ("empty", "noise", "/dev/null", "/"):
        expect_failure(f"--replay={name}", "--output=t.fxt", says=name)
        with open("t.fxt", "rb") as file:
            equal(file.read(), b"of before")
    expect_failure("--replay=head", "--output=t.fxt", says="head")
    records("t.fxt")


def test_output_that_cannot_be_written():
    name = testing.write_capture(a_bit_of_everything())
    expect_failure(f"--replay={name}", "--output=/absent/t.fxt", says="/absent/t.fxt: No such")
    expect_failure(f"--replay={name}", "--output=/dev/full", says="/dev/full: No space")


def test_a_capture_is_not_written_over():
    name = testing.write_capture(a_bit_of_everything())
    os.symlink(name, "symlink")
    os.link(name, "link")
    for output in (name, "./" + name, "symlink", "link"):
        code, out, messages = run(f"--replay={name}", "--output=" + output)
        equal((code, out, messages),
              (2, "", f"ktrace_provider: {output}: --output is the capture of --replay\n"))
        with open(name, "rb") as file:
            assert file.read() == a_bit_of_everything().bytes(), output


def damage(data, dice):
    """One way to damage it; most of a capture is the descriptions, most events are at its end."""
    kind = dice.randrange(5)
    place = dice.choice((dice.randrange(len(data)), dice.randrange(min(8000, len(data))),
                         len(data) - 1 - dice.randrange(min(9000, len(data)))))
    if kind == 0:
        return data[:place]
    if kind == 1:
        return data[:place] + bytes([dice.randrange(256)]) + data[place + 1:]
    if kind == 2:
        return data[:place] + dice.choice((b"\xff", b"\0", b"\x7f")) * 4 + data[place + 4:]
    if kind == 3:
        return data[:place] + dice.randbytes(dice.randrange(1, 64)) + data[place:]
    return data[:place] + data[place + dice.randrange(1, 64):]


def test_damaged_captures():
    dice = random.Random(int(os.environ.get("SEED", "1")))
    whole = a_bit_of_everything().bytes()
    codes = {0: 0, 1: 0}
    for i in range(250):
        name = testing.write_capture(damage(whole, dice))
        code, _, messages = run(f"--replay={name}", "--output=t.fxt")
        assert code in codes, f"{i}: exit {code}: {messages}"
        codes[code] += 1
        if code == 1:
            whys = [line for line in messages.splitlines() if "were lost" not in line]
            equal(len(whys), 1, messages)
            assert name in messages, messages
        records("t.fxt", ("SCH-06", "SCH-07", "SCH-08"))  # damage hits switches, too
    print("     damaged captures:", codes)


def test_capture_that_is_cut_anywhere():
    whole = a_bit_of_everything().bytes()
    head = whole.index(b"flyrecord")
    for size in sorted({*range(len(b"\x17\x08\x44tracing"), head, 311), *range(head, head + 60, 3), len(whole) - 4096}):
        name = testing.write_capture(whole[:size])
        code, _, messages = run(f"--replay={name}", "--output=t.fxt")
        assert code in (0, 1), f"{size}: exit {code}: {messages}"
        records("t.fxt")


testing.main(globals())
