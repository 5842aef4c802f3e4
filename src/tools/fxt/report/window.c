/* Where a duration belongs. Invariants: the parent of a span is the one that begins last of those
   that enclose it; siblings are ordered by their begins, and so by their ends, too; a forest has no
   children. So a walk of the tree that visits parents first is in the order of begins.

   Self times are counted as soon as a parent is known: the parent's group loses the time of a child
   that it gets, and gets back that of a child which another takes from it. */
#include "src/tools/fxt/report/window.h"

#include "src/tools/fxt/report/names.h"

static struct span *at(struct spans *spans, uint32_t index)
{
    return &spans->it[index];
}

/* ---- places */

static bool is_before(uint64_t a_ns, uint64_t a_number, uint64_t b_ns, uint64_t b_number)
{
    return a_ns != b_ns ? a_ns < b_ns : a_number < b_number;
}

static bool ends_before(const struct span *a, const struct span *b)
{
    return is_before(a->end, a->end_number, b->end, b->end_number);
}

/* Of those that begin behind one record, the one that ends later begins first. */
static bool begins_before(const struct span *a, const struct span *b)
{
    if (a->begin != b->begin || a->begin_number != b->begin_number)
        return is_before(a->begin, a->begin_number, b->begin, b->begin_number);
    if (a->is_behind != b->is_behind)
        return b->is_behind;
    return ends_before(b, a);
}

static bool is_over_before(const struct span *a, const struct span *b)
{
    return is_before(a->end, a->last_number, b->begin, b->begin_number);
}

/* Whether a span, or what lies in it, encloses one that begins later. */
static bool encloses(const struct span *outer, const struct span *in)
{
    if (in->begin == in->end)
        return !is_before(outer->end, outer->last_number, in->end, in->end_number);
    return outer->end >= in->end;
}

/* ---- self times */

/* Adds to the self time of a span, modulo 2^64. */
static void add_self(struct spans *spans, uint32_t index, uint64_t ns)
{
    const struct span *span = at(spans, index);
    if (index == SPAN_NONE || span->is_forest || span->is_unfinished)
        return;
    spans->groups->it[span->group].self += ns;
    if (span->call != CALL_NONE)
        spans->calls->it[span->call].self += ns;
}

/* The time of a span that neither the siblings before it cover nor what its parent has absorbed. */
static uint64_t covers(struct spans *spans, const struct span *span)
{
    const struct span *parent = at(spans, span->parent);
    const struct span *previous = at(spans, span->previous);
    uint64_t from = span->begin;
    if (span->previous != SPAN_NONE && previous->end > from)
        from = previous->end;
    if (span->parent != SPAN_NONE && from < parent->absorbed_end &&
        span->end > parent->absorbed_begin)
        from = parent->absorbed_end;
    uint64_t ns = span->end > from ? spans_length(spans, from, span->end) : 0;
    return span->is_forest && span->ns < ns ? span->ns : ns;
}

static void cover_again(struct spans *spans, uint32_t index)
{
    struct span *span = at(spans, index);
    uint64_t before = span->covers;
    if (index == SPAN_NONE)
        return;
    span->covers = covers(spans, span);
    add_self(spans, span->parent, before - span->covers);
}

/* ---- the tree */

/* Links a span behind `previous`, or as the first child of `parent`. */
static void insert(struct spans *spans, struct window *window, uint32_t index, uint32_t parent,
                   uint32_t previous)
{
    struct span *span = at(spans, index);
    uint32_t *first = window_first(spans, window, parent);
    span->parent = parent;
    span->previous = previous;
    span->next = previous != SPAN_NONE ? at(spans, previous)->next : *first;
    if (previous != SPAN_NONE)
        at(spans, previous)->next = index;
    else
        *first = index;
    if (span->next != SPAN_NONE)
        at(spans, span->next)->previous = index;
    else
        *window_last(spans, window, parent) = index;
    window->count++;
    span->covers = covers(spans, span);
    add_self(spans, parent, 0 - span->covers);
    cover_again(spans, span->next);
}

static void take_off(struct spans *spans, struct window *window, uint32_t index)
{
    const struct span *span = at(spans, index);
    window_unlink(spans, window, index);
    add_self(spans, span->parent, span->covers);
    cover_again(spans, span->next);
}

struct position {
    uint32_t parent;
    uint32_t previous;
};

/* The innermost span that encloses a new one, and the child of it that begins before. If a sibling
   does not end after the new one, none before it does. */
static struct position find_place(struct spans *spans, const struct window *window,
                                  const struct span *in)
{
    struct position place = {SPAN_NONE, window->last};
    for (;;) {
        while (place.previous != SPAN_NONE && !begins_before(at(spans, place.previous), in))
            place.previous = at(spans, place.previous)->previous;
        const struct span *before = at(spans, place.previous);
        if (place.previous == SPAN_NONE || before->is_forest || !encloses(before, in))
            return place;
        place = (struct position){place.previous, before->last};
    }
}

/* Takes what the span encloses: siblings behind it, and behind those around it that have its end;
   and of the sibling before it the children that begin behind the span. */
static void adopt(struct spans *spans, struct window *window, uint32_t index)
{
    const struct span *span = at(spans, index);
    uint32_t end = index;
    while (end != SPAN_NONE && at(spans, end)->end == span->end) {
        uint32_t child = at(spans, end)->next;
        while (child != SPAN_NONE && encloses(span, at(spans, child))) {
            take_off(spans, window, child);
            insert(spans, window, child, index, span->last);
            child = at(spans, end)->next;
        }
        end = at(spans, end)->parent;
    }
    uint32_t before = span->previous;
    while (before != SPAN_NONE && !is_over_before(at(spans, before), span)) {
        uint32_t child = at(spans, before)->last;
        while (child != SPAN_NONE && begins_before(span, at(spans, child))) {
            take_off(spans, window, child);
            insert(spans, window, child, index, SPAN_NONE);
            child = at(spans, before)->last;
        }
        before = child;
    }
}

static void put(struct spans *spans, struct window *window, uint32_t index)
{
    const struct span *span = at(spans, index);
    struct position place = find_place(spans, window, span);
    insert(spans, window, index, place.parent, place.previous);
    uint32_t around = span->parent;
    while (around != SPAN_NONE && at(spans, around)->end == span->end &&
           at(spans, around)->last_number < span->last_number) {
        at(spans, around)->last_number = span->last_number;
        around = at(spans, around)->parent;
    }
}

/* ---- complete durations, which begin behind the last begin of their time that ends later */

/* The number of that begin among those of the window. */
static uint64_t find_begin(struct spans *spans, const struct window *window, const struct span *in)
{
    uint64_t number = 0;
    uint32_t index = window->last;
    while (index != SPAN_NONE) {
        const struct span *span = at(spans, index);
        bool is_longer = span->begin <= in->begin && ends_before(in, span);
        if (span->begin <= in->begin && !is_longer)
            break;
        if (is_longer && span->begin == in->begin)
            number = span->begin_number;
        index = is_longer ? span->last : span->previous;
    }
    return number;
}

/* The first span that begins at that time. */
static uint32_t first_at(struct spans *spans, const struct window *window, uint64_t ns)
{
    uint32_t found = SPAN_NONE;
    uint32_t index = window->last;
    for (;;) {
        for (; index != SPAN_NONE && at(spans, index)->begin >= ns;
             index = at(spans, index)->previous)
            if (at(spans, index)->begin == ns)
                found = index;
        if (index == SPAN_NONE || at(spans, index)->end < ns)
            return found;
        index = at(spans, index)->last;
    }
}

/* Parents first, and so in the order of begins. */
static uint32_t next_of(struct spans *spans, uint32_t index)
{
    if (at(spans, index)->first != SPAN_NONE)
        return at(spans, index)->first;
    while (index != SPAN_NONE && at(spans, index)->next == SPAN_NONE)
        index = at(spans, index)->parent;
    return index != SPAN_NONE ? at(spans, index)->next : SPAN_NONE;
}

/* Takes a span out of the tree, and gives it another place. */
static void move_behind(struct spans *spans, struct window *window, uint32_t index, uint64_t number)
{
    struct span *span = at(spans, index);
    uint32_t children = SPAN_NONE;
    take_off(spans, window, index);
    while (span->first != SPAN_NONE) {
        uint32_t child = span->last;
        take_off(spans, window, child);
        at(spans, child)->next = children;
        children = child;
    }
    while (children != SPAN_NONE) {
        uint32_t child = children;
        children = at(spans, child)->next;
        put(spans, window, child);
    }
    span->begin_number = number;
    put(spans, window, index);
    adopt(spans, window, index);
}

/* The begin of a new span moves those that it takes behind it. */
static void move_all_behind(struct spans *spans, struct window *window, const struct span *in)
{
    uint32_t index = first_at(spans, window, in->begin);
    while (index != SPAN_NONE && at(spans, index)->begin == in->begin) {
        const struct span *span = at(spans, index);
        bool moves = span->is_behind && !span->is_forest && span->begin_number < in->begin_number &&
                     (in->is_unfinished || ends_before(span, in));
        if (moves)
            move_behind(spans, window, index, in->begin_number);
        index = moves ? first_at(spans, window, in->begin) : next_of(spans, index);
    }
}

/* ---- a new one */

/* Whether a span lies inside what its parent has absorbed, or overlaps with a forest. */
static bool is_late(struct spans *spans, const struct span *span)
{
    const struct span *parent = at(spans, span->parent);
    const struct span *previous = at(spans, span->previous);
    const struct span *next = at(spans, span->next);
    if (span->parent != SPAN_NONE && span->begin < parent->absorbed_end &&
        span->end > parent->absorbed_begin)
        return true;
    return (span->previous != SPAN_NONE && previous->is_forest && previous->end > span->begin) ||
           (span->next != SPAN_NONE && next->is_forest && next->begin < span->end);
}

static bool overlaps(struct spans *spans, const struct span *span)
{
    return (span->previous != SPAN_NONE && at(spans, span->previous)->end > span->begin) ||
           (span->next != SPAN_NONE && at(spans, span->next)->begin < span->end);
}

static uint32_t allocate(struct spans *spans, struct window *window, const struct open *opens,
                         uint32_t open)
{
    uint32_t index = SPAN_NONE;
    if (window->count < spans->capacity)
        index = window_allocate(spans, window);
    if (index == SPAN_NONE) {
        window_make_room(spans, window, opens, open);
        index = window_allocate(spans, window);
    }
    if (index == SPAN_NONE)
        spans->full = true;
    return index;
}

static void add_call(struct spans *spans, struct span *span, uint32_t name)
{
    if (spans->calls != NULL && !span->is_async)
        span->call = calls_new_of_span(spans->calls, name);
    if (span->call == CALL_NONE || span->is_unfinished)
        return;
    spans->calls->it[span->call].count = 1;
    spans->calls->it[span->call].self = spans_length(spans, span->begin, span->end);
}

/* The span becomes a part of a forest. */
static void join(struct spans *spans, struct window *window, uint32_t index)
{
    uint32_t forest = at(spans, index)->previous;
    if (spans->calls != NULL)
        calls_adopt(spans->calls, at(spans, forest)->call, at(spans, index)->call);
    at(spans, forest)->names |= at(spans, index)->names;
    groups_add_total(spans->groups, at(spans, index)->group,
                     spans_length(spans, at(spans, index)->begin, at(spans, index)->end));
    take_off(spans, window, index);
    window_free(spans, window, index);
}

/* An unfinished duration ends with the one that encloses its begin [SLC-05]. */
static void end_with_parent(struct spans *spans, const struct window *window, struct span *span)
{
    struct span begin = *span;
    begin.end = begin.begin;
    begin.end_number = begin.begin_number;
    uint32_t parent = find_place(spans, window, &begin).parent;
    if (parent == SPAN_NONE)
        return;
    span->end = at(spans, parent)->end;
    span->end_number = at(spans, parent)->end_number;
}

static uint64_t place(struct spans *spans, struct window *window, uint32_t index)
{
    struct span *span = at(spans, index);
    if (span->is_behind)
        span->begin_number = find_begin(spans, window, span);
    else if (span->begin_number != span->end_number)
        move_all_behind(spans, window, span);
    if (span->is_unfinished)
        end_with_parent(spans, window, span);
    span->last_number = span->end_number;
    uint64_t end = span->end;
    put(spans, window, index);
    adopt(spans, window, index);
    if (is_late(spans, span))
        spans->late++;
    else
        spans->overlap += !span->is_async && overlaps(spans, span);
    if (span->previous != SPAN_NONE && at(spans, span->previous)->is_forest &&
        ends_before(span, at(spans, span->previous)))
        join(spans, window, index);
    return end;
}

uint64_t window_add(struct spans *spans, struct window *window, const struct span *duration,
                    uint32_t name, const struct open *opens, uint32_t open)
{
    struct span new = *duration;
    uint64_t ns = spans_length(spans, new.begin, new.end);
    if (!new.is_unfinished) {
        spans->groups->it[new.group].self += ns;
        spans->late += !totals_take(spans->totals, spans->groups, &window->totals, new.group,
                                    new.begin, new.end);
    }
    uint32_t index = allocate(spans, window, opens, open);
    if (index == SPAN_NONE) {
        if (!new.is_unfinished)
            groups_add_total(spans->groups, new.group, ns);
        return new.end;
    }
    add_call(spans, &new, name);
    new.arrival = window->arrivals++;
    new.names = UINT64_C(1) << names_hash(name, 0) % 64;
    new.is_behind = new.begin < new.end &&new.begin_number == new.end_number;
    *at(spans, index) = new;
    return place(spans, window, index);
}
