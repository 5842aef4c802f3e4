/* The kernel's descriptions of its tracepoints. */
#ifndef FXT_KERNEL_TRACEFS_H
#define FXT_KERNEL_TRACEFS_H

#include <stdbool.h>
#include <stddef.h>

#include <traceevent/event-parse.h>

#include "src/kernel/tracepoint.h"

/* Where tracefs is mounted and can be read; false when it is nowhere. */
bool fxt_kernel_tracefs_find(char *out, size_t size);

/* Makes a tracepoint known to `tep`; its number for perf events, or -1. */
int fxt_kernel_tracefs_load(struct tep_handle *tep, const char *tracefs,
                            const struct fxt_kernel_tracepoint *tracepoint);

#endif
