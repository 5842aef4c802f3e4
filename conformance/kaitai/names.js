// Names of numbers, as in conformance/schema/dump.md, section 6.
"use strict";
const LISTS = {
    event: [
        "instant", "counter", "duration_begin", "duration_end", "duration_complete", "async_begin",
        "async_instant", "async_end", "flow_begin", "flow_step", "flow_end",
    ],
    scope: ["thread", "process", "global"],
    arg: [
        "null", "int32", "uint32", "int64", "uint64", "double", "string", "pointer", "koid", "bool",
        "blob",
    ],
    blob: [undefined, "data", "last_branch", "perfetto"],
    object: [undefined, "process", "thread"],
    state: ["new", "running", "suspended", "blocked", "dying", "dead"],
    provider_event: ["buffer_full"],
};

// The name, or the number when it has none.
const nameOf = (list, number) => LISTS[list][number] || number;
const scopeOf = (word) => (word === undefined ? null : LISTS.scope[word] || "thread");

module.exports = { nameOf, scopeOf };
