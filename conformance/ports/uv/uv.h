/* As much of libuv as src/loop uses, on poll(2), for machines that Debian has no libuv for beside its
   cross-compilers. One thread runs a loop; any thread may call uv_async_send. */
#ifndef FXT_PORTS_UV_H
#define FXT_PORTS_UV_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum { UV_READABLE = 1 };
typedef enum { UV_RUN_DEFAULT, UV_RUN_NOWAIT } uv_run_mode;

typedef struct uv_handle_s uv_handle_t;
typedef struct uv_timer_s uv_timer_t;
typedef void (*uv_timer_cb)(uv_timer_t *timer);
typedef struct uv_async_s uv_async_t;
typedef struct uv_poll_s uv_poll_t;

typedef struct {
    uv_timer_t *timers; /* that run */
    uv_async_t *async;  /* or NULL: one a loop */
    uv_poll_t *poll;    /* or NULL: one a loop */
    bool stop;
} uv_loop_t;

struct uv_handle_s {
    void *data;
    uv_loop_t *loop;
    void (*end)(uv_handle_t *handle);
};

struct uv_timer_s {
    void *data;
    uv_loop_t *loop;
    void (*end)(uv_handle_t *handle);
    uv_timer_cb call;
    uint64_t at_ms;
    uv_timer_t *next;
};

struct uv_async_s {
    void *data;
    uv_loop_t *loop;
    void (*end)(uv_handle_t *handle);
    void (*call)(uv_async_t *async);
    int event;
};

struct uv_poll_s {
    void *data;
    uv_loop_t *loop;
    void (*end)(uv_handle_t *handle);
    void (*call)(uv_poll_t *poll, int status, int events);
    int descriptor;
};

static inline uint64_t ports_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static inline int uv_loop_init(uv_loop_t *loop)
{
    *loop = (uv_loop_t){0};
    return 0;
}

static inline int uv_loop_close(uv_loop_t *loop)
{
    (void)loop;
    return 0;
}

static inline void uv_update_time(uv_loop_t *loop)
{
    (void)loop; /* it is read when needed */
}

static inline void uv_stop(uv_loop_t *loop)
{
    loop->stop = true;
}

static inline void ports_timer_end(uv_handle_t *handle)
{
    uv_timer_t **at = &handle->loop->timers;
    while (*at != NULL && *at != (uv_timer_t *)handle)
        at = &(*at)->next;
    if (*at != NULL)
        *at = (*at)->next;
}

static inline int uv_timer_init(uv_loop_t *loop, uv_timer_t *timer)
{
    timer->loop = loop;
    timer->end = ports_timer_end;
    return 0;
}

static inline int uv_timer_start(uv_timer_t *timer, uv_timer_cb call, uint64_t ms,
                                 uint64_t repeat)
{
    (void)repeat; /* none does */
    ports_timer_end((uv_handle_t *)timer);
    timer->call = call;
    timer->at_ms = ports_now_ms() + ms;
    timer->next = timer->loop->timers;
    timer->loop->timers = timer;
    return 0;
}

static inline int uv_timer_stop(uv_timer_t *timer)
{
    ports_timer_end((uv_handle_t *)timer);
    return 0;
}

static inline void ports_async_end(uv_handle_t *handle)
{
    close(((uv_async_t *)handle)->event);
    handle->loop->async = NULL;
}

static inline int uv_async_init(uv_loop_t *loop, uv_async_t *async, void (*call)(uv_async_t *))
{
    async->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    async->loop = loop;
    async->end = ports_async_end;
    async->call = call;
    loop->async = async;
    return async->event < 0 ? -1 : 0;
}

static inline int uv_async_send(uv_async_t *async)
{
    uint64_t one = 1;
    return write(async->event, &one, sizeof one) < 0 ? -1 : 0;
}

static inline void ports_poll_end(uv_handle_t *handle)
{
    handle->loop->poll = NULL;
}

static inline int uv_poll_init(uv_loop_t *loop, uv_poll_t *poll, int descriptor)
{
    poll->loop = loop;
    poll->end = ports_poll_end;
    poll->descriptor = descriptor;
    return 0;
}

static inline int uv_poll_start(uv_poll_t *poll, int events, void (*call)(uv_poll_t *, int, int))
{
    (void)events; /* always UV_READABLE */
    poll->call = call;
    poll->loop->poll = poll;
    return 0;
}

static inline void uv_close(uv_handle_t *handle, void (*closed)(uv_handle_t *))
{
    (void)closed; /* does nothing */
    handle->end(handle);
}

/* Calls the timers that are due; the milliseconds until the next one, or -1 if there is none. */
static inline int ports_run_timers(uv_loop_t *loop)
{
    for (;;) {
        uv_timer_t *first = loop->timers;
        for (uv_timer_t *timer = first; timer != NULL; timer = timer->next)
            first = timer->at_ms < first->at_ms ? timer : first;
        if (first == NULL)
            return -1;
        uint64_t now = ports_now_ms();
        if (first->at_ms > now)
            return first->at_ms - now < 1000 ? (int)(first->at_ms - now) : 1000;
        ports_timer_end((uv_handle_t *)first);
        first->call(first);
    }
}

static inline void ports_run_descriptors(uv_loop_t *loop, int wait_ms)
{
    struct pollfd ready[2] = {
        {.fd = loop->async != NULL ? loop->async->event : -1, .events = POLLIN},
        {.fd = loop->poll != NULL ? loop->poll->descriptor : -1, .events = POLLIN},
    };
    uint64_t count;
    if (poll(ready, 2, wait_ms) <= 0)
        return;
    if (ready[0].revents != 0 && read(loop->async->event, &count, sizeof count) > 0)
        loop->async->call(loop->async);
    if (ready[1].revents != 0 && loop->poll != NULL)
        loop->poll->call(loop->poll, 0, UV_READABLE);
}

static inline int uv_run(uv_loop_t *loop, uv_run_mode mode)
{
    bool once = mode == UV_RUN_NOWAIT;
    while (!loop->stop && (loop->timers != NULL || loop->async != NULL || loop->poll != NULL)) {
        int wait_ms = ports_run_timers(loop);
        if (loop->stop)
            break;
        ports_run_descriptors(loop, once ? 0 : wait_ms);
        if (once)
            break;
    }
    loop->stop = false;
    return 0;
}

#endif
