/* Steps of the proofs of encoders that store arguments at p, as ghost code: they are the same in each,
   but the states that they compare are its own, so a function cannot take them. Only the prover
   expands these. */
#ifndef FXT_ACSL_PUT_ARGS_H
#define FXT_ACSL_PUT_ARGS_H

/* Before: what the arguments point to is as it was, and no byte of it will be written to. */
#define FXT_I_ARGS_APART(writer, p, args, arg_count)                                               \
    /@ loop invariant 0 <= k <= arg_count;                                                         \
         loop invariant same: \forall integer j; 0 <= j < k ==> arg_same{Pre, Here}(args + j);     \
         loop invariant apart: \forall integer j; 0 <= j < k ==>                                   \
           arg_apart(p, 8 * l_args_words(args, arg_count), args + j);                              \
         loop assigns k;                                                                           \
         loop variant arg_count - k; @/                                                            \
    for (size_t k = 0; k < arg_count; k++) {                                                       \
      /@ assert array: \separated(args + (0 .. arg_count - 1),                                     \
             writer->bytes + (writer->size .. writer->capacity - 1)); @/                           \
      /@ assert apart: \separated(args + k, p + (0 .. 8 * l_args_words(args, arg_count) - 1)); @/  \
      /@ assert given: arg_given(writer, args + k) && writable_arg(args + k); @/                   \
      /@ assert name: stream_same{Pre, Here}(args[k].name.bytes,                                   \
             l_inline_length(args[k].name.ref)); @/                                                \
      /@ assert text: args[k].type == 6 ==>                                                        \
             stream_same{Pre, Here}(args[k].text.bytes, l_inline_length(args[k].text.ref)); @/     \
      /@ assert blob: args[k].type == 10 ==>                                                       \
             stream_same{Pre, Here}(args[k].blob.bytes, args[k].blob.size); @/                     \
      /@ assert name_apart: bytes_apart(p, 8 * l_args_words(args, arg_count),                      \
             args[k].name.bytes, l_inline_length(args[k].name.ref)); @/                            \
      /@ assert text_apart: args[k].type == 6 ==> bytes_apart(p,                                   \
             8 * l_args_words(args, arg_count), args[k].text.bytes,                                \
             l_inline_length(args[k].text.ref)); @/                                                \
      /@ assert blob_apart: args[k].type == 10 ==> bytes_apart(p,                                  \
             8 * l_args_words(args, arg_count), args[k].blob.bytes, args[k].blob.size); @/         \
    }

/* After: each argument is stored as it was given. `before` is the label of the state before; `MORE`
   are steps that only some need, as this one. */
#define FXT_I_NAME_STORED(p, args) /@ assert name: nth_name_at{before, Here}(p, args, k); @/

#define FXT_I_ARGS_STORED(p, args, arg_count, MORE)                                                \
    /@ loop invariant 0 <= k <= arg_count;                                                         \
         loop invariant stored: \forall integer j; 0 <= j < k ==>                                  \
           nth_arg_at{Pre, Here}(p, args, j) && l_args_words(args, j) >= 0;                        \
         loop assigns k;                                                                           \
         loop variant arg_count - k; @/                                                            \
    for (size_t k = 0; k < arg_count; k++) {                                                       \
      /@ assert was: nth_arg_at{before, Here}(p, args, k); @/                                      \
      /@ assert same: arg_same{Pre, before}(args + k); @/                                          \
      /@ assert text_same: args[k].type == 6 ==> stream_same{Pre, before}(args[k].text.bytes,      \
             l_inline_length(args[k].text.ref)); @/                                                \
      /@ assert text: nth_text_at{before, Here}(p, args, k); @/                                    \
      /@ assert text: nth_text_at{Pre, Here}(p, args, k); @/                                       \
      /@ assert blob_same: args[k].type == 10 ==> stream_same{Pre, before}(args[k].blob.bytes,     \
             args[k].blob.size); @/                                                                \
      /@ assert blob: nth_blob_at{before, Here}(p, args, k); @/                                    \
      /@ assert blob: nth_blob_at{Pre, Here}(p, args, k); @/                                       \
      MORE                                                                                         \
      /@ assert name: nth_name_at{Pre, Here}(p, args, k); @/                                       \
      /@ assert word: nth_word_at{Pre, Here}(p, args, k); @/                                       \
      /@ assert header: nth_header_at{Pre, Here}(p, args, k); @/                                   \
      /@ assert stored: nth_arg_at{Pre, Here}(p, args, k); @/                                      \
    }

#endif
