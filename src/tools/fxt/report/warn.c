/* What is odd about a trace, on stderr: one line each. */
#include "src/tools/fxt/report/report.h"

#define NAME_SHOWN 64 /* bytes */

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static bool is_full(const struct report *report)
{
    return report->opens.full || report->asyncs.full || report->names.full || report->tracks.full ||
           report->groups.full || report->groups.parts_full || report->spans.full ||
           report->calls.full || report->counters.full;
}

bool report_is_incomplete(const struct report *report)
{
    return report->notes.malformed > 0 || report->refs.late_times > 0 || report->refs.tables_full ||
           is_full(report);
}

/* FILE: BEFORE COUNT WHAT(s) AFTER */
static void warn(const struct report *report, const char *before, uint64_t count, const char *what,
                 const char *after)
{
    if (count > 0)
        message_at("%s: %s%llu %s%s%s", report->file, before, (unsigned long long)count, what,
                   plural(count), after);
}

static void warn_if(const struct report *report, bool full, const char *what)
{
    if (full)
        message_at("%s: the trace has more %s than the report holds: the rest is left out or "
                   "counted as (others)",
                   report->file, what);
}

void report_warn(const struct report *report)
{
    const struct report_notes *notes = &report->notes;
    warn(report, "left out: ", notes->malformed, "place",
         " that cannot be decoded; 'fxt check' lists them");
    warn(report, "unfinished, in no sum: ", notes->begins[false], "duration begin",
         " without an end");
    warn(report, "left out: ", notes->ends[false], "duration end", " without a begin");
    warn(report, "unfinished, in no sum: ", notes->begins[true], "async begin", " without an end");
    warn(report, "left out: ", notes->ends[true], "async end", " without a begin");
    warn(report, "shown as 2^63 - 1 ns: ", report->refs.late_times, "time", " of 2^63 ns or more");
    warn(report, "left out: ", notes->backwards, "duration", " with an end before the begin");
    const struct fxt_bytes name = names_text(&report->names, notes->no_value_name);
    if (notes->no_value > 0)
        message_at("%s: left out: %llu counter event%s without a number, the first of '%.*s'",
                   report->file, (unsigned long long)notes->no_value, plural(notes->no_value),
                   name.size < NAME_SHOWN ? (int)name.size : NAME_SHOWN, (const char *)name.bytes);
    warn(report, "overlapping: ", report->spans.overlap, "duration",
         " with another, neither inside the other; they count as neighbours");
    warn(report, "some self times and totals are too large: ", report->spans.late, "duration",
         " came too late to be placed");
    memory_report_full(report->file, &(bool){false}, report->refs.tables_full ? FXT_FULL : FXT_OK);
    warn_if(report, report->names.full, "names");
    warn_if(report, report->tracks.full, "threads, processes or providers");
    warn_if(report, report->groups.full || report->groups.parts_full || report->totals.full,
            "groups of durations");
    warn_if(report, report->opens.full, "open begins, or ends before their begins,");
    warn_if(report, report->asyncs.full, "async ids that wait for an end");
    warn_if(report, report->counters.full, "counters");
    warn_if(report, report->spans.full || report->calls.full, "stacks");
}
