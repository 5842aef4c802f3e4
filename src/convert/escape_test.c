#include "src/convert/escape.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

// Exactly as many bytes as documented, so that a sanitizer sees one too many.
static size_t escape(char **text, const void *bytes, size_t size)
{
    uint8_t *from = malloc(size);
    *text = malloc(FXT_ESCAPE_GROWTH * size + FXT_ESCAPE_SLACK);
    if (size > 0)
        memcpy(from, bytes, size);
    size_t length = (size_t)(fxt_escape(*text, from, size) - *text);
    cr_assert_leq(length, FXT_ESCAPE_GROWTH * size);
    free(from);
    return length;
}

static void expect_size(const void *bytes, size_t size, const char *expected, size_t expected_size)
{
    char *text;
    size_t length = escape(&text, bytes, size);
    cr_assert_eq(length, expected_size, "%.*s for %s", (int)length, text, expected);
    cr_assert_eq(memcmp(text, expected, length), 0, "%.*s for %s", (int)length, text, expected);
    free(text);
}

// By itself, and at each place of a text of 40 plain characters.
static void expect(const char *bytes, const char *expected)
{
    size_t size = strlen(bytes);
    size_t expected_size = strlen(expected);
    expect_size(bytes, size, expected, expected_size);
    for (size_t before = 0; before <= 40; before++) {
        char in[80];
        char out[200];
        memset(in, 'x', sizeof in);
        memset(out, 'x', sizeof out);
        memcpy(in + before, bytes, size);
        memcpy(out + before, expected, expected_size);
        expect_size(in, size + 40, out, expected_size + 40);
    }
}

Test(escape, what_json_wants_escaped_is_escaped)
{
    expect("", "");
    expect("plain", "plain");
    expect("\"", "\\\"");
    expect("\\", "\\\\");
    expect("/", "/");
    expect("\b\t\n\f\r", "\\b\\t\\n\\f\\r");
    expect("\x01\x1f\x7f", "\\u0001\\u001f\x7f");
    expect("\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"",
           "\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"");
    expect_size("a\0b", 3, "a\\u0000b", 8);
}

Test(escape, utf8_is_kept)
{
    expect("\xc3\xa9", "\xc3\xa9");
    expect("\xe2\x82\xac", "\xe2\x82\xac");
    expect("\xed\x9f\xbf\xee\x80\x80", "\xed\x9f\xbf\xee\x80\x80");
    expect("\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80");
    expect("\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf");
    expect("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e");
}

#define R "\xef\xbf\xbd"

Test(escape, each_maximal_ill_formed_part_becomes_one_replacement_character)
{
    expect("\x80", R);
    expect("\xff\xfe", R R);
    expect("\xc0\xaf", R R);                 // overlong
    expect("\xe0\x80\xaf", R R R);           // overlong
    expect("\xed\xa0\x80", R R R);           // surrogate
    expect("\xf4\x90\x80\x80", R R R R);     // beyond U+10FFFF
    expect("\xc3", R);                       // cut off
    expect("\xe2\x82", R);
    expect("\xf0\x9f\x98", R);
    expect("\xf0\x9f\x98\"", R "\\\"");
    expect("\xe2\x82\xc3\xa9", R "\xc3\xa9");
    expect("\xf1\x80\x80\xe1\x80\xc2", R R R); // the example of the Unicode standard
    expect("\xf8\x88\x80\x80\x80", R R R R R);
}

// The plainest way to do it.
static size_t reference(char *to, const uint8_t *bytes, size_t size)
{
    size_t length = 0;
    for (size_t i = 0; i < size;) {
        bool valid;
        size_t taken = fxt_escape_character(&valid, bytes + i, size - i);
        if (!valid) {
            memcpy(to + length, R, 3);
            length += 3;
        } else if (bytes[i] == '"' || bytes[i] == '\\') {
            to[length++] = '\\';
            to[length++] = (char)bytes[i];
        } else if (bytes[i] < 0x20) {
            static const char *const shorts = "\bb\tt\nn\ff\rr";
            const char *found = bytes[i] == 0 ? NULL : strchr(shorts, bytes[i]);
            if (found != NULL)
                length += (size_t)sprintf(to + length, "\\%c", found[1]);
            else
                length += (size_t)sprintf(to + length, "\\u%04x", bytes[i]);
        } else {
            memcpy(to + length, bytes + i, taken);
            length += taken;
        }
        i += taken;
    }
    return length;
}

// Of letters, controls, quotes, lead and continuation bytes, in changing proportions.
static void fill(uint8_t *bytes, size_t size, uint64_t *state)
{
    uint64_t rarity = 1 + next_random(state) % 40;
    for (size_t i = 0; i < size; i++) {
        uint64_t r = next_random(state);
        bytes[i] = (uint8_t)('a' + r % 26);
        if (r / 64 % rarity == 0)
            bytes[i] = (uint8_t)(r >> 40);
        else if (r / 64 % rarity == 1)
            bytes[i] = (uint8_t)"\"\\\n\x01\xc3\xe2\xf0\x80\x9f\xbf"[(r >> 40) % 10];
    }
}

Test(escape, random_bytes_give_the_same_as_the_plainest_way)
{
    uint64_t state = 7;
    for (int i = 0; i < 50000; i++) {
        uint8_t bytes[120];
        char expected[FXT_ESCAPE_GROWTH * sizeof bytes + 8];
        size_t size = next_random(&state) % sizeof bytes;
        fill(bytes, size, &state);
        expect_size(bytes, size, expected, reference(expected, bytes, size));
    }
}

struct sink {
    char *bytes;
    size_t size;
};

static bool keep(void *context, const char *bytes, size_t size)
{
    struct sink *sink = context;
    memcpy(sink->bytes + sink->size, bytes, size);
    sink->size += size;
    return true;
}

Test(escape, long_text_through_a_small_buffer_is_not_cut_inside_a_character)
{
    enum { SIZE = 20000 };
    static uint8_t bytes[SIZE];
    static char expected[FXT_ESCAPE_GROWTH * SIZE + 8];
    static char kept[FXT_ESCAPE_GROWTH * SIZE + 8];
    static char buffer[FXT_OUT_CAPACITY_MIN];
    static const char *const patterns[] = {"\xf0\x9f\x98\x80", "\xe2\x82\xac", "\xc3\xa9", "\x80",
                                           "\x01", "a\xf0\x9f\x98\x80", "\xf0\x9f", "abcdefg\""};
    uint64_t state = 9;
    for (unsigned i = 0; i < 16; i++) {
        if (i < 8)
            for (size_t k = 0; k < SIZE; k++)
                bytes[k] = (uint8_t)patterns[i][k % strlen(patterns[i])];
        else
            fill(bytes, SIZE, &state);
        struct sink sink = {kept, 0};
        struct fxt_out out = {buffer, sizeof buffer, 0, keep, &sink, false};
        fxt_out_char(&out, '!');
        fxt_escape_out(&out, bytes, SIZE);
        fxt_out_flush(&out);
        size_t length = reference(expected, bytes, SIZE);
        cr_assert_eq(sink.size, length + 1);
        cr_assert_eq(memcmp(kept + 1, expected, length), 0);
    }
}
