/* The contracts of <fxt/write.h>. Only Frama-C reads this. */
#ifndef FXT_ACSL_CONTRACTS_WRITE_H
#define FXT_ACSL_CONTRACTS_WRITE_H

#include "spec/acsl/write.h"

/*@ requires \valid(writer);
  @ requires capacity <= 9223372036854775807;
  @ requires writable(bytes, capacity) && \separated(writer, bytes + (0 .. capacity - 1));
  @ terminates \true;
  @ assigns *writer;
  @ ensures fxt_writer_ok(writer) && writer->size == 0;
  @*/
void fxt_writer_init(struct fxt_writer *writer, uint8_t *bytes, uint64_t capacity);

/*@ requires \valid(writer) && fxt_writer_ok(writer);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer) && \result \in {FXT_OK, FXT_FULL};
  @ ensures full: \result == FXT_FULL <==> !\old(room(writer, 1));
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size);
  @ ensures all: \result == FXT_OK ==> writer->size == \old(writer->size + 8);
  @ ensures record: \result == FXT_OK ==> valid_record(\old(l_place(writer)), 1);
  @ ensures encoded: \result == FXT_OK ==> encoded_magic(\old(l_place(writer)));
  @*/
enum fxt_status fxt_write_magic(struct fxt_writer *writer);

/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes + (writer->size .. writer->capacity - 1));
  @ requires given: stream_given(writer, in->name.bytes, in->name.size);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer) && \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==> !\old(writable_provider_info(in));
  @ ensures full: \result == FXT_FULL <==>
  @     \old(writable_provider_info(in) && !room(writer, l_provider_info_record_words(in)));
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size);
  @ ensures all: \result == FXT_OK ==>
  @     writer->size == \old(writer->size + 8 * l_provider_info_record_words(in));
  @ ensures record: \result == FXT_OK ==>
  @     valid_record(\old(l_place(writer)), \old(l_provider_info_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==>
  @     encoded_provider_info{Pre, Here}(\old(l_place(writer)), in);
  @*/
FXT_ENCODER(provider_info);

/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes + (writer->size .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer) && \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==> !\old(writable_provider_section(in));
  @ ensures full: \result == FXT_FULL <==>
  @     \old(writable_provider_section(in) && !room(writer, l_provider_section_record_words(in)));
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size);
  @ ensures all: \result == FXT_OK ==>
  @     writer->size == \old(writer->size + 8 * l_provider_section_record_words(in));
  @ ensures record: \result == FXT_OK ==>
  @     valid_record(\old(l_place(writer)), \old(l_provider_section_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==>
  @     encoded_provider_section{Pre, Here}(\old(l_place(writer)), in);
  @*/
FXT_ENCODER(provider_section);

/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes + (writer->size .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer) && \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==> !\old(writable_provider_event(in));
  @ ensures full: \result == FXT_FULL <==>
  @     \old(writable_provider_event(in) && !room(writer, l_provider_event_record_words(in)));
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size);
  @ ensures all: \result == FXT_OK ==>
  @     writer->size == \old(writer->size + 8 * l_provider_event_record_words(in));
  @ ensures record: \result == FXT_OK ==>
  @     valid_record(\old(l_place(writer)), \old(l_provider_event_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==>
  @     encoded_provider_event{Pre, Here}(\old(l_place(writer)), in);
  @*/
FXT_ENCODER(provider_event);

/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes + (writer->size .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer) && \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==> !\old(writable_initialization(in));
  @ ensures full: \result == FXT_FULL <==>
  @     \old(writable_initialization(in) && !room(writer, l_initialization_record_words(in)));
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size);
  @ ensures all: \result == FXT_OK ==>
  @     writer->size == \old(writer->size + 8 * l_initialization_record_words(in));
  @ ensures record: \result == FXT_OK ==>
  @     valid_record(\old(l_place(writer)), \old(l_initialization_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==>
  @     encoded_initialization{Pre, Here}(\old(l_place(writer)), in);
  @*/
FXT_ENCODER(initialization);

/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes + (writer->size .. writer->capacity - 1));
  @ requires given: stream_given(writer, in->value.bytes, in->value.size);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer) && \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==> !\old(writable_string(in));
  @ ensures full: \result == FXT_FULL <==>
  @     \old(writable_string(in) && !room(writer, l_string_record_words(in)));
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size);
  @ ensures all: \result == FXT_OK ==>
  @     writer->size == \old(writer->size + 8 * l_string_record_words(in));
  @ ensures record: \result == FXT_OK ==>
  @     valid_record(\old(l_place(writer)), \old(l_string_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==> encoded_string{Pre, Here}(\old(l_place(writer)), in);
  @*/
FXT_ENCODER(string);

/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes + (writer->size .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer) && \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==> !\old(writable_thread(in));
  @ ensures full: \result == FXT_FULL <==>
  @     \old(writable_thread(in) && !room(writer, l_thread_record_words(in)));
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size);
  @ ensures all: \result == FXT_OK ==>
  @     writer->size == \old(writer->size + 8 * l_thread_record_words(in));
  @ ensures record: \result == FXT_OK ==>
  @     valid_record(\old(l_place(writer)), \old(l_thread_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==> encoded_thread{Pre, Here}(\old(l_place(writer)), in);
  @*/
FXT_ENCODER(thread);

/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes + (writer->size .. writer->capacity - 1));
  @ requires given: string_given(writer, in->category.bytes, in->category.ref);
  @ requires given: string_given(writer, in->name.bytes, in->name.ref);
  @ requires given: args_given(writer, args, arg_count);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer) && \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==> !\old(writable_event(in, args, arg_count));
  @ ensures full: \result == FXT_FULL <==>
  @     \old(writable_event(in, args, arg_count) &&
  @         !room(writer, l_event_record_words(in, args, arg_count)));
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size);
  @ ensures all: \result == FXT_OK ==>
  @     writer->size == \old(writer->size + 8 * l_event_record_words(in, args, arg_count));
  @ ensures record: \result == FXT_OK ==>
  @     valid_record(\old(l_place(writer)), \old(l_event_record_words(in, args, arg_count)));
  @ ensures encoded: \result == FXT_OK ==>
  @     encoded_event{Pre, Here}(\old(l_place(writer)), in, args, arg_count);
  @*/
FXT_ENCODER_WITH_ARGS(event);

/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes + (writer->size .. writer->capacity - 1));
  @ requires given: string_given(writer, in->name.bytes, in->name.ref);
  @ requires given: stream_given(writer, in->payload.bytes, in->payload.size);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer) && \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==> !\old(writable_blob(in));
  @ ensures full: \result == FXT_FULL <==>
  @     \old(writable_blob(in) && !room(writer, l_blob_record_words(in)));
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size);
  @ ensures all: \result == FXT_OK ==>
  @     writer->size == \old(writer->size + 8 * l_blob_record_words(in));
  @ ensures record: \result == FXT_OK ==>
  @     valid_record(\old(l_place(writer)), \old(l_blob_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==> encoded_blob{Pre, Here}(\old(l_place(writer)), in);
  @*/
FXT_ENCODER(blob);

/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes + (writer->size .. writer->capacity - 1));
  @ requires given: string_given(writer, in->name.bytes, in->name.ref);
  @ requires given: args_given(writer, args, arg_count);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer) && \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==>
  @     !\old(writable_userspace_object(in, args, arg_count));
  @ ensures full: \result == FXT_FULL <==>
  @     \old(writable_userspace_object(in, args, arg_count) &&
  @         !room(writer, l_userspace_object_record_words(in, args, arg_count)));
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size);
  @ ensures all: \result == FXT_OK ==>
  @     writer->size == \old(writer->size +
  @         8 * l_userspace_object_record_words(in, args, arg_count));
  @ ensures record: \result == FXT_OK ==>
  @     valid_record(\old(l_place(writer)),
  @         \old(l_userspace_object_record_words(in, args, arg_count)));
  @ ensures encoded: \result == FXT_OK ==>
  @     encoded_userspace_object{Pre, Here}(\old(l_place(writer)), in, args, arg_count);
  @*/
FXT_ENCODER_WITH_ARGS(userspace_object);

/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes + (writer->size .. writer->capacity - 1));
  @ requires given: string_given(writer, in->name.bytes, in->name.ref);
  @ requires given: args_given(writer, args, arg_count);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer) && \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==> !\old(writable_kernel_object(in, args, arg_count));
  @ ensures full: \result == FXT_FULL <==>
  @     \old(writable_kernel_object(in, args, arg_count) &&
  @         !room(writer, l_kernel_object_record_words(in, args, arg_count)));
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size);
  @ ensures all: \result == FXT_OK ==>
  @     writer->size == \old(writer->size + 8 * l_kernel_object_record_words(in, args, arg_count));
  @ ensures record: \result == FXT_OK ==>
  @     valid_record(\old(l_place(writer)),
  @         \old(l_kernel_object_record_words(in, args, arg_count)));
  @ ensures encoded: \result == FXT_OK ==>
  @     encoded_kernel_object{Pre, Here}(\old(l_place(writer)), in, args, arg_count);
  @*/
FXT_ENCODER_WITH_ARGS(kernel_object);

/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes + (writer->size .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer) && \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==> !\old(writable_legacy_switch(in));
  @ ensures full: \result == FXT_FULL <==>
  @     \old(writable_legacy_switch(in) && !room(writer, l_legacy_switch_record_words(in)));
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size);
  @ ensures all: \result == FXT_OK ==>
  @     writer->size == \old(writer->size + 8 * l_legacy_switch_record_words(in));
  @ ensures record: \result == FXT_OK ==>
  @     valid_record(\old(l_place(writer)), \old(l_legacy_switch_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==>
  @     encoded_legacy_switch{Pre, Here}(\old(l_place(writer)), in);
  @*/
FXT_ENCODER(legacy_switch);

/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes + (writer->size .. writer->capacity - 1));
  @ requires given: args_given(writer, args, arg_count);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer) && \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==>
  @     !\old(writable_context_switch(in, args, arg_count));
  @ ensures full: \result == FXT_FULL <==>
  @     \old(writable_context_switch(in, args, arg_count) &&
  @         !room(writer, l_context_switch_record_words(in, args, arg_count)));
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size);
  @ ensures all: \result == FXT_OK ==>
  @     writer->size == \old(writer->size + 8 * l_context_switch_record_words(in, args, arg_count));
  @ ensures record: \result == FXT_OK ==>
  @     valid_record(\old(l_place(writer)),
  @         \old(l_context_switch_record_words(in, args, arg_count)));
  @ ensures encoded: \result == FXT_OK ==>
  @     encoded_context_switch{Pre, Here}(\old(l_place(writer)), in, args, arg_count);
  @*/
FXT_ENCODER_WITH_ARGS(context_switch);

/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes + (writer->size .. writer->capacity - 1));
  @ requires given: args_given(writer, args, arg_count);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer) && \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==> !\old(writable_thread_wakeup(in, args, arg_count));
  @ ensures full: \result == FXT_FULL <==>
  @     \old(writable_thread_wakeup(in, args, arg_count) &&
  @         !room(writer, l_thread_wakeup_record_words(in, args, arg_count)));
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size);
  @ ensures all: \result == FXT_OK ==>
  @     writer->size == \old(writer->size + 8 * l_thread_wakeup_record_words(in, args, arg_count));
  @ ensures record: \result == FXT_OK ==>
  @     valid_record(\old(l_place(writer)),
  @         \old(l_thread_wakeup_record_words(in, args, arg_count)));
  @ ensures encoded: \result == FXT_OK ==>
  @     encoded_thread_wakeup{Pre, Here}(\old(l_place(writer)), in, args, arg_count);
  @*/
FXT_ENCODER_WITH_ARGS(thread_wakeup);

/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes + (writer->size .. writer->capacity - 1));
  @ requires given: stream_given(writer, in->message.bytes, in->message.size);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer) && \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==> !\old(writable_log(in));
  @ ensures full: \result == FXT_FULL <==>
  @     \old(writable_log(in) && !room(writer, l_log_record_words(in)));
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size);
  @ ensures all: \result == FXT_OK ==>
  @     writer->size == \old(writer->size + 8 * l_log_record_words(in));
  @ ensures record: \result == FXT_OK ==>
  @     valid_record(\old(l_place(writer)), \old(l_log_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==> encoded_log{Pre, Here}(\old(l_place(writer)), in);
  @*/
FXT_ENCODER(log);

/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes + (writer->size .. writer->capacity - 1));
  @ requires given: stream_given(writer, in->name.bytes, in->name.size);
  @ requires given: stream_given(writer, in->build_id.bytes, in->build_id.size);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer) && \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==> !\old(writable_module(in));
  @ ensures full: \result == FXT_FULL <==>
  @     \old(writable_module(in) && !room(writer, l_module_record_words(in)));
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size);
  @ ensures all: \result == FXT_OK ==>
  @     writer->size == \old(writer->size + 8 * l_module_record_words(in));
  @ ensures record: \result == FXT_OK ==>
  @     valid_record(\old(l_place(writer)), \old(l_module_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==> encoded_module{Pre, Here}(\old(l_place(writer)), in);
  @*/
FXT_ENCODER(module);

/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes + (writer->size .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer) && \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==> !\old(writable_mmap(in));
  @ ensures full: \result == FXT_FULL <==>
  @     \old(writable_mmap(in) && !room(writer, l_mmap_record_words(in)));
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size);
  @ ensures all: \result == FXT_OK ==>
  @     writer->size == \old(writer->size + 8 * l_mmap_record_words(in));
  @ ensures record: \result == FXT_OK ==>
  @     valid_record(\old(l_place(writer)), \old(l_mmap_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==> encoded_mmap{Pre, Here}(\old(l_place(writer)), in);
  @*/
FXT_ENCODER(mmap);

/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes + (writer->size .. writer->capacity - 1));
  @ requires given: stream_given(writer, in->frames.bytes, in->frames.size);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer) && \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==> !\old(writable_backtrace(in));
  @ ensures full: \result == FXT_FULL <==>
  @     \old(writable_backtrace(in) && !room(writer, l_backtrace_record_words(in)));
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size);
  @ ensures all: \result == FXT_OK ==>
  @     writer->size == \old(writer->size + 8 * l_backtrace_record_words(in));
  @ ensures record: \result == FXT_OK ==>
  @     valid_record(\old(l_place(writer)), \old(l_backtrace_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==> encoded_backtrace{Pre, Here}(\old(l_place(writer)), in);
  @*/
FXT_ENCODER(backtrace);

/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes + (writer->size .. writer->capacity - 1));
  @ requires given: string_given(writer, in->category.bytes, in->category.ref);
  @ requires given: string_given(writer, in->name.bytes, in->name.ref);
  @ requires given: stream_given(writer, in->payload.bytes, in->payload.size);
  @ requires given: args_given(writer, args, arg_count);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer) && \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==> !\old(writable_large_blob(in, args, arg_count));
  @ ensures full: \result == FXT_FULL <==>
  @     \old(writable_large_blob(in, args, arg_count) &&
  @         !room(writer, l_large_blob_record_words(in, args, arg_count)));
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size);
  @ ensures all: \result == FXT_OK ==>
  @     writer->size == \old(writer->size + 8 * l_large_blob_record_words(in, args, arg_count));
  @ ensures record: \result == FXT_OK ==>
  @     valid_record(\old(l_place(writer)), \old(l_large_blob_record_words(in, args, arg_count)));
  @ ensures encoded: \result == FXT_OK ==>
  @     encoded_large_blob{Pre, Here}(\old(l_place(writer)), in, args, arg_count);
  @*/
FXT_ENCODER_WITH_ARGS(large_blob);

/*@ requires \valid(writer) && fxt_writer_ok(writer);
  @ requires given: stream_given(writer, bytes, size);
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures fxt_writer_ok(writer) && \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==> size > 0 && (size % 8 != 0 || bytes == \null);
  @ ensures full: \result == FXT_FULL <==>
  @     size % 8 == 0 && bytes != \null && size > \old(writer->capacity - writer->size);
  @ ensures nothing: \result != FXT_OK ==> writer->size == \old(writer->size);
  @ ensures all: \result == FXT_OK ==> writer->size == \old(writer->size) + size;
  @ ensures encoded: \result == FXT_OK ==>
  @     stream_at{Pre, Here}(\old(l_place(writer)), bytes, size);
  @*/
enum fxt_status fxt_write_raw(struct fxt_writer *writer, const uint8_t *bytes, uint64_t size);

/*@ predicate fxt_no_bytes(struct fxt_bytes it) = it.bytes == \null && it.size == 0;
  @ predicate fxt_no_text(struct fxt_string_ref it) = it.bytes == \null && it.ref == 0;
  @ predicate fxt_arg_head(struct fxt_arg arg, integer type, struct fxt_string_ref name,
  @                        integer value) =
  @   arg.type == type && arg.name == name && arg.value == value &&
  @   arg.tail.bytes == \null && arg.tail.words == 0;
  @ predicate fxt_plain_arg(struct fxt_arg arg, integer type, struct fxt_string_ref name,
  @                         integer value) =
  @   fxt_arg_head(arg, type, name, value) && fxt_no_text(arg.text) && fxt_no_bytes(arg.blob);
  @*/

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_plain_arg(\result, type, name, value);
  @*/
static inline struct fxt_arg fxt_make_arg(uint8_t type, struct fxt_string_ref name, uint64_t value);

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_plain_arg(\result, 0, name, 0);
  @*/
static inline struct fxt_arg fxt_make_null(struct fxt_string_ref name);

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_plain_arg(\result, 1, name, l_unsigned(value, 4294967296));
  @*/
static inline struct fxt_arg fxt_make_int32(struct fxt_string_ref name, int32_t value);

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_plain_arg(\result, 2, name, value);
  @*/
static inline struct fxt_arg fxt_make_uint32(struct fxt_string_ref name, uint32_t value);

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_plain_arg(\result, 3, name, l_unsigned(value, 18446744073709551616));
  @*/
static inline struct fxt_arg fxt_make_int64(struct fxt_string_ref name, int64_t value);

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_plain_arg(\result, 4, name, value);
  @*/
static inline struct fxt_arg fxt_make_uint64(struct fxt_string_ref name, uint64_t value);

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_plain_arg(\result, 7, name, value);
  @*/
static inline struct fxt_arg fxt_make_pointer(struct fxt_string_ref name, uint64_t value);

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_plain_arg(\result, 8, name, value);
  @*/
static inline struct fxt_arg fxt_make_koid(struct fxt_string_ref name, uint64_t value);

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_plain_arg(\result, 9, name, (value ? 1 : 0));
  @*/
static inline struct fxt_arg fxt_make_bool(struct fxt_string_ref name, bool value);

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_arg_head(\result, 6, name, 0);
  @ ensures \result.text == text && fxt_no_bytes(\result.blob);
  @*/
static inline struct fxt_arg fxt_make_string(struct fxt_string_ref name, struct fxt_string_ref text);

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_arg_head(\result, 10, name, 0) && fxt_no_text(\result.text);
  @ ensures \result.blob.size == size;
  @*/
static inline struct fxt_arg fxt_make_blob(struct fxt_string_ref name, const void *bytes, uint64_t size);

#endif
