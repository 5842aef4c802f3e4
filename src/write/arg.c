/* Encoding of arguments. No state. */
#include "src/wire/layout.h"
#include "src/write/emit.h"

/* Bits 32..63 of the header, and the words of the value. */
struct value {
    uint32_t data;
    uint64_t words; /* FXT_I_BAD: cannot be written */
};

/*@ requires \valid_read(arg);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result.words <= 4096 || \result.words == 4294967296;
  @*/
static inline struct value value_of(const struct fxt_arg *arg)
{
    struct value value = {0, 0};
    switch (arg->type) {
    case FXT_ARG_NULL:
        break;
    case FXT_ARG_INT32:
    case FXT_ARG_UINT32:
        if (arg->value > UINT32_MAX)
            value.words = FXT_I_BAD;
        else
            value.data = (uint32_t)arg->value;
        break;
    case FXT_ARG_INT64:
    case FXT_ARG_UINT64:
    case FXT_ARG_DOUBLE:
    case FXT_ARG_POINTER:
    case FXT_ARG_KOID:
        value.words = 1;
        break;
    case FXT_ARG_STRING:
        value.data = fxt_i_string_wire(arg->text);
        value.words = fxt_i_string_words(arg->text);
        break;
    case FXT_ARG_BOOL:
        if (arg->value > 1)
            value.words = FXT_I_BAD;
        else
            value.data = (uint32_t)arg->value;
        break;
    case FXT_ARG_BLOB:
        value.words = fxt_i_stream_words(arg->blob, FXT_RECORD_BYTES_MAX);
        if (value.words != FXT_I_BAD)
            value.data = (uint32_t)arg->blob.size;
        break;
    default:
        value.words = FXT_I_BAD;
        break;
    }
    return value;
}

uint64_t fxt_i_args_words(const struct fxt_arg *args, size_t arg_count)
{
    uint64_t words = 0;
    if (arg_count > FXT_ARGS_MAX || (arg_count > 0 && args == NULL))
        return FXT_I_BAD;
    /*@ loop invariant 0 <= i <= arg_count;
      @ loop invariant words <= i * 8589938688;
      @ loop assigns i, words;
      @ loop variant arg_count - i;
      @*/
    for (size_t i = 0; i < arg_count; i++) {
        uint64_t size = 1 + fxt_i_string_words(args[i].name) + value_of(&args[i]).words;
        words += size <= FXT_RECORD_WORDS_MAX ? size : FXT_I_BAD;
    }
    return words;
}

/* One argument, whose words fxt_i_args_words has found to be at most 4095. */
/*@ requires \valid_read(arg);
  @ terminates \true;
  @*/
static inline uint8_t *put_arg(uint8_t *p, const struct fxt_arg *arg)
{
    struct value value = value_of(arg);
    uint64_t size = 1 + fxt_i_string_words(arg->name) + value.words;

    p = fxt_i_put_word(p, fxt_pack_arg_header(arg->type, (uint16_t)size,
                                              fxt_i_string_wire(arg->name), value.data));
    p = fxt_i_put_string(p, arg->name);
    if (arg->type == FXT_ARG_STRING)
        return fxt_i_put_string(p, arg->text);
    if (arg->type == FXT_ARG_BLOB)
        return fxt_i_put_stream(p, arg->blob.bytes, arg->blob.size);
    if (value.words == 1)
        return fxt_i_put_word(p, arg->value);
    return p;
}

uint8_t *fxt_i_put_args(uint8_t *p, const struct fxt_arg *args, size_t arg_count)
{
    /*@ loop invariant 0 <= i <= arg_count;
      @ loop variant arg_count - i;
      @*/
    for (size_t i = 0; i < arg_count; i++)
        p = put_arg(p, &args[i]);
    return p;
}
