/* One trace of the kernel: from the start of tracing to its stop. */
#ifndef FXT_KERNEL_SESSION_H
#define FXT_KERNEL_SESSION_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
