/* Watches, timers and turns. */
#include "src/manager/watch.h"

#include <errno.h>
#include <stdlib.h>

static void free_handle(uv_handle_t *handle)
{
    free(handle);
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
    struct fxt_i_watch *watch = (struct fxt_i_watch *)(void *)poll;
    if (status < 0) /* libuv has stopped; what the peer has sent before is still to be read */
        fxt_i_watch_change(watch, watch->events);
    watch->ready(watch->self, status < 0 ? UV_DISCONNECT | UV_READABLE : events);
}

struct fxt_i_watch *fxt_i_watch_begin(uv_loop_t *loop, int descriptor, int events,
                                      void (*ready)(void *self, int events), void *self)
{
    struct fxt_i_watch *watch = calloc(1, sizeof *watch);

    if (watch == NULL)
        return NULL;
    int error = uv_poll_init(loop, &watch->poll, descriptor);
    if (error != 0) {
        free(watch);
        errno = -error;
        return NULL;
    }
    watch->ready = ready;
    watch->self = self;
    fxt_i_watch_change(watch, events);
    return watch;
}

void fxt_i_watch_change(struct fxt_i_watch *watch, int events)
{
    watch->events = events;
    if (events == 0)
        uv_poll_stop(&watch->poll);
    else
        uv_poll_start(&watch->poll, events, on_poll);
}

void fxt_i_watch_end(struct fxt_i_watch **watch)
{
    if (*watch == NULL)
        return;
    uv_poll_stop(&(*watch)->poll);
    uv_close((uv_handle_t *)&(*watch)->poll, free_handle);
    *watch = NULL;
}

static void on_due(uv_timer_t *timer)
{
    struct fxt_i_timer *it = (struct fxt_i_timer *)(void *)timer;
    it->due(it->self);
}

/* If the manager stood still, what came meanwhile is heard first: one turn of the loop. */
static void on_timer(uv_timer_t *timer)
{
    uv_timer_start(timer, on_due, 1, 0);
}

bool fxt_i_timer_make(struct fxt_i_timer **timer, uv_loop_t *loop)
{
    *timer = calloc(1, sizeof **timer);
    if (*timer == NULL)
        return false;
    uv_timer_init(loop, &(*timer)->timer);
    return true;
}

bool fxt_i_timer_begin(struct fxt_i_timer **timer, uv_loop_t *loop, uint64_t ms,
                       void (*due)(void *self), void *self)
{
    if (*timer == NULL && !fxt_i_timer_make(timer, loop))
        return false;
    (*timer)->due = due;
    (*timer)->self = self;
    uv_update_time(loop);
    uv_timer_start(&(*timer)->timer, on_timer, ms, 0);
    return true;
}

void fxt_i_timer_stop(struct fxt_i_timer *timer)
{
    uv_timer_stop(&timer->timer);
}

bool fxt_i_timer_runs(const struct fxt_i_timer *timer)
{
    return uv_is_active((const uv_handle_t *)&timer->timer) != 0;
}

void fxt_i_timer_end(struct fxt_i_timer **timer)
{
    if (*timer == NULL)
        return;
    uv_close((uv_handle_t *)&(*timer)->timer, free_handle);
    *timer = NULL;
}

static void on_idle(uv_idle_t *idle)
{
    struct fxt_i_turn *it = (struct fxt_i_turn *)(void *)idle;
    uv_idle_stop(idle);
    it->due(it->self);
}

bool fxt_i_turn_make(struct fxt_i_turn **turn, uv_loop_t *loop, void (*due)(void *self), void *self)
{
    *turn = calloc(1, sizeof **turn);
    if (*turn == NULL)
        return false;
    uv_idle_init(loop, &(*turn)->idle);
    (*turn)->due = due;
    (*turn)->self = self;
    return true;
}

void fxt_i_turn_begin(struct fxt_i_turn *turn)
{
    uv_idle_start(&turn->idle, on_idle);
}

void fxt_i_turn_end(struct fxt_i_turn **turn)
{
    if (*turn == NULL)
        return;
    uv_close((uv_handle_t *)&(*turn)->idle, free_handle);
    *turn = NULL;
}
