/* The image of a raw buffer, whoever wrote it: every record that is found lies in a part of the
   buffer, behind the one before it, and each byte of the parts is counted once. No record is lost that
   the reader reads from the beginning of a part. */
#include <string.h>

#include "fuzz/lib/oracle.h"
#include "src/convert/salvage.h"

#define BUFFER 8192u
#define LARGE_BUFFER 65536u /* for large records, which the input need not fill */
#define HEAD 8u

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* A header that is right but for where the data ends, or the input's own; then the input. */
static void fill(uint8_t *image, size_t room, const uint8_t *head, const uint8_t *bytes,
                 size_t size)
{
    struct fxt_buffer_header header;
    if ((head[0] & 4) == 0 && fxt_buffer_sizes(&header, room, head[0] & 3) == FXT_OK) {
        header.wrapped_count = head[1];
        header.durable_data_end = 8u * head[2] % (header.durable_size + 8);
        header.rolling_data_end[0] = 64u * head[3] % (header.rolling_size + 8);
        if (header.buffering_mode != FXT_BUFFERING_ONESHOT)
            header.rolling_data_end[1] = 64u * head[4] % (header.rolling_size + 8);
        fxt_buffer_write_header(image, &header);
        image += FXT_BUFFER_HEADER_BYTES;
        room -= FXT_BUFFER_HEADER_BYTES;
    }
    memcpy(image, bytes, size < room ? size : room);
}

/* The part of the record is the one being read, and the record lies behind `from` in it. */
static void check_place(const struct fxt_salvage *salvage, const struct fxt_record *record,
                        uint64_t from)
{
    const struct fxt_buffer_part *part = &salvage->parts[salvage->part];
    uint64_t end = record->offset + 8 * (uint64_t)record->words;
    FUZZ_CHECK(salvage->part < salvage->part_count);
    FUZZ_CHECK(record->offset >= part->offset && record->offset >= from);
    FUZZ_CHECK(end <= part->offset + fxt_salvage_part_size(salvage, salvage->part));
    FUZZ_CHECK(record->bytes == salvage->bytes + record->offset);
    FUZZ_CHECK(record->type != FXT_RECORD_METADATA && record->words > 0);
}

/* The bytes of the records that the reader reads from the beginning of the part. */
static uint64_t first_records(const struct fxt_salvage *salvage, uint32_t i)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    uint64_t bytes = 0;
    fxt_reader_init(&reader, salvage->bytes + salvage->parts[i].offset,
                    fxt_salvage_part_size(salvage, i));
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK)
        bytes = record.offset + 8 * (uint64_t)record.words;
    return bytes;
}

static void check_image(const uint8_t *image, size_t size)
{
    struct fxt_salvage salvage;
    struct fxt_record record;
    struct fxt_error error;
    uint64_t from = 0, bytes = 0, room = 0, first = 0;
    uint32_t part = 0;
    if (fxt_salvage_init(&salvage, image, size, &error) != FXT_OK) {
        FUZZ_CHECK(error.rule >= FXT_RULE_BUF_01 && error.rule <= FXT_RULE_BUF_07);
        return;
    }
    while (fxt_salvage_next(&salvage, &record)) {
        check_place(&salvage, &record, salvage.part == part ? from : 0);
        from = record.offset + 8 * (uint64_t)record.words;
        part = salvage.part;
        bytes += 8 * (uint64_t)record.words;
    }
    for (uint32_t i = 0; i < salvage.part_count; i++) {
        room += fxt_salvage_part_size(&salvage, i);
        first += first_records(&salvage, i);
    }
    FUZZ_CHECK(bytes == salvage.record_bytes);
    FUZZ_CHECK(bytes + salvage.filler_bytes + salvage.metadata_bytes >= first);
    FUZZ_CHECK(bytes + salvage.filler_bytes + salvage.metadata_bytes + salvage.lost_bytes == room);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static uint8_t image[LARGE_BUFFER];
    if (size < HEAD || size > FUZZ_INPUT_MAX)
        return 0;
    size_t room = (bytes[5] & 1) != 0 ? LARGE_BUFFER : BUFFER;
    memset(image, 0, room);
    fill(image, room, bytes, bytes + HEAD, size - HEAD);
    check_image(image, room);
    return 0;
}
