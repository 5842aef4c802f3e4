/* Times for the Chrome converter; see chrome_time.h. Owns struct fxt_chrome_time: its reciprocal
   and last always belong to its ticks_per_second, its high_text to its high.

   floor(ticks * 1e9 / rate) is done in two steps, whole seconds and the rest, so that nothing
   exceeds 64 bits. Each quotient is estimated by multiplying with the reciprocal: that is at most
   1 too little, since number * (2^64 - reciprocal * divisor) / 2^64 < divisor; the remainder tells. */
#include "src/convert/chrome_time.h"

#include "src/convert/wide.h"

#define NS UINT64_C(1000000000)

/* floor((rate * 2^64 - 1) / NS), a half at a time; rate is below NS. */
static uint64_t last_of(uint64_t rate)
{
    uint64_t high = (rate << 32) / NS;
    uint64_t rest = (rate << 32) % NS << 32;
    return (high << 32 | rest / NS) - (rest % NS == 0);
}

void fxt_i_chrome_set_rate(struct fxt_chrome_time *time, uint64_t ticks_per_second)
{
    uint64_t rate = ticks_per_second == 0 ? NS : ticks_per_second;
    time->ticks_per_second = ticks_per_second;
    time->reciprocal = rate <= UINT64_MAX / NS ? UINT64_MAX / rate : 0;
    time->last = UINT64_MAX;
    if (rate < NS)
        time->last = last_of(rate);
}

/* floor(number / divisor); *number becomes the rest. */
static inline uint64_t divide(uint64_t *number, uint64_t divisor, uint64_t reciprocal)
{
    uint64_t low;
    uint64_t quotient = fxt_i_multiply(&low, *number, reciprocal);
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
    *to = '.';
    fxt_store_word((uint8_t *)to + 1, decimals >> 40);
    return to + 4;
}
