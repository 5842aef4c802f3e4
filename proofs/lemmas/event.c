/* Events: there and back. */
#include "proofs/lemmas/args.c"

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
  @ requires count > 0 ==> \valid_read(args + (0 .. count - 1));
  @ requires writable_event(in, args, count);
  @ requires encoded_event{Here, Here}(record->bytes, in, args, count);
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
    /*@ assert name_words: l_string_words(l_string_wire(in->name.ref)) == l_string_words(in->name.ref); */
}

/* A decoder finds the end of the arguments, and the value behind them, where the writer put them. */
/*@ requires \valid_read(record) && \valid_read(in);
  @ requires count > 0 ==> \valid_read(args + (0 .. count - 1));
  @ requires writable_event(in, args, count);
  @ requires encoded_event{Here, Here}(record->bytes, in, args, count);
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
    bool has = in->event_type == 1 || in->event_type >= 4;
    uint32_t left = has || (in->event_type == 0 && in->has_scope != 0) ? 1 : 0;
    /*@ assert left: left == l_event_value_words(in); */
    if (left == 1) {
        uint32_t end = record->words - 1;
        /*@ assert at: end == l_event_end(record); */
        /*@ assert there: word_at(record->bytes + 8 * end, l_event_value(in)); */
        value_of_bytes(record->bytes + UINT64_C(8) * end,
                       in->event_type == 0 ? in->scope : in->value);
    }
}

/*@ requires \valid_read(record) && \valid_read(in);
  @ requires count > 0 ==> \valid_read(args + (0 .. count - 1));
  @ requires writable_event(in, args, count);
  @ requires encoded_event{Here, Here}(record->bytes, in, args, count);
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
