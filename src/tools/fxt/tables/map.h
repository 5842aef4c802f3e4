/* Row numbers by keys of three numbers. */
#ifndef FXT_TOOLS_FXT_TABLES_MAP_H
#define FXT_TOOLS_FXT_TABLES_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct map_entry {
    uint64_t key[3];
    uint32_t row; /* ROW_NONE: a free entry */
};

struct map {
    struct map_entry *it;
    uint32_t count;
    uint32_t mask;             /* entries - 1 */
    uint64_t seed;             /* chosen at random: no trace can choose keys that collide */
    struct map_entry *offered; /* a free entry that the caller may have filled; or NULL */
    bool failed; /* an entry found no memory: map_find then returns a row that nobody reads */
};

bool map_init(struct map *map);
void map_free(struct map *map);

/* The row of the key, for the caller to fill in if it is ROW_NONE, which it never becomes again. Valid
   until the next call. */
uint32_t *map_find(struct map *map, uint64_t a, uint64_t b, uint64_t c);

/* A hash of two numbers under a seed. */
uint64_t map_hash(uint64_t seed, uint64_t a, uint64_t b);
uint64_t map_seed(void);

#endif
