/* Userspace and kernel objects. */
#include "src/wire/layout.h"
#include "src/write/emit.h"

enum fxt_status fxt_write_userspace_object(struct fxt_writer *writer,
                                           const struct fxt_userspace_object *in,
                                           const struct fxt_arg *args, size_t arg_count)
{
    uint64_t words = 2 + (in->process.ref == 0 ? 1u : 0u) + fxt_i_string_words(in->name) +
                     fxt_i_args_words(args, arg_count);

    enum fxt_status status = fxt_i_reserve(writer, words, FXT_RECORD_WORDS_MAX);
    if (status != FXT_OK)
        return status;
    uint64_t header = fxt_pack_userspace_object_header(
        (uint16_t)words, in->process.ref, fxt_i_string_wire(in->name), (uint8_t)arg_count);
    uint8_t *p = fxt_i_put_word(fxt_i_place(writer), header);
    p = fxt_i_put_word(p, in->pointer);
    if (in->process.ref == 0)
        p = fxt_i_put_word(p, in->process.process);
    p = fxt_i_put_string(p, in->name);
    fxt_i_put_args(p, args, arg_count);
    return fxt_i_commit(writer, words);
}

enum fxt_status fxt_write_kernel_object(struct fxt_writer *writer,
                                        const struct fxt_kernel_object *in,
                                        const struct fxt_arg *args, size_t arg_count)
{
    uint64_t words = 2 + fxt_i_string_words(in->name) + fxt_i_args_words(args, arg_count);

    enum fxt_status status = fxt_i_reserve(writer, words, FXT_RECORD_WORDS_MAX);
    if (status != FXT_OK)
        return status;
    uint64_t header = fxt_pack_kernel_object_header(
        (uint16_t)words, in->object_type, fxt_i_string_wire(in->name), (uint8_t)arg_count);
    uint8_t *p = fxt_i_put_word(fxt_i_place(writer), header);
    p = fxt_i_put_word(p, in->koid);
    p = fxt_i_put_string(p, in->name);
    fxt_i_put_args(p, args, arg_count);
    return fxt_i_commit(writer, words);
}
