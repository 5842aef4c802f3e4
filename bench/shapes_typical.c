/* The typical shape: what one step of it writes, and the arguments of all shapes. No state of its
   own. */
#include <string.h>

#include "bench/shapes_i.h"

static struct fxt_string_ref arg_name(uint32_t first, size_t i)
{
    return fxt_string_index((uint16_t)(SHAPE_FIRST_ARG_NAME + (first + i) % SHAPE_ARG_NAMES));
}

static struct fxt_string_ref text(struct shape_state *state)
{
    return fxt_string_index((uint16_t)(SHAPE_FIRST_TEXT + shape_random(state, SHAPE_TEXTS)));
}

/* 1 to 40 bytes of a text that does not change. */
static struct fxt_string_ref inline_text(struct shape_state *state)
{
    static const char words[] = "/usr/share/somewhere/in/a/directory/of/files.txt?\"query\"";
    return fxt_string_inline(words + shape_random(state, 16),
                             (uint16_t)(1 + shape_random(state, 40)));
}

static uint64_t number(struct shape_state *state)
{
    uint64_t high = shape_random(state, UINT32_C(1) << 31);
    return (high << 31 | shape_random(state, UINT32_C(1) << 31)) >> shape_random(state, 62);
}

static struct fxt_arg number_arg(struct shape_state *state, struct fxt_string_ref name)
{
    switch (shape_random(state, 5)) {
    case 0:
        return fxt_make_int32(name, (int32_t)shape_random(state, 2000) - 1000);
    case 1:
        return fxt_make_uint32(name, shape_random(state, 1u << 30));
    case 2:
        return fxt_make_int64(name, (int64_t)number(state) - 1000);
    case 3:
        return fxt_make_uint64(name, number(state));
    default:
        return fxt_make_double(name, (double)shape_random(state, 1u << 20) / 1024.0 - 100.0);
    }
}

static struct fxt_arg any_arg(struct shape_state *state, struct fxt_string_ref name)
{
    switch (shape_random(state, 12)) {
    case 0:
        return fxt_make_null(name);
    case 1:
        return fxt_make_pointer(name, UINT64_C(0x7f0000000000) + shape_random(state, 1u << 30));
    case 2:
        return fxt_make_koid(name, shape_process(state));
    case 3:
    case 4:
    case 5:
        return fxt_make_string(name, text(state));
    case 6:
        return fxt_make_string(name, inline_text(state));
    default:
        return number_arg(state, name);
    }
}

void shape_args_typical(struct shape_state *state, struct fxt_arg *args, size_t count)
{
    uint32_t first = shape_random(state, SHAPE_ARG_NAMES);
    for (size_t i = 0; i < count; i++)
        args[i] = any_arg(state, arg_name(first, i));
}

void shape_args_numbers(struct shape_state *state, struct fxt_arg *args, size_t count)
{
    uint32_t first = shape_random(state, SHAPE_ARG_NAMES);
    for (size_t i = 0; i < count; i++)
        args[i] = number_arg(state, arg_name(first, i));
}

void shape_args_heavy(struct shape_state *state, struct fxt_arg *args, size_t count)
{
    uint32_t first = shape_random(state, SHAPE_ARG_NAMES);
    for (size_t i = 0; i < count; i++) {
        struct fxt_string_ref name = arg_name(first, i);
        switch (shape_random(state, 6)) {
        case 0:
        case 1:
            args[i] = fxt_make_double(name, (double)shape_random(state, 1u << 30) / 977.0);
            break;
        case 2:
        case 3:
            args[i] = fxt_make_int64(name, (int64_t)number(state) - 1000);
            break;
        case 4:
            args[i] = fxt_make_string(name, text(state));
            break;
        default:
            args[i] = fxt_make_string(name, inline_text(state));
            break;
        }
    }
}

/* An id of a small range that is not open. */
static uint64_t free_id(struct shape_state *state, const uint64_t *open, uint32_t count)
{
    for (;;) {
        uint64_t id = 1 + state->next_id++ % 64;
        uint32_t at = 0;
        while (at < count && open[at] != id)
            at++;
        if (at == count)
            return id;
    }
}

/* Begins, passes or ends something that has an id; `open` holds the ids that are open. */
static uint64_t next_open(struct shape_state *state, uint64_t *open, uint32_t *count, uint8_t *step)
{
    uint32_t what = shape_random(state, 3);
    if (*count == 0 || (what == 0 && *count < SHAPE_OPEN_MAX)) {
        *step = 0;
        open[*count] = free_id(state, open, *count);
        return open[(*count)++];
    }
    *step = what == 1 ? 1 : 2;
    return what == 1 ? open[*count - 1] : open[--*count];
}

static void step_duration(struct shape_state *state, uint32_t thread)
{
    uint32_t *depth = &state->providers[state->provider].depth[thread];
    struct fxt_arg args[3];
    size_t count = shape_random(state, 4);

    if (shape_random(state, SHAPE_DEPTH_MAX) < *depth) {
        --*depth;
        struct fxt_event end = shape_event(state, FXT_EVENT_DURATION_END, thread);
        shape_write_event(state, &end, NULL, 0);
        return;
    }
    ++*depth;
    struct fxt_event begin = shape_event(state, FXT_EVENT_DURATION_BEGIN, thread);
    if (shape_random(state, 10) == 0)
        begin.name = inline_text(state);
    shape_args_typical(state, args, count);
    shape_write_event(state, &begin, args, count);
}

static void step_open(struct shape_state *state, uint32_t thread, bool flow)
{
    struct shape_provider *provider = &state->providers[state->provider];
    struct fxt_arg args[3];
    size_t count = shape_random(state, 3);
    uint8_t step;
    uint64_t id = flow ? next_open(state, state->flow_open, &state->flow_count, &step)
                       : next_open(state, provider->async_open, &provider->async_count, &step);
    uint8_t first = flow ? FXT_EVENT_FLOW_BEGIN : FXT_EVENT_ASYNC_BEGIN;
    struct fxt_event event = shape_event(state, (uint8_t)(first + step), thread);

    event.value = id;
    shape_args_typical(state, args, count);
    shape_write_event(state, &event, args, count);
}

static void step_event(struct shape_state *state, uint32_t thread)
{
    struct fxt_arg args[3];
    size_t count = shape_random(state, 4);
    uint32_t what = shape_random(state, 3);
    struct fxt_event event = shape_event(state,
                                         what == 0   ? FXT_EVENT_INSTANT
                                         : what == 1 ? FXT_EVENT_COUNTER
                                                     : FXT_EVENT_DURATION_COMPLETE,
                                         thread);
    if (what == 1) {
        event.value = shape_random(state, 8);
        count = count == 0 ? 1 : count;
        shape_args_numbers(state, args, count);
    } else {
        if (what == 2)
            shape_complete(state, &event, thread);
        event.has_scope = what == 0 && shape_random(state, 4) == 0;
        event.scope = event.has_scope ? (uint8_t)shape_random(state, 3) : 0;
        shape_args_typical(state, args, count);
    }
    shape_write_event(state, &event, args, count);
}

static void step_registration(struct shape_state *state)
{
    char bytes[64];
    uint32_t index = SHAPE_FIRST_TEXT + shape_random(state, SHAPE_TEXTS);
    struct fxt_string string = {.index = (uint16_t)index};

    string.value.size = shape_text(bytes, sizeof bytes, index);
    string.value.bytes = (const uint8_t *)bytes;
    shape_wrote(state, fxt_write_string(&state->writer, &string));
}

/* From the thread that ran there to another one. */
static void step_switch(struct shape_state *state, uint32_t thread, uint64_t timestamp)
{
    uint32_t processor = shape_random(state, SHAPE_PROCESSORS);
    uint32_t *running = &state->providers[state->provider].running[processor];
    uint32_t outgoing = *running > 0 ? *running : 1 + thread;
    uint32_t incoming = 1 + (outgoing + shape_random(state, SHAPE_THREADS - 1)) % SHAPE_THREADS;
    struct fxt_legacy_switch change = {.outgoing = fxt_thread_index((uint8_t)outgoing),
                                       .incoming = fxt_thread_index((uint8_t)incoming),
                                       .timestamp = timestamp,
                                       .cpu = (uint8_t)processor,
                                       .outgoing_state = FXT_THREAD_BLOCKED};

    *running = incoming;
    shape_wrote(state, fxt_write_legacy_switch(&state->writer, &change));
}

static void step_other(struct shape_state *state, uint32_t thread)
{
    static const char message[] = "a line of a log, as long as lines of logs often are: 42 of 4711";
    struct fxt_event time = shape_event(state, FXT_EVENT_INSTANT, thread);
    struct fxt_log log = {.thread = time.thread, .timestamp = time.timestamp};
    struct fxt_kernel_object object = {.name = time.name, .object_type = FXT_OBJECT_THREAD};
    struct fxt_arg process = fxt_make_koid(arg_name(0, 0), shape_process(state));

    switch (shape_random(state, 4)) {
    case 0:
        log.message.bytes = (const uint8_t *)message;
        log.message.size = 20 + shape_random(state, sizeof message - 20);
        shape_wrote(state, fxt_write_log(&state->writer, &log));
        break;
    case 1:
        object.koid = shape_process(state) * 100 + thread;
        shape_wrote(state, fxt_write_kernel_object(&state->writer, &object, &process, 1));
        break;
    case 2:
        step_switch(state, thread, time.timestamp);
        break;
    default:
        step_registration(state);
        break;
    }
}

void shape_step_typical(struct shape_state *state)
{
    uint32_t thread = shape_random(state, SHAPE_THREADS);
    uint32_t what = shape_random(state, 100);
    if (what < 50)
        step_duration(state, thread);
    else if (what < 80)
        step_event(state, thread);
    else if (what < 93)
        step_open(state, thread,
                  what % 2 == 0 && state->providers[state->provider].depth[thread] > 0);
    else
        step_other(state, thread);
}
