#!/usr/bin/env node
// usage: adapter.js [--level=events|records] FILE
//        adapter.js [--level=events|records] --pipe
"use strict";
const fs = require("fs");
const { serve } = require("../pipe.js");
const { events } = require("./events.js");
const { Reader } = require("./fxt.js");
const { records } = require("./records.js");

const LEVELS = { events, records };

async function main(argv) {
    const options = argv.filter((word) => word.startsWith("--"));
    const [file] = argv.filter((word) => !word.startsWith("--"));
    const level = (options.find((word) => word.startsWith("--level=")) || "=events").split("=")[1];
    const reader = await Reader.load();
    // The exit code is 1 when something was refused.
    const judge = (bytes) => {
        const items = [...reader.read(bytes)];
        return {
            code: items.every((item) => item.record) ? 0 : 1,
            output: [...LEVELS[level](items)].map((line) => line + "\n").join(""),
        };
    };
    if (options.includes("--pipe")) return serve(judge);
    const { code, output } = judge(fs.readFileSync(file));
    process.stdout.write(output);
    process.exitCode = code;
}

main(process.argv.slice(2));
