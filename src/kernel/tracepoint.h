/* Tracepoints of the kernel: which ones are read, and what they say. */
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
    bool live; /* perf events do not tell it anyway */
    bool (*decode)(struct fxt_kernel_event *out, const struct fxt_kernel_data *data);
};

/* All of them; *count is how many. */
const struct fxt_kernel_tracepoint *fxt_kernel_tracepoints(size_t *count);

/* Reads the data of one event, laid out as `format` says; both may be damaged. The caller has set
   ns, cpu, tid and process (those of the thread that it happened on) or left them 0; tid is set
   anew when the data has it. False when it is of no use, or damaged. */
bool fxt_kernel_decode(struct fxt_kernel_event *out, const struct tep_event *format,
                       const void *data, size_t size);

/* What a thread's state becomes in the trace, as a tracepoint has it. */
uint32_t fxt_kernel_state(int64_t prev_state);

#endif
