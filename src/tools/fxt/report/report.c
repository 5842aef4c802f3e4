/* Events to durations, counters and gaps. struct report is the whole state, mapped once: what a
   trace does not use takes no memory.

   Begins that are open, and ends that wait for a late begin, are nodes of one pool: lists for each
   thread, and for each hash of an async id, each from the last one to the first. */
#include "src/tools/fxt/report/report.h"

#include <sys/mman.h>

#include "src/convert/kinds.h"
#include "src/tools/fxt/report/choices.h"

struct report *report_new(const char *file, const struct report_options *options)
{
    struct report *report = memory_zeroed(sizeof *report);
    if (report == NULL || !refs_init(&report->refs, names_add_text, &report->names)) {
        report_free(report);
        return NULL;
    }
    report->file = file;
    report->by = options->by;
    tracks_init(&report->tracks, &report->refs.tables);
    names_init(&report->names);
    groups_init(&report->groups);
    report->spans.groups = &report->groups;
    report->spans.capacity = WINDOW_CAPACITY;
    report->spans.calls = options->folded || options->flamegraph ? &report->calls : NULL;
    report->longest.wanted = report->gaps.wanted = options->top > 0 ? options->top : REPORT_TOP;
    return report;
}

void report_free(struct report *report)
{
    if (report == NULL)
        return;
    map_clear(&report->names.numbers);
    map_clear(&report->tracks.process_numbers);
    map_clear(&report->tracks.numbers);
    map_clear(&report->counters.numbers);
    munmap(report, sizeof *report);
}

/* ---- durations */

static uint32_t group_key(const struct report *report, const struct open *duration)
{
    const struct track *track = &report->tracks.it[duration->track];
    switch (report->by) {
    case REPORT_BY_CATEGORY:
        return duration->category;
    case REPORT_BY_THREAD:
        return duration->track;
    case REPORT_BY_PROCESS:
        return track->process;
    case REPORT_BY_PROVIDER:
        return track->provider;
    default:
        return duration->name;
    }
}

void report_duration(struct report *report, const struct open *duration, uint64_t end,
                     bool is_async)
{
    if (end < duration->begin) {
        report->notes.backwards++;
        return;
    }
    uint64_t ns = end - duration->begin;
    uint32_t group = groups_find(&report->groups, group_key(report, duration), is_async);
    groups_count(&report->groups, group, ns);
    report->durations++;
    if (longest_wants(&report->longest, ns))
        longest_add(&report->longest, &(struct long_one){ns, duration->begin, duration->name,
                                                         duration->track, is_async});
    if (is_async)
        return;
    if (duration->track == TRACK_OTHERS) {
        report->groups.it[group].self += ns;
        return;
    }
    struct report_times *times = &report->times[duration->track];
    cover_add(&times->cover, duration->begin, end);
    window_add(&report->spans, &times->window,
               &(struct span){.begin = duration->begin, .end = end, .group = group}, duration->name,
               report->opens.it, report->tracks.it[duration->track].durations.open);
}

static struct open opened(struct report *report, const struct fxt_event *event, uint64_t ns,
                          uint32_t track)
{
    return (struct open){
        .begin = ns,
        .id = event->value,
        .name = refs_text(&report->refs, event->name),
        .category =
            report->by == REPORT_BY_CATEGORY ? refs_text(&report->refs, event->category) : 0,
        .track = track,
    };
}

static void begin_duration(struct report *report, const struct fxt_event *event, uint64_t ns,
                           uint32_t track)
{
    struct pairing_rows rows = opens_rows(&report->opens);
    struct open open = opened(report, event, ns, track);
    uint32_t node = track != TRACK_OTHERS ? opens_new(&report->opens, &open) : 0;
    if (node != 0)
        pairing_begin(&report->tracks.it[track].durations, &rows, node);
}

static void end_duration(struct report *report, const struct fxt_event *event, uint64_t ns,
                         uint32_t track)
{
    struct pairing *durations = &report->tracks.it[track].durations;
    struct pairing_rows rows = opens_rows(&report->opens);
    struct open end = opened(report, event, ns, track);
    uint32_t node = 0;
    if (track != TRACK_OTHERS && pairing_end(durations, &rows, ns, &node)) {
        struct open open = opens_free(&report->opens, node);
        report_duration(report, &open, ns, false);
        return;
    }
    if (track != TRACK_OTHERS)
        node = opens_new_stray(&report->opens, &end);
    if (node != 0)
        pairing_stray(durations, &rows, node);
    else
        report->notes.ends++;
}

/* An async operation and the lists that its hash chooses. The scope of an id is its process. */
struct async {
    const struct report *report;
    uint64_t id;
    uint32_t process;
    uint32_t *begins;
    uint32_t *ends;
};

static struct async async_of(struct report *report, uint64_t id, uint32_t track)
{
    uint32_t process = report->tracks.it[track].process;
    uint64_t slot = names_hash(process, id) % OPENS_MAX;
    return (struct async){report, id, process, &report->async_begins[slot],
                          &report->async_ends[slot]};
}

static bool is_of(const void *operation, uint32_t node)
{
    const struct async *async = operation;
    const struct open *open = &async->report->opens.it[node];
    return open->id == async->id && async->report->tracks.it[open->track].process == async->process;
}

static struct open take(struct report *report, uint32_t *link)
{
    uint32_t node = *link;
    *link = report->opens.it[node].next;
    return opens_free(&report->opens, node);
}

static void put(struct report *report, uint32_t *list, uint32_t node)
{
    report->opens.it[node].next = *list;
    *list = node;
}

/* Without its thread, an operation has no process, and is not matched. */
static bool has_process(const struct report *report, uint32_t track)
{
    return report->tracks.it[track].ref == 0;
}

static void begin_async(struct report *report, const struct fxt_event *event, uint64_t ns,
                        uint32_t track)
{
    if (!has_process(report, track)) {
        report->notes.async_begins++;
        return;
    }
    struct async async = async_of(report, event->value, track);
    struct open open = opened(report, event, ns, track);
    struct pairing_rows rows = opens_rows(&report->opens);
    uint32_t *link = pairing_find_end(&rows, async.ends, ns, is_of, &async);
    if (link != NULL) {
        report->opens.strays--;
        report_duration(report, &open, take(report, link).begin, true);
        return;
    }
    uint32_t node = opens_new(&report->opens, &open);
    if (node != 0)
        put(report, async.begins, node);
}

static void end_async(struct report *report, const struct fxt_event *event, uint64_t ns,
                      uint32_t track)
{
    if (!has_process(report, track)) {
        report->notes.async_ends++;
        return;
    }
    struct async async = async_of(report, event->value, track);
    struct pairing_rows rows = opens_rows(&report->opens);
    uint32_t *link = pairing_find_begin(&rows, async.begins, ns, is_of, &async);
    if (link != NULL) {
        struct open open = take(report, link);
        report_duration(report, &open, ns, true);
        return;
    }
    struct open end = opened(report, event, ns, track);
    uint32_t node = opens_new_stray(&report->opens, &end);
    if (node != 0)
        put(report, async.ends, node);
    else
        report->notes.async_ends++;
}

/* ---- counters */

static void see_counter(struct report *report, const struct fxt_event *event, uint64_t ns,
                        uint32_t track)
{
    struct fxt_args args = event->args;
    struct fxt_arg arg;
    struct fxt_error error;
    double value;
    struct counter key = {.id = event->value,
                          .process = report->tracks.it[track].process,
                          .category = refs_text(&report->refs, event->category),
                          .name = refs_text(&report->refs, event->name)};
    while (fxt_args_next(&args, &arg, &error) == FXT_OK) {
        if (!counters_number(&arg, &value))
            continue;
        key.arg = refs_text(&report->refs, arg.name);
        counters_add(&report->counters, &key, ns, value);
    }
}

/* ---- records */

/* Since when the track has events all the time up to this one: a duration may be open, and its end would
   come too late. By then, the times between the events inside of it had taken the places of gaps. */
static uint64_t covered_since(const struct report *report, uint32_t track, uint64_t ns)
{
    uint32_t node = track != TRACK_OTHERS ? report->tracks.it[track].durations.open : 0;
    uint64_t begin = node != 0 ? report->opens.it[node].begin : ns;
    return begin < ns ? begin : ns;
}

static void see_event(struct report *report, const struct fxt_event *event)
{
    uint64_t ns = refs_ns(&report->refs, event->timestamp);
    uint32_t track = tracks_find(&report->tracks, event->thread);
    uint64_t since = covered_since(report, track, ns);
    struct open open;
    report->events++;
    switch (event->event_type) {
    case FXT_EVENT_DURATION_COMPLETE:
        open = opened(report, event, ns, track);
        report_duration(report, &open, refs_end_ns(&report->refs, event->value), false);
        return;
    case FXT_EVENT_DURATION_BEGIN:
        begin_duration(report, event, ns, track);
        break;
    case FXT_EVENT_DURATION_END:
        end_duration(report, event, ns, track);
        break;
    case FXT_EVENT_ASYNC_BEGIN:
        begin_async(report, event, ns, track);
        break;
    case FXT_EVENT_ASYNC_END:
        end_async(report, event, ns, track);
        break;
    case FXT_EVENT_COUNTER:
        see_counter(report, event, ns, track);
        break;
    default:
        break;
    }
    if (track != TRACK_OTHERS)
        cover_add(&report->times[track].cover, since, ns);
}

static void see_provider_event(struct report *report, const struct fxt_provider_event *event)
{
    uint32_t before = fxt_tables_provider(&report->refs.tables)->id;
    if (event->event_id != FXT_PROVIDER_EVENT_BUFFER_FULL ||
        !refs_select(&report->refs, event->provider_id))
        return;
    report->tracks.providers[tracks_provider(&report->tracks)].full_events++;
    refs_select(&report->refs, before);
}

void report_record(struct report *report, const struct fxt_record *record)
{
    union fxt_convert_any fields;
    struct fxt_error error;
    uint64_t ticks;
    enum fxt_kind kind = fxt_kind_of(record);
    if (fxt_kind_decode(kind, record, &fields, &error) != FXT_OK) {
        report->notes.malformed++;
        return;
    }
    if (kind == FXT_KIND_EVENT) {
        see_event(report, &fields.event);
        return;
    }
    if (kind == FXT_KIND_MAGIC) /* the tables forget the trace before (MET-10) */
        tracks_end_trace(&report->tracks, &report->names, &report->refs.tables);
    refs_apply(&report->refs, record);
    if (fxt_kind_timestamp(kind, &fields, &ticks))
        refs_ns(&report->refs, ticks);
    if (kind == FXT_KIND_PROVIDER_EVENT)
        see_provider_event(report, &fields.provider_event);
    else if (kind == FXT_KIND_PROVIDER_INFO)
        tracks_provider(&report->tracks);
}
