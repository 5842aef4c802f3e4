/* Which kind a record is, by the tables of the format, and the function of the library for each. */
#include "fuzz/lib/any.h"

static enum fuzz_kind_id pick(const enum fuzz_kind_id *kinds, size_t count, uint64_t type)
{
    return type < count ? kinds[type] : FUZZ_KIND_COUNT;
}

enum fuzz_kind_id fuzz_kind_of(const struct fxt_record *record)
{
    static const enum fuzz_kind_id metadata[] = {FUZZ_KIND_COUNT, FUZZ_PROVIDER_INFO,
                                                 FUZZ_PROVIDER_SECTION, FUZZ_PROVIDER_EVENT,
                                                 FUZZ_TRACE_INFO};
    static const enum fuzz_kind_id scheduling[] = {FUZZ_LEGACY_SWITCH, FUZZ_CONTEXT_SWITCH,
                                                   FUZZ_THREAD_WAKEUP};
    static const enum fuzz_kind_id profiler[] = {FUZZ_MODULE, FUZZ_MMAP, FUZZ_BACKTRACE};
    static const enum fuzz_kind_id plain[] = {
        FUZZ_KIND_COUNT, FUZZ_INITIALIZATION,   FUZZ_STRING,        FUZZ_THREAD,     FUZZ_EVENT,
        FUZZ_BLOB,       FUZZ_USERSPACE_OBJECT, FUZZ_KERNEL_OBJECT, FUZZ_KIND_COUNT, FUZZ_LOG};
    uint64_t header = record->header;

    switch (header & 15) {
    case 0:
        return pick(metadata, 5, header >> 16 & 15);
    case 8:
        return pick(scheduling, 3, header >> 60);
    case 10:
        return pick(profiler, 3, header >> 16 & 15);
    case 15:
        return (header >> 36 & 15) == 0 && (header >> 40 & 15) <= 1 ? FUZZ_LARGE_BLOB
                                                                    : FUZZ_KIND_COUNT;
    default:
        return pick(plain, 10, header & 15);
    }
}

enum fxt_status fuzz_decode(enum fuzz_kind_id kind, union fuzz_any *any,
                            const struct fxt_record *record, struct fxt_error *error)
{
    switch (kind) {
#define DECODE(id, name)                                                                           \
    case id:                                                                                       \
        return fxt_read_##name(record, &any->name, error);
        DECODE(FUZZ_PROVIDER_INFO, provider_info)
        DECODE(FUZZ_PROVIDER_SECTION, provider_section)
        DECODE(FUZZ_PROVIDER_EVENT, provider_event)
        DECODE(FUZZ_TRACE_INFO, trace_info)
        DECODE(FUZZ_INITIALIZATION, initialization)
        DECODE(FUZZ_STRING, string)
        DECODE(FUZZ_THREAD, thread)
        DECODE(FUZZ_EVENT, event)
        DECODE(FUZZ_BLOB, blob)
        DECODE(FUZZ_USERSPACE_OBJECT, userspace_object)
        DECODE(FUZZ_KERNEL_OBJECT, kernel_object)
        DECODE(FUZZ_LEGACY_SWITCH, legacy_switch)
        DECODE(FUZZ_CONTEXT_SWITCH, context_switch)
        DECODE(FUZZ_THREAD_WAKEUP, thread_wakeup)
        DECODE(FUZZ_LOG, log)
        DECODE(FUZZ_MODULE, module)
        DECODE(FUZZ_MMAP, mmap)
        DECODE(FUZZ_BACKTRACE, backtrace)
        DECODE(FUZZ_LARGE_BLOB, large_blob)
    case FUZZ_KIND_COUNT:
    default:
        return FXT_WRONG_TYPE;
    }
}

enum fxt_status fuzz_encode(struct fxt_writer *writer, const struct fuzz_record *in)
{
    const struct fxt_trace_info *info = &in->any.trace_info;

    switch (in->kind) {
#define ENCODE(id, name)                                                                           \
    case id:                                                                                       \
        return fxt_write_##name(writer, &in->any.name);
#define ENCODE_WITH_ARGS(id, name)                                                                 \
    case id:                                                                                       \
        return fxt_write_##name(writer, &in->any.name, in->args, in->arg_count);
        ENCODE(FUZZ_PROVIDER_INFO, provider_info)
        ENCODE(FUZZ_PROVIDER_SECTION, provider_section)
        ENCODE(FUZZ_PROVIDER_EVENT, provider_event)
    case FUZZ_TRACE_INFO:
        if (info->trace_info_type == FXT_TRACE_INFO_MAGIC && info->data == 0x16547846)
            return fxt_write_magic(writer);
        return FXT_WRONG_TYPE;
        ENCODE(FUZZ_INITIALIZATION, initialization)
        ENCODE(FUZZ_STRING, string)
        ENCODE(FUZZ_THREAD, thread)
        ENCODE_WITH_ARGS(FUZZ_EVENT, event)
        ENCODE(FUZZ_BLOB, blob)
        ENCODE_WITH_ARGS(FUZZ_USERSPACE_OBJECT, userspace_object)
        ENCODE_WITH_ARGS(FUZZ_KERNEL_OBJECT, kernel_object)
        ENCODE(FUZZ_LEGACY_SWITCH, legacy_switch)
        ENCODE_WITH_ARGS(FUZZ_CONTEXT_SWITCH, context_switch)
        ENCODE_WITH_ARGS(FUZZ_THREAD_WAKEUP, thread_wakeup)
        ENCODE(FUZZ_LOG, log)
        ENCODE(FUZZ_MODULE, module)
        ENCODE(FUZZ_MMAP, mmap)
        ENCODE(FUZZ_BACKTRACE, backtrace)
        ENCODE_WITH_ARGS(FUZZ_LARGE_BLOB, large_blob)
    case FUZZ_KIND_COUNT:
    default:
        return FXT_WRONG_TYPE;
    }
}
