/* The logic of reading: what a record of each family is made of, word by word, and what a decoder
   says of it. is_<family> tells the family by the header, formed_<family> that everything the
   header announces is inside the record, says_<family> what the decoder delivers then. Positions
   are in words from the header on. Only annotations: the compiler sees nothing of it. */
#ifndef FXT_ACSL_READ_H
#define FXT_ACSL_READ_H

#include <fxt/record.h>

#include "spec/acsl/layout.h"
#include "spec/acsl/word.h"

/*@ // A stream of `wire` bytes with its padding at that position; NULL when it is empty (REC-05).
  @ predicate says_stream(uint8_t *bytes, integer size, uint8_t *record, integer position,
  @                       integer wire) =
  @   size == wire && readable(bytes, 8 * l_words_of(size)) &&
  @   (wire > 0 ==> bytes == record + 8 * position) && (wire <= 0 ==> bytes == \null);
  @
  @ // The string ref `wire`, and its text when that is inline (STR-01).
  @ predicate says_string(uint8_t *bytes, integer ref, uint8_t *record, integer position,
  @                       integer wire) =
  @   ref == wire && readable(bytes, 8 * l_string_words(ref)) &&
  @   (wire > 32768 ==> bytes == record + 8 * position) && (wire <= 32768 ==> bytes == \null);
  @
  @ // The thread ref `wire`, and its koids when they are inline (THR-01).
  @ logic integer l_koid(uint8_t *record, integer position, integer wire) =
  @   wire == 0 ? l_word(record + 8 * position) : 0;
  @ predicate says_thread(integer process, integer thread, integer ref, uint8_t *record,
  @                       integer position, integer wire) =
  @   ref == wire && process == l_koid(record, position, wire) &&
  @   thread == l_koid(record, position + 1, wire);
  @
  @ // What is left behind the last field (REC-08).
  @ predicate says_tail(uint8_t *bytes, integer tail_words, uint8_t *record, integer position,
  @                     integer words) =
  @   tail_words == words - position && readable(bytes, 8 * tail_words) &&
  @   (tail_words > 0 ==> bytes == record + 8 * position) && (tail_words <= 0 ==> bytes == \null);
  @
  @ // The arguments from word `position` to word `end`.
  @ predicate says_args{R,O}(struct fxt_args *args, struct fxt_record *r, integer position, integer
  @     end,
  @                     integer count) =
  @   \at(args->bytes,O) == \at(r->bytes,R) + 8 * position && \at(args->offset,O) ==
  @     \at(r->offset,R) + 8 * position &&
  @   \at(args->words,O) == end - position && \at(args->count,O) == count &&
  @   readable{O}(\at(args->bytes,O), 8 * \at(args->words,O));
  @*/

/*@ // The size of a record in words, by its header; 0 is no size (REC-02, LRG-01).
  @ logic integer l_record_words(integer h) =
  @   l_record_header_type(h) == 15 ? l_large_header_size(h) : l_record_header_size(h);
  @*/

/*@ // The words of an argument's value, by its header (ARG-05 … ARG-08).
  @ logic integer l_arg_own_words(integer type) =
  @   type == 3 || type == 4 || type == 5 || type == 7 || type == 8 ? 1 : 0;
  @ logic integer l_arg_value_words(integer w) =
  @   l_arg_header_type(w) == 6 ? l_string_words(l_arg_string_header_value(w)) :
  @   l_arg_header_type(w) == 10 ? l_words_of(l_arg_blob_header_payload_size(w)) :
  @   l_arg_own_words(l_arg_header_type(w));
  @ logic integer l_arg_value(integer w) = 1 + l_string_words(l_arg_header_name(w));
  @ logic integer l_arg_end(integer w) = l_arg_value(w) + l_arg_value_words(w);
  @
  @ // The size in words of a well-formed argument of which `left` words are there; 0 when it is not
  @ // well-formed.
  @ logic integer l_arg_hop(integer w, integer left) =
  @   l_arg_end(w) <= l_arg_header_size(w) && l_arg_header_size(w) <= left ?
  @   l_arg_header_size(w) : 0;
  @
  @ // The word behind `count` well-formed arguments from word `position` on; 0 when one is not.
  @ logic integer l_args_end(uint8_t *b, integer words, integer position, integer count) =
  @   count <= 0 ? position :
  @   position >= words ? 0 :
  @   l_arg_hop(l_word(b + 8 * position), words - position) == 0 ? 0 :
  @   l_args_end(b, words, position + l_arg_hop(l_word(b + 8 * position), words - position),
  @              count - 1);
  @
  @ // The `left` words before `end` are `count` well-formed arguments and nothing else.
  @ logic integer l_word_before(uint8_t *end, integer left) = l_word(end - 8 * left);
  @ predicate l_args_fill(uint8_t *end, integer left, integer count) =
  @   count <= 0 ? left == 0 :
  @   left > 0 && l_arg_hop(l_word_before(end, left), left) > 0 &&
  @   l_args_fill(end, left - l_arg_hop(l_word_before(end, left), left), count - 1);
  @
  @ // Arguments as a decoder delivers them: fxt_args_next does not fail on them.
  @ predicate fxt_args_checked(struct fxt_args *a) =
  @   l_args_fill(a->bytes + 8 * a->words, a->words, a->count);
  @
  @ // The argument at b with the header w, decoded.
  @ logic integer l_arg_small(integer w) =
  @   l_arg_header_type(w) == 9 ? l_arg_bool_header_value(w) : l_arg_header_data(w);
  @ logic integer l_arg_text(integer w) =
  @   l_arg_header_type(w) == 6 ? l_arg_string_header_value(w) : 0;
  @ logic integer l_arg_blob(integer w) =
  @   l_arg_header_type(w) == 10 ? l_arg_blob_header_payload_size(w) : 0;
  @ logic integer l_arg_number(uint8_t *b, integer w) =
  @   l_arg_own_words(l_arg_header_type(w)) > 0 ? l_word(b + 8 * l_arg_value(w)) : l_arg_small(w);
  @ predicate says_arg{R,O}(uint8_t *b, integer w, struct fxt_arg *a) =
  @   \at(a->type,O) == l_arg_header_type(w) &&
  @   \at(a->value,O) == l_arg_number{R}(b, w) &&
  @   says_string{O}(\at(a->name.bytes,O), \at(a->name.ref,O), b, 1, l_arg_header_name(w)) &&
  @   says_string{O}(\at(a->text.bytes,O), \at(a->text.ref,O), b, l_arg_value(w),
  @                  l_arg_text(w)) &&
  @   says_stream{O}(\at(a->blob.bytes,O), \at(a->blob.size,O), b, l_arg_value(w),
  @                  l_arg_blob(w)) &&
  @   says_tail{O}(\at(a->tail.bytes,O), \at(a->tail.words,O), b, l_arg_end(w),
  @                l_arg_header_size(w));
  @*/

/*@ // Metadata (MET-01 …).
  @ predicate is_metadata(struct fxt_record *r, integer kind) =
  @   r->type == 0 && l_metadata_header_metadata_type(r->header) == kind;
  @
  @ predicate is_provider_info(struct fxt_record *r) = is_metadata(r, 1);
  @
  @ predicate is_provider_section(struct fxt_record *r) = is_metadata(r, 2);
  @
  @ predicate is_provider_event(struct fxt_record *r) = is_metadata(r, 3);
  @
  @ predicate is_trace_info(struct fxt_record *r) = is_metadata(r, 4);
  @*/

/* Generated by spec/generate.py from reads.in of provider_info provider_section provider_event
   trace_info. */
/*@ logic integer l_provider_info_end(struct fxt_record *r) =
  @   1 + l_words_of(l_provider_info_header_name_length(r->header));
  @ predicate formed_provider_info(struct fxt_record *r) =
  @   is_provider_info(r) && l_provider_info_end(r) <= r->words;
  @ predicate says_provider_info{R,O}(struct fxt_record *r, struct fxt_provider_info *o) =
  @   \at(o->provider_id,O) == l_provider_info_header_provider_id(\at(r->header,R)) &&
  @   says_stream{O}(\at(o->name.bytes,O), \at(o->name.size,O), \at(r->bytes,R),
  @     1, l_provider_info_header_name_length(\at(r->header,R))) &&
  @   says_tail{O}(\at(o->tail.bytes,O), \at(o->tail.words,O), \at(r->bytes,R),
  @     l_provider_info_end{R}(r), \at(r->words,R));
  @*/

/*@ predicate formed_provider_section(struct fxt_record *r) =
  @   is_provider_section(r);
  @ predicate says_provider_section{R,O}(struct fxt_record *r, struct fxt_provider_section *o) =
  @   \at(o->provider_id,O) == l_provider_section_header_provider_id(\at(r->header,R)) &&
  @   says_tail{O}(\at(o->tail.bytes,O), \at(o->tail.words,O), \at(r->bytes,R),
  @     1, \at(r->words,R));
  @*/

/*@ predicate formed_provider_event(struct fxt_record *r) =
  @   is_provider_event(r);
  @ predicate says_provider_event{R,O}(struct fxt_record *r, struct fxt_provider_event *o) =
  @   \at(o->provider_id,O) == l_provider_event_header_provider_id(\at(r->header,R)) &&
  @   \at(o->event_id,O) == l_provider_event_header_event_id(\at(r->header,R)) &&
  @   says_tail{O}(\at(o->tail.bytes,O), \at(o->tail.words,O), \at(r->bytes,R),
  @     1, \at(r->words,R));
  @*/

/*@ predicate formed_trace_info(struct fxt_record *r) =
  @   is_trace_info(r);
  @ predicate says_trace_info{R,O}(struct fxt_record *r, struct fxt_trace_info *o) =
  @   \at(o->trace_info_type,O) == l_trace_info_header_trace_info_type(\at(r->header,R)) &&
  @   \at(o->data,O) == l_trace_info_header_data(\at(r->header,R)) &&
  @   says_tail{O}(\at(o->tail.bytes,O), \at(o->tail.words,O), \at(r->bytes,R),
  @     1, \at(r->words,R));
  @*/
/* End of what is generated. */

/*@ // Initialization, string, thread (INI-01, STT-01, THT-01).
  @ predicate is_initialization(struct fxt_record *r) = r->type == 1;
  @
  @ predicate is_string(struct fxt_record *r) = r->type == 2;
  @
  @ predicate is_thread(struct fxt_record *r) = r->type == 3;
  @*/

/* Generated by spec/generate.py from reads.in of initialization string thread. */
/*@ predicate formed_initialization(struct fxt_record *r) =
  @   is_initialization(r) && 2 <= r->words;
  @ predicate says_initialization{R,O}(struct fxt_record *r, struct fxt_initialization *o) =
  @   \at(o->ticks_per_second,O) == l_word{R}(\at(r->bytes,R) + 8) &&
  @   says_tail{O}(\at(o->tail.bytes,O), \at(o->tail.words,O), \at(r->bytes,R),
  @     2, \at(r->words,R));
  @*/

/*@ logic integer l_string_end(struct fxt_record *r) =
  @   1 + l_words_of(l_string_header_length(r->header));
  @ predicate formed_string(struct fxt_record *r) =
  @   is_string(r) && l_string_end(r) <= r->words;
  @ predicate says_string_record{R,O}(struct fxt_record *r, struct fxt_string *o) =
  @   \at(o->index,O) == l_string_header_index(\at(r->header,R)) &&
  @   says_stream{O}(\at(o->value.bytes,O), \at(o->value.size,O), \at(r->bytes,R),
  @     1, l_string_header_length(\at(r->header,R))) &&
  @   says_tail{O}(\at(o->tail.bytes,O), \at(o->tail.words,O), \at(r->bytes,R),
  @     l_string_end{R}(r), \at(r->words,R));
  @*/

/*@ predicate formed_thread(struct fxt_record *r) =
  @   is_thread(r) && 3 <= r->words;
  @ predicate says_thread_record{R,O}(struct fxt_record *r, struct fxt_thread *o) =
  @   \at(o->index,O) == l_thread_header_index(\at(r->header,R)) &&
  @   \at(o->process,O) == l_word{R}(\at(r->bytes,R) + 8) &&
  @   \at(o->thread,O) == l_word{R}(\at(r->bytes,R) + 16) &&
  @   says_tail{O}(\at(o->tail.bytes,O), \at(o->tail.words,O), \at(r->bytes,R),
  @     3, \at(r->words,R));
  @*/
/* End of what is generated. */

/*@ // Events (EVT-01 …): timestamp, thread, category, name, arguments, value.
  @ predicate is_event(struct fxt_record *r) = r->type == 4;
  @ logic integer l_event_category(integer h) = 2 + l_thread_words(l_event_header_thread(h));
  @ logic integer l_event_name(integer h) =
  @   l_event_category(h) + l_string_words(l_event_header_category(h));
  @ logic integer l_event_args(integer h) =
  @   l_event_name(h) + l_string_words(l_event_header_name(h));
  @ logic integer l_event_end(struct fxt_record *r) =
  @   l_args_end(r->bytes, r->words, l_event_args(r->header), l_event_header_arg_count(r->header));
  @ logic integer l_event_value_words(integer type) =
  @   type == 1 || 4 <= type && type <= 10 ? 1 : 0;
  @ // An instant event may have its scope there, and needs not (EVT-10).
  @ logic integer l_event_has_scope(integer type, integer left) = type == 0 && left > 0 ? 1 : 0;
  @ predicate formed_event(struct fxt_record *r) =
  @   is_event(r) && l_event_args(r->header) <= r->words && l_event_end(r) != 0 &&
  @   l_event_end(r) + l_event_value_words(l_event_header_event_type(r->header)) <= r->words;
  @ predicate says_event_behind{R,O}(struct fxt_record *r, struct fxt_event *o, integer end,
  @                             integer has) =
  @   \at(o->has_scope,O) == has &&
  @   \at(o->value,O) == (l_event_value_words(\at(o->event_type,O)) + has > 0 ?
  @     l_word{R}(\at(r->bytes,R) + 8 * end) : 0) &&
  @   \at(o->scope,O) == (has > 0 && \at(o->value,O) <= 2 ? \at(o->value,O) : 0) &&
  @   says_tail{O}(\at(o->tail.bytes,O), \at(o->tail.words,O), \at(r->bytes,R),
  @             end + l_event_value_words(\at(o->event_type,O)) + has, \at(r->words,R));
  @ predicate says_event_upto{R,O}(struct fxt_record *r, struct fxt_event *o, integer end) =
  @   \at(o->event_type,O) == l_event_header_event_type(\at(r->header,R)) &&
  @   \at(o->timestamp,O) == l_word{R}(\at(r->bytes,R) + 8) &&
  @   says_thread{R}(\at(o->thread.process,O), \at(o->thread.thread,O), \at(o->thread.ref,O),
  @     \at(r->bytes,R), 2,
  @               l_event_header_thread(\at(r->header,R))) &&
  @   says_string{O}(\at(o->category.bytes,O), \at(o->category.ref,O), \at(r->bytes,R),
  @     l_event_category(\at(r->header,R)),
  @               l_event_header_category(\at(r->header,R))) &&
  @   says_string{O}(\at(o->name.bytes,O), \at(o->name.ref,O), \at(r->bytes,R),
  @     l_event_name(\at(r->header,R)),
  @               l_event_header_name(\at(r->header,R))) &&
  @   says_args{R,O}(\at(&o->args,O), r, l_event_args(\at(r->header,R)), end,
  @     l_event_header_arg_count(\at(r->header,R))) &&
  @   says_event_behind{R,O}(r, o, end, l_event_has_scope(\at(o->event_type,O), \at(r->words,R) -
  @     end));
  @ predicate says_event{R,O}(struct fxt_record *r, struct fxt_event *o) =
  @   says_event_upto{R,O}(r, o, l_event_end{R}(r));
  @*/

/*@ // Blobs (BLB-01): name, payload.
  @ predicate is_blob(struct fxt_record *r) = r->type == 5;
  @ logic integer l_blob_payload(integer h) = 1 + l_string_words(l_blob_header_name(h));
  @*/

/* Generated by spec/generate.py from reads.in of blob. */
/*@ logic integer l_blob_end(integer h) =
  @   l_blob_payload(h) + l_words_of(l_blob_header_payload_size(h));
  @ predicate formed_blob(struct fxt_record *r) =
  @   is_blob(r) && l_blob_end(r->header) <= r->words;
  @ predicate says_blob{R,O}(struct fxt_record *r, struct fxt_blob *o) =
  @   \at(o->blob_type,O) == l_blob_header_blob_type(\at(r->header,R)) &&
  @   says_string{O}(\at(o->name.bytes,O), \at(o->name.ref,O), \at(r->bytes,R),
  @     1, l_blob_header_name(\at(r->header,R))) &&
  @   says_stream{O}(\at(o->payload.bytes,O), \at(o->payload.size,O), \at(r->bytes,R),
  @     l_blob_payload(\at(r->header,R)), l_blob_header_payload_size(\at(r->header,R))) &&
  @   says_tail{O}(\at(o->tail.bytes,O), \at(o->tail.words,O), \at(r->bytes,R),
  @     l_blob_end(\at(r->header,R)), \at(r->words,R));
  @*/
/* End of what is generated. */

/*@ // Userspace objects (UOB-01): pointer, process, name, arguments.
  @ predicate is_userspace_object(struct fxt_record *r) = r->type == 6;
  @ logic integer l_userspace_object_name(integer h) =
  @   2 + (l_userspace_object_header_process(h) == 0 ? 1 : 0);
  @ logic integer l_userspace_object_args(integer h) =
  @   l_userspace_object_name(h) + l_string_words(l_userspace_object_header_name(h));
  @
  @ // Kernel objects (KOB-01): koid, name, arguments.
  @ predicate is_kernel_object(struct fxt_record *r) = r->type == 7;
  @ logic integer l_kernel_object_args(integer h) =
  @   2 + l_string_words(l_kernel_object_header_name(h));
  @*/

/* Generated by spec/generate.py from reads.in of userspace_object kernel_object. */
/*@ logic integer l_userspace_object_end(struct fxt_record *r) =
  @   l_args_end(r->bytes, r->words, l_userspace_object_args(r->header),
  @     l_userspace_object_header_arg_count(r->header));
  @ predicate formed_userspace_object(struct fxt_record *r) =
  @   is_userspace_object(r) && l_userspace_object_args(r->header) <= r->words &&
  @     l_userspace_object_end(r) != 0;
  @ predicate says_userspace_object_upto{R,O}(struct fxt_record *r, struct fxt_userspace_object *o,
  @     integer end) =
  @   \at(o->pointer,O) == l_word{R}(\at(r->bytes,R) + 8) &&
  @   \at(o->process.ref,O) == l_userspace_object_header_process(\at(r->header,R)) &&
  @   \at(o->process.process,O) == l_koid{R}(\at(r->bytes,R), 2, \at(o->process.ref,O)) &&
  @   \at(o->process.thread,O) == 0 &&
  @   says_string{O}(\at(o->name.bytes,O), \at(o->name.ref,O), \at(r->bytes,R),
  @     l_userspace_object_name(\at(r->header,R)),
  @     l_userspace_object_header_name(\at(r->header,R))) &&
  @   says_args{R,O}(\at(&o->args,O), r, l_userspace_object_args(\at(r->header,R)), end,
  @     l_userspace_object_header_arg_count(\at(r->header,R))) &&
  @   says_tail{O}(\at(o->tail.bytes,O), \at(o->tail.words,O), \at(r->bytes,R),
  @     end, \at(r->words,R));
  @ predicate says_userspace_object{R,O}(struct fxt_record *r, struct fxt_userspace_object *o) =
  @   says_userspace_object_upto{R,O}(r, o, l_userspace_object_end{R}(r));
  @*/

/*@ logic integer l_kernel_object_end(struct fxt_record *r) =
  @   l_args_end(r->bytes, r->words, l_kernel_object_args(r->header),
  @     l_kernel_object_header_arg_count(r->header));
  @ predicate formed_kernel_object(struct fxt_record *r) =
  @   is_kernel_object(r) && l_kernel_object_args(r->header) <= r->words &&
  @     l_kernel_object_end(r) != 0;
  @ predicate says_kernel_object_upto{R,O}(struct fxt_record *r, struct fxt_kernel_object *o,
  @     integer end) =
  @   \at(o->object_type,O) == l_kernel_object_header_object_type(\at(r->header,R)) &&
  @   \at(o->koid,O) == l_word{R}(\at(r->bytes,R) + 8) &&
  @   says_string{O}(\at(o->name.bytes,O), \at(o->name.ref,O), \at(r->bytes,R),
  @     2, l_kernel_object_header_name(\at(r->header,R))) &&
  @   says_args{R,O}(\at(&o->args,O), r, l_kernel_object_args(\at(r->header,R)), end,
  @     l_kernel_object_header_arg_count(\at(r->header,R))) &&
  @   says_tail{O}(\at(o->tail.bytes,O), \at(o->tail.words,O), \at(r->bytes,R),
  @     end, \at(r->words,R));
  @ predicate says_kernel_object{R,O}(struct fxt_record *r, struct fxt_kernel_object *o) =
  @   says_kernel_object_upto{R,O}(r, o, l_kernel_object_end{R}(r));
  @*/
/* End of what is generated. */

/*@ // Scheduling (SCH-01, SCH-04, SCH-05).
  @ predicate is_scheduling(struct fxt_record *r, integer kind) =
  @   r->type == 8 && l_scheduling_header_scheduling_type(r->header) == kind;
  @
  @ predicate is_legacy_switch(struct fxt_record *r) = is_scheduling(r, 0);
  @ logic integer l_legacy_switch_incoming(integer h) =
  @   2 + l_thread_words(l_legacy_switch_header_outgoing_thread(h));
  @
  @ predicate is_context_switch(struct fxt_record *r) = is_scheduling(r, 1);
  @
  @ predicate is_thread_wakeup(struct fxt_record *r) = is_scheduling(r, 2);
  @*/

/* Generated by spec/generate.py from reads.in of legacy_switch context_switch thread_wakeup. */
/*@ logic integer l_legacy_switch_end(integer h) =
  @   l_legacy_switch_incoming(h) + l_thread_words(l_legacy_switch_header_incoming_thread(h));
  @ predicate formed_legacy_switch(struct fxt_record *r) =
  @   is_legacy_switch(r) && l_legacy_switch_end(r->header) <= r->words;
  @ predicate says_legacy_switch{R,O}(struct fxt_record *r, struct fxt_legacy_switch *o) =
  @   \at(o->cpu,O) == l_legacy_switch_header_cpu(\at(r->header,R)) &&
  @   \at(o->outgoing_state,O) == l_legacy_switch_header_outgoing_state(\at(r->header,R)) &&
  @   \at(o->outgoing_priority,O) == l_legacy_switch_header_outgoing_priority(\at(r->header,R)) &&
  @   \at(o->incoming_priority,O) == l_legacy_switch_header_incoming_priority(\at(r->header,R)) &&
  @   \at(o->timestamp,O) == l_word{R}(\at(r->bytes,R) + 8) &&
  @   says_thread{R}(\at(o->outgoing.process,O), \at(o->outgoing.thread,O), \at(o->outgoing.ref,O),
  @     \at(r->bytes,R), 2, l_legacy_switch_header_outgoing_thread(\at(r->header,R))) &&
  @   says_thread{R}(\at(o->incoming.process,O), \at(o->incoming.thread,O), \at(o->incoming.ref,O),
  @     \at(r->bytes,R), l_legacy_switch_incoming(\at(r->header,R)),
  @     l_legacy_switch_header_incoming_thread(\at(r->header,R))) &&
  @   says_tail{O}(\at(o->tail.bytes,O), \at(o->tail.words,O), \at(r->bytes,R),
  @     l_legacy_switch_end(\at(r->header,R)), \at(r->words,R));
  @*/

/*@ logic integer l_context_switch_end(struct fxt_record *r) =
  @   l_args_end(r->bytes, r->words, 4, l_context_switch_header_arg_count(r->header));
  @ predicate formed_context_switch(struct fxt_record *r) =
  @   is_context_switch(r) && 4 <= r->words && l_context_switch_end(r) != 0;
  @ predicate says_context_switch_upto{R,O}(struct fxt_record *r, struct fxt_context_switch *o,
  @     integer end) =
  @   \at(o->cpu,O) == l_context_switch_header_cpu(\at(r->header,R)) &&
  @   \at(o->outgoing_state,O) == l_context_switch_header_outgoing_state(\at(r->header,R)) &&
  @   \at(o->timestamp,O) == l_word{R}(\at(r->bytes,R) + 8) &&
  @   \at(o->outgoing_thread,O) == l_word{R}(\at(r->bytes,R) + 16) &&
  @   \at(o->incoming_thread,O) == l_word{R}(\at(r->bytes,R) + 24) &&
  @   says_args{R,O}(\at(&o->args,O), r, 4, end,
  @     l_context_switch_header_arg_count(\at(r->header,R))) &&
  @   says_tail{O}(\at(o->tail.bytes,O), \at(o->tail.words,O), \at(r->bytes,R),
  @     end, \at(r->words,R));
  @ predicate says_context_switch{R,O}(struct fxt_record *r, struct fxt_context_switch *o) =
  @   says_context_switch_upto{R,O}(r, o, l_context_switch_end{R}(r));
  @*/

/*@ logic integer l_thread_wakeup_end(struct fxt_record *r) =
  @   l_args_end(r->bytes, r->words, 3, l_thread_wakeup_header_arg_count(r->header));
  @ predicate formed_thread_wakeup(struct fxt_record *r) =
  @   is_thread_wakeup(r) && 3 <= r->words && l_thread_wakeup_end(r) != 0;
  @ predicate says_thread_wakeup_upto{R,O}(struct fxt_record *r, struct fxt_thread_wakeup *o,
  @     integer end) =
  @   \at(o->cpu,O) == l_thread_wakeup_header_cpu(\at(r->header,R)) &&
  @   \at(o->timestamp,O) == l_word{R}(\at(r->bytes,R) + 8) &&
  @   \at(o->waking_thread,O) == l_word{R}(\at(r->bytes,R) + 16) &&
  @   says_args{R,O}(\at(&o->args,O), r, 3, end,
  @     l_thread_wakeup_header_arg_count(\at(r->header,R))) &&
  @   says_tail{O}(\at(o->tail.bytes,O), \at(o->tail.words,O), \at(r->bytes,R),
  @     end, \at(r->words,R));
  @ predicate says_thread_wakeup{R,O}(struct fxt_record *r, struct fxt_thread_wakeup *o) =
  @   says_thread_wakeup_upto{R,O}(r, o, l_thread_wakeup_end{R}(r));
  @*/
/* End of what is generated. */

/*@ // Log (LOG-01): timestamp, thread, message.
  @ predicate is_log(struct fxt_record *r) = r->type == 9;
  @ logic integer l_log_message(integer h) = 2 + l_thread_words(l_log_header_thread(h));
  @*/

/* Generated by spec/generate.py from reads.in of log. */
/*@ logic integer l_log_end(integer h) =
  @   l_log_message(h) + l_words_of(l_log_header_length(h));
  @ predicate formed_log(struct fxt_record *r) =
  @   is_log(r) && l_log_end(r->header) <= r->words;
  @ predicate says_log{R,O}(struct fxt_record *r, struct fxt_log *o) =
  @   \at(o->timestamp,O) == l_word{R}(\at(r->bytes,R) + 8) &&
  @   says_thread{R}(\at(o->thread.process,O), \at(o->thread.thread,O), \at(o->thread.ref,O),
  @     \at(r->bytes,R), 2, l_log_header_thread(\at(r->header,R))) &&
  @   says_stream{O}(\at(o->message.bytes,O), \at(o->message.size,O), \at(r->bytes,R),
  @     l_log_message(\at(r->header,R)), l_log_header_length(\at(r->header,R))) &&
  @   says_tail{O}(\at(o->tail.bytes,O), \at(o->tail.words,O), \at(r->bytes,R),
  @     l_log_end(\at(r->header,R)), \at(r->words,R));
  @*/
/* End of what is generated. */

/*@ // Profiler records (PRF-02 … PRF-04): timestamp, thread, the rest.
  @ predicate is_profiler(struct fxt_record *r, integer kind) =
  @   r->type == 10 && l_profiler_header_profiler_type(r->header) == kind;
  @ logic integer l_profiler_body(integer h) = 2 + l_thread_words(l_profiler_header_thread(h));
  @
  @ predicate is_module(struct fxt_record *r) = is_profiler(r, 0);
  @ logic integer l_module_build_id(integer h) =
  @   l_profiler_body(h) + l_words_of(l_module_header_name_length(h));
  @
  @ predicate is_mmap(struct fxt_record *r) = is_profiler(r, 1);
  @
  @ predicate is_backtrace(struct fxt_record *r) = is_profiler(r, 2);
  @*/

/* Generated by spec/generate.py from reads.in of module mmap backtrace. */
/*@ logic integer l_module_end(integer h) =
  @   l_module_build_id(h) + l_words_of(l_module_header_build_id_length(h));
  @ predicate formed_module(struct fxt_record *r) =
  @   is_module(r) && l_module_end(r->header) <= r->words;
  @ predicate says_module{R,O}(struct fxt_record *r, struct fxt_module *o) =
  @   \at(o->module_id,O) == l_module_header_module_id(\at(r->header,R)) &&
  @   \at(o->timestamp,O) == l_word{R}(\at(r->bytes,R) + 8) &&
  @   says_thread{R}(\at(o->thread.process,O), \at(o->thread.thread,O), \at(o->thread.ref,O),
  @     \at(r->bytes,R), 2, l_module_header_thread(\at(r->header,R))) &&
  @   says_stream{O}(\at(o->name.bytes,O), \at(o->name.size,O), \at(r->bytes,R),
  @     l_profiler_body(\at(r->header,R)), l_module_header_name_length(\at(r->header,R))) &&
  @   says_stream{O}(\at(o->build_id.bytes,O), \at(o->build_id.size,O), \at(r->bytes,R),
  @     l_module_build_id(\at(r->header,R)), l_module_header_build_id_length(\at(r->header,R))) &&
  @   says_tail{O}(\at(o->tail.bytes,O), \at(o->tail.words,O), \at(r->bytes,R),
  @     l_module_end(\at(r->header,R)), \at(r->words,R));
  @*/

/*@ predicate formed_mmap(struct fxt_record *r) =
  @   is_mmap(r) && l_profiler_body(r->header) + 3 <= r->words;
  @ predicate says_mmap{R,O}(struct fxt_record *r, struct fxt_mmap *o) =
  @   \at(o->module_id,O) == l_mmap_header_module_id(\at(r->header,R)) &&
  @   \at(o->flags,O) == l_mmap_header_flags(\at(r->header,R)) &&
  @   \at(o->timestamp,O) == l_word{R}(\at(r->bytes,R) + 8) &&
  @   says_thread{R}(\at(o->thread.process,O), \at(o->thread.thread,O), \at(o->thread.ref,O),
  @     \at(r->bytes,R), 2, l_mmap_header_thread(\at(r->header,R))) &&
  @   \at(o->start_address,O) ==
  @     l_word{R}(\at(r->bytes,R) + 8 * l_profiler_body(\at(r->header,R))) &&
  @   \at(o->address_range,O) ==
  @     l_word{R}(\at(r->bytes,R) + (8 * l_profiler_body(\at(r->header,R)) + 8)) &&
  @   \at(o->vaddr,O) == l_word{R}(\at(r->bytes,R) +
  @     (8 * l_profiler_body(\at(r->header,R)) + 16)) &&
  @   says_tail{O}(\at(o->tail.bytes,O), \at(o->tail.words,O), \at(r->bytes,R),
  @     l_profiler_body(\at(r->header,R)) + 3, \at(r->words,R));
  @*/

/*@ logic integer l_backtrace_end(integer h) =
  @   l_profiler_body(h) + l_backtrace_header_frame_count(h);
  @ predicate formed_backtrace(struct fxt_record *r) =
  @   is_backtrace(r) && l_backtrace_end(r->header) <= r->words;
  @ predicate says_backtrace{R,O}(struct fxt_record *r, struct fxt_backtrace *o) =
  @   \at(o->frame_count,O) == l_backtrace_header_frame_count(\at(r->header,R)) &&
  @   \at(o->timestamp,O) == l_word{R}(\at(r->bytes,R) + 8) &&
  @   says_thread{R}(\at(o->thread.process,O), \at(o->thread.thread,O), \at(o->thread.ref,O),
  @     \at(r->bytes,R), 2, l_backtrace_header_thread(\at(r->header,R))) &&
  @   says_stream{O}(\at(o->frames.bytes,O), \at(o->frames.size,O), \at(r->bytes,R),
  @     l_profiler_body(\at(r->header,R)), 8 * l_backtrace_header_frame_count(\at(r->header,R))) &&
  @   says_tail{O}(\at(o->tail.bytes,O), \at(o->tail.words,O), \at(r->bytes,R),
  @     l_backtrace_end(\at(r->header,R)), \at(r->words,R));
  @*/
/* End of what is generated. */

/*@ // Large blobs (LRG-03, LRG-04): the format word, category, name, then in format 0 timestamp,
  @ // thread and arguments, then the size of the payload and the payload.
  @ predicate is_large_blob(struct fxt_record *r) =
  @   r->type == 15 && l_large_header_large_type(r->header) == 0 &&
  @   l_large_blob_header_blob_format(r->header) <= 1;
  @ logic integer l_large_blob_format(struct fxt_record *r) = l_word(r->bytes + 8);
  @ logic integer l_large_blob_name(integer f) =
  @   2 + l_string_words(l_large_blob_metadata_category(f));
  @ logic integer l_large_blob_behind(integer f) =
  @   l_large_blob_name(f) + l_string_words(l_large_blob_metadata_name(f));
  @ logic integer l_large_blob_args(integer f) =
  @   l_large_blob_behind(f) + 1 + l_thread_words(l_large_blob_metadata_thread(f));
  @ logic integer l_large_blob_size_at(struct fxt_record *r, integer f) =
  @   l_large_blob_header_blob_format(r->header) == 1 ? l_large_blob_behind(f) :
  @   l_args_end(r->bytes, r->words, l_large_blob_args(f), l_large_blob_metadata_arg_count(f));
  @ predicate formed_large_blob(struct fxt_record *r) =
  @   is_large_blob(r) && 2 <= r->words &&
  @   (l_large_blob_header_blob_format(r->header) == 0 ==>
  @    l_large_blob_args(l_large_blob_format(r)) <= r->words) &&
  @   l_large_blob_size_at(r, l_large_blob_format(r)) != 0 &&
  @   l_large_blob_size_at(r, l_large_blob_format(r)) + 1 <= r->words &&
  @   l_large_blob_size_at(r, l_large_blob_format(r)) + 1 +
  @   l_words_of(l_word(r->bytes + 8 * l_large_blob_size_at(r, l_large_blob_format(r))))
  @   <= r->words;
  @ predicate says_large_blob_metadata{R,O}(struct fxt_record *r, struct fxt_large_blob *o, integer
  @     f,
  @                                    integer end) =
  @   \at(o->timestamp,O) == l_word{R}(\at(r->bytes,R) + 8 * l_large_blob_behind(f)) &&
  @   says_thread{R}(\at(o->thread.process,O), \at(o->thread.thread,O), \at(o->thread.ref,O),
  @     \at(r->bytes,R),
  @               l_large_blob_behind(f) + 1, l_large_blob_metadata_thread(f)) &&
  @   says_args{R,O}(\at(&o->args,O), r, l_large_blob_args(f), end,
  @     l_large_blob_metadata_arg_count(f));
  @ predicate says_no_metadata{O}(struct fxt_large_blob *o) =
  @   \at(o->timestamp,O) == 0 && \at(o->thread.process,O) == 0 && \at(o->thread.thread,O) == 0 &&
  @   \at(o->thread.ref,O) == 0 && \at(o->args.bytes,O) == \null && \at(o->args.offset,O) == 0 &&
  @   \at(o->args.words,O) == 0 && \at(o->args.count,O) == 0;
  @ predicate says_large_blob_upto{R,O}(struct fxt_record *r, struct fxt_large_blob *o, integer f,
  @                                integer end) =
  @   \at(o->blob_format,O) == l_large_blob_header_blob_format(\at(r->header,R)) &&
  @   says_string{O}(\at(o->category.bytes,O), \at(o->category.ref,O), \at(r->bytes,R), 2,
  @               l_large_blob_metadata_category(f)) &&
  @   says_string{O}(\at(o->name.bytes,O), \at(o->name.ref,O), \at(r->bytes,R),
  @     l_large_blob_name(f),
  @               l_large_blob_metadata_name(f)) &&
  @   (\at(o->blob_format,O) == 0 ==> says_large_blob_metadata{R,O}(r, o, f, end)) &&
  @   (\at(o->blob_format,O) == 1 ==> says_no_metadata{O}(o)) &&
  @   says_stream{O}(\at(o->payload.bytes,O), \at(o->payload.size,O), \at(r->bytes,R), end + 1,
  @               l_word{R}(\at(r->bytes,R) + 8 * end)) &&
  @   says_tail{O}(\at(o->tail.bytes,O), \at(o->tail.words,O), \at(r->bytes,R), end + 1 +
  @     l_words_of(\at(o->payload.size,O)),
  @             \at(r->words,R));
  @ predicate says_large_blob{R,O}(struct fxt_record *r, struct fxt_large_blob *o) =
  @   says_large_blob_upto{R,O}(r, o, l_large_blob_format{R}(r),
  @                        l_large_blob_size_at{R}(r, l_large_blob_format{R}(r)));
  @*/

#endif
