/* Which names of an archive have the most time, or the most events, while it is written. */
#ifndef FXT_TOOLS_TRACE_TOP_H
#define FXT_TOOLS_TRACE_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TOP_NAME_BYTES 48u /* of a name; longer ones share a row if they begin alike */

struct top;

struct top_row {
    char name[TOP_NAME_BYTES];
    uint64_t count;   /* events that begin something, or are instants, counters or flows */
    uint64_t self_ns; /* of the durations that have ended, without what is nested in them */
};

struct top_sum {
    uint64_t events;
    uint64_t others; /* events of names that found no room */
};

/* NULL if there is no memory. */
struct top *top_new(void);
void top_free(struct top *top);

/* The next bytes of the archive. One thread; another one may call top_rows meanwhile. */
void top_take(struct top *top, const char *bytes, size_t size);

/* The `most` rows with the most self time, then the most events. Returns how many there are. */
size_t top_rows(struct top *top, struct top_row *rows, size_t most, struct top_sum *sum);

#endif
