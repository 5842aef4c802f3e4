/* An engine with a buffer of its own, a loop that runs when the test says so, and a reader of what
   is in the buffer. One test runs in one process. */
#ifndef FXT_ENGINE_FIXTURE_TEST_H
#define FXT_ENGINE_FIXTURE_TEST_H

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <fxt/buffer.h>
#include <fxt/read.h>
#include <fxt/tables.h>
#include <lib/async-loop/loop.h>
#include <lib/trace-engine/handler.h>
#include <lib/trace-engine/instrumentation.h>

#include "src/engine/engine.h"

enum { LINES = 200000, LINE = 300 };

static struct {
    trace_handler_t handler;
    async_loop_t *loop;
    uint8_t *buffer;
    size_t bytes;
    /* What the handler was told. */
    int started;
    int stopped;
    int terminated;
    zx_status_t disposition;
    size_t bytes_written;
    int fulls;
    uint32_t full_wrapped;
    uint64_t full_durable_end;
    bool save_at_once;
    void (*look)(void); /* or NULL: before it is saved at once */
    char alert[40];
    /* What is in the buffer: a line for each record but fillers. */
    char (*lines)[LINE];
    uint64_t *koids; /* of the thread, when it is an event */
    int count;
    int fillers;
} it;

/* Categories that begin with + are on. */
static bool on_category(trace_handler_t *handler, const char *category)
{
    (void)handler;
    return category[0] == '+';
}

static void on_started(trace_handler_t *handler)
{
    (void)handler;
    it.started++;
}

static void on_stopped(trace_handler_t *handler, zx_status_t disposition, size_t bytes)
{
    (void)handler;
    it.stopped++;
    it.disposition = disposition;
    it.bytes_written = bytes;
}

static void on_terminated(trace_handler_t *handler)
{
    (void)handler;
    it.terminated++;
}

static void on_full(trace_handler_t *handler, uint32_t wrapped_count, uint64_t durable_data_end)
{
    (void)handler;
    it.fulls++;
    it.full_wrapped = wrapped_count;
    it.full_durable_end = durable_data_end;
    if (it.look != NULL)
        it.look();
    if (it.save_at_once)
        cr_assert_eq(trace_engine_mark_buffer_saved(wrapped_count, durable_data_end), ZX_OK);
}

static void on_alert(trace_handler_t *handler, const char *name)
{
    (void)handler;
    snprintf(it.alert, sizeof it.alert, "%s", name);
}

static const trace_handler_ops_t handler_ops = {on_category,   on_started, on_stopped,
                                                on_terminated, on_full,    on_alert};

/* An engine that is not started, with the buffer that is there. */
static inline void set_up_engine(trace_buffering_mode_t mode)
{
    it.handler.ops = &handler_ops;
    it.lines = malloc(LINES * sizeof it.lines[0]);
    it.koids = calloc(LINES, sizeof it.koids[0]);
    cr_assert_eq(async_loop_create(&kAsyncLoopConfigNoAttachToThread, &it.loop), ZX_OK);
    cr_assert_eq(trace_engine_initialize(async_loop_get_dispatcher(it.loop), &it.handler, mode,
                                         it.buffer, it.bytes),
                 ZX_OK);
}

/* The buffer holds what no engine left: it must not be believed. */
static inline void set_up(trace_buffering_mode_t mode, size_t bytes)
{
    it.bytes = bytes;
    it.buffer = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(it.buffer, MAP_FAILED);
    for (size_t i = 0; i < bytes; i += 8)
        memcpy(it.buffer + i, &(uint64_t){0x0000000000000024}, 8);
    set_up_engine(mode);
}

static inline void start(void)
{
    cr_assert_eq(trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER), ZX_OK);
}

static inline void run_loop(void)
{
    cr_assert_eq(async_loop_run_until_idle(it.loop), ZX_OK);
}

/* Runs the loop until the handler was told, at most some seconds. */
static inline void run_until(const int *told, int times)
{
    for (int i = 0; i < 50000 && *told != times; i++) {
        run_loop();
        usleep(100);
    }
    cr_assert_eq(*told, times);
}

static inline void stop(void)
{
    int before = it.stopped;
    trace_engine_stop(ZX_OK);
    run_until(&it.stopped, before + 1);
}

static inline void tear_down(void)
{
    cr_expect(!fxt_i_is_in_call(&fxt_i_this_thread), "a call has no end");
    trace_engine_terminate();
    run_until(&it.terminated, 1);
    async_loop_destroy(it.loop);
    munmap(it.buffer, it.bytes);
    free(it.lines);
    free(it.koids);
}

/* Reading. */

static struct fxt_tables read_tables;
static struct fxt_provider read_provider;
static uint32_t read_provider_id;
static uint8_t read_arena[1 << 20];

static inline const char *text_of(struct fxt_string_ref ref, char out[80])
{
    struct fxt_bytes bytes;
    if (!fxt_tables_string(&read_tables, &bytes, ref))
        return "UNKNOWN";
    snprintf(out, 80, "%.*s", (int)bytes.size, (const char *)bytes.bytes);
    return out;
}

static inline void add_args(char *line, const struct fxt_args *args)
{
    struct fxt_args rest = *args;
    struct fxt_arg arg;
    struct fxt_error error;
    char name[80];
    char text[80];
    static const char *const types[] = {"null",   "int32",   "uint32", "int64", "uint64", "double",
                                        "string", "pointer", "koid",   "bool",  "blob"};
    while (fxt_args_next(&rest, &arg, &error) == FXT_OK) {
        size_t used = strlen(line);
        char *at = line + used;
        size_t room = LINE - used;
        double number;
        memcpy(&number, &arg.value, 8);
        cr_assert_leq(arg.type, 10);
        int n = snprintf(at, room, " %s:%s", text_of(arg.name, name), types[arg.type]);
        at += n;
        room -= (size_t)n;
        if (arg.type == FXT_ARG_STRING)
            snprintf(at, room, "=%s", text_of(arg.text, text));
        else if (arg.type == FXT_ARG_INT32 || arg.type == FXT_ARG_INT64)
            snprintf(at, room, "=%" PRId64, fxt_arg_int64(&arg));
        else if (arg.type == FXT_ARG_DOUBLE)
            snprintf(at, room, "=%g", number);
        else if (arg.type != FXT_ARG_NULL)
            snprintf(at, room, "=%" PRIu64, arg.value);
    }
}

static inline void describe(char *line, const struct fxt_record *record)
{
    static const char *const events[] = {"instant",    "counter",     "begin",         "end",
                                         "complete",   "async-begin", "async-instant", "async-end",
                                         "flow-begin", "flow-step",   "flow-end"};
    union {
        struct fxt_event event;
        struct fxt_string string;
        struct fxt_thread thread;
        struct fxt_kernel_object object;
        struct fxt_blob blob;
        struct fxt_large_blob large;
        struct fxt_log log;
    } as;
    struct fxt_error error;
    char a[80];
    char b[80];

    if (fxt_read_event(record, &as.event, &error) == FXT_OK) {
        struct fxt_thread_ref koids;
        cr_assert(fxt_tables_thread(&read_tables, &koids, as.event.thread));
        it.koids[it.count] = koids.thread;
        snprintf(line, LINE, "%s %s %s", events[as.event.event_type], text_of(as.event.category, a),
                 text_of(as.event.name, b));
        add_args(line, &as.event.args);
        if (as.event.event_type == FXT_EVENT_INSTANT)
            snprintf(line + strlen(line), LINE - strlen(line), " scope=%u", as.event.scope);
        else if (as.event.event_type != FXT_EVENT_DURATION_COMPLETE && as.event.value != 0)
            snprintf(line + strlen(line), LINE - strlen(line), " id=%" PRIu64, as.event.value);
        if (koids.thread >> 63 != 0)
            snprintf(line + strlen(line), LINE - strlen(line), " vthread=%" PRIu64,
                     koids.thread & INT64_MAX);
    } else if (fxt_read_string(record, &as.string, &error) == FXT_OK) {
        snprintf(line, LINE, "string %u %.*s", as.string.index, (int)as.string.value.size,
                 (const char *)as.string.value.bytes);
    } else if (fxt_read_thread(record, &as.thread, &error) == FXT_OK) {
        snprintf(line, LINE, "thread %u", as.thread.index);
    } else if (fxt_read_kernel_object(record, &as.object, &error) == FXT_OK) {
        snprintf(line, LINE, "object %u %s", as.object.object_type, text_of(as.object.name, a));
        if (as.object.object_type != FXT_OBJECT_PROCESS &&
            as.object.object_type != FXT_OBJECT_THREAD)
            add_args(line, &as.object.args);
    } else if (fxt_read_blob(record, &as.blob, &error) == FXT_OK) {
        snprintf(line, LINE, "blob %s %.*s", text_of(as.blob.name, a), (int)as.blob.payload.size,
                 (const char *)as.blob.payload.bytes);
    } else if (fxt_read_large_blob(record, &as.large, &error) == FXT_OK) {
        snprintf(line, LINE, "large %s %s %" PRIu64, text_of(as.large.category, a),
                 text_of(as.large.name, b), as.large.payload.size);
    } else if (fxt_read_log(record, &as.log, &error) == FXT_OK) {
        snprintf(line, LINE, "log %.*s", (int)as.log.message.size,
                 (const char *)as.log.message.bytes);
    } else {
        snprintf(line, LINE, "record type %u", record->type);
    }
}

static inline bool is_filler(const struct fxt_record *record)
{
    return (record->type == FXT_RECORD_METADATA && fxt_record_metadata_type(record) >= 14) ||
           (record->type == FXT_RECORD_LARGE && fxt_record_large_type(record) == 15);
}

/* Every word of the part is of a whole record. */
static inline void read_part(const uint8_t *bytes, uint64_t size)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;

    fxt_reader_init(&reader, bytes, size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK) {
        if (is_filler(&record)) {
            it.fillers++;
            continue;
        }
        fxt_tables_apply(&read_tables, &record, &error);
        cr_assert_lt(it.count, LINES);
        describe(it.lines[it.count], &record);
        it.count++;
    }
    cr_assert_eq(status, FXT_END, "%s at %" PRIu64, fxt_rule_id(error.rule), error.offset);
}

static inline void begin_reading(void)
{
    const struct fxt_tables_memory memory = {.providers = &read_provider,
                                             .provider_ids = &read_provider_id,
                                             .arena = read_arena,
                                             .provider_max = 1,
                                             .arena_size = sizeof read_arena};
    it.count = 0;
    it.fillers = 0;
    memset(&read_provider, 0, sizeof read_provider);
    fxt_tables_init(&read_tables, &memory);
}

static inline void read_buffer(void)
{
    struct fxt_buffer_header header;
    struct fxt_buffer_part parts[FXT_BUFFER_PARTS_MAX];
    struct fxt_error error;

    begin_reading();
    cr_assert_eq(fxt_buffer_read_header(&header, it.buffer, it.bytes, it.bytes, &error), FXT_OK);
    uint32_t count = fxt_buffer_parts(parts, &header);
    for (uint32_t i = 0; i < count; i++)
        read_part(it.buffer + parts[i].offset, parts[i].size);
}

static inline int count_of(const char *line)
{
    int count = 0;
    for (int i = 0; i < it.count; i++)
        count += strcmp(it.lines[i], line) == 0;
    return count;
}

static inline int count_from(const char *prefix)
{
    int count = 0;
    for (int i = 0; i < it.count; i++)
        count += strncmp(it.lines[i], prefix, strlen(prefix)) == 0;
    return count;
}

/* The line is there once. When it is not, says what begins like it. */
static inline void expect_line(const char *line)
{
    int count = count_of(line);
    size_t start = strcspn(line, " ");
    start += start < strlen(line) ? 1 + strcspn(line + start + 1, " ") : 0;
    cr_expect_eq(count, 1, "%d times: %s", count, line);
    for (int i = 0; i < it.count && count != 1; i++)
        if (strncmp(it.lines[i], line, start) == 0)
            fprintf(stderr, "    %s\n", it.lines[i]);
}
#define HAS(line) expect_line(line)

/* An event as the macros write it. */
#define EVENT_WITH(type, category, name, value, arg_names, arg_values, count)                      \
    do {                                                                                           \
        static struct trace_i_site site;                                                           \
        site.names = arg_names;                                                                    \
        if (trace_i_on(&site, category))                                                           \
            trace_i_event(&site, category, name, type, value, arg_values, count);                  \
    } while (0)
#define EVENT(type, category, name, value) EVENT_WITH(type, category, name, value, NULL, NULL, 0)
#define INSTANT(category, name) EVENT(FXT_EVENT_INSTANT, category, name, 0)

#endif
