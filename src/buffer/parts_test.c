/* The parts of a trace buffer: which there are in each mode, in which order, how far each is read, and
   what an archive says of dropped records. */
#include <criterion/criterion.h>
#include <fxt/buffer.h>

#include "src/buffer/parts.h"

static struct fxt_buffer_header header_of(uint16_t mode, uint32_t wrapped)
{
    struct fxt_buffer_header header;
    cr_assert_eq(fxt_buffer_sizes(&header, 4096, mode), FXT_OK);
    header.wrapped_count = wrapped;
    header.durable_data_end = mode == FXT_BUFFERING_ONESHOT ? 0 : 168;
    header.rolling_data_end[0] = 24;
    header.rolling_data_end[1] = mode == FXT_BUFFERING_ONESHOT ? 0 : 1728;
    return header;
}

static void expect(struct fxt_buffer_part part, uint64_t offset, uint64_t size, uint64_t room)
{
    cr_expect_eq(part.offset, offset);
    cr_expect_eq(part.size, size);
    cr_expect_eq(part.room, room);
}

Test(parts, oneshot_has_one)
{
    struct fxt_buffer_header header = header_of(FXT_BUFFERING_ONESHOT, 0);
    struct fxt_buffer_part parts[3];
    cr_assert_eq(fxt_buffer_parts(parts, &header), 1);
    expect(parts[0], 128, 24, 3968);
}

Test(parts, the_second_half_is_not_there_before_the_first_turn)
{
    struct fxt_buffer_header header = header_of(FXT_BUFFERING_CIRCULAR, 0);
    struct fxt_buffer_part parts[3];
    cr_assert_eq(fxt_buffer_parts(parts, &header), 2);
    expect(parts[0], 128, 168, 512);
    expect(parts[1], 128 + 512, 24, 1728);
}

Test(parts, the_older_half_comes_before_the_current_one)
{
    for (uint16_t mode = FXT_BUFFERING_CIRCULAR; mode <= FXT_BUFFERING_STREAMING; mode++) {
        static const uint32_t counts[] = {1, 2, 9, UINT32_MAX - 1, UINT32_MAX};
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            struct fxt_buffer_header header = header_of(mode, counts[i]);
            struct fxt_buffer_part parts[3];
            uint32_t older = (counts[i] + 1) % 2;
            cr_assert_eq(fxt_buffer_parts(parts, &header), 3);
            expect(parts[0], 128, 168, 512);
            expect(parts[2 - older], 128 + 512 + 1728, 1728, 1728);
            expect(parts[1 + older], 128 + 512, 24, 1728);
        }
    }
}

/* How many bytes are read of the older and of the current half. */
static void expect_sizes(const struct fxt_buffer_header *header, bool has_stopped,
                         uint32_t next_lap, uint64_t older, uint64_t current)
{
    struct fxt_i_source sources[3];

    cr_assert_eq(fxt_i_sources(sources, header, has_stopped, next_lap), 3);
    cr_expect_eq(sources[1].size, older);
    cr_expect_eq(sources[2].size, current);
}

Test(sources, a_durable_part_has_no_chunks_and_comes_first)
{
    struct fxt_buffer_header header = header_of(FXT_BUFFERING_CIRCULAR, 0);
    struct fxt_i_source sources[3];

    header.flags = FXT_BUFFER_ENDS_KEPT;
    cr_assert_eq(fxt_i_sources(sources, &header, false, 0), 2);
    cr_expect(sources[0].is_durable);
    cr_expect_eq(sources[0].chunk_bytes, 0);
    cr_expect_eq(sources[0].size, 168);
    cr_expect_not(sources[1].is_durable);
    cr_expect_eq(sources[1].chunk_bytes, fxt_buffer_chunk_bytes(1728));
    cr_expect_not(sources[1].is_older);
}

Test(sources, oneshot_has_a_rolling_part_and_no_durable_one)
{
    struct fxt_buffer_header header = header_of(FXT_BUFFERING_ONESHOT, 0);
    struct fxt_i_source sources[3];

    cr_assert_eq(fxt_i_sources(sources, &header, true, 0), 1);
    cr_expect_not(sources[0].is_durable);
    cr_expect_not(sources[0].is_older);
    cr_expect_eq(sources[0].offset, 128);
    cr_expect_eq(sources[0].size, 24);
}

Test(sources, halves_are_of_the_last_two_laps)
{
    static const uint32_t counts[] = {1, 2, 9, UINT32_MAX};

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct fxt_buffer_header header = header_of(FXT_BUFFERING_STREAMING, counts[i]);
        struct fxt_buffer_part parts[3];
        struct fxt_i_source sources[3];
        struct fxt_i_source half;
        cr_assert_eq(fxt_buffer_parts(parts, &header), 3);
        cr_assert_eq(fxt_i_sources(sources, &header, true, 0), 3);
        for (uint32_t n = 1; n <= 2; n++) {
            cr_expect_eq(sources[n].offset, parts[n].offset);
            cr_expect_eq(sources[n].size, parts[n].size);
            cr_expect_eq(sources[n].room, parts[n].room);
            cr_expect_eq(sources[n].lap, counts[i] - (2 - n));
            cr_expect_eq(sources[n].is_older, n == 1);
            fxt_i_half_source(&half, &header, sources[n].lap);
            cr_expect_eq(half.offset, parts[n].offset);
            cr_expect_eq(half.size, parts[n].size);
        }
    }
}

Test(sources, data_ends_are_those_of_a_provider_that_has_stopped_or_keeps_them)
{
    struct fxt_buffer_header header = header_of(FXT_BUFFERING_STREAMING, 2);

    expect_sizes(&header, true, 0, 1728, 24);
    expect_sizes(&header, false, 0, 1728, 1728);
    header.rolling_data_end[0] = 0;
    expect_sizes(&header, true, 0, 1728, 1728); /* BUF-11 */
    header.flags = FXT_BUFFER_ENDS_KEPT;
    expect_sizes(&header, true, 0, 1728, 0);
    expect_sizes(&header, false, 0, 1728, 0);
}

Test(sources, nothing_is_read_of_a_half_that_the_archive_has)
{
    struct fxt_buffer_header header = header_of(FXT_BUFFERING_STREAMING, 2);

    expect_sizes(&header, true, 1, 1728, 24);
    expect_sizes(&header, true, 2, 0, 24);
    expect_sizes(&header, true, 3, 0, 0);
    expect_sizes(&header, false, 2, 0, 1728);
}

Test(sources, dropped_records_are_told_by_a_provider_event)
{
    cr_expect_eq(fxt_i_drops_record(0), UINT64_C(0x30010));
    cr_expect_eq(fxt_i_drops_record(7), UINT64_C(0x730010));
    cr_expect_eq(fxt_i_drops_record(UINT32_MAX), UINT64_C(0xffffffff30010));
}
