/* The loop of <fxt/events.h>. Its state is struct fxt_events. */
#include <fxt/events.h>

void fxt_events_init(struct fxt_events *events, const uint8_t *bytes, uint64_t size,
                     struct fxt_tables *tables)
{
    *events = (struct fxt_events){.tables = tables};
    fxt_reader_init(&events->reader, bytes, size);
}

/* Registers what a record that is no event defines. FXT_MALFORMED if it does not decode. */
static enum fxt_status apply(struct fxt_events *events)
{
    if (events->tables == NULL)
        return FXT_WRONG_TYPE;
    enum fxt_status applied = fxt_tables_apply(events->tables, &events->record, &events->error);
    events->unregistered += applied == FXT_FULL;
    return applied == FXT_MALFORMED ? FXT_MALFORMED : FXT_WRONG_TYPE;
}

/* FXT_WRONG_TYPE for a record that is no event. An event registers nothing. */
static enum fxt_status take(struct fxt_events *events, struct fxt_event *event,
                            struct fxt_arg args[FXT_ARGS_MAX])
{
    if (events->record.type != FXT_RECORD_EVENT)
        return apply(events);
    return fxt_read_event_args(&events->record, event, args, &events->error);
}

/* Reads one record or one zero word. FXT_OK if the record is an event that decodes. */
static enum fxt_status step(struct fxt_events *events, struct fxt_event *event,
                            struct fxt_arg args[FXT_ARGS_MAX])
{
    enum fxt_status status = fxt_reader_next(&events->reader, &events->record, &events->error);
    if (status == FXT_OK)
        status = take(events, event, args);
    events->skipped += status == FXT_MALFORMED;
    return status;
}

bool fxt_events_next(struct fxt_events *events, struct fxt_event *event,
                     struct fxt_arg args[FXT_ARGS_MAX])
{
    enum fxt_status status;
    do {
        status = step(events, event, args);
    } while (status == FXT_WRONG_TYPE || status == FXT_MALFORMED || status == FXT_ZERO_WORD);
    if (status == FXT_OK)
        return true;
    if (status == FXT_END)
        events->error = (struct fxt_error){events->reader.position, FXT_END, FXT_RULE_NONE};
    events->record = (struct fxt_record){0};
    return false;
}

/* Whether the tables answer for the event: its arguments lie in the record of the latest event. No
   record has the same offset twice, so the arguments of an earlier event lie elsewhere. */
static bool is_latest(const struct fxt_events *events, const struct fxt_event *event)
{
    return events->tables != NULL && event->args.offset > events->record.offset &&
           event->args.offset - events->record.offset <= 8 * (uint64_t)events->record.words;
}

bool fxt_events_string(const struct fxt_events *events, struct fxt_bytes *text,
                       const struct fxt_event *event, struct fxt_string_ref ref)
{
    struct fxt_bytes found;
    if (!is_latest(events, event) || !fxt_tables_string(events->tables, &found, ref))
        return false;
    *text = found;
    return true;
}

bool fxt_events_thread(const struct fxt_events *events, struct fxt_thread_ref *koids,
                       const struct fxt_event *event)
{
    struct fxt_thread_ref found;
    if (!is_latest(events, event) || !fxt_tables_thread(events->tables, &found, event->thread))
        return false;
    *koids = found;
    return true;
}

bool fxt_events_ns(const struct fxt_events *events, uint64_t *ns, const struct fxt_event *event)
{
    if (!is_latest(events, event))
        return false;
    *ns = fxt_ticks_to_ns(event->timestamp, fxt_tables_provider(events->tables)->ticks_per_second);
    return true;
}
