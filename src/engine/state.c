/* The engine's life: initialized, started, stopping, stopped, terminated. If something has to
   wait for threads to leave, a task on the dispatcher checks repeatedly.

   The lock of the life orders the threads that initialize, start, stop and terminate, and the
   dispatcher. No handler is called under it. `state` is stored under it, with release, and loaded
   by any thread, with acquire. */
#include <stddef.h>
#include <string.h>

#include "src/engine/engine.h"

#define POLL_NS 200000
#define SHUTDOWN_NS INT64_C(1000000000) /* for threads to leave when the dispatcher shuts down */

static fxt_i_atomic32 process_is_ready; /* once, under the lock of the life */

static async_task_t watch_task; /* the notice that the dispatcher shuts down */

/* Start. */

/* The thread that forks. Under these locks, no other thread is in the middle of a start, a stop or
   a change of the lists of sites, which the child keeps. */
static void before_fork(void)
{
    fxt_i_lock(&fxt_i_engine.life_lock);
    fxt_i_lock(&fxt_i_engine.site_lock);
}

static void after_fork(void)
{
    fxt_i_unlock(&fxt_i_engine.site_lock);
    fxt_i_unlock(&fxt_i_engine.life_lock);
}

/* The child has mapped the parent's buffer. It gets an engine that was never used, and has no
   thread but this one. The lock of the life is held, or there is no other thread yet. */
static void forget_parent(void)
{
    struct trace_context *context = &fxt_i_this_thread;

    memset(fxt_i_engine.caches, 0,
           offsetof(struct fxt_i_engine, life_lock) - offsetof(struct fxt_i_engine, caches));
    fxt_i_engine.is_own = true;
    fxt_i_dispatcher_forget();
    context->presence = NULL;
    context->registered = false;
    context->indexed = FXT_I_NEVER;
    context->cache = NULL;
    fxt_i_os_after_fork();
    fxt_i_observers_forget();
    fxt_i_sites_reset();
}

static void in_forked_child(void)
{
    fxt_i_store32(&fxt_i_engine.site_lock, 0);
    fxt_i_store32(&fxt_i_engine.life_lock, 0);
    fxt_i_signals_release();
    fxt_i_signals_release();
    if (fxt_i_load32(&process_is_ready) != 0) /* else the parent has not used it either */
        forget_parent();
}

/* A thread that was cancelled, or that a signal handler has ended, has left all calls. */
static void thread_ends(void *self)
{
    fxt_i_recover(self, FXT_I_HELD);
    fxt_i_update_thread_name(self);
    fxt_i_thread_ends(self);
}

/* When the program exits, its threads keep the names that they have. */
__attribute__((destructor)) static void name_threads(void)
{
    fxt_i_update_thread_names();
}

/* The lock of the life is held. A child of _Fork, which calls no fork handlers, has zeros for the
   engine. Until it comes here, it finds tracing stopped and all gates closed. */
static void make_process_ready(void)
{
    assert(fxt_i_lock_is_held(&fxt_i_engine.life_lock));
    if (fxt_i_engine.is_own)
        return;
    if (fxt_i_load32(&process_is_ready) != 0) {
        forget_parent();
        return;
    }
    fxt_i_os_init(thread_ends);
    fxt_i_wipe_in_child(fxt_i_engine.half, &fxt_i_engine.life_lock + 1);
    fxt_i_ticks_per_second(); /* measured now, not when the trace begins */
    fxt_i_engine.is_own = true;
    fxt_i_store32(&process_is_ready, 1);
}

/* A constructor that runs before all others registers the fork handlers first. So the engine's run
   last before a fork and first in the child, and the program's own handlers can use the engine. */
__attribute__((constructor(101))) static void watch_forks(void)
{
    fxt_i_at_fork(before_fork, after_fork, in_forked_child);
}

static void do_work(async_dispatcher_t *dispatcher, async_task_t *task, zx_status_t status);
static void on_dispatcher_shutdown(async_dispatcher_t *dispatcher, async_task_t *task,
                                   zx_status_t status);

/* Whether the buffer was never written. Then it need not be cleared, so pages that no record needs
   are never allocated. */
static bool is_fresh(const uint8_t *buffer)
{
    static const uint8_t zeros[FXT_BUFFER_HEADER_BYTES];
    return memcmp(buffer, zeros, sizeof zeros) == 0;
}

/* The lock of the life is held. */
static zx_status_t initialize(async_dispatcher_t *dispatcher, trace_handler_t *handler,
                              trace_buffering_mode_t mode, void *buffer, size_t bytes)
{
    struct fxt_buffer_header header;

    assert(fxt_i_lock_is_held(&fxt_i_engine.life_lock));
    if (fxt_i_engine.initialized)
        return ZX_ERR_BAD_STATE;
    if (dispatcher == NULL || handler == NULL || buffer == NULL ||
        mode > TRACE_BUFFERING_MODE_STREAMING)
        return ZX_ERR_INVALID_ARGS;
    if (fxt_buffer_sizes(&header, bytes, (uint16_t)mode) != FXT_OK)
        return ZX_ERR_OUT_OF_RANGE;
    assert(fxt_i_load32(&fxt_i_engine.state) == TRACE_STOPPED);
    make_process_ready();
    fxt_i_engine.dispatcher = dispatcher;
    fxt_i_engine.handler = handler;
    fxt_i_engine.buffer = buffer;
    fxt_i_engine.header = header;
    fxt_i_engine.header.flags = FXT_BUFFER_ENDS_KEPT;
    fxt_i_engine.mode = (uint16_t)mode;
    fxt_i_ring_init(&fxt_i_engine.ring, header.rolling_size);
    fxt_i_store(&fxt_i_engine.position, 0);
    fxt_i_store32(&fxt_i_engine.saving, FXT_I_SAVE_NONE);
    fxt_i_engine.owed_durable_end = 0; /* an earlier handler was told that tracing has terminated */
    for (int h = 0; h < 2; h++) {
        uint64_t before = header.durable_size + (mode != 0 ? (uint64_t)h * header.rolling_size : 0);
        fxt_i_engine.half[h].bytes = (uint8_t *)buffer + FXT_BUFFER_HEADER_BYTES + before;
        fxt_i_engine.half[h].used = is_fresh(buffer) ? 0 : fxt_i_engine.ring.chunks;
        fxt_i_void_leases(&fxt_i_engine.half[h]);
        fxt_i_store(&fxt_i_engine.half[h].gate, FXT_I_CLOSED);
    }
    fxt_i_dispatcher_init(do_work);
    watch_task.handler = on_dispatcher_shutdown;
    watch_task.deadline = INT64_MAX;
    zx_status_t status = async_post_task(dispatcher, &watch_task);
    if (status != ZX_OK)
        return status;
    fxt_i_engine.used = false;
    fxt_i_engine.terminating = false;
    fxt_i_engine.initialized = true;
    return ZX_OK;
}

/* Any thread; takes the lock of the life. */
zx_status_t trace_engine_initialize(async_dispatcher_t *dispatcher, trace_handler_t *handler,
                                    trace_buffering_mode_t buffering_mode, void *buffer,
                                    size_t buffer_num_bytes)
{
    fxt_i_lock(&fxt_i_engine.life_lock);
    zx_status_t status = initialize(dispatcher, handler, buffering_mode, buffer, buffer_num_bytes);
    fxt_i_unlock(&fxt_i_engine.life_lock);
    return status;
}

/* The thread that starts, under the lock of the life: the gates are closed and all have left. The
   data ends are 0 already, so no reader finds a half that is cleared in part. */
static void clear_rolling(void)
{
    int halves = fxt_i_engine.mode == TRACE_BUFFERING_MODE_ONESHOT ? 1 : 2;
    uint64_t at = fxt_i_load(&fxt_i_engine.position);
    struct fxt_i_half *current = &fxt_i_engine.half[(at >> 32) & 1];

    assert(fxt_i_peek(&fxt_i_engine.half[0].gate) == FXT_I_CLOSED);
    assert(fxt_i_peek(&fxt_i_engine.half[1].gate) == FXT_I_CLOSED);
    assert(fxt_i_data_end(0) == 0 && fxt_i_data_end(1) == 0);
    if (current->used < (uint32_t)at)
        current->used = (uint32_t)at;
    fxt_i_add(&fxt_i_engine.clearings, 1);
    fxt_i_store(&fxt_i_engine.position, 0);
    fxt_i_store(&fxt_i_engine.full, 0);
    if (fxt_i_load32(&fxt_i_engine.saving) == FXT_I_SAVE_NOTIFIED) {
        fxt_i_engine.owed_wrapped = fxt_i_engine.saving_wrapped;
        fxt_i_engine.owed_durable_end = fxt_i_engine.saved_durable_end;
    }
    fxt_i_store32(&fxt_i_engine.saving, FXT_I_SAVE_NONE);
    for (int h = 0; h < halves; h++) {
        fxt_i_clear(&fxt_i_engine.half[h]);
        fxt_i_void_leases(&fxt_i_engine.half[h]);
    }
}

/* The thread that starts, under the lock of the life. */
static void clear_all(void)
{
    fxt_i_clear_header();
    clear_rolling();
    fxt_i_lock(&fxt_i_engine.table_lock);
    fxt_i_tables_init();
    fxt_i_definitions_clear();
    fxt_i_unlock(&fxt_i_engine.table_lock);
    fxt_i_store(&fxt_i_engine.dropped, 0);
    fxt_i_engine.generation++;
}

/* The lock of the life is held, so that observers are signalled in the order of the changes. */
static void notify_threads(bool started)
{
    assert(fxt_i_lock_is_held(&fxt_i_engine.life_lock));
    fxt_i_sites_reset();
    fxt_i_observers_signal(started);
}

/* The lock of the life is held. The store of TRACE_STARTED releases all that is before it. */
static zx_status_t start(trace_start_mode_t mode)
{
    assert(fxt_i_lock_is_held(&fxt_i_engine.life_lock));
    if (!fxt_i_engine.initialized || fxt_i_engine.terminating ||
        fxt_i_load32(&fxt_i_engine.state) != TRACE_STOPPED)
        return ZX_ERR_BAD_STATE;
    if (mode < TRACE_START_CLEAR_ENTIRE_BUFFER || mode > TRACE_START_RETAIN_BUFFER)
        return ZX_ERR_INVALID_ARGS;
    bool entire = mode == TRACE_START_CLEAR_ENTIRE_BUFFER || !fxt_i_engine.used ||
                  (mode == TRACE_START_CLEAR_NONDURABLE_BUFFER &&
                   fxt_i_engine.mode == TRACE_BUFFERING_MODE_ONESHOT);
    if (entire) {
        clear_all();
    } else if (mode == TRACE_START_CLEAR_NONDURABLE_BUFFER) {
        fxt_i_clear_data_ends();
        clear_rolling();
        fxt_i_write_header();
    }
    fxt_i_engine.used = true;
    fxt_i_engine.disposition = ZX_OK;
    if (fxt_i_load(&fxt_i_engine.full) == 0)
        fxt_i_open(&fxt_i_engine.half[(fxt_i_load(&fxt_i_engine.position) >> 32) & 1]);
    if (entire)
        fxt_i_define_initialization();
    fxt_i_engine.start_notified = false;
    fxt_i_store32(&fxt_i_engine.state, TRACE_STARTED);
    notify_threads(true);
    return ZX_OK;
}

/* The thread that starts, or the dispatcher: the lock of the life decides which of them calls the
   handler. `prolonged` delays the end of a stop meanwhile, so that trace_stopped is called later,
   and the handler is not destroyed. */
static void notify_start(void)
{
    fxt_i_lock(&fxt_i_engine.life_lock);
    bool now = fxt_i_load32(&fxt_i_engine.state) == TRACE_STARTED && !fxt_i_engine.start_notified &&
               !fxt_i_observers_pending();
    fxt_i_engine.start_notified = fxt_i_engine.start_notified || now;
    if (now)
        fxt_i_add(&fxt_i_engine.prolonged, 1);
    fxt_i_unlock(&fxt_i_engine.life_lock);
    if (!now)
        return;
    fxt_i_engine.handler->ops->trace_started(fxt_i_engine.handler);
    fxt_i_count_down(&fxt_i_engine.prolonged);
}

/* Any thread; takes the lock of the life. */
zx_status_t trace_engine_start(trace_start_mode_t mode)
{
    fxt_i_lock(&fxt_i_engine.life_lock);
    zx_status_t status = start(mode);
    fxt_i_unlock(&fxt_i_engine.life_lock);
    if (status != ZX_OK)
        return status;
    notify_start();
    return ZX_OK;
}

/* Stop. */

/* The thread that stops, under the lock of the life, or the dispatcher. */
static void close_gates(void)
{
    for (int h = 0; h < 2; h++)
        fxt_i_store(&fxt_i_engine.half[h].gate, FXT_I_CLOSED);
}

/* The lock of the life is held. */
static bool begin_stop(zx_status_t disposition)
{
    uint32_t state = fxt_i_load32(&fxt_i_engine.state);

    assert(fxt_i_lock_is_held(&fxt_i_engine.life_lock));
    assert(state <= TRACE_STOPPING);
    if (state != TRACE_STOPPED && fxt_i_engine.disposition == ZX_OK)
        fxt_i_engine.disposition = disposition;
    if (state != TRACE_STARTED)
        return false;
    fxt_i_store32(&fxt_i_engine.state, TRACE_STOPPING);
    close_gates();
    notify_threads(false);
    return true;
}

/* Any thread; takes the lock of the life. Otherwise the dispatcher could end the trace and be
   destroyed before this thread posts to it. */
void trace_engine_stop(zx_status_t disposition)
{
    fxt_i_recover(&fxt_i_this_thread, FXT_I_HERE + FXT_I_SIGNAL_BYTES);
    fxt_i_update_thread_names();
    fxt_i_lock(&fxt_i_engine.life_lock);
    if (fxt_i_engine.initialized && begin_stop(disposition))
        fxt_i_dispatcher_post(0);
    fxt_i_unlock(&fxt_i_engine.life_lock);
}

/* The same. */
void trace_engine_terminate(void)
{
    fxt_i_recover(&fxt_i_this_thread, FXT_I_HERE + FXT_I_SIGNAL_BYTES);
    fxt_i_update_thread_names();
    fxt_i_lock(&fxt_i_engine.life_lock);
    if (fxt_i_engine.initialized) {
        begin_stop(ZX_OK);
        fxt_i_engine.terminating = true;
        fxt_i_dispatcher_post(0);
    }
    fxt_i_unlock(&fxt_i_engine.life_lock);
}

static bool gates_are_closed(void)
{
    return fxt_i_load(&fxt_i_engine.half[0].gate) == FXT_I_CLOSED &&
           fxt_i_load(&fxt_i_engine.half[1].gate) == FXT_I_CLOSED;
}

/* The dispatcher. Closes the gates again, because a thread may have been opening the next half when
   they were closed. A thread that opens for a definition holds no lock of turns: it may have opened
   after that, and left. Looks for threads before it loads the gates, which a thread that is inside
   may still open, and `prolonged`, which it may still increment. */
static bool all_have_left(void)
{
    if (!fxt_i_turns_are_over())
        return false;
    close_gates();
    fxt_i_heavy_fence();
    return !fxt_i_anyone_inside(0, NULL) && gates_are_closed() &&
           fxt_i_load(&fxt_i_engine.prolonged) == 0 && fxt_i_load(&fxt_i_engine.dropping) == 0;
}

static void get_sizes(trace_engine_sizes_t *out);

/* The dispatcher, when all have left. */
static void finish_stop(void)
{
    trace_engine_sizes_t sizes;

    assert(fxt_i_load32(&fxt_i_engine.state) == TRACE_STOPPING);
    fxt_i_finish_closing_at_stop();
    fxt_i_write_header();
    for (uint32_t h = 0; h < 2; h++) {
        fxt_i_void_leases(&fxt_i_engine.half[h]);
        fxt_i_cover_chunks(h);
    }
    fxt_i_lock(&fxt_i_engine.life_lock);
    get_sizes(&sizes);
    if (fxt_i_engine.disposition == ZX_OK && sizes.records_dropped > 0)
        fxt_i_engine.disposition = ZX_ERR_NO_MEMORY;
    zx_status_t disposition = fxt_i_engine.disposition;
    fxt_i_lock(&fxt_i_engine.turn_lock); /* a half may be reported as saved now */
    fxt_i_store32(&fxt_i_engine.state, TRACE_STOPPED);
    fxt_i_unlock(&fxt_i_engine.turn_lock);
    notify_threads(false);
    fxt_i_unlock(&fxt_i_engine.life_lock);
    fxt_i_engine.handler->ops->trace_stopped(fxt_i_engine.handler, disposition,
                                             (size_t)(sizes.durable_bytes + sizes.rolling_bytes));
}

/* The dispatcher. */
static void finish_terminate(void)
{
    trace_handler_t *handler = fxt_i_engine.handler;
    fxt_i_lock(&fxt_i_engine.life_lock);
    bool now = fxt_i_engine.terminating && fxt_i_engine.initialized &&
               fxt_i_load32(&fxt_i_engine.state) == TRACE_STOPPED;
    if (now) {
        async_cancel_task(fxt_i_engine.dispatcher, &watch_task);
        fxt_i_engine.initialized = false;
        fxt_i_engine.terminating = false;
    }
    fxt_i_unlock(&fxt_i_engine.life_lock);
    if (now)
        handler->ops->trace_terminated(handler);
}

/* The dispatcher. Returns whether there is nothing left to wait for. */
static bool work(void)
{
    notify_start();
    if (fxt_i_load32(&fxt_i_engine.state) == TRACE_STOPPING) {
        if (!all_have_left())
            return false;
        finish_stop();
    }
    bool closed = fxt_i_finish_closing();
    finish_terminate();
    return closed;
}

static void do_work(async_dispatcher_t *dispatcher, async_task_t *task, zx_status_t status)
{
    (void)dispatcher;
    (void)task;
    fxt_i_dispatcher_begin();
    if (status == ZX_OK && !work())
        fxt_i_dispatcher_post(POLL_NS);
}

/* The dispatcher, when it shuts down. No other task runs at the same time. */
static void on_dispatcher_shutdown(async_dispatcher_t *dispatcher, async_task_t *task,
                                   zx_status_t status)
{
    int64_t end = fxt_i_monotonic_ns() + SHUTDOWN_NS;

    fxt_i_update_thread_names();
    (void)dispatcher;
    (void)task;
    (void)status;
    fxt_i_lock(&fxt_i_engine.life_lock);
    begin_stop(ZX_ERR_CANCELED);
    fxt_i_engine.terminating = true;
    fxt_i_unlock(&fxt_i_engine.life_lock);
    while (!work() && fxt_i_monotonic_ns() < end)
        fxt_i_yield();
}

/* Queries. */

/* The lock of the life is held. */
static void get_sizes(trace_engine_sizes_t *out)
{
    uint64_t at = fxt_i_load(&fxt_i_engine.position);

    assert(fxt_i_lock_is_held(&fxt_i_engine.life_lock));
    memset(out, 0, sizeof *out);
    if (!fxt_i_engine.initialized || !fxt_i_engine.used)
        return;
    assert((uint32_t)at <= fxt_i_engine.ring.chunks);
    out->wrapped_count = (uint32_t)(at >> 32);
    out->durable_bytes = fxt_i_definitions_bytes();
    out->durable_size = fxt_i_engine.header.durable_size;
    out->rolling_bytes = fxt_i_ring_chunk_at(&fxt_i_engine.ring, (uint32_t)at);
    if (out->wrapped_count > 0)
        out->rolling_bytes += fxt_i_data_end(out->wrapped_count - 1);
    out->rolling_size = fxt_i_engine.header.rolling_size *
                        (fxt_i_engine.mode == TRACE_BUFFERING_MODE_ONESHOT ? 1 : 2);
    out->records_dropped = fxt_i_load(&fxt_i_engine.dropped);
}

/* Any thread; takes the lock of the life. */
void trace_engine_get_sizes(trace_engine_sizes_t *out)
{
    fxt_i_lock(&fxt_i_engine.life_lock);
    get_sizes(out);
    fxt_i_unlock(&fxt_i_engine.life_lock);
}

/* Any thread, wait-free. */
uint64_t trace_generate_nonce(void)
{
    static fxt_i_atomic last;
    return fxt_i_add(&last, 1) + 1;
}

trace_ticks_t trace_get_ticks(void)
{
    return fxt_i_ticks();
}

uint64_t trace_ticks_per_second(void)
{
    return fxt_i_ticks_per_second();
}

/* A traced thread. It is inside, so the handler stays valid. In a forked child there is none. The
   handler may trace and stop: it runs like a caller that holds all contexts. */
void trace_context_send_alert(trace_context_t *context, const char *alert_name)
{
    uintptr_t frame = context->frame;
    uint32_t held = context->held;

    assert(context->depth > 0);
    trace_handler_t *handler = fxt_i_engine.handler;
    if (handler == NULL)
        return;
    context->frame = FXT_I_HELD;
    context->held = context->depth;
    handler->ops->send_alert(handler, alert_name);
    context->held = held;
    context->frame = frame;
}
