/* Events to durations, counters and gaps. struct report is the whole state, mapped once: what a
   trace does not use takes no memory.

   Begins that are open are nodes of one pool: a list for each thread, and one for each hash of an
   async id, each from the last begin to the first. */
#include "src/tools/fxt/report/report.h"

#include <stdio.h>
#include <sys/mman.h>

#include "src/convert/kinds.h"
#include "src/tools/fxt/report/choices.h"

#define PROBE_MAX 512u

struct report *report_new(const char *file, const struct options *options)
{
    struct fxt_check_memory memory;
    struct report *report = memory_zeroed(sizeof *report);
    if (report == NULL || !memory_get(&memory)) {
        report_free(report);
        return NULL;
    }
    report->file = file;
    report->by = (enum report_by)options->by;
    report->first = UINT64_MAX;
    fxt_tables_init(&report->tables, &memory.tables);
    tracks_init(&report->tracks, &report->tables);
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
    if (report != NULL)
        munmap(report, sizeof *report);
}

/* ---- names */

static uint32_t unknown_name(struct report *report, uint16_t ref)
{
    char text[32];
    int size = sprintf(text, "<unknown #%u>", (unsigned)ref);
    return names_add(&report->names, (struct fxt_bytes){(const uint8_t *)text, (uint64_t)size});
}

static uint32_t name_of(struct report *report, struct fxt_string_ref ref)
{
    struct fxt_bytes text;
    const struct fxt_provider *provider = fxt_tables_provider(&report->tables);
    if (ref.ref == 0 || ref.ref >= FXT_STRING_INLINE) {
        fxt_tables_string(&report->tables, &text, ref);
        return names_add(&report->names, text);
    }
    if (provider->strings[ref.ref].generation != provider->generation)
        return unknown_name(report, ref.ref);
    struct report_string *known =
        &report->strings[report->tables.current % TOOL_PROVIDERS][ref.ref];
    if (known->generation != provider->generation) {
        fxt_tables_string(&report->tables, &text, ref);
        *known = (struct report_string){provider->generation, names_add(&report->names, text)};
    }
    return known->name;
}

/* ---- time */

static uint64_t ns_of(struct report *report, uint64_t ticks)
{
    uint64_t rate = fxt_tables_provider(&report->tables)->ticks_per_second;
    uint64_t ns = rate == FXT_TICKS_PER_SECOND_DEFAULT ? ticks : fxt_ticks_to_ns(ticks, rate);
    if (ns < report->first)
        report->first = ns;
    if (ns > report->last)
        report->last = ns;
    return ns;
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
    struct track *track = &report->tracks.it[duration->track];
    if (duration->track == TRACK_OTHERS) {
        report->groups.it[group].self += ns;
        return;
    }
    cover_add(&track->cover, duration->begin, end);
    window_add(&report->spans, &track->window,
               &(struct span){.begin = duration->begin, .end = end, .group = group}, duration->name,
               report->opens.it, track->durations.open);
}

static struct open opened(struct report *report, const struct fxt_event *event, uint64_t ns,
                          uint32_t track)
{
    return (struct open){
        .begin = ns,
        .id = event->value,
        .name = name_of(report, event->name),
        .category = report->by == REPORT_BY_CATEGORY ? name_of(report, event->category) : 0,
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

/* The scope of an async id is its process. */
static uint32_t *async_list(struct report *report, uint64_t id, uint32_t track)
{
    uint64_t hash = names_hash(report->tracks.it[track].process, id);
    return &report->async[hash % OPENS_MAX];
}

static void begin_async(struct report *report, const struct fxt_event *event, uint64_t ns,
                        uint32_t track)
{
    uint32_t *list = async_list(report, event->value, track);
    struct open open = opened(report, event, ns, track);
    open.next = *list;
    uint32_t node = opens_new(&report->opens, &open);
    if (node != 0)
        *list = node;
}

static void end_async(struct report *report, uint64_t id, uint32_t track, uint64_t ns)
{
    uint32_t process = report->tracks.it[track].process;
    uint32_t *link = async_list(report, id, track);
    for (unsigned step = 0; step < PROBE_MAX && *link != 0; step++) {
        const struct open *open = &report->opens.it[*link];
        if (open->id == id && report->tracks.it[open->track].process == process) {
            uint32_t node = *link;
            *link = open->next;
            struct open found = opens_free(&report->opens, node);
            report_duration(report, &found, ns, true);
            return;
        }
        link = &report->opens.it[*link].next;
    }
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
                          .name = name_of(report, event->name)};
    while (fxt_args_next(&args, &arg, &error) == FXT_OK) {
        if (!counters_number(&arg, &value))
            continue;
        key.arg = name_of(report, arg.name);
        counters_add(&report->counters, &key, ns, value);
    }
}

/* ---- records */

static void see_event(struct report *report, const struct fxt_event *event)
{
    uint64_t ns = ns_of(report, event->timestamp);
    uint32_t track = tracks_find(&report->tracks, event->thread);
    struct open open;
    report->events++;
    switch (event->event_type) {
    case FXT_EVENT_DURATION_COMPLETE:
        open = opened(report, event, ns, track);
        report_duration(report, &open, ns_of(report, event->value), false);
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
        end_async(report, event->value, track, ns);
        break;
    case FXT_EVENT_COUNTER:
        see_counter(report, event, ns, track);
        break;
    default:
        break;
    }
    if (track != TRACK_OTHERS)
        cover_add(&report->tracks.it[track].cover, ns, ns);
}

static void see_provider_event(struct report *report, const struct fxt_provider_event *event)
{
    uint32_t before = fxt_tables_provider(&report->tables)->id;
    if (event->event_id != FXT_PROVIDER_EVENT_BUFFER_FULL ||
        fxt_tables_select(&report->tables, event->provider_id) != FXT_OK)
        return;
    report->tracks.providers[tracks_provider(&report->tracks)].full_events++;
    fxt_tables_select(&report->tables, before);
}

/* What is kept beside the tables, and is no longer true after this record. */
static void forget(struct report *report, enum fxt_kind kind, const union fxt_convert_any *fields)
{
    if (kind == FXT_KIND_MAGIC)
        tracks_end_trace(&report->tracks, &report->names, &report->tables);
    if (kind == FXT_KIND_STRING)
        report->strings[report->tables.current % TOOL_PROVIDERS][fields->string.index].generation =
            0;
}

void report_record(struct report *report, const struct fxt_record *record)
{
    union fxt_convert_any fields;
    struct fxt_error error;
    enum fxt_kind kind = fxt_kind_of(record);
    if (fxt_kind_decode(kind, record, &fields, &error) != FXT_OK) {
        report->notes.malformed++;
        return;
    }
    if (kind == FXT_KIND_EVENT) {
        see_event(report, &fields.event);
        return;
    }
    forget(report, kind, &fields);
    if (fxt_tables_apply(&report->tables, record, &error) == FXT_FULL)
        report->notes.tables_full = true;
    if (kind == FXT_KIND_PROVIDER_EVENT)
        see_provider_event(report, &fields.provider_event);
    else if (kind == FXT_KIND_PROVIDER_INFO)
        tracks_provider(&report->tracks);
}
