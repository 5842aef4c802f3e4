/* Events: the one layout of all eleven types, and of types to come. */
#include "src/read/arg.h"

/* How many words of its own follow the arguments: a counter id, an end time or a correlation id.
   An instant event may have its scope there, and needs not. */
static const uint8_t value_words[16] = {
    [FXT_EVENT_COUNTER] = 1,       [FXT_EVENT_DURATION_COMPLETE] = 1, [FXT_EVENT_ASYNC_BEGIN] = 1,
    [FXT_EVENT_ASYNC_INSTANT] = 1, [FXT_EVENT_ASYNC_END] = 1,         [FXT_EVENT_FLOW_BEGIN] = 1,
    [FXT_EVENT_FLOW_STEP] = 1,     [FXT_EVENT_FLOW_END] = 1,
};

/*@ requires type < 16;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_event_value_words(type);
  @*/
static inline uint8_t value_words_of(uint8_t type)
{
    return value_words[type];
}

/*@ predicate same_record{A,B}(struct fxt_record *r) =
  @   \at(r->bytes,A) == \at(r->bytes,B) && \at(r->offset,A) == \at(r->offset,B) &&
  @   \at(r->header,A) == \at(r->header,B) && \at(r->words,A) == \at(r->words,B) &&
  @   \at(r->type,A) == \at(r->type,B);
  @ // An event whose references, arguments and value are inside the record.
  @ predicate event_fits(struct fxt_record *r, integer position, integer behind) =
  @   position == l_event_args(r->header) && position <= behind <= r->words &&
  @   behind + l_event_value_words(l_event_header_event_type(r->header)) <= r->words;
  @ predicate says_event_refs{R,O}(struct fxt_record *r, struct fxt_event *o) =
  @   \at(o->timestamp,O) == l_word{R}(\at(r->bytes,R) + 8) &&
  @   says_thread{R}(\at(o->thread.process,O), \at(o->thread.thread,O), \at(o->thread.ref,O),
  @     \at(r->bytes,R), 2, l_event_header_thread(\at(r->header,R))) &&
  @   says_string{O}(\at(o->category.bytes,O), \at(o->category.ref,O), \at(r->bytes,R),
  @     l_event_category(\at(r->header,R)), l_event_header_category(\at(r->header,R))) &&
  @   says_string{O}(\at(o->name.bytes,O), \at(o->name.ref,O), \at(r->bytes,R),
  @     l_event_name(\at(r->header,R)), l_event_header_name(\at(r->header,R)));
  @ predicate says_event_rest{R,O}(struct fxt_record *r, struct fxt_event *o, integer position,
  @                                integer end) =
  @   \at(o->event_type,O) == l_event_header_event_type(\at(r->header,R)) &&
  @   says_args{R,O}(\at(&o->args,O), r, position, end,
  @     l_event_header_arg_count(\at(r->header,R))) &&
  @   says_event_behind{R,O}(r, o, end,
  @     l_event_has_scope(\at(o->event_type,O), \at(r->words,R) - end));
  @*/

/* Whether nothing is inline in the references of an event. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result ==> l_event_args(header) == 2;
  @*/
static inline bool plain_refs(uint64_t header)
{
    return fxt_event_header_thread(header) != 0 &&
           fxt_event_header_category(header) < FXT_STRING_INLINE &&
           fxt_event_header_name(header) < FXT_STRING_INLINE;
}

/* The timestamp and the references. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && \valid(out);
  @ requires \separated(record, out);
  @ requires l_event_args(record->header) <= record->words && 2 <= record->words;
  @ terminates \true;
  @ assigns out->timestamp, out->thread, out->category, out->name;
  @ ensures says_event_refs{Pre,Post}(record, out);
  @*/
FXT_I_INLINE void fill_refs(const struct fxt_record *record, struct fxt_event *out)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint32_t words = record->words;
    uint8_t thread = fxt_event_header_thread(header);
    uint16_t category = fxt_event_header_category(header);
    uint16_t name = fxt_event_header_name(header);
    uint64_t category_at = 2 + fxt_i_thread_words(thread);
    uint64_t name_at = category_at + fxt_i_string_words(category);

    out->thread.process = fxt_i_koid(bytes, 2, words, thread);
    out->thread.thread = fxt_i_koid(bytes, 3, words, thread);
    out->thread.ref = thread;
    out->category.bytes = fxt_i_text(bytes, category_at, words, category);
    out->category.ref = category;
    out->name.bytes = fxt_i_text(bytes, name_at, words, name);
    out->name.ref = name;
    out->timestamp = fxt_load_word(bytes + 8);
    /*@ assert thread: says_thread{Pre}(out->thread.process, out->thread.thread, out->thread.ref,
      @     bytes, 2, l_event_header_thread(header)); */
    /*@ assert category: says_string(out->category.bytes, out->category.ref, bytes,
      @     l_event_category(header), l_event_header_category(header)); */
    /*@ assert name: says_string(out->name.bytes, out->name.ref, bytes, l_event_name(header),
      @     l_event_header_name(header)); */
}

/* The word at `behind`, or any other word when there is none, so that the load needs no branch. */
/*@ requires 1 <= words && behind <= words && \valid_read(bytes + (0 .. 8 * words - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures behind < words ==> \result == l_word(bytes + 8 * behind);
  @*/
static inline uint64_t word_behind(const uint8_t *bytes, uint32_t words, uint32_t behind)
{
    return fxt_load_word(bytes + UINT64_C(8) * behind * (uint64_t)(behind < words));
}

/* 1 when the event has a scope. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_event_has_scope(type, left);
  @*/
static inline uint16_t has_scope(uint8_t type, uint32_t left)
{
    return (uint16_t)((uint32_t)(type == FXT_EVENT_INSTANT) * (uint32_t)(left > 0));
}

/*@ requires has <= 1;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == (has > 0 && word <= 2 ? word : 0);
  @*/
static inline uint16_t scope_of(uint64_t word, uint16_t has)
{
    return (uint16_t)(has * (uint32_t)(word <= FXT_SCOPE_GLOBAL) * (word % 4));
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == (has > 0 ? word : 0);
  @*/
static inline uint64_t value_of(uint64_t word, uint32_t has)
{
    return word * (uint64_t)(has > 0);
}

/* The arguments from `position` to `behind`, and what follows them. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && \valid(out);
  @ requires \separated(record, out);
  @ requires event_fits(record, position, behind);
  @ terminates \true;
  @ assigns out->args, out->tail, out->value, out->event_type, out->scope, out->has_scope;
  @ ensures says_event_rest{Pre,Post}(record, out, position, behind);
  @*/
FXT_I_INLINE void fill_rest(const struct fxt_record *record, struct fxt_event *out,
                            uint32_t position, uint32_t behind)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint64_t offset = record->offset;
    uint32_t words = record->words;
    uint8_t type = fxt_event_header_event_type(header);
    uint64_t word = word_behind(bytes, words, behind);
    uint16_t scope = has_scope(type, words - behind);
    uint32_t need = (uint32_t)value_words_of(type) + scope;
    uint64_t end = (uint64_t)behind + need;

    out->args.bytes = bytes + UINT64_C(8) * position;
    out->args.offset = offset + UINT64_C(8) * position;
    out->args.words = behind - position;
    out->args.count = fxt_event_header_arg_count(header);
    out->tail.bytes = fxt_i_tail(bytes, end, words);
    out->tail.words = (uint32_t)(words - end);
    out->value = value_of(word, need);
    out->event_type = type;
    out->scope = scope_of(word, scope);
    out->has_scope = scope;
    /*@ assert type: out->event_type == l_event_header_event_type(header); */
    /*@ assert has: out->has_scope == l_event_has_scope(out->event_type, words - behind); */
    /*@ assert value: out->value == (l_event_value_words(out->event_type) + out->has_scope > 0 ?
      @     l_word{Pre}(bytes + 8 * behind) : 0); */
    /*@ assert scope: out->scope == (out->has_scope > 0 && out->value <= 2 ? out->value : 0); */
    /*@ assert args: says_args{Pre,Here}(&out->args, record, position, behind,
      @     l_event_header_arg_count(header)); */
    /*@ assert tail: says_tail(out->tail.bytes, out->tail.words, bytes,
      @     behind + l_event_value_words(out->event_type) + out->has_scope, words); */
    /*@ assert behind: says_event_behind{Pre,Here}(record, out, behind,
      @     l_event_has_scope(out->event_type, words - behind)); */
}

/* Everything from the references on: `position` is the word behind them and `behind` that behind
   the arguments, 0 when they are malformed. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && is_event(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires position == l_event_args(record->header) <= record->words;
  @ requires behind == l_event_end(record) && (behind == 0 || position <= behind <= record->words);
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_MALFORMED};
  @ ensures formed: \result == FXT_OK <==> \old(formed_event(record));
  @ ensures says: \result == FXT_OK ==> says_event_upto{Pre,Post}(record, out, behind);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
FXT_I_INLINE enum fxt_status finish(const struct fxt_record *record, struct fxt_event *out,
                                    struct fxt_error *error, uint32_t position, uint32_t behind)
{
    uint64_t header = record->header;

    if (behind == 0)
        return fxt_i_refuse_args(error, record, position, fxt_event_header_arg_count(header));
    if (record->words - behind < value_words_of(fxt_event_header_event_type(header)))
        return fxt_i_malformed(error, record, behind, FXT_RULE_EVT_03);
    fill_refs(record, out);
    fill_rest(record, out, position, behind);
    /*@ assert refs: says_event_refs{Pre,Here}(record, out); */
    /*@ assert rest: says_event_rest{Pre,Here}(record, out, position, behind); */
    return FXT_OK;
}

/* The word behind the references; 0 when they are not inside the record. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && 2 <= record->words;
  @ requires \valid(error) && \separated(record, error);
  @ terminates \true;
  @ assigns *error;
  @ ensures fits: \result == \old(l_event_args(record->header) <= record->words ?
  @                               l_event_args(record->header) : 0);
  @ ensures error: \result == 0 ==> error->status == FXT_MALFORMED;
  @*/
static inline uint32_t behind_refs(const struct fxt_record *record, struct fxt_error *error)
{
    uint64_t header = record->header;
    uint32_t words = record->words;
    uint64_t category = 2 + fxt_i_thread_words(fxt_event_header_thread(header));
    uint64_t name = category + fxt_i_string_words(fxt_event_header_category(header));
    uint64_t behind = name + fxt_i_string_words(fxt_event_header_name(header));

    if (behind <= words)
        return (uint32_t)behind;
    if (category > words)
        fxt_i_malformed(error, record, 2, FXT_RULE_THR_03);
    else if (name > words)
        fxt_i_malformed(error, record, category, FXT_RULE_STR_03);
    else
        fxt_i_malformed(error, record, name, FXT_RULE_STR_03);
    return 0;
}

/* An event with something inline in its references. Out of line, so that the common event does not
   pay for it. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && is_event(record);
  @ requires 2 <= record->words;
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_MALFORMED};
  @ ensures formed: \result == FXT_OK <==> \old(formed_event(record));
  @ ensures says: \result == FXT_OK ==> says_event{Pre,Post}(record, out);
  @ ensures checked: \result == FXT_OK ==> fxt_args_checked(&out->args);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
static FXT_I_OUT_OF_LINE enum fxt_status read_inline(const struct fxt_record *record,
                                                     struct fxt_event *out, struct fxt_error *error)
{
    uint32_t position = behind_refs(record, error);

    if (position == 0)
        return FXT_MALFORMED;
    uint32_t behind = fxt_i_args_end(record->bytes, record->words, position,
                                     fxt_event_header_arg_count(record->header));
    return finish(record, out, error, position, behind);
}

enum fxt_status fxt_read_event(const struct fxt_record *record, struct fxt_event *out,
                               struct fxt_error *error)
{
    uint64_t header = record->header;

    if (record->type != FXT_RECORD_EVENT)
        return fxt_i_wrong_type(error, record);
    if (record->words < 2)
        return fxt_i_malformed(error, record, 1, FXT_RULE_EVT_01);
    if (!plain_refs(header))
        return read_inline(record, out, error);
    uint32_t behind =
        fxt_i_args_end(record->bytes, record->words, 2, fxt_event_header_arg_count(header));
    return finish(record, out, error, 2, behind);
}

/* Decodes `count` arguments from word `position` on, and returns the word behind them; 0 when one is
   malformed. */
/*@ requires 1 <= position <= words && \valid_read(bytes + (0 .. 8 * words - 1));
  @ requires count <= 15 && \valid(list + (0 .. count - 1));
  @ requires \separated(list + (0 .. count - 1), bytes + (0 .. 8 * words - 1));
  @ terminates \true;
  @ assigns list[0 .. count - 1];
  @ ensures inside: \result == 0 || position <= \result <= words;
  @ ensures end: \result == \old(l_args_end(bytes, words, position, count));
  @*/
FXT_I_INLINE uint32_t decode_args(struct fxt_arg *list, const uint8_t *bytes, uint32_t words,
                                  uint32_t position, uint8_t count)
{
    /*@ loop invariant count: 0 <= i <= count;
      @ loop invariant inside: \at(position, Pre) <= position <= words;
      @ loop invariant end: l_args_end(bytes, words, position, count - i)
      @                == \at(l_args_end(bytes, words, position, count), Pre);
      @ loop assigns i, position, list[0 .. count - 1];
      @ loop variant count - i;
      @*/
    for (uint8_t i = 0; i < count; i++) {
        if (position >= words)
            return 0;
        const uint8_t *at = bytes + UINT64_C(8) * position;
        uint32_t size = fxt_i_decode_arg(&list[i], at, words - position);
        if (size == 0)
            return 0;
        position += size;
    }
    return position;
}

/* The same as read_inline, with the arguments. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && is_event(record);
  @ requires 2 <= record->words;
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \valid(list + (0 .. 14));
  @ requires \separated(list + (0 .. 14), record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(list + (0 .. 14), record, out, error);
  @ terminates \true;
  @ assigns *out, *error, list[0 .. 14];
  @ ensures set: \result \in {FXT_OK, FXT_MALFORMED};
  @ ensures formed: \result == FXT_OK <==> \old(formed_event(record));
  @ ensures says: \result == FXT_OK ==> says_event{Pre,Post}(record, out);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
static FXT_I_OUT_OF_LINE enum fxt_status read_inline_args(const struct fxt_record *record,
                                                          struct fxt_event *out,
                                                          struct fxt_arg *list,
                                                          struct fxt_error *error)
{
    uint32_t position = behind_refs(record, error);

    if (position == 0)
        return FXT_MALFORMED;
    uint32_t behind = decode_args(list, record->bytes, record->words, position,
                                  fxt_event_header_arg_count(record->header));
    /*@ assert same: same_record{Pre,Here}(record) && *out == \at(*out, Pre); */
    /*@ assert end: behind == l_event_end{Pre}(record); */
    /*@ assert end_here: behind == l_event_end(record); */
    /*@ assert formed: formed_event(record) <==> formed_event{Pre}(record); */
    enum fxt_status status = finish(record, out, error, position, behind);
    /*@ assert says: status == FXT_OK ==> says_event_upto{Pre,Here}(record, out, behind); */
    return status;
}

/* An event that has arguments: apart from the others, which need no loop and none of its
   registers. */
/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \valid(args + (0 .. 14));
  @ requires \separated(args + (0 .. 14), record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(args + (0 .. 14), record, out, error);
  @ terminates \true;
  @ assigns *out, *error, args[0 .. 14];
  @ ensures set: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures wrong: \result == FXT_WRONG_TYPE <==> !\old(is_event(record));
  @ ensures formed: \result == FXT_OK <==> \old(formed_event(record));
  @ ensures says: \result == FXT_OK ==> says_event{Pre,Post}(record, out);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
static FXT_I_OUT_OF_LINE enum fxt_status read_with_args(const struct fxt_record *record,
                                                        struct fxt_event *out,
                                                        struct fxt_arg args[FXT_ARGS_MAX],
                                                        struct fxt_error *error)
{
    uint64_t header = record->header;

    if (record->type != FXT_RECORD_EVENT)
        return fxt_i_wrong_type(error, record);
    if (record->words < 2)
        return fxt_i_malformed(error, record, 1, FXT_RULE_EVT_01);
    if (!plain_refs(header))
        return read_inline_args(record, out, args, error);
    uint32_t behind =
        decode_args(args, record->bytes, record->words, 2, fxt_event_header_arg_count(header));
    /*@ assert same: same_record{Pre,Here}(record) && *out == \at(*out, Pre); */
    /*@ assert end: behind == l_event_end{Pre}(record); */
    /*@ assert end_here: behind == l_event_end(record); */
    /*@ assert formed: formed_event(record) <==> formed_event{Pre}(record); */
    enum fxt_status status = finish(record, out, error, 2, behind);
    /*@ assert says: status == FXT_OK ==> says_event_upto{Pre,Here}(record, out, behind); */
    return status;
}

enum fxt_status fxt_read_event_args(const struct fxt_record *record, struct fxt_event *out,
                                    struct fxt_arg args[FXT_ARGS_MAX], struct fxt_error *error)
{
    if (fxt_event_header_arg_count(record->header) > 0)
        return read_with_args(record, out, args, error);
    return fxt_read_event(record, out, error);
}
