/* The last value before a time: of each counter, and the thread of each processor. */
#ifndef FXT_TOOLS_FXT_EDIT_STATES_H
#define FXT_TOOLS_FXT_EDIT_STATES_H

#include "src/cli/size.h"
#include "src/tools/fxt/edit/meaning.h"
#include "src/timeline/map.h"

#define STATES_MAX TOOL_SIZE(65536u)

struct state {
    uint64_t time;
    uint64_t offset; /* of the record */
};

struct states {
    struct map numbers;
    bool full; /* some found no room */
    struct state it[STATES_MAX];
};

/* Notes the item if none that was noted is later. states: zeroed. */
void states_note(struct states *states, const struct meaning *what, const struct item *item);

/* Whether the item is the one that stays noted. */
bool states_has(const struct states *states, const struct meaning *what, const struct item *item);

#endif
