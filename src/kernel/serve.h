/* The main loop: waits for traces to start, and serves them. */
#ifndef FXT_KERNEL_SERVE_H
#define FXT_KERNEL_SERVE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/kernel/session.h"

struct fxt_kernel_serve {
    struct fxt_kernel_session *session;
    bool only_one;        /* return at the end of the capture, and if the source fails */
    uint64_t duration_ns; /* 0: no limit */
    int observer;         /* an eventfd, registered with the engine */
    sigset_t ends;        /* the signals that end it, which are blocked */
};

/* Serves until a signal or the end of the duration. Returns an exit code. Writes the rest of a
   session before it returns. */
int fxt_kernel_serve(const struct fxt_kernel_serve *serve);

#endif
