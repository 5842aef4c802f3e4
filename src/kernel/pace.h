/* A capture is read faster than a buffer is emptied: its events wait for room. */
#ifndef FXT_KERNEL_PACE_H
#define FXT_KERNEL_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct fxt_kernel_pace {
    uint64_t half; /* bytes that may be written before it is looked whether there is room */
    uint64_t left;
    bool off; /* nobody empties the buffer: it keeps the first or the last records */
};

/* While tracing is started. */
void fxt_kernel_pace_begin(struct fxt_kernel_pace *pace);

/* Before each event. Waits some seconds at most. */
void fxt_kernel_pace_step(struct fxt_kernel_pace *pace);

#endif
