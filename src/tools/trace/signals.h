/* Signals as something to wait for. */
#ifndef FXT_TOOLS_TRACE_SIGNALS_H
#define FXT_TOOLS_TRACE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

struct signals {
    sigset_t before; /* the mask that the program was started with */
    sigset_t asked;  /* those that end a trace */
    int fd;          /* readable when one has come, or a child has ended */
};

/* Before the first thread is made. SIGINT, SIGTERM and SIGHUP, unless the program was started to
   ignore them, and SIGCHLD are blocked. False after a message. */
bool signals_open(struct signals *signals);

/* Takes all that have come: whether one of them ends the trace. */
bool signals_take(struct signals *signals);

/* From now on a signal ends the program: the next one, or the one after that when none has come. */
void signals_release(const struct signals *signals, bool one_came);

void signals_close(struct signals *signals);

#endif
