/* Async events to slices, in the order of time. The operations of one id in one process are on one
   track, where an end closes the begin before it. Without its thread, an event has no process, and is
   not matched. */
#include "src/timeline/importer.h"

static void add_source(struct timeline *timeline, uint32_t set, const char *key, uint8_t type,
                       uint64_t value)
{
    const struct arg_row row = {value, set, texts_add_plain(&timeline->texts, key), type};
    *(struct arg_row *)array_add(&timeline->args) = row;
    sets_at(timeline, set)->count++;
}

/* As Perfetto says where a track comes from: scripts find the process by "upid". */
static uint32_t source_of(struct timeline *timeline, uint32_t process, uint64_t id)
{
    uint32_t set = timeline->sets.count;
    *(struct set_row *)array_add(&timeline->sets) =
        (struct set_row){timeline->args.count, 0, ROW_NONE};
    add_source(timeline, set, "source", FXT_ARG_STRING,
               texts_add_plain(&timeline->texts, "chrome"));
    add_source(timeline, set, "trace_id", FXT_ARG_UINT64, id);
    add_source(timeline, set, "trace_id_is_process_scoped", FXT_ARG_BOOL, 1);
    if (process != ROW_NONE)
        add_source(timeline, set, "upid", FXT_ARG_INT64, process);
    return set;
}

static uint32_t async_track(struct importer *importer, const struct id_event_row *event)
{
    struct timeline *timeline = importer->timeline;
    uint32_t process = threads_at(timeline, event->thread)->process;
    uint32_t *track = import_row(importer, &importer->asyncs_map, process, event->id, event->trace);
    if (*track != ROW_NONE)
        return *track;
    *track = timeline->tracks.count;
    const struct track_row row = {
        .id = event->id,
        .name = event->name,
        .thread = ROW_NONE,
        .process = process,
        .event = ROW_NONE, /* the slice that is open, until all are finished */
        .arg = ROW_NONE,
        .category = ROW_NONE,
        .source = source_of(timeline, process, event->id),
        .type = TRACK_ASYNC,
    };
    *(struct track_row *)array_add(&timeline->tracks) = row;
    return timeline->tracks.count - 1;
}

static uint32_t add_slice(struct timeline *timeline, const struct id_event_row *event,
                          uint32_t track, uint64_t dur)
{
    const struct slice_row slice = {
        .ts = event->ts,
        .dur = dur,
        .offset = event->offset,
        .track = track,
        .category = event->category,
        .name = event->name,
        .parent = ROW_NONE,
        .args = event->args,
        .provider = event->provider,
        .event = event->event,
    };
    *(struct slice_row *)array_add(&timeline->slices) = slice;
    return timeline->slices.count - 1;
}

static void add_stray(struct timeline *timeline, const struct id_event_row *event)
{
    const struct stray_row stray = {
        .ts = event->ts,
        .value = event->id,
        .offset = event->offset,
        .thread = event->thread,
        .category = event->category,
        .name = event->name,
        .args = event->args,
        .provider = event->provider,
        .event = event->event,
    };
    *(struct stray_row *)array_add(&timeline->strays) = stray;
}

static void end(struct timeline *timeline, const struct id_event_row *event, uint32_t *open)
{
    if (*open == ROW_NONE) {
        add_stray(timeline, event);
        return;
    }
    struct slice_row *slice = slices_at(timeline, *open);
    slice->dur = event->ts - slice->ts;
    slice->end_offset = event->offset;
    *open = slice->parent;
    import_join_args(timeline, &slice->args, event->args);
}

static void finish_async(struct importer *importer, const struct id_event_row *event)
{
    struct timeline *timeline = importer->timeline;
    uint32_t number = async_track(importer, event);
    struct track_row *track = tracks_at(timeline, number);
    uint32_t unmatched = ROW_NONE; /* without a process */
    uint32_t *open = track->process != ROW_NONE ? &track->event : &unmatched;
    uint32_t slice;
    switch (event->event) {
    case FXT_EVENT_ASYNC_BEGIN:
        slice = add_slice(timeline, event, number, DUR_NONE);
        slices_at(timeline, slice)->parent = *open;
        *open = slice;
        break;
    case FXT_EVENT_ASYNC_END:
        end(timeline, event, open);
        break;
    default:
        add_slice(timeline, event, number, 0);
        break;
    }
}

bool finish_asyncs(struct importer *importer)
{
    struct array *slices = &importer->timeline->slices;
    if (!sort_by_time(&importer->asyncs) || !sort_by_time(slices))
        return false;
    uint32_t durations = slices->count;
    for (uint32_t i = 0; i < importer->asyncs.count; i++)
        finish_async(importer, array_at(&importer->asyncs, i));
    for (uint32_t i = 0; i < importer->timeline->tracks.count; i++)
        if (tracks_at(importer->timeline, i)->type == TRACK_ASYNC)
            tracks_at(importer->timeline, i)->event = ROW_NONE;
    array_free(&importer->asyncs);
    return merge_by_time(slices, durations);
}
