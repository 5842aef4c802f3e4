/* The clock of loops. */
#ifndef FXT_LOOP_NOW_H
#define FXT_LOOP_NOW_H

#include <stdint.h>

/* CLOCK_MONOTONIC, in ns. A program may define this function itself, to have a time of its own: so
   it is alone in its file. */
uint64_t fxt_i_now_ns(void);

#endif
