/* See model.h. Two models, each with texts and arguments of its own.

   Durations are plain if no two times of one thread are equal, the events of a thread are in the order
   of time, but that a complete duration is written when it ends, each begin has an end, and each end a
   begin; none overlaps another one without being inside of it; and no thread is in two processes or of two
   providers. Where this does not hold, tools have had answers of their own, so the laws ask nothing. */
#include "fuzz/tools/model.h"

#include <string.h>

#include <fxt/tables.h>

#include "fuzz/lib/any.h"
#include "fuzz/lib/frame.h"
#include "fuzz/lib/oracle.h"

#define TEXT_BYTES (1u << 20)
#define ARGS_COUNT (4 * MODEL_EVENTS)
#define PROVIDERS 4u
#define TIME_MAX (UINT64_C(1) << 62)

static struct store {
    struct model model;
    struct model_arg args[ARGS_COUNT];
    uint32_t arg_count;
    uint32_t text_size;
    uint8_t text[TEXT_BYTES];
} stores[2];

static struct fxt_tables tables;

/* ---- references */

static struct fxt_bytes copy(struct store *store, struct fxt_bytes text)
{
    uint8_t *to = store->text + store->text_size;
    if (TEXT_BYTES - store->text_size < text.size) {
        store->model.is_good = false;
        return (struct fxt_bytes){NULL, 0};
    }
    if (text.size > 0)
        memcpy(to, text.bytes, text.size);
    store->text_size += (uint32_t)text.size;
    return (struct fxt_bytes){to, text.size};
}

static struct fxt_bytes resolve(struct store *store, struct fxt_string_ref ref)
{
    struct fxt_bytes text = {NULL, 0};
    if (!fxt_tables_string(&tables, &text, ref))
        store->model.is_good = false;
    return copy(store, text);
}

static void take_args(struct store *store, struct model_event *to, const struct fxt_arg *args)
{
    to->args = &store->args[store->arg_count];
    to->arg_count = to->event.args.count;
    if (ARGS_COUNT - store->arg_count < to->arg_count) {
        store->model.is_good = false;
        to->arg_count = 0;
    }
    for (uint32_t i = 0; i < to->arg_count; i++) {
        struct model_arg *arg = &store->args[store->arg_count++];
        *arg = (struct model_arg){.name = resolve(store, args[i].name), .arg = args[i]};
        if (args[i].type == FXT_ARG_STRING)
            arg->text = resolve(store, args[i].text);
        if (args[i].type == FXT_ARG_BLOB)
            arg->text = copy(store, args[i].blob);
    }
}

static uint64_t to_ns(struct store *store, uint64_t ticks)
{
    uint64_t ns = fxt_ticks_to_ns(ticks, fxt_tables_provider(&tables)->ticks_per_second);
    if (ns > TIME_MAX)
        store->model.is_good = false;
    return ns;
}

static void take_event(struct store *store, const struct fxt_record *record)
{
    struct model *model = &store->model;
    struct model_event *to = &model->events[model->event_count];
    struct fxt_arg args[FXT_ARGS_MAX];
    struct fxt_error error;
    if (model->event_count == MODEL_EVENTS ||
        fxt_read_event_args(record, &to->event, args, &error) != FXT_OK ||
        to->event.event_type > FXT_EVENT_FLOW_END ||
        !fxt_tables_thread(&tables, &to->event.thread, to->event.thread)) {
        model->is_good = false;
        return;
    }
    to->offset = record->offset;
    to->provider = fxt_tables_provider(&tables)->id;
    to->category = resolve(store, to->event.category);
    to->name = resolve(store, to->event.name);
    to->ns = to->end = to_ns(store, to->event.timestamp);
    if (to->ns < model->first)
        model->first = to->ns;
    if (to->event.event_type == FXT_EVENT_DURATION_COMPLETE)
        to->end = to_ns(store, to->event.value);
    take_args(store, to, args);
    model->event_count++;
}

static bool timestamp_of(uint64_t *ticks, const struct fuzz_record *record)
{
    const union fuzz_any *any = &record->any;
    switch (record->kind) {
    case FUZZ_EVENT:
        *ticks = any->event.timestamp;
        return true;
    case FUZZ_LEGACY_SWITCH:
        *ticks = any->legacy_switch.timestamp;
        return true;
    case FUZZ_CONTEXT_SWITCH:
        *ticks = any->context_switch.timestamp;
        return true;
    case FUZZ_THREAD_WAKEUP:
        *ticks = any->thread_wakeup.timestamp;
        return true;
    case FUZZ_LOG:
        *ticks = any->log.timestamp;
        return true;
    case FUZZ_MODULE:
        *ticks = any->module.timestamp;
        return true;
    case FUZZ_MMAP:
        *ticks = any->mmap.timestamp;
        return true;
    case FUZZ_BACKTRACE:
        *ticks = any->backtrace.timestamp;
        return true;
    case FUZZ_LARGE_BLOB:
        *ticks = any->large_blob.timestamp;
        return any->large_blob.blob_format == FXT_LARGE_BLOB_METADATA;
    default:
        return false;
    }
}

static void add_sched(struct model *model, struct model_sched sched)
{
    if (model->sched_count == MODEL_EVENTS) {
        model->is_good = false;
        return;
    }
    sched.provider = fxt_tables_provider(&tables)->id;
    model->scheds[model->sched_count++] = sched;
}

static void take_sched(struct model *model, const struct fuzz_record *record, uint64_t ns)
{
    const union fuzz_any *any = &record->any;
    if (record->kind == FUZZ_LEGACY_SWITCH)
        add_sched(model, (struct model_sched){.ns = ns, .has_args = true});
    if (record->kind == FUZZ_CONTEXT_SWITCH)
        add_sched(model, (struct model_sched){.ns = ns,
                                              .outgoing = any->context_switch.outgoing_thread,
                                              .incoming = any->context_switch.incoming_thread,
                                              .cpu = any->context_switch.cpu,
                                              .has_args = record->arg_count > 0});
    if (record->kind == FUZZ_THREAD_WAKEUP)
        add_sched(model, (struct model_sched){.ns = ns,
                                              .incoming = any->thread_wakeup.waking_thread,
                                              .cpu = any->thread_wakeup.cpu,
                                              .is_wakeup = true,
                                              .has_args = record->arg_count > 0});
}

static void take_time(struct model *model, const struct fxt_record *record)
{
    struct fuzz_record decoded;
    struct fxt_error error;
    uint64_t rate = fxt_tables_provider(&tables)->ticks_per_second, ticks;
    if (fuzz_decode_all(&decoded, record, &error) != FXT_OK || !timestamp_of(&ticks, &decoded))
        return;
    uint64_t ns = fxt_ticks_to_ns(ticks, rate), end = ns;
    if (decoded.kind == FUZZ_EVENT && decoded.any.event.event_type == FXT_EVENT_DURATION_COMPLETE)
        end = fxt_ticks_to_ns(decoded.any.event.value, rate);
    if (ns < model->begin)
        model->begin = ns;
    if (end > model->end)
        model->end = end;
    if (ns > model->end)
        model->end = ns;
    take_sched(model, &decoded, ns);
}

static void take_record(struct store *store, const struct fxt_record *record)
{
    struct fxt_error error;
    bool is_magic = record->type == FXT_RECORD_METADATA &&
                    fxt_record_metadata_type(record) == FXT_METADATA_TRACE_INFO;
    if ((is_magic && record->offset > 0) || fxt_tables_apply(&tables, record, &error) == FXT_FULL)
        store->model.is_good = false;
    if (record->type == FXT_RECORD_INITIALIZATION)
        store->model.has_rate = true;
    take_time(&store->model, record);
    if (record->type == FXT_RECORD_EVENT)
        take_event(store, record);
}

/* ---- slices */

bool model_is_text(struct fxt_bytes text, struct fxt_bytes other)
{
    return text.size == other.size &&
           (text.size == 0 || memcmp(text.bytes, other.bytes, text.size) == 0);
}

bool model_is_thread(const struct model_event *event, const struct model_event *other)
{
    return event->event.thread.process == other->event.thread.process &&
           event->event.thread.thread == other->event.thread.thread;
}

/* When the record was written. */
static uint64_t written(const struct model_event *event)
{
    return event->end;
}

static bool may_differ(const struct model_event *one, const struct model_event *later)
{
    const struct fxt_thread_ref *a = &one->event.thread, *b = &later->event.thread;
    if (a->thread != b->thread)
        return false;
    return a->process != b->process || one->provider != later->provider ||
           written(one) >= written(later) || one->ns == later->ns || one->ns == later->end ||
           one->end == later->ns;
}

static bool are_plain(const struct model *model)
{
    for (uint32_t i = 0; i < model->event_count; i++) {
        const struct model_event *event = &model->events[i];
        bool is_complete = model_is(event, FXT_EVENT_DURATION_COMPLETE);
        if (event->event.thread.thread == 0 || (is_complete && event->end <= event->ns))
            return false;
        for (uint32_t j = 0; j < i; j++)
            if (may_differ(&model->events[j], event))
                return false;
    }
    return true;
}

static void add_slice(struct model *model, const struct model_event *begin, uint64_t end)
{
    model->slices[model->slice_count++] = (struct model_slice){.event = begin,
                                                               .start = begin->ns,
                                                               .end = end,
                                                               .self = end - begin->ns,
                                                               .parent = MODEL_NONE};
}

/* The last begin of the thread that is open, by counting back. */
static const struct model_event *find_begin(const struct model *model, uint32_t end)
{
    uint32_t ends = 0;
    for (uint32_t i = end; i-- > 0;) {
        const struct model_event *event = &model->events[i];
        if (!model_is_thread(event, &model->events[end]))
            continue;
        ends += model_is(event, FXT_EVENT_DURATION_END);
        if (model_is(event, FXT_EVENT_DURATION_BEGIN) && ends-- == 0)
            return event;
    }
    return NULL;
}

static void make_durations(struct model *model)
{
    uint32_t begins = 0;
    for (uint32_t i = 0; i < model->event_count; i++) {
        const struct model_event *event = &model->events[i], *begin;
        begins += model_is(event, FXT_EVENT_DURATION_BEGIN);
        if (model_is(event, FXT_EVENT_DURATION_COMPLETE))
            add_slice(model, event, event->end);
        if (!model_is(event, FXT_EVENT_DURATION_END))
            continue;
        begin = find_begin(model, i);
        if (begin == NULL) {
            model->is_plain = false;
            return;
        }
        begins--;
        add_slice(model, begin, event->ns);
    }
    model->is_plain &= begins == 0;
    model->duration_count = model->slice_count;
}

/* Whether it lies around; *crosses if neither is around the other, nor before it. */
static bool is_around(const struct model_slice *one, const struct model_slice *other, bool *crosses)
{
    if (!model_is_thread(one->event, other->event) || one->end < other->start ||
        other->end < one->start)
        return false;
    bool around = one->start < other->start && other->end < one->end;
    *crosses |= !around && !(other->start < one->start && one->end < other->end);
    return around;
}

static void nest(struct model *model)
{
    bool crosses = false;
    for (uint32_t i = 0; i < model->duration_count; i++) {
        struct model_slice *slice = &model->slices[i];
        for (uint32_t j = 0; j < model->duration_count; j++) {
            const struct model_slice *other = &model->slices[j];
            if (i == j || !is_around(other, slice, &crosses))
                continue;
            slice->depth++;
            if (slice->parent == MODEL_NONE || model->slices[slice->parent].start < other->start)
                slice->parent = j;
        }
        if (slice->parent != MODEL_NONE)
            model->slices[slice->parent].self -= slice->end - slice->start;
    }
    model->is_plain &= !crosses;
}

/* ---- asyncs: of an id of a process, begin and end take turns, at different times */

static bool is_of_async(const struct model_event *event, const struct model_event *other)
{
    return (model_is(other, FXT_EVENT_ASYNC_BEGIN) || model_is(other, FXT_EVENT_ASYNC_INSTANT) ||
            model_is(other, FXT_EVENT_ASYNC_END)) &&
           other->event.value == event->event.value &&
           other->event.thread.process == event->event.thread.process;
}

/* The next begin or end of the id; NULL: there is none, or not where it should be. */
static const struct model_event *find_end(struct model *model, uint32_t begin)
{
    const struct model_event *event = &model->events[begin];
    uint64_t last = event->ns;
    for (uint32_t i = begin + 1; i < model->event_count; i++) {
        const struct model_event *next = &model->events[i];
        if (!is_of_async(event, next))
            continue;
        if (next->ns <= last || next->provider != event->provider)
            return NULL;
        last = next->ns;
        if (!model_is(next, FXT_EVENT_ASYNC_INSTANT))
            return model_is(next, FXT_EVENT_ASYNC_END) ? next : NULL;
    }
    return NULL;
}

/* The same for what lies before a begin: an end, or nothing. */
static bool is_free(const struct model *model, uint32_t begin)
{
    for (uint32_t i = begin; i-- > 0;)
        if (is_of_async(&model->events[begin], &model->events[i]))
            return model_is(&model->events[i], FXT_EVENT_ASYNC_END) &&
                   model->events[i].ns < model->events[begin].ns;
    return true;
}

static void make_asyncs(struct model *model)
{
    uint32_t ends = 0;
    for (uint32_t i = 0; i < model->event_count; i++) {
        const struct model_event *event = &model->events[i], *end;
        ends += model_is(event, FXT_EVENT_ASYNC_END);
        if (!model_is(event, FXT_EVENT_ASYNC_BEGIN))
            continue;
        end = is_free(model, i) ? find_end(model, i) : NULL;
        if (end == NULL) {
            model->has_plain_asyncs = false;
            break;
        }
        add_slice(model, event, end->ns);
    }
    model->has_plain_asyncs &= ends == model->slice_count - model->duration_count;
    if (!model->has_plain_asyncs)
        model->slice_count = model->duration_count;
}

bool model_around(uint32_t *slice, const struct model *model, const struct model_event *event)
{
    *slice = MODEL_NONE;
    for (uint32_t i = 0; i < model->duration_count; i++) {
        const struct model_slice *one = &model->slices[i];
        if (!model_is_thread(one->event, event) || one->end < event->ns || event->ns < one->start)
            continue;
        if (one->end == event->ns || event->ns == one->start)
            return false;
        if (*slice == MODEL_NONE || model->slices[*slice].start < one->start)
            *slice = i;
    }
    return true;
}

const struct model *model_of(const void *bytes, size_t size, unsigned place)
{
    static struct fxt_provider providers[PROVIDERS];
    static uint32_t ids[PROVIDERS];
    static uint8_t arena[1 << 19];
    const struct fxt_tables_memory memory = {.providers = providers,
                                             .provider_ids = ids,
                                             .arena = arena,
                                             .provider_max = PROVIDERS,
                                             .arena_size = sizeof arena};
    struct store *store = &stores[place];
    struct model *model = &store->model;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    model->is_good = model->has_plain_asyncs = true;
    model->has_rate = false;
    model->event_count = model->slice_count = model->duration_count = model->sched_count = 0;
    model->first = model->begin = UINT64_MAX;
    model->end = 0;
    store->arg_count = store->text_size = 0;
    if (tables.providers == NULL)
        fxt_tables_init(&tables, &memory);
    fxt_tables_reset(&tables);
    fxt_reader_init(&reader, bytes, size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK ||
           status == FXT_ZERO_WORD)
        if (status == FXT_OK)
            take_record(store, &record);
    model->is_good &= status == FXT_END;
    model->is_plain = model->is_good && are_plain(model);
    if (model->is_plain)
        make_durations(model);
    if (model->is_plain)
        nest(model);
    if (!model->is_plain)
        model->slice_count = model->duration_count = 0;
    if (model->is_good)
        make_asyncs(model);
    return model;
}
