/* The task that the engine posts to its dispatcher: at most one at a time. */
#include "src/engine/engine.h"

static async_task_t work_task;
static fxt_i_atomic32 work_posted;

/* The thread that initializes the engine, under the lock of the life: no task is posted. */
void fxt_i_dispatcher_init(async_task_handler_t *work)
{
    work_task.handler = work;
}

/* Any thread, inside or with a lock held: takes no lock but the dispatcher's own, and is not
   cancelled, which would leave the locks taken. The thread that finds 0 owns work_task until it is
   posted; then the dispatcher owns it, until it begins the work. */
void fxt_i_dispatcher_post(zx_time_t delay_ns)
{
    if (fxt_i_exchange32(&work_posted, 1) != 0)
        return;
    assert(fxt_i_engine.dispatcher != NULL);
    work_task.deadline = delay_ns != 0 ? fxt_i_monotonic_ns() + delay_ns : 0;
    int before = fxt_i_cancel_off();
    if (async_post_task(fxt_i_engine.dispatcher, &work_task) != ZX_OK)
        fxt_i_store32(&work_posted, 0);
    fxt_i_cancel_restore(before);
}

/* The dispatcher, when it begins the work. Requests that were suppressed until now become
   visible. */
void fxt_i_dispatcher_begin(void)
{
    fxt_i_exchange32(&work_posted, 0);
}

/* A forked child, which has one thread. */
void fxt_i_dispatcher_forget(void)
{
    fxt_i_store32(&work_posted, 0);
}
