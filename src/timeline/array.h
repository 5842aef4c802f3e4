/* Arrays of rows that grow. Rows are addressed by number: an address is valid until the next row is
   added to the same array. */
#ifndef FXT_TIMELINE_ARRAY_H
#define FXT_TIMELINE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ROW_NONE UINT32_MAX /* no row; at most as many rows exist */

struct array {
    void *it;
    uint32_t count;
    uint32_t capacity;
    uint32_t size; /* of a row, in bytes */
    bool failed;   /* a row found no memory: the last row is then written again and again */
};

/* False if there is no memory. */
bool array_init(struct array *rows, size_t size);
void array_free(struct array *rows);

/* Returns the address of a new row, which the caller fills in. Always an address: see `failed`. */
void *array_add(struct array *rows);

/* Memory that will be used as a whole: asks for large pages, if it is large. */
void array_expect_large(void *it, size_t size);

static inline void *array_at(const struct array *rows, uint32_t row)
{
    return (uint8_t *)rows->it + (size_t)row * rows->size;
}

/* Rows into order by the uint64_t that each begins with. */

/* Stable. False if there is no memory: the rows are as before. */
bool sort_by_time(struct array *rows);

/* The same for rows of which the first `count` are in order, and the others are. */
bool merge_by_time(struct array *rows, uint32_t count);

#endif
