/* Events that tell which thread wrote them and which of its events they are, for tests that count;
   a reader of them; and what a handler does that does nothing. Without a test framework. */
#ifndef FXT_ENGINE_EVENTS_TEST_H
#define FXT_ENGINE_EVENTS_TEST_H

#include <stdio.h>
#include <stdlib.h>

#include <fxt/buffer.h>
#include <fxt/read.h>
#include <lib/trace-engine/handler.h>
#include <lib/trace-engine/instrumentation.h>

#include "src/engine/atomic.h"

_Noreturn static inline void fail(const char *what, long a, long b)
{
    fprintf(stderr, "FAILED: %s: %ld, %ld\n", what, a, b);
    exit(1);
}

static inline void write_numbered(int thread, int number)
{
    static const char *const names[] = {"t", "i"};
    static struct trace_i_site site = {.names = names};
    const trace_arg_value_t values[] = {trace_make_int32_arg_value(thread),
                                        trace_make_int32_arg_value(number)};
    if (trace_i_on(&site, "numbered"))
        trace_i_event(&site, "numbered", "n", FXT_EVENT_INSTANT, 0, values, 2);
}

/* Calls each() for the events of a row of whole records; fails when it is none. */
static inline void read_numbered(const uint8_t *part, uint64_t size,
                                 void (*each)(uint64_t thread, uint64_t number))
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_event event;
    struct fxt_error error;
    enum fxt_status status;

    fxt_reader_init(&reader, part, size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK) {
        struct fxt_arg thread;
        struct fxt_arg number;
        if (record.type != FXT_RECORD_EVENT)
            continue;
        if (fxt_read_event(&record, &event, &error) != FXT_OK ||
            fxt_args_next(&event.args, &thread, &error) != FXT_OK ||
            fxt_args_next(&event.args, &number, &error) != FXT_OK)
            fail("an event that is none", (long)error.offset, (long)error.rule);
        each(thread.value, number.value);
    }
    if (status != FXT_END)
        fail("not a record", (long)error.offset, (long)error.rule);
}

/* The half that a handler was told of. */
static inline struct fxt_buffer_part full_half(const uint8_t *buffer, uint64_t bytes,
                                               uint32_t wrapped_count)
{
    struct fxt_buffer_header header;
    struct fxt_error error;
    uint64_t copy[FXT_BUFFER_HEADER_BYTES / 8];
    uint64_t half = wrapped_count & 1;

    for (size_t i = 0; i < sizeof copy / 8; i++) /* others write to it */
        copy[i] = fxt_i_load((const fxt_i_atomic *)(const void *)(buffer + 8 * i));
    if (fxt_buffer_read_header(&header, (const uint8_t *)copy, sizeof copy, bytes, &error) !=
        FXT_OK)
        fail("header", (long)error.offset, (long)error.rule);
    return (struct fxt_buffer_part){FXT_BUFFER_HEADER_BYTES + header.durable_size +
                                        half * header.rolling_size,
                                    header.rolling_data_end[half], header.rolling_size};
}

static inline bool every_category(trace_handler_t *handler, const char *category)
{
    (void)handler;
    (void)category;
    return true;
}

static inline void ignore_start(trace_handler_t *handler)
{
    (void)handler;
}

static inline void ignore_stop(trace_handler_t *handler, zx_status_t disposition, size_t bytes)
{
    (void)handler;
    (void)disposition;
    (void)bytes;
}

static inline void ignore_end(trace_handler_t *handler)
{
    (void)handler;
}

static inline void ignore_alert(trace_handler_t *handler, const char *name)
{
    (void)handler;
    (void)name;
}

#endif
