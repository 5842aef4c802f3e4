/* Log records: there and back. */
#include "proofs/lemmas/layout.c"
#include "proofs/lemmas/step.h"

/* Positions by their names in the logic. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_log_message(header);
  @*/
static inline uint64_t log_message(uint64_t header)
{
    return 2 + thread_words(fxt_log_header_thread(header));
}

/*@ requires \valid_read(record) && \valid_read(in);
  @ requires writable_log(in) && encoded_log{Here, Here}(record->bytes, in);
  @ requires framed(record, l_log_record_words(in));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures formed: formed_log(record);
  @ ensures fields: l_log_header_thread(record->header) == in->thread.ref &&
  @     l_log_header_length(record->header) == in->message.size;
  @ ensures timestamp: l_word(record->bytes + 8) == in->timestamp;
  @ ensures thread: in->thread.ref == 0 ==>
  @     l_koid(record->bytes, 2, in->thread.ref) == in->thread.process &&
  @     l_koid(record->bytes, 3, in->thread.ref) == in->thread.thread;
  @*/
static inline void log_written(const struct fxt_record *record, const struct fxt_log *in)
{
    uint64_t header = fxt_pack_log_header((uint16_t)record->words, (uint16_t)in->message.size,
                                          (uint8_t)in->thread.ref);
    value_of_bytes(record->bytes, header);
    /*@ assert header: record->header == header; */
    value_of_bytes(record->bytes + 8, in->timestamp);
    koids_of_bytes(record->bytes, 2, in->thread.ref, in->thread.process, in->thread.thread);
}

/* What a decoder says of what was written is what was written. */
/*@ requires \valid_read(record) && \valid_read(in) && \valid_read(out);
  @ requires writable_log(in) && encoded_log{Here, Here}(record->bytes, in);
  @ requires framed(record, l_log_record_words(in));
  @ requires says_log{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_log{Here, Here}(in, out);
  @*/
static inline void log_read(const struct fxt_record *record, const struct fxt_log *in,
                            const struct fxt_log *out)
{
    log_written(record, in);
    /*@ assert at: l_log_message(record->header) == 2 + l_thread_words(in->thread.ref); */
    read_stream(record->bytes + 8 * (2 + thread_words(in->thread.ref)), &in->message,
                &out->message);
    /*@ assert thread: same_thread(in->thread.process, in->thread.thread, in->thread.ref,
      @   out->thread.process, out->thread.thread, out->thread.ref); */
    /*@ assert tail: out->tail.words == 0; */
}

/* What was written is decoded as it was. */
/*@ requires \valid_read(record) && \valid_read(in) && \valid(out) && \valid(error);
  @ requires fxt_record_ok(record);
  @ requires \separated(record, in, out, error, record->bytes + (0 .. 8 * record->words - 1));
  @ requires writable_log(in) && encoded_log{Here, Here}(record->bytes, in);
  @ requires framed(record, l_log_record_words(in));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures same: same_log{Here, Here}(in, out);
  @ ensures ok: \result == FXT_OK;
  @*/
static inline enum fxt_status log_decoded(const struct fxt_record *record, const struct fxt_log *in,
                                          struct fxt_log *out, struct fxt_error *error)
{
    log_written(record, in);
    enum fxt_status status = fxt_read_log(record, out, error);
    /*@ assert in_timestamp: in->timestamp == \at(in->timestamp, Pre); */
    /*@ assert in_thread_process: in->thread.process == \at(in->thread.process, Pre); */
    /*@ assert in_thread_thread: in->thread.thread == \at(in->thread.thread, Pre); */
    /*@ assert in_thread_ref: in->thread.ref == \at(in->thread.ref, Pre); */
    /*@ assert in_message_bytes: in->message.bytes == \at(in->message.bytes, Pre); */
    /*@ assert in_message_size: in->message.size == \at(in->message.size, Pre); */
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert encoded: encoded_log{Here, Here}(record->bytes, in); */
    /*@ assert framed: framed(record, l_log_record_words(in)); */
    /*@ assert says: says_log{Here, Here}(record, out); */
    log_read(record, in, out);
    return status;
}

/* What is written is a record, framed. */
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes
  @     + (writer->size .. writer->capacity - 1));
  @ requires given: stream_given(writer, in->message.bytes, in->message.size);
  @ requires \valid(record) &&
  @     \separated(record, in, writer, writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1], *record;
  @ ensures ok: \result == FXT_OK <==>
  @     \old(writable_log(in) && room(writer, l_log_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==> encoded_log{Here, Here}(record->bytes, in);
  @ ensures framed: \result == FXT_OK ==> framed(record, l_log_record_words(in)) &&
  @     record->bytes == \old(l_place(writer)) && record->offset == 0;
  @ ensures kept: kept_log{Pre, Post}(in);
  @*/
static inline enum fxt_status log_framed(struct fxt_writer *writer, const struct fxt_log *in,
                                         struct fxt_record *record)
{
    uint64_t from = writer->size;
    enum fxt_status status = fxt_write_log(writer, in);
    if (status != FXT_OK)
        return status;
    /*@ assert message: stream_same{Pre, Here}(in->message.bytes, in->message.size); */
    /*@ assert now: encoded_log{Here, Here}(writer->bytes + from, in); */
    frame(writer->bytes + from, writer->size - from, record);
    /*@ assert timestamp: in->timestamp == \at(in->timestamp, Pre); */
    /*@ assert thread_process: in->thread.process == \at(in->thread.process, Pre); */
    /*@ assert thread_thread: in->thread.thread == \at(in->thread.thread, Pre); */
    /*@ assert thread_ref: in->thread.ref == \at(in->thread.ref, Pre); */
    /*@ assert message_bytes: in->message.bytes == \at(in->message.bytes, Pre); */
    /*@ assert message_size: in->message.size == \at(in->message.size, Pre); */
    return status;
}

/* P4: encode, then decode. */
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires given: stream_given(writer, in->message.bytes, in->message.size);
  @ requires \valid(record) && \valid(out) && \valid(error);
  @ requires \separated(record, in, out, error, writer, writer->bytes
  @     + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1], *record, *out,
  @     *error;
  @ ensures ok: \result == FXT_OK <==>
  @     \old(writable_log(in) && room(writer, l_log_record_words(in)));
  @ ensures same: \result == FXT_OK ==> same_log{Here, Here}(in, out);
  @*/
static inline enum fxt_status log_there(struct fxt_writer *writer, const struct fxt_log *in,
                                        struct fxt_record *record, struct fxt_log *out,
                                        struct fxt_error *error)
{
    enum fxt_status status = log_framed(writer, in, record);
    if (status != FXT_OK)
        return status;
    /*@ assert inside: 8 * record->words <= writer->capacity - \at(writer->size, Pre); */
    /*@ assert apart: \separated(record, in, out, error,
      @   record->bytes + (0 .. 8 * record->words - 1)); */
    /*@ assert ok: fxt_record_ok(record); */
    return log_decoded(record, in, out, error);
}

/* What a decoder gives of a canonical record can be written, and takes as many words. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_log(record) && says_log{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures writable_log(out) && l_log_record_words(out) == record->words;
  @ ensures header: record->header == 9 + record->words * 16 + out->message.size * 65536 +
  @     out->thread.ref * 4294967296;
  @*/
static inline void log_said(const struct fxt_record *record, const struct fxt_log *out)
{
    repack_log_header(record->header);
}

/* What was written of it is what the record was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_log(record) && says_log{Here, Here}(record, out);
  @ requires readable(place, 8 * record->words) && encoded_log{Here, Here}(place, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, record->bytes, 0, 8 * record->words);
  @*/
static inline void log_same(const struct fxt_record *record, const struct fxt_log *out,
                            const uint8_t *place)
{
    uint64_t body = 8 * (2 + thread_words(out->thread.ref));
    uint64_t at = log_message(record->header);
    log_said(record, out);
    same_word(place, record->bytes, 0, 0, record->header);
    same_word(place, record->bytes, 8, 8, out->timestamp);
    same_koids(place, record->bytes, 16, 2, &out->thread, fxt_log_header_thread(record->header));
    same_stream(place, record->bytes, body, at, &out->message,
                fxt_log_header_length(record->header));
}

/* It is written as it was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_log(record) && says_log{Here, Here}(record, out);
  @ requires \valid(writer) && fxt_writer_ok(writer) && room(writer, record->words);
  @ requires \separated(record, record->bytes + (0 .. 8 * record->words - 1), out, writer,
  @     writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures ok: \result == FXT_OK;
  @ ensures all: writer->size == \old(writer->size) + 8 * record->words;
  @ ensures same: same_from(\old(l_place(writer)), record->bytes, 0, 8 * record->words);
  @*/
static inline enum fxt_status log_again(const struct fxt_record *record, const struct fxt_log *out,
                                        struct fxt_writer *writer)
{
    const uint8_t *place = writer->bytes + writer->size;
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    /*@ assert zeros: padded(bytes + 8 * l_log_message(header), l_log_header_length(header)); */
    /*@ assert process_before: l_log_header_thread(header) == 0 ==>
      @   l_word(bytes + 16) == out->thread.process; */
    /*@ assert thread_before: l_log_header_thread(header) == 0 ==>
      @   l_word(bytes + 24) == out->thread.thread; */
    log_said(record, out);
    /*@ assert message_given: stream_given(writer, out->message.bytes, out->message.size); */
    enum fxt_status status = fxt_write_log(writer, out);
    /*@ assert message_bytes: stream_same{Pre, Here}(out->message.bytes, out->message.size); */
    /*@ assert now: encoded_log{Here, Here}(place, out); */
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert out_timestamp: out->timestamp == \at(out->timestamp, Pre); */
    /*@ assert out_thread_process: out->thread.process == \at(out->thread.process, Pre); */
    /*@ assert out_thread_thread: out->thread.thread == \at(out->thread.thread, Pre); */
    /*@ assert out_thread_ref: out->thread.ref == \at(out->thread.ref, Pre); */
    /*@ assert out_message_bytes: out->message.bytes == \at(out->message.bytes, Pre); */
    /*@ assert out_message_size: out->message.size == \at(out->message.size, Pre); */
    /*@ assert bytes: stream_same{Pre, Here}(record->bytes, 8 * record->words); */
    /*@ assert word: l_word(record->bytes) == record->header; */
    /*@ assert timestamp: l_word(record->bytes + 8) == out->timestamp; */
    /*@ assert process_word: l_log_header_thread(header) == 0 ==>
      @   l_word(bytes + 16) == out->thread.process; */
    /*@ assert thread_word: l_log_header_thread(header) == 0 ==>
      @   l_word(bytes + 24) == out->thread.thread; */
    /*@ assert thread: says_thread{Here}(out->thread.process, out->thread.thread, out->thread.ref,
      @   record->bytes, 2, l_log_header_thread(record->header)); */
    /*@ assert message: stream_same{Pre, Here}(bytes + 8 * l_log_message(header),
      @   8 * l_words_of(l_log_header_length(header))); */
    /*@ assert message_padded: padded(bytes + 8 * l_log_message(header),
      @   l_log_header_length(header)); */
    /*@ assert out: says_log{Here, Here}(record, out); */
    /*@ assert encoded: encoded_log{Here, Here}(place, out); */
    /*@ assert canonical: canonical_log(record); */
    log_same(record, out, place);
    return status;
}

/* P5: decode, then encode. */
/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_log(record);
  @ requires \valid(out) && \valid(error);
  @ requires \valid(writer) && fxt_writer_ok(writer) && room(writer, record->words);
  @ requires \separated(record, record->bytes + (0 .. 8 * record->words - 1), out, error, writer,
  @     writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns *out, *error, writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures ok: \result == FXT_OK;
  @ ensures all: writer->size == \old(writer->size) + 8 * record->words;
  @ ensures same: same_from(\old(l_place(writer)), record->bytes, 0, 8 * record->words);
  @*/
static inline enum fxt_status log_back(const struct fxt_record *record, struct fxt_log *out,
                                       struct fxt_error *error, struct fxt_writer *writer)
{
    fxt_read_log(record, out, error);
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert writer_bytes: writer->bytes == \at(writer->bytes, Pre); */
    /*@ assert writer_size: writer->size == \at(writer->size, Pre); */
    /*@ assert writer_capacity: writer->capacity == \at(writer->capacity, Pre); */
    /*@ assert says: says_log{Here, Here}(record, out); */
    /*@ assert framed: framed(record, record->words); */
    /*@ assert canonical: canonical_log(record); */
    return log_again(record, out, writer);
}
