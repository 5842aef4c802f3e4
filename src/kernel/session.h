/* One trace of the kernel: from the start of tracing to its stop. */
#ifndef FXT_KERNEL_SESSION_H
#define FXT_KERNEL_SESSION_H

#include <stdbool.h>
#include <stdint.h>

struct fxt_kernel_session;

#define FXT_KERNEL_SESSION_MESSAGE 400

/* Replays that capture, or (NULL) reads the kernel of this machine. */
struct fxt_kernel_session *fxt_kernel_session_create(const char *capture);
void fxt_kernel_session_destroy(struct fxt_kernel_session *session);

/* Tracing has started: begins to collect what is enabled. False, with a line in `message`, when the
   source cannot be had. The line may also have what is missing, when the result is true. */
bool fxt_kernel_session_begin(struct fxt_kernel_session *session,
                              char message[FXT_KERNEL_SESSION_MESSAGE]);

/* Whether one is on. */
bool fxt_kernel_session_is_on(const struct fxt_kernel_session *session);

/* A descriptor that is readable when there is work; -1 when there is no source. */
int fxt_kernel_session_descriptor(const struct fxt_kernel_session *session);

enum fxt_kernel_session_state {
    FXT_KERNEL_SESSION_GOES_ON,
    FXT_KERNEL_SESSION_AT_END, /* of the capture */
    FXT_KERNEL_SESSION_BROKEN, /* with a line in `message` */
};

/* Writes what has happened. To be called when the descriptor is readable, and every 10 ms. */
enum fxt_kernel_session_state fxt_kernel_session_work(struct fxt_kernel_session *session,
                                                      char message[FXT_KERNEL_SESSION_MESSAGE]);

/* Writes the rest, if tracing is still started, and ends. Returns how many events were lost. */
uint64_t fxt_kernel_session_end(struct fxt_kernel_session *session);

#endif
