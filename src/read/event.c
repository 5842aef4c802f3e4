/* Events. All eleven types have the same layout, and so will later types. */
#include "src/read/arg.h"

/* For each event type, the number of words after the arguments: a counter id, an end time or a
   correlation id. The scope of an instant event is optional and does not count. */
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

/*@ // An event whose references, arguments and value are inside the record.
  @ predicate event_fits(struct fxt_record *r, integer position, integer behind) =
  @   position == l_event_args(r->header) && position <= behind <= r->words &&
  @   behind + l_event_value_words(l_event_header_event_type(r->header)) <= r->words;
  @ // What is delivered, in three parts.
  @ predicate refs_said(struct fxt_event *o, uint8_t *bytes, integer header) =
  @   o->timestamp == l_word(bytes + 8) &&
  @   says_thread(o->thread.process, o->thread.thread, o->thread.ref, bytes, 2,
  @     l_event_header_thread(header)) &&
  @   says_string(o->category.bytes, o->category.ref, bytes, l_event_category(header),
  @     l_event_header_category(header)) &&
  @   says_string(o->name.bytes, o->name.ref, bytes, l_event_name(header),
  @     l_event_header_name(header));
  @ predicate args_said(struct fxt_args *a, uint8_t *bytes, integer offset, integer position,
  @                     integer end, integer count) =
  @   a->bytes == bytes + 8 * position && a->offset == offset + 8 * position &&
  @   a->words == end - position && a->count == count && readable(a->bytes, 8 * a->words);
  @ predicate rest_said(struct fxt_event *o, uint8_t *bytes, integer words, integer type,
  @                     integer end) =
  @   o->event_type == type && o->has_scope == l_event_has_scope(type, words - end) &&
  @   o->value == (l_event_value_words(type) + o->has_scope > 0 ? l_word(bytes + 8 * end) : 0) &&
  @   o->scope == (o->has_scope > 0 && o->value <= 2 ? o->value : 0) &&
  @   says_tail(o->tail.bytes, o->tail.words, bytes,
  @     end + l_event_value_words(type) + o->has_scope, words);
  @ predicate event_said(struct fxt_event *o, uint8_t *bytes, integer offset, integer words,
  @                      integer header, integer position, integer end) =
  @   refs_said(o, bytes, header) && args_said(&o->args, bytes, offset, position, end,
  @     l_event_header_arg_count(header)) &&
  @   rest_said(o, bytes, words, l_event_header_event_type(header), end);
  @ // Nothing is inline in the references.
  @ predicate is_plain(integer h) = l_event_header_thread(h) != 0 &&
  @   l_event_header_category(h) < 32768 && l_event_header_name(h) < 32768;
  @*/

/* Whether no reference of an event is inline. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result ==> is_plain(header) && l_event_args(header) == 2;
  @*/
static inline bool plain_refs(uint64_t header)
{
    return fxt_event_header_thread(header) != 0 &&
           fxt_event_header_category(header) < FXT_STRING_INLINE &&
           fxt_event_header_name(header) < FXT_STRING_INLINE;
}

/* The word at `behind`. If the record has none there, any other word, so that the load needs no
   branch. */
/*@ requires 1 <= words && behind <= words && \valid_read(bytes + (0 .. 8 * words - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures behind < words ==> \result == l_word(bytes + 8 * behind);
  @*/
static inline uint64_t word_behind(const uint8_t *bytes, uint32_t words, uint32_t behind)
{
    return fxt_load_word(bytes + UINT64_C(8) * behind * (uint64_t)(behind < words));
}

/* 1 if the event has a scope, else 0. */
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

/* The positions of the category, of the name, and after the name. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_event_category(header) && 2 <= \result <= 4;
  @*/
static inline uint32_t category_of(uint64_t header)
{
    return 2 + fxt_i_read_thread_words(fxt_event_header_thread(header));
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_event_name(header) && \result <= 4100;
  @ ensures \result == l_event_category(header)
  @         + l_string_words(l_event_header_category(header));
  @*/
static inline uint32_t name_of(uint64_t header)
{
    return category_of(header) + fxt_i_read_string_words(fxt_event_header_category(header));
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_event_args(header) && 2 <= \result <= 8196;
  @ ensures \result == l_event_name(header) + l_string_words(l_event_header_name(header));
  @ ensures l_event_category(header) <= l_event_name(header) <= \result;
  @*/
static inline uint32_t args_of(uint64_t header)
{
    return name_of(header) + fxt_i_read_string_words(fxt_event_header_name(header));
}

/* Decodes the timestamp and the references. */
/*@ requires \valid(out) && readable(bytes, 8 * words);
  @ requires 2 <= words && l_event_args(header) <= words;
  @ terminates \true;
  @ assigns out->timestamp, out->thread, out->category, out->name;
  @ ensures time: out->timestamp == l_word(bytes + 8);
  @ ensures thread: says_thread(out->thread.process, out->thread.thread, out->thread.ref, bytes,
  @         2, l_event_header_thread(header));
  @ ensures category: says_string(out->category.bytes, out->category.ref, bytes,
  @         l_event_category(header), l_event_header_category(header));
  @ ensures name: says_string(out->name.bytes, out->name.ref, bytes, l_event_name(header),
  @         l_event_header_name(header));
  @*/
FXT_I_INLINE void fill_refs(struct fxt_event *out, const uint8_t *bytes, uint32_t words,
                            uint64_t header)
{
    uint8_t thread = fxt_event_header_thread(header);
    uint16_t category = fxt_event_header_category(header);
    uint16_t name = fxt_event_header_name(header);
    uint64_t category_at = category_of(header);
    uint64_t name_at = name_of(header);
    /*@ assert order: l_event_name(header) <= l_event_args(header); */

    out->thread.process = fxt_i_koid(bytes, 2, words, thread);
    out->thread.thread = fxt_i_koid(bytes, 3, words, thread);
    out->thread.ref = thread;
    out->category.bytes = fxt_i_text(bytes, category_at, words, category);
    out->category.ref = category;
    out->name.bytes = fxt_i_text(bytes, name_at, words, name);
    out->name.ref = name;
    out->timestamp = fxt_load_word(bytes + 8);
    /*@ assert thread: says_thread(out->thread.process, out->thread.thread, out->thread.ref,
      @     bytes, 2, l_event_header_thread(header)); */
    /*@ assert category: says_string(out->category.bytes, out->category.ref, bytes,
      @     l_event_category(header), l_event_header_category(header)); */
    /*@ assert name: says_string(out->name.bytes, out->name.ref, bytes, l_event_name(header),
      @     l_event_header_name(header)); */
}

/* The same, if no reference is inline. */
/*@ requires \valid(out) && readable(bytes, 8 * words) && 2 <= words && is_plain(header);
  @ terminates \true;
  @ assigns out->timestamp, out->thread, out->category, out->name;
  @ ensures time: out->timestamp == l_word(bytes + 8);
  @ ensures thread: says_thread(out->thread.process, out->thread.thread, out->thread.ref, bytes,
  @         2, l_event_header_thread(header));
  @ ensures category: says_string(out->category.bytes, out->category.ref, bytes,
  @         l_event_category(header), l_event_header_category(header));
  @ ensures name: says_string(out->name.bytes, out->name.ref, bytes, l_event_name(header),
  @         l_event_header_name(header));
  @*/
FXT_I_INLINE void fill_plain_refs(struct fxt_event *out, const uint8_t *bytes, uint32_t words,
                                  uint64_t header)
{
    (void)words;
    out->thread.process = 0;
    out->thread.thread = 0;
    out->thread.ref = fxt_event_header_thread(header);
    out->category.bytes = NULL;
    out->category.ref = fxt_event_header_category(header);
    out->name.bytes = NULL;
    out->name.ref = fxt_event_header_name(header);
    out->timestamp = fxt_load_word(bytes + 8);
    /*@ assert thread: says_thread(out->thread.process, out->thread.thread, out->thread.ref,
      @     bytes, 2, l_event_header_thread(header)); */
    /*@ assert category: says_string(out->category.bytes, out->category.ref, bytes,
      @     l_event_category(header), l_event_header_category(header)); */
    /*@ assert name: says_string(out->name.bytes, out->name.ref, bytes, l_event_name(header),
      @     l_event_header_name(header)); */
}

/* No code, only a step of the proof: these are the arguments from `position` to `behind`. */
/*@ requires \valid_read(args) && readable(bytes, 8 * words);
  @ requires offset + 8 * words <= 18446744073709551615 && position <= behind <= words;
  @ requires args->bytes == bytes + 8 * position && args->offset == offset + 8 * position;
  @ requires args->words == behind - position && args->count == count;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures ok: fxt_args_ok(args);
  @ ensures says: args_said(args, bytes, offset, position, behind, count);
  @ ensures kept: fxt_args_kept{Pre,Post}(bytes, args, position, behind, count);
  @*/
static inline void args_are(const struct fxt_args *args, const uint8_t *bytes, uint64_t offset,
                            uint32_t words, uint32_t position, uint32_t behind, uint16_t count)
{
    (void)offset;
    (void)words;
    /*@ assert inside: readable(args->bytes, 8 * args->words); */
    fxt_i_args_kept(args, bytes, position, behind, count);
}

/* Decodes the arguments, from `position` to `behind`, and the words after them. */
/*@ requires \valid(out) && readable(bytes, 8 * words) && 1 <= words;
  @ requires offset + 8 * words <= 18446744073709551615 && position <= behind;
  @ requires behind + l_event_value_words(l_event_header_event_type(header)) <= words;
  @ terminates \true;
  @ assigns out->args, out->tail, out->value, out->event_type, out->scope, out->has_scope;
  @ ensures args_bytes: out->args.bytes == bytes + 8 * position;
  @ ensures args_offset: out->args.offset == offset + 8 * position;
  @ ensures args_words: out->args.words == behind - position;
  @ ensures args_count: out->args.count == l_event_header_arg_count(header);
  @ ensures args_read: readable(out->args.bytes, 8 * out->args.words);
  @ ensures type: out->event_type == l_event_header_event_type(header);
  @ ensures has: out->has_scope
  @         == l_event_has_scope(l_event_header_event_type(header), words - behind);
  @ ensures value: out->value == (l_event_value_words(l_event_header_event_type(header))
  @         + out->has_scope > 0 ? l_word(bytes + 8 * behind) : 0);
  @ ensures scope: out->scope == (out->has_scope > 0 && out->value <= 2 ? out->value : 0);
  @ ensures tail: says_tail(out->tail.bytes, out->tail.words, bytes, behind
  @         + l_event_value_words(l_event_header_event_type(header)) + out->has_scope, words);
  @ ensures ok: fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures kept: fxt_args_kept{Pre,Post}(bytes, &out->args, position, behind,
  @         l_event_header_arg_count(header));
  @*/
FXT_I_INLINE void fill_rest(struct fxt_event *out, const uint8_t *bytes, uint64_t offset,
                            uint32_t words, uint64_t header, uint32_t position, uint32_t behind)
{
    uint8_t type = fxt_event_header_event_type(header);
    uint8_t count = fxt_event_header_arg_count(header);
    uint64_t word = word_behind(bytes, words, behind);
    uint16_t scope = has_scope(type, words - behind);
    uint32_t need = (uint32_t)value_words_of(type) + scope;
    uint64_t end = (uint64_t)behind + need;

    out->args.bytes = bytes + UINT64_C(8) * position;
    out->args.offset = offset + UINT64_C(8) * position;
    out->args.words = behind - position;
    out->args.count = count;
    out->tail.bytes = fxt_i_tail(bytes, end, words);
    out->tail.words = (uint32_t)(words - end);
    out->value = value_of(word, need);
    out->event_type = type;
    out->scope = scope_of(word, scope);
    out->has_scope = scope;
    args_are(&out->args, bytes, offset, words, position, behind, count);
    /*@ assert value: out->value == (l_event_value_words(type) + out->has_scope > 0 ?
      @     l_word(bytes + 8 * behind) : 0); */
    /*@ assert scope: out->scope == (out->has_scope > 0 && out->value <= 2 ? out->value : 0); */
    /*@ assert tail: says_tail(out->tail.bytes, out->tail.words, bytes,
      @     behind + l_event_value_words(type) + out->has_scope, words); */
}

/* No code, only a step of the proof: this is the event. */
/*@ requires \valid_read(out);
  @ requires out->timestamp == l_word(bytes + 8);
  @ requires says_thread(out->thread.process, out->thread.thread, out->thread.ref, bytes,
  @         2, l_event_header_thread(header));
  @ requires says_string(out->category.bytes, out->category.ref, bytes,
  @         l_event_category(header), l_event_header_category(header));
  @ requires says_string(out->name.bytes, out->name.ref, bytes, l_event_name(header),
  @         l_event_header_name(header));
  @ requires out->args.bytes == bytes + 8 * position;
  @ requires out->args.offset == offset + 8 * position;
  @ requires out->args.words == behind - position;
  @ requires out->args.count == l_event_header_arg_count(header);
  @ requires readable(out->args.bytes, 8 * out->args.words);
  @ requires out->event_type == l_event_header_event_type(header);
  @ requires out->has_scope
  @          == l_event_has_scope(l_event_header_event_type(header), words - behind);
  @ requires out->value == (l_event_value_words(l_event_header_event_type(header))
  @         + out->has_scope > 0 ? l_word(bytes + 8 * behind) : 0);
  @ requires out->scope == (out->has_scope > 0 && out->value <= 2 ? out->value : 0);
  @ requires says_tail(out->tail.bytes, out->tail.words, bytes, behind
  @         + l_event_value_words(l_event_header_event_type(header)) + out->has_scope, words);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures event_said(out, bytes, offset, words, header, position, behind);
  @*/
static inline void event_is(const struct fxt_event *out, const uint8_t *bytes, uint64_t offset,
                            uint32_t words, uint64_t header, uint32_t position, uint32_t behind)
{
    (void)out;
    (void)bytes;
    (void)offset;
    (void)words;
    (void)header;
    (void)position;
    (void)behind;
    /*@ assert refs: refs_said(out, bytes, header); */
    /*@ assert args: args_said(&out->args, bytes, offset, position, behind,
      @     l_event_header_arg_count(header)); */
}

/* Decodes all members; the arguments are from `position` to `behind`. */
/*@ requires \valid(out) && readable(bytes, 8 * words) && 2 <= words;
  @ requires offset + 8 * words <= 18446744073709551615;
  @ requires l_event_args(header) <= words && position <= behind;
  @ requires behind + l_event_value_words(l_event_header_event_type(header)) <= words;
  @ terminates \true;
  @ assigns *out;
  @ ensures says: event_said(out, bytes, offset, words, header, position, behind);
  @ ensures args: fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures kept: fxt_args_kept{Pre,Post}(bytes, &out->args, position, behind,
  @         l_event_header_arg_count(header));
  @*/
FXT_I_INLINE void fill_all(struct fxt_event *out, const uint8_t *bytes, uint64_t offset,
                           uint32_t words, uint64_t header, uint32_t position, uint32_t behind)
{
    fill_refs(out, bytes, words, header);
    fill_rest(out, bytes, offset, words, header, position, behind);
    event_is(out, bytes, offset, words, header, position, behind);
}

/* The same, if no reference is inline. */
/*@ requires \valid(out) && readable(bytes, 8 * words) && 2 <= words;
  @ requires offset + 8 * words <= 18446744073709551615;
  @ requires is_plain(header) && 2 <= behind;
  @ requires behind + l_event_value_words(l_event_header_event_type(header)) <= words;
  @ terminates \true;
  @ assigns *out;
  @ ensures says: event_said(out, bytes, offset, words, header, 2, behind);
  @ ensures args: fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures kept: fxt_args_kept{Pre,Post}(bytes, &out->args, 2, behind,
  @         l_event_header_arg_count(header));
  @*/
FXT_I_INLINE void fill_all_plain(struct fxt_event *out, const uint8_t *bytes, uint64_t offset,
                                 uint32_t words, uint64_t header, uint32_t behind)
{
    fill_plain_refs(out, bytes, words, header);
    fill_rest(out, bytes, offset, words, header, 2, behind);
    event_is(out, bytes, offset, words, header, 2, behind);
}

/* The same for a record. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && \valid(out);
  @ requires \separated(record, out);
  @ requires event_fits(record, position, behind) && 2 <= record->words;
  @ terminates \true;
  @ assigns *out;
  @ ensures says: says_event_upto{Pre,Post}(record, out, behind);
  @ ensures event: event_said(out, \old(record->bytes), \old(record->offset),
  @         \old(record->words), \old(record->header), position, behind);
  @ ensures args: fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures kept: fxt_args_kept{Pre,Post}(\old(record->bytes), &out->args, position, behind,
  @         l_event_header_arg_count(\old(record->header)));
  @*/
FXT_I_INLINE void fill(const struct fxt_record *record, struct fxt_event *out, uint32_t position,
                       uint32_t behind)
{
    fill_all(out, record->bytes, record->offset, record->words, record->header, position, behind);
    /*@ assert args: says_args{Pre,Here}(&out->args, record, position, behind,
      @     l_event_header_arg_count(\at(record->header, Pre))); */
    /*@ assert behind: says_event_behind{Pre,Here}(record, out, behind,
      @     l_event_has_scope(out->event_type, \at(record->words, Pre) - behind)); */
}

/* The same, if no reference is inline. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && \valid(out);
  @ requires \separated(record, out);
  @ requires event_fits(record, 2, behind) && 2 <= record->words && is_plain(record->header);
  @ terminates \true;
  @ assigns *out;
  @ ensures says: says_event_upto{Pre,Post}(record, out, behind);
  @ ensures event: event_said(out, \old(record->bytes), \old(record->offset),
  @         \old(record->words), \old(record->header), 2, behind);
  @ ensures args: fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures kept: fxt_args_kept{Pre,Post}(\old(record->bytes), &out->args, 2, behind,
  @         l_event_header_arg_count(\old(record->header)));
  @*/
FXT_I_INLINE void fill_plain(const struct fxt_record *record, struct fxt_event *out,
                             uint32_t behind)
{
    fill_all_plain(out, record->bytes, record->offset, record->words, record->header, behind);
    /*@ assert args: says_args{Pre,Here}(&out->args, record, 2, behind,
      @     l_event_header_arg_count(\at(record->header, Pre))); */
    /*@ assert behind: says_event_behind{Pre,Here}(record, out, behind,
      @     l_event_has_scope(out->event_type, \at(record->words, Pre) - behind)); */
}

/* Decodes everything from the references on. `position` is the word after them; `behind` is the
   word after the arguments, or 0 if they are malformed. `plain`: no reference is inline. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && is_event(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires position == l_event_args(record->header) <= record->words;
  @ requires 2 <= record->words;
  @ requires plain ==> is_plain(record->header) && position == 2;
  @ requires behind == l_event_end(record) && (behind == 0 || position <= behind <= record->words);
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_MALFORMED};
  @ ensures formed: \result == FXT_OK <==> \old(formed_event(record));
  @ ensures says: \result == FXT_OK ==> says_event_upto{Pre,Post}(record, out, behind);
  @ ensures event: \result == FXT_OK ==> event_said(out, \old(record->bytes),
  @         \old(record->offset), \old(record->words), \old(record->header), position, behind);
  @ ensures args: \result == FXT_OK ==> fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures fill: \result == FXT_OK ==> fxt_args_kept{Pre,Post}(\old(record->bytes), &out->args,
  @         position, behind, l_event_header_arg_count(\old(record->header)));
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
FXT_I_INLINE enum fxt_status finish(const struct fxt_record *record, struct fxt_event *out,
                                    struct fxt_error *error, uint32_t position, uint32_t behind,
                                    bool plain)
{
    uint64_t header = record->header;

    if (behind == 0)
        return fxt_i_refuse_args(error, record, position, fxt_event_header_arg_count(header));
    if (record->words - behind < value_words_of(fxt_event_header_event_type(header)))
        return fxt_i_malformed(error, record, behind, FXT_RULE_EVT_03);
    if (plain)
        fill_plain(record, out, behind);
    else
        fill(record, out, position, behind);
    return FXT_OK;
}

/* Refuses a record that is too short for its references. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && 2 <= record->words;
  @ requires \valid(error) && record->words < l_event_args(record->header);
  @ terminates \true;
  @ assigns *error;
  @ ensures \result == FXT_MALFORMED && error->status == FXT_MALFORMED;
  @*/
static FXT_I_COLD enum fxt_status refuse_refs(const struct fxt_record *record,
                                              struct fxt_error *error)
{
    uint32_t words = record->words;
    uint32_t category = category_of(record->header);
    uint32_t name = name_of(record->header);

    if (category > words)
        return fxt_i_malformed(error, record, 2, FXT_RULE_THR_03);
    if (name > words)
        return fxt_i_malformed(error, record, category, FXT_RULE_STR_03);
    return fxt_i_malformed(error, record, name, FXT_RULE_STR_03);
}

/* Decodes an event with an inline reference. Out of line, so that the common event does not pay for
   it. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && is_event(record);
  @ requires 2 <= record->words;
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_MALFORMED};
  @ ensures formed: \result == FXT_OK <==> \old(formed_event(record));
  @ ensures says: \result == FXT_OK ==> says_event{Pre,Post}(record, out);
  @ ensures checked: \result == FXT_OK ==> fxt_args_checked(&out->args);
  @ ensures args: \result == FXT_OK ==> fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
static FXT_I_OUT_OF_LINE enum fxt_status read_inline(const struct fxt_record *record,
                                                     struct fxt_event *out, struct fxt_error *error)
{
    uint32_t position = args_of(record->header);

    if (position > record->words)
        return refuse_refs(record, error);
    uint32_t behind = fxt_i_args_end(record->bytes, record->words, position,
                                     fxt_event_header_arg_count(record->header));
    /*@ assert end: behind == l_event_end(record); */
    enum fxt_status status = finish(record, out, error, position, behind, false);
    /*@ assert checked: status == FXT_OK ==> fxt_args_checked(&out->args); */
    return status;
}

/* Decodes an event without its arguments. Also inlined for events that are known to have none. */
/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures set: \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures wrong: \result == FXT_WRONG_TYPE <==> !\old(is_event(record));
  @ ensures formed: \result == FXT_OK <==> \old(formed_event(record));
  @ ensures says: \result == FXT_OK ==> says_event{Pre,Post}(record, out);
  @ ensures args: \result == FXT_OK ==> fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures checked: \result == FXT_OK ==> fxt_args_checked(&out->args);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
FXT_I_INLINE enum fxt_status read_event(const struct fxt_record *record, struct fxt_event *out,
                                        struct fxt_error *error)
{
    uint64_t header = record->header;

    /*@ assert at_least: 2 <= l_event_args(header); */
    if (record->type != FXT_RECORD_EVENT)
        return fxt_i_wrong_type(error, record);
    if (record->words < 2)
        return fxt_i_malformed(error, record, 1, FXT_RULE_EVT_01);
    if (!plain_refs(header))
        return read_inline(record, out, error);
    uint32_t behind =
        fxt_i_args_end(record->bytes, record->words, 2, fxt_event_header_arg_count(header));
    /*@ assert end: behind == l_event_end(record); */
    enum fxt_status status = finish(record, out, error, 2, behind, true);
    /*@ assert checked: status == FXT_OK ==> fxt_args_checked(&out->args); */
    return status;
}

enum fxt_status fxt_read_event(const struct fxt_record *record, struct fxt_event *out,
                               struct fxt_error *error)
{
    return read_event(record, out, error);
}

/* Decodes `count` arguments from word `position` on. Returns the word after them, or 0 if one is
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
  @ ensures args: \result == FXT_OK ==> fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
static FXT_I_OUT_OF_LINE enum fxt_status read_inline_args(const struct fxt_record *record,
                                                          struct fxt_event *out,
                                                          struct fxt_arg *list,
                                                          struct fxt_error *error)
{
    uint32_t position = args_of(record->header);

    if (position > record->words)
        return refuse_refs(record, error);
    uint32_t behind = decode_args(list, record->bytes, record->words, position,
                                  fxt_event_header_arg_count(record->header));
    /*@ assert same_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert same_offset: record->offset == \at(record->offset, Pre); */
    /*@ assert same_header: record->header == \at(record->header, Pre); */
    /*@ assert same_words: record->words == \at(record->words, Pre); */
    /*@ assert same_type: record->type == \at(record->type, Pre); */
    /*@ assert same_out: *out == \at(*out, Pre); */
    /*@ assert end: behind == l_event_end{Pre}(record); */
    /*@ assert end_here: behind == l_event_end(record); */
    /*@ assert formed: formed_event(record) <==> formed_event{Pre}(record); */
    enum fxt_status status = finish(record, out, error, position, behind, false);
    /*@ assert event: status == FXT_OK ==> event_said(out, \at(record->bytes, Pre),
      @     \at(record->offset, Pre), \at(record->words, Pre), \at(record->header, Pre), position,
      @     behind); */
    /*@ assert args: status == FXT_OK ==> says_args{Pre,Here}(&out->args, record, position, behind,
      @     l_event_header_arg_count(\at(record->header, Pre))); */
    /*@ assert rest: status == FXT_OK ==> rest_said(out, \at(record->bytes, Pre),
      @     \at(record->words, Pre), out->event_type, behind); */
    /*@ assert behind: status == FXT_OK ==> says_event_behind{Pre,Here}(record, out, behind,
      @     l_event_has_scope(out->event_type, \at(record->words, Pre) - behind)); */
    /*@ assert says: status == FXT_OK ==> says_event_upto{Pre,Here}(record, out, behind); */
    return status;
}

/* Decodes an event with arguments. Separate, because events without arguments need neither the loop
   nor its registers. */
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
  @ ensures args: \result == FXT_OK ==> fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == \result;
  @*/
static FXT_I_OUT_OF_LINE enum fxt_status read_with_args(const struct fxt_record *record,
                                                        struct fxt_event *out,
                                                        struct fxt_arg args[FXT_ARGS_MAX],
                                                        struct fxt_error *error)
{
    uint64_t header = record->header;

    /*@ assert at_least: 2 <= l_event_args(header); */
    if (record->type != FXT_RECORD_EVENT)
        return fxt_i_wrong_type(error, record);
    if (record->words < 2)
        return fxt_i_malformed(error, record, 1, FXT_RULE_EVT_01);
    if (!plain_refs(header))
        return read_inline_args(record, out, args, error);
    uint32_t behind =
        decode_args(args, record->bytes, record->words, 2, fxt_event_header_arg_count(header));
    /*@ assert same_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert same_offset: record->offset == \at(record->offset, Pre); */
    /*@ assert same_header: record->header == \at(record->header, Pre); */
    /*@ assert same_words: record->words == \at(record->words, Pre); */
    /*@ assert same_type: record->type == \at(record->type, Pre); */
    /*@ assert same_out: *out == \at(*out, Pre); */
    /*@ assert end: behind == l_event_end{Pre}(record); */
    /*@ assert end_here: behind == l_event_end(record); */
    /*@ assert formed: formed_event(record) <==> formed_event{Pre}(record); */
    enum fxt_status status = finish(record, out, error, 2, behind, true);
    /*@ assert event: status == FXT_OK ==> event_said(out, \at(record->bytes, Pre),
      @     \at(record->offset, Pre), \at(record->words, Pre), \at(record->header, Pre), 2,
      @     behind); */
    /*@ assert args: status == FXT_OK ==> says_args{Pre,Here}(&out->args, record, 2, behind,
      @     l_event_header_arg_count(\at(record->header, Pre))); */
    /*@ assert rest: status == FXT_OK ==> rest_said(out, \at(record->bytes, Pre),
      @     \at(record->words, Pre), out->event_type, behind); */
    /*@ assert behind: status == FXT_OK ==> says_event_behind{Pre,Here}(record, out, behind,
      @     l_event_has_scope(out->event_type, \at(record->words, Pre) - behind)); */
    /*@ assert says: status == FXT_OK ==> says_event_upto{Pre,Here}(record, out, behind); */
    return status;
}

enum fxt_status fxt_read_event_args(const struct fxt_record *record, struct fxt_event *out,
                                    struct fxt_arg args[FXT_ARGS_MAX], struct fxt_error *error)
{
    if (fxt_event_header_arg_count(record->header) > 0)
        return read_with_args(record, out, args, error);
    return read_event(record, out, error);
}
