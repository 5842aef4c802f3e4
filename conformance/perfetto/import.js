#!/usr/bin/env node
// usage: import.js TRACE
//
// Loads a trace and prints how long that took, in milliseconds of processor time, the slices that it
// has, and the memory of the engine. The start of the engine is not counted.
"use strict";
const fs = require("fs");
const { json } = require("../json.js");
const { TraceProcessor } = require("./engine.js");

async function main([file]) {
    const bytes = fs.readFileSync(file);
    const processor = await TraceProcessor.load();
    const before = process.cpuUsage();
    await processor.parse(bytes);
    const { user, system } = process.cpuUsage(before);
    const [{ slices }] = await processor.query("select count(*) as slices from slice");
    const peak_kib = process.resourceUsage().maxRSS;
    process.stdout.write(json({ cpu_ms: Math.round((user + system) / 1000), slices, peak_kib }) + "\n");
}

main(process.argv.slice(2)).catch((error) => {
    process.stderr.write(`import.js: ${error.message || error}\n`);
    process.exitCode = 1;
});
