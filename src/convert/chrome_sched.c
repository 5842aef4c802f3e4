/* Scheduling records: switches wait in chrome_window.c until they can be put into the order of time,
   wakeups are written at once. No state. */
#include "src/convert/chrome_i.h"
#include "src/convert/idle.h"

static const char instant_start[24] = FXT_I_CHROME_START("i");

/* The koid, 0 when it is idle; or 0, and the ref in *unknown, when it is not registered. */
static uint64_t thread_koid(const struct fxt_chrome *chrome, struct fxt_thread_ref ref,
                            uint16_t priority, uint16_t *unknown)
{
    *unknown = 0;
    if (fxt_convert_is_idle(chrome->tables, ref, priority))
        return 0;
    if (ref.ref == 0 || fxt_tables_thread(chrome->tables, &ref, ref))
        return ref.thread;
    *unknown = ref.ref;
    return 0;
}

static enum fxt_status legacy_switch(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    struct fxt_legacy_switch in;
    struct fxt_error error;
    if (fxt_read_legacy_switch(record, &in, &error) != FXT_OK)
        return FXT_MALFORMED;
    struct fxt_chrome_switch change = {.ns = fxt_i_chrome_ticks(chrome, in.timestamp),
                                       .offset = record->offset,
                                       .outgoing_priority = in.outgoing_priority,
                                       .incoming_priority = in.incoming_priority,
                                       .state = in.outgoing_state,
                                       .has_priorities = 1};
    change.outgoing = thread_koid(chrome, in.outgoing, in.outgoing_priority, &change.outgoing_ref);
    change.incoming = thread_koid(chrome, in.incoming, in.incoming_priority, &change.incoming_ref);
    if (fxt_i_chrome_find_cpu(chrome, &change.cpu, in.cpu))
        fxt_i_chrome_wait(chrome, &change, NULL);
    return FXT_OK;
}

/* The koid, 0 when the argument `weight` says that it is idle. */
static uint64_t weighed_koid(const struct fxt_chrome *chrome, uint64_t koid, struct fxt_args args,
                             const char *weight)
{
    bool is_idle = fxt_convert_weight(chrome->tables, args, weight) == FXT_CONVERT_IDLE_WEIGHT;
    return is_idle ? 0 : koid;
}

static enum fxt_status context_switch(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    struct fxt_context_switch in;
    struct fxt_error error;
    if (fxt_read_context_switch(record, &in, &error) != FXT_OK)
        return FXT_MALFORMED;
    struct fxt_chrome_switch change = {.ns = fxt_i_chrome_ticks(chrome, in.timestamp),
                                       .offset = record->offset,
                                       .state = in.outgoing_state};
    change.outgoing = weighed_koid(chrome, in.outgoing_thread, in.args, "outgoing_weight");
    change.incoming = weighed_koid(chrome, in.incoming_thread, in.args, "incoming_weight");
    if (fxt_i_chrome_find_cpu(chrome, &change.cpu, in.cpu))
        fxt_i_chrome_wait(chrome, &change, &in.args);
    return FXT_OK;
}

static enum fxt_status thread_wakeup(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    struct fxt_thread_wakeup in;
    struct fxt_error error;
    struct fxt_i_chrome_names names = {0};
    if (fxt_read_thread_wakeup(record, &in, &error) != FXT_OK)
        return FXT_MALFORMED;
    uint64_t ns = fxt_i_chrome_ticks(chrome, in.timestamp);
    const struct fxt_i_chrome_who who = {in.waking_thread, 0};
    uint16_t place;
    if (!fxt_i_chrome_find_cpu(chrome, &place, in.cpu))
        return FXT_OK;
    char *to = fxt_i_chrome_begin(chrome, instant_start);
    to = fxt_i_chrome_put_ts(chrome, to, ns);
    to = FXT_I_PUT(to, ",\"s\":\"t\"");
    to = fxt_i_chrome_put_track(to, FXT_CHROME_CPU_PID, chrome->memory->cpus[place].tid);
    to = FXT_I_PUT(to, ",\"cat\":\"sched\",\"name\":\"wakeup\",\"args\":{");
    to = fxt_i_chrome_put_who(chrome, to, &names, who);
    to = fxt_i_chrome_put_key(chrome, to, &names, "name");
    to = fxt_i_chrome_put_thread_name(chrome, to, who);
    to = fxt_i_chrome_put_args(chrome, to, &names, in.args, false);
    *to++ = '}';
    fxt_i_chrome_finish(chrome, to);
    return FXT_OK;
}

enum fxt_status fxt_i_chrome_scheduling(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    switch (fxt_record_scheduling_type(record)) {
    case FXT_SCHEDULING_LEGACY_SWITCH:
        return legacy_switch(chrome, record);
    case FXT_SCHEDULING_CONTEXT_SWITCH:
        return context_switch(chrome, record);
    case FXT_SCHEDULING_THREAD_WAKEUP:
        return thread_wakeup(chrome, record);
    default:
        chrome->omitted.unknown++;
        return FXT_OK;
    }
}

void fxt_i_chrome_end_cpus(struct fxt_chrome *chrome)
{
    fxt_i_chrome_let_all_go(chrome);
    fxt_i_chrome_end_spans(chrome);
}
