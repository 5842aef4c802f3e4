/* A buffer's image by its parts: what is counted of it. */
#include <string.h>

#include <criterion/criterion.h>

#include "src/base/word.h"
#include "src/convert/salvage.h"

#define BYTES (1u << 20)
#define LARGE(type, words) ((uint64_t)(words) << 4 | 15 | (uint64_t)(type) << 36)

static uint8_t image[BYTES];

/* The size of a large record has 32 bits, that of any other 12. */
Test(salvage, bytes_of_large_records_and_fillers_are_counted_to_the_last)
{
    const uint64_t words = 4096 + 2;
    uint8_t *at = image + FXT_BUFFER_HEADER_BYTES;
    struct fxt_buffer_header header;
    struct fxt_salvage salvage;
    struct fxt_record record;
    struct fxt_error error;

    cr_assert_eq(fxt_buffer_sizes(&header, BYTES, FXT_BUFFERING_ONESHOT), FXT_OK);
    header.rolling_data_end[0] = 3 * 8 * words + 8;
    fxt_buffer_write_header(image, &header);
    fxt_store_word(at, LARGE(0, words));
    fxt_store_word(at + 8 * words, LARGE(15, 2 * words)); /* a filler */
    fxt_store_word(at + 3 * 8 * words, 1 << 4 | 4);

    cr_assert_eq(fxt_salvage_init(&salvage, image, BYTES, &error), FXT_OK);
    cr_assert(fxt_salvage_next(&salvage, &record));
    cr_expect_eq(record.words, words);
    cr_assert(fxt_salvage_next(&salvage, &record));
    cr_expect_eq(record.offset, FXT_BUFFER_HEADER_BYTES + 3 * 8 * words);
    cr_expect_not(fxt_salvage_next(&salvage, &record));
    cr_expect_eq(salvage.filler_bytes, 2 * 8 * words);
    cr_expect_eq(salvage.lost_bytes, 0);
}
