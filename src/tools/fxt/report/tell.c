/* What is odd about a trace, on stderr: one line each. */
#include "src/tools/fxt/report/report.h"

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static bool is_full(const struct report *report)
{
    return report->opens.full || report->opens.crowded || report->names.full ||
           report->tracks.full || report->groups.full || report->groups.parts_full ||
           report->spans.full || report->calls.full || report->counters.full;
}

bool report_is_incomplete(const struct report *report)
{
    return report->notes.malformed > 0 || report->refs.tables_full || is_full(report);
}

/* FILE: BEFORE COUNT WHAT(s) AFTER */
static void tell(const struct report *report, const char *before, uint64_t count, const char *what,
                 const char *after)
{
    if (count > 0)
        message_at("%s: %s%llu %s%s%s", report->file, before, (unsigned long long)count, what,
                   plural(count), after);
}

static void tell_if(const struct report *report, bool full, const char *what)
{
    if (full)
        message_at("%s: the trace has more %s than the report holds: the rest is left out or "
                   "counted as (others)",
                   report->file, what);
}

void report_tell(const struct report *report)
{
    const struct report_notes *notes = &report->notes;
    tell(report, "left out: ", notes->malformed, "place",
         " that cannot be decoded; 'fxt check' lists them");
    tell(report, "left out: ", notes->begins, "duration begin", " without an end");
    tell(report, "left out: ", notes->ends, "duration end", " without a begin");
    tell(report, "left out: ", notes->async_begins, "async begin", " without an end");
    tell(report, "left out: ", notes->async_ends, "async end", " without a begin");
    tell(report, "left out: ", notes->backwards, "duration", " with an end before the begin");
    tell(report, "", report->spans.overlap, "time",
         " durations overlap, neither inside the other; they count as neighbours");
    tell(report, "some self times are too large: ", report->spans.late, "duration",
         " came too late to be placed");
    memory_tell_full(report->file, &(bool){false}, report->refs.tables_full ? FXT_FULL : FXT_OK);
    tell_if(report, report->names.full, "names");
    tell_if(report, report->tracks.full, "threads, processes or providers");
    tell_if(report, report->groups.full || report->groups.parts_full, "groups of durations");
    tell_if(report, report->opens.full, "open begins, or ends before their begins,");
    if (report->opens.crowded)
        message_at(
            "%s: more than 512 async operations are open at once: some are not matched; 'fxt sql' "
            "matches all",
            report->file);
    tell_if(report, report->counters.full, "counters");
    tell_if(report, report->spans.full || report->calls.full, "stacks");
}
