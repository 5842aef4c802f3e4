// What the reader in C++ delivers, as lines for diff_target.cpp.
#include <cinttypes>

#include "fxt_fuzz.h"
#include "reader.hpp"

extern "C" void their_reader(fxt_fuzz_lines *out, const uint8_t *bytes, size_t size)
{
    Reader(bytes, size).read([&](const Event &event) {
        fxt_fuzz_line(out, "event type %u at %" PRIu64, event.type, event.time);
        for (int64_t number : event.numbers)
            fxt_fuzz_line(out, "int32 %" PRId64, number);
    });
}
