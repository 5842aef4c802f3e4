/* Encoding of arguments. No state. */
#include "src/wire/layout.h"
#include "src/write/emit.h"

/* A value as written: bits 32..63 of the header, and the following words. */
struct value {
    uint32_t data;
    uint64_t words; /* FXT_I_BAD: cannot be written */
};

/*@ requires \valid_read(arg);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures exact: writable_value(arg) ==>
  @     \result.words == l_value_words(arg) && \result.data == l_value_data(arg);
  @ ensures refused: !writable_value(arg) ==> \result.words == 4294967296;
  @ ensures bound: \result.words <= 4096 || \result.words == 4294967296;
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
        value.words = fxt_i_write_string_words(arg->text);
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
      @ loop invariant bound: words <= i * 4294967296;
      @ loop invariant rising: \forall integer k; 0 <= k <= i ==>
      @   k <= l_args_words(args, k) <= l_args_words(args, i);
      @ loop invariant exact: writable_args(args, i) ==> words == l_args_words(args, i);
      @ loop invariant refused: !writable_args(args, i) ==> words >= 4294967296;
      @ loop assigns i, words;
      @ loop variant arg_count - i;
      @*/
    for (size_t i = 0; i < arg_count; i++) {
        uint64_t size = 1 + fxt_i_write_string_words(args[i].name) + value_of(&args[i]).words;
        words += size <= FXT_RECORD_WORDS_MAX ? size : FXT_I_BAD;
    }
    return words;
}

/* Writes one argument, which fxt_i_args_words has measured to be at most 4095 words. */
/*@ requires writable: \valid_read(arg) && writable_arg(arg);
  @ requires room: writable(p, 8 * l_arg_words(arg));
  @ requires apart: arg_apart(p, 8 * l_arg_words(arg), arg);
  @ terminates \true;
  @ assigns p[0 .. 8 * l_arg_words(arg) - 1];
  @ ensures next: \result == p + 8 * \old(l_arg_words(arg));
  @ ensures stored: encoded_arg{Pre, Here}(p, arg);
  @ ensures kept: \forall uint8_t *q, integer w;
  @     \separated(q + (0 .. 7), p + (0 .. 8 * \old(l_arg_words(arg)) - 1)) &&
  @     \old(word_at(q, w)) ==> word_at(q, w);
  @*/
static inline uint8_t *put_arg(uint8_t *p, const struct fxt_arg *arg)
{
    struct value value = value_of(arg);
    uint64_t size = 1 + fxt_i_write_string_words(arg->name) + value.words;
    uint8_t type = (uint8_t)arg->type;
    /*@ assert size: size == l_arg_words(arg) && value.words == l_value_words(arg); */
    /*@ assert data: value.data == l_value_data(arg); */
    uint64_t header =
        fxt_pack_arg_header(type, (uint16_t)size, fxt_i_string_wire(arg->name), value.data);

    uint8_t *next = fxt_i_put_word(p, header);
    /*@ assert same: stream_same{Pre, Here}(arg->name.bytes, l_inline_length(arg->name.ref)); */
    next = fxt_i_put_string(next, arg->name);
    /*@ assert name: string_at{Pre, Here}(p + 8, arg->name.bytes, arg->name.ref); */
    if (type == FXT_ARG_STRING) {
        /*@ assert same: stream_same{Pre, Here}(arg->text.bytes, l_inline_length(arg->text.ref)); */
        next = fxt_i_put_string(next, arg->text);
        /*@ assert text: string_at{Pre, Here}(p + 8 * (1 + l_string_words(arg->name.ref)),
          @   arg->text.bytes, arg->text.ref); */
        /*@ assert name: string_at{Pre, Here}(p + 8, arg->name.bytes, arg->name.ref); */
    } else if (type == FXT_ARG_BLOB) {
        /*@ assert same: stream_same{Pre, Here}(arg->blob.bytes, arg->blob.size); */
        next = fxt_i_put_stream(next, arg->blob.bytes, arg->blob.size);
        /*@ assert blob: stream_at{Pre, Here}(p + 8 * (1 + l_string_words(arg->name.ref)),
          @   arg->blob.bytes, arg->blob.size); */
        /*@ assert name: string_at{Pre, Here}(p + 8, arg->name.bytes, arg->name.ref); */
    } else if (value.words == 1) {
        next = fxt_i_put_word(next, arg->value);
        /*@ assert name: string_at{Pre, Here}(p + 8, arg->name.bytes, arg->name.ref); */
    }
    /*@ assert header: word_at(p, header); */
    /*@ assert name: string_at{Pre, Here}(p + 8, arg->name.bytes, arg->name.ref); */
    /*@ assert value: value_at{Pre, Here}(p + 8 * (1 + l_string_words(arg->name.ref)), arg); */
    return next;
}

/* Like fxt_i_put_args, but the contract says nothing about other words. */
/*@ requires writable: writable_args(args, arg_count);
  @ requires given: arg_count > 0 ==> \valid_read(args + (0 .. arg_count - 1));
  @ requires rising: \forall integer k; 0 <= k <= arg_count ==>
  @     0 <= l_args_words(args, k) <= l_args_words(args, arg_count);
  @ requires room: writable(p, 8 * l_args_words(args, arg_count));
  @ requires apart: \forall integer k; 0 <= k < arg_count ==>
  @     arg_apart(p, 8 * l_args_words(args, arg_count), args + k);
  @ terminates \true;
  @ assigns p[0 .. 8 * l_args_words(args, arg_count) - 1];
  @ ensures next: \result == p + 8 * \old(l_args_words(args, arg_count));
  @ ensures stored: encoded_args{Pre, Here}(p, args, arg_count);
  @*/
static inline uint8_t *put_all(uint8_t *p, const struct fxt_arg *args, size_t arg_count)
{
    uint8_t *next = p;
    /*@ loop invariant 0 <= i <= arg_count;
      @ loop invariant next: next == p + 8 * l_args_words{Pre}(args, i);
      @ loop invariant before: \forall integer k; 0 <= k < i ==>
      @   l_args_words{Pre}(args, k) + l_arg_words{Pre}(args + k) <= l_args_words{Pre}(args, i);
      @ loop invariant stored: \forall integer j; 0 <= j < i ==>
      @   nth_arg_at{Pre, Here}(p, args, j) && l_args_words{Pre}(args, j) >= 0;
      @ loop assigns i, next, p[0 .. 8 * l_args_words{Pre}(args, arg_count) - 1];
      @ loop variant arg_count - i;
      @*/
    for (size_t i = 0; i < arg_count; i++) {
        /*@ assert words: l_arg_words(args + i) == l_arg_words{Pre}(args + i); */
        /*@ assert sum: l_args_words{Pre}(args, i + 1) ==
          @   l_args_words{Pre}(args, i) + l_arg_words{Pre}(args + i); */
        /*@ assert within: l_args_words{Pre}(args, i + 1) <= l_args_words{Pre}(args, arg_count); */
        /*@ assert positive: l_arg_words(args + i) >= 1; */
        /*@ ghost before:; */
        next = put_arg(next, &args[i]);
        /*@ ghost
          /@ loop invariant 0 <= k <= i;
            @ loop invariant old: \forall integer j; 0 <= j < k ==>
            @   nth_arg_at{Pre, Here}(p, args, j) && l_args_words(args, j) >= 0;
            @ loop assigns k;
            @ loop variant i - k;
            @/
          for (size_t k = 0; k < i; k++) {
            /@ assert was: nth_arg_at{Pre, before}(p, args, k); @/
            /@ assert below: 0 <= l_args_words(args, k) &&
              @   l_args_words(args, k) + l_arg_words(args + k) <= l_args_words(args, i); @/
            /@ assert sizes: l_string_words(args[k].name.ref) >= 0 &&
              @   l_value_words(args + k) >= 0; @/
            /@ assert text_end: args[k].type == 6 ==> l_args_words(args, k) + 1 +
              @   l_string_words(args[k].name.ref) +
              @   l_words_of(l_inline_length(args[k].text.ref)) <= l_args_words(args, i); @/
            /@ assert blob_end: args[k].type == 10 ==> l_args_words(args, k) + 1 +
              @   l_string_words(args[k].name.ref) + l_words_of(args[k].blob.size) <=
              @   l_args_words(args, i); @/
            /@ assert name_kept: nth_name_kept{before, Here}(p, args, k); @/
            if (args[k].type == 6) {
              /@ assert text_size: 0 <= l_inline_length(args[k].text.ref) <=
                @   8 * l_words_of(l_inline_length(args[k].text.ref)); @/
              /@ assert text_kept: nth_text_kept{before, Here}(p, args, k); @/
              /@ assert text_was: nth_string_at{Pre, before}(p, args, k); @/
              /@ assert text: nth_string_at{Pre, Here}(p, args, k); @/
            }
            /@ assert text: nth_text_at{Pre, Here}(p, args, k); @/
            if (args[k].type == 10) {
              /@ assert blob_size: 0 <= args[k].blob.size <= 8 * l_words_of(args[k].blob.size); @/
              /@ assert blob_kept: nth_blob_kept{before, Here}(p, args, k); @/
              /@ assert blob_was: nth_bytes_at{Pre, before}(p, args, k); @/
              /@ assert blob: nth_bytes_at{Pre, Here}(p, args, k); @/
            }
            /@ assert blob: nth_blob_at{Pre, Here}(p, args, k); @/
            /@ assert name_was: nth_name_at{Pre, before}(p, args, k); @/
            /@ assert name: nth_name_at{Pre, Here}(p, args, k); @/
            /@ assert word: nth_word_at{Pre, Here}(p, args, k); @/
            /@ assert header_was: nth_header_at{Pre, before}(p, args, k); @/
            /@ assert header: nth_header_at{Pre, Here}(p, args, k); @/
            /@ assert one: nth_arg_at{Pre, Here}(p, args, k); @/
          }
        */
        /*@ assert was: nth_arg_at{before, Here}(p, args, i); */
        /*@ assert name: stream_same{Pre, before}(args[i].name.bytes,
          @   l_inline_length(args[i].name.ref)); */
        /*@ assert text: args[i].type == 6 ==>
          @   stream_same{Pre, before}(args[i].text.bytes, l_inline_length(args[i].text.ref)); */
        /*@ assert blob: args[i].type == 10 ==>
          @   stream_same{Pre, before}(args[i].blob.bytes, args[i].blob.size); */
        /*@ assert text: nth_text_at{before, Here}(p, args, i); */
        /*@ assert text: nth_text_at{Pre, Here}(p, args, i); */
        /*@ assert blob: nth_blob_at{before, Here}(p, args, i); */
        /*@ assert blob: nth_blob_at{Pre, Here}(p, args, i); */
        /*@ assert name: nth_name_at{before, Here}(p, args, i); */
        /*@ assert name: nth_name_at{Pre, Here}(p, args, i); */
        /*@ assert word: nth_word_at{Pre, Here}(p, args, i); */
        /*@ assert header: nth_header_at{Pre, Here}(p, args, i); */
        /*@ assert new: nth_arg_at{Pre, Here}(p, args, i); */
    }
    return next;
}

uint8_t *fxt_i_put_args(uint8_t *p, const struct fxt_arg *args, size_t arg_count)
{
    return put_all(p, args, arg_count);
}
