/* The records of a buffer's image; see salvage.h. The invariant of struct fxt_salvage: all records in
   front of `reader`'s position in `span`, which ends at `at` or in front of it, have been given. */
#include "src/convert/salvage.h"

#include "src/base/word.h"
#include "src/buffer/chunk.h"

/* The first lap that no manager has saved: in streaming mode, the engine sets the data end of a saved
   half to 0. */
static uint32_t next_lap(const struct fxt_buffer_header *header)
{
    uint32_t lap = header->wrapped_count;
    bool is_saved = header->buffering_mode == FXT_BUFFERING_STREAMING && lap > 0 &&
                    header->rolling_data_end[(lap - 1) % 2] == 0;
    return is_saved ? lap : 0;
}

enum fxt_status fxt_salvage_init(struct fxt_salvage *salvage, const uint8_t *bytes, uint64_t size,
                                 struct fxt_error *error)
{
    struct fxt_buffer_header header;
    if (fxt_buffer_read_header(&header, bytes, size, size, error) != FXT_OK)
        return FXT_MALFORMED;
    *salvage = (struct fxt_salvage){.header = header, .bytes = bytes};
    salvage->part_count = fxt_i_sources(salvage->parts, &header, true, next_lap(&header));
    fxt_reader_init(&salvage->reader, bytes, 0);
    return FXT_OK;
}

void fxt_salvage_init_copy(struct fxt_salvage *salvage, const uint8_t *bytes, uint64_t size,
                           uint32_t chunk_bytes)
{
    *salvage = (struct fxt_salvage){.bytes = bytes, .part_count = 1};
    salvage->parts[0] =
        (struct fxt_i_source){.size = size, .room = size, .chunk_bytes = chunk_bytes};
    fxt_reader_init(&salvage->reader, bytes, 0);
}

bool fxt_i_salvage_span(struct fxt_salvage *salvage)
{
    salvage->lost_bytes += fxt_reader_rest(&salvage->reader); /* after a byte order mark */
    for (; salvage->part < salvage->part_count; salvage->part++, salvage->at = 0) {
        const struct fxt_i_source *part = &salvage->parts[salvage->part];
        uint64_t before = salvage->at;
        if (fxt_buffer_salvage(&salvage->span, &salvage->at, salvage->bytes + part->offset,
                               part->size, part->chunk_bytes)) {
            salvage->lost_bytes += salvage->span.offset - before;
            salvage->span.offset += part->offset;
            fxt_reader_init(&salvage->reader, salvage->bytes + salvage->span.offset,
                            salvage->span.size);
            return true;
        }
        salvage->lost_bytes += part->size - before;
    }
    fxt_reader_init(&salvage->reader, salvage->bytes, 0);
    return false;
}

bool fxt_i_salvage_is_left_out(struct fxt_salvage *salvage, const struct fxt_record *record)
{
    uint64_t bytes = FXT_WORD_BYTES * (uint64_t)record->words;
    if (fxt_i_is_filler(record->header)) {
        salvage->filler_bytes += bytes;
        return true;
    }
    if (record->type != FXT_RECORD_METADATA)
        return false;
    salvage->metadata_count++;
    salvage->metadata_bytes += bytes;
    return true;
}

void fxt_salvage_drops(uint8_t *bytes, uint32_t provider_id)
{
    fxt_store_word(bytes, fxt_i_drops_record(provider_id));
}
