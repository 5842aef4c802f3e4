/* Inside the generator of shapes: its state, and records that all shapes need. */
#ifndef FXT_BENCH_SHAPES_I_H
#define FXT_BENCH_SHAPES_I_H

#include "bench/shapes.h"

enum {
    SHAPE_PROVIDERS = 3,
    SHAPE_THREADS = 4,
    SHAPE_PROCESSORS = 8,
    SHAPE_CATEGORIES = 8, /* indices 1 … 8, then names, then names of arguments, then texts */
    SHAPE_NAMES = 64,
    SHAPE_ARG_NAMES = 32,
    SHAPE_TEXTS = 32,
    SHAPE_DEPTH_MAX = 6,
    SHAPE_OPEN_MAX = 16,
    SHAPE_FIRST_NAME = 1 + SHAPE_CATEGORIES,
    SHAPE_FIRST_ARG_NAME = SHAPE_FIRST_NAME + SHAPE_NAMES,
    SHAPE_FIRST_TEXT = SHAPE_FIRST_ARG_NAME + SHAPE_ARG_NAMES,
    SHAPE_STRINGS = SHAPE_FIRST_TEXT + SHAPE_TEXTS - 1
};

/* What is open and must be ended before the trace ends, and what the next records go on from. Ids go
   round in a small range, so that a trace of any length fits the tables of a checker. */
struct shape_provider {
    uint64_t async_open[SHAPE_OPEN_MAX];
    uint32_t async_count;
    uint32_t depth[SHAPE_THREADS];
    uint64_t complete_end[SHAPE_THREADS]; /* of the last complete duration */
    uint32_t running[SHAPE_PROCESSORS];   /* index of the thread, 0: not known */
    bool introduced;
};

struct shape_state {
    struct fxt_writer writer;
    struct shape_provider providers[SHAPE_PROVIDERS];
    uint64_t flow_open[SHAPE_OPEN_MAX];
    uint64_t random;
    uint64_t now;
    uint64_t next_id;
    uint64_t records;
    uint32_t flow_count;
    uint32_t provider; /* selected */
    bool failed;
};

/* Below `bound`, which is not 0. */
static inline uint32_t shape_random(struct shape_state *state, uint32_t bound)
{
    state->random = state->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(((state->random >> 33) * bound) >> 31);
}

static inline void shape_wrote(struct shape_state *state, enum fxt_status status)
{
    state->records++;
    if (status != FXT_OK)
        state->failed = true;
}

static inline uint64_t shape_process(const struct shape_state *state)
{
    return 1000 + state->provider;
}

/* An event of a random category and name on that thread, some microseconds later. */
struct fxt_event shape_event(struct shape_state *state, uint8_t type, uint32_t thread);

/* Makes it a complete duration that ends now and overlaps with none of its thread. */
void shape_complete(struct shape_state *state, struct fxt_event *event, uint32_t thread);

void shape_write_event(struct shape_state *state, const struct fxt_event *event,
                       const struct fxt_arg *args, size_t count);

/* The text of string `index` of the tables that all providers register alike. */
size_t shape_text(char *text, size_t size, uint32_t index);

/* `count` arguments with different names. typical: of all types that a person would use; heavy:
   doubles, 64-bit numbers, strings. */
void shape_args_typical(struct shape_state *state, struct fxt_arg *args, size_t count);
void shape_args_numbers(struct shape_state *state, struct fxt_arg *args, size_t count);
void shape_args_heavy(struct shape_state *state, struct fxt_arg *args, size_t count);

void shape_step_typical(struct shape_state *state);

#endif
