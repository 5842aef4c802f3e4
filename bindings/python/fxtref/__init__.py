"""FXT traces: read, check and write them through libfxtref.

    import fxtref

    for event in fxtref.Reader(open("trace.fxt", "rb").read()):
        print(event.ns, event.category, event.name, event.args)

The whole C interface is in `fxtref.lib` and `fxtref.abi`.
"""
import mmap
from contextlib import suppress
from ctypes import POINTER, c_uint8, c_uint32, cast, sizeof
from dataclasses import dataclass, field
from operator import index
from threading import Lock
from typing import Dict, Iterator, List, Optional, Union

from . import abi
from .library import lib

__all__ = ["Event", "Error", "Finding", "Reader", "Writer", "check", "lib", "abi"]

EVENT_TYPES = ("instant", "counter", "duration_begin", "duration_end", "duration_complete",
               "async_begin", "async_instant", "async_end", "flow_begin", "flow_step", "flow_end")
SCOPES = ("thread", "process", "global")
EDITIONS = {"2020": abi.FXT_EDITION_2020, "current": abi.FXT_EDITION_CURRENT}
PROVIDERS = 256  # whose tables are kept, as fxt does; one more takes the place of the last
MAP_NORESERVE = 0x4000  # of Linux; not in the mmap of every Python
Value = Union[None, bool, int, float, str, bytes]


@dataclass
class Event:
    """An event with its references resolved. What is not registered in the trace is None."""
    type: str
    ticks: int
    ns: int = 0
    provider: int = 0
    process: Optional[int] = None
    thread: Optional[int] = None
    category: Optional[str] = None
    name: Optional[str] = None
    id: int = 0  # of counter, async and flow events
    end_ticks: int = 0  # of duration_complete
    end_ns: int = 0
    scope: str = "thread"  # of instant events
    args: Dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Error:
    """Where a trace breaks which rule of spec/format.md."""
    offset: int
    rule: str
    title: str


@dataclass(frozen=True)
class Finding(Error):
    severity: str
    number: int


def _error(kind, offset, rule, *more):
    return kind(offset, lib.fxt_rule_id(rule).decode(), lib.fxt_rule_title(rule).decode(), *more)


def _bytes(data):
    """(what keeps the bytes alive, pointer, size); a TypeError for what is not bytes, such as a path"""
    data = data if type(data) is bytes else bytes(memoryview(data))
    return data, cast(data, POINTER(c_uint8)), len(data)


def _number(value, what, least=0):
    """The value, which ctypes would cut to 64 bits without a word."""
    try:
        value = index(value)
    except TypeError:
        raise TypeError("%s is %r, which is no int" % (what, value)) from None
    if not least <= value < 1 << 64:
        raise ValueError("%s is %d, which no 64 bits hold" % (what, value))
    return value


def _short(data, what):
    if len(data) > abi.FXT_STRING_LENGTH_MAX:
        raise ValueError("%s has %d bytes, of at most %d" % (what, len(data), abi.FXT_STRING_LENGTH_MAX))
    return data


def _one_of(names, name, what):
    if name not in names:
        raise ValueError("%s %r is none of %s" % (what, name, ", ".join(names)))
    return names.index(name)


def _or(value, default):
    return default if value is None else value


def _zeros(kind, count):
    """An array of zeros that takes memory only for the pages that are used. ctypes would write them all."""
    pages = mmap.mmap(-1, count * sizeof(kind),
                      flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_NORESERVE)
    with suppress(OSError):  # Entries are far apart: each would take a huge page, if the kernel has them.
        pages.madvise(mmap.MADV_NOHUGEPAGE)
    return (kind * count).from_buffer(pages)


def _tables_memory(size):
    """Room for all that a trace of that size registers. A string record of 16 bytes takes 24 in the arena,
    and longer ones take less than that in proportion."""
    arena, providers = max(65536, min(size + size // 2, 0xffffffff)), min(PROVIDERS, 1 + size // 8)
    return abi.fxt_tables_memory(_zeros(abi.fxt_provider, providers), _zeros(c_uint32, providers), None,
                                 _zeros(c_uint8, arena), providers, 0, arena, 1)


class Reader:
    """Iterates over the events of a trace. Events, definitions and objects that cannot be decoded are
    skipped and counted, and so are events of unknown types; other records are passed over. An argument of an
    unknown type, or with a name that is not registered, is left out. `error` tells where a trace ends early. The tables of 256 providers are kept, one of which is provider 0. If a
    trace has more, a record that begins a provider without a place is counted, too."""

    def __init__(self, data):
        self._data, pointer, size = _bytes(data)
        self._reader, self._tables = abi.fxt_reader(), abi.fxt_tables()
        self._memory = _tables_memory(size)
        self.skipped = 0  # events, definitions and objects that could not be decoded, or registered for lack of room
        self.error: Optional[Error] = None
        lib.fxt_reader_init(self._reader, pointer, size)
        lib.fxt_tables_init(self._tables, self._memory)

    def __iter__(self) -> Iterator[Event]:
        record, error, event = abi.fxt_record(), abi.fxt_error(), abi.fxt_event()
        args = (abi.fxt_arg * abi.FXT_ARGS_MAX)()
        while True:
            status = lib.fxt_reader_next(self._reader, record, error)
            if status == abi.FXT_ZERO_WORD:
                continue
            if status != abi.FXT_OK:
                if status != abi.FXT_END:
                    self.error = _error(Error, error.offset, error.rule)
                return
            if record.type != abi.FXT_RECORD_EVENT:
                self.skipped += lib.fxt_tables_apply(self._tables, record, error) != abi.FXT_OK
            elif lib.fxt_read_event_args(record, event, args, error) != abi.FXT_OK:
                self.skipped += 1
            elif event.event_type < len(EVENT_TYPES):
                yield self._event(event, args)
            else:
                self.skipped += 1

    def _text(self, ref) -> Optional[str]:
        text = abi.fxt_bytes()
        if not lib.fxt_tables_string(self._tables, text, ref):
            return None
        return bytes(text.bytes[:text.size]).decode("utf-8", "replace") if text.size else ""

    def _value(self, arg) -> Value:
        if arg.type in (abi.FXT_ARG_INT32, abi.FXT_ARG_INT64):
            return lib.fxt_arg_int64(arg)
        if arg.type == abi.FXT_ARG_DOUBLE:
            return lib.fxt_arg_double(arg)
        if arg.type == abi.FXT_ARG_STRING:
            return self._text(arg.text)
        if arg.type == abi.FXT_ARG_BLOB:
            return bytes(arg.blob.bytes[:arg.blob.size])
        if arg.type == abi.FXT_ARG_BOOL:
            return bool(arg.value)
        return None if arg.type == abi.FXT_ARG_NULL else arg.value

    def _event(self, event, args) -> Event:
        rate = lib.fxt_tables_provider(self._tables).contents.ticks_per_second
        kind, koids = EVENT_TYPES[event.event_type], abi.fxt_thread_ref()
        out = Event(kind, event.timestamp, lib.fxt_ticks_to_ns(event.timestamp, rate),
                    provider=lib.fxt_tables_provider(self._tables).contents.id,
                    category=self._text(event.category), name=self._text(event.name))
        if lib.fxt_tables_thread(self._tables, koids, event.thread):
            out.process, out.thread = koids.process, koids.thread
        if kind == "instant":
            out.scope = SCOPES[event.scope] if event.scope < len(SCOPES) else "thread"
        elif kind == "duration_complete":
            out.end_ticks, out.end_ns = event.value, lib.fxt_ticks_to_ns(event.value, rate)
        else:
            out.id = event.value
        for arg in args[:event.args.count]:
            name = self._text(arg.name)
            if name is not None and arg.type <= abi.FXT_ARG_BLOB:
                out.args[name] = self._value(arg)
        return out


def check(data, edition: str = "current") -> List[Finding]:
    """Every place where the trace breaks a rule of the format, as `fxt check` reports them. `edition` is
    "current" or "2020". The library keeps 64 findings of a record. If there are more, the next Finding
    has no rule and no severity, and its `number` is how many they are."""
    if edition not in EDITIONS:
        raise ValueError("edition %r: there are %s" % (edition, " and ".join(map(repr, EDITIONS))))
    keep, pointer, size = _bytes(data)
    events = 1 << max(10, (size // 16).bit_length())  # no fewer than threads and flows can be
    threads = 2 * events  # of which half is used
    memory = abi.fxt_check_memory(_tables_memory(size), _zeros(abi.fxt_check_thread, threads),
                                  _zeros(abi.fxt_check_open, events), threads, events)
    checker, reader, record = abi.fxt_checker(), abi.fxt_reader(), abi.fxt_record()
    error, last, found = abi.fxt_error(), abi.fxt_finding(), []

    def keep_finding(it):
        severity = lib.fxt_class_name(lib.fxt_rule_class(it.rule)).decode()
        found.append(_error(Finding, it.offset, it.rule, severity, it.number))

    lib.fxt_check_init(checker, memory, EDITIONS[edition])
    lib.fxt_reader_init(reader, pointer, size)
    status = abi.FXT_OK
    while status in (abi.FXT_OK, abi.FXT_ZERO_WORD):
        status = lib.fxt_reader_next(reader, record, error)
        count = 0
        if status == abi.FXT_OK:
            count = lib.fxt_check_record(checker, record)
        elif status != abi.FXT_END:
            count = lib.fxt_check_error(checker, error)
        for it in checker.findings[:min(count, abi.FXT_FINDINGS_MAX)]:
            keep_finding(it)
        if count > abi.FXT_FINDINGS_MAX:
            rest = count - abi.FXT_FINDINGS_MAX
            title = "%d more findings, whose rules are not known" % rest
            found.append(Finding(record.offset, "", title, "", rest))
    while lib.fxt_check_end(checker, last):
        keep_finding(last)
    return found


class Writer:
    """Writes a trace piece by piece: `bytes(writer)` is all of it so far. Threads may share a Writer.
    Signal handlers may not, because they would wait for the code that they interrupt."""

    def __init__(self, ticks_per_second: int = 1000000000):
        self._memory = (c_uint8 * (1 << 17))()
        self._writer, self._interner = abi.fxt_writer(), abi.fxt_interner()
        self._slots, self._text = (abi.fxt_intern_slot * 65536)(), (c_uint8 * (1 << 20))()
        self._done: List[bytes] = []
        self._lock = Lock()  # ctypes lets other threads run while a function of C does
        lib.fxt_writer_init(self._writer, self._memory, len(self._memory))
        lib.fxt_intern_init(self._interner, self._slots, 65536, self._text, len(self._text),
                            abi.FXT_INTERN_EVICT)
        self._ok(lib.fxt_write_magic(self._writer))
        info = abi.fxt_initialization(ticks_per_second=_number(ticks_per_second, "the rate"))
        if info.ticks_per_second == 0:
            raise ValueError("the rate is 0 ticks a second")
        self._ok(lib.fxt_write_initialization(self._writer, info))

    def __bytes__(self) -> bytes:
        with self._lock:
            return b"".join(self._done) + bytes(self._memory[:self._writer.size])

    def _put(self, write, *args):
        """Calls write with these arguments, and again in a new piece if there was no room."""
        status = write(*args)
        if status == abi.FXT_FULL:
            self._done.append(bytes(self._memory[:self._writer.size]))
            self._writer.size = 0
            status = write(*args)
        return status

    @staticmethod
    def _ok(status):
        if status != abi.FXT_OK:
            raise ValueError(lib.fxt_status_name(status).decode())

    def _string(self, text, what, keep):
        if not isinstance(text, str):
            raise TypeError("%s is %r, which is no str" % (what, text))
        data = _short(text.encode("utf-8", "surrogateescape"), what)
        keep.append(data)
        ref = abi.fxt_string_ref()
        self._ok(self._put(lib.fxt_intern_string, self._interner, self._writer, ref,
                           cast(data, POINTER(c_uint8)), len(data)))
        return ref

    def _arg(self, name, value, keep):
        ref = self._string(name, "the name of an argument", keep)
        what = "argument %r" % name
        if value is None:
            return lib.fxt_make_null(ref)
        if isinstance(value, bool):
            return lib.fxt_make_bool(ref, value)
        if isinstance(value, float):
            return lib.fxt_make_double(ref, value)
        if isinstance(value, str):
            return lib.fxt_make_string(ref, self._string(value, what, keep))
        with suppress(TypeError):  # of index: then it is no number
            value = _number(index(value), what, least=-1 << 63)
            return (lib.fxt_make_uint64 if value >= 1 << 63 else lib.fxt_make_int64)(ref, value)
        with suppress(TypeError):  # of memoryview
            view = memoryview(value)
            if view.ndim > 0:  # without a dimension, it is one number and not bytes
                keep.append(bytes(view))
                return lib.fxt_make_blob(ref, keep[-1], len(keep[-1]))
        raise TypeError("%s is %r, which no argument can be" % (what, value))

    def write(self, event: Event) -> None:
        """Adds an event. `ns` and `provider` are not looked at: `ticks` is what is written. Raises
        ValueError for what no record can hold, and TypeError for an argument of another type than
        None, bool, float, str, what is like int and what is like bytes; then there is no such event,
        and the writer goes on."""
        if not isinstance(event, Event):
            raise TypeError("an Event is written, not %r" % (event,))
        with self._lock:
            status = self._write(event)
            if status != abi.FXT_OK and (self._interner.strings_full or self._interner.threads_full):
                status = self._write(event)  # The record was large only because its refs had to be inline.
        if status != abi.FXT_OK:
            raise ValueError("event %r needs a record of more than %d bytes" % (
                event.name, abi.FXT_RECORD_BYTES_MAX))

    def _write(self, event):
        """The status says if the record is too large. Nothing else is left to be wrong with it."""
        keep: List[bytes] = []
        if len(event.args) > abi.FXT_ARGS_MAX:
            raise ValueError("event %r has %d arguments, of at most %d" % (
                event.name, len(event.args), abi.FXT_ARGS_MAX))
        lib.fxt_intern_begin_record(self._interner)
        out = abi.fxt_event(event_type=_one_of(EVENT_TYPES, event.type, "the type"),
                            timestamp=_number(event.ticks, "ticks"))
        if event.type == "instant":
            out.scope, out.has_scope = _one_of(SCOPES, event.scope, "the scope"), 1
        elif event.type == "duration_complete":
            out.value = _number(event.end_ticks, "end_ticks")
        else:
            out.value = _number(event.id, "id")
        process = _number(_or(event.process, 0), "process")
        thread = _number(_or(event.thread, 0), "thread")
        out.category = self._string(_or(event.category, ""), "the category", keep)
        out.name = self._string(_or(event.name, ""), "the name", keep)
        self._ok(self._put(lib.fxt_intern_thread, self._interner, self._writer, out.thread, process, thread))
        args = [self._arg(name, value, keep) for name, value in event.args.items()]
        return self._put(lib.fxt_write_event, self._writer, out, (abi.fxt_arg * len(args))(*args), len(args))
