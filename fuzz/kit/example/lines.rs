//! What the reader in Rust delivers, as lines for diff_target.cpp.
mod reader;

use std::ffi::CString;
use std::os::raw::{c_char, c_void};

/// What of fxt_fuzz_expected is compared.
#[no_mangle]
#[allow(non_upper_case_globals)]
pub static fxt_fuzz_parts: [u8; 141] = *b"instant counter duration_begin duration_end \
    duration_complete async_begin async_instant async_end flow_begin flow_step flow_end ts \
    arg.int32\0";

const TYPES: [&str; 11] = [
    "instant", "counter", "duration_begin", "duration_end", "duration_complete", "async_begin",
    "async_instant", "async_end", "flow_begin", "flow_step", "flow_end",
];

extern "C" {
    fn fxt_fuzz_line(out: *mut c_void, format: *const c_char, ...);
}

#[no_mangle]
pub extern "C" fn their_reader(out: *mut c_void, bytes: *const u8, size: usize) {
    let print = |line: String| {
        let line = CString::new(line).unwrap();
        unsafe { fxt_fuzz_line(out, b"%s\0".as_ptr().cast(), line.as_ptr()) }
    };
    if size > 0 {
        let bytes = unsafe { std::slice::from_raw_parts(bytes, size) };
        reader::read(bytes, |event| {
            print(format!("event {}", TYPES[event.kind as usize]));
            print(format!("ts {}", event.time));
            for number in &event.numbers {
                print(format!("arg.int32 {number}"));
            }
        });
    }
}
