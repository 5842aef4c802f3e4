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
    bool shared = ticks > 0 && ns < INT64_MAX && fxt_i_chrome_ticks(chrome, ticks - 1) == ns;
    return shared ? ns + 1 : ns;
}

/* What an event of that type has of its own. */
static char *put_special(struct fxt_chrome *chrome, char *to, const struct fxt_event *event,
                         uint64_t begin, uint64_t end)
{
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
        return fxt_i_chrome_put_dur(chrome, to, end - begin);
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

/* An object of `count` arguments. */
static char *put_object(struct fxt_chrome *chrome, char *to, const struct fxt_arg *args,
                        uint16_t count, bool counter)
{
    struct fxt_i_chrome_names names;
    names.hashes = 0;
    names.count = 0;
    names.digested = 0;
    *to++ = '{';
    to = fxt_i_chrome_put_arg_list(chrome, to, &names, args, count, counter);
    *to = '}';
    return to + 1;
}

static void note_counter(struct fxt_chrome *chrome, struct fxt_string_ref name, uint64_t offset)
{
    struct fxt_bytes text;
    size_t most = sizeof chrome->first_counter_name - 1;
    chrome->omitted.counters++;
    if (chrome->omitted.counters > 1)
        return;
    chrome->first_counter = offset;
    if (fxt_tables_string(chrome->tables, &text, name) && text.size > 0)
        memcpy(chrome->first_counter_name, text.bytes, text.size < most ? (size_t)text.size : most);
}

/* The values, and what is none; see chrome.h. */
static char *put_counter(struct fxt_chrome *chrome, char *to, const struct fxt_event *event,
                         const struct fxt_arg *args, uint64_t offset)
{
    struct fxt_arg parted[FXT_ARGS_MAX];
    uint16_t count = event->args.count;
    uint16_t values = 0;
    for (uint16_t i = 0; i < count; i++)
        values = (uint16_t)(values + fxt_i_chrome_is_value(&args[i]));
    if (values == 0)
        note_counter(chrome, event->name, offset);
    to = FXT_I_PUT(to, ",\"args\":");
    if (values == count)
        return put_object(chrome, to, args, count, true);
    uint16_t next[2] = {values, 0};
    for (uint16_t i = 0; i < count; i++)
        parted[next[fxt_i_chrome_is_value(&args[i])]++] = args[i];
    to = put_object(chrome, to, parted, values, true);
    to = FXT_I_PUT(to, ",\"other_args\":");
    return put_object(chrome, to, parted + values, (uint16_t)(count - values), false);
}

/* Events that have a place among the durations of their thread. */
#define PLACED                                                                                     \
    (1u << FXT_EVENT_INSTANT | 1u << FXT_EVENT_DURATION_BEGIN | 1u << FXT_EVENT_DURATION_END |     \
     1u << FXT_EVENT_DURATION_COMPLETE | 1u << FXT_EVENT_FLOW_BEGIN | 1u << FXT_EVENT_FLOW_STEP |  \
     1u << FXT_EVENT_FLOW_END)

static bool has_begin(const struct fxt_chrome_thread *thread, uint64_t ns)
{
    bool found = false;
    for (uint32_t i = 0; i < FXT_CHROME_DEPTH; i++)
        found |= thread->begins[i] == ns;
    return found;
}

/* Puts an event at *ns in its place, as fxt_i_chrome_order does, and its end or least time, *other. Most
   events are alone in their nanosecond. */
static inline void place(struct fxt_chrome *chrome, struct fxt_chrome_thread *thread,
                         const struct fxt_event *event, uint64_t *ns, uint64_t *other)
{
    unsigned type = event->event_type;
    bool is_end = type == FXT_EVENT_DURATION_END;
    bool is_long = *other > *ns;
    if ((PLACED >> type & 1) == 0 ||
        (type == FXT_EVENT_INSTANT && event->scope != FXT_SCOPE_THREAD))
        return;
    if (*other <= thread->shown || thread->trace != chrome->trace ||
        (is_long &&
         (type != FXT_EVENT_DURATION_COMPLETE || chrome->has_moved || has_begin(thread, *ns)))) {
        uint64_t last = *other;
        *ns = fxt_i_chrome_order(chrome, thread, type, *ns, &last);
        *other = last;
        return;
    }
    thread->latest = *other;
    thread->shown = *other;
    thread->has_inner = !is_end && !is_long;
    if (type == FXT_EVENT_DURATION_BEGIN) {
        thread->begins[thread->depth % FXT_CHROME_DEPTH] = *ns;
        thread->begins_shown[thread->depth % FXT_CHROME_DEPTH] = *ns;
        thread->depth++;
    } else if (is_long) {
        thread->complete_begin = *ns;
        thread->complete_end = *other;
    }
    thread->depth -= is_end && thread->depth > 0;
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
    uint64_t other = ns;
    if (event.event_type == FXT_EVENT_DURATION_COMPLETE)
        other = fxt_i_chrome_ticks(chrome, event.value);
    else if (event.event_type >= FXT_EVENT_FLOW_BEGIN)
        other = flow_ns(chrome, event.timestamp, ns);
    if (other < ns) {
        chrome->omitted.ends_before_begin++;
        return FXT_OK;
    }
    struct fxt_chrome_thread *thread = fxt_i_chrome_thread(chrome, &event.thread);
    if (thread != NULL)
        place(chrome, thread, &event, &ns, &other);
    char *to = fxt_i_chrome_begin(chrome, starts[event.event_type]);
    to = fxt_i_chrome_put_ts(chrome, to, ns);
    to = put_special(chrome, to, &event, ns, other);
    to = fxt_i_chrome_put_entry(chrome, to, thread, event.thread.ref);
    to = put_names(chrome, to, &event);
    if (event.event_type == FXT_EVENT_COUNTER) {
        to = put_counter(chrome, to, &event, args, record->offset);
    } else if (event.args.count > 0) {
        to = FXT_I_PUT(to, ",\"args\":");
        to = put_object(chrome, to, args, event.args.count, false);
    }
    fxt_i_chrome_finish(chrome, to);
    return FXT_OK;
}
