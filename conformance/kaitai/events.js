// Level "events": a line for everything that a trace says of the traced programs.
"use strict";
const { json, key, text, hex } = require("../json.js");
const { nameOf, scopeOf } = require("./names.js");
const { State, kindOf } = require("./state.js");

const string = (s, ref, inline) => text(s.string(ref, inline));

const VALUE = {
    null: () => null,
    double: (s, a) => a.value.number,
    string: (s, a) => string(s, a.value, a.inlineValue),
    blob: (s, a) => hex(a.value.value),
};

// Without arguments of unknown type, and without those whose names are not registered.
function args(s, list) {
    const made = new Map();
    for (const { contents: a } of list) {
        const type = nameOf("arg", a.type);
        const name = s.string(a.name, a.inlineName);
        if (typeof type === "number" || name === null) continue;
        made.set(key(name), VALUE[type] ? VALUE[type](s, a) : a.value);
    }
    return Object.fromEntries(made);
}

const time = (s, ticks) => ({ ts: ticks, ns: s.nanoseconds(ticks) });

const named = (s, r) => ({
    category: string(s, r.category, r.inlineCategory),
    name: string(s, r.name, r.inlineName),
});

const on = (s, r) => ({ ...s.thread(r.thread, r.inlineThread), ...time(s, r.timestamp) });

function event(s, r) {
    const type = nameOf("event", r.eventType);
    if (typeof type === "number") return null;
    const made = { event: type, ...on(s, r), ...named(s, r) };
    if (type === "instant") made.scope = scopeOf(r.scope) || "thread";
    if (r.endTime !== undefined) {
        made.end = r.endTime;
        made.end_ns = s.nanoseconds(r.endTime);
    }
    if (r.id !== undefined) made.id = r.id;
    return made;
}

function largeBlob(s, r) {
    const { category, name, thread } = r.metadata;
    const { inlineCategory, inlineName, inlineThread, timestamp } = r;
    return {
        blob_format: r.blobFormat,
        ...named(s, { category, name, inlineCategory, inlineName }),
        ...(r.args && on(s, { thread, inlineThread, timestamp })),
        payload: hex(r.payload.value),
    };
}

const FIELDS = {
    event,
    blob: (s, r) => ({
        blob_type: nameOf("blob", r.blobType),
        name: string(s, r.name, r.inlineName),
        payload: hex(r.payload.value),
    }),
    userspace_object: (s, r) => ({
        pointer: r.pointer,
        process: s.thread(r.process, { process: r.inlineProcess }).process,
        name: string(s, r.name, r.inlineName),
    }),
    kernel_object: (s, r) => ({
        object_type: nameOf("object", r.objectType),
        koid: r.koid,
        name: string(s, r.name, r.inlineName),
    }),
    legacy_switch: (s, r) => ({
        event: "context_switch",
        ...time(s, r.timestamp),
        cpu: r.cpu,
        outgoing_state: nameOf("state", r.outgoingState),
        outgoing_thread: s.thread(r.outgoingThread, r.inlineOutgoingThread).thread,
        incoming_thread: s.thread(r.incomingThread, r.inlineIncomingThread).thread,
        outgoing_priority: r.outgoingPriority,
        incoming_priority: r.incomingPriority,
    }),
    context_switch: (s, r) => ({
        ...time(s, r.timestamp),
        cpu: r.cpu,
        outgoing_state: nameOf("state", r.outgoingState),
        outgoing_thread: r.outgoingThread,
        incoming_thread: r.incomingThread,
    }),
    thread_wakeup: (s, r) => ({
        ...time(s, r.timestamp),
        cpu: r.cpu,
        waking_thread: r.wakingThread,
    }),
    log: (s, r) => ({ ...on(s, r), message: text(r.message.value) }),
    module: (s, r) => ({
        ...on(s, r),
        module_id: r.moduleId,
        name: text(r.name.value),
        build_id: hex(r.buildId.value),
    }),
    mmap: (s, r) => ({
        ...on(s, r),
        module_id: r.moduleId,
        flags: r.flags,
        start_address: r.startAddress,
        address_range: r.addressRange,
        vaddr: r.vaddr,
    }),
    backtrace: (s, r) => ({ ...on(s, r), frames: r.frames }),
    large_blob: largeBlob,
};

function* events(items) {
    const state = new State();
    for (const { record } of items) {
        if (!record) continue;
        const kind = kindOf(record);
        state.see(kind, record);
        const fields = FIELDS[kind] && FIELDS[kind](state, record);
        if (!fields) continue;
        const made = { event: kind, provider: state.id, ...fields };
        if (record.args) made.args = args(state, record.args);
        yield json(made);
    }
}

module.exports = { events };
