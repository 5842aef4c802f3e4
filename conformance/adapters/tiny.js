// ../run --adapter 'node tiny.js {file}' --level events --kinds magic,instant
"use strict";
const data = require("fs").readFileSync(process.argv[2]);
const word = (at) => data.readBigUInt64LE(8 * at);
const bits = (w, low, width) => Number(w >> BigInt(low) & (1n << BigInt(width)) - 1n);
const words = (ref) => ref & 0x8000 ? ((ref & 0x7fff) + 7) >> 3 : 0;
function text(ref, at) {
    if (ref > 0 && ref < 0x8000) return null; // no string table here
    return { hex: data.subarray(8 * at, 8 * at + (ref & 0x7fff)).toString("hex") };
}
function instant(at, size) {
    const category = bits(word(at), 32, 16), name = bits(word(at), 48, 16);
    const koids = bits(word(at), 24, 8) === 0 ? 2 : 0, first = at + 2 + koids;
    const end = first + words(category) + words(name);
    if (end > at + size) return; // its contents do not fit
    const koid = (i) => koids > 0 ? String(word(at + i)) : null; // numbers of JSON have 53 bits
    const scope = end < at + size ? word(end) : 0n;
    console.log(JSON.stringify({
        event: "instant", provider: 0, process: koid(2), thread: koid(3), ts: String(word(at + 1)),
        category: text(category, first), name: text(name, first + words(category)), args: {},
        scope: scope === 1n ? "process" : scope === 2n ? "global" : "thread" }));
}
const n = data.length >> 3, swapped = n > 0 && word(0) === 0x1000044678541600n;
for (let at = 0, size; at < n && !swapped; at += size) {
    const h = word(at);
    size = h === 0n ? 1 : bits(h, 4, (h & 15n) === 15n ? 32 : 12);
    if (size === 0 || size > n - at) process.exit(1);
    if ((h & 0xff000fn) === 4n) instant(at, size); // one without arguments
}
process.exitCode = data.length % 8;
