/* Interning of strings and threads for a writer. The state is struct fxt_interner: an
   open-addressed table of the caller's, at most half full, over a copy of each string's text. */
#include <fxt/intern.h>

#include "src/base/word.h"

static uint32_t hash_of(const uint8_t *bytes, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) + length;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return (uint32_t)(hash ^ hash / UINT64_C(4294967296));
}

static void forget_strings(struct fxt_interner *interner)
{
    for (uint32_t i = 0; i < interner->slot_count; i++)
        interner->slots[i].index = 0;
    interner->string_count = 0;
    interner->text_used = 0;
}

enum fxt_status fxt_intern_init(struct fxt_interner *interner, struct fxt_intern_slot *slots,
                                uint32_t slot_count, uint8_t *text, uint32_t text_size,
                                enum fxt_intern_policy policy)
{
    if (slot_count < 2 || slot_count > 65536 || (slot_count & (slot_count - 1)) != 0)
        return FXT_INVALID;
    interner->slots = slots;
    interner->slot_count = slot_count;
    interner->text = text;
    interner->text_size = text_size;
    interner->string_max = (uint16_t)(slot_count / 2 - (slot_count == 65536 ? 1 : 0));
    interner->policy = policy;
    interner->thread_count = 0;
    forget_strings(interner);
    return FXT_OK;
}

static bool holds(const struct fxt_interner *interner, const struct fxt_intern_slot *slot,
                  uint32_t hash, const uint8_t *bytes, size_t length)
{
    return slot->hash == hash && slot->length == length &&
           memcmp(interner->text + slot->offset, bytes, length) == 0;
}

/* The slot of these bytes, or the free slot where they belong. */
static struct fxt_intern_slot *find(const struct fxt_interner *interner, uint32_t hash,
                                    const uint8_t *bytes, size_t length)
{
    uint32_t at = hash;
    for (;;) {
        struct fxt_intern_slot *slot = &interner->slots[at % interner->slot_count];
        if (slot->index == 0 || holds(interner, slot, hash, bytes, length))
            return slot;
        at++;
    }
}

static bool has_room(const struct fxt_interner *interner, size_t length)
{
    return interner->string_count < interner->string_max &&
           length <= interner->text_size - interner->text_used;
}

enum fxt_status fxt_intern_string(struct fxt_interner *interner, struct fxt_writer *writer,
                                  struct fxt_string_ref *ref, const void *text, size_t length)
{
    const uint8_t *bytes = text;
    struct fxt_string record = {.value = {bytes, length}};

    if (length > FXT_STRING_LENGTH_MAX || (length > 0 && bytes == NULL))
        return FXT_INVALID;
    if (length == 0) {
        *ref = fxt_string_index(0);
        return FXT_OK;
    }
    uint32_t hash = hash_of(bytes, length);
    struct fxt_intern_slot *slot = find(interner, hash, bytes, length);
    if (slot->index != 0) {
        *ref = fxt_string_index(slot->index);
        return FXT_OK;
    }
    bool evict = !has_room(interner, length) && interner->policy == FXT_INTERN_EVICT &&
                 length <= interner->text_size;
    if (!evict && !has_room(interner, length)) {
        *ref = fxt_string_inline(bytes, (uint16_t)length);
        return FXT_OK;
    }
    record.index = evict ? 1 : (uint16_t)(interner->string_count + 1);
    enum fxt_status status = fxt_write_string(writer, &record);
    if (status != FXT_OK)
        return status;
    if (evict) {
        forget_strings(interner);
        slot = find(interner, hash, bytes, length);
    }
    slot->hash = hash;
    slot->offset = interner->text_used;
    slot->length = (uint16_t)length;
    slot->index = record.index;
    memcpy(interner->text + interner->text_used, bytes, length);
    interner->text_used += (uint32_t)length;
    interner->string_count = record.index;
    *ref = fxt_string_index(record.index);
    return FXT_OK;
}

enum fxt_status fxt_intern_thread(struct fxt_interner *interner, struct fxt_writer *writer,
                                  struct fxt_thread_ref *ref, uint64_t process, uint64_t thread)
{
    struct fxt_thread record = {.process = process, .thread = thread};

    for (uint16_t i = 0; i < interner->thread_count; i++) {
        if (interner->threads[i].process == process && interner->threads[i].thread == thread) {
            *ref = fxt_thread_index((uint8_t)(i + 1));
            return FXT_OK;
        }
    }
    bool full = interner->thread_count == FXT_THREAD_INDEX_MAX;
    if (full && interner->policy == FXT_INTERN_INLINE) {
        *ref = fxt_thread_inline(process, thread);
        return FXT_OK;
    }
    record.index = full ? 1 : (uint8_t)(interner->thread_count + 1);
    enum fxt_status status = fxt_write_thread(writer, &record);
    if (status != FXT_OK)
        return status;
    interner->thread_count = record.index;
    interner->threads[record.index - 1].process = process;
    interner->threads[record.index - 1].thread = thread;
    *ref = fxt_thread_index(record.index);
    return FXT_OK;
}
