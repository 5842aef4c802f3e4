/* The part of a trace that counts. No state. */
#include "src/tools/fxt/report/report.h"

void report_set_part(struct report *report, uint64_t from, uint64_t to)
{
    report->from = report->spans.from = report->counters.from = from;
    report->to = report->spans.to = to;
}

bool report_clip(const struct report *report, uint64_t *begin, uint64_t *end)
{
    if (*begin >= report->to || (*begin < report->from && *end <= report->from))
        return false;
    *begin = *begin > report->from ? *begin : report->from;
    *end = *end < report->to ? *end : report->to;
    return true;
}

bool report_span(const struct report *report, uint64_t *first, uint64_t *last)
{
    *first = report->first;
    *last = report->last;
    return *first <= *last && report_clip(report, first, last);
}
