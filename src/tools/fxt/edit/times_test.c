#include "src/tools/fxt/edit/times.h"

#include <criterion/criterion.h>

static uint64_t at(const char *text, uint64_t first, uint64_t end)
{
    struct times_point point;
    cr_assert(times_parse(&point, text), "%s", text);
    return times_resolve(point, first, end);
}

Test(times, units_are_exact)
{
    cr_assert_eq(at("@7", 0, 0), 7u);
    cr_assert_eq(at("@7ns", 0, 0), 7u);
    cr_assert_eq(at("@1.5us", 0, 0), 1500u);
    cr_assert_eq(at("@0.000001ms", 0, 0), 1u);
    cr_assert_eq(at("@1.000000001s", 0, 0), UINT64_C(1000000001));
    cr_assert_eq(at("@1.5m", 0, 0), UINT64_C(90000000000));
    cr_assert_eq(at("@18446744073709551615", 0, 0), UINT64_MAX);
    cr_assert_eq(at("@18446744073.709551615s", 0, 0), UINT64_MAX);
}

Test(times, a_point_is_held_inside_of_64_bits)
{
    cr_assert_eq(at("+1s", UINT64_MAX - 5, UINT64_MAX), UINT64_MAX);
    cr_assert_eq(at("-1s", 5, 10), 0u);
    cr_assert_eq(at("+3", 5, 10), 8u);
    cr_assert_eq(at("3", 5, 10), 8u);
    cr_assert_eq(at("@3", 5, 10), 3u);
    cr_assert_eq(at("-3", 5, 10), 7u);
}

Test(times, a_share_of_the_longest_span_does_not_overflow)
{
    cr_assert_eq(at("0%", 0, UINT64_MAX), 0u);
    cr_assert_eq(at("100%", 0, UINT64_MAX), UINT64_MAX);
    cr_assert_eq(at("100%", 7, 1000), 1000u);
    cr_assert_eq(at("50%", 100, 200), 150u);
    cr_assert_eq(at("12.5%", 0, 1000), 125u);
}

Test(times, a_share_is_exact)
{
    cr_assert_eq(at("100%", 0, 940700291), 940700291u);
    cr_assert_eq(at("100%", 0, UINT64_C(99999999999)), UINT64_C(99999999999));
    cr_assert_eq(at("99.999999999%", 0, UINT64_C(99999999999)), UINT64_C(99999999998));
    cr_assert_eq(at("29%", 0, 100), 29u);
    cr_assert_eq(at("0.7%", 0, 1000), 7u);
    cr_assert_eq(at("33.333333333%", 0, 3), 0u);
    cr_assert_eq(at("33.333333334%", 0, 3), 1u);
    for (uint64_t span = 1; span < 100000000000; span = 3 * span + 1)
        cr_assert_eq(at("100%", 5, 5 + span), 5 + span);
}

Test(times, what_is_no_time_is_refused)
{
    static const char *const bad[] = {"",    "s",      "1 s", "1.s", ".5",   "--1",
                                      "+-1", "100.1%", "1h",  "%",   "-25%", "18446744073709551616",
                                      "@",   "@-1",    "@+1", "@25%"};
    struct times_point point;
    int64_t shift;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert_not(times_parse(&point, bad[i]), "%s", bad[i]);
    cr_assert(times_parse_shift(&shift, "-5ms"));
    cr_assert_eq(shift, -5000000);
    cr_assert_not(times_parse_shift(&shift, "9223372036854775808"));
    cr_assert_not(times_parse_shift(&shift, "25%"));
}

Test(times, what_is_printed_is_read_back)
{
    static const struct {
        uint64_t ns;
        const char *text;
    } cases[] = {
        {0, "0ns"},
        {999, "999ns"},
        {1000, "1us"},
        {1050, "1.05us"},
        {20000000, "20ms"},
        {UINT64_C(1000000001), "1.000000001s"},
        {UINT64_C(60000000000), "60s"},
        {UINT64_MAX, "18446744073.709551615s"},
    };
    char text[TIMES_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        times_print(text, cases[i].ns);
        cr_assert_str_eq(text, cases[i].text);
        cr_assert_eq(at(text, 0, 0), cases[i].ns);
    }
}
