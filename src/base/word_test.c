#include "src/base/word.h"

#include <criterion/criterion.h>

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void expect_word(const uint8_t *p, uint64_t word)
{
    cr_assert_eq(fxt_load_word(p), word);
    cr_assert_eq(fxt_load_word_arithmetic(p), word);
}

// One byte takes all its values while the seven others are all `rest`.
static void expect_byte_at(unsigned place, uint8_t rest)
{
    for (unsigned value = 0; value < 256; value++) {
        uint8_t bytes[8];
        memset(bytes, rest, sizeof bytes);
        bytes[place] = (uint8_t)value;
        uint64_t word = rest * UINT64_C(0x0101010101010101);
        word &= ~(UINT64_C(255) << (8 * place));
        expect_word(bytes, word | (uint64_t)value << (8 * place));
    }
}

Test(word, each_value_of_each_byte_counts_by_its_place)
{
    for (unsigned place = 0; place < 8; place++) {
        expect_byte_at(place, 0x00);
        expect_byte_at(place, 0xff);
        expect_byte_at(place, 0x5a);
    }
}

Test(word, both_loaders_read_at_any_alignment)
{
    uint8_t bytes[16];
    for (unsigned i = 0; i < 16; i++)
        bytes[i] = (uint8_t)(17 * i + 3);
    for (unsigned at = 0; at <= 8; at++) {
        uint64_t word = 0;
        for (unsigned i = 8; i > 0; i--)
            word = word << 8 | bytes[at + i - 1];
        expect_word(bytes + at, word);
    }
}

Test(word, both_loaders_agree_on_random_words)
{
    uint64_t state = 1;
    for (int i = 0; i < 100000; i++) {
        uint64_t word = next_random(&state);
        uint8_t bytes[8];
        for (unsigned place = 0; place < 8; place++)
            bytes[place] = (uint8_t)(word >> (8 * place));
        expect_word(bytes, word);
    }
}

static void expect_stored(uint64_t word)
{
    for (unsigned at = 1; at <= 8; at++) {
        uint8_t bytes[17];
        memset(bytes, 0xa5, sizeof bytes);
        fxt_store_word(bytes + at, word);
        for (unsigned i = 0; i < sizeof bytes; i++) {
            uint64_t expected = i < at || i >= at + 8 ? 0xa5 : word >> (8 * (i - at)) & 0xff;
            cr_assert_eq(bytes[i], expected);
        }
        expect_word(bytes + at, word);
    }
}

Test(word, a_store_writes_its_eight_bytes_and_no_other)
{
    expect_stored(0);
    expect_stored(UINT64_MAX);
    expect_stored(UINT64_C(0x0016547846040010));
    for (unsigned bit = 0; bit < 64; bit++)
        expect_stored(UINT64_C(1) << bit);
    uint64_t state = 2;
    for (int i = 0; i < 10000; i++)
        expect_stored(next_random(&state));
}

Test(word, a_stream_takes_its_bytes_rounded_up_to_words)
{
    cr_expect_eq(fxt_words_of(0), 0);
    for (uint64_t size = 1; size <= 8; size++)
        cr_expect_eq(fxt_words_of(size), 1);
    cr_expect_eq(fxt_words_of(9), 2);
    cr_expect_eq(fxt_words_of(16), 2);
    cr_expect_eq(fxt_words_of(17), 3);
    cr_expect_eq(fxt_words_of(32000), 4000);
    cr_expect_eq(fxt_words_of(32767), 4096);
    cr_expect_eq(fxt_words_of(UINT32_MAX), UINT64_C(536870912));
    cr_expect_eq(fxt_words_of(UINT64_C(34359738361)), UINT64_C(4294967296));
}

Test(word, the_largest_stream_does_not_overflow)
{
    cr_expect_eq(fxt_words_of(UINT64_C(18446744073709551608)), UINT64_C(2305843009213693951));
    cr_expect_eq(fxt_words_of(UINT64_C(18446744073709551601)), UINT64_C(2305843009213693951));
    cr_expect_eq(fxt_words_of(UINT64_C(18446744073709551600)), UINT64_C(2305843009213693950));
}
