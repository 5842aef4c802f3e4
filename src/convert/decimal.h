/* Doubles as short decimal numbers, both ways, exactly or not at all. */
#ifndef FXT_CONVERT_DECIMAL_H
#define FXT_CONVERT_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "src/convert/out.h"

/* The double `digits` * 10^exponent, correctly rounded, as its bits. False when that cannot be
   told by one exact operation: digits over 2^53, or exponent outside -22..22. */
bool fxt_convert_decimal_bits(uint64_t *bits, uint64_t digits, int exponent, bool negative);

/* Prints the double of these bits as a decimal number with a point, which
   fxt_convert_decimal_bits reads back as the same bits. False, and nothing printed, when it has no
   such number of at most 2^53 and 17 places; so for NaN, infinity and -0. */
bool fxt_convert_decimal(struct fxt_out *out, uint64_t bits);

/* The same, with a fallback for people: 0x1.8p+3 as printf's %a gives, inf, nan. */
void fxt_convert_double(struct fxt_out *out, uint64_t bits);

#endif
