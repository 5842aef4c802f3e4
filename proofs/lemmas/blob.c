/* Blob records: there and back. */
#include "proofs/lemmas/layout.h"
#include "proofs/lemmas/step.h"

/* The position of the payload by its name in the logic. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_blob_payload(header);
  @*/
static inline uint64_t blob_payload(uint64_t header)
{
    return 1 + string_words(fxt_blob_header_name(header));
}

/*@ requires \valid_read(record) && \valid_read(in);
  @ requires writable_blob(in) && encoded_blob{Here, Here}(record->bytes, in);
  @ requires framed(record, l_blob_record_words(in));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures formed: formed_blob(record);
  @ ensures fields: l_blob_header_name(record->header) == l_string_wire(in->name.ref) &&
  @     l_blob_header_payload_size(record->header) == in->payload.size &&
  @     l_blob_header_blob_type(record->header) == in->blob_type;
  @*/
static inline void blob_written(const struct fxt_record *record, const struct fxt_blob *in)
{
    uint64_t header = fxt_pack_blob_header((uint16_t)record->words,
                                           in->name.ref == FXT_STRING_INLINE ? 0 : in->name.ref,
                                           (uint16_t)in->payload.size, (uint8_t)in->blob_type);
    value_of_bytes(record->bytes, header);
    /*@ assert header: record->header == header; */
}

/* What was written is decoded as it was. */
/*@ requires \valid_read(record) && \valid_read(in) && \valid(out) && \valid(error);
  @ requires fxt_record_ok(record);
  @ requires \separated(record, in, out, error, record->bytes + (0 .. 8 * record->words - 1));
  @ requires writable_blob(in) && encoded_blob{Here, Here}(record->bytes, in);
  @ requires framed(record, l_blob_record_words(in));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures same: same_blob(in, out);
  @ ensures ok: \result == FXT_OK;
  @*/
static inline enum fxt_status blob_decoded(const struct fxt_record *record,
                                           const struct fxt_blob *in, struct fxt_blob *out,
                                           struct fxt_error *error)
{
    blob_written(record, in);
    enum fxt_status status = fxt_read_blob(record, out, error);
    /*@ assert kept: kept_blob{Pre, Here}(in); */
    /*@ assert record: kept_record{Pre, Here}(record); */
    /*@ assert name: same_string(in->name.bytes, in->name.ref, out->name.bytes, out->name.ref); */
    /*@ assert payload: same_bytes(in->payload.bytes, out->payload.bytes, in->payload.size); */
    return status;
}

/* What is written is a record, framed. */
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes + (writer->size .. writer->capacity - 1));
  @ requires given: string_given(writer, in->name.bytes, in->name.ref);
  @ requires given: stream_given(writer, in->payload.bytes, in->payload.size);
  @ requires \valid(record) && \separated(record, in, writer,
  @                                       writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1], *record;
  @ ensures ok: \result == FXT_OK <==>
  @     \old(writable_blob(in) && room(writer, l_blob_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==> encoded_blob{Here, Here}(record->bytes, in);
  @ ensures framed: \result == FXT_OK ==> framed(record, l_blob_record_words(in)) &&
  @     record->bytes == \old(l_place(writer)) && record->offset == 0;
  @ ensures kept: kept_blob{Pre, Post}(in);
  @*/
static inline enum fxt_status blob_framed(struct fxt_writer *writer, const struct fxt_blob *in,
                                          struct fxt_record *record)
{
    uint64_t from = writer->size;
    enum fxt_status status = fxt_write_blob(writer, in);
    if (status != FXT_OK)
        return status;
    /*@ assert name: stream_same{Pre, Here}(in->name.bytes, l_inline_length(in->name.ref)); */
    /*@ assert payload: stream_same{Pre, Here}(in->payload.bytes, in->payload.size); */
    /*@ assert now: encoded_blob{Here, Here}(writer->bytes + from, in); */
    frame_bytes(writer->bytes + from, writer->size - from, record);
    /*@ assert kept: kept_blob{Pre, Here}(in); */
    return status;
}

/* P4: encode, then decode. */
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires given: string_given(writer, in->name.bytes, in->name.ref);
  @ requires given: stream_given(writer, in->payload.bytes, in->payload.size);
  @ requires \valid(record) && \valid(out) && \valid(error);
  @ requires \separated(record, in, out, error, writer,
  @                     writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1], *record, *out,
  @     *error;
  @ ensures ok: \result == FXT_OK <==>
  @     \old(writable_blob(in) && room(writer, l_blob_record_words(in)));
  @ ensures same: \result == FXT_OK ==> same_blob(in, out);
  @*/
static inline enum fxt_status blob_there(struct fxt_writer *writer, const struct fxt_blob *in,
                                         struct fxt_record *record, struct fxt_blob *out,
                                         struct fxt_error *error)
{
    enum fxt_status status = blob_framed(writer, in, record);
    if (status != FXT_OK)
        return status;
    /*@ assert inside: 8 * record->words <= writer->capacity - \at(writer->size, Pre); */
    /*@ assert record_apart: \separated(record, record->bytes + (0 .. 8 * record->words - 1)); */
    /*@ assert in_apart: \separated(in, record->bytes + (0 .. 8 * record->words - 1)); */
    /*@ assert out_apart: \separated(out, record->bytes + (0 .. 8 * record->words - 1)); */
    /*@ assert error_apart: \separated(error, record->bytes + (0 .. 8 * record->words - 1)); */
    /*@ assert ok: fxt_record_ok(record); */
    return blob_decoded(record, in, out, error);
}

/* What a decoder gives of a canonical record can be written, and takes as many words. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_blob(record) && says_blob{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures writable_blob(out) && l_blob_record_words(out) == record->words;
  @ ensures header: record->header == 5 + record->words * 16 +
  @     l_string_wire(out->name.ref) * 65536 + out->payload.size * 4294967296 +
  @     out->blob_type * 281474976710656;
  @*/
static inline void blob_said(const struct fxt_record *record, const struct fxt_blob *out)
{
    repack_blob_header(record->header);
}

/* What was written of it is what the record was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_blob(record) && says_blob{Here, Here}(record, out);
  @ requires readable(place, 8 * record->words) && encoded_blob{Here, Here}(place, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, record->bytes, 0, 8 * record->words);
  @*/
static inline void blob_same(const struct fxt_record *record, const struct fxt_blob *out,
                             const uint8_t *place)
{
    uint64_t payload = 8 * (1 + string_words(out->name.ref));
    uint64_t at = blob_payload(record->header);
    blob_said(record, out);
    same_word(place, record->bytes, 0, 0, record->header);
    same_texts(place, record->bytes, 8, 1, &out->name, fxt_blob_header_name(record->header));
    same_stream(place, record->bytes, payload, at, &out->payload,
                fxt_blob_header_payload_size(record->header));
}

/* It is written as it was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_blob(record) && says_blob{Here, Here}(record, out);
  @ requires \valid(writer) && fxt_writer_ok(writer) && room(writer, record->words);
  @ requires \separated(record, record->bytes + (0 .. 8 * record->words - 1), out, writer,
  @                     writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures ok: \result == FXT_OK;
  @ ensures all: writer->size == \old(writer->size) + 8 * record->words;
  @ ensures same: same_from(\old(l_place(writer)), record->bytes, 0, 8 * record->words);
  @*/
static inline enum fxt_status blob_again(const struct fxt_record *record,
                                         const struct fxt_blob *out, struct fxt_writer *writer)
{
    const uint8_t *place = writer->bytes + writer->size;
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    /*@ assert payload_zeros: padded(bytes + 8 * l_blob_payload(header),
      @   l_blob_header_payload_size(header)); */
    blob_said(record, out);
    /*@ assert name_given: string_given(writer, out->name.bytes, out->name.ref); */
    /*@ assert payload_given: stream_given(writer, out->payload.bytes, out->payload.size); */
    enum fxt_status status = fxt_write_blob(writer, out);
    /*@ assert name_bytes: stream_same{Pre, Here}(out->name.bytes,
      @   l_inline_length(out->name.ref)); */
    /*@ assert payload_bytes: stream_same{Pre, Here}(out->payload.bytes, out->payload.size); */
    /*@ assert now: encoded_blob{Here, Here}(place, out); */
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert out_size: out->payload.size == \at(out->payload.size, Pre); */
    /*@ assert bytes: stream_same{Pre, Here}(record->bytes, 8 * record->words); */
    /*@ assert word: l_word(record->bytes) == record->header; */
    /*@ assert name: stream_same{Pre, Here}(record->bytes + 8,
      @   8 * l_string_words(l_blob_header_name(record->header))); */
    /*@ assert name_padded: canonical_string(record->bytes + 8,
      @   l_blob_header_name(record->header)); */
    /*@ assert payload: stream_same{Pre, Here}(bytes + 8 * l_blob_payload(header),
      @   8 * l_words_of(l_blob_header_payload_size(header))); */
    /*@ assert payload_padded: padded(bytes + 8 * l_blob_payload(header),
      @   l_blob_header_payload_size(header)); */
    /*@ assert out: says_blob{Here, Here}(record, out); */
    /*@ assert encoded: encoded_blob{Here, Here}(place, out); */
    /*@ assert canonical: canonical_blob(record); */
    blob_same(record, out, place);
    return status;
}

/* P5: decode, then encode. */
/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_blob(record);
  @ requires \valid(out) && \valid(error);
  @ requires \valid(writer) && fxt_writer_ok(writer) && room(writer, record->words);
  @ requires \separated(record, record->bytes + (0 .. 8 * record->words - 1), out, error, writer,
  @                     writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns *out, *error, writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures ok: \result == FXT_OK;
  @ ensures all: writer->size == \old(writer->size) + 8 * record->words;
  @ ensures same: same_from(\old(l_place(writer)), record->bytes, 0, 8 * record->words);
  @*/
static inline enum fxt_status blob_back(const struct fxt_record *record, struct fxt_blob *out,
                                        struct fxt_error *error, struct fxt_writer *writer)
{
    fxt_read_blob(record, out, error);
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert writer_bytes: writer->bytes == \at(writer->bytes, Pre); */
    /*@ assert writer_size: writer->size == \at(writer->size, Pre); */
    /*@ assert writer_capacity: writer->capacity == \at(writer->capacity, Pre); */
    /*@ assert says: says_blob{Here, Here}(record, out); */
    /*@ assert framed: framed(record, record->words); */
    /*@ assert canonical: canonical_blob(record); */
    return blob_again(record, out, writer);
}
