/* The running kernel as a source: perf events of every processor. */
#ifndef FXT_KERNEL_LIVE_H
#define FXT_KERNEL_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "src/kernel/event.h"

struct fxt_kernel_live;

#define FXT_KERNEL_MESSAGE 400

/* Begins to collect these groups. If the kernel refuses, returns NULL and a line that says what
   is missing and what would help. */
struct fxt_kernel_live *fxt_kernel_live_open(uint32_t groups, char message[FXT_KERNEL_MESSAGE]);

/* The groups that this kernel does not report, because tracefs cannot be read. */
uint32_t fxt_kernel_live_missing(const struct fxt_kernel_live *live);

/* A descriptor that is readable when it is time to drain. Drain also a hundred times a second. */
int fxt_kernel_live_descriptor(const struct fxt_kernel_live *live);

/* Passes on the events, except those of the last millisecond: an older event may still arrive in
   another ring. */
void fxt_kernel_live_drain(struct fxt_kernel_live *live, const struct fxt_kernel_sink *sink);

/* Stops collecting, passes on the rest unless sink is NULL, and frees the source. */
void fxt_kernel_live_close(struct fxt_kernel_live *live, const struct fxt_kernel_sink *sink);

#endif
