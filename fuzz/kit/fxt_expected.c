/* What libfxt delivers of a trace, as lines for fxt_fuzz_diff: one for each key of the level events
   of the conformance suite (conformance/schema/events.md), if fxt_fuzz_parts has it. fxt_fuzz.h
   says what the lines look like. Needs libfxt, which the rest of the kit does not. */
#include <fxt/tables.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fxt_fuzz.h"

enum part {
    /* event types, in the order of their numbers */
    INSTANT,
    COUNTER,
    DURATION_BEGIN,
    DURATION_END,
    DURATION_COMPLETE,
    ASYNC_BEGIN,
    ASYNC_INSTANT,
    ASYNC_END,
    FLOW_BEGIN,
    FLOW_STEP,
    FLOW_END,
    /* what else is an event */
    BLOB,
    USERSPACE_OBJECT,
    KERNEL_OBJECT,
    CONTEXT_SWITCH,
    THREAD_WAKEUP,
    LOG,
    MODULE,
    MMAP,
    BACKTRACE,
    LARGE_BLOB,
    /* keys */
    PROVIDER,
    PROCESS,
    THREAD,
    TS,
    NS,
    CATEGORY,
    NAME,
    SCOPE,
    ID,
    END,
    END_NS,
    MESSAGE,
    BLOB_TYPE,
    BLOB_FORMAT,
    PAYLOAD,
    POINTER,
    OBJECT_TYPE,
    KOID,
    CPU,
    OUTGOING_STATE,
    OUTGOING_THREAD,
    INCOMING_THREAD,
    WAKING_THREAD,
    MODULE_ID,
    BUILD_ID,
    FLAGS,
    START_ADDRESS,
    ADDRESS_RANGE,
    VADDR,
    FRAMES,
    ARG,
    /* argument types, in the order of their numbers */
    ARG_TYPES,
    PARTS = ARG_TYPES + FXT_ARG_BLOB + 1
};

static const char *const names[PARTS] = {
    "instant",
    "counter",
    "duration_begin",
    "duration_end",
    "duration_complete",
    "async_begin",
    "async_instant",
    "async_end",
    "flow_begin",
    "flow_step",
    "flow_end",
    "blob",
    "userspace_object",
    "kernel_object",
    "context_switch",
    "thread_wakeup",
    "log",
    "module",
    "mmap",
    "backtrace",
    "large_blob",
    "provider",
    "process",
    "thread",
    "ts",
    "ns",
    "category",
    "name",
    "scope",
    "id",
    "end",
    "end_ns",
    "message",
    "blob_type",
    "blob_format",
    "payload",
    "pointer",
    "object_type",
    "koid",
    "cpu",
    "outgoing_state",
    "outgoing_thread",
    "incoming_thread",
    "waking_thread",
    "module_id",
    "build_id",
    "flags",
    "start_address",
    "address_range",
    "vaddr",
    "frames",
    "arg",
    "arg.null",
    "arg.int32",
    "arg.uint32",
    "arg.int64",
    "arg.uint64",
    "arg.double",
    "arg.string",
    "arg.pointer",
    "arg.koid",
    "arg.bool",
    "arg.blob",
};

struct expected {
    fxt_fuzz_lines *out;
    const struct fxt_tables *tables;
    const struct fxt_record *record;
};

static bool asked[PARTS];

/* Fills asked[] from fxt_fuzz_parts. A part that does not exist would be one that nobody compares. */
static void ask(void)
{
    const char *word = fxt_fuzz_parts;
    size_t size;
    while (word += strspn(word, " "), (size = strcspn(word, " ")) > 0) {
        size_t part = 0;
        while (part < PARTS &&
               (strlen(names[part]) != size || memcmp(names[part], word, size) != 0))
            part++;
        if (part == PARTS) {
            fprintf(stderr,
                    "fxt_fuzz_parts: there is no part \"%.*s\"; fxt_expected.c lists them\n",
                    (int)size, word);
            exit(1);
        }
        asked[part] = true;
        word += size;
    }
}

/* ---- one line */

static void number(const struct expected *e, enum part part, uint64_t value)
{
    if (asked[part])
        fxt_fuzz_line(e->out, "%s %" PRIu64, names[part], value);
}

static void koid(const struct expected *e, enum part part, bool known, uint64_t value)
{
    if (known)
        number(e, part, value);
    else if (asked[part])
        fxt_fuzz_line(e->out, "%s null", names[part]);
}

static void ticks(const struct expected *e, enum part part, enum part ns, uint64_t value)
{
    number(e, part, value);
    number(e, ns, fxt_ticks_to_ns(value, fxt_tables_provider(e->tables)->ticks_per_second));
}

static void text(const struct expected *e, enum part part, struct fxt_bytes value)
{
    if (asked[part])
        fxt_fuzz_text(e->out, names[part], value.size > 0 ? (const void *)value.bytes : "",
                      (size_t)value.size);
}

static void string(const struct expected *e, enum part part, struct fxt_string_ref ref)
{
    struct fxt_bytes value;
    if (fxt_tables_string(e->tables, &value, ref))
        text(e, part, value);
    else if (asked[part])
        fxt_fuzz_text(e->out, names[part], NULL, 0);
}

static void bytes(const struct expected *e, enum part part, struct fxt_bytes value)
{
    if (asked[part])
        fxt_fuzz_bytes(e->out, names[part], value.bytes, (size_t)value.size);
}

/* A thread is a process and a thread; PARTS is for the one of them that is not delivered. */
static void koids(const struct expected *e, enum part process, enum part thread,
                  struct fxt_thread_ref ref)
{
    struct fxt_thread_ref found = {0, 0, 0};
    bool known = fxt_tables_thread(e->tables, &found, ref);
    if (process != PARTS)
        koid(e, process, known, found.process);
    if (thread != PARTS)
        koid(e, thread, known, found.thread);
}

static void thread_and_time(const struct expected *e, struct fxt_thread_ref ref, uint64_t timestamp)
{
    koids(e, PROCESS, THREAD, ref);
    ticks(e, TS, NS, timestamp);
}

/* ---- arguments */

static void arg_value(const struct expected *e, const struct fxt_arg *arg)
{
    enum part part = ARG_TYPES + arg->type;
    switch (arg->type) {
    case FXT_ARG_NULL:
        fxt_fuzz_line(e->out, "%s", names[part]);
        return;
    case FXT_ARG_INT32:
    case FXT_ARG_INT64:
        fxt_fuzz_line(e->out, "%s %" PRId64, names[part], fxt_arg_int64(arg));
        return;
    case FXT_ARG_DOUBLE: /* its bits, but all NaNs are equal */
        if (fxt_arg_double(arg) != fxt_arg_double(arg))
            fxt_fuzz_line(e->out, "%s NaN", names[part]);
        else
            number(e, part, arg->value);
        return;
    case FXT_ARG_STRING:
        string(e, part, arg->text);
        return;
    case FXT_ARG_BLOB:
        bytes(e, part, arg->blob);
        return;
    default:
        number(e, part, arg->value);
    }
}

/* In the order of the record. Those of unknown type are left out, and so are those whose name is not
   registered, if names are asked for. */
static void args(const struct expected *e, struct fxt_args args)
{
    struct fxt_arg arg;
    struct fxt_error error;
    struct fxt_bytes name = {NULL, 0};
    while (fxt_args_next(&args, &arg, &error) == FXT_OK) {
        if (arg.type > FXT_ARG_BLOB || !asked[ARG_TYPES + arg.type] ||
            (asked[ARG] && !fxt_tables_string(e->tables, &name, arg.name)))
            continue;
        text(e, ARG, name);
        arg_value(e, &arg);
    }
}

/* ---- kinds of records */

/* The first lines, if such events are asked for. */
static bool begins(const struct expected *e, enum part kind)
{
    if (asked[kind]) {
        fxt_fuzz_line(e->out, "event %s", names[kind]);
        number(e, PROVIDER, fxt_tables_provider(e->tables)->id);
    }
    return asked[kind];
}

static void event(const struct expected *e)
{
    struct fxt_event event;
    struct fxt_error error;
    if (fxt_read_event(e->record, &event, &error) != FXT_OK ||
        event.event_type > FXT_EVENT_FLOW_END || !begins(e, event.event_type))
        return;
    thread_and_time(e, event.thread, event.timestamp);
    string(e, CATEGORY, event.category);
    string(e, NAME, event.name);
    if (event.event_type == FXT_EVENT_INSTANT)
        number(e, SCOPE, event.has_scope && event.scope <= FXT_SCOPE_GLOBAL ? event.scope : 0u);
    else if (event.event_type == FXT_EVENT_DURATION_COMPLETE)
        ticks(e, END, END_NS, event.value);
    else if (event.event_type == FXT_EVENT_COUNTER || event.event_type >= FXT_EVENT_ASYNC_BEGIN)
        number(e, ID, event.value);
    args(e, event.args);
}

static void blob(const struct expected *e)
{
    struct fxt_blob blob;
    struct fxt_error error;
    if (fxt_read_blob(e->record, &blob, &error) != FXT_OK || !begins(e, BLOB))
        return;
    number(e, BLOB_TYPE, blob.blob_type);
    string(e, NAME, blob.name);
    bytes(e, PAYLOAD, blob.payload);
}

static void userspace_object(const struct expected *e)
{
    struct fxt_userspace_object object;
    struct fxt_error error;
    if (fxt_read_userspace_object(e->record, &object, &error) != FXT_OK ||
        !begins(e, USERSPACE_OBJECT))
        return;
    number(e, POINTER, object.pointer);
    koids(e, PROCESS, PARTS, object.process);
    string(e, NAME, object.name);
    args(e, object.args);
}

static void kernel_object(const struct expected *e)
{
    struct fxt_kernel_object object;
    struct fxt_error error;
    if (fxt_read_kernel_object(e->record, &object, &error) != FXT_OK || !begins(e, KERNEL_OBJECT))
        return;
    number(e, OBJECT_TYPE, object.object_type);
    number(e, KOID, object.koid);
    string(e, NAME, object.name);
    args(e, object.args);
}

static void legacy_switch(const struct expected *e)
{
    struct fxt_legacy_switch legacy;
    struct fxt_error error;
    if (fxt_read_legacy_switch(e->record, &legacy, &error) != FXT_OK || !begins(e, CONTEXT_SWITCH))
        return;
    ticks(e, TS, NS, legacy.timestamp);
    number(e, CPU, legacy.cpu);
    number(e, OUTGOING_STATE, legacy.outgoing_state);
    koids(e, PARTS, OUTGOING_THREAD, legacy.outgoing);
    koids(e, PARTS, INCOMING_THREAD, legacy.incoming);
}

static void context_switch(const struct expected *e)
{
    struct fxt_context_switch change;
    struct fxt_error error;
    if (fxt_read_context_switch(e->record, &change, &error) != FXT_OK || !begins(e, CONTEXT_SWITCH))
        return;
    ticks(e, TS, NS, change.timestamp);
    number(e, CPU, change.cpu);
    number(e, OUTGOING_STATE, change.outgoing_state);
    number(e, OUTGOING_THREAD, change.outgoing_thread);
    number(e, INCOMING_THREAD, change.incoming_thread);
    args(e, change.args);
}

static void thread_wakeup(const struct expected *e)
{
    struct fxt_thread_wakeup wakeup;
    struct fxt_error error;
    if (fxt_read_thread_wakeup(e->record, &wakeup, &error) != FXT_OK || !begins(e, THREAD_WAKEUP))
        return;
    ticks(e, TS, NS, wakeup.timestamp);
    number(e, CPU, wakeup.cpu);
    number(e, WAKING_THREAD, wakeup.waking_thread);
    args(e, wakeup.args);
}

static void message(const struct expected *e)
{
    struct fxt_log log;
    struct fxt_error error;
    if (fxt_read_log(e->record, &log, &error) != FXT_OK || !begins(e, LOG))
        return;
    thread_and_time(e, log.thread, log.timestamp);
    text(e, MESSAGE, log.message);
}

static void module(const struct expected *e)
{
    struct fxt_module module;
    struct fxt_error error;
    if (fxt_read_module(e->record, &module, &error) != FXT_OK || !begins(e, MODULE))
        return;
    thread_and_time(e, module.thread, module.timestamp);
    number(e, MODULE_ID, module.module_id);
    text(e, NAME, module.name);
    bytes(e, BUILD_ID, module.build_id);
}

static void mapping(const struct expected *e)
{
    struct fxt_mmap mapping;
    struct fxt_error error;
    if (fxt_read_mmap(e->record, &mapping, &error) != FXT_OK || !begins(e, MMAP))
        return;
    thread_and_time(e, mapping.thread, mapping.timestamp);
    number(e, MODULE_ID, mapping.module_id);
    number(e, FLAGS, mapping.flags);
    number(e, START_ADDRESS, mapping.start_address);
    number(e, ADDRESS_RANGE, mapping.address_range);
    number(e, VADDR, mapping.vaddr);
}

static void backtrace(const struct expected *e)
{
    struct fxt_backtrace backtrace;
    struct fxt_error error;
    if (fxt_read_backtrace(e->record, &backtrace, &error) != FXT_OK || !begins(e, BACKTRACE))
        return;
    thread_and_time(e, backtrace.thread, backtrace.timestamp);
    for (uint8_t i = 0; i < backtrace.frame_count; i++)
        number(e, FRAMES, fxt_backtrace_frame(&backtrace, i));
}

static void large_blob(const struct expected *e)
{
    struct fxt_large_blob blob;
    struct fxt_error error;
    if (fxt_read_large_blob(e->record, &blob, &error) != FXT_OK || !begins(e, LARGE_BLOB))
        return;
    number(e, BLOB_FORMAT, blob.blob_format);
    string(e, CATEGORY, blob.category);
    string(e, NAME, blob.name);
    bytes(e, PAYLOAD, blob.payload);
    if (blob.blob_format == FXT_LARGE_BLOB_METADATA) {
        thread_and_time(e, blob.thread, blob.timestamp);
        args(e, blob.args);
    }
}

/* Each decoder refuses a record of another kind. */
static void delivered(const struct expected *e)
{
    switch (e->record->type) {
    case FXT_RECORD_EVENT:
        event(e);
        return;
    case FXT_RECORD_BLOB:
        blob(e);
        return;
    case FXT_RECORD_USERSPACE_OBJECT:
        userspace_object(e);
        return;
    case FXT_RECORD_KERNEL_OBJECT:
        kernel_object(e);
        return;
    case FXT_RECORD_SCHEDULING:
        legacy_switch(e);
        context_switch(e);
        thread_wakeup(e);
        return;
    case FXT_RECORD_LOG:
        message(e);
        return;
    case FXT_RECORD_PROFILER:
        module(e);
        mapping(e);
        backtrace(e);
        return;
    case FXT_RECORD_LARGE:
        large_blob(e);
        return;
    default:
        return;
    }
}

/* ---- the trace */

/* The tables, which keep their memory from trace to trace: clearing it takes longer than most traces. */
static struct fxt_tables tables;
static struct fxt_tables_memory memory;

/* Of that many providers and bytes of strings, or more. */
static void make_room(uint32_t providers, uint64_t arena)
{
    if (providers <= memory.provider_max && arena <= memory.arena_size) {
        fxt_tables_reset(&tables);
        return;
    }
    free(memory.providers);
    free(memory.provider_ids);
    free(memory.arena);
    memory = (struct fxt_tables_memory){
        .provider_max = providers > memory.provider_max ? providers : memory.provider_max,
        .arena_size = arena > memory.arena_size ? arena : memory.arena_size,
        .zeroed = 1,
    };
    memory.providers = calloc(memory.provider_max, sizeof *memory.providers);
    memory.provider_ids = calloc(memory.provider_max, sizeof *memory.provider_ids);
    memory.arena = malloc(memory.arena_size);
    if (memory.providers == NULL || memory.provider_ids == NULL || memory.arena == NULL) {
        fprintf(stderr,
                "fxt_fuzz_expected: no memory for the tables of %" PRIu32 " providers; %s\n",
                memory.provider_max, "make the inputs smaller");
        exit(1);
    }
    fxt_tables_init(&tables, &memory);
}

/* Everything of the trace has room in the tables: a string takes less than twice the bytes of its record. */
static void begin_trace(const uint8_t *trace, size_t size)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    uint32_t providers = 1;
    fxt_reader_init(&reader, trace, size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK ||
           status == FXT_ZERO_WORD)
        providers += status == FXT_OK && record.type == FXT_RECORD_METADATA;
    make_room(providers, 2 * size + 1);
}

void fxt_fuzz_expected(fxt_fuzz_lines *out, const uint8_t *trace, size_t size)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    struct expected e = {out, &tables, &record};
    ask();
    begin_trace(trace, size);
    fxt_reader_init(&reader, trace, size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK ||
           status == FXT_ZERO_WORD) {
        if (status == FXT_OK) {
            fxt_tables_apply(&tables, &record, &error);
            delivered(&e);
        }
    }
}
