/* Parts without a data end: what is found, and that nothing else is. */
#include <string.h>

#include <criterion/criterion.h>
#include <fxt/buffer.h>

#include "src/base/word.h"

#define HEADER(words) ((uint64_t)(words) << 4 | 4)
#define LARGE(words) ((uint64_t)(words) << 4 | 15)

static uint8_t part[1 << 20];

static void put(uint64_t at, uint64_t word)
{
    fxt_store_word(part + at, word);
}

static void expect_spans(uint32_t chunk, uint64_t size, const uint64_t *spans)
{
    struct fxt_buffer_span span;
    uint64_t at = 0;
    for (; spans[1] != 0; spans += 2) {
        cr_assert(fxt_buffer_salvage(&span, &at, part, size, chunk));
        cr_expect_eq(span.offset, spans[0]);
        cr_expect_eq(span.size, spans[1]);
        cr_expect_eq(at, span.offset + span.size);
    }
    cr_expect_not(fxt_buffer_salvage(&span, &at, part, size, chunk));
    cr_expect_eq(at, size);
    cr_expect_not(fxt_buffer_salvage(&span, &at, part, size, chunk));
}

#define SPANS(...)                                                                                 \
    (const uint64_t[])                                                                             \
    {                                                                                              \
        __VA_ARGS__ 0, 0                                                                           \
    }

Test(salvage, nothing_in_an_empty_part)
{
    memset(part, 0, sizeof part);
    expect_spans(0, 1024, SPANS());
    expect_spans(64, 1024, SPANS());
    expect_spans(64, 0, SPANS());
    expect_spans(64, 7, SPANS());
}

Test(salvage, durable_part_ends_at_the_first_zero_word)
{
    memset(part, 0, sizeof part);
    put(0, HEADER(2));
    put(16, HEADER(1));
    put(64, HEADER(1));
    expect_spans(0, 1024, SPANS(0, 24, ));
}

Test(salvage, chunk_that_was_not_taken_is_passed_over)
{
    memset(part, 0, sizeof part);
    put(0, HEADER(8));
    put(128, HEADER(3));
    put(160, HEADER(1)); /* behind a zero word: from before */
    put(256, HEADER(16));
    put(384, HEADER(8));
    expect_spans(64, 1024, SPANS(0, 64, 128, 24, 256, 192, ));
}

Test(salvage, what_stands_behind_the_start_of_the_last_chunk_is_in_it)
{
    memset(part, 0, sizeof part);
    put(192, HEADER(1)); /* of the last one: 128 to 216 */
    expect_spans(64, 216, SPANS());
    put(128, HEADER(8));
    expect_spans(64, 216, SPANS(128, 72, ));
}

Test(salvage, record_that_does_not_fit_is_not_found)
{
    memset(part, 0, sizeof part);
    put(0, HEADER(9));
    expect_spans(0, 64, SPANS());
    put(0, HEADER(4095));
    put(64, HEADER(1));
    expect_spans(64, 1024, SPANS(64, 8, ));
    put(0, UINT64_C(15) | UINT64_C(0xffffffff) << 4);
    expect_spans(64, 1024, SPANS(64, 8, ));
    put(0, UINT64_C(15) | UINT64_C(128) << 4);
    expect_spans(64, 1024, SPANS(0, 1024, ));
}

/* The size of a large record has 32 bits, that of any other 12. */
Test(salvage, record_behind_a_large_one_is_found)
{
    static const uint64_t sizes[] = {1, 16, 4095, 4096, 4097, 65535, 65537, 100000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        memset(part, 0, sizeof part);
        put(0, LARGE(sizes[i]));
        put(8 * sizes[i], HEADER(2));
        expect_spans(0, sizeof part, SPANS(0, 8 * sizes[i] + 16, ));
        expect_spans(4096, sizeof part, SPANS(0, 8 * sizes[i] + 16, ));
    }
}

Test(salvage, position_behind_the_end_finds_nothing)
{
    struct fxt_buffer_span span;
    uint64_t at = UINT64_MAX;
    cr_expect_not(fxt_buffer_salvage(&span, &at, part, 1024, 64));
}

Test(salvage, chunks_grow_with_the_part)
{
    cr_expect_eq(fxt_buffer_chunk_bytes(0), 64);
    cr_expect_eq(fxt_buffer_chunk_bytes(1023), 64);
    cr_expect_eq(fxt_buffer_chunk_bytes(1024), 128);
    cr_expect_eq(fxt_buffer_chunk_bytes(32767), 2048);
    cr_expect_eq(fxt_buffer_chunk_bytes(32768), 4096);
    cr_expect_eq(fxt_buffer_chunk_bytes(UINT64_MAX), 4096);
}
