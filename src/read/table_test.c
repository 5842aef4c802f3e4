#include "src/read/fixture_test.h"

Test(initialization, has_its_ticks_zero_included)
{
    static const uint64_t ticks[] = {0, 1, 1000000000, UINT64_MAX};
    for (unsigned i = 0; i < LENGTH(ticks); i++) {
        struct fxt_record record = RECORD(1 | UINT64_C(0xffffffffffff0000), ticks[i]);
        struct fxt_initialization out;
        struct fxt_error error;
        cr_assert_eq(fxt_read_initialization(&record, &out, &error), FXT_OK);
        cr_expect_eq(out.ticks_per_second, ticks[i]);
    }
}

Test(initialization, of_four_words_has_two_words_of_tail)
{
    struct fxt_record record = RECORD(1, 24000000, 77, 88);
    struct fxt_initialization out;
    struct fxt_error error;
    cr_assert_eq(fxt_read_initialization(&record, &out, &error), FXT_OK);
    cr_expect_eq(out.ticks_per_second, 24000000);
    cr_assert_eq(out.tail.words, 2);
    cr_expect_eq(fxt_tail_word(&out.tail, 0), 77);
    cr_expect_eq(fxt_tail_word(&out.tail, 1), 88);
}

/* The string of `length` bytes in a record of just the words that it takes. */
static void expect_string(uint64_t length)
{
    static uint64_t words[4095];
    memset(words, 0xe7, sizeof words); /* padding too */
    words[0] = 2 | AT(32767, 16) | AT(1, 31) | AT(length, 32) | AT(0x1ffff, 47);
    struct fxt_record record = record_of(words, 1 + (length + 7) / 8);
    struct fxt_string out;
    struct fxt_error error;
    cr_assert_eq(fxt_read_string(&record, &out, &error), FXT_OK);
    cr_expect_eq(out.index, 32767);
    cr_expect_eq(out.tail.words, 0);
    expect_bytes(out.value, words + 1, length);
}

Test(string, has_its_bytes_without_padding_up_to_the_largest_record)
{
    static const uint64_t lengths[] = {0, 1, 7, 8, 9, 15, 16, 17, 31999, 32000, 32001, 32752};
    for (unsigned i = 0; i < LENGTH(lengths); i++)
        expect_string(lengths[i]);
}

Test(string, longer_than_the_largest_record_is_refused)
{
    static uint64_t words[4095];
    for (uint64_t length = 32753; length <= 32767; length++) {
        words[0] = 2 | AT(1, 16) | AT(length, 32);
        struct fxt_record record = record_of(words, 4095);
        struct fxt_string out;
        struct fxt_error error;
        memset(&out, PATTERN, sizeof out);
        cr_assert_eq(fxt_read_string(&record, &out, &error), FXT_MALFORMED);
        expect_error(&error, FXT_RULE_STT_01, record.offset + 8, "string");
        cr_expect(untouched(&out, sizeof out));
    }
}

Test(string, of_index_0_is_delivered)
{
    struct fxt_record record = RECORD(2 | AT(1, 32), 'x');
    struct fxt_string out;
    struct fxt_error error;
    cr_assert_eq(fxt_read_string(&record, &out, &error), FXT_OK);
    cr_expect_eq(out.index, 0);
    expect_bytes(out.value, "x", 1);
}

Test(thread, has_its_index_and_all_bits_of_its_koids)
{
    for (unsigned index = 0; index <= 255; index++) {
        struct fxt_record record =
            RECORD(3 | AT(index, 16) | UINT64_C(0xffffffffff000000), UINT64_MAX - index, AT(1, 63));
        struct fxt_thread out;
        struct fxt_error error;
        cr_assert_eq(fxt_read_thread(&record, &out, &error), FXT_OK);
        cr_expect_eq(out.index, index);
        cr_expect_eq(out.process, UINT64_MAX - index);
        cr_expect_eq(out.thread, AT(1, 63));
    }
}
