/* The records of a buffer's image; see salvage.h. The invariant of struct fxt_salvage: all records in
   front of `reader`'s position in `span`, which ends at `at` or in front of it, have been given. */
#include "src/convert/salvage.h"

#include "src/chunk/chunk.h"

static bool is_durable(const struct fxt_salvage *salvage, uint32_t i)
{
    return i == 0 && salvage->header.buffering_mode != FXT_BUFFERING_ONESHOT;
}

uint64_t fxt_salvage_part_size(const struct fxt_salvage *salvage, uint32_t i)
{
    const struct fxt_buffer_part *part = &salvage->parts[i];
    bool older = i == 1 && salvage->header.wrapped_count > 0;
    if (part->size > 0 || (salvage->header.flags & FXT_BUFFER_ENDS_KEPT) != 0)
        return part->size;
    return older && salvage->header.buffering_mode == FXT_BUFFERING_STREAMING ? 0 : part->room;
}

enum fxt_status fxt_salvage_init(struct fxt_salvage *salvage, const uint8_t *bytes, uint64_t size,
                                 struct fxt_error *error)
{
    struct fxt_buffer_header header;
    if (fxt_buffer_read_header(&header, bytes, size, size, error) != FXT_OK)
        return FXT_MALFORMED;
    *salvage = (struct fxt_salvage){.header = header, .bytes = bytes};
    salvage->part_count = fxt_buffer_parts(salvage->parts, &header);
    fxt_reader_init(&salvage->reader, bytes, 0);
    return FXT_OK;
}

/* 0: the part has no chunks. */
static uint32_t chunk_bytes(const struct fxt_salvage *salvage, uint32_t part)
{
    bool is_kept = (salvage->header.flags & FXT_BUFFER_ENDS_KEPT) != 0;
    return is_kept && !is_durable(salvage, part) ? fxt_buffer_chunk_bytes(salvage->parts[part].room)
                                                 : 0;
}

/* Goes to the next span. */
static bool next_span(struct fxt_salvage *salvage)
{
    for (; salvage->part < salvage->part_count; salvage->part++, salvage->at = 0) {
        const struct fxt_buffer_part *part = &salvage->parts[salvage->part];
        uint64_t size = fxt_salvage_part_size(salvage, salvage->part);
        uint64_t before = salvage->at;
        if (fxt_buffer_salvage(&salvage->span, &salvage->at, salvage->bytes + part->offset, size,
                               chunk_bytes(salvage, salvage->part))) {
            salvage->lost_bytes += salvage->span.offset - before;
            salvage->span.offset += part->offset;
            fxt_reader_init(&salvage->reader, salvage->bytes + salvage->span.offset,
                            salvage->span.size);
            return true;
        }
        salvage->lost_bytes += size - before;
    }
    return false;
}

/* Whether the provider says something by it. */
static bool take(struct fxt_salvage *salvage, const struct fxt_record *record)
{
    uint64_t bytes = FXT_WORD_BYTES * (uint64_t)record->words;
    if (fxt_i_is_filler(record->header)) {
        salvage->filler_bytes += bytes;
        return false;
    }
    if (record->type == FXT_RECORD_METADATA) {
        salvage->metadata_count++;
        salvage->metadata_bytes += bytes;
        return false;
    }
    salvage->records++;
    salvage->record_bytes += bytes;
    return true;
}

bool fxt_salvage_next(struct fxt_salvage *salvage, struct fxt_record *record)
{
    struct fxt_error error;
    for (;;) {
        if (fxt_reader_next(&salvage->reader, record, &error) != FXT_OK) {
            salvage->lost_bytes += fxt_reader_rest(&salvage->reader); /* after a byte order mark */
            fxt_reader_init(&salvage->reader, salvage->bytes, 0);
            if (!next_span(salvage))
                return false;
            continue;
        }
        record->offset += salvage->span.offset;
        if (take(salvage, record))
            return true;
    }
}
