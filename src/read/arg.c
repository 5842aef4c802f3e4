/* The argument iterator. Its state is struct fxt_args: the bytes left, the words left and the
   arguments left. */
#include "src/read/arg.h"

const struct fxt_i_arg_kind fxt_i_arg_kinds[16] = {
    [FXT_ARG_INT64] = {1, 0, 0},  [FXT_ARG_UINT64] = {1, 0, 0},  [FXT_ARG_DOUBLE] = {1, 0, 0},
    [FXT_ARG_STRING] = {0, 1, 0}, [FXT_ARG_POINTER] = {1, 0, 0}, [FXT_ARG_KOID] = {1, 0, 0},
    [FXT_ARG_BLOB] = {0, 0, 1},
};

/* The words of the stream of a string ref: 0 unless it is inline. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result <= 4096;
  @*/
static inline uint32_t inline_words(uint16_t ref)
{
    return ref > FXT_STRING_INLINE ? ((uint32_t)ref - FXT_STRING_INLINE + 7) / 8 : 0;
}

enum fxt_rule fxt_i_arg_frame(struct fxt_i_arg_frame *frame, uint64_t header, uint32_t left)
{
    struct fxt_i_arg_kind kind = fxt_i_arg_kinds[fxt_arg_header_type(header)];
    uint32_t size = fxt_arg_header_size(header);
    uint32_t name = inline_words(fxt_arg_header_name(header));
    uint64_t need = kind.words;

    frame->size = size;
    frame->value = 0;
    frame->end = 0;
    if (size == 0)
        return FXT_RULE_ARG_02;
    if (size > left)
        return FXT_RULE_ARG_03;
    frame->value = 1;
    if (name > size - 1)
        return FXT_RULE_STR_03;
    frame->value = 1 + name;
    if (kind.string > 0)
        need = inline_words(fxt_arg_string_header_value(header));
    else if (kind.blob > 0)
        need = fxt_words_of(fxt_arg_blob_header_payload_size(header));
    if (need > size - frame->value) {
        if (kind.blob > 0)
            return FXT_RULE_ARG_08;
        return kind.string > 0 ? FXT_RULE_STR_03 : FXT_RULE_ARG_05;
    }
    frame->end = frame->value + (uint32_t)need;
    return FXT_RULE_NONE;
}

uint32_t fxt_i_skip_args(const uint8_t *bytes, uint32_t words, uint32_t position, uint8_t count)
{
    /*@ loop invariant \at(position, Pre) <= position <= words;
      @ loop assigns position, count;
      @ loop variant count;
      @*/
    for (; count > 0; count--) {
        struct fxt_i_arg_frame frame;
        if (position >= words)
            return 0;
        uint64_t header = fxt_load_word(bytes + UINT64_C(8) * position);
        uint32_t size = fxt_arg_header_size(header);
        struct fxt_i_arg_kind kind = fxt_i_arg_kinds[fxt_arg_header_type(header)];
        if (size > words - position)
            return 0;
        if ((size <= kind.words || !fxt_i_arg_plain(header, kind)) &&
            fxt_i_arg_frame(&frame, header, words - position) != FXT_RULE_NONE)
            return 0;
        position += size;
    }
    return position;
}

enum fxt_status fxt_i_refuse_args(struct fxt_error *error, const struct fxt_record *record,
                                  uint32_t position, uint8_t count)
{
    struct fxt_i_arg_frame frame = {0, 0, 0};
    enum fxt_rule rule = FXT_RULE_ARG_01;

    /*@ loop invariant position <= record->words;
      @ loop assigns position, count, frame, rule;
      @ loop variant count;
      @*/
    while (count > 0 && position < record->words) {
        uint64_t header = fxt_load_word(record->bytes + UINT64_C(8) * position);
        rule = fxt_i_arg_frame(&frame, header, record->words - position);
        if (rule != FXT_RULE_NONE)
            return fxt_i_malformed(error, record, position + frame.value, rule);
        position += frame.size;
        count--;
    }
    return fxt_i_malformed(error, record, position, FXT_RULE_ARG_01);
}

uint32_t fxt_i_decode_inline(struct fxt_arg *arg, const uint8_t *bytes, uint32_t words)
{
    uint64_t header = fxt_load_word(bytes);
    struct fxt_i_arg_kind kind = fxt_i_arg_kinds[fxt_arg_header_type(header)];
    struct fxt_i_arg_frame frame;

    if (fxt_i_arg_frame(&frame, header, words) != FXT_RULE_NONE)
        return 0;
    const uint8_t *payload = frame.end > frame.value ? bytes + UINT64_C(8) * frame.value : NULL;
    arg->type = fxt_arg_header_type(header);
    arg->name.ref = fxt_arg_header_name(header);
    arg->name.bytes = frame.value > 1 ? bytes + 8 : NULL;
    arg->value = kind.words > 0 ? fxt_load_word(payload) : fxt_i_arg_small(header);
    arg->text.ref = kind.string > 0 ? fxt_arg_string_header_value(header) : 0;
    arg->text.bytes = kind.string > 0 ? payload : NULL;
    arg->blob.size = kind.blob > 0 ? fxt_arg_blob_header_payload_size(header) : 0;
    arg->blob.bytes = kind.blob > 0 ? payload : NULL;
    arg->tail.words = frame.size - frame.end;
    arg->tail.bytes = arg->tail.words > 0 ? bytes + UINT64_C(8) * frame.end : NULL;
    return frame.size;
}

/* The argument at `args` is malformed. */
/*@ requires \valid_read(args) && \valid(error);
  @ terminates \true;
  @ assigns *error;
  @ ensures \result == FXT_MALFORMED;
  @*/
static FXT_I_COLD enum fxt_status refuse(const struct fxt_args *args, struct fxt_error *error)
{
    struct fxt_i_arg_frame frame = {0, 0, 0};

    error->rule = FXT_RULE_ARG_01;
    if (args->words > 0)
        error->rule = fxt_i_arg_frame(&frame, fxt_load_word(args->bytes), args->words);
    error->offset = args->offset + UINT64_C(8) * frame.value;
    error->status = FXT_MALFORMED;
    return FXT_MALFORMED;
}

enum fxt_status fxt_args_next(struct fxt_args *args, struct fxt_arg *arg, struct fxt_error *error)
{
    uint32_t size = 0;

    if (args->count == 0)
        return FXT_END;
    if (args->words > 0)
        size = fxt_i_decode_arg(arg, args->bytes, args->words);
    if (size == 0)
        return refuse(args, error);
    args->bytes += UINT64_C(8) * size;
    args->offset += UINT64_C(8) * size;
    args->words -= size;
    args->count--;
    return FXT_OK;
}
