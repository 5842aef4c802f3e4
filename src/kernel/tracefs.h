/* The kernel's descriptions of its tracepoints. */
#ifndef FXT_KERNEL_TRACEFS_H
#define FXT_KERNEL_TRACEFS_H

#include <stdbool.h>
#include <stddef.h>

#include <traceevent/event-parse.h>

#include "src/kernel/tracepoint.h"

/* Finds a readable mount of tracefs; false if there is none. */
bool fxt_kernel_tracefs_find(char *out, size_t size);

/* Loads a tracepoint into `tep`. Returns its number for perf events, or -1. */
int fxt_kernel_tracefs_load(struct tep_handle *tep, const char *tracefs,
                            const struct fxt_kernel_tracepoint *tracepoint);

#endif
