/* One trace of the kernel: from the start of tracing to its stop. */
#ifndef FXT_KERNEL_SESSION_H
#define FXT_KERNEL_SESSION_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/kernel/event.h"

struct fxt_kernel_session;

#define FXT_KERNEL_SESSION_MESSAGE 400

/* Replays `capture`, or, if it is NULL, reads the running kernel. */
struct fxt_kernel_session *fxt_kernel_session_create(const char *capture);
void fxt_kernel_session_destroy(struct fxt_kernel_session *session);

/* Call when tracing has started: begins to collect the enabled groups. If the source cannot be
   opened, returns false and a line in `message`. If the result is true, the line may say what is
   missing. */
bool fxt_kernel_session_begin(struct fxt_kernel_session *session,
                              char message[FXT_KERNEL_SESSION_MESSAGE]);

/* Whether a session is on. */
bool fxt_kernel_session_is_on(const struct fxt_kernel_session *session);

/* A descriptor that is readable when there is work; -1 without a source. */
int fxt_kernel_session_descriptor(const struct fxt_kernel_session *session);

enum fxt_kernel_session_state {
    FXT_KERNEL_SESSION_GOES_ON,
    FXT_KERNEL_SESSION_AT_END, /* end of the capture */
    FXT_KERNEL_SESSION_BROKEN, /* and a line in `message` */
};

/* Writes the events so far. Call when the descriptor is readable, and every 10 ms. */
enum fxt_kernel_session_state fxt_kernel_session_work(struct fxt_kernel_session *session,
                                                      char message[FXT_KERNEL_SESSION_MESSAGE]);

/* Writes the rest, if tracing is still started, and ends the session. Returns the number of lost
   events. */
uint64_t fxt_kernel_session_end(struct fxt_kernel_session *session);

/* The main loop: waits for traces to start, and serves them. */

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

/* Slows a replay down: a capture is read faster than a buffer is emptied, so its events wait for
   room. */

struct fxt_kernel_pace {
    uint64_t half; /* bytes to write before the next check for room */
    uint64_t left;
    bool off; /* the buffer is not emptied: it keeps the first or last records */
};

/* Call while tracing is started. */
void fxt_kernel_pace_begin(struct fxt_kernel_pace *pace);

/* Call before each event. Waits at most some seconds. */
void fxt_kernel_pace_step(struct fxt_kernel_pace *pace);

/* Makes room: switches halves, and waits for the other one as long. False if the buffer is not
   emptied. */
bool fxt_kernel_pace_turn(void);

/* The names of the threads that are already running. */

/* Passes on one FXT_KERNEL_NAME for each thread in /proc, at time 0. */
void fxt_kernel_names_scan(const struct fxt_kernel_sink *sink);

#endif
