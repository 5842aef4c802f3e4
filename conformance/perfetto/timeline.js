#!/usr/bin/env node
// usage: timeline.js --pipe
//
// Perfetto's trace processor as a program under test, at level timeline: its tables, as they are. In them an
// instant is a slice of no length, an async operation has neither process nor id, and a counter no category.
// A koid of 0 is one that it does not know.
"use strict";
const { json } = require("../json.js");
const { serve } = require("../pipe.js");
const { TraceProcessor } = require("./engine.js");
const { argSets, value } = require("./facts.js");

const SLICES = `
    select s.id as line, nullif(p.pid, 0) as process, nullif(t.tid, 0) as thread, t.utid is not null as on_thread, s.ts as begin,
        iif(s.dur < 0, null, s.ts + s.dur) as end, s.category, s.name, s.parent_id as parent, s.depth, s.arg_set_id
    from slice s left join thread_track tt on tt.id = s.track_id left join thread t using (utid)
    left join process p using (upid) order by s.id`;
const COUNTERS = `
    select p.pid as process, k.name as track, c.ts as time, c.value
    from counter c join process_counter_track k on k.id = c.track_id left join process p using (upid) order by c.id`;
const THREAD = "nullif(p.pid, 0) as process, t.tid as thread";
const SPAN = "s.ts as begin, iif(s.dur < 0, null, s.ts + s.dur) as end";
const OF_THREAD = "join thread t using (utid) left join process p using (upid) where t.tid > 0"; // 0 is idle
const QUERIES = {
    flow: 'select slice_out as "from", slice_in as "to" from flow',
    cpu: `select s.cpu, ${THREAD}, ${SPAN} from sched_slice s ${OF_THREAD}`,
    state: `select s.state, ${THREAD}, ${SPAN} from thread_state s ${OF_THREAD}`,
    process: "select pid as process, name from process where name is not null and upid > 0",
    thread: `select ${THREAD}, t.name from thread t left join process p using (upid)
        where t.name is not null and t.utid > 0`,
    span: "select start_ts as begin, end_ts as end from trace_bounds where end_ts > 0",
};
const STATES = { Running: "running", R: "new", W: "waiting", S: "blocked", T: "suspended", Z: "dying", X: "dead" };

function slice({ arg_set_id, on_thread, ...line }, sets) {
    const kind = on_thread ? "slice" : "async";
    if (line.begin === line.end) return { ...line, kind: on_thread ? "instant" : "async_instant", time: line.begin };
    const args = Object.entries(sets.get(arg_set_id) || {});
    return { ...line, kind, args: Object.fromEntries(args.map(([key, typed]) => [key, value(typed)])) };
}

function counter({ track, ...line }) {
    const [, name, arg, id] = /^(.*?):(.*):(.*)$/s.exec(track);
    return { kind: "counter", ...line, name, arg, id };
}

async function lines(processor) {
    const sets = await argSets(processor);
    const found = (await processor.query(SLICES)).map((line) => slice(line, sets));
    found.push(...(await processor.query(COUNTERS)).map(counter));
    for (const [kind, query] of Object.entries(QUERIES))
        found.push(...(await processor.query(query)).map((line) => ({ kind, ...line })));
    for (const line of found) if (line.kind === "state") line.state = STATES[line.state] || line.state;
    return found;
}

async function main() {
    let processor = await TraceProcessor.load();
    await serve(async (bytes) => {
        try {
            await processor.parse(bytes);
            return { code: 0, output: (await lines(processor)).map((line) => json(line) + "\n").join("") };
        } catch (error) {
            process.stderr.write(`timeline.js: ${error.message || error}\n`);
            processor = await TraceProcessor.load();
            return { code: 1, output: "" };
        }
    });
}

main();
