/* Tracepoints of the kernel: the list, and their data. */
#ifndef FXT_KERNEL_TRACEPOINT_H
#define FXT_KERNEL_TRACEPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <traceevent/event-parse.h>

#include "src/kernel/event.h"

struct fxt_kernel_data;

struct fxt_kernel_tracepoint {
    const char *system;
    const char *name;
    uint32_t group;
    bool live; /* perf events do not report it */
    bool (*decode)(struct fxt_kernel_event *out, const struct fxt_kernel_data *data);
};

/* All tracepoints; *count is their number. */
const struct fxt_kernel_tracepoint *fxt_kernel_tracepoints(size_t *count);

/* Reads the data of one event in the layout of `format`; both may be damaged. The caller has set
   ns, cpu, tid and process (those of the thread on which it happened) or left them 0. Sets tid
   again if the data has it. False if the event is useless or damaged. */
bool fxt_kernel_decode(struct fxt_kernel_event *out, const struct tep_event *format,
                       const void *data, size_t size);

/* The same for a source that may be damaged. An event that is damaged, or not described (format is
   NULL), becomes the loss of one event. False if the event is of no tracepoint of the list. */
bool fxt_kernel_decode_or_lose(struct fxt_kernel_event *out, const struct tep_event *format,
                               const void *data, size_t size);

/* Converts a thread's state in a tracepoint to its state in the trace. */
uint32_t fxt_kernel_state(int64_t prev_state);

#endif
