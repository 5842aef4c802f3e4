"""Makes captures as trace-cmd does (version 6 of its format), for tests.

    capture = Capture(cpus=2)
    capture.switch(0, 1000, out=("a", 10), into=("b", 20), state=1)
    data = capture.bytes()

Times are nanoseconds; those of one processor must not run backwards. Everything is little endian.
"""

import struct

PAGE = 4096
FIELDS = {"u8": ("unsigned char", 1, 0), "u16": ("unsigned short", 2, 0),
          "u32": ("unsigned int", 4, 0), "s32": ("int", 4, 1), "s64": ("long", 8, 1),
          "comm": ("char", 16, 0), "text": ("__data_loc char[]", 4, 0)}
COMMON = [("u16", "common_type"), ("u8", "common_flags"), ("u8", "common_preempt_count"),
          ("s32", "common_pid")]
EVENTS = {
    "sched_switch": ("sched", [("comm", "prev_comm"), ("s32", "prev_pid"), ("s32", "prev_prio"),
                               ("s64", "prev_state"), ("comm", "next_comm"), ("s32", "next_pid"),
                               ("s32", "next_prio")]),
    "sched_waking": ("sched", [("comm", "comm"), ("s32", "pid"), ("s32", "prio"),
                               ("s32", "target_cpu")]),
    "sched_wakeup": ("sched", [("comm", "comm"), ("s32", "pid"), ("s32", "prio"),
                               ("s32", "target_cpu")]),
    "sched_process_fork": ("sched", [("text", "parent_comm"), ("s32", "parent_pid"),
                                     ("text", "child_comm"), ("s32", "child_pid")]),
    "sched_process_exit": ("sched", [("comm", "comm"), ("s32", "pid"), ("s32", "prio")]),
    "task_rename": ("task", [("comm", "oldcomm"), ("comm", "newcomm")]),
    "sys_enter": ("raw_syscalls", [("s64", "id")]),
    "sys_exit": ("raw_syscalls", [("s64", "id"), ("s64", "ret")]),
    "irq_handler_entry": ("irq", [("s32", "irq"), ("text", "name")]),
    "irq_handler_exit": ("irq", [("s32", "irq"), ("s32", "ret")]),
    "softirq_entry": ("irq", [("u32", "vec")]),
    "softirq_exit": ("irq", [("u32", "vec")]),
    "cpu_frequency": ("power", [("u32", "state"), ("u32", "cpu_id")]),
    "unheard_of": ("other", [("u32", "what")]),
}
IDS = {name: 300 + i for i, name in enumerate(EVENTS)}
HEADER_PAGE = """\
\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;
\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;
\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;
\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;
"""
HEADER_EVENT = """\
# compressed entry header
\ttype_len    :    5 bits
\ttime_delta  :   27 bits
\tarray       :   32 bits

\tpadding     : type == 29
\ttime_extend : type == 30
\ttime_stamp : type == 31
\tdata max type_len  == 28
"""


def format_of(name):
    """The description of an event, as the kernel gives it."""
    lines, at = [], 0
    for kind, field in COMMON + EVENTS[name][1]:
        ctype, size, signed = FIELDS[kind]
        at = (at + min(size, 8) - 1) // min(size, 8) * min(size, 8) if kind != "comm" else at
        array = "[16]" if kind == "comm" else ""
        lines.append(f"\tfield:{ctype} {field}{array};\toffset:{at};\tsize:{size};"
                     f"\tsigned:{signed};\n")
        at += size
        if field == "common_pid":
            lines.append("\n")
    return f'name: {name}\nID: {IDS[name]}\nformat:\n{"".join(lines)}\nprint fmt: "x"\n'


def data_of(name, current, flags, values):
    """The data of one event."""
    out, tail, places = b"", b"", []
    values = [IDS[name], flags, 0, current] + values
    for (kind, _), value in zip(COMMON + EVENTS[name][1], values):
        size = FIELDS[kind][1]
        if kind == "comm":
            out += value.encode("latin1").ljust(16, b"\0")[:16]
            continue
        out += b"\0" * (-len(out) % size)
        if kind == "text":
            text = value.encode("latin1") + b"\0"
            places.append((len(out), len(tail), len(text)))
            tail += text
            value = 0
        out += (value % (1 << 8 * size)).to_bytes(size, "little")
    for at, begin, length in places:
        out = out[:at] + struct.pack("<I", length << 16 | len(out) + begin) + out[at + 4:]
    return out + tail


class Ring:
    """What one processor has recorded."""

    def __init__(self):
        self.pages = []
        self.page = b""
        self.start = self.last = 0

    def close_page(self, missed=0):
        """missed: events that were lost after this page."""
        if self.page:
            commit = len(self.page)
            self.pages.append((self.start, commit, self.page, missed))
        self.page = b""

    def add(self, ns, data):
        data += b"\0" * (-len(data) % 4)
        if len(self.page) + len(data) + 16 > PAGE - 16 - 8:
            self.close_page()
        if not self.page:
            self.start = self.last = ns
        delta = ns - self.last
        assert delta >= 0, "times run backwards"
        if delta >= 1 << 27:
            self.page += struct.pack("<II", 30 | (delta & (1 << 27) - 1) << 5, delta >> 27)
            delta = 0
        if len(data) <= 28 * 4:
            self.page += struct.pack("<I", len(data) // 4 | delta << 5) + data
        else:
            self.page += struct.pack("<II", delta << 5, len(data) + 4) + data
        self.last = ns

    def bytes(self):
        self.close_page()
        out, missed_before = [], 0
        for start, commit, page, missed in self.pages:
            flags = 0
            if missed_before:
                flags = 1 << 31 | 1 << 30
                page += struct.pack("<Q", missed_before)
            out.append((struct.pack("<QQ", start, commit | flags) + page).ljust(PAGE, b"\0"))
            missed_before = missed
        return b"".join(out)


class Capture:
    """A capture in the making."""

    def __init__(self, cpus=1):
        self.rings = [Ring() for _ in range(cpus)]
        self.names = {}

    def event(self, cpu, ns, name, current, values, flags=0):
        self.rings[cpu].add(ns, data_of(name, current, flags, values))

    def switch(self, cpu, ns, out, into, state=1, prio=120):
        self.event(cpu, ns, "sched_switch", out[1],
                   [out[0], out[1], prio, state, into[0], into[1], prio])

    def waking(self, cpu, ns, waker, who, target=0, flags=0, name="sched_waking"):
        self.event(cpu, ns, name, waker, [who[0], who[1], 120, target], flags)

    def lose(self, cpu, count):
        """Events are lost between the last one and the next."""
        self.rings[cpu].close_page(count)

    def bytes(self):
        systems = {}
        for name, (system, _) in EVENTS.items():
            systems.setdefault(system, []).append(name)
        out = b"\x17\x08\x44tracing6\0" + struct.pack("<BBI", 0, 8, PAGE)
        for title, text in (("header_page", HEADER_PAGE), ("header_event", HEADER_EVENT)):
            out += title.encode() + b"\0" + struct.pack("<Q", len(text)) + text.encode()
        out += struct.pack("<I", 0)
        out += struct.pack("<I", len(systems))
        for system, names in systems.items():
            out += system.encode() + b"\0" + struct.pack("<I", len(names))
            for name in names:
                text = format_of(name).encode()
                out += struct.pack("<Q", len(text)) + text
        out += struct.pack("<II", 0, 0)
        lines = "".join(f"{tid} {name}\n" for tid, name in self.names.items()).encode()
        out += struct.pack("<Q", len(lines)) + lines
        out += struct.pack("<I", len(self.rings)) + b"flyrecord\0"
        rings = [ring.bytes() for ring in self.rings]
        at = len(out) + 16 * len(rings)
        pad = -at % PAGE
        at += pad
        for ring in rings:
            out += struct.pack("<QQ", at, len(ring))
            at += len(ring)
        return out + b"\0" * pad + b"".join(rings)
