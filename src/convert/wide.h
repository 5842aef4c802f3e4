/* The product of two words as two words, for machines with and without integers of 128 bits. */
#ifndef FXT_CONVERT_WIDE_H
#define FXT_CONVERT_WIDE_H

#include <stdint.h>

/* In halves: a = ah * 2^32 + al. No sum overflows, since (2^32 - 1)^2 + 2 * (2^32 - 1) < 2^64. */
static inline uint64_t fxt_i_multiply_halves(uint64_t *low, uint64_t a, uint64_t b)
{
    uint64_t al = a & UINT32_MAX;
    uint64_t bl = b & UINT32_MAX;
    uint64_t lows = al * bl;
    uint64_t first = (a >> 32) * bl + (lows >> 32);
    uint64_t second = al * (b >> 32) + (first & UINT32_MAX);
    *low = second << 32 | (lows & UINT32_MAX);
    return (a >> 32) * (b >> 32) + (first >> 32) + (second >> 32);
}

/* Returns the high word of the product. */
static inline uint64_t fxt_i_multiply(uint64_t *low, uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 u128;
    u128 product = (u128)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
#else
    return fxt_i_multiply_halves(low, a, b);
#endif
}

#endif
