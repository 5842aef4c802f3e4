/* Counts, as the values of a map. */
#include "src/tools/fxt/edit/balance.h"

void balance_add(struct balance *balance, const struct meaning *meaning, enum fxt_kind kind,
                 int32_t step)
{
    balance->sum.a += step > 0 ? meaning->a : 0 - meaning->a;
    balance->sum.b += step > 0 ? meaning->b : 0 - meaning->b;
    if (balance->full)
        return;
    uint32_t *value = map_add(&balance->counts, BALANCE_MAX, meaning->a, meaning->b, kind);
    balance->full = value == NULL;
    if (balance->full)
        return;
    if (*value == MAP_NEW)
        *value = BALANCE_NONE;
    *value += (uint32_t)step;
    if (*value == BALANCE_NONE)
        map_remove(&balance->counts, value);
}

int32_t balance_of(const struct balance *balance, const struct meaning *meaning, enum fxt_kind kind)
{
    const uint32_t *value = map_find(&balance->counts, meaning->a, meaning->b, kind);
    return value != NULL ? balance_count(*value) : 0;
}
