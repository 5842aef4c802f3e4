// A reader beside that of libfxt: what one of them delivers and the other does not is a crash.
#include "fxt_fuzz.h"

// In lines.cpp, in C++, or in lines.rs, in Rust. So is fxt_fuzz_parts.
extern "C" fxt_fuzz_reader their_reader;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fxt_fuzz_diff(bytes, size, fxt_fuzz_expected, their_reader);
    return 0;
}
