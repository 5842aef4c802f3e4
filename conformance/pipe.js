// The pipe of the conformance suite: one process reads many traces. Each comes on standard input as
// its length (32 bits, little-endian) and its bytes; each answer goes to standard output as an exit
// code and a length (32 bits each) and the output.
"use strict";

// Yields each trace that comes.
async function* traces() {
    let left = Buffer.alloc(0);
    for await (const piece of process.stdin) {
        left = Buffer.concat([left, piece]);
        while (left.length >= 4 && left.length - 4 >= left.readUInt32LE(0)) {
            const end = 4 + left.readUInt32LE(0);
            yield left.subarray(4, end);
            left = left.subarray(end);
        }
    }
}

function write(buffer) {
    return new Promise((done) => process.stdout.write(buffer, done));
}

// judge(bytes) gives { code, output }, or a promise of it.
async function serve(judge) {
    for await (const bytes of traces()) {
        const { code, output } = await judge(bytes);
        const text = Buffer.from(output);
        const head = Buffer.alloc(8);
        head.writeUInt32LE(code, 0);
        head.writeUInt32LE(text.length, 4);
        await write(Buffer.concat([head, text]));
    }
}

module.exports = { serve };
