/* Userspace and kernel objects. */
#include "src/wire/layout.h"
#include "src/write/emit.h"

enum fxt_status fxt_write_userspace_object(struct fxt_writer *writer,
                                           const struct fxt_userspace_object *in,
                                           const struct fxt_arg *args, size_t arg_count)
{
    uint64_t words = 2 + (in->process.ref == 0 ? 1u : 0u) + fxt_i_string_words(in->name) +
                     fxt_i_args_words(args, arg_count);

    if (in->process.ref > FXT_THREAD_INDEX_MAX)
        return FXT_INVALID;
    enum fxt_status status = fxt_i_reserve(writer, words, FXT_RECORD_WORDS_MAX);
    if (status != FXT_OK)
        return status;
    /*@ assert writable: writable_args(args, arg_count); */
    /*@ assert words: words == l_userspace_object_record_words(in, args, arg_count); */
    /*@ assert apart: arg_count > 0 ==> \separated(args + (0 .. arg_count - 1),
      @   writer->bytes + (writer->size .. writer->capacity - 1)); */
    /*@ assert given: \forall integer k; 0 <= k < arg_count ==> arg_given(writer, args + k); */
    uint64_t header = fxt_pack_userspace_object_header(
        (uint16_t)words, (uint8_t)in->process.ref, fxt_i_string_wire(in->name), (uint8_t)arg_count);
    uint8_t *p = fxt_i_put_word(fxt_i_place(writer), header);
    p = fxt_i_put_word(p, in->pointer);
    if (in->process.ref == 0)
        p = fxt_i_put_word(p, in->process.process);
    p = fxt_i_put_string(p, in->name);
    /*@ assert types: \forall integer k; 0 <= k < arg_count ==>
      @   args[k].type == \at(args[k].type, Pre); */
    /*@ assert names: \forall integer k; 0 <= k < arg_count ==>
      @   stream_same{Pre, Here}(args[k].name.bytes, l_inline_length(args[k].name.ref)); */
    /*@ assert texts: \forall integer k; 0 <= k < arg_count && \at(args[k].type, Pre) == 6 ==>
      @   stream_same{Pre, Here}(args[k].text.bytes, l_inline_length(args[k].text.ref)); */
    /*@ assert blobs: \forall integer k; 0 <= k < arg_count && \at(args[k].type, Pre) == 10 ==>
      @   stream_same{Pre, Here}(args[k].blob.bytes, args[k].blob.size); */
    /*@ assert args: args_same{Pre, Here}(args, arg_count); */
    /*@ ghost
      /@ loop invariant 0 <= k <= arg_count;
        @ loop invariant same: \forall integer j; 0 <= j <= k ==>
        @   l_args_words(args, j) == l_args_words{Pre}(args, j);
        @ loop assigns k;
        @ loop variant arg_count - k;
        @/
      for (size_t k = 0; k < arg_count; k++) {
      }
    */
    fxt_i_put_args(p, args, arg_count);
    /*@ assert args: encoded_args{Pre, Here}(l_place(writer) + 8 * (2 + l_process_words(\at(in->process.ref, Pre)) +
      @   l_string_words(in->name.ref)), args,
      @   arg_count); */
    /*@ assert header: word_at(l_place(writer), header); */
    /*@ assert pointer: word_at(l_place(writer) + 8, in->pointer); */
    return fxt_i_commit(writer, words);
}

enum fxt_status fxt_write_kernel_object(struct fxt_writer *writer,
                                        const struct fxt_kernel_object *in,
                                        const struct fxt_arg *args, size_t arg_count)
{
    uint64_t words = 2 + fxt_i_string_words(in->name) + fxt_i_args_words(args, arg_count);

    if (in->object_type > UINT8_MAX)
        return FXT_INVALID;
    enum fxt_status status = fxt_i_reserve(writer, words, FXT_RECORD_WORDS_MAX);
    if (status != FXT_OK)
        return status;
    /*@ assert writable: writable_args(args, arg_count); */
    /*@ assert words: words == l_kernel_object_record_words(in, args, arg_count); */
    /*@ assert apart: arg_count > 0 ==> \separated(args + (0 .. arg_count - 1),
      @   writer->bytes + (writer->size .. writer->capacity - 1)); */
    /*@ assert given: \forall integer k; 0 <= k < arg_count ==> arg_given(writer, args + k); */
    uint64_t header = fxt_pack_kernel_object_header(
        (uint16_t)words, (uint8_t)in->object_type, fxt_i_string_wire(in->name), (uint8_t)arg_count);
    uint8_t *p = fxt_i_put_word(fxt_i_place(writer), header);
    p = fxt_i_put_word(p, in->koid);
    p = fxt_i_put_string(p, in->name);
    /*@ assert types: \forall integer k; 0 <= k < arg_count ==>
      @   args[k].type == \at(args[k].type, Pre); */
    /*@ assert names: \forall integer k; 0 <= k < arg_count ==>
      @   stream_same{Pre, Here}(args[k].name.bytes, l_inline_length(args[k].name.ref)); */
    /*@ assert texts: \forall integer k; 0 <= k < arg_count && \at(args[k].type, Pre) == 6 ==>
      @   stream_same{Pre, Here}(args[k].text.bytes, l_inline_length(args[k].text.ref)); */
    /*@ assert blobs: \forall integer k; 0 <= k < arg_count && \at(args[k].type, Pre) == 10 ==>
      @   stream_same{Pre, Here}(args[k].blob.bytes, args[k].blob.size); */
    /*@ assert args: args_same{Pre, Here}(args, arg_count); */
    /*@ ghost
      /@ loop invariant 0 <= k <= arg_count;
        @ loop invariant same: \forall integer j; 0 <= j <= k ==>
        @   l_args_words(args, j) == l_args_words{Pre}(args, j);
        @ loop assigns k;
        @ loop variant arg_count - k;
        @/
      for (size_t k = 0; k < arg_count; k++) {
      }
    */
    fxt_i_put_args(p, args, arg_count);
    /*@ assert args: encoded_args{Pre, Here}(l_place(writer) + 8 * (2 + l_string_words(in->name.ref)), args,
      @   arg_count); */
    /*@ assert header: word_at(l_place(writer), header); */
    /*@ assert koid: word_at(l_place(writer) + 8, in->koid); */
    return fxt_i_commit(writer, words);
}
