/* Rows of the timeline to items. What is left out is counted in the notes of the page. */
#include "src/tools/fxt/html/page.h"

#include <stdlib.h>
#include <string.h>

#include "src/convert/names.h"

/* ---- tracks */

static uint32_t async_track(const struct page *page, uint32_t process)
{
    return page->timeline->threads.count + (process != ROW_NONE ? process : 0);
}

static uint32_t cpu_track(const struct page *page, uint32_t cpu)
{
    return page->timeline->threads.count + page->timeline->processes.count + cpu;
}

static uint32_t track_of(const struct page *page, uint32_t track)
{
    const struct track_row *row = tracks_at(page->timeline, track);
    return row->type == TRACK_THREAD ? row->thread : async_track(page, row->process);
}

/* ---- items */

/* Adds what lies between two times, as far as the page shows it, with a set of arguments. */
static bool add(struct page *page, struct array *items, uint64_t begin, uint64_t end, uint32_t args,
                struct item item)
{
    if (!page_clip(page, &begin, &end))
        return false;
    if (items->count == ITEMS_MAX) {
        page->notes[LEFT_FULL]++;
        return false;
    }
    item.time = begin - page->first;
    item.duration = end - begin;
    item.args = (uint32_t)page->args_size;
    if (!page_put_args(page, args)) {
        page->args_size = item.args;
        page->notes[LEFT_ARGS]++;
    }
    item.args_size = (uint32_t)page->args_size - item.args;
    *(struct item *)array_add(items) = item;
    return true;
}

/* Arguments with one more in front, which is a text. */
static uint32_t with_text(struct page *page, enum word key, uint32_t text, uint32_t args)
{
    struct timeline *timeline = page->timeline;
    uint32_t set = timeline->sets.count;
    *(struct set_row *)array_add(&timeline->sets) = (struct set_row){timeline->args.count, 1, args};
    *(struct arg_row *)array_add(&timeline->args) =
        (struct arg_row){text, set, page->words[key], FXT_ARG_STRING};
    return set;
}

/* ---- instants */

static bool is_instant(const struct slice_row *slice)
{
    return slice->event == FXT_EVENT_INSTANT || slice->event == FXT_EVENT_ASYNC_INSTANT;
}

static void add_instant(struct page *page, struct array *items, uint64_t ts, uint32_t track,
                        uint32_t name, uint32_t category, uint32_t args)
{
    const struct item item = {.name = page_name(page, name),
                              .category = page_name(page, category) & INT32_MAX,
                              .group = track};
    add(page, items, ts, ts, args, item);
}

void collect_instants(struct page *page, struct array *items)
{
    const struct timeline *timeline = page->timeline;
    const uint32_t *words = page->words;
    for (uint32_t i = 0; i < timeline->slices.count; i++) {
        const struct slice_row *row = slices_at(timeline, i);
        if (is_instant(row))
            add_instant(page, items, row->ts, track_of(page, row->track), row->name, row->category,
                        row->args);
    }
    for (uint32_t i = 0; i < timeline->states.count; i++) {
        const struct state_row *row = states_at(timeline, i);
        if (row->state == STATE_WAKING)
            add_instant(page, items, row->ts, cpu_track(page, row->cpu), words[WORD_WAKEUP],
                        words[WORD_SCHED],
                        with_text(page, WORD_THREAD, page->threads[row->thread], row->args));
    }
    for (uint32_t i = 0; i < timeline->logs.count; i++) {
        const struct log_row *row = logs_at(timeline, i);
        add_instant(page, items, row->ts, row->thread, words[WORD_LOG], words[WORD_LOG],
                    with_text(page, WORD_MESSAGE, row->message, ROW_NONE));
    }
    for (uint32_t i = 0; i < timeline->blobs.count; i++) {
        const struct blob_row *row = blobs_at(timeline, i);
        if (row->ts != DUR_NONE)
            add_instant(page, items, row->ts, row->thread, row->name, row->category, row->args);
    }
    page->failed = page->failed || !sort_by_time(items);
}

/* ---- slices, and then what ran on CPUs */

static uint64_t end_of_trace(const struct timeline *timeline, uint32_t trace)
{
    return trace > 0 ? traces_at(timeline, trace - 1)->end : 0;
}

/* A slice without an end lasts as long as its parent, which was given its end before [SLC-05]. */
static uint64_t end_of_slice(const struct timeline *timeline, const struct slice_row *slice)
{
    if (slice->dur != DUR_NONE)
        return slice->ts + slice->dur;
    if (slice->parent == ROW_NONE)
        return end_of_trace(timeline, providers_at(timeline, slice->provider)->trace);
    const struct slice_row *parent = slices_at(timeline, slice->parent);
    return parent->ts + parent->dur;
}

static bool add_slice(struct page *page, struct array *items, const uint32_t *numbers,
                      struct slice_row *slice)
{
    const struct item item = {
        .name = page_name(page, slice->name),
        .category = page_name(page, slice->category) & INT32_MAX,
        .parent = slice->parent != ROW_NONE ? numbers[slice->parent] : 0,
        .group = track_of(page, slice->track),
        .unfinished = slice->dur == DUR_NONE,
    };
    uint64_t end = end_of_slice(page->timeline, slice);
    slice->dur = end - slice->ts;
    if (!add(page, items, slice->ts, end, slice->args, item))
        return false;
    page->notes[ODD_BEGINS] += item.unfinished;
    return true;
}

static uint32_t state_text(struct page *page, uint8_t state)
{
    const char *name = fxt_convert_name_of(&fxt_convert_thread_states, state);
    return texts_add_plain(&page->timeline->texts, name != NULL ? name : "unknown");
}

static void add_sched(struct page *page, struct array *items, const struct sched_row *sched)
{
    struct timeline *timeline = page->timeline;
    const struct item item = {
        .name = page_name(page, page->threads[sched->thread]),
        .category = page_name(page, page->words[WORD_SCHED]) & INT32_MAX,
        .group = cpu_track(page, sched->cpu),
        .unfinished = sched->dur == DUR_NONE,
    };
    uint32_t args = ROW_NONE;
    if (sched->has_end)
        args = with_text(page, WORD_STOPPED_AS, state_text(page, sched->end_state), sched->args);
    uint64_t end = item.unfinished
                       ? end_of_trace(timeline, threads_at(timeline, sched->thread)->trace)
                       : sched->ts + sched->dur;
    add(page, items, sched->ts, end, args, item);
}

void collect_slices(struct page *page, struct array *items, uint32_t *numbers)
{
    struct timeline *timeline = page->timeline;
    for (uint32_t i = 0; i < timeline->slices.count; i++) {
        struct slice_row *slice = slices_at(timeline, i);
        if (!is_instant(slice) && add_slice(page, items, numbers, slice))
            numbers[i] = items->count;
    }
    for (uint32_t i = 0; i < timeline->scheds.count; i++)
        add_sched(page, items, scheds_at(timeline, i));
    page->failed = page->failed || timeline_failed(timeline);
    array_free(&timeline->slices);
    array_free(&timeline->scheds);
    array_free(&timeline->args);
    array_free(&timeline->sets);
}

/* ---- samples and flows */

static double value_of(const struct counter_row *counter)
{
    double value;
    switch (counter->type) {
    case FXT_ARG_DOUBLE:
        memcpy(&value, &counter->value, sizeof value);
        return value;
    case FXT_ARG_INT32:
    case FXT_ARG_INT64:
        return (double)(int64_t)counter->value;
    default:
        return (double)counter->value;
    }
}

static void add_sample(struct page *page, struct array *items, const struct counter_row *row,
                       uint64_t ts)
{
    if (add(page, items, ts, ts, ROW_NONE, (struct item){.group = row->track}))
        ((struct item *)array_at(items, items->count - 1))->value = value_of(row);
}

/* A value from before the part holds until the next one [CNT-03]. */
static void carry(struct page *page, struct array *items, uint32_t before)
{
    const struct timeline *timeline = page->timeline;
    uint32_t *last = page_memory(page, timeline->tracks.count, sizeof *last);
    if (last == NULL)
        return;
    for (uint32_t i = 0; i < before; i++)
        last[counters_at(timeline, i)->track] = i + 1;
    for (uint32_t i = 0; i < timeline->tracks.count; i++)
        if (last[i] > 0)
            add_sample(page, items, counters_at(timeline, last[i] - 1), page->begin);
    free(last);
}

void collect_samples(struct page *page, struct array *items)
{
    const struct timeline *timeline = page->timeline;
    uint32_t first = 0;
    while (first < timeline->counters.count && counters_at(timeline, first)->ts < page->begin)
        first++;
    if (first > 0)
        carry(page, items, first);
    for (uint32_t i = first; i < timeline->counters.count; i++)
        add_sample(page, items, counters_at(timeline, i), counters_at(timeline, i)->ts);
    array_free(&page->timeline->counters);
}

static void sort_points(struct page *page, bool by_id)
{
    for (uint32_t i = 0; i < page->points.count; i++) {
        struct point *point = array_at(&page->points, i);
        point->key = by_id ? point->id : point->trace;
    }
    page->failed = page->failed || !sort_by_time(&page->points);
}

void collect_points(struct page *page, const struct array *slices, const uint32_t *numbers)
{
    const struct timeline *timeline = page->timeline;
    for (uint32_t i = 0; i < timeline->flow_events.count; i++) {
        const struct id_event_row *row = flow_events_at(timeline, i);
        uint64_t begin = row->ts;
        uint64_t end = row->ts;
        if (!page_clip(page, &begin, &end))
            continue;
        if (page->points.count == ITEMS_MAX) {
            page->notes[LEFT_FULL]++;
            continue;
        }
        uint32_t number = row->slice != ROW_NONE ? numbers[row->slice] : 0;
        const struct item *slice = number > 0 ? array_at(slices, number - 1) : NULL;
        *(struct point *)array_add(&page->points) =
            (struct point){.time = begin - page->first,
                           .id = row->id,
                           .slice = slice != NULL ? slice->group + 1 : 0,
                           .trace = row->trace,
                           .event = row->event};
    }
    sort_points(page, true);
    sort_points(page, false);
}
