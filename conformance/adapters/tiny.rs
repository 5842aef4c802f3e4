// rustc tiny.rs --edition=2021; ../run --adapter './tiny {file}' --level events --kinds=magic,instant
fn words(r: u64) -> usize { if r & 0x8000 != 0 { ((r & 0x7fff) as usize + 7) / 8 } else { 0 } }
fn text(r: u64, stream: &[u64]) -> String {
    if r != 0 && r < 0x8000 { return "null".into(); } // no string table here
    let bytes = stream.iter().flat_map(|w| w.to_le_bytes()).take((r & 0x7fff) as usize);
    format!("{{\"hex\":\"{}\"}}", bytes.map(|b| format!("{:02x}", b)).collect::<String>())
}
fn instant(w: &[u64]) {
    let (category, name) = (w[0] >> 32 & 0xffff, w[0] >> 48);
    let at = if w[0] >> 24 & 255 == 0 { 4 } else { 2 };
    let end = at + words(category) + words(name);
    let koid = |i: usize| if at == 4 { w[i].to_string() } else { "null".into() };
    if end > w.len() { return; } // its contents do not fit
    let scope = match w.get(end) { Some(1) => "process", Some(2) => "global", _ => "thread" };
    print!("{{\"event\":\"instant\",\"provider\":0,\"args\":{{}},\"scope\":\"{}\",", scope);
    print!("\"process\":{},\"thread\":{},\"ts\":{},", koid(2), koid(3), w[1]);
    print!("\"category\":{},", text(category, &w[at..]));
    println!("\"name\":{}}}", text(name, &w[at + words(category)..]));
}
fn main() {
    let data = std::fs::read(std::env::args().nth(1).unwrap()).unwrap();
    let word = |c: &[u8]| u64::from_le_bytes(c.try_into().unwrap());
    let (mut at, w) = (0, data.chunks_exact(8).map(word).collect::<Vec<u64>>());
    while at < w.len() && w[0] != 0x1000044678541600 {
        let size = (w[at] >> 4 & if w[at] & 15 == 15 { 0xffffffff } else { 0xfff }) as usize;
        if w[at] != 0 && size == 0 || size > w.len() - at { std::process::exit(1); }
        if w[at] & 0xff000f == 4 { instant(&w[at..at + size]); } // one without arguments
        at += size.max(1); }
    std::process::exit((data.len() % 8) as i32); }
