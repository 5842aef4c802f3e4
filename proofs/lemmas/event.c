/* Events: there and back. */
#include "proofs/lemmas/args.h"

/* Positions by their names in the logic. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_event_category(header) && \result <= 4;
  @*/
static inline uint32_t event_category(uint64_t header)
{
    return (uint32_t)(2 + thread_words(fxt_event_header_thread(header)));
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_event_name(header) && \result <= 4100;
  @*/
static inline uint32_t event_name(uint64_t header)
{
    return (uint32_t)(event_category(header) + string_words(fxt_event_header_category(header)));
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_event_args(header) && 2 <= \result <= 8196;
  @*/
static inline uint32_t event_args(uint64_t header)
{
    return (uint32_t)(event_name(header) + string_words(fxt_event_header_name(header)));
}

/*@ requires \valid_read(in);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_event_value_words(in) && \result <= 1;
  @*/
static inline uint32_t event_value_words(const struct fxt_event *in)
{
    bool has = in->event_type == 1 || in->event_type >= 4;
    return has || (in->event_type == 0 && in->has_scope != 0) ? 1 : 0;
}

/* The end of the arguments, by its name in the logic. */
/*@ requires \valid_read(record) && position == l_event_args(record->header);
  @ requires count == l_event_header_arg_count(record->header);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures end: l_event_end(record) == l_args_end(record->bytes, record->words, position, count);
  @*/
static inline void event_args_end(const struct fxt_record *record, uint32_t position,
                                  uint32_t count)
{
    (void)record;
    (void)position;
    (void)count;
}

/* The header of an event that was written says its fields, and where they are. */
/*@ requires \valid_read(record) && \valid_read(in);
  @ LEMMA_WRITTEN(event);
  @ requires framed(record, l_event_record_words(in, args, count));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures is: is_event(record);
  @ ensures fields: l_event_header_event_type(record->header) == in->event_type &&
  @     l_event_header_arg_count(record->header) == count &&
  @     l_event_header_thread(record->header) == in->thread.ref &&
  @     l_event_header_category(record->header) == l_string_wire(in->category.ref) &&
  @     l_event_header_name(record->header) == l_string_wire(in->name.ref);
  @ ensures category: l_event_category(record->header) == 2 + l_thread_words(in->thread.ref);
  @ ensures name: l_event_name(record->header) == 2 + l_thread_words(in->thread.ref) +
  @     l_string_words(in->category.ref);
  @ ensures args: l_event_args(record->header) == 2 + l_thread_words(in->thread.ref) +
  @     l_string_words(in->category.ref) + l_string_words(in->name.ref);
  @ ensures words: 2 <= l_event_args(record->header) <= record->words &&
  @     2 + l_thread_words(in->thread.ref) <= record->words;
  @*/
static inline void event_header(const struct fxt_record *record, const struct fxt_event *in,
                                const struct fxt_arg *args, uint32_t count)
{
    uint16_t category_wire = in->category.ref == FXT_STRING_INLINE ? 0 : in->category.ref;
    uint16_t name_wire = in->name.ref == FXT_STRING_INLINE ? 0 : in->name.ref;
    /*@ assert wires: category_wire == l_string_wire(in->category.ref) &&
      @   name_wire == l_string_wire(in->name.ref); */
    uint64_t header =
        fxt_pack_event_header((uint16_t)record->words, (uint8_t)in->event_type, (uint8_t)count,
                              (uint8_t)in->thread.ref, category_wire, name_wire);
    args_rise(args, count);
    uint64_t category = 2 + thread_words(in->thread.ref);
    uint64_t name = category + string_words(in->category.ref);
    uint64_t behind = name + string_words(in->name.ref);
    /*@ assert words: 2 <= category <= behind <= record->words; */
    /*@ assert bytes: \valid_read(record->bytes + (0 .. 7)); */
    /*@ assert at: event_header{Here}(record->bytes, record->words, in->event_type, count,
      @   in->thread.ref, category_wire, name_wire); */
    /*@ assert word: word_at(record->bytes, header); */
    value_of_bytes(record->bytes, header);
    /*@ assert header: record->header == header; */
    /*@ assert category_words: l_string_words(l_string_wire(in->category.ref)) ==
      @   l_string_words(in->category.ref); */
    /*@ assert name_words: l_string_words(l_string_wire(in->name.ref)) ==
      @   l_string_words(in->name.ref); */
}

/* A decoder finds the end of the arguments, and the value behind them, where the writer put
   them. */
/*@ requires \valid_read(record) && \valid_read(in);
  @ LEMMA_WRITTEN(event);
  @ requires framed(record, l_event_record_words(in, args, count));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures end: l_event_end(record) == l_event_args(record->header) + l_args_words(args, count);
  @ ensures rest: record->words - l_event_end(record) == l_event_value_words(in);
  @ ensures words: 0 <= l_args_words(args, count);
  @ ensures value: l_event_value_words(in) == 1 ==>
  @     l_word(record->bytes + 8 * l_event_end(record)) == l_event_value(in);
  @*/
static inline void event_end(const struct fxt_record *record, const struct fxt_event *in,
                             const struct fxt_arg *args, uint32_t count)
{
    event_header(record, in, args, count);
    uint32_t position = event_args(record->header);
    args_rise(args, count);
    /*@ assert args: encoded_args{Here, Here}(record->bytes + 8 * position, args, count); */
    args_end(record->bytes, record->words, position, args, count);
    event_args_end(record, position, count);
    /*@ assert end: l_event_end(record) == position + l_args_words(args, count); */
    uint32_t left = event_value_words(in);
    if (left == 1) {
        uint32_t end = record->words - 1;
        /*@ assert at: end == l_event_end(record); */
        /*@ assert there: word_at(record->bytes + 8 * end, l_event_value(in)); */
        value_of_bytes(record->bytes + UINT64_C(8) * end,
                       in->event_type == 0 ? in->scope : in->value);
    }
}

/*@ requires \valid_read(record) && \valid_read(in);
  @ LEMMA_WRITTEN(event);
  @ requires framed(record, l_event_record_words(in, args, count));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures formed: formed_event(record);
  @ ensures fields: l_event_header_event_type(record->header) == in->event_type &&
  @     l_event_header_arg_count(record->header) == count &&
  @     l_event_header_thread(record->header) == in->thread.ref &&
  @     l_event_header_category(record->header) == l_string_wire(in->category.ref) &&
  @     l_event_header_name(record->header) == l_string_wire(in->name.ref);
  @ ensures timestamp: l_word(record->bytes + 8) == in->timestamp;
  @ ensures thread: in->thread.ref == 0 ==>
  @     l_koid(record->bytes, 2, in->thread.ref) == in->thread.process &&
  @     l_koid(record->bytes, 3, in->thread.ref) == in->thread.thread;
  @ ensures args: l_event_args(record->header) == l_event_head_words(in);
  @ ensures end: l_event_end(record) == l_event_head_words(in) + l_args_words(args, count);
  @ ensures rest: record->words - l_event_end(record) == l_event_value_words(in);
  @ ensures value: l_event_value_words(in) == 1 ==>
  @     l_word(record->bytes + 8 * l_event_end(record)) == l_event_value(in);
  @*/
static inline void event_written(const struct fxt_record *record, const struct fxt_event *in,
                                 const struct fxt_arg *args, uint32_t count)
{
    event_header(record, in, args, count);
    event_end(record, in, args, count);
    /*@ assert inside: l_event_end(record) != 0 && l_event_end(record) +
      @   l_event_value_words(l_event_header_event_type(record->header)) <= record->words; */
    value_of_bytes(record->bytes + 8, in->timestamp);
    koids_of_bytes(record->bytes, 2, in->thread.ref, in->thread.process, in->thread.thread);
}

/* What a decoder says, part by part, at these words. */
/*@ requires \valid_read(record) && \valid_read(out) && says_event{Here, Here}(record, out);
  @ requires category == l_event_category(record->header);
  @ requires name == l_event_name(record->header);
  @ requires behind == l_event_args(record->header) && end == l_event_end(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures type: out->event_type == l_event_header_event_type(record->header);
  @ ensures refs: out->thread.ref == l_event_header_thread(record->header) &&
  @     out->category.ref == l_event_header_category(record->header) &&
  @     out->name.ref == l_event_header_name(record->header);
  @ ensures timestamp: out->timestamp == l_word(record->bytes + 8);
  @ ensures thread: says_thread(out->thread.process, out->thread.thread, out->thread.ref,
  @     record->bytes, 2, out->thread.ref);
  @ ensures category: says_string(out->category.bytes, out->category.ref, record->bytes, category,
  @     out->category.ref);
  @ ensures name: says_string(out->name.bytes, out->name.ref, record->bytes, name,
  @     out->name.ref);
  @ ensures args: out->args.bytes == record->bytes + 8 * behind &&
  @     out->args.words == end - behind &&
  @     out->args.count == l_event_header_arg_count(record->header);
  @ ensures behind: says_event_behind{Here, Here}(record, out, end,
  @     l_event_has_scope(out->event_type, record->words - end));
  @*/
static inline void event_parts(const struct fxt_record *record, const struct fxt_event *out,
                               uint32_t category, uint32_t name, uint32_t behind, uint32_t end)
{
    (void)record;
    (void)out;
    (void)category;
    (void)name;
    (void)behind;
    (void)end;
}

/* What a decoder says of an event that was written is what was written; its arguments stand where
   they were put. */
/*@ requires \valid_read(record) && \valid_read(in) && \valid_read(out);
  @ LEMMA_WRITTEN(event);
  @ requires framed(record, l_event_record_words(in, args, count));
  @ requires says_event{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures args: out->args.bytes == record->bytes + 8 * l_event_head_words(in);
  @ ensures category: same_string(in->category.bytes, in->category.ref, out->category.bytes,
  @     out->category.ref);
  @ ensures name: same_string(in->name.bytes, in->name.ref, out->name.bytes, out->name.ref);
  @*/
static inline void event_read_texts(const struct fxt_record *record, const struct fxt_event *in,
                                    const struct fxt_arg *args, uint32_t count,
                                    const struct fxt_event *out)
{
    event_header(record, in, args, count);
    event_end(record, in, args, count);
    uint64_t category = 2 + thread_words(in->thread.ref);
    uint64_t name = category + string_words(in->category.ref);
    uint64_t behind = name + string_words(in->name.ref);
    /*@ assert end: behind <= l_event_end(record) <= record->words; */
    event_parts(record, out, (uint32_t)category, (uint32_t)name, (uint32_t)behind,
                record->words - event_value_words(in));
    /*@ assert head: behind == l_event_head_words(in); */
    /*@ assert category_at: string_at{Here, Here}(record->bytes + 8 * category,
      @   in->category.bytes, in->category.ref); */
    /*@ assert name_at: string_at{Here, Here}(record->bytes + 8 * name,
      @   in->name.bytes, in->name.ref); */
}

/*@ requires \valid_read(record) && \valid_read(in) && \valid_read(out);
  @ LEMMA_WRITTEN(event);
  @ requires framed(record, l_event_record_words(in, args, count));
  @ requires says_event{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_event(in, args, count, out);
  @ ensures args: out->args.bytes == record->bytes + 8 * l_event_head_words(in);
  @*/
static inline void event_read(const struct fxt_record *record, const struct fxt_event *in,
                              const struct fxt_arg *args, uint32_t count,
                              const struct fxt_event *out)
{
    event_written(record, in, args, count);
    event_read_texts(record, in, args, count, out);
    uint32_t end = record->words - event_value_words(in);
    /*@ assert end: end == l_event_end(record); */
    event_parts(record, out, event_category(record->header), event_name(record->header),
                event_args(record->header), end);
    /*@ assert type: out->event_type == in->event_type; */
    /*@ assert left: l_event_has_scope(in->event_type, l_event_value_words(in)) ==
      @   (in->event_type == 0 && in->has_scope != 0 ? 1 : 0); */
    /*@ assert has: out->has_scope == (in->event_type == 0 && in->has_scope != 0 ? 1 : 0); */
    /*@ assert scope: in->event_type == 0 && in->has_scope != 0 ==> out->scope == in->scope; */
    /*@ assert value: in->event_type == 1 || in->event_type >= 4 ==> out->value == in->value; */
    /*@ assert tail: out->tail.words == 0; */
    /*@ assert count: out->args.count == count; */
    /*@ assert words: out->args.words == l_args_words(args, count); */
}

/* What a decoder gives of a canonical event with its arguments can be written, and takes as many
   words. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ LEMMA_SAID(event, l_event_args(record->header));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures writable: writable_event(out, d, count);
  @ ensures words: l_event_record_words(out, d, count) == record->words;
  @ ensures end: l_event_end(record) == l_event_args(record->header) + l_args_words(d, count);
  @ ensures header: record->header == 4 + record->words * 16 + out->event_type * 65536 +
  @     count * 1048576 + out->thread.ref * 16777216 +
  @     l_string_wire(out->category.ref) * 4294967296 +
  @     l_string_wire(out->name.ref) * 281474976710656;
  @*/
static inline void event_said(const struct fxt_record *record, const struct fxt_event *out,
                              const struct fxt_arg *d, uint32_t count)
{
    uint64_t header = record->header;
    uint32_t position = event_args(header);
    /*@ assert count: count == l_event_header_arg_count(header) && count <= 15; */
    event_args_end(record, position, count);
    args_said(record->bytes, record->words, position, d, count);
    /*@ assert end: l_event_end(record) == position + l_args_words(d, count); */
    repack_event_header(header);
    /*@ assert type: out->event_type == l_event_header_event_type(header) &&
      @   out->event_type <= 10; */
    /*@ assert refs: out->thread.ref == l_event_header_thread(header) &&
      @   out->category.ref == l_event_header_category(header) &&
      @   out->name.ref == l_event_header_name(header); */
    /*@ assert has: out->has_scope == l_event_has_scope(out->event_type,
      @   record->words - l_event_end(record)); */
    /*@ assert value: l_event_value_words(out) == l_event_value_words(out->event_type) +
      @   out->has_scope; */
    /*@ assert behind: l_event_end(record) + l_event_value_words(out) == record->words; */
    /*@ assert args: position == 2 + l_thread_words(out->thread.ref) +
      @   l_string_words(out->category.ref) + l_string_words(out->name.ref); */
}

/* What is canonical of the texts, and what was written of an event, at these words. */
/*@ requires \valid_read(record) && canonical_event(record);
  @ requires category == l_event_category(record->header);
  @ requires name == l_event_name(record->header);
  @ requires behind == l_event_args(record->header);
  @ requires count == l_event_header_arg_count(record->header);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures category: canonical_string(record->bytes + 8 * category,
  @     l_event_header_category(record->header));
  @ ensures name: canonical_string(record->bytes + 8 * name, l_event_header_name(record->header));
  @ ensures args: canonical_args(record->bytes, behind, count);
  @*/
static inline void event_canonical(const struct fxt_record *record, uint32_t category,
                                   uint32_t name, uint32_t behind, uint32_t count)
{
    (void)record;
    (void)category;
    (void)name;
    (void)behind;
    (void)count;
}

/*@ requires \valid_read(out) && encoded_event{Here, Here}(place, out, d, count);
  @ requires category == 2 + l_thread_words(out->thread.ref);
  @ requires name == 2 + l_thread_words(out->thread.ref) + l_string_words(out->category.ref);
  @ requires behind == 2 + l_thread_words(out->thread.ref) + l_string_words(out->category.ref) +
  @     l_string_words(out->name.ref);
  @ requires end == behind + l_args_words(d, count);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures header: event_header{Here}(place, l_event_record_words(out, d, count),
  @     out->event_type, count, out->thread.ref, l_string_wire(out->category.ref),
  @     l_string_wire(out->name.ref));
  @ ensures timestamp: word_at(place + 8, out->timestamp);
  @ ensures thread: thread_at{Here}(place + 16, out->thread.ref, out->thread.process,
  @     out->thread.thread);
  @ ensures category: string_at{Here, Here}(place + 8 * category, out->category.bytes,
  @     out->category.ref);
  @ ensures name: string_at{Here, Here}(place + 8 * name, out->name.bytes, out->name.ref);
  @ ensures args: encoded_args{Here, Here}(place + 8 * behind, d, count);
  @ ensures value: l_event_value_words(out) == 1 ==>
  @     word_at(place + 8 * end, l_event_value(out));
  @*/
static inline void event_encoded(const uint8_t *place, const struct fxt_event *out,
                                 const struct fxt_arg *d, uint32_t count, uint32_t category,
                                 uint32_t name, uint32_t behind, uint32_t end)
{
    (void)place;
    (void)out;
    (void)d;
    (void)count;
    (void)category;
    (void)name;
    (void)behind;
    (void)end;
}

/* The references, written as they were. */
/*@ requires \valid_read(out) && category <= 4 && name <= 4100;
  @ requires category == 2 + l_thread_words(out->thread.ref);
  @ requires name == category + l_string_words(out->category.ref);
  @ requires readable(place, 8 * (name + l_string_words(out->name.ref)));
  @ requires readable(bytes, 8 * (name + l_string_words(out->name.ref)));
  @ requires thread_at{Here}(place + 16, out->thread.ref, out->thread.process,
  @     out->thread.thread);
  @ requires string_at{Here, Here}(place + 8 * category, out->category.bytes, out->category.ref);
  @ requires string_at{Here, Here}(place + 8 * name, out->name.bytes, out->name.ref);
  @ requires says_thread(out->thread.process, out->thread.thread, out->thread.ref, bytes, 2,
  @     out->thread.ref);
  @ requires says_string(out->category.bytes, out->category.ref, bytes, category,
  @     out->category.ref);
  @ requires says_string(out->name.bytes, out->name.ref, bytes, name, out->name.ref);
  @ requires canonical_string(bytes + 8 * category, out->category.ref);
  @ requires canonical_string(bytes + 8 * name, out->name.ref);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, bytes, 16, 8 * (name + l_string_words(out->name.ref)));
  @*/
static inline void event_same_refs(const uint8_t *place, const uint8_t *bytes,
                                   const struct fxt_event *out, uint32_t category, uint32_t name)
{
    same_koids(place, bytes, 16, 2, &out->thread, out->thread.ref);
    same_texts(place, bytes, UINT64_C(8) * category, category, &out->category, out->category.ref);
    same_texts(place, bytes, UINT64_C(8) * name, name, &out->name, out->name.ref);
}

/* What was written of it is what the record was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ LEMMA_SAID(event, l_event_args(record->header));
  @ requires readable(place, 8 * record->words);
  @ requires encoded_event{Here, Here}(place, out, d, count);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, record->bytes, 0, 8 * record->words);
  @*/
static inline void event_same(const struct fxt_record *record, const struct fxt_event *out,
                              const struct fxt_arg *d, uint32_t count, const uint8_t *place)
{
    uint32_t category = event_category(record->header);
    uint32_t name = event_name(record->header);
    uint32_t behind = event_args(record->header);
    uint32_t end = behind + out->args.words;
    event_said(record, out, d, count);
    /*@ assert end: end == l_event_end(record) && end <= record->words; */
    event_parts(record, out, category, name, behind, end);
    event_canonical(record, category, name, behind, count);
    /*@ assert each: says_each{Here}(record->bytes, behind, d, count); */
    /*@ assert category: category == 2 + l_thread_words(out->thread.ref); */
    /*@ assert name: name == category + l_string_words(out->category.ref); */
    /*@ assert behind: behind == name + l_string_words(out->name.ref); */
    event_encoded(place, out, d, count, category, name, behind, end);
    /*@ assert word: word_at(place, record->header); */
    same_word(place, record->bytes, 0, 0, record->header);
    same_word(place, record->bytes, 8, 8, out->timestamp);
    event_same_refs(place, record->bytes, out, category, name);
    event_args_end(record, behind, count);
    args_same(record->bytes, record->words, behind, d, count, place);
    /*@ assert all_args: same_from(place, record->bytes, 8 * behind, 8 * end); */
    if (event_value_words(out) == 1) {
        /*@ assert less: end + 1 == record->words; */
        /*@ assert value: out->value == l_word(record->bytes + 8 * end); */
        /*@ assert scope: out->event_type == 0 ==> out->scope == out->value; */
        same_word(place, record->bytes, UINT64_C(8) * end, UINT64_C(8) * end, out->value);
    }
}
