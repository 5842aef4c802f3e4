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

/* What came too late, or still waits. Begins without an end stay in rest->open and rest->begin. */
static void match_rest(struct report *report, const struct pairing *pairing, uint32_t async,
                       struct pairing_rest *rest, const struct pairing_rows *rows)
{
    uint32_t begin, end;
    *rest = pairing_rest(pairing, rows, rows);
    while (pairing_next(rest, &begin, &end)) {
        struct open last = opens_free(&report->opens, end);
        report->opens.strays--;
        if (begin == 0) {
            report_note_stray(report, last.begin, async != ASYNC_NONE);
            continue;
        }
        struct open open = opens_free(&report->opens, begin);
        report_duration(report, &open, &last, async);
    }
}

/* Moves the begins without an end to the list `late` of another pairing, the last one first. */
static void move_rest(const struct pairing_rows *rows, struct pairing_rest *rest,
                      struct pairing *unfinished)
{
    uint32_t open = 0;
    while (rest->open != 0)
        pairing_put(rows, &open, pairing_take(rows, &rest->open));
    while (open != 0)
        pairing_put(rows, &unfinished->late, pairing_take(rows, &open));
    while (rest->begin != 0)
        pairing_put(rows, &unfinished->late, pairing_take(rows, &rest->begin));
}

static void match_durations(struct report *report, uint32_t track)
{
    const struct pairing durations = report->tracks.it[track].durations;
    struct pairing_rows rows = opens_rows(&report->opens);
    struct pairing_rest rest;
    report->tracks.it[track].durations = pairing_of_none(0);
    match_rest(report, &durations, ASYNC_NONE, &rest, &rows);
    move_rest(&rows, &rest, &report->times[report->tracks.it[track].thread].unfinished);
}

/* Those of a track, in the order of their begins. */
static void add_unfinished(struct report *report, struct window *window,
                           const struct pairing *unfinished, bool is_async)
{
    struct pairing_rows rows = opens_rows(&report->opens);
    struct pairing_rest rest = pairing_rest(unfinished, &rows, &rows);
    while (rest.begin != 0) {
        struct open open = opens_free(&report->opens, pairing_take(&rows, &rest.begin));
        const struct span span = {.begin = open.begin,
                                  .end = report->refs.last,
                                  .begin_number = open.number,
                                  .end_number = UINT64_MAX,
                                  .is_unfinished = true,
                                  .is_async = is_async};
        uint64_t end = window_add(&report->spans, window, &span, open.name, NULL, 0);
        if (!report_clip(report, &open.begin, &end))
            continue;
        report_note_longest(&report->unfinished, &open, end - open.begin, is_async);
        report->notes.begins[is_async]++;
    }
}

static void match_asyncs(struct report *report)
{
    struct pairing_rows rows = opens_rows(&report->opens);
    for (uint32_t i = 1; i <= report->asyncs.used; i++) {
        struct async *async = &report->asyncs.it[i];
        const struct pairing operations = async->operations;
        struct pairing unfinished = pairing_of_none(0);
        struct pairing_rest rest;
        async->operations = unfinished;
        match_rest(report, &operations, i, &rest, &rows);
        move_rest(&rows, &rest, &unfinished);
        add_unfinished(report, &report->async_windows[i], &unfinished, true);
        report_end_async(report, i);
    }
    asyncs_clear(&report->asyncs);
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

void report_end_trace(struct report *report)
{
    uint32_t first = report->tracks.first_of_trace;
    tracks_end_trace(&report->tracks, &report->names, &report->refs.tables);
    match_asyncs(report);
    for (uint32_t track = first; track < report->tracks.count; track++)
        match_durations(report, track);
    for (uint32_t track = first; track < report->tracks.count; track++) {
        if (report->tracks.it[track].thread != track)
            continue;
        add_unfinished(report, &report->times[track].window, &report->times[track].unfinished,
                       false);
        collect_gaps(report, track);
        collect_stacks(report, track);
    }
    if (report->refs.first < report->first)
        report->first = report->refs.first;
    if (report->refs.last > report->last)
        report->last = report->refs.last;
    report->refs.first = UINT64_MAX;
    report->refs.last = 0;
}

bool report_end(struct report *report)
{
    report_end_trace(report);
    counters_end(&report->counters);
    if (report->opens.lacks_strays)
        report->opens.full |= report->notes.begins[false] + report->notes.begins[true] > 0;
    if (calls_add_up(&report->calls, report->stacks))
        return true;
    message("%s: %s", report->file, strerror(ENOMEM));
    return false;
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
