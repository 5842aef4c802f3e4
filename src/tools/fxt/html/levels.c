/* Levels of detail. No state. */
#include "src/tools/fxt/html/levels.h"

#include <string.h>

bool level_longest(const struct item *a, const struct item *b)
{
    return b->end - b->time > a->end - a->time;
}

static double value_of(const struct item *sample)
{
    double value;
    memcpy(&value, &sample->end, sizeof value);
    return value;
}

/* A NaN loses against every number. */
bool level_greatest(const struct item *a, const struct item *b)
{
    return value_of(b) > value_of(a) || value_of(a) != value_of(a);
}

bool level_least(const struct item *a, const struct item *b)
{
    return value_of(b) < value_of(a) || value_of(a) != value_of(a);
}

/* The winner among numbers[begin … end - 1], as an index of `numbers`. */
static uint32_t winner(const struct items *items, const uint32_t *numbers, uint32_t begin,
                       uint32_t end, level_wins *wins)
{
    uint32_t best = begin;
    for (uint32_t i = begin + 1; i < end; i++)
        if (wins(&items->it[items->order[numbers[best]]], &items->it[items->order[numbers[i]]]))
            best = i;
    return best;
}

void levels_pack(struct pack *pack, const struct items *items, uint32_t *numbers, level_wins *wins)
{
    uint32_t count = items->count;
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = i;
    while (count > 1) {
        uint32_t groups = (count + LEVEL_GROUP - 1) / LEVEL_GROUP;
        for (uint32_t i = 0; i < groups; i++) {
            uint32_t begin = i * LEVEL_GROUP;
            uint32_t end = count - begin < LEVEL_GROUP ? count : begin + LEVEL_GROUP;
            uint32_t best = winner(items, numbers, begin, end, wins);
            pack_number(pack, best - begin);
            numbers[i] = numbers[best];
        }
        count = groups;
    }
}
