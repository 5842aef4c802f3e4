/* The memory of a timeline: its items and words. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "src/cli/memory.h"
#include "src/tools/fxt/html/timeline.h"

#define ITEMS_FIRST 1024u /* ITEMS_MAX is this times a power of two */

/* False if there is no memory, or if that is enough. */
static bool grow(struct items *items)
{
    uint32_t room = items->room == 0 ? ITEMS_FIRST : 2 * items->room;
    if (items->room == ITEMS_MAX)
        return false;
    struct item *it = realloc(items->it, (room + 1) * sizeof *it);
    if (it == NULL)
        return false;
    items->it = it;
    items->room = room;
    return true;
}

static void release(struct items *items)
{
    free(items->it);
    free(items->order);
}

struct timeline *timeline_new(const char *file)
{
    struct timeline *timeline = memory_zeroed(sizeof *timeline);
    if (timeline == NULL)
        return NULL;
    if (!refs_init(&timeline->refs, names_add_text, &timeline->names)) {
        timeline_free(timeline);
        return NULL;
    }
    timeline->file = file;
    tracks_init(&timeline->tracks, &timeline->refs.tables);
    names_init(&timeline->names);
    return timeline;
}

void timeline_free(struct timeline *timeline)
{
    release(&timeline->slices);
    release(&timeline->instants);
    release(&timeline->samples);
    release(&timeline->flows);
    release(&timeline->switches);
    free(timeline->args);
    release(&timeline->strays);
    map_clear(&timeline->names.numbers);
    map_clear(&timeline->tracks.process_numbers);
    map_clear(&timeline->tracks.numbers);
    map_clear(&timeline->counters.numbers);
    munmap(timeline, sizeof *timeline);
}

uint32_t timeline_add(struct timeline *timeline, struct items *items, const struct item *item)
{
    if (items->used == items->room && !grow(items)) {
        timeline->notes[LEFT_FULL]++;
        return ITEM_NONE;
    }
    items->it[++items->used] = *item;
    return items->used;
}

uint32_t timeline_word(struct timeline *timeline, const char *word)
{
    return names_add(&timeline->names, (struct fxt_bytes){(const uint8_t *)word, strlen(word)});
}
