/* The records that fill the tables: initialization, string, thread. */
#include "src/read/cursor.h"
#include "src/wire/layout.h"

enum fxt_status fxt_read_initialization(const struct fxt_record *record,
                                        struct fxt_initialization *out, struct fxt_error *error)
{
    struct fxt_i_cursor cursor = fxt_i_body(record);
    uint64_t ticks_per_second;

    if (record->type != FXT_RECORD_INITIALIZATION)
        return fxt_i_wrong_type(error, record);
    if (!fxt_i_take_word(&cursor, &ticks_per_second))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_INI_01);
    out->ticks_per_second = ticks_per_second;
    out->tail = fxt_i_tail(&cursor);
    return FXT_OK;
}

enum fxt_status fxt_read_string(const struct fxt_record *record, struct fxt_string *out,
                                struct fxt_error *error)
{
    uint64_t header = record->header;
    struct fxt_i_cursor cursor = fxt_i_body(record);
    struct fxt_bytes value;

    if (record->type != FXT_RECORD_STRING)
        return fxt_i_wrong_type(error, record);
    if (!fxt_i_take_stream(&cursor, &value, fxt_string_header_length(header)))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_STT_01);
    out->value = value;
    out->index = fxt_string_header_index(header);
    out->tail = fxt_i_tail(&cursor);
    return FXT_OK;
}

enum fxt_status fxt_read_thread(const struct fxt_record *record, struct fxt_thread *out,
                                struct fxt_error *error)
{
    uint64_t header = record->header;
    struct fxt_i_cursor cursor = fxt_i_body(record);
    uint64_t process;
    uint64_t thread;

    if (record->type != FXT_RECORD_THREAD)
        return fxt_i_wrong_type(error, record);
    if (!fxt_i_take_word(&cursor, &process))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_THT_01);
    if (!fxt_i_take_word(&cursor, &thread))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_THT_01);
    out->process = process;
    out->thread = thread;
    out->index = fxt_thread_header_index(header);
    out->tail = fxt_i_tail(&cursor);
    return FXT_OK;
}
