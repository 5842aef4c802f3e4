/* Fields of records, at random, with a liking for the values at which things change. */
#include "fuzz/lib/generate.h"

#include <string.h>

#define POOL_BYTES 40000u

uint64_t fuzz_pick(struct fuzz_source *source, uint64_t bound)
{
    uint64_t value = 0;
    if (bound <= 1)
        return 0;
    if (fuzz_source_empty(source))
        return (fuzz_random(&source->random) >> 16) % bound;
    for (uint64_t span = 1; span < bound && !fuzz_source_empty(source); span *= 256)
        value = value << 8 | source->bytes[source->at++];
    return value % bound;
}

static uint64_t word(struct fuzz_source *source)
{
    switch (fuzz_pick(source, 6)) {
    case 0:
        return 0;
    case 1:
        return UINT64_MAX;
    case 2:
        return UINT64_C(1) << fuzz_pick(source, 64);
    case 3:
        return (UINT64_C(1) << fuzz_pick(source, 64)) - 1;
    case 4:
        return fuzz_pick(source, 256);
    default:
        return fuzz_pick(source, UINT64_C(1) << 32) << 32 | fuzz_pick(source, UINT64_C(1) << 32);
    }
}

/* Text that stays: words, then bytes that are no UTF-8. */
static const uint8_t *pool(void)
{
    static uint8_t bytes[POOL_BYTES];
    static const char text[] =
        "sp\xc3\xa4ter \"q\" \\ \n\t/dev/null \xe2\x82\xac \xf0\x9f\x98\x80 ";
    if (bytes[0] == 0) {
        for (size_t i = POOL_BYTES; i-- > 0;)
            bytes[i] = i < POOL_BYTES / 2 ? (uint8_t)text[i % (sizeof text - 1)] : (uint8_t)(i * 7);
    }
    return bytes;
}

static uint64_t length(struct fuzz_source *source, uint64_t max)
{
    static const uint16_t edges[] = {0, 1, 7, 8, 9, 15, 16, 17, 63, 255};
    uint64_t chosen;
    switch (fuzz_pick(source, 16)) {
    case 0:
        chosen = max - fuzz_pick(source, max < 9 ? max : 9);
        break;
    case 1:
        chosen = fuzz_pick(source, 600);
        break;
    default:
        chosen = edges[fuzz_pick(source, sizeof edges / sizeof edges[0])];
    }
    return chosen < max ? chosen : max;
}

static struct fxt_bytes span(struct fuzz_source *source, uint64_t max)
{
    struct fxt_bytes span = {NULL, length(source, max)};
    if (span.size > 0)
        span.bytes = pool() + fuzz_pick(source, POOL_BYTES - span.size);
    return span;
}

static struct fxt_string_ref string_ref(struct fuzz_source *source)
{
    struct fxt_string_ref ref = {NULL, 0};
    uint64_t kind = source->plain ? 8 : fuzz_pick(source, 8);
    if (kind == 8) {
        ref.ref = (uint16_t)(1 + fuzz_pick(source, 7));
    } else if (kind < 4) {
        ref.ref = (uint16_t)fuzz_pick(source, 8);
    } else if (kind == 4) {
        ref.ref = (uint16_t)(32767 - fuzz_pick(source, 2));
    } else {
        struct fxt_bytes text = span(source, 32767);
        ref.bytes = text.bytes;
        ref.ref = text.size == 0 ? 0 : (uint16_t)(32768 + text.size);
    }
    return ref;
}

static struct fxt_thread_ref thread_ref(struct fuzz_source *source, bool process_only)
{
    struct fxt_thread_ref ref = {0, 0, 0};
    if (source->plain) {
        ref.ref = (uint8_t)(1 + fuzz_pick(source, 3));
    } else if (fuzz_pick(source, 3) > 0) {
        ref.ref = (uint8_t)(fuzz_pick(source, 8) == 0 ? 255 : 1 + fuzz_pick(source, 3));
    } else {
        ref.process = word(source);
        ref.thread = process_only ? 0 : word(source);
    }
    return ref;
}

static void generate_arg(struct fxt_arg *arg, struct fuzz_source *source)
{
    memset(arg, 0, sizeof *arg);
    arg->type = (uint8_t)fuzz_pick(source, FUZZ_ARG_COUNT);
    arg->name = string_ref(source);
    switch (fuzz_value_of(arg->type)) {
    case FUZZ_VALUE_NOTHING:
    case FUZZ_VALUE_UNKNOWN:
        break;
    case FUZZ_VALUE_SIGNED32:
    case FUZZ_VALUE_UNSIGNED32:
        arg->value = word(source) & UINT32_MAX;
        break;
    case FUZZ_VALUE_TEXT:
        arg->text = string_ref(source);
        arg->value = arg->text.ref;
        break;
    case FUZZ_VALUE_TRUTH:
        arg->value = fuzz_pick(source, 2);
        break;
    case FUZZ_VALUE_BYTES:
        arg->blob = span(source, 32752);
        arg->value = arg->blob.size;
        break;
    case FUZZ_VALUE_SIGNED64:
    case FUZZ_VALUE_UNSIGNED64:
    case FUZZ_VALUE_BITS:
        arg->value = word(source);
        break;
    }
}

static uint8_t generate_args(struct fxt_arg *args, struct fuzz_source *source)
{
    static const uint8_t most[] = {0, 1, 1, 2, 3, 4, 8, 15};
    uint8_t count = most[fuzz_pick(source, 8)];
    for (uint8_t i = 0; i < count; i++)
        generate_arg(&args[i], source);
    return count;
}

static void generate_metadata(struct fuzz_record *out, struct fuzz_source *source)
{
    uint32_t id = (uint32_t)(fuzz_pick(source, 4) == 0 ? word(source) : fuzz_pick(source, 4));
    if (out->kind == FUZZ_PROVIDER_INFO) {
        out->any.provider_info.provider_id = id;
        out->any.provider_info.name = span(source, 255);
    } else if (out->kind == FUZZ_PROVIDER_SECTION) {
        out->any.provider_section.provider_id = id;
    } else if (out->kind == FUZZ_PROVIDER_EVENT) {
        out->any.provider_event.provider_id = id;
        out->any.provider_event.event_id = (uint8_t)fuzz_pick(source, 16);
    } else {
        out->any.trace_info.data = 0x16547846;
    }
}

static void generate_table(struct fuzz_record *out, struct fuzz_source *source)
{
    if (out->kind == FUZZ_INITIALIZATION) {
        uint64_t ticks = word(source);
        out->any.initialization.ticks_per_second = ticks == 0 ? 1 : ticks;
    } else if (out->kind == FUZZ_STRING) {
        bool edge = fuzz_pick(source, 16) == 0;
        out->any.string.index = (uint16_t)(edge ? 32767 : 1 + fuzz_pick(source, 7));
        out->any.string.value = span(source, 32752);
    } else {
        out->any.thread.index =
            (uint8_t)(fuzz_pick(source, 16) == 0 ? 255 : 1 + fuzz_pick(source, 3));
        out->any.thread.process = word(source);
        out->any.thread.thread = word(source);
    }
}

static void generate_event(struct fuzz_record *out, struct fuzz_source *source)
{
    struct fxt_event *event = &out->any.event;
    event->event_type = (uint8_t)fuzz_pick(source, 11);
    event->thread = thread_ref(source, false);
    event->category = string_ref(source);
    event->name = string_ref(source);
    event->timestamp = source->plain ? (source->clock += fuzz_pick(source, 4)) : word(source);
    if (event->event_type == FXT_EVENT_INSTANT) {
        event->has_scope = (uint8_t)fuzz_pick(source, 2);
        event->scope = event->has_scope ? (uint8_t)fuzz_pick(source, 3) : 0;
        event->value = event->scope;
    } else if (event->event_type == FXT_EVENT_COUNTER ||
               event->event_type >= FXT_EVENT_DURATION_COMPLETE) {
        event->value = fuzz_pick(source, 2) == 0 ? fuzz_pick(source, 4) : word(source);
    }
}

static void generate_object(struct fuzz_record *out, struct fuzz_source *source)
{
    if (out->kind == FUZZ_USERSPACE_OBJECT) {
        out->any.userspace_object.process = thread_ref(source, true);
        out->any.userspace_object.name = string_ref(source);
        out->any.userspace_object.pointer = word(source);
    } else {
        out->any.kernel_object.name = string_ref(source);
        out->any.kernel_object.koid = word(source);
        out->any.kernel_object.object_type = (uint8_t)fuzz_pick(source, 256);
    }
}

static void generate_scheduling(struct fuzz_record *out, struct fuzz_source *source)
{
    struct fxt_legacy_switch *legacy = &out->any.legacy_switch;
    if (out->kind == FUZZ_LEGACY_SWITCH) {
        legacy->outgoing = thread_ref(source, false);
        legacy->incoming = thread_ref(source, false);
        legacy->timestamp = word(source);
        legacy->cpu = (uint8_t)fuzz_pick(source, 256);
        legacy->outgoing_state = (uint8_t)fuzz_pick(source, 6);
        legacy->outgoing_priority = (uint8_t)fuzz_pick(source, 256);
        legacy->incoming_priority = (uint8_t)fuzz_pick(source, 256);
    } else if (out->kind == FUZZ_CONTEXT_SWITCH) {
        out->any.context_switch.timestamp = word(source);
        out->any.context_switch.outgoing_thread = word(source);
        out->any.context_switch.incoming_thread = word(source);
        out->any.context_switch.cpu = (uint16_t)fuzz_pick(source, 65536);
        out->any.context_switch.outgoing_state = (uint8_t)fuzz_pick(source, 6);
    } else {
        out->any.thread_wakeup.timestamp = word(source);
        out->any.thread_wakeup.waking_thread = word(source);
        out->any.thread_wakeup.cpu = (uint16_t)fuzz_pick(source, 65536);
    }
}

static void generate_profiler(struct fuzz_record *out, struct fuzz_source *source)
{
    struct fxt_mmap *mmap = &out->any.mmap;
    if (out->kind == FUZZ_MODULE) {
        out->any.module.thread = thread_ref(source, false);
        out->any.module.name = span(source, 255);
        out->any.module.build_id = span(source, 255);
        out->any.module.timestamp = word(source);
        out->any.module.module_id = (uint16_t)fuzz_pick(source, 65536);
    } else if (out->kind == FUZZ_MMAP) {
        mmap->thread = thread_ref(source, false);
        mmap->timestamp = word(source);
        mmap->start_address = word(source);
        mmap->address_range = word(source);
        mmap->vaddr = word(source);
        mmap->module_id = (uint16_t)fuzz_pick(source, 65536);
        mmap->flags = (uint8_t)fuzz_pick(source, 8);
    } else {
        struct fxt_backtrace *trace = &out->any.backtrace;
        trace->thread = thread_ref(source, false);
        trace->timestamp = word(source);
        trace->frame_count = (uint8_t)length(source, 255);
        trace->frames.size = 8 * (uint64_t)trace->frame_count;
        trace->frames.bytes = trace->frame_count > 0 ? pool() + fuzz_pick(source, 999) : NULL;
    }
}

static void generate_bytes(struct fuzz_record *out, struct fuzz_source *source)
{
    struct fxt_large_blob *large = &out->any.large_blob;
    if (out->kind == FUZZ_BLOB) {
        out->any.blob.name = string_ref(source);
        out->any.blob.payload = span(source, 32752);
        out->any.blob.blob_type = (uint8_t)fuzz_pick(source, 256);
    } else if (out->kind == FUZZ_LOG) {
        out->any.log.thread = thread_ref(source, false);
        out->any.log.message = span(source, 32744);
        out->any.log.timestamp = word(source);
    } else {
        large->category = string_ref(source);
        large->name = string_ref(source);
        large->payload = span(source, 39000);
        large->blob_format = (uint8_t)fuzz_pick(source, 2);
        if (large->blob_format == FXT_LARGE_BLOB_METADATA) {
            large->thread = thread_ref(source, false);
            large->timestamp = word(source);
        }
    }
}

static bool has_args(const struct fuzz_record *record)
{
    switch (record->kind) {
    case FUZZ_EVENT:
    case FUZZ_USERSPACE_OBJECT:
    case FUZZ_KERNEL_OBJECT:
    case FUZZ_CONTEXT_SWITCH:
    case FUZZ_THREAD_WAKEUP:
        return true;
    case FUZZ_LARGE_BLOB:
        return record->any.large_blob.blob_format == FXT_LARGE_BLOB_METADATA;
    default:
        return false;
    }
}

void fuzz_generate(struct fuzz_record *out, struct fuzz_source *source)
{
    uint64_t kind = fuzz_pick(source, FUZZ_KIND_COUNT + 8);

    memset(out, 0, sizeof *out);
    source->plain = fuzz_pick(source, 2) == 0;
    out->kind = kind < FUZZ_KIND_COUNT ? (enum fuzz_kind_id)kind : FUZZ_EVENT;
    if (out->kind <= FUZZ_TRACE_INFO)
        generate_metadata(out, source);
    else if (out->kind <= FUZZ_THREAD)
        generate_table(out, source);
    else if (out->kind == FUZZ_EVENT)
        generate_event(out, source);
    else if (out->kind == FUZZ_USERSPACE_OBJECT || out->kind == FUZZ_KERNEL_OBJECT)
        generate_object(out, source);
    else if (out->kind >= FUZZ_LEGACY_SWITCH && out->kind <= FUZZ_THREAD_WAKEUP)
        generate_scheduling(out, source);
    else if (out->kind >= FUZZ_MODULE && out->kind <= FUZZ_BACKTRACE)
        generate_profiler(out, source);
    else
        generate_bytes(out, source);
    if (has_args(out))
        out->arg_count = generate_args(out->args, source);
}

static bool invalid_arg(struct fxt_arg *arg, struct fuzz_source *source)
{
    switch (fuzz_pick(source, 5)) {
    case 0:
        arg->type = (uint8_t)(FUZZ_ARG_COUNT + fuzz_pick(source, 256 - FUZZ_ARG_COUNT));
        return true;
    case 1:
        *arg = fxt_make_arg(FXT_ARG_UINT32, arg->name, UINT64_C(1) << 32);
        return true;
    case 2:
        *arg = fxt_make_arg(FXT_ARG_BOOL, arg->name, 2);
        return true;
    case 3:
        arg->name.ref = (uint16_t)(32769 + fuzz_pick(source, 32767));
        arg->name.bytes = NULL;
        return true;
    default:
        *arg = fxt_make_blob(arg->name, NULL, 1 + fuzz_pick(source, 32752));
        return true;
    }
}

static void invalid_event(struct fxt_event *event, struct fuzz_source *source)
{
    switch (fuzz_pick(source, 4)) {
    case 0:
        event->event_type = (uint8_t)(11 + fuzz_pick(source, 245));
        break;
    case 1:
        event->event_type = FXT_EVENT_INSTANT;
        event->has_scope = 1;
        event->scope = (uint8_t)(3 + fuzz_pick(source, 253));
        break;
    case 2:
        event->category.ref = (uint16_t)(32769 + fuzz_pick(source, 32767));
        event->category.bytes = NULL;
        break;
    default:
        event->name.ref = (uint16_t)(32769 + fuzz_pick(source, 32767));
        event->name.bytes = NULL;
        break;
    }
}

bool fuzz_generate_invalid(struct fuzz_record *record, struct fuzz_source *source)
{
    struct fxt_string_ref missing = {NULL, (uint16_t)(32769 + fuzz_pick(source, 32767))};

    if (record->arg_count > 0 && fuzz_pick(source, 2) == 0)
        return invalid_arg(&record->args[fuzz_pick(source, record->arg_count)], source);
    switch (record->kind) {
    case FUZZ_PROVIDER_INFO:
        record->any.provider_info.name.bytes = pool();
        record->any.provider_info.name.size = 256 + fuzz_pick(source, 1000);
        return true;
    case FUZZ_PROVIDER_EVENT:
        record->any.provider_event.event_id = (uint8_t)(16 + fuzz_pick(source, 240));
        return true;
    case FUZZ_INITIALIZATION:
        record->any.initialization.ticks_per_second = 0;
        return true;
    case FUZZ_STRING:
        record->any.string.index =
            (uint16_t)(fuzz_pick(source, 2) == 0 ? 0 : 32768 + fuzz_pick(source, 32768));
        return true;
    case FUZZ_THREAD:
        record->any.thread.index = 0;
        return true;
    case FUZZ_EVENT:
        invalid_event(&record->any.event, source);
        return true;
    case FUZZ_BLOB:
        record->any.blob.name = missing;
        return true;
    case FUZZ_USERSPACE_OBJECT:
        record->any.userspace_object.name = missing;
        return true;
    case FUZZ_KERNEL_OBJECT:
        record->any.kernel_object.name = missing;
        return true;
    case FUZZ_LEGACY_SWITCH:
        record->any.legacy_switch.outgoing_state = (uint8_t)(6 + fuzz_pick(source, 250));
        return true;
    case FUZZ_CONTEXT_SWITCH:
        record->any.context_switch.outgoing_state = (uint8_t)(6 + fuzz_pick(source, 250));
        return true;
    case FUZZ_LOG:
        record->any.log.message.bytes = pool();
        record->any.log.message.size = 32768 + fuzz_pick(source, 1000);
        return true;
    case FUZZ_MODULE:
        record->any.module.build_id.bytes = NULL;
        record->any.module.build_id.size = 1 + fuzz_pick(source, 255);
        return true;
    case FUZZ_MMAP:
        record->any.mmap.flags = (uint8_t)(8 + fuzz_pick(source, 248));
        return true;
    case FUZZ_BACKTRACE:
        record->any.backtrace.frames.bytes = pool();
        record->any.backtrace.frames.size = 1 + 8 * fuzz_pick(source, 255);
        return true;
    case FUZZ_LARGE_BLOB:
        record->any.large_blob.blob_format = (uint8_t)(2 + fuzz_pick(source, 254));
        return true;
    default:
        return false;
    }
}
