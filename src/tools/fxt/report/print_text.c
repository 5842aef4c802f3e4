/* A report as tables of text. No state. */
#include <stdio.h>
#include <string.h>

#include "src/tools/fxt/report/print.h"
#include "src/cli/finding.h"

#define TITLE_BYTES 400u

uint32_t print_rows(const struct report_options *options, uint32_t rows, uint32_t usual)
{
    uint32_t wanted = options->top > 0 ? options->top : usual;
    return wanted > 0 && wanted < rows ? wanted : rows;
}

/* ---- durations */

static size_t duration_cell(const void *context, uint32_t index, unsigned column, char *to)
{
    const struct row *row = (const struct row *)context + index;
    switch (column) {
    case 0:
        return readable_u64(to, row->count);
    case 1:
        return readable_ns(to, row->total);
    case 2:
        if (!row->is_async)
            return readable_ns(to, row->self);
        memcpy(to, "-", 2);
        return 1;
    case 3:
        if (!row->is_async)
            return (size_t)sprintf(to, "%.1f %%", 100 * row->share);
        memcpy(to, "-", 2);
        return 1;
    case 4:
        return readable_ns(to, row->min);
    case 5:
        return readable_ns(to, row->p50);
    case 6:
        return readable_ns(to, row->p90);
    case 7:
        return readable_ns(to, row->p99);
    default:
        return readable_ns(to, row->max);
    }
}

static void duration_name(const void *context, uint32_t index, struct fxt_out *out)
{
    const struct row *row = (const struct row *)context + index;
    readable_name(out, row->name, READABLE_TEXT);
    fxt_out_text(out, row->is_async ? ", async" : "");
}

/* "longest durations", "… (20 of 53)" */
static const char *title_of(char *text, const char *what, uint32_t shown, uint32_t all)
{
    int at = snprintf(text, TITLE_BYTES, "\n%s", what);
    if (shown < all)
        snprintf(text + at, TITLE_BYTES - (size_t)at, " (%u of %u)", (unsigned)shown,
                 (unsigned)all);
    return text;
}

static void print_durations(struct fxt_out *out, const struct rows *rows,
                            const struct report_options *options, struct look look)
{
    char title[TITLE_BYTES];
    char what[TITLE_BYTES];
    uint32_t shown = print_rows(options, rows->count, REPORT_TOP);
    const char *const headings[] = {"count", "total", "self", "share", "min",
                                    "p50",   "p90",   "p99",  "max",   options->grouping.text,
                                    NULL};
    snprintf(what, sizeof what, "durations by %s", options->grouping.text);
    const struct table table = {title_of(title, what, shown, rows->count),
                                headings,
                                rows->it,
                                shown,
                                duration_cell,
                                duration_name};
    if (shown > 0)
        table_print(out, &table, look);
}

/* ---- longest durations and gaps */

struct long_list {
    const struct report *report;
    const struct longest *longest;
};

static size_t long_cell(const void *context, uint32_t index, unsigned column, char *to)
{
    const struct long_list *list = context;
    const struct long_one *one = &list->longest->it[index];
    return column == 0 ? readable_ns(to, one->ns)
                       : readable_at(to, one->begin - list->report->first);
}

static struct fxt_bytes track_name(const struct report *report, uint32_t track)
{
    return names_text(&report->names, report->tracks.it[track].name);
}

static void gap_name(const void *context, uint32_t index, struct fxt_out *out)
{
    const struct long_list *list = context;
    readable_name(out, track_name(list->report, list->longest->it[index].track), READABLE_TEXT);
}

static void long_name(const void *context, uint32_t index, struct fxt_out *out)
{
    const struct long_list *list = context;
    const struct long_one *one = &list->longest->it[index];
    readable_name(out, names_text(&list->report->names, one->name), READABLE_TEXT);
    fxt_out_text(out, one->is_async ? ", async, " : ", ");
    gap_name(context, index, out);
}

static void print_longest(struct fxt_out *out, const struct report *report,
                          const struct longest *longest, const char *title, const char *length,
                          struct look look)
{
    const char *const headings[] = {length, "at", "name, thread", NULL};
    const struct long_list list = {report, longest};
    const struct table table = {title, headings, &list, longest->count, long_cell, long_name};
    if (table.rows > 0)
        table_print(out, &table, look);
}

static void print_gaps(struct fxt_out *out, const struct report *report, struct look look)
{
    static const char *const headings[] = {"gap", "at", "thread", NULL};
    const struct long_list list = {report, &report->gaps};
    const struct table table = {"\nlongest gaps of a thread", headings,  &list,
                                report->gaps.count,           long_cell, gap_name};
    if (table.rows > 0)
        table_print(out, &table, look);
}

/* ---- counters */

static size_t counter_cell(const void *context, uint32_t index, unsigned column, char *to)
{
    const struct counter *counter = &((const struct report *)context)->counters.it[index];
    const struct counter_value values[] = {counter->first, counter->last, counter->min,
                                           counter->max};
    return column == 0 ? readable_u64(to, counter->count) : readable_value(to, values[column - 1]);
}

static void counter_name(const void *context, uint32_t index, struct fxt_out *out)
{
    const struct report *report = context;
    const struct counter *counter = &report->counters.it[index];
    readable_name(out, names_text(&report->names, counter->name), READABLE_TEXT);
    if (counter->id != 0) {
        fxt_out_text(out, " #");
        fxt_out_u64(out, counter->id);
    }
    fxt_out_text(out, ", ");
    readable_name(out, names_text(&report->names, counter->arg), READABLE_TEXT);
    fxt_out_text(out, ", ");
    readable_name(out, names_text(&report->names, counter->category), READABLE_TEXT);
    fxt_out_text(out, ", ");
    readable_name(out, names_text(&report->names, report->tracks.processes[counter->process].name),
                  READABLE_TEXT);
}

static void print_counters(struct fxt_out *out, const struct report *report,
                           const struct report_options *options, struct look look)
{
    static const char *const headings[] = {
        "count", "first", "last", "min", "max", "counter, argument, category, process", NULL};
    char title[TITLE_BYTES];
    uint32_t shown = print_rows(options, report->counters.count, REPORT_TOP);
    const struct table table = {title_of(title, "counters", shown, report->counters.count),
                                headings,
                                report,
                                shown,
                                counter_cell,
                                counter_name};
    if (shown > 0)
        table_print(out, &table, look);
}

/* ---- drops */

static void print_drops(struct fxt_out *out, const struct report *report)
{
    for (uint32_t i = 0; i < report->tracks.provider_count; i++) {
        const struct track_provider *provider = &report->tracks.providers[i];
        if (provider->full_events == 0)
            continue;
        fxt_out_text(out, "\nrecords dropped: the buffer of ");
        readable_name(out, names_text(&report->names, provider->name), READABLE_TEXT);
        fxt_out_text(out, " was full (provider events: ");
        fxt_out_u64(out, provider->full_events);
        fxt_out_text(out, ")\n");
    }
}

static void print_head(struct fxt_out *out, const struct report *report)
{
    char text[READABLE_BYTES];
    uint64_t first, last;
    shown_string(out, report->file);
    fxt_out_text(out, ": ");
    fxt_out_u64(out, report->events);
    fxt_out_text(out, report->events == 1 ? " event, " : " events, ");
    fxt_out_u64(out, report->durations);
    fxt_out_text(out, report->durations == 1 ? " duration" : " durations");
    if (report_span(report, &first, &last)) {
        readable_ns(text, last - first);
        fxt_out_text(out, " in ");
        fxt_out_text(out, text);
    }
    fxt_out_char(out, '\n');
}

bool print_text(struct fxt_out *out, const struct report *report,
                const struct report_options *options, struct look look)
{
    struct rows rows;
    if (!rows_make(&rows, report, options->sort))
        return false;
    print_head(out, report);
    print_durations(out, &rows, options, look);
    print_longest(out, report, &report->longest, "\nlongest durations", "duration", look);
    print_longest(out, report, &report->unfinished, "\nunfinished durations", "at least", look);
    print_counters(out, report, options, look);
    print_gaps(out, report, look);
    print_drops(out, report);
    rows_free(&rows);
    return true;
}
