/* Log records. */
#include "src/read/cursor.h"
#include "src/wire/layout.h"

enum fxt_status fxt_read_log(const struct fxt_record *record, struct fxt_log *out,
                             struct fxt_error *error)
{
    uint64_t header = record->header;
    struct fxt_i_cursor cursor = fxt_i_body(record);
    struct fxt_thread_ref thread;
    struct fxt_bytes message;
    uint64_t timestamp;

    if (record->type != FXT_RECORD_LOG)
        return fxt_i_wrong_type(error, record);
    if (!fxt_i_take_word(&cursor, &timestamp))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_LOG_01);
    if (!fxt_i_take_thread(&cursor, &thread, fxt_log_header_thread(header)))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_THR_03);
    if (!fxt_i_take_stream(&cursor, &message, fxt_log_header_length(header)))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_LOG_01);
    out->thread = thread;
    out->message = message;
    out->timestamp = timestamp;
    out->tail = fxt_i_tail(&cursor);
    return FXT_OK;
}
