/* The links of the tree. Invariant: the lists of siblings are consistent in both directions. The state
   is struct spans and struct window. */
#include "src/tools/fxt/report/spans.h"

uint32_t *window_first(struct spans *spans, struct window *window, uint32_t parent)
{
    return parent != SPAN_NONE ? &spans->it[parent].first : &window->first;
}

uint32_t *window_last(struct spans *spans, struct window *window, uint32_t parent)
{
    return parent != SPAN_NONE ? &spans->it[parent].last : &window->last;
}

uint64_t window_covered(const struct span *span)
{
    if (span->is_late)
        return 0;
    return span->is_forest ? span->covered : span->end - span->begin;
}

void window_remove(struct spans *spans, struct window *window, uint32_t index)
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
    span->next = spans->free;
    spans->free = index;
    window->count--;
}
