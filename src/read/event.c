/* Events: the one layout of all eleven types, and of types to come. */
#include "src/read/arg.h"

/* Whether the type is followed by a word of its own: counter id, end time or correlation id. */
/*@ terminates \true;
  @ assigns \nothing;
  @*/
static inline bool has_value(uint8_t type)
{
    return type == FXT_EVENT_COUNTER ||
           (type >= FXT_EVENT_DURATION_COMPLETE && type <= FXT_EVENT_FLOW_END);
}

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(out) && \valid(error) && \separated(record, out, error);
  @ requires \separated(out, record->bytes + (0 .. 8 * record->words - 1));
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures \result \in {FXT_OK, FXT_WRONG_TYPE, FXT_MALFORMED};
  @ ensures \result == FXT_OK ==> fxt_args_ok(&out->args) && out->args.count <= 15;
  @*/
enum fxt_status fxt_read_event(const struct fxt_record *record, struct fxt_event *out,
                               struct fxt_error *error)
{
    uint64_t header = record->header;
    uint8_t type = fxt_event_header_event_type(header);
    struct fxt_i_cursor cursor = fxt_i_body(record);
    struct fxt_thread_ref thread;
    struct fxt_string_ref category;
    struct fxt_string_ref name;
    struct fxt_args args;
    uint64_t timestamp;
    uint64_t value = 0;
    uint8_t has_scope = 0;

    if (record->type != FXT_RECORD_EVENT)
        return fxt_i_wrong_type(error, record);
    if (!fxt_i_take_word(&cursor, &timestamp))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_EVT_01);
    if (!fxt_i_take_thread(&cursor, &thread, fxt_event_header_thread(header)))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_THR_03);
    if (!fxt_i_take_string(&cursor, &category, fxt_event_header_category(header)) ||
        !fxt_i_take_string(&cursor, &name, fxt_event_header_name(header)))
        return fxt_i_malformed(error, record, cursor.position, FXT_RULE_STR_03);
    if (!fxt_i_take_args(&cursor, &args, error, record, fxt_event_header_arg_count(header)))
        return FXT_MALFORMED;
    if (has_value(type)) {
        if (!fxt_i_take_word(&cursor, &value))
            return fxt_i_malformed(error, record, cursor.position, FXT_RULE_EVT_03);
    } else if (type == FXT_EVENT_INSTANT) {
        has_scope = fxt_i_take_word(&cursor, &value);
    }
    out->thread = thread;
    out->category = category;
    out->name = name;
    out->args = args;
    out->tail = fxt_i_tail(&cursor);
    out->timestamp = timestamp;
    out->event_type = type;
    out->has_scope = has_scope;
    out->scope = has_scope && value <= FXT_SCOPE_GLOBAL ? (uint8_t)value : FXT_SCOPE_THREAD;
    out->value = value;
    return FXT_OK;
}
