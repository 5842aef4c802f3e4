//! A smaller reader than reader.hpp, in Rust. It delivers the type and time of each event, and its
//! int32 arguments without their names. Its mistakes: --cfg=mistake_1 reads the koids of an inline
//! thread without looking whether they are there, --cfg=mistake_2 forgets that an int32 has a sign.

pub struct Event {
    pub kind: u64,
    pub time: u64,
    pub numbers: Vec<i64>,
}

/// Calls `deliver` with each event.
pub fn read(bytes: &[u8], mut deliver: impl FnMut(&Event)) {
    let words: Vec<u64> = bytes
        .chunks_exact(8)
        .map(|word| u64::from_le_bytes(word.try_into().unwrap()))
        .collect();
    if words.first() == Some(&0x1000_0446_7854_1600) {
        return; // the other byte order
    }
    let mut rest = &words[..];
    while let Some(&header) = rest.first() {
        let size = match header {
            0 => 1,
            _ if header & 15 == 15 => (header >> 4 & 0xffff_ffff) as usize,
            _ => (header >> 4 & 0xfff) as usize,
        };
        if size == 0 || size > rest.len() {
            return;
        }
        let (record, next) = rest.split_at(size);
        if header & 15 == 4 {
            if let Some(event) = decode(record) {
                deliver(&event);
            }
        }
        rest = next;
    }
}

/// Words of an inline string.
fn stream(string: u64) -> usize {
    if string & 0x8000 != 0 {
        ((string & 0x7fff) + 7) as usize / 8
    } else {
        0
    }
}

fn decode(record: &[u64]) -> Option<Event> {
    let header = record[0];
    let mut event = Event {
        kind: header >> 16 & 15,
        time: *record.get(1)?,
        numbers: Vec::new(),
    };
    if event.kind > 10 {
        return None; // a type that it does not know
    }
    let mut at = 2;
    if header >> 24 & 255 == 0 {
        if cfg!(mistake_1) && record[at] == record[at + 1] {
            event.time = 0;
        }
        at += 2;
    }
    at += stream(header >> 32) + stream(header >> 48);
    for _ in 0..header >> 20 & 15 {
        at += argument(record.get(at..)?, &mut event.numbers)?;
    }
    if matches!(event.kind, 1 | 4..=10) {
        at += 1;
    }
    if at <= record.len() {
        Some(event)
    } else {
        None
    }
}

/// Words of the argument that `words` begins with.
fn argument(words: &[u64], numbers: &mut Vec<i64>) -> Option<usize> {
    let header = *words.first()?;
    let size = (header >> 4 & 0xfff) as usize;
    let need = 1
        + stream(header >> 16)
        + match header & 15 {
            3 | 4 | 5 | 7 | 8 => 1,
            6 => stream(header >> 32),
            10 => ((header >> 32) + 7) as usize / 8,
            _ => 0,
        };
    if need > size || size > words.len() {
        return None;
    }
    if header & 15 == 1 {
        numbers.push(if cfg!(mistake_2) {
            (header >> 32) as i64
        } else {
            (header >> 32) as i32 as i64
        });
    }
    Some(size)
}
