/* A program of the soak: up to four threads at a time, which end and are replaced, write events as
   fast as they can and sleep in between. Each thread writes in a lane of its own: its events are
   numbered from 0, and shared memory says how many calls have returned. */
#ifndef FXT_MANAGER_SOAK_PROGRAM_TEST_H
#define FXT_MANAGER_SOAK_PROGRAM_TEST_H

#include <stdatomic.h>

#include "src/manager/system_test.h"

#define PROGRAMS_MAX 20
#define LANES_MAX 48      /* threads of a program, in all */
#define LANE_EVENTS 32768 /* of a thread */
#define NAMES_MAX 20000 /* strings of a program that occur once: more than any durable part holds */
#define WORKERS_MAX 4   /* threads at a time */
#define LANE_UNIT (1 << 20) /* an event's number is lane * LANE_UNIT + its number in the lane */

struct program {
    atomic_uint written[LANES_MAX]; /* events whose call has returned */
    atomic_uint lanes;              /* that were taken; may be more than LANES_MAX */
    atomic_uint names;
    atomic_uint dropped; /* records, when the beat was last counted */
    atomic_uint beats;
    atomic_int state;  /* trace_state() at that beat */
    atomic_uint busy;  /* threads in the middle of a burst */
    atomic_bool quiet; /* no burst is to begin; or the program is to end */
    atomic_bool end;
    atomic_bool destroy;
};

static struct program *programs; /* shared */
static uint64_t seed;

static inline uint64_t draw_from(uint64_t *from, uint64_t below)
{
    *from = *from * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*from >> 33) % below;
}

static inline uint64_t draw(uint64_t below)
{
    return draw_from(&seed, below);
}

static struct program *self_program;

/* The event gets a name that no other has. */
static inline void write_named_event(uint64_t number)
{
    char text[32];
    trace_string_ref_t category;
    trace_string_ref_t name;
    trace_string_ref_t arg_name;
    trace_thread_ref_t thread;
    int length = snprintf(text, sizeof text, "name %u", atomic_fetch_add(&self_program->names, 1));
    trace_context_t *context = trace_acquire_context_for_category("trace:test", &category);

    if (context == NULL)
        return;
    trace_context_register_string_copy(context, text, (size_t)length, &name);
    trace_context_register_string_literal(context, "i", &arg_name);
    trace_context_register_current_thread(context, &thread);
    trace_arg_t arg = trace_make_arg(arg_name, trace_make_uint64_arg_value(number));
    trace_context_write_instant_event_record(context, trace_get_ticks(), &thread, &category, &name,
                                             TRACE_SCOPE_THREAD, &arg, 1);
    trace_release_context(context);
}

static inline void write_event(uint64_t number, bool named)
{
    if (named)
        write_named_event(number);
    else
        TRACE_INSTANT("trace:test", "event", TRACE_SCOPE_THREAD, "i", TA_UINT64(number));
}

static inline void write_burst(uint32_t lane, uint64_t *own_seed)
{
    uint32_t first = atomic_load(&self_program->written[lane]);
    uint32_t count = 1 + (uint32_t)draw_from(own_seed, draw_from(own_seed, 2) == 0 ? 20 : 1000);
    bool named = draw_from(own_seed, 4) == 0 && atomic_load(&self_program->names) < NAMES_MAX;

    for (uint32_t i = first; i < first + count && i < LANE_EVENTS; i++) {
        write_event((uint64_t)lane * LANE_UNIT + i, named);
        atomic_store(&self_program->written[lane], i + 1);
    }
}

struct worker {
    pthread_t thread;
    uint64_t seed;
    uint32_t lane;
};

static inline void *be_worker(void *argument)
{
    struct worker *it = argument;

    for (uint64_t bursts = 1 + draw_from(&it->seed, 60); bursts > 0; bursts--) {
        atomic_fetch_add(&self_program->busy, 1);
        if (!atomic_load(&self_program->quiet) && trace_state() == TRACE_STARTED)
            write_burst(it->lane, &it->seed);
        atomic_fetch_sub(&self_program->busy, 1);
        usleep((useconds_t)draw_from(&it->seed, 3000));
    }
    return NULL;
}

static inline void begin_worker(struct worker *it)
{
    it->lane = atomic_fetch_add(&self_program->lanes, 1);
    it->seed = draw(UINT64_C(1) << 30);
    if (it->lane < LANES_MAX && pthread_create(&it->thread, NULL, be_worker, it) != 0)
        _exit(12);
}

static inline void beat(void)
{
    trace_engine_sizes_t sizes;

    trace_engine_get_sizes(&sizes);
    atomic_store(&self_program->dropped, (unsigned)sizes.records_dropped);
    atomic_store(&self_program->state, (int)trace_state());
    atomic_fetch_add(&self_program->beats, 1);
}

static inline void wait_until_idle(void)
{
    atomic_store(&self_program->quiet, true);
    while (atomic_load(&self_program->busy) != 0)
        usleep(100);
}

static inline void be_program(struct program *it, const char *name, uint64_t own_seed)
{
    struct provider_self self = {NULL, NULL, 0, false};
    struct worker workers[WORKERS_MAX];

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    self_program = it;
    seed = own_seed;
    begin_providing(&self, name, draw(2) == 0);
    uint32_t count = 1 + (uint32_t)draw(WORKERS_MAX);
    for (uint32_t i = 0; i < count; i++)
        begin_worker(&workers[i]);
    while (!atomic_load(&it->end) && !atomic_load(&it->destroy)) {
        beat();
        for (uint32_t i = 0; i < count; i++)
            if (workers[i].lane < LANES_MAX && pthread_tryjoin_np(workers[i].thread, NULL) == 0)
                begin_worker(&workers[i]);
        usleep(500);
    }
    wait_until_idle();
    if (atomic_load(&it->destroy))
        trace_provider_destroy(self.provider);
    while (!atomic_load(&it->end))
        usleep(1000);
    exit(0);
}

#endif
