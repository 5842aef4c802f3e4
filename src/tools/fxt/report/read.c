/* Passes the records of a trace to its report, and counts what is none. No state. */
#include "src/tools/fxt/report/report.h"

#include "src/tools/common/stream.h"

bool report_read(struct report *report, struct stream *stream)
{
    struct fxt_record record;
    struct fxt_error error;
    uint64_t zero_end = UINT64_MAX; /* a run of zero words counts once */
    for (;;) {
        enum fxt_status status = stream_next(stream, &record, &error);
        if (status == FXT_OK) {
            report_record(report, &record);
            continue;
        }
        if (status == FXT_END)
            break;
        if (status != FXT_ZERO_WORD || error.offset != zero_end)
            report->notes.malformed++;
        if (status == FXT_ZERO_WORD)
            zero_end = error.offset + FXT_WORD_BYTES;
        if (stream_is_fatal(status)) {
            stream_drain(stream);
            break;
        }
    }
    return report_end(report);
}
