/* Asks the engine to switch halves before a half can be full. The engine refuses until the other
   half is saved, which takes as long as the output does. */
#include "src/kernel/session.h"

#include <signal.h>
#include <time.h>

#include <lib/trace-engine/handler.h>
#include <lib/trace-engine/instrumentation.h>

#define EVENT_BYTES 160 /* at most, of the rolling part of the buffer */

void fxt_kernel_pace_begin(struct fxt_kernel_pace *pace)
{
    trace_engine_sizes_t sizes;
    trace_engine_get_sizes(&sizes);
    pace->half = sizes.rolling_size / 2;
    pace->left = pace->half / 2;
    pace->off = pace->half < EVENT_BYTES;
}

/* The main loop, which waits for these signals, does not run meanwhile. */
static bool is_asked_to_end(void)
{
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM) ||
           sigismember(&pending, SIGHUP);
}

bool fxt_kernel_pace_turn(void)
{
    const struct timespec wait = {.tv_nsec = 1000000};
    zx_status_t status;
    while ((status = trace_engine_flush_buffer()) == ZX_ERR_SHOULD_WAIT && !is_asked_to_end())
        nanosleep(&wait, NULL);
    return status == ZX_OK;
}

void fxt_kernel_pace_step(struct fxt_kernel_pace *pace)
{
    if (pace->off)
        return;
    if (pace->left < EVENT_BYTES) {
        pace->off = !fxt_kernel_pace_turn();
        pace->left = pace->half - pace->half / 4;
    }
    pace->left -= EVENT_BYTES;
}
