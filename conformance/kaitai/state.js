// What a reader keeps of a trace (spec/format.md, section 6): the selected provider, and for each
// provider its clock and its tables of strings and threads.
"use strict";
const { MAGIC } = require("./fxt.js");

const NOTHING = new Uint8Array(0);
const LARGEST = (1n << 64n) - 1n;

class Provider {
    constructor() {
        this.ticks = 1000000000n;
        this.strings = new Map();
        this.threads = new Map();
    }
}

class State {
    constructor() {
        this.begin();
    }

    begin() {
        this.providers = new Map();
        this.select(0);
    }

    select(id) {
        if (!this.providers.has(id)) this.providers.set(id, new Provider());
        this.id = id;
        this.provider = this.providers.get(id);
    }

    // Carries out a record.
    see(kind, record) {
        if (kind === "magic") this.begin();
        if (kind === "provider_info" || kind === "provider_section") this.select(record.providerId);
        if (kind === "initialization" && record.ticksPerSecond !== 0n)
            this.provider.ticks = record.ticksPerSecond;
        if (kind === "string" && record.index !== 0)
            this.provider.strings.set(record.index, record.value.value);
        if (kind === "thread" && record.index !== 0) {
            const { processKoid: process, threadKoid: thread } = record;
            this.provider.threads.set(record.index, { process, thread });
        }
    }

    // The bytes of a string; null when it is not registered.
    string(ref, inline) {
        if (ref >= 0x8000) return inline.value;
        return ref === 0 ? NOTHING : this.provider.strings.get(ref) || null;
    }

    // { process, thread }; both are null when the thread is not registered.
    thread(ref, inline) {
        const found = ref === 0 ? inline : this.provider.threads.get(ref);
        const { process, thread } = found || { process: null, thread: null };
        return { process, thread };
    }

    nanoseconds(ticks) {
        const exact = (ticks * 1000000000n) / this.provider.ticks;
        return exact < LARGEST ? exact : LARGEST;
    }
}

const snake = (name) => name.replace(/[A-Z]/g, (letter) => "_" + letter.toLowerCase()).slice(1);

// The name that conformance/schema/dump.md gives to a record.
function kindOf(record) {
    const kind = snake(record.constructor.name);
    if (kind === "trace_info" && record.word === MAGIC) return "magic";
    return kind === "large_blob_without_metadata" ? "large_blob" : kind;
}

module.exports = { State, kindOf };
