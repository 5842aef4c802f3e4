/* Memory that others write to while it is read: buffers of trace providers. */
#ifndef FXT_SOCKET_SHARED_H
#define FXT_SOCKET_SHARED_H

#include <stdint.h>

/* Copies `size` bytes, a multiple of 8, from words that others may be storing. The words are loaded
   one after the other in ascending order: when the copy has the first word of a record, which is
   stored last, it has the whole record. `out` and `shared` are aligned to 8 bytes. */
static inline void fxt_copy_shared(void *out, const void *shared, uint64_t size)
{
    const uint64_t *from = (const uint64_t *)shared;
    uint64_t *to = (uint64_t *)out;

    for (uint64_t i = 0; i < size / 8; i++)
        to[i] = __atomic_load_n(&from[i], __ATOMIC_ACQUIRE);
}

#endif
