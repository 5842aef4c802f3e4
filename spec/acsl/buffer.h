/* The logic of trace buffers: see spec/system.md. Only annotations: the compiler sees nothing of
   it. */
#ifndef FXT_ACSL_BUFFER_H
#define FXT_ACSL_BUFFER_H

#include "spec/acsl/word.h"

/*@ // BUF-08
  @ predicate buffer_size_ok(integer total) =
  @   4096 <= total <= 4294967296 && total % 4096 == 0;
  @ // BUF-06: the parts tile the buffer.
  @ predicate buffer_tiled(integer mode, integer total, integer durable, integer rolling) =
  @   rolling % 8 == 0 && durable % 8 == 0 &&
  @   (mode == 0 ==> durable == 0 && 128 + rolling == total) &&
  @   (mode != 0 ==> durable < rolling && 128 + durable + 2 * rolling == total);
  @ // BUF-07
  @ predicate buffer_end_inside(integer end, integer size) = end <= size && end % 8 == 0;
  @ // BUF-04 to BUF-07
  @ predicate buffer_formed(struct fxt_buffer_header *h) =
  @   h->buffering_mode <= 2 && h->flags <= 255 && h->total_size % 8 == 0 &&
  @   buffer_tiled(h->buffering_mode, h->total_size, h->durable_size, h->rolling_size) &&
  @   buffer_end_inside(h->durable_data_end, h->durable_size) &&
  @   buffer_end_inside(h->rolling_data_end[0], h->rolling_size) &&
  @   buffer_end_inside(h->rolling_data_end[1], h->rolling_size);
  @ // The same of the bytes of a header.
  @ logic integer l_buffer_mode(uint8_t *b) = l_word(b + 8) % 16777216 / 65536;
  @ predicate buffer_bytes_formed(uint8_t *b, integer total) =
  @   l_buffer_mode(b) <= 2 && total % 8 == 0 && l_word(b + 16) == total &&
  @   buffer_tiled(l_buffer_mode(b), total, l_word(b + 24), l_word(b + 32)) &&
  @   buffer_end_inside(l_word(b + 40), l_word(b + 24)) &&
  @   buffer_end_inside(l_word(b + 48), l_word(b + 32)) &&
  @   buffer_end_inside(l_word(b + 56), l_word(b + 32));
  @
  @ // BUF-01 to BUF-07
  @ predicate buffer_valid(uint8_t *b, integer size, integer total) =
  @   128 <= size && l_word(b) == 0x627566ee68656164 && l_word(b + 8) % 65536 == 0 &&
  @   buffer_bytes_formed(b, total);
  @
  @ // b at Out is what a was at In.
  @ predicate buffer_kept{In, Out}(struct fxt_buffer_header *a, struct fxt_buffer_header *b) =
  @   \at(b->total_size, Out) == \at(a->total_size, In) &&
  @   \at(b->durable_size, Out) == \at(a->durable_size, In) &&
  @   \at(b->rolling_size, Out) == \at(a->rolling_size, In) &&
  @   \at(b->durable_data_end, Out) == \at(a->durable_data_end, In) &&
  @   \at(b->rolling_data_end[0], Out) == \at(a->rolling_data_end[0], In) &&
  @   \at(b->rolling_data_end[1], Out) == \at(a->rolling_data_end[1], In) &&
  @   \at(b->records_dropped, Out) == \at(a->records_dropped, In) &&
  @   \at(b->definitions_inlined, Out) == \at(a->definitions_inlined, In) &&
  @   \at(b->flags, Out) == \at(a->flags, In) &&
  @   \at(b->wrapped_count, Out) == \at(a->wrapped_count, In) &&
  @   \at(b->buffering_mode, Out) == \at(a->buffering_mode, In);
  @
  @ // What stands in the bytes of a header.
  @ predicate buffer_says(uint8_t *b, struct fxt_buffer_header *h) =
  @   l_word(b) == 0x627566ee68656164 &&
  @   l_word(b + 8) % 16777216 == h->buffering_mode * 65536 &&
  @   l_word(b + 8) / 16777216 % 256 == h->flags &&
  @   l_word(b + 8) / 4294967296 == h->wrapped_count && l_word(b + 16) == h->total_size &&
  @   l_word(b + 24) == h->durable_size && l_word(b + 32) == h->rolling_size &&
  @   l_word(b + 40) == h->durable_data_end && l_word(b + 48) == h->rolling_data_end[0] &&
  @   l_word(b + 56) == h->rolling_data_end[1] && l_word(b + 64) == h->records_dropped &&
  @   l_word(b + 72) == h->definitions_inlined;
  @*/

#endif
