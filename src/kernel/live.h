/* The kernel of this machine as a source: perf events of every processor. */
#ifndef FXT_KERNEL_LIVE_H
#define FXT_KERNEL_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "src/kernel/event.h"

struct fxt_kernel_live;

#define FXT_KERNEL_MESSAGE 400

/* Begins to collect these groups. NULL, with a line that says what is missing and what would help,
   when the kernel refuses. */
struct fxt_kernel_live *fxt_kernel_live_open(uint32_t groups, char message[FXT_KERNEL_MESSAGE]);

/* The groups of them that this kernel does not tell, because there is no tracefs to be read. */
uint32_t fxt_kernel_live_missing(const struct fxt_kernel_live *live);

/* Readable when it is time to drain; a hundred times a second is another good time. */
int fxt_kernel_live_descriptor(const struct fxt_kernel_live *live);

/* Hands over what has happened, but for the last millisecond; what is older may still be on its way
   into another ring. */
void fxt_kernel_live_drain(struct fxt_kernel_live *live, const struct fxt_kernel_sink *sink);

/* Stops collecting, hands over the rest unless sink is NULL, and frees it. */
void fxt_kernel_live_close(struct fxt_kernel_live *live, const struct fxt_kernel_sink *sink);

#endif
