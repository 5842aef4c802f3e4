/* The contracts of <fxt/intern.h>. Only Frama-C reads this. */
#ifndef FXT_ACSL_CONTRACTS_INTERN_H
#define FXT_ACSL_CONTRACTS_INTERN_H

#include "spec/acsl/write.h"

/*@ // The interner's memory is there and apart, and the counts are within it. What the slots and
  @ // the text hold is not trusted.
  @ predicate fxt_interner_ok(struct fxt_interner *i) =
  @   i->slot_count <= 65536 && \valid(i->slots + (0 .. i->slot_count - 1)) &&
  @   writable(i->text, i->text_size) && i->text_used <= i->text_size &&
  @   i->string_count <= 32767 && i->string_max <= 32767 && i->thread_count <= 255 &&
  @   \separated(i, i->slots + (0 .. i->slot_count - 1)) &&
  @   \separated(i, i->text + (0 .. i->text_size - 1)) &&
  @   \separated(i->slots + (0 .. i->slot_count - 1), i->text + (0 .. i->text_size - 1));
  @ // At p stands the record that gives these bytes this index.
  @ predicate registers_string{In, Out}(uint8_t *p, integer index, uint8_t *bytes, integer length) =
  @   string_header{Out}(p, 1 + l_words_of(length), index, length) && stream_at{In, Out}(p + 8, bytes, length);
  @ predicate registers_thread{Out}(uint8_t *p, integer index, integer process, integer thread) =
  @   thread_header{Out}(p, 3, index) && word_at{Out}(p + 8, process) && word_at{Out}(p + 16, thread);
  @ // The slots that are taken, and their texts, are what they were.
  @ predicate strings_kept{T, B}(struct fxt_interner *i) =
  @   (\forall integer k; 0 <= k < \at(i->slot_count, B) && \at(i->slots[k].index, B) != 0 ==>
  @     \at(i->slots[k], T) == \at(i->slots[k], B)) &&
  @   (\forall integer j; 0 <= j < \at(i->text_used, B) ==> \at(i->text[j], T) == \at(i->text[j], B));
  @ // The text of slot k is these bytes.
  @ predicate slot_says{T, B}(struct fxt_interner *i, integer k, uint8_t *bytes, integer length) =
  @   \at(i->slots[k].length, T) == length &&
  @   \at(i->slots[k].offset, T) + length <= \at(i->text_size, T) &&
  @   \forall integer j; 0 <= j < length ==>
  @     \at(i->text[\at(i->slots[k].offset, T) + j], T) == \at(bytes[j], B);
  @ // Whether the writer is the one that the interner is bound to, or will be.
  @ predicate interner_of(struct fxt_interner *i, struct fxt_writer *w) =
  @   i->slot_count > 0 && (i->writer == \null || i->writer == w);
  @ // The interner and its memory, the writer and the free part of its memory, and the ref.
  @ predicate interner_apart(struct fxt_interner *i, struct fxt_writer *w) =
  @   \separated(w, i) && \separated(w, i->slots + (0 .. i->slot_count - 1)) &&
  @   \separated(w, i->text + (0 .. i->text_size - 1)) &&
  @   \separated(i, w->bytes + (w->size .. w->capacity - 1)) &&
  @   \separated(i->slots + (0 .. i->slot_count - 1), w->bytes + (w->size .. w->capacity - 1)) &&
  @   \separated(i->text + (0 .. i->text_size - 1), w->bytes + (w->size .. w->capacity - 1));
  @*/

/*@ requires \valid(interner) && \valid(slots + (0 .. slot_count - 1));
  @ requires writable(text, text_size);
  @ requires apart: \separated(interner, slots + (0 .. slot_count - 1)) &&
  @     \separated(interner, text + (0 .. text_size - 1)) &&
  @     \separated(slots + (0 .. slot_count - 1), text + (0 .. text_size - 1));
  @ terminates \true;
  @ assigns *interner, slots[0 .. slot_count - 1];
  @ ensures \result \in {FXT_OK, FXT_INVALID};
  @ ensures interner: fxt_interner_ok(interner);
  @ ensures failed: \result == FXT_INVALID ==> interner->slot_count == 0;
  @ ensures ok: \result == FXT_OK ==> interner->slots == slots &&
  @     interner->text == text && interner->slot_count == slot_count >= 2 &&
  @     interner->text_size == text_size && interner->policy == policy &&
  @     interner->writer == \null &&
  @     interner->string_count == 0 && interner->thread_count == 0 &&
  @     interner->strings_full == 0 && interner->threads_full == 0;
  @ ensures free: \result == FXT_OK ==> \forall integer k; 0 <= k < slot_count ==> slots[k].index == 0;
  @*/
enum fxt_status fxt_intern_init(struct fxt_interner *interner, struct fxt_intern_slot *slots, uint32_t slot_count, uint8_t *text, uint32_t text_size, enum fxt_intern_policy policy);

/*@ requires \valid(interner) && fxt_interner_ok(interner);
  @ terminates \true;
  @ assigns interner->string_count, interner->text_used, interner->strings_full;
  @ assigns interner->thread_count, interner->threads_full;
  @ assigns interner->slots[0 .. interner->slot_count - 1];
  @ ensures interner: fxt_interner_ok(interner);
  @ ensures strings: \old(interner->policy == FXT_INTERN_EVICT && interner->strings_full != 0)
  @     ? interner->string_count == 0 && interner->text_used == 0 && interner->strings_full == 0
  @     : interner->string_count == \old(interner->string_count) &&
  @       interner->text_used == \old(interner->text_used);
  @ ensures threads: interner->thread_count ==
  @     (\old(interner->policy == FXT_INTERN_EVICT && interner->threads_full != 0)
  @      ? 0 : \old(interner->thread_count));
  @ ensures free: \old(interner->policy == FXT_INTERN_EVICT && interner->strings_full != 0) ==>
  @     \forall integer k; 0 <= k < interner->slot_count ==> interner->slots[k].index == 0;
  @ ensures kept: !\old(interner->policy == FXT_INTERN_EVICT && interner->strings_full != 0) ==>
  @     strings_kept{Post, Pre}(interner);
  @*/
void fxt_intern_begin_record(struct fxt_interner *interner);

/*@ requires \valid(interner) && fxt_interner_ok(interner);
  @ requires \valid(writer) && fxt_writer_ok(writer) && interner_apart(interner, writer);
  @ requires given: stream_given(writer, bytes, length);
  @ requires apart: bytes != \null ==>
  @     \separated(bytes + (0 .. length - 1), interner->text + (0 .. interner->text_size - 1));
  @ requires ref: \valid(ref) && \separated(ref, interner, writer) &&
  @     \separated(ref, interner->slots + (0 .. interner->slot_count - 1));
  @ terminates \true;
  @ assigns *ref, interner->string_count, interner->text_used, interner->strings_full;
  @ assigns interner->writer, interner->slots[0 .. interner->slot_count - 1];
  @ assigns interner->text[0 .. interner->text_size - 1];
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures interner: fxt_interner_ok(interner);
  @ ensures writer: fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==> length > 32000 || (length > 0 && bytes == \null) ||
  @     !\old(interner_of(interner, writer));
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size) &&
  @     interner->string_count == \old(interner->string_count) &&
  @     interner->text_used == \old(interner->text_used);
  @ ensures grows: interner->string_count >= \old(interner->string_count);
  @ ensures ref: \result == FXT_OK ==> ref->ref <= 32767 ||
  @     (ref->ref == 32768 + length && ref->bytes == bytes);
  @ ensures says: \result == FXT_OK && length > 0 && ref->ref <= 32767 ==>
  @     \exists integer k; 0 <= k < interner->slot_count &&
  @       interner->slots[k].index == ref->ref && ref->ref != 0 &&
  @       slot_says{Post, Pre}(interner, k, bytes, length);
  @ ensures empty: \result == FXT_OK && length == 0 ==> ref->ref == 0;
  @ ensures known: interner->string_count == \old(interner->string_count) ==>
  @     writer->size == \old(writer->size);
  @*/
enum fxt_status fxt_intern_string(struct fxt_interner *interner, struct fxt_writer *writer, struct fxt_string_ref *ref, const uint8_t *bytes, size_t length);

/*@ requires \valid(interner) && fxt_interner_ok(interner);
  @ requires \valid(writer) && fxt_writer_ok(writer) && interner_apart(interner, writer);
  @ requires ref: \valid(ref) && \separated(ref, interner, writer);
  @ terminates \true;
  @ assigns *ref, interner->thread_count, interner->threads_full, interner->threads[0 .. 254];
  @ assigns interner->writer;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures interner: fxt_interner_ok(interner);
  @ ensures writer: fxt_writer_ok(writer);
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==> !\old(interner_of(interner, writer));
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size) &&
  @     interner->thread_count == \old(interner->thread_count);
  @ ensures grows: interner->thread_count >= \old(interner->thread_count);
  @ ensures ref: \result == FXT_OK && ref->ref == 0 ==>
  @     ref->process == process && ref->thread == thread;
  @ ensures says: \result == FXT_OK && ref->ref != 0 ==> ref->ref <= interner->thread_count &&
  @     interner->threads[ref->ref - 1].process == process && interner->threads[ref->ref - 1].thread == thread;
  @ ensures kept: \forall integer k; 0 <= k < \old(interner->thread_count) ==>
  @     interner->threads[k] == \old(interner->threads[k]);
  @ ensures registered: \result == FXT_OK && interner->thread_count != \old(interner->thread_count) ==>
  @     ref->ref == interner->thread_count == \old(interner->thread_count) + 1 &&
  @     writer->size == \old(writer->size) + 24 &&
  @     registers_thread(writer->bytes + \old(writer->size), ref->ref, process, thread);
  @ ensures known: interner->thread_count == \old(interner->thread_count) ==>
  @     writer->size == \old(writer->size);
  @*/
enum fxt_status fxt_intern_thread(struct fxt_interner *interner, struct fxt_writer *writer, struct fxt_thread_ref *ref, uint64_t process, uint64_t thread);

#endif
