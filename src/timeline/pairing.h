/* The begins and ends of the durations of one thread, matched in the order of time.

   The records of a trace need not be in that order. A begin or an end that comes after a later one
   waits until the end of the trace, and so does an end without a begin. Then they are matched among
   themselves and with the begins that are still open. If all come in the order of time, no begin
   waits.

   An end that comes in order is matched at once with the latest begin that came in order and is open,
   because the caller may count the pair and forget it. So a duration keeps its end, even if something
   that comes late lies inside of it, in time: B0 E50 B10 E100 makes 0-50 and 10-100, not 0-100 and
   10-50. If nothing late lies inside of a pair that is matched at once, all pairs are those of the
   order of time.

   Begins and ends are rows of the caller's, named by number, in lists that these functions make. The
   time is linear, but for the sorting of what waits. */
#ifndef FXT_TIMELINE_PAIRING_H
#define FXT_TIMELINE_PAIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where rows lie, and where in a row its time (uint64_t), the place of its record in the trace (uint64_t)
   and the number of the next one of its list (uint32_t) do. */
struct pairing_rows {
    void *it;
    size_t size; /* of a row */
    size_t time;
    size_t place;
    size_t next;
    uint32_t none; /* the number of no row */
};

struct pairing {
    uint64_t latest; /* time of a begin or an end */
    /* Lists, the row that came last first: */
    uint32_t open;  /* begins without an end, the latest one first, too */
    uint32_t late;  /* begins that came after a later begin or end */
    uint32_t stray; /* ends that did, or that found no begin */
};

struct pairing pairing_of_none(uint32_t none);

/* A begin: its time is in the row. */
void pairing_begin(struct pairing *pairing, const struct pairing_rows *begins, uint32_t row);

/* A begin that is not to be matched. */
void pairing_skip(struct pairing *pairing, uint64_t time);

/* Whether there is a begin for an end of that time: *begin, which is open no more. If not, the end
   may be kept by pairing_stray. */
bool pairing_end(struct pairing *pairing, const struct pairing_rows *begins, uint64_t time,
                 uint32_t *begin);
void pairing_stray(struct pairing *pairing, const struct pairing_rows *ends, uint32_t row);

/* What is left at the end of the trace. */
struct pairing_rest {
    const struct pairing_rows *begins;
    const struct pairing_rows *ends;
    uint32_t begin; /* ascending lists */
    uint32_t end;
    uint32_t open; /* begins, the latest first */
};

struct pairing_rest pairing_rest(const struct pairing *pairing, const struct pairing_rows *begins,
                                 const struct pairing_rows *ends);

/* The next end, and its begin or none. False after the last end. */
bool pairing_next(struct pairing_rest *rest, uint32_t *begin, uint32_t *end);

/* Lists. */

/* The row becomes the first one of a list. */
void pairing_put(const struct pairing_rows *rows, uint32_t *list, uint32_t row);

/* Takes the row of a link off its list. */
uint32_t pairing_take(const struct pairing_rows *rows, uint32_t *link);

#endif
