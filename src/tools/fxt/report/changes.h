/* Two reports, group by group. */
#ifndef FXT_TOOLS_FXT_REPORT_CHANGES_H
#define FXT_TOOLS_FXT_REPORT_CHANGES_H

#include "src/tools/fxt/report/rows.h"

/* A group that is in at least one report. */
struct change {
    const struct row *old; /* NULL: not in that report */
    const struct row *new;
    bool total_is_large; /* larger than the spread, as fxt.1 defines it */
    bool p50_is_large;
};

struct changes {
    struct rows old;
    struct rows new;
    struct change *it;
    uint32_t count;
};

/* Sorted by how much the number of `sort` changed, the largest change first, or by name. False
   after a message. */
bool changes_make(struct changes *changes, const struct report *old, const struct report *new,
                  unsigned sort);
void changes_free(struct changes *changes);

/* The group, in whichever report it is. */
const struct row *changes_row(const struct change *change);

/* 0.5 for half as much again. Both reports have the group, and `old` is not 0; else infinite or
   NaN. */
double changes_relative(uint64_t old, uint64_t new);

#endif
