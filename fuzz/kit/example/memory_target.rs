//! The reader in Rust alone: what makes it panic ends the fuzzer.
mod reader;

#[no_mangle]
pub extern "C" fn LLVMFuzzerTestOneInput(bytes: *const u8, size: usize) -> i32 {
    if size > 0 {
        let bytes = unsafe { std::slice::from_raw_parts(bytes, size) };
        reader::read(bytes, |_| {});
    }
    0
}
