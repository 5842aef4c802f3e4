/* Rows into the order of time: a radix sort of their times, then one pass that moves the rows. */
#include "src/timeline/array.h"

#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 11u
#define DIGITS (1u << DIGIT_BITS)

struct key {
    uint64_t ts;
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
        place[from[i].ts >> shift & (DIGITS - 1)]++;
    for (uint32_t digit = 0; digit < DIGITS; digit++) {
        uint32_t here = place[digit];
        place[digit] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < count; i++)
        to[place[from[i].ts >> shift & (DIGITS - 1)]++] = from[i];
}

/* Times count from the first one, so that fewer digits are needed. */
static struct key *sorted(const struct array *rows, struct key *keys, struct key *other)
{
    uint64_t first = UINT64_MAX;
    uint64_t all = 0;
    for (uint32_t i = 0; i < rows->count; i++)
        first = time_of(rows, i) < first ? time_of(rows, i) : first;
    for (uint32_t i = 0; i < rows->count; i++) {
        keys[i] = (struct key){time_of(rows, i) - first, i};
        all |= keys[i].ts;
    }
    for (unsigned shift = 0; shift < 64 && all >> shift != 0; shift += DIGIT_BITS) {
        pass(other, keys, rows->count, shift);
        struct key *swap = keys;
        keys = other;
        other = swap;
    }
    return keys;
}

bool sort_by_time(struct array *rows)
{
    if (is_sorted(rows))
        return true;
    struct key *keys = malloc(rows->count * sizeof *keys);
    struct key *other = malloc(rows->count * sizeof *other);
    uint8_t *to = NULL;
    if (keys != NULL && other != NULL) {
        struct key *order = sorted(rows, keys, other);
        if (order == keys)
            free(other), other = NULL;
        else
            free(keys), keys = NULL;
        to = malloc((size_t)rows->capacity * rows->size);
        for (uint32_t i = 0; to != NULL && i < rows->count; i++)
            memcpy(to + (size_t)i * rows->size, array_at(rows, order[i].row), rows->size);
    }
    free(keys);
    free(other);
    if (to == NULL)
        return false;
    free(rows->it);
    rows->it = to;
    return true;
}
