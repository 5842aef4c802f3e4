// The reader alone: a sanitizer finds what it does to memory.
#include "reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    volatile uint64_t sum = 0;
    Reader(bytes, size).read([&](const Event &event) { sum = sum + event.time; });
    return 0;
}
