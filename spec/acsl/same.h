/* The logic of round trips: when two things say the same, and when a record is canonical. Only
   annotations: the compiler sees nothing of it. */
#ifndef FXT_ACSL_SAME_H
#define FXT_ACSL_SAME_H

#include "spec/acsl/read.h"
#include "spec/acsl/write.h"

/*@ // Two streams of the same bytes.
  @ predicate same_bytes(uint8_t *a, uint8_t *b, integer size) =
  @   \forall integer k; 0 <= k < size ==> a[k] == b[k];
  @ // What was read (b) is what was written (a). An inline string of no bytes is read as the empty
  @ // string (STR-06).
  @ predicate same_string(uint8_t *a, integer ref, uint8_t *b, integer read) =
  @   read == l_string_wire(ref) && same_bytes(a, b, l_inline_length(ref));
  @ predicate same_thread(integer process, integer thread, integer ref, integer read_process,
  @                       integer read_thread, integer read) =
  @   read == ref && (ref == 0 ==> read_process == process && read_thread == thread);
  @
  @ // The record at r->bytes with the header w, of so many words, as the reader frames it.
  @ predicate framed(struct fxt_record *r, integer words) =
  @   r->words == words && \valid_read(r->bytes + (0 .. 8 * words - 1)) &&
  @   r->header == l_word(r->bytes) && r->type == l_record_header_type(r->header);
  @*/

/*@ // A writer's input (a) and what a decoder gives back (b).
  @ predicate same_blob(struct fxt_blob *a, struct fxt_blob *b) =
  @   same_string(a->name.bytes, a->name.ref, b->name.bytes, b->name.ref) &&
  @   b->payload.size == a->payload.size &&
  @   same_bytes(a->payload.bytes, b->payload.bytes, a->payload.size) &&
  @   b->blob_type == a->blob_type && b->tail.words == 0;
  @*/

/*@ // p is at the byte `from` of a. (A predicate, lest the prover puts one for the other.)
  @ predicate at_byte(uint8_t *p, uint8_t *a, integer from) = p == a + from;
  @ // The bytes of a and b from one place to another.
  @ predicate same_from(uint8_t *a, uint8_t *b, integer from, integer to) =
  @   \forall integer k; from <= k < to ==> a[k] == b[k];
  @ // A stream of `size` bytes at p is followed by zeros (REC-05).
  @ predicate padded(uint8_t *p, integer size) =
  @   \forall integer i; size <= i < 8 * l_words_of(size) ==> p[i] == 0;
  @ // A string ref as a writer writes it (STR-06), with the padding of its text at p.
  @ predicate canonical_string(uint8_t *p, integer wire) =
  @   wire != 32768 && padded(p, l_inline_length(wire));
  @*/

/*@ // Canonical records: what the writer writes, and nothing else.
  @ predicate canonical_blob(struct fxt_record *r) =
  @   formed_blob(r) && l_blob_header_reserved(r->header) == 0 &&
  @   l_blob_end(r->header) == r->words &&
  @   canonical_string(r->bytes + 8, l_blob_header_name(r->header)) &&
  @   padded(r->bytes + 8 * l_blob_payload(r->header), l_blob_header_payload_size(r->header));
  @*/

/*@ // What stands in these did not change.
  @ predicate kept_record{In, Out}(struct fxt_record *r) =
  @   \at(r->bytes, Out) == \at(r->bytes, In) && \at(r->header, Out) == \at(r->header, In) &&
  @   \at(r->words, Out) == \at(r->words, In) && \at(r->type, Out) == \at(r->type, In);
  @ predicate kept_writer{In, Out}(struct fxt_writer *w) =
  @   \at(w->bytes, Out) == \at(w->bytes, In) && \at(w->size, Out) == \at(w->size, In) &&
  @   \at(w->capacity, Out) == \at(w->capacity, In);
  @ predicate kept_blob{In, Out}(struct fxt_blob *a) =
  @   \at(a->name.bytes, Out) == \at(a->name.bytes, In) &&
  @   \at(a->name.ref, Out) == \at(a->name.ref, In) &&
  @   \at(a->payload.bytes, Out) == \at(a->payload.bytes, In) &&
  @   \at(a->payload.size, Out) == \at(a->payload.size, In) &&
  @   \at(a->blob_type, Out) == \at(a->blob_type, In);
  @*/

#endif
