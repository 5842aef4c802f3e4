/* Which kind a record is, from its header. No state. Used where all kinds are handled alike: to
   count them, to name them, and to find out why one does not decode. */
#include "src/tools/common/kind.h"

static const char *const kind_names[KIND_COUNT] = {
    [KIND_MAGIC] = "magic",
    [KIND_PROVIDER_INFO] = "provider_info",
    [KIND_PROVIDER_SECTION] = "provider_section",
    [KIND_PROVIDER_EVENT] = "provider_event",
    [KIND_TRACE_INFO] = "trace_info",
    [KIND_INITIALIZATION] = "initialization",
    [KIND_STRING] = "string",
    [KIND_THREAD] = "thread",
    [KIND_EVENT] = "event",
    [KIND_BLOB] = "blob",
    [KIND_USERSPACE_OBJECT] = "userspace_object",
    [KIND_KERNEL_OBJECT] = "kernel_object",
    [KIND_LEGACY_SWITCH] = "legacy_switch",
    [KIND_CONTEXT_SWITCH] = "context_switch",
    [KIND_THREAD_WAKEUP] = "thread_wakeup",
    [KIND_LOG] = "log",
    [KIND_MODULE] = "module",
    [KIND_MMAP] = "mmap",
    [KIND_BACKTRACE] = "backtrace",
    [KIND_LARGE_BLOB] = "large_blob",
    [KIND_UNKNOWN] = "unknown",
};

static const char *const event_names[EVENT_NAMES] = {
    "instant",       "counter",   "duration_begin", "duration_end", "duration_complete",
    "async_begin",   "async_instant", "async_end",  "flow_begin",   "flow_step",
    "flow_end",      "unknown",
};

static const char *const arg_names[ARG_NAMES] = {
    "null",   "int32",  "uint32",  "int64", "uint64", "double",
    "string", "pointer", "koid",   "bool",  "blob",   "unknown",
};

const char *kind_name(enum kind kind)
{
    return kind_names[kind];
}

const char *event_name(unsigned event_type)
{
    return event_names[event_type < EVENT_NAMES ? event_type : EVENT_NAMES - 1];
}

const char *arg_name(unsigned arg_type)
{
    return arg_names[arg_type < ARG_NAMES ? arg_type : ARG_NAMES - 1];
}

static enum kind metadata_kind(const struct fxt_record *record)
{
    switch (fxt_record_metadata_type(record)) {
    case FXT_METADATA_PROVIDER_INFO:
        return KIND_PROVIDER_INFO;
    case FXT_METADATA_PROVIDER_SECTION:
        return KIND_PROVIDER_SECTION;
    case FXT_METADATA_PROVIDER_EVENT:
        return KIND_PROVIDER_EVENT;
    case FXT_METADATA_TRACE_INFO:
        return record->header == FXT_MAGIC ? KIND_MAGIC : KIND_TRACE_INFO;
    default:
        return KIND_UNKNOWN;
    }
}

static enum kind scheduling_kind(const struct fxt_record *record)
{
    switch (fxt_record_scheduling_type(record)) {
    case FXT_SCHEDULING_LEGACY_SWITCH:
        return KIND_LEGACY_SWITCH;
    case FXT_SCHEDULING_CONTEXT_SWITCH:
        return KIND_CONTEXT_SWITCH;
    case FXT_SCHEDULING_THREAD_WAKEUP:
        return KIND_THREAD_WAKEUP;
    default:
        return KIND_UNKNOWN;
    }
}

static enum kind profiler_kind(const struct fxt_record *record)
{
    switch (fxt_record_profiler_type(record)) {
    case FXT_PROFILER_MODULE:
        return KIND_MODULE;
    case FXT_PROFILER_MMAP:
        return KIND_MMAP;
    case FXT_PROFILER_BACKTRACE:
        return KIND_BACKTRACE;
    default:
        return KIND_UNKNOWN;
    }
}

static enum kind large_kind(const struct fxt_record *record)
{
    bool known = fxt_record_large_type(record) == FXT_LARGE_BLOB &&
                 fxt_record_blob_format(record) <= FXT_LARGE_BLOB_NO_METADATA;
    return known ? KIND_LARGE_BLOB : KIND_UNKNOWN;
}

enum kind kind_of(const struct fxt_record *record)
{
    switch (record->type) {
    case FXT_RECORD_METADATA:
        return metadata_kind(record);
    case FXT_RECORD_INITIALIZATION:
        return KIND_INITIALIZATION;
    case FXT_RECORD_STRING:
        return KIND_STRING;
    case FXT_RECORD_THREAD:
        return KIND_THREAD;
    case FXT_RECORD_EVENT:
        return KIND_EVENT;
    case FXT_RECORD_BLOB:
        return KIND_BLOB;
    case FXT_RECORD_USERSPACE_OBJECT:
        return KIND_USERSPACE_OBJECT;
    case FXT_RECORD_KERNEL_OBJECT:
        return KIND_KERNEL_OBJECT;
    case FXT_RECORD_SCHEDULING:
        return scheduling_kind(record);
    case FXT_RECORD_LOG:
        return KIND_LOG;
    case FXT_RECORD_PROFILER:
        return profiler_kind(record);
    case FXT_RECORD_LARGE:
        return large_kind(record);
    default:
        return KIND_UNKNOWN;
    }
}

enum fxt_status kind_read(const struct fxt_record *record, enum kind kind,
                          union kind_fields *fields, struct fxt_error *error)
{
    switch (kind) {
#define CASE(KIND, name) \
    case KIND: return fxt_read_##name(record, &fields->name, error)
        CASE(KIND_MAGIC, trace_info);
        CASE(KIND_PROVIDER_INFO, provider_info);
        CASE(KIND_PROVIDER_SECTION, provider_section);
        CASE(KIND_PROVIDER_EVENT, provider_event);
        CASE(KIND_TRACE_INFO, trace_info);
        CASE(KIND_INITIALIZATION, initialization);
        CASE(KIND_STRING, string);
        CASE(KIND_THREAD, thread);
        CASE(KIND_EVENT, event);
        CASE(KIND_BLOB, blob);
        CASE(KIND_USERSPACE_OBJECT, userspace_object);
        CASE(KIND_KERNEL_OBJECT, kernel_object);
        CASE(KIND_LEGACY_SWITCH, legacy_switch);
        CASE(KIND_CONTEXT_SWITCH, context_switch);
        CASE(KIND_THREAD_WAKEUP, thread_wakeup);
        CASE(KIND_LOG, log);
        CASE(KIND_MODULE, module);
        CASE(KIND_MMAP, mmap);
        CASE(KIND_BACKTRACE, backtrace);
        CASE(KIND_LARGE_BLOB, large_blob);
#undef CASE
    case KIND_UNKNOWN:
    case KIND_COUNT:
        break;
    }
    return FXT_OK;
}

bool kind_malformed(const struct fxt_record *record, struct fxt_error *error)
{
    union kind_fields fields;
    return kind_read(record, kind_of(record), &fields, error) != FXT_OK;
}
