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

#ifdef __FRAMAC__
#include "spec/acsl/buffer.h"
#endif

/* The parts of a buffer of total_size bytes, all else 0. Returns FXT_INVALID, with *out as it was,
   when the size is out of its limits or no multiple of 4096, or there is no such mode.
   Implements BUF-08. */
/*@ requires \valid(out);
  @ terminates \true;
  @ assigns *out;
  @ ensures status: \result \in {FXT_OK, FXT_INVALID};
  @ ensures ok: \result == FXT_OK <==> buffer_size_ok(total_size) && buffering_mode <= 2;
  @ ensures sizes: \result == FXT_OK ==> buffer_formed(out) && out->total_size == total_size &&
  @     out->buffering_mode == buffering_mode;
  @ ensures durable: \result == FXT_OK ==> out->durable_size ==
  @     (buffering_mode == 0 ? 0 : total_size / 8 < 4194304 ? total_size / 8 : 4194304);
  @ ensures empty: \result == FXT_OK ==> out->wrapped_count == 0 && out->records_dropped == 0 &&
  @     out->definitions_inlined == 0 && out->flags == 0 &&
  @     out->durable_data_end == 0 && out->rolling_data_end[0] == 0 &&
  @     out->rolling_data_end[1] == 0;
  @ ensures kept: \result != FXT_OK ==> buffer_kept{Pre, Post}(out, out);
  @*/
FXT_API enum fxt_status fxt_buffer_sizes(struct fxt_buffer_header *out, uint64_t total_size,
                                         uint16_t buffering_mode);

/* Decodes and validates the header of a buffer of total_size bytes, of which the first `size` are
   at `bytes`. Returns FXT_MALFORMED with the offset of the field and its rule, and *out as it was,
   for a buffer of which a manager must take nothing. Implements BUF-01 to BUF-07. */
/*@ requires \valid(out) && \valid(error) && \valid_read(bytes + (0 .. size - 1));
  @ requires \separated(out, error, bytes + (0 .. size - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures status: \result \in {FXT_OK, FXT_MALFORMED};
  @ ensures valid: \result == FXT_OK <==> buffer_valid{Pre}(bytes, size, total_size);
  @ ensures formed: \result == FXT_OK ==> buffer_formed(out) &&
  @     out->total_size == total_size;
  @ ensures says: \result == FXT_OK ==> buffer_says(bytes, out);
  @ ensures kept: \result != FXT_OK ==> buffer_kept{Pre, Post}(out, out);
  @ ensures error: \result != FXT_OK ==> error->status == FXT_MALFORMED && error->offset < 128 &&
  @     FXT_RULE_BUF_01 <= error->rule <= FXT_RULE_BUF_07;
  @*/
FXT_API enum fxt_status fxt_buffer_read_header(struct fxt_buffer_header *out, const uint8_t *bytes,
                                               uint64_t size, uint64_t total_size,
                                               struct fxt_error *error);

/* Writes the 128 bytes of a header. */
/*@ requires \valid_read(in) && \valid(bytes + (0 .. 127));
  @ requires \separated(in, bytes + (0 .. 127));
  @ requires in->buffering_mode <= 2 && in->flags <= 255;
  @ terminates \true;
  @ assigns bytes[0 .. 127];
  @ ensures magic: l_word(bytes) == 0x627566ee68656164;
  @ ensures says: buffer_says(bytes, in);
  @*/
FXT_API void fxt_buffer_write_header(uint8_t *bytes, const struct fxt_buffer_header *in);

#define FXT_BUFFER_PARTS_MAX 3

/* A part that holds records: its first byte in the buffer, how many bytes of it hold records, and
   how many it has room for. */
struct fxt_buffer_part {
    uint64_t offset;
    uint64_t size;
    uint64_t room;
};

/*@ // The part of those bytes.
  @ predicate buffer_part(struct fxt_buffer_part *p, integer offset, integer size, integer room) =
  @   p->offset == offset && p->size == size && p->room == room;
  @ predicate buffer_half(struct fxt_buffer_part *p, struct fxt_buffer_header *h, integer half) =
  @   buffer_part(p, 128 + h->durable_size + half * h->rolling_size, h->rolling_data_end[half],
  @     h->rolling_size);
  @*/

/* The parts of a buffer with that header, in the order in which they are read: see section 1.3.
   Returns how many there are. */
/*@ requires \valid_read(in) && buffer_formed(in);
  @ requires \valid(out + (0 .. 2)) && \separated(in, out + (0 .. 2));
  @ terminates \true;
  @ assigns out[0 .. 2];
  @ ensures oneshot: in->buffering_mode == 0 ==> \result == 1 && buffer_half(out, in, 0);
  @ ensures durable: in->buffering_mode != 0 ==> 2 <= \result <= 3 &&
  @     buffer_part(out, 128, in->durable_data_end, in->durable_size);
  @ ensures first: in->buffering_mode != 0 && in->wrapped_count == 0 ==> \result == 2 &&
  @     buffer_half(out + 1, in, 0);
  @ ensures both: in->buffering_mode != 0 && in->wrapped_count > 0 ==> \result == 3 &&
  @     buffer_half(out + 1, in, 1 - in->wrapped_count % 2) &&
  @     buffer_half(out + 2, in, in->wrapped_count % 2);
  @*/
FXT_API uint32_t fxt_buffer_parts(struct fxt_buffer_part out[FXT_BUFFER_PARTS_MAX],
                                  const struct fxt_buffer_header *in);

/* How large the chunks are of a rolling part of that many bytes: BUF-10. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures size: 64 <= \result <= 4096 && \result % 64 == 0;
  @ ensures one: 64 <= part_size ==> \result <= part_size;
  @*/
FXT_API uint32_t fxt_buffer_chunk_bytes(uint64_t part_size);

/* Records that were found in a part: whole ones, one behind the other. */
struct fxt_buffer_span {
    uint64_t offset; /* in the part */
    uint64_t size;
};

/* The next records at or behind *at, in a part of a provider that died or goes on writing: the bytes
   up to its data end where the ends are kept, else all of it. chunk_bytes: of a rolling part, or 0 for the durable one.
   *at begins at 0 and moves behind what was found. False when there are no more; fillers count as
   records. Only sizes are looked at: read the span as any trace. Implements BUF-11. */
/*@ requires \valid_read(part + (0 .. part_size - 1)) && part_size <= 9223372036854775807;
  @ requires \valid(out) && \valid(at) && \separated(out, at, part + (0 .. part_size - 1));
  @ requires 0 <= *at && chunk_bytes <= 4096 && chunk_bytes % 8 == 0;
  @ terminates \true;
  @ assigns *out, *at;
  @ ensures none: \result == false ==> *at == part_size || *at == \old(*at);
  @ ensures found: \result == true ==> \old(*at) <= out->offset && 8 <= out->size &&
  @     out->offset + out->size <= *at <= part_size;
  @ ensures words: \result == true && \old(*at) % 8 == 0 && part_size % 8 == 0 ==>
  @     out->offset % 8 == 0 && out->size % 8 == 0;
  @*/
FXT_API bool fxt_buffer_salvage(struct fxt_buffer_span *out, uint64_t *at, const uint8_t *part,
                                uint64_t part_size, uint32_t chunk_bytes);

#endif
