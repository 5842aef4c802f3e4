/* Which slice encloses which [SLC-06, SLC-07, INS-01], and which one a flow event lies in [FLW-02].

   Slices are taken in the order of their begins, in which they come. `top` has the innermost slice of each track that is
   open still; its parents are the others. `ends` has the time of each end, and the rows have the place
   of each end among the records of that time; a slice without an end has those of its parent. */
#include <stdlib.h>

#include "src/timeline/importer.h"

#define PLACE_NONE UINT64_MAX

struct nest {
    struct timeline *timeline;
    uint32_t *top;  /* of each track */
    uint32_t *flow; /* of each track: its first flow event that is in no slice yet */
    uint32_t *next; /* of each flow event: the next one of its track */
    uint64_t *ends; /* of each slice */
};

static bool is_complete(const struct slice_row *slice)
{
    return slice->event == FXT_EVENT_DURATION_COMPLETE;
}

/* Whether a slice has no record at its begin. */
static bool begins_unseen(const struct slice_row *slice)
{
    return is_complete(slice) && slice->dur > 0;
}

/* Whether it ends later than another one that begins at the same time. One without an end does. */
static bool outlasts(const struct slice_row *slice, const struct slice_row *other)
{
    if (slice->dur != other->dur)
        return slice->dur > other->dur;
    return slice->end_offset > other->end_offset;
}

/* Slices of one time: those of a track together, first those that have a record at their begin, in
   the order of the file; then the others, the one that ends last first. */
static int compare(const void *left, const void *right)
{
    const struct slice_row *a = left;
    const struct slice_row *b = right;
    if (a->track != b->track)
        return a->track < b->track ? -1 : 1;
    if (begins_unseen(a) != begins_unseen(b))
        return begins_unseen(a) ? 1 : -1;
    if (!begins_unseen(a))
        return (a->offset > b->offset) - (a->offset < b->offset);
    return outlasts(b, a) - outlasts(a, b);
}

/* Merges slices of one time and track into `to`: seen[0 … count - 1] and unseen[0 … unseen_count - 1], each
   in the order of their begins. One of `unseen` goes behind the last of `seen` that outlasts it. */
static void merge(struct slice_row *to, const struct slice_row *seen, uint32_t count,
                  const struct slice_row *unseen, uint32_t unseen_count)
{
    const struct slice_row *last = NULL; /* that ends, of those of `seen` that were placed */
    uint32_t at = count + unseen_count;
    while (at > 0) {
        if (count > 0 && (last == NULL || outlasts(&seen[count - 1], last)))
            last = &seen[count - 1];
        if (count > 0 && (unseen_count == 0 || outlasts(&unseen[unseen_count - 1], last)))
            to[--at] = seen[--count];
        else
            to[--at] = unseen[--unseen_count];
    }
}

/* The slices from `begin` to `end` have one time. */
static bool sort_tie(struct slice_row *it, uint32_t begin, uint32_t end, struct array *room)
{
    qsort(it + begin, end - begin, sizeof *it, compare);
    for (uint32_t first = begin, last; first < end; first = last) {
        uint32_t unseen = first;
        for (last = first; last < end && it[last].track == it[first].track; last++)
            unseen += !begins_unseen(&it[last]);
        if (unseen == first || unseen == last)
            continue;
        room->count = 0;
        for (uint32_t i = first; i < last; i++)
            *(struct slice_row *)array_add(room) = it[i];
        if (room->failed)
            return false;
        const struct slice_row *copy = room->it;
        merge(it + first, copy, unseen - first, copy + (unseen - first), last - unseen);
    }
    return true;
}

/* Gives each slice that has no record at its end the place of its end. */
static void place_ends(struct array *slices)
{
    struct slice_row *it = slices->it;
    for (uint32_t i = 0; i < slices->count; i++)
        if (it[i].dur == DUR_NONE)
            it[i].end_offset = PLACE_NONE;
        else if (it[i].end_offset == 0)
            it[i].end_offset = it[i].offset;
}

static bool sort_ties(struct array *slices)
{
    struct array room;
    struct slice_row *it = slices->it;
    bool good = array_init(&room, sizeof *it);
    for (uint32_t begin = 0, end; good && begin < slices->count; begin = end) {
        for (end = begin + 1; end < slices->count && it[end].ts == it[begin].ts; end++)
            ;
        if (end - begin > 1)
            good = sort_tie(it, begin, end, &room);
    }
    array_free(&room);
    return good;
}

/* The innermost slice of a track that ends at that time or later; of that time, at that place among the
   records or later. What follows in the order of begins lies in none of those that end before. */
static uint32_t innermost(struct nest *nest, uint32_t track, uint64_t ts, uint64_t place)
{
    uint32_t *top = &nest->top[track];
    while (*top != ROW_NONE &&
           (nest->ends[*top] < ts ||
            (nest->ends[*top] == ts && slices_at(nest->timeline, *top)->end_offset < place)))
        *top = slices_at(nest->timeline, *top)->parent;
    return *top;
}

/* Those in front of a slice. */
static void bind_flows(struct nest *nest, uint32_t track, const struct slice_row *slice)
{
    uint32_t *flow = &nest->flow[track];
    for (; *flow != ROW_NONE; *flow = nest->next[*flow]) {
        struct id_event_row *event = flow_events_at(nest->timeline, *flow);
        if (slice != NULL &&
            (event->ts > slice->ts ||
             (event->ts == slice->ts && (begins_unseen(slice) || event->offset > slice->offset))))
            return;
        event->slice = innermost(nest, track, event->ts, event->offset);
    }
}

/* The slice that encloses this one. One without an end lasts as long as that. */
static uint32_t parent_of(struct nest *nest, const struct slice_row *slice)
{
    if (slice->dur == DUR_NONE)
        return innermost(nest, slice->track, slice->ts, slice->offset);
    return innermost(nest, slice->track, slice->ts + slice->dur,
                     slice->dur == 0 ? slice->end_offset : 0);
}

static void place(struct nest *nest, uint32_t number)
{
    struct slice_row *slice = slices_at(nest->timeline, number);
    bool is_open = slice->dur == DUR_NONE;
    bind_flows(nest, slice->track, slice);
    slice->parent = parent_of(nest, slice);
    nest->ends[number] = is_open ? UINT64_MAX : slice->ts + slice->dur;
    slice->depth = 0;
    if (slice->parent != ROW_NONE) {
        const struct slice_row *parent = slices_at(nest->timeline, slice->parent);
        slice->depth = parent->depth + 1;
        nest->ends[number] = is_open ? nest->ends[slice->parent] : nest->ends[number];
        slice->end_offset = is_open ? parent->end_offset : slice->end_offset;
    }
    if (slice->event != FXT_EVENT_INSTANT && slice->event != FXT_EVENT_ASYNC_INSTANT)
        nest->top[slice->track] = number;
}

static void nest_all(struct nest *nest)
{
    struct timeline *timeline = nest->timeline;
    for (uint32_t i = 0; i < timeline->tracks.count; i++)
        nest->top[i] = nest->flow[i] = ROW_NONE;
    for (uint32_t i = timeline->flow_events.count; i-- > 0;) {
        uint32_t track = threads_at(timeline, flow_events_at(timeline, i)->thread)->track;
        if (track == ROW_NONE)
            continue;
        nest->next[i] = nest->flow[track];
        nest->flow[track] = i;
    }
    for (uint32_t i = 0; i < timeline->slices.count; i++)
        place(nest, i);
    for (uint32_t i = 0; i < timeline->tracks.count; i++)
        bind_flows(nest, i, NULL);
}

/* An arrow from each event of a flow to the next one, until an end [FLW-01, FLW-03]. */
static void connect(struct importer *importer)
{
    struct timeline *timeline = importer->timeline;
    struct map last = {.it = NULL};
    for (uint32_t i = 0; i < timeline->flow_events.count; i++) {
        const struct id_event_row *event = flow_events_at(timeline, i);
        if (event->event == FXT_EVENT_FLOW_STEP && event->slice == ROW_NONE)
            continue;
        uint32_t *before = import_row(importer, &last, event->id, event->trace, 0);
        const struct id_event_row *from = *before < i ? flow_events_at(timeline, *before) : NULL;
        bool goes_on = from != NULL && from->event != FXT_EVENT_FLOW_END &&
                       event->event != FXT_EVENT_FLOW_BEGIN;
        if (goes_on && from->slice != ROW_NONE && event->slice != ROW_NONE)
            *(struct flow_row *)array_add(&timeline->flows) =
                (struct flow_row){event->id, from->slice, event->slice};
        *before = i;
    }
    map_clear(&last);
}

bool finish_slices(struct importer *importer)
{
    struct timeline *timeline = importer->timeline;
    if (!sort_by_time(&timeline->counters) || !sort_by_time(&timeline->flow_events))
        return false;
    place_ends(&timeline->slices);
    if (!sort_ties(&timeline->slices))
        return false;
    uint32_t tracks = timeline->tracks.count + 1;
    struct nest nest = {timeline, malloc(tracks * sizeof *nest.top),
                        malloc(tracks * sizeof *nest.flow),
                        malloc(timeline->flow_events.count * sizeof *nest.next + 1),
                        malloc(timeline->slices.count * sizeof *nest.ends + 1)};
    bool good = nest.top != NULL && nest.flow != NULL && nest.next != NULL && nest.ends != NULL;
    if (good)
        nest_all(&nest);
    free(nest.top);
    free(nest.flow);
    free(nest.next);
    free(nest.ends);
    connect(importer);
    return good;
}
