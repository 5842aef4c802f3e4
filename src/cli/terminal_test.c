/* Lines that are cut, whatever the pieces are in which they come. */
#include "src/cli/terminal.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect(const char *text, unsigned columns, const char *expected)
{
    char fitted[TERMINAL_FIT_BYTES(200)];
    struct terminal_fit fit = {.columns = columns};
    size_t size = terminal_fit(&fit, fitted, text, strlen(text));
    fitted[size] = '\0';
    cr_expect_str_eq(fitted, expected, "'%s' in %u columns", text, columns);
}

Test(terminal, a_line_that_fits_stays)
{
    expect("", 20, "");
    expect("\n\n", 20, "\n\n");
    expect("12345678901234567890\n", 20, "12345678901234567890\n");
    expect("123456789012345678901234567890\n", 0, "123456789012345678901234567890\n");
    expect("µµµµµµµµµµµµµµµµµµµµ\n", 20, "µµµµµµµµµµµµµµµµµµµµ\n");
}

Test(terminal, a_longer_one_ends_in_an_ellipsis)
{
    expect("123456789012345678901\nx\n", 20, "1234567890123456789…\nx\n");
    expect("123456789012345678901", 20, "1234567890123456789…");
    expect("µµµµµµµµµµµµµµµµµµµµµ\n", 20, "µµµµµµµµµµµµµµµµµµµ…\n");
}

Test(terminal, a_wide_character_is_not_halved)
{
    expect("一二三四五六七八九十\n", 20, "一二三四五六七八九十\n");
    expect("一二三四五六七八九十x\n", 20, "一二三四五六七八九…\n");
    cr_expect_eq(terminal_width("一", 3), 2);
    cr_expect_eq(terminal_width("e\xcc\x81", 3), 1, "a letter and its accent");
    cr_expect_eq(terminal_width("\xe4\xb8", 2), 1, "a part of a character");
}

Test(terminal, colours_take_no_room_and_end)
{
    expect("\033[1m12345678901234567890\033[0m\n", 20, "\033[1m12345678901234567890\033[0m\n");
    expect("\033[1m123456789012345678901\033[0m\n", 20, "\033[1m1234567890123456789…\033[0m\n");
    cr_expect_eq(terminal_width("\033[36", 4), 0, "a part of a sequence");
}

Test(terminal, a_line_may_come_in_pieces)
{
    char fitted[TERMINAL_FIT_BYTES(30)];
    struct terminal_fit fit = {.columns = 20};
    static const struct {
        const char *piece;
        const char *expected;
    } pieces[] = {{"1234567890", "1234567890"},
                  {"1234567890", "1234567890"},
                  {"12", ""},
                  {"3\nab", "\nab"},
                  {"12345678901234567x", "12345678901234567x"},
                  {"y", ""},
                  {"\n", "\n"}};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        size_t size = terminal_fit(&fit, fitted, pieces[i].piece, strlen(pieces[i].piece));
        cr_expect_eq(size, strlen(pieces[i].expected), "piece %zu", i);
        cr_expect_eq(memcmp(fitted, pieces[i].expected, size), 0, "piece %zu", i);
    }
}
