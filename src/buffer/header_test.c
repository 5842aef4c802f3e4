/* The header of a trace buffer: each rule broken alone, and sizes at their limits. Images that the
   original engine left are read in src/check/samples_test.c. */
#include <inttypes.h>
#include <string.h>

#include <criterion/criterion.h>
#include <fxt/buffer.h>

#include "src/base/word.h"

static struct fxt_buffer_header sizes(uint64_t total_size, uint16_t mode)
{
    struct fxt_buffer_header header;
    cr_assert_eq(fxt_buffer_sizes(&header, total_size, mode), FXT_OK);
    return header;
}

Test(sizes, an_eighth_is_durable_and_at_most_4_mib)
{
    static const struct {
        uint64_t total, durable, rolling;
    } known[] = {
        {4096, 512, 1728},          {65536, 8192, 28608},          {1 << 20, 131072, 458688},
        {4 << 20, 524288, 1834944}, {32 << 20, 4194304, 14680000}, {64 << 20, 4194304, 31457216},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        for (uint16_t mode = FXT_BUFFERING_CIRCULAR; mode <= FXT_BUFFERING_STREAMING; mode++) {
            struct fxt_buffer_header header = sizes(known[i].total, mode);
            cr_expect_eq(header.durable_size, known[i].durable);
            cr_expect_eq(header.rolling_size, known[i].rolling);
        }
        struct fxt_buffer_header header = sizes(known[i].total, FXT_BUFFERING_ONESHOT);
        cr_expect_eq(header.durable_size, 0);
        cr_expect_eq(header.rolling_size, known[i].total - 128);
    }
}

Test(sizes, of_every_legal_buffer_tile_it)
{
    for (uint64_t total = 4096; total <= FXT_BUFFER_BYTES_MAX; total += 4096) {
        struct fxt_buffer_header header = sizes(total, FXT_BUFFERING_CIRCULAR);
        if (128 + header.durable_size + 2 * header.rolling_size != total ||
            header.durable_size % 8 != 0 || header.rolling_size % 8 != 0 ||
            header.durable_size < 16 || header.durable_size >= header.rolling_size)
            cr_assert_fail("%" PRIu64, total);
    }
}

Test(sizes, out_of_the_limits_are_refused_and_change_nothing)
{
    static const uint64_t wrong[] = {
        0, 8, 4088, 4095, 4097, 6144, (UINT64_C(1) << 32) + 4096, UINT64_MAX, UINT64_MAX - 4095};
    struct fxt_buffer_header header, before;
    memset(&header, 0x5a, sizeof header);
    before = header;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        cr_expect_eq(fxt_buffer_sizes(&header, wrong[i], FXT_BUFFERING_ONESHOT), FXT_INVALID);
    cr_expect_eq(fxt_buffer_sizes(&header, 4096, 3), FXT_INVALID);
    cr_expect_eq(fxt_buffer_sizes(&header, 4096, UINT16_MAX), FXT_INVALID);
    cr_expect_eq(memcmp(&header, &before, sizeof header), 0);
}

/* The bytes of the header of a streaming buffer of 64 KiB that has records in all its parts. */
static void make(uint8_t bytes[128], uint16_t mode)
{
    struct fxt_buffer_header header = sizes(65536, mode);
    header.durable_data_end = header.durable_size;
    header.rolling_data_end[0] = header.rolling_size;
    header.rolling_data_end[1] = 24;
    header.records_dropped = UINT64_C(0x1122334455667788);
    header.definitions_inlined = UINT64_C(0x99aabbccddeeff01);
    header.wrapped_count = 0xfffffffe;
    header.flags = 0x81;
    memset(bytes, 0xff, 128);
    fxt_buffer_write_header(bytes, &header);
}

static enum fxt_status read_as(const uint8_t *bytes, uint64_t size, uint64_t total,
                               struct fxt_buffer_header *out, struct fxt_error *error)
{
    memset(out, 0x5a, sizeof *out);
    memset(error, 0, sizeof *error);
    return fxt_buffer_read_header(out, bytes, size, total, error);
}

Test(header, has_the_layout_that_is_specified)
{
    static const uint8_t begin[] = {0x64, 0x61, 0x65, 0x68, 0xee, 0x66, 0x75, 0x62, 0, 0, 2, 0x81,
                                    0xfe, 0xff, 0xff, 0xff, 0,    0,    1,    0,    0, 0, 0, 0};
    uint8_t bytes[128];
    make(bytes, FXT_BUFFERING_STREAMING);
    cr_expect_eq(memcmp(bytes, begin, sizeof begin), 0);
    cr_expect_eq(fxt_load_word(bytes + 24), 8192);
    cr_expect_eq(fxt_load_word(bytes + 32), 28608);
    cr_expect_eq(fxt_load_word(bytes + 40), 8192);
    cr_expect_eq(fxt_load_word(bytes + 48), 28608);
    cr_expect_eq(fxt_load_word(bytes + 56), 24);
    cr_expect_eq(fxt_load_word(bytes + 64), UINT64_C(0x1122334455667788));
    cr_expect_eq(fxt_load_word(bytes + 72), UINT64_C(0x99aabbccddeeff01));
    for (int i = 80; i < 128; i++)
        cr_expect_eq(bytes[i], 0);
}

Test(header, written_and_read_is_the_same)
{
    for (uint16_t mode = 0; mode <= 2; mode++) {
        uint8_t bytes[128], again[128];
        struct fxt_buffer_header header;
        struct fxt_error error;
        make(bytes, mode);
        if (mode == FXT_BUFFERING_ONESHOT)
            fxt_store_word(bytes + 56, 0);
        cr_assert_eq(read_as(bytes, 128, 65536, &header, &error), FXT_OK);
        cr_expect_eq(header.buffering_mode, mode);
        cr_expect_eq(header.wrapped_count, 0xfffffffe);
        cr_expect_eq(header.flags, 0x81);
        cr_expect_eq(header.definitions_inlined, UINT64_C(0x99aabbccddeeff01));
        fxt_buffer_write_header(again, &header);
        cr_expect_eq(memcmp(bytes, again, 128), 0);
    }
}

Test(header, that_breaks_a_rule_is_refused_at_its_field)
{
    static const struct {
        uint16_t mode;
        uint64_t at, word, offset;
        enum fxt_rule rule;
    } broken[] = {
        {2, 0, UINT64_C(0x627566ee68656165), 0, FXT_RULE_BUF_02},
        {2, 0, UINT64_C(0x64616568ee667562), 0, FXT_RULE_BUF_02}, /* the other byte order */
        {2, 8, 0x00020001, 8, FXT_RULE_BUF_03},
        {2, 8, 0x00020100, 8, FXT_RULE_BUF_03},
        {2, 8, 0x00030000, 10, FXT_RULE_BUF_04},
        {2, 8, 0x00ff0000, 10, FXT_RULE_BUF_04},
        {2, 16, 65536 + 8, 16, FXT_RULE_BUF_05},
        {2, 16, 65536 - 4096, 16, FXT_RULE_BUF_05},
        {0, 24, 8, 24, FXT_RULE_BUF_06},
        {0, 32, 65536, 24, FXT_RULE_BUF_06},
        {0, 32, 65536 - 128 - 8, 24, FXT_RULE_BUF_06},
        {2, 24, 8192 + 8, 24, FXT_RULE_BUF_06},
        {2, 24, 8192 + 1, 24, FXT_RULE_BUF_06},
        {2, 24, UINT64_MAX - 7, 24, FXT_RULE_BUF_06},
        {2, 32, 28608 + 8, 24, FXT_RULE_BUF_06},
        {2, 32, 28608 + 4, 24, FXT_RULE_BUF_06},
        {2, 32, (UINT64_C(1) << 63) + 28608, 24, FXT_RULE_BUF_06}, /* twice it overflows to fit */
        {2, 40, 8192 + 8, 40, FXT_RULE_BUF_07},
        {2, 40, 8191, 40, FXT_RULE_BUF_07},
        {0, 40, 8, 40, FXT_RULE_BUF_07},
        {2, 48, 28608 + 8, 48, FXT_RULE_BUF_07},
        {2, 48, 12, 48, FXT_RULE_BUF_07},
        {2, 56, UINT64_MAX - 7, 56, FXT_RULE_BUF_07},
        {2, 56, 1, 56, FXT_RULE_BUF_07},
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        uint8_t bytes[128];
        struct fxt_buffer_header header, before;
        struct fxt_error error;
        make(bytes, broken[i].mode);
        if (broken[i].mode == FXT_BUFFERING_ONESHOT)
            fxt_store_word(bytes + 40, 0);
        fxt_store_word(bytes + broken[i].at, broken[i].word);
        memset(&before, 0x5a, sizeof before);
        cr_expect_eq(read_as(bytes, 128, 65536, &header, &error), FXT_MALFORMED, "case %zu", i);
        cr_expect_eq(memcmp(&header, &before, sizeof header), 0, "case %zu", i);
        cr_expect_eq(error.status, FXT_MALFORMED, "case %zu", i);
        cr_expect_eq(error.rule, broken[i].rule, "case %zu: %s", i, fxt_rule_id(error.rule));
        cr_expect_eq(error.offset, broken[i].offset, "case %zu", i);
    }
}

Test(header, durable_part_as_large_as_a_half_is_refused)
{
    uint8_t bytes[128];
    struct fxt_buffer_header header;
    struct fxt_error error;
    make(bytes, FXT_BUFFERING_CIRCULAR);
    fxt_store_word(bytes + 16, 128 + 3 * 4096);
    fxt_store_word(bytes + 24, 4096);
    fxt_store_word(bytes + 32, 4096);
    fxt_store_word(bytes + 48, 0);
    cr_expect_eq(read_as(bytes, 128, 128 + 3 * 4096, &header, &error), FXT_MALFORMED);
    cr_expect_eq(error.rule, FXT_RULE_BUF_06);
}

Test(header, total_size_that_is_no_multiple_of_8_is_refused)
{
    uint8_t bytes[128];
    struct fxt_buffer_header header;
    struct fxt_error error;
    make(bytes, FXT_BUFFERING_ONESHOT);
    fxt_store_word(bytes + 16, 65532);
    fxt_store_word(bytes + 40, 0);
    cr_expect_eq(read_as(bytes, 128, 65532, &header, &error), FXT_MALFORMED);
    cr_expect_eq(error.rule, FXT_RULE_BUF_05);
    cr_expect_eq(error.offset, 16);
}

Test(header, cut_short_is_refused_and_not_read_behind_its_end)
{
    struct fxt_buffer_header header;
    struct fxt_error error;
    cr_expect_eq(read_as(NULL, 0, 65536, &header, &error), FXT_MALFORMED);
    cr_expect_eq(error.rule, FXT_RULE_BUF_01);
    uint8_t bytes[128];
    make(bytes, FXT_BUFFERING_CIRCULAR);
    cr_expect_eq(read_as(bytes, 127, 65536, &header, &error), FXT_MALFORMED);
    cr_expect_eq(error.rule, FXT_RULE_BUF_01);
}

Test(header, reserved_bytes_are_not_looked_at)
{
    uint8_t bytes[128];
    struct fxt_buffer_header header;
    struct fxt_error error;
    make(bytes, FXT_BUFFERING_CIRCULAR);
    bytes[11] = 0xff;
    memset(bytes + 80, 0xff, 48);
    cr_expect_eq(read_as(bytes, 128, 65536, &header, &error), FXT_OK);
    cr_expect_eq(header.flags, 0xff);
    cr_expect_eq(header.buffering_mode, FXT_BUFFERING_CIRCULAR);
}
