/* Arrays of rows. Invariant: capacity >= 1, so that array_add always has a row to return. */
#include "src/timeline/array.h"

#include <stdlib.h>
#include <sys/mman.h>

#define FIRST_CAPACITY 64u
#define PAGE_BYTES 4096u
#define LARGE_BYTES (8u << 20) /* of what is smaller, the last large page would be a large part */

/* The whole mapping: of a part, realloc would make a copy. If this fails, all is slower. */
void array_expect_large(void *it, size_t size)
{
    uintptr_t begin = (uintptr_t)it / PAGE_BYTES * PAGE_BYTES;
    uintptr_t end = ((uintptr_t)it + size + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    if (size >= LARGE_BYTES)
        madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

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
    array_expect_large(it, (size_t)capacity * rows->size);
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
