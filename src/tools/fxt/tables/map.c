/* Open addressing. Invariant: at most half of the entries are used, so that a search ends. */
#include "src/tools/fxt/tables/map.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "src/tools/fxt/tables/array.h"

#define FIRST_ENTRIES 64u

uint64_t map_seed(void)
{
    uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != sizeof seed)
        seed = (uint64_t)(uintptr_t)&seed;
    return seed;
}

uint64_t map_hash(uint64_t seed, uint64_t a, uint64_t b)
{
    uint64_t hash = (seed ^ a) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 32 ^ b) * UINT64_C(0xff51afd7ed558ccd);
    return hash ^ hash >> 29;
}

static struct map_entry *entries(uint32_t count)
{
    struct map_entry *it = malloc(count * sizeof *it);
    for (uint32_t i = 0; it != NULL && i < count; i++)
        it[i].row = ROW_NONE;
    return it;
}

bool map_init(struct map *map)
{
    *map = (struct map){.it = entries(FIRST_ENTRIES), .mask = FIRST_ENTRIES - 1};
    map->seed = map_seed();
    return map->it != NULL;
}

void map_free(struct map *map)
{
    free(map->it);
    map->it = NULL;
}

static struct map_entry *place(const struct map *map, const uint64_t key[3])
{
    uint64_t hash = map_hash(map_hash(map->seed, key[0], key[1]), key[2], map->seed);
    uint32_t at = (uint32_t)hash & map->mask;
    while (map->it[at].row != ROW_NONE && memcmp(map->it[at].key, key, sizeof map->it[at].key) != 0)
        at = (at + 1) & map->mask;
    return &map->it[at];
}

static bool grow(struct map *map)
{
    struct map larger = *map;
    if (map->mask > UINT32_MAX / 4)
        return false;
    larger.mask = map->mask * 2 + 1;
    larger.it = entries(larger.mask + 1);
    if (larger.it == NULL)
        return false;
    for (uint32_t i = 0; i <= map->mask; i++)
        if (map->it[i].row != ROW_NONE)
            *place(&larger, map->it[i].key) = map->it[i];
    free(map->it);
    *map = larger;
    return true;
}

uint32_t *map_find(struct map *map, uint64_t a, uint64_t b, uint64_t c)
{
    static uint32_t nobody;
    const uint64_t key[3] = {a, b, c};
    map->count += map->offered != NULL && map->offered->row != ROW_NONE;
    map->offered = NULL;
    struct map_entry *entry = place(map, key);
    if (entry->row != ROW_NONE)
        return &entry->row;
    if (map->count > map->mask / 2) {
        if (!grow(map)) {
            map->failed = true;
            nobody = ROW_NONE;
            return &nobody;
        }
        entry = place(map, key);
    }
    memcpy(entry->key, key, sizeof key);
    map->offered = entry;
    return &entry->row;
}
