/* The names of the threads that run already. */
#ifndef FXT_KERNEL_NAMES_H
#define FXT_KERNEL_NAMES_H

#include "src/kernel/event.h"

/* Hands over one FXT_KERNEL_NAME for each thread that /proc shows, at 0 ticks. */
void fxt_kernel_names_scan(const struct fxt_kernel_sink *sink);

#endif
