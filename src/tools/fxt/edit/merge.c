/* See merge.h. The state is struct merge. */
#include "src/tools/fxt/edit/merge.h"

#include <string.h>

#include <fxt/write.h>

#define ID_SHIFT 20 /* of the provider id in the header of its records */
#define NAME_MAX_BYTES 255u
#define TOP_SHIFT 48 /* of the top bits of an id */

void merge_begin(struct merge *merge, const char *file, int64_t shift)
{
    merge->file = file;
    merge->is_earlier = shift < 0;
    merge->shift = shift < 0 ? 0 - (uint64_t)shift : (uint64_t)shift;
    merge->rate = 0;
    merge->has_provider = false;
    merge->count = 0;
}

/* ---- providers */

static uint32_t free_id(struct merge *merge, uint32_t wanted)
{
    if (!koids_have(&merge->taken, 0, wanted))
        return wanted;
    if (merge->next == 0)
        merge->next = 1;
    while (koids_have(&merge->taken, 0, merge->next))
        merge->next++;
    return merge->next;
}

static bool map_provider(struct merge *merge, uint32_t id, uint32_t *to)
{
    for (uint32_t i = 0; i < merge->count; i++)
        if (merge->from[i] == id) {
            *to = merge->to[i];
            return true;
        }
    *to = free_id(merge, id);
    if (merge->count == MERGE_PROVIDERS || !koids_add(&merge->taken, 0, *to)) {
        message("%s: the trace has more than %u providers, or all traces have too many",
                merge->file, MERGE_PROVIDERS);
        return false;
    }
    merge->from[merge->count] = id;
    merge->to[merge->count++] = *to;
    return true;
}

/* Provider 0, which every trace selects at its begin. */
static bool introduce(struct merge *merge)
{
    uint8_t bytes[FXT_WORD_BYTES + NAME_MAX_BYTES + FXT_WORD_BYTES];
    struct fxt_writer writer;
    struct fxt_provider_info info = {.name = input_title(merge->file, NAME_MAX_BYTES, "merged")};
    if (!map_provider(merge, 0, &info.provider_id))
        return false;
    fxt_writer_init(&writer, bytes, sizeof bytes);
    fxt_write_provider_info(&writer, &info);
    fxt_out_bytes(merge->out, (const char *)bytes, (size_t)writer.size);
    merge->has_provider = true;
    return true;
}

static bool take_provider(struct merge *merge, const struct item *item, uint32_t id)
{
    uint32_t to;
    if (!map_provider(merge, id, &to))
        return false;
    uint64_t header = item->record->header & ~((uint64_t)UINT32_MAX << ID_SHIFT);
    const struct item_patch patch = {0, header | (uint64_t)to << ID_SHIFT};
    item_write(merge->out, item->record, &patch, 1);
    if (item->kind != FXT_KIND_PROVIDER_EVENT)
        merge->has_provider = true;
    return true;
}

/* ---- times and ids */

static void set_rate(struct merge *merge, uint64_t rate)
{
    if (merge->rate == rate)
        return;
    merge->rate = rate;
    merge->ticks = item_ticks_at(merge->shift, rate);
    if (merge->ticks > 0 && fxt_ticks_to_ns(merge->ticks, rate) > merge->shift)
        merge->ticks--;
}

static bool move(const struct merge *merge, const struct item *item, uint64_t *ticks)
{
    bool fits = merge->is_earlier ? *ticks >= merge->ticks : *ticks <= UINT64_MAX - merge->ticks;
    if (!fits)
        message("%s: the record at 0x%llx would get a time %s", merge->file,
                (unsigned long long)item->record->offset,
                merge->is_earlier ? "before 0" : "after 2^64 ticks");
    *ticks = merge->is_earlier ? *ticks - merge->ticks : *ticks + merge->ticks;
    return fits;
}

static bool has_id(const struct item *item)
{
    uint16_t type = item->any.event.event_type;
    return item_is_event(item) && type >= FXT_EVENT_ASYNC_BEGIN && type <= FXT_EVENT_FLOW_END;
}

static uint64_t free_top(struct merge *merge, uint64_t wanted)
{
    if (!merge->taken_tops[wanted])
        return wanted;
    while (merge->next_top < MERGE_TOPS && merge->taken_tops[merge->next_top])
        merge->next_top++;
    if (merge->next_top < MERGE_TOPS)
        return merge->next_top;
    merge->crowded = true;
    return (wanted ^ merge->trace) % MERGE_TOPS;
}

static uint64_t map_id(struct merge *merge, uint64_t id)
{
    struct merge_top *top = &merge->tops[id >> TOP_SHIFT];
    if (top->trace != merge->trace + 1) {
        *top = (struct merge_top){merge->trace + 1, free_top(merge, id >> TOP_SHIFT)};
        merge->taken_tops[top->to] = true;
    }
    return (id & ((UINT64_C(1) << TOP_SHIFT) - 1)) | top->to << TOP_SHIFT;
}

/* The wall-clock time at a tick, behind the tick (cmd_merge.c): the tick stays, so that none can be
   before 0. */
static bool has_wall(const struct item *item)
{
    return item->kind == FXT_KIND_INITIALIZATION && item->any.initialization.tail.words >= 2;
}

static struct item_patch move_wall(const struct merge *merge, const struct item *item)
{
    const struct fxt_tail *tail = &item->any.initialization.tail;
    uint64_t shift = fxt_ticks_to_ns(merge->ticks, merge->rate);
    return (struct item_patch){(uint64_t)(tail->bytes - item->record->bytes) + FXT_WORD_BYTES,
                               fxt_tail_word(tail, 1) + (merge->is_earlier ? shift : 0 - shift)};
}

/* The words that change, in the order of their places. */
struct patches {
    struct item_patch it[ITEM_KOIDS_MAX + 2];
    unsigned count;
};

static bool move_time(const struct merge *merge, const struct item *item, struct patches *patches,
                      uint64_t offset)
{
    struct item_patch *patch = &patches->it[patches->count];
    if (merge->ticks == 0)
        return true;
    *patch = (struct item_patch){offset, item_word(item->record, offset)};
    patches->count++;
    return move(merge, item, &patch->value);
}

static bool renumber(struct merge *merge, const struct item *item, struct patches *patches)
{
    uint64_t offsets[ITEM_KOIDS_MAX];
    unsigned count = merge->same_koids ? 0 : item_koids(item, offsets);
    for (unsigned i = 0; i < count; i++) {
        struct item_patch *patch = &patches->it[patches->count];
        uint64_t koid = item_word(item->record, offsets[i]);
        *patch = (struct item_patch){offsets[i], koid};
        if (!systems_koid(&merge->koids, merge->trace, koid, &patch->value)) {
            message("%s: not enough memory for the koids", merge->file);
            return false;
        }
        patches->count += patch->value != koid;
    }
    return true;
}

static bool take_other(struct merge *merge, const struct walk *walk, const struct item *item)
{
    struct patches patches = {.count = 0};
    set_rate(merge, fxt_tables_provider(&walk->tables)->ticks_per_second);
    if (item->timed && !move_time(merge, item, &patches, item->time_offset))
        return false;
    if (!renumber(merge, item, &patches))
        return false;
    if (item->complete && !move_time(merge, item, &patches, item->end_offset))
        return false;
    if (has_wall(item) && merge->ticks > 0)
        patches.it[patches.count++] = move_wall(merge, item);
    if (has_id(item) && !merge->same_ids)
        patches.it[patches.count++] =
            (struct item_patch){item->end_offset, map_id(merge, item->any.event.value)};
    item_write(merge->out, item->record, patches.it, patches.count);
    return true;
}

bool merge_record(struct merge *merge, const struct walk *walk, const struct item *item)
{
    if (walk->has_magic) {
        merge->trace++;
        merge->has_provider = false;
        merge->count = 0;
    }
    switch (item->kind) {
    case FXT_KIND_MAGIC:
        return true;
    case FXT_KIND_PROVIDER_INFO:
        return take_provider(merge, item, item->any.provider_info.provider_id);
    case FXT_KIND_PROVIDER_SECTION:
        return take_provider(merge, item, item->any.provider_section.provider_id);
    case FXT_KIND_PROVIDER_EVENT:
        return take_provider(merge, item, item->any.provider_event.provider_id);
    case FXT_KIND_TRACE_INFO:
        break;
    default:
        if (!merge->has_provider && !introduce(merge))
            return false;
    }
    return take_other(merge, walk, item);
}
