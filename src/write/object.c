/* Userspace and kernel objects. */
#include "spec/acsl/put_args.h"
#include "src/wire/layout.h"
#include "src/write/emit.h"

/* Writes everything before the arguments. */
/*@ requires room: writable(p, 8 * l_userspace_head_words(in));
  @ requires given: \valid_read(in) && bytes_apart(p, 8 * l_userspace_head_words(in),
  @     in->name.bytes, l_inline_length(in->name.ref));
  @ requires sizes: 1 <= words <= 4095 && arg_count <= 15 && in->process.ref <= 255;
  @ terminates \true;
  @ assigns p[0 .. 8 * l_userspace_head_words(in) - 1];
  @ ensures next: \result == p + 8 * l_userspace_head_words(in);
  @ ensures record: valid_record(p, words);
  @ ensures header: userspace_object_header(p, words, in->process.ref,
  @     l_string_wire(in->name.ref), arg_count);
  @ ensures pointer: word_at(p + 8, in->pointer);
  @ ensures process: in->process.ref == 0 ==> word_at(p + 16, in->process.process);
  @ ensures name: string_at{Pre, Here}(p + 8 * (2 + l_process_words(in->process.ref)),
  @     in->name.bytes, in->name.ref);
  @*/
static inline uint8_t *put_userspace(uint8_t *p, const struct fxt_userspace_object *in,
                                     uint64_t words, size_t arg_count)
{
    uint8_t *next = fxt_i_put_word(
        p, fxt_pack_userspace_object_header((uint16_t)words, (uint8_t)in->process.ref,
                                            fxt_i_string_wire(in->name), (uint8_t)arg_count));
    next = fxt_i_put_word(next, in->pointer);
    if (in->process.ref == 0)
        next = fxt_i_put_word(next, in->process.process);
    /*@ assert next: next == p + 8 * (2 + l_process_words(in->process.ref)); */
    /*@ assert same: stream_same{Pre, Here}(in->name.bytes, l_inline_length(in->name.ref)); */
    return fxt_i_put_string(next, in->name);
}

enum fxt_status fxt_write_userspace_object(struct fxt_writer *writer,
                                           const struct fxt_userspace_object *in,
                                           const struct fxt_arg *args, size_t arg_count)
{
    uint64_t words = 2 + (in->process.ref == 0 ? 1u : 0u) + fxt_i_write_string_words(in->name) +
                     fxt_i_args_words(args, arg_count);

    if (in->process.ref > FXT_THREAD_INDEX_MAX)
        return FXT_INVALID;
    enum fxt_status status = fxt_i_reserve(writer, words, FXT_RECORD_WORDS_MAX);
    if (status != FXT_OK)
        return status;
    /*@ assert writable: writable_args(args, arg_count); */
    /*@ assert words: words == l_userspace_object_record_words(in, args, arg_count); */
    uint8_t *p = put_userspace(fxt_i_place(writer), in, words, arg_count);
    /*@ assert end: 0 <= l_inline_length(in->name.ref) <= 8 * l_string_words(in->name.ref); */
    /*@ ghost FXT_I_ARGS_APART(writer, p, args, arg_count) */
    /*@ ghost before:; */
    fxt_i_put_args(p, args, arg_count);
    /*@ assert kept: stream_same{before, Here}(l_place(writer) + 8 * (2 +
      @   l_process_words(in->process.ref)), 8 * l_words_of(l_inline_length(in->name.ref))); */
    /*@ assert was: stream_at{Pre, before}(l_place(writer) + 8 * (2 +
      @   l_process_words(in->process.ref)), in->name.bytes, l_inline_length(in->name.ref)); */
    /*@ assert is: stream_at{Pre, Here}(l_place(writer) + 8 * (2 +
      @   l_process_words(in->process.ref)), in->name.bytes, l_inline_length(in->name.ref)); */
    /*@ assert record: valid_record(l_place(writer), words); */
    /*@ assert header: userspace_object_header(l_place(writer), words, in->process.ref,
      @   l_string_wire(in->name.ref), arg_count); */
    /*@ assert pointer: word_at(l_place(writer) + 8, in->pointer); */
    /*@ assert process: in->process.ref == 0 ==>
      @   word_at(l_place(writer) + 16, in->process.process); */
    /*@ assert name: string_at{Pre, Here}(l_place(writer) + 8 * (2 +
      @   l_process_words(in->process.ref)), in->name.bytes, in->name.ref); */
    /*@ ghost FXT_I_ARGS_STORED(p, args, arg_count, FXT_I_NAME_STORED(p, args)) */
    /*@ assert args: encoded_args{Pre, Here}(p, args, arg_count); */
    return fxt_i_commit(writer, words);
}

/* Writes everything before the arguments. */
/*@ requires room: writable(p, 8 * (2 + l_string_words(in->name.ref)));
  @ requires given: \valid_read(in) && bytes_apart(p, 8 * (2 + l_string_words(in->name.ref)),
  @     in->name.bytes, l_inline_length(in->name.ref));
  @ requires sizes: 1 <= words <= 4095 && arg_count <= 15 && in->object_type <= 255;
  @ terminates \true;
  @ assigns p[0 .. 8 * (2 + l_string_words(in->name.ref)) - 1];
  @ ensures next: \result == p + 8 * (2 + l_string_words(in->name.ref));
  @ ensures record: valid_record(p, words);
  @ ensures header: kernel_object_header(p, words, in->object_type, l_string_wire(in->name.ref),
  @     arg_count);
  @ ensures koid: word_at(p + 8, in->koid);
  @ ensures name: string_at{Pre, Here}(p + 16, in->name.bytes, in->name.ref);
  @*/
static inline uint8_t *put_kernel(uint8_t *p, const struct fxt_kernel_object *in, uint64_t words,
                                  size_t arg_count)
{
    p = fxt_i_put_word(p, fxt_pack_kernel_object_header((uint16_t)words, (uint8_t)in->object_type,
                                                        fxt_i_string_wire(in->name),
                                                        (uint8_t)arg_count));
    p = fxt_i_put_word(p, in->koid);
    /*@ assert same: stream_same{Pre, Here}(in->name.bytes, l_inline_length(in->name.ref)); */
    return fxt_i_put_string(p, in->name);
}

enum fxt_status fxt_write_kernel_object(struct fxt_writer *writer,
                                        const struct fxt_kernel_object *in,
                                        const struct fxt_arg *args, size_t arg_count)
{
    uint64_t words = 2 + fxt_i_write_string_words(in->name) + fxt_i_args_words(args, arg_count);

    if (in->object_type > UINT8_MAX)
        return FXT_INVALID;
    enum fxt_status status = fxt_i_reserve(writer, words, FXT_RECORD_WORDS_MAX);
    if (status != FXT_OK)
        return status;
    /*@ assert writable: writable_args(args, arg_count); */
    /*@ assert words: words == l_kernel_object_record_words(in, args, arg_count); */
    uint8_t *p = put_kernel(fxt_i_place(writer), in, words, arg_count);
    /*@ assert end: 0 <= l_inline_length(in->name.ref) <= 8 * l_string_words(in->name.ref); */
    /*@ ghost FXT_I_ARGS_APART(writer, p, args, arg_count) */
    /*@ ghost before:; */
    fxt_i_put_args(p, args, arg_count);
    /*@ assert kept: stream_same{before, Here}(l_place(writer) + 16,
      @   8 * l_words_of(l_inline_length(in->name.ref))); */
    /*@ assert was: stream_at{Pre, before}(l_place(writer) + 16, in->name.bytes,
      @   l_inline_length(in->name.ref)); */
    /*@ assert is: stream_at{Pre, Here}(l_place(writer) + 16, in->name.bytes,
      @   l_inline_length(in->name.ref)); */
    /*@ assert record: valid_record(l_place(writer), words); */
    /*@ assert header: kernel_object_header(l_place(writer), words, in->object_type,
      @   l_string_wire(in->name.ref), arg_count); */
    /*@ assert koid: word_at(l_place(writer) + 8, in->koid); */
    /*@ assert name: string_at{Pre, Here}(l_place(writer) + 16, in->name.bytes, in->name.ref); */
    /*@ ghost FXT_I_ARGS_STORED(p, args, arg_count, FXT_I_NAME_STORED(p, args)) */
    /*@ assert args: encoded_args{Pre, Here}(p, args, arg_count); */
    return fxt_i_commit(writer, words);
}
