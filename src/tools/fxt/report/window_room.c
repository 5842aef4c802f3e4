/* A full window: which durations give up their place, and what becomes of their stacks. */
#include "src/tools/fxt/report/window.h"

#include "src/tools/fxt/report/names.h"

#define RECENT_MAX 16u

/* Which neighbours may be merged. */
struct choice {
    const struct open *opens;
    uint32_t latest;    /* of them; 0: none */
    uint32_t open;      /* the one that a walk from the end has come to */
    bool anywhere;      /* also if a begin that is open lies between them */
    uint64_t keep_from; /* spans that arrived before */
    uint64_t gap;       /* with at most so much time between them */
    bool same_names;
    bool is_end; /* nothing comes any more */
};

static void take_calls(struct spans *spans, uint32_t into, const struct span *span)
{
    if (spans->calls == NULL)
        return;
    (span->is_forest ? calls_merge : calls_adopt)(spans->calls, into, span->call);
}

/* ---- totals */

#define OPEN_LOOKS 64u /* at most at so many begins */

/* Whether a begin that is open may lie in that time. */
static bool is_open(const void *context, uint64_t from, uint64_t to)
{
    const struct choice *choice = context;
    uint32_t open = choice->latest;
    for (unsigned look = 0; look < OPEN_LOOKS && open != 0; look++) {
        if (choice->opens[open].begin < from)
            return false;
        if (choice->opens[open].begin <= to)
            return true;
        open = choice->opens[open].next;
    }
    return open != 0;
}

/* Counts a span that gives up its place. `on_path` has those around it. */
static void count_total(struct spans *spans, struct window *window, const struct choice *choice,
                        const struct span *span)
{
    struct totals *totals = spans->totals;
    if (span->is_forest || span->is_unfinished || totals->on_path[span->group] > 0)
        return;
    const struct total_run run = {
        .begin = span->begin,
        .end = span->end,
        .ns = spans_length(spans, span->begin, span->end),
    };
    groups_add_total(spans->groups, span->group, run.ns);
    if (!choice->is_end)
        totals_keep(totals, &window->totals, span->group, run, is_open, choice);
}

/* A span is around what a walk visits, or it is not any more. */
static void step(struct spans *spans, uint32_t index, bool is_around)
{
    const struct span *span = &spans->it[index];
    if (!span->is_forest && !span->is_unfinished)
        spans->totals->on_path[span->group] += is_around ? 1 : UINT32_MAX;
}

/* ---- the walk */

static uint32_t deepest_first(struct spans *spans, uint32_t index)
{
    for (; spans->it[index].first != SPAN_NONE; index = spans->it[index].first)
        step(spans, index, true);
    return index;
}

/* The span after `index` below `top`, children before their parents. */
static uint32_t after(struct spans *spans, uint32_t top, uint32_t index)
{
    const struct span *span = &spans->it[index];
    if (span->next != SPAN_NONE)
        return deepest_first(spans, span->next);
    step(spans, span->parent, false);
    return span->parent != top ? span->parent : SPAN_NONE;
}

static void note_absorbed(struct span *parent, const struct span *child)
{
    if (parent->absorbed_end == 0 || child->begin < parent->absorbed_begin)
        parent->absorbed_begin = child->begin;
    if (child->end > parent->absorbed_end)
        parent->absorbed_end = child->end;
}

/* Makes what lies below `top` part of its call tree, except for what arrived at `keep_from` or
   later and what encloses that. Of what usually arrives in the order of ends, the rest is as recent
   as the first RECENT_MAX that are: the walk ends there, and returns false. */
static bool absorb_below(struct spans *spans, struct window *window, uint32_t top,
                         const struct choice *choice)
{
    uint64_t keep_from = choice->keep_from;
    unsigned recent = 0;
    uint32_t index = spans->it[top].first != SPAN_NONE ? deepest_first(spans, top) : SPAN_NONE;
    while (index != SPAN_NONE) {
        const struct span *span = &spans->it[index];
        bool goes = span->first == SPAN_NONE && span->arrival < keep_from;
        recent += span->arrival >= keep_from;
        if (recent == RECENT_MAX) {
            for (uint32_t i = index; i != top; i = spans->it[i].parent)
                step(spans, spans->it[i].parent, false);
            return false;
        }
        if (goes)
            count_total(spans, window, choice, span);
        uint32_t next = after(spans, top, index);
        if (goes) {
            take_calls(spans, spans->it[span->parent].call, span);
            note_absorbed(&spans->it[span->parent], span);
            window_remove(spans, window, index);
        }
        index = next;
    }
    return true;
}

static void make_forest(struct spans *spans, struct span *span)
{
    if (span->is_forest)
        return;
    span->ns = span->covers;
    if (spans->calls != NULL) {
        uint32_t forest = calls_new(spans->calls, NAME_OTHERS);
        calls_adopt(spans->calls, forest, span->call);
        span->call = forest;
    }
    span->is_forest = true;
}

/* The larger forest takes the smaller, so that a node seldom moves. */
static void swap_calls(struct spans *spans, struct span *a, struct span *b)
{
    const struct call *calls = spans->calls != NULL ? spans->calls->it : NULL;
    if (calls == NULL || !b->is_forest || calls[b->call].kids <= calls[a->call].kids)
        return;
    uint32_t call = a->call;
    a->call = b->call;
    b->call = call;
}

/* Merges a span and its next sibling into a forest, whatever lies inside them. */
static void merge_next(struct spans *spans, struct window *window, const struct choice *choice,
                       uint32_t index)
{
    struct span *span = &spans->it[index];
    uint32_t next = span->next;
    struct span *other = &spans->it[next];
    struct choice all = *choice;
    all.keep_from = UINT64_MAX;
    absorb_below(spans, window, index, &all);
    count_total(spans, window, choice, span);
    absorb_below(spans, window, next, &all);
    count_total(spans, window, choice, other);
    make_forest(spans, span);
    span->ns += other->covers;
    span->covers += other->covers;
    span->names |= other->names;
    span->end = other->end;
    span->end_number = other->end_number;
    span->last_number = other->last_number;
    if (other->arrival > span->arrival)
        span->arrival = other->arrival;
    swap_calls(spans, span, other);
    take_calls(spans, span->call, other);
    window_remove(spans, window, next);
}

static bool has_same_names(const struct span *left, const struct span *right)
{
    uint64_t both = left->names | right->names;
    return both == left->names || both == right->names;
}

static bool may_merge(struct choice *choice, const struct span *left, const struct span *right)
{
    const struct open *opens = choice->anywhere ? NULL : choice->opens;
    while (opens != NULL && choice->open != 0 && opens[choice->open].begin > right->begin)
        choice->open = opens[choice->open].next;
    if (opens != NULL && choice->open != 0 && opens[choice->open].begin >= left->end)
        return false;
    return left->arrival < choice->keep_from && right->arrival < choice->keep_from &&
           left->first == SPAN_NONE && right->first == SPAN_NONE &&
           (!choice->same_names || has_same_names(left, right));
}

/* Merges from the end, in which direction open begins are linked, too. Returns the shortest gap
   that was too long; UINT64_MAX: none was. */
static uint64_t merge_roots(struct spans *spans, struct window *window, struct choice choice,
                            uint32_t wanted)
{
    uint64_t shortest = UINT64_MAX;
    uint32_t index = window->last;
    while (index != SPAN_NONE && window->count > wanted) {
        uint32_t left = spans->it[index].previous;
        if (left != SPAN_NONE && may_merge(&choice, &spans->it[left], &spans->it[index])) {
            const struct span *before = &spans->it[left];
            const struct span *span = &spans->it[index];
            uint64_t gap = span->begin > before->end ? span->begin - before->end : 0;
            if (gap <= choice.gap)
                merge_next(spans, window, &choice, left);
            else if (gap < shortest)
                shortest = gap;
        }
        index = left;
    }
    return shortest;
}

/* Merges by growing gaps, each at least twice the gap before. */
static void merge_by_gaps(struct spans *spans, struct window *window, struct choice choice,
                          uint32_t wanted)
{
    struct choice same = choice;
    same.gap = UINT64_MAX;
    same.same_names = true;
    uint64_t shortest = 0;
    for (choice.gap = 0; shortest < UINT64_MAX && window->count > wanted;) {
        shortest = merge_roots(spans, window, choice, wanted);
        if (!choice.same_names)
            merge_roots(spans, window, same, wanted);
        choice.gap = shortest > UINT64_MAX / 2 ? UINT64_MAX : 2 * shortest;
    }
}

/* Equal names first. Then any; after each step there may be neighbours of equal names again, such
   as the turns of a loop that calls two things. */
static void shrink(struct spans *spans, struct window *window, struct choice choice,
                   uint32_t wanted)
{
    uint32_t root = window->first;
    while (root != SPAN_NONE && absorb_below(spans, window, root, &choice))
        root = spans->it[root].next;
    choice.same_names = true;
    merge_by_gaps(spans, window, choice, wanted);
    choice.same_names = false;
    merge_by_gaps(spans, window, choice, wanted);
}

void window_make_room(struct spans *spans, struct window *window, const struct open *opens,
                      uint32_t open)
{
    uint32_t wanted = window->count / 2;
    uint64_t recent = window->count / 4;
    uint64_t keep_from = window->arrivals > recent ? window->arrivals - recent : 0;
    struct choice choice = {.opens = opens, .latest = open, .open = open, .keep_from = keep_from};
    shrink(spans, window, choice, wanted);
    choice.anywhere = true;
    choice.keep_from = UINT64_MAX;
    if (window->count > wanted)
        shrink(spans, window, choice, wanted);
}

uint32_t window_end(struct spans *spans, struct window *window)
{
    uint32_t all = spans->calls != NULL ? calls_new(spans->calls, NAME_OTHERS) : CALL_NONE;
    const struct choice choice = {.keep_from = UINT64_MAX, .is_end = true};
    while (window->first != SPAN_NONE) {
        uint32_t index = window->first;
        absorb_below(spans, window, index, &choice);
        count_total(spans, window, &choice, &spans->it[index]);
        take_calls(spans, all, &spans->it[index]);
        window_remove(spans, window, index);
    }
    totals_end(spans->totals, &window->totals);
    window_give_up(spans, window);
    return all;
}
