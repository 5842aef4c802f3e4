/* Shapes: the frame that they share (magic, providers, registrations, ends of what is open) and the
   two simple ones. The state is struct shape_state, and lives for one call of shape_fill. */
#include <stdio.h>
#include <string.h>

#include "bench/shapes_i.h"

#define ENDING_BYTES 32768u /* room for the ends of what is open, and one record */
#define SECTION_RECORDS 2000u

const char *shape_name(enum shape shape)
{
    static const char *const names[SHAPE_COUNT] = {"tiny", "typical", "args"};
    return names[shape];
}

static void introduce(struct shape_state *state)
{
    char text[64];
    int length = snprintf(text, sizeof text, "provider-%u", state->provider);
    struct fxt_provider_info info = {.name = {(const uint8_t *)text, (uint64_t)length},
                                     .provider_id = 1 + state->provider};
    struct fxt_initialization clock = {.ticks_per_second = UINT64_C(1000000000)};

    shape_wrote(state, fxt_write_provider_info(&state->writer, &info));
    shape_wrote(state, fxt_write_initialization(&state->writer, &clock));
    for (uint32_t i = 1; i <= SHAPE_STRINGS; i++) {
        size_t size = shape_text(text, sizeof text, i);
        struct fxt_string string = {.value = {(const uint8_t *)text, size}, .index = (uint16_t)i};
        shape_wrote(state, fxt_write_string(&state->writer, &string));
    }
    for (uint32_t i = 0; i < SHAPE_THREADS; i++) {
        struct fxt_thread thread = {.process = shape_process(state),
                                    .thread = shape_process(state) * 100 + i,
                                    .index = (uint8_t)(1 + i)};
        shape_wrote(state, fxt_write_thread(&state->writer, &thread));
    }
    state->providers[state->provider].introduced = true;
}

static void select_provider(struct shape_state *state, uint32_t provider)
{
    state->provider = provider;
    if (!state->providers[provider].introduced) {
        introduce(state);
        return;
    }
    struct fxt_provider_section section = {.provider_id = 1 + provider};
    shape_wrote(state, fxt_write_provider_section(&state->writer, &section));
}

/* A begin, or the end of the innermost: the deeper, the likelier. */
static uint8_t next_duration(struct shape_state *state, uint32_t thread)
{
    uint32_t *depth = &state->providers[state->provider].depth[thread];
    if (shape_random(state, SHAPE_DEPTH_MAX) < *depth) {
        --*depth;
        return FXT_EVENT_DURATION_END;
    }
    ++*depth;
    return FXT_EVENT_DURATION_BEGIN;
}

static void step_tiny(struct shape_state *state)
{
    uint32_t thread = shape_random(state, SHAPE_THREADS);
    struct fxt_event event = shape_event(state, next_duration(state, thread), thread);
    shape_write_event(state, &event, NULL, 0);
}

static void step_args(struct shape_state *state)
{
    struct fxt_arg args[FXT_ARGS_MAX];
    uint32_t thread = shape_random(state, SHAPE_THREADS);
    size_t count = 8 + shape_random(state, 8);
    bool complete = shape_random(state, 2) == 0;
    struct fxt_event event =
        shape_event(state, complete ? FXT_EVENT_DURATION_COMPLETE : FXT_EVENT_INSTANT, thread);

    if (complete)
        shape_complete(state, &event, thread);
    shape_args_heavy(state, args, count);
    shape_write_event(state, &event, args, count);
}

static void end_provider(struct shape_state *state)
{
    struct shape_provider *provider = &state->providers[state->provider];

    if (state->flow_count > 0) {
        struct fxt_event begin = shape_event(state, FXT_EVENT_DURATION_BEGIN, 0);
        shape_write_event(state, &begin, NULL, 0);
        provider->depth[0]++;
    }
    while (state->flow_count > 0) {
        struct fxt_event event = shape_event(state, FXT_EVENT_FLOW_END, 0);
        event.value = state->flow_open[--state->flow_count];
        shape_write_event(state, &event, NULL, 0);
    }
    for (uint32_t thread = 0; thread < SHAPE_THREADS; thread++) {
        for (; provider->depth[thread] > 0; provider->depth[thread]--) {
            struct fxt_event event = shape_event(state, FXT_EVENT_DURATION_END, thread);
            shape_write_event(state, &event, NULL, 0);
        }
    }
    while (provider->async_count > 0) {
        struct fxt_event event = shape_event(state, FXT_EVENT_ASYNC_END, 0);
        event.value = provider->async_open[--provider->async_count];
        shape_write_event(state, &event, NULL, 0);
    }
}

uint64_t shape_fill(enum shape shape, uint8_t *bytes, uint64_t capacity, uint64_t *records)
{
    static void (*const steps[SHAPE_COUNT])(struct shape_state *) = {step_tiny, shape_step_typical,
                                                                     step_args};
    struct shape_state state = {.random = 1, .now = UINT64_C(1000000000)};
    uint32_t providers = shape == SHAPE_TYPICAL ? SHAPE_PROVIDERS : 1;
    uint64_t until = capacity - ENDING_BYTES;
    uint32_t turn = 0;

    fxt_writer_init(&state.writer, bytes, capacity);
    shape_wrote(&state, fxt_write_magic(&state.writer));
    while (!state.failed && state.writer.size < until) {
        select_provider(&state, turn++ % providers);
        for (uint32_t i = 0; i < SECTION_RECORDS && state.writer.size < until; i++)
            steps[shape](&state);
    }
    for (uint32_t i = 0; i < providers; i++) {
        if (!state.providers[i].introduced)
            continue;
        select_provider(&state, i);
        end_provider(&state);
    }
    *records = state.records;
    return state.failed ? 0 : state.writer.size;
}
