// Level "records": the canonical JSON of conformance/schema/dump.md.
"use strict";
const { json, text, hex } = require("../json.js");
const { nameOf, scopeOf } = require("./names.js");
const { State, kindOf } = require("./state.js");

const wide = (value) => String(value);
const word = (value) => "0x" + value.toString(16).padStart(16, "0");
const wideOrNull = (value) => (value === null ? null : wide(value));

const string = (s, ref, inline) => ({ ref, value: text(s.string(ref, inline)) });

function thread(s, ref, inline) {
    const found = s.thread(ref, inline);
    return { ref, process: wideOrNull(found.process), thread: wideOrNull(found.thread) };
}

const ARGUMENT = {
    null: () => null,
    int32: (s, a) => a.value,
    uint32: (s, a) => a.value,
    int64: (s, a) => wide(a.value),
    uint64: (s, a) => wide(a.value),
    double: (s, a) => word(a.value.bits),
    string: (s, a) => string(s, a.value, a.inlineValue),
    pointer: (s, a) => wide(a.value),
    koid: (s, a) => wide(a.value),
    bool: (s, a) => a.value,
    blob: (s, a) => hex(a.value.value),
};

const tail = (r) => (r.tail && r.tail.length > 0 ? r.tail.map(word) : undefined);

function argument(s, { contents: a }) {
    const type = nameOf("arg", a.type);
    const made = { name: string(s, a.name, a.inlineName), type };
    if (typeof type === "number") made.data = a.data;
    else made.value = ARGUMENT[type](s, a);
    made.tail = tail(a);
    return made;
}

function event(s, r) {
    const made = {
        event_type: nameOf("event", r.eventType),
        timestamp: wide(r.timestamp),
        thread: thread(s, r.thread, r.inlineThread),
        category: string(s, r.category, r.inlineCategory),
        name: string(s, r.name, r.inlineName),
    };
    if (made.event_type === "instant") made.scope = scopeOf(r.scope);
    if (r.endTime !== undefined) made.end = wide(r.endTime);
    if (r.id !== undefined) made.id = wide(r.id);
    return made;
}

function largeBlob(s, r) {
    const { category, name, thread: ref } = r.metadata;
    const made = {
        blob_format: r.blobFormat,
        category: string(s, category, r.inlineCategory),
        name: string(s, name, r.inlineName),
    };
    if (r.args) {
        made.timestamp = wide(r.timestamp);
        made.thread = thread(s, ref, r.inlineThread);
    }
    return { ...made, payload: hex(r.payload.value) };
}

const sampled = (s, r) => ({
    timestamp: wide(r.timestamp),
    thread: thread(s, r.thread, r.inlineThread),
});

// The fields of each kind, in the order of the schema.
const FIELDS = {
    magic: () => ({}),
    provider_info: (s, r) => ({ provider_id: r.providerId, name: text(r.name.value) }),
    provider_section: (s, r) => ({ provider_id: r.providerId }),
    provider_event: (s, r) => ({
        provider_id: r.providerId,
        event_id: nameOf("provider_event", r.eventId),
    }),
    trace_info: (s, r) => ({ trace_info_type: r.traceInfoType, data: wide(r.data) }),
    initialization: (s, r) => ({ ticks_per_second: wide(r.ticksPerSecond) }),
    string: (s, r) => ({ index: r.index, value: text(r.value.value) }),
    thread: (s, r) => ({
        index: r.index,
        process: wide(r.processKoid),
        thread: wide(r.threadKoid),
    }),
    event,
    blob: (s, r) => ({
        blob_type: nameOf("blob", r.blobType),
        name: string(s, r.name, r.inlineName),
        payload: hex(r.payload.value),
    }),
    userspace_object: (s, r) => ({
        pointer: wide(r.pointer),
        process: {
            ref: r.process,
            process: wideOrNull(s.thread(r.process, { process: r.inlineProcess }).process),
        },
        name: string(s, r.name, r.inlineName),
    }),
    kernel_object: (s, r) => ({
        object_type: nameOf("object", r.objectType),
        koid: wide(r.koid),
        name: string(s, r.name, r.inlineName),
    }),
    legacy_switch: (s, r) => ({
        timestamp: wide(r.timestamp),
        cpu: r.cpu,
        outgoing_state: nameOf("state", r.outgoingState),
        outgoing_thread: thread(s, r.outgoingThread, r.inlineOutgoingThread),
        incoming_thread: thread(s, r.incomingThread, r.inlineIncomingThread),
        outgoing_priority: r.outgoingPriority,
        incoming_priority: r.incomingPriority,
    }),
    context_switch: (s, r) => ({
        timestamp: wide(r.timestamp),
        cpu: r.cpu,
        outgoing_state: nameOf("state", r.outgoingState),
        outgoing_thread: wide(r.outgoingThread),
        incoming_thread: wide(r.incomingThread),
    }),
    thread_wakeup: (s, r) => ({
        timestamp: wide(r.timestamp),
        cpu: r.cpu,
        waking_thread: wide(r.wakingThread),
    }),
    log: (s, r) => ({ ...sampled(s, r), message: text(r.message.value) }),
    module: (s, r) => ({
        ...sampled(s, r),
        module_id: r.moduleId,
        name: text(r.name.value),
        build_id: hex(r.buildId.value),
    }),
    mmap: (s, r) => ({
        ...sampled(s, r),
        module_id: r.moduleId,
        flags: r.flags,
        start_address: wide(r.startAddress),
        address_range: wide(r.addressRange),
        vaddr: wide(r.vaddr),
    }),
    backtrace: (s, r) => ({ ...sampled(s, r), frames: r.frames.map(wide) }),
    large_blob: largeBlob,
    unknown: (s, r) => ({ type: Number(r.words[0] & 15n), words: r.words.map(word) }),
};

function recordLine(state, { offset, words, record }) {
    const kind = kindOf(record);
    state.see(kind, record);
    return {
        offset: wide(offset),
        record: kind,
        size: words,
        ...FIELDS[kind](state, record),
        args: record.args && record.args.map((arg) => argument(state, arg)),
        tail: tail(record),
    };
}

function line(state, item) {
    const offset = wide(item.offset);
    if (item.record) return recordLine(state, item);
    if (item.zero) return { offset, record: "zero_word" };
    if (item.error) return { offset, error: item.error, rule: item.rule };
    const { words: size, rule, at } = item;
    return { offset, record: "malformed", size, rule, at: wide(at) };
}

function* records(items) {
    const state = new State();
    for (const item of items) yield json(line(state, item));
}

module.exports = { records };
