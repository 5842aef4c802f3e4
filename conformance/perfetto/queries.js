#!/usr/bin/env node
// usage: queries.js --pipe QUERY…
//
// Reads traces by the pipe of the conformance suite, and answers with one line of JSON: for each
// query its rows, or why it failed.
"use strict";
const { json } = require("../json.js");
const { serve } = require("../pipe.js");
const { TraceProcessor } = require("./engine.js");

async function ask(processor, query) {
    try {
        return await processor.query(query);
    } catch (error) {
        return { error: String(error.message || error) };
    }
}

async function main(queries) {
    let processor = await TraceProcessor.load();
    await serve(async (bytes) => {
        try {
            await processor.parse(bytes);
        } catch (error) {
            processor = await TraceProcessor.load();
            return { code: 1, output: json({ error: String(error.message || error) }) };
        }
        const answers = [];
        for (const query of queries) answers.push(await ask(processor, query));
        return { code: 0, output: json(answers) };
    });
}

main(process.argv.slice(3));
