// conformance/run --adapter 'adapter {file}' --level events --kinds tables,events,args
use fxtref::{Kind, Reader, Value};
fn hex(bytes: &[u8]) -> String { bytes.iter().map(|byte| format!("{:02x}", byte)).collect() }
fn text(text: &Option<Vec<u8>>) -> String {
    text.as_ref().map_or("null".into(), |it| format!("{{\"hex\":\"{}\"}}", hex(it))) }
fn key(name: &[u8]) -> String { // any character may be an escape of 16 bits in JSON
    String::from_utf8_lossy(name).encode_utf16().map(|unit| format!("\\u{:04x}", unit)).collect() }
fn value(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Int(it) => it.to_string(), Value::Uint(it) => it.to_string(),
        Value::Bool(it) => it.to_string(), Value::Blob(it) => format!("\"{}\"", hex(it)),
        Value::Double(it) if it.is_nan() => "\"NaN\"".into(),
        Value::Double(it) if it.is_infinite() => format!("\"{}Infinity\"", if *it < 0. { "-" } else { "" }),
        Value::Double(it) => format!("{:?}", it), Value::Text(it) => text(it) } }
fn main() {
    let trace = std::fs::read(std::env::args().nth(1).expect("a file")).expect("readable");
    let mut reader = Reader::new(&trace);
    for e in &mut reader {
        let kind = format!("{:?}", e.kind).chars().map(|c| if c.is_uppercase() {
            format!("_{}", c.to_lowercase()) } else { c.to_string() }).collect::<String>();
        let koid = |it: Option<u64>| it.map_or("null".into(), |it| it.to_string());
        let args: Vec<_> = e.args.iter().map(|(k, v)| format!("\"{}\":{}", key(k), value(v))).collect();
        let end = if e.kind == Kind::DurationComplete { format!("\"end\":{},\"end_ns\":{},", e.end.0, e.end.1) } else { String::new() };
        print!("{{\"event\":\"{}\",\"provider\":{},\"ts\":{},\"ns\":{},\"id\":{},{}", &kind[1..], e.provider, e.ticks, e.ns, e.id, end);
        print!("\"process\":{},\"thread\":{},", koid(e.thread.map(|it| it.0)), koid(e.thread.map(|it| it.1)));
        println!("\"category\":{},\"name\":{},\"scope\":\"{}\",\"args\":{{{}}}}}", text(&e.category), text(&e.name), ["thread", "process", "global"][e.scope as usize], args.join(",")); }
    std::process::exit((reader.skipped() > 0 || reader.error().is_some()) as i32); }
