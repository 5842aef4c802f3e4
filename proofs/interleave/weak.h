/* The operations of atomic.h with an order less, for the mutants of orders.py. The name says what
   is left: relaxed; of a read-modify-write acquire, release, or blind, which acquires nothing
   where it fails. */
#ifndef PROOFS_INTERLEAVE_WEAK_H
#define PROOFS_INTERLEAVE_WEAK_H

#include "proofs/interleave/atomic.h"

static inline uint32_t fxt_i_load32_relaxed(const fxt_i_atomic32 *at)
{
    return (uint32_t)x_load(&at->value, 4, X_RELAXED);
}

static inline uintptr_t fxt_i_load_site_relaxed(const uintptr_t *state)
{
    return x_load(state, 8, X_RELAXED);
}

static inline uint32_t fxt_i_load_tag_relaxed(const uint32_t *tag)
{
    return (uint32_t)x_load(tag, 4, X_RELAXED);
}

static inline void fxt_i_store32_relaxed(fxt_i_atomic32 *at, uint32_t value)
{
    x_store(&at->value, 4, value, X_RELAXED);
}

static inline void fxt_i_store_site_relaxed(uintptr_t *state, uintptr_t value)
{
    x_store(state, 8, value, X_RELAXED);
}

static inline void fxt_i_store_tag_relaxed(uint32_t *tag, uint32_t value)
{
    x_store(tag, 4, value, X_RELAXED);
}

static inline void fxt_i_publish_relaxed(uint8_t *at, uint64_t value)
{
    x_publish((uint64_t *)(void *)at, value, X_RELAXED);
}

static inline uint64_t fxt_i_add_acquire(fxt_i_atomic *at, uint64_t value)
{
    return x_add(&at->value, 8, value, X_ACQUIRE);
}

static inline uint64_t fxt_i_add_release(fxt_i_atomic *at, uint64_t value)
{
    return x_add(&at->value, 8, value, X_RELEASE);
}

static inline uint32_t fxt_i_exchange32_acquire(fxt_i_atomic32 *at, uint32_t value)
{
    return (uint32_t)x_exchange(&at->value, 4, value, X_ACQUIRE);
}

static inline uint32_t fxt_i_exchange32_release(fxt_i_atomic32 *at, uint32_t value)
{
    return (uint32_t)x_exchange(&at->value, 4, value, X_RELEASE);
}

static inline bool fxt_i_swap_acquire(fxt_i_atomic *at, uint64_t *expected, uint64_t value)
{
    return x_swap(&at->value, 8, expected, value, X_ACQUIRE, X_ACQUIRE);
}

static inline bool fxt_i_swap_release(fxt_i_atomic *at, uint64_t *expected, uint64_t value)
{
    return x_swap(&at->value, 8, expected, value, X_RELEASE, X_ACQUIRE);
}

static inline bool fxt_i_swap_blind(fxt_i_atomic *at, uint64_t *expected, uint64_t value)
{
    return x_swap(&at->value, 8, expected, value, X_BOTH, X_RELAXED);
}

static inline bool fxt_i_swap32_relaxed(fxt_i_atomic32 *at, uint32_t expected, uint32_t value)
{
    uint64_t was = expected;
    return x_swap(&at->value, 4, &was, value, X_RELAXED, X_RELAXED);
}

#endif
