/* A report in each of its forms. */
#ifndef FXT_TOOLS_FXT_REPORT_PRINT_H
#define FXT_TOOLS_FXT_REPORT_PRINT_H

#include <stdbool.h>

#include <fxt/record.h>

#include "src/convert/out.h"
#include "src/tools/fxt/report/report.h"

/* The groups of a report in the order in which they are printed. */

struct row {
    struct fxt_bytes name;
    bool is_async; /* no self time */
    uint64_t count;
    uint64_t total; /* ns, like all below */
    uint64_t self;
    double share; /* of the self times of all rows, from 0 to 1 */
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

/* "total", "count" …: by enum report_sort. */
extern const char *const rows_sort_names[];

/* All groups with durations, in the order of enum report_sort: names go up, numbers down. */
bool rows_make(struct rows *rows, const struct report *report, unsigned sort);
void rows_free(struct rows *rows);

/* How names compare: as bytes; of one name, async durations come last. */
int rows_compare_names(const struct row *a, const struct row *b);

/* The number that a row is sorted by; 0 for the name. */
uint64_t rows_number(const struct row *row, unsigned sort);

/* How tables look. */
struct look {
    bool colour;
    unsigned columns; /* of the terminal; 0: no limit */
};

/* Each prints a report that has ended. False after a message. */
bool print_text(struct fxt_out *out, const struct report *report,
                const struct report_options *options, struct look look);
bool print_json(struct fxt_out *out, const struct report *report,
                const struct report_options *options);
bool print_csv(struct fxt_out *out, const struct report *report,
               const struct report_options *options);
void print_csv_grouping(struct fxt_out *out,
                        const struct report_options *options); /* the heading */
bool print_folded(struct fxt_out *out, const struct report *report);
bool print_flamegraph(struct fxt_out *out, const struct report *report);

/* The changes from one report to another, as text, JSON or CSV. */
bool print_diff(struct fxt_out *out, struct report *old, struct report *new,
                const struct report_options *options, struct look look);

/* How many of so many rows the options want: --top, else `usual` (0: all). */
uint32_t print_rows(const struct report_options *options, uint32_t rows, uint32_t usual);

/* Numbers and names as people read them, and escaped for each form of output. */

#define READABLE_BYTES 48u

/* Each writes fewer than READABLE_BYTES bytes and a NUL, and returns their number. */
size_t readable_ns(char *to, uint64_t ns); /* 999 ns, 1.234 µs, 12.35 ms, 123.4 s */
size_t readable_at(char *to, uint64_t ns); /* 0.434300123s, as fxt cut takes it */
size_t readable_u64(char *to, uint64_t number);
size_t readable_double(char *to, double number);             /* 3 for 3.0; nan, inf, -inf */
size_t readable_value(char *to, struct counter_value value); /* integers are exact */
size_t readable_percent(char *to, double change);            /* +12.3 % */

enum readable_form { READABLE_TEXT, READABLE_CSV, READABLE_FOLDED, READABLE_XML };

/* A name. In every form, bytes that are not UTF-8 and characters that are not printable become
   \xNN; (empty) stands for a name without bytes, except in CSV. READABLE_TEXT and READABLE_XML also
   shorten it. */
void readable_name(struct fxt_out *out, struct fxt_bytes name, enum readable_form form);

/* A cell of CSV, in quotes. no_formulas: with an apostrophe before a name that a spreadsheet would
   compute. */
void readable_csv(struct fxt_out *out, struct fxt_bytes name, bool no_formulas);

/* Tables of text: numbers to the right, one column of names at the end. */

#define TABLE_COLUMNS_MAX 13u

struct table {
    const char *title;
    const char *const *headings; /* of all columns, the last is that of the names; then NULL */
    const void *context;
    uint32_t rows;
    /* Writes a cell as the functions of readable.h do. */
    size_t (*cell)(const void *context, uint32_t row, unsigned column, char *to);
    void (*name)(const void *context, uint32_t row, struct fxt_out *out);
};

/* Of columns that leave a terminal too little room for names, the last ones are left out, but not the
   first two. */
void table_print(struct fxt_out *out, const struct table *table, struct look look);

/* Two reports, group by group. */

/* A group that is in at least one report. */
struct change {
    const struct row *old; /* NULL: not in that report */
    const struct row *new;
    bool total_is_large; /* larger than the spread, as fxt.1 defines it */
    bool p50_is_large;
};

struct changes {
    struct rows old;
    struct rows new;
    struct change *it;
    uint32_t count;
};

/* Sorted by how much the number of `sort` changed, the largest change first, or by name. False
   after a message. */
bool changes_make(struct changes *changes, const struct report *old, const struct report *new,
                  unsigned sort);
void changes_free(struct changes *changes);

/* The group, in whichever report it is. */
const struct row *changes_row(const struct change *change);

/* 0.5 for half as much again. Both reports have the group, and `old` is not 0; else infinite or
   NaN. */
double changes_relative(uint64_t old, uint64_t new);

#endif
