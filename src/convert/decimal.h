/* Decimal numbers to doubles, exactly or not at all. The other way is fxt_number_double. */
#ifndef FXT_CONVERT_DECIMAL_H
#define FXT_CONVERT_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

/* The double `digits` * 10^exponent, correctly rounded, as its bits. False when that cannot be
   told by one exact operation: digits over 2^53, or exponent outside -22..22. */
bool fxt_convert_decimal_bits(uint64_t *bits, uint64_t digits, int exponent, bool negative);

/* Whether these are the bits of a number, not of an infinity or a NaN. */
static inline bool fxt_convert_is_finite(uint64_t bits)
{
    return (bits >> 52) % 2048 != 2047;
}

#endif
