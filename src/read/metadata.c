/* Metadata: provider info, provider section, provider event, trace info. */
#include "src/read/cursor.h"
#include "src/wire/layout.h"

enum fxt_status fxt_read_provider_info(const struct fxt_record *record,
                                       struct fxt_provider_info *out, struct fxt_error *error)
{
    uint64_t header = record->header;
    struct fxt_i_cursor cursor = fxt_i_body(record);
    struct fxt_bytes name;

    if (record->type != FXT_RECORD_METADATA ||
        fxt_metadata_header_metadata_type(header) != FXT_METADATA_PROVIDER_INFO)
        return fxt_i_wrong_type(error, record);
    if (!fxt_i_take_stream(&cursor, &name, fxt_provider_info_header_name_length(header)))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_MET_02);
    out->name = name;
    out->provider_id = fxt_provider_info_header_provider_id(header);
    out->tail = fxt_i_tail(&cursor);
    return FXT_OK;
}

enum fxt_status fxt_read_provider_section(const struct fxt_record *record,
                                          struct fxt_provider_section *out, struct fxt_error *error)
{
    uint64_t header = record->header;
    struct fxt_i_cursor cursor = fxt_i_body(record);

    if (record->type != FXT_RECORD_METADATA ||
        fxt_metadata_header_metadata_type(header) != FXT_METADATA_PROVIDER_SECTION)
        return fxt_i_wrong_type(error, record);
    out->provider_id = fxt_provider_section_header_provider_id(header);
    out->tail = fxt_i_tail(&cursor);
    return FXT_OK;
}

enum fxt_status fxt_read_provider_event(const struct fxt_record *record,
                                        struct fxt_provider_event *out, struct fxt_error *error)
{
    uint64_t header = record->header;
    struct fxt_i_cursor cursor = fxt_i_body(record);

    if (record->type != FXT_RECORD_METADATA ||
        fxt_metadata_header_metadata_type(header) != FXT_METADATA_PROVIDER_EVENT)
        return fxt_i_wrong_type(error, record);
    out->provider_id = fxt_provider_event_header_provider_id(header);
    out->event_id = fxt_provider_event_header_event_id(header);
    out->tail = fxt_i_tail(&cursor);
    return FXT_OK;
}

enum fxt_status fxt_read_trace_info(const struct fxt_record *record, struct fxt_trace_info *out,
                                    struct fxt_error *error)
{
    uint64_t header = record->header;
    struct fxt_i_cursor cursor = fxt_i_body(record);

    if (record->type != FXT_RECORD_METADATA ||
        fxt_metadata_header_metadata_type(header) != FXT_METADATA_TRACE_INFO)
        return fxt_i_wrong_type(error, record);
    out->trace_info_type = fxt_trace_info_header_trace_info_type(header);
    out->data = fxt_trace_info_header_data(header);
    out->tail = fxt_i_tail(&cursor);
    return FXT_OK;
}
