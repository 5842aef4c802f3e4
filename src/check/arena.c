/* Text memory of the tables; see arena.h. Invariant: arena_used is the sum of all blocks,
   arena_garbage the sum of the dead ones.

   Compaction costs one walk over the arena, so it runs only when at least an eighth of the arena
   is garbage: then the cost a byte registered is bounded whatever the input does. */
#include "src/check/arena.h"

#include "src/base/word.h"

#define BLOCK_HEAD UINT64_C(16)

static uint64_t block_size(uint64_t length)
{
    return BLOCK_HEAD + 8 * fxt_words_of(length);
}

/* Where the owner of a block keeps the offset of its text; NULL when it points elsewhere. */
static uint32_t *owner_offset(struct fxt_tables *tables, uint32_t owner, uint32_t index,
                              uint32_t text)
{
    if (owner == FXT_I_OWNER_OBJECT) {
        struct fxt_object *object = &tables->objects[index];
        bool live = object->generation == tables->epoch && object->name_length > 0 &&
                    object->name_offset == text;
        return live ? &object->name_offset : NULL;
    }
    struct fxt_provider *provider = &tables->providers[owner];
    struct fxt_string_slot *slot = &provider->strings[index];
    bool live =
        slot->generation == provider->generation && slot->length > 0 && slot->offset == text;
    return live ? &slot->offset : NULL;
}

static void compact(struct fxt_tables *tables)
{
    uint8_t *arena = tables->arena;
    uint64_t to = 0;
    uint64_t from = 0;

    while (from < tables->arena_used) {
        uint64_t owner = fxt_load_word(arena + from);
        uint64_t size = block_size(fxt_load_word(arena + from + 8));
        uint32_t *offset =
            owner_offset(tables, (uint32_t)(owner % UINT64_C(4294967296)),
                         (uint32_t)(owner / UINT64_C(4294967296)), (uint32_t)(from + BLOCK_HEAD));
        if (offset != NULL) {
            *offset = (uint32_t)(to + BLOCK_HEAD);
            for (uint64_t i = 0; i < size; i++)
                arena[to + i] = arena[from + i];
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

enum fxt_status fxt_i_arena_add(struct fxt_tables *tables, uint32_t *offset, uint32_t owner,
                                uint32_t index, struct fxt_bytes text)
{
    enum fxt_status status = fxt_i_arena_room(tables, text.size);
    if (status != FXT_OK)
        return status;
    uint8_t *block = tables->arena + tables->arena_used;
    fxt_store_word(block, owner + UINT64_C(4294967296) * index);
    fxt_store_word(block + 8, text.size);
    for (uint64_t i = 0; i < text.size; i++)
        block[BLOCK_HEAD + i] = text.bytes[i];
    *offset = (uint32_t)(tables->arena_used + BLOCK_HEAD);
    tables->arena_used += block_size(text.size);
    return FXT_OK;
}

void fxt_i_arena_drop(struct fxt_tables *tables, uint64_t length)
{
    tables->arena_garbage += block_size(length);
}
