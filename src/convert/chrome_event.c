/* Event records as events of the same meaning; see chrome.h. No state of its own. */
#include "src/convert/chrome_i.h"

static const char starts[][24] = {
    [FXT_EVENT_INSTANT] = FXT_I_CHROME_START("i"),
    [FXT_EVENT_COUNTER] = FXT_I_CHROME_START("C"),
    [FXT_EVENT_DURATION_BEGIN] = FXT_I_CHROME_START("B"),
    [FXT_EVENT_DURATION_END] = FXT_I_CHROME_START("E"),
    [FXT_EVENT_DURATION_COMPLETE] = FXT_I_CHROME_START("X"),
    [FXT_EVENT_ASYNC_BEGIN] = FXT_I_CHROME_START("b"),
    [FXT_EVENT_ASYNC_INSTANT] = FXT_I_CHROME_START("n"),
    [FXT_EVENT_ASYNC_END] = FXT_I_CHROME_START("e"),
    [FXT_EVENT_FLOW_BEGIN] = FXT_I_CHROME_START("s"),
    [FXT_EVENT_FLOW_STEP] = FXT_I_CHROME_START("t"),
    [FXT_EVENT_FLOW_END] = FXT_I_CHROME_START("f"),
};

static char *put_flow(char *to, const struct fxt_event *event)
{
    to = FXT_I_PUT(to, ",\"id\":");
    to = fxt_i_chrome_put_id(to, event->value);
    if (event->event_type == FXT_EVENT_FLOW_END)
        to = FXT_I_PUT(to, ",\"bp\":\"e\"");
    return to;
}

/* Viewers sort by time and bind a flow to the duration that is open then. A duration that began at an
   earlier tick of the same ns may come later in the trace. */
static uint64_t flow_ns(struct fxt_chrome *chrome, uint64_t ticks, uint64_t ns)
{
    bool shared = ticks > 0 && ns < UINT64_MAX && fxt_i_chrome_ticks(chrome, ticks - 1) == ns;
    return shared ? ns + 1 : ns;
}

/* What an event of that type has of its own. */
static char *put_special(struct fxt_chrome *chrome, char *to, const struct fxt_event *event,
                         uint64_t begin)
{
    uint64_t end;
    switch (event->event_type) {
    case FXT_EVENT_INSTANT:
        to = FXT_I_PUT(to, ",\"s\":\"t\"");
        to[-2] = "tpg"[event->scope < 3 ? event->scope : 0];
        return to;
    case FXT_EVENT_COUNTER:
        if (event->value == 0)
            return to;
        to = FXT_I_PUT(to, ",\"id\":");
        return fxt_i_chrome_put_id(to, event->value);
    case FXT_EVENT_DURATION_COMPLETE:
        end = fxt_i_chrome_ticks(chrome, event->value);
        to = FXT_I_PUT(to, ",\"dur\":");
        return fxt_i_chrome_put_span(to, end > begin ? end - begin : 0);
    case FXT_EVENT_ASYNC_BEGIN:
    case FXT_EVENT_ASYNC_INSTANT:
    case FXT_EVENT_ASYNC_END:
        to = FXT_I_PUT(to, ",\"id2\":{\"local\":");
        to = fxt_i_chrome_put_id(to, event->value);
        return FXT_I_PUT(to, "}");
    case FXT_EVENT_FLOW_BEGIN:
    case FXT_EVENT_FLOW_STEP:
    case FXT_EVENT_FLOW_END:
        return put_flow(to, event);
    default:
        return to;
    }
}

/* An end has none: it ends the latest duration, as in the format. Perfetto would look for a duration
   of that category and name, and leave the latest one open. */
static char *put_names(struct fxt_chrome *chrome, char *to, const struct fxt_event *event)
{
    uint16_t hash;

    if (event->event_type == FXT_EVENT_DURATION_END)
        return to;
    to = FXT_I_PUT(to, ",\"cat\":");
    to = fxt_i_chrome_put_string(chrome, to, &hash, event->category);
    to = FXT_I_PUT(to, ",\"name\":");
    return fxt_i_chrome_put_string(chrome, to, &hash, event->name);
}

enum fxt_status fxt_i_chrome_event(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    struct fxt_arg args[FXT_ARGS_MAX];
    struct fxt_event event;
    struct fxt_error error;

    if (fxt_read_event_args(record, &event, args, &error) != FXT_OK)
        return FXT_MALFORMED;
    if (event.event_type > FXT_EVENT_FLOW_END) {
        chrome->omitted.unknown++;
        return FXT_OK;
    }
    uint64_t ns = fxt_i_chrome_ticks(chrome, event.timestamp);
    if (event.event_type >= FXT_EVENT_FLOW_BEGIN)
        ns = flow_ns(chrome, event.timestamp, ns);
    char *to = fxt_i_chrome_begin(chrome, starts[event.event_type]);
    to = fxt_i_chrome_put_ts(chrome, to, ns);
    to = put_special(chrome, to, &event, ns);
    to = fxt_i_chrome_put_thread(chrome, to, event.thread);
    to = put_names(chrome, to, &event);
    if (event.args.count > 0 || event.event_type == FXT_EVENT_COUNTER) {
        struct fxt_i_chrome_names names;
        names.hashes = 0;
        names.count = 0;
        names.digested = 0;
        to = FXT_I_PUT(to, ",\"args\":{");
        to = fxt_i_chrome_put_arg_list(chrome, to, &names, args, event.args.count,
                                       event.event_type == FXT_EVENT_COUNTER);
        *to++ = '}';
    }
    fxt_i_chrome_finish(chrome, to);
    return FXT_OK;
}
