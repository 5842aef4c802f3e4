#!/usr/bin/env node
// usage: duckdb.js SQL…
//
// Runs statements in a DuckDB in memory, and prints the rows of each as JSON Lines: integers of 64 bits
// are text.
"use strict";
const { DuckDBInstance } = require("@duckdb/node-api");

async function main(statements) {
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    for (const sql of statements)
        for (const row of (await connection.runAndReadAll(sql)).getRowObjectsJson())
            process.stdout.write(JSON.stringify(row) + "\n");
}

main(process.argv.slice(2)).catch((error) => {
    process.stderr.write(`duckdb.js: ${error.message || error}\n`);
    process.exitCode = 1;
});
