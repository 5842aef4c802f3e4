/* No predicate of a contract is empty: for each family a record that a decoder accepts (formed_*)
   and a record that the writer accepts (writable_*), and an argument of each kind. What a function
   that initializes something promises (fxt_writer_ok, fxt_reader_ok, fxt_tables_ok …) has its witness
   in that function. */
#include <fxt/read.h>
#include <fxt/write.h>

#include "spec/acsl/read.h"
#include "spec/acsl/write.h"
#include "src/base/word.h"
#include "src/wire/layout.h"

/* The record that a header announces, at the start of a trace. */
/*@ requires \valid(record) && 1 <= l_record_words(header) <= 6 && \valid_read(bytes + (0 .. 47));
  @ requires \separated(record, bytes + (0 .. 47));
  @ terminates \true;
  @ assigns *record;
  @ ensures framed: fxt_record_framed(record) && record->header == header;
  @ ensures bytes: record->bytes == bytes;
  @*/
static inline void announce(struct fxt_record *record, const uint8_t *bytes, uint64_t header)
{
    record->bytes = bytes;
    record->offset = 0;
    record->header = header;
    record->words = fxt_record_header_size(header);
    if (fxt_record_header_type(header) == FXT_RECORD_LARGE)
        record->words = fxt_large_header_size(header);
    record->type = fxt_record_header_type(header);
}

/*@ requires \valid(record) && \valid_read(bytes + (0 .. 47));
  @ requires \separated(record, bytes + (0 .. 47));
  @ terminates \true;
  @ assigns *record;
  @ ensures formed: fxt_record_framed(record) && formed_trace_info(record);
  @*/
static inline void a_trace_info(struct fxt_record *record, const uint8_t *bytes)
{
    announce(record, bytes, fxt_pack_trace_info_header(1, 0, 0));
}

/*@ requires \valid(record) && \valid_read(bytes + (0 .. 47));
  @ requires \separated(record, bytes + (0 .. 47));
  @ terminates \true;
  @ assigns *record;
  @ ensures formed: fxt_record_framed(record) && formed_event(record);
  @*/
static inline void an_event(struct fxt_record *record, const uint8_t *bytes)
{
    announce(record, bytes, fxt_pack_event_header(2, FXT_EVENT_INSTANT, 0, 1, 0, 0));
    /*@ assert args: l_event_args(record->header) == 2; */
    /*@ assert count: l_event_header_arg_count(record->header) == 0; */
    /*@ assert end: l_event_end(record) == 2; */
    /*@ assert type: l_event_header_event_type(record->header) == 0; */
    /*@ assert value: l_event_value_words(l_event_header_event_type(record->header)) == 0; */
}

/*@ requires \valid(in);
  @ terminates \true;
  @ assigns *in;
  @ ensures writable: writable_event(in, \null, 0);
  @*/
static inline void an_event_to_write(struct fxt_event *in)
{
    in->thread.ref = 1;
    in->category.bytes = NULL;
    in->category.ref = 0;
    in->name.bytes = NULL;
    in->name.ref = 0;
    in->event_type = FXT_EVENT_INSTANT;
    in->scope = FXT_SCOPE_THREAD;
    in->has_scope = 0;
}

/*@ requires \valid(record) && \valid(bytes + (0 .. 47));
  @ requires \separated(record, bytes + (0 .. 47));
  @ terminates \true;
  @ assigns *record, bytes[8 .. 23];
  @ ensures formed: fxt_record_framed(record) && formed_large_blob(record);
  @*/
static inline void a_large_blob(struct fxt_record *record, uint8_t *bytes)
{
    fxt_store_word(bytes + 8, 0);
    fxt_store_word(bytes + 16, 0);
    /*@ assert format: l_word(bytes + 8) == 0; */
    /*@ assert size: l_word(bytes + 16) == 0; */
    announce(record, bytes, fxt_pack_large_blob_header(3, FXT_LARGE_BLOB_NO_METADATA));
    /*@ assert kind: l_large_blob_header_blob_format(record->header) == 1; */
    /*@ assert word: l_large_blob_format(record) == 0; */
    /*@ assert behind: l_large_blob_behind(0) == 2; */
    /*@ assert end: l_large_blob_size_at(record, 0) == 2; */
    /*@ assert here: l_large_blob_size_at(record, l_large_blob_format(record)) == 2; */
    /*@ assert payload: l_word(record->bytes +
      @   8 * l_large_blob_size_at(record, l_large_blob_format(record))) == 0; */
    /*@ assert words: record->words == 3 && l_words_of(0) == 0; */
    /*@ assert is: is_large_blob(record); */
    /*@ assert size_at: l_large_blob_size_at(record, l_large_blob_format(record)) + 1 +
      @   l_words_of(l_word(record->bytes +
      @     8 * l_large_blob_size_at(record, l_large_blob_format(record)))) <= record->words; */
    /*@ assert formed: formed_large_blob(record); */
}

/*@ requires \valid(in);
  @ terminates \true;
  @ assigns *in;
  @ ensures writable: writable_large_blob(in, \null, 0);
  @*/
static inline void a_large_blob_to_write(struct fxt_large_blob *in)
{
    in->category.bytes = NULL;
    in->category.ref = 0;
    in->name.bytes = NULL;
    in->name.ref = 0;
    in->payload.bytes = NULL;
    in->payload.size = 0;
    in->blob_format = FXT_LARGE_BLOB_NO_METADATA;
}

/* An argument that can be written, and one that a decoder has checked: a bool of one word. */
/*@ requires \valid(in) && \valid(args) && \valid(bytes + (0 .. 7));
  @ requires \separated(in, args, bytes + (0 .. 7));
  @ terminates \true;
  @ assigns *in, *args, bytes[0 .. 7];
  @ ensures writable: writable_arg(in);
  @ ensures checked: fxt_args_ok(args) && fxt_args_checked(args) && args->count == 1;
  @*/
static inline void an_argument(struct fxt_arg *in, struct fxt_args *args, uint8_t *bytes)
{
    uint64_t header = fxt_pack_arg_bool_header(1, 0, 1);

    in->name.bytes = NULL;
    in->name.ref = 0;
    in->type = FXT_ARG_BOOL;
    in->value = 1;
    fxt_store_word(bytes, header);
    args->bytes = bytes;
    args->offset = 0;
    args->words = 1;
    args->count = 1;
    /*@ assert word: l_word_before(args->bytes + 8, 1) == header; */
    /*@ assert hop: l_arg_hop(header, 1) == 1; */
    /*@ assert rest: l_args_fill(args->bytes + 8, 0, 0); */
}

/* Generated by spec/generate.py from witness.in of provider_info provider_section
   provider_event initialization string thread blob userspace_object kernel_object
   legacy_switch context_switch thread_wakeup log module mmap backtrace. */
/*@ requires \valid(record) && \valid_read(bytes + (0 .. 47)) && \valid(in);
  @ requires \separated(record, in, bytes + (0 .. 47));
  @ terminates \true;
  @ assigns *record, *in;
  @ ensures formed: fxt_record_framed(record) && formed_provider_info(record);
  @ ensures writable: writable_provider_info(in);
  @*/
static inline void a_provider_info(struct fxt_record *record, const uint8_t *bytes,
                                   struct fxt_provider_info *in)
{
    announce(record, bytes, fxt_pack_provider_info_header(1, 7, 0));
    in->name.bytes = NULL;
    in->name.size = 0;
    in->provider_id = 7;
}

/*@ requires \valid(record) && \valid_read(bytes + (0 .. 47)) && \valid(in);
  @ requires \separated(record, in, bytes + (0 .. 47));
  @ terminates \true;
  @ assigns *record, *in;
  @ ensures formed: fxt_record_framed(record) && formed_provider_section(record);
  @ ensures writable: writable_provider_section(in);
  @*/
static inline void a_provider_section(struct fxt_record *record, const uint8_t *bytes,
                                      struct fxt_provider_section *in)
{
    announce(record, bytes, fxt_pack_provider_section_header(1, 7));
    in->provider_id = 7;
}

/*@ requires \valid(record) && \valid_read(bytes + (0 .. 47)) && \valid(in);
  @ requires \separated(record, in, bytes + (0 .. 47));
  @ terminates \true;
  @ assigns *record, *in;
  @ ensures formed: fxt_record_framed(record) && formed_provider_event(record);
  @ ensures writable: writable_provider_event(in);
  @*/
static inline void a_provider_event(struct fxt_record *record, const uint8_t *bytes,
                                    struct fxt_provider_event *in)
{
    announce(record, bytes, fxt_pack_provider_event_header(1, 7, 0));
    in->provider_id = 7;
    in->event_id = 0;
}

/*@ requires \valid(record) && \valid_read(bytes + (0 .. 47)) && \valid(in);
  @ requires \separated(record, in, bytes + (0 .. 47));
  @ terminates \true;
  @ assigns *record, *in;
  @ ensures formed: fxt_record_framed(record) && formed_initialization(record);
  @ ensures writable: writable_initialization(in);
  @*/
static inline void an_initialization(struct fxt_record *record, const uint8_t *bytes,
                                     struct fxt_initialization *in)
{
    announce(record, bytes, fxt_pack_initialization_header(2));
    in->ticks_per_second = 1;
}

/*@ requires \valid(record) && \valid_read(bytes + (0 .. 47)) && \valid(in);
  @ requires \separated(record, in, bytes + (0 .. 47));
  @ terminates \true;
  @ assigns *record, *in;
  @ ensures formed: fxt_record_framed(record) && formed_string(record);
  @ ensures writable: writable_string(in);
  @*/
static inline void a_string(struct fxt_record *record, const uint8_t *bytes, struct fxt_string *in)
{
    announce(record, bytes, fxt_pack_string_header(1, 1, 0));
    in->value.bytes = NULL;
    in->value.size = 0;
    in->index = 1;
}

/*@ requires \valid(record) && \valid_read(bytes + (0 .. 47)) && \valid(in);
  @ requires \separated(record, in, bytes + (0 .. 47));
  @ terminates \true;
  @ assigns *record, *in;
  @ ensures formed: fxt_record_framed(record) && formed_thread(record);
  @ ensures writable: writable_thread(in);
  @*/
static inline void a_thread(struct fxt_record *record, const uint8_t *bytes, struct fxt_thread *in)
{
    announce(record, bytes, fxt_pack_thread_header(3, 1));
    in->index = 1;
}

/*@ requires \valid(record) && \valid_read(bytes + (0 .. 47)) && \valid(in);
  @ requires \separated(record, in, bytes + (0 .. 47));
  @ terminates \true;
  @ assigns *record, *in;
  @ ensures formed: fxt_record_framed(record) && formed_blob(record);
  @ ensures writable: writable_blob(in);
  @*/
static inline void a_blob(struct fxt_record *record, const uint8_t *bytes, struct fxt_blob *in)
{
    announce(record, bytes, fxt_pack_blob_header(1, 0, 0, FXT_BLOB_DATA));
    in->name.bytes = NULL;
    in->name.ref = 0;
    in->payload.bytes = NULL;
    in->payload.size = 0;
    in->blob_type = FXT_BLOB_DATA;
}

/*@ requires \valid(record) && \valid_read(bytes + (0 .. 47)) && \valid(in);
  @ requires \separated(record, in, bytes + (0 .. 47));
  @ terminates \true;
  @ assigns *record, *in;
  @ ensures formed: fxt_record_framed(record) && formed_userspace_object(record);
  @ ensures writable: writable_userspace_object(in, \null, 0);
  @*/
static inline void a_userspace_object(struct fxt_record *record, const uint8_t *bytes,
                                      struct fxt_userspace_object *in)
{
    announce(record, bytes, fxt_pack_userspace_object_header(2, 1, 0, 0));
    in->process.ref = 1;
    in->name.bytes = NULL;
    in->name.ref = 0;
    /*@ assert args: l_userspace_object_args(record->header) == 2; */
    /*@ assert count: l_userspace_object_header_arg_count(record->header) == 0; */
    /*@ assert end: l_userspace_object_end(record) == 2; */
}

/*@ requires \valid(record) && \valid_read(bytes + (0 .. 47)) && \valid(in);
  @ requires \separated(record, in, bytes + (0 .. 47));
  @ terminates \true;
  @ assigns *record, *in;
  @ ensures formed: fxt_record_framed(record) && formed_kernel_object(record);
  @ ensures writable: writable_kernel_object(in, \null, 0);
  @*/
static inline void a_kernel_object(struct fxt_record *record, const uint8_t *bytes,
                                   struct fxt_kernel_object *in)
{
    announce(record, bytes, fxt_pack_kernel_object_header(2, FXT_OBJECT_THREAD, 0, 0));
    in->name.bytes = NULL;
    in->name.ref = 0;
    in->object_type = FXT_OBJECT_THREAD;
}

/*@ requires \valid(record) && \valid_read(bytes + (0 .. 47)) && \valid(in);
  @ requires \separated(record, in, bytes + (0 .. 47));
  @ terminates \true;
  @ assigns *record, *in;
  @ ensures formed: fxt_record_framed(record) && formed_legacy_switch(record);
  @ ensures writable: writable_legacy_switch(in);
  @*/
static inline void a_legacy_switch(struct fxt_record *record, const uint8_t *bytes,
                                   struct fxt_legacy_switch *in)
{
    announce(record, bytes, fxt_pack_legacy_switch_header(2, 0, FXT_THREAD_RUNNING, 1, 2, 0, 0));
    in->outgoing.ref = 1;
    in->incoming.ref = 2;
    in->cpu = 0;
    in->outgoing_state = FXT_THREAD_RUNNING;
    in->outgoing_priority = 0;
    in->incoming_priority = 0;
}

/*@ requires \valid(record) && \valid_read(bytes + (0 .. 47)) && \valid(in);
  @ requires \separated(record, in, bytes + (0 .. 47));
  @ terminates \true;
  @ assigns *record, *in;
  @ ensures formed: fxt_record_framed(record) && formed_context_switch(record);
  @ ensures writable: writable_context_switch(in, \null, 0);
  @*/
static inline void a_context_switch(struct fxt_record *record, const uint8_t *bytes,
                                    struct fxt_context_switch *in)
{
    announce(record, bytes, fxt_pack_context_switch_header(4, 0, 0, FXT_THREAD_RUNNING));
    in->outgoing_state = FXT_THREAD_RUNNING;
}

/*@ requires \valid(record) && \valid_read(bytes + (0 .. 47)) && \valid(in);
  @ requires \separated(record, in, bytes + (0 .. 47));
  @ terminates \true;
  @ assigns *record, *in;
  @ ensures formed: fxt_record_framed(record) && formed_thread_wakeup(record);
  @ ensures writable: writable_thread_wakeup(in, \null, 0);
  @*/
static inline void a_thread_wakeup(struct fxt_record *record, const uint8_t *bytes,
                                   struct fxt_thread_wakeup *in)
{
    announce(record, bytes, fxt_pack_thread_wakeup_header(3, 0, 0));
    in->cpu = 0;
}

/*@ requires \valid(record) && \valid_read(bytes + (0 .. 47)) && \valid(in);
  @ requires \separated(record, in, bytes + (0 .. 47));
  @ terminates \true;
  @ assigns *record, *in;
  @ ensures formed: fxt_record_framed(record) && formed_log(record);
  @ ensures writable: writable_log(in);
  @*/
static inline void a_log(struct fxt_record *record, const uint8_t *bytes, struct fxt_log *in)
{
    announce(record, bytes, fxt_pack_log_header(2, 0, 1));
    in->thread.ref = 1;
    in->message.bytes = NULL;
    in->message.size = 0;
}

/*@ requires \valid(record) && \valid_read(bytes + (0 .. 47)) && \valid(in);
  @ requires \separated(record, in, bytes + (0 .. 47));
  @ terminates \true;
  @ assigns *record, *in;
  @ ensures formed: fxt_record_framed(record) && formed_module(record);
  @ ensures writable: writable_module(in);
  @*/
static inline void a_module(struct fxt_record *record, const uint8_t *bytes, struct fxt_module *in)
{
    announce(record, bytes, fxt_pack_module_header(2, 1, 0, 0, 0));
    in->thread.ref = 1;
    in->name.bytes = NULL;
    in->name.size = 0;
    in->build_id.bytes = NULL;
    in->build_id.size = 0;
}

/*@ requires \valid(record) && \valid_read(bytes + (0 .. 47)) && \valid(in);
  @ requires \separated(record, in, bytes + (0 .. 47));
  @ terminates \true;
  @ assigns *record, *in;
  @ ensures formed: fxt_record_framed(record) && formed_mmap(record);
  @ ensures writable: writable_mmap(in);
  @*/
static inline void a_mmap(struct fxt_record *record, const uint8_t *bytes, struct fxt_mmap *in)
{
    announce(record, bytes, fxt_pack_mmap_header(5, 1, 0, 0));
    in->thread.ref = 1;
    in->flags = 0;
}

/*@ requires \valid(record) && \valid_read(bytes + (0 .. 47)) && \valid(in);
  @ requires \separated(record, in, bytes + (0 .. 47));
  @ terminates \true;
  @ assigns *record, *in;
  @ ensures formed: fxt_record_framed(record) && formed_backtrace(record);
  @ ensures writable: writable_backtrace(in);
  @*/
static inline void a_backtrace(struct fxt_record *record, const uint8_t *bytes,
                               struct fxt_backtrace *in)
{
    announce(record, bytes, fxt_pack_backtrace_header(2, 1, 0));
    in->thread.ref = 1;
    in->frames.bytes = NULL;
    in->frames.size = 0;
}
/* End of what is generated. */
