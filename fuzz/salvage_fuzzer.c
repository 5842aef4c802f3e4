/* The image of a raw buffer, whoever wrote it: the records that are found are those that a second
   implementation finds (lib/image.c), in the same order, and each byte of the parts is counted once.
   The input is described in lib/image.h. */
#include "fuzz/lib/frame.h"
#include "fuzz/lib/image.h"
#include "fuzz/lib/oracle.h"
#include "src/convert/salvage.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Section 1.3, and BUF-11 where no data end is known. A half that a manager has saved has none either.
   */
static uint64_t end_of(const struct fxt_buffer_header *header, bool saved, uint64_t end,
                       uint64_t room)
{
    if (end > 0 || (header->flags & FXT_BUFFER_ENDS_KEPT) != 0)
        return end;
    return saved ? 0 : room;
}

/* Returns the bytes of the parts. */
static uint64_t find(struct fuzz_found *found, const struct fxt_buffer_header *header,
                     const uint8_t *image)
{
    bool oneshot = header->buffering_mode == FXT_BUFFERING_ONESHOT;
    bool saves = header->buffering_mode == FXT_BUFFERING_STREAMING;
    uint32_t current = oneshot ? 0 : header->wrapped_count % 2;
    bool has_chunks = (header->flags & FXT_BUFFER_ENDS_KEPT) != 0;
    uint64_t chunk = has_chunks ? fuzz_chunk_bytes(header->rolling_size) : 0;
    uint64_t begin = FXT_BUFFER_HEADER_BYTES;
    uint64_t room = 0;

    found->count = 0;
    if (!oneshot) {
        uint64_t end = end_of(header, false, header->durable_data_end, header->durable_size);
        fuzz_find_records(found, image, begin, end, 0);
        begin += header->durable_size;
        room += end;
    }
    for (uint32_t n = !oneshot && header->wrapped_count > 0 ? 2 : 1; n-- > 0;) {
        uint32_t half = n == 1 ? 1 - current : current; /* the older one first */
        uint64_t end =
            end_of(header, n == 1 && saves, header->rolling_data_end[half], header->rolling_size);
        fuzz_find_records(found, image, begin + half * header->rolling_size, end, chunk);
        room += end;
    }
    return room;
}

/* Metadata, fillers among it, is no record of the provider. */
static bool is_left_out(uint64_t word)
{
    return word % 16 == 0 || (word % 16 == 15 && (word >> 36 & 15) == 15);
}

static void check_image(const uint8_t *image, size_t size)
{
    static struct fuzz_found found;
    struct fxt_salvage salvage;
    struct fxt_record record;
    struct fxt_error error;
    uint64_t bytes = 0, others = 0;

    if (fxt_salvage_init(&salvage, image, size, &error) != FXT_OK) {
        FUZZ_CHECK(error.rule >= FXT_RULE_BUF_01 && error.rule <= FXT_RULE_BUF_07);
        return;
    }
    const struct fxt_buffer_header header = fuzz_header(image);
    uint64_t room = find(&found, &header, image);
    for (size_t i = 0; i < found.count; i++) {
        uint64_t offset = found.records[i].offset;
        if (is_left_out(fuzz_word(image + offset))) {
            others += 8 * found.records[i].words;
            continue;
        }
        FUZZ_CHECK(fxt_salvage_next(&salvage, &record));
        FUZZ_CHECK(record.offset == offset && record.bytes == image + offset);
        FUZZ_CHECK(record.words == found.records[i].words);
        bytes += 8 * (uint64_t)record.words;
    }
    FUZZ_CHECK(!fxt_salvage_next(&salvage, &record));
    FUZZ_CHECK(others == salvage.filler_bytes + salvage.metadata_bytes);
    FUZZ_CHECK(bytes + others + salvage.lost_bytes == room);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static uint8_t image[FUZZ_IMAGE_MAX];
    size_t total = fuzz_image(image, bytes, size);
    if (total > 0)
        check_image(image, total);
    return 0;
}
