/* After the last record: begins are matched with ends that came before them, what the windows still
   hold becomes stacks, and the longest gaps are chosen. */
#include <errno.h>
#include <string.h>

#include "src/tools/fxt/report/report.h"

static void collect_gaps(struct report *report, uint32_t track)
{
    const struct cover *cover = &report->times[track].cover;
    for (uint32_t i = 1; i < cover->count; i++) {
        struct long_one gap = {cover->it[i].begin - cover->it[i - 1].end, cover->it[i - 1].end,
                               NAME_OTHERS, track, false};
        if (longest_wants(&report->gaps, gap.ns))
            longest_add(&report->gaps, &gap);
    }
}

/* What came too late, or still waits. */
static void match_rest(struct report *report, uint32_t track)
{
    struct pairing *durations = &report->tracks.it[track].durations;
    struct pairing_rows rows = opens_rows(&report->opens);
    struct pairing_rest rest = pairing_rest(durations, &rows, &rows);
    uint32_t begin, end;
    *durations = pairing_of_none(0);
    while (pairing_next(&rest, &begin, &end)) {
        uint64_t ns = opens_free(&report->opens, end).begin;
        if (begin == 0) {
            report->notes.ends++;
            continue;
        }
        struct open open = opens_free(&report->opens, begin);
        report_duration(report, &open, ns, false);
    }
    while (pairing_next_open(&rest, &begin))
        report->notes.begins++;
}

/* The stacks of a thread go below nodes of its provider and its own. */
static void collect_stacks(struct report *report, uint32_t track)
{
    struct calls *calls = &report->calls;
    const struct track *it = &report->tracks.it[track];
    uint32_t all = window_end(&report->spans, &report->times[track].window);
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
    tracks_end_trace(&report->tracks, &report->names, &report->refs.tables);
    if (report->spans.calls != NULL)
        report->stacks = calls_new(&report->calls, NAME_OTHERS);
    for (uint32_t track = 1; track < report->tracks.count; track++) {
        match_rest(report, track);
        collect_gaps(report, track);
        collect_stacks(report, track);
    }
    for (uint32_t i = 0; i < OPENS_MAX; i++) {
        report->notes.async_begins += opens_count(&report->opens, report->async_begins[i]);
        report->notes.async_ends += opens_count(&report->opens, report->async_ends[i]);
    }
    if (report->opens.lacks_strays)
        report->opens.full |= report->notes.begins + report->notes.async_begins > 0;
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

void report_join_equal_names(struct report *report)
{
    struct groups *groups = &report->groups;
    memset(groups->of_key, 0, sizeof groups->of_key); /* by label from here on */
    for (uint32_t i = 1; i < groups->count; i++) {
        const struct group *group = &groups->it[i];
        uint32_t *first = &groups->of_key[group->is_async][report_group_name(report, group)];
        if (*first == 0)
            *first = i;
        else
            groups_merge(groups, *first, i);
    }
}
