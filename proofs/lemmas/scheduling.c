/* Legacy context switches: there and back. */
#include "proofs/lemmas/layout.c"
#include "proofs/lemmas/step.h"

/* Positions by their names in the logic. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_legacy_switch_incoming(header);
  @*/
static inline uint64_t legacy_switch_incoming(uint64_t header)
{
    return 2 + thread_words(fxt_legacy_switch_header_outgoing_thread(header));
}

/*@ requires \valid_read(record) && \valid_read(in);
  @ requires writable_legacy_switch(in) && encoded_legacy_switch{Here, Here}(record->bytes, in);
  @ requires framed(record, l_legacy_switch_record_words(in));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures formed: formed_legacy_switch(record);
  @ ensures fields: l_legacy_switch_header_cpu(record->header) == in->cpu &&
  @     l_legacy_switch_header_outgoing_state(record->header) == in->outgoing_state &&
  @     l_legacy_switch_header_outgoing_thread(record->header) == in->outgoing.ref &&
  @     l_legacy_switch_header_incoming_thread(record->header) == in->incoming.ref &&
  @     l_legacy_switch_header_outgoing_priority(record->header) == in->outgoing_priority &&
  @     l_legacy_switch_header_incoming_priority(record->header) == in->incoming_priority;
  @ ensures timestamp: l_word(record->bytes + 8) == in->timestamp;
  @ ensures outgoing: in->outgoing.ref == 0 ==>
  @     l_koid(record->bytes, 2, in->outgoing.ref) == in->outgoing.process &&
  @     l_koid(record->bytes, 3, in->outgoing.ref) == in->outgoing.thread;
  @ ensures incoming: in->incoming.ref == 0 ==> l_koid(record->bytes,
  @     l_legacy_switch_incoming(record->header), in->incoming.ref) == in->incoming.process &&
  @     l_koid(record->bytes, l_legacy_switch_incoming(record->header) + 1, in->incoming.ref) ==
  @     in->incoming.thread;
  @*/
static inline void legacy_switch_written(const struct fxt_record *record,
                                         const struct fxt_legacy_switch *in)
{
    uint64_t header = fxt_pack_legacy_switch_header(
        (uint16_t)record->words, (uint8_t)in->cpu, (uint8_t)in->outgoing_state,
        (uint8_t)in->outgoing.ref, (uint8_t)in->incoming.ref, (uint8_t)in->outgoing_priority,
        (uint8_t)in->incoming_priority);
    value_of_bytes(record->bytes, header);
    /*@ assert header: record->header == header; */
    value_of_bytes(record->bytes + 8, in->timestamp);
    koids_of_bytes(record->bytes, 2, in->outgoing.ref, in->outgoing.process, in->outgoing.thread);
    /*@ assert incoming: 2 + l_thread_words(in->outgoing.ref) ==
      @   l_legacy_switch_incoming(record->header); */
    koids_of_bytes(record->bytes, 2 + thread_words(in->outgoing.ref), in->incoming.ref,
                   in->incoming.process, in->incoming.thread);
}

/* What was written is decoded as it was. */
/*@ requires \valid_read(record) && \valid_read(in) && \valid(out) && \valid(error);
  @ requires fxt_record_ok(record);
  @ requires \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ requires writable_legacy_switch(in) && encoded_legacy_switch{Here, Here}(record->bytes, in);
  @ requires framed(record, l_legacy_switch_record_words(in));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures same: same_legacy_switch{Pre, Post}(in, out);
  @ ensures ok: \result == FXT_OK;
  @*/
static inline enum fxt_status legacy_switch_decoded(const struct fxt_record *record,
                                                    const struct fxt_legacy_switch *in,
                                                    struct fxt_legacy_switch *out,
                                                    struct fxt_error *error)
{
    legacy_switch_written(record, in);
    return fxt_read_legacy_switch(record, out, error);
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
  @     \old(writable_legacy_switch(in) && room(writer, l_legacy_switch_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==> encoded_legacy_switch{Here, Here}(record->bytes, in);
  @ ensures framed: \result == FXT_OK ==> framed(record, l_legacy_switch_record_words(in)) &&
  @     record->bytes == \old(l_place(writer)) && record->offset == 0;
  @ ensures kept: kept_legacy_switch{Pre, Post}(in);
  @*/
static inline enum fxt_status legacy_switch_framed(struct fxt_writer *writer,
                                                   const struct fxt_legacy_switch *in,
                                                   struct fxt_record *record)
{
    uint64_t from = writer->size;
    enum fxt_status status = fxt_write_legacy_switch(writer, in);
    if (status != FXT_OK)
        return status;
    /*@ assert now: encoded_legacy_switch{Here, Here}(writer->bytes + from, in); */
    /*@ assert wrote_timestamp: in->timestamp == \at(in->timestamp, Pre); */
    /*@ assert wrote_outgoing_process: in->outgoing.process == \at(in->outgoing.process, Pre); */
    /*@ assert wrote_outgoing_thread: in->outgoing.thread == \at(in->outgoing.thread, Pre); */
    /*@ assert wrote_incoming_process: in->incoming.process == \at(in->incoming.process, Pre); */
    /*@ assert wrote_incoming_thread: in->incoming.thread == \at(in->incoming.thread, Pre); */
    frame(writer->bytes + from, writer->size - from, record);
    /*@ assert timestamp: in->timestamp == \at(in->timestamp, Pre); */
    /*@ assert cpu: in->cpu == \at(in->cpu, Pre); */
    /*@ assert outgoing_state: in->outgoing_state == \at(in->outgoing_state, Pre); */
    /*@ assert outgoing_priority: in->outgoing_priority == \at(in->outgoing_priority, Pre); */
    /*@ assert incoming_priority: in->incoming_priority == \at(in->incoming_priority, Pre); */
    /*@ assert outgoing_process: in->outgoing.process == \at(in->outgoing.process, Pre); */
    /*@ assert outgoing_thread: in->outgoing.thread == \at(in->outgoing.thread, Pre); */
    /*@ assert outgoing_ref: in->outgoing.ref == \at(in->outgoing.ref, Pre); */
    /*@ assert incoming_process: in->incoming.process == \at(in->incoming.process, Pre); */
    /*@ assert incoming_thread: in->incoming.thread == \at(in->incoming.thread, Pre); */
    /*@ assert incoming_ref: in->incoming.ref == \at(in->incoming.ref, Pre); */
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
  @     \old(writable_legacy_switch(in) && room(writer, l_legacy_switch_record_words(in)));
  @ ensures same: \result == FXT_OK ==> same_legacy_switch{Pre, Post}(in, out);
  @*/
static inline enum fxt_status legacy_switch_there(struct fxt_writer *writer,
                                                  const struct fxt_legacy_switch *in,
                                                  struct fxt_record *record,
                                                  struct fxt_legacy_switch *out,
                                                  struct fxt_error *error)
{
    enum fxt_status status = legacy_switch_framed(writer, in, record);
    if (status != FXT_OK)
        return status;
    /*@ assert inside: 8 * record->words <= writer->capacity - \at(writer->size, Pre); */
    /*@ assert ok: fxt_record_ok(record); */
    return legacy_switch_decoded(record, in, out, error);
}

/* What a decoder gives of a canonical record can be written, and takes as many words. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_legacy_switch(record) && says_legacy_switch{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures writable_legacy_switch(out) && l_legacy_switch_record_words(out) == record->words;
  @ ensures header: record->header == 8 + record->words * 16 + out->cpu * 65536 +
  @     out->outgoing_state * 16777216 + out->outgoing.ref * 268435456 + out->incoming.ref *
  @     68719476736 + out->outgoing_priority * 17592186044416 + out->incoming_priority *
  @     4503599627370496;
  @*/
static inline void legacy_switch_said(const struct fxt_record *record,
                                      const struct fxt_legacy_switch *out)
{
    repack_legacy_switch_header(record->header);
}

/* What was written of it is what the record was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_legacy_switch(record) && says_legacy_switch{Here, Here}(record, out);
  @ requires readable(place, 8 * record->words) && encoded_legacy_switch{Here, Here}(place, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, record->bytes, 0, 8 * record->words);
  @*/
static inline void legacy_switch_same(const struct fxt_record *record,
                                      const struct fxt_legacy_switch *out, const uint8_t *place)
{
    uint64_t incoming = 8 * (2 + thread_words(out->outgoing.ref));
    uint64_t at = legacy_switch_incoming(record->header);
    legacy_switch_said(record, out);
    same_word(place, record->bytes, 0, 0, record->header);
    same_word(place, record->bytes, 8, 8, out->timestamp);
    same_koids(place, record->bytes, 16, 2, &out->outgoing,
               fxt_legacy_switch_header_outgoing_thread(record->header));
    same_koids(place, record->bytes, incoming, at, &out->incoming,
               fxt_legacy_switch_header_incoming_thread(record->header));
}

/* It is written as it was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_legacy_switch(record) && says_legacy_switch{Here, Here}(record, out);
  @ requires \valid(writer) && fxt_writer_ok(writer) && room(writer, record->words);
  @ requires \separated(record, record->bytes + (0 .. 8 * record->words - 1), out, writer,
  @     writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures ok: \result == FXT_OK;
  @ ensures all: writer->size == \old(writer->size) + 8 * record->words;
  @ ensures same: same_from(\old(l_place(writer)), record->bytes, 0, 8 * record->words);
  @*/
static inline enum fxt_status legacy_switch_again(const struct fxt_record *record,
                                                  const struct fxt_legacy_switch *out,
                                                  struct fxt_writer *writer)
{
    const uint8_t *place = writer->bytes + writer->size;
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    /*@ assert outgoing_process_before: l_legacy_switch_header_outgoing_thread(header) == 0 ==>
      @   l_word(bytes + 16) == out->outgoing.process; */
    /*@ assert outgoing_thread_before: l_legacy_switch_header_outgoing_thread(header) == 0 ==>
      @   l_word(bytes + 24) == out->outgoing.thread; */
    /*@ assert incoming_process_before: l_legacy_switch_header_incoming_thread(header) == 0 ==>
      @   l_word(bytes + 8 * l_legacy_switch_incoming(header)) == out->incoming.process; */
    /*@ assert incoming_thread_before: l_legacy_switch_header_incoming_thread(header) == 0 ==>
      @   l_word(bytes + (8 * l_legacy_switch_incoming(header) + 8)) == out->incoming.thread; */
    /*@ assert incoming_none_before: l_legacy_switch_header_incoming_thread(header) != 0 ==>
      @   out->incoming.process == 0; */
    legacy_switch_said(record, out);
    enum fxt_status status = fxt_write_legacy_switch(writer, out);
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert out_timestamp: out->timestamp == \at(out->timestamp, Pre); */
    /*@ assert out_cpu: out->cpu == \at(out->cpu, Pre); */
    /*@ assert out_outgoing_state: out->outgoing_state == \at(out->outgoing_state, Pre); */
    /*@ assert out_outgoing_priority: out->outgoing_priority == \at(out->outgoing_priority, Pre); */
    /*@ assert out_incoming_priority: out->incoming_priority == \at(out->incoming_priority, Pre); */
    /*@ assert out_outgoing_process: out->outgoing.process == \at(out->outgoing.process, Pre); */
    /*@ assert out_outgoing_thread: out->outgoing.thread == \at(out->outgoing.thread, Pre); */
    /*@ assert out_outgoing_ref: out->outgoing.ref == \at(out->outgoing.ref, Pre); */
    /*@ assert out_incoming_process: out->incoming.process == \at(out->incoming.process, Pre); */
    /*@ assert out_incoming_thread: out->incoming.thread == \at(out->incoming.thread, Pre); */
    /*@ assert out_incoming_ref: out->incoming.ref == \at(out->incoming.ref, Pre); */
    /*@ assert bytes: stream_same{Pre, Here}(record->bytes, 8 * record->words); */
    /*@ assert word: l_word(record->bytes) == record->header; */
    /*@ assert timestamp: l_word(record->bytes + 8) == out->timestamp; */
    /*@ assert outgoing_process_word: l_legacy_switch_header_outgoing_thread(header) == 0 ==>
      @   l_word(bytes + 16) == out->outgoing.process; */
    /*@ assert outgoing_thread_word: l_legacy_switch_header_outgoing_thread(header) == 0 ==>
      @   l_word(bytes + 24) == out->outgoing.thread; */
    /*@ assert incoming_process_word: l_legacy_switch_header_incoming_thread(header) == 0 ==>
      @   l_word(bytes + 8 * l_legacy_switch_incoming(header)) == out->incoming.process; */
    /*@ assert incoming_thread_word: l_legacy_switch_header_incoming_thread(header) == 0 ==>
      @   l_word(bytes + (8 * l_legacy_switch_incoming(header) + 8)) == out->incoming.thread; */
    /*@ assert outgoing: says_thread{Here}(out->outgoing.process, out->outgoing.thread,
      @   out->outgoing.ref, record->bytes, 2,
      @   l_legacy_switch_header_outgoing_thread(record->header)); */
    /*@ assert incoming_ref: out->incoming.ref ==
      @   l_legacy_switch_header_incoming_thread(record->header); */
    /*@ assert incoming_none: out->incoming.ref != 0 ==> out->incoming.process == 0; */
    /*@ assert incoming_koid: out->incoming.ref == 0 ==>
      @   l_word(bytes + 8 * l_legacy_switch_incoming(header)) == out->incoming.process; */
    /*@ assert incoming_process: out->incoming.process == l_koid(bytes,
      @   l_legacy_switch_incoming(header), out->incoming.ref); */
    /*@ assert incoming_thread: out->incoming.thread == l_koid(record->bytes,
      @   l_legacy_switch_incoming(record->header) + 1, out->incoming.ref); */
    /*@ assert incoming: says_thread{Here}(out->incoming.process, out->incoming.thread,
      @   out->incoming.ref, record->bytes, l_legacy_switch_incoming(record->header),
      @   l_legacy_switch_header_incoming_thread(record->header)); */
    /*@ assert out: says_legacy_switch{Here, Here}(record, out); */
    /*@ assert encoded: encoded_legacy_switch{Here, Here}(place, out); */
    /*@ assert canonical: canonical_legacy_switch(record); */
    legacy_switch_same(record, out, place);
    return status;
}

/* P5: decode, then encode. */
/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_legacy_switch(record);
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
static inline enum fxt_status legacy_switch_back(const struct fxt_record *record,
                                                 struct fxt_legacy_switch *out,
                                                 struct fxt_error *error, struct fxt_writer *writer)
{
    fxt_read_legacy_switch(record, out, error);
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert writer_bytes: writer->bytes == \at(writer->bytes, Pre); */
    /*@ assert writer_size: writer->size == \at(writer->size, Pre); */
    /*@ assert writer_capacity: writer->capacity == \at(writer->capacity, Pre); */
    /*@ assert says: says_legacy_switch{Here, Here}(record, out); */
    /*@ assert framed: framed(record, record->words); */
    /*@ assert canonical: canonical_legacy_switch(record); */
    return legacy_switch_again(record, out, writer);
}
