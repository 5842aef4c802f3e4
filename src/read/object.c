/* Userspace and kernel objects. */
#include "src/read/arg.h"

enum fxt_status fxt_read_userspace_object(const struct fxt_record *record,
                                          struct fxt_userspace_object *out, struct fxt_error *error)
{
    uint64_t header = record->header;
    struct fxt_i_cursor cursor = fxt_i_body(record);
    struct fxt_thread_ref process = {0, 0, fxt_userspace_object_header_process(header)};
    struct fxt_string_ref name;
    struct fxt_args args;
    uint64_t pointer;

    if (record->type != FXT_RECORD_USERSPACE_OBJECT)
        return fxt_i_wrong_type(error, record);
    if (!fxt_i_take_word(&cursor, &pointer))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_UOB_01);
    if (process.ref == 0 && !fxt_i_take_word(&cursor, &process.process))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_UOB_01);
    if (!fxt_i_take_string(&cursor, &name, fxt_userspace_object_header_name(header)))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_STR_03);
    if (!fxt_i_take_args(&cursor, &args, error, record,
                         fxt_userspace_object_header_arg_count(header)))
        return FXT_MALFORMED;
    out->process = process;
    out->name = name;
    out->args = args;
    out->pointer = pointer;
    out->tail = fxt_i_tail(&cursor);
    return FXT_OK;
}

enum fxt_status fxt_read_kernel_object(const struct fxt_record *record,
                                       struct fxt_kernel_object *out, struct fxt_error *error)
{
    uint64_t header = record->header;
    struct fxt_i_cursor cursor = fxt_i_body(record);
    struct fxt_string_ref name;
    struct fxt_args args;
    uint64_t koid;

    if (record->type != FXT_RECORD_KERNEL_OBJECT)
        return fxt_i_wrong_type(error, record);
    if (!fxt_i_take_word(&cursor, &koid))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_KOB_01);
    if (!fxt_i_take_string(&cursor, &name, fxt_kernel_object_header_name(header)))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_STR_03);
    if (!fxt_i_take_args(&cursor, &args, error, record, fxt_kernel_object_header_arg_count(header)))
        return FXT_MALFORMED;
    out->name = name;
    out->args = args;
    out->koid = koid;
    out->object_type = fxt_kernel_object_header_object_type(header);
    out->tail = fxt_i_tail(&cursor);
    return FXT_OK;
}
