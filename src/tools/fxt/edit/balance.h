/* A multiset of meanings: those of one trace count up, those of the other down. */
#ifndef FXT_TOOLS_FXT_EDIT_BALANCE_H
#define FXT_TOOLS_FXT_EDIT_BALANCE_H

#include "src/cli/size.h"
#include "src/tools/fxt/edit/meaning.h"

#define BALANCE_SLOTS TOOL_SIZE(1u << 22) /* a power of two; three quarters of them are used */

struct balance_entry {
    struct meaning meaning;
    int32_t count; /* 0: free */
    uint32_t kind;
};

struct balance {
    struct meaning sum; /* of all that was added, less what was taken: right if `full`, too */
    uint32_t used;
    bool full; /* a meaning found no room: the entries say nothing any more */
    struct balance_entry it[BALANCE_SLOTS];
};

/* step: 1 or -1. balance: zeroed. */
void balance_add(struct balance *balance, const struct meaning *meaning, enum fxt_kind kind,
                 int32_t step);

/* The entry of the meaning, or NULL. */
struct balance_entry *balance_find(struct balance *balance, const struct meaning *meaning);

static inline bool balance_is_even(const struct balance *balance)
{
    return balance->full ? balance->sum.a == 0 && balance->sum.b == 0 : balance->used == 0;
}

#endif
