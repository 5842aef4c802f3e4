#include "proofs/interleave/host.h"

struct host host;

static fxt_i_atomic news; /* tasks that were posted, and threads that have ended */
/* What the queue and the handler order: who posts releases it, who takes a task acquires it. A
   thread that ends does not. */
static fxt_i_atomic posts;

/* The handler. */

static bool on_category(trace_handler_t *handler, const char *category)
{
    (void)handler;
    (void)category;
    return true;
}

static void on_started(trace_handler_t *handler)
{
    (void)handler;
}

static void on_stopped(trace_handler_t *handler, zx_status_t disposition, size_t bytes)
{
    (void)handler;
    (void)disposition;
    (void)bytes;
    if (host.on_stopped != NULL)
        host.on_stopped();
    fxt_i_add(&posts, 1);
    host.stopped = true;
    host.changes++;
}

static void on_terminated(trace_handler_t *handler)
{
    (void)handler;
    host.terminated = true;
}

static void on_alert(trace_handler_t *handler, const char *name)
{
    (void)handler;
    (void)name;
}

static trace_handler_ops_t handler_ops = {on_category,   on_started, on_stopped,
                                          on_terminated, NULL,       on_alert};
static trace_handler_t handler = {&handler_ops};

/* The dispatcher. */

static async_task_t *tasks;

static zx_status_t post_task(async_dispatcher_t *dispatcher, async_task_t *task)
{
    (void)dispatcher;
    for (async_task_t *it = tasks; it != NULL; it = it->next)
        if (it == task)
            x_fail("a task is posted twice");
    fxt_i_add(&posts, 1);
    task->next = tasks;
    tasks = task;
    fxt_i_add(&news, 1);
    return ZX_OK;
}

static zx_status_t cancel_task(async_dispatcher_t *dispatcher, async_task_t *task)
{
    (void)dispatcher;
    for (async_task_t **it = &tasks; *it != NULL; it = &(*it)->next)
        if (*it == task) {
            *it = task->next;
            return ZX_OK;
        }
    return ZX_ERR_NOT_FOUND;
}

static const struct async_ops async_ops = {post_task, cancel_task, NULL, NULL};
static async_dispatcher_t dispatcher = {&async_ops};

/* The first task that has a time. */
static bool run_task(bool waits)
{
    async_task_t *task = tasks;

    while (task != NULL && task->deadline == INT64_MAX)
        task = task->next;
    if (task == NULL)
        return false;
    fxt_i_add(&posts, 0);
    if (x_touch != NULL)
        x_touch(task, sizeof *task, X_READS);
    cancel_task(&dispatcher, task);
    if (task->deadline != 0 && waits)
        x_sleep();
    task->handler(&dispatcher, task, ZX_OK);
    return true;
}

bool host_run_task(void)
{
    return run_task(false);
}

void host_run_until(const bool *told)
{
    for (int i = 0; i < 1000 && !*told; i++)
        run_task(false);
    if (!*told)
        x_fail("it does not stop");
}

void host_dispatch(bool (*saves)(void))
{
    for (;;) {
        if (run_task(true) || (!host.stopped && saves()))
            continue;
        if (host.ended == host.writers)
            break;
        x_await(&news);
    }
}

/* Of writers. */

void host_ends(void)
{
    fxt_i_add(&news, 1);
    host.ended++;
}

void host_start(trace_start_mode_t mode)
{
    host.starting = true; /* from here on, no other thread starts */
    fxt_i_add(&posts, 0);
    host.stopped = false;
    if (trace_engine_start(mode) != ZX_OK)
        x_fail("no start");
    host.starting = false;
    host.changes++;
}

bool host_site_is_on(struct trace_i_site *site, const char *category)
{
    uintptr_t state = x_load(&site->site.state, sizeof site->site.state, X_RELAXED);
    uintptr_t flags = state & TRACE_SITE_FLAGS_MASK;

    if (flags == TRACE_SITE_DISABLED)
        return false;
    return flags == TRACE_SITE_ENABLED ||
           trace_i_site_enabled(site, &trace_i_this_module, category);
}

bool host_is_off(void)
{
    return host.starting || fxt_i_engine.state.value != TRACE_STARTED;
}

void host_begin(int writers, trace_buffering_mode_t mode, void *buffer, size_t bytes,
                void (*on_full)(trace_handler_t *, uint32_t, uint64_t))
{
    host = (struct host){.writers = writers};
    tasks = NULL;
    news.value = 0;
    posts.value = 0;
    handler_ops.notify_buffer_full = on_full;
    if (trace_engine_initialize(&dispatcher, &handler, mode, buffer, bytes) != ZX_OK ||
        trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER) != ZX_OK)
        x_fail("no engine");
}
