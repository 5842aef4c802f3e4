/* A dispatcher with a thread of its own, or of the program's: tasks run one after the other. */
#ifndef LIB_ASYNC_LOOP_LOOP_H
#define LIB_ASYNC_LOOP_LOOP_H

#include <stdbool.h>
#include <stdlib.h> /* programs without a loop exit, and expect it here */
#include <threads.h>

#include <lib/async/dispatcher.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ASYNC_LOOP_API __attribute__((visibility("default")))

typedef struct async_loop async_loop_t;

/* No loop attaches itself to its thread here; both are the same. */
typedef struct async_loop_config {
    bool attach_to_thread;
} async_loop_config_t;

ASYNC_LOOP_API extern const async_loop_config_t kAsyncLoopConfigNoAttachToThread;
ASYNC_LOOP_API extern const async_loop_config_t kAsyncLoopConfigAttachToThread;

/* ZX_ERR_NO_MEMORY, or ZX_ERR_NO_RESOURCES when the system has no descriptors left. */
ASYNC_LOOP_API zx_status_t async_loop_create(const async_loop_config_t *config,
                                             async_loop_t **out_loop);

/* Shuts down and frees the loop. In a forked child, which has the memory of the loop but neither its
   threads nor what it waits for, this and the shutdown do nothing. */
ASYNC_LOOP_API void async_loop_destroy(async_loop_t *loop);

/* Stops and joins the loop's threads, then calls every task that is left with ZX_ERR_CANCELED.
   Not from the loop's own thread. May be called again, for nothing. */
ASYNC_LOOP_API void async_loop_shutdown(async_loop_t *loop);

/* Runs tasks on this thread: until `deadline` (of CLOCK_MONOTONIC, or ZX_TIME_INFINITE), or after
   one task when `once`. ZX_ERR_TIMED_OUT, ZX_ERR_CANCELED after a quit, ZX_ERR_BAD_STATE after a
   shutdown or while another thread runs it. */
ASYNC_LOOP_API zx_status_t async_loop_run(async_loop_t *loop, zx_time_t deadline, bool once);
ASYNC_LOOP_API zx_status_t async_loop_run_until_idle(async_loop_t *loop);

/* Makes whoever runs the loop return. */
ASYNC_LOOP_API void async_loop_quit(async_loop_t *loop);
ASYNC_LOOP_API zx_status_t async_loop_reset_quit(async_loop_t *loop);

/* Runs the loop on a new thread of that name; one a loop. out_thread may be NULL. */
ASYNC_LOOP_API zx_status_t async_loop_start_thread(async_loop_t *loop, const char *name,
                                                   thrd_t *out_thread);
ASYNC_LOOP_API void async_loop_join_threads(async_loop_t *loop);

ASYNC_LOOP_API async_dispatcher_t *async_loop_get_dispatcher(async_loop_t *loop);

#define ZX_TIME_INFINITE INT64_MAX

#ifdef __cplusplus
}
#endif

#endif
