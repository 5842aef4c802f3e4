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
/* End of what is generated. */
