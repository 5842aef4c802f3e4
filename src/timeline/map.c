/* Open addressing. Invariants: at most three quarters of the entries are used; none that is free lies
   between the place that a key's hash chooses and its own, so a key that goes pulls those behind it
   forward. */
#include "src/timeline/map.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "src/convert/wide.h"
#include "src/timeline/array.h"
#include "src/cli/size.h"

#define FIRST_ENTRIES TOOL_SIZE(2048u)
#define ENTRIES_MAX (UINT32_C(1) << 31)

void map_clear(struct map *map)
{
    free(map->it);
    *map = (struct map){.it = NULL};
}

/* Both halves of a product of 128 bits. */
static uint64_t mixed(uint64_t a, uint64_t b)
{
    uint64_t low;
    uint64_t high = fxt_i_multiply(&low, a, b);
    return high ^ low;
}

static uint32_t home_of(const struct map *map, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t hash = mixed(a ^ map->seed[0], b ^ map->seed[1]);
    return (uint32_t)mixed(hash ^ c, map->seed[2]) & map->mask;
}

static uint64_t hash_of(const struct map *map, struct fxt_bytes text)
{
    uint64_t hash = map->seed[3];
    uint64_t at = 0;
    uint64_t word = 0;
    for (; text.size - at > sizeof word; at += sizeof word) {
        memcpy(&word, text.bytes + at, sizeof word);
        hash = mixed(hash ^ word, map->seed[2]);
    }
    word = 0;
    if (text.size > 0)
        memcpy(&word, text.bytes + at, (size_t)(text.size - at));
    return mixed(hash ^ word, map->seed[2]);
}

/* The entry of the key, or the free one where it belongs. */
static struct map_entry *place(const struct map *map, uint64_t a, uint64_t b, uint64_t c)
{
    uint32_t at = home_of(map, a, b, c);
    for (; map->it[at].used; at = (at + 1) & map->mask) {
        const uint64_t *key = map->it[at].key;
        if (key[0] == a && key[1] == b && key[2] == c)
            break;
    }
    return &map->it[at];
}

static void choose_seed(struct map *map)
{
    if (getrandom(map->seed, sizeof map->seed, GRND_NONBLOCK) != sizeof map->seed)
        for (uint64_t i = 0; i < 4; i++)
            map->seed[i] = ((uintptr_t)map->it + i) * UINT64_C(0x9e3779b97f4a7c15);
    map->seed[2] |= 1; /* 0 would make all hashes equal */
}

static bool grow(struct map *map)
{
    struct map larger = *map;
    uint32_t entries = map->it != NULL ? map->mask + 1 : 0;
    if (entries == ENTRIES_MAX)
        return false;
    larger.mask = entries > 0 ? 2 * entries - 1 : FIRST_ENTRIES - 1;
    larger.it = calloc((size_t)larger.mask + 1, sizeof *larger.it);
    if (larger.it == NULL)
        return false;
    array_expect_large(larger.it, ((size_t)larger.mask + 1) * sizeof *larger.it);
    if (entries == 0)
        choose_seed(&larger);
    for (uint32_t i = 0; i < entries; i++)
        if (map->it[i].used) {
            const uint64_t *key = map->it[i].key;
            *place(&larger, key[0], key[1], key[2]) = map->it[i];
        }
    free(map->it);
    *map = larger;
    return true;
}

uint32_t *map_find(const struct map *map, uint64_t a, uint64_t b, uint64_t c)
{
    struct map_entry *entry = map->it != NULL ? place(map, a, b, c) : NULL;
    return entry != NULL && entry->used ? &entry->value : NULL;
}

uint32_t *map_add(struct map *map, uint32_t max, uint64_t a, uint64_t b, uint64_t c)
{
    struct map_entry *entry = NULL;
    if (map->it != NULL) {
        entry = place(map, a, b, c);
        if (entry->used)
            return &entry->value;
    }
    if (map->count >= max)
        return NULL;
    if (entry == NULL || map->count >= map->mask / 4 * 3) {
        if (!grow(map))
            return NULL;
        entry = place(map, a, b, c);
    }
    map->count++;
    *entry = (struct map_entry){{a, b, c}, MAP_NEW, true};
    return &entry->value;
}

void map_remove(struct map *map, uint32_t *value)
{
    struct map_entry *entry =
        (struct map_entry *)(void *)((uint8_t *)value - offsetof(struct map_entry, value));
    uint32_t hole = (uint32_t)(entry - map->it);
    map->count--;
    for (uint32_t at = (hole + 1) & map->mask; map->it[at].used; at = (at + 1) & map->mask) {
        const uint64_t *key = map->it[at].key;
        uint32_t from_home = (at - home_of(map, key[0], key[1], key[2])) & map->mask;
        if (from_home >= ((at - hole) & map->mask)) {
            map->it[hole] = map->it[at];
            hole = at;
        }
    }
    map->it[hole].used = false;
}

static bool is_equal(struct fxt_bytes a, struct fxt_bytes b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.bytes, b.bytes, (size_t)a.size) == 0);
}

/* A text has the first key of its hash and size that is free or its own. */
uint32_t *map_find_text(const struct map *map, struct fxt_bytes text, map_text *text_at,
                        const void *texts)
{
    uint64_t hash = hash_of(map, text);
    uint32_t *value = NULL;
    uint64_t number = 0;
    do
        value = map_find(map, hash, text.size, number++);
    while (value != NULL && !is_equal(text_at(texts, *value), text));
    return value;
}

uint32_t *map_add_text(struct map *map, uint32_t max, struct fxt_bytes text, map_text *text_at,
                       const void *texts)
{
    uint32_t *value = NULL;
    uint64_t number = 0;
    if (map->it == NULL && !grow(map)) /* the hash needs the seed */
        return NULL;
    uint64_t hash = hash_of(map, text);
    do
        value = map_add(map, max, hash, text.size, number++);
    while (value != NULL && *value != MAP_NEW && !is_equal(text_at(texts, *value), text));
    return value;
}
