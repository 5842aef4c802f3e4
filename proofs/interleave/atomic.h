/* The engine's atomics, for the explorer: the same functions as src/engine/atomic.h and word.h, and each of
   them a step. It is put in front of every file of the engine by -include; what it defines here
   keeps the other files out. */
#ifndef FXT_ENGINE_ATOMIC_H
#define FXT_ENGINE_ATOMIC_H
#define FXT_ENGINE_WORD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "proofs/interleave/explore.h"

typedef struct {
    uint64_t value;
} fxt_i_atomic;

typedef struct {
    uint32_t value;
} fxt_i_atomic32;

static inline uint64_t fxt_i_load(const fxt_i_atomic *at)
{
    return x_load(&at->value, 8, X_ACQUIRE);
}

static inline uint64_t fxt_i_load_relaxed(const fxt_i_atomic *at)
{
    return x_load(&at->value, 8, X_RELAXED);
}

static inline void fxt_i_store(fxt_i_atomic *at, uint64_t value)
{
    x_store(&at->value, 8, value, X_RELEASE);
}

static inline void fxt_i_store_relaxed(fxt_i_atomic *at, uint64_t value)
{
    x_store(&at->value, 8, value, X_RELAXED);
}

/* What an assertion looks at is no step: it changes nothing that is explored. */
static inline uint64_t fxt_i_peek(const fxt_i_atomic *at)
{
    return at->value;
}

static inline uint32_t fxt_i_peek32(const fxt_i_atomic32 *at)
{
    return at->value;
}

static inline uint64_t fxt_i_add(fxt_i_atomic *at, uint64_t value)
{
    return x_add(&at->value, 8, value, X_BOTH);
}

static inline bool fxt_i_swap(fxt_i_atomic *at, uint64_t *expected, uint64_t value)
{
    return x_swap(&at->value, 8, expected, value, X_BOTH, X_ACQUIRE);
}

static inline uint32_t fxt_i_load32(const fxt_i_atomic32 *at)
{
    return (uint32_t)x_load(&at->value, 4, X_ACQUIRE);
}

static inline void fxt_i_store32(fxt_i_atomic32 *at, uint32_t value)
{
    x_store(&at->value, 4, value, X_RELEASE);
}

static inline bool fxt_i_swap32(fxt_i_atomic32 *at, uint32_t expected, uint32_t value)
{
    uint64_t was = expected;
    return x_swap(&at->value, 4, &was, value, X_ACQUIRE, X_RELAXED);
}

static inline uint32_t fxt_i_exchange32(fxt_i_atomic32 *at, uint32_t value)
{
    return (uint32_t)x_exchange(&at->value, 4, value, X_BOTH);
}

static inline uint64_t fxt_i_little(uint64_t word)
{
    return word;
}

/* Nobody looks at it, so it is no step. */
static inline void fxt_i_put(uint8_t *at, uint64_t value)
{
    memcpy(at, &value, sizeof value);
}

static inline void fxt_i_publish(uint8_t *at, uint64_t value)
{
    x_publish((uint64_t *)(void *)at, value, X_RELEASE);
}

static inline void fxt_i_prepare(uint8_t *at, uint64_t value)
{
    x_publish((uint64_t *)(void *)at, value, X_RELAXED);
}

static inline void fxt_i_raise(uint8_t *at, uint64_t value)
{
    x_raise((uint64_t *)(void *)at, value, X_RELAXED);
}

static inline void fxt_i_count(uint8_t *at)
{
    x_count((uint64_t *)(void *)at);
}

static inline uintptr_t fxt_i_load_site(const uintptr_t *state)
{
    return x_load(state, 8, X_ACQUIRE);
}

static inline void fxt_i_store_site(uintptr_t *state, uintptr_t value)
{
    x_store(state, 8, value, X_RELEASE);
}

static inline uint32_t fxt_i_load_tag(const uint32_t *tag)
{
    return (uint32_t)x_load(tag, 4, X_ACQUIRE);
}

static inline void fxt_i_store_tag(uint32_t *tag, uint32_t value)
{
    x_store(tag, 4, value, X_RELEASE);
}

static inline void fxt_i_full_fence(void)
{
    x_fence();
}

extern bool fxt_i_fences_are_light;

static inline void fxt_i_light_fence(void)
{
    fxt_i_fences_are_light ? x_fence_light() : x_fence();
}

static inline void fxt_i_signal_fence(void)
{
}

static inline void fxt_i_pause(void)
{
    x_yield();
}

#endif
