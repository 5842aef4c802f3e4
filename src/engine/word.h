/* Words of the buffer, which another process reads: eight bytes, little-endian on every machine, at a
   place that is a multiple of 8 in memory. atomic.h says which thread may call these.

   The prover reads fxt_store_word in place of each store. It knows no order of stores: the explorer looks for
   that, with forms of its own (proofs/interleave/atomic.h). These atomics are not in atomic.h because
   the prover cannot read _Atomic. */
#ifndef FXT_ENGINE_WORD_H
#define FXT_ENGINE_WORD_H

#include <stdint.h>
#include <string.h>

#include "src/base/word.h"

/* Returns the number that such a word holds, or the word for a number. */
/*@ terminates \true; assigns \nothing; */
static inline uint64_t fxt_i_little(uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return word;
#else
    return __builtin_bswap64(word);
#endif
}

/* Stores a word that nobody else reads or writes yet: it lies behind the first word of a filler. */
/*@ requires \valid(at + (0 .. 7));
  @ terminates \true;
  @ assigns at[0 .. 7];
  @ ensures l_word(at) == value;
  @*/
static inline void fxt_i_put(uint8_t *at, uint64_t value)
{
#ifdef __FRAMAC__
    fxt_store_word(at, value);
#else
    uint64_t word = fxt_i_little(value);
    memcpy(at, &word, sizeof word);
#endif
}

/* Stores a word for others to read, and releases all that this thread has stored. */
/*@ requires \valid(at + (0 .. 7));
  @ terminates \true;
  @ assigns at[0 .. 7];
  @ ensures l_word(at) == value;
  @*/
static inline void fxt_i_publish(uint8_t *at, uint64_t value)
{
#ifdef __FRAMAC__
    fxt_store_word(at, value);
#else
    __atomic_store_n((uint64_t *)(void *)at, fxt_i_little(value), __ATOMIC_RELEASE);
#endif
}

/* So, a word that no reader looks at before another one is published. */
/*@ requires \valid(at + (0 .. 7));
  @ terminates \true;
  @ assigns at[0 .. 7];
  @ ensures l_word(at) == value;
  @*/
static inline void fxt_i_prepare(uint8_t *at, uint64_t value)
{
#ifdef __FRAMAC__
    fxt_store_word(at, value);
#else
    __atomic_store_n((uint64_t *)(void *)at, fxt_i_little(value), __ATOMIC_RELAXED);
#endif
}

#endif
