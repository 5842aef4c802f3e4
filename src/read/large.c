/* Large blobs: with metadata (format 0), whose strings come before the timestamp, and without
   (format 1). The payload size is a 64-bit word of its own and compared before any arithmetic. */
#include "src/read/arg.h"

/* The words that only format 0 has: timestamp, inline thread, arguments. */
/*@ requires \valid(cursor) && cursor_ok(cursor) && \valid(out) && \valid(error);
  @ requires \valid_read(record) && \separated(cursor, out, error, record);
  @ terminates \true;
  @ assigns cursor->position, *out, *error;
  @ ensures cursor_ok(cursor);
  @*/
static bool take_metadata(struct fxt_i_cursor *cursor, struct fxt_large_blob *out,
                          struct fxt_error *error, const struct fxt_record *record, uint64_t format)
{
    uint8_t arg_count = fxt_large_blob_metadata_arg_count(format);

    if (!fxt_i_take_word(cursor, &out->timestamp)) {
        fxt_i_malformed(error, record, cursor->position, FXT_RULE_LRG_03);
        return false;
    }
    if (!fxt_i_take_thread(cursor, &out->thread, fxt_large_blob_metadata_thread(format))) {
        fxt_i_malformed(error, record, cursor->position, FXT_RULE_THR_03);
        return false;
    }
    return fxt_i_take_args(cursor, &out->args, error, record, arg_count);
}

enum fxt_status fxt_read_large_blob(const struct fxt_record *record, struct fxt_large_blob *out,
                                    struct fxt_error *error)
{
    struct fxt_large_blob blob = {
        .thread = {0, 0, 0}, .category = {NULL, 0}, .name = {NULL, 0}, .args = {NULL, 0, 0, 0}};
    struct fxt_i_cursor cursor = fxt_i_body(record);
    uint64_t format;
    uint64_t size;

    blob.blob_format = fxt_large_blob_header_blob_format(record->header);
    if (record->type != FXT_RECORD_LARGE ||
        fxt_large_header_large_type(record->header) != FXT_LARGE_BLOB ||
        blob.blob_format > FXT_LARGE_BLOB_NO_METADATA)
        return fxt_i_wrong_type(error, record);
    if (!fxt_i_take_word(&cursor, &format))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_LRG_03);
    if (!fxt_i_take_string(&cursor, &blob.category, fxt_large_blob_metadata_category(format)) ||
        !fxt_i_take_string(&cursor, &blob.name, fxt_large_blob_metadata_name(format)))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_STR_03);
    if (blob.blob_format == FXT_LARGE_BLOB_METADATA &&
        !take_metadata(&cursor, &blob, error, record, format))
        return FXT_MALFORMED;
    if (!fxt_i_take_word(&cursor, &size))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_LRG_03);
    if (!fxt_i_take_stream(&cursor, &blob.payload, size))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_LRG_04);
    blob.tail = fxt_i_tail(&cursor);
    *out = blob;
    return FXT_OK;
}
