/* Numbers by keys of three numbers, or by texts: the one hash table of the commands.

   It grows with its keys, up to the number of them that each call states. Its hash is keyed with
   random numbers: nobody who does not know them can prepare keys that collide, as far as we know. So
   a lookup has no limit of its own, and what a command finds does not depend on the hash. */
#ifndef FXT_TIMELINE_MAP_H
#define FXT_TIMELINE_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include <fxt/record.h>

#define MAP_NEW UINT32_MAX       /* the value of a key that has just come */
#define MAP_UNLIMITED UINT32_MAX /* as many keys as there is memory for */

struct map_entry {
    uint64_t key[3];
    uint32_t value;
    bool used;
};

/* Zeroed: an empty one, which has no memory yet. */
struct map {
    struct map_entry *it; /* mask + 1 of them; those that are not used have no meaning */
    uint32_t mask;
    uint32_t count;
    uint64_t seed[4];
};

/* Forgets all keys. */
void map_clear(struct map *map);

/* The value of a key, or NULL. Valid until a key comes or goes. */
uint32_t *map_find(const struct map *map, uint64_t a, uint64_t b, uint64_t c);

/* The same, and a key that is not there comes, with the value MAP_NEW. NULL: there are `max` others,
   or there is no memory. */
uint32_t *map_add(struct map *map, uint32_t max, uint64_t a, uint64_t b, uint64_t c);

/* Removes the key that has this value. */
void map_remove(struct map *map, uint32_t *value);

/* The same with a text for the key. A map has either texts or numbers. text_at: the text that has a
   value, which lies in `texts`. */
typedef struct fxt_bytes map_text(const void *texts, uint32_t value);
uint32_t *map_find_text(const struct map *map, struct fxt_bytes text, map_text *text_at,
                        const void *texts);
uint32_t *map_add_text(struct map *map, uint32_t max, struct fxt_bytes text, map_text *text_at,
                       const void *texts);

#endif
