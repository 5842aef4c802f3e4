/* The logic of the writer: what may be given to it, what it refuses, and what it puts where.
   Labels: In is when the writer was called, Out when it returned; what it was given is read at In,
   the memory p at Out. Only annotations: the compiler sees nothing of it. */
#ifndef FXT_ACSL_WRITE_H
#define FXT_ACSL_WRITE_H

#include "spec/acsl/layout.h"
#include "spec/acsl/word.h"

/*@ // The writer's memory is there, and the writer is not in it.
  @ predicate fxt_writer_ok(struct fxt_writer *w) =
  @   w->size <= w->capacity <= 9223372036854775807 &&
  @   writable(w->bytes, w->capacity) && \separated(w, w->bytes + (0 .. w->capacity - 1));
  @
  @ // Where the next record goes, and whether that many words fit.
  @ logic uint8_t *l_place(struct fxt_writer *w) = w->bytes + w->size;
  @ predicate room(struct fxt_writer *w, integer words) = 8 * words <= w->capacity - w->size;
  @
  @ // size bytes that can be read and that are not in the free part of the writer's memory. NULL
  @ // is answered, not read.
  @ predicate stream_given(struct fxt_writer *w, uint8_t *bytes, integer size) =
  @   bytes != \null ==> readable(bytes, size) &&
  @     \separated(bytes + (0 .. size - 1), w->bytes + (w->size .. w->capacity - 1));
  @ predicate string_given(struct fxt_writer *w, uint8_t *bytes, integer ref) =
  @   stream_given(w, bytes, l_inline_length(ref));
  @
  @ // The same for what a put function reads, and the memory at p where it stores.
  @ predicate stream_apart(uint8_t *p, uint8_t *bytes, integer size) =
  @   readable(bytes, size) &&
  @   \separated(bytes + (0 .. size - 1), p + (0 .. 8 * l_words_of(size) - 1));
  @
  @ // What can be written: sizes that their fields can say, and no NULL where bytes are needed.
  @ predicate stream_writable(uint8_t *bytes, integer size, integer max) =
  @   size <= max && (size > 0 ==> bytes != \null);
  @ predicate string_writable(uint8_t *bytes, integer ref) = ref > 32768 ==> bytes != \null;
  @ predicate thread_writable(integer ref) = ref <= 255;
  @
  @ // The ref as it is written: an inline string of no bytes is the empty string (STR-06).
  @ logic integer l_string_wire(integer ref) = ref == 32768 ? 0 : ref;
  @*/

/*@ // The pieces at p: bytes and zeros up to a whole word (REC-05), the text of a string ref, the
  @ // koids of a thread ref.
  @ // (word_at says l_word(p) == word, byte by byte.)
  @ logic integer l_byte(integer word, integer k) =
  @   k <= 0 ? word % 256 : l_byte(word / 256, k - 1);
  @ predicate word_at{Out}(uint8_t *p, integer word) =
  @   \forall integer k; 0 <= k < 8 ==> \at(p[k], Out) == l_byte(word, k);
  @ predicate stream_at{In, Out}(uint8_t *p, uint8_t *bytes, integer size) =
  @   (\forall integer i; 0 <= i < size ==> \at(p[i], Out) == \at(bytes[i], In)) &&
  @   (\forall integer i; size <= i < 8 * l_words_of(size) ==> \at(p[i], Out) == 0);
  @ predicate stream_same{In, Out}(uint8_t *bytes, integer size) =
  @   \forall integer i; 0 <= i < size ==> \at(bytes[i], Out) == \at(bytes[i], In);
  @ predicate string_at{In, Out}(uint8_t *p, uint8_t *bytes, integer ref) =
  @   stream_at{In, Out}(p, bytes, l_inline_length(ref));
  @ predicate thread_at{Out}(uint8_t *p, integer ref, integer process, integer thread) =
  @   ref == 0 ==> word_at{Out}(p, process) && word_at{Out}(p + 8, thread);
  @
  @ // What every record has: a type of the format and its own size in words (REC-01, REC-02).
  @ predicate valid_record{Out}(uint8_t *p, integer words) =
  @   words >= 1 && \exists integer w; word_at{Out}(p, w) &&
  @     ((l_record_header_type(w) <= 10 && l_record_header_size(w) == words) ||
  @      (l_large_header_type(w) == 15 && l_large_header_size(w) == words));
  @*/

/*@ // Arguments: the words and bits 32..63 of the header that a value takes, what can be written,
  @ // the words of one and of the first count.
  @ logic integer l_value_words(struct fxt_arg *a) =
  @   a->type == 6 ? l_string_words(a->text.ref) :
  @   a->type == 10 ? l_words_of(a->blob.size) :
  @   (3 <= a->type <= 5 || 7 <= a->type <= 8) ? 1 : 0;
  @ logic integer l_value_data(struct fxt_arg *a) =
  @   (1 <= a->type <= 2 || a->type == 9) ? a->value :
  @   a->type == 6 ? l_string_wire(a->text.ref) :
  @   a->type == 10 ? a->blob.size : 0;
  @ predicate writable_value(struct fxt_arg *a) =
  @   a->type <= 10 && (1 <= a->type <= 2 ==> a->value <= 4294967295) &&
  @   (a->type == 9 ==> a->value <= 1) &&
  @   (a->type == 6 ==> string_writable(a->text.bytes, a->text.ref)) &&
  @   (a->type == 10 ==> stream_writable(a->blob.bytes, a->blob.size, 32760));
  @ logic integer l_arg_words(struct fxt_arg *a) =
  @   1 + l_string_words(a->name.ref) + l_value_words(a);
  @ predicate writable_arg(struct fxt_arg *a) =
  @   writable_value(a) && string_writable(a->name.bytes, a->name.ref) && l_arg_words(a) <= 4095;
  @ logic integer l_args_words(struct fxt_arg *args, integer count) =
  @   count <= 0 ? 0 : l_args_words(args, count - 1) + l_arg_words(args + (count - 1));
  @ predicate writable_args(struct fxt_arg *args, integer count) =
  @   count <= 15 && (count > 0 ==> args != \null) &&
  @   (\forall integer k; 0 <= k < count ==> writable_arg(args + k));
  @
  @ // What may be given, and the same for fxt_i_put_args, which stores size bytes at p.
  @ predicate arg_given(struct fxt_writer *w, struct fxt_arg *a) =
  @   string_given(w, a->name.bytes, a->name.ref) &&
  @   (a->type == 6 ==> string_given(w, a->text.bytes, a->text.ref)) &&
  @   (a->type == 10 ==> stream_given(w, a->blob.bytes, a->blob.size));
  @ predicate args_given(struct fxt_writer *w, struct fxt_arg *args, integer count) =
  @   args != \null && count > 0 ==> \valid_read(args + (0 .. count - 1)) &&
  @     \separated(args + (0 .. count - 1), w->bytes + (w->size .. w->capacity - 1)) &&
  @     (\forall integer k; 0 <= k < count ==> arg_given(w, args + k));
  @ predicate bytes_apart(uint8_t *p, integer size, uint8_t *bytes, integer length) =
  @   readable(bytes, length) && \separated(bytes + (0 .. length - 1), p + (0 .. size - 1));
  @ predicate arg_apart(uint8_t *p, integer size, struct fxt_arg *a) =
  @   \separated(a, p + (0 .. size - 1)) &&
  @   bytes_apart(p, size, a->name.bytes, l_inline_length(a->name.ref)) &&
  @   (a->type == 6 ==> bytes_apart(p, size, a->text.bytes, l_inline_length(a->text.ref))) &&
  @   (a->type == 10 ==> bytes_apart(p, size, a->blob.bytes, a->blob.size));
  @
  @ // What is read of an argument and of arguments is the same at In and Out.
  @ predicate arg_same{In, Out}(struct fxt_arg *a) =
  @   \at(a->type, Out) == \at(a->type, In) &&
  @   stream_same{In, Out}(\at(a->name.bytes, In), l_inline_length(\at(a->name.ref, In))) &&
  @   (\at(a->type, In) == 6 ==>
  @     stream_same{In, Out}(\at(a->text.bytes, In), l_inline_length(\at(a->text.ref, In)))) &&
  @   (\at(a->type, In) == 10 ==>
  @     stream_same{In, Out}(\at(a->blob.bytes, In), \at(a->blob.size, In)));
  @ predicate args_same{In, Out}(struct fxt_arg *args, integer count) =
  @   \forall integer k; 0 <= k < count ==> arg_same{In, Out}(args + k);
  @
  @ predicate arg_header{Out}(uint8_t *p, integer type, integer size, integer name, integer data)
  @   =
  @   word_at{Out}(p, type + size * 16 + name * 65536 + data * 4294967296);
  @ predicate value_at{In, Out}(uint8_t *p, struct fxt_arg *a) =
  @   (\at(a->type, In) == 6 ==>
  @     string_at{In, Out}(p, \at(a->text.bytes, In), \at(a->text.ref, In))) &&
  @   (\at(a->type, In) == 10 ==>
  @     stream_at{In, Out}(p, \at(a->blob.bytes, In), \at(a->blob.size, In))) &&
  @   (3 <= \at(a->type, In) <= 5 || 7 <= \at(a->type, In) <= 8 ==>
  @     word_at{Out}(p, \at(a->value, In)));
  @ predicate encoded_arg{In, Out}(uint8_t *p, struct fxt_arg *a) =
  @   arg_header{Out}(p, \at(a->type, In), l_arg_words{In}(a),
  @     l_string_wire(\at(a->name.ref, In)), l_value_data{In}(a)) &&
  @   string_at{In, Out}(p + 8, \at(a->name.bytes, In), \at(a->name.ref, In)) &&
  @   value_at{In, Out}(p + 8 * (1 + l_string_words(\at(a->name.ref, In))), a);
  @ predicate encoded_args{In, Out}(uint8_t *p, struct fxt_arg *args, integer count) =
  @   \forall integer k; 0 <= k < count ==>
  @     encoded_arg{In, Out}(p + 8 * l_args_words{In}(args, k), args + k);
  @*/

/*@ // The records, one by one. For each: its header word, its size in words, what can be written,
  @ // and what it looks like.
  @ predicate encoded_magic{Out}(uint8_t *p) = word_at{Out}(p, 0x0016547846040010);
  @*/

/*@ logic integer l_process_words(integer ref) = ref == 0 ? 1 : 0;
  @*/

/* Generated by spec/generate.py from writes.in of provider_info provider_section provider_event
   initialization string thread blob userspace_object kernel_object legacy_switch context_switch
   thread_wakeup log module mmap backtrace. */
/*@ predicate provider_info_header{Out}(uint8_t *p, integer size, integer provider_id,
  @     integer name_length) =
  @   word_at{Out}(p, size * 16 + 65536 + provider_id * 1048576 + name_length * 4503599627370496);
  @ logic integer l_provider_info_record_words(struct fxt_provider_info *in) =
  @   1 + l_words_of(in->name.size);
  @ predicate writable_provider_info(struct fxt_provider_info *in) =
  @   stream_writable(in->name.bytes, in->name.size, 255) &&
  @   l_provider_info_record_words(in) <= 4095;
  @ predicate encoded_provider_info{In, Out}(uint8_t *p, struct fxt_provider_info *in) =
  @   provider_info_header{Out}(p, l_provider_info_record_words{In}(in), \at(in->provider_id, In),
  @     \at(in->name.size, In)) &&
  @   stream_at{In, Out}(p + 8, \at(in->name.bytes, In), \at(in->name.size, In));
  @*/

/*@ predicate provider_section_header{Out}(uint8_t *p, integer size, integer provider_id) =
  @   word_at{Out}(p, size * 16 + 2 * 65536 + provider_id * 1048576);
  @ logic integer l_provider_section_record_words(struct fxt_provider_section *in) =
  @   1;
  @ predicate writable_provider_section(struct fxt_provider_section *in) =
  @   \true;
  @ predicate encoded_provider_section{In, Out}(uint8_t *p, struct fxt_provider_section *in) =
  @   provider_section_header{Out}(p, l_provider_section_record_words(in),
  @     \at(in->provider_id, In));
  @*/

/*@ predicate provider_event_header{Out}(uint8_t *p, integer size, integer provider_id,
  @     integer event_id) =
  @   word_at{Out}(p, size * 16 + 3 * 65536 + provider_id * 1048576 + event_id * 4503599627370496);
  @ logic integer l_provider_event_record_words(struct fxt_provider_event *in) =
  @   1;
  @ predicate writable_provider_event(struct fxt_provider_event *in) =
  @   in->event_id <= 15;
  @ predicate encoded_provider_event{In, Out}(uint8_t *p, struct fxt_provider_event *in) =
  @   provider_event_header{Out}(p, l_provider_event_record_words(in), \at(in->provider_id, In),
  @     \at(in->event_id, In));
  @*/

/*@ predicate initialization_header{Out}(uint8_t *p, integer size) =
  @   word_at{Out}(p, 1 + size * 16);
  @ logic integer l_initialization_record_words(struct fxt_initialization *in) =
  @   2;
  @ predicate writable_initialization(struct fxt_initialization *in) =
  @   in->ticks_per_second > 0;
  @ predicate encoded_initialization{In, Out}(uint8_t *p, struct fxt_initialization *in) =
  @   initialization_header{Out}(p, l_initialization_record_words(in)) &&
  @   word_at{Out}(p + 8, \at(in->ticks_per_second, In));
  @*/

/*@ predicate string_header{Out}(uint8_t *p, integer size, integer index, integer length) =
  @   word_at{Out}(p, 2 + size * 16 + index * 65536 + length * 4294967296);
  @ logic integer l_string_record_words(struct fxt_string *in) =
  @   1 + l_words_of(in->value.size);
  @ predicate writable_string(struct fxt_string *in) =
  @   1 <= in->index <= 32767 &&
  @   stream_writable(in->value.bytes, in->value.size, 32767) &&
  @   l_string_record_words(in) <= 4095;
  @ predicate encoded_string{In, Out}(uint8_t *p, struct fxt_string *in) =
  @   string_header{Out}(p, l_string_record_words{In}(in), \at(in->index, In),
  @     \at(in->value.size, In)) &&
  @   stream_at{In, Out}(p + 8, \at(in->value.bytes, In), \at(in->value.size, In));
  @*/

/*@ predicate thread_header{Out}(uint8_t *p, integer size, integer index) =
  @   word_at{Out}(p, 3 + size * 16 + index * 65536);
  @ logic integer l_thread_record_words(struct fxt_thread *in) =
  @   3;
  @ predicate writable_thread(struct fxt_thread *in) =
  @   1 <= in->index <= 255;
  @ predicate encoded_thread{In, Out}(uint8_t *p, struct fxt_thread *in) =
  @   thread_header{Out}(p, l_thread_record_words(in), \at(in->index, In)) &&
  @   word_at{Out}(p + 8, \at(in->process, In)) &&
  @   word_at{Out}(p + 16, \at(in->thread, In));
  @*/

/*@ predicate blob_header{Out}(uint8_t *p, integer size, integer name, integer payload_size,
  @     integer blob_type) =
  @   word_at{Out}(p, 5 + size * 16 + name * 65536 + payload_size * 4294967296 +
  @     blob_type * 281474976710656);
  @ logic integer l_blob_record_words(struct fxt_blob *in) =
  @   1 + l_string_words(in->name.ref) + l_words_of(in->payload.size);
  @ predicate writable_blob(struct fxt_blob *in) =
  @   in->blob_type <= 255 &&
  @   string_writable(in->name.bytes, in->name.ref) &&
  @   stream_writable(in->payload.bytes, in->payload.size, 32767) &&
  @   l_blob_record_words(in) <= 4095;
  @ predicate encoded_blob{In, Out}(uint8_t *p, struct fxt_blob *in) =
  @   blob_header{Out}(p, l_blob_record_words{In}(in), l_string_wire(\at(in->name.ref, In)),
  @     \at(in->payload.size, In), \at(in->blob_type, In)) &&
  @   string_at{In, Out}(p + 8, \at(in->name.bytes, In), \at(in->name.ref, In)) &&
  @   stream_at{In, Out}(p + 8 * (1 + l_string_words(\at(in->name.ref, In))),
  @     \at(in->payload.bytes, In), \at(in->payload.size, In));
  @*/

/*@ predicate userspace_object_header{Out}(uint8_t *p, integer size, integer process, integer name,
  @     integer arg_count) =
  @   word_at{Out}(p, 6 + size * 16 + process * 65536 + name * 16777216 +
  @     arg_count * 1099511627776);
  @ logic integer l_userspace_object_record_words(struct fxt_userspace_object *in,
  @     struct fxt_arg *args, integer count) =
  @   2 + l_process_words(in->process.ref) + l_string_words(in->name.ref) +
  @     l_args_words(args, count);
  @ predicate writable_userspace_object(struct fxt_userspace_object *in, struct fxt_arg *args,
  @     integer count) =
  @   thread_writable(in->process.ref) &&
  @   string_writable(in->name.bytes, in->name.ref) &&
  @   writable_args(args, count) &&
  @   l_userspace_object_record_words(in, args, count) <= 4095;
  @ predicate encoded_userspace_object{In, Out}(uint8_t *p, struct fxt_userspace_object *in,
  @     struct fxt_arg *args, integer count) =
  @   userspace_object_header{Out}(p, l_userspace_object_record_words{In}(in, args, count),
  @     \at(in->process.ref, In), l_string_wire(\at(in->name.ref, In)), count) &&
  @   word_at{Out}(p + 8, \at(in->pointer, In)) &&
  @   (\at(in->process.ref, In) == 0 ==> word_at{Out}(p + 16, \at(in->process.process, In))) &&
  @   string_at{In, Out}(p + 8 * (2 + l_process_words(\at(in->process.ref, In))),
  @     \at(in->name.bytes, In), \at(in->name.ref, In)) &&
  @   encoded_args{In, Out}(p +
  @     8 * (2 + l_process_words(\at(in->process.ref, In)) +
  @     l_string_words(\at(in->name.ref, In))), args, count);
  @*/

/*@ predicate kernel_object_header{Out}(uint8_t *p, integer size, integer object_type,
  @     integer name, integer arg_count) =
  @   word_at{Out}(p, 7 + size * 16 + object_type * 65536 + name * 16777216 +
  @     arg_count * 1099511627776);
  @ logic integer l_kernel_object_record_words(struct fxt_kernel_object *in, struct fxt_arg *args,
  @     integer count) =
  @   2 + l_string_words(in->name.ref) + l_args_words(args, count);
  @ predicate writable_kernel_object(struct fxt_kernel_object *in, struct fxt_arg *args,
  @     integer count) =
  @   in->object_type <= 255 &&
  @   string_writable(in->name.bytes, in->name.ref) &&
  @   writable_args(args, count) &&
  @   l_kernel_object_record_words(in, args, count) <= 4095;
  @ predicate encoded_kernel_object{In, Out}(uint8_t *p, struct fxt_kernel_object *in,
  @     struct fxt_arg *args, integer count) =
  @   kernel_object_header{Out}(p, l_kernel_object_record_words{In}(in, args, count),
  @     \at(in->object_type, In), l_string_wire(\at(in->name.ref, In)), count) &&
  @   word_at{Out}(p + 8, \at(in->koid, In)) &&
  @   string_at{In, Out}(p + 16, \at(in->name.bytes, In), \at(in->name.ref, In)) &&
  @   encoded_args{In, Out}(p + 8 * (2 + l_string_words(\at(in->name.ref, In))), args, count);
  @*/

/*@ predicate legacy_switch_header{Out}(uint8_t *p, integer size, integer cpu,
  @     integer outgoing_state, integer outgoing_thread, integer incoming_thread,
  @     integer outgoing_priority, integer incoming_priority) =
  @   word_at{Out}(p, 8 + size * 16 + cpu * 65536 + outgoing_state * 16777216 +
  @     outgoing_thread * 268435456 + incoming_thread * 68719476736 +
  @     outgoing_priority * 17592186044416 + incoming_priority * 4503599627370496);
  @ logic integer l_legacy_switch_record_words(struct fxt_legacy_switch *in) =
  @   2 + l_thread_words(in->outgoing.ref) + l_thread_words(in->incoming.ref);
  @ predicate writable_legacy_switch(struct fxt_legacy_switch *in) =
  @   in->cpu <= 255 &&
  @   in->outgoing_priority <= 255 &&
  @   in->incoming_priority <= 255 &&
  @   thread_writable(in->outgoing.ref) &&
  @   thread_writable(in->incoming.ref) &&
  @   in->outgoing_state <= 5;
  @ predicate encoded_legacy_switch{In, Out}(uint8_t *p, struct fxt_legacy_switch *in) =
  @   legacy_switch_header{Out}(p, l_legacy_switch_record_words{In}(in), \at(in->cpu, In),
  @     \at(in->outgoing_state, In), \at(in->outgoing.ref, In), \at(in->incoming.ref, In),
  @     \at(in->outgoing_priority, In), \at(in->incoming_priority, In)) &&
  @   word_at{Out}(p + 8, \at(in->timestamp, In)) &&
  @   thread_at{Out}(p + 16, \at(in->outgoing.ref, In), \at(in->outgoing.process, In),
  @     \at(in->outgoing.thread, In)) &&
  @   thread_at{Out}(p + 8 * (2 + l_thread_words(\at(in->outgoing.ref, In))),
  @     \at(in->incoming.ref, In), \at(in->incoming.process, In),
  @     \at(in->incoming.thread, In));
  @*/

/*@ predicate context_switch_header{Out}(uint8_t *p, integer size, integer arg_count, integer cpu,
  @     integer outgoing_state) =
  @   word_at{Out}(p, 8 + size * 16 + arg_count * 65536 + cpu * 1048576 +
  @     outgoing_state * 68719476736 + 1152921504606846976);
  @ logic integer l_context_switch_record_words(struct fxt_context_switch *in,
  @     struct fxt_arg *args, integer count) =
  @   4 + l_args_words(args, count);
  @ predicate writable_context_switch(struct fxt_context_switch *in, struct fxt_arg *args,
  @     integer count) =
  @   in->outgoing_state <= 5 &&
  @   writable_args(args, count) &&
  @   l_context_switch_record_words(in, args, count) <= 4095;
  @ predicate encoded_context_switch{In, Out}(uint8_t *p, struct fxt_context_switch *in,
  @     struct fxt_arg *args, integer count) =
  @   context_switch_header{Out}(p, l_context_switch_record_words{In}(in, args, count), count,
  @     \at(in->cpu, In), \at(in->outgoing_state, In)) &&
  @   word_at{Out}(p + 8, \at(in->timestamp, In)) &&
  @   word_at{Out}(p + 16, \at(in->outgoing_thread, In)) &&
  @   word_at{Out}(p + 24, \at(in->incoming_thread, In)) &&
  @   encoded_args{In, Out}(p + 32, args, count);
  @*/

/*@ predicate thread_wakeup_header{Out}(uint8_t *p, integer size, integer arg_count, integer cpu) =
  @   word_at{Out}(p, 8 + size * 16 + arg_count * 65536 + cpu * 1048576 + 2 * 1152921504606846976);
  @ logic integer l_thread_wakeup_record_words(struct fxt_thread_wakeup *in, struct fxt_arg *args,
  @     integer count) =
  @   3 + l_args_words(args, count);
  @ predicate writable_thread_wakeup(struct fxt_thread_wakeup *in, struct fxt_arg *args,
  @     integer count) =
  @   writable_args(args, count) &&
  @   l_thread_wakeup_record_words(in, args, count) <= 4095;
  @ predicate encoded_thread_wakeup{In, Out}(uint8_t *p, struct fxt_thread_wakeup *in,
  @     struct fxt_arg *args, integer count) =
  @   thread_wakeup_header{Out}(p, l_thread_wakeup_record_words{In}(in, args, count), count,
  @     \at(in->cpu, In)) &&
  @   word_at{Out}(p + 8, \at(in->timestamp, In)) &&
  @   word_at{Out}(p + 16, \at(in->waking_thread, In)) &&
  @   encoded_args{In, Out}(p + 24, args, count);
  @*/

/*@ predicate log_header{Out}(uint8_t *p, integer size, integer length, integer thread) =
  @   word_at{Out}(p, 9 + size * 16 + length * 65536 + thread * 4294967296);
  @ logic integer l_log_record_words(struct fxt_log *in) =
  @   2 + l_thread_words(in->thread.ref) + l_words_of(in->message.size);
  @ predicate writable_log(struct fxt_log *in) =
  @   thread_writable(in->thread.ref) &&
  @   stream_writable(in->message.bytes, in->message.size, 32767) &&
  @   l_log_record_words(in) <= 4095;
  @ predicate encoded_log{In, Out}(uint8_t *p, struct fxt_log *in) =
  @   log_header{Out}(p, l_log_record_words{In}(in), \at(in->message.size, In),
  @     \at(in->thread.ref, In)) &&
  @   word_at{Out}(p + 8, \at(in->timestamp, In)) &&
  @   thread_at{Out}(p + 16, \at(in->thread.ref, In), \at(in->thread.process, In),
  @     \at(in->thread.thread, In)) &&
  @   stream_at{In, Out}(p + 8 * (2 + l_thread_words(\at(in->thread.ref, In))),
  @     \at(in->message.bytes, In), \at(in->message.size, In));
  @*/

/*@ predicate module_header{Out}(uint8_t *p, integer size, integer thread, integer module_id,
  @     integer name_length, integer build_id_length) =
  @   word_at{Out}(p, 10 + size * 16 + thread * 1048576 + module_id * 268435456 +
  @     name_length * 17592186044416 + build_id_length * 4503599627370496);
  @ logic integer l_module_record_words(struct fxt_module *in) =
  @   2 + l_thread_words(in->thread.ref) + l_words_of(in->name.size) +
  @     l_words_of(in->build_id.size);
  @ predicate writable_module(struct fxt_module *in) =
  @   thread_writable(in->thread.ref) &&
  @   stream_writable(in->name.bytes, in->name.size, 255) &&
  @   stream_writable(in->build_id.bytes, in->build_id.size, 255) &&
  @   l_module_record_words(in) <= 4095;
  @ predicate encoded_module{In, Out}(uint8_t *p, struct fxt_module *in) =
  @   module_header{Out}(p, l_module_record_words{In}(in), \at(in->thread.ref, In),
  @     \at(in->module_id, In), \at(in->name.size, In), \at(in->build_id.size, In)) &&
  @   word_at{Out}(p + 8, \at(in->timestamp, In)) &&
  @   thread_at{Out}(p + 16, \at(in->thread.ref, In), \at(in->thread.process, In),
  @     \at(in->thread.thread, In)) &&
  @   stream_at{In, Out}(p + 8 * (2 + l_thread_words(\at(in->thread.ref, In))),
  @     \at(in->name.bytes, In), \at(in->name.size, In)) &&
  @   stream_at{In, Out}(p + 8 * (2 + l_thread_words(\at(in->thread.ref, In)) +
  @     l_words_of(\at(in->name.size, In))), \at(in->build_id.bytes, In),
  @     \at(in->build_id.size, In));
  @*/

/*@ predicate mmap_header{Out}(uint8_t *p, integer size, integer thread, integer module_id,
  @     integer flags) =
  @   word_at{Out}(p, 10 + size * 16 + 65536 + thread * 1048576 + module_id * 268435456 +
  @     flags * 17592186044416);
  @ logic integer l_mmap_record_words(struct fxt_mmap *in) =
  @   5 + l_thread_words(in->thread.ref);
  @ predicate writable_mmap(struct fxt_mmap *in) =
  @   thread_writable(in->thread.ref) &&
  @   in->flags <= 7;
  @ predicate encoded_mmap{In, Out}(uint8_t *p, struct fxt_mmap *in) =
  @   mmap_header{Out}(p, l_mmap_record_words{In}(in), \at(in->thread.ref, In),
  @     \at(in->module_id, In), \at(in->flags, In)) &&
  @   word_at{Out}(p + 8, \at(in->timestamp, In)) &&
  @   thread_at{Out}(p + 16, \at(in->thread.ref, In), \at(in->thread.process, In),
  @     \at(in->thread.thread, In)) &&
  @   word_at{Out}(p + 8 * (2 + l_thread_words(\at(in->thread.ref, In))),
  @     \at(in->start_address, In)) &&
  @   word_at{Out}(p + 8 * (3 + l_thread_words(\at(in->thread.ref, In))),
  @     \at(in->address_range, In)) &&
  @   word_at{Out}(p + 8 * (4 + l_thread_words(\at(in->thread.ref, In))), \at(in->vaddr, In));
  @*/

/*@ predicate backtrace_header{Out}(uint8_t *p, integer size, integer thread, integer frame_count) =
  @   word_at{Out}(p, 10 + size * 16 + 2 * 65536 + thread * 1048576 + frame_count * 268435456);
  @ logic integer l_backtrace_record_words(struct fxt_backtrace *in) =
  @   2 + l_thread_words(in->thread.ref) + l_words_of(in->frames.size);
  @ predicate writable_backtrace(struct fxt_backtrace *in) =
  @   thread_writable(in->thread.ref) &&
  @   in->frames.size % 8 == 0 &&
  @   stream_writable(in->frames.bytes, in->frames.size, 2040) &&
  @   l_backtrace_record_words(in) <= 4095;
  @ predicate encoded_backtrace{In, Out}(uint8_t *p, struct fxt_backtrace *in) =
  @   backtrace_header{Out}(p, l_backtrace_record_words{In}(in), \at(in->thread.ref, In),
  @     \at(in->frames.size, In) / 8) &&
  @   word_at{Out}(p + 8, \at(in->timestamp, In)) &&
  @   thread_at{Out}(p + 16, \at(in->thread.ref, In), \at(in->thread.process, In),
  @     \at(in->thread.thread, In)) &&
  @   stream_at{In, Out}(p + 8 * (2 + l_thread_words(\at(in->thread.ref, In))),
  @     \at(in->frames.bytes, In), \at(in->frames.size, In));
  @*/
/* End of what is generated. */

/*@ // Whether an event ends in a word of its own, and that word.
  @ logic integer l_event_value_words(struct fxt_event *in) =
  @   in->event_type == 1 || in->event_type >= 4 ||
  @   (in->event_type == 0 && in->has_scope != 0) ? 1 : 0;
  @ logic integer l_event_value(struct fxt_event *in) =
  @   in->event_type == 0 ? in->scope : in->value;
  @*/

/*@ predicate event_header{Out}(uint8_t *p, integer size, integer event_type, integer arg_count,
  @   integer thread, integer category, integer name) =
  @   word_at{Out}(p, 4 + size * 16 + event_type * 65536 + arg_count * 1048576 +
  @     thread * 16777216 + category * 4294967296 + name * 281474976710656);
  @ logic integer l_event_record_words(struct fxt_event *in, struct fxt_arg *args, integer count) =
  @   2 + l_thread_words(in->thread.ref) + l_string_words(in->category.ref) +
  @   l_string_words(in->name.ref) + l_args_words(args, count) + l_event_value_words(in);
  @ predicate writable_event(struct fxt_event *in, struct fxt_arg *args, integer count) =
  @   thread_writable(in->thread.ref) &&
  @   in->event_type <= 10 && in->has_scope <= 1 && in->scope <= 2 &&
  @   string_writable(in->category.bytes, in->category.ref) && string_writable(in->name.bytes,
  @   in->name.ref) && writable_args(args, count) && l_event_record_words(in, args, count) <= 4095;
  @ predicate encoded_event{In, Out}(uint8_t *p, struct fxt_event *in,
  @   struct fxt_arg *args, integer count) =
  @   event_header{Out}(p, l_event_record_words{In}(in, args, count),
  @     \at(in->event_type, In), count, \at(in->thread.ref, In),
  @     l_string_wire(\at(in->category.ref, In)), l_string_wire(\at(in->name.ref, In))) &&
  @   word_at{Out}(p + 8, \at(in->timestamp, In)) &&
  @   thread_at{Out}(p + 16, \at(in->thread.ref, In), \at(in->thread.process, In),
  @     \at(in->thread.thread, In)) &&
  @   string_at{In, Out}(p + 8 * (2 + l_thread_words(\at(in->thread.ref, In))),
  @     \at(in->category.bytes, In), \at(in->category.ref, In)) &&
  @   string_at{In, Out}(p + 8 * (2 + l_thread_words(\at(in->thread.ref, In)) +
  @     l_string_words(\at(in->category.ref, In))), \at(in->name.bytes, In),
  @     \at(in->name.ref, In)) &&
  @   encoded_args{In, Out}(p + 8 * (2 + l_thread_words(\at(in->thread.ref, In)) +
  @     l_string_words(\at(in->category.ref, In)) + l_string_words(\at(in->name.ref, In))), args,
  @     count) &&
  @   (l_event_value_words{In}(in) == 1 ==> word_at{Out}(p + 8 * (2 +
  @     l_thread_words(\at(in->thread.ref, In)) + l_string_words(\at(in->category.ref, In)) +
  @     l_string_words(\at(in->name.ref, In)) + l_args_words{In}(args, count)),
  @     l_event_value{In}(in)));
  @*/

/*@ predicate large_blob_header{Out}(uint8_t *p, integer size, integer blob_format) =
  @   word_at{Out}(p, 15 + size * 16 + blob_format * 1099511627776);
  @ predicate large_blob_metadata{Out}(uint8_t *p, integer category, integer name,
  @   integer arg_count, integer thread) =
  @   word_at{Out}(p, category + name * 65536 + arg_count * 4294967296 + thread * 68719476736);
  @ predicate large_blob_no_metadata{Out}(uint8_t *p, integer category, integer name) =
  @   word_at{Out}(p, category + name * 65536);
  @ // The words before the payload's size, and of the whole record.
  @ logic integer l_large_blob_payload_word(struct fxt_large_blob *in, struct fxt_arg *args,
  @   integer count) =
  @   2 + l_string_words(in->category.ref) + l_string_words(in->name.ref) +
  @   (in->blob_format == 0 ?
  @      1 + l_thread_words(in->thread.ref) + l_args_words(args, count) : 0);
  @ logic integer l_large_blob_record_words(struct fxt_large_blob *in, struct fxt_arg *args,
  @   integer count) =
  @   l_large_blob_payload_word(in, args, count) + 1 + l_words_of(in->payload.size);
  @ predicate writable_large_blob(struct fxt_large_blob *in, struct fxt_arg *args, integer count) =
  @   in->blob_format <= 1 && (in->blob_format == 0 ==>
  @     thread_writable(in->thread.ref) && writable_args(args, count)) &&
  @   (in->blob_format == 1 ==> count == 0) &&
  @   string_writable(in->category.bytes, in->category.ref) &&
  @   string_writable(in->name.bytes, in->name.ref) &&
  @   stream_writable(in->payload.bytes, in->payload.size, 34359738360) &&
  @   l_large_blob_record_words(in, args, count) <= 4294967295;
  @ predicate large_blob_metadata_at{In, Out}(uint8_t *p, struct fxt_large_blob *in,
  @   struct fxt_arg *args, integer count) =
  @   word_at{Out}(p, \at(in->timestamp, In)) &&
  @   thread_at{Out}(p + 8, \at(in->thread.ref, In), \at(in->thread.process, In),
  @     \at(in->thread.thread, In)) &&
  @   encoded_args{In, Out}(p + 8 * (1 + l_thread_words(\at(in->thread.ref, In))), args, count);
  @ predicate encoded_large_blob{In, Out}(uint8_t *p, struct fxt_large_blob *in,
  @   struct fxt_arg *args, integer count) =
  @   large_blob_header{Out}(p, l_large_blob_record_words{In}(in, args, count),
  @     \at(in->blob_format, In)) &&
  @   (\at(in->blob_format, In) == 0 ==>
  @     large_blob_metadata{Out}(p + 8, l_string_wire(\at(in->category.ref, In)),
  @       l_string_wire(\at(in->name.ref, In)), count, \at(in->thread.ref, In))) &&
  @   (\at(in->blob_format, In) == 1 ==>
  @     large_blob_no_metadata{Out}(p + 8, l_string_wire(\at(in->category.ref, In)),
  @       l_string_wire(\at(in->name.ref, In)))) &&
  @   string_at{In, Out}(p + 16, \at(in->category.bytes, In), \at(in->category.ref, In)) &&
  @   string_at{In, Out}(p + 8 * (2 + l_string_words(\at(in->category.ref, In))),
  @     \at(in->name.bytes, In), \at(in->name.ref, In)) &&
  @   (\at(in->blob_format, In) == 0 ==>
  @     large_blob_metadata_at{In, Out}(p + 8 * (2 + l_string_words(\at(in->category.ref, In)) +
  @       l_string_words(\at(in->name.ref, In))), in, args, count)) &&
  @   word_at{Out}(p + 8 * l_large_blob_payload_word{In}(in, args, count),
  @     \at(in->payload.size, In)) &&
  @   stream_at{In, Out}(p + 8 * (1 + l_large_blob_payload_word{In}(in, args, count)),
  @     \at(in->payload.bytes, In), \at(in->payload.size, In));
  @*/

/*@ // The pieces of an argument at p: its name's text, and its value, by type.
  @ predicate arg_name_at{In, Out}(uint8_t *p, struct fxt_arg *a) =
  @   stream_at{In, Out}(p + 8, \at(a->name.bytes, In), l_inline_length(\at(a->name.ref, In)));
  @ predicate arg_string_at{In, Out}(uint8_t *p, struct fxt_arg *a) =
  @   stream_at{In, Out}(p + 8 * (1 + l_string_words(\at(a->name.ref, In))),
  @     \at(a->text.bytes, In), l_inline_length(\at(a->text.ref, In)));
  @ predicate arg_bytes_at{In, Out}(uint8_t *p, struct fxt_arg *a) =
  @   stream_at{In, Out}(p + 8 * (1 + l_string_words(\at(a->name.ref, In))),
  @     \at(a->blob.bytes, In), \at(a->blob.size, In));
  @ predicate arg_text_at{In, Out}(uint8_t *p, struct fxt_arg *a) =
  @   \at(a->type, In) == 6 ==>
  @     stream_at{In, Out}(p + 8 * (1 + l_string_words(\at(a->name.ref, In))),
  @       \at(a->text.bytes, In), l_inline_length(\at(a->text.ref, In)));
  @ predicate arg_blob_at{In, Out}(uint8_t *p, struct fxt_arg *a) =
  @   \at(a->type, In) == 10 ==>
  @     stream_at{In, Out}(p + 8 * (1 + l_string_words(\at(a->name.ref, In))),
  @       \at(a->blob.bytes, In), \at(a->blob.size, In));
  @ predicate arg_word_at{In, Out}(uint8_t *p, struct fxt_arg *a) =
  @   3 <= \at(a->type, In) <= 5 || 7 <= \at(a->type, In) <= 8 ==>
  @     word_at{Out}(p + 8 * (1 + l_string_words(\at(a->name.ref, In))), \at(a->value, In));
  @*/

/*@ // The bytes of these pieces are the same at A and B.
  @ predicate arg_name_kept{A, B}(uint8_t *p, struct fxt_arg *a) =
  @   stream_same{A, B}(p + 8, 8 * l_words_of(l_inline_length(\at(a->name.ref, A))));
  @ predicate arg_text_kept{A, B}(uint8_t *p, struct fxt_arg *a) =
  @   stream_same{A, B}(p + 8 * (1 + l_string_words(\at(a->name.ref, A))),
  @     8 * l_words_of(l_inline_length(\at(a->text.ref, A))));
  @ predicate arg_blob_kept{A, B}(uint8_t *p, struct fxt_arg *a) =
  @   stream_same{A, B}(p + 8 * (1 + l_string_words(\at(a->name.ref, A))),
  @     8 * l_words_of(\at(a->blob.size, A)));
  @*/

/*@ // The same of argument k of those whose first is at p.
  @ predicate nth_header_at{In, Out}(uint8_t *p, struct fxt_arg *args, integer k) =
  @   arg_header{Out}(p + 8 * l_args_words{In}(args, k), \at(args[k].type, In),
  @     l_arg_words{In}(args + k), l_string_wire(\at(args[k].name.ref, In)),
  @     l_value_data{In}(args + k));
  @ predicate nth_name_at{In, Out}(uint8_t *p, struct fxt_arg *args, integer k) =
  @   arg_name_at{In, Out}(p + 8 * l_args_words{In}(args, k), args + k);
  @ predicate nth_text_at{In, Out}(uint8_t *p, struct fxt_arg *args, integer k) =
  @   arg_text_at{In, Out}(p + 8 * l_args_words{In}(args, k), args + k);
  @ predicate nth_blob_at{In, Out}(uint8_t *p, struct fxt_arg *args, integer k) =
  @   arg_blob_at{In, Out}(p + 8 * l_args_words{In}(args, k), args + k);
  @ predicate nth_string_at{In, Out}(uint8_t *p, struct fxt_arg *args, integer k) =
  @   arg_string_at{In, Out}(p + 8 * l_args_words{In}(args, k), args + k);
  @ predicate nth_bytes_at{In, Out}(uint8_t *p, struct fxt_arg *args, integer k) =
  @   arg_bytes_at{In, Out}(p + 8 * l_args_words{In}(args, k), args + k);
  @ predicate nth_name_kept{A, B}(uint8_t *p, struct fxt_arg *args, integer k) =
  @   arg_name_kept{A, B}(p + 8 * l_args_words{A}(args, k), args + k);
  @ predicate nth_text_kept{A, B}(uint8_t *p, struct fxt_arg *args, integer k) =
  @   arg_text_kept{A, B}(p + 8 * l_args_words{A}(args, k), args + k);
  @ predicate nth_blob_kept{A, B}(uint8_t *p, struct fxt_arg *args, integer k) =
  @   arg_blob_kept{A, B}(p + 8 * l_args_words{A}(args, k), args + k);
  @ predicate nth_word_at{In, Out}(uint8_t *p, struct fxt_arg *args, integer k) =
  @   arg_word_at{In, Out}(p + 8 * l_args_words{In}(args, k), args + k);
  @ predicate nth_arg_at{In, Out}(uint8_t *p, struct fxt_arg *args, integer k) =
  @   encoded_arg{In, Out}(p + 8 * l_args_words{In}(args, k), args + k);
  @*/

/*@ // Neither the arguments nor what they point at lies in the size bytes at p.
  @ predicate args_apart(uint8_t *p, integer size, struct fxt_arg *args, integer count) =
  @   \forall integer k; 0 <= k < count ==> arg_apart(p, size, args + k);
  @
  @ // The words before the arguments.
  @ logic integer l_event_head_words(struct fxt_event *in) = 2 + l_thread_words(in->thread.ref) +
  @   l_string_words(in->category.ref) + l_string_words(in->name.ref);
  @ logic integer l_userspace_head_words(struct fxt_userspace_object *in) =
  @   2 + l_process_words(in->process.ref) + l_string_words(in->name.ref);
  @ logic integer l_large_head_words(struct fxt_large_blob *in) =
  @   2 + l_string_words(in->category.ref) + l_string_words(in->name.ref);
  @*/

#endif
