/* A report as one JSON object, and its durations as CSV. No state. fxt.1 lists the members and the
   columns: keep them in step. */
#include <math.h>
#include <string.h>

#include "src/cli/finding.h"
#include "src/tools/fxt/report/print.h"

static void number(struct fxt_out *out, const char *before, uint64_t value)
{
    fxt_out_text(out, before);
    fxt_out_u64(out, value);
}

static void string(struct fxt_out *out, const char *before, struct fxt_bytes text)
{
    fxt_out_text(out, before);
    json_string(out, (const char *)text.bytes, (size_t)text.size);
}

static void name(struct fxt_out *out, const char *before, const struct report *report,
                 uint32_t index)
{
    string(out, before, names_text(&report->names, index));
}

static void put_duration(struct fxt_out *out, const struct row *row)
{
    string(out, "{\"name\":", row->name);
    fxt_out_text(out, row->is_async ? ",\"async\":true" : ",\"async\":false");
    number(out, ",\"count\":", row->count);
    number(out, ",\"total_ns\":", row->total);
    if (row->is_async)
        fxt_out_text(out, ",\"self_ns\":null");
    else
        number(out, ",\"self_ns\":", row->self);
    number(out, ",\"min_ns\":", row->min);
    number(out, ",\"p50_ns\":", row->p50);
    number(out, ",\"p90_ns\":", row->p90);
    number(out, ",\"p99_ns\":", row->p99);
    number(out, ",\"max_ns\":", row->max);
    fxt_out_char(out, '}');
}

static void put_longest(struct fxt_out *out, const struct report *report,
                        const struct longest *longest, const char *length)
{
    for (uint32_t i = 0; i < longest->count; i++) {
        const struct long_one *one = &longest->it[i];
        name(out, i > 0 ? ",{\"name\":" : "{\"name\":", report, one->name);
        fxt_out_text(out, one->is_async ? ",\"async\":true" : ",\"async\":false");
        name(out, ",\"thread\":", report, report->tracks.it[one->track].name);
        number(out, ",\"start_ns\":", one->begin - report->first);
        number(out, length, one->ns);
        fxt_out_char(out, '}');
    }
}

static void put_gaps(struct fxt_out *out, const struct report *report)
{
    for (uint32_t i = 0; i < report->gaps.count; i++) {
        const struct long_one *gap = &report->gaps.it[i];
        name(out, i > 0 ? ",{\"thread\":" : "{\"thread\":", report,
             report->tracks.it[gap->track].name);
        number(out, ",\"start_ns\":", gap->begin - report->first);
        number(out, ",\"duration_ns\":", gap->ns);
        fxt_out_char(out, '}');
    }
}

/* JSON has no NaN and no infinity: they are strings, as those of fxt dump --events. */
static void put_value(struct fxt_out *out, const char *before, struct counter_value value)
{
    char text[READABLE_BYTES];
    double number = counter_value_double(value);
    fxt_out_text(out, before);
    if (isnan(number)) {
        fxt_out_text(out, "\"NaN\"");
    } else if (isinf(number)) {
        fxt_out_text(out, number > 0 ? "\"Infinity\"" : "\"-Infinity\"");
    } else {
        readable_value(text, value);
        fxt_out_text(out, text);
    }
}

static void put_counters(struct fxt_out *out, const struct report *report, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct counter *counter = &report->counters.it[i];
        name(out, i > 0 ? ",{\"name\":" : "{\"name\":", report, counter->name);
        name(out, ",\"category\":", report, counter->category);
        number(out, ",\"id\":", counter->id);
        name(out, ",\"argument\":", report, counter->arg);
        name(out, ",\"process\":", report, report->tracks.processes[counter->process].name);
        number(out, ",\"count\":", counter->count);
        put_value(out, ",\"first\":", counter->first);
        put_value(out, ",\"last\":", counter->last);
        put_value(out, ",\"min\":", counter->min);
        put_value(out, ",\"max\":", counter->max);
        fxt_out_char(out, '}');
    }
}

static void put_drops(struct fxt_out *out, const struct report *report)
{
    const char *before = "{\"provider\":";
    for (uint32_t i = 0; i < report->tracks.provider_count; i++) {
        const struct track_provider *provider = &report->tracks.providers[i];
        if (provider->full_events == 0)
            continue;
        name(out, before, report, provider->name);
        number(out, ",\"id\":", provider->id);
        number(out, ",\"provider_events\":", provider->full_events);
        fxt_out_char(out, '}');
        before = ",{\"provider\":";
    }
}

static void put_notes(struct fxt_out *out, const struct report *report)
{
    const struct report_notes *notes = &report->notes;
    number(out, ",\"malformed\":", notes->malformed);
    number(out, ",\"unmatched\":{\"duration_begins\":", notes->begins[false]);
    number(out, ",\"duration_ends\":", notes->ends[false]);
    number(out, ",\"async_begins\":", notes->begins[true]);
    number(out, ",\"async_ends\":", notes->ends[true]);
    number(out, "},\"backwards\":", notes->backwards);
    number(out, ",\"counters_without_value\":", notes->no_value);
    number(out, ",\"overlapping\":", report->spans.overlap);
    number(out, ",\"late\":", report->spans.late);
    fxt_out_text(out, report_is_incomplete(report) ? ",\"complete\":false" : ",\"complete\":true");
}

static void put_head(struct fxt_out *out, const struct report *report)
{
    uint64_t first, last;
    bool has_time = report_span(report, &first, &last);
    fxt_out_text(out, "{\"file\":");
    json_string(out, report->file, strlen(report->file));
    number(out, ",\"events\":", report->events);
    number(out, ",\"start_ns\":", has_time ? first : 0);
    number(out, ",\"span_ns\":", has_time ? last - first : 0);
    put_notes(out, report);
    fxt_out_text(out, ",\"by\":");
    json_string(out, report->grouping.text, strlen(report->grouping.text));
}

bool print_json(struct fxt_out *out, const struct report *report,
                const struct report_options *options)
{
    struct rows rows;
    if (!rows_make(&rows, report, options->sort))
        return false;
    put_head(out, report);
    fxt_out_text(out, ",\"durations\":[");
    for (uint32_t i = 0; i < print_rows(options, rows.count, 0); i++) {
        fxt_out_text(out, i > 0 ? "," : "");
        put_duration(out, &rows.it[i]);
    }
    rows_free(&rows);
    fxt_out_text(out, "],\"longest\":[");
    put_longest(out, report, &report->longest, ",\"duration_ns\":");
    fxt_out_text(out, "],\"unfinished\":[");
    put_longest(out, report, &report->unfinished, ",\"at_least_ns\":");
    fxt_out_text(out, "],\"counters\":[");
    put_counters(out, report, print_rows(options, report->counters.count, 0));
    fxt_out_text(out, "],\"gaps\":[");
    put_gaps(out, report);
    fxt_out_text(out, "],\"drops\":[");
    put_drops(out, report);
    fxt_out_text(out, "]}\n");
    return true;
}

void print_csv_grouping(struct fxt_out *out, const struct report_options *options)
{
    const char *text = options->grouping.text;
    if (options->grouping.by != REPORT_BY_ARG)
        fxt_out_text(out, text);
    else
        readable_csv(out, (struct fxt_bytes){(const uint8_t *)text, strlen(text)}, false);
}

bool print_csv(struct fxt_out *out, const struct report *report,
               const struct report_options *options)
{
    struct rows rows;
    if (!rows_make(&rows, report, options->sort))
        return false;
    print_csv_grouping(out, options);
    fxt_out_text(out, ",async,count,total_ns,self_ns,min_ns,p50_ns,p90_ns,p99_ns,max_ns\n");
    for (uint32_t i = 0; i < print_rows(options, rows.count, 0); i++) {
        const struct row *row = &rows.it[i];
        readable_csv(out, row->name, options->common.no_formulas);
        number(out, row->is_async ? ",true," : ",false,", row->count);
        number(out, ",", row->total);
        fxt_out_char(out, ',');
        if (!row->is_async)
            fxt_out_u64(out, row->self);
        number(out, ",", row->min);
        number(out, ",", row->p50);
        number(out, ",", row->p90);
        number(out, ",", row->p99);
        number(out, ",", row->max);
        fxt_out_char(out, '\n');
    }
    rows_free(&rows);
    return true;
}
