/* Ticks to nanoseconds against 128-bit arithmetic. */
#include <criterion/criterion.h>
#include <fxt/tables.h>

__extension__ typedef unsigned __int128 u128;

static uint64_t exact(uint64_t ticks, uint64_t rate)
{
    u128 ns = (u128)ticks * 1000000000u / rate;
    return ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

Test(ticks, are_exact_at_the_ends)
{
    static const uint64_t ends[] = {1,
                                    2,
                                    3,
                                    24000000,
                                    999999999,
                                    1000000000,
                                    1000000001,
                                    UINT64_C(18446744073),
                                    UINT64_C(18446744074),
                                    UINT64_C(1) << 62,
                                    (UINT64_C(1) << 63) - 1,
                                    UINT64_C(1) << 63,
                                    UINT64_MAX - 1,
                                    UINT64_MAX};
    unsigned count = sizeof ends / sizeof ends[0];
    for (unsigned i = 0; i < count; i++) {
        cr_assert_eq(fxt_ticks_to_ns(0, ends[i]), 0);
        for (unsigned k = 0; k < count; k++)
            cr_assert_eq(fxt_ticks_to_ns(ends[i], ends[k]), exact(ends[i], ends[k]), "%u %u", i, k);
    }
}

Test(ticks, are_exact_for_random_ticks_and_rates)
{
    uint64_t state = 88172645463325252u;
    for (unsigned i = 0; i < 2000000; i++) {
        uint64_t ticks = next_random(&state) >> (next_random(&state) % 64);
        uint64_t rate = next_random(&state) >> (next_random(&state) % 64);
        if (rate > 0)
            cr_assert_eq(fxt_ticks_to_ns(ticks, rate), exact(ticks, rate));
    }
}

Test(ticks, what_does_not_fit_becomes_the_end_of_the_numbers)
{
    const uint64_t whole_seconds = UINT64_C(184467440730); /* of 10 ticks; the largest that fit */
    cr_assert_eq(fxt_ticks_to_ns(whole_seconds + 7, 10), UINT64_C(18446744073700000000));
    cr_assert_eq(fxt_ticks_to_ns(whole_seconds + 8, 10), UINT64_MAX);
}

Test(ticks, never_come_when_there_are_none_in_a_second)
{
    cr_assert_eq(fxt_ticks_to_ns(0, 0), UINT64_MAX);
    cr_assert_eq(fxt_ticks_to_ns(UINT64_MAX, 0), UINT64_MAX);
}
