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
    /*@ loop invariant 0 <= i <= count && position <= words;
      @ loop assigns i, position, list[0 .. count - 1];
      @ loop variant count - i;
      @*/
    for (uint8_t i = 0; i < count; i++) {
        if (position >= words)
            return 0;
        uint32_t size =
            fxt_i_decode_arg(&list[i], bytes + UINT64_C(8) * position, words - position);
        if (size == 0)
            return 0;
        position += size;
    }
    return position;
}

/* Everything behind the references, and the result. `position` is the word behind them; `list` is
   where the arguments go, or NULL. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && 2 <= position <= record->words;
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures \result \in {FXT_OK, FXT_MALFORMED};
  @ ensures \result == FXT_OK ==> fxt_args_ok(&out->args) && out->args.count <= 15;
  @*/
FXT_I_INLINE enum fxt_status read_rest(const struct fxt_record *record, struct fxt_event *out,
                                       struct fxt_error *error, uint32_t position,
                                       struct fxt_thread_ref thread, struct fxt_string_ref category,
                                       struct fxt_string_ref name, struct fxt_arg *list)
{
    const uint8_t *bytes = record->bytes;
    uint64_t offset = record->offset;
    uint32_t words = record->words;
    uint8_t type = fxt_event_header_event_type(record->header);
    uint8_t count = fxt_event_header_arg_count(record->header);
    uint32_t behind = position;

    if (list != NULL)
        behind = decode_args(list, bytes, words, position, count);
    else if (count > 0)
        behind = fxt_i_skip_args(bytes, words, position, count);
    if (behind == 0)
        return fxt_i_refuse_args(error, record, position, count);
    uint32_t left = words - behind;
    uint32_t need = value_words_of(type);
    if (left < need)
        return fxt_i_malformed(error, record, behind, FXT_RULE_EVT_03);
    /* The word there, or any other word when there is none, so that the load needs no branch. */
    uint64_t word = fxt_load_word(bytes + UINT64_C(8) * behind * (uint64_t)(left > 0));
    uint32_t scope = (uint32_t)(type == FXT_EVENT_INSTANT) * (uint32_t)(left > 0);
    need += scope;
    out->thread.process = thread.process;
    out->thread.thread = thread.thread;
    out->thread.ref = thread.ref;
    out->category.bytes = category.bytes;
    out->category.ref = category.ref;
    out->name.bytes = name.bytes;
    out->name.ref = name.ref;
    out->args.bytes = bytes + UINT64_C(8) * position;
    out->args.offset = offset + UINT64_C(8) * position;
    out->args.words = behind - position;
    out->args.count = count;
    out->tail.bytes = fxt_i_tail(bytes, (uint64_t)behind + need, words);
    out->tail.words = left - need;
    out->timestamp = fxt_load_word(bytes + 8);
    out->value = word * (uint64_t)(need > 0);
    out->event_type = type;
    out->scope = (uint8_t)(scope * (uint32_t)(word <= FXT_SCOPE_GLOBAL) * (word % 4));
    out->has_scope = (uint8_t)scope;
    return FXT_OK;
}

/* An event with something inline in its references. Out of line, so that the common event does not
   pay for it. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && record->words >= 2;
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures \result \in {FXT_OK, FXT_MALFORMED};
  @ ensures \result == FXT_OK ==> fxt_args_ok(&out->args) && out->args.count <= 15;
  @*/
static FXT_I_OUT_OF_LINE enum fxt_status read_inline(const struct fxt_record *record,
                                                     struct fxt_event *out, struct fxt_error *error,
                                                     struct fxt_arg *list)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint32_t words = record->words;
    uint8_t thread = fxt_event_header_thread(header);
    uint16_t category = fxt_event_header_category(header);
    uint16_t name = fxt_event_header_name(header);
    uint64_t category_at = 2 + fxt_i_thread_words(thread);
    uint64_t name_at = category_at + fxt_i_string_words(category);
    uint64_t behind = name_at + fxt_i_string_words(name);

    if (category_at > words)
        return fxt_i_malformed(error, record, 2, FXT_RULE_THR_03);
    if (name_at > words)
        return fxt_i_malformed(error, record, category_at, FXT_RULE_STR_03);
    if (behind > words)
        return fxt_i_malformed(error, record, name_at, FXT_RULE_STR_03);
    struct fxt_thread_ref thread_ref = {fxt_i_koid(bytes, 2, words, thread),
                                        fxt_i_koid(bytes, 3, words, thread), thread};
    struct fxt_string_ref category_ref = {fxt_i_text(bytes, category_at, words, category),
                                          category};
    struct fxt_string_ref name_ref = {fxt_i_text(bytes, name_at, words, name), name};
    return read_rest(record, out, error, (uint32_t)behind, thread_ref, category_ref, name_ref,
                     list);
}

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ requires list == \null || \valid(list + (0 .. 14));
  @ terminates \true;
  @ assigns *out, *error, list[0 .. 14];
  @ ensures \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures \result == FXT_OK ==> fxt_args_ok(&out->args) && out->args.count <= 15;
  @*/
FXT_I_INLINE enum fxt_status read_event(const struct fxt_record *record, struct fxt_event *out,
                                        struct fxt_error *error, struct fxt_arg *list)
{
    uint64_t header = record->header;
    struct fxt_thread_ref thread = {0, 0, fxt_event_header_thread(header)};
    struct fxt_string_ref category = {NULL, fxt_event_header_category(header)};
    struct fxt_string_ref name = {NULL, fxt_event_header_name(header)};

    if (record->type != FXT_RECORD_EVENT)
        return fxt_i_wrong_type(error, record);
    if (record->words < 2)
        return fxt_i_malformed(error, record, 1, FXT_RULE_EVT_01);
    if (thread.ref == 0 || category.ref >= FXT_STRING_INLINE || name.ref >= FXT_STRING_INLINE)
        return read_inline(record, out, error, list);
    return read_rest(record, out, error, 2, thread, category, name, list);
}

enum fxt_status fxt_read_event(const struct fxt_record *record, struct fxt_event *out,
                               struct fxt_error *error)
{
    return read_event(record, out, error, NULL);
}

/* An event that has arguments: apart from the others, which need no loop and none of its
   registers. */
/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \valid(args + (0 .. 14));
  @ terminates \true;
  @ assigns *out, *error, args[0 .. 14];
  @ ensures \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures \result == FXT_OK ==> fxt_args_ok(&out->args) && out->args.count <= 15;
  @*/
static FXT_I_OUT_OF_LINE enum fxt_status read_with_args(const struct fxt_record *record,
                                                        struct fxt_event *out,
                                                        struct fxt_arg args[FXT_ARGS_MAX],
                                                        struct fxt_error *error)
{
    return read_event(record, out, error, args);
}

enum fxt_status fxt_read_event_args(const struct fxt_record *record, struct fxt_event *out,
                                    struct fxt_arg args[FXT_ARGS_MAX], struct fxt_error *error)
{
    if (fxt_event_header_arg_count(record->header) > 0)
        return read_with_args(record, out, args, error);
    return read_event(record, out, error, NULL);
}
