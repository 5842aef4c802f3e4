/* The order of the page. Items are moved by number only, and stay where they are.

   A track's slices are sorted by time; a stack of those that are open gives each its depth. Slices
   that overlap without one lying inside the other are stacked, too, so that no row ever has two
   slices at one time, but none is the parent of the other. Async slices take the first row that is
   free. */
#include <stdlib.h>
#include <string.h>

#include "src/cli/message.h"
#include "src/tools/fxt/html/timeline.h"

#define NO_GROUP UINT32_MAX /* the item is left out */
#define NO_DEPTH UINT16_MAX

typedef uint32_t group_of(const struct timeline *timeline, const struct item *item);

uint32_t arrange_track(uint32_t track)
{
    uint32_t number = track & ((1u << TRACK_KIND_SHIFT) - 1);
    return (track >> TRACK_KIND_SHIFT) * TRACKS_MAX + number;
}

static uint32_t by_track(const struct timeline *timeline, const struct item *item)
{
    (void)timeline;
    return arrange_track(item->track);
}

static uint32_t by_row(const struct timeline *timeline, const struct item *item)
{
    if (item->depth == NO_DEPTH)
        return NO_GROUP;
    return timeline->track_rows[arrange_track(item->track)] + item->depth;
}

static uint32_t by_counter(const struct timeline *timeline, const struct item *item)
{
    (void)timeline;
    return item->track;
}

static uint32_t by_nothing(const struct timeline *timeline, const struct item *item)
{
    (void)timeline;
    (void)item;
    return 0;
}

/* Gives `order` the items of numbers[0 … count - 1] by group, begins[0 … groups] the places
   where groups begin. Within a group the order stays. begins: zeroed. */
static void distribute(const struct timeline *timeline, struct items *items,
                       const uint32_t *numbers, uint32_t count, group_of *group, uint32_t *begins,
                       uint32_t groups)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = group(timeline, &items->it[numbers[i]]);
        if (at != NO_GROUP)
            begins[at + 1]++;
    }
    for (uint32_t i = 0; i < groups; i++)
        begins[i + 1] += begins[i];
    items->count = begins[groups];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = group(timeline, &items->it[numbers[i]]);
        if (at != NO_GROUP)
            items->order[begins[at]++] = numbers[i];
    }
    memmove(begins + 1, begins, groups * sizeof *begins); /* each is where the next begins */
    begins[0] = 0;
}

/* Earlier first; of those that begin at once, longer first; of those that end at once, too, first what
   was written at its begin. */
static int compare_times(const struct item *a, const struct item *b)
{
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return (int)a->complete - (int)b->complete;
}

static int compare_begins(const struct item *a, const struct item *b)
{
    return a->time == b->time ? 0 : a->time < b->time ? -1 : 1;
}

/* Those of a provider together. */
static int compare_switches(const struct item *a, const struct item *b)
{
    return a->end == b->end ? compare_begins(a, b) : a->end < b->end ? -1 : 1;
}

static int compare_flows(const struct item *a, const struct item *b)
{
    if (a->trace != b->trace)
        return a->trace < b->trace ? -1 : 1;
    return compare_switches(a, b);
}

struct comparison {
    const struct item *it;
    int (*compare)(const struct item *a, const struct item *b);
};

static int compare_numbers(const void *a, const void *b, void *context)
{
    const struct comparison *comparison = context;
    const uint32_t numbers[] = {*(const uint32_t *)a, *(const uint32_t *)b};
    const struct item *one = &comparison->it[numbers[0]];
    int result = comparison->compare(one, &comparison->it[numbers[1]]);
    if (result != 0)
        return result;
    /* Of complete durations, the one around the other is written later. */
    return (numbers[0] < numbers[1]) == (one->complete && one->end > one->time) ? 1 : -1;
}

/* Most groups are in order already. */
static void sort(struct items *items, uint32_t begin, uint32_t end,
                 int (*compare)(const struct item *a, const struct item *b))
{
    struct comparison comparison = {items->it, compare};
    for (uint32_t i = begin; i + 1 < end; i++) {
        if (compare_numbers(&items->order[i], &items->order[i + 1], &comparison) > 0) {
            qsort_r(items->order + begin, end - begin, sizeof *items->order, compare_numbers,
                    &comparison);
            return;
        }
    }
}

/* All items by group, and within a group as `compare` says. */
static void order(struct timeline *timeline, struct items *items, group_of *group, uint32_t *begins,
                  uint32_t groups, int (*compare)(const struct item *a, const struct item *b))
{
    for (uint32_t i = 0; i < items->used; i++)
        timeline->numbers[i] = i + 1;
    distribute(timeline, items, timeline->numbers, items->used, group, begins, groups);
    for (uint32_t i = 0; i < groups; i++)
        sort(items, begins[i], begins[i + 1], compare);
}

/* ---- CPUs */

/* A thread runs on its CPU from one switch to the next that the same provider tells of. Why it stopped
   is known if the next switch is from it. */
static void run_threads(struct timeline *timeline)
{
    const struct items *switches = &timeline->switches;
    for (uint32_t i = 0; i < switches->count; i++) {
        struct item slice = switches->it[switches->order[i]];
        const struct item *next = NULL;
        if (slice.name == NAME_OTHERS)
            continue;
        if (i + 1 < switches->count)
            next = &switches->it[switches->order[i + 1]];
        bool ends = next != NULL && next->track == slice.track && next->end == slice.end;
        uint32_t trace = timeline->tracks.providers[slice.end].trace;
        slice.end = ends ? next->time : timeline_last_of(timeline, trace);
        slice.args = ends && next->parent == slice.name ? next->args : 0;
        slice.parent = ITEM_NONE;
        slice.unfinished = !ends;
        timeline_add(timeline, &timeline->slices, &slice);
    }
}

/* ---- rows */

/* Whether a slice that begins at `time` is behind this one. */
static bool is_over(const struct item *slice, uint64_t time)
{
    return slice->end < time || (slice->end == time && !slice->unfinished);
}

/* The innermost slice of a stack that contains this one. */
static uint32_t parent_of(const struct items *slices, const uint32_t *stack, uint32_t depth,
                          const struct item *slice)
{
    while (depth > 0 && slices->it[stack[depth - 1]].end < slice->end)
        depth--;
    return depth > 0 ? stack[depth - 1] : ITEM_NONE;
}

/* Returns the number of rows. */
static uint32_t stack_slices(struct timeline *timeline, uint32_t begin, uint32_t end)
{
    uint32_t stack[DEPTH_MAX];
    uint32_t depth = 0;
    uint32_t rows = 0;
    struct items *slices = &timeline->slices;
    for (uint32_t i = begin; i < end; i++) {
        struct item *slice = &slices->it[slices->order[i]];
        while (depth > 0 && is_over(&slices->it[stack[depth - 1]], slice->time))
            depth--;
        if (depth == DEPTH_MAX) {
            slice->depth = NO_DEPTH;
            timeline->notes[LEFT_DEEP]++;
            continue;
        }
        slice->parent = parent_of(slices, stack, depth, slice);
        slice->depth = (uint16_t)depth;
        stack[depth++] = slices->order[i];
        rows = depth > rows ? depth : rows;
    }
    return rows;
}

/* The slice that was open when this one began contains it, or one around that does. */
static uint32_t async_parent(const struct items *slices, const struct item *slice)
{
    uint32_t parent = slice->parent;
    while (parent != ITEM_NONE && slices->it[parent].end < slice->end)
        parent = slices->it[parent].parent;
    return parent;
}

static uint32_t pack_slices(struct timeline *timeline, uint32_t begin, uint32_t end)
{
    uint64_t ends[DEPTH_MAX];
    uint32_t rows = 0;
    for (uint32_t i = begin; i < end; i++) {
        struct item *slice = &timeline->slices.it[timeline->slices.order[i]];
        uint32_t row = 0;
        while (row < rows && ends[row] > slice->time)
            row++;
        if (row == DEPTH_MAX) {
            slice->depth = NO_DEPTH;
            timeline->notes[LEFT_DEEP]++;
            continue;
        }
        rows = row == rows ? rows + 1 : rows;
        slice->parent = async_parent(&timeline->slices, slice);
        slice->depth = (uint16_t)row;
        ends[row] = slice->end;
    }
    return rows;
}

static void make_rows(struct timeline *timeline)
{
    static uint32_t begins[PAGE_TRACKS + 1];
    struct items *slices = &timeline->slices;
    memset(begins, 0, sizeof begins);
    order(timeline, slices, by_track, begins, PAGE_TRACKS, compare_times);
    for (uint32_t i = 0; i < PAGE_TRACKS; i++) {
        bool async = i >= TRACKS_MAX && i < 2 * TRACKS_MAX;
        uint32_t rows = (async ? pack_slices : stack_slices)(timeline, begins[i], begins[i + 1]);
        timeline->track_rows[i + 1] = timeline->track_rows[i] + rows;
    }
}

static void place_slices(struct timeline *timeline)
{
    struct items *slices = &timeline->slices;
    uint32_t count = slices->count;
    memcpy(timeline->numbers, slices->order, count * sizeof *slices->order);
    distribute(timeline, slices, timeline->numbers, count, by_row, timeline->row_begins,
               timeline->track_rows[PAGE_TRACKS]);
    for (uint32_t i = 1; i <= slices->used; i++)
        slices->it[i].link = 0;
    for (uint32_t i = 0; i < slices->count; i++)
        slices->it[slices->order[i]].link = i + 1;
}

/* ---- flows */

/* The slice of a row at that time, else NULL. */
static const struct item *slice_at(const struct timeline *timeline, uint32_t row, uint64_t time)
{
    const struct items *slices = &timeline->slices;
    uint32_t low = timeline->row_begins[row];
    uint32_t begin = low;
    uint32_t high = timeline->row_begins[row + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (slices->it[slices->order[middle]].time <= time)
            low = middle + 1;
        else
            high = middle;
    }
    const struct item *slice = low > begin ? &slices->it[slices->order[low - 1]] : NULL;
    return slice != NULL && slice->end >= time ? slice : NULL;
}

/* A flow belongs to the innermost slice around it. In the next row, what began before the slice of this
   one is in another. */
static void bind_flows(struct timeline *timeline)
{
    for (uint32_t i = 1; i <= timeline->flows.used; i++) {
        struct item *flow = &timeline->flows.it[i];
        const struct item *slice = NULL;
        uint32_t track = arrange_track(flow->track);
        for (uint32_t row = timeline->track_rows[track]; row < timeline->track_rows[track + 1];
             row++) {
            const struct item *inner = slice_at(timeline, row, flow->time);
            if (inner != NULL && (slice == NULL || inner->time >= slice->time))
                slice = inner;
        }
        flow->link = slice != NULL ? slice->link : 0;
    }
}

static bool make_room(struct items *items)
{
    items->order = malloc((items->used + 1) * sizeof *items->order);
    if (items->order == NULL)
        message("html: cannot order the events: out of memory");
    return items->order != NULL;
}

bool arrange(struct timeline *timeline)
{
    static uint32_t begins[PAGE_TRACKS + 1];
    uint32_t all[2] = {0, 0};
    if (!make_room(&timeline->switches) || !make_room(&timeline->instants) ||
        !make_room(&timeline->samples) || !make_room(&timeline->flows))
        return false;
    memset(begins, 0, sizeof begins);
    order(timeline, &timeline->switches, by_track, begins, PAGE_TRACKS, compare_switches);
    run_threads(timeline);
    if (!make_room(&timeline->slices))
        return false;
    make_rows(timeline);
    place_slices(timeline);
    order(timeline, &timeline->instants, by_track, timeline->instant_begins, PAGE_TRACKS,
          compare_begins);
    order(timeline, &timeline->samples, by_counter, timeline->sample_begins, COUNTERS_MAX,
          compare_begins);
    bind_flows(timeline);
    order(timeline, &timeline->flows, by_nothing, all, 1, compare_flows);
    return true;
}
