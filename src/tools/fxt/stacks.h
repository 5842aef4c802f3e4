/* The durations of threads as stacks, in the forms of flame graph tools. */
#ifndef FXT_TOOLS_FXT_STACKS_H
#define FXT_TOOLS_FXT_STACKS_H

#include "src/convert/out.h"
#include "src/timeline/timeline.h"

/* Each line: process;thread;slice;…;slice NS, where NS is the self time [SLC-09] of all slices with that
   stack. False: there is no memory. */
bool stacks_folded(struct fxt_out *out, struct timeline *timeline);

/* The JSON of https://www.speedscope.app: a profile for each thread, with the times since the begin of the
   trace. What overlaps on a thread goes into further profiles of it; *left: slices that found none. */
bool stacks_speedscope(struct fxt_out *out, struct timeline *timeline, const char *name,
                       uint64_t *left);

#endif
