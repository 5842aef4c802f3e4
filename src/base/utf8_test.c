/* UTF-8 against a decoder that works from the definition: take the bits together, then ask whether
   the code point is one and could not have been written shorter. */
#include <criterion/criterion.h>
#include <fxt/record.h>
#include <string.h>

#include "src/base/utf8.h"

static int length_by_definition(const uint8_t *p, size_t left)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int length = p[0] < 0x80         ? 1
                 : p[0] >> 5 == 0x06 ? 2
                 : p[0] >> 4 == 0x0e ? 3
                 : p[0] >> 3 == 0x1e ? 4
                                     : 0;
    uint32_t point = length == 1 ? p[0] : length == 0 ? 0 : p[0] & (0xffu >> (length + 1));
    if (length == 0 || left < (size_t)length)
        return 0;
    for (int i = 1; i < length; i++) {
        if (p[i] >> 6 != 2)
            return 0;
        point = point << 6 | (p[i] & 0x3f);
    }
    if (point < least[length] || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))
        return 0;
    return length;
}

static bool valid_by_definition(const uint8_t *bytes, size_t size)
{
    size_t at = 0;
    while (at < size) {
        int length = length_by_definition(bytes + at, size - at);
        if (length == 0)
            return false;
        at += (size_t)length;
    }
    return true;
}

Test(utf8, agrees_with_the_definition_on_all_strings_of_up_to_three_bytes)
{
    uint8_t bytes[3];
    for (uint32_t n = 0; n < 1u << 24; n++) {
        bytes[0] = (uint8_t)n;
        bytes[1] = (uint8_t)(n >> 8);
        bytes[2] = (uint8_t)(n >> 16);
        size_t size = n < 256 ? 1 : n < 65536 ? 2 : 3;
        cr_assert_eq(fxt_utf8_valid(bytes, size), valid_by_definition(bytes, size), "%06x", n);
    }
}

Test(utf8, agrees_with_the_definition_on_four_bytes_with_every_lead)
{
    static const uint8_t edges[] = {0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f,
                                    0xa0, 0xbf, 0xc0, 0xed, 0xf0, 0xff};
    uint8_t bytes[4];
    for (unsigned lead = 0; lead < 256; lead++)
        for (unsigned second = 0; second < 256; second++)
            for (unsigned i = 0; i < sizeof edges; i++)
                for (unsigned k = 0; k < sizeof edges; k++) {
                    bytes[0] = (uint8_t)lead;
                    bytes[1] = (uint8_t)second;
                    bytes[2] = edges[i];
                    bytes[3] = edges[k];
                    cr_assert_eq(fxt_utf8_valid(bytes, 4), valid_by_definition(bytes, 4));
                }
}

Test(utf8, a_bad_byte_is_found_at_any_place_of_a_long_text)
{
    uint8_t text[64];
    for (size_t size = 1; size <= sizeof text; size++) {
        memset(text, 'a', sizeof text);
        cr_assert(fxt_utf8_valid(text, size));
        for (size_t at = 0; at < size; at++) {
            text[at] = 0x80;
            cr_assert_not(fxt_utf8_valid(text, size));
            text[at] = 'a';
        }
    }
}

/* Where whole words are looked at: each value of each byte, among ASCII and among others. */
Test(utf8, agrees_with_the_definition_on_each_byte_of_two_words)
{
    static const char *const around[] = {"0123456789abcdef",
                                         "\xc3\xa9\xc3\xa9\xe2\x82\xac!\xf0\x9f\x98\x80\xc3\xa9zz"};
    for (unsigned i = 0; i < 2; i++)
        for (unsigned at = 0; at < 16; at++)
            for (unsigned value = 0; value < 256; value++) {
                uint8_t bytes[16];
                memcpy(bytes, around[i], sizeof bytes);
                bytes[at] = (uint8_t)value;
                for (size_t size = 8; size <= sizeof bytes; size++)
                    cr_assert_eq(fxt_utf8_valid(bytes, size), valid_by_definition(bytes, size));
            }
}

/* Most bytes are ASCII, so that there are words of nothing else. */
Test(utf8, agrees_with_the_definition_on_random_texts)
{
    uint64_t state = 1;
    for (int n = 0; n < 100000; n++) {
        uint8_t bytes[24];
        for (unsigned i = 0; i < sizeof bytes; i++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            bytes[i] = (uint8_t)(state >> 33 & (state >> 60 == 0 ? 0xff : 0x7f));
        }
        size_t size = (size_t)(n % 25);
        cr_assert_eq(fxt_utf8_valid(bytes, size), valid_by_definition(bytes, size));
    }
}

Test(utf8, a_text_may_hold_nul_and_be_empty)
{
    cr_assert(fxt_utf8_valid((const uint8_t *)"a\0b", 3));
    cr_assert(fxt_utf8_valid(NULL, 0));
}

/* What would complete the character lies behind the end. */
Test(utf8, a_text_ends_where_its_size_says)
{
    static const char *const characters[] = {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
    for (unsigned i = 0; i < 3; i++) {
        const uint8_t *bytes = (const uint8_t *)characters[i];
        cr_expect(fxt_utf8_valid(bytes, i + 2));
        for (unsigned size = 1; size < i + 2; size++)
            cr_expect_not(fxt_utf8_valid(bytes, size), "%u of %u bytes", size, i + 2);
    }
}

/* Replaces what is no character, byte by byte. */
static void mend_by_definition(uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        int length = length_by_definition(bytes + at, size - at);
        if (length == 0)
            bytes[at] = '?';
        at += length == 0 ? 1 : (size_t)length;
    }
}

Test(utf8, mended_text_is_valid_and_keeps_its_characters)
{
    uint64_t state = 1;
    for (int n = 0; n < 200000; n++) {
        uint8_t bytes[25];
        uint8_t expected[25];
        for (unsigned i = 0; i < sizeof bytes; i++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            bytes[i] = (uint8_t)(state >> 33 & (state >> 62 == 0 ? 0xff : 0x7f));
            if (state >> 61 == 7)
                bytes[i] = (uint8_t)("\xe2\x82\xac\xc3\xa9\xf0\x9f\x98\x80\xed\xa0"[i % 11]);
        }
        size_t size = (size_t)(n % 25);
        memcpy(expected, bytes, sizeof bytes);
        mend_by_definition(expected, size);
        fxt_i_utf8_mend(bytes, size);
        cr_assert_arr_eq(bytes, expected, sizeof bytes);
        cr_assert(fxt_utf8_valid(bytes, size));
    }
}
