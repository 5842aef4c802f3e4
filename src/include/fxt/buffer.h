/* The buffer that a trace provider and its manager share: its header, the sizes of its parts, and
   the salvage of records after a crash. See spec/system.md, section 1.

   All functions are pure and thread-safe. Their input must not change while they run: copy shared
   memory first. */
#ifndef FXT_BUFFER_H
#define FXT_BUFFER_H

#include <fxt/status.h>

#define FXT_BUFFER_MAGIC UINT64_C(0x627566ee68656164)
#define FXT_BUFFER_HEADER_BYTES 128
#define FXT_BUFFER_BYTES_MIN 4096
#define FXT_BUFFER_BYTES_MAX UINT64_C(4294967296)
#define FXT_BUFFER_DURABLE_MAX UINT64_C(4194304)

enum fxt_buffering_mode {
    FXT_BUFFERING_ONESHOT = 0,   /* keeps the first records, until the buffer is full */
    FXT_BUFFERING_CIRCULAR = 1,  /* keeps the last records */
    FXT_BUFFERING_STREAMING = 2, /* keeps all records, if the manager saves them in time */
};

/* A flag of a header: the data ends are up to date while tracing runs. No record ever lies behind
   its data end, so a data end of 0 means that the part is empty. */
#define FXT_BUFFER_ENDS_KEPT 1

/* Sizes and ends in bytes. */
struct fxt_buffer_header {
    uint64_t total_size;
    uint64_t durable_size; /* 0 in oneshot mode */
    uint64_t rolling_size; /* of each half; of the one rolling part in oneshot mode */
    uint64_t durable_data_end;
    uint64_t rolling_data_end[2];
    uint64_t records_dropped;
    uint64_t definitions_inlined; /* for lack of room in the durable part */
    uint32_t wrapped_count;
    uint16_t buffering_mode; /* enum fxt_buffering_mode */
    uint16_t flags;          /* at most 255: one byte of the header */
};

/* Fills *out for a new buffer of total_size bytes: the sizes of its parts, and zeros. Returns
   FXT_INVALID and leaves *out alone if total_size is not a multiple of 4096 from
   FXT_BUFFER_BYTES_MIN to FXT_BUFFER_BYTES_MAX, or buffering_mode is undefined. Implements BUF-08.
   */
FXT_API enum fxt_status fxt_buffer_sizes(struct fxt_buffer_header *out, uint64_t total_size,
                                         uint16_t buffering_mode);

/* Decodes and validates the header of a buffer of total_size bytes. The first `size` bytes of the
   buffer are at `bytes`. Returns FXT_MALFORMED, with the offset of the field and the rule that it
   breaks, and leaves *out alone if the header is invalid: then a manager takes nothing from the
   buffer. `out`, `error` and the bytes do not overlap. Implements BUF-01 to BUF-07. */
FXT_API enum fxt_status fxt_buffer_read_header(struct fxt_buffer_header *out, const uint8_t *bytes,
                                               uint64_t size, uint64_t total_size,
                                               struct fxt_error *error);

/* Writes a header to the FXT_BUFFER_HEADER_BYTES bytes at `bytes`, which do not overlap `in`. The
   mode of `in` is one of enum fxt_buffering_mode, and its flags are at most 255. */
FXT_API void fxt_buffer_write_header(uint8_t *bytes, const struct fxt_buffer_header *in);

#define FXT_BUFFER_PARTS_MAX 3

/* A part of a buffer. All in bytes. */
struct fxt_buffer_part {
    uint64_t offset; /* in the buffer */
    uint64_t size;   /* up to its data end */
    uint64_t room;   /* of the whole part */
};

/* Lists the parts of a buffer in the order in which they are read (section 1.3). `in` is what
   fxt_buffer_sizes or fxt_buffer_read_header filled. Returns the number of parts. */
FXT_API uint32_t fxt_buffer_parts(struct fxt_buffer_part out[FXT_BUFFER_PARTS_MAX],
                                  const struct fxt_buffer_header *in);

/* Returns the chunk size of a rolling part of part_size bytes. Implements BUF-10. */
FXT_API uint32_t fxt_buffer_chunk_bytes(uint64_t part_size);

/* Adjacent whole records of a part. Both in bytes. */
struct fxt_buffer_span {
    uint64_t offset; /* in the part */
    uint64_t size;
};

/* Finds the next span of records of a part whose provider died or is still writing. Start with
   *at = 0; each call moves *at behind the span. Returns false if there are no more records.

   part, part_size: the part up to its data end if the data ends are kept, else the whole part
   chunk_bytes: fxt_buffer_chunk_bytes of a rolling part's room; 0 for the durable part, and if the
                data ends are not kept

   `out`, `at` and the part do not overlap. The part has at most INT64_MAX bytes.
   The function looks at the sizes of records only. Fillers and heads of leases count as records.
   Read a span as you read a trace. Implements BUF-11. */
FXT_API bool fxt_buffer_salvage(struct fxt_buffer_span *out, uint64_t *at, const uint8_t *part,
                                uint64_t part_size, uint32_t chunk_bytes);

#ifdef __FRAMAC__
#include "spec/acsl/contracts/buffer.h"
#endif

#endif
