/* A full window: which durations give up their place, and what becomes of their stacks. */
#include "src/tools/fxt/report/window_room.h"

#include "src/tools/fxt/refs/names.h"

static uint32_t deepest_first(const struct spans *spans, uint32_t index)
{
    while (spans->it[index].first != SPAN_NONE)
        index = spans->it[index].first;
    return index;
}

/* The span after `index` below `top`, children before their parents. */
static uint32_t after(const struct spans *spans, uint32_t top, uint32_t index)
{
    const struct span *span = &spans->it[index];
    if (span->next != SPAN_NONE)
        return deepest_first(spans, span->next);
    return span->parent != top ? span->parent : SPAN_NONE;
}

static void take_calls(struct spans *spans, uint32_t into, const struct span *span)
{
    if (spans->calls == NULL)
        return;
    (span->is_forest ? calls_merge : calls_adopt)(spans->calls, into, span->call);
}

static void note_absorbed(struct span *parent, const struct span *child)
{
    if (parent->absorbed_end == 0 || child->begin < parent->absorbed_begin)
        parent->absorbed_begin = child->begin;
    if (child->end > parent->absorbed_end)
        parent->absorbed_end = child->end;
}

/* Makes what lies below `top` part of its call tree, except for what arrived at `keep_from` or
   later and what encloses that. */
static void absorb_below(struct spans *spans, struct window *window, uint32_t top,
                         uint64_t keep_from)
{
    uint32_t index = spans->it[top].first != SPAN_NONE ? deepest_first(spans, top) : SPAN_NONE;
    while (index != SPAN_NONE) {
        const struct span *span = &spans->it[index];
        uint32_t next = after(spans, top, index);
        if (span->first == SPAN_NONE && span->arrival < keep_from) {
            take_calls(spans, spans->it[span->parent].call, span);
            note_absorbed(&spans->it[span->parent], span);
            window_remove(spans, window, index);
        }
        index = next;
    }
}

static void make_forest(struct spans *spans, struct span *span)
{
    if (span->is_forest)
        return;
    span->covered = span->end - span->begin;
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

uint32_t window_merge_next(struct spans *spans, struct window *window, uint32_t index)
{
    struct span *span = &spans->it[index];
    uint32_t next = span->next;
    struct span *other = &spans->it[next];
    absorb_below(spans, window, index, UINT64_MAX);
    absorb_below(spans, window, next, UINT64_MAX);
    make_forest(spans, span);
    span->covered += window_covered(other);
    span->names |= other->names;
    if (other->end > span->end)
        span->end = other->end;
    if (other->arrival > span->arrival)
        span->arrival = other->arrival;
    swap_calls(spans, span, other);
    take_calls(spans, span->call, other);
    window_remove(spans, window, next);
    return next;
}

/* Which neighbours may be merged. */
struct choice {
    const struct open *opens; /* NULL: whatever begins are open */
    uint32_t open;
    uint64_t keep_from; /* spans that arrived before */
    uint64_t gap;       /* with at most so much time between them */
    bool same_names;
};

static bool has_same_names(const struct span *left, const struct span *right)
{
    uint64_t both = left->names | right->names;
    return both == left->names || both == right->names;
}

static bool may_merge(struct choice *choice, const struct span *left, const struct span *right)
{
    const struct open *opens = choice->opens;
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
            uint64_t gap = spans->it[index].begin - spans->it[left].end;
            if (gap <= choice.gap)
                window_merge_next(spans, window, left);
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
    for (uint32_t i = window->first; i != SPAN_NONE; i = spans->it[i].next)
        absorb_below(spans, window, i, choice.keep_from);
    choice.same_names = true;
    merge_by_gaps(spans, window, choice, wanted);
    choice.same_names = false;
    merge_by_gaps(spans, window, choice, wanted);
}

void window_make_room(struct spans *spans, struct window *window, const struct open *opens,
                      uint32_t open)
{
    uint32_t wanted = window->count / 4 * 3;
    uint64_t recent = window->count / 2;
    uint64_t keep_from = window->arrivals > recent ? window->arrivals - recent : 0;
    shrink(spans, window, (struct choice){opens, open, keep_from, 0, true}, wanted);
    if (window->count > wanted)
        shrink(spans, window, (struct choice){NULL, 0, UINT64_MAX, 0, true}, wanted);
}

uint32_t window_end(struct spans *spans, struct window *window)
{
    uint32_t all = spans->calls != NULL ? calls_new(spans->calls, NAME_OTHERS) : CALL_NONE;
    while (window->first != SPAN_NONE) {
        uint32_t index = window->first;
        absorb_below(spans, window, index, UINT64_MAX);
        take_calls(spans, all, &spans->it[index]);
        window_remove(spans, window, index);
    }
    return all;
}
