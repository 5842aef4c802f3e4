/* Profiler records: there and back. */
#include "proofs/lemmas/layout.c"
#include "proofs/lemmas/step.h"

/* Positions by their names in the logic. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_profiler_body(header);
  @*/
static inline uint64_t profiler_body(uint64_t header)
{
    return 2 + thread_words(fxt_profiler_header_thread(header));
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_module_build_id(header);
  @*/
static inline uint64_t module_build_id(uint64_t header)
{
    return profiler_body(header) + fxt_words_of(fxt_module_header_name_length(header));
}

/*@ requires \valid_read(record) && \valid_read(in);
  @ requires writable_mmap(in) && encoded_mmap{Here, Here}(record->bytes, in);
  @ requires framed(record, l_mmap_record_words(in));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures formed: formed_mmap(record);
  @ ensures fields: l_mmap_header_thread(record->header) == in->thread.ref &&
  @     l_mmap_header_module_id(record->header) == in->module_id &&
  @     l_mmap_header_flags(record->header) == in->flags;
  @ ensures timestamp: l_word(record->bytes + 8) == in->timestamp;
  @ ensures start_address: l_word(record->bytes + 8 * l_profiler_body(record->header)) ==
  @     in->start_address;
  @ ensures address_range: l_word(record->bytes + 8 * (l_profiler_body(record->header) + 1)) ==
  @     in->address_range;
  @ ensures vaddr: l_word(record->bytes + 8 * (l_profiler_body(record->header) + 2)) == in->vaddr;
  @ ensures thread: in->thread.ref == 0 ==>
  @     l_koid(record->bytes, 2, in->thread.ref) == in->thread.process &&
  @     l_koid(record->bytes, 3, in->thread.ref) == in->thread.thread;
  @*/
static inline void mmap_written(const struct fxt_record *record, const struct fxt_mmap *in)
{
    uint64_t header = fxt_pack_mmap_header((uint16_t)record->words, (uint8_t)in->thread.ref,
                                           in->module_id, (uint8_t)in->flags);
    uint64_t body = 8 * (2 + thread_words(in->thread.ref));
    value_of_bytes(record->bytes, header);
    /*@ assert header: record->header == header; */
    value_of_bytes(record->bytes + 8, in->timestamp);
    koids_of_bytes(record->bytes, 2, in->thread.ref, in->thread.process, in->thread.thread);
    /*@ assert body: body == 8 * l_profiler_body(record->header); */
    value_of_bytes(record->bytes + body, in->start_address);
    value_of_bytes(record->bytes + (body + 8), in->address_range);
    value_of_bytes(record->bytes + (body + 16), in->vaddr);
}

/* What was written is decoded as it was. */
/*@ requires \valid_read(record) && \valid_read(in) && \valid(out) && \valid(error);
  @ requires fxt_record_ok(record);
  @ requires \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ requires writable_mmap(in) && encoded_mmap{Here, Here}(record->bytes, in);
  @ requires framed(record, l_mmap_record_words(in));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures same: same_mmap{Pre, Post}(in, out);
  @ ensures ok: \result == FXT_OK;
  @*/
static inline enum fxt_status mmap_decoded(const struct fxt_record *record,
                                           const struct fxt_mmap *in, struct fxt_mmap *out,
                                           struct fxt_error *error)
{
    mmap_written(record, in);
    return fxt_read_mmap(record, out, error);
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
  @     \old(writable_mmap(in) && room(writer, l_mmap_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==> encoded_mmap{Here, Here}(record->bytes, in);
  @ ensures framed: \result == FXT_OK ==> framed(record, l_mmap_record_words(in)) &&
  @     record->bytes == \old(l_place(writer)) && record->offset == 0;
  @ ensures kept: kept_mmap{Pre, Post}(in);
  @*/
static inline enum fxt_status mmap_framed(struct fxt_writer *writer, const struct fxt_mmap *in,
                                          struct fxt_record *record)
{
    uint64_t from = writer->size;
    enum fxt_status status = fxt_write_mmap(writer, in);
    if (status != FXT_OK)
        return status;
    /*@ assert now: encoded_mmap{Here, Here}(writer->bytes + from, in); */
    frame(writer->bytes + from, writer->size - from, record);
    /*@ assert timestamp: in->timestamp == \at(in->timestamp, Pre); */
    /*@ assert start_address: in->start_address == \at(in->start_address, Pre); */
    /*@ assert address_range: in->address_range == \at(in->address_range, Pre); */
    /*@ assert vaddr: in->vaddr == \at(in->vaddr, Pre); */
    /*@ assert module_id: in->module_id == \at(in->module_id, Pre); */
    /*@ assert flags: in->flags == \at(in->flags, Pre); */
    /*@ assert thread_process: in->thread.process == \at(in->thread.process, Pre); */
    /*@ assert thread_thread: in->thread.thread == \at(in->thread.thread, Pre); */
    /*@ assert thread_ref: in->thread.ref == \at(in->thread.ref, Pre); */
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
  @     \old(writable_mmap(in) && room(writer, l_mmap_record_words(in)));
  @ ensures same: \result == FXT_OK ==> same_mmap{Pre, Post}(in, out);
  @*/
static inline enum fxt_status mmap_there(struct fxt_writer *writer, const struct fxt_mmap *in,
                                         struct fxt_record *record, struct fxt_mmap *out,
                                         struct fxt_error *error)
{
    enum fxt_status status = mmap_framed(writer, in, record);
    if (status != FXT_OK)
        return status;
    /*@ assert inside: 8 * record->words <= writer->capacity - \at(writer->size, Pre); */
    /*@ assert ok: fxt_record_ok(record); */
    return mmap_decoded(record, in, out, error);
}

/* What a decoder gives of a canonical record can be written, and takes as many words. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_mmap(record) && says_mmap{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures writable_mmap(out) && l_mmap_record_words(out) == record->words;
  @ ensures header: record->header == 10 + record->words * 16 + 65536 + out->thread.ref * 1048576
  @     + out->module_id * 268435456 + out->flags * 17592186044416;
  @*/
static inline void mmap_said(const struct fxt_record *record, const struct fxt_mmap *out)
{
    repack_mmap_header(record->header);
}

/* What was written of it is what the record was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_mmap(record) && says_mmap{Here, Here}(record, out);
  @ requires readable(place, 8 * record->words) && encoded_mmap{Here, Here}(place, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, record->bytes, 0, 8 * record->words);
  @*/
static inline void mmap_same(const struct fxt_record *record, const struct fxt_mmap *out,
                             const uint8_t *place)
{
    uint64_t body = 8 * (2 + thread_words(out->thread.ref));
    uint64_t at = profiler_body(record->header);
    mmap_said(record, out);
    /*@ assert thread: l_mmap_header_thread(record->header) == out->thread.ref; */
    /*@ assert at: at == l_profiler_body(record->header) && body == 8 * at; */
    /*@ assert start_address: l_word(record->bytes + 8 * at) == out->start_address; */
    /*@ assert address_range: l_word(record->bytes + (8 * at + 8)) == out->address_range; */
    /*@ assert vaddr: l_word(record->bytes + (8 * at + 16)) == out->vaddr; */
    /*@ assert start_there: word_at(place + body, out->start_address); */
    /*@ assert range_there: word_at(place + (body + 8), out->address_range); */
    /*@ assert vaddr_there: word_at(place + (body + 16), out->vaddr); */
    same_word(place, record->bytes, 0, 0, record->header);
    same_word(place, record->bytes, 8, 8, out->timestamp);
    same_koids(place, record->bytes, 16, 2, &out->thread, fxt_mmap_header_thread(record->header));
    same_word(place, record->bytes, body, 8 * at, out->start_address);
    same_word(place, record->bytes, body + 8, 8 * at + 8, out->address_range);
    same_word(place, record->bytes, body + 16, 8 * at + 16, out->vaddr);
}

/* It is written as it was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_mmap(record) && says_mmap{Here, Here}(record, out);
  @ requires \valid(writer) && fxt_writer_ok(writer) && room(writer, record->words);
  @ requires \separated(record, record->bytes + (0 .. 8 * record->words - 1), out, writer,
  @     writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures ok: \result == FXT_OK;
  @ ensures all: writer->size == \old(writer->size) + 8 * record->words;
  @ ensures same: same_from(\old(l_place(writer)), record->bytes, 0, 8 * record->words);
  @*/
static inline enum fxt_status mmap_again(const struct fxt_record *record,
                                         const struct fxt_mmap *out, struct fxt_writer *writer)
{
    const uint8_t *place = writer->bytes + writer->size;
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    /*@ assert process_before: l_mmap_header_thread(header) == 0 ==>
      @   l_word(bytes + 16) == out->thread.process; */
    /*@ assert thread_before: l_mmap_header_thread(header) == 0 ==>
      @   l_word(bytes + 24) == out->thread.thread; */
    /*@ assert start_address_before: l_word(bytes + 8 * l_profiler_body(header)) ==
      @   out->start_address; */
    /*@ assert address_range_before: l_word(bytes + (8 * l_profiler_body(header) + 8)) ==
      @   out->address_range; */
    /*@ assert vaddr_before: l_word(bytes + (8 * l_profiler_body(header) + 16)) == out->vaddr; */
    mmap_said(record, out);
    enum fxt_status status = fxt_write_mmap(writer, out);
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert out_timestamp: out->timestamp == \at(out->timestamp, Pre); */
    /*@ assert out_start_address: out->start_address == \at(out->start_address, Pre); */
    /*@ assert out_address_range: out->address_range == \at(out->address_range, Pre); */
    /*@ assert out_vaddr: out->vaddr == \at(out->vaddr, Pre); */
    /*@ assert out_module_id: out->module_id == \at(out->module_id, Pre); */
    /*@ assert out_flags: out->flags == \at(out->flags, Pre); */
    /*@ assert out_thread_process: out->thread.process == \at(out->thread.process, Pre); */
    /*@ assert out_thread_thread: out->thread.thread == \at(out->thread.thread, Pre); */
    /*@ assert out_thread_ref: out->thread.ref == \at(out->thread.ref, Pre); */
    /*@ assert bytes: stream_same{Pre, Here}(record->bytes, 8 * record->words); */
    /*@ assert word: l_word(record->bytes) == record->header; */
    /*@ assert timestamp: l_word(record->bytes + 8) == out->timestamp; */
    /*@ assert process_word: l_mmap_header_thread(header) == 0 ==>
      @   l_word(bytes + 16) == out->thread.process; */
    /*@ assert thread_word: l_mmap_header_thread(header) == 0 ==>
      @   l_word(bytes + 24) == out->thread.thread; */
    /*@ assert thread: says_thread{Here}(out->thread.process, out->thread.thread, out->thread.ref,
      @   record->bytes, 2, l_mmap_header_thread(record->header)); */
    /*@ assert start_address: l_word(bytes + 8 * l_profiler_body(header)) == out->start_address; */
    /*@ assert address_range: l_word(bytes + (8 * l_profiler_body(header) + 8)) ==
      @   out->address_range; */
    /*@ assert vaddr: l_word(bytes + (8 * l_profiler_body(header) + 16)) == out->vaddr; */
    /*@ assert out: says_mmap{Here, Here}(record, out); */
    /*@ assert encoded: encoded_mmap{Here, Here}(place, out); */
    /*@ assert canonical: canonical_mmap(record); */
    mmap_same(record, out, place);
    return status;
}

/* P5: decode, then encode. */
/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_mmap(record);
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
static inline enum fxt_status mmap_back(const struct fxt_record *record, struct fxt_mmap *out,
                                        struct fxt_error *error, struct fxt_writer *writer)
{
    fxt_read_mmap(record, out, error);
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert writer_bytes: writer->bytes == \at(writer->bytes, Pre); */
    /*@ assert writer_size: writer->size == \at(writer->size, Pre); */
    /*@ assert writer_capacity: writer->capacity == \at(writer->capacity, Pre); */
    /*@ assert says: says_mmap{Here, Here}(record, out); */
    /*@ assert framed: framed(record, record->words); */
    /*@ assert canonical: canonical_mmap(record); */
    return mmap_again(record, out, writer);
}

/*@ requires \valid_read(record) && \valid_read(in);
  @ requires writable_backtrace(in) && encoded_backtrace{Here, Here}(record->bytes, in);
  @ requires framed(record, l_backtrace_record_words(in));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures formed: formed_backtrace(record);
  @ ensures fields: l_backtrace_header_thread(record->header) == in->thread.ref &&
  @     l_backtrace_header_frame_count(record->header) == in->frames.size / 8;
  @ ensures timestamp: l_word(record->bytes + 8) == in->timestamp;
  @ ensures thread: in->thread.ref == 0 ==>
  @     l_koid(record->bytes, 2, in->thread.ref) == in->thread.process &&
  @     l_koid(record->bytes, 3, in->thread.ref) == in->thread.thread;
  @*/
static inline void backtrace_written(const struct fxt_record *record,
                                     const struct fxt_backtrace *in)
{
    uint64_t header = fxt_pack_backtrace_header((uint16_t)record->words, (uint8_t)in->thread.ref,
                                                (uint8_t)(in->frames.size / 8));
    value_of_bytes(record->bytes, header);
    /*@ assert header: record->header == header; */
    value_of_bytes(record->bytes + 8, in->timestamp);
    koids_of_bytes(record->bytes, 2, in->thread.ref, in->thread.process, in->thread.thread);
}

/* What a decoder says of what was written is what was written. */
/*@ requires \valid_read(record) && \valid_read(in) && \valid_read(out);
  @ requires writable_backtrace(in) && encoded_backtrace{Here, Here}(record->bytes, in);
  @ requires framed(record, l_backtrace_record_words(in));
  @ requires says_backtrace{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_backtrace{Here, Here}(in, out);
  @*/
static inline void backtrace_read(const struct fxt_record *record, const struct fxt_backtrace *in,
                                  const struct fxt_backtrace *out)
{
    backtrace_written(record, in);
    /*@ assert body: l_profiler_body(record->header) == 2 + l_thread_words(in->thread.ref); */
    read_stream(record->bytes + 8 * (2 + thread_words(in->thread.ref)), &in->frames, &out->frames);
    /*@ assert thread: same_thread(in->thread.process, in->thread.thread, in->thread.ref,
      @   out->thread.process, out->thread.thread, out->thread.ref); */
    /*@ assert tail: out->tail.words == 0; */
}

/* What was written is decoded as it was. */
/*@ requires \valid_read(record) && \valid_read(in) && \valid(out) && \valid(error);
  @ requires fxt_record_ok(record);
  @ requires \separated(record, in, out, error, record->bytes + (0 .. 8 * record->words - 1));
  @ requires writable_backtrace(in) && encoded_backtrace{Here, Here}(record->bytes, in);
  @ requires framed(record, l_backtrace_record_words(in));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures same: same_backtrace{Here, Here}(in, out);
  @ ensures ok: \result == FXT_OK;
  @*/
static inline enum fxt_status backtrace_decoded(const struct fxt_record *record,
                                                const struct fxt_backtrace *in,
                                                struct fxt_backtrace *out, struct fxt_error *error)
{
    backtrace_written(record, in);
    enum fxt_status status = fxt_read_backtrace(record, out, error);
    /*@ assert in_timestamp: in->timestamp == \at(in->timestamp, Pre); */
    /*@ assert in_thread_process: in->thread.process == \at(in->thread.process, Pre); */
    /*@ assert in_thread_thread: in->thread.thread == \at(in->thread.thread, Pre); */
    /*@ assert in_thread_ref: in->thread.ref == \at(in->thread.ref, Pre); */
    /*@ assert in_frames_bytes: in->frames.bytes == \at(in->frames.bytes, Pre); */
    /*@ assert in_frames_size: in->frames.size == \at(in->frames.size, Pre); */
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert encoded: encoded_backtrace{Here, Here}(record->bytes, in); */
    /*@ assert framed: framed(record, l_backtrace_record_words(in)); */
    /*@ assert says: says_backtrace{Here, Here}(record, out); */
    backtrace_read(record, in, out);
    return status;
}

/* What is written is a record, framed. */
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes
  @     + (writer->size .. writer->capacity - 1));
  @ requires given: stream_given(writer, in->frames.bytes, in->frames.size);
  @ requires \valid(record) &&
  @     \separated(record, in, writer, writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1], *record;
  @ ensures ok: \result == FXT_OK <==>
  @     \old(writable_backtrace(in) && room(writer, l_backtrace_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==> encoded_backtrace{Here, Here}(record->bytes, in);
  @ ensures framed: \result == FXT_OK ==> framed(record, l_backtrace_record_words(in)) &&
  @     record->bytes == \old(l_place(writer)) && record->offset == 0;
  @ ensures kept: kept_backtrace{Pre, Post}(in);
  @*/
static inline enum fxt_status backtrace_framed(struct fxt_writer *writer,
                                               const struct fxt_backtrace *in,
                                               struct fxt_record *record)
{
    uint64_t from = writer->size;
    enum fxt_status status = fxt_write_backtrace(writer, in);
    if (status != FXT_OK)
        return status;
    /*@ assert frames: stream_same{Pre, Here}(in->frames.bytes, in->frames.size); */
    /*@ assert now: encoded_backtrace{Here, Here}(writer->bytes + from, in); */
    frame(writer->bytes + from, writer->size - from, record);
    /*@ assert timestamp: in->timestamp == \at(in->timestamp, Pre); */
    /*@ assert thread_process: in->thread.process == \at(in->thread.process, Pre); */
    /*@ assert thread_thread: in->thread.thread == \at(in->thread.thread, Pre); */
    /*@ assert thread_ref: in->thread.ref == \at(in->thread.ref, Pre); */
    /*@ assert frames_bytes: in->frames.bytes == \at(in->frames.bytes, Pre); */
    /*@ assert frames_size: in->frames.size == \at(in->frames.size, Pre); */
    return status;
}

/* P4: encode, then decode. */
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires given: stream_given(writer, in->frames.bytes, in->frames.size);
  @ requires \valid(record) && \valid(out) && \valid(error);
  @ requires \separated(record, in, out, error, writer, writer->bytes
  @     + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1], *record, *out,
  @     *error;
  @ ensures ok: \result == FXT_OK <==>
  @     \old(writable_backtrace(in) && room(writer, l_backtrace_record_words(in)));
  @ ensures same: \result == FXT_OK ==> same_backtrace{Here, Here}(in, out);
  @*/
static inline enum fxt_status backtrace_there(struct fxt_writer *writer,
                                              const struct fxt_backtrace *in,
                                              struct fxt_record *record, struct fxt_backtrace *out,
                                              struct fxt_error *error)
{
    enum fxt_status status = backtrace_framed(writer, in, record);
    if (status != FXT_OK)
        return status;
    /*@ assert inside: 8 * record->words <= writer->capacity - \at(writer->size, Pre); */
    /*@ assert apart: \separated(record, in, out, error,
      @   record->bytes + (0 .. 8 * record->words - 1)); */
    /*@ assert ok: fxt_record_ok(record); */
    return backtrace_decoded(record, in, out, error);
}

/* What a decoder gives of a canonical record can be written, and takes as many words. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_backtrace(record) && says_backtrace{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures writable_backtrace(out) && l_backtrace_record_words(out) == record->words;
  @ ensures header: record->header == 10 + record->words * 16 + 2 * 65536 + out->thread.ref *
  @     1048576 + out->frame_count * 268435456;
  @*/
static inline void backtrace_said(const struct fxt_record *record, const struct fxt_backtrace *out)
{
    repack_backtrace_header(record->header);
}

/* What was written of it is what the record was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_backtrace(record) && says_backtrace{Here, Here}(record, out);
  @ requires readable(place, 8 * record->words) && encoded_backtrace{Here, Here}(place, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, record->bytes, 0, 8 * record->words);
  @*/
static inline void backtrace_same(const struct fxt_record *record, const struct fxt_backtrace *out,
                                  const uint8_t *place)
{
    uint64_t body = 8 * (2 + thread_words(out->thread.ref));
    uint64_t at = profiler_body(record->header);
    uint64_t wire = 8 * (uint64_t)fxt_backtrace_header_frame_count(record->header);
    backtrace_said(record, out);
    /*@ assert thread: l_backtrace_header_thread(record->header) == out->thread.ref; */
    /*@ assert at: at == l_profiler_body(record->header) && body == 8 * at; */
    /*@ assert wire: wire == 8 * l_backtrace_header_frame_count(record->header); */
    /*@ assert size: out->frames.size == wire; */
    /*@ assert frames: wire > 0 ==> out->frames.bytes == record->bytes + 8 * at; */
    /*@ assert says: says_stream{Here}(out->frames.bytes, out->frames.size, record->bytes, at,
      @   wire); */
    same_word(place, record->bytes, 0, 0, record->header);
    same_word(place, record->bytes, 8, 8, out->timestamp);
    same_koids(place, record->bytes, 16, 2, &out->thread,
               fxt_backtrace_header_thread(record->header));
    same_stream(place, record->bytes, body, at, &out->frames, wire);
}

/* It is written as it was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_backtrace(record) && says_backtrace{Here, Here}(record, out);
  @ requires \valid(writer) && fxt_writer_ok(writer) && room(writer, record->words);
  @ requires \separated(record, record->bytes + (0 .. 8 * record->words - 1), out, writer,
  @     writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures ok: \result == FXT_OK;
  @ ensures all: writer->size == \old(writer->size) + 8 * record->words;
  @ ensures same: same_from(\old(l_place(writer)), record->bytes, 0, 8 * record->words);
  @*/
static inline enum fxt_status backtrace_again(const struct fxt_record *record,
                                              const struct fxt_backtrace *out,
                                              struct fxt_writer *writer)
{
    const uint8_t *place = writer->bytes + writer->size;
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    /*@ assert frames_zeros: padded(bytes + 8 * l_profiler_body(header),
      @   8 * l_backtrace_header_frame_count(header)); */
    /*@ assert process_before: l_backtrace_header_thread(header) == 0 ==>
      @   l_word(bytes + 16) == out->thread.process; */
    /*@ assert thread_before: l_backtrace_header_thread(header) == 0 ==>
      @   l_word(bytes + 24) == out->thread.thread; */
    backtrace_said(record, out);
    /*@ assert frames_given: stream_given(writer, out->frames.bytes, out->frames.size); */
    enum fxt_status status = fxt_write_backtrace(writer, out);
    /*@ assert frames_bytes: stream_same{Pre, Here}(out->frames.bytes, out->frames.size); */
    /*@ assert now: encoded_backtrace{Here, Here}(place, out); */
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert out_timestamp: out->timestamp == \at(out->timestamp, Pre); */
    /*@ assert out_thread_process: out->thread.process == \at(out->thread.process, Pre); */
    /*@ assert out_thread_thread: out->thread.thread == \at(out->thread.thread, Pre); */
    /*@ assert out_thread_ref: out->thread.ref == \at(out->thread.ref, Pre); */
    /*@ assert out_frames_bytes: out->frames.bytes == \at(out->frames.bytes, Pre); */
    /*@ assert out_frames_size: out->frames.size == \at(out->frames.size, Pre); */
    /*@ assert bytes: stream_same{Pre, Here}(record->bytes, 8 * record->words); */
    /*@ assert word: l_word(record->bytes) == record->header; */
    /*@ assert timestamp: l_word(record->bytes + 8) == out->timestamp; */
    /*@ assert process_word: l_backtrace_header_thread(header) == 0 ==>
      @   l_word(bytes + 16) == out->thread.process; */
    /*@ assert thread_word: l_backtrace_header_thread(header) == 0 ==>
      @   l_word(bytes + 24) == out->thread.thread; */
    /*@ assert thread: says_thread{Here}(out->thread.process, out->thread.thread, out->thread.ref,
      @   record->bytes, 2, l_backtrace_header_thread(record->header)); */
    /*@ assert frames: stream_same{Pre, Here}(bytes + 8 * l_profiler_body(header),
      @   8 * l_words_of(8 * l_backtrace_header_frame_count(header))); */
    /*@ assert frames_padded: padded(bytes + 8 * l_profiler_body(header),
      @   8 * l_backtrace_header_frame_count(header)); */
    /*@ assert out: says_backtrace{Here, Here}(record, out); */
    /*@ assert encoded: encoded_backtrace{Here, Here}(place, out); */
    /*@ assert canonical: canonical_backtrace(record); */
    backtrace_same(record, out, place);
    return status;
}

/* P5: decode, then encode. */
/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_backtrace(record);
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
static inline enum fxt_status backtrace_back(const struct fxt_record *record,
                                             struct fxt_backtrace *out, struct fxt_error *error,
                                             struct fxt_writer *writer)
{
    fxt_read_backtrace(record, out, error);
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert writer_bytes: writer->bytes == \at(writer->bytes, Pre); */
    /*@ assert writer_size: writer->size == \at(writer->size, Pre); */
    /*@ assert writer_capacity: writer->capacity == \at(writer->capacity, Pre); */
    /*@ assert says: says_backtrace{Here, Here}(record, out); */
    /*@ assert framed: framed(record, record->words); */
    /*@ assert canonical: canonical_backtrace(record); */
    return backtrace_again(record, out, writer);
}

/*@ requires \valid_read(record) && \valid_read(in);
  @ requires writable_module(in) && encoded_module{Here, Here}(record->bytes, in);
  @ requires framed(record, l_module_record_words(in));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures formed: formed_module(record);
  @ ensures fields: l_module_header_thread(record->header) == in->thread.ref &&
  @     l_module_header_module_id(record->header) == in->module_id &&
  @     l_module_header_name_length(record->header) == in->name.size &&
  @     l_module_header_build_id_length(record->header) == in->build_id.size;
  @ ensures timestamp: l_word(record->bytes + 8) == in->timestamp;
  @ ensures thread: in->thread.ref == 0 ==>
  @     l_koid(record->bytes, 2, in->thread.ref) == in->thread.process &&
  @     l_koid(record->bytes, 3, in->thread.ref) == in->thread.thread;
  @*/
static inline void module_written(const struct fxt_record *record, const struct fxt_module *in)
{
    uint64_t header =
        fxt_pack_module_header((uint16_t)record->words, (uint8_t)in->thread.ref, in->module_id,
                               (uint8_t)in->name.size, (uint8_t)in->build_id.size);
    value_of_bytes(record->bytes, header);
    /*@ assert header: record->header == header; */
    value_of_bytes(record->bytes + 8, in->timestamp);
    koids_of_bytes(record->bytes, 2, in->thread.ref, in->thread.process, in->thread.thread);
}

/* What a decoder says of what was written is what was written. */
/*@ requires \valid_read(record) && \valid_read(in) && \valid_read(out);
  @ requires writable_module(in) && encoded_module{Here, Here}(record->bytes, in);
  @ requires framed(record, l_module_record_words(in));
  @ requires says_module{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_module{Here, Here}(in, out);
  @*/
static inline void module_read(const struct fxt_record *record, const struct fxt_module *in,
                               const struct fxt_module *out)
{
    module_written(record, in);
    /*@ assert body: l_profiler_body(record->header) == 2 + l_thread_words(in->thread.ref); */
    /*@ assert build_id: l_module_build_id(record->header) ==
      @   2 + l_thread_words(in->thread.ref) + l_words_of(in->name.size); */
    read_stream(record->bytes + 8 * (2 + thread_words(in->thread.ref)), &in->name, &out->name);
    read_stream(record->bytes +
                    8 * (2 + thread_words(in->thread.ref) + fxt_words_of(in->name.size)),
                &in->build_id, &out->build_id);
    /*@ assert thread: same_thread(in->thread.process, in->thread.thread, in->thread.ref,
      @   out->thread.process, out->thread.thread, out->thread.ref); */
    /*@ assert tail: out->tail.words == 0; */
}

/* What was written is decoded as it was. */
/*@ requires \valid_read(record) && \valid_read(in) && \valid(out) && \valid(error);
  @ requires fxt_record_ok(record);
  @ requires \separated(record, in, out, error, record->bytes + (0 .. 8 * record->words - 1));
  @ requires writable_module(in) && encoded_module{Here, Here}(record->bytes, in);
  @ requires framed(record, l_module_record_words(in));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures same: same_module{Here, Here}(in, out);
  @ ensures ok: \result == FXT_OK;
  @*/
static inline enum fxt_status module_decoded(const struct fxt_record *record,
                                             const struct fxt_module *in, struct fxt_module *out,
                                             struct fxt_error *error)
{
    module_written(record, in);
    const uint8_t *name = record->bytes + 8 * (2 + thread_words(in->thread.ref));
    /*@ assert name_before: stream_at{Here, Here}(name, in->name.bytes, in->name.size); */
    /*@ assert in_out: \separated(in, out); */
    /*@ assert in_error: \separated(in, error); */
    /*@ assert record_out: \separated(record, out); */
    /*@ assert record_error: \separated(record, error); */
    enum fxt_status status = fxt_read_module(record, out, error);
    /*@ assert in_timestamp: in->timestamp == \at(in->timestamp, Pre); */
    /*@ assert in_module_id: in->module_id == \at(in->module_id, Pre); */
    /*@ assert in_thread_process: in->thread.process == \at(in->thread.process, Pre); */
    /*@ assert in_thread_thread: in->thread.thread == \at(in->thread.thread, Pre); */
    /*@ assert in_thread_ref: in->thread.ref == \at(in->thread.ref, Pre); */
    /*@ assert in_name_bytes: in->name.bytes == \at(in->name.bytes, Pre); */
    /*@ assert in_name_size: in->name.size == \at(in->name.size, Pre); */
    /*@ assert in_build_id_bytes: in->build_id.bytes == \at(in->build_id.bytes, Pre); */
    /*@ assert in_build_id_size: in->build_id.size == \at(in->build_id.size, Pre); */
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert header: module_header{Here}(record->bytes, l_module_record_words(in),
      @   in->thread.ref, in->module_id, in->name.size, in->build_id.size); */
    /*@ assert name_now: stream_at{Here, Here}(name, in->name.bytes, in->name.size); */
    /*@ assert name_place: name == record->bytes + 8 * (2 + l_thread_words(in->thread.ref)); */
    /*@ assert name: stream_at{Here, Here}(record->bytes + 8 * (2 + l_thread_words(in->thread.ref)),
      @   in->name.bytes, in->name.size); */
    /*@ assert build_id: stream_at{Here, Here}(record->bytes +
      @   8 * (2 + l_thread_words(in->thread.ref) + l_words_of(in->name.size)),
      @   in->build_id.bytes, in->build_id.size); */
    /*@ assert encoded: encoded_module{Here, Here}(record->bytes, in); */
    /*@ assert framed: framed(record, l_module_record_words(in)); */
    /*@ assert says: says_module{Here, Here}(record, out); */
    module_read(record, in, out);
    return status;
}

/* What is written is a record, framed. */
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires apart: \separated(in, writer, writer->bytes
  @     + (writer->size .. writer->capacity - 1));
  @ requires given: stream_given(writer, in->name.bytes, in->name.size);
  @ requires given: stream_given(writer, in->build_id.bytes, in->build_id.size);
  @ requires \valid(record) &&
  @     \separated(record, in, writer, writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1], *record;
  @ ensures ok: \result == FXT_OK <==>
  @     \old(writable_module(in) && room(writer, l_module_record_words(in)));
  @ ensures encoded: \result == FXT_OK ==> encoded_module{Here, Here}(record->bytes, in);
  @ ensures framed: \result == FXT_OK ==> framed(record, l_module_record_words(in)) &&
  @     record->bytes == \old(l_place(writer)) && record->offset == 0;
  @ ensures kept: kept_module{Pre, Post}(in);
  @*/
static inline enum fxt_status module_framed(struct fxt_writer *writer, const struct fxt_module *in,
                                            struct fxt_record *record)
{
    uint64_t from = writer->size;
    enum fxt_status status = fxt_write_module(writer, in);
    if (status != FXT_OK)
        return status;
    /*@ assert name: stream_same{Pre, Here}(in->name.bytes, in->name.size); */
    /*@ assert build_id: stream_same{Pre, Here}(in->build_id.bytes, in->build_id.size); */
    /*@ assert now: encoded_module{Here, Here}(writer->bytes + from, in); */
    frame(writer->bytes + from, writer->size - from, record);
    /*@ assert timestamp: in->timestamp == \at(in->timestamp, Pre); */
    /*@ assert module_id: in->module_id == \at(in->module_id, Pre); */
    /*@ assert thread_process: in->thread.process == \at(in->thread.process, Pre); */
    /*@ assert thread_thread: in->thread.thread == \at(in->thread.thread, Pre); */
    /*@ assert thread_ref: in->thread.ref == \at(in->thread.ref, Pre); */
    /*@ assert name_bytes: in->name.bytes == \at(in->name.bytes, Pre); */
    /*@ assert name_size: in->name.size == \at(in->name.size, Pre); */
    /*@ assert build_id_bytes: in->build_id.bytes == \at(in->build_id.bytes, Pre); */
    /*@ assert build_id_size: in->build_id.size == \at(in->build_id.size, Pre); */
    return status;
}

/* P4: encode, then decode. */
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid_read(in);
  @ requires given: stream_given(writer, in->name.bytes, in->name.size);
  @ requires given: stream_given(writer, in->build_id.bytes, in->build_id.size);
  @ requires \valid(record) && \valid(out) && \valid(error);
  @ requires \separated(record, in, out, error, writer, writer->bytes
  @     + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1], *record, *out,
  @     *error;
  @ ensures ok: \result == FXT_OK <==>
  @     \old(writable_module(in) && room(writer, l_module_record_words(in)));
  @ ensures same: \result == FXT_OK ==> same_module{Here, Here}(in, out);
  @*/
static inline enum fxt_status module_there(struct fxt_writer *writer, const struct fxt_module *in,
                                           struct fxt_record *record, struct fxt_module *out,
                                           struct fxt_error *error)
{
    enum fxt_status status = module_framed(writer, in, record);
    if (status != FXT_OK)
        return status;
    /*@ assert inside: 8 * record->words <= writer->capacity - \at(writer->size, Pre); */
    /*@ assert apart: \separated(record, in, out, error,
      @   record->bytes + (0 .. 8 * record->words - 1)); */
    /*@ assert ok: fxt_record_ok(record); */
    return module_decoded(record, in, out, error);
}

/* What a decoder gives of a canonical record can be written, and takes as many words. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_module(record) && says_module{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures writable_module(out) && l_module_record_words(out) == record->words;
  @ ensures header: record->header == 10 + record->words * 16 + out->thread.ref * 1048576 +
  @     out->module_id * 268435456 + out->name.size * 17592186044416 + out->build_id.size *
  @     4503599627370496;
  @*/
static inline void module_said(const struct fxt_record *record, const struct fxt_module *out)
{
    repack_module_header(record->header);
}

/* What was written of it is what the record was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_module(record) && says_module{Here, Here}(record, out);
  @ requires readable(place, 8 * record->words) && encoded_module{Here, Here}(place, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, record->bytes, 0, 8 * record->words);
  @*/
static inline void module_same(const struct fxt_record *record, const struct fxt_module *out,
                               const uint8_t *place)
{
    uint64_t body = 8 * (2 + thread_words(out->thread.ref));
    uint64_t build_id = body + 8 * fxt_words_of(out->name.size);
    uint64_t at = profiler_body(record->header);
    uint64_t next = module_build_id(record->header);
    module_said(record, out);
    /*@ assert thread: l_module_header_thread(record->header) == out->thread.ref; */
    /*@ assert at: at == l_profiler_body(record->header) && body == 8 * at; */
    /*@ assert next: next == l_module_build_id(record->header) && build_id == 8 * next; */
    /*@ assert build_id: stream_at{Here, Here}(place + build_id, out->build_id.bytes,
      @   out->build_id.size); */
    same_word(place, record->bytes, 0, 0, record->header);
    same_word(place, record->bytes, 8, 8, out->timestamp);
    same_koids(place, record->bytes, 16, 2, &out->thread, fxt_module_header_thread(record->header));
    same_stream(place, record->bytes, body, at, &out->name,
                fxt_module_header_name_length(record->header));
    same_stream(place, record->bytes, build_id, next, &out->build_id,
                fxt_module_header_build_id_length(record->header));
}

/* A module is made of these pieces. */
/*@ requires \valid_read(out);
  @ requires module_header{Here}(place, l_module_record_words(out), out->thread.ref,
  @     out->module_id, out->name.size, out->build_id.size);
  @ requires word_at{Here}(place + 8, out->timestamp);
  @ requires thread_at{Here}(place + 16, out->thread.ref, out->thread.process,
  @     out->thread.thread);
  @ requires stream_at{Here, Here}(place + 8 * (2 + l_thread_words(out->thread.ref)),
  @     out->name.bytes, out->name.size);
  @ requires stream_at{Here, Here}(place +
  @     8 * (2 + l_thread_words(out->thread.ref) + l_words_of(out->name.size)),
  @     out->build_id.bytes, out->build_id.size);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures encoded_module{Here, Here}(place, out);
  @*/
static inline void module_pieces(const uint8_t *place, const struct fxt_module *out)
{
    return;
}

/* It is written as it was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_module(record) && says_module{Here, Here}(record, out);
  @ requires \valid(writer) && fxt_writer_ok(writer) && room(writer, record->words);
  @ requires \separated(record, record->bytes + (0 .. 8 * record->words - 1), out, writer,
  @     writer->bytes + (0 .. writer->capacity - 1));
  @ terminates \true;
  @ assigns writer->size, writer->bytes[writer->size .. writer->capacity - 1];
  @ ensures ok: \result == FXT_OK;
  @ ensures all: writer->size == \old(writer->size) + 8 * record->words;
  @ ensures same: same_from(\old(l_place(writer)), record->bytes, 0, 8 * record->words);
  @*/
static inline enum fxt_status module_again(const struct fxt_record *record,
                                           const struct fxt_module *out, struct fxt_writer *writer)
{
    const uint8_t *place = writer->bytes + writer->size;
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    /*@ assert name_zeros: padded(bytes + 8 * l_profiler_body(header),
      @   l_module_header_name_length(header)); */
    /*@ assert build_id_zeros: padded(bytes + 8 * l_module_build_id(header),
      @   l_module_header_build_id_length(header)); */
    /*@ assert process_before: l_module_header_thread(header) == 0 ==>
      @   l_word(bytes + 16) == out->thread.process; */
    /*@ assert thread_before: l_module_header_thread(header) == 0 ==>
      @   l_word(bytes + 24) == out->thread.thread; */
    module_said(record, out);
    const uint8_t *name = place + 8 * (2 + thread_words(out->thread.ref));
    const uint8_t *build_id =
        place + 8 * (2 + thread_words(out->thread.ref) + fxt_words_of(out->name.size));
    /*@ assert name_first: name == place + 8 * (2 + l_thread_words(out->thread.ref)); */
    /*@ assert build_id_first: build_id == place +
      @   8 * (2 + l_thread_words(out->thread.ref) + l_words_of(out->name.size)); */
    /*@ assert name_given: stream_given(writer, out->name.bytes, out->name.size); */
    /*@ assert build_id_given: stream_given(writer, out->build_id.bytes, out->build_id.size); */
    enum fxt_status status = fxt_write_module(writer, out);
    /*@ assert name_bytes: stream_same{Pre, Here}(out->name.bytes, out->name.size); */
    /*@ assert build_id_bytes: stream_same{Pre, Here}(out->build_id.bytes, out->build_id.size); */
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert out_timestamp: out->timestamp == \at(out->timestamp, Pre); */
    /*@ assert out_module_id: out->module_id == \at(out->module_id, Pre); */
    /*@ assert out_thread_process: out->thread.process == \at(out->thread.process, Pre); */
    /*@ assert out_thread_thread: out->thread.thread == \at(out->thread.thread, Pre); */
    /*@ assert out_thread_ref: out->thread.ref == \at(out->thread.ref, Pre); */
    /*@ assert out_name_bytes: out->name.bytes == \at(out->name.bytes, Pre); */
    /*@ assert out_name_size: out->name.size == \at(out->name.size, Pre); */
    /*@ assert out_build_id_bytes: out->build_id.bytes == \at(out->build_id.bytes, Pre); */
    /*@ assert out_build_id_size: out->build_id.size == \at(out->build_id.size, Pre); */
    /*@ assert now_header: module_header{Here}(place, l_module_record_words(out), out->thread.ref,
      @   out->module_id, out->name.size, out->build_id.size); */
    /*@ assert now_timestamp: word_at{Here}(place + 8, out->timestamp); */
    /*@ assert now_thread: thread_at{Here}(place + 16, out->thread.ref, out->thread.process,
      @   out->thread.thread); */
    /*@ assert name_place: name == place + 8 * (2 + l_thread_words(out->thread.ref)); */
    /*@ assert build_id_place: build_id == place +
      @   8 * (2 + l_thread_words(out->thread.ref) + l_words_of(out->name.size)); */
    /*@ assert wrote_name: stream_at{Pre, Here}(name, \at(out->name.bytes, Pre),
      @   \at(out->name.size, Pre)); */
    /*@ assert now_name: stream_at{Here, Here}(name, out->name.bytes, out->name.size); */
    /*@ assert wrote_build_id: stream_at{Pre, Here}(build_id, \at(out->build_id.bytes, Pre),
      @   \at(out->build_id.size, Pre)); */
    /*@ assert now_build_id: stream_at{Here, Here}(build_id, out->build_id.bytes,
      @   out->build_id.size); */
    /*@ assert name_there: stream_at{Here, Here}(place + 8 * (2 + l_thread_words(out->thread.ref)),
      @   out->name.bytes, out->name.size); */
    /*@ assert build_id_there: stream_at{Here, Here}(place +
      @   8 * (2 + l_thread_words(out->thread.ref) + l_words_of(out->name.size)),
      @   out->build_id.bytes, out->build_id.size); */
    module_pieces(place, out);
    /*@ assert now: encoded_module{Here, Here}(place, out); */
    /*@ assert bytes: stream_same{Pre, Here}(record->bytes, 8 * record->words); */
    /*@ assert word: l_word(record->bytes) == record->header; */
    /*@ assert timestamp: l_word(record->bytes + 8) == out->timestamp; */
    /*@ assert process_word: l_module_header_thread(header) == 0 ==>
      @   l_word(bytes + 16) == out->thread.process; */
    /*@ assert thread_word: l_module_header_thread(header) == 0 ==>
      @   l_word(bytes + 24) == out->thread.thread; */
    /*@ assert thread: says_thread{Here}(out->thread.process, out->thread.thread, out->thread.ref,
      @   record->bytes, 2, l_module_header_thread(record->header)); */
    /*@ assert name: stream_same{Pre, Here}(bytes + 8 * l_profiler_body(header),
      @   8 * l_words_of(l_module_header_name_length(header))); */
    /*@ assert name_padded: padded(bytes + 8 * l_profiler_body(header),
      @   l_module_header_name_length(header)); */
    /*@ assert build_id: stream_same{Pre, Here}(bytes + 8 * l_module_build_id(header),
      @   8 * l_words_of(l_module_header_build_id_length(header))); */
    /*@ assert build_id_padded: padded(bytes + 8 * l_module_build_id(header),
      @   l_module_header_build_id_length(header)); */
    /*@ assert formed: formed_module(record); */
    /*@ assert name_end: padded(record->bytes + 8 * l_profiler_body(record->header),
      @   l_module_header_name_length(record->header)); */
    /*@ assert build_id_end: padded(record->bytes + 8 * l_module_build_id(record->header),
      @   l_module_header_build_id_length(record->header)); */
    /*@ assert canonical: canonical_module(record); */
    /*@ assert out: says_module{Here, Here}(record, out); */
    /*@ assert encoded: encoded_module{Here, Here}(place, out); */
    module_same(record, out, place);
    return status;
}

/* P5: decode, then encode. */
/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_module(record);
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
static inline enum fxt_status module_back(const struct fxt_record *record, struct fxt_module *out,
                                          struct fxt_error *error, struct fxt_writer *writer)
{
    fxt_read_module(record, out, error);
    /*@ assert record_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert record_header: record->header == \at(record->header, Pre); */
    /*@ assert record_words: record->words == \at(record->words, Pre); */
    /*@ assert record_type: record->type == \at(record->type, Pre); */
    /*@ assert writer_bytes: writer->bytes == \at(writer->bytes, Pre); */
    /*@ assert writer_size: writer->size == \at(writer->size, Pre); */
    /*@ assert writer_capacity: writer->capacity == \at(writer->capacity, Pre); */
    /*@ assert says: says_module{Here, Here}(record, out); */
    /*@ assert framed: framed(record, record->words); */
    /*@ assert canonical: canonical_module(record); */
    return module_again(record, out, writer);
}
