/* Blob records: a named chunk of bytes. */
#include "src/read/cursor.h"
#include "src/wire/layout.h"

enum fxt_status fxt_read_blob(const struct fxt_record *record, struct fxt_blob *out,
                              struct fxt_error *error)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint32_t words = record->words;
    uint16_t name = fxt_blob_header_name(header);
    uint16_t size = fxt_blob_header_payload_size(header);
    uint64_t payload = 1 + fxt_i_read_string_words(name);
    uint64_t end = payload + fxt_words_of(size);

    if (record->type != FXT_RECORD_BLOB)
        return fxt_i_wrong_type(error, record);
    if (payload > words)
        return fxt_i_malformed(error, record, 1, FXT_RULE_STR_03);
    if (end > words)
        return fxt_i_malformed(error, record, payload, FXT_RULE_BLB_01);
    out->name.bytes = fxt_i_text(bytes, 1, words, name);
    out->name.ref = name;
    out->payload.bytes = fxt_i_stream(bytes, payload, words, size);
    out->payload.size = size;
    out->blob_type = fxt_blob_header_blob_type(header);
    out->tail.bytes = fxt_i_tail(bytes, end, words);
    out->tail.words = (uint32_t)(words - end);
    /*@ assert name: says_string(out->name.bytes, out->name.ref, bytes, 1,
      @     l_blob_header_name(header)); */
    /*@ assert payload: says_stream(out->payload.bytes, out->payload.size, bytes,
      @     l_blob_payload(header), l_blob_header_payload_size(header)); */
    /*@ assert tail: says_tail(out->tail.bytes, out->tail.words, bytes, l_blob_end(header), words);
      @     */
    return FXT_OK;
}
