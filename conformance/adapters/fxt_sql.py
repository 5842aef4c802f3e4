#!/usr/bin/env python3
"""`fxt sql` at level timeline: one query for each kind of line. An importer with tables needs little more.

usage: fxt_sql.py FXT FILE
       fxt_sql.py FXT --pipe
"""
import json
import re
import struct
import subprocess
import sys

THREAD = "process.fxt_koid as process, iif(thread.fxt_ref is null, thread.fxt_koid, null) as thread"
JOIN_THREAD = " left join thread using (utid) left join process using (upid) "
SLICE = """select '%s' as kind, slice.id as line, %s, ts as begin, iif(dur < 0, null, ts + dur) as [end], category,
    slice.name as name, slice.parent_id as parent, depth, (select json_group_object(key, case fxt_type
    when 'bool' then json(iif(int_value, 'true', 'false')) when 'null' then null
    when 'blob' then lower(hex(fxt_blob)) when 'string' then string_value else display_value end)
    from args where arg_set_id = slice.arg_set_id) as args"""
POINT = "select '%s' as kind, %s, ts as time, category, slice.name as name, slice.parent_id as parent"
ON_THREAD = " from slice join thread_track on thread_track.id = track_id" + JOIN_THREAD
OF_PROCESS = "process.fxt_koid as process, track.fxt_id as id"
ON_PROCESS = " from slice join track on track.id = track_id left join process on upid = track.fxt_upid "
SPAN = ", ts as begin, iif(dur < 0, null, ts + dur) as [end] from "
DURATIONS = "(select * from slice where dur >= 0 and fxt_event glob 'duration*')"
QUERIES = [
    SLICE % ("slice", THREAD) + ", nullif(self_dur, -1) as self" + ON_THREAD
    + "left join slice_self_dur s on s.id = slice.id where slice.fxt_event glob 'duration*'",
    POINT % ("instant", THREAD) + ", fxt_scope as scope" + ON_THREAD + "where slice.fxt_event = 'instant' order by slice.id",
    SLICE % ("async", OF_PROCESS) + ON_PROCESS + "where slice.fxt_event = 'async_begin'",
    POINT % ("async_instant", OF_PROCESS) + ON_PROCESS + "where slice.fxt_event = 'async_instant' order by slice.id",
    "select 'flow' as kind, fxt_id as id, slice_out as [from], slice_in as [to] from flow",
    """select 'counter' as kind, process.fxt_koid as process, fxt_category as category, fxt_event as name, fxt_id as id,
    fxt_arg as arg, ts as time, fxt_value as value from counter join track on track.id = track_id
    left join process on upid = track.fxt_upid order by counter.id""",
    "select 'cpu' as kind, cpu, " + THREAD + SPAN + "sched_slice" + JOIN_THREAD + "where not is_idle",
    "select 'state' as kind, state, " + THREAD + SPAN + "thread_state" + JOIN_THREAD,
    "select 'process' as kind, fxt_koid as process, name from process where name is not null and upid > 0",
    "select 'thread' as kind, thread.name as name, " + THREAD + """ from thread left join process using (upid)
    where thread.name is not null and thread.fxt_ref is null and utid > 0""",
    "select 'stray' as kind, event, ts as time from fxt_stray",
    "select 'span' as kind, start_ts as begin, end_ts as [end] from trace_bounds where end_ts > 0",
    "select 'sum' as kind, name, count(*) as count, sum(iif(exists (select 1 from ancestor_slice(s.id) as a where "
    "a.name = s.name and a.dur >= 0), 0, dur)) as total, percentile(dur, 50) as p50 from " + DURATIONS
    + " as s group by name",
]
STATES = {"R": "new", "Running": "running", "T": "suspended", "S": "blocked", "Z": "dying", "X": "dead", "W": "waiting"}


def answer(fxt, path, data=None):
    """Exit code and lines."""
    done = subprocess.run([fxt, "sql", "--json", "--allow-empty", path] + QUERIES, input=data, stdout=subprocess.PIPE)
    lines = []
    for text in done.stdout.decode().splitlines():
        line = {key: None if re.match(r"<unknown #\d+>$", str(value)) else value
                for key, value in json.loads(text).items()}
        if "args" in line:
            line["args"] = json.loads(line["args"])
        if line["kind"] == "state":
            line["state"] = STATES.get(line["state"], line["state"])
        lines.append(json.dumps(line) + "\n")
    code = done.returncode if done.returncode >= 0 else 128 - done.returncode  # as a shell tells of a signal
    return code, "".join(lines).encode("ascii")


def main(fxt, path):
    if path != "--pipe":
        code, out = answer(fxt, path)
        sys.stdout.buffer.write(out)
        return code
    while len(head := sys.stdin.buffer.read(4)) == 4:
        code, out = answer(fxt, "-", sys.stdin.buffer.read(*struct.unpack("<I", head)))
        sys.stdout.buffer.write(struct.pack("<II", code, len(out)) + out)
        sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
