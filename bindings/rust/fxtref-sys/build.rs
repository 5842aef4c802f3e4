//! Where libfxtref is: FXTREF_LIB_DIR, or the linker's own directories.
fn main() {
    println!("cargo:rerun-if-env-changed=FXTREF_LIB_DIR");
    if let Ok(directory) = std::env::var("FXTREF_LIB_DIR") {
        println!("cargo:rustc-link-search=native={}", directory);
    }
}
