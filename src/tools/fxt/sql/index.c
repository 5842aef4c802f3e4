/* Invariant: rows are sorted by key, then by number. No state. */
#include "src/tools/fxt/sql/sql.h"

#include "src/timeline/array.h"

bool index_make(struct array *index, const struct timeline *timeline, const struct table *table,
                const struct column *column)
{
    struct cell cell;
    uint32_t count = schema_rows(timeline, table)->count;
    if (!array_init(index, sizeof(struct index_row)))
        return false;
    for (uint32_t row = 0; row < count; row++) {
        schema_get(timeline, table, row, column, &cell);
        if (cell.kind == CELL_INTEGER)
            *(struct index_row *)array_add(index) =
                (struct index_row){index_key(cell.integer), row};
    }
    if (!index->failed && sort_by_time(index))
        return true;
    array_free(index);
    return false;
}

uint32_t index_find(const struct array *index, int64_t value)
{
    uint32_t low = 0;
    uint32_t high = index->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (((const struct index_row *)array_at(index, middle))->key < index_key(value))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
