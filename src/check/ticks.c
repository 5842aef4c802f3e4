/* Ticks to nanoseconds, exact, in 64-bit arithmetic only. */
#include <fxt/tables.h>

#define NS_PER_SECOND UINT64_C(1000000000)

/*@ // The bits of 1e9 above the one that comes next.
  @ logic integer l_bits_so_far(integer bit) = bit > 0 ? 1000000000 / (2 * bit) : 1000000000;
  @*/

/* floor(part * 1e9 / rate) for part < rate, by long multiplication with one bit of 1e9 in each
   step. After each step, part * (the bits so far) == quotient * rate + rest. */
/*@ requires part < rate;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures floor: \result * rate <= part * 1000000000 < (\result + 1) * rate;
  @ ensures small: \result <= 4294967295;
  @*/
static uint64_t scale_large(uint64_t part, uint64_t rate)
{
    uint64_t quotient = 0;
    uint64_t rest = 0;
    uint64_t bit = UINT64_C(536870912); /* 2^29, the top bit of 1e9 */

    /*@ loop invariant bit \in {0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192,
      @   16384, 32768, 65536, 131072, 262144, 524288, 1048576, 2097152, 4194304, 8388608, 16777216,
      @   33554432, 67108864, 134217728, 268435456, 536870912};
      @ loop invariant rest < rate;
      @ loop invariant exact: part * l_bits_so_far(bit) == quotient * rate + rest;
      @ loop invariant small: bit > 0 ? (quotient + 2) * bit <= 1073741824
      @                               : quotient <= 2147483646;
      @ loop assigns bit, quotient, rest;
      @ loop variant bit;
      @*/
    while (bit > 0) {
        quotient *= 2;
        if (rest >= rate - rest) {
            rest -= rate - rest;
            quotient++;
        } else {
            rest += rest;
        }
        /*@ assert twice: part * (2 * l_bits_so_far(bit)) == quotient * rate + rest; */
        if (NS_PER_SECOND / bit % 2 == 1) {
            if (rest >= rate - part) {
                rest -= rate - part;
                quotient++;
            } else {
                rest += part;
            }
            /*@ assert one: part * (2 * l_bits_so_far(bit)) + part == quotient * rate + rest; */
            /*@ assert odd: 1000000000 / bit == 2 * l_bits_so_far(bit) + 1; */
            /*@ assert part * (1000000000 / bit) == quotient * rate + rest; */
        } else {
            /*@ assert even: 1000000000 / bit == 2 * l_bits_so_far(bit); */
        }
        /*@ assert next: part * (1000000000 / bit) == quotient * rate + rest; */
        bit /= 2;
    }
    return quotient;
}

uint64_t fxt_ticks_to_ns(uint64_t ticks, uint64_t ticks_per_second)
{
    if (ticks_per_second == 0)
        return UINT64_MAX;
    uint64_t seconds = ticks / ticks_per_second;
    uint64_t part = ticks % ticks_per_second;
    uint64_t ns;

    if (ticks_per_second <= UINT64_MAX / NS_PER_SECOND)
        ns = part * NS_PER_SECOND / ticks_per_second;
    else
        ns = scale_large(part, ticks_per_second);
    if (seconds > UINT64_MAX / NS_PER_SECOND || seconds * NS_PER_SECOND > UINT64_MAX - ns)
        return UINT64_MAX;
    return seconds * NS_PER_SECOND + ns;
}
