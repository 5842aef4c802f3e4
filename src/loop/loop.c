/* The loop of <lib/async-loop/loop.h>, on libuv: a list of tasks by deadline under a mutex, an
   async handle that wakes the loop when the list changes, a timer for the first deadline. */
#include <lib/async-loop/loop.h>

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <uv.h>

struct async_loop {
    async_dispatcher_t dispatcher; /* first: a dispatcher is its loop */
    uv_loop_t uv;
    uv_async_t wake;
    uv_timer_t timer;
    pthread_mutex_t lock;
    async_task_t *tasks; /* by deadline; the first posted first */
    pthread_t thread;
    bool has_thread;
    bool running;
    bool quit;
    bool shut_down;
    bool once;
    bool done_one;
    char name[16];
};

const async_loop_config_t kAsyncLoopConfigNoAttachToThread = {false};
const async_loop_config_t kAsyncLoopConfigAttachToThread = {true};

static zx_time_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static zx_status_t post_task(async_dispatcher_t *dispatcher, async_task_t *task)
{
    async_loop_t *loop = (async_loop_t *)(void *)dispatcher;
    zx_status_t status = ZX_ERR_BAD_STATE;

    pthread_mutex_lock(&loop->lock);
    if (!loop->shut_down) {
        async_task_t **at = &loop->tasks;
        while (*at != NULL && (*at)->deadline <= task->deadline)
            at = &(*at)->next;
        task->next = *at;
        *at = task;
        status = ZX_OK;
        uv_async_send(&loop->wake);
    }
    pthread_mutex_unlock(&loop->lock);
    return status;
}

static zx_status_t cancel_task(async_dispatcher_t *dispatcher, async_task_t *task)
{
    async_loop_t *loop = (async_loop_t *)(void *)dispatcher;

    pthread_mutex_lock(&loop->lock);
    async_task_t **at = &loop->tasks;
    while (*at != NULL && *at != task)
        at = &(*at)->next;
    bool found = *at != NULL;
    if (found)
        *at = task->next;
    pthread_mutex_unlock(&loop->lock);
    return found ? ZX_OK : ZX_ERR_NOT_FOUND;
}

static const struct async_ops ops = {post_task, cancel_task};

/* The first task, when it is due, taken out of the list; or NULL, and in how many milliseconds the
   first one is. */
static async_task_t *take_due(async_loop_t *loop, zx_time_t by, uint64_t *wait_ms)
{
    *wait_ms = UINT64_MAX;
    pthread_mutex_lock(&loop->lock);
    async_task_t *task = loop->tasks;
    if (task != NULL && task->deadline > by) {
        if (task->deadline != ZX_TIME_INFINITE)
            *wait_ms = (uint64_t)(task->deadline - by) / 1000000 + 1;
        task = NULL;
    }
    if (task != NULL)
        loop->tasks = task->next;
    pthread_mutex_unlock(&loop->lock);
    return task;
}

static bool must_return(async_loop_t *loop)
{
    pthread_mutex_lock(&loop->lock);
    bool now = loop->quit || loop->shut_down || (loop->once && loop->done_one);
    pthread_mutex_unlock(&loop->lock);
    return now;
}

static void on_timer(uv_timer_t *timer);

/* Calls what is due. */
static void run_due(async_loop_t *loop)
{
    uint64_t wait_ms = 0;
    async_task_t *task;

    while (!must_return(loop) && (task = take_due(loop, now_ns(), &wait_ms)) != NULL) {
        task->handler(&loop->dispatcher, task, ZX_OK);
        loop->done_one = true;
    }
    if (must_return(loop))
        uv_stop(&loop->uv);
    else if (wait_ms != UINT64_MAX)
        uv_timer_start(&loop->timer, on_timer, wait_ms, 0);
}

static void on_timer(uv_timer_t *timer)
{
    run_due(timer->data);
}

static void on_wake(uv_async_t *wake)
{
    run_due(wake->data);
}

zx_status_t async_loop_create(const async_loop_config_t *config, async_loop_t **out_loop)
{
    async_loop_t *loop = calloc(1, sizeof *loop);

    (void)config;
    if (loop == NULL)
        return ZX_ERR_NO_MEMORY;
    if (uv_loop_init(&loop->uv) != 0) {
        free(loop);
        return ZX_ERR_NO_RESOURCES;
    }
    if (uv_async_init(&loop->uv, &loop->wake, on_wake) != 0) {
        uv_loop_close(&loop->uv);
        free(loop);
        return ZX_ERR_NO_RESOURCES;
    }
    uv_timer_init(&loop->uv, &loop->timer);
    loop->wake.data = loop;
    loop->timer.data = loop;
    loop->dispatcher.ops = &ops;
    pthread_mutex_init(&loop->lock, NULL);
    *out_loop = loop;
    return ZX_OK;
}

static void on_deadline(uv_timer_t *timer)
{
    async_loop_t *loop = timer->data;
    uv_stop(&loop->uv);
}

static void ignore_closed(uv_handle_t *handle)
{
    (void)handle;
}

static zx_status_t begin_run(async_loop_t *loop, bool once)
{
    zx_status_t status = ZX_OK;

    pthread_mutex_lock(&loop->lock);
    if (loop->shut_down || loop->running)
        status = ZX_ERR_BAD_STATE;
    else if (loop->quit)
        status = ZX_ERR_CANCELED;
    else
        loop->running = true;
    loop->once = once;
    loop->done_one = false;
    pthread_mutex_unlock(&loop->lock);
    return status;
}

static zx_status_t end_run(async_loop_t *loop)
{
    zx_status_t status = ZX_ERR_TIMED_OUT;

    pthread_mutex_lock(&loop->lock);
    loop->running = false;
    if (loop->quit || loop->shut_down)
        status = ZX_ERR_CANCELED;
    else if (loop->once && loop->done_one)
        status = ZX_OK;
    pthread_mutex_unlock(&loop->lock);
    return status;
}

zx_status_t async_loop_run(async_loop_t *loop, zx_time_t deadline, bool once)
{
    uv_timer_t until;
    zx_time_t now = now_ns();
    zx_status_t status = begin_run(loop, once);

    if (status != ZX_OK)
        return status;
    uv_update_time(&loop->uv);
    if (deadline != ZX_TIME_INFINITE) {
        uint64_t ms = deadline > now ? (uint64_t)(deadline - now) / 1000000 + 1 : 0;
        uv_timer_init(&loop->uv, &until);
        until.data = loop;
        uv_timer_start(&until, on_deadline, ms, 0);
    }
    uv_async_send(&loop->wake);
    uv_run(&loop->uv, UV_RUN_DEFAULT);
    if (deadline != ZX_TIME_INFINITE) {
        uv_close((uv_handle_t *)&until, ignore_closed);
        uv_run(&loop->uv, UV_RUN_NOWAIT);
    }
    return end_run(loop);
}

zx_status_t async_loop_run_until_idle(async_loop_t *loop)
{
    zx_status_t status = begin_run(loop, false);
    uint64_t wait_ms;
    async_task_t *task;

    if (status != ZX_OK)
        return status;
    while (!must_return(loop) && (task = take_due(loop, now_ns(), &wait_ms)) != NULL)
        task->handler(&loop->dispatcher, task, ZX_OK);
    status = end_run(loop);
    return status == ZX_ERR_TIMED_OUT ? ZX_OK : status;
}

static void set_and_wake(async_loop_t *loop, bool *flag)
{
    pthread_mutex_lock(&loop->lock);
    *flag = true;
    uv_async_send(&loop->wake);
    pthread_mutex_unlock(&loop->lock);
}

void async_loop_quit(async_loop_t *loop)
{
    set_and_wake(loop, &loop->quit);
}

zx_status_t async_loop_reset_quit(async_loop_t *loop)
{
    pthread_mutex_lock(&loop->lock);
    zx_status_t status = loop->running || loop->shut_down ? ZX_ERR_BAD_STATE : ZX_OK;
    if (status == ZX_OK)
        loop->quit = false;
    pthread_mutex_unlock(&loop->lock);
    return status;
}

static void *run_thread(void *self)
{
    async_loop_t *loop = self;
    pthread_setname_np(pthread_self(), loop->name);
    async_loop_run(loop, ZX_TIME_INFINITE, false);
    return NULL;
}

zx_status_t async_loop_start_thread(async_loop_t *loop, const char *name, thrd_t *out_thread)
{
    if (loop->has_thread || loop->shut_down)
        return ZX_ERR_BAD_STATE;
    for (size_t i = 0; name != NULL && name[i] != '\0' && i + 1 < sizeof loop->name; i++)
        loop->name[i] = name[i];
    loop->has_thread = true; /* before there is one: it reads what stands beside this */
    if (pthread_create(&loop->thread, NULL, run_thread, loop) != 0) {
        loop->has_thread = false;
        return ZX_ERR_NO_RESOURCES;
    }
    if (out_thread != NULL)
        *out_thread = loop->thread;
    return ZX_OK;
}

void async_loop_join_threads(async_loop_t *loop)
{
    if (loop->has_thread)
        pthread_join(loop->thread, NULL);
    loop->has_thread = false;
}

void async_loop_shutdown(async_loop_t *loop)
{
    async_task_t *task;
    uint64_t wait_ms;

    set_and_wake(loop, &loop->shut_down);
    async_loop_join_threads(loop);
    while ((task = take_due(loop, ZX_TIME_INFINITE, &wait_ms)) != NULL)
        task->handler(&loop->dispatcher, task, ZX_ERR_CANCELED);
}

void async_loop_destroy(async_loop_t *loop)
{
    if (loop == NULL)
        return;
    async_loop_shutdown(loop);
    uv_close((uv_handle_t *)&loop->wake, ignore_closed);
    uv_close((uv_handle_t *)&loop->timer, ignore_closed);
    uv_run(&loop->uv, UV_RUN_DEFAULT);
    uv_loop_close(&loop->uv);
    pthread_mutex_destroy(&loop->lock);
    free(loop);
}

async_dispatcher_t *async_loop_get_dispatcher(async_loop_t *loop)
{
    return &loop->dispatcher;
}
