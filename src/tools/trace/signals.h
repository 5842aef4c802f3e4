/* Signals as a descriptor to wait for. */
#ifndef FXT_TOOLS_TRACE_SIGNALS_H
#define FXT_TOOLS_TRACE_SIGNALS_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

#define SIGNALS_COUNT 4

struct signals {
    int ends[2]; /* a pipe: readable after a signal or the end of a child */
    struct sigaction before[SIGNALS_COUNT];
    sigset_t mask; /* the one before */
};

/* Reports SIGINT, SIGTERM and SIGHUP, unless they are ignored, instead of ending the program:
   only the first of each kind and what repeats it (repeated.h), or all if `patient`. Also reports
   the ends of children. They are reported even if the program began with these signals blocked. One
   struct at a time. False after a message. */
bool signals_open(struct signals *signals, bool patient);

/* Consumes all signals: whether one of them asks the program to end. */
bool signals_take(const struct signals *signals);

/* Starts a thread with all signals blocked. Returns an errno value. */
int signals_free_thread(pthread_t *out_thread, void *(*run)(void *), void *data);

/* Restores the previous actions and the mask. */
void signals_close(struct signals *signals);

#endif
