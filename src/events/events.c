/* The loop of <fxt/events.h>. Its state is struct fxt_events. */
#include <fxt/events.h>

void fxt_events_init(struct fxt_events *events, const uint8_t *bytes, uint64_t size,
                     struct fxt_tables *tables)
{
    *events = (struct fxt_events){.tables = tables};
    fxt_reader_init(&events->reader, bytes, size);
}

/* FXT_END for a record that is no event. An event registers nothing. */
static enum fxt_status take(struct fxt_events *events, struct fxt_event *event,
                            struct fxt_arg args[FXT_ARGS_MAX])
{
    struct fxt_error error;
    if (events->record.type == FXT_RECORD_EVENT)
        return fxt_read_event_args(&events->record, event, args, &error);
    if (events->tables == NULL)
        return FXT_END;
    enum fxt_status applied = fxt_tables_apply(events->tables, &events->record, &error);
    events->unregistered += applied == FXT_FULL;
    return applied == FXT_MALFORMED ? FXT_MALFORMED : FXT_END;
}

bool fxt_events_next(struct fxt_events *events, struct fxt_event *event,
                     struct fxt_arg args[FXT_ARGS_MAX])
{
    enum fxt_status status;
    do {
        status = fxt_reader_next(&events->reader, &events->record, &events->error);
        enum fxt_status taken = status == FXT_OK ? take(events, event, args) : FXT_END;
        if (taken == FXT_OK)
            return true;
        events->skipped += taken == FXT_MALFORMED;
    } while (status == FXT_OK || status == FXT_ZERO_WORD);
    if (status == FXT_END)
        events->error = (struct fxt_error){events->reader.position, FXT_END, FXT_RULE_NONE};
    return false;
}
