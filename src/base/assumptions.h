/* What the code assumes beyond C11, checked at compile time. */
#ifndef FXT_BASE_ASSUMPTIONS_H
#define FXT_BASE_ASSUMPTIONS_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

_Static_assert(CHAR_BIT == 8, "a byte has 8 bits");
_Static_assert(sizeof(double) == 8, "a double is 64 bits");

#endif
