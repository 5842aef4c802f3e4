/* A duration that has both its ends: in its group, its thread's window and cover, and the list of the
   longest. No state. */
#include <string.h>

#include "src/tools/fxt/report/report.h"

/* Keeps them in order. */
void longest_add(struct longest *longest, const struct long_one *one)
{
    uint32_t from = 0;
    uint32_t to = longest->count;
    while (from < to) {
        uint32_t middle = (from + to) / 2;
        if (longest->it[middle].ns >= one->ns)
            from = middle + 1;
        else
            to = middle;
    }
    memmove(&longest->it[from + 1], &longest->it[from],
            (longest->count - from) * sizeof *longest->it);
    longest->it[from] = *one;
    if (longest->count < longest->wanted)
        longest->count++;
}

void report_note_longest(struct longest *longest, const struct open *duration, uint64_t ns,
                         bool is_async)
{
    if (longest_wants(longest, ns))
        longest_add(longest, &(struct long_one){ns, duration->begin, duration->name,
                                                duration->track, is_async});
}

void report_duration(struct report *report, const struct open *duration, const struct open *end,
                     uint32_t async)
{
    bool is_async = async != ASYNC_NONE;
    if (end->begin < duration->begin) {
        report->notes.backwards += report_wants(report, duration->begin);
        return;
    }
    struct open shown = *duration;
    uint64_t last = end->begin;
    if (!report_clip(report, &shown.begin, &last))
        return;
    uint64_t ns = last - shown.begin;
    uint32_t group = groups_find(&report->groups, report_key(report, duration, end), is_async);
    const struct track *track = &report->tracks.it[duration->track];
    struct report_times *times = &report->times[track->thread];
    const struct span span = {.begin = duration->begin,
                              .end = end->begin,
                              .begin_number = duration->number,
                              .end_number = end->number,
                              .is_async = is_async,
                              .group = group};
    groups_count(&report->groups, group, ns);
    report->durations++;
    report_note_longest(&report->longest, &shown, ns, is_async);
    if (is_async) {
        window_add(&report->spans, &report->async_windows[async], &span, duration->name,
                   report->opens.it, report->asyncs.it[async].operations.open);
    } else if (duration->track == TRACK_OTHERS) {
        groups_add_total(&report->groups, group, ns);
        report->groups.it[group].self += ns;
    } else {
        cover_add(&times->cover, shown.begin, last);
        window_add(&report->spans, &times->window, &span, duration->name, report->opens.it,
                   track->durations.open);
    }
}

void report_end_async(struct report *report, uint32_t async)
{
    uint32_t stacks = window_end(&report->spans, &report->async_windows[async]);
    calls_end(&report->calls, stacks);
    report->async_windows[async] = (struct window){0};
}
