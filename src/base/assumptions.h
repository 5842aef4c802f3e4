/* What the code relies on beyond C11, checked at compile time. */
#ifndef FXT_BASE_ASSUMPTIONS_H
#define FXT_BASE_ASSUMPTIONS_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

_Static_assert(CHAR_BIT == 8, "a byte has 8 bits");
_Static_assert(sizeof(size_t) == 8, "sizes are 64 bits: a large record may be 32 GiB long");
_Static_assert(sizeof(double) == 8, "a double is 64 bits");
#if defined(__BYTE_ORDER__)
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "REC-07: words are stored as they are");
#endif

#endif
