/* What runs the engine's work that is too slow for a traced thread: a dispatcher calls tasks, one
   after the other, on a thread of its own choice. <lib/async-loop/loop.h> is one; a program with an
   event loop may give another. */
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

/* status is ZX_OK, or ZX_ERR_CANCELED when the dispatcher shuts down before it was due. */
typedef void(async_task_handler_t)(async_dispatcher_t *dispatcher, async_task_t *task,
                                   zx_status_t status);

/* Owned by the caller, who leaves it alone from post_task until its handler is called. */
struct async_task {
    async_task_t *next; /* the dispatcher's */
    async_task_handler_t *handler;
    zx_time_t deadline; /* of CLOCK_MONOTONIC; 0: as soon as possible */
};

/* `events`: of poll(2), what there is; with an error status 0. */
typedef void(async_wait_handler_t)(async_dispatcher_t *dispatcher, async_wait_t *wait,
                                   zx_status_t status, short events);

/* Owned by the caller, who leaves it alone from begin_wait until its handler is called, or it is
   canceled. The descriptor stays open as long. */
struct async_wait {
    async_wait_t *next; /* the dispatcher's */
    async_wait_t **back;
    async_wait_handler_t *handler;
    int descriptor;
    short events; /* POLLIN or POLLOUT of poll(2) */
};

struct async_ops {
    /* Calls the task's handler once, on the dispatcher's thread, at its deadline. May be called
       from any thread, neither blocks for long nor allocates. ZX_ERR_BAD_STATE when the dispatcher
       is shut down: the handler is not called then. */
    zx_status_t (*post_task)(async_dispatcher_t *dispatcher, async_task_t *task);
    /* Takes back a task whose handler has not begun: it is not called. ZX_ERR_NOT_FOUND when it is
       not posted. */
    zx_status_t (*cancel_task)(async_dispatcher_t *dispatcher, async_task_t *task);
    /* Calls the handler once, when the descriptor is ready or its other end is closed; or with
       ZX_ERR_CANCELED when the dispatcher shuts down. May be called from any thread. One wait for a
       descriptor at a time: ZX_ERR_ALREADY_EXISTS. ZX_ERR_BAD_STATE when it is shut down;
       ZX_ERR_NOT_SUPPORTED for a descriptor that cannot be waited for; ZX_ERR_NO_RESOURCES. A
       dispatcher that no trace provider is given may leave both of these NULL. */
    zx_status_t (*begin_wait)(async_dispatcher_t *dispatcher, async_wait_t *wait);
    /* Its handler is not called then. On the dispatcher's thread only, or when it does not run.
       ZX_ERR_NOT_FOUND when nothing waits. */
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
    return dispatcher->ops->cancel_wait(dispatcher, wait);
}

#ifdef __cplusplus
}
#endif

#endif
