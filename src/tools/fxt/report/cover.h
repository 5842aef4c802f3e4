/* When a thread has events, and so its longest gaps. */
#ifndef FXT_TOOLS_FXT_REPORT_COVER_H
#define FXT_TOOLS_FXT_REPORT_COVER_H

#include <stdint.h>

#define COVER_GAPS 32u

/* The times from the begin of an event to its end, joined to at most COVER_GAPS + 1 pieces that are
   ordered and do not touch. When there are more, the shortest gap is given up. */
struct cover {
    uint64_t shortest; /* of the gaps; 0 while there is room for more */
    uint32_t count;
    struct {
        uint64_t begin;
        uint64_t end;
    } it[COVER_GAPS + 2];
};

/* begin <= end. cover: zeroed at first. */
void cover_add(struct cover *cover, uint64_t begin, uint64_t end);

#endif
