/* Opens the perf events of all processors, and merges their rings by time.

   An event that is read too early stays pending in its processor. The tail that the kernel sees
   stays before that event. */
#include "src/kernel/live.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <lib/trace-engine/types.h>

#include "src/kernel/live_i.h"
#include "src/kernel/tracefs.h"
#include "src/kernel/tracepoint.h"

#define LATE_NS 1000000
#define PROCESSORS_MAX 8192

/* Open. */

static void load_tracepoints(struct fxt_kernel_live *live)
{
    char tracefs[PATH_MAX];
    size_t count;
    const struct fxt_kernel_tracepoint *all = fxt_kernel_tracepoints(&count);

    if (!fxt_kernel_tracefs_find(tracefs, sizeof tracefs))
        return;
    live->tep = tep_alloc();
    if (live->tep == NULL)
        return;
    tep_set_loglevel(TEP_LOG_NONE);
    tep_set_file_bigendian(live->tep,
                           tep_is_local_bigendian(live->tep) ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
    for (size_t i = 0; i < count; i++) {
        bool wanted = all[i].live && (all[i].group & live->groups) != 0;
        int number = wanted ? fxt_kernel_tracefs_load(live->tep, tracefs, &all[i]) : -1;
        if (number >= 0)
            live->tracepoints[live->tracepoint_count++] = (uint32_t)number;
    }
}

static int open_processor(struct fxt_kernel_live *live, struct fxt_kernel_processor *processor)
{
    struct epoll_event want = {.events = EPOLLIN};
    int error = fxt_kernel_processor_open(processor, live);
    if (error == ENODEV) /* was taken offline in the meantime */
        return 0;
    if (error != 0)
        return error;
    live->count++;
    return epoll_ctl(live->poll, EPOLL_CTL_ADD, processor->events[0], &want) == 0 ? 0 : errno;
}

static int open_processors(struct fxt_kernel_live *live)
{
    uint32_t numbers[PROCESSORS_MAX];
    uint32_t count = fxt_kernel_online(numbers, PROCESSORS_MAX);
    int error = 0;

    live->processors = calloc(count, sizeof *live->processors);
    if (live->processors == NULL)
        return ENOMEM;
    for (uint32_t i = 0; i < count && error == 0; i++) {
        struct fxt_kernel_processor *processor = &live->processors[live->count];
        processor->number = numbers[i];
        error = open_processor(live, processor);
    }
    return error != 0 || live->count > 0 ? error : ENODEV;
}

static void allow_many_files(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static void release(struct fxt_kernel_live *live)
{
    for (uint32_t i = 0; i < live->count; i++)
        fxt_kernel_processor_close(&live->processors[i]);
    free(live->processors);
    if (live->poll >= 0)
        close(live->poll);
    if (live->tep != NULL)
        tep_free(live->tep);
    free(live);
}

struct fxt_kernel_live *fxt_kernel_live_open(uint32_t groups, char message[FXT_KERNEL_MESSAGE])
{
    struct fxt_kernel_live *live = calloc(1, sizeof *live);
    if (live == NULL) {
        fxt_kernel_explain(message, ENOMEM);
        return NULL;
    }
    live->groups = groups;
    allow_many_files();
    load_tracepoints(live);
    if (live->tep == NULL)
        live->missing = groups & (FXT_KERNEL_SYSCALL | FXT_KERNEL_INTERRUPT | FXT_KERNEL_FREQ);
    fxt_kernel_line_init(&live->line);
    live->poll = epoll_create1(EPOLL_CLOEXEC);
    int error = live->poll >= 0 ? open_processors(live) : errno;
    if (error == 0)
        return live;
    fxt_kernel_explain(message, error);
    release(live);
    return NULL;
}

uint32_t fxt_kernel_live_missing(const struct fxt_kernel_live *live)
{
    return live->missing;
}

int fxt_kernel_live_descriptor(const struct fxt_kernel_live *live)
{
    return live->poll;
}

/* Drain. */

/* On some virtual machines, the switch at the end of a run of a thread, for instance the idle
   thread, is sometimes missing. Then the arrival of the next thread, which is otherwise
   redundant, replaces it. */
static bool is_missing_switch(const struct fxt_kernel_processor *processor)
{
    const struct fxt_kernel_event *event = &processor->event;
    return event->kind == FXT_KERNEL_ARRIVAL && processor->switched &&
           event->tid != processor->running &&
           (event->other == processor->running || event->other == UINT32_MAX);
}

/* The state of the outgoing thread is unknown; mostly it waits. */
static void make_switch(struct fxt_kernel_processor *processor)
{
    struct fxt_kernel_event *event = &processor->event;
    event->kind = FXT_KERNEL_SWITCH;
    event->state = event->other == UINT32_MAX ? TRACE_THREAD_STATE_DEAD
                   : processor->running == 0  ? TRACE_THREAD_STATE_SUSPENDED
                                              : TRACE_THREAD_STATE_BLOCKED;
    event->other = event->tid;
    event->tid = processor->running;
    event->process = 0;
}

/* Without tracepoints, the kernel does not report the outgoing thread of a switch if that thread
   is dead, nor that it is dead. */
static void complete_switch(struct fxt_kernel_processor *processor)
{
    struct fxt_kernel_event *event = &processor->event;
    if (event->tid == 0 && event->state == TRACE_THREAD_STATE_DEAD && processor->switched)
        event->tid = processor->running;
    if (event->tid == 0 && event->state == TRACE_THREAD_STATE_DEAD) /* nobody knows who it was */
        event->state = TRACE_THREAD_STATE_SUSPENDED;
    if (event->tid != 0 && event->tid == processor->ending &&
        event->state == TRACE_THREAD_STATE_BLOCKED) {
        event->state = TRACE_THREAD_STATE_DEAD;
        processor->ending = 0;
    }
    processor->running = event->other;
    processor->switched = true;
}

static void take_loss(struct fxt_kernel_processor *processor)
{
    processor->lost += (uint64_t)processor->event.number;
    processor->switched = false;
    processor->ending = 0;
}

/* Completes an event from earlier events of the processor. False if the event is redundant. */
static bool complete(struct fxt_kernel_processor *processor)
{
    if (is_missing_switch(processor))
        make_switch(processor);
    if (processor->event.kind == FXT_KERNEL_SWITCH)
        complete_switch(processor);
    else if (processor->event.kind == FXT_KERNEL_EXIT)
        processor->ending = processor->event.tid;
    else if (processor->event.kind == FXT_KERNEL_LOST)
        take_loss(processor);
    return processor->event.kind != FXT_KERNEL_ARRIVAL;
}

/* Whether this processor has a pending event. */
static bool peek(struct fxt_kernel_processor *processor, struct tep_handle *tep)
{
    const struct perf_event_header *record;
    while (!processor->pending) {
        processor->before = processor->ring.tail;
        record = fxt_kernel_ring_next(&processor->ring);
        if (record == NULL)
            return false;
        processor->pending =
            fxt_kernel_perf_decode(&processor->event, tep, record) && complete(processor);
    }
    return true;
}

static struct fxt_kernel_processor *earliest(struct fxt_kernel_live *live)
{
    struct fxt_kernel_processor *found = NULL;
    for (uint32_t i = 0; i < live->count; i++) {
        struct fxt_kernel_processor *processor = &live->processors[i];
        if (peek(processor, live->tep) && (found == NULL || processor->event.ns < found->event.ns))
            found = processor;
    }
    return found;
}

static void drain_until(struct fxt_kernel_live *live, uint64_t ns,
                        const struct fxt_kernel_sink *sink)
{
    struct fxt_kernel_processor *processor;
    for (uint32_t i = 0; i < live->count; i++)
        fxt_kernel_ring_look(&live->processors[i].ring);
    while ((processor = earliest(live)) != NULL && processor->event.ns <= ns) {
        const struct fxt_kernel_event *event = &processor->event;
        sink->put(sink->data, event, fxt_kernel_line_ticks(&live->line, event->ns));
        processor->pending = false;
    }
    for (uint32_t i = 0; i < live->count; i++) {
        processor = &live->processors[i];
        fxt_kernel_ring_give_back(&processor->ring,
                                  processor->pending ? processor->before : processor->ring.tail);
    }
}

void fxt_kernel_live_drain(struct fxt_kernel_live *live, const struct fxt_kernel_sink *sink)
{
    struct fxt_kernel_moment now = fxt_kernel_now();
    fxt_kernel_line_extend(&live->line, now);
    drain_until(live, now.ns - LATE_NS, sink);
}

/* The kernel tells of a loss in front of the next event: of the last one it does not. */
static void put_last_losses(struct fxt_kernel_live *live, const struct fxt_kernel_sink *sink)
{
    uint64_t ns = fxt_kernel_now().ns;
    for (uint32_t i = 0; i < live->count; i++) {
        const struct fxt_kernel_processor *processor = &live->processors[i];
        uint64_t lost = fxt_kernel_processor_lost(processor);
        const struct fxt_kernel_event event = {.ns = ns,
                                               .kind = FXT_KERNEL_LOST,
                                               .cpu = processor->number,
                                               .number = (int64_t)(lost - processor->lost)};
        if (lost > processor->lost)
            sink->put(sink->data, &event, fxt_kernel_line_ticks(&live->line, ns));
    }
}

void fxt_kernel_live_close(struct fxt_kernel_live *live, const struct fxt_kernel_sink *sink)
{
    for (uint32_t i = 0; i < live->count; i++)
        fxt_kernel_processor_disable(&live->processors[i]);
    fxt_kernel_line_extend(&live->line, fxt_kernel_now());
    if (sink != NULL) {
        drain_until(live, UINT64_MAX, sink);
        put_last_losses(live, sink);
    }
    release(live);
}
