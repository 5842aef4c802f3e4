/* A dispatcher that runs its tasks one after the other, on its own thread or on one of the
   program. */
#ifndef LIB_ASYNC_LOOP_LOOP_H
#define LIB_ASYNC_LOOP_LOOP_H

#include <stdbool.h>
#include <stdlib.h> /* for programs that expect exit() from this header */
#include <threads.h>

#include <lib/async/dispatcher.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ASYNC_LOOP_API ZX_I_EXPORTED

typedef struct async_loop async_loop_t;

/* Both configurations are the same: no loop attaches itself to its thread. */
typedef struct async_loop_config {
    bool attach_to_thread;
} async_loop_config_t;

ASYNC_LOOP_API extern const async_loop_config_t kAsyncLoopConfigNoAttachToThread;
ASYNC_LOOP_API extern const async_loop_config_t kAsyncLoopConfigAttachToThread;

/* Creates a loop. Returns ZX_ERR_NO_MEMORY, or ZX_ERR_NO_RESOURCES if no descriptors are left. A loop
   that was created serves its tasks and waits without memory, too. */
ASYNC_LOOP_API zx_status_t async_loop_create(const async_loop_config_t *config,
                                             async_loop_t **out_loop);

/* Shuts down and frees the loop. NULL is no loop; no other function takes it. In a forked child,
   this and the shutdown are no-ops, because the child has the memory of the loop but not its
   threads and descriptors. */
ASYNC_LOOP_API void async_loop_destroy(async_loop_t *loop);

/* Stops and joins the loop's threads, then calls every remaining task with ZX_ERR_CANCELED. Do not
   call it on the loop's own thread. A second call is a no-op. */
ASYNC_LOOP_API void async_loop_shutdown(async_loop_t *loop);

/* Runs tasks on this thread until `deadline` (of CLOCK_MONOTONIC, or ZX_TIME_INFINITE), or only one
   task if `once`. Returns ZX_ERR_TIMED_OUT at the deadline, ZX_ERR_CANCELED after a quit, and
   ZX_ERR_BAD_STATE after a shutdown or while another thread runs the loop. */
ASYNC_LOOP_API zx_status_t async_loop_run(async_loop_t *loop, zx_time_t deadline, bool once);
ASYNC_LOOP_API zx_status_t async_loop_run_until_idle(async_loop_t *loop);

/* Makes async_loop_run return. Any thread may call this. */
ASYNC_LOOP_API void async_loop_quit(async_loop_t *loop);
ASYNC_LOOP_API zx_status_t async_loop_reset_quit(async_loop_t *loop);

/* Runs the loop on a new thread of that name, once for each loop. Without a name (NULL or ""), the
   thread has that of its creator. The name is cut to 15 bytes. out_thread may be NULL. The thread
   blocks all signals but those of its own faults, so that the program's own threads receive them, and
   what a task starts, a program or a thread, begins with them blocked. */
ASYNC_LOOP_API zx_status_t async_loop_start_thread(async_loop_t *loop, const char *name,
                                                   thrd_t *out_thread);
ASYNC_LOOP_API void async_loop_join_threads(async_loop_t *loop);

ASYNC_LOOP_API async_dispatcher_t *async_loop_get_dispatcher(async_loop_t *loop);

#define ZX_TIME_INFINITE INT64_MAX

#ifdef __cplusplus
}
#endif

#endif
