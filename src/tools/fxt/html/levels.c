/* Levels of detail. No state. */
#include "src/tools/fxt/html/pack.h"

bool level_longest(const struct item *a, const struct item *b)
{
    return b->duration > a->duration;
}

/* A NaN loses against every number. */
bool level_greatest(const struct item *a, const struct item *b)
{
    return b->value > a->value || a->value != a->value;
}

bool level_least(const struct item *a, const struct item *b)
{
    return b->value < a->value || a->value != a->value;
}

void levels_pack(struct pack *pack, const struct items *items, uint32_t *numbers, level_wins *wins)
{
    uint32_t count = items->count;
    for (bool is_first = true; count > 1; is_first = false) {
        uint32_t groups = (count + LEVEL_GROUP - 1) / LEVEL_GROUP;
        for (uint32_t i = 0; i < groups; i++) {
            uint32_t begin = i * LEVEL_GROUP;
            uint32_t end = count - begin < LEVEL_GROUP ? count : begin + LEVEL_GROUP;
            uint32_t best = is_first ? begin : numbers[begin];
            uint32_t place = begin;
            for (uint32_t j = begin + 1; j < end; j++) {
                uint32_t other = is_first ? j : numbers[j];
                if (wins(&items->it[best], &items->it[other])) {
                    best = other;
                    place = j;
                }
            }
            pack_number(pack, place - begin);
            numbers[i] = best;
        }
        count = groups;
    }
}
