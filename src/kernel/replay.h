/* A capture of trace-cmd as a source.

   A child process reads the capture and sends plain events through a pipe. The libraries that
   read captures are not made for damaged ones. If they fail or crash, the parent reports a
   message. */
#ifndef FXT_KERNEL_REPLAY_H
#define FXT_KERNEL_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "src/kernel/event.h"

struct fxt_kernel_replay;

#define FXT_KERNEL_REPLAY_MESSAGE 400

/* Begins to read the capture. If it cannot be opened, returns NULL and a line that says why. */
struct fxt_kernel_replay *fxt_kernel_replay_open(const char *path,
                                                 char message[FXT_KERNEL_REPLAY_MESSAGE]);

/* A descriptor that is readable when there are events. */
int fxt_kernel_replay_descriptor(const struct fxt_kernel_replay *replay);

enum fxt_kernel_progress {
    FXT_KERNEL_MORE, /* nothing yet */
    FXT_KERNEL_DONE,
    FXT_KERNEL_DAMAGED, /* and a line that says how; earlier events are kept */
};

/* Passes on some hundred events. */
enum fxt_kernel_progress fxt_kernel_replay_take(struct fxt_kernel_replay *replay,
                                                const struct fxt_kernel_sink *sink,
                                                char message[FXT_KERNEL_REPLAY_MESSAGE]);

/* Ends the child if it is still running, and frees the replay. */
void fxt_kernel_replay_close(struct fxt_kernel_replay *replay);

/* The child's side: reads the capture and writes events to `out`. Returns its exit code. */
int fxt_kernel_capture_send(int capture, int out);

/* Exit codes of the child. */
enum { FXT_KERNEL_CAPTURE_WHOLE = 0, FXT_KERNEL_CAPTURE_NONE = 11, FXT_KERNEL_CAPTURE_TOO_MANY };

#endif
