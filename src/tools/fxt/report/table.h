/* Tables of text: numbers to the right, one column of names at the end. */
#ifndef FXT_TOOLS_FXT_REPORT_TABLE_H
#define FXT_TOOLS_FXT_REPORT_TABLE_H

#include "src/tools/fxt/report/words.h"

#define TABLE_COLUMNS_MAX 12u

struct table {
    const char *title;
    const char *const *headings; /* of all columns, the last is that of the names; then NULL */
    const void *context;
    uint32_t rows;
    /* Writes a cell as the functions of words.h do. */
    size_t (*cell)(const void *context, uint32_t row, unsigned column, char *to);
    void (*name)(const void *context, uint32_t row, struct fxt_out *out);
};

void table_print(struct fxt_out *out, const struct table *table, bool colour);

#endif
