/* The loop of <lib/async-loop/loop.h>, on libuv. It has a list of tasks by deadline under a
   mutex, an async handle that wakes the loop when the list changes, and a timer for the first
   deadline. Waits are in an epoll set of their own, which the loop polls. So any thread can begin
   a wait, and no memory is needed.

   The loop works in rounds: the tasks that are due when the round begins (`due`), then at most one
   wait, then libuv's timers. So neither a task that posts itself nor a descriptor that is always
   ready keeps the others, or the end of a run, waiting.

   Any thread may post, cancel and wait, also in a task: the mutex protects the lists and flags,
   and handlers are called without it. Only the thread that runs the loop touches libuv's own
   state, except through uv_async_send. One thread at a time runs the loop (`running`). One thread
   creates, starts, joins, shuts down and destroys it, or the program orders these calls. `once`
   and `done_one` belong to the running thread; they are set under the mutex before it runs. */
#include <assert.h>
#include <lib/async-loop/loop.h>

#include <pthread.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "src/socket/signals.h"
#include "src/socket/socket.h"

struct async_loop {
    async_dispatcher_t dispatcher; /* first, so that a dispatcher pointer is a loop pointer */
    uv_loop_t uv;
    uv_async_t wake;
    uv_timer_t timer; /* for the first of `tasks` */
    uv_timer_t until; /* for the deadline of a run */
    pthread_mutex_t lock;
    sigset_t signals;    /* of the thread that holds the lock: its mask before */
    int cancel;          /* and whether it may be cancelled otherwise */
    async_task_t *tasks; /* by deadline, then in the order of posting */
    async_task_t *due;   /* taken out of `tasks` for this round */
    async_wait_t *waits;
    int epoll;
    uv_poll_t poll; /* of `epoll` */
    pthread_t thread;
    pid_t owner; /* the creating process: a forked child must not use it */
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

/* Meanwhile the thread receives no signal, whose handler may trace and ask this loop for work, and is
   not cancelled: it writes to wake the loop. */
static void lock_loop(async_loop_t *loop)
{
    sigset_t before;
    int cancel;
    fxt_i_signals_block(&before);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    pthread_mutex_lock(&loop->lock);
    loop->signals = before;
    loop->cancel = cancel;
}

static void unlock_loop(async_loop_t *loop)
{
    sigset_t before = loop->signals;
    int cancel = loop->cancel;
    pthread_mutex_unlock(&loop->lock);
    pthread_setcancelstate(cancel, NULL);
    fxt_i_signals_restore(&before);
}

static zx_time_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Any thread; the mutex. */
static zx_status_t post_task(async_dispatcher_t *dispatcher, async_task_t *task)
{
    async_loop_t *loop = (async_loop_t *)(void *)dispatcher;
    zx_status_t status = ZX_ERR_BAD_STATE;

    lock_loop(loop);
    if (!loop->shut_down) {
        async_task_t **at = &loop->tasks;
        while (*at != NULL && (*at)->deadline <= task->deadline)
            at = &(*at)->next;
        task->next = *at;
        *at = task;
        status = ZX_OK;
        uv_async_send(&loop->wake);
    }
    unlock_loop(loop);
    return status;
}

static bool unlink_task(async_task_t **at, const async_task_t *task)
{
    while (*at != NULL && *at != task)
        at = &(*at)->next;
    if (*at == NULL)
        return false;
    *at = task->next;
    return true;
}

/* Any thread; the mutex. A task that is being called is in no list any more. */
static zx_status_t cancel_task(async_dispatcher_t *dispatcher, async_task_t *task)
{
    async_loop_t *loop = (async_loop_t *)(void *)dispatcher;

    lock_loop(loop);
    bool found = unlink_task(&loop->due, task) || unlink_task(&loop->tasks, task);
    unlock_loop(loop);
    return found ? ZX_OK : ZX_ERR_NOT_FOUND;
}

static zx_status_t status_of(int error)
{
    switch (error) {
    case 0:
        return ZX_OK;
    case EEXIST:
        return ZX_ERR_ALREADY_EXISTS;
    case EPERM:
        return ZX_ERR_NOT_SUPPORTED;
    case EBADF:
        return ZX_ERR_INVALID_ARGS;
    default:
        return ZX_ERR_NO_RESOURCES;
    }
}

/* Any thread; the mutex. */
static zx_status_t begin_wait(async_dispatcher_t *dispatcher, async_wait_t *wait)
{
    async_loop_t *loop = (async_loop_t *)(void *)dispatcher;
    struct epoll_event event = {.events = EPOLLONESHOT, .data = {.ptr = wait}};
    zx_status_t status = ZX_ERR_BAD_STATE;

    event.events |= (wait->events & POLLIN) != 0 ? EPOLLIN : 0u;
    event.events |= (wait->events & POLLOUT) != 0 ? EPOLLOUT : 0u;
    lock_loop(loop);
    if (!loop->shut_down) {
        int failed = epoll_ctl(loop->epoll, EPOLL_CTL_ADD, wait->descriptor, &event);
        status = status_of(failed != 0 ? errno : 0);
    }
    if (status == ZX_OK) {
        wait->next = loop->waits;
        wait->back = &loop->waits;
        if (wait->next != NULL)
            wait->next->back = &wait->next;
        loop->waits = wait;
    }
    unlock_loop(loop);
    return status;
}

/* The caller holds the lock. */
static void forget_wait(async_loop_t *loop, async_wait_t *wait)
{
    assert(*wait->back == wait);
    epoll_ctl(loop->epoll, EPOLL_CTL_DEL, wait->descriptor, NULL);
    *wait->back = wait->next;
    if (wait->next != NULL)
        wait->next->back = wait->back;
}

/* Any thread; the mutex. The fields of a wait that has not begun may be anything. */
static zx_status_t cancel_wait(async_dispatcher_t *dispatcher, async_wait_t *wait)
{
    async_loop_t *loop = (async_loop_t *)(void *)dispatcher;

    lock_loop(loop);
    const async_wait_t *at = loop->waits;
    while (at != NULL && at != wait)
        at = at->next;
    bool found = at != NULL;
    if (found)
        forget_wait(loop, wait);
    unlock_loop(loop);
    return found ? ZX_OK : ZX_ERR_NOT_FOUND;
}

static const struct async_ops ops = {post_task, cancel_task, begin_wait, cancel_wait};

/* The thread that runs the loop, or shuts it down; the mutex. Tasks that an earlier round left,
   since its run had to return, come first. */
static void begin_round(async_loop_t *loop, zx_time_t by)
{
    lock_loop(loop);
    async_task_t **at = &loop->due;
    while (*at != NULL)
        at = &(*at)->next;
    *at = loop->tasks;
    while (*at != NULL && (*at)->deadline <= by)
        at = &(*at)->next;
    loop->tasks = *at;
    *at = NULL;
    unlock_loop(loop);
}

/* The thread that runs the loop, or shuts it down; the mutex. The round's next task, or NULL. */
static async_task_t *take_due(async_loop_t *loop)
{
    lock_loop(loop);
    async_task_t *task = loop->due;
    if (task != NULL)
        loop->due = task->next;
    unlock_loop(loop);
    return task;
}

/* Any thread; the mutex. When the next round is due. */
static zx_time_t first_deadline(async_loop_t *loop)
{
    lock_loop(loop);
    zx_time_t deadline = loop->tasks != NULL ? loop->tasks->deadline : ZX_TIME_INFINITE;
    unlock_loop(loop);
    return deadline;
}

/* The thread that runs the loop; the mutex. */
static bool must_return(async_loop_t *loop)
{
    lock_loop(loop);
    bool now = loop->quit || loop->shut_down || (loop->once && loop->done_one);
    unlock_loop(loop);
    return now;
}

/* Whether a handler was called. */
static bool run_due(async_loop_t *loop)
{
    bool any = false;
    async_task_t *task;

    begin_round(loop, now_ns());
    while (!must_return(loop) && (task = take_due(loop)) != NULL) {
        task->handler(&loop->dispatcher, task, ZX_OK);
        loop->done_one = true;
        any = true;
    }
    return any;
}

static void on_timer(uv_timer_t *timer);

/* Starts the timer even if the deadline has passed by `now`. */
static void start_timer(uv_timer_t *timer, uv_timer_cb on_end, zx_time_t deadline, zx_time_t now)
{
    uint64_t ms = deadline > now ? (uint64_t)(deadline - now) / 1000000 + 1 : 0;
    uv_timer_start(timer, on_end, ms, 0);
}

/* If the next round is due now, no timer begins it: libuv would run that timer before it polls. */
static void run_round(async_loop_t *loop)
{
    run_due(loop);
    zx_time_t now = now_ns();
    zx_time_t deadline = first_deadline(loop);
    if (must_return(loop))
        uv_stop(&loop->uv);
    else if (deadline <= now)
        uv_async_send(&loop->wake);
    else if (deadline != ZX_TIME_INFINITE)
        start_timer(&loop->timer, on_timer, deadline, now);
}

static void on_timer(uv_timer_t *timer)
{
    run_round(timer->data);
}

/* POLL* and EPOLL* have the same values. */
static short poll_events(uint32_t events)
{
    return (short)(events & (POLLIN | POLLOUT | POLLERR | POLLHUP));
}

/* The thread that runs the loop; the mutex. One wait, taken out of the list, whose descriptor is
   ready; or NULL. */
static async_wait_t *take_ready(async_loop_t *loop, short *events)
{
    struct epoll_event event;
    async_wait_t *wait = NULL;

    lock_loop(loop);
    if (epoll_wait(loop->epoll, &event, 1, 0) == 1) {
        wait = event.data.ptr;
        *events = poll_events(event.events);
        forget_wait(loop, wait);
    }
    unlock_loop(loop);
    return wait;
}

/* Whether a handler was called. libuv calls on_ready again if more descriptors are ready. */
static bool run_ready(async_loop_t *loop)
{
    short events = 0;
    async_wait_t *wait = must_return(loop) ? NULL : take_ready(loop, &events);

    if (wait == NULL)
        return false;
    wait->handler(&loop->dispatcher, wait, ZX_OK, events);
    loop->done_one = true;
    return true;
}

/* Whether a handler was called. */
static bool run_both(async_loop_t *loop)
{
    bool any = run_due(loop);
    return run_ready(loop) || any;
}

static void on_ready(uv_poll_t *poll, int status, int events)
{
    (void)status;
    (void)events;
    async_loop_t *loop = poll->data;
    run_ready(loop);
    if (must_return(loop))
        uv_stop(&loop->uv);
}

static void on_wake(uv_async_t *wake)
{
    run_round(wake->data);
}

static bool create_in_loop(async_loop_t *loop)
{
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (loop->epoll < 0)
        return false;
    if (uv_async_init(&loop->uv, &loop->wake, on_wake) == 0) {
        if (uv_poll_init(&loop->uv, &loop->poll, loop->epoll) == 0)
            return true;
        uv_close((uv_handle_t *)&loop->wake, NULL);
        uv_run(&loop->uv, UV_RUN_DEFAULT);
    }
    close(loop->epoll);
    return false;
}

zx_status_t async_loop_create(const async_loop_config_t *config, async_loop_t **out_loop)
{
    async_loop_t *loop = calloc(1, sizeof *loop);

    (void)config;
    if (loop == NULL)
        return ZX_ERR_NO_MEMORY;
    if (fxt_i_socket_before_loop() != 0 || uv_loop_init(&loop->uv) != 0) {
        free(loop);
        return ZX_ERR_NO_RESOURCES;
    }
    if (!create_in_loop(loop)) {
        uv_loop_close(&loop->uv);
        free(loop);
        return ZX_ERR_NO_RESOURCES;
    }
    uv_timer_init(&loop->uv, &loop->timer);
    uv_timer_init(&loop->uv, &loop->until);
    loop->wake.data = loop;
    loop->timer.data = loop;
    loop->poll.data = loop;
    uv_poll_start(&loop->poll, UV_READABLE, on_ready);
    loop->dispatcher.ops = &ops;
    loop->owner = getpid();
    pthread_mutex_init(&loop->lock, NULL);
    *out_loop = loop;
    return ZX_OK;
}

static void on_deadline(uv_timer_t *timer)
{
    uv_stop(timer->loop);
}

static void ignore_closed(uv_handle_t *handle)
{
    (void)handle;
}

static zx_status_t begin_run(async_loop_t *loop, bool once)
{
    zx_status_t status = ZX_OK;

    lock_loop(loop);
    if (loop->shut_down || loop->running)
        status = ZX_ERR_BAD_STATE;
    else if (loop->quit)
        status = ZX_ERR_CANCELED;
    if (status == ZX_OK) { /* else these are another thread's */
        loop->running = true;
        loop->once = once;
        loop->done_one = false;
    }
    unlock_loop(loop);
    return status;
}

static zx_status_t end_run(async_loop_t *loop)
{
    zx_status_t status = ZX_ERR_TIMED_OUT;

    lock_loop(loop);
    assert(loop->running);
    loop->running = false;
    if (loop->quit || loop->shut_down)
        status = ZX_ERR_CANCELED;
    else if (loop->once && loop->done_one)
        status = ZX_OK;
    unlock_loop(loop);
    return status;
}

/* Any thread, one at a time: begin_run refuses a second one. */
zx_status_t async_loop_run(async_loop_t *loop, zx_time_t deadline, bool once)
{
    zx_status_t status = begin_run(loop, once);

    if (status != ZX_OK)
        return status;
    uv_update_time(&loop->uv);
    if (deadline != ZX_TIME_INFINITE)
        start_timer(&loop->until, on_deadline, deadline, now_ns());
    run_both(loop); /* even if the deadline has passed: libuv may then end before it polls */
    uv_async_send(&loop->wake);
    uv_run(&loop->uv, UV_RUN_DEFAULT);
    uv_timer_stop(&loop->until);
    return end_run(loop);
}

zx_status_t async_loop_run_until_idle(async_loop_t *loop)
{
    zx_status_t status = begin_run(loop, false);

    if (status != ZX_OK)
        return status;
    while (run_both(loop)) {
    }
    status = end_run(loop);
    return status == ZX_ERR_TIMED_OUT ? ZX_OK : status;
}

/* Any thread; the mutex. */
static void set_and_wake(async_loop_t *loop, bool *flag)
{
    lock_loop(loop);
    *flag = true;
    uv_async_send(&loop->wake);
    unlock_loop(loop);
}

void async_loop_quit(async_loop_t *loop)
{
    set_and_wake(loop, &loop->quit);
}

zx_status_t async_loop_reset_quit(async_loop_t *loop)
{
    lock_loop(loop);
    zx_status_t status = loop->running || loop->shut_down ? ZX_ERR_BAD_STATE : ZX_OK;
    if (status == ZX_OK)
        loop->quit = false;
    unlock_loop(loop);
    return status;
}

static void *run_thread(void *self)
{
    async_loop_t *loop = self;
    if (loop->name[0] != '\0')
        pthread_setname_np(pthread_self(), loop->name);
    async_loop_run(loop, ZX_TIME_INFINITE, false);
    return NULL;
}

static bool create_thread(async_loop_t *loop)
{
    sigset_t before;
    fxt_i_signals_block(&before);
    bool good = pthread_create(&loop->thread, NULL, run_thread, loop) == 0;
    fxt_i_signals_restore(&before);
    return good;
}

/* The thread that owns the loop. The new thread sees what comes before pthread_create. */
zx_status_t async_loop_start_thread(async_loop_t *loop, const char *name, thrd_t *out_thread)
{
    if (loop->has_thread || loop->shut_down)
        return ZX_ERR_BAD_STATE;
    for (size_t i = 0; name != NULL && name[i] != '\0' && i + 1 < sizeof loop->name; i++)
        loop->name[i] = name[i];
    loop->has_thread = true; /* set first: the new thread reads neighbouring fields */
    if (!create_thread(loop)) {
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

static async_wait_t *take_wait(async_loop_t *loop)
{
    lock_loop(loop);
    async_wait_t *wait = loop->waits;
    if (wait != NULL)
        forget_wait(loop, wait);
    unlock_loop(loop);
    return wait;
}

/* The thread that owns the loop; behind the join nobody runs it, and with `shut_down` nothing more
   is taken in. */
void async_loop_shutdown(async_loop_t *loop)
{
    async_task_t *task;
    async_wait_t *wait;

    if (loop->owner != getpid())
        return;
    set_and_wake(loop, &loop->shut_down);
    async_loop_join_threads(loop);
    while ((wait = take_wait(loop)) != NULL)
        wait->handler(&loop->dispatcher, wait, ZX_ERR_CANCELED, 0);
    begin_round(loop, ZX_TIME_INFINITE);
    while ((task = take_due(loop)) != NULL)
        task->handler(&loop->dispatcher, task, ZX_ERR_CANCELED);
}

void async_loop_destroy(async_loop_t *loop)
{
    if (loop == NULL || loop->owner != getpid())
        return;
    async_loop_shutdown(loop);
    assert(loop->tasks == NULL && loop->due == NULL && loop->waits == NULL);
    uv_close((uv_handle_t *)&loop->wake, ignore_closed);
    uv_close((uv_handle_t *)&loop->timer, ignore_closed);
    uv_close((uv_handle_t *)&loop->until, ignore_closed);
    uv_close((uv_handle_t *)&loop->poll, ignore_closed);
    uv_run(&loop->uv, UV_RUN_DEFAULT);
    uv_loop_close(&loop->uv);
    close(loop->epoll);
    pthread_mutex_destroy(&loop->lock);
    free(loop);
}

async_dispatcher_t *async_loop_get_dispatcher(async_loop_t *loop)
{
    return &loop->dispatcher;
}
