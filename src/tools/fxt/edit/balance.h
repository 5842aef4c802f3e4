/* A multiset of meanings: those of one trace count up, those of the other down. */
#ifndef FXT_TOOLS_FXT_EDIT_BALANCE_H
#define FXT_TOOLS_FXT_EDIT_BALANCE_H

#include "src/cli/size.h"
#include "src/tools/fxt/edit/meaning.h"
#include "src/timeline/map.h"

#define BALANCE_MAX TOOL_SIZE(3u << 20)
#define BALANCE_NONE (UINT32_C(1) << 31)

struct balance {
    struct meaning sum; /* of all that was added, less what was taken: right if `full`, too */
    bool full;          /* a meaning found no room: the counts say nothing any more */
    struct map counts;  /* by meaning and kind: BALANCE_NONE more than the count, which is not 0 */
};

/* step: 1 or -1. balance: zeroed. */
void balance_add(struct balance *balance, const struct meaning *meaning, enum fxt_kind kind,
                 int32_t step);

/* How often there is that meaning; below 0 for the other trace. */
int32_t balance_of(const struct balance *balance, const struct meaning *meaning,
                   enum fxt_kind kind);

static inline int32_t balance_count(uint32_t value)
{
    return (int32_t)(value - BALANCE_NONE);
}

static inline bool balance_is_even(const struct balance *balance)
{
    return balance->full ? balance->sum.a == 0 && balance->sum.b == 0 : balance->counts.count == 0;
}

#endif
