/* Counting. struct stats is the whole state; cmd_stat.c feeds it and stat_print.c prints it.

   Times are collected in ticks. They are converted to nanoseconds when the provider's rate
   changes and at the end, so that an event costs two comparisons. Invariant: `current` is the
   provider of the next records. Each trace of a file has providers of its own, but the last place,
   for those that found no room, is of all traces. */
#include "src/tools/fxt/stat.h"

#include <fxt/tables.h>
#include <string.h>

static const struct stat_span empty = {UINT64_MAX, 0};

static void widen(struct stat_span *span, uint64_t at)
{
    if (at < span->first)
        span->first = at;
    if (at > span->last)
        span->last = at;
}

static struct stat_span joined(struct stat_span a, struct stat_span b)
{
    if (b.first < a.first)
        a.first = b.first;
    if (b.last > a.last)
        a.last = b.last;
    return a;
}

static struct stat_provider *current(struct stats *stat)
{
    return &stat->providers[stat->current];
}

static void change_rate(struct stat_provider *provider, uint64_t ticks_per_second)
{
    struct stat_span *ticks = &provider->at_this_rate;
    if (!stat_is_empty(*ticks)) {
        widen(&provider->ns, fxt_ticks_to_ns(ticks->first, provider->ticks_per_second));
        widen(&provider->ns, fxt_ticks_to_ns(ticks->last, provider->ticks_per_second));
        provider->ticks = joined(provider->ticks, *ticks);
        *ticks = empty;
    }
    if (ticks_per_second > 0)
        provider->ticks_per_second = ticks_per_second;
}

static void clear_times(struct stat_provider *provider)
{
    provider->ticks = provider->at_this_rate = provider->ns = empty;
    provider->ticks_per_second = FXT_TICKS_PER_SECOND_DEFAULT;
}

/* The provider with that id; the last place if there is no room for another. */
static void select_provider(struct stats *stat, uint32_t id)
{
    for (uint32_t i = 0; i < stat->provider_count; i++) {
        if (stat->providers[i].id == id && stat->providers[i].trace == stat->trace) {
            stat->current = i;
            return;
        }
    }
    if (stat->provider_count == STAT_PROVIDERS) {
        struct stat_provider *others = &stat->providers[STAT_PROVIDERS];
        if (others->trace != stat->trace)
            change_rate(others, FXT_TICKS_PER_SECOND_DEFAULT);
        others->trace = stat->trace;
        stat->providers_full = true;
        stat->current = STAT_PROVIDERS;
        return;
    }
    struct stat_provider *provider = &stat->providers[stat->provider_count];
    provider->id = id;
    provider->trace = stat->trace;
    clear_times(provider);
    stat->current = stat->provider_count++;
}

/* [MET-10] */
static void begin_trace(struct stats *stat)
{
    if (stat->record_count == 1)
        return;
    stat->trace++;
    select_provider(stat, 0);
}

void stat_init(struct stats *stat, const char *file)
{
    stat->file = file;
    clear_times(&stat->providers[STAT_PROVIDERS]);
    select_provider(stat, 0);
}

static void count_thread(struct stats *stat, uint64_t process, uint64_t thread)
{
    if (map_add(&stat->threads, STAT_THREADS, process, thread, 0) == NULL)
        stat->threads_full = true;
}

static void count_ref(struct stats *stat, struct fxt_thread_ref ref)
{
    if (ref.ref == 0)
        count_thread(stat, ref.process, ref.thread);
}

static void count_string(struct stats *stat, struct fxt_string_ref ref)
{
    stat->inline_strings += ref.ref >= FXT_STRING_INLINE;
}

static void count_args(struct stats *stat, struct fxt_args args)
{
    struct fxt_arg arg;
    struct fxt_error error;
    while (fxt_args_next(&args, &arg, &error) == FXT_OK) {
        stat->args[arg.type < ARG_NAMES - 1 ? arg.type : ARG_NAMES - 1]++;
        count_string(stat, arg.name);
        if (arg.type == FXT_ARG_STRING)
            count_string(stat, arg.text);
    }
}

static void count_time(struct stats *stat, uint64_t timestamp)
{
    widen(&current(stat)->at_this_rate, timestamp);
}

static void count_event(struct stats *stat, const struct fxt_event *event)
{
    unsigned type = event->event_type < EVENT_NAMES - 1 ? event->event_type : EVENT_NAMES - 1;
    stat->events[type]++;
    current(stat)->events++;
    count_time(stat, event->timestamp);
    if (type == FXT_EVENT_DURATION_COMPLETE && event->value > event->timestamp)
        count_time(stat, event->value);
    count_ref(stat, event->thread);
    count_string(stat, event->category);
    count_string(stat, event->name);
    count_args(stat, event->args);
}

static void count_provider_info(struct stats *stat, const struct fxt_provider_info *info)
{
    select_provider(stat, info->provider_id);
    struct stat_provider *provider = current(stat);
    if (stat->current == STAT_PROVIDERS)
        return;
    provider->introduced = true;
    provider->name_length = (uint8_t)info->name.size;
    if (info->name.size > 0)
        memcpy(provider->name, info->name.bytes, info->name.size);
}

/* Counts a record of which only threads, timestamp and arguments matter. This takes longer than to name
   them, so that the kinds of which a trace has the most are named in count_fields. */
static void count_others(struct stats *stat, const struct fxt_record *record,
                         const union fxt_convert_any *fields)
{
    const struct fxt_convert_kind *kind = fxt_convert_kind_of(record);
    struct fxt_thread_ref refs[FXT_CONVERT_THREADS_MAX];
    uint64_t timestamp;
    if (kind == NULL)
        return;
    unsigned count = fxt_convert_threads(kind, fields, refs);
    for (unsigned i = 0; i < count; i++)
        count_ref(stat, refs[i]);
    if (fxt_kind_timestamp(fxt_kind_of(record), fields, &timestamp))
        count_time(stat, timestamp);
    count_args(stat, fxt_convert_args(kind, fields));
}

static void count_fields(struct stats *stat, enum fxt_kind kind, const struct fxt_record *record,
                         const union fxt_convert_any *fields)
{
    switch (kind) {
    case FXT_KIND_EVENT:
        count_event(stat, &fields->event);
        break;
    case FXT_KIND_MAGIC:
        begin_trace(stat);
        break;
    case FXT_KIND_PROVIDER_INFO:
        count_provider_info(stat, &fields->provider_info);
        break;
    case FXT_KIND_PROVIDER_SECTION:
        select_provider(stat, fields->provider_section.provider_id);
        break;
    case FXT_KIND_INITIALIZATION:
        change_rate(current(stat), fields->initialization.ticks_per_second);
        break;
    case FXT_KIND_STRING:
        stat->string_bytes += fields->string.value.size;
        current(stat)->strings++;
        break;
    case FXT_KIND_THREAD:
        count_thread(stat, fields->thread.process, fields->thread.thread);
        current(stat)->threads++;
        break;
    case FXT_KIND_KERNEL_OBJECT:
        count_args(stat, fields->kernel_object.args);
        break;
    case FXT_KIND_LOG:
        count_ref(stat, fields->log.thread);
        count_time(stat, fields->log.timestamp);
        break;
    case FXT_KIND_LEGACY_SWITCH:
        count_ref(stat, fields->legacy_switch.outgoing);
        count_ref(stat, fields->legacy_switch.incoming);
        count_time(stat, fields->legacy_switch.timestamp);
        break;
    case FXT_KIND_CONTEXT_SWITCH:
        count_time(stat, fields->context_switch.timestamp);
        count_args(stat, fields->context_switch.args);
        break;
    case FXT_KIND_THREAD_WAKEUP:
        count_time(stat, fields->thread_wakeup.timestamp);
        count_args(stat, fields->thread_wakeup.args);
        break;
    default:
        count_others(stat, record, fields);
        break;
    }
}

void stat_record(struct stats *stat, const struct fxt_record *record)
{
    union fxt_convert_any fields;
    struct fxt_error error;
    enum fxt_kind kind = fxt_kind_of(record);
    uint64_t bytes = (uint64_t)record->words * FXT_WORD_BYTES;
    stat->record_count++;
    stat->records[kind]++;
    stat->record_bytes[kind] += bytes;
    if (fxt_kind_decode(kind, record, &fields, &error) != FXT_OK)
        stat->malformed++;
    else
        count_fields(stat, kind, record, &fields);
    current(stat)->records++;
    current(stat)->bytes += bytes;
}

void stat_error(struct stats *stat, const struct fxt_error *error)
{
    if (error->status == FXT_ZERO_WORD) {
        stat->zero_words++;
    } else if (error->status == FXT_FULL) {
        stat->passed_over++;
    } else {
        stat->stopped_by = error->rule;
        stat->stopped_at = error->offset;
    }
}

void stat_end(struct stats *stat)
{
    for (uint32_t i = 0; i < stat->provider_count; i++)
        change_rate(&stat->providers[i], 0);
}

struct stat_span stat_ticks(const struct stats *stat)
{
    struct stat_span span = empty;
    for (uint32_t i = 0; i < stat->provider_count; i++)
        span = joined(span, stat->providers[i].ticks);
    return span;
}

struct stat_span stat_ns(const struct stats *stat)
{
    struct stat_span span = empty;
    for (uint32_t i = 0; i < stat->provider_count; i++)
        span = joined(span, stat->providers[i].ns);
    return span;
}
