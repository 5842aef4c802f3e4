/* Blob records: there and back. */
#include "proofs/lemmas/layout.c"
#include "proofs/lemmas/step.h"

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
    uint64_t header = fxt_pack_blob_header(
        (uint16_t)record->words, in->name.ref == FXT_STRING_INLINE ? 0 : in->name.ref,
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

/* P4 */
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
  @ ensures framed: \result == FXT_OK ==> framed(record, l_blob_record_words(in));
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
    frame(writer->bytes + from, writer->size - from, record);
    /*@ assert kept: kept_blob{Pre, Here}(in); */
    return status;
}

/* What a decoder gives of a canonical record can be written, and takes as many words. */
/*@ requires \valid_read(record) && \valid_read(out) && fxt_record_ok(record);
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
/*@ requires \valid_read(record) && \valid_read(out) && fxt_record_ok(record);
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
    uint64_t name = inline_length(out->name.ref);
    uint64_t payload = 8 * (1 + string_words(out->name.ref));
    blob_said(record, out);
    same_word(place, record->bytes, 0, record->header);
    same_stream(place, record->bytes, 8, name);
    /*@ assert payload: payload == 8 * l_blob_payload(record->header); */
    /*@ assert pad: padded(record->bytes + 8 * l_blob_payload(record->header), out->payload.size); */
    /*@ assert there: stream_at{Here, Here}(place + payload, out->payload.bytes,
      @   out->payload.size); */
    /*@ assert stream: stream_at{Here, Here}(place + payload, record->bytes + payload,
      @   out->payload.size); */
    same_stream(place, record->bytes, payload, out->payload.size);
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
    const uint8_t *place = writer->bytes + writer->size;
    fxt_read_blob(record, out, error);
    /*@ assert record: kept_record{Pre, Here}(record); */
    /*@ assert writer: kept_writer{Pre, Here}(writer); */
    /*@ assert says: says_blob{Here, Here}(record, out); */
    blob_said(record, out);
    enum fxt_status status = fxt_write_blob(writer, out);
    /*@ assert kept: kept_record{Pre, Here}(record); */
    /*@ assert out: says_blob{Here, Here}(record, out); */
    /*@ assert name: stream_same{Pre, Here}(record->bytes + 8, 8 * l_string_words(out->name.ref)); */
    /*@ assert payload: stream_same{Pre, Here}(record->bytes + 8 * l_blob_payload(record->header),
      @   8 * l_words_of(out->payload.size)); */
    /*@ assert pad: padded(record->bytes + 8, l_inline_length(out->name.ref)); */
    /*@ assert size: l_blob_header_payload_size(record->header) == out->payload.size; */
    /*@ assert pads: padded(record->bytes + 8 * l_blob_payload(record->header),
      @   out->payload.size); */
    /*@ assert word: l_word(record->bytes) == record->header; */
    /*@ assert encoded: encoded_blob{Here, Here}(place, out); */
    /*@ assert canonical: canonical_blob(record); */
    blob_same(record, out, place);
    return status;
}
