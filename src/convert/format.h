/* A trace rewritten: every record canonical (CAN-01), and large records left out or cut if wanted.

     fxt_format_init(&format, &out, &tables, FXT_FORMAT_LARGE_BLOBS, scratch, size);
     for each record that fxt_reader_next gives:
         fxt_tables_apply(&tables, &record, &error);
         fxt_format_record(&format, &record);

   A record that is canonical is copied. Another one is decoded and written again: reserved bits and
   padding become 0, tails are dropped, an inline string of length 0 becomes ref 0. What the writer
   cannot say (unknown types, values that are not defined) is copied as it is. A record that does not
   decode is left out.

   FXT_FORMAT_LARGE_BLOBS: a large blob becomes blob records of type 1 (data) and at most 32760 bytes,
   named CATEGORY/NAME#N, where N counts the large blobs of the file from 1. Their payloads in this
   order are the payload. In front of them the metadata of blob format 0 becomes an instant event of
   the same time, thread, category, name and arguments, and one more argument, the string "blob": the
   name of the blob records. Without room for it (15 arguments), or for all of them in one record, the
   event has those that find room. CATEGORY and NAME are cut at 200 bytes each. Other large records
   are left out.

   No I/O, no allocation. Not thread-safe. */
#ifndef FXT_CONVERT_FORMAT_H
#define FXT_CONVERT_FORMAT_H

#include <fxt/tables.h>

#include "src/convert/out.h"

enum fxt_format_large {
    FXT_FORMAT_LARGE_KEEP,
    FXT_FORMAT_LARGE_DROP,
    FXT_FORMAT_LARGE_BLOBS,
};

#define FXT_FORMAT_SCRATCH_MIN 32768u

struct fxt_format {
    struct fxt_out *out;
    const struct fxt_tables *tables;
    uint8_t *scratch;
    uint64_t scratch_size;
    uint64_t rewritten; /* records that were not canonical and are now */
    uint64_t as_it_is;  /* records that are not canonical still */
    uint64_t malformed; /* left out */
    uint64_t large_dropped;
    uint64_t large_cut;
    uint64_t pieces;   /* blob records that large blobs were cut into */
    uint64_t no_room;  /* arguments of large blobs that were left out */
    uint64_t no_event; /* large blobs whose names no event has room for */
    enum fxt_format_large large;
};

/* scratch: FXT_FORMAT_SCRATCH_MIN bytes at least; as many as the largest record, if large ones are
   kept. tables: those of the records, for the names of large blobs. Both must live as long as
   `format`. */
void fxt_format_init(struct fxt_format *format, struct fxt_out *out,
                     const struct fxt_tables *tables, enum fxt_format_large large, uint8_t *scratch,
                     uint64_t scratch_size);

/* Writes what becomes of the record. FXT_MALFORMED when it does not decode and is left out; FXT_FULL,
   and nothing is done, when scratch is smaller than the record. */
enum fxt_status fxt_format_record(struct fxt_format *format, const struct fxt_record *record);

#endif
