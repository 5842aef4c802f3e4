/* Passes the records of a trace to its report, and counts what is none. No state. */
#include "src/tools/fxt/report/report.h"

#include "src/cli/stream.h"

bool report_read(struct report *report, struct stream *stream)
{
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    while ((status = stream_next(stream, &record, &error)) != FXT_END) {
        if (status == FXT_OK)
            report_record(report, &record);
        else
            report->notes.malformed += !stream->repeats;
    }
    return report_end(report);
}
