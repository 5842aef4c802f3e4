/* In the place of the manager's own, since this folder is searched first: each word that it copies
   out of a buffer is a step of the explorer. */
#ifndef FXT_SOCKET_SHARED_H
#define FXT_SOCKET_SHARED_H

#include <assert.h>
#include <stdint.h>

#include "proofs/interleave/explore.h"

static inline void fxt_copy_shared(void *out, const void *shared, uint64_t size)
{
    const uint64_t *from = (const uint64_t *)shared;
    uint64_t *to = (uint64_t *)out;

    assert(size % 8 == 0);
    assert((uintptr_t)out % 8 == 0 && (uintptr_t)shared % 8 == 0);
    for (uint64_t i = 0; i < size / 8; i++)
        to[i] = x_look(&from[i]);
}

#endif
