/* States, in a table with open addressing that is never more than half full. */
#include "src/tools/fxt/edit/states.h"

/* The slot of the state, or the free one where it belongs. */
static uint32_t find(const struct states *states, const struct meaning *what)
{
    uint32_t at = (uint32_t)(what->a ^ what->b >> 32) % STATES_SLOTS;
    while (states->it[at].offset != 0 &&
           (states->it[at].what.a != what->a || states->it[at].what.b != what->b))
        at = (at + 1) % STATES_SLOTS;
    return at;
}

void states_note(struct states *states, const struct meaning *what, const struct item *item)
{
    struct state *state = &states->it[find(states, what)];
    if (state->offset == 0) {
        if (states->count == STATES_SLOTS / 2) {
            states->full = true;
            return;
        }
        states->count++;
    } else if (item->time < state->time) {
        return;
    }
    *state = (struct state){*what, item->time, item->record->offset + 1};
}

bool states_has(const struct states *states, const struct meaning *what, const struct item *item)
{
    return states->it[find(states, what)].offset == item->record->offset + 1;
}
