/* Runs of durations. Invariant: of a list, each run begins after the one before. */
#include "src/tools/fxt/report/totals.h"

#include <stddef.h>

static uint32_t find_list(const struct totals *totals, const struct window_totals *window,
                          uint32_t group)
{
    const uint32_t *list =
        window->number != 0 ? map_find(&totals->lists_of, window->number, group, 0) : NULL;
    return list != NULL ? *list : 0;
}

static void release(struct totals *totals, uint32_t run)
{
    totals->runs[run].earlier = totals->runs_free;
    totals->runs_free = run;
}

bool totals_take(struct totals *totals, struct groups *groups, const struct window_totals *window,
                 uint32_t group, uint64_t begin, uint64_t end)
{
    uint32_t list = find_list(totals, window, group);
    uint32_t *link = &totals->lists[list].latest;
    if (list == 0)
        return true;
    while (*link != 0 && totals->runs[*link].end > end)
        link = &totals->runs[*link].earlier;
    while (*link != 0 && totals->runs[*link].begin >= begin) {
        uint32_t run = *link;
        *link = totals->runs[run].earlier;
        groups_take_total(groups, group, totals->runs[run].ns);
        release(totals, run);
    }
    const struct total_run *before = &totals->runs[*link];
    return *link == 0 || before->end <= begin || !before->has_gaps;
}

static uint32_t add_list(struct totals *totals, struct window_totals *window, uint32_t group)
{
    if (window->number == 0)
        window->number = ++totals->windows;
    uint32_t *place = map_add(&totals->lists_of, TOTAL_RUNS_MAX - 1, window->number, group, 0);
    if (place == NULL)
        return 0;
    uint32_t list = totals->lists_free;
    if (list != 0)
        totals->lists_free = totals->lists[list].next;
    else
        list = ++totals->lists_used;
    *place = list;
    totals->lists[list] = (struct total_list){window->number, group, 0, window->lists};
    window->lists = list;
    return list;
}

static uint32_t new_run(struct totals *totals)
{
    uint32_t run = totals->runs_free;
    if (run != 0)
        totals->runs_free = totals->runs[run].earlier;
    else if (totals->runs_used < TOTAL_RUNS_MAX - 1)
        run = ++totals->runs_used;
    return run;
}

/* A run becomes part of the later one before which it lies. */
static void join(struct totals *totals, uint32_t later)
{
    struct total_run *into = &totals->runs[later];
    uint32_t earlier = into->earlier;
    const struct total_run *from = &totals->runs[earlier];
    into->has_gaps |= from->has_gaps || from->end != into->begin;
    into->begin = from->begin;
    into->end = from->end > into->end ? from->end : into->end;
    into->ns += from->ns;
    into->earlier = from->earlier;
    release(totals, earlier);
}

void totals_keep(struct totals *totals, struct window_totals *window, uint32_t group,
                 struct total_run new, totals_is_open *is_open, const void *context)
{
    uint32_t list = find_list(totals, window, group);
    if (list == 0)
        list = add_list(totals, window, group);
    uint32_t *link = &totals->lists[list].latest;
    uint32_t later = 0;
    uint32_t run = list != 0 ? new_run(totals) : 0;
    if (run == 0) {
        totals->full = true;
        return;
    }
    for (; *link != 0 && totals->runs[*link].begin > new.begin; link = &totals->runs[*link].earlier)
        later = *link;
    const struct total_run *earlier = &totals->runs[*link];
    bool joins = *link != 0 && !is_open(context, earlier->end, new.begin);
    totals->runs[run] = new;
    totals->runs[run].earlier = *link;
    *link = run;
    if (joins)
        join(totals, run);
    if (later != 0 && !is_open(context, new.end, totals->runs[later].begin))
        join(totals, later);
}

void totals_end(struct totals *totals, struct window_totals *window)
{
    while (window->lists != 0) {
        uint32_t number = window->lists;
        struct total_list *list = &totals->lists[number];
        window->lists = list->next;
        while (list->latest != 0) {
            uint32_t run = list->latest;
            list->latest = totals->runs[run].earlier;
            release(totals, run);
        }
        map_remove(&totals->lists_of, map_find(&totals->lists_of, list->window, list->group, 0));
        list->next = totals->lists_free;
        totals->lists_free = number;
    }
}
