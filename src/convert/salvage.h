/* The records in the image of a provider's raw buffer, one by one: spec/system.md, section 1.

     fxt_salvage_init(&salvage, bytes, size, &error);   FXT_MALFORMED: BUF-01 to BUF-07
     while (fxt_salvage_next(&salvage, &record))
         the record, of which offset counts from the start of the image

   Metadata records are the manager's to write: they are no records of the provider, and fillers and
   heads of chunks, which are metadata records too, say nothing. All are left out and counted. The
   image must not change meanwhile. Not thread-safe. */
#ifndef FXT_CONVERT_SALVAGE_H
#define FXT_CONVERT_SALVAGE_H

#include <fxt/buffer.h>
#include <fxt/read.h>

struct fxt_salvage {
    struct fxt_buffer_header header;
    uint64_t records;        /* given so far */
    uint64_t record_bytes;   /* of these */
    uint64_t filler_bytes;   /* fillers and heads of chunks */
    uint64_t metadata_count; /* other metadata records */
    uint64_t metadata_bytes;
    uint64_t lost_bytes; /* in the parts that were read, and in no record */
    struct fxt_buffer_part parts[FXT_BUFFER_PARTS_MAX];
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

/* In the order of section 1.3; false when there are no more. The record points into the image; it is
   whole, but need not decode. */
bool fxt_salvage_next(struct fxt_salvage *salvage, struct fxt_record *record);

/* How many bytes of part i are read: up to its data end; up to its end when the data end is 0 and the
   buffer does not say that its data ends are kept (BUF-11). 0 for a half that a manager has saved. */
uint64_t fxt_salvage_part_size(const struct fxt_salvage *salvage, uint32_t i);

#endif
