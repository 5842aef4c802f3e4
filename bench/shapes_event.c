/* What the shapes build their events of. */
#include <stdio.h>

#include "bench/shapes_i.h"

struct fxt_event shape_event(struct shape_state *state, uint8_t type, uint32_t thread)
{
    struct fxt_event event = {.event_type = type};
    state->now += 100 + shape_random(state, 2000);
    event.timestamp = state->now;
    event.thread = fxt_thread_index((uint8_t)(1 + thread));
    event.category = fxt_string_index((uint16_t)(1 + shape_random(state, SHAPE_CATEGORIES)));
    event.name = fxt_string_index((uint16_t)(SHAPE_FIRST_NAME + shape_random(state, SHAPE_NAMES)));
    return event;
}

void shape_complete(struct shape_state *state, struct fxt_event *event, uint32_t thread)
{
    uint64_t *last = &state->providers[state->provider].complete_end[thread];
    uint64_t begin = event->timestamp - shape_random(state, 100000);

    event->value = event->timestamp;
    event->timestamp = begin < *last ? *last : begin;
    *last = event->value;
}

void shape_write_event(struct shape_state *state, const struct fxt_event *event,
                       const struct fxt_arg *args, size_t count)
{
    shape_wrote(state, fxt_write_event(&state->writer, event, args, count));
}

size_t shape_text(char *text, size_t size, uint32_t index)
{
    static const char *const kinds[] = {"category", "DoSomeWork", "argument", "a longer text"};
    unsigned kind = index >= SHAPE_FIRST_TEXT       ? 3
                    : index >= SHAPE_FIRST_ARG_NAME ? 2
                    : index >= SHAPE_FIRST_NAME     ? 1
                                                    : 0;
    return (size_t)snprintf(text, size, "%s::%u", kinds[kind], index);
}
