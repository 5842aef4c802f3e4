/* The last value before a time: of each counter, and the thread of each processor. */
#ifndef FXT_TOOLS_FXT_EDIT_STATES_H
#define FXT_TOOLS_FXT_EDIT_STATES_H

#include "src/cli/size.h"
#include "src/tools/fxt/edit/meaning.h"

#define STATES_SLOTS TOOL_SIZE(131072u) /* a power of two; half of them are used */

struct state {
    struct meaning what;
    uint64_t time;
    uint64_t offset; /* of the record, plus 1; 0: free */
};

struct states {
    uint32_t count;
    bool full; /* some found no room */
    struct state it[STATES_SLOTS];
};

/* Notes the item if none that was noted is later. states: zeroed. */
void states_note(struct states *states, const struct meaning *what, const struct item *item);

/* Whether the item is the one that stays noted. */
bool states_has(const struct states *states, const struct meaning *what, const struct item *item);

#endif
