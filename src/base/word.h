/* Loads and stores words; no other code does. Little-endian (REC-07), any alignment.

   The prover and big-endian machines use the arithmetic form. Little-endian machines use the memcpy
   form, because gcc does not merge eight byte loads. word_test.c tests that both give the same
   results. */
#ifndef FXT_BASE_WORD_H
#define FXT_BASE_WORD_H

#include <string.h>

#include "spec/acsl/word.h"
#include "src/base/assumptions.h"

/*@ requires \valid_read(p + (0 .. 7));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_word(p);
  @*/
static inline uint64_t fxt_load_word_arithmetic(const uint8_t *p)
{
    return p[0] + UINT64_C(256) * p[1] + UINT64_C(65536) * p[2] + UINT64_C(16777216) * p[3] +
           UINT64_C(4294967296) * p[4] + UINT64_C(1099511627776) * p[5] +
           UINT64_C(281474976710656) * p[6] + UINT64_C(72057594037927936) * p[7];
}

/*@ requires \valid_read(p + (0 .. 7));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_word(p);
  @*/
static inline uint64_t fxt_load_word(const uint8_t *p)
{
#if defined(__FRAMAC__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    return fxt_load_word_arithmetic(p);
#else
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
#endif
}

/*@ requires \valid(p + (0 .. 7));
  @ terminates \true;
  @ assigns p[0 .. 7];
  @ ensures l_word(p) == word;
  @*/
static inline void fxt_store_word(uint8_t *p, uint64_t word)
{
    uint64_t w1 = word / 256;
    uint64_t w2 = w1 / 256;
    uint64_t w3 = w2 / 256;
    uint64_t w4 = w3 / 256;
    uint64_t w5 = w4 / 256;
    uint64_t w6 = w5 / 256;
    uint64_t w7 = w6 / 256;
    /*@ assert rest: w6 == w6 % 256 + 256 * w7 && 0 <= w7 < 256; */
    p[0] = (uint8_t)(word % 256);
    p[1] = (uint8_t)(w1 % 256);
    p[2] = (uint8_t)(w2 % 256);
    p[3] = (uint8_t)(w3 % 256);
    p[4] = (uint8_t)(w4 % 256);
    p[5] = (uint8_t)(w5 % 256);
    p[6] = (uint8_t)(w6 % 256);
    p[7] = (uint8_t)w7;
}

/* The number of words of a stream of `size` bytes (REC-05). */
/*@ requires size <= 18446744073709551608;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == (size + 7) / 8;
  @*/
static inline uint64_t fxt_words_of(uint64_t size)
{
    return (size + 7) / 8;
}

#endif
