/* The longest of many times: durations, or gaps. */
#ifndef FXT_TOOLS_FXT_REPORT_LONGEST_H
#define FXT_TOOLS_FXT_REPORT_LONGEST_H

#include <stdbool.h>
#include <stdint.h>

#define LONGEST_MAX 1000u

struct long_one {
    uint64_t ns;
    uint64_t begin;
    uint32_t name;
    uint32_t track;
    bool is_async;
};

struct longest {
    uint32_t wanted; /* at most LONGEST_MAX */
    uint32_t count;
    struct long_one it[LONGEST_MAX + 1]; /* the longest first; of equal ones the first that came */
};

static inline bool longest_wants(const struct longest *longest, uint64_t ns)
{
    return longest->count < longest->wanted ||
           (longest->wanted > 0 && ns > longest->it[longest->count - 1].ns);
}

/* To be called if longest_wants. */
void longest_add(struct longest *longest, const struct long_one *one);

#endif
