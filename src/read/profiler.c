/* Profiler records: modules, their mappings, and backtraces. */
#include "src/read/cursor.h"
#include "src/wire/layout.h"

enum fxt_status fxt_read_module(const struct fxt_record *record, struct fxt_module *out,
                                struct fxt_error *error)
{
    uint64_t header = record->header;
    struct fxt_i_cursor cursor = fxt_i_body(record);
    struct fxt_thread_ref thread;
    struct fxt_bytes name;
    struct fxt_bytes build_id;
    uint64_t timestamp;

    if (record->type != FXT_RECORD_PROFILER ||
        fxt_profiler_header_profiler_type(header) != FXT_PROFILER_MODULE)
        return fxt_i_wrong_type(error, record);
    if (!fxt_i_take_word(&cursor, &timestamp))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_PRF_02);
    if (!fxt_i_take_thread(&cursor, &thread, fxt_module_header_thread(header)))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_THR_03);
    if (!fxt_i_take_stream(&cursor, &name, fxt_module_header_name_length(header)))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_PRF_02);
    if (!fxt_i_take_stream(&cursor, &build_id, fxt_module_header_build_id_length(header)))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_PRF_02);
    out->thread = thread;
    out->name = name;
    out->build_id = build_id;
    out->timestamp = timestamp;
    out->module_id = fxt_module_header_module_id(header);
    out->tail = fxt_i_tail(&cursor);
    return FXT_OK;
}

enum fxt_status fxt_read_mmap(const struct fxt_record *record, struct fxt_mmap *out,
                              struct fxt_error *error)
{
    uint64_t header = record->header;
    struct fxt_i_cursor cursor = fxt_i_body(record);
    struct fxt_thread_ref thread;
    uint64_t timestamp;
    uint64_t start_address;
    uint64_t address_range;
    uint64_t vaddr;

    if (record->type != FXT_RECORD_PROFILER ||
        fxt_profiler_header_profiler_type(header) != FXT_PROFILER_MMAP)
        return fxt_i_wrong_type(error, record);
    if (!fxt_i_take_word(&cursor, &timestamp))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_PRF_03);
    if (!fxt_i_take_thread(&cursor, &thread, fxt_mmap_header_thread(header)))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_THR_03);
    if (!fxt_i_take_word(&cursor, &start_address))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_PRF_03);
    if (!fxt_i_take_word(&cursor, &address_range))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_PRF_03);
    if (!fxt_i_take_word(&cursor, &vaddr))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_PRF_03);
    out->thread = thread;
    out->timestamp = timestamp;
    out->start_address = start_address;
    out->address_range = address_range;
    out->vaddr = vaddr;
    out->module_id = fxt_mmap_header_module_id(header);
    out->flags = fxt_mmap_header_flags(header);
    out->tail = fxt_i_tail(&cursor);
    return FXT_OK;
}

enum fxt_status fxt_read_backtrace(const struct fxt_record *record, struct fxt_backtrace *out,
                                   struct fxt_error *error)
{
    uint64_t header = record->header;
    struct fxt_i_cursor cursor = fxt_i_body(record);
    struct fxt_thread_ref thread;
    struct fxt_bytes frames;
    uint64_t timestamp;

    if (record->type != FXT_RECORD_PROFILER ||
        fxt_profiler_header_profiler_type(header) != FXT_PROFILER_BACKTRACE)
        return fxt_i_wrong_type(error, record);
    if (!fxt_i_take_word(&cursor, &timestamp))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_PRF_04);
    if (!fxt_i_take_thread(&cursor, &thread, fxt_backtrace_header_thread(header)))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_THR_03);
    if (!fxt_i_take_stream(&cursor, &frames,
                           UINT64_C(8) * fxt_backtrace_header_frame_count(header)))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_PRF_04);
    out->thread = thread;
    out->frames = frames;
    out->timestamp = timestamp;
    out->frame_count = fxt_backtrace_header_frame_count(header);
    out->tail = fxt_i_tail(&cursor);
    return FXT_OK;
}

uint64_t fxt_backtrace_frame(const struct fxt_backtrace *backtrace, uint8_t index)
{
    return fxt_load_word(backtrace->frames.bytes + UINT64_C(8) * index);
}
