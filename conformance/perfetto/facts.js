#!/usr/bin/env node
// usage: facts.js --pipe
//
// Reads traces by the pipe of the conformance suite, and answers with one line of JSON: what
// Perfetto makes of slices, counters, flows and threads, without numbers that are Perfetto's own.
"use strict";
const { json } = require("../json.js");
const { serve } = require("../pipe.js");
const { TraceProcessor } = require("./engine.js");

const SLICES = `
    select s.id, s.ts, s.dur, s.depth, s.category, s.name, s.arg_set_id, p.pid, t.tid,
        iif(t.tid is null, k.name, null) as track
    from slice s join track k on k.id = s.track_id
    left join thread_track tt on tt.id = s.track_id left join thread t using (utid)
    left join process_track pt on pt.id = s.track_id
    left join process p on p.upid = ifnull(t.upid, pt.upid) order by s.id`;
const ARGS = "select arg_set_id, key, value_type, int_value, real_value, string_value from args";
const COUNTERS = `
    select c.ts, c.value, k.name, p.pid
    from counter c join process_counter_track k on k.id = c.track_id
    left join process p using (upid)`;
const FLOWS = "select slice_out, slice_in from flow";
const THREADS = `
    select t.tid, t.name, p.pid, p.name as process
    from thread t left join process p using (upid) where t.utid > 0`;
const LOSSES = `
    select name, value from stats
    where value > 0 and (name glob 'fuchsia*' or severity in ('error', 'data_loss'))`;

// { set: { key: value } }
async function argSets(processor) {
    const sets = new Map();
    for (const row of await processor.query(ARGS)) {
        if (!sets.has(row.arg_set_id)) sets.set(row.arg_set_id, Object.create(null));
        const value = [row.int_value, row.real_value, row.string_value].find((v) => v !== null);
        sets.get(row.arg_set_id)[row.key] = [row.value_type, value === undefined ? null : value];
    }
    return sets;
}

// What a value of an argument is, as far as Perfetto has kept it.
function value([type, value]) {
    if (type === "bool") return value !== 0n;
    if (type === "pointer") return BigInt.asUintN(64, value);
    if (type === "real" && value === null) return NaN;
    return value;
}

async function facts(processor) {
    const sets = await argSets(processor);
    const slices = await processor.query(SLICES);
    const place = new Map(slices.map((slice, i) => [slice.id, i]));
    for (const slice of slices) {
        slice.args = sets.get(slice.arg_set_id) || {};
        delete slice.arg_set_id;
        delete slice.id;
    }
    const flows = await processor.query(FLOWS);
    return {
        slices,
        counters: await processor.query(COUNTERS),
        flows: flows.map((flow) => [place.get(flow.slice_out), place.get(flow.slice_in)]),
        threads: await processor.query(THREADS),
        losses: await processor.query(LOSSES),
    };
}

async function main() {
    let processor = await TraceProcessor.load();
    await serve(async (bytes) => {
        try {
            await processor.parse(bytes);
            return { code: 0, output: json(await facts(processor)) };
        } catch (error) {
            processor = await TraceProcessor.load();
            return { code: 1, output: json({ error: String(error.message || error) }) };
        }
    });
}

if (require.main === module) main();

module.exports = { argSets, value };
