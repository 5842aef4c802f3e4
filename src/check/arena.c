/* Text memory of the tables; see arena.h. Invariant: arena_used is the size of all blocks,
   arena_garbage the size of the dead ones, without those of a provider that has lost its place:
   compaction removes them, too. The contents of blocks and owners are validated on every
   use, because they are in the caller's memory.

   Compaction walks over the whole arena, so it runs only if at least an eighth of the arena is
   garbage. This bounds the cost of each registered byte, whatever the input. */
#include "src/check/arena.h"

#include "src/base/word.h"

#define BLOCK_HEAD UINT64_C(16)

/*@ requires length <= 4294967295;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_block(length);
  @*/
static uint64_t block_size(uint64_t length)
{
    return BLOCK_HEAD + 8 * fxt_words_of(length);
}

/*@ requires readable(from, size) && writable(to, size);
  @ requires \separated(to + (0 .. size - 1), from + (0 .. size - 1));
  @ terminates \true;
  @ assigns to[0 .. size - 1];
  @ ensures copied: \forall integer i; 0 <= i < size ==> to[i] == \old(from[i]);
  @*/
static void copy(uint8_t *to, const uint8_t *from, uint64_t size)
{
    /*@ loop invariant 0 <= i <= size;
      @ loop invariant \forall integer k; 0 <= k < i ==> to[k] == \at(from[k], Pre);
      @ loop assigns i, to[0 .. size - 1];
      @ loop variant size - i;
      @*/
    for (uint64_t i = 0; i < size; i++)
        to[i] = from[i];
}

/* The same for overlapping ranges; copies to a lower place in the arena. */
/*@ requires to <= from && from + size <= 4294967295 && writable(arena, from + size);
  @ terminates \true;
  @ assigns arena[to .. to + size - 1];
  @*/
static void move_down(uint8_t *arena, uint64_t to, uint64_t from, uint64_t size)
{
    /*@ loop invariant 0 <= i <= size;
      @ loop assigns i, arena[to .. to + size - 1];
      @ loop variant size - i;
      @*/
    for (uint64_t i = 0; i < size; i++)
        arena[to + i] = arena[from + i];
}

/* Makes the owner of the text at `text` point to `to`. False if there is no such owner, or it
   points elsewhere. */
/*@ requires \valid(tables) && fxt_tables_ok(tables) && to <= 4294967295;
  @ terminates \true;
  @ assigns tables->providers[0 .. tables->provider_max - 1],
  @         tables->objects[0 .. tables->object_max - 1];
  @ ensures ok: fxt_tables_ok(tables);
  @*/
static bool move_text(struct fxt_tables *tables, uint64_t owner, uint64_t index, uint64_t text,
                      uint64_t to)
{
    if (owner == FXT_I_OWNER_OBJECT) {
        if (index >= tables->object_max)
            return false;
        struct fxt_object *object = &tables->objects[index];
        if (object->generation != tables->epoch || object->name_length == 0 ||
            object->name_offset != text)
            return false;
        object->name_offset = (uint32_t)to;
        return true;
    }
    if (owner >= tables->provider_count || index > FXT_STRING_INDEX_MAX)
        return false;
    struct fxt_provider *provider = &tables->providers[owner];
    struct fxt_string_slot *slot = &provider->strings[index];
    if (slot->generation != provider->generation || slot->length == 0 || slot->offset != text)
        return false;
    slot->offset = (uint32_t)to;
    return true;
}

/* Removes the garbage. Stops at a block that would end outside of the arena. */
/*@ requires \valid(tables) && fxt_tables_ok(tables);
  @ terminates \true;
  @ assigns tables->arena_used, tables->arena_garbage,
  @         tables->providers[0 .. tables->provider_max - 1],
  @         tables->objects[0 .. tables->object_max - 1],
  @         tables->arena[0 .. tables->arena_size - 1];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures less: tables->arena_used <= \old(tables->arena_used);
  @*/
static void compact(struct fxt_tables *tables)
{
    uint8_t *arena = tables->arena;
    uint64_t used = tables->arena_used;
    uint64_t to = 0;
    uint64_t from = 0;

    /*@ loop invariant fxt_tables_ok(tables);
      @ loop invariant sizes: tables->provider_max == \at(tables->provider_max, Pre)
      @   && tables->object_max == \at(tables->object_max, Pre)
      @   && tables->arena_size == \at(tables->arena_size, Pre);
      @ loop invariant to <= from <= used && from % 8 == 0 && to % 8 == 0;
      @ loop assigns from, to,
      @   tables->providers[0 .. \at(tables->provider_max, Pre) - 1],
      @   tables->objects[0 .. \at(tables->object_max, Pre) - 1],
      @   arena[0 .. \at(tables->arena_size, Pre) - 1];
      @ loop variant used - from;
      @*/
    while (used - from >= BLOCK_HEAD) {
        uint64_t owner = fxt_load_word(arena + from);
        uint64_t length = fxt_load_word(arena + from + 8);
        if (length > used - from - BLOCK_HEAD)
            break;
        uint64_t size = block_size(length);
        /*@ assert inside: from + size <= used && size % 8 == 0; */
        if (move_text(tables, owner % UINT64_C(4294967296), owner / UINT64_C(4294967296),
                      from + BLOCK_HEAD, to + BLOCK_HEAD)) {
            move_down(arena, to, from, size);
            to += size;
        }
        from += size;
    }
    tables->arena_used = to;
    tables->arena_garbage = 0;
}

enum fxt_status fxt_i_arena_room(struct fxt_tables *tables, uint64_t length)
{
    uint64_t size = block_size(length);

    if (size > tables->arena_size - tables->arena_used &&
        tables->arena_garbage >= tables->arena_size / 8)
        compact(tables);
    return size > tables->arena_size - tables->arena_used ? FXT_FULL : FXT_OK;
}

/* Writes a block: the two head words and the text. */
/*@ requires text.size <= 65535 && readable(text.bytes, text.size);
  @ requires \valid(block + (0 .. 15 + text.size));
  @ requires \separated(text.bytes + (0 .. text.size - 1), block + (0 .. 15 + text.size));
  @ terminates \true;
  @ assigns block[0 .. 15 + text.size];
  @ ensures copied: \forall integer i; 0 <= i < text.size
  @         ==> block[16 + i] == \old(text.bytes[i]);
  @*/
static void fill_block(uint8_t *block, uint64_t owner, struct fxt_bytes text)
{
    fxt_store_word(block, owner);
    fxt_store_word(block + 8, text.size);
    /*@ assert same: \forall integer i; 0 <= i < text.size
      @   ==> text.bytes[i] == \at(text.bytes[i], Pre);
      @*/
    copy(block + BLOCK_HEAD, text.bytes, text.size);
}

uint32_t fxt_i_arena_put(struct fxt_tables *tables, uint32_t owner, uint32_t index,
                         struct fxt_bytes text)
{
    uint64_t used = tables->arena_used;

    fill_block(tables->arena + used, owner + UINT64_C(4294967296) * index, text);
    tables->arena_used = used + block_size(text.size);
    return (uint32_t)(used + BLOCK_HEAD);
}

void fxt_i_arena_drop(struct fxt_tables *tables, uint64_t length)
{
    uint64_t size = block_size(length);
    uint64_t alive = tables->arena_used - tables->arena_garbage;

    tables->arena_garbage = size < alive ? tables->arena_garbage + size : tables->arena_used;
}
