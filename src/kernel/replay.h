/* A capture of trace-cmd as a source.

   It is read by a child process, which sends plain events through a pipe: the libraries that read
   captures are not made for damaged ones, and whatever happens to them there becomes a message
   here. */
#ifndef FXT_KERNEL_REPLAY_H
#define FXT_KERNEL_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "src/kernel/event.h"

struct fxt_kernel_replay;

#define FXT_KERNEL_REPLAY_MESSAGE 400

/* Begins to read the capture. NULL, with a line that says why, when it cannot be opened. */
struct fxt_kernel_replay *fxt_kernel_replay_open(const char *path,
                                                 char message[FXT_KERNEL_REPLAY_MESSAGE]);

/* Readable when there is something to take. */
int fxt_kernel_replay_descriptor(const struct fxt_kernel_replay *replay);

enum fxt_kernel_progress {
    FXT_KERNEL_MORE, /* later */
    FXT_KERNEL_DONE,
    FXT_KERNEL_DAMAGED, /* with a line that says how; what was handed over before stays */
};

/* Hands over some hundred events. */
enum fxt_kernel_progress fxt_kernel_replay_take(struct fxt_kernel_replay *replay,
                                                const struct fxt_kernel_sink *sink,
                                                char message[FXT_KERNEL_REPLAY_MESSAGE]);

/* Ends the child if it still runs, and frees it. */
void fxt_kernel_replay_close(struct fxt_kernel_replay *replay);

/* The child's side: reads the capture and writes events to `out`. Returns its exit code. */
int fxt_kernel_capture_send(int capture, int out);

/* Exit codes of the child. */
enum { FXT_KERNEL_CAPTURE_WHOLE = 0, FXT_KERNEL_CAPTURE_NONE = 11, FXT_KERNEL_CAPTURE_TOO_MANY };

#endif
