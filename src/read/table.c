/* The records that fill the tables: initialization, string, thread. */
#include "src/read/cursor.h"
#include "src/wire/layout.h"

enum fxt_status fxt_read_initialization(const struct fxt_record *record,
                                        struct fxt_initialization *out, struct fxt_error *error)
{
    const uint8_t *bytes = record->bytes;
    uint32_t words = record->words;

    if (record->type != FXT_RECORD_INITIALIZATION)
        return fxt_i_wrong_type(error, record);
    if (words < 2)
        return fxt_i_malformed(error, record, 1, FXT_RULE_INI_01);
    out->ticks_per_second = fxt_load_word(bytes + 8);
    out->tail.bytes = fxt_i_tail(bytes, 2, words);
    out->tail.words = words - 2;
    return FXT_OK;
}

enum fxt_status fxt_read_string(const struct fxt_record *record, struct fxt_string *out,
                                struct fxt_error *error)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint32_t words = record->words;
    uint16_t size = fxt_string_header_length(header);
    uint64_t end = 1 + fxt_words_of(size);

    if (record->type != FXT_RECORD_STRING)
        return fxt_i_wrong_type(error, record);
    if (end > words)
        return fxt_i_malformed(error, record, 1, FXT_RULE_STT_01);
    out->value.bytes = fxt_i_stream(bytes, 1, words, size);
    out->value.size = size;
    out->index = fxt_string_header_index(header);
    out->tail.bytes = fxt_i_tail(bytes, end, words);
    out->tail.words = (uint32_t)(words - end);
    return FXT_OK;
}

enum fxt_status fxt_read_thread(const struct fxt_record *record, struct fxt_thread *out,
                                struct fxt_error *error)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint32_t words = record->words;

    if (record->type != FXT_RECORD_THREAD)
        return fxt_i_wrong_type(error, record);
    if (words < 3)
        return fxt_i_malformed(error, record, words, FXT_RULE_THT_01);
    out->process = fxt_load_word(bytes + 8);
    out->thread = fxt_load_word(bytes + 16);
    out->index = fxt_thread_header_index(header);
    out->tail.bytes = fxt_i_tail(bytes, 3, words);
    out->tail.words = words - 3;
    return FXT_OK;
}
