/* Events to slices, counters, and events that wait for the end of the trace: async and flow events
   are matched in the order of time, which is not that of the file. */
#include "src/timeline/importer.h"

struct seen {
    const struct fxt_event *event;
    const struct fxt_arg *args;
    uint64_t ts;
    uint64_t offset;
    struct lane_row *lane;
};

static uint32_t thread_track(struct timeline *timeline, uint32_t thread)
{
    struct thread_row *row = threads_at(timeline, thread);
    if (row->track == ROW_NONE) {
        row->track = timeline->tracks.count;
        *(struct track_row *)array_add(&timeline->tracks) =
            (struct track_row){.name = ROW_NONE,
                               .thread = thread,
                               .process = row->process,
                               .event = ROW_NONE,
                               .arg = ROW_NONE,
                               .category = ROW_NONE,
                               .source = ROW_NONE,
                               .type = TRACK_THREAD};
    }
    return row->track;
}

static uint32_t add_slice(struct importer *importer, const struct seen *seen, uint64_t dur)
{
    struct timeline *timeline = importer->timeline;
    const struct fxt_event *event = seen->event;
    const struct slice_row slice = {
        .ts = seen->ts,
        .dur = dur,
        .offset = seen->offset,
        .track = thread_track(timeline, seen->lane->thread),
        .category = import_text(importer, event->category),
        .name = import_text(importer, event->name),
        .parent = ROW_NONE,
        .args = import_arg_list(importer, seen->args, event->args.count),
        .provider = import_provider(importer),
        .event = (uint8_t)event->event_type,
        .scope = (uint8_t)event->scope,
    };
    *(struct slice_row *)array_add(&timeline->slices) = slice;
    return timeline->slices.count - 1;
}

static void add_stray(struct importer *importer, const struct seen *seen, uint64_t value)
{
    const struct fxt_event *event = seen->event;
    const struct stray_row stray = {
        .ts = seen->ts,
        .value = value,
        .offset = seen->offset,
        .thread = seen->lane->thread,
        .category = import_text(importer, event->category),
        .name = import_text(importer, event->name),
        .args = import_arg_list(importer, seen->args, event->args.count),
        .provider = import_provider(importer),
        .event = (uint8_t)event->event_type,
    };
    *(struct stray_row *)array_add(&importer->timeline->strays) = stray;
}

static struct pairing_rows slices_of(const struct timeline *timeline)
{
    return (struct pairing_rows){.it = timeline->slices.it,
                                 .size = sizeof(struct slice_row),
                                 .time = offsetof(struct slice_row, ts),
                                 .place = offsetof(struct slice_row, offset),
                                 .next = offsetof(struct slice_row, parent),
                                 .none = ROW_NONE};
}

static struct pairing_rows strays_of(const struct timeline *timeline)
{
    return (struct pairing_rows){.it = timeline->strays.it,
                                 .size = sizeof(struct stray_row),
                                 .time = offsetof(struct stray_row, ts),
                                 .place = offsetof(struct stray_row, offset),
                                 .next = offsetof(struct stray_row, next),
                                 .none = ROW_NONE};
}

static void begin_duration(struct importer *importer, const struct seen *seen)
{
    uint32_t slice = add_slice(importer, seen, DUR_NONE);
    struct pairing_rows slices = slices_of(importer->timeline);
    pairing_begin(&seen->lane->durations, &slices, slice);
}

/* An end without a name names no other event. */
static void close_slice(struct importer *importer, struct slice_row *slice, uint64_t ts,
                        uint64_t offset, uint32_t name)
{
    slice->dur = ts - slice->ts;
    slice->end_offset = offset;
    importer->notes.crossed += name != slice->name && name != TEXT_EMPTY;
}

static void end_duration(struct importer *importer, const struct seen *seen)
{
    struct timeline *timeline = importer->timeline;
    struct pairing_rows slices = slices_of(timeline);
    uint32_t number;
    if (!pairing_end(&seen->lane->durations, &slices, seen->ts, &number)) {
        add_stray(importer, seen, 0);
        struct pairing_rows strays = strays_of(timeline);
        pairing_stray(&seen->lane->durations, &strays, timeline->strays.count - 1);
        return;
    }
    struct slice_row *slice = slices_at(timeline, number);
    close_slice(importer, slice, seen->ts, seen->offset, import_text(importer, seen->event->name));
    import_more_args(importer, &slice->args, seen->args, seen->event->args.count);
}

/* What came too late, or still waits. */
static void match_rest(struct importer *importer, const struct lane_row *lane)
{
    struct timeline *timeline = importer->timeline;
    struct pairing_rows slices = slices_of(timeline);
    struct pairing_rows strays = strays_of(timeline);
    struct pairing_rest rest = pairing_rest(&lane->durations, &slices, &strays);
    uint32_t begin, end;
    while (pairing_next(&rest, &begin, &end)) {
        struct stray_row *stray = strays_at(timeline, end);
        if (begin == ROW_NONE)
            continue;
        struct slice_row *slice = slices_at(timeline, begin);
        close_slice(importer, slice, stray->ts, stray->offset, stray->name);
        import_join_args(timeline, &slice->args, stray->args);
        stray->event = STRAY_MATCHED;
    }
}

/* Ends that have found their begin are no strays. */
static void keep_strays(struct array *strays)
{
    const struct stray_row *it = strays->it;
    uint32_t count = strays->count;
    strays->count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (it[i].event != STRAY_MATCHED)
            *(struct stray_row *)array_add(strays) = it[i];
}

void finish_durations(struct importer *importer)
{
    for (uint32_t i = 0; i < importer->lanes.count; i++)
        match_rest(importer, array_at(&importer->lanes, i));
    keep_strays(&importer->timeline->strays);
}

static void complete_duration(struct importer *importer, const struct seen *seen)
{
    uint64_t end = refs_end_ns(&importer->refs, seen->event->value);
    if (end < seen->ts)
        add_stray(importer, seen, end);
    else
        add_slice(importer, seen, end - seen->ts);
}

static uint32_t add_counter_track(struct importer *importer, const struct seen *seen,
                                  uint32_t event, uint32_t arg, uint32_t category, uint32_t process)
{
    struct timeline *timeline = importer->timeline;
    const struct track_row track = {
        .id = seen->event->value,
        .name = ROW_NONE,
        .thread = ROW_NONE,
        .process = process,
        .event = event,
        .arg = arg,
        .category = category,
        .source = ROW_NONE,
        .type = TRACK_COUNTER,
    };
    *(struct track_row *)array_add(&timeline->tracks) = track;
    return timeline->tracks.count - 1;
}

/* One for each process, category, event name, argument name and counter id. */
static uint32_t counter_track(struct importer *importer, const struct seen *seen, uint32_t event,
                              uint32_t arg)
{
    uint32_t process = threads_at(importer->timeline, seen->lane->thread)->process;
    uint32_t category = import_text(importer, seen->event->category);
    uint32_t whose = process != ROW_NONE ? process : ROW_NONE - importer->trace;
    uint32_t *track = import_row(importer, &importer->counter_map, seen->event->value,
                                 (uint64_t)event << 32 | arg, (uint64_t)category << 32 | whose);
    if (*track == ROW_NONE)
        *track = add_counter_track(importer, seen, event, arg, category, process);
    return *track;
}

static void count(struct importer *importer, const struct seen *seen)
{
    struct fxt_arg others[FXT_ARGS_MAX];
    uint32_t other_count = 0;
    uint32_t name = import_text(importer, seen->event->name);
    for (uint32_t i = 0; i < seen->event->args.count; i++)
        if (!import_is_number(&seen->args[i]))
            others[other_count++] = seen->args[i];
    if (other_count == seen->event->args.count) {
        importer->notes.valueless++;
        add_stray(importer, seen, seen->event->value);
        return;
    }
    uint32_t set = import_arg_list(importer, others, other_count);
    for (uint32_t i = 0; i < seen->event->args.count; i++) {
        const struct fxt_arg *arg = &seen->args[i];
        if (!import_is_number(arg))
            continue;
        const struct counter_row row = {
            .ts = seen->ts,
            .value = arg->type == FXT_ARG_INT32 ? (uint64_t)fxt_arg_int64(arg) : arg->value,
            .offset = seen->offset,
            .track = counter_track(importer, seen, name, import_text(importer, arg->name)),
            .args = set,
            .provider = import_provider(importer),
            .type = (uint8_t)arg->type,
        };
        *(struct counter_row *)array_add(&importer->timeline->counters) = row;
    }
}

static void keep(struct importer *importer, const struct seen *seen, struct array *rows)
{
    const struct fxt_event *event = seen->event;
    const struct id_event_row row = {
        .ts = seen->ts,
        .id = event->value,
        .offset = seen->offset,
        .thread = seen->lane->thread,
        .category = import_text(importer, event->category),
        .name = import_text(importer, event->name),
        .args = import_arg_list(importer, seen->args, event->args.count),
        .slice = ROW_NONE,
        .provider = import_provider(importer),
        .trace = importer->trace,
        .event = (uint8_t)event->event_type,
    };
    *(struct id_event_row *)array_add(rows) = row;
}

void import_event(struct importer *importer, const struct fxt_event *event,
                  const struct fxt_arg *args, uint64_t offset)
{
    if (event->event_type > FXT_EVENT_FLOW_END) {
        importer->notes.unknown++;
        return;
    }
    const struct seen seen = {event, args, import_time(importer, event->timestamp), offset,
                              import_lane(importer, event->thread)};
    switch (event->event_type) {
    case FXT_EVENT_INSTANT:
        add_slice(importer, &seen, 0);
        break;
    case FXT_EVENT_COUNTER:
        count(importer, &seen);
        break;
    case FXT_EVENT_DURATION_BEGIN:
        begin_duration(importer, &seen);
        break;
    case FXT_EVENT_DURATION_END:
        end_duration(importer, &seen);
        break;
    case FXT_EVENT_DURATION_COMPLETE:
        complete_duration(importer, &seen);
        break;
    case FXT_EVENT_ASYNC_BEGIN:
    case FXT_EVENT_ASYNC_INSTANT:
    case FXT_EVENT_ASYNC_END:
        keep(importer, &seen, &importer->asyncs);
        break;
    default:
        keep(importer, &seen, &importer->timeline->flow_events);
        break;
    }
}
