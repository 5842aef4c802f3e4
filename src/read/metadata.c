/* Metadata: provider info, provider section, provider event, trace info. */
#include "src/read/cursor.h"
#include "src/wire/layout.h"

enum fxt_status fxt_read_provider_info(const struct fxt_record *record,
                                       struct fxt_provider_info *out, struct fxt_error *error)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint32_t words = record->words;
    uint8_t size = fxt_provider_info_header_name_length(header);
    uint64_t end = 1 + fxt_words_of(size);

    if (record->type != FXT_RECORD_METADATA ||
        fxt_metadata_header_metadata_type(header) != FXT_METADATA_PROVIDER_INFO)
        return fxt_i_wrong_type(error, record);
    if (end > words)
        return fxt_i_malformed(error, record, 1, FXT_RULE_MET_02);
    out->name.bytes = fxt_i_stream(bytes, 1, words, size);
    out->name.size = size;
    out->provider_id = fxt_provider_info_header_provider_id(header);
    out->tail.bytes = fxt_i_tail(bytes, end, words);
    out->tail.words = (uint32_t)(words - end);
    return FXT_OK;
}

enum fxt_status fxt_read_provider_section(const struct fxt_record *record,
                                          struct fxt_provider_section *out, struct fxt_error *error)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint32_t words = record->words;

    if (record->type != FXT_RECORD_METADATA ||
        fxt_metadata_header_metadata_type(header) != FXT_METADATA_PROVIDER_SECTION)
        return fxt_i_wrong_type(error, record);
    out->provider_id = fxt_provider_section_header_provider_id(header);
    out->tail.bytes = fxt_i_tail(bytes, 1, words);
    out->tail.words = words - 1;
    return FXT_OK;
}

enum fxt_status fxt_read_provider_event(const struct fxt_record *record,
                                        struct fxt_provider_event *out, struct fxt_error *error)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint32_t words = record->words;

    if (record->type != FXT_RECORD_METADATA ||
        fxt_metadata_header_metadata_type(header) != FXT_METADATA_PROVIDER_EVENT)
        return fxt_i_wrong_type(error, record);
    out->provider_id = fxt_provider_event_header_provider_id(header);
    out->event_id = fxt_provider_event_header_event_id(header);
    out->tail.bytes = fxt_i_tail(bytes, 1, words);
    out->tail.words = words - 1;
    return FXT_OK;
}

enum fxt_status fxt_read_trace_info(const struct fxt_record *record, struct fxt_trace_info *out,
                                    struct fxt_error *error)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint32_t words = record->words;

    if (record->type != FXT_RECORD_METADATA ||
        fxt_metadata_header_metadata_type(header) != FXT_METADATA_TRACE_INFO)
        return fxt_i_wrong_type(error, record);
    out->trace_info_type = fxt_trace_info_header_trace_info_type(header);
    out->data = fxt_trace_info_header_data(header);
    out->tail.bytes = fxt_i_tail(bytes, 1, words);
    out->tail.words = words - 1;
    return FXT_OK;
}
