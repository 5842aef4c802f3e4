#!/usr/bin/env node
// usage: tp.js TRACE [SQL…]
//
// Loads a trace (FXT, Chrome JSON or whatever Perfetto reads) and prints the rows of each query as
// JSON Lines. Without a query: how many rows the tables have, and what went wrong.
"use strict";
const fs = require("fs");
const { json, hex } = require("../json.js");
const { TraceProcessor, installed } = require("./engine.js");

const TABLES = ["slice", "counter", "flow", "args", "thread", "process", "sched", "thread_state"];
const COUNTS = TABLES.map((name) => `select '${name}' as name, count(*) as value from ${name}`);
const OVERVIEW = [
    COUNTS.join(" union all "),
    "select name, value from stats where severity in ('error', 'data_loss') and value > 0",
];

const printable = (row) =>
    Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
            name,
            value instanceof Uint8Array ? hex(value) : value,
        ])
    );

async function main([file, ...queries]) {
    if (!file) throw new Error("usage: tp.js TRACE [SQL…]");
    if (!installed()) throw new Error("run conformance/readers install");
    const processor = await TraceProcessor.load();
    await processor.parse(fs.readFileSync(file));
    for (const sql of queries.length > 0 ? queries : OVERVIEW)
        for (const row of await processor.query(sql))
            process.stdout.write(json(printable(row)) + "\n");
}

main(process.argv.slice(2)).catch((error) => {
    process.stderr.write(`tp.js: ${error.message || error}\n`);
    process.exitCode = 1;
});
