/* Slices in the order of time: their parents and depths, and the flow events that they enclose.

   `top` has the innermost slice of each track that may be open still; its parents are the others.
   `ends` has the end of each slice. That of a slice without an end is that of its parent. */
#include <stdlib.h>

#include "src/tools/fxt/tables/importer.h"

struct nest {
    struct tables *tables;
    uint32_t *top;  /* of each track */
    uint64_t *ends; /* of each slice */
};

static bool is_complete(const struct slice_row *slice)
{
    return slice->event == FXT_EVENT_DURATION_COMPLETE;
}

/* Slices of one time: those of a track together; first those that were written when they began, in
   the order of the file; then complete durations, which are written when they end: the longer one
   first, and of equal ones the later one, which is around the other. */
static int compare(const void *left, const void *right)
{
    const struct slice_row *a = left;
    const struct slice_row *b = right;
    int order = (a->offset > b->offset) - (a->offset < b->offset);
    if (a->track != b->track)
        return a->track < b->track ? -1 : 1;
    if (is_complete(a) != is_complete(b))
        return is_complete(a) ? 1 : -1;
    if (!is_complete(a))
        return order;
    if (a->dur != b->dur)
        return a->dur > b->dur ? -1 : 1;
    return a->dur > 0 ? -order : order;
}

/* Merges slices of one time and track into `to`: begun[0 … count - 1], which are in the order of
   the file, and complete[0 … complete_count - 1]. A complete duration goes before all slices that
   follow if it is longer than each of them. */
static void merge(struct slice_row *to, const struct slice_row *begun, uint32_t count,
                  const struct slice_row *complete, uint32_t complete_count)
{
    uint64_t longest = 0;
    uint32_t at = count + complete_count;
    while (at > 0) {
        bool is_before = complete_count > 0 && count > 0 &&
                         complete[complete_count - 1].dur >
                             (begun[count - 1].dur > longest ? begun[count - 1].dur : longest);
        if (count > 0 && (complete_count == 0 || is_before)) {
            to[--at] = begun[--count];
            longest = to[at].dur > longest ? to[at].dur : longest;
        } else
            to[--at] = complete[--complete_count];
    }
}

/* The slices from `begin` to `end` have one time. */
static bool sort_tie(struct slice_row *it, uint32_t begin, uint32_t end, struct array *room)
{
    qsort(it + begin, end - begin, sizeof *it, compare);
    for (uint32_t first = begin, last; first < end; first = last) {
        uint32_t complete = first;
        for (last = first; last < end && it[last].track == it[first].track; last++)
            complete += !is_complete(&it[last]);
        if (complete == first || complete == last)
            continue;
        room->count = 0;
        for (uint32_t i = first; i < last; i++)
            *(struct slice_row *)array_add(room) = it[i];
        if (room->failed)
            return false;
        const struct slice_row *copy = room->it;
        merge(it + first, copy, complete - first, copy + (complete - first), last - complete);
    }
    return true;
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

/* Whether a slice that ends when another one begins is over then. Of records with one time, the
   order of the file tells. A complete duration has no record at its end: those that share a begin
   nest. */
static bool is_over_at_its_end(const struct slice_row *slice, const struct slice_row *other)
{
    if (slice->end_offset != 0 && !is_complete(other))
        return slice->end_offset < other->offset;
    return slice->ts < other->ts;
}

static bool is_over(const struct nest *nest, uint32_t number, const struct slice_row *other)
{
    uint64_t end = nest->ends[number];
    if (end < other->ts)
        return true;
    if (end == other->ts && is_over_at_its_end(slices_at(nest->tables, number), other))
        return true;
    return other->dur != DUR_NONE && end < other->ts + other->dur;
}

/* Slices that overlap, neither inside the other, become neighbours. */
static void place(struct nest *nest, uint32_t number)
{
    struct slice_row *slice = slices_at(nest->tables, number);
    uint32_t *top = &nest->top[slice->track];
    while (*top != ROW_NONE && is_over(nest, *top, slice))
        *top = slices_at(nest->tables, *top)->parent;
    slice->parent = *top;
    slice->depth = *top != ROW_NONE ? slices_at(nest->tables, *top)->depth + 1 : 0;
    if (slice->dur != DUR_NONE)
        nest->ends[number] = slice->ts + slice->dur;
    else
        nest->ends[number] = *top != ROW_NONE ? nest->ends[*top] : UINT64_MAX;
    if (slice->event != FXT_EVENT_INSTANT && slice->event != FXT_EVENT_ASYNC_INSTANT)
        *top = number;
}

/* To the innermost slice that is open at its time, begin and end included [EVT-11]. */
static void bind(struct nest *nest, struct id_event_row *event)
{
    uint32_t track = threads_at(nest->tables, event->thread)->track;
    if (track == ROW_NONE)
        return;
    uint32_t *top = &nest->top[track];
    while (*top != ROW_NONE && nest->ends[*top] < event->ts)
        *top = slices_at(nest->tables, *top)->parent;
    event->slice = *top;
}

static void nest_all(struct nest *nest)
{
    struct tables *tables = nest->tables;
    uint32_t event = 0;
    for (uint32_t i = 0; i < tables->tracks.count; i++)
        nest->top[i] = ROW_NONE;
    for (uint32_t i = 0; i < tables->slices.count; i++) {
        uint64_t ts = slices_at(tables, i)->ts;
        while (event < tables->flow_events.count && flow_events_at(tables, event)->ts < ts)
            bind(nest, flow_events_at(tables, event++));
        place(nest, i);
    }
    while (event < tables->flow_events.count)
        bind(nest, flow_events_at(tables, event++));
}

/* An arrow from each event of a flow to the next one, until an end. */
static void connect(struct importer *importer)
{
    struct tables *tables = importer->tables;
    struct map last = {.it = NULL};
    for (uint32_t i = 0; i < tables->flow_events.count; i++) {
        const struct id_event_row *event = flow_events_at(tables, i);
        uint32_t *before = import_row(importer, &last, event->id, event->trace, 0);
        const struct id_event_row *from = *before < i ? flow_events_at(tables, *before) : NULL;
        bool goes_on = from != NULL && from->event != FXT_EVENT_FLOW_END &&
                       event->event != FXT_EVENT_FLOW_BEGIN;
        if (goes_on && from->slice != ROW_NONE && event->slice != ROW_NONE)
            *(struct flow_row *)array_add(&tables->flows) =
                (struct flow_row){event->id, from->slice, event->slice};
        *before = i;
    }
    map_clear(&last);
}

bool finish_slices(struct importer *importer)
{
    struct tables *tables = importer->tables;
    if (!sort_by_time(&tables->slices) || !sort_by_time(&tables->counters) ||
        !sort_by_time(&tables->flow_events) || !sort_ties(&tables->slices))
        return false;
    struct nest nest = {tables, malloc(tables->tracks.count * sizeof *nest.top + 1),
                        malloc(tables->slices.count * sizeof *nest.ends + 1)};
    bool good = nest.top != NULL && nest.ends != NULL;
    if (good)
        nest_all(&nest);
    free(nest.top);
    free(nest.ends);
    connect(importer);
    return good;
}
