/* Times of a source and ticks. */
#include "src/kernel/clock.h"

#include <criterion/criterion.h>
#include <lib/trace-engine/instrumentation.h>

TestSuite(clock, .timeout = 60);

Test(clock, line_goes_through_its_moments)
{
    const struct fxt_kernel_line line = {{1000, 5000}, {2000, 8000}};
    cr_expect_eq(fxt_kernel_line_ticks(&line, 1000), 5000);
    cr_expect_eq(fxt_kernel_line_ticks(&line, 1500), 6500);
    cr_expect_eq(fxt_kernel_line_ticks(&line, 2000), 8000);
    cr_expect_eq(fxt_kernel_line_ticks(&line, 3000), 11000);
}

Test(clock, line_ends_where_ticks_end)
{
    const struct fxt_kernel_line line = {{UINT64_C(5000000000), 5000}, {5000001000, 8000}};
    cr_expect_eq(fxt_kernel_line_ticks(&line, 0), 0);
    cr_expect_eq(fxt_kernel_line_ticks(&line, INT64_MAX), UINT64_MAX);
}

Test(clock, line_moves_on_when_some_time_has_passed)
{
    struct fxt_kernel_line line = {{0, 0}, {10000000, 100}};
    fxt_kernel_line_extend(&line, (struct fxt_kernel_moment){10000500, 101});
    cr_expect_eq(line.last.ticks, 100);
    fxt_kernel_line_extend(&line, (struct fxt_kernel_moment){20000000, 300});
    cr_expect_eq(line.first.ticks, 100);
    cr_expect_eq(line.last.ticks, 300);
}

/* What the line says of a moment, the engine's clock said then. */
Test(clock, line_agrees_with_the_engine)
{
    struct fxt_kernel_line line;
    uint64_t least = UINT64_MAX;
    fxt_kernel_line_init(&line);
    for (int i = 0; i < 100; i++) {
        struct fxt_kernel_moment now = fxt_kernel_now();
        uint64_t ticks = fxt_kernel_line_ticks(&line, now.ns);
        uint64_t off = ticks > now.ticks ? ticks - now.ticks : now.ticks - ticks;
        least = off < least ? off : least;
    }
    cr_expect_lt(least, trace_ticks_per_second() / 100000, "10 us: %llu",
                 (unsigned long long)least);
}

Test(clock, shifted_time_keeps_its_distance)
{
    const uint64_t rate = UINT64_C(2500000000);
    cr_expect_eq(fxt_kernel_shifted_ticks(77, 1000, 1000, rate), 77);
    cr_expect_eq(fxt_kernel_shifted_ticks(77, 1000, 1004, rate), 87);
    cr_expect_eq(fxt_kernel_shifted_ticks(77, 1000, 999, rate), 77);
    cr_expect_eq(fxt_kernel_shifted_ticks(0, 0, UINT64_C(3600000000001), rate),
                 UINT64_C(9000000000002));
}

Test(clock, shifted_time_of_another_age_does_not_overflow)
{
    uint64_t far =
        fxt_kernel_shifted_ticks(UINT64_C(1) << 60, 0, UINT64_MAX, UINT64_C(10000000000));
    cr_expect_gt(far, UINT64_C(1) << 60);
    cr_expect_geq(
        far, fxt_kernel_shifted_ticks(UINT64_C(1) << 60, 0, UINT64_MAX - 1, UINT64_C(10000000000)));
}
