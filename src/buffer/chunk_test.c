/* Heads of leases and fillers, by the bits that spec/system.md gives them. */
#include <criterion/criterion.h>
#include <fxt/buffer.h>
#include <string.h>

#include "src/buffer/chunk.h"

Test(chunk, a_lease_head_has_its_lap_and_its_chunks)
{
    uint64_t head = fxt_i_lease_head(0x12345678, 0x100000);

    cr_expect_eq(head, UINT64_C(0x345678fffffe0010));
    cr_expect(fxt_i_is_lease_head(head));
    cr_expect_eq(fxt_i_lease_head_chunks(head), 0x100000);
    cr_expect(fxt_i_lease_head_is_of(head, 0x12345678));
    cr_expect(fxt_i_lease_head_is_of(head, 0x00345678));
    cr_expect_not(fxt_i_lease_head_is_of(head, 0x12345679));
    cr_expect_eq(fxt_i_lease_head_chunks(fxt_i_lease_head(0, 1)), 1);
}

Test(chunk, a_filler_covers_its_bytes_and_is_no_lease_head)
{
    const uint64_t sizes[] = {8, 64, 4095 * 8, 4096 * 8, UINT64_C(1) << 32};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t word = fxt_i_filler(sizes[i]);
        cr_expect_eq(fxt_i_record_bytes(word), sizes[i]);
        cr_expect(fxt_i_is_filler(word));
        cr_expect_not(fxt_i_is_lease_head(word));
    }
    cr_expect_eq(fxt_i_filler(8), UINT64_C(0xf0010));
}

Test(chunk, a_lease_head_is_passed_over_as_a_filler_is)
{
    cr_expect(fxt_i_is_filler(fxt_i_lease_head(7, 3)));
    cr_expect_not(fxt_i_is_filler(FXT_MAGIC));
    cr_expect_not(fxt_i_is_filler(0x14));
}

Test(chunk, records_of_a_trace_that_share_bits_with_them_are_neither)
{
    cr_expect(fxt_i_is_lease_head(0xe0010));
    cr_expect_not(fxt_i_is_lease_head(0xe0020)); /* two words */
    cr_expect_not(fxt_i_is_filler(0x1f));        /* a large blob of one word */
}

/* The offsets are those at which the header is written. */
Test(chunk, header_words_lie_where_the_header_has_them)
{
    struct fxt_buffer_header header;
    uint64_t words[FXT_BUFFER_HEADER_BYTES / 8];

    cr_assert_eq(fxt_buffer_sizes(&header, 4096, FXT_BUFFERING_STREAMING), FXT_OK);
    header.flags = FXT_BUFFER_ENDS_KEPT;
    header.wrapped_count = 3;
    header.durable_data_end = 8;
    header.rolling_data_end[0] = 16;
    header.rolling_data_end[1] = 24;
    header.records_dropped = 5;
    header.definitions_inlined = 6;
    memset(words, 0, sizeof words);
    fxt_buffer_write_header((uint8_t *)words, &header);
    cr_expect_eq(words[FXT_I_HEADER_SECOND / 8],
                 fxt_i_header_second(FXT_BUFFERING_STREAMING, FXT_BUFFER_ENDS_KEPT, 3));
    cr_expect_eq(fxt_i_header_wrapped(words[FXT_I_HEADER_SECOND / 8]), 3);
    cr_expect_eq(words[FXT_I_HEADER_DURABLE_END / 8], 8);
    cr_expect_eq(words[FXT_I_HEADER_ROLLING_END / 8], 16);
    cr_expect_eq(words[FXT_I_HEADER_ROLLING_END / 8 + 1], 24);
    cr_expect_eq(words[FXT_I_HEADER_DROPPED / 8], 5);
    cr_expect_eq(words[FXT_I_HEADER_INLINED / 8], 6);
}
