/* The stacks of a report as flame graph tools read them: one line for each, its frames, and its own
   time in nanoseconds. No state. */
#include "src/tools/fxt/report/print.h"

#define FRAMES_MAX 1000u /* of a line; deeper frames are one that is called "..." */

static void put_frames(struct fxt_out *out, const struct report *report, const uint32_t *frames,
                       uint32_t depth)
{
    for (uint32_t i = 0; i < depth && i < FRAMES_MAX; i++) {
        if (i > 0)
            fxt_out_char(out, ';');
        readable_name(out, names_text(&report->names, report->calls.it[frames[i]].name),
                      READABLE_FOLDED);
    }
    fxt_out_text(out, depth > FRAMES_MAX ? ";... " : " ");
}

bool print_folded(struct fxt_out *out, const struct report *report)
{
    static uint32_t frames[FRAMES_MAX];
    const struct calls *calls = &report->calls;
    uint32_t top = report->stacks;
    uint32_t depth = 0;
    for (uint32_t call = calls_next(calls, top, top, &depth); call != CALL_NONE;
         call = calls_next(calls, top, call, &depth)) {
        if (depth <= FRAMES_MAX)
            frames[depth - 1] = call;
        if (calls->it[call].self == 0)
            continue;
        put_frames(out, report, frames, depth);
        fxt_out_u64(out, calls->it[call].self);
        fxt_out_char(out, '\n');
    }
    return true;
}
