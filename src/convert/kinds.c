/* The table of kinds and fields. It is constant; the order of its fields is the order in which all
   printers show them, and part of the canonical JSON form (conformance/schema/dump.md). */
#include "src/convert/kinds.h"

/* Laid out by hand: a line a field, a line a kind. */
/* clang-format off */

#define AT(kind, member) offsetof(union fxt_convert_any, kind.member)
#define FIELD(kind, member, shape) \
    {#member, NULL, AT(kind, member), FXT_CONVERT_ALWAYS, FXT_CONVERT_##shape}
#define NAMED(kind, member, list) \
    {#member, &fxt_convert_##list, AT(kind, member), FXT_CONVERT_ALWAYS, FXT_CONVERT_NAMED}

/* The variants in which a field exists. */
#define WITH_SCOPE (1u << FXT_EVENT_INSTANT)
#define WITH_END (1u << FXT_EVENT_DURATION_COMPLETE)
#define WITH_ID (1u << FXT_EVENT_COUNTER | 0x3fu << FXT_EVENT_ASYNC_BEGIN)
#define WITH_METADATA (1u << FXT_LARGE_BLOB_METADATA)

static const struct fxt_convert_field provider_info_fields[] = {
    FIELD(provider_info, provider_id, U32),
    FIELD(provider_info, name, TEXT),
};
static const struct fxt_convert_field provider_section_fields[] = {
    FIELD(provider_section, provider_id, U32),
};
static const struct fxt_convert_field provider_event_fields[] = {
    FIELD(provider_event, provider_id, U32),
    NAMED(provider_event, event_id, provider_events),
};
static const struct fxt_convert_field trace_info_fields[] = {
    FIELD(trace_info, trace_info_type, U8),
    FIELD(trace_info, data, U64),
};
static const struct fxt_convert_field initialization_fields[] = {
    FIELD(initialization, ticks_per_second, U64),
};
static const struct fxt_convert_field string_fields[] = {
    FIELD(string, index, U16),
    FIELD(string, value, TEXT),
};
static const struct fxt_convert_field thread_fields[] = {
    FIELD(thread, index, U8),
    FIELD(thread, process, U64),
    FIELD(thread, thread, U64),
};
static const struct fxt_convert_field event_fields[] = {
    {"event_type", &fxt_convert_event_types, AT(event, event_type), FXT_CONVERT_ALWAYS,
     FXT_CONVERT_WHICH},
    FIELD(event, timestamp, U64),
    FIELD(event, thread, THREAD),
    FIELD(event, category, STRING),
    FIELD(event, name, STRING),
    {"scope", &fxt_convert_scopes, AT(event, scope), WITH_SCOPE, FXT_CONVERT_SCOPE},
    {"id", NULL, AT(event, value), WITH_ID, FXT_CONVERT_U64},
    {"end", NULL, AT(event, value), WITH_END, FXT_CONVERT_U64},
};
static const struct fxt_convert_field blob_fields[] = {
    NAMED(blob, blob_type, blob_types),
    FIELD(blob, name, STRING),
    FIELD(blob, payload, PAYLOAD),
};
static const struct fxt_convert_field userspace_object_fields[] = {
    FIELD(userspace_object, pointer, ADDRESS),
    FIELD(userspace_object, process, PROCESS),
    FIELD(userspace_object, name, STRING),
};
static const struct fxt_convert_field kernel_object_fields[] = {
    NAMED(kernel_object, object_type, object_types),
    FIELD(kernel_object, koid, U64),
    FIELD(kernel_object, name, STRING),
};
static const struct fxt_convert_field legacy_switch_fields[] = {
    FIELD(legacy_switch, timestamp, U64),
    FIELD(legacy_switch, cpu, U8),
    NAMED(legacy_switch, outgoing_state, thread_states),
    {"outgoing_thread", NULL, AT(legacy_switch, outgoing), FXT_CONVERT_ALWAYS, FXT_CONVERT_THREAD},
    {"incoming_thread", NULL, AT(legacy_switch, incoming), FXT_CONVERT_ALWAYS, FXT_CONVERT_THREAD},
    FIELD(legacy_switch, outgoing_priority, U8),
    FIELD(legacy_switch, incoming_priority, U8),
};
static const struct fxt_convert_field context_switch_fields[] = {
    FIELD(context_switch, timestamp, U64),
    FIELD(context_switch, cpu, U16),
    NAMED(context_switch, outgoing_state, thread_states),
    FIELD(context_switch, outgoing_thread, U64),
    FIELD(context_switch, incoming_thread, U64),
};
static const struct fxt_convert_field thread_wakeup_fields[] = {
    FIELD(thread_wakeup, timestamp, U64),
    FIELD(thread_wakeup, cpu, U16),
    FIELD(thread_wakeup, waking_thread, U64),
};
static const struct fxt_convert_field log_fields[] = {
    FIELD(log, timestamp, U64),
    FIELD(log, thread, THREAD),
    FIELD(log, message, TEXT),
};
static const struct fxt_convert_field module_fields[] = {
    FIELD(module, timestamp, U64),
    FIELD(module, thread, THREAD),
    FIELD(module, module_id, U16),
    FIELD(module, name, TEXT),
    FIELD(module, build_id, PAYLOAD),
};
static const struct fxt_convert_field mmap_fields[] = {
    FIELD(mmap, timestamp, U64),
    FIELD(mmap, thread, THREAD),
    FIELD(mmap, module_id, U16),
    FIELD(mmap, flags, U8),
    FIELD(mmap, start_address, ADDRESS),
    FIELD(mmap, address_range, ADDRESS),
    FIELD(mmap, vaddr, ADDRESS),
};
static const struct fxt_convert_field backtrace_fields[] = {
    FIELD(backtrace, timestamp, U64),
    FIELD(backtrace, thread, THREAD),
    FIELD(backtrace, frames, FRAMES),
};
static const struct fxt_convert_field large_blob_fields[] = {
    FIELD(large_blob, blob_format, U8),
    FIELD(large_blob, category, STRING),
    FIELD(large_blob, name, STRING),
    {"timestamp", NULL, AT(large_blob, timestamp), WITH_METADATA, FXT_CONVERT_U64},
    {"thread", NULL, AT(large_blob, thread), WITH_METADATA, FXT_CONVERT_THREAD},
    FIELD(large_blob, payload, PAYLOAD),
};

#define DECODE(kind)                                                                               \
    static enum fxt_status decode_##kind(const struct fxt_record *record,                          \
                                         union fxt_convert_any *out, struct fxt_error *error)      \
    {                                                                                              \
        return fxt_read_##kind(record, &out->kind, error);                                         \
    }
#define ENCODE(kind)                                                                               \
    static enum fxt_status encode_##kind(struct fxt_writer *writer,                                \
                                         const union fxt_convert_any *in,                          \
                                         const struct fxt_arg *args, size_t arg_count)             \
    {                                                                                              \
        (void)args;                                                                                \
        (void)arg_count;                                                                           \
        return fxt_write_##kind(writer, &in->kind);                                                \
    }
#define ENCODE_ARGS(kind)                                                                          \
    static enum fxt_status encode_##kind(struct fxt_writer *writer,                                \
                                         const union fxt_convert_any *in,                          \
                                         const struct fxt_arg *args, size_t arg_count)             \
    {                                                                                              \
        return fxt_write_##kind(writer, &in->kind, args, arg_count);                               \
    }

DECODE(provider_info) ENCODE(provider_info)
DECODE(provider_section) ENCODE(provider_section)
DECODE(provider_event) ENCODE(provider_event)
DECODE(trace_info)
DECODE(initialization) ENCODE(initialization)
DECODE(string) ENCODE(string)
DECODE(thread) ENCODE(thread)
DECODE(event) ENCODE_ARGS(event)
DECODE(blob) ENCODE(blob)
DECODE(userspace_object) ENCODE_ARGS(userspace_object)
DECODE(kernel_object) ENCODE_ARGS(kernel_object)
DECODE(legacy_switch) ENCODE(legacy_switch)
DECODE(context_switch) ENCODE_ARGS(context_switch)
DECODE(thread_wakeup) ENCODE_ARGS(thread_wakeup)
DECODE(log) ENCODE(log)
DECODE(module) ENCODE(module)
DECODE(mmap) ENCODE(mmap)
DECODE(backtrace) ENCODE(backtrace)
DECODE(large_blob) ENCODE_ARGS(large_blob)

static enum fxt_status encode_magic(struct fxt_writer *writer, const union fxt_convert_any *in,
                                    const struct fxt_arg *args, size_t arg_count)
{
    (void)in;
    (void)args;
    (void)arg_count;
    return fxt_write_magic(writer);
}

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
#define KIND(kind, selector, args, args_only)                                               \
    {#kind, kind##_fields, COUNT(kind##_fields), selector, args, AT(kind, tail), args_only, \
     decode_##kind, encode_##kind}
#define PLAIN(kind) KIND(kind, FXT_CONVERT_NOWHERE, FXT_CONVERT_NOWHERE, FXT_CONVERT_ALWAYS)
#define WITH_ARGS(kind) KIND(kind, FXT_CONVERT_NOWHERE, AT(kind, args), FXT_CONVERT_ALWAYS)

static const struct fxt_convert_kind kinds[FXT_KIND_UNKNOWN] = {
    [FXT_KIND_MAGIC] = {"magic", NULL, 0, FXT_CONVERT_NOWHERE, FXT_CONVERT_NOWHERE,
                        AT(trace_info, tail), FXT_CONVERT_ALWAYS, decode_trace_info, encode_magic},
    [FXT_KIND_PROVIDER_INFO] = PLAIN(provider_info),
    [FXT_KIND_PROVIDER_SECTION] = PLAIN(provider_section),
    [FXT_KIND_PROVIDER_EVENT] = PLAIN(provider_event),
    [FXT_KIND_TRACE_INFO] = {"trace_info", trace_info_fields, COUNT(trace_info_fields),
                             FXT_CONVERT_NOWHERE, FXT_CONVERT_NOWHERE, AT(trace_info, tail),
                             FXT_CONVERT_ALWAYS, decode_trace_info, NULL},
    [FXT_KIND_INITIALIZATION] = PLAIN(initialization),
    [FXT_KIND_STRING] = PLAIN(string),
    [FXT_KIND_THREAD] = PLAIN(thread),
    [FXT_KIND_EVENT] = KIND(event, AT(event, event_type), AT(event, args), FXT_CONVERT_ALWAYS),
    [FXT_KIND_BLOB] = PLAIN(blob),
    [FXT_KIND_USERSPACE_OBJECT] = WITH_ARGS(userspace_object),
    [FXT_KIND_KERNEL_OBJECT] = WITH_ARGS(kernel_object),
    [FXT_KIND_LEGACY_SWITCH] = PLAIN(legacy_switch),
    [FXT_KIND_CONTEXT_SWITCH] = WITH_ARGS(context_switch),
    [FXT_KIND_THREAD_WAKEUP] = WITH_ARGS(thread_wakeup),
    [FXT_KIND_LOG] = PLAIN(log),
    [FXT_KIND_MODULE] = PLAIN(module),
    [FXT_KIND_MMAP] = PLAIN(mmap),
    [FXT_KIND_BACKTRACE] = PLAIN(backtrace),
    [FXT_KIND_LARGE_BLOB] = KIND(large_blob, AT(large_blob, blob_format), AT(large_blob, args),
                             WITH_METADATA),
};

/* clang-format on */

/* The kind of a record by its type alone; those that have subtypes are unknown by it. */
static const uint8_t by_type[FXT_RECORD_LOG + 1] = {
    [FXT_RECORD_METADATA] = FXT_KIND_UNKNOWN,
    [FXT_RECORD_INITIALIZATION] = FXT_KIND_INITIALIZATION,
    [FXT_RECORD_STRING] = FXT_KIND_STRING,
    [FXT_RECORD_THREAD] = FXT_KIND_THREAD,
    [FXT_RECORD_EVENT] = FXT_KIND_EVENT,
    [FXT_RECORD_BLOB] = FXT_KIND_BLOB,
    [FXT_RECORD_USERSPACE_OBJECT] = FXT_KIND_USERSPACE_OBJECT,
    [FXT_RECORD_KERNEL_OBJECT] = FXT_KIND_KERNEL_OBJECT,
    [FXT_RECORD_SCHEDULING] = FXT_KIND_UNKNOWN,
    [FXT_RECORD_LOG] = FXT_KIND_LOG,
};

static enum fxt_kind subkind(uint8_t number, uint8_t first, enum fxt_kind kind, uint8_t count)
{
    return number >= first && number - first < count ? kind + (number - first) : FXT_KIND_UNKNOWN;
}

enum fxt_kind fxt_kind_of(const struct fxt_record *record)
{
    if (record->header == FXT_MAGIC)
        return FXT_KIND_MAGIC;
    switch (record->type) {
    case FXT_RECORD_METADATA:
        return subkind(fxt_record_metadata_type(record), FXT_METADATA_PROVIDER_INFO,
                       FXT_KIND_PROVIDER_INFO, 4);
    case FXT_RECORD_SCHEDULING:
        return subkind(fxt_record_scheduling_type(record), 0, FXT_KIND_LEGACY_SWITCH, 3);
    case FXT_RECORD_PROFILER:
        return subkind(fxt_record_profiler_type(record), 0, FXT_KIND_MODULE, 3);
    case FXT_RECORD_LARGE:
        return fxt_record_large_type(record) == FXT_LARGE_BLOB &&
                       fxt_record_blob_format(record) <= FXT_LARGE_BLOB_NO_METADATA
                   ? FXT_KIND_LARGE_BLOB
                   : FXT_KIND_UNKNOWN;
    default:
        return record->type <= FXT_RECORD_LOG ? by_type[record->type] : FXT_KIND_UNKNOWN;
    }
}

const char *fxt_kind_name(enum fxt_kind kind)
{
    return kind < FXT_KIND_UNKNOWN ? kinds[kind].name : "unknown";
}

enum fxt_status fxt_kind_decode(enum fxt_kind kind, const struct fxt_record *record,
                                union fxt_convert_any *out, struct fxt_error *error)
{
    return kind < FXT_KIND_UNKNOWN ? kinds[kind].decode(record, out, error) : FXT_OK;
}

bool fxt_kind_malformed(const struct fxt_record *record, struct fxt_error *error)
{
    union fxt_convert_any any;
    return fxt_kind_decode(fxt_kind_of(record), record, &any, error) != FXT_OK;
}

const struct fxt_convert_kind *fxt_convert_kind_of(const struct fxt_record *record)
{
    enum fxt_kind kind = fxt_kind_of(record);
    return kind < FXT_KIND_UNKNOWN ? &kinds[kind] : NULL;
}

const struct fxt_convert_kind *fxt_convert_kind_by_name(const char *name, size_t length)
{
    for (size_t i = 0; i < FXT_KIND_UNKNOWN; i++)
        if (fxt_convert_text_is(name, length, kinds[i].name))
            return &kinds[i];
    return NULL;
}

bool fxt_kind_timestamp(enum fxt_kind kind, const union fxt_convert_any *any, uint64_t *ticks)
{
    switch (kind) {
    case FXT_KIND_EVENT:
        *ticks = any->event.timestamp;
        return true;
    case FXT_KIND_LEGACY_SWITCH:
        *ticks = any->legacy_switch.timestamp;
        return true;
    case FXT_KIND_CONTEXT_SWITCH:
        *ticks = any->context_switch.timestamp;
        return true;
    case FXT_KIND_THREAD_WAKEUP:
        *ticks = any->thread_wakeup.timestamp;
        return true;
    case FXT_KIND_LOG:
        *ticks = any->log.timestamp;
        return true;
    case FXT_KIND_MODULE:
        *ticks = any->module.timestamp;
        return true;
    case FXT_KIND_MMAP:
        *ticks = any->mmap.timestamp;
        return true;
    case FXT_KIND_BACKTRACE:
        *ticks = any->backtrace.timestamp;
        return true;
    case FXT_KIND_LARGE_BLOB:
        *ticks = any->large_blob.timestamp;
        return any->large_blob.blob_format == FXT_LARGE_BLOB_METADATA;
    default:
        return false;
    }
}

bool fxt_convert_has(const struct fxt_convert_kind *kind, const union fxt_convert_any *any,
                     uint16_t only)
{
    uint16_t selector = 0;
    if (kind->selector != FXT_CONVERT_NOWHERE)
        selector = *(const uint16_t *)fxt_convert_field_at(any, kind->selector);
    return selector < 16 && (only >> selector) % 2 == 1;
}

uint64_t fxt_convert_number(const union fxt_convert_any *any, const struct fxt_convert_field *field)
{
    const void *at = fxt_convert_field_at(any, field->at);
    switch (field->shape) {
    case FXT_CONVERT_U32:
        return *(const uint32_t *)at;
    case FXT_CONVERT_U64:
    case FXT_CONVERT_ADDRESS:
        return *(const uint64_t *)at;
    default:
        return *(const uint16_t *)at;
    }
}

struct fxt_args fxt_convert_args(const struct fxt_convert_kind *kind,
                                 const union fxt_convert_any *any)
{
    struct fxt_args none = {NULL, 0, 0, 0};
    if (kind->args == FXT_CONVERT_NOWHERE || !fxt_convert_has(kind, any, kind->args_only))
        return none;
    return *(const struct fxt_args *)fxt_convert_field_at(any, kind->args);
}

struct fxt_tail fxt_convert_tail(const struct fxt_convert_kind *kind,
                                 const union fxt_convert_any *any)
{
    return *(const struct fxt_tail *)fxt_convert_field_at(any, kind->tail);
}

bool fxt_convert_resolve(const struct fxt_tables *tables, struct fxt_bytes *text,
                         struct fxt_string_ref ref)
{
    if (ref.ref != 0 && ref.ref < FXT_STRING_INLINE)
        return tables != NULL && fxt_tables_string(tables, text, ref);
    text->bytes = ref.bytes;
    text->size = fxt_string_ref_length(ref);
    return true;
}

bool fxt_convert_resolve_thread(const struct fxt_tables *tables, struct fxt_thread_ref *koids,
                                struct fxt_thread_ref ref)
{
    if (ref.ref != 0)
        return tables != NULL && fxt_tables_thread(tables, koids, ref);
    *koids = ref;
    return true;
}
