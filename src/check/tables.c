/* Providers, strings and threads. The state is struct fxt_tables. A slot is registered if its
   generation is that of its provider, so that a new provider or trace need not clear it. If all
   places of providers are taken, a new one replaces the last. Called by the checker, the converters
   and users of the library. */
#include "src/base/word.h"
#include "src/check/arena.h"
#include "src/check/lookup.h"

/* The largest generation in the memory, which other tables may have used before. */
/*@ requires \valid_read(memory) && fxt_tables_memory_ok(memory);
  @ terminates \true;
  @ assigns \nothing;
  @*/
static uint64_t largest_generation(const struct fxt_tables_memory *memory)
{
    uint64_t largest = 0;

    if (memory->zeroed)
        return 0;
    /*@ loop invariant i <= memory->provider_max;
      @ loop assigns i, largest;
      @ loop variant memory->provider_max - i;
      @*/
    for (uint32_t i = 0; i < memory->provider_max; i++)
        if (memory->providers[i].generation > largest)
            largest = memory->providers[i].generation;
    /*@ loop invariant i <= memory->object_max;
      @ loop assigns i, largest;
      @ loop variant memory->object_max - i;
      @*/
    for (uint32_t i = 0; i < memory->object_max; i++)
        if (memory->objects[i].generation > largest)
            largest = memory->objects[i].generation;
    return largest;
}

/*@ requires \valid(tables);
  @ terminates \true;
  @ assigns tables->generation;
  @ ensures \result == tables->generation;
  @ ensures next: \old(tables->generation) < 18446744073709551615
  @         ? \result == \old(tables->generation) + 1 : \result == 1;
  @*/
static uint64_t next_generation(struct fxt_tables *tables)
{
    tables->generation = tables->generation < UINT64_MAX ? tables->generation + 1 : 1;
    return tables->generation;
}

void fxt_tables_init(struct fxt_tables *tables, const struct fxt_tables_memory *memory)
{
    tables->generation = largest_generation(memory);
    tables->providers = memory->providers;
    tables->provider_ids = memory->provider_ids;
    tables->provider_max = memory->provider_max;
    tables->provider_count = 1;
    tables->current = 0;
    tables->objects = memory->objects;
    tables->object_max = memory->object_max;
    tables->arena = memory->arena;
    tables->arena_size = memory->arena_size;
    tables->arena_used = 0;
    tables->arena_garbage = 0;
    fxt_tables_reset(tables);
}

/* Initializes the provider in that slot, which is the last one, and makes it the current one. */
/*@ requires \valid(tables) && fxt_tables_ok(tables) && slot < tables->provider_max;
  @ terminates \true;
  @ assigns tables->generation, tables->provider_count, tables->current, tables->providers[slot],
  @         tables->provider_ids[slot];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures last: tables->current == slot && tables->provider_count == slot + 1;
  @ ensures id: tables->provider_ids[slot] == id && tables->providers[slot].id == id;
  @*/
static void add_provider(struct fxt_tables *tables, uint32_t slot, uint32_t id)
{
    struct fxt_provider *provider = &tables->providers[slot];

    tables->provider_count = slot + 1;
    tables->provider_ids[slot] = id;
    tables->current = slot;
    provider->generation = next_generation(tables);
    provider->ticks_per_second = FXT_TICKS_PER_SECOND_DEFAULT;
    provider->id = id;
    provider->introduced = 0;
    provider->initialized = 0;
    provider->timed = 0;
    provider->name_length = 0;
    provider->strings[0].generation = provider->generation; /* STR-01: the empty string */
    provider->strings[0].length = 0;
}

void fxt_tables_reset(struct fxt_tables *tables)
{
    tables->epoch = next_generation(tables);
    tables->arena_used = 0;
    tables->arena_garbage = 0;
    tables->object_count = 0;
    add_provider(tables, 0, 0);
}

enum fxt_status fxt_tables_select(struct fxt_tables *tables, uint32_t provider_id)
{
    /*@ loop invariant i <= tables->provider_count;
      @ loop invariant \forall integer k; 0 <= k < i ==> tables->provider_ids[k] != provider_id;
      @ loop assigns i;
      @ loop variant tables->provider_count - i;
      @*/
    for (uint32_t i = 0; i < tables->provider_count; i++) {
        if (tables->provider_ids[i] == provider_id) {
            tables->current = i;
            return FXT_OK;
        }
    }
    bool full = tables->provider_count == tables->provider_max;
    add_provider(tables, full ? tables->provider_max - 1 : tables->provider_count, provider_id);
    return full ? FXT_FULL : FXT_OK;
}

enum fxt_status fxt_tables_introduce(struct fxt_tables *tables,
                                     const struct fxt_provider_info *info)
{
    struct fxt_bytes name = info->name;
    enum fxt_status status = fxt_tables_select(tables, info->provider_id);
    struct fxt_provider *provider = fxt_i_current_provider(tables);
    provider->introduced = 1;
    provider->name_length = (uint8_t)name.size;
    /*@ loop invariant 0 <= i <= name.size;
      @ loop invariant provider->introduced == 1 && provider->name_length == name.size;
      @ loop invariant copied: \forall integer k; 0 <= k < i ==>
      @   provider->name[k] == name.bytes[k];
      @ loop assigns i, provider->name[0 .. name.size - 1];
      @ loop variant name.size - i;
      @*/
    for (uint64_t i = 0; i < name.size; i++)
        provider->name[i] = name.bytes[i];
    return status;
}

void fxt_tables_set_ticks(struct fxt_tables *tables, uint64_t ticks_per_second)
{
    struct fxt_provider *provider = fxt_i_current_provider(tables);
    if (ticks_per_second == 0)
        return;
    provider->ticks_per_second = ticks_per_second;
    provider->initialized = 1;
}

/*@ requires text.size <= 32767 && readable(text.bytes, text.size);
  @ terminates \true;
  @ assigns \nothing;
  @*/
static uint16_t digest_of(struct fxt_bytes text)
{
    uint64_t digest = text.size;
    /*@ loop invariant 0 <= i <= text.size && digest < 4294967291;
      @ loop assigns i, digest;
      @ loop variant text.size - i;
      @*/
    for (uint64_t i = 0; i < text.size; i++)
        digest = (digest * 257 + text.bytes[i]) % UINT64_C(4294967291);
    return (uint16_t)(digest % 65521);
}

/* Removes the registration of the index. Its text becomes garbage. */
/*@ requires \valid(tables) && fxt_tables_ok(tables) && index <= 32767;
  @ terminates \true;
  @ assigns tables->arena_garbage, tables->providers[tables->current].strings[index].generation;
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures dropped: fxt_string_slot(tables, index)->generation == 0;
  @*/
static void forget(struct fxt_tables *tables, uint16_t index)
{
    struct fxt_provider *provider = fxt_i_current_provider(tables);
    struct fxt_string_slot *slot = &provider->strings[index];

    if (slot->generation == provider->generation && slot->length > 0)
        fxt_i_arena_drop(tables, slot->length);
    slot->generation = 0;
}

/* Registers the index for the text at that offset of the arena. */
/*@ requires \valid(tables) && fxt_tables_ok(tables) && index <= 32767;
  @ requires text.size <= 32767 && readable(text.bytes, text.size);
  @ requires offset + text.size <= tables->arena_used;
  @ terminates \true;
  @ assigns tables->providers[tables->current].strings[index];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures registered: fxt_string_known(tables, index)
  @         && fxt_string_slot(tables, index)->length == text.size
  @         && fxt_string_slot(tables, index)->offset == offset;
  @*/
static void take_string(struct fxt_tables *tables, uint16_t index, struct fxt_bytes text,
                        uint32_t offset)
{
    struct fxt_provider *provider = fxt_i_current_provider(tables);
    struct fxt_string_slot *slot = &provider->strings[index];
    uint16_t digest = digest_of(text);

    slot->generation = provider->generation;
    slot->offset = offset;
    slot->length = (uint16_t)text.size;
    slot->digest = digest;
}

enum fxt_status fxt_tables_set_string(struct fxt_tables *tables, const struct fxt_string *string)
{
    struct fxt_bytes value = string->value;
    uint16_t index = string->index;
    uint32_t offset = 0;

    if (index == 0)
        return FXT_OK;
    forget(tables, index);
    if (value.size > 0) {
        if (fxt_i_arena_room(tables, value.size) != FXT_OK)
            return FXT_FULL;
        offset = fxt_i_arena_put(tables, tables->current, index, value);
    }
    /*@ assert same: tables->provider_max == \at(tables->provider_max, Pre)
      @   && tables->current == \at(tables->current, Pre); */
    /*@ assert text: \forall integer i; 0 <= i < \at(string->value.size, Pre) ==>
      @   tables->arena[offset + i] == \at(string->value.bytes[i], Pre); */
    take_string(tables, index, value, offset);
    return FXT_OK;
}

void fxt_tables_set_thread(struct fxt_tables *tables, const struct fxt_thread *thread)
{
    struct fxt_provider *provider = fxt_i_current_provider(tables);
    uint64_t process = thread->process;
    uint64_t koid = thread->thread;

    if (thread->index == 0 || thread->index > FXT_THREAD_INDEX_MAX)
        return;
    struct fxt_thread_slot *slot = &provider->threads[thread->index];
    slot->generation = provider->generation;
    slot->process = process;
    slot->thread = koid;
    slot->cookie = 0;
}

const struct fxt_provider *fxt_tables_provider(const struct fxt_tables *tables)
{
    return fxt_i_current_provider(tables);
}

bool fxt_tables_string(const struct fxt_tables *tables, struct fxt_bytes *text,
                       struct fxt_string_ref ref)
{
    return fxt_i_string(tables, text, ref);
}

bool fxt_tables_thread(const struct fxt_tables *tables, struct fxt_thread_ref *koids,
                       struct fxt_thread_ref ref)
{
    const struct fxt_thread_slot *slot = NULL;

    if (ref.ref != 0) {
        slot = fxt_i_thread_slot(fxt_i_current_provider(tables), ref.ref);
        if (slot != NULL) {
            ref.process = slot->process;
            ref.thread = slot->thread;
        }
    }
    bool known = ref.ref == 0 || slot != NULL;
    *koids = ref;
    return known;
}
