/* Blob records: a named chunk of bytes. */
#include "src/read/cursor.h"
#include "src/wire/layout.h"

enum fxt_status fxt_read_blob(const struct fxt_record *record, struct fxt_blob *out,
                              struct fxt_error *error)
{
    uint64_t header = record->header;
    struct fxt_i_cursor cursor = fxt_i_body(record);
    struct fxt_string_ref name;
    struct fxt_bytes payload;

    if (record->type != FXT_RECORD_BLOB)
        return fxt_i_wrong_type(error, record);
    if (!fxt_i_take_string(&cursor, &name, fxt_blob_header_name(header)))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_STR_03);
    if (!fxt_i_take_stream(&cursor, &payload, fxt_blob_header_payload_size(header)))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_BLB_01);
    out->name = name;
    out->payload = payload;
    out->blob_type = fxt_blob_header_blob_type(header);
    out->tail = fxt_i_tail(&cursor);
    return FXT_OK;
}
