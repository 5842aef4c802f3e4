/* Arrays of rows. Invariant: capacity >= 1, so that array_add always has a row to return. */
#include "src/timeline/array.h"

#include <stdlib.h>

#define FIRST_CAPACITY 64u

bool array_init(struct array *rows, size_t size)
{
    *rows = (struct array){.it = malloc(FIRST_CAPACITY * size), .size = (uint32_t)size};
    rows->capacity = rows->it != NULL ? FIRST_CAPACITY : 0;
    return rows->it != NULL;
}

void array_free(struct array *rows)
{
    free(rows->it);
    *rows = (struct array){.it = NULL};
}

static bool grow(struct array *rows)
{
    uint64_t capacity = (uint64_t)rows->capacity * 2;
    if (capacity > ROW_NONE)
        capacity = ROW_NONE;
    void *it = capacity > rows->capacity ? realloc(rows->it, (size_t)capacity * rows->size) : NULL;
    if (it == NULL)
        return false;
    rows->it = it;
    rows->capacity = (uint32_t)capacity;
    return true;
}

void *array_add(struct array *rows)
{
    if (rows->count == rows->capacity && !grow(rows)) {
        rows->failed = true;
        return array_at(rows, rows->count - 1);
    }
    return array_at(rows, rows->count++);
}
