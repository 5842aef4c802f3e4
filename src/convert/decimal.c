/* Decimal numbers by the observation that a quotient or product of two integers that a double holds
   exactly is correctly rounded: no tables, no long arithmetic, and it covers what people write.
   Numbers outside are written by their bits. */
#include "src/convert/decimal.h"

#include <float.h>
#include <string.h>

_Static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1,
               "a quotient of doubles is rounded once: on i386, with -msse2 -mfpmath=sse");

#define EXACT_MAX UINT64_C(9007199254740992) /* 2^53 */
#define POWER_MAX 22                         /* 10^22 is the last exact one */

static const double powers[POWER_MAX + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                             1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                             1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool fxt_convert_decimal_bits(uint64_t *bits, uint64_t digits, int exponent, bool negative)
{
    double number = (double)digits;
    if (digits > EXACT_MAX || exponent < -POWER_MAX || exponent > POWER_MAX)
        return false;
    number = exponent < 0 ? number / powers[-exponent] : number * powers[exponent];
    if (negative)
        number = -number;
    memcpy(bits, &number, sizeof number);
    return true;
}
