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
  @ predicate same_arg(struct fxt_arg *a, struct fxt_arg *b) =
  @   b->type == a->type && same_string(a->name.bytes, a->name.ref, b->name.bytes, b->name.ref) &&
  @   ((1 <= a->type <= 5 || 7 <= a->type <= 9) ==> b->value == a->value) &&
  @   (a->type == 6 ==> same_string(a->text.bytes, a->text.ref, b->text.bytes, b->text.ref)) &&
  @   (a->type == 10 ==> b->blob.size == a->blob.size &&
  @     same_bytes(a->blob.bytes, b->blob.bytes, a->blob.size)) &&
  @   b->tail.words == 0;
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

/*@ // Metadata records.
  @ predicate same_provider_info{In, Out}(struct fxt_provider_info *a, struct fxt_provider_info
  @   *b) =
  @   \at(b->provider_id, Out) == \at(a->provider_id, In) &&
  @   \at(b->name.size, Out) == \at(a->name.size, In) && same_bytes{Out}(\at(a->name.bytes, In),
  @   \at(b->name.bytes, Out), \at(a->name.size, In)) && \at(b->tail.words, Out) == 0;
  @ predicate canonical_provider_info(struct fxt_record *r) =
  @   formed_provider_info(r) && l_provider_info_header_reserved(r->header) == 0 &&
  @   l_provider_info_end(r) == r->words &&
  @   padded(r->bytes + 8, l_provider_info_header_name_length(r->header));
  @ predicate kept_provider_info{In, Out}(struct fxt_provider_info *a) =
  @   \at(a->provider_id, Out) == \at(a->provider_id, In) &&
  @   \at(a->name.bytes, Out) == \at(a->name.bytes, In) &&
  @   \at(a->name.size, Out) == \at(a->name.size, In);
  @
  @ predicate same_provider_section{In, Out}(struct fxt_provider_section *a, struct
  @   fxt_provider_section *b) =
  @   \at(b->provider_id, Out) == \at(a->provider_id, In) && \at(b->tail.words, Out) == 0;
  @ predicate canonical_provider_section(struct fxt_record *r) =
  @   formed_provider_section(r) && l_provider_section_header_reserved(r->header) == 0 &&
  @   1 == r->words;
  @ predicate kept_provider_section{In, Out}(struct fxt_provider_section *a) =
  @   \at(a->provider_id, Out) == \at(a->provider_id, In);
  @
  @ predicate same_provider_event{In, Out}(struct fxt_provider_event *a, struct fxt_provider_event
  @   *b) =
  @   \at(b->provider_id, Out) == \at(a->provider_id, In) &&
  @   \at(b->event_id, Out) == \at(a->event_id, In) && \at(b->tail.words, Out) == 0;
  @ predicate canonical_provider_event(struct fxt_record *r) =
  @   formed_provider_event(r) && l_provider_event_header_reserved(r->header) == 0 &&
  @   1 == r->words;
  @ predicate kept_provider_event{In, Out}(struct fxt_provider_event *a) =
  @   \at(a->provider_id, Out) == \at(a->provider_id, In) &&
  @   \at(a->event_id, Out) == \at(a->event_id, In);
  @*/

/*@ // Initialization, string and thread records.
  @ predicate same_initialization{In, Out}(struct fxt_initialization *a, struct fxt_initialization
  @   *b) =
  @   \at(b->ticks_per_second, Out) == \at(a->ticks_per_second, In) &&
  @   \at(b->tail.words, Out) == 0;
  @ predicate canonical_initialization(struct fxt_record *r) =
  @   formed_initialization(r) && l_initialization_header_reserved(r->header) == 0 &&
  @   2 == r->words && l_word(r->bytes + 8) > 0;
  @ predicate kept_initialization{In, Out}(struct fxt_initialization *a) =
  @   \at(a->ticks_per_second, Out) == \at(a->ticks_per_second, In);
  @
  @ predicate same_string_record{In, Out}(struct fxt_string *a, struct fxt_string *b) =
  @   \at(b->index, Out) == \at(a->index, In) &&
  @   \at(b->value.size, Out) == \at(a->value.size, In) && same_bytes{Out}(\at(a->value.bytes,
  @   In), \at(b->value.bytes, Out), \at(a->value.size, In)) && \at(b->tail.words, Out) == 0;
  @ predicate canonical_string_record(struct fxt_record *r) =
  @   formed_string(r) && l_string_header_reserved(r->header) == 0 &&
  @   l_string_end(r) == r->words && l_string_header_index(r->header) > 0 &&
  @   padded(r->bytes + 8, l_string_header_length(r->header));
  @ predicate kept_string{In, Out}(struct fxt_string *a) =
  @   \at(a->index, Out) == \at(a->index, In) &&
  @   \at(a->value.bytes, Out) == \at(a->value.bytes, In) &&
  @   \at(a->value.size, Out) == \at(a->value.size, In);
  @
  @ predicate same_thread_record{In, Out}(struct fxt_thread *a, struct fxt_thread *b) =
  @   \at(b->index, Out) == \at(a->index, In) && \at(b->process, Out) == \at(a->process, In) &&
  @   \at(b->thread, Out) == \at(a->thread, In) && \at(b->tail.words, Out) == 0;
  @ predicate canonical_thread_record(struct fxt_record *r) =
  @   formed_thread(r) && l_thread_header_reserved(r->header) == 0 && 3 == r->words &&
  @   l_thread_header_index(r->header) > 0;
  @ predicate kept_thread{In, Out}(struct fxt_thread *a) =
  @   \at(a->index, Out) == \at(a->index, In) && \at(a->process, Out) == \at(a->process, In) &&
  @   \at(a->thread, Out) == \at(a->thread, In);
  @*/

/*@ // Legacy context switches.
  @ predicate same_legacy_switch{In, Out}(struct fxt_legacy_switch *a, struct fxt_legacy_switch
  @   *b) =
  @   \at(b->timestamp, Out) == \at(a->timestamp, In) && \at(b->cpu, Out) == \at(a->cpu, In) &&
  @   \at(b->outgoing_state, Out) == \at(a->outgoing_state, In) &&
  @   \at(b->outgoing_priority, Out) == \at(a->outgoing_priority, In) &&
  @   \at(b->incoming_priority, Out) == \at(a->incoming_priority, In) &&
  @   same_thread(\at(a->outgoing.process, In), \at(a->outgoing.thread, In), \at(a->outgoing.ref,
  @   In), \at(b->outgoing.process, Out), \at(b->outgoing.thread, Out), \at(b->outgoing.ref, Out))
  @   && same_thread(\at(a->incoming.process, In), \at(a->incoming.thread, In),
  @   \at(a->incoming.ref, In), \at(b->incoming.process, Out), \at(b->incoming.thread, Out),
  @   \at(b->incoming.ref, Out)) && \at(b->tail.words, Out) == 0;
  @ predicate canonical_legacy_switch(struct fxt_record *r) =
  @   formed_legacy_switch(r) && l_legacy_switch_header_reserved(r->header) == 0 &&
  @   l_legacy_switch_end(r->header) == r->words &&
  @   l_legacy_switch_header_outgoing_state(r->header) <= 5;
  @ predicate kept_legacy_switch{In, Out}(struct fxt_legacy_switch *a) =
  @   \at(a->timestamp, Out) == \at(a->timestamp, In) && \at(a->cpu, Out) == \at(a->cpu, In) &&
  @   \at(a->outgoing_state, Out) == \at(a->outgoing_state, In) &&
  @   \at(a->outgoing_priority, Out) == \at(a->outgoing_priority, In) &&
  @   \at(a->incoming_priority, Out) == \at(a->incoming_priority, In) &&
  @   \at(a->outgoing.process, Out) == \at(a->outgoing.process, In) &&
  @   \at(a->outgoing.thread, Out) == \at(a->outgoing.thread, In) &&
  @   \at(a->outgoing.ref, Out) == \at(a->outgoing.ref, In) &&
  @   \at(a->incoming.process, Out) == \at(a->incoming.process, In) &&
  @   \at(a->incoming.thread, Out) == \at(a->incoming.thread, In) &&
  @   \at(a->incoming.ref, Out) == \at(a->incoming.ref, In);
  @*/

/*@ // Log records.
  @ predicate same_log{In, Out}(struct fxt_log *a, struct fxt_log *b) =
  @   \at(b->timestamp, Out) == \at(a->timestamp, In) && same_thread(\at(a->thread.process, In),
  @   \at(a->thread.thread, In), \at(a->thread.ref, In), \at(b->thread.process, Out),
  @   \at(b->thread.thread, Out), \at(b->thread.ref, Out)) &&
  @   \at(b->message.size, Out) == \at(a->message.size, In) &&
  @   same_bytes{Out}(\at(a->message.bytes, In), \at(b->message.bytes, Out), \at(a->message.size,
  @   In)) && \at(b->tail.words, Out) == 0;
  @ predicate canonical_log(struct fxt_record *r) =
  @   formed_log(r) && l_log_header_reserved(r->header) == 0 &&
  @   l_log_end(r->header) == r->words &&
  @   padded(r->bytes + 8 * l_log_message(r->header), l_log_header_length(r->header));
  @ predicate kept_log{In, Out}(struct fxt_log *a) =
  @   \at(a->timestamp, Out) == \at(a->timestamp, In) &&
  @   \at(a->thread.process, Out) == \at(a->thread.process, In) &&
  @   \at(a->thread.thread, Out) == \at(a->thread.thread, In) &&
  @   \at(a->thread.ref, Out) == \at(a->thread.ref, In) &&
  @   \at(a->message.bytes, Out) == \at(a->message.bytes, In) &&
  @   \at(a->message.size, Out) == \at(a->message.size, In);
  @*/

/*@ // Profiler records.
  @ predicate same_mmap{In, Out}(struct fxt_mmap *a, struct fxt_mmap *b) =
  @   \at(b->timestamp, Out) == \at(a->timestamp, In) &&
  @   \at(b->start_address, Out) == \at(a->start_address, In) &&
  @   \at(b->address_range, Out) == \at(a->address_range, In) &&
  @   \at(b->vaddr, Out) == \at(a->vaddr, In) &&
  @   \at(b->module_id, Out) == \at(a->module_id, In) &&
  @   \at(b->flags, Out) == \at(a->flags, In) && same_thread(\at(a->thread.process, In),
  @   \at(a->thread.thread, In), \at(a->thread.ref, In), \at(b->thread.process, Out),
  @   \at(b->thread.thread, Out), \at(b->thread.ref, Out)) && \at(b->tail.words, Out) == 0;
  @ predicate canonical_mmap(struct fxt_record *r) =
  @   formed_mmap(r) && l_mmap_header_reserved(r->header) == 0 &&
  @   l_profiler_body(r->header) + 3 == r->words;
  @ predicate kept_mmap{In, Out}(struct fxt_mmap *a) =
  @   \at(a->timestamp, Out) == \at(a->timestamp, In) &&
  @   \at(a->start_address, Out) == \at(a->start_address, In) &&
  @   \at(a->address_range, Out) == \at(a->address_range, In) &&
  @   \at(a->vaddr, Out) == \at(a->vaddr, In) &&
  @   \at(a->module_id, Out) == \at(a->module_id, In) &&
  @   \at(a->flags, Out) == \at(a->flags, In) &&
  @   \at(a->thread.process, Out) == \at(a->thread.process, In) &&
  @   \at(a->thread.thread, Out) == \at(a->thread.thread, In) &&
  @   \at(a->thread.ref, Out) == \at(a->thread.ref, In);
  @
  @ predicate same_backtrace{In, Out}(struct fxt_backtrace *a, struct fxt_backtrace *b) =
  @   \at(b->timestamp, Out) == \at(a->timestamp, In) && same_thread(\at(a->thread.process, In),
  @   \at(a->thread.thread, In), \at(a->thread.ref, In), \at(b->thread.process, Out),
  @   \at(b->thread.thread, Out), \at(b->thread.ref, Out)) &&
  @   \at(b->frames.size, Out) == \at(a->frames.size, In) && same_bytes{Out}(\at(a->frames.bytes,
  @   In), \at(b->frames.bytes, Out), \at(a->frames.size, In)) &&
  @   \at(b->frame_count, Out) == \at(a->frames.size, In) / 8 && \at(b->tail.words, Out) == 0;
  @ predicate canonical_backtrace(struct fxt_record *r) =
  @   formed_backtrace(r) && l_backtrace_header_reserved(r->header) == 0 &&
  @   l_backtrace_end(r->header) == r->words && padded(r->bytes + 8 * l_profiler_body(r->header),
  @   8 * l_backtrace_header_frame_count(r->header));
  @ predicate kept_backtrace{In, Out}(struct fxt_backtrace *a) =
  @   \at(a->timestamp, Out) == \at(a->timestamp, In) &&
  @   \at(a->thread.process, Out) == \at(a->thread.process, In) &&
  @   \at(a->thread.thread, Out) == \at(a->thread.thread, In) &&
  @   \at(a->thread.ref, Out) == \at(a->thread.ref, In) &&
  @   \at(a->frames.bytes, Out) == \at(a->frames.bytes, In) &&
  @   \at(a->frames.size, Out) == \at(a->frames.size, In);
  @
  @ predicate same_module{In, Out}(struct fxt_module *a, struct fxt_module *b) =
  @   \at(b->timestamp, Out) == \at(a->timestamp, In) &&
  @   \at(b->module_id, Out) == \at(a->module_id, In) && same_thread(\at(a->thread.process, In),
  @   \at(a->thread.thread, In), \at(a->thread.ref, In), \at(b->thread.process, Out),
  @   \at(b->thread.thread, Out), \at(b->thread.ref, Out)) &&
  @   \at(b->name.size, Out) == \at(a->name.size, In) && same_bytes{Out}(\at(a->name.bytes, In),
  @   \at(b->name.bytes, Out), \at(a->name.size, In)) &&
  @   \at(b->build_id.size, Out) == \at(a->build_id.size, In) &&
  @   same_bytes{Out}(\at(a->build_id.bytes, In), \at(b->build_id.bytes, Out),
  @   \at(a->build_id.size, In)) && \at(b->tail.words, Out) == 0;
  @ predicate canonical_module(struct fxt_record *r) =
  @   formed_module(r) && l_module_header_reserved(r->header) == 0 &&
  @   l_module_end(r->header) == r->words && padded(r->bytes + 8 * l_profiler_body(r->header),
  @   l_module_header_name_length(r->header)) && padded(r->bytes + 8 *
  @   l_module_build_id(r->header), l_module_header_build_id_length(r->header));
  @ predicate kept_module{In, Out}(struct fxt_module *a) =
  @   \at(a->timestamp, Out) == \at(a->timestamp, In) &&
  @   \at(a->module_id, Out) == \at(a->module_id, In) &&
  @   \at(a->thread.process, Out) == \at(a->thread.process, In) &&
  @   \at(a->thread.thread, Out) == \at(a->thread.thread, In) &&
  @   \at(a->thread.ref, Out) == \at(a->thread.ref, In) &&
  @   \at(a->name.bytes, Out) == \at(a->name.bytes, In) &&
  @   \at(a->name.size, Out) == \at(a->name.size, In) &&
  @   \at(a->build_id.bytes, Out) == \at(a->build_id.bytes, In) &&
  @   \at(a->build_id.size, Out) == \at(a->build_id.size, In);
  @*/

/*@ // An argument as a writer writes it: a type of the format, no bits and no words that it does
  @ // not use, refs as they are written, zeros behind its texts.
  @ predicate canonical_arg_word(integer w) =
  @   l_arg_header_type(w) <= 10 && l_arg_end(w) == l_arg_header_size(w) &&
  @   (l_arg_header_type(w) == 0 || l_arg_own_words(l_arg_header_type(w)) > 0 ==>
  @     l_arg_plain_header_reserved(w) == 0) &&
  @   (l_arg_header_type(w) == 6 ==> l_arg_string_header_reserved(w) == 0) &&
  @   (l_arg_header_type(w) == 9 ==> l_arg_bool_header_reserved(w) == 0) &&
  @   (l_arg_header_type(w) == 10 ==> l_arg_blob_header_payload_size(w) <= 32760);
  @ predicate canonical_arg(uint8_t *p) =
  @   canonical_arg_word(l_word(p)) && canonical_string(p + 8, l_arg_header_name(l_word(p))) &&
  @   canonical_string(p + 8 * l_arg_value(l_word(p)), l_arg_text(l_word(p))) &&
  @   padded(p + 8 * l_arg_value(l_word(p)), l_arg_blob(l_word(p)));
  @*/

/*@ // Where argument k of those from word `position` on stands, by their sizes, and what is there.
  @ logic integer l_arg_place(uint8_t *b, integer position, integer k) =
  @   k <= 0 ? position : l_arg_place(b, position, k - 1) +
  @     l_arg_header_size(l_word(b + 8 * l_arg_place(b, position, k - 1)));
  @ predicate canonical_nth(uint8_t *b, integer position, integer k) =
  @   canonical_arg(b + 8 * l_arg_place(b, position, k));
  @ predicate canonical_args(uint8_t *b, integer position, integer count) =
  @   \forall integer k; 0 <= k < count ==> canonical_nth(b, position, k);
  @ predicate says_nth{L}(uint8_t *b, integer position, struct fxt_arg *d, integer k) =
  @   says_arg{L, L}(b + 8 * l_arg_place{L}(b, position, k),
  @     l_word{L}(b + 8 * l_arg_place{L}(b, position, k)), d + k);
  @ predicate says_each{L}(uint8_t *b, integer position, struct fxt_arg *d, integer count) =
  @   \forall integer k; 0 <= k < count ==> says_nth{L}(b, position, d, k);
  @ // A writer's arguments (a) and those that a decoder gives back (d).
  @ predicate same_args(struct fxt_arg *a, struct fxt_arg *d, integer count) =
  @   \forall integer k; 0 <= k < count ==> same_arg(a + k, d + k);
  @*/

/*@ // Events. A writer says nothing of the scope when it has none, nor of the value when the type
  @ // has none.
  @ predicate same_event(struct fxt_event *a, struct fxt_arg *args, integer count,
  @                      struct fxt_event *b) =
  @   b->event_type == a->event_type && b->timestamp == a->timestamp &&
  @   same_thread(a->thread.process, a->thread.thread, a->thread.ref, b->thread.process,
  @     b->thread.thread, b->thread.ref) &&
  @   same_string(a->category.bytes, a->category.ref, b->category.bytes, b->category.ref) &&
  @   same_string(a->name.bytes, a->name.ref, b->name.bytes, b->name.ref) &&
  @   (a->event_type == 0 ==> b->has_scope == a->has_scope &&
  @     (a->has_scope != 0 ==> b->scope == a->scope)) &&
  @   (a->event_type == 1 || a->event_type >= 4 ==> b->value == a->value) &&
  @   b->args.count == count && b->args.words == l_args_words(args, count) && b->tail.words == 0;
  @ predicate canonical_event_behind(struct fxt_record *r, integer type, integer end) =
  @   type <= 10 &&
  @   end + l_event_value_words(type) + l_event_has_scope(type, r->words - end) == r->words &&
  @   (l_event_has_scope(type, r->words - end) > 0 ==> l_word(r->bytes + 8 * end) <= 2);
  @ predicate canonical_event(struct fxt_record *r) =
  @   formed_event(r) &&
  @   canonical_string(r->bytes + 8 * l_event_category(r->header),
  @     l_event_header_category(r->header)) &&
  @   canonical_string(r->bytes + 8 * l_event_name(r->header), l_event_header_name(r->header)) &&
  @   canonical_args(r->bytes, l_event_args(r->header), l_event_header_arg_count(r->header)) &&
  @   canonical_event_behind(r, l_event_header_event_type(r->header), l_event_end(r));
  @*/

/*@ // Wakeups and context switches.
  @ predicate same_thread_wakeup(struct fxt_thread_wakeup *a, struct fxt_arg *args, integer count,
  @                              struct fxt_thread_wakeup *b) =
  @   b->cpu == a->cpu && b->timestamp == a->timestamp && b->waking_thread == a->waking_thread &&
  @   b->args.count == count && b->args.words == l_args_words(args, count) && b->tail.words == 0;
  @ predicate canonical_thread_wakeup(struct fxt_record *r) =
  @   formed_thread_wakeup(r) && l_thread_wakeup_header_reserved(r->header) == 0 &&
  @   l_thread_wakeup_end(r) == r->words &&
  @   canonical_args(r->bytes, 3, l_thread_wakeup_header_arg_count(r->header));
  @
  @ predicate same_context_switch(struct fxt_context_switch *a, struct fxt_arg *args,
  @                               integer count, struct fxt_context_switch *b) =
  @   b->cpu == a->cpu && b->outgoing_state == a->outgoing_state &&
  @   b->timestamp == a->timestamp && b->outgoing_thread == a->outgoing_thread &&
  @   b->incoming_thread == a->incoming_thread && b->args.count == count &&
  @   b->args.words == l_args_words(args, count) && b->tail.words == 0;
  @ predicate canonical_context_switch(struct fxt_record *r) =
  @   formed_context_switch(r) && l_context_switch_header_reserved(r->header) == 0 &&
  @   l_context_switch_end(r) == r->words &&
  @   l_context_switch_header_outgoing_state(r->header) <= 5 &&
  @   canonical_args(r->bytes, 4, l_context_switch_header_arg_count(r->header));
  @*/

/*@ // Objects.
  @ predicate same_kernel_object(struct fxt_kernel_object *a, struct fxt_arg *args, integer count,
  @                              struct fxt_kernel_object *b) =
  @   b->object_type == a->object_type && b->koid == a->koid &&
  @   same_string(a->name.bytes, a->name.ref, b->name.bytes, b->name.ref) &&
  @   b->args.count == count && b->args.words == l_args_words(args, count) && b->tail.words == 0;
  @ predicate canonical_kernel_object(struct fxt_record *r) =
  @   formed_kernel_object(r) && l_kernel_object_header_reserved(r->header) == 0 &&
  @   l_kernel_object_end(r) == r->words &&
  @   canonical_string(r->bytes + 16, l_kernel_object_header_name(r->header)) &&
  @   canonical_args(r->bytes, l_kernel_object_args(r->header),
  @     l_kernel_object_header_arg_count(r->header));
  @
  @ predicate same_userspace_object(struct fxt_userspace_object *a, struct fxt_arg *args,
  @                                 integer count, struct fxt_userspace_object *b) =
  @   b->pointer == a->pointer && b->process.ref == a->process.ref &&
  @   (a->process.ref == 0 ==> b->process.process == a->process.process) &&
  @   same_string(a->name.bytes, a->name.ref, b->name.bytes, b->name.ref) &&
  @   b->args.count == count && b->args.words == l_args_words(args, count) && b->tail.words == 0;
  @ predicate canonical_userspace_object(struct fxt_record *r) =
  @   formed_userspace_object(r) && l_userspace_object_header_reserved(r->header) == 0 &&
  @   l_userspace_object_end(r) == r->words &&
  @   canonical_string(r->bytes + 8 * l_userspace_object_name(r->header),
  @     l_userspace_object_header_name(r->header)) &&
  @   canonical_args(r->bytes, l_userspace_object_args(r->header),
  @     l_userspace_object_header_arg_count(r->header));
  @*/

/*@ // Large blobs. f is the format word, `at` the word of the payload's size.
  @ predicate same_large_blob(struct fxt_large_blob *a, struct fxt_arg *args, integer count,
  @                           struct fxt_large_blob *b) =
  @   b->blob_format == a->blob_format &&
  @   same_string(a->category.bytes, a->category.ref, b->category.bytes, b->category.ref) &&
  @   same_string(a->name.bytes, a->name.ref, b->name.bytes, b->name.ref) &&
  @   (a->blob_format == 0 ==> b->timestamp == a->timestamp &&
  @     same_thread(a->thread.process, a->thread.thread, a->thread.ref, b->thread.process,
  @       b->thread.thread, b->thread.ref)) &&
  @   b->args.count == count && b->args.words == l_args_words(args, count) &&
  @   b->payload.size == a->payload.size &&
  @   same_bytes(a->payload.bytes, b->payload.bytes, a->payload.size) && b->tail.words == 0;
  @ predicate canonical_large_metadata(struct fxt_record *r, integer f) =
  @   l_large_blob_header_blob_format(r->header) == 0 ==>
  @   l_large_blob_metadata_reserved(f) == 0 &&
  @   canonical_args(r->bytes, l_large_blob_args(f), l_large_blob_metadata_arg_count(f));
  @ predicate canonical_large_payload(struct fxt_record *r, integer at) =
  @   at + 1 + l_words_of(l_word(r->bytes + 8 * at)) == r->words &&
  @   padded(r->bytes + 8 * (at + 1), l_word(r->bytes + 8 * at));
  @ predicate canonical_large_parts(struct fxt_record *r, integer f) =
  @   (l_large_blob_header_blob_format(r->header) == 1 ==>
  @     l_large_blob_no_metadata_reserved(f) == 0) &&
  @   canonical_string(r->bytes + 16, l_large_blob_metadata_category(f)) &&
  @   canonical_string(r->bytes + 8 * l_large_blob_name(f), l_large_blob_metadata_name(f)) &&
  @   canonical_large_metadata(r, f) && canonical_large_payload(r, l_large_blob_size_at(r, f));
  @ predicate canonical_large_blob(struct fxt_record *r) =
  @   formed_large_blob(r) && l_large_blob_header_reserved(r->header) == 0 &&
  @   canonical_large_parts(r, l_large_blob_format(r));
  @*/

#endif
