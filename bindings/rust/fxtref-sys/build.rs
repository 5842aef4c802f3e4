//! Where libfxtref is: FXTREF_LIB_DIR, or where the linker looks by itself.
fn main() {
    println!("cargo:rerun-if-env-changed=FXTREF_LIB_DIR");
    if let Ok(directory) = std::env::var("FXTREF_LIB_DIR") {
        // Cargo runs this in the folder of the crate, so a relative path would lead elsewhere.
        if !std::path::Path::new(&directory).is_absolute() {
            panic!("FXTREF_LIB_DIR={directory}: give an absolute path");
        }
        println!("cargo:rustc-link-search=native={}", directory);
    }
}
