// Perfetto's trace processor in this process: WebAssembly, in engine/ (conformance/readers).
"use strict";
const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");

const FOLDER = path.join(__dirname, "engine");
const PIECE = 32 << 20;

// What is replaced in the bundle: memory of 64 bits has a wasm file of its own, which is not in the
// package; the wasm file is handed over instead of fetched; and the bridge tells when it is ready.
const PATCHES = [
    ["this.useMemory64 = hasMemory64Support();", "this.useMemory64 = false;"],
    ["locateFile: (s) => s,", "locateFile: (s) => s, wasmBinary: self.wasm,"],
    ["selfWorker.onmessage =", "selfWorker.bridge = wasmBridge; selfWorker.onmessage ="],
];

const installed = () => fs.existsSync(path.join(FOLDER, "trace_processor.wasm"));

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// Evaluates the bundle as if this were a worker of a browser, and returns the function that takes
// a message for it.
async function startWorker(onAnswer, log) {
    const wasm = fs.readFileSync(path.join(FOLDER, "trace_processor.wasm"));
    const bundle = fs.readFileSync(path.join(FOLDER, "engine_bundle.node.js"), "utf8");
    const self = { location: { href: "file:///" }, wasm };
    const globals = {
        self,
        location: self.location,
        WorkerGlobalScope: Object,
    };
    new Function(...Object.keys(globals), patched(bundle))(...Object.values(globals));
    const port = { postMessage: onAnswer };
    self.onmessage({ data: port });
    while (self.bridge.reqBufferAddr === 0) await sleep(10);
    return (data) => port.onmessage({ data });
}

function patched(bundle) {
    for (const [from, to] of PATCHES) {
        if (!bundle.includes(from)) throw new Error("not the engine that conformance/readers pins");
        bundle = bundle.replace(from, to);
    }
    return bundle;
}

class TraceProcessor {
    // log(line) gets what the engine prints. It has the console of this process for that.
    static async load(log = () => {}) {
        Object.assign(console, { log, warn: log, error: log });
        const url = pathToFileURL(path.join(FOLDER, "engine.mjs"));
        const { EngineBase } = await import(url);
        class Engine extends EngineBase {
            id = "trace_processor";
            rpcSendRequestBytes(bytes) {
                send(bytes);
            }
        }
        const engine = new Engine();
        const send = await startWorker((data) => engine.onRpcResponseBytes(data), log);
        return new TraceProcessor(engine);
    }

    constructor(engine) {
        this.engine = engine;
    }

    // Reads a trace, in place of the one before. What Perfetto does not read is an exception.
    async parse(bytes) {
        const { engine } = this;
        await engine.resetTraceProcessor({
            cropTrackEvents: false,
            ingestFtraceInRawTable: false,
            analyzeTraceProtoContent: false,
            ftraceDropUntilAllCpusValid: false,
        });
        try {
            for (let at = 0; at < bytes.length; at += PIECE)
                await engine.parse(new Uint8Array(bytes.subarray(at, at + PIECE)));
        } finally {
            await engine.notifyEof();
        }
    }

    // The rows of a query, as objects: integers are BigInts.
    async query(sql) {
        const result = await this.engine.query(sql);
        const columns = result.columns();
        const rows = [];
        for (const row = result.iter({}); row.valid(); row.next())
            rows.push(Object.fromEntries(columns.map((name) => [name, row.get(name)])));
        return rows;
    }
}

module.exports = { TraceProcessor, installed };
