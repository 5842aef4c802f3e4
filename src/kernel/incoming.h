/* The events that come through the pipe of a replay. They are checked like any other input: whoever
   made the capture may control the process that sends them. */
#ifndef FXT_KERNEL_INCOMING_H
#define FXT_KERNEL_INCOMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/kernel/event.h"

#define FXT_KERNEL_BATCH 512

struct fxt_kernel_incoming {
    bool begun;
    uint64_t start; /* ticks of the first event */
    uint64_t first; /* time of the first event in the capture */
    uint64_t count;
    size_t kept; /* bytes of an incomplete event */
    struct fxt_kernel_event events[FXT_KERNEL_BATCH];
};

/* Where the next bytes of the pipe belong; *size is how many have room, never 0. */
void *fxt_kernel_incoming_room(struct fxt_kernel_incoming *incoming, size_t *size);

/* Passes on the events that `bytes` more bytes complete. An event that nobody can have sent in good
   faith becomes the loss of one event. */
void fxt_kernel_incoming_add(struct fxt_kernel_incoming *incoming, size_t bytes,
                             const struct fxt_kernel_sink *sink);

#endif
