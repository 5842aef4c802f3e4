/* Lists of rows. The state is struct pairing, and the rows' times and links. */
#include "src/timeline/pairing.h"

#define RUNS_MAX 33u

static uint64_t *time_of(const struct pairing_rows *rows, uint32_t row)
{
    return (uint64_t *)(void *)((char *)rows->it + row * rows->size + rows->time);
}

static uint64_t place_of(const struct pairing_rows *rows, uint32_t row)
{
    return *(uint64_t *)(void *)((char *)rows->it + row * rows->size + rows->place);
}

static uint32_t *next_of(const struct pairing_rows *rows, uint32_t row)
{
    return (uint32_t *)(void *)((char *)rows->it + row * rows->size + rows->next);
}

void pairing_put(const struct pairing_rows *rows, uint32_t *list, uint32_t row)
{
    *next_of(rows, row) = *list;
    *list = row;
}

uint32_t pairing_take(const struct pairing_rows *rows, uint32_t *link)
{
    uint32_t row = *link;
    *link = *next_of(rows, row);
    return row;
}

/* One list of two, the latest row first, and of equal ones that of `a`. */
static uint32_t merge(const struct pairing_rows *rows, uint32_t a, uint32_t b)
{
    uint32_t out, *last = &out;
    while (a != rows->none && b != rows->none) {
        *last = pairing_take(rows, *time_of(rows, a) >= *time_of(rows, b) ? &a : &b);
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
        uint32_t run = pairing_take(rows, &list);
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
        pairing_put(begins, &pairing->late, row);
    else
        pairing_put(begins, &pairing->open, row);
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
    *begin = pairing_take(begins, &pairing->open);
    return true;
}

void pairing_stray(struct pairing *pairing, const struct pairing_rows *ends, uint32_t row)
{
    pairing_put(ends, &pairing->stray, row);
}

/* One ascending list of two. */
static uint32_t ascending(const struct pairing_rows *rows, uint32_t a, uint32_t b)
{
    uint32_t out = rows->none;
    while (a != rows->none || b != rows->none) {
        bool take_b =
            a == rows->none || (b != rows->none && *time_of(rows, b) >= *time_of(rows, a));
        pairing_put(rows, &out, pairing_take(rows, take_b ? &b : &a));
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

/* In the order of time, and of one time in that of the records. */
static bool is_before(const struct pairing_rest *rest, uint32_t begin, uint32_t end)
{
    uint64_t begin_time = *time_of(rest->begins, begin);
    uint64_t end_time = *time_of(rest->ends, end);
    if (begin_time != end_time)
        return begin_time < end_time;
    return place_of(rest->begins, begin) < place_of(rest->ends, end);
}

bool pairing_next(struct pairing_rest *rest, uint32_t *begin, uint32_t *end)
{
    const struct pairing_rows *begins = rest->begins;
    if (rest->end == rest->ends->none)
        return false;
    while (rest->begin != begins->none && is_before(rest, rest->begin, rest->end))
        pairing_put(begins, &rest->open, pairing_take(begins, &rest->begin));
    *end = pairing_take(rest->ends, &rest->end);
    *begin = rest->open != begins->none ? pairing_take(begins, &rest->open) : begins->none;
    return true;
}
