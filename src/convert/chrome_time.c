/* Times for the Chrome converter; see chrome_time.h. Owns struct fxt_chrome_time: its reciprocal
   and last always belong to its ticks_per_second, its high_text to its high.

   floor(ticks * 1e9 / rate) is done in two steps, whole seconds and the rest, so that nothing
   exceeds 64 bits. Each quotient is estimated by multiplying with the reciprocal: that is at most
   1 too little, since number * (2^64 - reciprocal * divisor) / 2^64 < divisor; the remainder tells. */
#include "src/convert/chrome_time.h"

#define NS UINT64_C(1000000000)

__extension__ typedef unsigned __int128 u128;

void fxt_i_chrome_set_rate(struct fxt_chrome_time *time, uint64_t ticks_per_second)
{
    uint64_t rate = ticks_per_second == 0 ? NS : ticks_per_second;
    time->ticks_per_second = ticks_per_second;
    time->reciprocal = rate <= UINT64_MAX / NS ? UINT64_MAX / rate : 0;
    time->last = UINT64_MAX;
    if (rate < NS)
        time->last = (uint64_t)((((u128)rate << 64) - 1) / NS);
}

/* floor(number / divisor); *number becomes the rest. */
static inline uint64_t divide(uint64_t *number, uint64_t divisor, uint64_t reciprocal)
{
    uint64_t quotient = (uint64_t)((u128)*number * reciprocal >> 64);
    uint64_t rest = *number - quotient * divisor;
    if (rest >= divisor) {
        rest -= divisor;
        quotient++;
    }
    *number = rest;
    return quotient;
}

uint64_t fxt_i_chrome_scale(const struct fxt_chrome_time *time, uint64_t ticks)
{
    uint64_t rate = time->ticks_per_second;
    if (rate == 0)
        return ticks;
    if (ticks > time->last)
        return UINT64_MAX;
    if (time->reciprocal == 0)
        return fxt_ticks_to_ns(ticks, rate);
    uint64_t seconds = divide(&ticks, rate, time->reciprocal);
    ticks *= NS;
    return seconds * NS + divide(&ticks, rate, time->reciprocal);
}

void fxt_i_chrome_set_high(struct fxt_chrome_time *time, uint64_t high)
{
    char text[FXT_NUMBER_BYTES];
    time->high = high;
    time->high_length = (uint32_t)(fxt_number_u64(text, high) - text); /* at most 12 */
    memcpy(time->high_text, text, sizeof time->high_text);
}

char *fxt_i_chrome_put_span(char *to, uint64_t ns)
{
    to = fxt_number_u64(to, ns / 1000);
    uint64_t decimals = fxt_number_digits8((uint32_t)(ns % 1000)) + FXT_NUMBER_ZEROS;
    decimals >>= 40;
    *to = '.';
    memcpy(to + 1, &decimals, sizeof decimals);
    return to + 4;
}
