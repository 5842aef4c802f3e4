// What the reader in C++ delivers, as lines for diff_target.cpp.
#include <cinttypes>

#include "fxt_fuzz.h"
#include "reader.hpp"

// What of fxt_fuzz_expected is compared.
const char fxt_fuzz_parts[] =
    "instant counter duration_begin duration_end duration_complete async_begin async_instant "
    "async_end "
    "flow_begin flow_step flow_end provider process thread ts category name arg arg.int32";

static const char *const types[] = {
    "instant",           "counter",     "duration_begin", "duration_end",
    "duration_complete", "async_begin", "async_instant",  "async_end",
    "flow_begin",        "flow_step",   "flow_end",
};

static void koid(fxt_fuzz_lines *out, const char *key, bool known, uint64_t koid)
{
    if (known)
        fxt_fuzz_line(out, "%s %" PRIu64, key, koid);
    else
        fxt_fuzz_line(out, "%s null", key);
}

static void text(fxt_fuzz_lines *out, const char *key, const Text &text)
{
    fxt_fuzz_text(out, key, text.known ? text.bytes.data() : nullptr, text.bytes.size());
}

extern "C" void their_reader(fxt_fuzz_lines *out, const uint8_t *bytes, size_t size)
{
    Reader(bytes, size).read([&](const Event &event) {
        fxt_fuzz_line(out, "event %s", types[event.type]);
        fxt_fuzz_line(out, "provider %" PRIu32, event.provider);
        koid(out, "process", event.thread.known, event.thread.process);
        koid(out, "thread", event.thread.known, event.thread.thread);
        fxt_fuzz_line(out, "ts %" PRIu64, event.time);
        text(out, "category", event.category);
        text(out, "name", event.name);
        for (const Number &number : event.numbers) {
            if (!number.name.known)
                continue;
            text(out, "arg", number.name);
            fxt_fuzz_line(out, "arg.int32 %" PRId64, number.value);
        }
    });
}
