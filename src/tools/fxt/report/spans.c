/* The links of the tree. Invariant: the lists of siblings are consistent in both directions. The state
   is struct spans and struct window. */
#include "src/tools/fxt/report/spans.h"

#define SPANS_AT_ONCE 32u

uint32_t *window_first(struct spans *spans, struct window *window, uint32_t parent)
{
    return parent != SPAN_NONE ? &spans->it[parent].first : &window->first;
}

uint32_t *window_last(struct spans *spans, struct window *window, uint32_t parent)
{
    return parent != SPAN_NONE ? &spans->it[parent].last : &window->last;
}

void window_unlink(struct spans *spans, struct window *window, uint32_t index)
{
    struct span *span = &spans->it[index];
    if (span->previous != SPAN_NONE)
        spans->it[span->previous].next = span->next;
    else
        *window_first(spans, window, span->parent) = span->next;
    if (span->next != SPAN_NONE)
        spans->it[span->next].previous = span->previous;
    else
        *window_last(spans, window, span->parent) = span->previous;
    window->count--;
}

void window_remove(struct spans *spans, struct window *window, uint32_t index)
{
    window_unlink(spans, window, index);
    window_free(spans, window, index);
}

/* A window takes its spans again in the order in which it freed them: so those that a walk of the
   tree visits one after the other lie close together. */
void window_free(struct spans *spans, struct window *window, uint32_t index)
{
    spans->it[index].next = SPAN_NONE;
    if (window->free == SPAN_NONE)
        window->free = index;
    else
        spans->it[window->last_free].next = index;
    window->last_free = index;
}

static void get_more(struct spans *spans, struct window *window)
{
    uint32_t wanted = window->count < SPANS_AT_ONCE ? 1 : SPANS_AT_ONCE;
    for (; wanted > 0 && spans->used < SPANS_MAX - 1; wanted--)
        window_free(spans, window, ++spans->used);
    if (window->free != SPAN_NONE || spans->free == SPAN_NONE)
        return;
    uint32_t index = spans->free;
    spans->free = spans->it[index].next;
    window_free(spans, window, index);
}

uint32_t window_allocate(struct spans *spans, struct window *window)
{
    if (window->free == SPAN_NONE)
        get_more(spans, window);
    uint32_t index = window->free;
    window->free = spans->it[index].next;
    __builtin_prefetch(&spans->it[window->free], 1);
    return index;
}

void window_give_up(struct spans *spans, struct window *window)
{
    if (window->free == SPAN_NONE)
        return;
    spans->it[window->last_free].next = spans->free;
    spans->free = window->free;
    window->free = SPAN_NONE;
}
