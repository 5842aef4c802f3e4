/* Rows into the order of time: a radix sort of their times, then each row moves once. */
#include "src/timeline/array.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 11u
#define DIGITS (1u << DIGIT_BITS)
#define HALF_BITS 32u
#define ROW_BYTES_MAX 128u

/* Half of a time, and the row that has it. */
struct key {
    uint32_t half;
    uint32_t row;
};

static uint64_t time_of(const struct array *rows, uint32_t row)
{
    uint64_t ts;
    memcpy(&ts, array_at(rows, row), sizeof ts);
    return ts;
}

static bool is_sorted(const struct array *rows)
{
    for (uint32_t i = 1; i < rows->count; i++)
        if (time_of(rows, i) < time_of(rows, i - 1))
            return false;
    return true;
}

static void pass(struct key *to, const struct key *from, uint32_t count, unsigned shift)
{
    uint32_t place[DIGITS] = {0};
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        place[from[i].half >> shift & (DIGITS - 1)]++;
    for (uint32_t digit = 0; digit < DIGITS; digit++) {
        uint32_t here = place[digit];
        place[digit] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < count; i++)
        to[place[from[i].half >> shift & (DIGITS - 1)]++] = from[i];
}

/* Sorts by the half of each time that begins at bit `from`. The result is in one of the two. */
static struct key *sort_half(const struct array *rows, struct key *keys, struct key *other,
                             uint64_t first, uint64_t last, unsigned from)
{
    for (uint32_t i = 0; i < rows->count; i++)
        keys[i].half = (uint32_t)((time_of(rows, keys[i].row) - first) >> from);
    for (unsigned shift = 0; shift < HALF_BITS && (last - first) >> from >> shift != 0;
         shift += DIGIT_BITS) {
        pass(other, keys, rows->count, shift);
        struct key *swap = keys;
        keys = other;
        other = swap;
    }
    return keys;
}

/* Times count from the first one, so that fewer digits are needed. */
static struct key *sorted(const struct array *rows, struct key *keys, struct key *other)
{
    uint64_t first = UINT64_MAX;
    uint64_t last = 0;
    for (uint32_t i = 0; i < rows->count; i++) {
        uint64_t ts = time_of(rows, i);
        first = ts < first ? ts : first;
        last = ts > last ? ts : last;
        keys[i].row = i;
    }
    struct key *order = sort_half(rows, keys, other, first, last, 0);
    return sort_half(rows, order, order == keys ? other : keys, first, last, HALF_BITS);
}

/* Moves the row order[i].row to place i, for all i, along the cycles of the order. */
static void move(struct array *rows, struct key *order)
{
    uint8_t saved[ROW_BYTES_MAX];
    for (uint32_t i = 0; i < rows->count; i++) {
        if (order[i].row == i)
            continue;
        memcpy(saved, array_at(rows, i), rows->size);
        uint32_t to = i;
        for (uint32_t from; (from = order[to].row) != i; to = from) {
            memcpy(array_at(rows, to), array_at(rows, from), rows->size);
            order[to].row = to;
        }
        memcpy(array_at(rows, to), saved, rows->size);
        order[to].row = to;
    }
}

bool sort_by_time(struct array *rows)
{
    if (is_sorted(rows))
        return true;
    assert(rows->size <= ROW_BYTES_MAX);
    struct key *keys = malloc(rows->count * sizeof *keys);
    struct key *other = malloc(rows->count * sizeof *other);
    bool good = keys != NULL && other != NULL;
    if (good) {
        array_expect_large(keys, rows->count * sizeof *keys);
        array_expect_large(other, rows->count * sizeof *other);
        move(rows, sorted(rows, keys, other));
    }
    free(keys);
    free(other);
    return good;
}

bool merge_by_time(struct array *rows, uint32_t count)
{
    struct array others = *rows;
    uint32_t to = rows->count;
    others.count = to - count;
    others.it = malloc((size_t)others.count * rows->size + 1);
    if (others.it == NULL)
        return false;
    memcpy(others.it, array_at(rows, count), (size_t)others.count * rows->size);
    while (others.count > 0) {
        bool is_other =
            count == 0 || time_of(rows, count - 1) <= time_of(&others, others.count - 1);
        const void *from = is_other ? array_at(&others, --others.count) : array_at(rows, --count);
        memcpy(array_at(rows, --to), from, rows->size);
    }
    free(others.it);
    return true;
}
