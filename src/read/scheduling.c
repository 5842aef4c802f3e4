/* Scheduling: the legacy context switch of edition 2020, and the context switch and the thread
   wakeup that came later. */
#include "src/read/arg.h"

enum fxt_status fxt_read_legacy_switch(const struct fxt_record *record,
                                       struct fxt_legacy_switch *out, struct fxt_error *error)
{
    uint64_t header = record->header;
    struct fxt_i_cursor cursor = fxt_i_body(record);
    struct fxt_thread_ref outgoing;
    struct fxt_thread_ref incoming;
    uint64_t timestamp;

    if (record->type != FXT_RECORD_SCHEDULING ||
        fxt_scheduling_header_scheduling_type(header) != FXT_SCHEDULING_LEGACY_SWITCH)
        return fxt_i_wrong_type(error, record);
    if (!fxt_i_take_word(&cursor, &timestamp))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_SCH_01);
    if (!fxt_i_take_thread(&cursor, &outgoing, fxt_legacy_switch_header_outgoing_thread(header)))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_SCH_01);
    if (!fxt_i_take_thread(&cursor, &incoming, fxt_legacy_switch_header_incoming_thread(header)))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_SCH_01);
    out->outgoing = outgoing;
    out->incoming = incoming;
    out->timestamp = timestamp;
    out->cpu = fxt_legacy_switch_header_cpu(header);
    out->outgoing_state = fxt_legacy_switch_header_outgoing_state(header);
    out->outgoing_priority = fxt_legacy_switch_header_outgoing_priority(header);
    out->incoming_priority = fxt_legacy_switch_header_incoming_priority(header);
    out->tail = fxt_i_tail(&cursor);
    return FXT_OK;
}

enum fxt_status fxt_read_context_switch(const struct fxt_record *record,
                                        struct fxt_context_switch *out, struct fxt_error *error)
{
    uint64_t header = record->header;
    struct fxt_i_cursor cursor = fxt_i_body(record);
    struct fxt_args args;
    uint64_t timestamp;
    uint64_t outgoing_thread;
    uint64_t incoming_thread;

    if (record->type != FXT_RECORD_SCHEDULING ||
        fxt_scheduling_header_scheduling_type(header) != FXT_SCHEDULING_CONTEXT_SWITCH)
        return fxt_i_wrong_type(error, record);
    if (!fxt_i_take_word(&cursor, &timestamp))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_SCH_04);
    if (!fxt_i_take_word(&cursor, &outgoing_thread))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_SCH_04);
    if (!fxt_i_take_word(&cursor, &incoming_thread))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_SCH_04);
    if (!fxt_i_take_args(&cursor, &args, error, record,
                         fxt_context_switch_header_arg_count(header)))
        return FXT_MALFORMED;
    out->args = args;
    out->timestamp = timestamp;
    out->outgoing_thread = outgoing_thread;
    out->incoming_thread = incoming_thread;
    out->cpu = fxt_context_switch_header_cpu(header);
    out->outgoing_state = fxt_context_switch_header_outgoing_state(header);
    out->tail = fxt_i_tail(&cursor);
    return FXT_OK;
}

enum fxt_status fxt_read_thread_wakeup(const struct fxt_record *record,
                                       struct fxt_thread_wakeup *out, struct fxt_error *error)
{
    uint64_t header = record->header;
    struct fxt_i_cursor cursor = fxt_i_body(record);
    struct fxt_args args;
    uint64_t timestamp;
    uint64_t waking_thread;

    if (record->type != FXT_RECORD_SCHEDULING ||
        fxt_scheduling_header_scheduling_type(header) != FXT_SCHEDULING_THREAD_WAKEUP)
        return fxt_i_wrong_type(error, record);
    if (!fxt_i_take_word(&cursor, &timestamp))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_SCH_05);
    if (!fxt_i_take_word(&cursor, &waking_thread))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_SCH_05);
    if (!fxt_i_take_args(&cursor, &args, error, record, fxt_thread_wakeup_header_arg_count(header)))
        return FXT_MALFORMED;
    out->args = args;
    out->timestamp = timestamp;
    out->waking_thread = waking_thread;
    out->cpu = fxt_thread_wakeup_header_cpu(header);
    out->tail = fxt_i_tail(&cursor);
    return FXT_OK;
}
