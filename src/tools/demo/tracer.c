/* Tracing on one thread. The state is struct tracer. */
#include "src/tools/demo/tracer.h"

#include <fxt/check.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define GROW_BYTES UINT64_C(65536) /* at least, and more than the longest record */
#define CATEGORY "demo"

uint64_t tracer_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Every record is written after this: then FXT_FULL cannot happen. */
static void make_room(struct tracer *tracer)
{
    struct fxt_writer *writer = &tracer->writer;
    if (writer->capacity - writer->size >= GROW_BYTES || tracer->failed)
        return;
    uint64_t capacity = 2 * writer->capacity + GROW_BYTES;
    uint8_t *bytes = realloc(writer->bytes, capacity);
    if (bytes == NULL) {
        tracer->failed = true;
        return;
    }
    writer->bytes = bytes;
    writer->capacity = capacity;
}

static void wrote(struct tracer *tracer, enum fxt_status status)
{
    if (status != FXT_OK)
        tracer->failed = true;
}

struct fxt_string_ref tracer_string(struct tracer *tracer, const char *text)
{
    struct fxt_string_ref ref = fxt_string_index(0);
    make_room(tracer);
    wrote(tracer, fxt_intern_string(&tracer->interner, &tracer->writer, &ref, (const uint8_t *)text,
                                    strlen(text)));
    return ref;
}

struct fxt_string_ref tracer_inline(char *safe, const char *text)
{
    size_t length = strnlen(text, TRACER_INLINE_MAX);
    memcpy(safe, text, length);
    if (!fxt_utf8_valid((const uint8_t *)safe, length))
        for (size_t i = 0; i < length; i++)
            if ((safe[i] & 0x80) != 0)
                safe[i] = '?';
    return fxt_string_inline(safe, (uint16_t)length);
}

static struct fxt_thread_ref self(struct tracer *tracer)
{
    struct fxt_thread_ref ref = fxt_thread_inline(tracer->process, tracer->thread);
    make_room(tracer);
    wrote(tracer, fxt_intern_thread(&tracer->interner, &tracer->writer, &ref, tracer->process,
                                    tracer->thread));
    return ref;
}

void tracer_begin(struct tracer *tracer, const char *process_name, const char *name)
{
    memset(tracer, 0, sizeof *tracer);
    tracer->name = name;
    tracer->process = (uint64_t)getpid();
    tracer->thread = (uint64_t)gettid();
    wrote(tracer, fxt_intern_init(&tracer->interner, tracer->slots, TRACER_SLOTS, tracer->text,
                                  TRACER_TEXT, FXT_INTERN_INLINE));
    struct fxt_kernel_object process = {.koid = tracer->process,
                                        .object_type = FXT_OBJECT_PROCESS,
                                        .name = tracer_string(tracer, process_name)};
    struct fxt_kernel_object thread = {.koid = tracer->thread,
                                       .object_type = FXT_OBJECT_THREAD,
                                       .name = tracer_string(tracer, name)};
    struct fxt_arg of = fxt_make_koid(tracer_string(tracer, "process"), tracer->process);
    make_room(tracer);
    wrote(tracer, fxt_write_kernel_object(&tracer->writer, &process, NULL, 0));
    wrote(tracer, fxt_write_kernel_object(&tracer->writer, &thread, &of, 1));
}

void tracer_free(struct tracer *tracer)
{
    free(tracer->writer.bytes);
    tracer->writer.bytes = NULL;
}

static void write_event(struct tracer *tracer, struct fxt_event *event, const char *name,
                        const struct fxt_arg *args, size_t arg_count)
{
    event->thread = self(tracer);
    event->category = tracer_string(tracer, CATEGORY);
    event->name = tracer_string(tracer, name);
    make_room(tracer);
    wrote(tracer, fxt_write_event(&tracer->writer, event, args, arg_count));
}

void tracer_event(struct tracer *tracer, uint8_t type, const char *name, uint64_t value,
                  const struct fxt_arg *args, size_t arg_count)
{
    struct fxt_event event = {.event_type = type, .timestamp = tracer_now(), .value = value};
    write_event(tracer, &event, name, args, arg_count);
}

void tracer_complete(struct tracer *tracer, const char *name, uint64_t since,
                     const struct fxt_arg *args, size_t arg_count)
{
    struct fxt_event event = {
        .event_type = FXT_EVENT_DURATION_COMPLETE, .timestamp = since, .value = tracer_now()};
    write_event(tracer, &event, name, args, arg_count);
}

void tracer_log(struct tracer *tracer, const char *message)
{
    char safe[TRACER_INLINE_MAX];
    struct fxt_string_ref text = tracer_inline(safe, message);
    struct fxt_log log = {.thread = self(tracer),
                          .timestamp = tracer_now(),
                          .message = {text.bytes, fxt_string_ref_length(text)}};
    make_room(tracer);
    wrote(tracer, fxt_write_log(&tracer->writer, &log));
}
