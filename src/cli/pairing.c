/* Lists of rows. The state is struct pairing, and the rows' times and links. */
#include "src/cli/pairing.h"

#define RUNS_MAX 33u
#define PROBE_MAX 512u

static uint64_t *time_of(const struct pairing_rows *rows, uint32_t row)
{
    return (uint64_t *)(void *)((char *)rows->it + row * rows->size + rows->time);
}

static uint32_t *next_of(const struct pairing_rows *rows, uint32_t row)
{
    return (uint32_t *)(void *)((char *)rows->it + row * rows->size + rows->next);
}

static void put(const struct pairing_rows *rows, uint32_t *list, uint32_t row)
{
    *next_of(rows, row) = *list;
    *list = row;
}

static uint32_t take(const struct pairing_rows *rows, uint32_t *list)
{
    uint32_t row = *list;
    *list = *next_of(rows, row);
    return row;
}

/* One list of two, the latest row first, and of equal ones that of `a`. */
static uint32_t merge(const struct pairing_rows *rows, uint32_t a, uint32_t b)
{
    uint32_t out, *last = &out;
    while (a != rows->none && b != rows->none) {
        *last = take(rows, *time_of(rows, a) >= *time_of(rows, b) ? &a : &b);
        last = next_of(rows, *last);
    }
    *last = a != rows->none ? a : b;
    return out;
}

/* The latest row first, and of equal ones the one that came first in the list. runs[i] is empty or
   has 2^i rows, which come before those of the runs below it. */
static uint32_t sorted(const struct pairing_rows *rows, uint32_t list)
{
    uint32_t runs[RUNS_MAX], out = rows->none;
    unsigned i;
    for (i = 0; i < RUNS_MAX; i++)
        runs[i] = rows->none;
    while (list != rows->none) {
        uint32_t run = take(rows, &list);
        *next_of(rows, run) = rows->none;
        for (i = 0; runs[i] != rows->none; i++) {
            run = merge(rows, runs[i], run);
            runs[i] = rows->none;
        }
        runs[i] = run;
    }
    for (i = 0; i < RUNS_MAX; i++)
        out = merge(rows, runs[i], out);
    return out;
}

static bool is_late(struct pairing *pairing, uint64_t time)
{
    if (time < pairing->latest)
        return true;
    pairing->latest = time;
    return false;
}

struct pairing pairing_of_none(uint32_t none)
{
    return (struct pairing){.open = none, .late = none, .stray = none};
}

void pairing_begin(struct pairing *pairing, const struct pairing_rows *begins, uint32_t row)
{
    if (is_late(pairing, *time_of(begins, row)))
        put(begins, &pairing->late, row);
    else
        put(begins, &pairing->open, row);
}

void pairing_skip(struct pairing *pairing, uint64_t time)
{
    (void)is_late(pairing, time);
}

bool pairing_end(struct pairing *pairing, const struct pairing_rows *begins, uint64_t time,
                 uint32_t *begin)
{
    if (is_late(pairing, time) || pairing->open == begins->none)
        return false;
    *begin = take(begins, &pairing->open);
    return true;
}

void pairing_stray(struct pairing *pairing, const struct pairing_rows *ends, uint32_t row)
{
    put(ends, &pairing->stray, row);
}

/* One ascending list of two. */
static uint32_t ascending(const struct pairing_rows *rows, uint32_t a, uint32_t b)
{
    uint32_t out = rows->none;
    while (a != rows->none || b != rows->none) {
        bool take_b =
            a == rows->none || (b != rows->none && *time_of(rows, b) >= *time_of(rows, a));
        put(rows, &out, take(rows, take_b ? &b : &a));
    }
    return out;
}

struct pairing_rest pairing_rest(const struct pairing *pairing, const struct pairing_rows *begins,
                                 const struct pairing_rows *ends)
{
    return (struct pairing_rest){
        .begins = begins,
        .ends = ends,
        .begin = ascending(begins, pairing->open, sorted(begins, pairing->late)),
        .end = ascending(ends, sorted(ends, pairing->stray), ends->none),
        .open = begins->none};
}

bool pairing_next(struct pairing_rest *rest, uint32_t *begin, uint32_t *end)
{
    const struct pairing_rows *begins = rest->begins;
    if (rest->end == rest->ends->none)
        return false;
    while (rest->begin != begins->none &&
           *time_of(begins, rest->begin) < *time_of(rest->ends, rest->end))
        put(begins, &rest->open, take(begins, &rest->begin));
    *end = take(rest->ends, &rest->end);
    *begin = rest->open != begins->none ? take(begins, &rest->open) : begins->none;
    return true;
}

bool pairing_next_open(struct pairing_rest *rest, uint32_t *begin)
{
    uint32_t *list = rest->open != rest->begins->none ? &rest->open : &rest->begin;
    if (*list == rest->begins->none)
        return false;
    *begin = take(rest->begins, list);
    return true;
}

uint32_t *pairing_find_begin(const struct pairing_rows *begins, uint32_t *list, uint64_t end,
                             pairing_is_of *is_of, const void *operation)
{
    uint32_t *link = list;
    for (unsigned step = 0; step < PROBE_MAX && *link != begins->none; step++) {
        if (is_of(operation, *link) && *time_of(begins, *link) <= end)
            return link;
        link = next_of(begins, *link);
    }
    if (*link != begins->none)
        *begins->crowded = true;
    return NULL;
}

uint32_t *pairing_find_end(const struct pairing_rows *ends, uint32_t *list, uint64_t begin,
                           pairing_is_of *is_of, const void *operation)
{
    uint32_t *link = list;
    uint32_t *found = NULL;
    for (unsigned step = 0; step < PROBE_MAX && *link != ends->none; step++) {
        uint64_t time = *time_of(ends, *link);
        if (is_of(operation, *link) && time > begin &&
            (found == NULL || time <= *time_of(ends, *found)))
            found = link;
        link = next_of(ends, *link);
    }
    if (*link == ends->none)
        return found;
    *ends->crowded = true; /* another one may be the earliest */
    return NULL;
}
