/* The names of the threads that are already running. */
#ifndef FXT_KERNEL_NAMES_H
#define FXT_KERNEL_NAMES_H

#include "src/kernel/event.h"

/* Passes on one FXT_KERNEL_NAME for each thread in /proc, at time 0. */
void fxt_kernel_names_scan(const struct fxt_kernel_sink *sink);

#endif
