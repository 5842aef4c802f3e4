/* States: rows by the order in which they came. */
#include "src/tools/fxt/edit/states.h"

void states_note(struct states *states, const struct meaning *what, const struct item *item)
{
    uint32_t *number = map_add(&states->numbers, STATES_MAX, what->a, what->b, 0);
    if (number == NULL) {
        states->full = true;
        return;
    }
    if (*number == MAP_NEW)
        *number = states->numbers.count - 1;
    else if (item->time < states->it[*number].time)
        return;
    states->it[*number] = (struct state){item->time, item->record->offset};
}

bool states_has(const struct states *states, const struct meaning *what, const struct item *item)
{
    const uint32_t *number = map_find(&states->numbers, what->a, what->b, 0);
    return number != NULL && states->it[*number].offset == item->record->offset;
}
