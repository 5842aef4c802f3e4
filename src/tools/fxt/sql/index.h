/* Rows of a table by the value of one integer column: made when a query first asks for it. */
#ifndef FXT_TOOLS_FXT_SQL_INDEX_H
#define FXT_TOOLS_FXT_SQL_INDEX_H

#include "src/tools/fxt/tables/schema.h"

struct index_row {
    uint64_t key;
    uint32_t row;
};

/* False if there is no memory. Rows without a value are left out. */
bool index_make(struct array *index, const struct tables *tables, const struct table *table,
                const struct column *column);

/* The place of the first row whose value is at least `value`. Rows of one value are ascending. */
uint32_t index_find(const struct array *index, int64_t value);

static inline uint64_t index_key(int64_t value)
{
    return (uint64_t)value ^ UINT64_C(1) << 63;
}

#endif
