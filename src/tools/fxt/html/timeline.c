/* Records to items. The state is struct timeline, which is mapped, so that what a trace does not use
   takes no memory; items and arguments grow with the trace.

   Slices that are open, and strays, are lists by `link`, from the last to the first: for each
   thread, in tracks.it[].durations, and for each hash of an async id. Context switches are kept as
   they are: arrange.c makes slices of them. */
#include "src/tools/fxt/html/timeline.h"

#include <string.h>

#include "src/convert/kinds.h"
#include "src/convert/names.h"

/* ---- tracks */

static uint32_t process_of(const struct timeline *timeline, uint32_t thread)
{
    return timeline->tracks.it[thread].process;
}

static uint32_t async_track(const struct timeline *timeline, uint32_t thread)
{
    return process_of(timeline, thread) | (uint32_t)TRACK_ASYNC << TRACK_KIND_SHIFT;
}

static uint32_t cpu_track(uint16_t cpu)
{
    return cpu | (uint32_t)TRACK_CPU << TRACK_KIND_SHIFT;
}

/* Where async operations are not matched. */
#define NO_PROCESS (TRACK_OTHERS | (uint32_t)TRACK_ASYNC << TRACK_KIND_SHIFT)

/* ---- slices */

static struct item item_of(struct timeline *timeline, const struct fxt_event *event, uint64_t ns,
                           uint32_t track)
{
    return (struct item){
        .time = ns,
        .end = ns,
        .track = track,
        .name = refs_text(&timeline->refs, event->name),
        .category = refs_text(&timeline->refs, event->category),
        .args = args_put(timeline, event->args),
    };
}

static void set_end(struct timeline *timeline, struct item *slice, uint64_t ns)
{
    slice->end = ns > slice->time ? ns : slice->time;
    slice->unfinished = false;
    timeline->notes[ODD_BACKWARDS] += ns < slice->time;
}

static void complete(struct timeline *timeline, const struct fxt_event *event, uint64_t ns,
                     uint32_t track)
{
    struct item slice = item_of(timeline, event, ns, track);
    set_end(timeline, &slice, refs_end_ns(&timeline->refs, event->value));
    slice.complete = true;
    timeline_add(timeline, &timeline->slices, &slice);
}

/* The number of a slice that is open, or ITEM_NONE. */
static uint32_t open_slice(struct timeline *timeline, struct item *slice)
{
    slice->unfinished = true;
    return timeline_add(timeline, &timeline->slices, slice);
}

static void close_slice(struct timeline *timeline, uint32_t number, uint64_t ns, uint32_t args)
{
    struct item *slice = &timeline->slices.it[number];
    set_end(timeline, slice, ns);
    slice->args = args_join(timeline, slice->args, args);
}

static struct pairing_rows rows_of(struct timeline *timeline, const struct items *items)
{
    return (struct pairing_rows){.it = items->it,
                                 .size = sizeof(struct item),
                                 .time = offsetof(struct item, time),
                                 .next = offsetof(struct item, link),
                                 .none = ITEM_NONE,
                                 .crowded = &timeline->crowded};
}

static void begin_duration(struct timeline *timeline, const struct fxt_event *event, uint64_t ns,
                           uint32_t track)
{
    struct item slice = item_of(timeline, event, ns, track);
    uint32_t number = open_slice(timeline, &slice);
    struct pairing_rows slices = rows_of(timeline, &timeline->slices); /* they may have moved */
    if (number != ITEM_NONE)
        pairing_begin(&timeline->tracks.it[track].durations, &slices, number);
}

static void end_duration(struct timeline *timeline, const struct fxt_event *event, uint64_t ns,
                         uint32_t track)
{
    struct pairing *durations = &timeline->tracks.it[track].durations;
    struct pairing_rows slices = rows_of(timeline, &timeline->slices);
    uint32_t number;
    if (pairing_end(durations, &slices, ns, &number)) {
        close_slice(timeline, number, ns, args_put(timeline, event->args));
        return;
    }
    struct item stray = item_of(timeline, event, ns, track);
    number = timeline_add(timeline, &timeline->strays, &stray);
    struct pairing_rows strays = rows_of(timeline, &timeline->strays); /* they may have moved */
    if (number != ITEM_NONE)
        pairing_stray(durations, &strays, number);
}

/* What came too late, or still waits. */
static void match_rest(struct timeline *timeline, uint32_t track)
{
    struct pairing_rows slices = rows_of(timeline, &timeline->slices);
    struct pairing_rows strays = rows_of(timeline, &timeline->strays);
    struct pairing_rest rest =
        pairing_rest(&timeline->tracks.it[track].durations, &slices, &strays);
    uint32_t begin, end;
    while (pairing_next(&rest, &begin, &end)) {
        const struct item *stray = &timeline->strays.it[end];
        if (begin == ITEM_NONE)
            timeline->notes[ODD_ENDS]++;
        else
            close_slice(timeline, begin, stray->time, stray->args);
    }
}

/* An async operation and the lists that its hash chooses. The scope of an id is its process. */
struct async {
    uint64_t id;
    uint32_t track;
    uint32_t *begins; /* of slices */
    uint32_t *ends;   /* of strays */
};

static struct async async_of(struct timeline *timeline, uint64_t id, uint32_t track)
{
    uint64_t slot = names_hash(track, id) % ASYNC_SLOTS;
    return (struct async){id, track, &timeline->async_begins[slot], &timeline->async_ends[slot]};
}

/* Slices or strays, of an operation. */
struct async_items {
    const struct async *async;
    const struct item *it;
};

static bool is_of(const void *operation, uint32_t number)
{
    const struct async_items *items = operation;
    const struct item *item = &items->it[number];
    return item->end == items->async->id && item->track == items->async->track;
}

static uint32_t *find_begin(struct timeline *timeline, const struct async *async, uint64_t ns)
{
    struct pairing_rows slices = rows_of(timeline, &timeline->slices);
    const struct async_items items = {async, timeline->slices.it};
    return pairing_find_begin(&slices, async->begins, ns, is_of, &items);
}

static uint32_t *find_end(struct timeline *timeline, const struct async *async, uint64_t ns)
{
    struct pairing_rows strays = rows_of(timeline, &timeline->strays);
    const struct async_items items = {async, timeline->strays.it};
    return pairing_find_end(&strays, async->ends, ns, is_of, &items);
}

static void begin_async(struct timeline *timeline, const struct fxt_event *event, uint64_t ns,
                        uint32_t track)
{
    struct async async = async_of(timeline, event->value, track);
    struct item slice = item_of(timeline, event, ns, track);
    const uint32_t *around = track != NO_PROCESS ? find_begin(timeline, &async, ns) : NULL;
    slice.parent = around != NULL ? *around : ITEM_NONE;
    slice.end = event->value;
    uint32_t number = open_slice(timeline, &slice);
    if (number == ITEM_NONE || track == NO_PROCESS)
        return;
    uint32_t *link = find_end(timeline, &async, ns);
    if (link != NULL) {
        const struct item *stray = &timeline->strays.it[*link];
        *link = stray->link;
        timeline->notes[ODD_ENDS]--;
        close_slice(timeline, number, stray->time, stray->args);
    } else {
        timeline->slices.it[number].link = *async.begins;
        *async.begins = number;
    }
}

static void end_async(struct timeline *timeline, const struct fxt_event *event, uint64_t ns,
                      uint32_t track)
{
    struct async async = async_of(timeline, event->value, track);
    uint32_t *link = track != NO_PROCESS ? find_begin(timeline, &async, ns) : NULL;
    if (link != NULL) {
        uint32_t number = *link;
        *link = timeline->slices.it[number].link;
        close_slice(timeline, number, ns, args_put(timeline, event->args));
        return;
    }
    struct item stray = item_of(timeline, event, ns, track);
    stray.end = event->value;
    stray.link = *async.ends;
    uint32_t number = timeline_add(timeline, &timeline->strays, &stray);
    if (number != ITEM_NONE) {
        *async.ends = number;
        timeline->notes[ODD_ENDS]++; /* unless its begin comes later */
    }
}

/* ---- counters and flows */

static void see_counter(struct timeline *timeline, const struct fxt_event *event, uint64_t ns,
                        uint32_t thread)
{
    struct fxt_args args = event->args;
    struct fxt_arg arg;
    struct fxt_error error;
    double value;
    struct counter key = {.id = event->value,
                          .process = process_of(timeline, thread),
                          .category = refs_text(&timeline->refs, event->category),
                          .name = refs_text(&timeline->refs, event->name)};
    while (fxt_args_next(&args, &arg, &error) == FXT_OK) {
        struct item sample = {.time = ns};
        if (!counters_number(&arg, &value))
            continue;
        key.arg = refs_text(&timeline->refs, arg.name);
        sample.track = counters_add(&timeline->counters, &key, ns, value);
        memcpy(&sample.end, &value, sizeof value);
        if (sample.track != COUNTER_NONE)
            timeline_add(timeline, &timeline->samples, &sample);
    }
}

static void see_flow(struct timeline *timeline, const struct fxt_event *event, uint64_t ns,
                     uint32_t thread)
{
    struct item point = {
        .time = ns, .end = event->value, .track = thread, .trace = timeline->traces};
    point.depth = event->event_type;
    timeline_add(timeline, &timeline->flows, &point);
}

static void see_instant(struct timeline *timeline, const struct fxt_event *event, uint64_t ns,
                        uint32_t track)
{
    struct item instant = item_of(timeline, event, ns, track);
    timeline_add(timeline, &timeline->instants, &instant);
}

static void see_event(struct timeline *timeline, const struct fxt_event *event)
{
    uint64_t ns = refs_ns(&timeline->refs, event->timestamp);
    uint32_t thread = tracks_find(&timeline->tracks, event->thread);
    uint32_t async = async_track(timeline, thread);
    switch (event->event_type) {
    case FXT_EVENT_INSTANT:
        see_instant(timeline, event, ns, thread);
        return;
    case FXT_EVENT_COUNTER:
        see_counter(timeline, event, ns, thread);
        return;
    case FXT_EVENT_DURATION_BEGIN:
        begin_duration(timeline, event, ns, thread);
        return;
    case FXT_EVENT_DURATION_END:
        end_duration(timeline, event, ns, thread);
        return;
    case FXT_EVENT_DURATION_COMPLETE:
        complete(timeline, event, ns, thread);
        return;
    case FXT_EVENT_ASYNC_BEGIN:
        begin_async(timeline, event, ns, async);
        return;
    case FXT_EVENT_ASYNC_INSTANT:
        see_instant(timeline, event, ns, async);
        return;
    case FXT_EVENT_ASYNC_END:
        end_async(timeline, event, ns, async);
        return;
    case FXT_EVENT_FLOW_BEGIN:
    case FXT_EVENT_FLOW_STEP:
    case FXT_EVENT_FLOW_END:
        see_flow(timeline, event, ns, thread);
        return;
    default:
        timeline->notes[LEFT_UNKNOWN]++;
    }
}

/* ---- scheduling */

/* NAME_OTHERS for none. */
static uint32_t thread_name(struct timeline *timeline, struct fxt_thread_ref ref)
{
    const struct fxt_tables *tables = &timeline->refs.tables;
    if (ref.ref != 0 && !fxt_tables_thread(tables, &ref, ref))
        return tracks_thread_ref_name(&timeline->names, ref.ref);
    return ref.thread != 0 ? tracks_thread_name(&timeline->names, tables, ref.thread) : NAME_OTHERS;
}

static struct fxt_bytes state_name(uint16_t state)
{
    const char *name = fxt_convert_name_of(&fxt_convert_thread_states, state);
    name = name != NULL ? name : "unknown";
    return (struct fxt_bytes){(const uint8_t *)name, strlen(name)};
}

static void see_switch(struct timeline *timeline, uint64_t ticks, uint16_t cpu, uint16_t state,
                       struct fxt_thread_ref outgoing, struct fxt_thread_ref incoming,
                       struct fxt_args args)
{
    struct item change = {
        .time = refs_ns(&timeline->refs, ticks),
        .end = tracks_provider(&timeline->tracks),
        .track = cpu_track(cpu),
        .name = thread_name(timeline, incoming),
        .parent = thread_name(timeline, outgoing),
        .category = timeline_word(timeline, "sched"),
        .args = args_put_text(timeline, "stopped as", state_name(state), args),
    };
    timeline_add(timeline, &timeline->switches, &change);
}

/* For the names: an idle thread has the koid 0. */
static struct fxt_thread_ref named(struct fxt_thread_ref thread, bool is_idle)
{
    return is_idle ? fxt_thread_inline(0, 0) : thread;
}

static void see_legacy_switch(struct timeline *timeline, const struct fxt_legacy_switch *in)
{
    const struct refs *refs = &timeline->refs;
    const struct fxt_args none = {.count = 0};
    bool from_idle = refs_is_idle(refs, in->outgoing, in->outgoing_priority);
    bool to_idle = refs_is_idle(refs, in->incoming, in->incoming_priority);
    see_switch(timeline, in->timestamp, in->cpu, in->outgoing_state, named(in->outgoing, from_idle),
               named(in->incoming, to_idle), none);
}

static void see_context_switch(struct timeline *timeline, const struct fxt_context_switch *in)
{
    const struct refs *refs = &timeline->refs;
    bool from_idle = refs_weight(refs, in->args, "outgoing_weight") == REFS_IDLE;
    bool to_idle = refs_weight(refs, in->args, "incoming_weight") == REFS_IDLE;
    see_switch(timeline, in->timestamp, in->cpu, in->outgoing_state,
               named(fxt_thread_inline(0, in->outgoing_thread), from_idle),
               named(fxt_thread_inline(0, in->incoming_thread), to_idle), in->args);
}

static void see_wakeup(struct timeline *timeline, const struct fxt_thread_wakeup *wakeup)
{
    uint32_t who = thread_name(timeline, fxt_thread_inline(0, wakeup->waking_thread));
    struct item instant = {
        .time = refs_ns(&timeline->refs, wakeup->timestamp),
        .track = cpu_track(wakeup->cpu),
        .name = timeline_word(timeline, "wakeup"),
        .category = timeline_word(timeline, "sched"),
        .args = args_put_text(timeline, "thread", names_text(&timeline->names, who), wakeup->args),
    };
    timeline_add(timeline, &timeline->instants, &instant);
}

/* ---- records */

/* An instant of a record that is not an event. */
static void see_other(struct timeline *timeline, uint64_t ticks, struct fxt_thread_ref thread,
                      uint32_t category, uint32_t name, uint32_t args)
{
    struct item instant = {
        .time = refs_ns(&timeline->refs, ticks),
        .track = tracks_find(&timeline->tracks, thread),
        .name = name,
        .category = category,
        .args = args,
    };
    timeline_add(timeline, &timeline->instants, &instant);
}

static void see_log(struct timeline *timeline, const struct fxt_log *log)
{
    const struct fxt_args none = {.count = 0};
    uint32_t word = timeline_word(timeline, "log");
    see_other(timeline, log->timestamp, log->thread, word, word,
              args_put_text(timeline, "message", log->message, none));
}

static void see_large_blob(struct timeline *timeline, const struct fxt_large_blob *blob)
{
    if (blob->blob_format != FXT_LARGE_BLOB_METADATA) {
        timeline->notes[LEFT_OTHER]++;
        return;
    }
    see_other(timeline, blob->timestamp, blob->thread, refs_text(&timeline->refs, blob->category),
              refs_text(&timeline->refs, blob->name), args_put(timeline, blob->args));
}

/* Events and whatever else has a time. */
static void see(struct timeline *timeline, enum fxt_kind kind, const union fxt_convert_any *any)
{
    switch (kind) {
    case FXT_KIND_EVENT:
        see_event(timeline, &any->event);
        return;
    case FXT_KIND_LEGACY_SWITCH:
        see_legacy_switch(timeline, &any->legacy_switch);
        return;
    case FXT_KIND_CONTEXT_SWITCH:
        see_context_switch(timeline, &any->context_switch);
        return;
    case FXT_KIND_THREAD_WAKEUP:
        see_wakeup(timeline, &any->thread_wakeup);
        return;
    case FXT_KIND_LOG:
        see_log(timeline, &any->log);
        return;
    case FXT_KIND_LARGE_BLOB:
        see_large_blob(timeline, &any->large_blob);
        return;
    case FXT_KIND_UNKNOWN:
        timeline->notes[LEFT_UNKNOWN]++;
        return;
    default:
        timeline->notes[LEFT_OTHER] += kind == FXT_KIND_BLOB || kind > FXT_KIND_THREAD_WAKEUP ||
                                       kind == FXT_KIND_USERSPACE_OBJECT;
    }
}

/* refs.last is that of this trace until all have ended. */
static void end_trace(struct timeline *timeline)
{
    uint64_t *last = &timeline->last_of[timeline_place(timeline->tracks.trace)];
    uint64_t here = timeline->refs.last;
    *last = here > *last ? here : *last;
    timeline->last = here > timeline->last ? here : timeline->last;
    timeline->refs.last = 0;
    tracks_end_trace(&timeline->tracks, &timeline->names, &timeline->refs.tables);
}

void timeline_record(struct timeline *timeline, const struct fxt_record *record)
{
    union fxt_convert_any any;
    struct fxt_error error;
    enum fxt_kind kind = fxt_kind_of(record);
    if (fxt_kind_decode(kind, record, &any, &error) != FXT_OK) {
        timeline->notes[LEFT_MALFORMED]++;
        return;
    }
    if (kind == FXT_KIND_MAGIC) { /* the tables forget the trace before (MET-10) */
        end_trace(timeline);
        timeline->traces++;
    }
    if (kind < FXT_KIND_EVENT || kind == FXT_KIND_KERNEL_OBJECT) {
        refs_apply(&timeline->refs, record);
        return;
    }
    see(timeline, kind, &any);
}

/* ---- end */

static uint32_t trace_of(const struct timeline *timeline, const struct item *slice)
{
    const struct tracks *tracks = &timeline->tracks;
    uint32_t number = slice->track & ((1u << TRACK_KIND_SHIFT) - 1);
    if (slice->track >> TRACK_KIND_SHIFT == TRACK_ASYNC)
        return tracks->processes[number].trace;
    return tracks->providers[tracks->it[number].provider].trace;
}

/* A begin without an end lasts until the end of its trace. */
static void end_open(struct timeline *timeline)
{
    for (uint32_t i = 1; i <= timeline->slices.used; i++) {
        struct item *slice = &timeline->slices.it[i];
        if (!slice->unfinished)
            continue;
        slice->end = timeline_last_of(timeline, trace_of(timeline, slice));
        slice->end = slice->end > slice->time ? slice->end : slice->time;
        timeline->notes[ODD_BEGINS]++;
    }
}

bool timeline_end(struct timeline *timeline)
{
    end_trace(timeline);
    timeline->refs.last = timeline->last;
    for (uint32_t i = 0; i < timeline->tracks.count; i++)
        match_rest(timeline, i);
    end_open(timeline);
    return arrange(timeline);
}
