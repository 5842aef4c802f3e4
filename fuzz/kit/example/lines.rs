//! What the reader in Rust delivers, as lines for diff_target.cpp.
mod reader;

use std::ffi::CString;
use std::os::raw::{c_char, c_void};

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
            print(format!("event type {} at {}", event.kind, event.time));
            for number in &event.numbers {
                print(format!("int32 {number}"));
            }
        });
    }
}
