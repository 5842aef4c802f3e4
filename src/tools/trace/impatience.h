/* A thread that receives signals while the main thread waits for the manager or for the output.
   After a signal, both have only a moment. */
#ifndef FXT_TOOLS_TRACE_IMPATIENCE_H
#define FXT_TOOLS_TRACE_IMPATIENCE_H

#include <trace-controller/controller.h>

#include "src/tools/trace/drain.h"
#include "src/tools/trace/signals.h"

struct impatience {
    trace_controller_t *controller;
    struct drain *drain;
    const struct signals *signals;
    bool is_late; /* a signal has arrived; owned by the thread until impatience_end */
    bool asks;    /* the manager only answers a question: it must not end the session yet */
    bool spares;  /* the manager has all the time it needs: only outputs are hurried */
    int hurry[2]; /* a pipe for sinks: readable after a signal */
    int end[2];   /* a pipe: closed to end the thread */
    bool runs;
    pthread_t thread;
};

/* Makes the pipe for sinks. False after a message. */
bool impatience_open(struct impatience *impatience, const struct signals *signals, bool spares);

/* Starts the thread. If is_late is already set, it acts as if a signal had just arrived. Nothing
   else may take signals until the end. */
void impatience_begin(struct impatience *impatience, trace_controller_t *controller,
                      struct drain *drain);

/* The controller has answered: from now on, the thread hurries outputs only. */
void impatience_end(struct impatience *impatience);

void impatience_close(struct impatience *impatience);

#endif
