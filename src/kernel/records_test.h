/* Events translated into a trace in a file, which is then read: a line for each record that is of
   interest. One test runs in one process. */
#ifndef FXT_KERNEL_RECORDS_TEST_H
#define FXT_KERNEL_RECORDS_TEST_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <fxt/read.h>
#include <fxt/tables.h>
#include <trace/file.h>

#include "src/kernel/translate.h"

enum { LINES = 1000, LINE = 300 };

static struct {
    struct fxt_kernel_translation translation;
    char path[40];
    char lines[LINES][LINE];
    int count;
    struct fxt_tables tables;
    struct fxt_provider provider[2];
    uint32_t provider_ids[2];
    uint8_t arena[1 << 16];
} it;

static inline void begin_with(const struct fxt_trace_options *options, uint32_t groups)
{
    strcpy(it.path, "/tmp/fxt_kernel_test_XXXXXX");
    int file = mkstemp(it.path);
    cr_assert_geq(file, 0);
    close(file);
    cr_assert_eq(fxt_trace_start(it.path, options), 0);
    fxt_kernel_translation_begin(&it.translation, groups);
}

static inline void begin(uint32_t groups)
{
    begin_with(NULL, groups);
}

static inline void add(uint64_t ticks, struct fxt_kernel_event event)
{
    fxt_kernel_translate(&it.translation, &event, ticks);
}

static inline void put(const char *format, ...) __attribute__((format(printf, 1, 2)));

static inline void put(const char *format, ...)
{
    char *line = it.lines[it.count];
    size_t used = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + used, LINE - used, format, arguments);
    va_end(arguments);
}

static inline void put_text(struct fxt_string_ref ref)
{
    struct fxt_bytes text;
    cr_assert(fxt_tables_string(&it.tables, &text, ref));
    put(" %.*s", (int)text.size, (const char *)text.bytes);
}

static inline void put_args(struct fxt_args args)
{
    struct fxt_arg arg;
    struct fxt_error error;
    while (fxt_args_next(&args, &arg, &error) == FXT_OK) {
        put_text(arg.name);
        if (arg.type == FXT_ARG_KOID)
            put("=%" PRIu64, arg.value);
        else
            put("=%" PRId64, fxt_arg_int64(&arg));
    }
}

static inline void describe_event(const struct fxt_event *in)
{
    put(in->event_type == FXT_EVENT_COUNTER ? "counter" : "span");
    put_text(in->category);
    put_text(in->name);
    if (in->thread.thread >> 63 != 0)
        put(" cpu %u", (unsigned)in->thread.thread);
    else
        put(" %" PRIu64 "/%" PRIu64, in->thread.process, in->thread.thread);
    put(" %" PRIu64 "..%" PRIu64, in->timestamp, in->value);
    put_args(in->args);
}

static inline void describe(const struct fxt_record *record)
{
    union {
        struct fxt_context_switch change;
        struct fxt_thread_wakeup wakeup;
        struct fxt_kernel_object object;
        struct fxt_event event;
        struct fxt_log log;
    } as;
    struct fxt_error error;
    if (fxt_read_context_switch(record, &as.change, &error) == FXT_OK) {
        put("switch %" PRIu64 " cpu %u %" PRIu64 "->%" PRIu64 " state %u", as.change.timestamp,
            as.change.cpu, as.change.outgoing_thread, as.change.incoming_thread,
            as.change.outgoing_state);
        put_args(as.change.args);
    } else if (fxt_read_thread_wakeup(record, &as.wakeup, &error) == FXT_OK) {
        put("wakeup %" PRIu64 " cpu %u %" PRIu64, as.wakeup.timestamp, as.wakeup.cpu,
            as.wakeup.waking_thread);
        put_args(as.wakeup.args);
    } else if (fxt_read_event(record, &as.event, &error) == FXT_OK) {
        describe_event(&as.event);
    } else if (fxt_read_kernel_object(record, &as.object, &error) == FXT_OK &&
               as.object.koid != (uint64_t)getpid() && as.object.koid >> 63 == 0) {
        put(as.object.object_type == FXT_OBJECT_PROCESS ? "process" : "thread");
        put(" %" PRIu64, as.object.koid);
        put_text(as.object.name);
        put_args(as.object.args);
    } else if (fxt_read_log(record, &as.log, &error) == FXT_OK) {
        put("log %" PRIu64 " %.*s", as.log.timestamp, (int)as.log.message.size,
            (const char *)as.log.message.bytes);
    } else {
        return;
    }
    it.count++;
}

static inline void read_all(const uint8_t *bytes, size_t size)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    const struct fxt_tables_memory memory = {.providers = it.provider,
                                             .provider_ids = it.provider_ids,
                                             .arena = it.arena,
                                             .provider_max = 2,
                                             .arena_size = sizeof it.arena};
    enum fxt_status status;
    fxt_tables_init(&it.tables, &memory);
    fxt_reader_init(&reader, bytes, size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK) {
        fxt_tables_apply(&it.tables, &record, &error);
        cr_assert_lt(it.count, LINES);
        describe(&record);
    }
    cr_assert_eq(status, FXT_END);
}

/* Stops, and reads what was written. */
static inline void finish(void)
{
    static uint8_t bytes[1 << 20];
    cr_assert_eq(fxt_trace_stop(NULL), 0);
    FILE *file = fopen(it.path, "rb");
    cr_assert_not_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    unlink(it.path);
    read_all(bytes, size);
}

static inline int count_of(const char *prefix)
{
    int count = 0;
    for (int i = 0; i < it.count; i++)
        count += strncmp(it.lines[i], prefix, strlen(prefix)) == 0;
    return count;
}

/* The line is there once. */
static inline void has(const char *line)
{
    int count = 0;
    for (int i = 0; i < it.count; i++)
        count += strcmp(it.lines[i], line) == 0;
    cr_expect_eq(count, 1, "%d times: %s", count, line);
    for (int i = 0; i < it.count && count != 1; i++)
        fprintf(stderr, "    %s\n", it.lines[i]);
}

#endif
