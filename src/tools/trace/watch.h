/* Waiting for the end of a recording. */
#ifndef FXT_TOOLS_TRACE_WATCH_H
#define FXT_TOOLS_TRACE_WATCH_H

#include "src/tools/trace/child.h"
#include "src/tools/trace/interrupt.h"

enum end {
    END_COMMAND, /* it has exited */
    END_DURATION,
    END_SIGNAL,
    END_ALERT,
    END_OUTPUT,  /* the archive has ended, or the output fails */
    END_MANAGER, /* an error of the connection */
};

struct watch {
    const struct trace_options *options;
    trace_controller_t *controller;
    struct child *child;
    const struct signals *signals;
    struct interrupt *interrupt; /* while the manager is asked */
    struct drain *drain;
    int output; /* readable if the output has ended */
    int error;  /* error of END_MANAGER */
};

/* Waits until something ends the recording. Meanwhile, a line on the terminal shows the progress.
   */
enum end watch_run(struct watch *watch);

#endif
