/* The loop of <lib/async-loop/loop.h>, on ppoll(2): lists of tasks and waits under a mutex, and a
   timer that ends the poll when a list changes.

   The program may close the timer's descriptor, as a daemon closes all, and get its number for a file.
   So the loop writes to no descriptor: timerfd_settime(2) fails on everything but a timer, and the
   interval of this one is a mark. A loop that has lost its timer makes another. Nothing can end a poll
   whose timer is closed, so none takes longer than 2 s after something was done, and than twice the
   last one, up to 8 s, while nothing is.

   The loop works in rounds: the tasks that are due when the round begins (`due`), then one poll, then
   the waits that it found (`ready`). So neither a task that posts itself nor a descriptor that is
   always ready keeps the others, or the end of a run, waiting.

   The poll only selects waits: each is polled once more, alone, before its handler is called, since
   an earlier handler may have changed it. So a poll that fails, or finds no memory for its array, selects
   all of them, after a short sleep. Nothing else here can fail after the creation of the loop, and a
   wait needs no memory.

   Any thread may post, cancel and begin a wait, also in a task: the mutex protects the lists and
   flags, and handlers are called without it. `polled` belongs to the thread that runs the loop. One
   thread at a time does so (`running`). One thread creates, starts, joins, shuts down and destroys
   it, or the program orders these calls. `once`, `done_one` and `poll_ns` belong to the
   running thread; they are set under the mutex before it runs. */
#include <assert.h>
#include <lib/async-loop/loop.h>

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "src/loop/now.h"
#include "src/socket/signals.h"
#include "src/socket/socket.h"

#define SECOND_NS INT64_C(1000000000)
#define LOOK_NS INT64_C(10000000) /* between looks at all descriptors if they cannot be polled */
#define POLL_NS (2 * SECOND_NS)
#define POLL_NS_MAX (8 * SECOND_NS)
#define MARK_SECONDS (INT64_C(1) << 30) /* 34 years */
#define ROOM_FIRST 8                    /* descriptors for which no memory is needed */

struct async_loop {
    async_dispatcher_t dispatcher; /* first, so that a dispatcher pointer is a loop pointer */
    pthread_mutex_t lock;
    sigset_t signals;    /* of the thread that holds the lock: its mask before */
    int cancel;          /* and whether it may be cancelled otherwise */
    async_task_t *tasks; /* by deadline, then in the order of posting */
    async_task_t *due;   /* taken out of `tasks` for this round */
    async_wait_t *waits; /* in the order in which they began */
    async_wait_t *ready; /* taken out of `waits` for this round */
    int wake;            /* a timerfd, or -1 */
    bool polling;        /* the running thread must be woken */
    zx_time_t poll_ns;   /* the most that a poll takes */
    struct pollfd first[ROOM_FIRST];
    struct pollfd *polled; /* `wake`, then the first of `waits` */
    size_t room;
    size_t wanted; /* room, by the last poll */
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
   not cancelled: it makes system calls to wake the loop. */
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
    return (zx_time_t)fxt_i_now_ns();
}

/* By which a loop knows its own timer. */
static struct timespec mark_of(const async_loop_t *loop)
{
    return (struct timespec){MARK_SECONDS, (long)((uintptr_t)loop / 16 % 1000000000)};
}

static bool has_timer(const async_loop_t *loop)
{
    const struct timespec mark = mark_of(loop);
    struct itimerspec now;

    return timerfd_gettime(loop->wake, &now) == 0 && now.it_interval.tv_sec == mark.tv_sec &&
           now.it_interval.tv_nsec == mark.tv_nsec;
}

/* The timer is readable when `first` is over, until it is set again. */
static bool set_timer(const async_loop_t *loop, struct timespec first)
{
    const struct itimerspec at = {.it_interval = mark_of(loop), .it_value = first};
    return timerfd_settime(loop->wake, 0, &at, NULL) == 0;
}

/* Without a timer, the loop still learns of all when a poll ends. */
static void make_timer(async_loop_t *loop)
{
    loop->wake = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (loop->wake >= 0 && !set_timer(loop, mark_of(loop))) {
        close(loop->wake);
        loop->wake = -1;
    }
}

/* The caller holds the lock. */
static void wake_loop(async_loop_t *loop)
{
    if (loop->polling && has_timer(loop) && set_timer(loop, (struct timespec){.tv_nsec = 1}))
        loop->polling = false;
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
        wake_loop(loop);
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

/* The caller holds the lock. */
static bool has_wait_for(const async_wait_t *list, int descriptor)
{
    while (list != NULL && list->descriptor != descriptor)
        list = list->next;
    return list != NULL;
}

static async_wait_t **end_of(async_wait_t **list)
{
    while (*list != NULL)
        list = &(*list)->next;
    return list;
}

static bool unlink_wait(async_wait_t **at, const async_wait_t *wait)
{
    while (*at != NULL && *at != wait)
        at = &(*at)->next;
    if (*at == NULL)
        return false;
    *at = wait->next;
    return true;
}

/* A file is always ready, so poll(2) never waits for it. */
static zx_status_t look_at_descriptor(int descriptor)
{
    struct stat it;

    if (fstat(descriptor, &it) != 0)
        return errno == EBADF ? ZX_ERR_INVALID_ARGS : ZX_OK;
    return S_ISREG(it.st_mode) || S_ISDIR(it.st_mode) || S_ISBLK(it.st_mode) ? ZX_ERR_NOT_SUPPORTED
                                                                             : ZX_OK;
}

/* Any thread; the mutex. */
static zx_status_t begin_wait(async_dispatcher_t *dispatcher, async_wait_t *wait)
{
    async_loop_t *loop = (async_loop_t *)(void *)dispatcher;
    zx_status_t status = look_at_descriptor(wait->descriptor);

    lock_loop(loop);
    if (loop->shut_down)
        status = ZX_ERR_BAD_STATE;
    else if (has_wait_for(loop->waits, wait->descriptor) ||
             has_wait_for(loop->ready, wait->descriptor))
        status = ZX_ERR_ALREADY_EXISTS;
    if (status == ZX_OK) {
        wait->next = NULL;
        *end_of(&loop->waits) = wait;
        wake_loop(loop);
    }
    unlock_loop(loop);
    return status;
}

/* Any thread; the mutex. The fields of a wait that has not begun may be anything. */
static zx_status_t cancel_wait(async_dispatcher_t *dispatcher, async_wait_t *wait)
{
    async_loop_t *loop = (async_loop_t *)(void *)dispatcher;

    lock_loop(loop);
    bool found = unlink_wait(&loop->ready, wait) || unlink_wait(&loop->waits, wait);
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

/* The thread that runs the loop; the mutex. */
static bool must_return(async_loop_t *loop)
{
    lock_loop(loop);
    bool now = loop->quit || loop->shut_down || (loop->once && loop->done_one);
    unlock_loop(loop);
    return now;
}

/* A round, on the thread that runs the loop. */

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

/* Without memory, `polled` stays too small. */
static void make_room(async_loop_t *loop)
{
    if (loop->wanted <= loop->room)
        return;
    struct pollfd *more = calloc(2 * loop->wanted, sizeof *more);
    if (more == NULL)
        return;
    if (loop->polled != loop->first)
        free(loop->polled);
    loop->polled = more;
    loop->room = 2 * loop->wanted;
}

/* The mutex. Waits that the last round has not served come first. Sets *deadline to the end of the
   poll. */
static void begin_poll(async_loop_t *loop, zx_time_t *deadline)
{
    const zx_time_t look = now_ns() + loop->poll_ns;
    size_t count = 1;

    *deadline = look < *deadline ? look : *deadline;
    lock_loop(loop);
    if (!has_timer(loop))
        make_timer(loop);
    *end_of(&loop->ready) = loop->waits;
    loop->waits = loop->ready;
    loop->ready = NULL;
    loop->polled[0] = (struct pollfd){.fd = loop->wake, .events = POLLIN};
    for (const async_wait_t *wait = loop->waits; wait != NULL; wait = wait->next, count++)
        if (count < loop->room)
            loop->polled[count] = (struct pollfd){.fd = wait->descriptor, .events = wait->events};
    if (loop->quit || loop->shut_down)
        *deadline = 0;
    else if (loop->tasks != NULL && loop->tasks->deadline < *deadline)
        *deadline = loop->tasks->deadline;
    loop->wanted = count;
    loop->polling = true;
    unlock_loop(loop);
}

/* Returns how many descriptors were polled: 0 if the poll failed, or has no room for all. */
static size_t poll_until(async_loop_t *loop, zx_time_t deadline)
{
    zx_time_t now = now_ns();
    zx_time_t left = deadline > now ? deadline - now : 0;
    struct timespec time = {(time_t)(left / SECOND_NS), (long)(left % SECOND_NS)};

    errno = ENOMEM;
    if (loop->wanted <= loop->room && ppoll(loop->polled, loop->wanted, &time, NULL) >= 0)
        return loop->wanted;
    if (errno != EINTR) {
        time = (struct timespec){.tv_nsec = left < LOOK_NS ? (long)left : LOOK_NS};
        nanosleep(&time, NULL);
    }
    return 0;
}

/* The mutex. Selects the waits that are ready, or were not polled. Those that others have begun
   meanwhile are behind the others. */
static void end_poll(async_loop_t *loop, size_t count)
{
    async_wait_t **end = &loop->ready;
    async_wait_t **at = &loop->waits;

    lock_loop(loop);
    loop->polling = false;
    if ((count == 0 || loop->polled[0].revents != 0) && has_timer(loop))
        set_timer(loop, mark_of(loop));
    for (size_t i = 1; *at != NULL; i++) {
        async_wait_t *wait = *at;
        if (i < count && loop->polled[i].revents == 0) {
            at = &wait->next;
            continue;
        }
        *at = wait->next;
        wait->next = NULL;
        *end = wait;
        end = &wait->next;
    }
    unlock_loop(loop);
}

/* The mutex. A wait, taken out of the lists, whose descriptor is ready; or NULL. */
static async_wait_t *take_ready(async_loop_t *loop, short *events)
{
    async_wait_t *wait;
    bool found = false;

    lock_loop(loop);
    while (!found && (wait = loop->ready) != NULL) {
        struct pollfd it = {.fd = wait->descriptor, .events = wait->events};
        loop->ready = wait->next;
        wait->next = NULL;
        found = poll(&it, 1, 0) == 1;
        *events = it.revents;
        if (!found)
            *end_of(&loop->waits) = wait;
    }
    unlock_loop(loop);
    return found ? wait : NULL;
}

/* Whether a handler was called. */
static bool run_ready(async_loop_t *loop)
{
    bool any = false;
    async_wait_t *wait;
    short events;

    while (!must_return(loop) && (wait = take_ready(loop, &events)) != NULL) {
        wait->handler(&loop->dispatcher, wait, ZX_OK, events);
        loop->done_one = true;
        any = true;
    }
    return any;
}

/* One round, which waits until `deadline` for something to do. Whether a handler was called. */
static bool run_round(async_loop_t *loop, zx_time_t deadline)
{
    bool any = run_due(loop);
    if (must_return(loop))
        return any;
    make_room(loop);
    begin_poll(loop, &deadline);
    end_poll(loop, poll_until(loop, deadline));
    any = run_ready(loop) || any;
    loop->poll_ns = any ? POLL_NS : 2 * loop->poll_ns;
    if (loop->poll_ns > POLL_NS_MAX)
        loop->poll_ns = POLL_NS_MAX;
    return any;
}

zx_status_t async_loop_create(const async_loop_config_t *config, async_loop_t **out_loop)
{
    async_loop_t *loop = calloc(1, sizeof *loop);

    (void)config;
    if (loop == NULL)
        return ZX_ERR_NO_MEMORY;
    fxt_i_socket_open_standard();
    make_timer(loop);
    if (loop->wake < 0) {
        free(loop);
        return ZX_ERR_NO_RESOURCES;
    }
    loop->polled = loop->first;
    loop->room = ROOM_FIRST;
    loop->poll_ns = POLL_NS;
    loop->dispatcher.ops = &ops;
    loop->owner = getpid();
    pthread_mutex_init(&loop->lock, NULL);
    *out_loop = loop;
    return ZX_OK;
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
    zx_time_t now;
    do {
        now = now_ns();
        run_round(loop, deadline);
    } while (!must_return(loop) && now < deadline); /* what is due before the deadline is run */
    return end_run(loop);
}

zx_status_t async_loop_run_until_idle(async_loop_t *loop)
{
    zx_status_t status = begin_run(loop, false);

    if (status != ZX_OK)
        return status;
    while (run_round(loop, 0) && !must_return(loop)) {
    }
    status = end_run(loop);
    return status == ZX_ERR_TIMED_OUT ? ZX_OK : status;
}

/* Any thread; the mutex. */
static void set_and_wake(async_loop_t *loop, bool *flag)
{
    lock_loop(loop);
    *flag = true;
    wake_loop(loop);
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

/* Any thread; the mutex. */
static async_wait_t *take_wait(async_loop_t *loop)
{
    lock_loop(loop);
    async_wait_t **list = loop->ready != NULL ? &loop->ready : &loop->waits;
    async_wait_t *wait = *list;
    if (wait != NULL)
        *list = wait->next;
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
    assert(loop->tasks == NULL && loop->due == NULL && loop->waits == NULL && loop->ready == NULL);
    if (has_timer(loop))
        close(loop->wake);
    if (loop->polled != loop->first)
        free(loop->polled);
    pthread_mutex_destroy(&loop->lock);
    free(loop);
}

async_dispatcher_t *async_loop_get_dispatcher(async_loop_t *loop)
{
    return &loop->dispatcher;
}
