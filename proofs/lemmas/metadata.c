/* Metadata records: there and back. */
#include "proofs/lemmas/layout.c"
#include "proofs/lemmas/step.h"

/*@ requires \valid_read(record) && \valid_read(in);
  @ requires writable_provider_info(in) && encoded_provider_info{Here, Here}(record->bytes, in);
  @ requires framed(record, l_provider_info_record_words(in));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures formed: formed_provider_info(record);
  @ ensures fields: l_provider_info_header_provider_id(record->header) == in->provider_id &&
  @     l_provider_info_header_name_length(record->header) == in->name.size;
  @*/
static inline void provider_info_written(const struct fxt_record *record,
                                         const struct fxt_provider_info *in)
{
    uint64_t header = fxt_pack_provider_info_header((uint16_t)record->words, in->provider_id,
                                                    (uint8_t)in->name.size);
    value_of_bytes(record->bytes, header);
    /*@ assert header: record->header == header; */
}

/* What was written is decoded as it was. */
/*@ requires \valid_read(record) && \valid_read(in) && \valid(out) && \valid(error);
  @ requires fxt_record_ok(record);
  @ requires \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ requires writable_provider_info(in) && encoded_provider_info{Here, Here}(record->bytes, in);
  @ requires framed(record, l_provider_info_record_words(in));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures same: same_provider_info{Pre, Post}(in, out);
  @ ensures ok: \result == FXT_OK;
  @*/
static inline enum fxt_status provider_info_decoded(const struct fxt_record *record,
                                                    const struct fxt_provider_info *in,
                                                    struct fxt_provider_info *out,
                                                    struct fxt_error *error)
{
    provider_info_written(record, in);
    enum fxt_status status = fxt_read_provider_info(record, out, error);
    /*@ assert name: same_bytes(\at(in->name.bytes, Pre), out->name.bytes, \at(in->name.size,
      @   Pre)); */
    return status;
}

/* What is written is a record, framed. */
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes
  @     + (writer->size .. writer->capacity - 1));
  @ requires given: stream_given(writer, in->name.bytes, in->name.size);
  @ requires \valid(record) &&
  @     \separated(record, in, writer, writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1], *record;
  @ ensures ok: \result == FXT_OK <==>
  @     \old(writable_provider_info(in) && room(writer, l_provider_info_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==> encoded_provider_info{Here, Here}(record->bytes, in);
  @ ensures framed: \result == FXT_OK ==> framed(record, l_provider_info_record_words(in)) &&
  @     record->bytes == \old(l_place(writer)) && record->offset == 0;
  @ ensures kept: kept_provider_info{Pre, Post}(in);
  @*/
static inline enum fxt_status provider_info_framed(struct fxt_writer *writer,
                                                   const struct fxt_provider_info *in,
                                                   struct fxt_record *record)
{
    uint64_t from = writer->size;
    enum fxt_status status = fxt_write_provider_info(writer, in);
    if (status != FXT_OK)
        return status;
    /*@ assert name: stream_same{Pre, Here}(in->name.bytes, in->name.size); */
    /*@ assert now: encoded_provider_info{Here, Here}(writer->bytes + from, in); */
    frame(writer->bytes + from, writer->size - from, record);
    /*@ assert provider_id: in->provider_id == \at(in->provider_id, Pre); */
    /*@ assert name_bytes: in->name.bytes == \at(in->name.bytes, Pre); */
    /*@ assert name_size: in->name.size == \at(in->name.size, Pre); */
    return status;
}

/* P4: encode, then decode. */
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires given: stream_given(writer, in->name.bytes, in->name.size);
  @ requires \valid(record) && \valid(out) && \valid(error);
  @ requires \separated(record, in, out, error, writer, writer->bytes
  @     + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1], *record, *out,
  @     *error;
  @ ensures ok: \result == FXT_OK <==>
  @     \old(writable_provider_info(in) && room(writer, l_provider_info_record_words(in)));
  @ ensures same: \result == FXT_OK ==> same_provider_info{Pre, Post}(in, out);
  @*/
static inline enum fxt_status provider_info_there(struct fxt_writer *writer,
                                                  const struct fxt_provider_info *in,
                                                  struct fxt_record *record,
                                                  struct fxt_provider_info *out,
                                                  struct fxt_error *error)
{
    enum fxt_status status = provider_info_framed(writer, in, record);
    if (status != FXT_OK)
        return status;
    /*@ assert inside: 8 * record->words <= writer->capacity - \at(writer->size, Pre); */
    /*@ assert ok: fxt_record_ok(record); */
    return provider_info_decoded(record, in, out, error);
}

/* What a decoder gives of a canonical record can be written, and takes as many words. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_provider_info(record) && says_provider_info{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures writable_provider_info(out) && l_provider_info_record_words(out) == record->words;
  @ ensures header: record->header == record->words * 16 + 65536 + out->provider_id * 1048576 +
  @     out->name.size * 4503599627370496;
  @*/
static inline void provider_info_said(const struct fxt_record *record,
                                      const struct fxt_provider_info *out)
{
    repack_provider_info_header(record->header);
}

/* What was written of it is what the record was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_provider_info(record) && says_provider_info{Here, Here}(record, out);
  @ requires readable(place, 8 * record->words) && encoded_provider_info{Here, Here}(place, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, record->bytes, 0, 8 * record->words);
  @*/
static inline void provider_info_same(const struct fxt_record *record,
                                      const struct fxt_provider_info *out, const uint8_t *place)
{
    provider_info_said(record, out);
    same_word(place, record->bytes, 0, 0, record->header);
    same_stream(place, record->bytes, 8, 1, &out->name,
                fxt_provider_info_header_name_length(record->header));
}

/* It is written as it was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_provider_info(record) && says_provider_info{Here, Here}(record, out);
  @ requires \valid(writer) && fxt_writer_ok(writer) && room(writer, record->words);
  @ requires \separated(record, record->bytes + (0 .. 8 * record->words - 1), out, writer,
  @     writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures ok: \result == FXT_OK;
  @ ensures all: writer->size == \old(writer->size) + 8 * record->words;
  @ ensures same: same_from(\old(l_place(writer)), record->bytes, 0, 8 * record->words);
  @*/
static inline enum fxt_status provider_info_again(const struct fxt_record *record,
                                                  const struct fxt_provider_info *out,
                                                  struct fxt_writer *writer)
{
    const uint8_t *place = writer->bytes + writer->size;
    provider_info_said(record, out);
    /*@ assert name_given: stream_given(writer, out->name.bytes, out->name.size); */
    enum fxt_status status = fxt_write_provider_info(writer, out);
    /*@ assert name_bytes: stream_same{Pre, Here}(out->name.bytes, out->name.size); */
    /*@ assert now: encoded_provider_info{Here, Here}(place, out); */
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert out_provider_id: out->provider_id == \at(out->provider_id, Pre); */
    /*@ assert out_name_bytes: out->name.bytes == \at(out->name.bytes, Pre); */
    /*@ assert out_name_size: out->name.size == \at(out->name.size, Pre); */
    /*@ assert bytes: stream_same{Pre, Here}(record->bytes, 8 * record->words); */
    /*@ assert word: l_word(record->bytes) == record->header; */
    /*@ assert name: stream_same{Pre, Here}(record->bytes + 8, 8 *
      @   l_words_of(l_provider_info_header_name_length(record->header))); */
    /*@ assert name_padded: padded(record->bytes + 8,
      @   l_provider_info_header_name_length(record->header)); */
    /*@ assert out: says_provider_info{Here, Here}(record, out); */
    /*@ assert encoded: encoded_provider_info{Here, Here}(place, out); */
    /*@ assert canonical: canonical_provider_info(record); */
    provider_info_same(record, out, place);
    return status;
}

/* P5: decode, then encode. */
/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_provider_info(record);
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
static inline enum fxt_status provider_info_back(const struct fxt_record *record,
                                                 struct fxt_provider_info *out,
                                                 struct fxt_error *error, struct fxt_writer *writer)
{
    fxt_read_provider_info(record, out, error);
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert writer_bytes: writer->bytes == \at(writer->bytes, Pre); */
    /*@ assert writer_size: writer->size == \at(writer->size, Pre); */
    /*@ assert writer_capacity: writer->capacity == \at(writer->capacity, Pre); */
    /*@ assert says: says_provider_info{Here, Here}(record, out); */
    /*@ assert framed: framed(record, record->words); */
    /*@ assert canonical: canonical_provider_info(record); */
    return provider_info_again(record, out, writer);
}

/*@ requires \valid_read(record) && \valid_read(in);
  @ requires writable_provider_section(in) &&
  @     encoded_provider_section{Here, Here}(record->bytes, in);
  @ requires framed(record, l_provider_section_record_words(in));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures formed: formed_provider_section(record);
  @ ensures fields: l_provider_section_header_provider_id(record->header) == in->provider_id;
  @*/
static inline void provider_section_written(const struct fxt_record *record,
                                            const struct fxt_provider_section *in)
{
    uint64_t header = fxt_pack_provider_section_header((uint16_t)record->words, in->provider_id);
    value_of_bytes(record->bytes, header);
    /*@ assert header: record->header == header; */
}

/* What was written is decoded as it was. */
/*@ requires \valid_read(record) && \valid_read(in) && \valid(out) && \valid(error);
  @ requires fxt_record_ok(record);
  @ requires \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ requires writable_provider_section(in) &&
  @     encoded_provider_section{Here, Here}(record->bytes, in);
  @ requires framed(record, l_provider_section_record_words(in));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures same: same_provider_section{Pre, Post}(in, out);
  @ ensures ok: \result == FXT_OK;
  @*/
static inline enum fxt_status provider_section_decoded(const struct fxt_record *record,
                                                       const struct fxt_provider_section *in,
                                                       struct fxt_provider_section *out,
                                                       struct fxt_error *error)
{
    provider_section_written(record, in);
    return fxt_read_provider_section(record, out, error);
}

/* What is written is a record, framed. */
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes
  @     + (writer->size .. writer->capacity - 1));
  @ requires \valid(record) &&
  @     \separated(record, in, writer, writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1], *record;
  @ ensures ok: \result == FXT_OK <==> \old(writable_provider_section(in) && room(writer,
  @     l_provider_section_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==>
  @     encoded_provider_section{Here, Here}(record->bytes, in);
  @ ensures framed: \result == FXT_OK ==> framed(record, l_provider_section_record_words(in)) &&
  @     record->bytes == \old(l_place(writer)) && record->offset == 0;
  @ ensures kept: kept_provider_section{Pre, Post}(in);
  @*/
static inline enum fxt_status provider_section_framed(struct fxt_writer *writer,
                                                      const struct fxt_provider_section *in,
                                                      struct fxt_record *record)
{
    uint64_t from = writer->size;
    enum fxt_status status = fxt_write_provider_section(writer, in);
    if (status != FXT_OK)
        return status;
    /*@ assert now: encoded_provider_section{Here, Here}(writer->bytes + from, in); */
    frame(writer->bytes + from, writer->size - from, record);
    /*@ assert provider_id: in->provider_id == \at(in->provider_id, Pre); */
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
  @ ensures ok: \result == FXT_OK <==> \old(writable_provider_section(in) && room(writer,
  @     l_provider_section_record_words(in)));
  @ ensures same: \result == FXT_OK ==> same_provider_section{Pre, Post}(in, out);
  @*/
static inline enum fxt_status provider_section_there(struct fxt_writer *writer,
                                                     const struct fxt_provider_section *in,
                                                     struct fxt_record *record,
                                                     struct fxt_provider_section *out,
                                                     struct fxt_error *error)
{
    enum fxt_status status = provider_section_framed(writer, in, record);
    if (status != FXT_OK)
        return status;
    /*@ assert inside: 8 * record->words <= writer->capacity - \at(writer->size, Pre); */
    /*@ assert ok: fxt_record_ok(record); */
    return provider_section_decoded(record, in, out, error);
}

/* What a decoder gives of a canonical record can be written, and takes as many words. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_provider_section(record) && says_provider_section{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures writable_provider_section(out) &&
  @     l_provider_section_record_words(out) == record->words;
  @ ensures header: record->header == record->words * 16 + 2 * 65536 + out->provider_id * 1048576;
  @*/
static inline void provider_section_said(const struct fxt_record *record,
                                         const struct fxt_provider_section *out)
{
    repack_provider_section_header(record->header);
}

/* What was written of it is what the record was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_provider_section(record) && says_provider_section{Here, Here}(record, out);
  @ requires readable(place, 8 * record->words) &&
  @     encoded_provider_section{Here, Here}(place, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, record->bytes, 0, 8 * record->words);
  @*/
static inline void provider_section_same(const struct fxt_record *record,
                                         const struct fxt_provider_section *out,
                                         const uint8_t *place)
{
    provider_section_said(record, out);
    same_word(place, record->bytes, 0, 0, record->header);
}

/* It is written as it was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_provider_section(record) && says_provider_section{Here, Here}(record, out);
  @ requires \valid(writer) && fxt_writer_ok(writer) && room(writer, record->words);
  @ requires \separated(record, record->bytes + (0 .. 8 * record->words - 1), out, writer,
  @     writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures ok: \result == FXT_OK;
  @ ensures all: writer->size == \old(writer->size) + 8 * record->words;
  @ ensures same: same_from(\old(l_place(writer)), record->bytes, 0, 8 * record->words);
  @*/
static inline enum fxt_status provider_section_again(const struct fxt_record *record,
                                                     const struct fxt_provider_section *out,
                                                     struct fxt_writer *writer)
{
    const uint8_t *place = writer->bytes + writer->size;
    provider_section_said(record, out);
    enum fxt_status status = fxt_write_provider_section(writer, out);
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert out_provider_id: out->provider_id == \at(out->provider_id, Pre); */
    /*@ assert bytes: stream_same{Pre, Here}(record->bytes, 8 * record->words); */
    /*@ assert word: l_word(record->bytes) == record->header; */
    /*@ assert out: says_provider_section{Here, Here}(record, out); */
    /*@ assert encoded: encoded_provider_section{Here, Here}(place, out); */
    /*@ assert canonical: canonical_provider_section(record); */
    provider_section_same(record, out, place);
    return status;
}

/* P5: decode, then encode. */
/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_provider_section(record);
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
static inline enum fxt_status provider_section_back(const struct fxt_record *record,
                                                    struct fxt_provider_section *out,
                                                    struct fxt_error *error,
                                                    struct fxt_writer *writer)
{
    fxt_read_provider_section(record, out, error);
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert writer_bytes: writer->bytes == \at(writer->bytes, Pre); */
    /*@ assert writer_size: writer->size == \at(writer->size, Pre); */
    /*@ assert writer_capacity: writer->capacity == \at(writer->capacity, Pre); */
    /*@ assert says: says_provider_section{Here, Here}(record, out); */
    /*@ assert framed: framed(record, record->words); */
    /*@ assert canonical: canonical_provider_section(record); */
    return provider_section_again(record, out, writer);
}

/*@ requires \valid_read(record) && \valid_read(in);
  @ requires writable_provider_event(in) && encoded_provider_event{Here, Here}(record->bytes, in);
  @ requires framed(record, l_provider_event_record_words(in));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures formed: formed_provider_event(record);
  @ ensures fields: l_provider_event_header_provider_id(record->header) == in->provider_id &&
  @     l_provider_event_header_event_id(record->header) == in->event_id;
  @*/
static inline void provider_event_written(const struct fxt_record *record,
                                          const struct fxt_provider_event *in)
{
    uint64_t header = fxt_pack_provider_event_header((uint16_t)record->words, in->provider_id,
                                                     (uint8_t)in->event_id);
    value_of_bytes(record->bytes, header);
    /*@ assert header: record->header == header; */
}

/* What was written is decoded as it was. */
/*@ requires \valid_read(record) && \valid_read(in) && \valid(out) && \valid(error);
  @ requires fxt_record_ok(record);
  @ requires \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ requires writable_provider_event(in) && encoded_provider_event{Here, Here}(record->bytes, in);
  @ requires framed(record, l_provider_event_record_words(in));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures same: same_provider_event{Pre, Post}(in, out);
  @ ensures ok: \result == FXT_OK;
  @*/
static inline enum fxt_status provider_event_decoded(const struct fxt_record *record,
                                                     const struct fxt_provider_event *in,
                                                     struct fxt_provider_event *out,
                                                     struct fxt_error *error)
{
    provider_event_written(record, in);
    return fxt_read_provider_event(record, out, error);
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
  @     \old(writable_provider_event(in) && room(writer, l_provider_event_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==> encoded_provider_event{Here, Here}(record->bytes, in);
  @ ensures framed: \result == FXT_OK ==> framed(record, l_provider_event_record_words(in)) &&
  @     record->bytes == \old(l_place(writer)) && record->offset == 0;
  @ ensures kept: kept_provider_event{Pre, Post}(in);
  @*/
static inline enum fxt_status provider_event_framed(struct fxt_writer *writer,
                                                    const struct fxt_provider_event *in,
                                                    struct fxt_record *record)
{
    uint64_t from = writer->size;
    enum fxt_status status = fxt_write_provider_event(writer, in);
    if (status != FXT_OK)
        return status;
    /*@ assert now: encoded_provider_event{Here, Here}(writer->bytes + from, in); */
    frame(writer->bytes + from, writer->size - from, record);
    /*@ assert provider_id: in->provider_id == \at(in->provider_id, Pre); */
    /*@ assert event_id: in->event_id == \at(in->event_id, Pre); */
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
  @     \old(writable_provider_event(in) && room(writer, l_provider_event_record_words(in)));
  @ ensures same: \result == FXT_OK ==> same_provider_event{Pre, Post}(in, out);
  @*/
static inline enum fxt_status provider_event_there(struct fxt_writer *writer,
                                                   const struct fxt_provider_event *in,
                                                   struct fxt_record *record,
                                                   struct fxt_provider_event *out,
                                                   struct fxt_error *error)
{
    enum fxt_status status = provider_event_framed(writer, in, record);
    if (status != FXT_OK)
        return status;
    /*@ assert inside: 8 * record->words <= writer->capacity - \at(writer->size, Pre); */
    /*@ assert ok: fxt_record_ok(record); */
    return provider_event_decoded(record, in, out, error);
}

/* What a decoder gives of a canonical record can be written, and takes as many words. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_provider_event(record) && says_provider_event{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures writable_provider_event(out) && l_provider_event_record_words(out) == record->words;
  @ ensures header: record->header == record->words * 16 + 3 * 65536 + out->provider_id * 1048576
  @     + out->event_id * 4503599627370496;
  @*/
static inline void provider_event_said(const struct fxt_record *record,
                                       const struct fxt_provider_event *out)
{
    repack_provider_event_header(record->header);
}

/* What was written of it is what the record was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_provider_event(record) && says_provider_event{Here, Here}(record, out);
  @ requires readable(place, 8 * record->words) && encoded_provider_event{Here, Here}(place, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, record->bytes, 0, 8 * record->words);
  @*/
static inline void provider_event_same(const struct fxt_record *record,
                                       const struct fxt_provider_event *out, const uint8_t *place)
{
    provider_event_said(record, out);
    same_word(place, record->bytes, 0, 0, record->header);
}

/* It is written as it was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_provider_event(record) && says_provider_event{Here, Here}(record, out);
  @ requires \valid(writer) && fxt_writer_ok(writer) && room(writer, record->words);
  @ requires \separated(record, record->bytes + (0 .. 8 * record->words - 1), out, writer,
  @     writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures ok: \result == FXT_OK;
  @ ensures all: writer->size == \old(writer->size) + 8 * record->words;
  @ ensures same: same_from(\old(l_place(writer)), record->bytes, 0, 8 * record->words);
  @*/
static inline enum fxt_status provider_event_again(const struct fxt_record *record,
                                                   const struct fxt_provider_event *out,
                                                   struct fxt_writer *writer)
{
    const uint8_t *place = writer->bytes + writer->size;
    provider_event_said(record, out);
    enum fxt_status status = fxt_write_provider_event(writer, out);
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert out_provider_id: out->provider_id == \at(out->provider_id, Pre); */
    /*@ assert out_event_id: out->event_id == \at(out->event_id, Pre); */
    /*@ assert bytes: stream_same{Pre, Here}(record->bytes, 8 * record->words); */
    /*@ assert word: l_word(record->bytes) == record->header; */
    /*@ assert out: says_provider_event{Here, Here}(record, out); */
    /*@ assert encoded: encoded_provider_event{Here, Here}(place, out); */
    /*@ assert canonical: canonical_provider_event(record); */
    provider_event_same(record, out, place);
    return status;
}

/* P5: decode, then encode. */
/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_provider_event(record);
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
static inline enum fxt_status provider_event_back(const struct fxt_record *record,
                                                  struct fxt_provider_event *out,
                                                  struct fxt_error *error,
                                                  struct fxt_writer *writer)
{
    fxt_read_provider_event(record, out, error);
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert writer_bytes: writer->bytes == \at(writer->bytes, Pre); */
    /*@ assert writer_size: writer->size == \at(writer->size, Pre); */
    /*@ assert writer_capacity: writer->capacity == \at(writer->capacity, Pre); */
    /*@ assert says: says_provider_event{Here, Here}(record, out); */
    /*@ assert framed: framed(record, record->words); */
    /*@ assert canonical: canonical_provider_event(record); */
    return provider_event_again(record, out, writer);
}

/* The magic number record is trace information of type 0. */
/*@ requires \valid_read(record) && framed(record, 1) && encoded_magic{Here}(record->bytes);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures formed: formed_trace_info(record);
  @ ensures header: record->header == 0x0016547846040010;
  @*/
static inline void magic_written(const struct fxt_record *record)
{
    value_of_bytes(record->bytes, FXT_MAGIC);
    /*@ assert header: record->header == 0x0016547846040010; */
}

/* P5: a record with that header is written as it was. */
/*@ requires \valid_read(record) && framed(record, 1) && record->header == 0x0016547846040010;
  @ requires \valid(writer) && fxt_writer_ok(writer) && room(writer, 1);
  @ requires \separated(record, record->bytes + (0 .. 7), writer,
  @                     writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures ok: \result == FXT_OK;
  @ ensures same: same_from(\old(l_place(writer)), record->bytes, 0, 8);
  @*/
static inline enum fxt_status magic_back(const struct fxt_record *record, struct fxt_writer *writer)
{
    const uint8_t *place = writer->bytes + writer->size;
    enum fxt_status status = fxt_write_magic(writer);
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert bytes: stream_same{Pre, Here}(record->bytes, 8); */
    /*@ assert word: l_word(record->bytes) == record->header; */
    same_word(place, record->bytes, 0, 0, record->header);
    return status;
}

/* A decoder reads the magic number, and nothing more. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, 1) && encoded_magic{Here}(record->bytes);
  @ requires says_trace_info{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures formed: formed_trace_info(record);
  @ ensures magic: out->trace_info_type == 0 && out->data == 0x16547846 && out->tail.words == 0;
  @*/
static inline void magic_read(const struct fxt_record *record, const struct fxt_trace_info *out)
{
    magic_written(record);
}

/* What a decoder reads as the magic number in a record of one word has that header. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, 1) && l_record_words(record->header) == 1;
  @ requires formed_trace_info(record) && says_trace_info{Here, Here}(record, out);
  @ requires out->trace_info_type == 0 && out->data == 0x16547846;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures header: record->header == 0x0016547846040010;
  @*/
static inline void magic_said(const struct fxt_record *record, const struct fxt_trace_info *out)
{
    repack_trace_info_header(record->header);
}

/* What was written of it is what the record was. */
/*@ requires \valid_read(record) && framed(record, 1) && record->header == 0x0016547846040010;
  @ requires readable(place, 8) && encoded_magic{Here}(place);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, record->bytes, 0, 8);
  @*/
static inline void magic_same(const struct fxt_record *record, const uint8_t *place)
{
    same_word(place, record->bytes, 0, 0, record->header);
}

/* P4: encode, then decode. */
/*@ requires \valid(writer) && fxt_writer_ok(writer);
  @ requires \valid(record) && \valid(out) && \valid(error);
  @ requires \separated(record, out, error, writer, writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1], *record, *out,
  @     *error;
  @ ensures ok: \result == FXT_OK <==> \old(room(writer, 1));
  @ ensures magic: \result == FXT_OK ==>
  @     out->trace_info_type == 0 && out->data == 0x16547846 && out->tail.words == 0;
  @*/
static inline enum fxt_status magic_there(struct fxt_writer *writer, struct fxt_record *record,
                                          struct fxt_trace_info *out, struct fxt_error *error)
{
    uint64_t from = writer->size;
    enum fxt_status status = fxt_write_magic(writer);
    if (status != FXT_OK)
        return status;
    frame(writer->bytes + from, writer->size - from, record);
    /*@ assert encoded: encoded_magic{Here}(record->bytes); */
    /*@ assert framed: framed(record, 1); */
    /*@ assert ok: fxt_record_ok(record); */
    magic_written(record);
    /*@ assert formed: formed_trace_info(record); */
    status = fxt_read_trace_info(record, out, error);
    /*@ assert read: status == FXT_OK; */
    /*@ assert header: record->header == 0x0016547846040010 && record->words == 1; */
    /*@ assert says: says_trace_info{Here, Here}(record, out); */
    /*@ assert still: encoded_magic{Here}(record->bytes); */
    /*@ assert framed_still: framed(record, 1); */
    magic_read(record, out);
    return status;
}
