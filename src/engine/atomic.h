/* The atomics of the engine: the only place that names them, beside word.h.

   The traced thread's side is plain stores to memory of its own. The rare side, which closes a half
   or stops, pays: it changes a word, calls fxt_i_heavy_fence (os.h), and then reads what the
   threads have stored. A thread stores, calls fxt_i_light_fence, and reads the word. Then one of
   the two sees the other.

   Any thread may call any of these, in a signal handler too; all are lock-free. What pairs with
   what: fxt_i_store, _store32, _publish, _store_site and _store_tag release, fxt_i_load,
   _load32, _load_site and _load_tag acquire; a fxt_i_swap that swaps, fxt_i_add and fxt_i_exchange32
   do both; a fxt_i_swap32 that swaps takes a lock, and acquires. fxt_i_load_relaxed, _store_relaxed,
   _count, _raise, _prepare and _peek order nothing: they are for a word that its own thread alone
   changes, or that is only counted, or that others look at behind another one.

   proofs/interleave/orders.py takes each fence and each order away, one at a time; its orders.tsv
   names what is found then, or why nothing is. */
#ifndef FXT_ENGINE_ATOMIC_H
#define FXT_ENGINE_ATOMIC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/engine/word.h"

typedef struct {
    _Atomic uint64_t value;
} fxt_i_atomic;

typedef struct {
    _Atomic uint32_t value;
} fxt_i_atomic32;

static inline uint64_t fxt_i_load(const fxt_i_atomic *at)
{
    return atomic_load_explicit(&at->value, memory_order_acquire);
}

static inline uint64_t fxt_i_load_relaxed(const fxt_i_atomic *at)
{
    return atomic_load_explicit(&at->value, memory_order_relaxed);
}

static inline void fxt_i_store(fxt_i_atomic *at, uint64_t value)
{
    atomic_store_explicit(&at->value, value, memory_order_release);
}

static inline void fxt_i_store_relaxed(fxt_i_atomic *at, uint64_t value)
{
    atomic_store_explicit(&at->value, value, memory_order_relaxed);
}

/* For assertions: loads without any order. */
static inline uint64_t fxt_i_peek(const fxt_i_atomic *at)
{
    return atomic_load_explicit(&at->value, memory_order_relaxed);
}

static inline uint32_t fxt_i_peek32(const fxt_i_atomic32 *at)
{
    return atomic_load_explicit(&at->value, memory_order_relaxed);
}

/* Returns the value before. */
static inline uint64_t fxt_i_add(fxt_i_atomic *at, uint64_t value)
{
    return atomic_fetch_add_explicit(&at->value, value, memory_order_acq_rel);
}

/* If the word is not *expected, stores it there and returns false. */
static inline bool fxt_i_swap(fxt_i_atomic *at, uint64_t *expected, uint64_t value)
{
    return atomic_compare_exchange_strong_explicit(&at->value, expected, value,
                                                   memory_order_acq_rel, memory_order_acquire);
}

static inline uint32_t fxt_i_load32(const fxt_i_atomic32 *at)
{
    return atomic_load_explicit(&at->value, memory_order_acquire);
}

static inline void fxt_i_store32(fxt_i_atomic32 *at, uint32_t value)
{
    atomic_store_explicit(&at->value, value, memory_order_release);
}

static inline bool fxt_i_swap32(fxt_i_atomic32 *at, uint32_t expected, uint32_t value)
{
    return atomic_compare_exchange_strong_explicit(&at->value, &expected, value,
                                                   memory_order_acquire, memory_order_relaxed);
}

/* Returns the value before. Always stores, so that the thread that stores next sees what this
   thread did before. */
static inline uint32_t fxt_i_exchange32(fxt_i_atomic32 *at, uint32_t value)
{
    return atomic_exchange_explicit(&at->value, value, memory_order_acq_rel);
}

/* Memory that is not declared atomic: words of the buffer (word.h has their plain stores), and call
   sites. */

/* Raises such a word to `value`, unless it is greater. */
static inline void fxt_i_raise(uint8_t *at, uint64_t value)
{
    uint64_t *word = (uint64_t *)(void *)at;
    uint64_t now = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (fxt_i_little(now) < value &&
           !__atomic_compare_exchange_n(word, &now, fxt_i_little(value), true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
        ;
}

/* Adds 1 to such a word. */
static inline void fxt_i_count(uint8_t *at)
{
    uint64_t *word = (uint64_t *)(void *)at;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    __atomic_fetch_add(word, 1, __ATOMIC_RELAXED);
#else
    uint64_t now = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(word, &now, fxt_i_little(fxt_i_little(now) + 1), true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
#endif
}

static inline uintptr_t fxt_i_load_site(const uintptr_t *state)
{
    return __atomic_load_n(state, __ATOMIC_ACQUIRE);
}

static inline void fxt_i_store_site(uintptr_t *state, uintptr_t value)
{
    __atomic_store_n(state, value, __ATOMIC_RELEASE);
}

static inline uint32_t fxt_i_load_tag(const uint32_t *tag)
{
    return __atomic_load_n(tag, __ATOMIC_ACQUIRE);
}

static inline void fxt_i_store_tag(uint32_t *tag, uint32_t value)
{
    __atomic_store_n(tag, value, __ATOMIC_RELEASE);
}

/* The thread sanitizer knows no fences, but read-modify-writes. */
static inline void fxt_i_full_fence(void)
{
#ifdef __SANITIZE_THREAD__
    static _Atomic uint32_t any;
    atomic_fetch_add_explicit(&any, 1, memory_order_seq_cst);
#else
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

/* False where the kernel cannot fence other threads, or does so no more: then the light fence is a
   full one. */
extern bool fxt_i_fences_are_light;

static inline bool fxt_i_has_light_fences(void)
{
    return __atomic_load_n(&fxt_i_fences_are_light, __ATOMIC_RELAXED);
}

static inline void fxt_i_fences_become_full(void)
{
    __atomic_store_n(&fxt_i_fences_are_light, false, __ATOMIC_RELAXED);
}

static inline void fxt_i_light_fence(void)
{
    atomic_signal_fence(memory_order_seq_cst);
    if (__builtin_expect(!fxt_i_has_light_fences(), 0))
        fxt_i_full_fence();
}

/* Orders a thread and the signal handlers that interrupt it. */
static inline void fxt_i_signal_fence(void)
{
    atomic_signal_fence(memory_order_seq_cst);
}

static inline void fxt_i_pause(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

#endif
