#include "src/convert/chrome_time.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

__extension__ typedef unsigned __int128 u128;

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static uint64_t expected_ns(uint64_t ticks, uint64_t rate)
{
    u128 ns = (u128)ticks * 1000000000 / rate;
    return ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

static void expect_scaled(struct fxt_chrome_time *time, uint64_t ticks, uint64_t rate)
{
    uint64_t ns = fxt_i_chrome_ns(time, ticks, rate);
    cr_assert_eq(ns, expected_ns(ticks, rate), "%" PRIu64 " at %" PRIu64 ": %" PRIu64, ticks, rate,
                 ns);
    cr_assert_eq(ns, fxt_ticks_to_ns(ticks, rate));
}

// Around zero, the largest number, and each multiple of a second that a random number lies near.
static void expect_rate(uint64_t rate, uint64_t *state)
{
    struct fxt_chrome_time time = {0};
    for (uint64_t step = 0; step < 3; step++) {
        expect_scaled(&time, step, rate);
        expect_scaled(&time, UINT64_MAX - step, rate);
        expect_scaled(&time, rate - 1 + step, rate);
        expect_scaled(&time, UINT64_MAX / rate * rate - 1 + step, rate);
    }
    uint64_t last = rate < 1000000000 ? (uint64_t)((((u128)rate << 64) - 1) / 1000000000) : 0;
    for (uint64_t step = 0; step < 3; step++)
        expect_scaled(&time, last - 1 + step, rate);
    for (int i = 0; i < 500; i++) {
        uint64_t random = next_random(state) >> (i % 64);
        expect_scaled(&time, random, rate);
        expect_scaled(&time, random / rate * rate, rate);
        expect_scaled(&time, random / rate * rate - 1, rate);
    }
}

Test(chrome_time, ticks_are_scaled_exactly_at_any_rate)
{
    static const uint64_t rates[] = {
        1953125, 500000000, /* 2^64 ns are a whole number of ticks */
        1, 2, 3, 7, 1000, 19200000, 24000000, 999999999, 1000000000, 1000000001, 2995200000,
        18446744073, 18446744074, UINT64_C(1) << 32, UINT64_C(1) << 63, UINT64_MAX};
    uint64_t state = 5;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        expect_rate(rates[i], &state);
    for (int i = 0; i < 1000; i++)
        expect_rate((next_random(&state) >> (i % 64)) | 1, &state);
}

Test(chrome_time, rates_may_alternate)
{
    struct fxt_chrome_time time = {0};
    for (uint64_t i = 0; i < 10; i++) {
        expect_scaled(&time, 12345678901234567 + i, 24000000);
        expect_scaled(&time, 12345678901234567 + i, 3);
        expect_scaled(&time, 12345678901234567 + i, 1000000000);
    }
    cr_assert_eq(fxt_i_chrome_ns(&time, 77, 0), 77); // no rate: a tick is a nanosecond
}

static void expect_text(struct fxt_chrome_time *time, uint64_t ns)
{
    char expected[40];
    char text[FXT_I_CHROME_NS_BYTES + 1];
    snprintf(expected, sizeof expected, "%" PRIu64 ".%03u", ns / 1000, (unsigned)(ns % 1000));
    *fxt_i_chrome_put_time(time, text, ns) = 0;
    cr_assert_str_eq(text, expected);
    *fxt_i_chrome_put_span(text, ns) = 0;
    cr_assert_str_eq(text, expected);
}

Test(chrome_time, times_are_microseconds_with_three_decimals)
{
    struct fxt_chrome_time time = {0};
    uint64_t state = 6;
    for (uint64_t power = 1;; power *= 10) {
        for (uint64_t step = 0; step < 3; step++)
            expect_text(&time, power - 1 + step);
        if (power > UINT64_MAX / 10)
            break;
    }
    expect_text(&time, UINT64_MAX);
    for (int i = 0; i < 200000; i++) {
        uint64_t ns = next_random(&state) >> (i % 64);
        expect_text(&time, ns);
        expect_text(&time, ns + next_random(&state) % 100000);
    }
}
