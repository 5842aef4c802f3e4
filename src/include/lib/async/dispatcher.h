/* What runs the engine's work that is too slow for a traced thread: a dispatcher calls tasks, one
   after the other, on a thread of its own choice. <lib/async-loop/loop.h> is one; a program with an
   event loop may give another. */
#ifndef LIB_ASYNC_DISPATCHER_H
#define LIB_ASYNC_DISPATCHER_H

#include <zircon/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct async_dispatcher async_dispatcher_t;
typedef struct async_task async_task_t;

/* status is ZX_OK, or ZX_ERR_CANCELED when the dispatcher shuts down before it was due. */
typedef void(async_task_handler_t)(async_dispatcher_t *dispatcher, async_task_t *task,
                                   zx_status_t status);

/* Owned by the caller, who leaves it alone from post_task until its handler is called. */
struct async_task {
    async_task_t *next; /* the dispatcher's */
    async_task_handler_t *handler;
    zx_time_t deadline; /* of CLOCK_MONOTONIC; 0: as soon as possible */
};

struct async_ops {
    /* Calls the task's handler once, on the dispatcher's thread, at its deadline. May be called
       from any thread, neither blocks for long nor allocates. ZX_ERR_BAD_STATE when the dispatcher
       is shut down: the handler is not called then. */
    zx_status_t (*post_task)(async_dispatcher_t *dispatcher, async_task_t *task);
    /* Takes back a task whose handler has not begun: it is not called. ZX_ERR_NOT_FOUND when it is
       not posted. */
    zx_status_t (*cancel_task)(async_dispatcher_t *dispatcher, async_task_t *task);
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

#ifdef __cplusplus
}
#endif

#endif
