// JSON with integers of any size, minus zero, and texts that are bytes.
"use strict";
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const hex = (bytes) => Buffer.from(bytes).toString("hex");

// Text is a string, or {"hex": …} where it is not UTF-8; null stays null.
function text(bytes) {
    if (bytes === null) return null;
    try {
        return utf8.decode(bytes);
    } catch (error) {
        return { hex: hex(bytes) };
    }
}

// The name of a JSON member cannot be an object: U+FFFD stands for what is not UTF-8.
const key = (bytes) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

function number(value) {
    if (Object.is(value, -0)) return "-0.0";
    return Number.isFinite(value) ? String(value) : `"${value}"`;
}

function json(value) {
    if (typeof value === "bigint") return String(value);
    if (typeof value === "number") return number(value);
    if (Array.isArray(value)) return "[" + value.map(json).join(",") + "]";
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    const members = Object.entries(value).filter(([, item]) => item !== undefined);
    return "{" + members.map(([name, item]) => JSON.stringify(name) + ":" + json(item)) + "}";
}

module.exports = { json, key, text, hex };
