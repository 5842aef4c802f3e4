// A reader beside another one, here libfxt: what one of them delivers and the other does not is a
// crash.
#include <cinttypes>

#include "fxt_fuzz.h"
extern "C" {
#include <fxt/read.h>
}

// In lines.cpp, in C++, or in lines.rs, in Rust.
extern "C" fxt_fuzz_reader their_reader;

static void libfxt(fxt_fuzz_lines *out, const uint8_t *bytes, size_t size)
{
    fxt_reader reader;
    fxt_record record;
    fxt_event event;
    fxt_arg arg;
    fxt_error error;
    fxt_status status;
    fxt_reader_init(&reader, bytes, size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK ||
           status == FXT_ZERO_WORD) {
        if (status != FXT_OK || fxt_read_event(&record, &event, &error) != FXT_OK ||
            event.event_type > FXT_EVENT_FLOW_END)
            continue; // readers pass over events of types that they do not know
        fxt_fuzz_line(out, "event type %u at %" PRIu64, event.event_type, event.timestamp);
        while (fxt_args_next(&event.args, &arg, &error) == FXT_OK)
            if (arg.type == FXT_ARG_INT32)
                fxt_fuzz_line(out, "int32 %" PRId64, int64_t(int32_t(arg.value)));
    }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fxt_fuzz_diff(bytes, size, libfxt, their_reader);
    return 0;
}
