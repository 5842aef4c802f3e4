/* Events to durations, counters and gaps. struct report is the whole state, mapped once: what a
   trace does not use takes no memory.

   Begins that are open, and ends that wait for a late begin, are nodes of one pool: lists for each
   thread, and for each async id of a process, each from the last one to the first. */
#include "src/tools/fxt/report/report.h"

#include <string.h>
#include <sys/mman.h>

#include "src/cli/stream.h"
#include "src/convert/args.h"
#include "src/convert/kinds.h"

struct report *report_new(const char *file, const struct report_options *options)
{
    struct report *report = memory_zeroed(sizeof *report);
    if (report == NULL || !refs_init(&report->refs, names_add_text, &report->names)) {
        report_free(report);
        return NULL;
    }
    report->file = file;
    report->grouping = options->grouping;
    tracks_init(&report->tracks, &report->refs.tables);
    names_init(&report->names);
    groups_init(&report->groups);
    report->spans.groups = &report->groups;
    report->spans.totals = &report->totals;
    report->spans.capacity = WINDOW_CAPACITY;
    report->spans.calls = options->folded || options->flamegraph ? &report->calls : NULL;
    if (report->spans.calls != NULL)
        report->stacks = calls_new(&report->calls, NAME_OTHERS);
    report->first = UINT64_MAX;
    report_set_part(report, 0, UINT64_MAX);
    report->longest.wanted = options->top > 0 ? options->top : REPORT_TOP;
    report->unfinished.wanted = report->gaps.wanted = report->longest.wanted;
    return report;
}

void report_free(struct report *report)
{
    if (report == NULL)
        return;
    map_clear(&report->names.numbers);
    map_clear(&report->tracks.process_numbers);
    map_clear(&report->tracks.numbers);
    map_clear(&report->tracks.object_names);
    map_clear(&report->counters.numbers);
    map_clear(&report->calls.children);
    map_clear(&report->totals.lists_of);
    map_clear(&report->asyncs.numbers);
    munmap(report, sizeof *report);
}

/* ---- durations */

static struct open opened(struct report *report, const struct fxt_event *event, uint64_t ns,
                          uint32_t track)
{
    return (struct open){
        .begin = ns,
        .number = report->records,
        .id = event->value,
        .name = refs_text(&report->refs, event->name),
        .key = report_part_of_key(report, event),
        .track = track,
    };
}

static void begin(struct report *report, struct pairing *pairing, const struct open *open)
{
    struct pairing_rows rows = opens_rows(&report->opens);
    uint32_t node = opens_new(&report->opens, open);
    if (node != 0)
        pairing_begin(pairing, &rows, node);
}

static void end(struct report *report, struct pairing *pairing, const struct open *end,
                uint32_t async)
{
    struct pairing_rows rows = opens_rows(&report->opens);
    uint32_t node;
    if (pairing_end(pairing, &rows, end->begin, &node)) {
        struct open open = opens_free(&report->opens, node);
        report_duration(report, &open, end, async);
        return;
    }
    node = opens_new_stray(&report->opens, end);
    if (node != 0)
        pairing_stray(pairing, &rows, node);
    else
        report_note_stray(report, end->begin, async != ASYNC_NONE);
}

static bool is_begin(const struct fxt_event *event)
{
    return event->event_type == FXT_EVENT_DURATION_BEGIN ||
           event->event_type == FXT_EVENT_ASYNC_BEGIN;
}

static void take_duration(struct report *report, const struct fxt_event *event, uint64_t ns,
                          uint32_t track)
{
    struct open open = opened(report, event, ns, track);
    struct pairing *durations = &report->tracks.it[track].durations;
    if (track == TRACK_OTHERS)
        report->notes.ends[false] += !is_begin(event) && report_wants(report, ns);
    else if (is_begin(event))
        begin(report, durations, &open);
    else
        end(report, durations, &open, ASYNC_NONE);
}

/* Without its thread, an operation has no process, and is not matched [ASY-01]. */
static void take_async(struct report *report, const struct fxt_event *event, uint64_t ns,
                       uint32_t track)
{
    struct open open = opened(report, event, ns, track);
    bool has_process = report->tracks.it[track].ref == 0;
    uint32_t process = report->tracks.it[track].process;
    uint32_t async = has_process ? asyncs_find(&report->asyncs, process, event->value) : ASYNC_NONE;
    if (async == ASYNC_NONE) {
        (is_begin(event) ? report->notes.begins : report->notes.ends)[true] +=
            report_wants(report, ns);
        return;
    }
    if (is_begin(event))
        begin(report, &report->asyncs.it[async].operations, &open);
    else
        end(report, &report->asyncs.it[async].operations, &open, async);
    uint32_t old = asyncs_settle(&report->asyncs, async);
    if (old != ASYNC_NONE) {
        report_end_async(report, old);
        asyncs_forget(&report->asyncs, old);
    }
}

/* ---- counters */

static void take_counter(struct report *report, const struct fxt_event *event, uint64_t ns,
                         uint32_t track)
{
    struct fxt_args args = event->args;
    struct fxt_arg arg;
    struct fxt_error error;
    struct counter_value value;
    bool has_value = ns >= report->to;
    struct counter key = {.id = event->value,
                          .process = report->tracks.it[track].process,
                          .category = refs_text(&report->refs, event->category),
                          .name = refs_text(&report->refs, event->name)};
    while (ns < report->to && fxt_args_next(&args, &arg, &error) == FXT_OK) {
        if (!counters_number(&arg, &value))
            continue;
        has_value = true;
        key.arg = refs_text(&report->refs, arg.name);
        counters_add(&report->counters, &key, ns, value);
    }
    if (!has_value && ns >= report->from && report->notes.no_value++ == 0)
        report->notes.no_value_name = key.name;
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

static void take_event(struct report *report, const struct fxt_event *event)
{
    if (event->event_type > FXT_EVENT_FLOW_END) {
        report->events++;
        return; /* what its time means is not known */
    }
    uint64_t ns = refs_ns(&report->refs, event->timestamp);
    report->events += report_wants(report, ns);
    uint32_t track = tracks_find(&report->tracks, event->thread);
    uint64_t since = covered_since(report, track, ns);
    struct open open, end_of_it;
    switch (event->event_type) {
    case FXT_EVENT_DURATION_COMPLETE:
        open = opened(report, event, ns, track);
        end_of_it = open;
        end_of_it.begin = refs_end_ns(&report->refs, event->value);
        report_duration(report, &open, &end_of_it, ASYNC_NONE);
        return;
    case FXT_EVENT_DURATION_BEGIN:
    case FXT_EVENT_DURATION_END:
        take_duration(report, event, ns, track);
        break;
    case FXT_EVENT_ASYNC_BEGIN:
    case FXT_EVENT_ASYNC_END:
        take_async(report, event, ns, track);
        break;
    case FXT_EVENT_COUNTER:
        take_counter(report, event, ns, track);
        break;
    default:
        break;
    }
    if (track != TRACK_OTHERS && report_clip(report, &since, &ns))
        cover_add(&report->times[report->tracks.it[track].thread].cover, since, ns);
}

static void take_object(struct report *report, const struct fxt_kernel_object *object)
{
    struct fxt_arg process;
    if (object->object_type == FXT_OBJECT_PROCESS)
        tracks_name_process(&report->tracks, object->koid, refs_text(&report->refs, object->name));
    else if (object->object_type == FXT_OBJECT_THREAD)
        tracks_name_thread(&report->tracks, object->koid,
                           fxt_convert_find_arg(&process, &report->refs.tables, object->args,
                                                FXT_ARG_KOID, "process")
                               ? &process.value
                               : NULL,
                           refs_text(&report->refs, object->name));
}

static void take_provider_event(struct report *report, const struct fxt_provider_event *event)
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
    report->records++;
    if (fxt_kind_decode(kind, record, &fields, &error) != FXT_OK) {
        report->notes.malformed++;
        return;
    }
    switch (kind) { /* what most records are, decoded once */
    case FXT_KIND_EVENT:
        take_event(report, &fields.event);
        return;
    case FXT_KIND_STRING:
        refs_set_string(&report->refs, &fields.string);
        return;
    case FXT_KIND_THREAD:
        refs_set_thread(&report->refs, &fields.thread);
        return;
    default:
        break;
    }
    if (kind == FXT_KIND_MAGIC) /* the tables forget the trace before (MET-10) */
        report_end_trace(report);
    refs_apply(&report->refs, record);
    if (fxt_kind_timestamp(kind, &fields, &ticks))
        refs_ns(&report->refs, ticks);
    if (kind == FXT_KIND_PROVIDER_EVENT)
        take_provider_event(report, &fields.provider_event);
    else if (kind == FXT_KIND_KERNEL_OBJECT)
        take_object(report, &fields.kernel_object);
    else if (kind == FXT_KIND_PROVIDER_INFO)
        tracks_provider(&report->tracks);
}

bool report_read(struct report *report, struct stream *stream)
{
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    while ((status = stream_next(stream, &record, &error)) != FXT_END) {
        if (status == FXT_OK)
            report_record(report, &record);
        else
            report->notes.malformed += !stream->repeats;
    }
    return report_end(report);
}
