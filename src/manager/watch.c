/* Watches, timers and immediates. */
#include "src/manager/watch.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#define NS_OF_MS UINT64_C(1000000)

static zx_status_t begin_wait(struct fxt_i_watch *watch)
{
    return watch->wait.events == 0 ? ZX_OK : async_begin_wait(watch->dispatcher, &watch->wait);
}

/* After an error, packets that the peer sent before it are still to be read. */
static int reported_events(int events, int watched)
{
    if ((events & (POLLERR | POLLNVAL)) != 0)
        return POLLIN | POLLRDHUP;
    return events == POLLHUP ? watched : events;
}

/* Waits again first: `ready` may end the watch. */
static void on_wait(async_dispatcher_t *dispatcher, async_wait_t *wait, zx_status_t status,
                    short events)
{
    struct fxt_i_watch *watch = (struct fxt_i_watch *)(void *)wait;

    (void)dispatcher;
    if (status != ZX_OK || begin_wait(watch) != ZX_OK)
        return;
    watch->ready(watch->self, reported_events(events, wait->events));
}

static int error_of(zx_status_t status)
{
    switch (status) {
    case ZX_ERR_NOT_SUPPORTED:
        return EPERM;
    case ZX_ERR_ALREADY_EXISTS:
        return EEXIST;
    default:
        return EBADF;
    }
}

struct fxt_i_watch *fxt_i_watch_begin(async_loop_t *loop, int descriptor, int events,
                                      void (*ready)(void *self, int events), void *self)
{
    struct fxt_i_watch *watch = calloc(1, sizeof *watch);

    if (watch == NULL)
        return NULL;
    watch->dispatcher = async_loop_get_dispatcher(loop);
    watch->wait.handler = on_wait;
    watch->wait.descriptor = descriptor;
    watch->wait.events = (short)events;
    watch->ready = ready;
    watch->self = self;
    zx_status_t status = begin_wait(watch);
    if (status == ZX_OK)
        return watch;
    free(watch);
    errno = error_of(status);
    return NULL;
}

void fxt_i_watch_change(struct fxt_i_watch *watch, int events)
{
    if (watch->wait.events == events)
        return;
    async_cancel_wait(watch->dispatcher, &watch->wait);
    watch->wait.events = (short)events;
    zx_status_t status = begin_wait(watch);
    assert(status == ZX_OK); /* it could be waited for before, and it is open */
}

void fxt_i_watch_end(struct fxt_i_watch **watch)
{
    if (*watch == NULL)
        return;
    async_cancel_wait((*watch)->dispatcher, &(*watch)->wait);
    free(*watch);
    *watch = NULL;
}

static void post(struct fxt_i_timer *timer, async_task_handler_t *handler, uint64_t deadline)
{
    fxt_i_timer_stop(timer);
    timer->task.handler = handler;
    timer->task.deadline = (zx_time_t)deadline;
    timer->runs = async_post_task(timer->dispatcher, &timer->task) == ZX_OK;
}

static void on_due(async_dispatcher_t *dispatcher, async_task_t *task, zx_status_t status)
{
    struct fxt_i_timer *timer = (struct fxt_i_timer *)(void *)task;

    (void)dispatcher;
    timer->runs = false;
    if (status == ZX_OK)
        timer->due(timer->self);
}

/* If the manager stood still, packets that arrived meanwhile are handled first, in one round of the loop. */
static void on_deadline(async_dispatcher_t *dispatcher, async_task_t *task, zx_status_t status)
{
    struct fxt_i_timer *timer = (struct fxt_i_timer *)(void *)task;

    (void)dispatcher;
    timer->runs = false;
    if (status == ZX_OK)
        post(timer, on_due, 0);
}

bool fxt_i_timer_make(struct fxt_i_timer **timer, async_loop_t *loop)
{
    *timer = calloc(1, sizeof **timer);
    if (*timer == NULL)
        return false;
    (*timer)->dispatcher = async_loop_get_dispatcher(loop);
    return true;
}

bool fxt_i_timer_begin(struct fxt_i_timer **timer, async_loop_t *loop, uint64_t ms,
                       void (*due)(void *self), void *self)
{
    if (*timer == NULL && !fxt_i_timer_make(timer, loop))
        return false;
    (*timer)->due = due;
    (*timer)->self = self;
    post(*timer, on_deadline, fxt_i_now_ns() + ms * NS_OF_MS);
    return true;
}

void fxt_i_timer_stop(struct fxt_i_timer *timer)
{
    if (timer->runs)
        async_cancel_task(timer->dispatcher, &timer->task);
    timer->runs = false;
}

bool fxt_i_timer_runs(const struct fxt_i_timer *timer)
{
    return timer->runs;
}

void fxt_i_timer_end(struct fxt_i_timer **timer)
{
    if (*timer == NULL)
        return;
    fxt_i_timer_stop(*timer);
    free(*timer);
    *timer = NULL;
}

bool fxt_i_immediate_make(struct fxt_i_timer **immediate, async_loop_t *loop,
                          void (*due)(void *self), void *self)
{
    if (!fxt_i_timer_make(immediate, loop))
        return false;
    (*immediate)->due = due;
    (*immediate)->self = self;
    return true;
}

void fxt_i_immediate_begin(struct fxt_i_timer *immediate)
{
    if (!immediate->runs)
        post(immediate, on_due, 0);
}
