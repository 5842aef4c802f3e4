/* Userspace and kernel objects. */
#include "src/read/arg.h"

enum fxt_status fxt_read_userspace_object(const struct fxt_record *record,
                                          struct fxt_userspace_object *out, struct fxt_error *error)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint64_t offset = record->offset;
    uint32_t words = record->words;
    uint8_t process = fxt_userspace_object_header_process(header);
    uint16_t name = fxt_userspace_object_header_name(header);
    uint8_t count = fxt_userspace_object_header_arg_count(header);
    uint32_t behind = process == 0 ? 3 : 2;
    uint64_t args = (uint64_t)behind + fxt_i_string_words(name);

    if (record->type != FXT_RECORD_USERSPACE_OBJECT)
        return fxt_i_wrong_type(error, record);
    if (behind > words)
        return fxt_i_malformed(error, record, words, FXT_RULE_UOB_01);
    if (args > words)
        return fxt_i_malformed(error, record, behind, FXT_RULE_STR_03);
    uint64_t end = fxt_i_args_end(bytes, words, args, count);
    if (end == 0)
        return fxt_i_refuse_args(error, record, args, count);
    /*@ assert fill: l_args_fill(bytes + 8 * end, end - args, count); */
    out->pointer = fxt_load_word(bytes + 8);
    out->process.process = fxt_i_koid(bytes, 2, words, process);
    out->process.thread = 0;
    out->process.ref = process;
    out->name.bytes = fxt_i_text(bytes, behind, words, name);
    out->name.ref = name;
    out->args.bytes = bytes + 8 * args;
    out->args.offset = offset + 8 * args;
    out->args.words = (uint32_t)(end - args);
    out->args.count = count;
    out->tail.bytes = fxt_i_tail(bytes, end, words);
    out->tail.words = (uint32_t)(words - end);
    /*@ assert name: says_string(out->name.bytes, out->name.ref, bytes,
      @     l_userspace_object_name(header), l_userspace_object_header_name(header)); */
    /*@ assert tail: says_tail(out->tail.bytes, out->tail.words, bytes, end, words); */
    /*@ assert args: says_args{Pre,Here}(&out->args, record, l_userspace_object_args(header), end,
      @     l_userspace_object_header_arg_count(header)); */
    /*@ assert end: end == l_userspace_object_end{Pre}(record); */
    /*@ assert args_ok: fxt_args_ok(&out->args) && out->args.count <= 15; */
    /*@ assert args_end: out->args.bytes + 8 * out->args.words == bytes + 8 * end; */
    /*@ assert args_words: out->args.words == end - args && out->args.count == count; */
    /*@ assert checked: fxt_args_checked(&out->args); */
    /*@ assert says: says_userspace_object_upto{Pre,Here}(record, out, end); */
    return FXT_OK;
}

enum fxt_status fxt_read_kernel_object(const struct fxt_record *record,
                                       struct fxt_kernel_object *out, struct fxt_error *error)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint64_t offset = record->offset;
    uint32_t words = record->words;
    uint16_t name = fxt_kernel_object_header_name(header);
    uint8_t count = fxt_kernel_object_header_arg_count(header);
    uint64_t args = 2 + fxt_i_string_words(name);

    if (record->type != FXT_RECORD_KERNEL_OBJECT)
        return fxt_i_wrong_type(error, record);
    if (words < 2)
        return fxt_i_malformed(error, record, 1, FXT_RULE_KOB_01);
    if (args > words)
        return fxt_i_malformed(error, record, 2, FXT_RULE_STR_03);
    uint64_t end = fxt_i_args_end(bytes, words, args, count);
    if (end == 0)
        return fxt_i_refuse_args(error, record, args, count);
    /*@ assert fill: l_args_fill(bytes + 8 * end, end - args, count); */
    out->koid = fxt_load_word(bytes + 8);
    out->name.bytes = fxt_i_text(bytes, 2, words, name);
    out->name.ref = name;
    out->args.bytes = bytes + 8 * args;
    out->args.offset = offset + 8 * args;
    out->args.words = (uint32_t)(end - args);
    out->args.count = count;
    out->object_type = fxt_kernel_object_header_object_type(header);
    out->tail.bytes = fxt_i_tail(bytes, end, words);
    out->tail.words = (uint32_t)(words - end);
    /*@ assert name: says_string(out->name.bytes, out->name.ref, bytes, 2,
      @     l_kernel_object_header_name(header)); */
    /*@ assert tail: says_tail(out->tail.bytes, out->tail.words, bytes, end, words); */
    /*@ assert args: says_args{Pre,Here}(&out->args, record, l_kernel_object_args(header), end,
      @     l_kernel_object_header_arg_count(header)); */
    /*@ assert end: end == l_kernel_object_end{Pre}(record); */
    /*@ assert args_ok: fxt_args_ok(&out->args) && out->args.count <= 15; */
    /*@ assert args_end: out->args.bytes + 8 * out->args.words == bytes + 8 * end; */
    /*@ assert args_words: out->args.words == end - args && out->args.count == count; */
    /*@ assert checked: fxt_args_checked(&out->args); */
    /*@ assert says: says_kernel_object_upto{Pre,Here}(record, out, end); */
    return FXT_OK;
}
