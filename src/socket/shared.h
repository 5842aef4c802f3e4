/* Buffers of trace providers: memory that other processes write to while it is read. */
#ifndef FXT_SOCKET_SHARED_H
#define FXT_SOCKET_SHARED_H

#include <assert.h>
#include <stdint.h>

/* Copies `size` bytes, a multiple of 8, from words that others may be storing. Loads the words in
   ascending order. The first word of a record is stored last, so a copy that has it has the whole
   record. `out` and `shared` are aligned to 8 bytes.

   Any thread may call this while others store. Each word is loaded with acquire, which pairs with
   the engine's stores with release (fxt_i_publish, fxt_i_raise), in this process or another. No
   lock. */
static inline void fxt_copy_shared(void *out, const void *shared, uint64_t size)
{
    const uint64_t *from = (const uint64_t *)shared;
    uint64_t *to = (uint64_t *)out;

    assert(size % 8 == 0);
    assert((uintptr_t)out % 8 == 0 && (uintptr_t)shared % 8 == 0);
    for (uint64_t i = 0; i < size / 8; i++)
        to[i] = __atomic_load_n(&from[i], __ATOMIC_ACQUIRE);
}

#endif
