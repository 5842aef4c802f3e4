/* Ticks to nanoseconds to "123456.789", exactly, without dividing: see chrome_time.c. */
#ifndef FXT_CONVERT_CHROME_TIME_H
#define FXT_CONVERT_CHROME_TIME_H

#include "src/convert/chrome.h"
#include "src/convert/number.h"

#define FXT_I_CHROME_NS_BYTES 32u /* room that a time needs */

/* Makes *time ready for a rate; 0 counts as one tick a nanosecond. */
void fxt_i_chrome_set_rate(struct fxt_chrome_time *time, uint64_t ticks_per_second);

/* Like fxt_ticks_to_ns at the rate set. */
uint64_t fxt_i_chrome_scale(const struct fxt_chrome_time *time, uint64_t ticks);

void fxt_i_chrome_set_high(struct fxt_chrome_time *time, uint64_t high);

/* For times below 10^8 ns and for durations: microseconds with three decimals. */
char *fxt_i_chrome_put_span(char *to, uint64_t ns);

static inline uint64_t fxt_i_chrome_ns(struct fxt_chrome_time *time, uint64_t ticks,
                                       uint64_t ticks_per_second)
{
    if (ticks_per_second == UINT64_C(1000000000))
        return ticks;
    if (ticks_per_second != time->ticks_per_second)
        fxt_i_chrome_set_rate(time, ticks_per_second);
    return fxt_i_chrome_scale(time, ticks);
}

/* Neighbouring events share all but the last 8 digits of their time: the text of the others is
   kept. */
static inline char *fxt_i_chrome_put_time(struct fxt_chrome_time *time, char *to, uint64_t ns)
{
    uint64_t high = ns / 100000000;
    uint32_t low = (uint32_t)(ns % 100000000);
    if (high == 0)
        return fxt_i_chrome_put_span(to, ns);
    if (high != time->high)
        fxt_i_chrome_set_high(time, high);
    memcpy(to, time->high_text, sizeof time->high_text);
    to += time->high_length;
    uint64_t text = fxt_number_digits8(low) + FXT_NUMBER_ZEROS;
    fxt_store_word((uint8_t *)to, text);
    to[5] = '.';
    fxt_store_word((uint8_t *)to + 6, text >> 40);
    return to + 9;
}

#endif
