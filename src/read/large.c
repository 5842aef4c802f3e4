/* Large blobs: with metadata (format 0), whose strings come before the timestamp, and without
   (format 1). The payload size is a 64-bit word of its own and compared before any arithmetic. */
#include "src/read/arg.h"

enum fxt_status fxt_read_large_blob(const struct fxt_record *record, struct fxt_large_blob *out,
                                    struct fxt_error *error)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint64_t offset = record->offset;
    uint32_t words = record->words;
    uint8_t blob_format = fxt_large_blob_header_blob_format(header);

    if (record->type != FXT_RECORD_LARGE || fxt_large_header_large_type(header) != FXT_LARGE_BLOB ||
        blob_format > FXT_LARGE_BLOB_NO_METADATA)
        return fxt_i_wrong_type(error, record);
    if (words < 2)
        return fxt_i_malformed(error, record, 1, FXT_RULE_LRG_03);

    uint64_t format = fxt_load_word(bytes + 8);
    uint16_t category = fxt_large_blob_metadata_category(format);
    uint16_t name = fxt_large_blob_metadata_name(format);
    uint64_t name_at = 2 + fxt_i_string_words(category);
    uint64_t behind = name_at + fxt_i_string_words(name);
    if (name_at > words)
        return fxt_i_malformed(error, record, 2, FXT_RULE_STR_03);
    if (behind > words)
        return fxt_i_malformed(error, record, name_at, FXT_RULE_STR_03);

    /* The words that only format 0 has: timestamp, inline thread, arguments. */
    bool metadata = blob_format == FXT_LARGE_BLOB_METADATA;
    uint8_t thread = fxt_large_blob_metadata_thread(format);
    uint8_t count = fxt_large_blob_metadata_arg_count(format);
    uint64_t args = behind + 1 + fxt_i_thread_words(thread);
    uint64_t end = behind;
    if (metadata) {
        if (behind == words)
            return fxt_i_malformed(error, record, behind, FXT_RULE_LRG_03);
        if (args > words)
            return fxt_i_malformed(error, record, behind + 1, FXT_RULE_THR_03);
        end = fxt_i_args_end(bytes, words, args, count);
        if (end == 0)
            return fxt_i_refuse_args(error, record, args, count);
    }

    if (end == words)
        return fxt_i_malformed(error, record, end, FXT_RULE_LRG_03);
    uint64_t size = fxt_load_word(bytes + 8 * end);
    if (size > 8 * (words - end - 1))
        return fxt_i_malformed(error, record, end + 1, FXT_RULE_LRG_04);
    uint64_t tail = end + 1 + fxt_words_of(size);
    uint64_t timestamp = metadata ? fxt_load_word(bytes + 8 * behind) : 0;
    uint64_t process_koid = metadata ? fxt_i_koid(bytes, behind + 1, words, thread) : 0;
    uint64_t thread_koid = metadata ? fxt_i_koid(bytes, behind + 2, words, thread) : 0;
    out->timestamp = timestamp;
    out->thread.process = process_koid;
    out->thread.thread = thread_koid;
    out->thread.ref = metadata ? thread : 0;
    out->category.bytes = fxt_i_text(bytes, 2, words, category);
    out->category.ref = category;
    out->name.bytes = fxt_i_text(bytes, name_at, words, name);
    out->name.ref = name;
    out->args.bytes = metadata ? bytes + 8 * args : NULL;
    out->args.offset = metadata ? offset + 8 * args : 0;
    out->args.words = metadata ? (uint32_t)(end - args) : 0;
    out->args.count = metadata ? count : 0;
    out->payload.bytes = fxt_i_stream(bytes, end + 1, words, size);
    out->payload.size = size;
    out->tail.bytes = fxt_i_tail(bytes, tail, words);
    out->tail.words = (uint32_t)(words - tail);
    out->blob_format = blob_format;
    return FXT_OK;
}
