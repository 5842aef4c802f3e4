/* A thread that receives signals while the main thread waits for the manager or for the output.
   After a signal, both have only a moment. */
#ifndef FXT_TOOLS_TRACE_INTERRUPT_H
#define FXT_TOOLS_TRACE_INTERRUPT_H

#include <trace-controller/controller.h>

#include "src/tools/trace/drain.h"
#include "src/tools/trace/signals.h"

struct interrupt {
    trace_controller_t *controller;
    struct drain *drain;
    const struct signals *signals;
    bool interrupted; /* a signal has arrived; owned by the thread until interrupt_end */
    bool asks;        /* the manager only answers a question: it must not end the session yet */
    bool spares;      /* the manager has all the time it needs: only outputs are hurried */
    int hurry[2];     /* a pipe for sinks: readable after a signal */
    int end[2];       /* a pipe: closed to end the thread */
    bool runs;
    pthread_t thread;
};

/* Makes the pipe for sinks. False after a message. */
bool interrupt_open(struct interrupt *interrupt, const struct signals *signals, bool spares);

/* Starts the thread. If interrupted is already set, it acts as if a signal had just arrived. Nothing
   else may take signals until the end. */
void interrupt_begin(struct interrupt *interrupt, trace_controller_t *controller,
                     struct drain *drain);

/* The controller has answered: from now on, the thread hurries outputs only. */
void interrupt_end(struct interrupt *interrupt);

void interrupt_close(struct interrupt *interrupt);

#endif
