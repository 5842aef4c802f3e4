// rustc --edition=2021 -o write write.rs; PROTOCOL.md has the command of run.
use std::{collections::HashMap, io::Write};

const EVENTS: [&str; 5] = ["instant", "counter", "duration_begin", "duration_end", "duration_complete"];
const TYPES: [&str; 5] = ["", "int32", "uint32", "int64", "uint64"];
const SCOPES: [&str; 3] = ["thread", "process", "global"];

fn find(names: &[&str], which: &str) -> u64 {
    names.iter().position(|name| *name == which).unwrap() as u64
}

fn number(text: &str) -> u64 {
    text.parse::<i128>().unwrap() as u64 // a negative one wraps
}

/// The words of an inline string, and its length.
fn text(quoted: &str) -> (Vec<u64>, u64) {
    let (mut raw, mut rest) = (Vec::new(), &quoted[1..quoted.len() - 1]);
    while !rest.is_empty() {
        let is_hex = rest.starts_with('%');
        raw.push(if is_hex { u8::from_str_radix(&rest[1..3], 16).unwrap() } else { rest.as_bytes()[0] });
        rest = &rest[if is_hex { 3 } else { 1 }..];
    }
    let length = raw.len();
    raw.resize((length + 7) / 8 * 8, 0);
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap());
    (raw.chunks(8).map(word).collect(), length as u64)
}

fn reference(length: u64) -> u64 {
    if length > 0 { 0x8000 | length } else { 0 }
}

/// The header lacks the size.
fn put(out: &mut Vec<u8>, header: u64, rest: &[u64]) {
    out.extend((header | (1 + rest.len() as u64) << 4).to_le_bytes());
    out.extend(rest.iter().flat_map(|word| word.to_le_bytes()));
}

fn event(out: &mut Vec<u8>, fields: &HashMap<&str, &str>, args: &[u64], count: u64) {
    let kind = find(&EVENTS, fields["event"]);
    let ((category, of_category), (name, of_name)) = (text(fields["category"]), text(fields["name"]));
    let mut rest = vec![number(fields["ts"]), number(fields["process"]), number(fields["thread"])];
    rest.extend(category.iter().chain(&name).chain(args));
    match kind {
        0 => rest.push(find(&SCOPES, fields["scope"])),
        1 => rest.push(number(fields["id"])),
        4 => rest.push(number(fields["end"])),
        _ => {}
    }
    let refs = reference(of_category) << 32 | reference(of_name) << 48;
    put(out, 4 | kind << 16 | count << 20 | refs, &rest);
}

fn arg(args: &mut Vec<u64>, kind: u64, quoted: &str, value: u64) {
    let (name, length) = text(quoted);
    let size = 1 + name.len() as u64 + (kind > 2) as u64;
    args.push(kind | size << 4 | reference(length) << 16 | if kind > 2 { 0 } else { value << 32 });
    args.extend(name);
    if kind > 2 { args.push(value); }
}

fn main() {
    let script = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let (mut out, mut fields, mut args, mut count) = (Vec::new(), HashMap::new(), Vec::new(), 0);
    put(&mut out, 0x0016547846040000, &[]);
    for line in script.lines() {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["write", "initialization", ticks] => put(&mut out, 1, &[number(ticks)]),
            ["write", "provider", id, quoted] => {
                let (name, length) = text(quoted);
                put(&mut out, 1 << 16 | number(id) << 20 | length << 52, &name);
            }
            ["arg", kind, name, value] => { arg(&mut args, find(&TYPES, kind), name, number(value)); count += 1; }
            ["done"] => { event(&mut out, &fields, &args, count); args.clear(); count = 0; }
            [key, value] => { fields.insert(key, value); }
            _ => panic!("{}", line),
        }
    }
    std::io::stdout().write_all(&out).unwrap();
}
