/* The times that the page shows. A double holds every ns of 104 days. If a trace is longer, the
   page shows the 104 days that begin the most events: a time of 0 in a trace of wall clock times,
   which begin 56 years later, is left out. No state. */
#include "src/tools/fxt/html/page.h"

#include <string.h>

/* The first time of the TIME_MAX ns with the most of these times, which are sorted. */
static uint64_t busiest(const uint64_t *times, uint32_t count)
{
    uint32_t most = 0;
    uint32_t best = 0;
    for (uint32_t begin = 0, end = 0; end < count; begin++) {
        while (end < count && times[end] - times[begin] <= TIME_MAX)
            end++;
        if (end - begin > most) {
            most = end - begin;
            best = begin;
        }
    }
    return count > 0 ? times[best] : 0;
}

static bool choose(struct page *page, const struct timeline *timeline)
{
    /* Each row begins with its time. */
    const struct array *const rows[] = {&timeline->slices, &timeline->counters,
                                        &timeline->flow_events, &timeline->scheds, &timeline->logs};
    struct array times;
    bool good = array_init(&times, sizeof(uint64_t));
    for (unsigned i = 0; good && i < sizeof rows / sizeof *rows; i++)
        for (uint32_t j = 0; j < rows[i]->count; j++) {
            uint64_t time;
            memcpy(&time, array_at(rows[i], j), sizeof time);
            if (page_wants(page, time))
                *(uint64_t *)array_add(&times) = time;
        }
    good = good && !times.failed && sort_by_time(&times);
    if (good)
        page->first = busiest(times.it, times.count);
    array_free(&times);
    return good;
}

bool page_choose_window(struct page *page)
{
    const struct bounds_row *bounds = bounds_at(page->timeline, 0);
    page->first = page->begin > bounds->start ? page->begin : bounds->start;
    page->last = page->end < bounds->end ? page->end : bounds->end;
    if (page->last < page->first)
        page->last = page->first;
    if (page->last - page->first <= TIME_MAX)
        return true;
    if (!choose(page, page->timeline))
        return false;
    if (page->last - page->first > TIME_MAX)
        page->last = page->first + TIME_MAX;
    return true;
}

static void clip(uint64_t *begin, uint64_t *end, uint64_t first, uint64_t last)
{
    *begin = *begin > first ? *begin : first;
    *end = *end < last ? *end : last;
}

bool page_clip(struct page *page, uint64_t *begin, uint64_t *end)
{
    if (*begin >= page->end || (*begin < page->begin && *end <= page->begin))
        return false;
    clip(begin, end, page->begin, page->end);
    bool is_outside = *end < page->first || *begin > page->last;
    page->notes[LEFT_FAR] += *begin < page->first || *end > page->last;
    clip(begin, end, page->first, page->last);
    return !is_outside;
}
