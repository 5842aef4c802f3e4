/* An open-addressed table. Invariant: no free slot lies between the home of an entry and its place,
   so an entry that is taken out pulls those behind it forward. */
#include "src/tools/fxt/edit/balance.h"

#define USED_MAX (BALANCE_SLOTS / 4 * 3)

static uint32_t home_of(const struct meaning *meaning)
{
    return (uint32_t)(meaning->a ^ meaning->b >> 32) % BALANCE_SLOTS;
}

/* The slot of the meaning, or the free one where it belongs. */
static uint32_t find(const struct balance *balance, const struct meaning *meaning)
{
    uint32_t at = home_of(meaning);
    while (balance->it[at].count != 0 &&
           (balance->it[at].meaning.a != meaning->a || balance->it[at].meaning.b != meaning->b))
        at = (at + 1) % BALANCE_SLOTS;
    return at;
}

static void take_out(struct balance *balance, uint32_t hole)
{
    uint32_t at = hole;
    balance->used--;
    for (;;) {
        at = (at + 1) % BALANCE_SLOTS;
        if (balance->it[at].count == 0)
            break;
        uint32_t from_home = (at - home_of(&balance->it[at].meaning)) % BALANCE_SLOTS;
        if (from_home >= (at - hole) % BALANCE_SLOTS) {
            balance->it[hole] = balance->it[at];
            hole = at;
        }
    }
    balance->it[hole].count = 0;
}

void balance_add(struct balance *balance, const struct meaning *meaning, enum fxt_kind kind,
                 int32_t step)
{
    balance->sum.a += step > 0 ? meaning->a : 0 - meaning->a;
    balance->sum.b += step > 0 ? meaning->b : 0 - meaning->b;
    if (balance->full)
        return;
    uint32_t at = find(balance, meaning);
    struct balance_entry *entry = &balance->it[at];
    if (entry->count == 0) {
        balance->full = balance->used == USED_MAX;
        if (balance->full)
            return;
        balance->used++;
        *entry = (struct balance_entry){*meaning, 0, kind};
    }
    entry->count += step;
    if (entry->count == 0)
        take_out(balance, at);
}

struct balance_entry *balance_find(struct balance *balance, const struct meaning *meaning)
{
    struct balance_entry *entry = &balance->it[find(balance, meaning)];
    return entry->count != 0 ? entry : NULL;
}
