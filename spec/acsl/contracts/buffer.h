/* The contracts of <fxt/buffer.h>. Only Frama-C reads this. */
#ifndef FXT_ACSL_CONTRACTS_BUFFER_H
#define FXT_ACSL_CONTRACTS_BUFFER_H

#include "spec/acsl/read.h"
#include "spec/acsl/buffer.h"

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
enum fxt_status fxt_buffer_sizes(struct fxt_buffer_header *out, uint64_t total_size, uint16_t buffering_mode);

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
enum fxt_status fxt_buffer_read_header(struct fxt_buffer_header *out, const uint8_t *bytes, uint64_t size, uint64_t total_size, struct fxt_error *error);

/*@ requires \valid_read(in) && \valid(bytes + (0 .. 127));
  @ requires \separated(in, bytes + (0 .. 127));
  @ requires in->buffering_mode <= 2 && in->flags <= 255;
  @ terminates \true;
  @ assigns bytes[0 .. 127];
  @ ensures magic: l_word(bytes) == 0x627566ee68656164;
  @ ensures says: buffer_says(bytes, in);
  @ ensures reserved: \forall integer i; 80 <= i < 128 ==> bytes[i] == 0;
  @*/
void fxt_buffer_write_header(uint8_t *bytes, const struct fxt_buffer_header *in);

/*@ // The part of those bytes.
  @ predicate buffer_part(struct fxt_buffer_part *p, integer offset, integer size, integer room) =
  @   p->offset == offset && p->size == size && p->room == room;
  @ predicate buffer_half(struct fxt_buffer_part *p, struct fxt_buffer_header *h, integer half) =
  @   buffer_part(p, 128 + h->durable_size + half * h->rolling_size, h->rolling_data_end[half],
  @     h->rolling_size);
  @*/

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
uint32_t fxt_buffer_parts(struct fxt_buffer_part out[FXT_BUFFER_PARTS_MAX], const struct fxt_buffer_header *in);

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures size: 64 <= \result <= 4096 && \result % 64 == 0;
  @ ensures one: 64 <= part_size ==> \result <= part_size;
  @*/
uint32_t fxt_buffer_chunk_bytes(uint64_t part_size);

/*@ // BUF-11: the size in bytes of the record at a place of a part; 0 where none begins or it does not fit.
  @ logic integer l_size_at(uint8_t *part, integer size, integer at) =
  @   size - at < 8 ? 0 : l_record_words(l_word(part + at)) <= (size - at) / 8 ?
  @     8 * l_record_words(l_word(part + at)) : 0;
  @ // The next chunk behind a place; the end of the part when there is none.
  @ logic integer l_next_chunk(integer size, integer chunk, integer at) =
  @   chunk == 0 ? size : at / chunk + 1 >= size / chunk ? size : (at / chunk + 1) * chunk;
  @ // The first record at or behind a place, in n steps.
  @ logic integer l_salvage_first(integer n, uint8_t *part, integer size, integer chunk, integer at) =
  @   n <= 0 ? at : l_size_at(part, size, at) != 0 || at >= size ? at :
  @     l_salvage_first(n - 1, part, size, chunk, l_next_chunk(size, chunk, at));
  @ // The end of the row of records that begins at a place, in n steps.
  @ logic integer l_salvage_end(integer n, uint8_t *part, integer size, integer at) =
  @   n <= 0 ? at : l_size_at(part, size, at) == 0 ? at :
  @     l_salvage_end(n - 1, part, size, at + l_size_at(part, size, at));
  @*/

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
  @ ensures first: \result == true ==> out->offset == l_salvage_first(part_size, part, part_size, chunk_bytes, \old(*at));
  @ ensures end: \result == true ==> out->offset + out->size == *at &&
  @     *at == l_salvage_end(part_size, part, part_size, out->offset);
  @ ensures all: \result == false <==>
  @     l_salvage_first(part_size, part, part_size, chunk_bytes, \old(*at)) >= part_size;
  @*/
bool fxt_buffer_salvage(struct fxt_buffer_span *out, uint64_t *at, const uint8_t *part, uint64_t part_size, uint32_t chunk_bytes);

#endif
