// Reads traces with the parser that the Kaitai Struct compiler makes of spec/fxt.ksy, one record
// after the other, so that a malformed record is refused alone (spec/format.md, section 4.4).
"use strict";
const crypto = require("crypto");
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const KSY = path.join(__dirname, "../../spec/fxt.ksy");
const CACHE = path.join(__dirname, "../node_modules/.cache");
const MAGIC = 0x0016547846040010n;
const MAGIC_REVERSED = 0x1000044678541600n;
const STOPS = { "REC-01": "truncated", "REC-02": "zero_size", "REC-03": "truncated" };

// Kaitai's runtime for JavaScript reads 64 bits as a double, at most 32 bits of a field, and takes
// lengths modulo 2^32. With these four methods it is exact: numbers of more than 32 bits are
// BigInts.
function mendRuntime(KaitaiStream) {
    const { readBitsIntLe, readBytes } = KaitaiStream.prototype;
    Object.assign(KaitaiStream.prototype, {
        readU8le() {
            this.ensureBytesLeft(8);
            return BigInt(this.readU4le()) + (BigInt(this.readU4le()) << 32n);
        },
        readS8le() {
            return BigInt.asIntN(64, this.readU8le());
        },
        readBitsIntLe(n) {
            if (n <= 32) return readBitsIntLe.call(this, n);
            const low = BigInt(readBitsIntLe.call(this, 32));
            return low + (BigInt(readBitsIntLe.call(this, n - 32)) << 32n);
        },
        readBytes(length) {
            this.ensureBytesLeft(Number(length));
            return readBytes.call(this, Number(length));
        },
    });
}

const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const upperCamel = (name) => camel("_" + name);

// { Record: { frame: "REC-01", … }, … }: the -rule keys of the description.
function rulesOf(ksy) {
    const rules = {};
    for (const [type, { seq = [], instances = {} }] of Object.entries(ksy.types)) {
        const mine = (rules[upperCamel(type)] = {});
        for (const attribute of seq) mine[camel(attribute.id)] = attribute["-rule"];
        for (const [id, instance] of Object.entries(instances)) mine[camel(id)] = instance["-rule"];
    }
    return rules;
}

// The parser, in debug mode: it notes where each attribute begins and ends, and what was read
// before an exception can be looked at.
async function compile(text) {
    const ksy = require("yaml").parse(text);
    const files = await require("kaitai-struct-compiler").compile("javascript", ksy, null, true);
    return { code: files["Fxt.js"], rules: rulesOf(ksy) };
}

// The same, made once for each state of the description.
async function compiled(text) {
    const name = "fxt-" + crypto.createHash("sha256").update(text).digest("hex") + ".json";
    const file = path.join(CACHE, name);
    if (fs.existsSync(file)) return JSON.parse(fs.readFileSync(file, "utf8"));
    const made = await compile(text);
    try {
        fs.mkdirSync(CACHE, { recursive: true });
        fs.writeFileSync(file + process.pid, JSON.stringify(made));
        fs.renameSync(file + process.pid, file);
    } catch (error) {
        // A folder that cannot be written to: compiled anew every time.
    }
    return made;
}

class Reader {
    static async load() {
        const { code, rules } = await compiled(fs.readFileSync(KSY, "utf8"));
        const KaitaiStream = require("kaitai-struct/KaitaiStream");
        mendRuntime(KaitaiStream);
        const module = { exports: {} };
        const wrapped = `(function (module, exports, require) {${code}\n})`;
        vm.runInThisContext(wrapped)(module, module.exports, require);
        return new Reader(module.exports.Fxt || module.exports, KaitaiStream, rules);
    }

    constructor(Fxt, KaitaiStream, rules) {
        Object.assign(this, { Fxt, KaitaiStream, rules });
    }

    // The rule that stopped the generated code, and the byte offset of the attribute that names it:
    // the innermost that was begun, not ended, and has a rule.
    broken(object) {
        let found;
        while (object && object._debug) {
            const open = Object.entries(object._debug).filter(
                ([, { start, end, validationError }]) =>
                    start !== undefined && (end === undefined || validationError)
            );
            if (open.length === 0) break;
            const [key, mark] = open[open.length - 1];
            const rule = this.rules[object.constructor.name][key.replace(/^_m_/, "")];
            if (rule) found = { rule, at: (mark.ioOffset + mark.start) & ~7 };
            const value = object[key];
            object = mark.arr ? value[mark.arr.length - 1] : value;
        }
        return found;
    }

    // Yields { offset, words, record } for a record, { offset, zero: true } for a zero word,
    // { offset, words, rule, at } for a malformed record, { offset, error, rule } where it stops.
    *read(bytes) {
        const io = new this.KaitaiStream(new Uint8Array(bytes).buffer);
        if (new this.Fxt(io).byteOrder === MAGIC_REVERSED) {
            yield { offset: 0, error: "byte_order", rule: "REC-10" };
            return;
        }
        while (!io.isEof()) {
            const offset = io.pos;
            const framed = new this.Fxt.Record(io);
            try {
                framed._read();
            } catch (error) {
                const found = this.broken(framed);
                if (!found) throw error;
                if (STOPS[found.rule]) {
                    yield { offset, error: STOPS[found.rule], rule: found.rule };
                    return;
                }
                const words = framed.frame.words;
                yield { offset, words, ...found };
                io.seek(offset + 8 * words);
                continue;
            }
            if (framed.frame.isZero) yield { offset, zero: true };
            else yield { offset, words: framed.frame.words, record: innermost(framed.contents) };
        }
    }
}

// The record itself, below metadata, scheduling, profiler and large.
function innermost(contents) {
    return contents.contents || contents;
}

module.exports = { Reader, MAGIC };
