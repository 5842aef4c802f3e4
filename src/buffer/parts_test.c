/* The parts of a trace buffer: which there are in each mode, and in which order. */
#include <criterion/criterion.h>
#include <fxt/buffer.h>

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
