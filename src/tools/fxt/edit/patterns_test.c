#include "src/tools/fxt/edit/patterns.h"

#include <criterion/criterion.h>
#include <string.h>

static bool match(const char *pattern, const char *text)
{
    const struct pattern_list list = {{pattern}, 1};
    return patterns_match(&list, (struct fxt_bytes){(const uint8_t *)text, strlen(text)});
}

Test(patterns, stars_and_question_marks)
{
    cr_assert(match("", ""));
    cr_assert(match("*", ""));
    cr_assert(match("net:*", "net:read"));
    cr_assert(match("*read*", "a read b"));
    cr_assert(match("a*b*c", "abbbxbc"));
    cr_assert(match("?*?", "ab"));
    cr_assert_not(match("?*?", "a"));
    cr_assert_not(match("net", "net:read"));
    cr_assert_not(match("a*b*c", "abbbxb"));
    cr_assert_not(match("", "a"));
}

Test(patterns, a_text_may_hold_any_bytes)
{
    const struct pattern_list list = {{"a*z"}, 1};
    cr_assert(patterns_match(&list, (struct fxt_bytes){(const uint8_t *)"a\0\xffz", 4}));
    cr_assert_not(patterns_match(&list, (struct fxt_bytes){(const uint8_t *)"a\0", 2}));
}

Test(patterns, many_stars_take_no_long_time)
{
    static char text[30001];
    memset(text, 'a', sizeof text - 1);
    cr_assert_not(match("*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
}

Test(patterns, numbers_are_decimal_or_hexadecimal)
{
    const struct pattern_list list = {{"12", "0xff", "18446744073709551615", "name"}, 4};
    cr_assert(patterns_have(&list, 12));
    cr_assert(patterns_have(&list, 255));
    cr_assert(patterns_have(&list, UINT64_MAX));
    cr_assert_not(patterns_have(&list, 0));
    cr_assert(patterns_are_names(&list));
    cr_assert_not(patterns_are_names(&(struct pattern_list){{"12", "0x1"}, 2}));
}
