/* The groups of a report in the order in which they are printed. */
#ifndef FXT_TOOLS_FXT_REPORT_ROWS_H
#define FXT_TOOLS_FXT_REPORT_ROWS_H

#include "src/tools/fxt/report/report.h"

struct row {
    struct fxt_bytes name;
    bool is_async; /* no self time */
    uint64_t count;
    uint64_t total; /* ns, like all below */
    uint64_t self;
    uint64_t min;
    uint64_t p50;
    uint64_t p90;
    uint64_t p99;
    uint64_t max;
    double squares;
    uint64_t spread; /* from p25 to p75 */
};

struct rows {
    struct row *it; /* NULL: there are none, or no memory after a message */
    uint32_t count;
};

/* "total", "count" …: by enum report_sort and enum report_by. */
extern const char *const rows_sort_names[];
extern const char *const rows_by_names[];

/* All groups with durations, in the order of enum report_sort: names go up, numbers down. */
bool rows_make(struct rows *rows, const struct report *report, unsigned sort);
void rows_free(struct rows *rows);

/* How names compare: as bytes; of one name, async durations come last. */
int rows_compare_names(const struct row *a, const struct row *b);

/* The number that a row is sorted by; 0 for the name. */
uint64_t rows_number(const struct row *row, unsigned sort);

#endif
