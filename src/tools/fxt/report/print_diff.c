/* What changed from one report to another, in each form. No state. */
#include <stdio.h>
#include <string.h>

#include "src/cli/finding.h"
#include "src/tools/fxt/report/print.h"

#define TITLE_BYTES 400u

/* ---- text */

static size_t copy(char *to, const char *text)
{
    memcpy(to, text, strlen(text) + 1);
    return strlen(text);
}

static size_t put_ns(char *to, const struct row *row, uint64_t ns)
{
    return row != NULL ? readable_ns(to, ns) : copy(to, "-");
}

static size_t put_change(char *to, const struct change *change, uint64_t old, uint64_t new,
                         bool is_large)
{
    if (change->old == NULL || change->new == NULL)
        return copy(to, change->old == NULL ? "new  " : "gone  ");
    if (old == new)
        return copy(to, "0.0 %  ");
    size_t size = readable_percent(to, changes_relative(old, new));
    return size + copy(to + size, is_large ? " *" : "  ");
}

static size_t cell(const void *context, uint32_t index, unsigned column, char *to)
{
    const struct change *change = (const struct change *)context + index;
    static const struct row none;
    const struct row *old = change->old != NULL ? change->old : &none;
    const struct row *new = change->new != NULL ? change->new : &none;
    switch (column) {
    case 0:
        return put_ns(to, change->old, old->total);
    case 1:
        return put_ns(to, change->new, new->total);
    case 2:
        return put_change(to, change, old->total, new->total, change->total_is_large);
    case 3:
        return put_ns(to, change->old, old->p50);
    case 4:
        return put_ns(to, change->new, new->p50);
    default:
        return put_change(to, change, old->p50, new->p50, change->p50_is_large);
    }
}

static void put_name(const void *context, uint32_t index, struct fxt_out *out)
{
    const struct row *row = changes_row((const struct change *)context + index);
    readable_name(out, row->name, READABLE_TEXT);
    if (row->is_async)
        fxt_out_text(out, ", async");
}

static void print_as_text(struct fxt_out *out, const struct changes *changes, uint32_t shown,
                          const struct report_options *options, struct look look)
{
    char title[TITLE_BYTES];
    const char *const headings[] = {"old total",
                                    "new total",
                                    "change  ",
                                    "old p50",
                                    "new p50",
                                    "change  ",
                                    options->grouping.text,
                                    NULL};
    snprintf(title, sizeof title, "durations by %s (%u of %u; *: more than the spread)",
             options->grouping.text, (unsigned)shown, (unsigned)changes->count);
    const struct table table = {title, headings, changes->it, shown, cell, put_name};
    if (shown > 0)
        table_print(out, &table, look);
    else
        fxt_out_text(out, "no durations\n");
}

/* ---- JSON */

static void number(struct fxt_out *out, const char *before, uint64_t value)
{
    fxt_out_text(out, before);
    fxt_out_u64(out, value);
}

static void put_side(struct fxt_out *out, const char *before, const struct row *row)
{
    fxt_out_text(out, before);
    if (row == NULL) {
        fxt_out_text(out, "null");
        return;
    }
    number(out, "{\"count\":", row->count);
    number(out, ",\"total_ns\":", row->total);
    number(out, ",\"p50_ns\":", row->p50);
    fxt_out_char(out, '}');
}

static void print_as_json(struct fxt_out *out, const struct changes *changes, uint32_t shown)
{
    fxt_out_text(out, "{\"durations\":[");
    for (uint32_t i = 0; i < shown; i++) {
        const struct change *change = &changes->it[i];
        const struct row *row = changes_row(change);
        fxt_out_text(out, i > 0 ? ",{\"name\":" : "{\"name\":");
        json_string(out, (const char *)row->name.bytes, (size_t)row->name.size);
        fxt_out_text(out, row->is_async ? ",\"async\":true" : ",\"async\":false");
        put_side(out, ",\"old\":", change->old);
        put_side(out, ",\"new\":", change->new);
        fxt_out_text(out, change->total_is_large ? ",\"total_is_large\":true"
                                                 : ",\"total_is_large\":false");
        fxt_out_text(out,
                     change->p50_is_large ? ",\"p50_is_large\":true}" : ",\"p50_is_large\":false}");
    }
    fxt_out_text(out, "]}\n");
}

/* ---- CSV */

static void put_fields(struct fxt_out *out, const struct row *row)
{
    if (row == NULL) {
        fxt_out_text(out, ",,,");
        return;
    }
    number(out, ",", row->count);
    number(out, ",", row->total);
    number(out, ",", row->p50);
}

static void print_as_csv(struct fxt_out *out, const struct changes *changes, uint32_t shown,
                         const struct report_options *options)
{
    print_csv_grouping(out, options);
    fxt_out_text(out, ",async,old_count,old_total_ns,old_p50_ns,new_count,new_total_ns,new_p50_ns,"
                      "total_is_large,p50_is_large\n");
    for (uint32_t i = 0; i < shown; i++) {
        const struct change *change = &changes->it[i];
        readable_csv(out, changes_row(change)->name, options->common.no_formulas);
        fxt_out_text(out, changes_row(change)->is_async ? ",true" : ",false");
        put_fields(out, change->old);
        put_fields(out, change->new);
        fxt_out_text(out, change->total_is_large ? ",true" : ",false");
        fxt_out_text(out, change->p50_is_large ? ",true\n" : ",false\n");
    }
}

bool print_diff(struct fxt_out *out, struct report *old, struct report *new,
                const struct report_options *options, struct look look)
{
    struct changes changes;
    report_join_equal_names(old);
    report_join_equal_names(new);
    bool done = changes_make(&changes, old, new, options->sort);
    bool is_text = !options->json && !options->csv;
    uint32_t shown = print_rows(options, changes.count, is_text ? REPORT_TOP : 0);
    if (done && options->json)
        print_as_json(out, &changes, shown);
    else if (done && options->csv)
        print_as_csv(out, &changes, shown, options);
    else if (done)
        print_as_text(out, &changes, shown, options, look);
    changes_free(&changes);
    return done;
}
