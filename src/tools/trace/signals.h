/* Signals as something to wait for. */
#ifndef FXT_TOOLS_TRACE_SIGNALS_H
#define FXT_TOOLS_TRACE_SIGNALS_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

#define SIGNALS_COUNT 4

struct signals {
    int ends[2]; /* a pipe: readable when a signal has come, or a child has ended */
    struct sigaction before[SIGNALS_COUNT];
};

/* SIGINT, SIGTERM and SIGHUP, unless they are ignored, are told of instead of ending the program: the
   first of each kind only, or all when `patient`. So are the ends of children. One at a time; false
   after a message. */
bool signals_open(struct signals *signals, bool patient);

/* Takes all that have come: whether one of them wants the program to end. */
bool signals_take(const struct signals *signals);

/* Makes a thread that no signal comes to. Returns an errno value. */
int signals_free_thread(pthread_t *out_thread, void *(*run)(void *), void *data);

/* They do again what they did before. */
void signals_close(struct signals *signals);

#endif
