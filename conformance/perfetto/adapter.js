#!/usr/bin/env node
// usage: adapter.js --pipe
//
// Perfetto's trace processor as a program under test, at level events: instants and complete durations
// of its slices of threads, in its order, which is that of their times. Providers and scopes are not
// in its tables: the provider is 0 and the scope is thread. It complains by failing, or by statistics.
"use strict";
const { json } = require("../json.js");
const { serve } = require("../pipe.js");
const { TraceProcessor } = require("./engine.js");
const { argSets, value } = require("./facts.js");

const SLICES = `
    select s.ts, s.dur, s.category, s.name, s.arg_set_id, p.pid, t.tid
    from slice s join thread_track tt on tt.id = s.track_id join thread t using (utid)
    left join process p using (upid) where s.dur >= 0 order by s.id`;
const COMPLAINTS = `
    select count(*) as complaints from stats
    where value > 0 and (name glob 'fuchsia*' or severity in ('error', 'data_loss'))`;

function event(slice, sets) {
    const args = Object.entries(sets.get(slice.arg_set_id) || {});
    const common = {
        provider: 0,
        process: slice.pid,
        thread: slice.tid,
        ns: slice.ts,
        category: slice.category,
        name: slice.name,
        args: Object.fromEntries(args.map(([key, typed]) => [key, value(typed)])),
    };
    if (slice.dur === 0n) return { event: "instant", scope: "thread", ...common };
    return { event: "duration_complete", end_ns: slice.ts + slice.dur, ...common };
}

async function read(processor, bytes) {
    await processor.parse(bytes);
    const sets = await argSets(processor);
    const events = (await processor.query(SLICES)).map((slice) => event(slice, sets));
    const [{ complaints }] = await processor.query(COMPLAINTS);
    return {
        code: complaints > 0n ? 1 : 0,
        output: events.map((one) => json(one) + "\n").join(""),
    };
}

async function main() {
    let processor = await TraceProcessor.load();
    await serve(async (bytes) => {
        try {
            return await read(processor, bytes);
        } catch (error) {
            process.stderr.write(`adapter.js: ${error.message || error}\n`);
            processor = await TraceProcessor.load();
            return { code: 1, output: "" };
        }
    });
}

main();
