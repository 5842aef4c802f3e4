/* Where a duration belongs. Invariants: siblings are ordered by time, and one ends no later than
   the next begins; a child lies inside its parent; a forest has no children.

   Self times are counted as soon as a parent is known: the parent's group loses the time of a child
   that it gets, and gets back that of a child which another takes from it. */
#include "src/tools/fxt/report/window.h"

#include "src/tools/fxt/refs/names.h"
#include "src/tools/fxt/report/window_room.h"

static struct span *at(struct spans *spans, uint32_t index)
{
    return &spans->it[index];
}

/* Links a span behind `previous`, or as the first child of its parent. */
static void insert(struct spans *spans, struct window *window, uint32_t index, uint32_t previous)
{
    struct span *span = at(spans, index);
    uint32_t *first = window_first(spans, window, span->parent);
    span->previous = previous;
    span->next = previous != SPAN_NONE ? at(spans, previous)->next : *first;
    if (previous != SPAN_NONE)
        at(spans, previous)->next = index;
    else
        *first = index;
    if (span->next != SPAN_NONE)
        at(spans, span->next)->previous = index;
    else
        *window_last(spans, window, span->parent) = index;
    window->count++;
}

/* Adds to the self time of a span, modulo 2^64. */
static void add_self(struct spans *spans, uint32_t index, uint64_t ns)
{
    const struct span *span = at(spans, index);
    if (index == SPAN_NONE || span->is_forest)
        return;
    spans->groups->it[span->group].self += ns;
    if (span->call != CALL_NONE)
        spans->calls->it[span->call].self += ns;
}

/* The siblings that overlap with a duration, if there are any: the first and the last of them. */
struct range {
    uint32_t first;
    uint32_t last;
    uint32_t previous; /* the sibling before the duration */
};

static struct range find_overlap(struct spans *spans, const struct span *in, uint32_t last)
{
    while (last != SPAN_NONE && at(spans, last)->begin >= in->end)
        last = at(spans, last)->previous;
    struct range range = {SPAN_NONE, last, last};
    for (; last != SPAN_NONE && at(spans, last)->end > in->begin; last = at(spans, last)->previous)
        range.first = last;
    range.previous = last;
    return range;
}

static bool encloses(const struct span *outer, const struct span *inner)
{
    return outer->begin <= inner->begin && inner->end <= outer->end;
}

/* Descends to the children of the smallest duration that encloses a new one. */
static struct range find_place(struct spans *spans, struct window *window, struct span *in)
{
    struct range range = find_overlap(spans, in, window->last);
    in->parent = SPAN_NONE;
    while (range.first != SPAN_NONE && range.first == range.last) {
        const struct span *outer = at(spans, range.first);
        bool is_equal = outer->begin == in->begin && outer->end == in->end;
        if (outer->is_forest || !encloses(outer, in) || (is_equal && !window->parents_first))
            break;
        if (!is_equal)
            window->parents_first = true;
        in->parent = range.first;
        range = find_overlap(spans, in, outer->last);
    }
    return range;
}

/* The siblings of the range become children of a new span, which takes their place. */
static void adopt(struct spans *spans, struct window *window, uint32_t index, struct range range)
{
    struct span *span = at(spans, index);
    uint64_t given_back = 0;
    uint64_t covered = 0;
    uint32_t after = at(spans, range.last)->next;
    bool is_equal =
        at(spans, range.first)->begin == span->begin && at(spans, range.first)->end == span->end;
    if (!is_equal)
        window->parents_first = false;
    for (uint32_t i = range.first; i != after; i = at(spans, i)->next) {
        given_back += window_covered(at(spans, i));
        at(spans, i)->is_late = false;
        covered += window_covered(at(spans, i));
        at(spans, i)->parent = index;
    }
    span->first = range.first;
    span->last = range.last;
    *(range.previous != SPAN_NONE ? &at(spans, range.previous)->next
                                  : window_first(spans, window, span->parent)) = after;
    if (after != SPAN_NONE)
        at(spans, after)->previous = range.previous;
    else
        *window_last(spans, window, span->parent) = range.previous;
    at(spans, range.first)->previous = SPAN_NONE;
    at(spans, range.last)->next = SPAN_NONE;
    insert(spans, window, index, range.previous);
    add_self(spans, index, 0 - covered);
    add_self(spans, span->parent, given_back - window_covered(span));
}

/* A new span and all siblings that it overlaps with become one forest. */
static void entangle(struct spans *spans, struct window *window, uint32_t index, struct range range)
{
    struct span *span = at(spans, index);
    uint64_t before = 0;
    bool meets_forest = false;
    insert(spans, window, index, range.last);
    uint32_t into = range.first;
    for (uint32_t i = range.first; i != index; i = at(spans, i)->next) {
        before += window_covered(at(spans, i));
        meets_forest = meets_forest || at(spans, i)->is_forest;
    }
    *(meets_forest ? &spans->late : &spans->overlap) += 1;
    uint64_t begin = span->begin < at(spans, into)->begin ? span->begin : at(spans, into)->begin;
    uint64_t end = span->end > at(spans, range.last)->end ? span->end : at(spans, range.last)->end;
    uint64_t covered = before + (span->end - span->begin);
    uint32_t parent = span->parent;
    while (window_merge_next(spans, window, into) != index)
        continue;
    struct span *forest = at(spans, into);
    forest->begin = begin;
    forest->end = end;
    forest->covered = covered < end - begin ? covered : end - begin;
    forest->is_late = false;
    add_self(spans, parent, before - forest->covered);
}

/* Whether a duration overlaps with what its parent has absorbed, and so perhaps lies inside that. */
static bool is_late(const struct spans *spans, const struct span *in)
{
    const struct span *parent = &spans->it[in->parent];
    return in->parent != SPAN_NONE && in->begin < parent->absorbed_end &&
           in->end > parent->absorbed_begin;
}

static uint32_t allocate(struct spans *spans, struct window *window, const struct open *opens,
                         uint32_t open)
{
    bool none_left = spans->free == SPAN_NONE && spans->used == SPANS_MAX - 1;
    if (window->count >= spans->capacity || none_left)
        window_make_room(spans, window, opens, open);
    uint32_t index = spans->free;
    if (index != SPAN_NONE)
        spans->free = at(spans, index)->next;
    else if (spans->used < SPANS_MAX - 1)
        index = ++spans->used;
    else
        spans->full = true;
    return index;
}

void window_add(struct spans *spans, struct window *window, const struct span *duration,
                uint32_t name, const struct open *opens, uint32_t open)
{
    struct span new = {.begin = duration->begin, .end = duration->end, .group = duration->group};
    spans->groups->it[new.group].self += new.end - new.begin;
    uint32_t index = allocate(spans, window, opens, open);
    if (index == SPAN_NONE)
        return;
    if (spans->calls != NULL)
        new.call = calls_new_of_span(spans->calls, name);
    if (new.call != CALL_NONE) {
        spans->calls->it[new.call].count = 1;
        spans->calls->it[new.call].self = new.end - new.begin;
    }
    new.arrival = window->arrivals++;
    new.names = UINT64_C(1) << names_hash(name, 0) % 64;
    struct range range = find_place(spans, window, &new);
    new.is_late = is_late(spans, &new);
    spans->late += new.is_late;
    *at(spans, index) = new;
    if (range.first == SPAN_NONE) {
        insert(spans, window, index, range.previous);
        add_self(spans, new.parent, 0 - window_covered(&new));
    } else if (new.begin <= at(spans, range.first)->begin &&
               at(spans, range.last)->end <= new.end) {
        adopt(spans, window, index, range);
    } else {
        entangle(spans, window, index, range);
    }
}
