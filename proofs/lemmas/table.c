/* Initialization, string and thread records: there and back. */
#include "proofs/lemmas/layout.c"
#include "proofs/lemmas/step.h"

/*@ requires \valid_read(record) && \valid_read(in);
  @ requires writable_initialization(in) && encoded_initialization{Here, Here}(record->bytes, in);
  @ requires framed(record, l_initialization_record_words(in));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures formed: formed_initialization(record);
  @ ensures ticks_per_second: l_word(record->bytes + 8) == in->ticks_per_second;
  @*/
static inline void initialization_written(const struct fxt_record *record,
                                          const struct fxt_initialization *in)
{
    uint64_t header = fxt_pack_initialization_header((uint16_t)record->words);
    value_of_bytes(record->bytes, header);
    /*@ assert header: record->header == header; */
    value_of_bytes(record->bytes + 8, in->ticks_per_second);
}

/* What was written is decoded as it was. */
/*@ requires \valid_read(record) && \valid_read(in) && \valid(out) && \valid(error);
  @ requires fxt_record_ok(record);
  @ requires \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ requires writable_initialization(in) && encoded_initialization{Here, Here}(record->bytes, in);
  @ requires framed(record, l_initialization_record_words(in));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures same: same_initialization{Pre, Post}(in, out);
  @ ensures ok: \result == FXT_OK;
  @*/
static inline enum fxt_status initialization_decoded(const struct fxt_record *record,
                                                     const struct fxt_initialization *in,
                                                     struct fxt_initialization *out,
                                                     struct fxt_error *error)
{
    initialization_written(record, in);
    return fxt_read_initialization(record, out, error);
}

/* What is written is a record, framed. */
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes
  @     + (writer->size .. writer->capacity - 1));
  @ requires \valid(record) &&
  @     \separated(record, in, writer, writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1], *record;
  @ ensures ok: \result == FXT_OK <==>
  @     \old(writable_initialization(in) && room(writer, l_initialization_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==> encoded_initialization{Here, Here}(record->bytes, in);
  @ ensures framed: \result == FXT_OK ==> framed(record, l_initialization_record_words(in)) &&
  @     record->bytes == \old(l_place(writer)) && record->offset == 0;
  @ ensures kept: kept_initialization{Pre, Post}(in);
  @*/
static inline enum fxt_status initialization_framed(struct fxt_writer *writer,
                                                    const struct fxt_initialization *in,
                                                    struct fxt_record *record)
{
    uint64_t from = writer->size;
    enum fxt_status status = fxt_write_initialization(writer, in);
    if (status != FXT_OK)
        return status;
    /*@ assert now: encoded_initialization{Here, Here}(writer->bytes + from, in); */
    frame(writer->bytes + from, writer->size - from, record);
    /*@ assert ticks_per_second: in->ticks_per_second == \at(in->ticks_per_second, Pre); */
    return status;
}

/* P4: encode, then decode. */
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires \valid(record) && \valid(out) && \valid(error);
  @ requires \separated(record, in, out, error, writer, writer->bytes
  @     + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1], *record, *out,
  @     *error;
  @ ensures ok: \result == FXT_OK <==>
  @     \old(writable_initialization(in) && room(writer, l_initialization_record_words(in)));
  @ ensures same: \result == FXT_OK ==> same_initialization{Pre, Post}(in, out);
  @*/
static inline enum fxt_status initialization_there(struct fxt_writer *writer,
                                                   const struct fxt_initialization *in,
                                                   struct fxt_record *record,
                                                   struct fxt_initialization *out,
                                                   struct fxt_error *error)
{
    enum fxt_status status = initialization_framed(writer, in, record);
    if (status != FXT_OK)
        return status;
    /*@ assert inside: 8 * record->words <= writer->capacity - \at(writer->size, Pre); */
    /*@ assert ok: fxt_record_ok(record); */
    return initialization_decoded(record, in, out, error);
}

/* What a decoder gives of a canonical record can be written, and takes as many words. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_initialization(record) && says_initialization{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures writable_initialization(out) && l_initialization_record_words(out) == record->words;
  @ ensures header: record->header == 1 + record->words * 16;
  @*/
static inline void initialization_said(const struct fxt_record *record,
                                       const struct fxt_initialization *out)
{
    repack_initialization_header(record->header);
}

/* What was written of it is what the record was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_initialization(record) && says_initialization{Here, Here}(record, out);
  @ requires readable(place, 8 * record->words) && encoded_initialization{Here, Here}(place, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, record->bytes, 0, 8 * record->words);
  @*/
static inline void initialization_same(const struct fxt_record *record,
                                       const struct fxt_initialization *out, const uint8_t *place)
{
    initialization_said(record, out);
    same_word(place, record->bytes, 0, 0, record->header);
    same_word(place, record->bytes, 8, 8, out->ticks_per_second);
}

/* It is written as it was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_initialization(record) && says_initialization{Here, Here}(record, out);
  @ requires \valid(writer) && fxt_writer_ok(writer) && room(writer, record->words);
  @ requires \separated(record, record->bytes + (0 .. 8 * record->words - 1), out, writer,
  @     writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures ok: \result == FXT_OK;
  @ ensures all: writer->size == \old(writer->size) + 8 * record->words;
  @ ensures same: same_from(\old(l_place(writer)), record->bytes, 0, 8 * record->words);
  @*/
static inline enum fxt_status initialization_again(const struct fxt_record *record,
                                                   const struct fxt_initialization *out,
                                                   struct fxt_writer *writer)
{
    const uint8_t *place = writer->bytes + writer->size;
    initialization_said(record, out);
    enum fxt_status status = fxt_write_initialization(writer, out);
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert out_ticks_per_second: out->ticks_per_second == \at(out->ticks_per_second, Pre); */
    /*@ assert bytes: stream_same{Pre, Here}(record->bytes, 8 * record->words); */
    /*@ assert word: l_word(record->bytes) == record->header; */
    /*@ assert ticks_per_second: l_word(record->bytes + 8) == out->ticks_per_second; */
    /*@ assert out: says_initialization{Here, Here}(record, out); */
    /*@ assert encoded: encoded_initialization{Here, Here}(place, out); */
    /*@ assert canonical: canonical_initialization(record); */
    initialization_same(record, out, place);
    return status;
}

/* P5: decode, then encode. */
/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_initialization(record);
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
static inline enum fxt_status initialization_back(const struct fxt_record *record,
                                                  struct fxt_initialization *out,
                                                  struct fxt_error *error,
                                                  struct fxt_writer *writer)
{
    fxt_read_initialization(record, out, error);
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert writer_bytes: writer->bytes == \at(writer->bytes, Pre); */
    /*@ assert writer_size: writer->size == \at(writer->size, Pre); */
    /*@ assert writer_capacity: writer->capacity == \at(writer->capacity, Pre); */
    /*@ assert says: says_initialization{Here, Here}(record, out); */
    /*@ assert framed: framed(record, record->words); */
    /*@ assert canonical: canonical_initialization(record); */
    return initialization_again(record, out, writer);
}

/*@ requires \valid_read(record) && \valid_read(in);
  @ requires writable_string(in) && encoded_string{Here, Here}(record->bytes, in);
  @ requires framed(record, l_string_record_words(in));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures formed: formed_string(record);
  @ ensures fields: l_string_header_index(record->header) == in->index &&
  @     l_string_header_length(record->header) == in->value.size;
  @*/
static inline void string_written(const struct fxt_record *record, const struct fxt_string *in)
{
    uint64_t header =
        fxt_pack_string_header((uint16_t)record->words, in->index, (uint16_t)in->value.size);
    value_of_bytes(record->bytes, header);
    /*@ assert header: record->header == header; */
}

/* What was written is decoded as it was. */
/*@ requires \valid_read(record) && \valid_read(in) && \valid(out) && \valid(error);
  @ requires fxt_record_ok(record);
  @ requires \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ requires writable_string(in) && encoded_string{Here, Here}(record->bytes, in);
  @ requires framed(record, l_string_record_words(in));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures same: same_string_record{Pre, Post}(in, out);
  @ ensures ok: \result == FXT_OK;
  @*/
static inline enum fxt_status string_decoded(const struct fxt_record *record,
                                             const struct fxt_string *in, struct fxt_string *out,
                                             struct fxt_error *error)
{
    string_written(record, in);
    enum fxt_status status = fxt_read_string(record, out, error);
    /*@ assert value: same_bytes(\at(in->value.bytes, Pre), out->value.bytes, \at(in->value.size,
      @   Pre)); */
    return status;
}

/* What is written is a record, framed. */
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes
  @     + (writer->size .. writer->capacity - 1));
  @ requires given: stream_given(writer, in->value.bytes, in->value.size);
  @ requires \valid(record) &&
  @     \separated(record, in, writer, writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1], *record;
  @ ensures ok: \result == FXT_OK <==>
  @     \old(writable_string(in) && room(writer, l_string_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==> encoded_string{Here, Here}(record->bytes, in);
  @ ensures framed: \result == FXT_OK ==> framed(record, l_string_record_words(in)) &&
  @     record->bytes == \old(l_place(writer)) && record->offset == 0;
  @ ensures kept: kept_string{Pre, Post}(in);
  @*/
static inline enum fxt_status string_framed(struct fxt_writer *writer, const struct fxt_string *in,
                                            struct fxt_record *record)
{
    uint64_t from = writer->size;
    enum fxt_status status = fxt_write_string(writer, in);
    if (status != FXT_OK)
        return status;
    /*@ assert value: stream_same{Pre, Here}(in->value.bytes, in->value.size); */
    /*@ assert now: encoded_string{Here, Here}(writer->bytes + from, in); */
    frame(writer->bytes + from, writer->size - from, record);
    /*@ assert index: in->index == \at(in->index, Pre); */
    /*@ assert value_bytes: in->value.bytes == \at(in->value.bytes, Pre); */
    /*@ assert value_size: in->value.size == \at(in->value.size, Pre); */
    return status;
}

/* P4: encode, then decode. */
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires given: stream_given(writer, in->value.bytes, in->value.size);
  @ requires \valid(record) && \valid(out) && \valid(error);
  @ requires \separated(record, in, out, error, writer, writer->bytes
  @     + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1], *record, *out,
  @     *error;
  @ ensures ok: \result == FXT_OK <==>
  @     \old(writable_string(in) && room(writer, l_string_record_words(in)));
  @ ensures same: \result == FXT_OK ==> same_string_record{Pre, Post}(in, out);
  @*/
static inline enum fxt_status string_there(struct fxt_writer *writer, const struct fxt_string *in,
                                           struct fxt_record *record, struct fxt_string *out,
                                           struct fxt_error *error)
{
    enum fxt_status status = string_framed(writer, in, record);
    if (status != FXT_OK)
        return status;
    /*@ assert inside: 8 * record->words <= writer->capacity - \at(writer->size, Pre); */
    /*@ assert ok: fxt_record_ok(record); */
    return string_decoded(record, in, out, error);
}

/* What a decoder gives of a canonical record can be written, and takes as many words. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_string_record(record) && says_string_record{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures writable_string(out) && l_string_record_words(out) == record->words;
  @ ensures header: record->header == 2 + record->words * 16 + out->index * 65536 +
  @     out->value.size * 4294967296;
  @*/
static inline void string_said(const struct fxt_record *record, const struct fxt_string *out)
{
    repack_string_header(record->header);
}

/* What was written of it is what the record was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_string_record(record) && says_string_record{Here, Here}(record, out);
  @ requires readable(place, 8 * record->words) && encoded_string{Here, Here}(place, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, record->bytes, 0, 8 * record->words);
  @*/
static inline void string_same(const struct fxt_record *record, const struct fxt_string *out,
                               const uint8_t *place)
{
    string_said(record, out);
    same_word(place, record->bytes, 0, 0, record->header);
    same_stream(place, record->bytes, 8, 1, &out->value, fxt_string_header_length(record->header));
}

/* It is written as it was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_string_record(record) && says_string_record{Here, Here}(record, out);
  @ requires \valid(writer) && fxt_writer_ok(writer) && room(writer, record->words);
  @ requires \separated(record, record->bytes + (0 .. 8 * record->words - 1), out, writer,
  @     writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures ok: \result == FXT_OK;
  @ ensures all: writer->size == \old(writer->size) + 8 * record->words;
  @ ensures same: same_from(\old(l_place(writer)), record->bytes, 0, 8 * record->words);
  @*/
static inline enum fxt_status string_again(const struct fxt_record *record,
                                           const struct fxt_string *out, struct fxt_writer *writer)
{
    const uint8_t *place = writer->bytes + writer->size;
    string_said(record, out);
    /*@ assert value_given: stream_given(writer, out->value.bytes, out->value.size); */
    enum fxt_status status = fxt_write_string(writer, out);
    /*@ assert value_bytes: stream_same{Pre, Here}(out->value.bytes, out->value.size); */
    /*@ assert now: encoded_string{Here, Here}(place, out); */
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert out_index: out->index == \at(out->index, Pre); */
    /*@ assert out_value_bytes: out->value.bytes == \at(out->value.bytes, Pre); */
    /*@ assert out_value_size: out->value.size == \at(out->value.size, Pre); */
    /*@ assert bytes: stream_same{Pre, Here}(record->bytes, 8 * record->words); */
    /*@ assert word: l_word(record->bytes) == record->header; */
    /*@ assert value: stream_same{Pre, Here}(record->bytes + 8, 8 *
      @   l_words_of(l_string_header_length(record->header))); */
    /*@ assert value_padded: padded(record->bytes + 8, l_string_header_length(record->header)); */
    /*@ assert out: says_string_record{Here, Here}(record, out); */
    /*@ assert encoded: encoded_string{Here, Here}(place, out); */
    /*@ assert canonical: canonical_string_record(record); */
    string_same(record, out, place);
    return status;
}

/* P5: decode, then encode. */
/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_string_record(record);
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
static inline enum fxt_status string_back(const struct fxt_record *record, struct fxt_string *out,
                                          struct fxt_error *error, struct fxt_writer *writer)
{
    fxt_read_string(record, out, error);
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert writer_bytes: writer->bytes == \at(writer->bytes, Pre); */
    /*@ assert writer_size: writer->size == \at(writer->size, Pre); */
    /*@ assert writer_capacity: writer->capacity == \at(writer->capacity, Pre); */
    /*@ assert says: says_string_record{Here, Here}(record, out); */
    /*@ assert framed: framed(record, record->words); */
    /*@ assert canonical: canonical_string_record(record); */
    return string_again(record, out, writer);
}

/*@ requires \valid_read(record) && \valid_read(in);
  @ requires writable_thread(in) && encoded_thread{Here, Here}(record->bytes, in);
  @ requires framed(record, l_thread_record_words(in));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures formed: formed_thread(record);
  @ ensures fields: l_thread_header_index(record->header) == in->index;
  @ ensures process: l_word(record->bytes + 8) == in->process;
  @ ensures thread: l_word(record->bytes + 16) == in->thread;
  @*/
static inline void thread_written(const struct fxt_record *record, const struct fxt_thread *in)
{
    uint64_t header = fxt_pack_thread_header((uint16_t)record->words, (uint8_t)in->index);
    value_of_bytes(record->bytes, header);
    /*@ assert header: record->header == header; */
    value_of_bytes(record->bytes + 8, in->process);
    value_of_bytes(record->bytes + 16, in->thread);
}

/* What was written is decoded as it was. */
/*@ requires \valid_read(record) && \valid_read(in) && \valid(out) && \valid(error);
  @ requires fxt_record_ok(record);
  @ requires \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ requires writable_thread(in) && encoded_thread{Here, Here}(record->bytes, in);
  @ requires framed(record, l_thread_record_words(in));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures same: same_thread_record{Pre, Post}(in, out);
  @ ensures ok: \result == FXT_OK;
  @*/
static inline enum fxt_status thread_decoded(const struct fxt_record *record,
                                             const struct fxt_thread *in, struct fxt_thread *out,
                                             struct fxt_error *error)
{
    thread_written(record, in);
    return fxt_read_thread(record, out, error);
}

/* What is written is a record, framed. */
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes
  @     + (writer->size .. writer->capacity - 1));
  @ requires \valid(record) &&
  @     \separated(record, in, writer, writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1], *record;
  @ ensures ok: \result == FXT_OK <==>
  @     \old(writable_thread(in) && room(writer, l_thread_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==> encoded_thread{Here, Here}(record->bytes, in);
  @ ensures framed: \result == FXT_OK ==> framed(record, l_thread_record_words(in)) &&
  @     record->bytes == \old(l_place(writer)) && record->offset == 0;
  @ ensures kept: kept_thread{Pre, Post}(in);
  @*/
static inline enum fxt_status thread_framed(struct fxt_writer *writer, const struct fxt_thread *in,
                                            struct fxt_record *record)
{
    uint64_t from = writer->size;
    enum fxt_status status = fxt_write_thread(writer, in);
    if (status != FXT_OK)
        return status;
    /*@ assert now: encoded_thread{Here, Here}(writer->bytes + from, in); */
    frame(writer->bytes + from, writer->size - from, record);
    /*@ assert index: in->index == \at(in->index, Pre); */
    /*@ assert process: in->process == \at(in->process, Pre); */
    /*@ assert thread: in->thread == \at(in->thread, Pre); */
    return status;
}

/* P4: encode, then decode. */
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires \valid(record) && \valid(out) && \valid(error);
  @ requires \separated(record, in, out, error, writer, writer->bytes
  @     + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1], *record, *out,
  @     *error;
  @ ensures ok: \result == FXT_OK <==>
  @     \old(writable_thread(in) && room(writer, l_thread_record_words(in)));
  @ ensures same: \result == FXT_OK ==> same_thread_record{Pre, Post}(in, out);
  @*/
static inline enum fxt_status thread_there(struct fxt_writer *writer, const struct fxt_thread *in,
                                           struct fxt_record *record, struct fxt_thread *out,
                                           struct fxt_error *error)
{
    enum fxt_status status = thread_framed(writer, in, record);
    if (status != FXT_OK)
        return status;
    /*@ assert inside: 8 * record->words <= writer->capacity - \at(writer->size, Pre); */
    /*@ assert ok: fxt_record_ok(record); */
    return thread_decoded(record, in, out, error);
}

/* What a decoder gives of a canonical record can be written, and takes as many words. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_thread_record(record) && says_thread_record{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures writable_thread(out) && l_thread_record_words(out) == record->words;
  @ ensures header: record->header == 3 + record->words * 16 + out->index * 65536;
  @*/
static inline void thread_said(const struct fxt_record *record, const struct fxt_thread *out)
{
    repack_thread_header(record->header);
}

/* What was written of it is what the record was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_thread_record(record) && says_thread_record{Here, Here}(record, out);
  @ requires readable(place, 8 * record->words) && encoded_thread{Here, Here}(place, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, record->bytes, 0, 8 * record->words);
  @*/
static inline void thread_same(const struct fxt_record *record, const struct fxt_thread *out,
                               const uint8_t *place)
{
    thread_said(record, out);
    same_word(place, record->bytes, 0, 0, record->header);
    same_word(place, record->bytes, 8, 8, out->process);
    same_word(place, record->bytes, 16, 16, out->thread);
}

/* It is written as it was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_thread_record(record) && says_thread_record{Here, Here}(record, out);
  @ requires \valid(writer) && fxt_writer_ok(writer) && room(writer, record->words);
  @ requires \separated(record, record->bytes + (0 .. 8 * record->words - 1), out, writer,
  @     writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures ok: \result == FXT_OK;
  @ ensures all: writer->size == \old(writer->size) + 8 * record->words;
  @ ensures same: same_from(\old(l_place(writer)), record->bytes, 0, 8 * record->words);
  @*/
static inline enum fxt_status thread_again(const struct fxt_record *record,
                                           const struct fxt_thread *out, struct fxt_writer *writer)
{
    const uint8_t *place = writer->bytes + writer->size;
    thread_said(record, out);
    enum fxt_status status = fxt_write_thread(writer, out);
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert out_index: out->index == \at(out->index, Pre); */
    /*@ assert out_process: out->process == \at(out->process, Pre); */
    /*@ assert out_thread: out->thread == \at(out->thread, Pre); */
    /*@ assert bytes: stream_same{Pre, Here}(record->bytes, 8 * record->words); */
    /*@ assert word: l_word(record->bytes) == record->header; */
    /*@ assert process: l_word(record->bytes + 8) == out->process; */
    /*@ assert thread: l_word(record->bytes + 16) == out->thread; */
    /*@ assert out: says_thread_record{Here, Here}(record, out); */
    /*@ assert encoded: encoded_thread{Here, Here}(place, out); */
    /*@ assert canonical: canonical_thread_record(record); */
    thread_same(record, out, place);
    return status;
}

/* P5: decode, then encode. */
/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_thread_record(record);
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
static inline enum fxt_status thread_back(const struct fxt_record *record, struct fxt_thread *out,
                                          struct fxt_error *error, struct fxt_writer *writer)
{
    fxt_read_thread(record, out, error);
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert writer_bytes: writer->bytes == \at(writer->bytes, Pre); */
    /*@ assert writer_size: writer->size == \at(writer->size, Pre); */
    /*@ assert writer_capacity: writer->capacity == \at(writer->capacity, Pre); */
    /*@ assert says: says_thread_record{Here, Here}(record, out); */
    /*@ assert framed: framed(record, record->words); */
    /*@ assert canonical: canonical_thread_record(record); */
    return thread_again(record, out, writer);
}
