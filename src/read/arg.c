/* The argument iterator. Its state is struct fxt_args: the bytes left, the words left and the
   arguments left. */
#include "src/read/arg.h"

/* What the value of an argument means, from its header and its framed words. */
/*@ requires \valid(arg) && \valid_read(bytes + (0 .. 8 * frame.size - 1));
  @ requires 1 <= frame.value <= frame.end <= frame.size;
  @ terminates \true;
  @ assigns arg->value, arg->text, arg->blob;
  @*/
static inline void decode_value(struct fxt_arg *arg, const uint8_t *bytes, uint64_t header,
                                struct fxt_i_arg_frame frame)
{
    const uint8_t *payload = bytes + UINT64_C(8) * frame.value;
    uint8_t type = fxt_arg_header_type(header);

    arg->text.bytes = NULL;
    arg->text.ref = 0;
    arg->blob.bytes = NULL;
    arg->blob.size = 0;
    arg->value = fxt_arg_header_data(header);
    if (type < FXT_ARG_INT64)
        return;
    if (type == FXT_ARG_STRING) {
        arg->text.ref = fxt_arg_string_header_value(header);
        if (frame.end > frame.value)
            arg->text.bytes = payload;
    } else if (type <= FXT_ARG_KOID) {
        arg->value = fxt_load_word(payload);
    } else if (type == FXT_ARG_BOOL) {
        arg->value = fxt_arg_bool_header_value(header);
    } else if (type == FXT_ARG_BLOB) {
        arg->blob.size = fxt_arg_blob_header_payload_size(header);
        if (frame.end > frame.value)
            arg->blob.bytes = payload;
    }
}

enum fxt_status fxt_args_next(struct fxt_args *args, struct fxt_arg *arg, struct fxt_error *error)
{
    struct fxt_i_arg_frame frame = {0, 0, 0};
    enum fxt_rule rule = FXT_RULE_ARG_01;
    uint64_t header = 0;

    if (args->count == 0)
        return FXT_END;
    if (args->words > 0) {
        header = fxt_load_word(args->bytes);
        rule = fxt_i_arg_frame(&frame, header, args->words);
    }
    if (rule != FXT_RULE_NONE) {
        error->offset = args->offset + UINT64_C(8) * frame.value;
        error->status = FXT_MALFORMED;
        error->rule = rule;
        return FXT_MALFORMED;
    }
    arg->type = fxt_arg_header_type(header);
    arg->name.ref = fxt_arg_header_name(header);
    arg->name.bytes = frame.value > 1 ? args->bytes + 8 : NULL;
    decode_value(arg, args->bytes, header, frame);
    arg->tail.words = frame.size - frame.end;
    arg->tail.bytes = arg->tail.words > 0 ? args->bytes + UINT64_C(8) * frame.end : NULL;
    args->bytes += UINT64_C(8) * frame.size;
    args->offset += UINT64_C(8) * frame.size;
    args->words -= frame.size;
    args->count--;
    return FXT_OK;
}
