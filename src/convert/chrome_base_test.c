#include "src/convert/chrome_test.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>

#include "src/convert/chrome_i.h"

#define DAY (UINT64_C(86400) * 1000000000)
#define WALL_CLOCK UINT64_C(1790000000123456789)

static struct chrome_test test;

static void init(void)
{
    chrome_test_init(&test);
}

TestSuite(chrome_base, .init = init);

static void write_at(uint64_t ns)
{
    const struct fxt_event event = chrome_test_event(FXT_EVENT_INSTANT, ns);
    cr_assert_eq(fxt_write_event(&test.writer, &event, NULL, 0), FXT_OK);
}

static void expect_text(const char *text, size_t count)
{
    cr_expect_eq(chrome_test_count(&test, text), count, "%s in %s", text, test.text);
}

static void expect_base(uint64_t first, uint64_t base)
{
    char text[64];
    chrome_test_init(&test);
    write_at(first);
    chrome_test_run(&test);
    snprintf(text, sizeof text, "\"base_ns\":\"%" PRIu64 "\"", base);
    expect_text(text, 1);
    cr_expect_eq(test.chrome.negative + test.chrome.inexact, 0);
}

Test(chrome_base, is_a_whole_number_of_days_at_least_one_before_the_first_time)
{
    expect_base(0, 0);
    expect_base(2 * DAY - 1, 0);
    expect_base(2 * DAY, DAY);
    expect_base(3 * DAY - 1, DAY);
    expect_base(3 * DAY, 2 * DAY);
    expect_base(WALL_CLOCK, UINT64_C(1789862400000000000));
    expect_base(INT64_MAX, INT64_MAX / DAY * DAY - DAY);
    cr_expect_eq(test.chrome.late_times, 0);
    expect_base(UINT64_MAX, INT64_MAX / DAY * DAY - DAY); // ORD-01 of spec/meaning.md
    cr_expect_eq(test.chrome.late_times, 1);
}

Test(chrome_base, makes_times_of_a_wall_clock_small)
{
    write_at(WALL_CLOCK);
    write_at(WALL_CLOCK + 7);
    write_at(WALL_CLOCK - DAY);
    chrome_test_run(&test);
    expect_text("\"ts\":137600123456.789,", 1);
    expect_text("\"ts\":137600123456.796,", 1);
    expect_text("\"ts\":51200123456.789,", 1);
    cr_expect_eq(test.chrome.negative + test.chrome.inexact, 0);
}

Test(chrome_base, leaves_what_is_far_before_the_first_time_negative_and_counts_it)
{
    write_at(WALL_CLOCK);
    write_at(UINT64_C(1789862400000000000) - 1500);
    write_at(0);
    chrome_test_run(&test);
    expect_text("\"ts\":-1.500,", 1);
    expect_text("\"ts\":-1789862400000000.000,", 1);
    cr_expect_eq(test.chrome.negative, 2);
    cr_expect_eq(test.chrome.inexact, 0);
}

Test(chrome_base, counts_what_a_double_does_not_hold)
{
    struct fxt_event event = chrome_test_event(FXT_EVENT_DURATION_COMPLETE, 5);
    write_at(FXT_CHROME_EXACT_NS + 10);
    write_at(WALL_CLOCK);
    event.value = WALL_CLOCK;
    fxt_write_event(&test.writer, &event, NULL, 0);
    chrome_test_run(&test);
    cr_expect_eq(test.chrome.negative, 1); /* the event at 5 */
    cr_expect_eq(test.chrome.inexact, 2);  /* WALL_CLOCK, and how long it takes */
}

Test(chrome_base, is_0_for_absolute_times)
{
    struct fxt_chrome_time time = {0};
    char digits[FXT_I_CHROME_NS_BYTES] = "";
    struct fxt_chrome chrome;
    struct fxt_tables tables = {0};
    static struct fxt_chrome_memory memory;
    static char bytes[FXT_OUT_CAPACITY_MIN];
    struct fxt_out out = {.bytes = bytes, .capacity = sizeof bytes};
    fxt_chrome_init(&chrome, &out, &tables, &memory);
    fxt_chrome_absolute(&chrome);
    char *end = fxt_i_chrome_put_ts(&chrome, bytes, WALL_CLOCK);
    *fxt_i_chrome_put_time(&time, digits, WALL_CLOCK) = 0;
    cr_expect_eq(memcmp(bytes + strlen(",\"ts\":"), digits, strlen(digits)), 0);
    cr_expect_eq(end - bytes, (long)(strlen(",\"ts\":") + strlen(digits)));
    cr_expect_eq(chrome.base, 0);
    cr_expect_eq(chrome.inexact, 1);
}

// What a viewer does: it reads a double of microseconds.
static bool survives(uint64_t ns)
{
    struct fxt_chrome_time time = {0};
    char text[FXT_I_CHROME_NS_BYTES] = "";
    *fxt_i_chrome_put_time(&time, text, ns) = 0;
    return (uint64_t)llround(strtod(text, NULL) * 1000) == ns;
}

Test(chrome_base, doubles_hold_each_nanosecond_below_the_limit_and_not_above)
{
    unsigned lost = 0;
    for (uint64_t step = 0; step < 20000; step++) {
        cr_assert(survives(FXT_CHROME_EXACT_NS - 1 - step));
        cr_assert(survives(FXT_CHROME_EXACT_NS / 20000 * step));
        lost += !survives(FXT_CHROME_EXACT_NS + step);
    }
    cr_expect_gt(lost, 0);
}
