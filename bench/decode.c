/* The consumer that read_bench gives decoded records to. No state. */
#include "bench/decode.h"

static uint64_t of_string(struct fxt_string_ref string)
{
    return (uint64_t)(uintptr_t)string.bytes + string.ref;
}

static uint64_t of_thread(struct fxt_thread_ref thread)
{
    return thread.process + thread.thread + thread.ref;
}

static uint64_t of_bytes(struct fxt_bytes bytes)
{
    return (uint64_t)(uintptr_t)bytes.bytes + bytes.size;
}

static uint64_t of_arg(const struct fxt_arg *arg)
{
    return of_string(arg->name) + of_string(arg->text) + of_bytes(arg->blob) + arg->tail.words +
           arg->value + arg->type;
}

static uint64_t of_args(struct fxt_args *args)
{
    struct fxt_error error;
    struct fxt_arg arg;
    uint64_t sum = 0;
    while (fxt_args_next(args, &arg, &error) == FXT_OK)
        sum += of_arg(&arg);
    return sum;
}

static uint64_t metadata(const struct fxt_record *record)
{
    struct fxt_provider_info info;
    struct fxt_provider_section section;
    struct fxt_provider_event event;
    struct fxt_trace_info trace;
    struct fxt_error error;

    switch (fxt_record_metadata_type(record)) {
    case FXT_METADATA_PROVIDER_INFO:
        if (fxt_read_provider_info(record, &info, &error) != FXT_OK)
            return 0;
        return of_bytes(info.name) + info.tail.words + info.provider_id;
    case FXT_METADATA_PROVIDER_SECTION:
        if (fxt_read_provider_section(record, &section, &error) != FXT_OK)
            return 0;
        return section.tail.words + section.provider_id;
    case FXT_METADATA_PROVIDER_EVENT:
        if (fxt_read_provider_event(record, &event, &error) != FXT_OK)
            return 0;
        return event.tail.words + event.provider_id + event.event_id;
    case FXT_METADATA_TRACE_INFO:
        if (fxt_read_trace_info(record, &trace, &error) != FXT_OK)
            return 0;
        return trace.tail.words + trace.trace_info_type + trace.data;
    default:
        return 0;
    }
}

static uint64_t table(const struct fxt_record *record)
{
    struct fxt_initialization init;
    struct fxt_string string;
    struct fxt_thread thread;
    struct fxt_error error;

    if (record->type == FXT_RECORD_STRING) {
        if (fxt_read_string(record, &string, &error) != FXT_OK)
            return 0;
        return of_bytes(string.value) + string.tail.words + string.index;
    }
    if (record->type == FXT_RECORD_THREAD) {
        if (fxt_read_thread(record, &thread, &error) != FXT_OK)
            return 0;
        return thread.tail.words + thread.process + thread.thread + thread.index;
    }
    if (fxt_read_initialization(record, &init, &error) != FXT_OK)
        return 0;
    return init.tail.words + init.ticks_per_second;
}

static uint64_t event(const struct fxt_record *record)
{
    struct fxt_event in;
    struct fxt_error error;
    struct fxt_arg args[FXT_ARGS_MAX];
    uint64_t sum = 0;
    if (fxt_read_event_args(record, &in, args, &error) != FXT_OK)
        return 0;
    for (uint8_t i = 0; i < in.args.count; i++)
        sum += of_arg(&args[i]);
    return of_thread(in.thread) + of_string(in.category) + of_string(in.name) + sum +
           in.tail.words + in.timestamp + in.value + in.event_type + in.scope + in.has_scope;
}

static uint64_t object(const struct fxt_record *record)
{
    struct fxt_userspace_object user;
    struct fxt_kernel_object kernel;
    struct fxt_error error;

    if (record->type == FXT_RECORD_KERNEL_OBJECT) {
        if (fxt_read_kernel_object(record, &kernel, &error) != FXT_OK)
            return 0;
        return of_string(kernel.name) + of_args(&kernel.args) + kernel.tail.words + kernel.koid +
               kernel.object_type;
    }
    if (fxt_read_userspace_object(record, &user, &error) != FXT_OK)
        return 0;
    return of_thread(user.process) + of_string(user.name) + of_args(&user.args) + user.tail.words +
           user.pointer;
}

static uint64_t scheduling(const struct fxt_record *record)
{
    struct fxt_legacy_switch legacy;
    struct fxt_context_switch context;
    struct fxt_thread_wakeup wakeup;
    struct fxt_error error;

    switch (fxt_record_scheduling_type(record)) {
    case FXT_SCHEDULING_LEGACY_SWITCH:
        if (fxt_read_legacy_switch(record, &legacy, &error) != FXT_OK)
            return 0;
        return of_thread(legacy.outgoing) + of_thread(legacy.incoming) + legacy.tail.words +
               legacy.timestamp + legacy.cpu + legacy.outgoing_state + legacy.outgoing_priority +
               legacy.incoming_priority;
    case FXT_SCHEDULING_CONTEXT_SWITCH:
        if (fxt_read_context_switch(record, &context, &error) != FXT_OK)
            return 0;
        return of_args(&context.args) + context.tail.words + context.timestamp +
               context.outgoing_thread + context.incoming_thread + context.cpu +
               context.outgoing_state;
    case FXT_SCHEDULING_THREAD_WAKEUP:
        if (fxt_read_thread_wakeup(record, &wakeup, &error) != FXT_OK)
            return 0;
        return of_args(&wakeup.args) + wakeup.tail.words + wakeup.timestamp + wakeup.waking_thread +
               wakeup.cpu;
    default:
        return 0;
    }
}

static uint64_t profiler(const struct fxt_record *record)
{
    struct fxt_module module;
    struct fxt_mmap mmap;
    struct fxt_backtrace trace;
    struct fxt_error error;
    uint64_t sum = 0;

    if (fxt_read_module(record, &module, &error) == FXT_OK)
        return of_thread(module.thread) + of_bytes(module.name) + of_bytes(module.build_id) +
               module.tail.words + module.timestamp + module.module_id;
    if (fxt_read_mmap(record, &mmap, &error) == FXT_OK)
        return of_thread(mmap.thread) + mmap.tail.words + mmap.timestamp + mmap.start_address +
               mmap.address_range + mmap.vaddr + mmap.module_id + mmap.flags;
    if (fxt_read_backtrace(record, &trace, &error) != FXT_OK)
        return 0;
    for (uint8_t i = 0; i < trace.frame_count; i++)
        sum += fxt_backtrace_frame(&trace, i);
    return sum + of_thread(trace.thread) + trace.tail.words + trace.timestamp;
}

static uint64_t bytes(const struct fxt_record *record)
{
    struct fxt_blob blob;
    struct fxt_log log;
    struct fxt_large_blob large;
    struct fxt_error error;

    if (record->type == FXT_RECORD_LOG) {
        if (fxt_read_log(record, &log, &error) != FXT_OK)
            return 0;
        return of_thread(log.thread) + of_bytes(log.message) + log.tail.words + log.timestamp;
    }
    if (record->type == FXT_RECORD_BLOB) {
        if (fxt_read_blob(record, &blob, &error) != FXT_OK)
            return 0;
        return of_string(blob.name) + of_bytes(blob.payload) + blob.tail.words + blob.blob_type;
    }
    if (fxt_read_large_blob(record, &large, &error) != FXT_OK)
        return 0;
    return of_thread(large.thread) + of_string(large.category) + of_string(large.name) +
           of_args(&large.args) + of_bytes(large.payload) + large.tail.words + large.timestamp +
           large.blob_format;
}

uint64_t bench_decode(const struct fxt_record *record)
{
    switch (record->type) {
    case FXT_RECORD_EVENT:
        return event(record);
    case FXT_RECORD_METADATA:
        return metadata(record);
    case FXT_RECORD_INITIALIZATION:
    case FXT_RECORD_STRING:
    case FXT_RECORD_THREAD:
        return table(record);
    case FXT_RECORD_USERSPACE_OBJECT:
    case FXT_RECORD_KERNEL_OBJECT:
        return object(record);
    case FXT_RECORD_SCHEDULING:
        return scheduling(record);
    case FXT_RECORD_PROFILER:
        return profiler(record);
    case FXT_RECORD_BLOB:
    case FXT_RECORD_LOG:
    case FXT_RECORD_LARGE:
        return bytes(record);
    default:
        return record->words;
    }
}
