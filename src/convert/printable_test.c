#include "src/convert/printable.h"

#include <string.h>

#include <criterion/criterion.h>

static const char *printable(const char *text)
{
    static char out[200];
    size_t length = fxt_i_printable(out, sizeof out, text, strlen(text));
    cr_expect_eq(length, strlen(out));
    return out;
}

Test(printable, plain_text_stays_as_it_is)
{
    cr_expect_str_eq(printable(""), "");
    cr_expect_str_eq(printable("a name: 'x' \"y\" \\z ~"), "a name: 'x' \"y\" \\z ~");
    cr_expect_str_eq(printable("Gr\xc3\xbc\xc3\x9f"
                               "e \xe2\x82\xac \xf0\x9f\x98\x80"),
                     "Gr\xc3\xbc\xc3\x9f"
                     "e \xe2\x82\xac \xf0\x9f\x98\x80");
}

Test(printable, what_a_terminal_obeys_becomes_hexadecimal)
{
    cr_expect_str_eq(printable("a\x1b[2J\nb\t\x7f"), "a\\x1b[2J\\x0ab\\x09\\x7f");
    cr_expect_str_eq(printable("\xc2\x9b"
                               "31m"),
                     "\\xc2\\x9b31m");
    cr_expect_str_eq(printable("\xe2\x80\xae"), "\\xe2\\x80\\xae", "right-to-left override");
    cr_expect_str_eq(printable("\xe2\x81\xa6"), "\\xe2\\x81\\xa6", "left-to-right isolate");
    cr_expect_str_eq(printable("\xd8\x9c"), "\\xd8\\x9c", "Arabic letter mark");
    cr_expect_str_eq(printable("\xe2\x80\xa8"), "\\xe2\\x80\\xa8", "line separator");
}

Test(printable, what_is_no_utf8_becomes_hexadecimal)
{
    cr_expect_str_eq(printable("\x9b"), "\\x9b");
    cr_expect_str_eq(printable("a\xff\xc3"), "a\\xff\\xc3");
    cr_expect_str_eq(printable("\xc0\x80\xed\xa0\x80"), "\\xc0\\x80\\xed\\xa0\\x80");
}

/* Every byte value, and every character of two and three bytes. */
Test(printable, nothing_else_comes_out)
{
    for (unsigned code = 1; code < 0x10000; code++) {
        char text[] = {(char)code, (char)(code >> 8), 'x', 0};
        for (const unsigned char *at = (const unsigned char *)printable(text); *at != 0; at++) {
            cr_assert(*at >= 0x20 && *at != 0x7f, "%x", code);
            cr_assert(at[0] != 0xc2 || at[1] >= 0xa0, "%x", code);
        }
    }
}

Test(printable, what_finds_no_room_is_left_out_whole)
{
    char out[8];
    memset(out, 'x', sizeof out);
    cr_expect_eq(fxt_i_printable(out, 6, "ab\x1b", 3), 2);
    cr_expect_str_eq(out, "ab");
    cr_expect_eq(fxt_i_printable(out, 7, "ab\x1b", 3), 6);
    cr_expect_str_eq(out, "ab\\x1b");
    cr_expect_eq(fxt_i_printable(out, 3, "a\xc3\xbc", 3), 1);
    cr_expect_str_eq(out, "a");
    cr_expect_eq(fxt_i_printable(out, 1, "a", 1), 0);
    cr_expect_str_eq(out, "");
}
