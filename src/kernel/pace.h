/* Slows a replay down: a capture is read faster than a buffer is emptied, so its events wait for
   room. */
#ifndef FXT_KERNEL_PACE_H
#define FXT_KERNEL_PACE_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
