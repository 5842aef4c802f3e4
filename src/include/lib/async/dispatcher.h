/* A dispatcher runs the work of the engine that is too slow for a traced thread. It calls tasks one
   after the other, on a thread of its choice. <lib/async-loop/loop.h> is a dispatcher. A program
   with its own event loop can provide another one. */
#ifndef LIB_ASYNC_DISPATCHER_H
#define LIB_ASYNC_DISPATCHER_H

#include <stddef.h>

#include <zircon/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct async_dispatcher async_dispatcher_t;
typedef struct async_task async_task_t;
typedef struct async_wait async_wait_t;

/* status is ZX_OK, or ZX_ERR_CANCELED if the dispatcher shuts down before the task was due. */
typedef void(async_task_handler_t)(async_dispatcher_t *dispatcher, async_task_t *task,
                                   zx_status_t status);

/* The caller owns the task, and leaves it alone from post_task until its handler is called. */
struct async_task {
    async_task_t *next; /* the dispatcher's */
    async_task_handler_t *handler;
    zx_time_t deadline; /* of CLOCK_MONOTONIC; 0: as soon as possible */
};

/* `events`: the events of poll(2) that have occurred; 0 if status is an error. */
typedef void(async_wait_handler_t)(async_dispatcher_t *dispatcher, async_wait_t *wait,
                                   zx_status_t status, short events);

/* The caller owns the wait, and leaves it alone from begin_wait until its handler is called or it
   is canceled. The descriptor must stay open until then. */
struct async_wait {
    async_wait_t *next; /* the dispatcher's */
    async_wait_t **back;
    async_wait_handler_t *handler;
    int descriptor;
    short events; /* of poll(2), such as POLLIN and POLLOUT */
};

struct async_ops {
    /* Calls the task's handler once, on the dispatcher's thread, at its deadline. Any thread may
       call this. It neither blocks for long nor allocates. Returns ZX_ERR_BAD_STATE if the
       dispatcher is shut down; then the handler is not called. */
    zx_status_t (*post_task)(async_dispatcher_t *dispatcher, async_task_t *task);
    /* Cancels a task whose handler has not begun; the handler is not called. Any thread may call
       this. Returns ZX_ERR_NOT_FOUND if the task is not posted. */
    zx_status_t (*cancel_task)(async_dispatcher_t *dispatcher, async_task_t *task);
    /* Calls the handler once: when the descriptor is ready or its other end is closed, or with
       ZX_ERR_CANCELED when the dispatcher shuts down. Any thread may call this. Returns
       ZX_ERR_ALREADY_EXISTS if there is already a wait for the descriptor, ZX_ERR_BAD_STATE if the
       dispatcher is shut down, ZX_ERR_NOT_SUPPORTED if the descriptor cannot be waited for,
       ZX_ERR_INVALID_ARGS if it is not open, or ZX_ERR_NO_RESOURCES. This and cancel_wait may be
       NULL in a dispatcher that no trace provider uses. */
    zx_status_t (*begin_wait)(async_dispatcher_t *dispatcher, async_wait_t *wait);
    /* Cancels a wait; its handler is not called. Call it on the dispatcher's thread, or while the
       dispatcher does not run. Returns ZX_ERR_NOT_FOUND if there is no such wait, also if it has
       never begun. */
    zx_status_t (*cancel_wait)(async_dispatcher_t *dispatcher, async_wait_t *wait);
};

struct async_dispatcher {
    const struct async_ops *ops;
};

static inline zx_status_t async_post_task(async_dispatcher_t *dispatcher, async_task_t *task)
{
    return dispatcher->ops->post_task(dispatcher, task);
}

static inline zx_status_t async_cancel_task(async_dispatcher_t *dispatcher, async_task_t *task)
{
    return dispatcher->ops->cancel_task(dispatcher, task);
}

static inline zx_status_t async_begin_wait(async_dispatcher_t *dispatcher, async_wait_t *wait)
{
    return dispatcher->ops->begin_wait != NULL ? dispatcher->ops->begin_wait(dispatcher, wait)
                                               : ZX_ERR_NOT_SUPPORTED;
}

static inline zx_status_t async_cancel_wait(async_dispatcher_t *dispatcher, async_wait_t *wait)
{
    return dispatcher->ops->cancel_wait != NULL ? dispatcher->ops->cancel_wait(dispatcher, wait)
                                                : ZX_ERR_NOT_FOUND;
}

#ifdef __cplusplus
}
#endif

#endif
