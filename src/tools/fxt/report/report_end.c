/* After the last record: what the windows still hold becomes stacks, the longest gaps are chosen,
   and the begins that are still open are counted. */
#include <errno.h>
#include <string.h>

#include "src/tools/fxt/report/report.h"

static void collect_gaps(struct report *report, uint32_t track)
{
    const struct cover *cover = &report->tracks.it[track].cover;
    for (uint32_t i = 1; i < cover->count; i++) {
        struct long_one gap = {cover->it[i].begin - cover->it[i - 1].end, cover->it[i - 1].end,
                               NAME_OTHERS, track, false};
        if (longest_wants(&report->gaps, gap.ns))
            longest_add(&report->gaps, &gap);
    }
}

static uint32_t count_list(const struct report *report, uint32_t open)
{
    uint32_t count = 0;
    for (; open != 0; open = report->opens[open].next)
        count++;
    return count;
}

/* The stacks of a thread go below nodes of its provider and its own. */
static void collect_stacks(struct report *report, uint32_t track)
{
    struct calls *calls = &report->calls;
    const struct track *it = &report->tracks.it[track];
    uint32_t all = window_end(&report->spans, &report->tracks.it[track].window);
    if (report->spans.calls == NULL || calls->it[all].kids == 0)
        return;
    uint32_t provider = calls_new(calls, report->tracks.providers[it->provider].name);
    uint32_t thread = calls_new(calls, it->name);
    calls_merge(calls, thread, all);
    calls_adopt(calls, provider, thread);
    calls_adopt(calls, report->stacks, provider);
}

bool report_end(struct report *report)
{
    tracks_end_trace(&report->tracks, &report->names, &report->tables);
    if (report->spans.calls != NULL)
        report->stacks = calls_new(&report->calls, NAME_OTHERS);
    for (uint32_t track = 1; track < report->tracks.count; track++) {
        collect_gaps(report, track);
        collect_stacks(report, track);
        report->notes.begins += count_list(report, report->tracks.it[track].open);
    }
    for (uint32_t i = 0; i < OPENS_MAX; i++)
        report->notes.async_begins += count_list(report, report->async[i]);
    if (calls_add_up(&report->calls, report->stacks))
        return true;
    message("%s: %s", report->file, strerror(ENOMEM));
    return false;
}

uint32_t report_group_name(const struct report *report, const struct group *group)
{
    if (group == &report->groups.it[GROUP_OTHERS])
        return NAME_OTHERS;
    switch (report->by) {
    case REPORT_BY_THREAD:
        return report->tracks.it[group->key].name;
    case REPORT_BY_PROCESS:
        return report->tracks.processes[group->key].name;
    case REPORT_BY_PROVIDER:
        return report->tracks.providers[group->key].name;
    default:
        return group->key;
    }
}
