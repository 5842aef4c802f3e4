/* The memory that a trace provider and its manager share: how large its parts are, and the header
   that tells. See spec/system.md, section 1.

   The functions here are pure and thread-safe. They take bytes that nobody else changes: of shared
   memory, a copy. */
#ifndef FXT_BUFFER_H
#define FXT_BUFFER_H

#include <fxt/status.h>

#define FXT_BUFFER_MAGIC UINT64_C(0x627566ee68656164)
#define FXT_BUFFER_HEADER_BYTES 128
#define FXT_BUFFER_BYTES_MIN 4096
#define FXT_BUFFER_BYTES_MAX UINT64_C(4294967296)
#define FXT_BUFFER_DURABLE_MAX UINT64_C(4194304)

enum fxt_buffering_mode {
    FXT_BUFFERING_ONESHOT = 0,   /* until it is full */
    FXT_BUFFERING_CIRCULAR = 1,  /* the last of it */
    FXT_BUFFERING_STREAMING = 2, /* all of it, as long as the manager saves it in time */
};

/* A flag of a header: the data ends are kept while tracing runs. At every instant no record lies
   behind them, so that an end of 0 says that a part is empty. */
#define FXT_BUFFER_ENDS_KEPT 1

/* Sizes and ends in bytes. */
struct fxt_buffer_header {
    uint64_t total_size;
    uint64_t durable_size; /* 0 in oneshot mode */
    uint64_t rolling_size; /* of each half; of the one rolling part in oneshot mode */
    uint64_t durable_data_end;
    uint64_t rolling_data_end[2];
    uint64_t records_dropped;
    uint64_t definitions_inlined; /* that found no room in the durable part */
    uint32_t wrapped_count;
    uint16_t buffering_mode; /* enum fxt_buffering_mode */
    uint16_t flags;          /* at most 255: one byte of the header */
};

/* The parts of a buffer of total_size bytes, all else 0. Returns FXT_INVALID, with *out as it was,
   when the size is out of its limits or no multiple of 4096, or there is no such mode.
   Implements BUF-08. */
FXT_API enum fxt_status fxt_buffer_sizes(struct fxt_buffer_header *out, uint64_t total_size,
                                         uint16_t buffering_mode);

/* Decodes and validates the header of a buffer of total_size bytes, of which the first `size` are
   at `bytes`. Returns FXT_MALFORMED with the offset of the field and its rule, and *out as it was,
   for a buffer of which a manager must take nothing. Implements BUF-01 to BUF-07. */
FXT_API enum fxt_status fxt_buffer_read_header(struct fxt_buffer_header *out, const uint8_t *bytes,
                                               uint64_t size, uint64_t total_size,
                                               struct fxt_error *error);

/* Writes the 128 bytes of a header. */
FXT_API void fxt_buffer_write_header(uint8_t *bytes, const struct fxt_buffer_header *in);

#define FXT_BUFFER_PARTS_MAX 3

/* A part that holds records: its first byte in the buffer, how many bytes of it hold records, and
   how many it has room for. */
struct fxt_buffer_part {
    uint64_t offset;
    uint64_t size;
    uint64_t room;
};

/* The parts of a buffer with that header, in the order in which they are read: see section 1.3.
   Returns how many there are. */
FXT_API uint32_t fxt_buffer_parts(struct fxt_buffer_part out[FXT_BUFFER_PARTS_MAX],
                                  const struct fxt_buffer_header *in);

/* How large the chunks are of a rolling part of that many bytes: BUF-10. */
FXT_API uint32_t fxt_buffer_chunk_bytes(uint64_t part_size);

/* Records that were found in a part: whole ones, one behind the other. */
struct fxt_buffer_span {
    uint64_t offset; /* in the part */
    uint64_t size;
};

/* The next records at or behind *at, in a part of a provider that died or goes on writing: the bytes
   up to its data end where the ends are kept, else all of it. chunk_bytes: of a rolling part, or 0
   for the durable one.
   *at begins at 0 and moves behind what was found. False when there are no more; fillers count as
   records. Only sizes are looked at: read the span as any trace. Implements BUF-11. */
FXT_API bool fxt_buffer_salvage(struct fxt_buffer_span *out, uint64_t *at, const uint8_t *part,
                                uint64_t part_size, uint32_t chunk_bytes);

#ifdef __FRAMAC__
#include "spec/acsl/contracts/buffer.h"
#endif

#endif
