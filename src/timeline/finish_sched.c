/* Switches and wakeups to spans: what ran on each CPU, and the states of each thread, in the order
   of time. `now` has, for each thread, the span of each kind that is open; `running` has, for each
   CPU of a provider, the one of sched that is.

   A switch may be lost. So a thread also stops when its CPU switches from another thread or to one,
   or when it begins to run elsewhere. What it became then is not known. */
#include <stdlib.h>
#include <string.h>

#include "src/timeline/importer.h"

#define NOBODY (ROW_NONE - 1) /* of `running`: none */

struct now {
    uint32_t sched; /* ROW_NONE: does not run */
    uint32_t state;
};

struct times {
    struct importer *importer;
    struct now *now;
    uint32_t count;
    struct map running; /* by CPU and provider, of one trace */
};

static bool has_room(struct times *times, uint32_t thread)
{
    if (thread < times->count)
        return true;
    uint32_t count = thread + thread / 2 + 64;
    struct now *now = realloc(times->now, count * sizeof *now);
    if (now == NULL)
        return false;
    memset(now + times->count, 0xff, (count - times->count) * sizeof *now);
    times->now = now;
    times->count = count;
    return true;
}

static void set_state(struct times *times, const struct switch_row *row, uint32_t thread,
                      uint16_t state, uint32_t waker)
{
    struct timeline *timeline = times->importer->timeline;
    uint32_t open = times->now[thread].state;
    if (open != ROW_NONE)
        states_at(timeline, open)->dur = row->ts - states_at(timeline, open)->ts;
    times->now[thread].state = timeline->states.count;
    *(struct state_row *)array_add(&timeline->states) =
        (struct state_row){row->ts, DUR_NONE, row->cpu, thread, waker, row->args, state};
}

/* How it stopped is lost. */
static void lose(struct times *times, const struct switch_row *row, uint32_t open)
{
    struct timeline *timeline = times->importer->timeline;
    struct sched_row *sched = scheds_at(timeline, open);
    struct now *now = &times->now[sched->thread];
    sched->dur = row->ts - sched->ts;
    now->sched = ROW_NONE;
    if (now->state != ROW_NONE && states_at(timeline, now->state)->state == STATE_RUNNING) {
        states_at(timeline, now->state)->dur = row->ts - states_at(timeline, now->state)->ts;
        now->state = ROW_NONE;
    }
}

static void stop(struct times *times, const struct switch_row *row, uint32_t thread)
{
    struct timeline *timeline = times->importer->timeline;
    uint32_t open = times->now[thread].sched;
    if (open != ROW_NONE) {
        struct sched_row *sched = scheds_at(timeline, open);
        sched->dur = row->ts - sched->ts;
        sched->has_end = 1;
        sched->end_state = row->state;
        sched->args = row->args;
        times->now[thread].sched = ROW_NONE;
    }
    set_state(times, row, thread, row->state, ROW_NONE);
}

static void start(struct times *times, const struct switch_row *row, uint32_t thread)
{
    struct timeline *timeline = times->importer->timeline;
    if (times->now[thread].sched != ROW_NONE)
        lose(times, row, times->now[thread].sched);
    times->now[thread].sched = timeline->scheds.count;
    *import_row(times->importer, &times->running, row->cpu, row->provider, 0) =
        timeline->scheds.count;
    *(struct sched_row *)array_add(&timeline->scheds) =
        (struct sched_row){.ts = row->ts,
                           .dur = DUR_NONE,
                           .offset = row->offset,
                           .cpu = row->cpu,
                           .thread = thread,
                           .priority = row->priority,
                           .args = ROW_NONE};
    set_state(times, row, thread, STATE_RUNNING, ROW_NONE);
}

static uint32_t thread_of(struct importer *importer, const struct switch_row *row, uint32_t thread,
                          uint64_t koid)
{
    return thread != ROW_NONE ? thread : import_thread_of_koid(importer, row->trace, koid);
}

static bool apply(struct times *times, const struct switch_row *row)
{
    struct importer *importer = times->importer;
    if (row->type == FXT_SCHEDULING_THREAD_WAKEUP) {
        if (row->incoming_idle)
            return true;
        uint32_t woken = import_thread_of_koid(importer, row->trace, row->incoming);
        uint32_t waker =
            row->has_waker ? import_thread_of_koid(importer, row->trace, row->waker) : ROW_NONE;
        if (!has_room(times, woken))
            return false;
        if (times->now[woken].sched == ROW_NONE) /* a thread that runs goes on running */
            set_state(times, row, woken, STATE_WAKING, waker);
        return true;
    }
    if (!row->outgoing_idle) {
        uint32_t out = thread_of(importer, row, row->outgoing_thread, row->outgoing);
        if (!has_room(times, out))
            return false;
        stop(times, row, out);
    }
    uint32_t *running = import_row(importer, &times->running, row->cpu, row->provider, 0);
    if (*running < NOBODY &&
        times->now[scheds_at(importer->timeline, *running)->thread].sched == *running)
        lose(times, row, *running);
    *running = NOBODY;
    if (!row->incoming_idle) {
        uint32_t in = thread_of(importer, row, row->incoming_thread, row->incoming);
        if (!has_room(times, in))
            return false;
        start(times, row, in);
    }
    return true;
}

static int compare_cpus(const void *left, const void *right)
{
    const struct cpu_row *a = left;
    const struct cpu_row *b = right;
    return (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

static void add_cpus(struct importer *importer)
{
    uint8_t seen[(UINT16_MAX + 1) / 8] = {0};
    struct array *cpus = &importer->timeline->cpus;
    for (uint32_t i = 0; i < importer->switches.count; i++) {
        const struct switch_row *row = array_at(&importer->switches, i);
        uint8_t bit = (uint8_t)(1u << row->cpu % 8);
        if ((seen[row->cpu / 8] & bit) == 0)
            *(struct cpu_row *)array_add(cpus) = (struct cpu_row){row->cpu};
        seen[row->cpu / 8] |= bit;
    }
    qsort(cpus->it, cpus->count, cpus->size, compare_cpus);
}

bool finish_scheduling(struct importer *importer)
{
    struct times times = {.importer = importer};
    bool good = sort_by_time(&importer->switches);
    for (uint32_t i = 0; good && i < importer->switches.count; i++)
        good = apply(&times, array_at(&importer->switches, i));
    add_cpus(importer);
    map_clear(&times.running);
    free(times.now);
    return good && !importer->failed;
}
