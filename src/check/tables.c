/* Providers, strings and threads. The state is struct fxt_tables. A slot counts as registered when
   its generation is that of its provider, so that a new provider and a new trace cost no clearing.
   Called by the checker, the converters and users of the library. */
#include "src/base/word.h"
#include "src/check/arena.h"
#include "src/check/lookup.h"

void fxt_tables_init(struct fxt_tables *tables, const struct fxt_tables_memory *memory)
{
    tables->providers = memory->providers;
    tables->provider_ids = memory->provider_ids;
    tables->provider_max = memory->provider_max;
    tables->objects = memory->objects;
    tables->object_max = memory->object_max;
    tables->arena = memory->arena;
    tables->arena_size = memory->arena_size;
    tables->generation = 0;
    /* Memory that other tables used may hold generations above 0: start behind the largest. */
    for (uint32_t i = 0; i < memory->provider_max; i++)
        if (memory->providers[i].generation > tables->generation)
            tables->generation = memory->providers[i].generation;
    for (uint32_t i = 0; i < memory->object_max; i++)
        if (memory->objects[i].generation > tables->generation)
            tables->generation = memory->objects[i].generation;
    fxt_tables_reset(tables);
}

static void add_provider(struct fxt_tables *tables, uint32_t id)
{
    uint32_t slot = tables->provider_count++;
    struct fxt_provider *provider = &tables->providers[slot];

    tables->provider_ids[slot] = id;
    tables->current = slot;
    provider->generation = ++tables->generation;
    provider->ticks_per_second = FXT_TICKS_PER_SECOND_DEFAULT;
    provider->id = id;
    provider->introduced = 0;
    provider->initialized = 0;
    provider->name_length = 0;
    provider->strings[0].generation = provider->generation; /* STR-01: the empty string */
    provider->strings[0].length = 0;
}

void fxt_tables_reset(struct fxt_tables *tables)
{
    tables->epoch = ++tables->generation;
    tables->arena_used = 0;
    tables->arena_garbage = 0;
    tables->object_count = 0;
    tables->provider_count = 0;
    add_provider(tables, 0);
}

enum fxt_status fxt_tables_select(struct fxt_tables *tables, uint32_t provider_id)
{
    for (uint32_t i = 0; i < tables->provider_count; i++) {
        if (tables->provider_ids[i] == provider_id) {
            tables->current = i;
            return FXT_OK;
        }
    }
    if (tables->provider_count == tables->provider_max)
        return FXT_FULL;
    add_provider(tables, provider_id);
    return FXT_OK;
}

enum fxt_status fxt_tables_introduce(struct fxt_tables *tables,
                                     const struct fxt_provider_info *info)
{
    enum fxt_status status = fxt_tables_select(tables, info->provider_id);
    if (status != FXT_OK)
        return status;
    struct fxt_provider *provider = fxt_i_provider(tables);
    provider->introduced = 1;
    provider->name_length = (uint8_t)info->name.size;
    for (uint64_t i = 0; i < info->name.size; i++)
        provider->name[i] = info->name.bytes[i];
    return FXT_OK;
}

void fxt_tables_set_ticks(struct fxt_tables *tables, uint64_t ticks_per_second)
{
    struct fxt_provider *provider = fxt_i_provider(tables);
    if (ticks_per_second == 0)
        return;
    provider->ticks_per_second = ticks_per_second;
    provider->initialized = 1;
}

static uint16_t digest_of(struct fxt_bytes text)
{
    uint64_t digest = text.size;
    for (uint64_t i = 0; i < text.size; i++)
        digest = (digest * 257 + text.bytes[i]) % UINT64_C(4294967291);
    return (uint16_t)(digest % 65521);
}

enum fxt_status fxt_tables_set_string(struct fxt_tables *tables, const struct fxt_string *string)
{
    struct fxt_provider *provider = fxt_i_provider(tables);
    struct fxt_string_slot *slot = &provider->strings[string->index];
    uint32_t offset = 0;

    if (string->index == 0)
        return FXT_OK;
    if (slot->generation == provider->generation && slot->length > 0)
        fxt_i_arena_drop(tables, slot->length);
    slot->generation = 0;
    if (string->value.size > 0) {
        enum fxt_status status =
            fxt_i_arena_add(tables, &offset, tables->current, string->index, string->value);
        if (status != FXT_OK)
            return status;
    }
    slot->generation = provider->generation;
    slot->offset = offset;
    slot->length = (uint16_t)string->value.size;
    slot->digest = digest_of(string->value);
    return FXT_OK;
}

void fxt_tables_set_thread(struct fxt_tables *tables, const struct fxt_thread *thread)
{
    struct fxt_provider *provider = fxt_i_provider(tables);
    struct fxt_thread_slot *slot = &provider->threads[thread->index];

    if (thread->index == 0)
        return;
    slot->generation = provider->generation;
    slot->process = thread->process;
    slot->thread = thread->thread;
    slot->cookie = 0;
}

const struct fxt_provider *fxt_tables_provider(const struct fxt_tables *tables)
{
    return fxt_i_provider(tables);
}

bool fxt_tables_string(const struct fxt_tables *tables, struct fxt_bytes *text,
                       struct fxt_string_ref ref)
{
    return fxt_i_string(tables, text, ref);
}

bool fxt_tables_thread(const struct fxt_tables *tables, struct fxt_thread_ref *koids,
                       struct fxt_thread_ref ref)
{
    *koids = ref;
    if (ref.ref == 0)
        return true;
    const struct fxt_thread_slot *slot = fxt_i_thread_slot(fxt_i_provider(tables), ref.ref);
    if (slot == NULL)
        return false;
    koids->process = slot->process;
    koids->thread = slot->thread;
    return true;
}
