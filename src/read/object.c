/* Userspace and kernel objects. */
#include "src/read/arg.h"

/* The positions of the name and after it. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_userspace_object_name(header) && 2 <= \result <= 3;
  @*/
static inline uint32_t userspace_name(uint64_t header)
{
    return fxt_userspace_object_header_process(header) == 0 ? 3 : 2;
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_userspace_object_args(header);
  @ ensures \result == l_userspace_object_name(header)
  @         + l_string_words(l_userspace_object_header_name(header)) && 2 <= \result <= 4099;
  @*/
static inline uint32_t userspace_args(uint64_t header)
{
    return userspace_name(header) +
           fxt_i_read_string_words(fxt_userspace_object_header_name(header));
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_kernel_object_args(header);
  @ ensures \result == 2 + l_string_words(l_kernel_object_header_name(header)) && \result <= 4098;
  @*/
static inline uint32_t kernel_args(uint64_t header)
{
    return 2 + fxt_i_read_string_words(fxt_kernel_object_header_name(header));
}

/* Decodes all members; the arguments end at word `end`. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && \valid(out);
  @ requires \separated(record, out);
  @ requires 2 <= l_userspace_object_args(record->header) <= end <= record->words;
  @ terminates \true;
  @ assigns *out;
  @ ensures says: says_userspace_object_upto{Pre,Post}(record, out, end);
  @ ensures args: fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures kept: fxt_args_kept{Pre,Post}(\old(record->bytes), &out->args,
  @         l_userspace_object_args(\old(record->header)), end,
  @         l_userspace_object_header_arg_count(\old(record->header)));
  @*/
FXT_I_INLINE void fill_userspace_object(const struct fxt_record *record,
                                        struct fxt_userspace_object *out, uint64_t end)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint64_t offset = record->offset;
    uint32_t words = record->words;
    uint8_t process = fxt_userspace_object_header_process(header);
    uint16_t name = fxt_userspace_object_header_name(header);
    uint8_t count = fxt_userspace_object_header_arg_count(header);
    uint32_t behind = userspace_name(header);
    uint64_t args = userspace_args(header);

    out->pointer = fxt_load_word(bytes + 8);
    out->process.process = fxt_i_koid(bytes, 2, words, process);
    out->process.thread = 0;
    out->process.ref = process;
    out->name.bytes = fxt_i_text(bytes, behind, words, name);
    out->name.ref = name;
    out->tail.bytes = fxt_i_tail(bytes, end, words);
    out->tail.words = (uint32_t)(words - end);
    out->args.bytes = bytes + 8 * args;
    out->args.offset = offset + 8 * args;
    out->args.words = (uint32_t)(end - args);
    out->args.count = count;
    /*@ assert name: says_string(out->name.bytes, out->name.ref, bytes,
      @     l_userspace_object_name(header), l_userspace_object_header_name(header)); */
    /*@ assert tail: says_tail(out->tail.bytes, out->tail.words, bytes, end, words); */
    /*@ assert args: says_args{Pre,Here}(&out->args, record, l_userspace_object_args(header), end,
      @     l_userspace_object_header_arg_count(header)); */
    fxt_i_args_kept(&out->args, bytes, args, end, count);
}

enum fxt_status fxt_read_userspace_object(const struct fxt_record *record,
                                          struct fxt_userspace_object *out, struct fxt_error *error)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint32_t words = record->words;
    uint8_t count = fxt_userspace_object_header_arg_count(header);
    uint32_t behind = userspace_name(header);
    uint64_t args = userspace_args(header);

    if (record->type != FXT_RECORD_USERSPACE_OBJECT)
        return fxt_i_wrong_type(error, record);
    if (behind > words)
        return fxt_i_malformed(error, record, words, FXT_RULE_UOB_01);
    if (args > words)
        return fxt_i_malformed(error, record, behind, FXT_RULE_STR_03);
    uint64_t end = fxt_i_args_end(bytes, words, args, count);
    /*@ assert end: end == l_userspace_object_end(record); */
    /*@ assert formed: end != 0 <==> formed_userspace_object(record); */
    if (end == 0)
        return fxt_i_refuse_args(error, record, args, count);
    fill_userspace_object(record, out, end);
    return FXT_OK;
}

/* Decodes all members; the arguments end at word `end`. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && \valid(out);
  @ requires \separated(record, out);
  @ requires 2 <= l_kernel_object_args(record->header) <= end <= record->words;
  @ terminates \true;
  @ assigns *out;
  @ ensures says: says_kernel_object_upto{Pre,Post}(record, out, end);
  @ ensures args: fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures kept: fxt_args_kept{Pre,Post}(\old(record->bytes), &out->args,
  @         l_kernel_object_args(\old(record->header)), end,
  @         l_kernel_object_header_arg_count(\old(record->header)));
  @*/
FXT_I_INLINE void fill_kernel_object(const struct fxt_record *record, struct fxt_kernel_object *out,
                                     uint64_t end)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint64_t offset = record->offset;
    uint32_t words = record->words;
    uint16_t name = fxt_kernel_object_header_name(header);
    uint8_t count = fxt_kernel_object_header_arg_count(header);
    uint64_t args = kernel_args(header);

    out->koid = fxt_load_word(bytes + 8);
    out->name.bytes = fxt_i_text(bytes, 2, words, name);
    out->name.ref = name;
    out->object_type = fxt_kernel_object_header_object_type(header);
    out->tail.bytes = fxt_i_tail(bytes, end, words);
    out->tail.words = (uint32_t)(words - end);
    out->args.bytes = bytes + 8 * args;
    out->args.offset = offset + 8 * args;
    out->args.words = (uint32_t)(end - args);
    out->args.count = count;
    /*@ assert name: says_string(out->name.bytes, out->name.ref, bytes, 2,
      @     l_kernel_object_header_name(header)); */
    /*@ assert tail: says_tail(out->tail.bytes, out->tail.words, bytes, end, words); */
    /*@ assert args: says_args{Pre,Here}(&out->args, record, l_kernel_object_args(header), end,
      @     l_kernel_object_header_arg_count(header)); */
    fxt_i_args_kept(&out->args, bytes, args, end, count);
}

enum fxt_status fxt_read_kernel_object(const struct fxt_record *record,
                                       struct fxt_kernel_object *out, struct fxt_error *error)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint32_t words = record->words;
    uint8_t count = fxt_kernel_object_header_arg_count(header);
    uint64_t args = kernel_args(header);

    if (record->type != FXT_RECORD_KERNEL_OBJECT)
        return fxt_i_wrong_type(error, record);
    if (words < 2)
        return fxt_i_malformed(error, record, 1, FXT_RULE_KOB_01);
    if (args > words)
        return fxt_i_malformed(error, record, 2, FXT_RULE_STR_03);
    uint64_t end = fxt_i_args_end(bytes, words, args, count);
    /*@ assert end: end == l_kernel_object_end(record); */
    /*@ assert formed: end != 0 <==> formed_kernel_object(record); */
    if (end == 0)
        return fxt_i_refuse_args(error, record, args, count);
    fill_kernel_object(record, out, end);
    return FXT_OK;
}
