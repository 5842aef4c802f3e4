#include "src/convert/quote.h"

#include "src/convert/testing.h"

static void expect(const char *bytes, size_t size, const char *quoted)
{
    struct fxt_out out = testing_out();
    fxt_convert_quote(&out, (const uint8_t *)bytes, size);
    fxt_out_flush(&out);
    cr_expect_str_eq(testing_text, quoted);
}

#define EXPECT(bytes, quoted) expect(bytes, sizeof(bytes) - 1, quoted)

Test(quote, printable_text_stays)
{
    EXPECT("", "\"\"");
    EXPECT("abc ~", "\"abc ~\"");
    EXPECT("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
}

Test(quote, controls_quotes_and_backslashes_are_escaped)
{
    EXPECT("\"\\\n\t\r", "\"\\\"\\\\\\n\\t\\r\"");
    EXPECT("a\0b\x1b[31m\x7f", "\"a\\x00b\\x1b[31m\\x7f\"");
}

Test(quote, bytes_that_are_not_utf8_are_escaped_one_by_one)
{
    EXPECT("a\xff\xfe", "\"a\\xff\\xfe\"");
    EXPECT("\xe2\x82", "\"\\xe2\\x82\"");
    EXPECT("\xc0\x80", "\"\\xc0\\x80\"");
    EXPECT("\xed\xa0\x80", "\"\\xed\\xa0\\x80\"");
    EXPECT("\xf4\x90\x80\x80", "\"\\xf4\\x90\\x80\\x80\"");
    EXPECT("\xe2(\xa1", "\"\\xe2(\\xa1\"");
}

Test(quote, characters_that_drive_a_terminal_or_an_editor_are_escaped)
{
    EXPECT("\xc2\x9b", "\"\\xc2\\x9b\"");          /* CSI */
    EXPECT("\xe2\x80\xae", "\"\\xe2\\x80\\xae\""); /* right-to-left override */
    EXPECT("\xe2\x80\xa8", "\"\\xe2\\x80\\xa8\""); /* line separator */
    EXPECT("\xe2\x81\xa6", "\"\\xe2\\x81\\xa6\""); /* left-to-right isolate */
    EXPECT("\xef\xbb\xbf", "\"\\xef\\xbb\\xbf\""); /* byte order mark */
    EXPECT("\xe2\x80\x94", "\"\xe2\x80\x94\"");    /* a dash is shown */
}

Test(quote, text_longer_than_the_buffer_is_whole)
{
    static char long_text[3 * FXT_OUT_CAPACITY_MIN];
    struct fxt_out out = testing_out();
    memset(long_text, 'x', sizeof long_text);
    fxt_convert_quote(&out, (const uint8_t *)long_text, sizeof long_text);
    fxt_out_flush(&out);
    cr_expect_eq(testing_text_size, sizeof long_text + 2);
    cr_expect_eq(strspn(testing_text + 1, "x"), sizeof long_text);
}

Test(quote, hexadecimal_numbers_have_the_digits_that_were_asked_for)
{
    struct fxt_out out = testing_out();
    fxt_convert_hex_padded(&out, 0x1f, 6);
    fxt_convert_hex_padded(&out, UINT64_MAX, 16);
    fxt_convert_hex_bytes(&out, (const uint8_t *)"\x00\xff", 2);
    fxt_out_flush(&out);
    cr_expect_str_eq(testing_text, "0x00001f0xffffffffffffffff00ff");
}
