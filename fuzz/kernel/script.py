#!/usr/bin/env python3
"""Makes the seeds of kernel_fuzzer, from the captures of src/kernel/capture.py.

  fuzz/kernel/script.py seeds DIRECTORY

The form of an input is described in kernel_fuzzer.c.
"""
import os
import struct
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
sys.path.insert(0, os.path.join(HERE, "..", "..", "src", "kernel"))
import command  # noqa: E402
from capture import Capture, data_of  # noqa: E402

TRACEPOINTS = ["sched_switch", "sched_waking", "sched_wakeup", "sched_process_fork",
               "sched_process_exit", "task_rename", "sys_enter", "sys_exit", "irq_handler_entry",
               "irq_handler_exit", "softirq_entry", "softirq_exit", "cpu_frequency", "unheard_of"]
NOT_DESCRIBED = 63
PATCH, RAW = 64, 128
ALL, SMALL, CIRCULAR = 31, 32, 64
SWITCH, WAKING, CALL, RETURN, LOST = 1, 2, 6, 7, 13


class Script(Capture):
    """The items of an input, by the calls that make a capture."""

    def __init__(self, options=ALL):
        super().__init__()
        self.out = bytes([options])
        self.last = 0
        self.lost = 0

    def event(self, cpu, ns, name, current, values, flags=0, patch=None):
        self.record(TRACEPOINTS.index(name), cpu, ns, data_of(name, current, flags, values), patch)

    def record(self, tracepoint, cpu, ns, data, patch=None):
        self.out += bytes([tracepoint | (PATCH if patch else 0)])
        if patch:
            self.out += struct.pack("<BiiH", *patch)
        self.out += struct.pack("<BHIB", self.lost, cpu, ns - self.last, len(data)) + data
        self.last, self.lost = ns, 0

    def lose(self, cpu, count):
        self.lost = 1

    def raw(self, kind, ns=0, cpu=0, tid=0, process=0, other=0, prio=120, state=3, number=0,
            result=0):
        data = struct.pack("<QIIIIIiiIqq32s16s", ns, kind, cpu, tid, process, other, prio, 120, state,
                           number, result, b"name", b"other")
        self.out += bytes([RAW, len(data)]) + data


def everything(options=ALL):
    script = Script(options)
    script.switch(0, 1000, out=("first", 10), into=("second", 20))
    script.event(0, 2000, "sys_enter", 20, [0])
    script.waking(1, 3000, 30, ("first", 10))
    script.waking(1, 3100, 0, ("first", 10), name="sched_wakeup")
    script.event(1, 3500, "irq_handler_entry", 30, [7, "disk"])
    script.event(1, 3600, "softirq_entry", 30, [4])
    script.event(1, 3700, "softirq_exit", 30, [4])
    script.event(1, 4500, "irq_handler_exit", 30, [7, 1])
    script.event(0, 5000, "sys_exit", 20, [0, 42])
    script.event(0, 6000, "unheard_of", 20, [1])
    script.event(1, 7000, "cpu_frequency", 30, [1200000, 1])
    script.event(0, 8000, "sched_process_fork", 20, ["second", 20, "second", 21])
    script.event(0, 8100, "task_rename", 21, ["second", "third"])
    script.event(0, 8200, "sched_process_exit", 21, ["third", 21, 120])
    script.switch(1, 9000, out=("third", 21), into=("swapper/0", 0), state=0x20, prio=97)
    return script


def loss():
    script = Script()
    script.event(0, 1000, "sys_enter", 20, [0])
    script.lose(0, 5)
    script.event(0, 3000, "sys_exit", 20, [0, 42])
    script.record(NOT_DESCRIBED, 0, 4000, b"\x63\x00\x00\x00\x0a\x00\x00\x00")
    return script


def damage():
    script = Script()
    for i, patch in enumerate([(8, 2 ** 31 - 1, 4, 4), (8, -4, 4, 4), (5, 24, 3, 4), (5, 24, 2, 4),
                               (4, 8, 1000, 0), (3, 60, 8, 0)]):
        script.event(0, 1000 + i, "sched_switch", 10, ["a", 10, 120, 1, "b", 11, 120], patch=patch)
    script.event(0, 2000, "irq_handler_entry", 10, [-7, "disk"], patch=(5, 12, 4, 16 + 256))
    script.event(0, 2001, "irq_handler_entry", 10, [7, "disk"], patch=(5, 12, 2, 16))
    script.event(0, 2002, "irq_handler_entry", 10, [-7, "disk"], patch=(4, 8, 1, 4))
    script.waking(0, 3000, 30, ("far", 10), target=70000)
    return script


def pipe():
    script = Script()
    script.raw(SWITCH, ns=5, tid=1, other=2)
    script.raw(SWITCH, ns=4, tid=2, other=1, state=1)
    script.raw(CALL, ns=2 ** 63, tid=1, process=9, number=-1)
    script.raw(RETURN, ns=2 ** 64 - 1, tid=1, process=9, number=-1, result=-38)
    script.raw(LOST, cpu=65535, number=2 ** 63 - 1)
    script.raw(LOST, cpu=65536, number=-1)
    script.raw(WAKING, tid=0, cpu=65535)
    script.raw(99)
    return script


def small(options):
    script = Script(options)
    for i in range(30):
        script.event(0, 1000 + i, "task_rename", 10 + i, ["", f"name{i}"])
        script.switch(0, 1000 + i, out=("a", 10 + i), into=("b", 11 + i))
        if i % 10 == 9:
            script.raw(LOST, ns=2000 + i, number=i)
    return script


SEEDS = {"everything": everything(), "sched-only": everything(1), "calls-only": everything(2),
         "loss": loss(), "damage": damage(), "pipe": pipe(), "small": small(ALL | SMALL),
         "small-circular": small(ALL | SMALL | CIRCULAR),
         "circular": everything(ALL | CIRCULAR), "names": everything(16)}


def write_seeds(folder):
    for name, script in SEEDS.items():
        with open(os.path.join(folder, f"kernel-{name}.kernel"), "wb") as file:
            file.write(script.out)


sys.exit(command.run(__doc__, command.one_of(seeds=write_seeds), [2]))
