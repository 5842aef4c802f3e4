/* The records in the image of a provider's raw buffer, or in a copy from one, one by one:
   spec/system.md, section 1.

     fxt_salvage_init(&salvage, bytes, size, &error);   FXT_MALFORMED: BUF-01 to BUF-07
     while (fxt_salvage_next(&salvage, &record))
         the record, of which offset counts from the start of the image

   Metadata records are the manager's to write: they are no records of the provider, and fillers and
   heads of chunks, which are metadata records too, say nothing. All are left out and counted. The
   image must not change meanwhile. Not thread-safe. */
#ifndef FXT_CONVERT_SALVAGE_H
#define FXT_CONVERT_SALVAGE_H

#include <fxt/read.h>

#include "src/buffer/parts.h"

struct fxt_salvage {
    struct fxt_buffer_header header;
    uint64_t filler_bytes;   /* fillers and heads of chunks */
    uint64_t metadata_count; /* other metadata records */
    uint64_t metadata_bytes;
    uint64_t lost_bytes; /* in the parts that were read, and in no record */
    struct fxt_i_source parts[FXT_BUFFER_PARTS_MAX];
    uint32_t part_count;
    uint32_t part; /* the one that is being read */
    uint64_t at;   /* in that part: behind the span */
    struct fxt_buffer_span span;
    struct fxt_reader reader; /* in the span */
    const uint8_t *bytes;
};

/* size: of the whole buffer. FXT_OK; or FXT_MALFORMED, with the offset of the field and its rule. */
enum fxt_status fxt_salvage_init(struct fxt_salvage *salvage, const uint8_t *bytes, uint64_t size,
                                 struct fxt_error *error);

/* Of a copy of whole leases of a part; chunk_bytes is that of the part's source. */
void fxt_salvage_init_copy(struct fxt_salvage *salvage, const uint8_t *bytes, uint64_t size,
                           uint32_t chunk_bytes);

/* Goes to the next span, if there is one. */
bool fxt_i_salvage_span(struct fxt_salvage *salvage);

/* Whether a metadata or a large record is not the provider's; then it is counted. */
bool fxt_i_salvage_is_left_out(struct fxt_salvage *salvage, const struct fxt_record *record);

/* In the order of section 1.3; false when there are no more. The record points into the image; it is
   whole, but need not decode. */
static inline bool fxt_salvage_next(struct fxt_salvage *salvage, struct fxt_record *record)
{
    struct fxt_error error;
    for (;;) {
        if (fxt_reader_next(&salvage->reader, record, &error) != FXT_OK) {
            if (!fxt_i_salvage_span(salvage))
                return false;
            continue;
        }
        record->offset += salvage->span.offset;
        bool may_be_left_out =
            record->type == FXT_RECORD_METADATA || record->type == FXT_RECORD_LARGE;
        if (!may_be_left_out || !fxt_i_salvage_is_left_out(salvage, record))
            return true;
    }
}

/* Stores the record by which a trace says that the provider dropped records, which is one word. */
void fxt_salvage_drops(uint8_t *bytes, uint32_t provider_id);

#endif
