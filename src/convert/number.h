/* Numbers as text, fast: straight into the caller's memory, without snprintf.

   Each function writes its text at `to` and returns the end of it; there is no NUL. Bytes after
   that end, up to the size named, may be overwritten too. */
#ifndef FXT_CONVERT_NUMBER_H
#define FXT_CONVERT_NUMBER_H

#include <stdint.h>
#include <string.h>

#include "src/base/word.h"

#define FXT_NUMBER_BYTES 40u /* room that any of these functions needs */

/* Decimal. */
char *fxt_number_u64(char *to, uint64_t number);
char *fxt_number_i64(char *to, int64_t number);

/* 0x and lower case digits, no leading zeros. */
char *fxt_number_hex(char *to, uint64_t number);

/* The shortest decimal number that reads back as exactly this double, and of those the nearest to
   it; it always has a point or an exponent: 0.1, 3.0, -0.0, 1.5e-7, 1.0e+22. `number` is finite. */
char *fxt_number_double(char *to, double number);

/* The 8 digits of a number below 10^8, one a byte, the first in the lowest byte: four, then two,
   then one digit at a time in all lanes at once. 10486 / 2^20 and 103 / 2^10 are 1/100 and 1/10
   well enough for numbers below 10^4 and below 100. */
static inline uint64_t fxt_number_digits8(uint32_t number)
{
    uint64_t fours = number / 10000 | (uint64_t)(number % 10000) << 32;
    uint64_t hundreds = (fours * 10486 >> 20) & UINT64_C(0x0000007f0000007f);
    uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
    uint64_t tens = (twos * 103 >> 10) & UINT64_C(0x000f000f000f000f);
    return tens | (twos - 10 * tens) << 8;
}

#define FXT_NUMBER_ZEROS UINT64_C(0x3030303030303030) /* digits + this = characters */

static inline char *fxt_number_put8(char *to, uint32_t number)
{
    fxt_store_word((uint8_t *)to, fxt_number_digits8(number) + FXT_NUMBER_ZEROS);
    return to + 8;
}

/* A number below 10^8 without leading zeros; writes 8 bytes. */
static inline char *fxt_number_short(char *to, uint32_t number)
{
    uint64_t digits = fxt_number_digits8(number);
    unsigned zeros = (unsigned)__builtin_ctzll(digits | UINT64_C(1) << 56) / 8;
    fxt_store_word((uint8_t *)to, (digits + FXT_NUMBER_ZEROS) >> (8 * zeros));
    return to + (8 - zeros);
}

#endif
