/* Groups to rows. */
#include "src/tools/fxt/report/print.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *const rows_sort_names[] = {"total", "count", "self", "min", "p50",
                                       "p90",   "p99",   "max",  "name"};

int rows_compare_names(const struct row *a, const struct row *b)
{
    uint64_t both = a->name.size < b->name.size ? a->name.size : b->name.size;
    int order = both > 0 ? memcmp(a->name.bytes, b->name.bytes, (size_t)both) : 0;
    if (order == 0)
        order = (a->name.size > b->name.size) - (a->name.size < b->name.size);
    return order != 0 ? order : a->is_async - b->is_async;
}

uint64_t rows_number(const struct row *row, unsigned sort)
{
    switch (sort) {
    case REPORT_SORT_TOTAL:
        return row->total;
    case REPORT_SORT_COUNT:
        return row->count;
    case REPORT_SORT_SELF:
        return row->self;
    case REPORT_SORT_MIN:
        return row->min;
    case REPORT_SORT_P50:
        return row->p50;
    case REPORT_SORT_P90:
        return row->p90;
    case REPORT_SORT_P99:
        return row->p99;
    case REPORT_SORT_MAX:
        return row->max;
    default:
        return 0;
    }
}

static int compare(const void *a, const void *b, void *sort)
{
    uint64_t left = rows_number(a, *(const unsigned *)sort);
    uint64_t right = rows_number(b, *(const unsigned *)sort);
    return left != right ? (left > right ? -1 : 1) : rows_compare_names(a, b);
}

static struct row row_of(const struct report *report, const struct group *group)
{
    const struct groups *groups = &report->groups;
    return (struct row){
        .name = names_text(&report->names, report_group_name(report, group)),
        .is_async = group->is_async,
        .count = group->count,
        .total = groups_total(group),
        .self = group->self,
        .min = group->min,
        .p50 = groups_percentile(groups, group, 50),
        .p90 = groups_percentile(groups, group, 90),
        .p99 = groups_percentile(groups, group, 99),
        .max = group->max,
        .squares = group->squares,
        .spread = groups_percentile(groups, group, 75) - groups_percentile(groups, group, 25),
    };
}

static void set_shares(struct rows *rows)
{
    double all = 0;
    for (uint32_t i = 0; i < rows->count; i++)
        all += rows->it[i].is_async ? 0 : (double)rows->it[i].self;
    for (uint32_t i = 0; i < rows->count; i++)
        rows->it[i].share = all > 0 ? (double)rows->it[i].self / all : 0;
}

bool rows_make(struct rows *rows, const struct report *report, unsigned sort)
{
    *rows = (struct rows){.it = calloc(report->groups.count, sizeof *rows->it)};
    if (rows->it == NULL) {
        message("%s: %s", report->file, strerror(ENOMEM));
        return false;
    }
    for (uint32_t i = 0; i < report->groups.count; i++)
        if (report->groups.it[i].count > 0)
            rows->it[rows->count++] = row_of(report, &report->groups.it[i]);
    set_shares(rows);
    qsort_r(rows->it, rows->count, sizeof *rows->it, compare, &sort);
    return true;
}

void rows_free(struct rows *rows)
{
    free(rows->it);
    *rows = (struct rows){NULL, 0};
}
