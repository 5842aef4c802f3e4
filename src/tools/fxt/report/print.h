/* A report in each of its forms. */
#ifndef FXT_TOOLS_FXT_REPORT_PRINT_H
#define FXT_TOOLS_FXT_REPORT_PRINT_H

#include "src/convert/out.h"
#include "src/tools/fxt/report/rows.h"

/* Each prints a report that has ended. False after a message. */
bool print_text(struct fxt_out *out, const struct report *report,
                const struct report_options *options, bool colour);
bool print_json(struct fxt_out *out, const struct report *report,
                const struct report_options *options);
bool print_csv(struct fxt_out *out, const struct report *report,
               const struct report_options *options);
bool print_folded(struct fxt_out *out, const struct report *report);
bool print_flamegraph(struct fxt_out *out, const struct report *report);

/* The changes from one report to another, as text, JSON or CSV. */
bool print_diff(struct fxt_out *out, struct report *old, struct report *new,
                const struct report_options *options, bool colour);

/* How many of so many rows the options want: --top, else `usual` (0: all). */
uint32_t print_rows(const struct report_options *options, uint32_t rows, uint32_t usual);

#endif
